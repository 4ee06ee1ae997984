//! As much HTTP as a WebDriver on this machine needs: one request per connection, JSON both ways.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A page takes seconds at most, a screenshot of a long one too.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Sends a request to a port of this machine and returns the `value` of its answer.
pub fn request(port: u16, method: &str, path: &str, body: &Value) -> Result<Value> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).context("no WebDriver answers")?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    let body = if method == "POST" { body.to_string() } else { String::new() };
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    )?;
    let answer = read_answer(&mut stream).with_context(|| format!("no answer to {method} {path}"))?;
    let (head, body) = answer.split_once("\r\n\r\n").context("an answer without a body")?;
    let mut answer: Value = serde_json::from_str(body).with_context(|| format!("no JSON: {body:.200}"))?;
    let value = answer["value"].take();
    if !head.starts_with("HTTP/1.1 200") {
        bail!("{method} {path}: {}", value["message"].as_str().unwrap_or(head));
    }
    Ok(value)
}

/// Reads until the length that the head announces is there: the other side may keep the connection.
fn read_answer(stream: &mut TcpStream) -> Result<String> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = stream.read(&mut buffer)?;
        bytes.extend_from_slice(&buffer[..count]);
        if count == 0 || is_complete(&bytes) {
            return Ok(String::from_utf8(bytes)?);
        }
    }
}

fn is_complete(bytes: &[u8]) -> bool {
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    length.is_some_and(|length: usize| bytes.len() >= end + 4 + length)
}
