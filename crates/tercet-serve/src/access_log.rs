//! A line for each answer: when, from where, what was asked for, how it was answered. Never a text, a token or a query.
//!
//! Lines are written by a thread of their own. A file that takes none (a full disk, a pipe that nobody reads) does not
//! hold up answers: lines that do not fit into the queue are counted as lost.

use crate::error::Error;
use serde_json::json;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::net::IpAddr;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

/// Lines that may wait to be written.
const MAX_WAITING: usize = 4096;

/// The longest path of a line, in characters.
const MAX_PATH_LENGTH: usize = 200;

/// An answer.
pub struct Answered<'a> {
    /// Who asked.
    pub client: Option<IpAddr>,
    pub method: &'a str,
    pub path: &'a str,
    pub status: u16,
    /// The size of the answer; that of a stream is not known.
    pub bytes: Option<u64>,
    /// From the head of the request to the head of the answer.
    pub time: Duration,
}

/// Where the lines go.
pub struct AccessLog {
    lost: Arc<AtomicU64>,
    writer: Mutex<Option<(SyncSender<String>, JoinHandle<()>)>>,
}

impl AccessLog {
    /// Lines are added at the end of the file; `-` is standard error.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let failed = |source| Error::AccessLog { path: path.to_owned(), source };
        let to: Box<dyn Write + Send> = match path == Path::new("-") {
            true => Box::new(io::stderr()),
            false => Box::new(OpenOptions::new().create(true).append(true).open(path).map_err(failed)?),
        };
        let (lines, waiting) = sync_channel(MAX_WAITING);
        let lost = Arc::new(AtomicU64::new(0));
        let lost_by_writer = Arc::clone(&lost);
        let writer = std::thread::Builder::new().name("access log".to_owned());
        let writer = writer.spawn(move || write_all(to, &waiting, &lost_by_writer)).map_err(failed)?;
        Ok(AccessLog { lost, writer: Mutex::new(Some((lines, writer))) })
    }

    /// Writes a line for an answer.
    pub fn write(&self, answered: &Answered<'_>) {
        let line = line(answered, SystemTime::now());
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.as_ref().is_none_or(|(lines, _)| lines.try_send(line).is_err()) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Lines that could not be written.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Waits until what waits is written.
    pub fn finish(&self) {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((lines, writer)) = writer {
            drop(lines);
            let _ = writer.join();
        }
    }
}

fn write_all(mut to: Box<dyn Write + Send>, waiting: &Receiver<String>, lost: &AtomicU64) {
    for line in waiting {
        if to.write_all(line.as_bytes()).is_err() {
            lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn line(answered: &Answered<'_>, now: SystemTime) -> String {
    let Answered { client, method, path, status, bytes, time } = answered;
    let path: String = path.chars().take(MAX_PATH_LENGTH).collect();
    let object = json!({
        "time": timestamp(now),
        "client": client.map(|client| client.to_string()),
        "method": method,
        "path": path,
        "status": status,
        "bytes": bytes,
        "seconds": (time.as_secs_f64() * 1e6).round() / 1e6,
    });
    format!("{object}\n")
}

/// A time as RFC 3339 has it, in UTC, to the millisecond.
fn timestamp(time: SystemTime) -> String {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    // Years that begin in March, so that the day of a leap year is the last; 400 of them have 146,097 days, and the
    // first began 719,468 days before 1970.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..10 => (era * 400 + year, month + 3),
        _ => (era * 400 + year + 1, month - 9),
    };
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", since.subsec_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00.250Z"),
            (951_782_399, "2000-02-28T23:59:59.250Z"),
            (951_782_400, "2000-02-29T00:00:00.250Z"),
            (951_868_800, "2000-03-01T00:00:00.250Z"),
            (1_735_689_599, "2024-12-31T23:59:59.250Z"),
            (4_107_542_400, "2100-03-01T00:00:00.250Z"),
        ] {
            let time = SystemTime::UNIX_EPOCH + Duration::from_millis(seconds * 1000 + 250);
            assert_eq!(timestamp(time), expected);
        }
    }

    #[test]
    fn lines_that_cannot_be_written_are_counted() {
        let full = Path::new("/dev/full");
        if !full.exists() {
            return;
        }
        let log = AccessLog::open(full).unwrap();
        let time = Duration::from_millis(5);
        let answered = Answered { client: None, method: "GET", path: "/", status: 200, bytes: Some(1), time };
        log.write(&answered);
        log.finish();
        log.write(&answered);
        assert_eq!(log.lost(), 2);
    }
}
