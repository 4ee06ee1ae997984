//! Keeps the good pairs of a parallel corpus, of any size.
//!
//! [`FilterJob`] says what is dropped. Rules come first, in the order of [`DropReason`]: an empty text, a copy of the
//! source, lengths that do not fit, another language, a pair that was there before. What is left is scored without
//! references, and dropped below a score or beyond a share of all pairs. [`FilterJob::judge`] reads pairs in batches
//! and writes a verdict for each into [`Verdicts`], nine bytes a pair in a file or in memory, so that a run that was
//! stopped goes on where it was; [`Verdicts::decisions`] then says which pairs stay.
//!
//! - The first [`SAMPLE`] pairs show both languages, if they are not given, and the usual ratio of lengths, of which
//!   `max_length_ratio` is a multiple.
//! - Duplicates are found by a hash of 64 bits among the first [`MAX_KNOWN`] different pairs;
//!   [`FilterSummary::unknown`] counts pairs that were not compared with all before them.
//! - Of pairs with the same score at the limit of a share, the first ones stay.
//!
//! ```
//! use tercet_score::{DropReason, FilterJob};
//!
//! let job = FilterJob { ignore: vec![DropReason::Score], ..FilterJob::default() };
//! let pairs = [("Der Zug fährt ab.", "The train leaves."), ("Der Zug fährt ab.", ""), ("Hallo!", "Hallo!")];
//! let filtered = job.run(&pairs, &tercet_metrics::Registry::lexical(), tercet_base::progress::Progress::none())?;
//! let reasons: Vec<Option<DropReason>> = filtered.result.verdicts.iter().map(|verdict| verdict.reason).collect();
//! assert_eq!(reasons, [None, Some(DropReason::Empty), Some(DropReason::Copy)]);
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod pairs;
mod rules;
#[cfg(test)]
mod tests;
mod verdicts;

pub use pairs::{LinePairs, PairReader, RowPairs};
pub use rules::MAX_KNOWN;
pub use verdicts::{Decisions, Verdicts};

use crate::default_metrics::LEARNED;
use crate::error::{Error, Result};
use crate::metrics::{NamedMetric, Registry};
use crate::progress::Progress;
use crate::text::Language;
use crate::warning::{Done, Warning};
use crate::{Corpus, MetricRequest, StreamScorer, System};
use rules::Rules;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::io::{Cursor, Read, Seek, Write};

/// The first pairs, which show languages and the usual ratio of lengths.
pub const SAMPLE: usize = 4_096;

/// Pairs whose verdicts are written together.
const WRITTEN: usize = 512;

/// Pairs that a thread scores in a minute on an ordinary processor.
const PAIRS_PER_MINUTE: usize = 6_000;

tercet_base::choices! {
    /// Why a pair is dropped.
    pub enum DropReason: "reason" {
        /// The source or the target has no text
        Empty = "empty",
        /// The target is the source, letter by letter but for case and spaces
        Copy = "copy",
        /// One text is much longer than the other
        Length = "length",
        /// The source or the target is certainly in another language
        Language = "language",
        /// The pair was there before
        Duplicate = "duplicate",
        /// The score is too low
        Score = "score",
    }

    /// By what a pair is a duplicate.
    pub enum DuplicateBy: "what makes a duplicate" = Pair {
        /// Both texts were in one pair before
        Pair = "pair",
        /// The source was there before
        Source = "source",
        /// The target was there before
        Target = "target",
    }
}

tercet_base::defaults! {
    /// Which pairs of a parallel corpus are dropped.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct FilterJob {
        /// The metric, which must do without references; the learned one if none is named.
        pub metric: Option<MetricRequest> = None,
        /// The language of the targets; found in the first pairs if it is not given.
        pub language: Option<Language> = None,
        /// The language of the sources; found in the first pairs if it is not given.
        pub source_language: Option<Language> = None,
        /// Pairs with a lower score are dropped.
        pub min_score: Option<f64> = None,
        /// The share of all pairs that stays at most, those with the best scores: from 0 to 1.
        pub keep: Option<f64> = None,
        /// A text may be so many times as long as usual in comparison with the other, or as short.
        pub max_length_ratio: f64 = 3.0,
        /// By what a pair is a duplicate.
        pub duplicates: DuplicateBy = DuplicateBy::Pair,
        /// What is no reason to drop a pair; without scores, nothing is scored.
        pub ignore: Vec<DropReason> = Vec::new(),
    }
}

