//! Metrics, which score translations against references: one folder each.
//!
//! A [`Metric`] turns each [`Segment`] into a summable [`Tally`], and a tally, or the sum of many, into a
//! score. [`Metric::corpus_score`] and [`Metric::segment_scores`] do both at once. A metric is immutable and
//! shared behind an `Arc`; one whose scores depend on all references returns a [prepared](Metric::prepare) copy of
//! itself.
//!
//! A [`Registry`] builds metrics by name; their options are declared in their [`MetricInfo`]. Command, documentation
//! and signatures use a registry; [`Registry::add`] adds a metric defined elsewhere.
//!
//! ```
//! use tercet_metrics::{Chrf, ChrfOptions, Metric, Registry, Segment};
//!
//! let chrf = Chrf::new(ChrfOptions { word_order: 2, ..ChrfOptions::default() })?;
//! let segments = [Segment::new("The cat sat on a mat.", &["The cat sat on the mat."])];
//! let named = Registry::lexical().build("chrf:word_order=2")?;
//! assert_eq!(chrf.corpus_score(&segments)?, named.corpus_score(&segments)?);
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod cross_scores;
pub mod error_rate;
mod explanation;
mod language;
mod other_tool;
mod paper;
mod people_agree;
pub mod preference;
mod registry;
pub mod resources;
mod sacrebleu_signature;
mod sacrebleu_signature_reader;
mod segment;
mod shared_words;
mod slopes;
mod tally;
mod tally_sum;
mod tokenize;
pub mod word_marks;
mod word_options;

pub mod bleu;
pub mod cer;
pub mod character;
pub mod chrf;
pub mod cider;
pub mod eed;
pub mod gleu;
pub mod gtm;
pub mod mer;
pub mod meteor;
pub mod nist;
pub mod overlap;
pub mod per;
pub mod ribes;
pub mod rouge;
pub mod ter;
pub mod terp;
pub mod wer;
pub mod wil;

pub use crate::spec::{OptionInfo, Options, Spec, Values};
pub use bleu::{Bleu, BleuOptions, SentBleu};
pub use cer::Cer;
pub use character::Character;
pub use chrf::{Chrf, ChrfOptions};
pub use cider::{Cider, CiderOptions};
pub use cross_scores::CrossScores;
pub use eed::{Eed, EedLanguage, EedOptions};
pub use explanation::{Difference, DifferenceKind, Explain, ExplainedWord, Explanation, unmatched};
pub use gleu::{Gleu, GleuOptions};
pub use gtm::{Gtm, GtmOptions};
pub use language::LanguageRules;
pub use mer::Mer;
pub use meteor::{Meteor, MeteorOptions};
pub use nist::{Nist, NistOptions, NistVersion};
pub use other_tool::other_tool;
pub use overlap::{Overlap, OverlapOptions};
pub use paper::Paper;
pub use people_agree::{PeopleAgree, PeopleAgreeCurve, Target};
pub use per::Per;
pub use preference::{LogisticPreference, Preference, TranslationPair};
pub use registry::Registry;
pub use ribes::{Ribes, RibesOptions};
pub use rouge::{Rouge, RougeOptions};
pub use sacrebleu_signature::{SACREBLEU_VERSION, SacrebleuRun, sacrebleu_signature};
pub use sacrebleu_signature_reader::{SacrebleuMetric, read_sacrebleu_signature};
pub use segment::{Segment, by_references};
pub use tally::Tally;
pub use tally_sum::TallySum;
pub use ter::{Ter, TerOptions};
pub use terp::{Terp, TerpOptions};
pub use tokenize::{LineTokenizer, TokenizeJob, Tokenized};
pub use wer::Wer;
pub use wil::{Wil, Wip};
pub use word_marks::{Mark, MarkKind, MarkWords, WordMarks};
pub use word_options::{WordOptions, Words};

pub use preference::logistic;
pub use slopes::FittedSlope;

