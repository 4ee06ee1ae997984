//! Scores of systems by metrics, confidence intervals, paired tests.
//!
//! [`tally`] runs every metric over every system and segment in one pass: the references of a segment are analysed once
//! for all systems, a translation that several systems share is scored once, and the work is spread over the threads of
//! the current rayon pool without changing a digit. Everything after that only sums tallies. [`compare`] says which of
//! two systems is better by a [`Preference`](crate::metrics::Preference); [`Evaluation::ranking`] orders any number of
//! them. [`StreamScorer`] scores texts of any length batch by batch, on one machine or in parts on many. [`rerank`]
//! orders the candidates of n-best lists by a metric against references, [`minimum_bayes_risk`] against each other.
//!
//! ```
//! use tercet_base::progress::Progress;
//! use tercet_score::{Corpus, ScoreJob, System};
//!
//! let corpus = Corpus::new(vec![System::new("a", &["a cat sat"])], vec![vec!["the cat sat"]])?;
//! let job = ScoreJob { metrics: vec!["chrf".into()], ..ScoreJob::default() };
//! let scored = job.run(&corpus, &tercet_metrics::Registry::lexical(), Progress::none())?.result;
//! assert!(scored.evaluation.columns[0].cells[0].score > 50.0);
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod alignment;
mod checks;
mod compare;
mod corpus;
mod default_metrics;
mod documents;
mod evaluate;
mod evaluation;
mod explain;
mod external_scores;
mod filter;
mod gate;
mod jobs;
mod marked_words;
mod outputs;
mod ranking;
mod rerank;
pub mod significance;
mod stream;
pub mod too_few;

pub use crate::statistics::significance::bootstrap::Interval;
use alignment::not_aligned;
pub use alignment::{AlignTexts, Aligned, AlignedSegment, UnalignedText, align};
pub use checks::{
    check, check_language, check_metrics, check_metrics_for, detect_language, fitted_to_another_language, remarks,
    signature_differences,
};
pub use compare::{CompareRequest, Side, SystemComparison, compare, compare_by};
pub use corpus::{Corpus, ReferenceCount, System, are_transposed};
pub use default_metrics::{
    DEFAULT_METRIC, DEFAULT_METRICS, default_learned_metric, distinct_lines, embedded_metric,
    metric_of_unclear_language,
};
pub use documents::{Document, ResampleBy, ScoreLevels};
pub use evaluate::{EvaluateRequest, Paired, Pairs, Test, evaluate, evaluate_preferring, evaluate_scores};
pub use evaluation::{Cell, Column, Evaluation, PairedResult};
pub use explain::{Explained, ExplainedSegment, explain};
pub use external_scores::{ExternalScores, direction_of_tool};
pub use filter::{
    Decisions, DropReason, DuplicateBy, FilterJob, FilterSummary, Filtered, LinePairs, MAX_KNOWN, PairReader, RowPairs,
    Verdict, Verdicts,
};
pub use gate::{Condition, GATE_ALPHA, GateCheck, GateRequest, GateResult, usual_margin};
pub use jobs::{
    CheckJob, CheckTexts, Checked, Chosen, CompareJob, Compared, Correction, Finding, KindCount, MAX_RESAMPLES,
    MetricRequest, RESAMPLES, RankJob, SEED, ScoreJob, Scored, Seed, StreamedTexts, TRIALS, TakeScores,
};
pub use marked_words::{MarkedMetric, mark_words};
pub use outputs::{OutputTallies, Outputs, tally_outputs};
pub use ranking::RankedSystem;
pub use rerank::{ComparedWith, RankedCandidate, RankedList, Reranked, minimum_bayes_risk, rerank};
pub use stream::{PartialSums, PartialTest, ScoreLog, ScoredBatch, StreamScorer, StreamedSystem};
pub use tercet_base::{CheckKind, Severity, TextRole};

