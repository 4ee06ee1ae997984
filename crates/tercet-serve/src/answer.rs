//! Parts of answers: the body, and the field with warnings.

use axum::body::{Bytes, HttpBody};
use axum::http::HeaderValue;
use hyper::body::{Frame, SizeHint};
use serde_json::json;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use tercet::warning::Warning;
use tokio::sync::OwnedSemaphorePermit;

/// A whole answer; the room of its request is free when it is sent.
pub struct HeldBody {
    text: Option<Bytes>,
    _held: OwnedSemaphorePermit,
}

impl HeldBody {
    /// `held` is dropped with the body.
    pub fn new(text: String, held: OwnedSemaphorePermit) -> Self {
        HeldBody { text: Some(Bytes::from(text)), _held: held }
    }
}

impl HttpBody for HeldBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Poll::Ready(self.text.take().map(|text| Ok(Frame::data(text))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.text.as_ref().map_or(0, |text| text.len() as u64))
    }

    fn is_end_stream(&self) -> bool {
        self.text.is_none()
    }
}

/// The warnings as a JSON list in letters of ASCII; those that are too long for a header are left out.
pub fn warnings_field(all: &[Warning]) -> Option<HeaderValue> {
    const MAX_BYTES: usize = 4 << 10;
    let ascii = |warning: &Warning| {
        let mut units = [0; 2];
        json!(warning.to_string()).to_string().chars().fold(String::new(), |line, c| {
            match c.is_ascii() && !c.is_control() {
                true => line + c.encode_utf8(&mut [0; 4]),
                false => c.encode_utf16(&mut units).iter().fold(line, |line, unit| line + &format!("\\u{unit:04x}")),
            }
        })
    };
    let mut list = String::new();
    for warning in all.iter().map(ascii) {
        if list.len() + warning.len() < MAX_BYTES {
            list += &format!("{}{warning}", if list.is_empty() { "" } else { ", " });
        }
    }
    if list.is_empty() { None } else { HeaderValue::from_str(&format!("[{list}]")).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_a_json_list_in_ascii() {
        let warning = |&system: &&str| Warning::SameAsReference { system: system.to_owned() };
        let field = |all: &[&str]| warnings_field(&all.iter().map(warning).collect::<Vec<_>>());
        let given = ["a \"b\"", "ü\n😀"];
        let written = field(&given).unwrap();
        let text = written.to_str().unwrap();
        assert!(text.is_ascii());
        let sentences: Vec<String> = given.iter().map(|system| warning(system).to_string()).collect();
        assert_eq!(serde_json::from_str::<Vec<String>>(text).unwrap(), sentences);
        assert_eq!(field(&[]), None);
        assert_eq!(field(&[&"x".repeat(5000), "short"]), field(&["short"]));
    }
}
