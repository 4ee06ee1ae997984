//! Siamese: how good a translation is, by an encoder that learned from human judgements.
//!
//! Hypothesis and reference go through the same transformer, each by itself. A small network compares the vectors of
//! the two sentences and how well their tokens match (`head.rs`). It was trained on rankings and direct assessments of
//! WMT; see `training/siamese`. `tercet-research` fine-tunes a model on further judgements.
//!
//! # As a metric
//! The score of a segment is in points from 0 to 100: the median of the outputs of WMT's systems that the model was
//! calibrated on has 50, and 20 points are their standard deviation. `scale=percentile` says instead how many per cent
//! of these outputs are worse, and `scale=raw` is the number that the network gives, about 0 for an average output and
//! 1 for one that is better by a standard deviation of human scores; the components have both. Between 10 and 90,
//! points are in proportion to the network's number, because percentiles agree less with people: they differ most among
//! average outputs and least among the best and worst. The score of a system is the mean of its segments. With several
//! references the best one counts.
//!
//! The preference is P(a better than b) = σ((raw(a) − raw(b)) / T); T was fitted to rankings that the model has not
//! learned from.
//!
//! # Choices
//! - If only one of hypothesis and reference has words, the score is the lowest of the calibration; if neither has, the
//!   highest.
//! - A line that is longer than the window of 256 tokens is encoded in up to eight parts (`lines.rs`); the end of a
//!   still longer one is left out, and a warning says so. A hypothesis that is longer than the window and has more than
//!   twice as many tokens as the reference has the lowest score: repeated words find their partners again and again.
//! - Words without a good partner on the other side are found by the same matching of tokens (`explain.rs`).
//! - Lines are encoded in groups of about a hundred, each distinct line of a group once, so n systems cost n + 1
//!   encodings per segment. n candidates with each other as references cost n.

pub mod calibration;
#[cfg(feature = "siamese")]
mod embedded;
mod explain;
pub mod head;
mod import;
pub mod lines;
pub mod model;
pub mod tensors;
#[cfg(test)]
mod tests;

pub use import::import;
pub use model::SiameseModel;
pub use tensors::WeightFormat;

use crate::encode::without_mark;
use crate::error::Result;
use crate::metrics::{
    Component, CrossScores, Explain, LanguageRules, MarkWords, Metric, MetricInfo, OptionInfo, Options, Paper,
    Preference, Scale, Segment, Spec, Tally, TranslationPair, Values,
};
use crate::warning::{EnglishPart, LanguageProblem, Warning};
use foldhash::{HashMap, HashSet};
use lines::LineVectors;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tercet_model::model_file::ModelFile;

/// The entry in a [`Registry`](crate::metrics::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "siamese",
    summary: "how good people would find a translation, by an encoder that learned from their judgements",
    citation: "training/siamese",
    papers: &[PAPER],
    agrees_with: "no public tool",
    scale: Scale::Hundred,
    options: &[
        OptionInfo::file("model", "a trained model, instead of the embedded one"),
        OptionInfo {
            key: "scale",
            values: Values::Choice(&["points", "percentile", "raw"]),
            default: "points",
            help: "50 is an average output and 20 a standard deviation; per cent of outputs that are worse; the \
                   network's number",
        },
    ],
    language: LanguageRules {
        problem: |signature, language, _| {
            let is_other = language.code() != "en" && signature.option("model").is_none();
            is_other.then_some(LanguageProblem::EnglishOnly { because: EnglishPart::Judgements })
        },
        ..LanguageRules::NONE
    },
    needs: if cfg!(feature = "siamese") { None } else { Some("model") },
    preference: Some(|options, _| Ok(Arc::new(Siamese::from_options(options)?))),
    ..MetricInfo::new(|options, _| Ok(Arc::new(Siamese::from_options(options)?)))
};

const PAPER: Paper = Paper {
    short: "tercet",
    bibtex: concat!(
        "@software{tercet,\n  title   = {tercet: a toolkit for judging machine translation},\n",
        "  author  = {{the tercet authors}},\n  version = {",
        env!("CARGO_PKG_VERSION"),
        "},\n}"
    ),
};

/// Lines that are encoded together: the vectors of their tokens are held at once, about 100 KB each.
const LINES: usize = 96;

