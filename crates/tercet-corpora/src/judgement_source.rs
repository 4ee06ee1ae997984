//! One language pair of one set, found but not yet read.
//!
//! A folder may hold many pairs and megabytes of text. Only the pairs that are needed are read.

use super::judgements::Judgements;
use super::plain_text::{Lines, read_lines};
use crate::error::Result;
use std::fmt;
use std::path::Path;

/// The judgements of one language pair of one set, not yet read.
pub struct JudgementSource {
    /// The set: the name of its folder or file.
    pub set: String,
    /// The language pair as in `cs-en`; empty if the files do not say.
    pub pair: String,
    read: Box<dyn Fn() -> Result<Judgements> + Send + Sync>,
}

impl JudgementSource {
    /// A source that is read by calling `read`.
    pub(super) fn new(
        set: impl Into<String>,
        pair: impl Into<String>,
        read: impl Fn() -> Result<Judgements> + Send + Sync + 'static,
    ) -> JudgementSource {
        JudgementSource { set: set.into(), pair: pair.into(), read: Box::new(read) }
    }

    /// The same judgements as part of another set.
    pub(super) fn named(self, set: &str) -> JudgementSource {
        JudgementSource { set: set.to_owned(), ..self }
    }

    /// A source that reads the lines of a file.
    pub(super) fn from_file(
        set: impl Into<String>,
        pair: impl Into<String>,
        path: &Path,
        parse: impl Fn(&Lines) -> Result<Judgements> + Send + Sync + 'static,
    ) -> JudgementSource {
        let path = path.to_owned();
        JudgementSource::new(set, pair, move || parse(&read_lines(&path)?))
    }

    /// Reads the judgements; their set and pair are those of this source.
    pub fn read(&self) -> Result<Judgements> {
        let mut judgements = (self.read)()?;
        judgements.set.clone_from(&self.set);
        judgements.pair.clone_from(&self.pair);
        Ok(judgements)
    }
}

impl fmt::Debug for JudgementSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JudgementSource").field("set", &self.set).field("pair", &self.pair).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgements_have_the_set_and_pair_of_their_source() {
        let source = JudgementSource::new("wmt12-rr", "cs-en", || Ok(Judgements::default()));
        let judgements = source.read().unwrap();
        assert_eq!((judgements.set.as_str(), judgements.pair.as_str()), ("wmt12-rr", "cs-en"));
        assert_eq!(format!("{source:?}"), r#"JudgementSource { set: "wmt12-rr", pair: "cs-en", .. }"#);
    }
}
