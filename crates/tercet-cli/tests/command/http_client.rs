//! `tercet serve` as a child process.

#[path = "../../../tercet-serve/tests/service/http_client.rs"]
mod client;

use super::test_dir::TestDir;
pub use client::{Answer, Client};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::ops::Deref;
use std::process::{Child, Command, Stdio};

/// A server on a free port. It is killed at the end of the test.
pub struct TestServer {
    pub child: Child,
    client: Client,
}

impl TestServer {
    /// Starts a server in a folder with these further flags.
    pub fn start(dir: &TestDir, flags: &[&str]) -> Self {
        Self::start_on("127.0.0.1:0", dir, flags)
    }

    pub fn start_on(listen: &str, dir: &TestDir, flags: &[&str]) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("tercet"));
        command.args(["serve", "--listen", listen]).args(flags);
        Self::run(command, dir)
    }

    /// The same under a limit of the shell: `-n 40`.
    #[cfg(target_os = "linux")]
    pub fn start_limited(limit: &str, dir: &TestDir, flags: &[&str]) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit {limit}; exec \"$0\" serve --listen 127.0.0.1:0 \"$@\"")]);
        command.arg(assert_cmd::cargo::cargo_bin("tercet")).args(flags);
        Self::run(command, dir)
    }

    fn run(mut command: Command, dir: &TestDir) -> Self {
        command.current_dir(dir.path("."));
        command.env_remove("TERCET_TOKEN").stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        let mut address: SocketAddr = address.unwrap_or_else(|| panic!("{line}")).parse().unwrap();
        if address.ip().is_unspecified() {
            address.set_ip([127, 0, 0, 1].into());
        }
        TestServer { child, client: Client { address } }
    }
}

impl Deref for TestServer {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
