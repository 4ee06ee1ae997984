//! Requests to a service, byte by byte; for the tests of the service, and for those of the command.

// Each of the two uses most of it.
#![allow(dead_code)]

use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// What sends requests to a service.
#[derive(Clone, Copy)]
pub struct Client {
    pub address: SocketAddr,
}

/// The answer to a request.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Client {
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
        stream
    }

    /// Sends a request and does not read its answer.
    pub fn begin(&self, path: &str, body: &Value) -> TcpStream {
        let fields = "Content-Type: application/json\r\n";
        let message = self.message("POST", path, fields, body.to_string().as_bytes());
        let mut stream = self.connect();
        stream.write_all(&message).unwrap();
        stream
    }

    /// Sends bytes and reads the answer.
    pub fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that refuses a request early may close before all of it is sent.
        let _ = stream.write_all(bytes);
        Answer::read(&mut stream)
    }

    pub fn request(&self, method: &str, path: &str, fields: &str, body: &[u8]) -> Answer {
        self.raw(&self.message(method, path, fields, body))
    }

    pub fn message(&self, method: &str, path: &str, fields: &str, body: &[u8]) -> Vec<u8> {
        let (address, length) = (self.address, body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\
             {fields}\r\n"
        );
        [head.as_bytes(), body].concat()
    }

    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "", b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.request("POST", path, "Content-Type: application/json\r\n", body.to_string().as_bytes())
    }

    /// The text of an answer, which must be a success.
    pub fn text(&self, path: &str, body: &Value) -> String {
        self.post(path, body).text(200)
    }

    /// The value of a figure at `/metrics`.
    pub fn figure(&self, name: &str) -> f64 {
        let text = self.get("/metrics").text(200);
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} in {text}")).parse().unwrap()
    }

    /// Waits until a figure has a value.
    pub fn wait_for(&self, name: &str, value: f64) {
        let start = Instant::now();
        while self.figure(name) != value {
            assert!(start.elapsed() < Duration::from_secs(30), "{name} is {}", self.figure(name));
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Sends a request for a stream.
    pub fn stream(&self, path: &str, body: &Value) -> Answer {
        let fields = "Content-Type: application/json\r\nAccept: application/x-ndjson\r\n";
        self.request("POST", path, fields, body.to_string().as_bytes())
    }
}

impl Answer {
    /// Reads until the connection is closed.
    pub fn read(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no answer: {}", String::from_utf8_lossy(&bytes)));
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let body = &bytes[end + 4..];
        let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
        let body = if is_chunked { unchunked(body) } else { body.to_vec() };
        Answer { status, head: head.to_lowercase(), body }
    }

    pub fn text(&self, status: u16) -> String {
        let text = String::from_utf8(self.body.clone()).unwrap();
        assert_eq!(self.status, status, "{text}");
        text
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The code of an error.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap().to_owned()
    }

    pub fn field(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        let from = end + 2;
        if size == 0 || rest.len() < from + size {
            break;
        }
        body.extend_from_slice(&rest[from..from + size]);
        rest = &rest[(from + size + 2).min(rest.len())..];
    }
    body
}
