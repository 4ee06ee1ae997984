//! Which address means what.

use crate::access_log::{AccessLog, Answered};
use crate::connection::Client;
use crate::error::Error;
use crate::error_response::ErrorResponse;
use crate::handler::work;
use crate::limits::check_head;
use crate::page;
use crate::requests::ReportJob;
use crate::state::Server;
use crate::{counters, runs};
use axum::Router;
use axum::body::HttpBody;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;
use tercet::metrics::TokenizeJob;
use tercet::report::write_metric_list;
use tercet::scoring::{CheckJob, CompareJob, RankJob, ScoreJob};

/// The description of the API.
const OPENAPI: &str = include_str!("openapi.json");

/// Headers of all answers.
const HEADERS: [(HeaderName, &str); 8] = [
    (header::CONTENT_SECURITY_POLICY, page::POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// What can be had without a token: the page, which has no data, and whether the server is there.
const OPEN: [&str; 4] = ["/", "/page.css", "/page.js", "/v1/health"];

/// The path before all addresses, without a slash at its end. Returns an error if it cannot be one.
pub fn base_path(given: &str) -> Result<String, Error> {
    let path = given.trim_end_matches('/');
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
    let is_part = |part: &str| !part.is_empty() && part != "." && part != ".." && part.chars().all(is_letter);
    match path.strip_prefix('/') {
        None if path.is_empty() => Ok(String::new()),
        Some(parts) if parts.split('/').all(is_part) => Ok(path.to_owned()),
        _ => Err(Error::BadBasePath { path: given.to_owned() }),
    }
}

/// All routes.
pub fn router(server: &Arc<Server>) -> Router {
    #[cfg_attr(not(feature = "learned"), allow(unused_mut))]
    let mut all = vec![
        ("/", get(page::html)),
        ("/page.css", get(page::css)),
        ("/page.js", get(page::js)),
        ("/metrics", get(figures)),
        ("/v1/health", get(health)),
        ("/v1/metrics", get(metrics)),
        ("/v1/openapi.json", get(openapi)),
        ("/v1/score", post(work::<ScoreJob>)),
        ("/v1/compare", post(work::<CompareJob>)),
        ("/v1/rank", post(work::<RankJob>)),
        ("/v1/check", post(work::<CheckJob>)),
        ("/v1/tokenize", post(work::<TokenizeJob>)),
        ("/v1/report", post(work::<ReportJob>)),
        ("/v1/runs", get(runs::list).delete(runs::forget)),
        ("/v1/runs/{id}", get(runs::data)),
        ("/v1/runs/{id}/report.html", get(runs::report)),
    ];
    #[cfg(feature = "learned")]
    all.push(("/v1/parse", post(work::<tercet::parse::ParseJob>)));
    let base = &server.base_path;
    let mut routes = Router::new();
    if !base.is_empty() {
        // Addresses of the page are relative to it, so its own must end in a slash.
        let page = format!("{base}/");
        routes = routes.route(base, get(|| async move { Redirect::permanent(&page) }));
    }
    for (path, answer) in all {
        routes = routes.route(&format!("{base}{path}"), answer);
    }
    routes
        .fallback(unknown)
        .method_not_allowed_fallback(other_method)
        .layer(from_fn_with_state(Arc::clone(server), answer))
        .with_state(Arc::clone(server))
}

/// Checks who asks, answers, adds headers, counts.
async fn answer(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let below_base = |path: &str| path.strip_prefix(&*server.base_path).unwrap_or(path).to_owned();
    let route = request.extensions().get::<MatchedPath>().map(|path| below_base(path.as_str()));
    let is_open = OPEN.contains(&&*below_base(request.uri().path()));
    let client = request.extensions().get().map(|Client(address)| *address);
    let asked = server.access_log.as_ref().map(|log| (log, request.method().clone(), request.uri().path().to_owned()));
    let is_allowed = check_head(request.headers()).and_then(|()| server.access.check(request.headers(), is_open));
    let mut response = match is_allowed {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    if response.status() == StatusCode::TOO_MANY_REQUESTS {
        counters::add(&server.counters.rejected, 1);
    }
    // A stream has no size before it ends: it counts its own bytes.
    let bytes = response.body().size_hint().exact();
    counters::add(&server.counters.sent, usize::try_from(bytes.unwrap_or_default()).unwrap_or_default());
    let (status, time) = (response.status().as_u16(), start.elapsed());
    server.counters.answered(route.as_deref().unwrap_or("other"), status, time);
    if let Some((log, method, path)) = asked {
        log.write(&Answered { client, method: method.as_str(), path: &path, status, bytes, time });
    }
    response
}

async fn unknown(State(server): State<Arc<Server>>) -> ErrorResponse {
    let message = format!("not found: the endpoints are listed in {}/v1/openapi.json", server.base_path);
    ErrorResponse::new(StatusCode::NOT_FOUND, "unknown", message)
}

async fn other_method(State(server): State<Arc<Server>>) -> ErrorResponse {
    let message = format!("method not allowed: the methods are listed in {}/v1/openapi.json", server.base_path);
    ErrorResponse::new(StatusCode::METHOD_NOT_ALLOWED, "other_method", message)
}

async fn health(State(server): State<Arc<Server>>) -> Response {
    let (running, queued) = server.jobs.counts();
    let is_stopping = server.is_stopping();
    let object = json!({
        "status": if is_stopping { "stopping" } else { "ok" },
        "version": env!("CARGO_PKG_VERSION"),
        "uptime_seconds": server.started.elapsed().as_secs(),
        "running": running,
        "queued": queued,
    });
    let status = if is_stopping { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
    (status, as_json(format!("{object:#}\n"))).into_response()
}

async fn metrics(State(server): State<Arc<Server>>) -> impl IntoResponse {
    as_json(write_metric_list(server.registry.metrics()))
}

async fn openapi(State(server): State<Arc<Server>>) -> impl IntoResponse {
    let description = OPENAPI.replace("{{version}}", env!("CARGO_PKG_VERSION"));
    as_json(description.replace("{{base_path}}", if server.base_path.is_empty() { "/" } else { &server.base_path }))
}

async fn figures(State(server): State<Arc<Server>>) -> impl IntoResponse {
    let lost_lines = server.access_log.as_ref().map_or(0, AccessLog::lost);
    let text = server.counters.text(&server.jobs, server.held_bytes(), server.started, lost_lines);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}

/// A JSON text with its type.
pub fn as_json(text: String) -> (HeaderMap, String) {
    let kind = HeaderValue::from_static("application/json");
    (HeaderMap::from_iter([(header::CONTENT_TYPE, kind)]), text)
}