/// What is known of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Why it is dropped, if it is.
    pub reason: Option<DropReason>,
    /// Its score, if it was scored.
    pub score: Option<f64>,
}

/// How many pairs stay, and why the others do not.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FilterSummary {
    /// All pairs.
    pub pairs: u64,
    /// Those that stay.
    pub kept: u64,
    /// Those that are dropped, by reason.
    pub dropped: Vec<(DropReason, u64)>,
    /// The lowest score that stays, if scores decide.
    pub threshold: Option<f64>,
    /// What scored, if anything did.
    pub signature: Option<String>,
    /// The language of the sources, if it is known.
    pub source_language: Option<String>,
    /// The language of the targets, if it is known.
    pub language: Option<String>,
    /// Pairs of which it is not known whether they were there before: there were too many different ones.
    pub unknown: u64,
}

/// As the command prints it.
impl Display for FilterSummary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let width = self.pairs.to_string().len();
        let mut row = |what: &str, count: u64| {
            let share = 100.0 * count as f64 / self.pairs.max(1) as f64;
            writeln!(f, "{what:<10} {count:>width$} {share:>6.2} %")
        };
        row("pairs", self.pairs)?;
        row("kept", self.kept)?;
        self.dropped.iter().try_for_each(|(reason, count)| row(reason.name(), *count))?;
        if self.unknown > 0 {
            writeln!(f, "{} pairs were not compared with all before them: too many are different", self.unknown)?;
        }
        if let Some(threshold) = self.threshold {
            writeln!(f, "lowest score kept: {threshold:.2}")?;
        }
        for (role, name) in [("source", &self.source_language), ("target", &self.language)] {
            name.iter().try_for_each(|name| writeln!(f, "{role}: {name}"))?;
        }
        self.signature.iter().try_for_each(|signature| writeln!(f, "{signature}"))
    }
}

/// The verdicts about pairs in memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Filtered {
    /// The pairs in order.
    pub verdicts: Vec<Verdict>,
    /// How many there are.
    pub summary: FilterSummary,
}

