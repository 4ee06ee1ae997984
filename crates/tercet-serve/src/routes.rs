//! Which address means what.

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
use axum::response::{IntoResponse, Response};
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

/// All routes.
pub fn router(server: &Arc<Server>) -> Router {
    let routes = Router::new()
        .route("/", get(page::html))
        .route("/page.css", get(page::css))
        .route("/page.js", get(page::js))
        .route("/metrics", get(figures))
        .route("/v1/health", get(health))
        .route("/v1/metrics", get(metrics))
        .route("/v1/openapi.json", get(openapi))
        .route("/v1/score", post(work::<ScoreJob>))
        .route("/v1/compare", post(work::<CompareJob>))
        .route("/v1/rank", post(work::<RankJob>))
        .route("/v1/check", post(work::<CheckJob>))
        .route("/v1/tokenize", post(work::<TokenizeJob>))
        .route("/v1/report", post(work::<ReportJob>))
        .route("/v1/runs", get(runs::list).delete(runs::forget))
        .route("/v1/runs/{id}", get(runs::data))
        .route("/v1/runs/{id}/report.html", get(runs::report));
    #[cfg(feature = "learned")]
    let routes = routes.route("/v1/parse", post(work::<tercet::parse::ParseJob>));
    routes
        .fallback(unknown)
        .method_not_allowed_fallback(other_method)
        .layer(from_fn_with_state(Arc::clone(server), answer))
        .with_state(Arc::clone(server))
}

/// Checks who asks, answers, adds headers, counts.
async fn answer(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let is_open = OPEN.contains(&request.uri().path());
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
    let size = response.body().size_hint().exact().unwrap_or_default();
    counters::add(&server.counters.sent, usize::try_from(size).unwrap_or_default());
    let route = route.as_deref().unwrap_or("other");
    server.counters.answered(route, response.status().as_u16(), start.elapsed());
    response
}

async fn unknown() -> ErrorResponse {
    let message = "not found: the endpoints are listed in /v1/openapi.json";
    ErrorResponse::new(StatusCode::NOT_FOUND, "unknown", message)
}

async fn other_method() -> ErrorResponse {
    let message = "method not allowed: the methods are listed in /v1/openapi.json";
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

async fn openapi() -> impl IntoResponse {
    as_json(OPENAPI.replace("{{version}}", env!("CARGO_PKG_VERSION")))
}

async fn figures(State(server): State<Arc<Server>>) -> impl IntoResponse {
    let text = server.counters.text(&server.jobs, server.started);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}

/// A JSON text with its type.
pub fn as_json(text: String) -> (HeaderMap, String) {
    let kind = HeaderValue::from_static("application/json");
    (HeaderMap::from_iter([(header::CONTENT_TYPE, kind)]), text)
}
