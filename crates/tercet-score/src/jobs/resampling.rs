//! Resamples, trials and their seed.

use crate::Test;
use crate::error::{Error, Result};
use crate::significance::Resampling;
use serde::de::{Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// The seed, if none is given: sacreBLEU's.
pub const SEED: u64 = 12345;

/// The resamples of intervals and of the paired bootstrap, if no number is given.
pub const RESAMPLES: usize = 1_000;

/// The trials of approximate randomisation, if no number is given.
pub const TRIALS: usize = 10_000;

/// The maximum number of resamples or trials.
pub const MAX_RESAMPLES: usize = 10_000_000;

tercet_base::choices! {
    /// A correction of p-values for the number of tests.
    pub enum Correction: "correction" {
        /// Holm (1979).
        Holm = "holm",
    }
}

/// A seed; `None`, written `none`, is a random one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub Option<u64>);

impl Default for Seed {
    fn default() -> Self {
        Seed(Some(SEED))
    }
}

impl Display for Seed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(seed) => write!(f, "{seed}"),
            None => f.write_str("none"),
        }
    }
}

impl FromStr for Seed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("none") {
            return Ok(Seed(None));
        }
        let expected = "expected none or a whole number below 2^64";
        text.parse().map(|seed| Seed(Some(seed))).map_err(|_| format!("{expected}, found {text}"))
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(seed) => serializer.serialize_u64(seed),
            None => serializer.serialize_str("none"),
        }
    }
}

impl<'de> Deserialize<'de> for Seed {
    /// From a number, `"none"` or null.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SeedVisitor)
    }
}

struct SeedVisitor;

impl Visitor<'_> for SeedVisitor {
    type Value = Seed;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 0, \"none\" or null")
    }

    fn visit_u64<E: serde::de::Error>(self, seed: u64) -> Result<Seed, E> {
        Ok(Seed(Some(seed)))
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Seed, E> {
        Ok(Seed(None))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Seed, E> {
        text.parse()
            .ok()
            .filter(|seed| *seed == Seed(None))
            .ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

impl Seed {
    /// So many resamples with this seed, or the usual number.
    pub(crate) fn resampling(self, resamples: Option<usize>, usual: usize) -> Resampling {
        Resampling { samples: resamples.unwrap_or(usual), seed: self.0 }
    }
}

impl Test {
    /// The resamples or trials, if no number is given.
    pub(crate) fn usual_resamples(self) -> usize {
        match self {
            Test::Bootstrap => RESAMPLES,
            Test::Randomisation => TRIALS,
        }
    }
}

/// Returns an error if there are too many resamples, or none.
pub(super) fn check(resamples: Option<usize>) -> Result<()> {
    match resamples {
        Some(found) if !(1..=MAX_RESAMPLES).contains(&found) => {
            Err(Error::out_of_range("resamples", format!("a whole number from 1 to {MAX_RESAMPLES}"), found))
        }
        _ => Ok(()),
    }
}
