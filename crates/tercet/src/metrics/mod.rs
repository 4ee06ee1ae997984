//! Hypothesis and references in, score out: one folder per metric.
//!
//! The contract: a [`Metric`] sees all references once ([`Metric::prepare`]), turns each [`Segment`] into a summable
//! [`Tally`], and a tally, or the sum of many, into a score. Options are declared in the metric's [`MetricInfo`]; the
//! command, the documentation and the signatures are all read off [`METRICS`].

mod error_rate;
mod options;
mod preference;
mod sacrebleu_signature;
mod segment;
mod signature;
mod slopes;
mod tally;

pub mod bleu;
pub mod cer;
pub mod character;
pub mod chrf;
pub mod meteor;
pub mod nist;
#[cfg(feature = "learned")]
pub mod pairwise;
pub mod per;
pub mod ter;
pub mod wer;

pub use options::{LARGEST, OptionInfo, Options, Values, file_value};
pub use preference::{Contest, LogisticPreference, Preference};
pub use sacrebleu_signature::{SACREBLEU_VERSION, SacrebleuRun, sacrebleu_signature};
pub use segment::{Segment, by_references};
pub use signature::Signature;
pub use slopes::{FittedSlope, SLOPES};
pub use tally::Tally;

use crate::error::{Error, Result};
use crate::text::nearest;

/// All metrics, in the order in which they are listed to people.
pub static METRICS: &[&MetricInfo] = &[
    &bleu::INFO,
    &bleu::SENTBLEU,
    &nist::INFO,
    &meteor::INFO,
    &chrf::INFO,
    &ter::INFO,
    &wer::INFO,
    &per::INFO,
    &cer::INFO,
    &character::INFO,
    #[cfg(feature = "learned")]
    &pairwise::INFO,
];

/// What there is to know of a metric before one is built.
#[derive(Debug)]
pub struct MetricInfo {
    /// Its name in `name:key=value`.
    pub name: &'static str,
    /// Other names, each with the metric it stands for: `("chrf++", "chrf:word_order=2")`.
    pub aliases: &'static [(&'static str, &'static str)],
    /// One line: what it measures.
    pub summary: &'static str,
    /// Whose idea it is.
    pub citation: &'static str,
    /// The tool it equals.
    pub agrees_with: &'static str,
    /// Every option that can change a digit.
    pub options: &'static [OptionInfo],
    /// An option without which there is no such metric: a model, for those that learn.
    pub needs: Option<&'static str>,
    /// Makes one.
    pub build: fn(Options) -> Result<Box<dyn Metric>>,
    /// Makes one that compares two translations by itself, where the metric does more than score each.
    pub preference: Option<MakePreference>,
}

/// Makes a metric's own [`Preference`].
pub type MakePreference = fn(Options) -> Result<Box<dyn Preference>>;

/// Which end of the scale is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// As BLEU.
    HigherIsBetter,
    /// As error rates.
    LowerIsBetter,
}

/// A part of a score that is worth knowing: a precision, a length, a count of edits.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// Its name, in snake case: `precision_1`, `ref_len`.
    pub name: String,
    /// Its value.
    pub value: f64,
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

/// Scores translations. See the module's page for how the parts go together.
pub trait Metric: Send + Sync {
    /// Metric and options; [`scoring`](crate::scoring) adds the number of references.
    fn signature(&self) -> Signature;

    /// The name people print: `BLEU`, `chrF2++`.
    fn title(&self) -> String;

    /// Which end of the scale is good.
    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    /// Sees the references of every segment before the first tally, for what depends on all of them
    /// (NIST's information weights).
    fn prepare(&mut self, _references: &[&[&str]]) -> Result<()> {
        Ok(())
    }

    /// Summable evidence, one tally per segment. Segments that share their references should follow each other:
    /// see [`by_references`].
    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>>;

    /// The score of a corpus, from the sum of its tallies. The sum of none, an empty tally, scores 0.
    fn score(&self, total: &Tally) -> f64;

    /// The score of one segment, where it is computed differently from that of a corpus.
    fn segment_score(&self, tally: &Tally) -> f64 {
        self.score(tally)
    }

