//! Answers to requests that are not fulfilled: a status, and `{"error": {"code": …, "message": …}}`.

use crate::files::AllowedFiles;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::error::Error as _;
use std::time::Duration;
use tercet::ErrorKind;

/// Why a request is not fulfilled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorResponse {
    status: StatusCode,
    code: &'static str,
    message: String,
    retry_after: Option<u64>,
}

impl ErrorResponse {
    /// `code` is a word for programs, `message` a sentence for people.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        ErrorResponse { status, code, message: message.into(), retry_after: None }
    }

    /// The request is understood, but what it asks for cannot be done.
    pub fn unusable(message: impl Into<String>) -> Self {
        ErrorResponse::new(StatusCode::UNPROCESSABLE_ENTITY, "unusable", message)
    }

    /// Too much work is waiting.
    pub fn busy(what: &str, seconds: u64) -> Self {
        let message = format!("{what}: try again in {seconds} s");
        ErrorResponse {
            retry_after: Some(seconds),
            ..ErrorResponse::new(StatusCode::TOO_MANY_REQUESTS, "busy", message)
        }
    }

    /// The time for a request is over.
    pub fn out_of_time(what: &str, limit: Duration) -> Self {
        let message = format!("{what} more than {} s, the limit of this server", limit.as_secs());
        ErrorResponse {
            retry_after: Some(limit.as_secs()),
            ..ErrorResponse::new(StatusCode::SERVICE_UNAVAILABLE, "time_limit", message)
        }
    }

    /// A mistake of ours.
    pub fn internal() -> Self {
        let message = "internal error; the server is still running";
        ErrorResponse::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    /// What an error of the work means for the client; `limit` is the time it had, if that is over.
    pub fn from_error(error: &tercet::Error, limit: Option<Duration>) -> Self {
        match (error.kind() == ErrorKind::Stopped, limit) {
            (true, Some(limit)) => ErrorResponse::out_of_time("computing this took", limit),
            (true, None) => ErrorResponse::new(StatusCode::SERVICE_UNAVAILABLE, "stopped", "stopped"),
            _ => {
                let (mut message, mut cause) = (error.to_string(), error.source());
                while let Some(error) = cause {
                    message += &format!(": {error}");
                    cause = error.source();
                }
                ErrorResponse::unusable(message)
            }
        }
    }

    /// The same without the folder of the server's files.
    pub fn without_folder(mut self, files: &AllowedFiles) -> Self {
        files.without_folder(&mut self.message);
        self
    }

    /// The status of the answer.
    #[cfg(test)]
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The reason as the last line of a stream.
    pub fn as_event(&self) -> String {
        format!("{}\n", json!({"event": "error", "code": self.code, "message": self.message}))
    }
}

impl From<tercet::Error> for ErrorResponse {
    fn from(error: tercet::Error) -> Self {
        ErrorResponse::from_error(&error, None)
    }
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let body = json!({"error": {"code": self.code, "message": self.message}});
        let mut response = (self.status, format!("{body:#}\n")).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
