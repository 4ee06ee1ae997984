//! Scores from rankings as a use case.

use super::{DerivationSettings, DerivedScores, PairsReading, derive_scores};
use crate::corpora::{JudgementSource, Judgements, find_judgements, select_judgements};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::warning::{Done, ThinThreshold, Warning};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Below this number of comparisons, τ says little about a threshold.
const MIN_COMPARISONS: usize = 30;

/// Derives scores of translations from rankings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DeriveScoresJob {
    /// Folders or files of rankings.
    pub judgements: Vec<PathBuf>,
    /// Only these language pairs; if empty, all.
    pub pairs: Vec<String>,
    /// Sets to add that have scores from 1 to 5, as SICK.
    pub add: Vec<PathBuf>,
    /// What is derived, and how.
    pub settings: DerivationSettings,
}

impl DeriveScoresJob {
    /// Returns an error for settings that cannot be met, before anything is read.
    pub fn validate(&self) -> Result<()> {
        self.settings.check()
    }

    /// Reads the sets and derives the scores.
    pub fn run(&self, progress: Progress<'_>) -> Result<Done<DerivedScores>> {
        Done::collect(progress, |progress| {
            self.validate()?;
            let ranked = select_judgements(&self.judgements, &self.pairs)?;
            let mut added = Vec::new();
            for path in &self.add {
                added.extend(find_judgements(path)?);
            }
            progress.stage("reading judgements", ranked.len() + added.len(), "sets")?;
            let read = |source: &JudgementSource| -> Result<Judgements> {
                let judgements = source.read()?;
                progress.advance(1)?;
                Ok(judgements)
            };
            let judgements = ranked.iter().map(read).collect::<Result<Vec<_>>>()?;
            let mut scores = derive_scores(&self.with_ranks(judgements, progress)?, &self.settings)?;
            for source in &added {
                scores.add(&read(source)?)?;
            }
            self.warn_of_little(&scores, progress)?;
            Ok(scores)
        })
    }

    /// The sets that have ranks. The others are left out with a warning, unless the settings say how to read them.
    fn with_ranks(&self, judgements: Vec<Judgements>, progress: Progress<'_>) -> Result<Vec<Judgements>> {
        if self.settings.pairs != PairsReading::Refused {
            return Ok(judgements);
        }
        let only_pairs = |one: &Judgements| one.rankings.is_empty() && !one.comparisons.is_empty();
        let (left_out, kept): (Vec<_>, Vec<_>) = judgements.into_iter().partition(only_pairs);
        if left_out.is_empty() {
            return Ok(kept);
        }
        let sets = left_out.iter().map(|one| format!("{} {}", one.set, one.pair)).collect();
        let warning = Warning::OnlyPairs { sets };
        if kept.is_empty() {
            return Err(Error::AllLeftOut(Box::new(warning)));
        }
        progress.warn(&warning)?;
        Ok(kept)
    }

    /// Warns if no score could be derived, or a threshold was found by few comparisons.
    fn warn_of_little(&self, scores: &DerivedScores, progress: Progress<'_>) -> Result<()> {
        if scores.groups.iter().all(|group| group.kept == 0) {
            let (set, times) = (self.settings.set.name().to_owned(), self.settings.set.minimum_n());
            progress.warn(&Warning::NoScoresDerived { set, times })?;
        }
        let thin = scores
            .groups
            .iter()
            .filter(|group| group.threshold.is_some() && group.kept > 0 && group.comparisons < MIN_COMPARISONS);
        let thin: Vec<ThinThreshold> =
            thin.map(|group| ThinThreshold { n: group.n, comparisons: group.comparisons }).collect();
        if !thin.is_empty() && self.settings.thresholds.is_empty() {
            progress.warn(&Warning::ThinThresholds { thresholds: thin, needed: MIN_COMPARISONS })?;
        }
        Ok(())
    }
}