/// Bytes of text that count as a line more.
const LINE_BYTES: usize = 512;

/// A model as a metric and as a preference.
#[derive(Clone)]
pub struct Siamese {
    options: Options,
    model: Arc<SiameseModel>,
    /// Translations that were compared, or their references, whose end was left out.
    cut: Arc<AtomicUsize>,
}

/// The score of a segment.
#[derive(Clone, Copy, Debug)]
struct Scored {
    raw: f64,
    cut: bool,
    /// The best reference, if there are any.
    reference: Option<usize>,
}

impl Siamese {
    fn from_options(options: Options) -> Result<Self> {
        let model = match options.file("model") {
            Some(path) => Arc::new(SiameseModel::open(path)?),
            None => embedded()?,
        };
        Ok(Siamese { model, options, cut: Arc::default() })
    }

    /// The model.
    pub fn model(&self) -> &SiameseModel {
        &self.model
    }

    /// The score of the network on the scale that was asked for.
    fn on_scale(&self, raw: f64) -> f64 {
        match self.options.text("scale") {
            "percentile" => self.model.calibration.percentile(raw),
            "raw" => raw,
            _ => self.model.calibration.points(raw),
        }
    }

    /// The scores of segments; those with the same references should be adjacent.
    fn scored(&self, segments: &[Segment<'_>]) -> Vec<Scored> {
        self.in_groups(segments, |segment, vectors| self.best(segment, |line| &vectors[without_mark(line)]))
    }

    /// Calls `result` for each segment; lines are encoded in groups.
    fn in_groups<R>(
        &self,
        segments: &[Segment<'_>],
        result: impl Fn(&Segment<'_>, &HashMap<&str, LineVectors>) -> R,
    ) -> Vec<R> {
        let mut results = Vec::with_capacity(segments.len());
        let mut rest = segments;
        while !rest.is_empty() {
            let (group, after) = rest.split_at(group_length(rest));
            let lines = group.iter().flat_map(|segment| segment.references.iter().chain([&segment.hypothesis]));
            let vectors = self.distinct_vectors(lines.copied());
            results.extend(group.iter().map(|segment| result(segment, &vectors)));
            rest = after;
        }
        results
    }

    /// The vectors of lines, each of them encoded once.
    fn distinct_vectors<'l>(&self, lines: impl Iterator<Item = &'l str>) -> HashMap<&'l str, LineVectors> {
        let mut known = HashSet::default();
        let distinct: Vec<&str> = lines.map(without_mark).filter(|line| known.insert(*line)).collect();
        distinct.iter().copied().zip(self.model.vectors(&distinct)).collect()
    }

    /// The score with the best reference.
    fn best<'v>(&self, segment: &Segment<'_>, of: impl Fn(&str) -> &'v LineVectors) -> Scored {
        let hypothesis = of(segment.hypothesis);
        let [lowest, highest] = self.model.calibration.ends();
        let mut best = Scored { raw: f64::NEG_INFINITY, cut: hypothesis.cut, reference: None };
        for (place, reference) in segment.references.iter().enumerate() {
            let reference = of(reference);
            let raw = match (hypothesis.is_empty(), reference.is_empty()) {
                (true, true) => highest,
                _ if hypothesis.is_far_longer_than(reference) => lowest,
                (false, false) => self.model.head.score(hypothesis, reference),
                _ => lowest,
            };
            if raw > best.raw || best.raw.is_nan() || best.reference.is_none() {
                (best.raw, best.reference) = (raw, Some(place));
            }
            best.cut |= reference.cut;
        }
        Scored { raw: if best.raw.is_finite() { best.raw } else { lowest }, ..best }
    }
}

#[cfg(feature = "siamese")]
fn embedded() -> Result<Arc<SiameseModel>> {
    Ok(SiameseModel::english().clone())
}

/// The file of the embedded model.
#[cfg(feature = "siamese")]
pub fn embedded_file() -> Result<ModelFile> {
    SiameseModel::english_file()
}

#[cfg(not(feature = "siamese"))]
/// Fails: this build has no embedded model.
pub fn embedded_file() -> Result<ModelFile> {
    let what = "start is missing: name a model, for this program was built without one";
    Err(crate::error::Error::BadRequest(what.to_owned()))
}

