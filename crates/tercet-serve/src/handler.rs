//! From the bytes of a request to those of its answer.

use crate::answer::{HeldBody, warnings_field};
use crate::body;
use crate::counters::add;
use crate::error_response::ErrorResponse;
use crate::events::{EventBody, Line, Listener, WAITING, warning_line};
use crate::jobs::{Job, StopOnDrop};
use crate::request::{Endpoint, Request};
use crate::state::Server;
use axum::body::{Body, Bytes};
use axum::extract::{Request as HttpRequest, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;
use serde_json::json;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tercet::progress::{Event, Progress};
use tercet::report::Format;
use tercet::stop::Stop;
use tercet::warning::Warning;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use tokio::time::timeout;

/// The type of streams.
const LINES: &str = "application/x-ndjson";

/// Bytes of a result that are written to a stream at once.
const PIECE: usize = 64 << 10;

/// How the answer is asked for.
pub struct RequestContext<'a> {
    pub server: &'a Server,
    /// JSON lines instead of JSON.
    pub lines: bool,
    pub progress: Progress<'a>,
    pub listener: &'a Listener,
}

impl RequestContext<'_> {
    /// The format of the answer.
    pub fn format(&self) -> Format {
        if self.lines { Format::Jsonl } else { Format::Json }
    }

    /// A result as an object.
    pub fn object(&self, result: &impl Serialize) -> Answer {
        let object = serde_json::to_value(result).expect("results have names and values");
        Answer::new(if self.lines { format!("{object}\n") } else { format!("{object:#}\n") })
    }
}

/// A result.
#[derive(Default)]
pub struct Answer {
    /// JSON, or JSON lines.
    pub text: String,
    /// What readers should know about the texts and metrics.
    pub warnings: Vec<Warning>,
}

impl Answer {
    /// A result without warnings; those that the work reports are added.
    pub fn new(text: String) -> Self {
        Answer { text, warnings: Vec::new() }
    }
}

fn accepts_lines(headers: &HeaderMap) -> bool {
    headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).is_some_and(|text| text.contains(LINES))
}

/// Answers a request with JSON, or with a stream if it accepts one.
pub async fn work<J: Endpoint>(
    State(server): State<Arc<Server>>,
    request: HttpRequest,
) -> Result<Response, ErrorResponse> {
    let lines = J::STREAMS || accepts_lines(request.headers());
    let (mut request, mut held): (Request<J>, _) = body::receive(&server, request).await?;
    request.texts.check()?;
    server.hold_more(&mut held, request.job.bytes(&request.texts))?;
    request.job.check(&request.texts, &server)?;
    if lines { stream(server, request, held) } else { whole(server, request, held).await }
}

type Outcome = Result<Answer, ErrorResponse>;

/// The job of a request, and where its outcome comes from.
fn job<J: Endpoint>(
    server: Arc<Server>,
    request: Request<J>,
    held: OwnedSemaphorePermit,
    stop: Stop,
    events: Option<mpsc::Sender<Line>>,
) -> (Job, oneshot::Receiver<(Outcome, OwnedSemaphorePermit)>) {
    let (send, outcome) = oneshot::channel();
    let submitted = Instant::now();
    let lines = events.is_some();
    let of_work = stop.clone();
    let work = Box::new(move || {
        let limit = server.limits.time;
        let done = if submitted.elapsed() > limit {
            Err(ErrorResponse::out_of_time("this waited for its turn for", limit))
        } else {
            let deadline = Instant::now() + limit;
            let listener = Listener::new(of_work.clone(), deadline, events);
            let callback = |event: &Event<'_>| listener.hear(event);
            let progress = Progress::new(&callback);
            let context = RequestContext { server: &server, lines, progress, listener: &listener };
            run(&request, &context, &of_work.until(deadline))
        };
        let _ = send.send((done, held));
    });
    (Job { stop, work }, outcome)
}