impl FilterJob {
    /// Returns an error for settings that cannot be met; no file is read.
    pub fn validate(&self, registry: &Registry) -> Result<()> {
        if let Some(metric) = &self.metric {
            metric.check(registry)?;
        }
        if let Some(keep) = self.keep.filter(|keep| !(*keep > 0.0 && *keep <= 1.0)) {
            return Err(Error::out_of_range("keep", "a share of pairs, above 0 and at most 1", keep));
        }
        if let Some(score) = self.min_score.filter(|score| !score.is_finite()) {
            return Err(Error::out_of_range("min_score", "a number", score));
        }
        if !(self.max_length_ratio > 1.0 && self.max_length_ratio.is_finite()) {
            return Err(Error::out_of_range("max_length_ratio", "a number above 1", self.max_length_ratio));
        }
        let limit = [("min_score", self.min_score.is_some()), ("keep", self.keep.is_some())];
        match limit.map(|(name, given)| given.then_some(name)) {
            [Some(_), Some(_)] => {
                Err(Error::BadRequest("min_score and keep are two limits of scores: leave one out".to_owned()))
            }
            [Some(name), None] | [None, Some(name)] if !self.scores() => {
                Err(Error::BadRequest(format!("{name} needs scores, which are ignored: leave one out")))
            }
            _ if self.metric.is_some() && !self.scores() => {
                Err(Error::BadRequest("a metric needs scores, which are ignored: leave one out".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Whether pairs are scored.
    pub fn scores(&self) -> bool {
        self.looks_for(DropReason::Score)
    }

    fn looks_for(&self, reason: DropReason) -> bool {
        !self.ignore.contains(&reason)
    }

    /// Judges pairs in memory.
    pub fn run(&self, pairs: &[(&str, &str)], registry: &Registry, progress: Progress<'_>) -> Result<Done<Filtered>> {
        Done::collect(progress, |progress| {
            let mut verdicts = Verdicts::create(Cursor::new(Vec::new()), "")?;
            let mut reader = pairs.iter().map(|(source, target)| ((*source).to_owned(), (*target).to_owned()));
            let mut summary = self.judge(&mut reader, pairs.len(), &mut verdicts, registry, progress)?;
            let mut decisions = verdicts.decisions(self)?;
            let verdicts = decisions.by_ref().collect::<Result<_>>()?;
            decisions.sum_up(&mut summary);
            Ok(Filtered { verdicts, summary })
        })
    }

    /// Reads pairs, of which there are so many, and writes what is known of each. Pairs whose verdicts are already
    /// there are read and not scored again. The counts of the summary come from [`Decisions::sum_up`].
    pub fn judge<F: Read + Write + Seek>(
        &self,
        reader: &mut dyn PairReader,
        count: usize,
        verdicts: &mut Verdicts<F>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<FilterSummary> {
        self.validate(registry)?;
        progress.stage("filtering", count, "pairs")?;
        let mut batch = Vec::new();
        let mut is_more = reader.read(&mut batch, SAMPLE)?;
        let mut rules = Rules::new(self, &batch);
        let scorer = self.scores().then(|| self.scorer(&rules, registry, progress)).transpose()?;
        if let Some(scorer) = &scorer {
            let minutes =
                (count - (verdicts.len() as usize).min(count)) / PAIRS_PER_MINUTE / rayon::current_num_threads();
            if minutes > 0 {
                let metric = scorer.metrics()[0].name.clone();
                progress.warn(&Warning::TakesMinutes { metric, lines: count, minutes })?;
            }
        }
        let (mut read, known) = (0, verdicts.len());
        while !batch.is_empty() {
            for pairs in batch.chunks(WRITTEN) {
                let mut found: Vec<Verdict> = rules.verdicts(pairs);
                read += pairs.len() as u64;
                // Those that have a verdict from before were only needed for duplicates.
                let start = pairs.len() - (read.saturating_sub(known) as usize).min(pairs.len());
                if let Some(scorer) = scorer.as_ref().filter(|_| start < pairs.len()) {
                    score(scorer, &pairs[start..], &mut found[start..], progress)?;
                }
                verdicts.append(&found[start..])?;
                progress.advance(pairs.len())?;
            }
            batch.clear();
            is_more = is_more && reader.read(&mut batch, SAMPLE)?;
        }
        Ok(FilterSummary {
            signature: scorer.as_ref().map(|scorer| scorer.metrics()[0].metric.signature().to_string()),
            source_language: rules.language_names()[0].clone(),
            language: rules.language_names()[1].clone(),
            unknown: rules.unknown(),
            ..FilterSummary::default()
        })
    }

    /// The metric as it scores by the source alone.
    fn scorer(&self, rules: &Rules<'_>, registry: &Registry, progress: Progress<'_>) -> Result<StreamScorer> {
        let language = self.language.clone().or_else(|| rules.target_language());
        let named: NamedMetric = match &self.metric {
            Some(metric) => metric.build(language.as_ref(), registry, progress)?,
            None => registry.named(LEARNED, language.as_ref())?,
        };
        let metrics = MetricRequest::by_source(vec![named], language.as_ref(), registry)?;
        if let Some(language) = &language {
            for named in &metrics {
                let (info, signature) = (named.metric.info(), named.metric.signature());
                let warning = info.language_warning(&signature, language, true, self.language.is_none());
                warning.iter().try_for_each(|warning| progress.warn(warning))?;
            }
        }
        StreamScorer::new(metrics)
    }
}

/// Scores the pairs that no rule drops.
fn score(
    scorer: &StreamScorer,
    pairs: &[(String, String)],
    verdicts: &mut [Verdict],
    progress: Progress<'_>,
) -> Result<()> {
    let left: Vec<usize> = (0..pairs.len()).filter(|i| verdicts[*i].reason.is_none()).collect();
    if left.is_empty() {
        return Ok(());
    }
    let hypotheses = left.iter().map(|i| pairs[*i].1.as_str()).collect();
    let sources = left.iter().map(|i| pairs[*i].0.as_str()).collect();
    let system = System { name: String::new(), hypotheses };
    let corpus = Corpus::without_references(vec![system], sources)?;
    let tallies = scorer.tally(&corpus, progress.quiet())?;
    for (i, score) in left.into_iter().zip(scorer.segment_scores(0, &tallies[0][0])) {
        verdicts[i].score = Some(score);
    }
    Ok(())
}
