//! Requests to the service, over a connection of its own each: whatever is sent, the service answers the next one. The
//! first byte says what is sent: a whole request as it stands, or a body that comes with the right head.

#![no_main]

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::LazyLock;
use std::time::Duration;
use tercet_serve::{Service, Settings};

const PATHS: [&str; 6] = ["score", "compare", "rank", "check", "tokenize", "parse"];

static ADDRESS: LazyLock<SocketAddr> = LazyLock::new(|| {
    let listen = SocketAddr::from(([127, 0, 0, 1], 0));
    let settings = Settings { listen, timeout: Duration::from_secs(5), max_body: 1 << 20, ..Settings::default() };
    let service = Service::bind(&settings, tercet::registry()).expect("a free port");
    let address = service.address();
    std::thread::spawn(move || service.run(|_| {}));
    address
});

fn answer(request: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(*ADDRESS).expect("the service is there");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a connection has a time limit");
    let _ = stream.write_all(request);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((kind, rest)) = bytes.split_first() else { return };
    let found = match PATHS.get(usize::from(*kind) % 8) {
        None => answer(rest),
        Some(path) => {
            let head = format!(
                "POST /v1/{path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                *ADDRESS,
                rest.len()
            );
            answer(&[head.as_bytes(), rest].concat())
        }
    };
    assert!(!found.starts_with(b"HTTP/1.1 500"), "{}", String::from_utf8_lossy(&found));
});
