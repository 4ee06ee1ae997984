//! What all requests share.

use crate::access::Access;
use crate::access_log::AccessLog;
use crate::counters::Counters;
use crate::error_response::ErrorResponse;
use crate::files::AllowedFiles;
use crate::jobs::Jobs;
use crate::limits::Limits;
use crate::runs::Runs;
use axum::http::StatusCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tercet::metrics::Registry;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes that a permit of the memory stands for.
const UNIT: usize = 1 << 10;

/// The server.
pub struct Server {
    pub registry: Registry,
    pub access: Access,
    /// The path before all addresses; empty for none.
    pub base_path: String,
    pub access_log: Option<AccessLog>,
    pub limits: Limits,
    pub files: AllowedFiles,
    pub jobs: Jobs,
    pub counters: Counters,
    pub runs: Runs,
    pub started: Instant,
    held: Arc<Semaphore>,
    is_stopping: AtomicBool,
}

impl Server {
    pub fn new(registry: Registry, access: Access, limits: Limits, files: AllowedFiles, jobs: Jobs) -> Self {
        Server {
            registry,
            access,
            base_path: String::new(),
            access_log: None,
            limits,
            files,
            jobs,
            counters: Counters::default(),
            runs: Runs::default(),
            started: Instant::now(),
            held: Arc::new(Semaphore::new(units(limits.held).min(Semaphore::MAX_PERMITS))),
            is_stopping: AtomicBool::new(false),
        }
    }

    /// No new requests are accepted from now on.
    pub fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    /// Whether no new requests are accepted.
    pub fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }

    /// Reserves room for the bytes of a request, until the permit is dropped. Requests that nobody waits for make room.
    pub fn hold(&self, bytes: usize) -> Result<OwnedSemaphorePermit, ErrorResponse> {
        let units = u32::try_from(units(bytes)).unwrap_or(u32::MAX);
        let hold = || Arc::clone(&self.held).try_acquire_many_owned(units);
        let held = hold().or_else(|_| {
            self.jobs.drop_unwanted();
            hold()
        });
        held.map_err(|_| ErrorResponse::busy("the memory for requests is full", 1))
    }

    /// How many bytes are reserved for requests, in whole units.
    pub fn held_bytes(&self) -> usize {
        (units(self.limits.held).min(Semaphore::MAX_PERMITS) - self.held.available_permits()) * UNIT
    }

    /// Reserves room for more bytes of a request. An error says whether they would never fit, or do not fit now.
    pub fn hold_more(&self, held: &mut OwnedSemaphorePermit, bytes: usize) -> Result<(), ErrorResponse> {
        let (needed, most) = (held.num_permits() + units(bytes), units(self.limits.held));
        if needed > most {
            let message = format!(
                "this request needs about {needed} KB of memory with its scores and its answer, this server has {most} \
                 KB for all requests: ask for fewer lines, systems or metrics at once, or start the server with a \
                 larger --max-held"
            );
            return Err(ErrorResponse::new(StatusCode::PAYLOAD_TOO_LARGE, "too_much", message));
        }
        held.merge(self.hold(bytes)?);
        Ok(())
    }

    /// Reserves more room, until it is enough for so many bytes.
    pub fn hold_in_all(&self, held: &mut OwnedSemaphorePermit, bytes: usize) -> Result<(), ErrorResponse> {
        self.hold_more(held, units(bytes).saturating_sub(held.num_permits()) * UNIT)
    }
}

/// Gives back what is reserved beyond so many bytes.
pub fn hold_only(held: &mut OwnedSemaphorePermit, bytes: usize) {
    drop(held.split(held.num_permits().saturating_sub(units(bytes))));
}

fn units(bytes: usize) -> usize {
    bytes.div_ceil(UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::{Job, StopOnDrop};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    fn server(held: usize) -> Server {
        let access = Access { token: None, is_loopback: true, hosts: Vec::new() };
        let limits = Limits { time: Duration::from_secs(1), body: held, held };
        let (files, jobs) = (AllowedFiles::new(None).unwrap(), Jobs::start(1, 1, 9).unwrap());
        Server::new(tercet::registry(), access, limits, files, jobs)
    }

    #[test]
    fn what_can_never_fit_is_too_much_and_what_does_not_fit_now_is_busy() {
        let server = server(10 << 10);
        let mut one = server.hold(6 << 10).unwrap();
        let status = |refused: Result<(), ErrorResponse>| refused.unwrap_err().status();
        assert_eq!(status(server.hold_more(&mut one, 5 << 10)), StatusCode::PAYLOAD_TOO_LARGE);
        let two = server.hold(2 << 10).unwrap();
        assert_eq!(status(server.hold_more(&mut one, 4 << 10)), StatusCode::TOO_MANY_REQUESTS);
        drop(two);
        assert_eq!(server.hold_more(&mut one, 4 << 10), Ok(()));
        assert!(server.hold(1).is_err());
        hold_only(&mut one, 3 << 10);
        assert_eq!(one.num_permits(), 3);
        assert!(server.hold(7 << 10).is_ok());
    }

    #[test]
    fn requests_that_nobody_waits_for_do_not_keep_their_memory() {
        let server = server(10 << 10);
        let ((started, has_started), (open, gate)) = (channel(), channel::<()>());
        let job = |work: Box<dyn FnOnce() + Send>| {
            let waiting = StopOnDrop::default();
            server.jobs.submit(Job { stop: waiting.0.clone(), work }).unwrap();
            waiting
        };
        let _running = job(Box::new(move || {
            started.send(()).unwrap();
            gate.recv().unwrap();
        }));
        has_started.recv().unwrap();
        let held = server.hold(10 << 10).unwrap();
        let waiting = job(Box::new(move || drop(held)));
        assert!(server.hold(1).is_err());
        drop(waiting);
        assert!(server.hold(10 << 10).is_ok());
        open.send(()).unwrap();
        server.jobs.finish();
    }
}
