//! The HTTP service: the API under `/v1`, figures at `/metrics`, and a page for the browser at `/`.
//!
//! Connections are read and written by a few threads of tokio; jobs are computed in `jobs`, on a bounded number of
//! threads of their own. `connection.rs` has the limits on time, `access.rs` says who may ask, `limits.rs` how much,
//! `requests/` what. Results have the bytes that the command prints with `-f json` or `-f jsonl`: both are written by
//! `tercet::report`.
//!
//! ```no_run
//! use tercet_serve::{Service, Settings};
//!
//! let service = Service::bind(&Settings::default(), tercet::registry())?;
//! assert!(service.address().ip().is_loopback());
//! service.run(|_| {});
//! # Ok::<(), tercet_serve::Error>(())
//! ```

mod access;
mod access_log;
mod answer;
mod body;
mod connection;
mod counters;
mod error;
mod error_response;
mod events;
mod files;
mod handler;
mod jobs;
mod limits;
#[cfg(test)]
#[path = "../../tercet-base/messages/tests.rs"]
mod messages;
mod page;
mod request;
mod requests;
mod routes;
mod runs;
mod slow_reader;
mod state;
mod texts;

pub use error::Error;

use access::Access;
use access_log::AccessLog;
use files::AllowedFiles;
use jobs::Jobs;
use limits::Limits;
use state::Server;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tercet::metrics::Registry;
use tercet::scoring::embedded_metric;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

/// Threads that read and write connections.
const CONNECTION_THREADS: usize = 2;

/// Where a service listens, who may use it, and how much of the machine it takes.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address and port; port 0 is any free one.
    pub listen: SocketAddr,
    /// What clients must send; needed if other machines reach the address.
    pub token: Option<String>,
    /// Names by which clients reach the server through a proxy, besides those of this machine; with or without a port.
    pub hosts: Vec<String>,
    /// The path before all addresses, as `/tercet`, where a proxy keeps it; empty for none.
    pub base_path: String,
    /// The file that gets a line for each answer; `-` is standard error; none if not given.
    pub access_log: Option<PathBuf>,
    /// The folder whose files requests may name; none if not given.
    pub files: Option<PathBuf>,
    /// Requests that are computed at the same time; the number of cores, from 2 to 8, if not given.
    pub jobs: Option<usize>,
    /// Threads of each of them; all cores if not given.
    pub threads: Option<usize>,
    /// Requests that may wait for their turn.
    pub queue: usize,
    /// The longest time that a request is computed, and that it waits before.
    pub timeout: Duration,
    /// Maximum bytes of a request.
    pub max_body: usize,
    /// Maximum bytes of all requests that are held at the same time; at least that of one.
    pub max_held: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            listen: SocketAddr::from(([127, 0, 0, 1], 8377)),
            token: None,
            hosts: Vec::new(),
            base_path: String::new(),
            access_log: None,
            files: None,
            jobs: None,
            threads: None,
            queue: 256,
            timeout: Duration::from_secs(300),
            max_body: 32 << 20,
            max_held: 256 << 20,
        }
    }
}

/// A signal to the process: Ctrl-C, or SIGTERM.
#[derive(Clone, Copy, Debug)]
pub enum Signal {
    /// The first: requests that were accepted are finished, of which there are so many.
    Finish(usize),
    /// A further one, which asks to end at once.
    End,
}

/// A service that listens.
pub struct Service {
    server: Arc<Server>,
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
}

impl Service {
    /// Starts to listen.
    pub fn bind(settings: &Settings, registry: Registry) -> Result<Self, Error> {
        let access = Access::new(settings.listen, settings.token.clone(), &settings.hosts)?;
        let base_path = routes::base_path(&settings.base_path)?;
        let access_log = settings.access_log.as_deref().map(AccessLog::open).transpose()?;
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let (workers, threads) = (settings.jobs.unwrap_or(cores.clamp(2, 8)), settings.threads.unwrap_or(cores));
        let limits =
            Limits { time: settings.timeout, body: settings.max_body, held: settings.max_held.max(settings.max_body) };
        let jobs = Jobs::start(workers, threads, settings.queue)?;
        let files = AllowedFiles::new(settings.files.as_deref())?;
        files.restrict(&registry);
        let mut server = Server::new(registry, access, limits, files, jobs);
        (server.base_path, server.access_log) = (base_path, access_log);
        let server = Arc::new(server);
        let mut runtime = Builder::new_multi_thread();
        let runtime = runtime.worker_threads(CONNECTION_THREADS).enable_io().enable_time().build();
        let runtime = runtime.map_err(|source| Error::Threads { of: "connections", source: source.into() })?;
        let bound = runtime.block_on(TcpListener::bind(settings.listen));
        let bound = bound.and_then(|listener| listener.local_addr().map(|address| (listener, address)));
        let (listener, address) = bound.map_err(|source| Error::Listen { address: settings.listen, source })?;
        Ok(Service { server, runtime, listener, address })
    }

    /// The address, with the port that was free.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the page, without a slash at its end.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.server.base_path)
    }

    /// Serves until a signal; `hear` is told each one.
    pub fn run(self, hear: impl Fn(Signal) + Send + 'static) {
        let Service { server, runtime, listener, .. } = self;
        let (stop, stopped) = watch::channel(false);
        runtime.spawn(stop_on_signal(stop, Arc::clone(&server), hear));
        // The learned metric is read while nobody waits for it.
        let first = Arc::clone(&server);
        std::thread::spawn(move || embedded_metric(&first.registry).map(|metric| first.registry.build(metric)));
        runtime.block_on(connection::accept_all(listener, routes::router(&server), stopped));
        server.jobs.finish();
        if let Some(log) = &server.access_log {
            log.finish();
        }
    }
}

/// The first signal ends the service, when all requests are finished.
async fn stop_on_signal(stop: watch::Sender<bool>, server: Arc<Server>, hear: impl Fn(Signal)) {
    signal().await;
    server.stop();
    let (running, queued) = server.jobs.counts();
    hear(Signal::Finish(running + queued));
    let _ = stop.send(true);
    loop {
        signal().await;
        hear(Signal::End);
    }
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        },
        Err(_) => _ = tokio::signal::ctrl_c().await,
    }
}

#[cfg(not(unix))]
async fn signal() {
    let _ = tokio::signal::ctrl_c().await;
}