use crate::error::Result;
use crate::spec::{Declared, TypedOptions};
use crate::warning::Warning;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Name, options and description of a metric, known without building it.
#[derive(Debug)]
pub struct MetricInfo {
    /// Its name in `name:key=value`.
    pub name: &'static str,
    /// Other names, each with its meaning: `("chrf++", "chrf:word_order=2")`.
    pub aliases: &'static [(&'static str, &'static str)],
    /// One line that says what it measures.
    pub summary: &'static str,
    /// The publication that defined it, in a few words.
    pub citation: &'static str,
    /// The publications to cite for its scores.
    pub papers: &'static [Paper],
    /// The tool it equals.
    pub agrees_with: &'static str,
    /// Whether higher or lower scores are better.
    pub direction: Direction,
    /// The range of the scores, which decides how many decimals reports show.
    pub scale: Scale,
    /// Every option that can change a score.
    pub options: &'static [OptionInfo],
    /// A required option: the model file of a learned metric.
    pub needs: Option<&'static str>,
    /// The option that makes it score by the source alone, if it can do without references.
    pub without_references: Option<(&'static str, &'static str)>,
    /// What the target language decides.
    pub language: LanguageRules,
    /// Turns scores into probabilities, for metrics without a [`Preference`] of their own.
    pub slope: Option<FittedSlope>,
    /// How often people prefer the system with the better score: the file that `--example people_agree` writes; empty
    /// if
    /// it was not fitted.
    pub people_agree: &'static str,
    /// Builds the metric.
    pub build: BuildMetric,
    /// Builds the metric's own [`Preference`], if it compares two translations by more than their two scores.
    pub preference: Option<BuildPreference>,
}

/// A metric as it is shared between threads.
pub type SharedMetric = Arc<dyn Metric>;

/// Builds a metric from its options. The registry has the metrics that are its features, and what is shared.
pub type BuildMetric = fn(Options, &Registry) -> Result<Arc<dyn Metric>>;

/// Builds a metric's own [`Preference`].
pub type BuildPreference = fn(Options, &Registry) -> Result<Arc<dyn Preference>>;

impl MetricInfo {
    /// A metric without options, whose higher scores are better. The other fields are set by struct update:
    /// `MetricInfo { name: "…", summary: "…", ..MetricInfo::new(build) }`.
    pub const fn new(build: BuildMetric) -> Self {
        MetricInfo {
            name: "",
            aliases: &[],
            summary: "",
            citation: "",
            papers: &[],
            agrees_with: "",
            direction: Direction::HigherIsBetter,
            scale: Scale::Hundred,
            options: &[],
            needs: None,
            without_references: None,
            language: LanguageRules::NONE,
            slope: None,
            people_agree: "",
            build,
            preference: None,
        }
    }

    /// Its name, then its aliases.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().map(|(alias, _)| *alias))
    }

    /// Options that are filled in by a program, with the spelling of signatures. Returns an error if a value is not
    /// accepted.
    pub fn check<T: TypedOptions>(&self, options: &T) -> Result<T> {
        Ok(options.checked(self.declared())?.typed())
    }

    /// Name and options, as they were declared.
    pub fn declared(&self) -> Declared {
        Declared { what: registry::METRIC, name: self.name, options: self.options }
    }
}

/// A metric with the name under which reports show it.
#[derive(Clone)]
pub struct NamedMetric {
    /// The name in reports: the text it was built from, or one chosen by the caller.
    pub name: String,
    /// The metric.
    pub metric: Arc<dyn Metric>,
}

impl NamedMetric {
    /// A metric under this name.
    pub fn new(name: impl Into<String>, metric: Arc<dyn Metric>) -> Self {
        NamedMetric { name: name.into(), metric }
    }
}

impl fmt::Debug for NamedMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NamedMetric({}: {})", self.name, self.metric.signature())
    }
}

/// Whether higher or lower scores are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// For example BLEU.
    HigherIsBetter,
    /// For example error rates.
    LowerIsBetter,
}

/// The range of a metric's scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// From 0 to 100, or numbers of that size: BLEU, error rates in per cent, NIST.
    Hundred,
    /// From 0 to 1: METEOR, probabilities.
    One,
}

