//! Scores from rankings as a use case, and as `tercet derive-scores` prints them.
//!
//! Text, Markdown and LaTeX have a table of what was kept of translations that were ranked equally often. The other
//! formats have the scored pairs. JSON: an array of
//! `{score, n, variance, set, pair, segment, systems, reference, translation}`, `n` and `variance` null where a score
//! was not derived but given. JSON lines: the same objects, one per line. TSV: the same columns below a header, systems
//! separated by spaces, numbers with 17 significant digits, nothing for null. CSV: the same.

use super::{DerivationSettings, DerivedScores, PairsReading, derive_scores};
use crate::corpora::{JudgementSource, Judgements, find_judgements, select_judgements};
use crate::error::{Error, Result};
use crate::learned::ThresholdGroup;
use crate::progress::Progress;
use crate::warning::{Done, ThinThreshold, Warning};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tercet_report::table::{Marks, PLAIN, Table};
use tercet_report::{Format, latex, markdown, records, text};

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

const COLUMNS: [&str; 9] = ["score", "n", "variance", "set", "pair", "segment", "systems", "reference", "translation"];

/// Writes derived scores.
pub fn write_derived_scores(scores: &DerivedScores, format: Format) -> String {
    match format {
        Format::Text => captioned(scores, &PLAIN, "", "", &text::write_table),
        Format::Markdown => captioned(scores, &markdown::MARKS, "", "\n", &markdown::write_table),
        Format::Latex => captioned(scores, &latex::MARKS, "% ", "", &latex::write_table),
        Format::Json | Format::Jsonl | Format::Tsv | Format::Csv => records::write(&scores.pairs, &COLUMNS, format),
    }
}

fn captioned(
    scores: &DerivedScores,
    marks: &Marks,
    comment: &str,
    gap: &str,
    write_table: &dyn Fn(&Table, &mut String),
) -> String {
    let mut written = format!("{comment}{}\n{gap}", (marks.escape)(&caption(scores)));
    write_table(&table(scores, marks), &mut written);
    written
}

/// The set and where it comes from.
fn caption(scores: &DerivedScores) -> String {
    let name = scores.set.name().to_uppercase();
    let added: String = scores.added.iter().map(|(name, _)| format!(" + {name}")).collect();
    format!("{name} of {}{added}", scores.sources.join(", "))
}

fn table(scores: &DerivedScores, marks: &Marks) -> Table {
    let tau = |tau: Option<f64>| tau.map_or_else(|| "-".to_owned(), |tau| format!("{tau:.3}"));
    let group = |group: &ThresholdGroup| {
        let n = if group.n == 8 { "8 or more".to_owned() } else { group.n.to_string() };
        let threshold = group.threshold.filter(|_| group.ranked > 0);
        let threshold = threshold.map_or_else(|| "-".to_owned(), |threshold| format!("{threshold:.2}"));
        let counts = [group.ranked, group.kept, group.comparisons].map(|count| count.to_string());
        let [ranked, kept, comparisons] = counts;
        vec![n, ranked, threshold, kept, tau(group.tau), comparisons]
    };
    let mut rows: Vec<Vec<String>> = scores.groups.iter().map(group).collect();
    let dash = || "-".to_owned();
    rows.extend(
        scores.added.iter().map(|(name, pairs)| {
            vec![(marks.escape)(name), pairs.to_string(), dash(), pairs.to_string(), dash(), dash()]
        }),
    );
    let ranked: usize = scores.groups.iter().map(|group| group.ranked).sum();
    let added: usize = scores.added.iter().map(|(_, pairs)| pairs).sum();
    rows.push(vec![
        "all".to_owned(),
        (ranked + added).to_string(),
        dash(),
        scores.pairs.len().to_string(),
        tau(scores.tau),
        scores.comparisons.to_string(),
    ]);
    let header = ["ranked", "pairs", "variance below", "kept", "Kendall", "comparisons"];
    Table { caption: None, header: header.map(str::to_owned).to_vec(), rows, numbers_from: 1 }
}
