//! The body of a request: its type, its size, the time it takes, and what it says.

use crate::counters::add;
use crate::error_response::ErrorResponse;
use crate::limits::{BODY_TIME, HEAD_TIME, VALUE_BYTES, VALUES, at_most};
use crate::state::{Server, hold_only};
use axum::body::HttpBody;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;
use std::future::poll_fn;
use std::pin::Pin;
use tercet::text::shortened;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{timeout, timeout_at};

/// The most bytes by which the room for a body grows at once.
const MAX_GROWTH: usize = 4 << 20;

/// The most characters of a message about a body that is not as expected: it may quote what was found.
const MESSAGE_CHARACTERS: usize = 500;

/// Larger bodies are parsed where they do not hold up other connections.
const MIN_LARGE: usize = 64 << 10;

/// Reads and parses the body; the room that is reserved for it is free when the permit is dropped.
pub async fn receive<T: DeserializeOwned>(
    server: &Server,
    request: Request,
) -> Result<(T, OwnedSemaphorePermit), ErrorResponse> {
    check_type(request.headers())?;
    let (body, mut held) = read(server, request).await?;
    let mut parse = || parse(server, &body, &mut held);
    let parsed = if body.len() > MIN_LARGE { tokio::task::block_in_place(parse) } else { parse() };
    Ok((parsed?, held))
}

fn check_type(headers: &HeaderMap) -> Result<(), ErrorResponse> {
    let unsupported = |code, message: &str| ErrorResponse::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, code, message);
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = given.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        let message = "the body must be JSON: send `Content-Type: application/json`";
        return Err(unsupported("not_json", message));
    }
    match headers.get_all(header::CONTENT_ENCODING).iter().all(|encoding| encoding == "identity") {
        true => Ok(()),
        false => Err(unsupported("packed", "the body must not be packed: leave out `Content-Encoding`")),
    }
}

/// Reads the body, with room for it reserved.
async fn read(server: &Server, request: Request) -> Result<(Vec<u8>, OwnedSemaphorePermit), ErrorResponse> {
    let mut body = request.into_body();
    let most = server.limits.body;
    let too_large = || {
        let message = format!("a request may have at most {most} bytes");
        ErrorResponse::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    };
    let declared = body.size_hint().upper().map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    if declared.is_some_and(|bytes| bytes > most) {
        return Err(too_large());
    }
    // What is only announced takes no room: a client may never send it.
    let mut held = server.hold(0)?;
    let end = tokio::time::Instant::now() + BODY_TIME;
    let mut bytes = Vec::new();
    loop {
        let frame = timeout(HEAD_TIME, poll_fn(|context| Pin::new(&mut body).poll_frame(context)));
        let frame = timeout_at(end, frame).await.map_err(|_| slow())?.map_err(|_| slow())?;
        let Some(frame) = frame else { break };
        let frame = frame.map_err(|_| {
            ErrorResponse::new(
                StatusCode::BAD_REQUEST,
                "incomplete",
                "the body ends too early, or its pieces are not well-formed",
            )
        })?;
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > most {
            return Err(too_large());
        }
        let needed = bytes.len() + data.len();
        if needed > bytes.capacity() {
            // Beyond what is needed, at most what was announced, or may come.
            let grown = bytes.capacity() + bytes.capacity().min(MAX_GROWTH);
            let room = grown.min(declared.unwrap_or(most)).max(needed);
            server.hold_in_all(&mut held, room)?;
            bytes.reserve_exact(room - bytes.len());
        }
        bytes.extend_from_slice(&data);
    }
    hold_only(&mut held, bytes.capacity());
    add(&server.counters.received, bytes.len());
    Ok((bytes, held))
}

fn slow() -> ErrorResponse {
    let message = "the body was sent too slowly";
    ErrorResponse::new(StatusCode::REQUEST_TIMEOUT, "slow", message)
}

/// What the body says; room for what it takes beside its bytes is reserved too.
fn parse<T: DeserializeOwned>(
    server: &Server,
    body: &[u8],
    held: &mut OwnedSemaphorePermit,
) -> Result<T, ErrorResponse> {
    let text = std::str::from_utf8(body).map_err(|error| {
        let message = format!("the body is not valid UTF-8 at byte {}", error.valid_up_to() + 1);
        ErrorResponse::new(StatusCode::BAD_REQUEST, "not_utf8", message)
    })?;
    let values = text.bytes().filter(|byte| matches!(byte, b'"' | b'[' | b'{')).count();
    at_most("strings, lists and objects", values / 2, VALUES)?;
    server.hold_more(held, values / 2 * VALUE_BYTES)?;
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = in_words_of_json(&shortened(&message, MESSAGE_CHARACTERS));
        ErrorResponse::new(StatusCode::BAD_REQUEST, "bad_json", format!("the body is not as expected: {message}"))
    })
}

/// The message of the parser, which calls types as Rust does.
fn in_words_of_json(message: &str) -> String {
    const NAMES: [(&str, &str); 7] = [
        ("expected usize", "expected a whole number from 0"),
        ("expected u64", "expected a whole number from 0"),
        ("expected a sequence", "expected a list"),
        ("expected a map", "expected an object"),
        ("invalid type: sequence", "invalid type: list"),
        ("invalid type: map", "invalid type: object"),
        ("unknown variant", "unknown value"),
    ];
    let named = NAMES.iter().fold(message.to_owned(), |text, (rust, json)| text.replace(rust, json));
    match named.split_once("expected struct ") {
        Some((before, after)) => {
            let after = after.trim_start_matches(|c: char| c.is_alphanumeric());
            format!("{before}expected an object{after}")
        }
        None => named,
    }
}
