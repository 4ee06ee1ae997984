//! The sets that metrics are tested on, and how metrics were compared with people there.

use crate::fingerprint::fingerprint;
use std::path::Path;
use tercet::corpora::{Judgements, find_judgements};
use tercet::meta_evaluation::TauDefinition;
use tercet::{Error, Result};

tercet::choices! {
    /// A set that metrics are tested on.
    pub enum TestSet: "test set" {
        Wmt12 = "wmt12",
        Wmt14 = "wmt14",
        Wmt15 = "wmt15",
    }
}

tercet::choices! {
    /// A part of the report.
    pub enum TableName: "table" {
        Wmt12 = "wmt12",
        Wmt14 = "wmt14",
        Wmt15 = "wmt15",
        /// What the parts of the metric contribute; ours.
        Ablation = "ablation",
    }
}

impl TableName {
    /// The set whose systems and segments it is about; `None` for the ablation.
    pub(super) fn test(self) -> Option<TestSet> {
        self.name().parse().ok()
    }
}

impl TestSet {
    /// All of them.
    pub(super) const ALL: [TestSet; 3] = [TestSet::Wmt12, TestSet::Wmt14, TestSet::Wmt15];

    /// As papers have it.
    pub(super) fn title(self) -> String {
        self.name().to_uppercase()
    }

    /// Its folder.
    pub(super) fn folder(self) -> String {
        format!("{}-rr", self.name())
    }

    /// Its language pairs, in the order of the papers' columns.
    pub(super) fn pairs(self) -> &'static [&'static str] {
        match self {
            TestSet::Wmt12 => &["cs-en", "de-en", "es-en", "fr-en"],
            TestSet::Wmt14 => &["cs-en", "de-en", "fr-en", "hi-en", "ru-en"],
            TestSet::Wmt15 => &["fr-en", "fi-en", "de-en", "cs-en", "ru-en"],
        }
    }

    /// The τ of its year.
    pub(super) fn tau(self) -> TauDefinition {
        if self == TestSet::Wmt12 { TauDefinition::Wmt12 } else { TauDefinition::Wmt14 }
    }
}

/// One language pair of a test set.
pub(super) struct TestPair {
    pub(super) pair: &'static str,
    pub(super) judgements: Judgements,
    /// The hash of all that its files hold.
    pub(super) fingerprint: String,
}

/// Reads the language pairs of a set.
pub(super) fn read(data: &Path, set: TestSet) -> Result<Vec<TestPair>> {
    let path = data.join(set.folder());
    let sources = find_judgements(&path)?;
    let read = |pair: &&'static str| {
        let source = sources
            .iter()
            .find(|source| source.pair == *pair)
            .ok_or_else(|| Error::Unusable(format!("{} has no judgements for {pair}", path.display())))?;
        let judgements = source.read()?;
        let fingerprint = fingerprint(&judgements);
        Ok(TestPair { pair, judgements, fingerprint })
    };
    set.pairs().iter().map(read).collect()
}
