//! The use cases as data: what is to be computed, with its defaults, for all who let it be computed.
//!
//! A job has the settings and no texts; serde reads and writes it. [`ScoreJob::validate`] and its like return an error
//! for settings that cannot be met, before files are read; `run` chooses metrics by language and size, checks the
//! texts, computes, and returns the result with all [warnings](crate::warning), which `progress` gets as they are
//! found.
//!
//! ```
//! use tercet_base::progress::Progress;
//! use tercet_score::{Corpus, ScoreJob, System, Test};
//!
//! let job = ScoreJob { metrics: vec!["chrf".into()], paired: Some(Test::Bootstrap), ..ScoreJob::default() };
//! let systems = vec![System::new("a", &["a cat sat"]), System::new("b", &["the dog"])];
//! let corpus = Corpus::new(systems, vec![vec!["the cat sat"]])?;
//! let done = job.run(&corpus, &tercet_metrics::Registry::lexical(), Progress::none())?;
//! assert!(done.result.evaluation.columns[0].cells[0].score > 50.0);
//! assert_eq!(done.warnings[0].to_string(), "only 1 segment: with so few, p-values of resampling tests are too small");
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod check;
mod compare;
mod default_metrics;
mod metric_request;
mod rank;
mod resampling;
mod score;
mod score_stream;

pub use check::{CheckJob, CheckTexts, Checked, Finding, KindCount};
pub use compare::{Chosen, CompareJob, Compared};
pub use metric_request::MetricRequest;
pub use rank::RankJob;
pub use resampling::{Correction, MAX_RESAMPLES, RESAMPLES, SEED, Seed, TRIALS};
pub use score::{ScoreJob, Scored};
pub use score_stream::{StreamedTexts, TakeScores};

use super::checks;
use super::corpus::Corpus;
use super::documents::ResampleBy;
use super::evaluate::EvaluateRequest;
use super::evaluation::Evaluation;
use super::too_few;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::warning::Warning;

fn warn_all(warnings: impl IntoIterator<Item = Warning>, progress: Progress<'_>) -> Result<()> {
    Ok(warnings.into_iter().try_for_each(|warning| progress.warn(&warning))?)
}

/// Returns an error if words are to be shown beside those of references, and there are none.
fn check_words(corpus: &Corpus<'_>, shows_words: bool) -> Result<()> {
    if shows_words && !corpus.has_references() {
        let what = "words are shown beside those of references: without references there are only scores";
        return Err(Error::BadRequest(what.to_owned()));
    }
    Ok(())
}

/// Warns of too few resamples, and with `checks` of too few segments.
fn check_sizes(
    segments: usize,
    systems: usize,
    request: &EvaluateRequest,
    checks: bool,
    progress: Progress<'_>,
) -> Result<()> {
    warn_all(too_few::segments(segments, systems, request).filter(|_| checks), progress)?;
    warn_all(too_few::resamples(systems, request), progress)
}

/// Warns, with `checks`, of too few documents to draw.
fn check_documents(corpus: &Corpus<'_>, by: ResampleBy, checks: bool, progress: Progress<'_>) -> Result<()> {
    warn_all(too_few::documents(corpus, by).filter(|_| checks), progress)
}

/// Warns of metrics whose signature was another one, and with `checks` of systems that hardly differ.
fn check_results(evaluation: &Evaluation, checks: bool, progress: Progress<'_>) -> Result<()> {
    if checks {
        warn_all(too_few::differences(evaluation), progress)?;
    }
    let of_column = |column: &super::Column| checks::signature_differences(&column.metric, &column.signature);
    warn_all(evaluation.columns.iter().flat_map(of_column), progress)
}