#[cfg(not(feature = "siamese"))]
fn embedded() -> Result<Arc<SiameseModel>> {
    let reason = "it needs model=FILE, a trained model: this program was built without one".to_owned();
    Err(crate::error::Error::BadSpec { what: "metric", text: INFO.name.to_owned(), reason })
}

/// The number of segments of the first group: all with the same references, until there are enough lines, long ones
/// counting as several. More segments with the same references than that are several groups.
fn group_length(segments: &[Segment<'_>]) -> usize {
    let lines_of = |text: &&str| 1 + text.len() / LINE_BYTES;
    let mut length = 0;
    let mut lines = 0;
    for run in segments.chunk_by(|one, other| one.references == other.references) {
        let mut of_run = 0;
        for segment in run {
            length += 1;
            of_run += lines_of(&segment.hypothesis);
            if of_run >= LINES {
                return length;
            }
        }
        lines += of_run + run[0].references.iter().map(lines_of).sum::<usize>();
        if lines >= LINES {
            break;
        }
    }
    length
}

impl Metric for Siamese {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        self.options.spec().with("sha256", &self.model.record().hash)
    }

    fn title(&self) -> String {
        "Siamese".to_owned()
    }

    fn learned_from(&self) -> Option<&str> {
        self.model.record().note("trained_on")
    }

    fn explainer(&self) -> Option<&dyn Explain> {
        Some(self)
    }

    fn marker(&self) -> Option<&dyn MarkWords> {
        Some(self)
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let tally = |scored: Scored| {
            let percentile = self.model.calibration.percentile(scored.raw);
            let cut = f64::from(u8::from(scored.cut));
            Tally::new(vec![self.on_scale(scored.raw), 1.0, scored.raw, percentile, cut])
        };
        Ok(self.scored(batch).into_iter().map(tally).collect())
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }

    fn strength(&self, tally: &Tally) -> Option<f64> {
        tally.get(2).map(|raw| self.model.calibration.log_odds(*raw))
    }

    /// n lines cost n encodings.
    fn cross_scores(&self, lines: &[&str]) -> Result<CrossScores> {
        let vectors = self.distinct_vectors(lines.iter().copied());
        let with_reference = |reference: &&str| -> Vec<Scored> {
            let score =
                |line: &&str| self.best(&Segment::new(line, &[*reference]), |line| &vectors[without_mark(line)]);
            lines.iter().map(score).collect()
        };
        let scored: Vec<Scored> = lines.par_iter().flat_map_iter(with_reference).collect();
        Ok(CrossScores {
            scores: scored.iter().map(|scored| self.on_scale(scored.raw)).collect(),
            unfinished: scored.iter().filter(|scored| scored.cut).count(),
        })
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        let [_, count, raw, percentile, ..] = total[..] else { return Vec::new() };
        let mean = |sum: f64| sum / count.max(1.0);
        vec![Component::new("raw", mean(raw)), Component::new("percentile", mean(percentile))]
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        tally.get(4).is_some_and(|cut| *cut > 0.0)
    }

    fn unfinished_warning(&self, count: usize) -> Warning {
        let (metric, window) = (self.title(), self.model.longest());
        Warning::LongSegments { metric, segments: count, window }
    }
}

impl Preference for Siamese {
    fn metric(&self) -> &dyn Metric {
        self
    }

    fn unfinished(&self) -> usize {
        self.cut.load(Ordering::Relaxed)
    }

    fn prefer_all(&self, pairs: &[TranslationPair<'_>]) -> Result<Vec<f64>> {
        let segments: Vec<Segment<'_>> =
            pairs.iter().flat_map(|pair| pair.both().map(|text| Segment::new(text, pair.references))).collect();
        let scored = self.scored(&segments);
        self.cut.fetch_add(scored.iter().filter(|scored| scored.cut).count(), Ordering::Relaxed);
        let probability = |[a, b]: &[Scored; 2]| self.model.calibration.preference([a.raw, b.raw]);
        Ok(scored.as_chunks().0.iter().map(probability).collect())
    }

    fn prefer_tallies(&self, a: &Tally, b: &Tally) -> Option<f64> {
        Some(self.model.calibration.preference([*a.get(2)?, *b.get(2)?]))
    }
}
