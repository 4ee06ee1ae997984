//! Requests that are wrong, each with the statuses that are right for it.
//!
//! A hundred slow senders run beside all others: they stop in the head or in the body, or send a byte every few
//! seconds. Bodies of 1 GB are declared and not sent in most cases; a few are sent in pieces without a declared length
//! until the server has had enough.

use super::texts::request;
use crate::random::Random;
use crate::server::{Client, Server, connect, read};
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Requests at the same time.
const CLIENTS: usize = 16;

/// Slow senders, which all send at the same time.
const SLOW: usize = 100;

/// Every so many requests a body of 1 GB is really sent: each takes a second or so.
const SENT: usize = 500;

/// What is sent, and what may be answered.
struct Case {
    name: &'static str,
    bytes: Vec<u8>,
    then: Then,
    statuses: &'static [u16],
}

/// What the client does after its bytes.
#[derive(Clone, Copy)]
enum Then {
    /// Waits for the answer.
    Wait,
    /// Says that it will send nothing more.
    Cut,
    /// Sends a byte every two seconds until it is answered.
    Dribble,
    /// Sends pieces of 1 MB until it is answered, at most 1 GB.
    Flood,
}

pub fn run(tercet: &Path, requests: usize) -> Result<Vec<String>> {
    let server = Server::start(tercet, &[])?;
    let (start, next) = (Instant::now(), AtomicUsize::new(0));
    let (counts, wrong) = (Mutex::new(BTreeMap::<(&str, u16), usize>::new()), Mutex::new(Vec::new()));
    let sent = |case: &Case, number: usize| match send(server.address, case) {
        Ok(status) => {
            *counts.lock().expect("no panic").entry((case.name, status)).or_default() += 1;
            if !case.statuses.contains(&status) {
                wrong.lock().expect("no panic").push(format!("{} {number}: status {status}", case.name));
            }
        }
        Err(error) => wrong.lock().expect("no panic").push(format!("{} {number}: {error:#}", case.name)),
    };
    std::thread::scope(|scope| {
        for number in 0..SLOW.min(requests) {
            let sent = &sent;
            scope.spawn(move || sent(&slow(number), number));
        }
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                loop {
                    let number = SLOW + next.fetch_add(1, Ordering::Relaxed);
                    if number >= requests {
                        break;
                    }
                    sent(&case(server.address, number), number);
                }
            });
        }
    });
    let (counts, wrong) = (counts.into_inner()?, wrong.into_inner()?);
    let answered: usize = counts.values().sum();
    println!("malformed: {requests} requests, {:.0} s", start.elapsed().as_secs_f64());
    for ((name, status), count) in &counts {
        println!("  {name:<34} {status}  {count}");
    }
    println!("  {answered} of {requests} answered, {} not as they should be", wrong.len());
    let mut missed: Vec<String> = wrong.into_iter().take(20).collect();
    let health = Client::new(server.address).get("/v1/health")?;
    if health.status != 200 {
        missed.push(format!("health has status {}", health.status));
    }
    println!("  the server is alive, with {:.0} MiB", server.memory()?);
    missed.extend(server.end()?);
    Ok(missed)
}

/// Sends a case and returns the status of its answer.
fn send(address: SocketAddr, case: &Case) -> Result<u16> {
    let mut stream = connect(address)?;
    // The server may answer and close before it has read everything.
    let _ = stream.write_all(&case.bytes);
    match case.then {
        Then::Wait => {}
        Then::Cut => _ = stream.shutdown(Shutdown::Write),
        Then::Dribble => send_until_answered(&mut stream, b" ", 100, Duration::from_secs(2))?,
        Then::Flood => {
            let piece = [b"100000\r\n", &[b' '; 1 << 20][..], b"\r\n"].concat();
            send_until_answered(&mut stream, &piece, 1000, Duration::from_millis(1))?;
        }
    }
    Ok(read(&mut BufReader::new(stream))?.0.status)
}

/// Sends a piece again and again, with pauses, until there is an answer to read.
fn send_until_answered(stream: &mut TcpStream, piece: &[u8], most: usize, pause: Duration) -> Result<()> {
    let usual = stream.read_timeout()?;
    stream.set_read_timeout(Some(pause))?;
    for _ in 0..most {
        if stream.write_all(piece).is_err() || stream.peek(&mut [0]).is_ok() {
            break;
        }
    }
    Ok(stream.set_read_timeout(usual)?)
}

/// Part of a head or of a body, and then nothing, or a byte now and then.
fn slow(number: usize) -> Case {
    let head = "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \
        9999\r\n\r\n{";
    let bytes = &head.as_bytes()[..if number.is_multiple_of(2) { head.len() } else { 1 + number % 60 }];
    let (name, then) = match number % 4 {
        0 => ("slow sender: a byte every 2 s", Then::Dribble),
        _ => ("slow sender: stops", Then::Wait),
    };
    Case { name, bytes: bytes.to_vec(), then, statuses: &[408] }
}

/// A body without a declared length.
fn flood(address: SocketAddr) -> Case {
    let fields = "Content-Type: application/json\r\nTransfer-Encoding: chunked";
    let bytes = format!("POST /v1/score HTTP/1.1\r\nHost: {address}\r\n{fields}\r\n\r\n").into_bytes();
    Case { name: "1 GB sent", bytes, then: Then::Flood, statuses: &[413] }
}