/// Computes the answer, until it is stopped; a panic is a refusal.
fn run<J: Endpoint>(request: &Request<J>, context: &RequestContext<'_>, stop: &Stop) -> Outcome {
    let answer = || stop.watch(|| request.job.answer(&request.texts, context))?;
    match catch_unwind(AssertUnwindSafe(answer)) {
        Ok(Ok(mut answer)) => {
            answer.warnings.extend(context.listener.take_warnings());
            Ok(answer)
        }
        Ok(Err(error)) => {
            let limit = context.listener.is_late().then_some(context.server.limits.time);
            Err(ErrorResponse::from_error(&error, limit).without_folder(&context.server.files))
        }
        Err(_) => {
            add(&context.server.counters.panics, 1);
            Err(ErrorResponse::internal())
        }
    }
}

fn submit(server: &Server, job: Job) -> Result<(), ErrorResponse> {
    if server.is_stopping() {
        return Err(ErrorResponse::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", "the server is stopping"));
    }
    server.jobs.submit(job).map_err(|full| ErrorResponse::busy("too many requests are waiting", full.seconds))
}

/// Waits for the outcome of a job; a job that does not notice the end of its time is given up.
async fn outcome(
    limit: Duration,
    outcome: oneshot::Receiver<(Outcome, OwnedSemaphorePermit)>,
) -> Result<(Answer, OwnedSemaphorePermit), ErrorResponse> {
    match timeout(2 * limit + Duration::from_secs(1), outcome).await {
        Ok(Ok((done, held))) => done.map(|answer| (answer, held)),
        Ok(Err(_)) => Err(ErrorResponse::internal()),
        Err(_) => Err(ErrorResponse::out_of_time("computing this took", limit)),
    }
}

/// Counts a request whose future is dropped before it is done.
struct Unanswered(Option<Arc<Server>>);

impl Drop for Unanswered {
    fn drop(&mut self) {
        if let Some(server) = &self.0 {
            add(&server.counters.cancelled, 1);
        }
    }
}

async fn whole<J: Endpoint>(
    server: Arc<Server>,
    request: Request<J>,
    held: OwnedSemaphorePermit,
) -> Result<Response, ErrorResponse> {
    let waiting = StopOnDrop::default();
    let (job, receiver) = job(Arc::clone(&server), request, held, waiting.0.clone(), None);
    submit(&server, job)?;
    let mut unanswered = Unanswered(Some(Arc::clone(&server)));
    let done = outcome(server.limits.time, receiver).await;
    unanswered.0 = None;
    let (answer, held) = done?;
    let mut response = Response::new(Body::new(HeldBody::new(answer.text, held)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(warnings) = warnings_field(&answer.warnings) {
        headers.insert("tercet-warnings", warnings);
    }
    Ok(response)
}

fn stream<J: Endpoint>(
    server: Arc<Server>,
    request: Request<J>,
    held: OwnedSemaphorePermit,
) -> Result<Response, ErrorResponse> {
    let (send, events) = mpsc::channel(WAITING);
    let waiting = StopOnDrop::default();
    let (job, receiver) = job(Arc::clone(&server), request, held, waiting.0.clone(), Some(send.clone()));
    submit(&server, job)?;
    let body = EventBody::new(events, waiting, Arc::clone(&server));
    tokio::spawn(async move {
        let (last, held) = match outcome(server.limits.time, receiver).await {
            Ok((answer, held)) => (last_lines(&answer), Some(held)),
            Err(refusal) => (refusal.as_event(), None),
        };
        let mut rest = Bytes::from(last);
        while !rest.is_empty() {
            let piece = rest.split_to(rest.len().min(PIECE));
            let is_last = rest.is_empty();
            if send.send(Line::of_result(piece, is_last)).await.is_err() {
                add(&server.counters.cancelled, 1);
                break;
            }
        }
        drop(held);
    });
    let mut response = Response::new(Body::new(body));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(LINES));
    Ok(response)
}

fn last_lines(answer: &Answer) -> String {
    let warnings: String = answer.warnings.iter().map(warning_line).collect();
    format!("{warnings}{}{}\n", answer.text, json!({"event": "end"}))
}
