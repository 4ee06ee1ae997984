//! Progress of a job: what streams tell, and when it must stop.
//!
//! A stream has one JSON object per line. Those with `event` are about the work: `stage` (`name`, `total`, `unit`),
//! `progress` (`done`, `total`), `warning` (`text`), at the end `end`, or `error` (`code`, `message`). All others are
//! results.

use crate::counters::add;
use crate::jobs::StopOnDrop;
use crate::state::Server;
use axum::body::Bytes;
use serde_json::json;
use std::ops::ControlFlow;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tercet::progress::Event;
use tercet::report::warning_object;
use tercet::stop::Stop;
use tercet::warning::Warning;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// Minimum time between two `progress` events.
const PAUSE: Duration = Duration::from_millis(100);

/// Lines that wait for a slow reader before further events are left out, and their bytes.
pub const WAITING: usize = 256;
const WAITING_BYTES: usize = 16 << 20;

/// A line of a stream, or a piece of its last lines.
pub struct Line {
    bytes: Bytes,
    is_last: bool,
    /// The room of an event among those that wait.
    _room: Option<OwnedSemaphorePermit>,
}

impl Line {
    /// A piece of the last lines; the stream ends with the last piece.
    pub fn of_result(bytes: Bytes, is_last: bool) -> Self {
        Line { bytes, is_last, _room: None }
    }
}

/// A warning as a line of a stream: its kind and fields, and the sentence.
pub fn warning_line(warning: &Warning) -> String {
    let mut line = serde_json::Map::from_iter([("event".to_owned(), json!("warning"))]);
    if let serde_json::Value::Object(warning) = warning_object(warning) {
        line.extend(warning);
    }
    format!("{}\n", serde_json::Value::Object(line))
}

/// Hears the progress of a job.
pub struct Listener {
    stop: Stop,
    deadline: Instant,
    events: Option<mpsc::Sender<Line>>,
    room: Arc<Semaphore>,
    stage: Mutex<Stage>,
    /// Warnings of the work, which stand before the result.
    warnings: Mutex<Vec<Warning>>,
}

struct Stage {
    done: u64,
    total: Option<u64>,
    last: Instant,
}

impl Listener {
    /// `events` is where a stream is read from.
    pub fn new(stop: Stop, deadline: Instant, events: Option<mpsc::Sender<Line>>) -> Self {
        let stage = Mutex::new(Stage { done: 0, total: None, last: Instant::now() });
        let room = Arc::new(Semaphore::new(WAITING_BYTES));
        Listener { stop, deadline, events, room, stage, warnings: Mutex::default() }
    }

    /// Whether the time of the job is over.
    pub fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Tells the stream, and says whether to go on.
    pub fn hear(&self, event: &Event<'_>) -> ControlFlow<()> {
        // Nothing follows the line that says that the time is over.
        if self.stop.is_set() || self.is_late() {
            return ControlFlow::Break(());
        }
        match event {
            Event::Warning(warning) => lock(&self.warnings).push((*warning).clone()),
            _ if self.events.is_some() => self.tell(event),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// The warnings of the work.
    pub fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut lock(&self.warnings))
    }

    /// Adds a line to the stream; left out if its reader is too slow.
    pub fn send(&self, line: String) {
        let length = u32::try_from(line.len()).unwrap_or(u32::MAX);
        let room = Arc::clone(&self.room).try_acquire_many_owned(length);
        if let (Some(events), Ok(room)) = (&self.events, room) {
            let _ = events.try_send(Line { bytes: Bytes::from(line), is_last: false, _room: Some(room) });
        }
    }

    fn tell(&self, event: &Event<'_>) {
        let object = match *event {
            Event::Stage { name, total, unit } => {
                let mut stage = lock(&self.stage);
                (stage.done, stage.total) = (0, total);
                json!({"event": "stage", "name": name, "total": total, "unit": unit})
            }
            Event::Advance(count) => {
                let mut stage = lock(&self.stage);
                stage.done += count;
                if count == 0 || stage.last.elapsed() < PAUSE {
                    return;
                }
                stage.last = Instant::now();
                json!({"event": "progress", "done": stage.done, "total": stage.total})
            }
            _ => return,
        };
        self.send(format!("{object}\n"));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The body of a stream.
pub struct EventBody {
    lines: mpsc::Receiver<Line>,
    is_over: bool,
    /// The job stops when the body is dropped.
    _waiting: StopOnDrop,
    /// What counts the bytes.
    server: Arc<Server>,
}

impl EventBody {
    /// The lines that come from a channel, who waits for them, and what counts their bytes.
    pub fn new(lines: mpsc::Receiver<Line>, waiting: StopOnDrop, server: Arc<Server>) -> Self {
        EventBody { lines, is_over: false, _waiting: waiting, server }
    }
}

impl axum::body::HttpBody for EventBody {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    /// The last line ends the body, even if a job that does not notice the end of its time goes on.
    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<hyper::body::Frame<Bytes>, Self::Error>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let next = std::task::ready!(self.lines.poll_recv(context));
        self.is_over = next.as_ref().is_none_or(|line| line.is_last);
        add(&self.server.counters.sent, next.as_ref().map_or(0, |line| line.bytes.len()));
        Poll::Ready(next.map(|line| Ok(hyper::body::Frame::data(line.bytes))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_response::ErrorResponse;
    use crate::messages::{check_wording, errors, warnings};

    #[test]
    fn the_wording_of_the_service_is_that_of_the_snapshot() {
        let warnings = warnings().iter().map(warning_line).collect::<String>();
        let errors = errors().into_iter().map(|error| ErrorResponse::from(error).as_event());
        check_wording("service.txt", &(warnings + &errors.collect::<String>()));
    }

    #[test]
    fn events_that_a_slow_reader_has_not_read_take_bounded_memory() {
        let (send, mut lines) = mpsc::channel(WAITING);
        let listener = Listener::new(Stop::default(), Instant::now(), Some(send));
        let long = "x".repeat(WAITING_BYTES / 2);
        (0..5).for_each(|_| listener.send(long.clone()));
        assert_eq!(lines.len(), 2);
        drop(lines.try_recv());
        listener.send(long);
        assert_eq!(lines.len(), 2);
    }
}