const KINDS: usize = 18;
const JSON: &str = "application/json";

fn case(address: SocketAddr, number: usize) -> Case {
    if number.is_multiple_of(SENT) {
        return flood(address);
    }
    let mut random = Random::new(11, number as u64);
    let segments = 1 + random.below(4);
    let mut good = request(&mut random, segments, &["bleu"]);
    let text = good.to_string();
    let bytes = text.as_bytes();
    let message = |method: &str, kind: &str, length: usize, fields: &str, body: &[u8]| -> Vec<u8> {
        let head = format!("{method} /v1/score HTTP/1.1\r\nHost: {address}\r\nContent-Type: {kind}");
        [format!("{head}\r\nContent-Length: {length}\r\n{fields}\r\n").as_bytes(), body].concat()
    };
    let post = |body: &[u8]| message("POST", JSON, body.len(), "", body);
    // The good request with another value of a key.
    let mut with = |key: &str, value: Value| {
        good[key] = value;
        post(good.to_string().as_bytes())
    };
    let cut = |bytes: Vec<u8>, at: usize| bytes[..at].to_vec();
    let (name, bytes, then, status): (_, _, _, &'static [u16]) = match number % KINDS {
        0 => {
            let whole = post(bytes);
            let at = whole.len() - text.len() + random.below(text.len());
            ("truncated body", cut(whole, at), Then::Cut, &[400])
        }
        1 => {
            let whole = post(bytes);
            let at = 1 + random.below(whole.len() - text.len() - 1);
            ("truncated head", cut(whole, at), Then::Cut, &[400])
        }
        2 => {
            let end = random.below(text.len());
            ("JSON that ends early", post(&bytes[..end]), Then::Wait, &[400])
        }
        3 => {
            let key = *random.choose(&["references", "systems", "metrics", "level", "confidence"]);
            let values = [json!(17), json!({"a": []}), json!([[[]]]), json!(1e300), json!([null])];
            ("wrong type", with(key, random.choose(&values).clone()), Then::Wait, &[400])
        }
        4 => {
            let body = vec![b' '; 1 << random.below(16)];
            ("1 GB declared", message("POST", JSON, 1_000_000_000, "", &body), Then::Wait, &[413])
        }
        5 => {
            let references = vec![vec!["a reference"; 1000]; segments];
            ("1,000 references", with("references", json!(references)), Then::Wait, &[413])
        }
        6 => {
            let mut bytes = bytes.to_vec();
            let at = random.below(bytes.len());
            bytes[at] = 0xff;
            ("invalid UTF-8", post(&bytes), Then::Wait, &[400])
        }
        7 => {
            let method = *random.choose(&["GET", "PUT", "DELETE", "PATCH", "BREW"]);
            ("wrong method", message(method, JSON, 0, "", b""), Then::Wait, &[405])
        }
        8 => {
            let mut bytes = bytes.to_vec();
            let at = random.below(bytes.len().min(12));
            bytes[at] = *random.choose(b"#@\x01\x7f");
            ("bad JSON", post(&bytes), Then::Wait, &[400])
        }
        9 => {
            let open = *random.choose(&["[", "{\"references\":", "[[{\"a\":"]);
            ("deep JSON", post(open.repeat(1 + random.below(20_000)).as_bytes()), Then::Wait, &[400])
        }
        10 => {
            let field = format!("X-Long: {}\r\n", "x".repeat(40_000 + random.below(100_000)));
            ("huge header", message("POST", JSON, text.len(), &field, bytes), Then::Wait, &[431])
        }
        11 => {
            let fields: String = (0..100).map(|i| format!("X-{i}: {i}\r\n")).collect();
            ("many headers", message("POST", JSON, text.len(), &fields, bytes), Then::Wait, &[431])
        }
        12 => {
            let kinds = ["text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"];
            let kind = *random.choose(&kinds);
            ("wrong type of content", message("POST", kind, text.len(), "", bytes), Then::Wait, &[415])
        }
        13 => {
            let metric = *random.choose(&["blue", "bleu:x=y", "siamese:model=/etc/passwd", ""]);
            ("unknown metric or file", with("metrics", json!([metric])), Then::Wait, &[422])
        }
        14 => {
            let hypotheses = vec!["x"; segments + 1 + random.below(5)];
            let systems = json!([{"name": "a", "hypotheses": hypotheses}]);
            ("numbers of lines differ", with("systems", systems), Then::Wait, &[422])
        }
        15 => {
            let noise: Vec<u8> = (0..1 + random.below(300)).map(|_| random.next() as u8).collect();
            ("random bytes", [b"\x16\x03", &noise[..], b"\r\n\r\n"].concat(), Then::Cut, &[400])
        }
        16 => {
            let host = *random.choose(&["example.org", "127.0.0.1.example.org", "localhost@example.org"]);
            let bytes = format!("GET /v1/metrics HTTP/1.1\r\nHost: {host}\r\n\r\n").into_bytes();
            ("another host", bytes, Then::Wait, &[421])
        }
        _ => {
            let long = vec!["x".repeat(100_001); segments];
            ("line too long", with("references", json!(long)), Then::Wait, &[413])
        }
    };
    Case { name, bytes, then, statuses: status }
}
