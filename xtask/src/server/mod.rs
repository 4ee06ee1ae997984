//! `tercet serve` as a child process, and requests to it.

mod client;

pub use client::{Client, connect, read};

use anyhow::{Context, Result};
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

/// A server on a free port of this machine.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
    messages: Option<JoinHandle<String>>,
}

impl Server {
    pub fn start(tercet: &Path, flags: &[&str]) -> Result<Self> {
        let mut command = Command::new(tercet);
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(flags);
        command.env_remove("TERCET_TOKEN").stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot start {}", tercet.display()))?;
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().context("no output")?).read_line(&mut line)?;
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/');
        let address = address.parse().with_context(|| format!("no address: {line}"))?;
        let mut stderr = child.stderr.take().context("no messages")?;
        let messages = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            text
        });
        Ok(Server { child, address, messages: Some(messages) })
    }

    /// A figure of `/metrics`.
    pub fn figure(&self, name: &str) -> Result<f64> {
        let text = String::from_utf8(Client::new(self.address).get("/metrics")?.body)?;
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        Ok(value.with_context(|| format!("no figure {name}"))?.parse()?)
    }

    /// The memory of the server in MiB.
    pub fn memory(&self) -> Result<f64> {
        Ok(self.figure("process_resident_memory_bytes")? / f64::from(1 << 20))
    }

    /// What is wrong after everything: a server that has ended, panics.
    pub fn end(mut self) -> Result<Vec<String>> {
        let mut missed = Vec::new();
        if self.child.try_wait()?.is_some() {
            missed.push("the server has ended".to_owned());
        } else if self.figure("tercet_panics_total")? > 0.0 {
            missed.push("a request panicked".to_owned());
        }
        self.child.kill()?;
        self.child.wait()?;
        let messages = self.messages.take().map(|reader| reader.join().unwrap_or_default()).unwrap_or_default();
        if messages.contains("panicked") {
            missed.push(format!("the server printed: {messages}"));
        }
        Ok(missed)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
