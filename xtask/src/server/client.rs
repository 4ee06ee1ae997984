//! A client that keeps its connection.

use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// One client.
pub struct Client {
    address: SocketAddr,
    stream: Option<BufReader<TcpStream>>,
}

/// The answer to a request.
pub struct Answer {
    pub status: u16,
    pub retry_after: Option<u64>,
    pub body: Vec<u8>,
}

impl Client {
    pub fn new(address: SocketAddr) -> Self {
        Client { address, stream: None }
    }

    pub fn get(&mut self, path: &str) -> Result<Answer> {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        self.send(head.as_bytes())
    }

    pub fn post(&mut self, path: &str, body: &str) -> Result<Answer> {
        let (address, length) = (self.address, body.len());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: \
             {length}\r\n\r\n"
        );
        self.send(format!("{head}{body}").as_bytes())
    }

    fn send(&mut self, request: &[u8]) -> Result<Answer> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => BufReader::new(connect(self.address)?),
        };
        stream.get_mut().write_all(request).context("cannot send")?;
        let (answer, is_kept) = read(&mut stream)?;
        self.stream = is_kept.then_some(stream);
        Ok(answer)
    }
}

pub fn connect(address: SocketAddr) -> Result<TcpStream> {
    let stream = TcpStream::connect(address).context("cannot connect")?;
    stream.set_read_timeout(Some(Duration::from_secs(120)))?;
    stream.set_write_timeout(Some(Duration::from_secs(30)))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Reads an answer, and whether the connection is kept.
pub fn read(stream: &mut BufReader<TcpStream>) -> Result<(Answer, bool)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).context("cannot read the head")? == 0 {
            bail!("the connection ended in the head: {head:?}");
        }
    }
    let head = head.to_lowercase();
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).context("no status")?;
    let length: usize = field("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).context("cannot read the body")?;
    let retry_after = field("retry-after").and_then(|seconds| seconds.parse().ok());
    Ok((Answer { status, retry_after, body }, field("connection") != Some("close")))
}