    /// The parts of the score, in stable order.
    fn components(&self, _total: &Tally) -> Vec<Component> {
        Vec::new()
    }

    /// What the cited tool prints after the score, if it prints anything.
    fn verbose(&self, _total: &Tally) -> Option<String> {
        None
    }

    /// The score of a bootstrap resample whose tallies were summed in single precision, for metrics whose cited tool
    /// does so. `None` for all others: their resamples are summed and scored in double precision.
    fn score_single(&self, _sums: &[f32]) -> Option<Resampled> {
        None
    }
}

/// Builds a metric from `name:key=value,key=value`, or from a [`Signature`] as printed. What a signature says of resources
/// must then hold of those that were found.
pub fn build(text: &str) -> Result<Box<dyn Metric>> {
    let (spec, circumstances) = text.split_once('|').unwrap_or((text, ""));
    let (info, options) = find(spec)?;
    let metric = (info.build)(options)?;
    check_circumstances(spec, circumstances, &metric.signature())?;
    Ok(metric)
}

/// What says which of two translations is better by a metric, written as [`build`] takes it: the metric's own
/// [`Preference`] if it has one, or else a [`LogisticPreference`] with the slope of [`SLOPES`].
///
/// A signature that was printed by the latter says `|slope=…`, and this slope is then used: it is as much a part of the
/// probabilities as the options are, and probabilities of an earlier version can be had again. So `chrf|slope=0.1` is
/// chrF with a slope of one's own. A metric with other options than its default ones has the same slope, since its
/// scale is the same; people who want it exact fit their own.
pub fn preference(text: &str) -> Result<Box<dyn Preference>> {
    let (spec, circumstances) = text.split_once('|').unwrap_or((text, ""));
    let (info, options) = find(spec)?;
    let given = circumstances.split('|').find_map(|pair| pair.strip_prefix("slope="));
    let Some(native) = info.preference else {
        let slope = slopes::slope(info.name, spec, given)?;
        return Ok(Box::new(LogisticPreference::new(build(text)?, slope)));
    };
    if given.is_some() {
        let reason = format!("{} compares translations by itself and has no slope", info.name);
        return Err(Error::BadMetric { text: text.to_owned(), reason });
    }
    let preference = native(options)?;
    check_circumstances(spec, circumstances, &preference.signature())?;
    Ok(preference)
}

/// The same metric with its files looked for in a folder, unless they are absolute.
pub fn beside(text: &str, folder: &std::path::Path) -> Result<String> {
    let (_, mut options) = find(text)?;
    options.place_files(folder)?;
    Ok(options.signature().metric_with_options())
}

/// Fails if a signature says something else than what was built does.
fn check_circumstances(spec: &str, circumstances: &str, built: &Signature) -> Result<()> {
    for (key, said) in circumstances.split('|').filter_map(|pair| pair.split_once('=')) {
        if let Some(found) = built.circumstance(key).filter(|found| *found != said) {
            let reason = format!("the signature says {key}={said}, but here it is {found}");
            return Err(Error::BadMetric { text: spec.to_owned(), reason });
        }
    }
    Ok(())
}

/// The metric of `name:key=value,key=value`, with its options.
fn find(spec: &str) -> Result<(&'static MetricInfo, Options)> {
    let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
    let name = name.trim().to_lowercase();
    for info in METRICS {
        if info.name == name {
            return Ok((info, Options::parse(info, options)?));
        }
        if let Some((_, stands_for)) = info.aliases.iter().find(|(alias, _)| *alias == name) {
            let preset = stands_for.split_once(':').map_or("", |(_, preset)| preset);
            return Ok((info, Options::parse(info, &format!("{preset},{options}"))?));
        }
    }
    if name.contains(',') {
        let reason = "metrics are given one by one, as in -m bleu -m chrf".to_owned();
        return Err(Error::BadMetric { text: spec.to_owned(), reason });
    }
    let aliases = METRICS.iter().flat_map(|info| info.aliases).map(|(alias, _)| *alias);
    let known: Vec<&str> = METRICS.iter().map(|info| info.name).chain(aliases).collect();
    Err(Error::UnknownMetric {
        nearest: nearest(&name, known.iter().copied()).map(str::to_owned),
        known: known.join(", "),
        name,
    })
}
