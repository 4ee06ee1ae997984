//! What all requests share.

use super::access::Access;
use super::counters::Counters;
use super::files::AllowedFiles;
use super::jobs::Jobs;
use super::limits::{Limits, SCORE_BYTES};
use super::refusal::Refusal;
use super::runs::Runs;
use axum::http::StatusCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes that a permit of the memory stands for.
const UNIT: usize = 1 << 10;

/// The server.
pub struct Server {
    pub access: Access,
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
    pub fn new(access: Access, limits: Limits, files: AllowedFiles, jobs: Jobs) -> Self {
        Server {
            access,
            limits,
            files,
            jobs,
            counters: Counters::default(),
            runs: Runs::default(),
            started: Instant::now(),
            held: Arc::new(Semaphore::new(limits.held.div_ceil(UNIT).min(Semaphore::MAX_PERMITS))),
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

    /// Reserves room for the bytes of a request, until the permit is dropped.
    pub fn hold(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Refusal> {
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        let held = Arc::clone(&self.held).try_acquire_many_owned(units);
        held.map_err(|_| Refusal::busy("the memory for requests is full", 1))
    }

    /// Reserves room for computing so many scores of segments.
    pub fn hold_scores(&self, scores: usize) -> Result<OwnedSemaphorePermit, Refusal> {
        let Limits { held, body, .. } = self.limits;
        let most = (held / 2).max(held.saturating_sub(body)) / SCORE_BYTES;
        if scores > most {
            let message = format!(
                "at most {most} scores of segments are computed at once, these are {scores} (translations times metrics): ask for \
                 fewer metrics or systems in a request, or start the server with a larger --max-held"
            );
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "too_much", message));
        }
        self.hold(scores * SCORE_BYTES)
    }
}
