//! Why a service cannot start.

use crate::access::MIN_TOKEN_LENGTH;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why a service cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Other machines reach the address, and there is no token.
    #[error("{address} can be reached from other machines, so it needs a token")]
    NoToken {
        /// The address.
        address: SocketAddr,
    },
    /// The token is too short, or has other signs.
    #[error(
        "a token has at least {MIN_TOKEN_LENGTH} letters, digits or signs and no spaces, as of `openssl rand -hex 32`"
    )]
    BadToken,
    /// The folder of files cannot be read.
    #[error("cannot read the folder {}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A name that clients may use is none.
    #[error("`{name}` is no name of a host: expected one as mt.example.org, or with its port, mt.example.org:8443")]
    BadHost {
        /// The name.
        name: String,
    },
    /// The path before all addresses is none.
    #[error("`{path}` is no path of a site: expected one as /tercet")]
    BadBasePath {
        /// The path.
        path: String,
    },
    /// The access log cannot be written.
    #[error("cannot write the access log {}", .path.display())]
    AccessLog {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// Threads cannot be started.
    #[error("cannot start the threads of {of} (fewer may work: --jobs 1 --threads 1)")]
    Threads {
        /// What they are for.
        of: &'static str,
        /// What the system said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The address cannot be used.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        #[source]
        source: io::Error,
    },
}
