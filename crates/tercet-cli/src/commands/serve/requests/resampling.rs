//! Tests and intervals in requests.

use crate::commands::serve::error_response::ErrorResponse;
use crate::commands::serve::limits::{self, at_most};
use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use std::fmt::{self, Formatter};
use tercet::scoring::Test;
use tercet::scoring::significance::Resampling;

/// A paired test, as the command spells it.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum TestName {
    Bs,
    Ar,
}

/// A correction for multiple comparisons.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Correction {
    Holm,
}

impl TestName {
    /// The test, and how many resamples or trials it has if no number is given.
    pub fn test(self) -> (Test, usize) {
        match self {
            TestName::Bs => (Test::Bootstrap, 1000),
            TestName::Ar => (Test::Randomisation, 10_000),
        }
    }
}

/// The seed, if none is given: sacreBLEU's.
pub fn default_seed() -> Option<u64> {
    Some(12345)
}

/// A seed: a number, or as for the command `"none"` for a random one, which `null` means, too.
pub fn seed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    deserializer.deserialize_any(SeedVisitor)
}

struct SeedVisitor;

impl Visitor<'_> for SeedVisitor {
    type Value = Option<u64>;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 0, \"none\" or null")
    }

    fn visit_u64<E: Error>(self, seed: u64) -> Result<Option<u64>, E> {
        Ok(Some(seed))
    }

    fn visit_unit<E: Error>(self) -> Result<Option<u64>, E> {
        Ok(None)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Option<u64>, E> {
        match text.eq_ignore_ascii_case("none") {
            true => Ok(None),
            false => Err(E::invalid_value(Unexpected::Str(text), &self)),
        }
    }
}

/// So many resamples, or the default number.
pub fn resampling(samples: Option<usize>, default: usize, seed: Option<u64>) -> Resampling {
    Resampling { samples: samples.unwrap_or(default), seed }
}

/// Returns an error if there are too many resamples, or none.
pub fn check(samples: Option<usize>) -> Result<(), ErrorResponse> {
    match samples {
        Some(0) => Err(ErrorResponse::unusable("resamples: expected at least 1")),
        samples => at_most("resamples", samples.unwrap_or_default(), limits::RESAMPLES),
    }
}
