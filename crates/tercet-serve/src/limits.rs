//! How much a request may ask for.

use crate::error_response::ErrorResponse;
use axum::http::{HeaderMap, StatusCode};
use std::time::Duration;

/// The limits that flags set.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest time that a request is computed, and that it waits for its turn.
    pub time: Duration,
    /// The most bytes of a request.
    pub body: usize,
    /// The most bytes of all requests that are held at the same time.
    pub held: usize,
}

/// Time for the head of a request, and for its body without a byte of it.
pub const HEAD_TIME: Duration = Duration::from_secs(10);

/// Time for a whole body.
pub const BODY_TIME: Duration = Duration::from_secs(60);

/// How long a client may take to read anything of an answer.
pub const READ_TIME: Duration = Duration::from_secs(60);

/// The most bytes of the head of a request.
pub const HEAD_BYTES: usize = 32 << 10;

/// The most fields in the head of a request.
pub const HEAD_FIELDS: usize = 64;

/// The most connections at the same time.
pub const CONNECTIONS: usize = 1024;

/// The most strings, lists and objects in a request: each takes memory beside its bytes.
pub const VALUES: usize = 2_000_000;

/// The most segments, lines to parse or to tokenize, and lists of candidates.
pub const SEGMENTS: usize = 100_000;

/// The most references of a segment.
pub const REFERENCES: usize = 64;

/// The most conditions of a gate.
pub const CONDITIONS: usize = 32;

/// The most characters of a condition, which names two systems.
pub const CONDITION_CHARACTERS: usize = 2_000;

/// The most systems.
pub const SYSTEMS: usize = 100;

/// The most candidates of a segment.
pub const CANDIDATES: usize = 1_000;

/// The most bytes of the candidates of a segment that are scored with each other: that cannot be stopped within a
/// segment, and takes time as the square of their number.
pub const COMPARED_BYTES: usize = 1 << 20;

/// The most bytes of a line.
pub const LINE_BYTES: usize = 100_000;

/// The most characters of the name of a system or of a metric with its options.
pub const NAME_CHARACTERS: usize = 500;

/// The most metrics.
pub const METRICS: usize = 32;

/// Bytes that a string, list or object of a request takes beside its text.
pub const VALUE_BYTES: usize = 48;

/// Bytes that a score of a segment takes while it is computed: what a metric counts in it, and its part of the answer.
pub const SCORE_BYTES: usize = 256;

/// The same with the components of the score of each segment.
pub const COMPONENTS_BYTES: usize = 3 << 10;

/// Bytes of explained words, in all their copies until they are sent, for a byte of text.
pub const EXPLAINED_BYTES: usize = 768;

/// Bytes of the vectors of candidates that are scored with each other, for a byte of text.
pub const VECTOR_BYTES: usize = 2 << 10;

/// The most bytes of a text among the settings: a name, a condition.
pub const SETTING_BYTES: usize = 16 << 10;

/// Bytes of tokens, in all their copies until they are sent, for a byte of text.
pub const TOKEN_BYTES: usize = 6;

/// The most resamples of tests and intervals.
pub const RESAMPLES: usize = 100_000;

/// Returns an error if there are more than `most`.
pub fn at_most(what: &str, found: usize, most: usize) -> Result<(), ErrorResponse> {
    if found <= most {
        return Ok(());
    }
    let message = format!("at most {most} {what} are accepted, found {found}");
    Err(ErrorResponse::new(StatusCode::PAYLOAD_TOO_LARGE, "too_much", message))
}

/// Returns an error if the fields of a head are too long; hyper itself only stops reading heads of about twice as many
/// bytes.
pub fn check_head(headers: &HeaderMap) -> Result<(), ErrorResponse> {
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if bytes <= HEAD_BYTES {
        return Ok(());
    }
    let message = format!("the head of a request may have at most {HEAD_BYTES} bytes");
    Err(ErrorResponse::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "large_head", message))
}
