//! `tercet serve`: the API under `/v1`, figures at `/metrics`, and a page for the browser at `/`.
//!
//! Connections are read and written by a few threads of tokio; metrics are computed by [`jobs`], on a bounded number of
//! threads of their own. `connection.rs` has the limits on time, `access.rs` says who may ask, `limits.rs` how much,
//! `requests/` what.
//!
//! Answers have the bytes that the command prints with `-f json` or `-f jsonl`: both are written by `tercet::report`.

mod access;
mod answer;
mod body;
mod connection;
mod counters;
mod error_response;
mod events;
mod files;
mod handler;
mod jobs;
mod limits;
mod page;
mod requests;
mod routes;
mod runs;
mod slow_reader;
mod state;

use crate::args::ServeArgs;
use crate::output::{self, Misuse};
use crate::registry;
use access::Access;
use anyhow::Context;
use files::AllowedFiles;
use jobs::Jobs;
use limits::Limits;
use state::Server;
use std::sync::Arc;
use std::time::Duration;
use tercet::scoring::embedded_metric;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::watch;

/// Threads that read and write connections.
const CONNECTION_THREADS: usize = 2;

/// Serves until it is stopped.
pub fn run(args: &ServeArgs) -> anyhow::Result<()> {
    args.work.reading.set();
    let server = Arc::new(server(args)?);
    let mut runtime = Builder::new_multi_thread();
    let runtime = runtime.worker_threads(CONNECTION_THREADS).enable_io().enable_time().build();
    let runtime = runtime.context("cannot start the threads of connections")?;
    runtime.block_on(serve(args, Arc::clone(&server)))?;
    server.jobs.finish();
    Ok(())
}

fn server(args: &ServeArgs) -> anyhow::Result<Server> {
    let is_loopback = args.listen.ip().is_loopback();
    let token = access::token(args.token_file.as_deref())?;
    if !is_loopback && token.is_none() {
        let address = args.listen;
        return Err(Misuse(format!(
            "--listen {address} can be reached from other machines, so it needs a token: name a file with \
             --token-file, or set \
             TERCET_TOKEN"
        ))
        .into());
    }
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let workers = args.jobs.map_or(cores.clamp(2, 8), usize::from);
    let threads = args.work.threads.map_or(cores, usize::from);
    let limits = Limits {
        time: Duration::from_secs(args.timeout),
        body: usize::try_from(args.max_body).context("--max-body is too large")?,
        held: usize::try_from(args.max_held.max(args.max_body)).context("--max-held is too large")?,
    };
    let jobs = Jobs::start(workers, threads, args.queue)?;
    let files = AllowedFiles::new(args.allow_files.as_deref())?;
    Ok(Server::new(Access { token, is_loopback }, limits, files, jobs))
}

async fn serve(args: &ServeArgs, server: Arc<Server>) -> anyhow::Result<()> {
    let listener = TcpListener::bind(args.listen).await;
    let listener = listener.with_context(|| format!("cannot listen on {}", args.listen))?;
    let address = listener.local_addr().context("cannot tell the address")?;
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(stop_on_signal(stop, Arc::clone(&server)));
    // The learned metric is read while nobody waits for it.
    std::thread::spawn(|| embedded_metric(registry()).map(|metric| registry().build(metric)));
    output::print(&format!("http://{address}/\n"))?;
    connection::accept_all(listener, routes::router(&server), stopped).await;
    Ok(())
}

/// The first signal asks to stop, the second one ends the process.
async fn stop_on_signal(stop: watch::Sender<bool>, server: Arc<Server>) {
    signal().await;
    server.stop();
    let (running, queued) = server.jobs.counts();
    output::note(format_args!(
        "stopping; unfinished requests: {} (press Ctrl-C again to stop at once)",
        running + queued
    ));
    let _ = stop.send(true);
    signal().await;
    #[allow(clippy::exit)]
    std::process::exit(i32::from(output::STOPPED))
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