impl Scale {
    /// The decimals of scores in tables: one hundredth of a point in 100, or as much of 1.
    pub fn decimals(self) -> usize {
        match self {
            Scale::Hundred => 2,
            Scale::One => 4,
        }
    }
}

/// A component of a score: a precision, a length, a count of edits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "(String, f64)", into = "(String, f64)")]
#[non_exhaustive]
pub struct Component {
    /// Its name, in snake case: `precision_1`, `ref_len`.
    pub name: String,
    /// Its value.
    pub value: f64,
}

impl Direction {
    /// 1 if higher is better, −1 if lower is.
    pub fn sign(self) -> f64 {
        match self {
            Direction::HigherIsBetter => 1.0,
            Direction::LowerIsBetter => -1.0,
        }
    }
}

impl From<(String, f64)> for Component {
    fn from((name, value): (String, f64)) -> Self {
        Component { name, value }
    }
}

impl From<Component> for (String, f64) {
    fn from(component: Component) -> Self {
        (component.name, component.value)
    }
}

impl Component {
    /// A named number.
    pub fn new(name: impl Into<String>, value: f64) -> Self {
        Component { name: name.into(), value }
    }
}

/// A score of a bootstrap resample, in the precision in which the cited tool computes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resampled {
    /// Computed in single precision to the end.
    Single(f32),
    /// Computed in double precision in the last step.
    Double(f64),
}

/// Scores translations. See the page of the module for an overview.
pub trait Metric: Send + Sync {
    /// What is known of it by its name: direction, scale, paper.
    fn info(&self) -> &MetricInfo;

    /// Metric and options, with the hashes of what it read; `tercet-score` adds the number of references.
    /// Default: the name without options.
    fn signature(&self) -> Spec {
        Spec::new(self.info().name)
    }

    /// The usual spelling: `BLEU`, `chrF2++`. Default: the name.
    fn title(&self) -> String {
        self.info().name.to_owned()
    }

    /// Whether higher or lower is better.
    fn direction(&self) -> Direction {
        self.info().direction
    }

    /// The same metric for these references, if its scores depend on the references of all segments (NIST's information
    /// weights); `None` if they do not. [`prepare`] handles both.
    fn prepare(&self, _references: &[&[&str]]) -> Result<Option<Arc<dyn Metric>>> {
        Ok(None)
    }

    /// What everyone who reads its scores should know: a resource that is missing.
    fn warnings(&self) -> Vec<Warning> {
        Vec::new()
    }

    /// The sets of human judgements that it learned from, each as set, language pair and what was taken, with commas
    /// between.
    fn learned_from(&self) -> Option<&str> {
        None
    }

    /// Whether the source of a segment counts, where there is one.
    fn reads_source(&self) -> bool {
        false
    }

    /// Whether the source counted for a segment of this tally, or of this sum of tallies.
    fn used_source(&self, _total: &Tally) -> bool {
        false
    }

    /// One summable tally per segment. Segments that share their references should be adjacent: see [`by_references`].
    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>>;

    /// The score of a corpus, from the sum of its tallies. An empty tally, the sum of none, scores 0.
    fn score(&self, total: &Tally) -> f64;

    /// The score of one segment, where it is computed differently from that of a corpus.
    fn segment_score(&self, tally: &Tally) -> f64 {
        self.score(tally)
    }

    /// The components of the score, in stable order.
    fn components(&self, _total: &Tally) -> Vec<Component> {
        Vec::new()
    }

    /// Whether the tally of a segment comes from a search that ended early because of a limit on time or memory, which
    /// only lines reach that are much longer than real text. Its score may then be worse than by the definition.
    fn is_unfinished(&self, _tally: &Tally) -> bool {
        false
    }

    /// The warning that this many segments [are unfinished](Metric::is_unfinished).
    fn unfinished_warning(&self, count: usize) -> Warning {
        Warning::SearchCutShort { metric: self.title(), segments: count }
    }

    /// What shows which words of a translation and its reference found a partner, if the metric can tell.
    fn explainer(&self) -> Option<&dyn Explain> {
        None
    }