use crate::error::Result;
use crate::metrics::{Metric, SharedMetric, Tally};
use crate::outputs::{tally_with_prepared, warn_of_unfinished};
use crate::progress::Progress;
use std::sync::Arc;

/// The tallies of one metric: `tallies[system][segment]`.
pub type SystemTallies = Vec<Vec<Tally>>;

/// The metrics prepared for the references of the corpus, and the tallies of every metric, system and segment:
/// `[metric][system][segment]`. `progress` advances by segments, each once for all metrics and systems.
pub fn tally(
    corpus: &Corpus<'_>,
    metrics: &[Arc<dyn Metric>],
    progress: Progress<'_>,
) -> Result<(Vec<SharedMetric>, Vec<SystemTallies>)> {
    let outputs = Outputs {
        references: corpus.references(),
        sources: corpus.sources(),
        systems: corpus.systems().len(),
        output: &|system, segment| Some(corpus.systems()[system].hypotheses[segment]),
    };
    let prepared = outputs.prepare(metrics, progress)?;
    let tallies = tally_with_prepared(&outputs, &prepared, progress)?;
    warn_of_unfinished(&prepared, &tallies, progress)?;
    Ok((prepared, complete(tallies)))
}

/// The tallies of outputs without gaps.
fn complete(tallies: Vec<OutputTallies>) -> Vec<SystemTallies> {
    let complete = |tallies: Vec<Option<Tally>>| -> Vec<Tally> {
        tallies.into_iter().map(|tally| tally.expect("a corpus is complete")).collect()
    };
    tallies.into_iter().map(|systems| systems.into_iter().map(complete).collect()).collect()
}

pub(crate) use tercet_base::{error, progress, spec, warning};
pub(crate) use tercet_corpora as corpora;
pub(crate) use tercet_metrics as metrics;
pub(crate) use tercet_statistics as statistics;
pub(crate) use tercet_text as text;

#[cfg(test)]
fn registry() -> metrics::Registry {
    metrics::Registry::lexical()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Registry;

    const METRICS: [&str; 6] = ["bleu", "chrf", "ter", "nist", "sentbleu", "character"];

    fn lines() -> Vec<String> {
        let line = |i: usize| format!("word {} and {} then {} of {}", i % 7, i % 11, i % 3, "abcdefg".repeat(i % 5));
        (0..500).map(line).collect()
    }

    /// Tallies of systems that translate every second segment by the line `shift` further on.
    fn run(threads: usize, texts: &[String], shifts: &[usize]) -> Vec<SystemTallies> {
        let references = texts.iter().map(|text| vec![text.as_str()]).collect();
        let outputs = |shift: usize| (0..500).map(|i| texts[(i + shift * (i % 2)) % 500].as_str()).collect();
        let system = |&shift: &usize| System { name: shift.to_string(), hypotheses: outputs(shift) };
        let corpus = Corpus::new(shifts.iter().map(system).collect(), references).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let metrics: Vec<_> = METRICS.iter().map(|name| Registry::lexical().build(name).unwrap()).collect();
        pool.install(|| tally(&corpus, &metrics, Progress::none()).unwrap().1)
    }

    #[test]
    fn digits_do_not_depend_on_threads_or_other_systems() {
        let texts = lines();
        let together = run(1, &texts, &[1, 2]);
        assert_eq!(together, run(3, &texts, &[1, 2]));
        let alone = run(2, &texts, &[2]);
        for (together, alone) in together.iter().zip(&alone) {
            assert_eq!(together[1], alone[0]);
        }
    }

    #[test]
    fn totals_do_not_depend_on_the_order_of_segments() {
        let tallies = run(1, &lines(), &[3]);
        for (name, systems) in METRICS.iter().zip(&tallies) {
            let backwards: Vec<Tally> = systems[0].iter().rev().cloned().collect();
            assert_eq!(Tally::sum(&systems[0]), Tally::sum(&backwards), "{name}");
        }
    }
}
