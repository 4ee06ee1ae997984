//! Flags of `tercet serve`.

use super::WorkArgs;
use super::reading::size;
use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Shown under the long help.
pub const EXAMPLES: &str = "\
The address is printed when the server is ready. Ctrl-C or SIGTERM ends it: what was accepted is finished, new requests
are refused; a second one ends it at once.

Without --listen only programs and browsers on this machine can reach it. Any other address needs a token, which clients
send as `Authorization: Bearer TOKEN`.

/v1/openapi.json describes the API, /metrics has figures for Prometheus.

Examples:
  tercet serve
  tercet serve --listen 127.0.0.1:0                              any free port
  tercet serve --listen 0.0.0.0:8377 --token-file token.txt      for other machines
  tercet serve --allow-host mt.example.org --base-path /tercet   behind a proxy
  tercet serve --allow-files models --jobs 4 --queue 64";

/// `tercet serve`.
#[derive(Args)]
pub struct ServeArgs {
    /// Address and port; port 0 is any free one
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8377", value_parser = address)]
    pub listen: SocketAddr,

    /// File whose first line is the token that clients must send [default: the environment variable TERCET_TOKEN, if
    /// set]
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,

    /// Also answer under this name, as that of a proxy before the server; repeated for more [default: this machine's
    /// names]
    #[arg(long, value_name = "NAME[:PORT]")]
    pub allow_host: Vec<String>,

    /// The path before all addresses, as /tercet, if a proxy passes it on
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true)]
    pub base_path: String,

    /// Add a line of JSON to this file for each answer; - is standard error
    #[arg(long, value_name = "FILE")]
    pub access_log: Option<PathBuf>,

    /// Let requests name model and data files in this folder, as in siamese:model=FILE [default: no files]
    #[arg(long, value_name = "DIR")]
    pub allow_files: Option<PathBuf>,

    /// Requests that are computed at the same time [default: the number of cores, from 2 to 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,

    /// Requests that may wait for their turn; more are refused with status 429
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub queue: usize,

    /// Most seconds that a request is computed, and most that it waits before
    #[arg(long, value_name = "SECONDS", default_value_t = 300,
        value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: u64,

    /// Most bytes of a request, as 500K or 32M
    #[arg(long, value_name = "SIZE", default_value = "32M", value_parser = size)]
    pub max_body: u64,

    /// Most bytes of all requests that are held at the same time, as 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = size)]
    pub max_held: u64,

    #[command(flatten)]
    pub work: WorkArgs,
}

/// An IP address and a port, or `localhost` and a port.
fn address(text: &str) -> Result<SocketAddr, String> {
    let plain = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    plain.as_deref().unwrap_or(text).parse().map_err(|_| {
        "expected an IP address and a port, as in 127.0.0.1:8377 or [::1]:8377, or localhost:8377".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_port() {
        assert!(address("localhost:80").unwrap().ip().is_loopback());
        assert!(address("[::1]:80").is_ok());
        for text in ["127.0.0.1", "localhost", "example.org:80", ":80", ""] {
            assert!(address(text).is_err(), "{text}");
        }
    }
}