    /// What marks words by what the metric made of them, if it can tell.
    fn marker(&self) -> Option<&dyn MarkWords> {
        None
    }

    /// What sacreBLEU's own computation has beside the score, for the metrics that sacreBLEU has.
    fn sacrebleu(&self) -> Option<&dyn Sacrebleu> {
        None
    }

    /// The score of these segments together, as one test set: [prepared](Metric::prepare) for their references,
    /// tallied, summed up and scored.
    fn corpus_score(&self, segments: &[Segment<'_>]) -> Result<f64> {
        let (prepared, tallies) = tally_prepared(self, segments)?;
        let total = Tally::sum(&tallies);
        Ok(prepared.map_or_else(|| self.score(&total), |prepared| prepared.score(&total)))
    }

    /// The score of each segment, prepared for the references of all of them.
    fn segment_scores(&self, segments: &[Segment<'_>]) -> Result<Vec<f64>> {
        let (prepared, tallies) = tally_prepared(self, segments)?;
        let score = |tally| match &prepared {
            Some(prepared) => prepared.segment_score(tally),
            None => self.segment_score(tally),
        };
        Ok(tallies.iter().map(score).collect())
    }

    /// How strong a translation is among others of its segment: people are expected to prefer `a` to `b` with the
    /// probability σ(strength(a) − strength(b)). `None` if that is not known. Default: the segment score times the
    /// slope that was fitted to human judgements, as in [`Registry::preference`].
    fn strength(&self, tally: &Tally) -> Option<f64> {
        let slope = self.info().slope?.slope;
        Some(slope * self.direction().sign() * self.segment_score(tally))
    }

    /// How often people prefer the system with the better score, by the difference of the scores; `None` if that was
    /// not
    /// fitted for this metric and target.
    fn people_agree(&self, target: Target) -> Option<PeopleAgreeCurve> {
        PeopleAgreeCurve::find(self.info().people_agree, &self.signature(), target)
    }

    /// The segment scores of lines with each other: each is the hypothesis, and each the only reference. A metric that
    /// analyses lines one by one overrides this to analyse each of them once.
    fn cross_scores(&self, lines: &[&str]) -> Result<CrossScores> {
        cross_scores::by_tallies(self, lines)
    }
}

/// What sacreBLEU's own computation has beside the score.
pub trait Sacrebleu {
    /// The score of a bootstrap resample whose tallies were summed in single precision, as sacreBLEU sums them. `None`
    /// where the options are not those of sacreBLEU: resamples are then summed and scored in double precision.
    fn score_single(&self, sums: &[f32]) -> Option<Resampled>;

    /// The details that it prints after the score, if any.
    fn verbose(&self, _total: &Tally) -> Option<String> {
        None
    }
}

/// [Prepares](Metric::prepare) a metric for the references of all segments.
pub fn prepare(metric: &Arc<dyn Metric>, references: &[&[&str]]) -> Result<Arc<dyn Metric>> {
    Ok(metric.prepare(references)?.unwrap_or_else(|| Arc::clone(metric)))
}

/// The metric for the references of these segments, if it depends on them, and the tallies.
fn tally_prepared<M: Metric + ?Sized>(
    metric: &M,
    segments: &[Segment<'_>],
) -> Result<(Option<SharedMetric>, Vec<Tally>)> {
    let references: Vec<&[&str]> = segments.iter().map(|segment| segment.references).collect();
    let prepared = metric.prepare(&references)?;
    let tallies = match &prepared {
        Some(prepared) => prepared.tally(segments)?,
        None => metric.tally(segments)?,
    };
    for (number, tally) in tallies.iter().enumerate() {
        tally.check_finite(|| format!("{} of segment {}", metric.title(), number + 1))?;
    }
    Ok((prepared, tallies))
}

pub(crate) use tercet_base::cache;
pub use tercet_base::{context, error, progress, spec, unpack, warning};
pub(crate) use tercet_statistics as statistics;
pub(crate) use tercet_text as text;
