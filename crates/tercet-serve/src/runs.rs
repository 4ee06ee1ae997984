//! Reports of this process that are kept: the last ones, in memory.

use crate::answer::HeldBody;
use crate::error_response::ErrorResponse;
use crate::routes::as_json;
use crate::state::Server;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use tercet::report::html::page_with_data;

/// The most runs that are kept.
const MAX_RUNS: usize = 50;

/// The most bytes of all that are kept.
pub const MAX_BYTES: usize = 64 << 20;

/// The runs that are kept, the latest last.
#[derive(Default)]
pub struct Runs {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    last_id: u64,
    runs: VecDeque<Run>,
}

struct Run {
    id: u64,
    seconds: u64,
    /// What a list says of it.
    summary: Value,
    /// The data of its report.
    data: Arc<str>,
}

impl Runs {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a report and returns its number; the oldest ones are given up for it. `None` if it is larger than all that
    /// may be kept.
    pub fn keep(&self, summary: Value, data: &str) -> Option<u64> {
        if data.len() > MAX_BYTES {
            return None;
        }
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let mut kept = self.lock();
        kept.last_id += 1;
        let id = kept.last_id;
        kept.runs.push_back(Run { id, seconds, summary, data: Arc::from(data) });
        let bytes = |kept: &Kept| kept.runs.iter().map(|run| run.data.len()).sum::<usize>();
        while kept.runs.len() > MAX_RUNS || bytes(&kept) > MAX_BYTES {
            kept.runs.pop_front();
        }
        Some(id)
    }

    /// The data of a run by its number.
    fn find(&self, id: &str) -> Result<Arc<str>, ErrorResponse> {
        let kept = self.lock();
        let found = kept.runs.iter().find(|run| run.id.to_string() == id).map(|run| Arc::clone(&run.data));
        found.ok_or_else(|| ErrorResponse::new(StatusCode::NOT_FOUND, "no_run", "this run is not kept, or no longer"))
    }
}

/// The runs, the latest first.
pub async fn list(State(server): State<Arc<Server>>) -> impl IntoResponse {
    let kept = server.runs.lock();
    let run = |run: &Run| {
        let mut object = json!({"id": run.id, "time": run.seconds});
        if let (Value::Object(object), Value::Object(summary)) = (&mut object, &run.summary) {
            object.extend(summary.clone());
        }
        object
    };
    as_json(format!("{:#}\n", kept.runs.iter().rev().map(run).collect::<Value>()))
}

/// Gives up all runs.
pub async fn forget(State(server): State<Arc<Server>>) -> StatusCode {
    server.runs.lock().runs.clear();
    StatusCode::NO_CONTENT
}

/// The data of a report.
pub async fn data(State(server): State<Arc<Server>>, id: Path<String>) -> Result<impl IntoResponse, ErrorResponse> {
    let body = copied(&server, &server.runs.find(&id.0)?, str::to_owned)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], body))
}

/// A copy of the data of a report, or a page with it, whose memory is that of a request until it is sent.
fn copied(server: &Server, data: &str, write: impl Fn(&str) -> String) -> Result<Body, ErrorResponse> {
    let held = server.hold(data.len().min(server.limits.held))?;
    Ok(Body::new(HeldBody::new(write(data), held)))
}

/// A report as a file.
pub async fn report(State(server): State<Arc<Server>>, id: Path<String>) -> Result<impl IntoResponse, ErrorResponse> {
    let data = server.runs.find(&id.0)?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"tercet-{}.html\"", id.0)),
    ];
    Ok((headers, copied(&server, &data, |data| page_with_data("tercet: a report", data))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_runs_are_given_up() {
        let runs = Runs::default();
        (0..=MAX_RUNS).for_each(|_| _ = runs.keep(json!({}), "data"));
        assert!(runs.find("1").is_err());
        assert_eq!(&*runs.find("2").unwrap(), "data");
        let last = runs.keep(json!({}), &"x".repeat(MAX_BYTES - 5)).unwrap();
        let is_kept = |id: u64| runs.find(&id.to_string()).is_ok();
        assert!(!is_kept(last - 2) && is_kept(last - 1) && is_kept(last));
        assert_eq!(runs.keep(json!({}), &"x".repeat(MAX_BYTES + 1)), None);
        assert!(is_kept(last - 1) && is_kept(last), "a report that is too large takes no place");
    }
}
