//! Siamese: how good a translation is, by an encoder that learned from human judgements.
//!
//! Hypothesis and reference go through the same transformer, each by itself. A small network compares the vectors of the two
//! sentences and how well their tokens match (`head.rs`). It was trained on rankings and direct assessments of WMT; see
//! `training/siamese`.
//!
//! # As a metric
//! The score of a segment is a percentile from 0 to 100: how many of the outputs of WMT's systems that the model was calibrated
//! on have a lower one. The component `raw` is the number that the network gives, about 0 for an average output, 1 for one that is better by a
//! standard deviation of human scores. The score of a system is the mean of its segments. With several references the
//! best one counts.
//!
//! The preference is P(a better than b) = σ((raw(a) − raw(b)) / T); T was fitted to rankings that the model has not learned from.
//!
//! # Choices
//! - If only one of hypothesis and reference has words, the score is the lowest of the calibration; if neither has, the highest.
//! - The end of a line that is longer than the window is left out, and a warning says so.
//! - Each distinct line of a batch is encoded once, so n systems cost n + 1 encodings per segment.

mod calibration;
#[cfg(feature = "siamese")]
mod embedded;
mod head;
mod import;
mod lines;
mod model;
#[cfg(test)]
mod tests;

pub use import::import;
pub use model::SiameseModel;

use super::{
    Component, Metric, MetricInfo, OptionInfo, Options, Preference, Scale, Segment, Spec, Tally,
    TranslationPair, Values,
};
use crate::error::Result;
use foldhash::HashMap;
use lines::LineVectors;
use std::sync::Arc;

/// The entry in [`METRICS`](super::METRICS).
pub(super) static INFO: MetricInfo = MetricInfo {
    name: "siamese",
    summary: "how good people would find a translation, by an encoder that learned from their judgements",
    citation: "training/siamese",
    agrees_with: "no public tool",
    scale: Scale::Hundred,
    options: &[OptionInfo {
        key: "model",
        values: Values::File,
        default: "auto",
        help: "a trained model, instead of the embedded one",
    }],
    needs: if cfg!(feature = "siamese") { None } else { Some("model") },
    preference: Some(|options| Ok(Arc::new(Siamese::from_options(options)?))),
    ..MetricInfo::new(|options| Ok(Arc::new(Siamese::from_options(options)?)))
};

/// Lines that are encoded together: the vectors of their tokens are held at once, about 100 KB each.
const LINES: usize = 96;

/// A model as a metric and as a preference.
#[derive(Clone)]
pub struct Siamese {
    options: Options,
    model: Arc<SiameseModel>,
}

/// The score of a segment.
#[derive(Clone, Copy, Debug)]
struct Scored {
    raw: f64,
    cut: bool,
}

impl Siamese {
    fn from_options(options: Options) -> Result<Self> {
        let model = match options.file("model") {
            Some(path) => Arc::new(SiameseModel::open(path)?),
            None => embedded()?,
        };
        Ok(Siamese { model, options })
    }

    /// The model.
    pub fn model(&self) -> &SiameseModel {
        &self.model
    }

    fn spec(&self) -> Spec {
        self.options.spec().with("sha256", self.model.hash())
    }

    /// The scores of segments; those with the same references should be adjacent.
    fn scored(&self, segments: &[Segment<'_>]) -> Vec<Scored> {
        let mut scored = Vec::with_capacity(segments.len());
        let mut rest = segments;
        while !rest.is_empty() {
            let (group, after) = rest.split_at(group_length(rest));
            scored.extend(self.scored_group(group));
            rest = after;
        }
        scored
    }

    fn scored_group(&self, group: &[Segment<'_>]) -> Vec<Scored> {
        let mut places: HashMap<&str, usize> = HashMap::default();
        let mut lines = Vec::new();
        let all = group.iter().flat_map(|segment| segment.references.iter().chain([&segment.hypothesis]));
        for line in all.map(|line| without_mark(line)) {
            places.entry(line).or_insert_with(|| {
                lines.push(line);
                lines.len() - 1
            });
        }
        let vectors = self.model.vectors(&lines);
        let of = |line: &str| &vectors[places[without_mark(line)]];
        group.iter().map(|segment| self.best(segment, of)).collect()
    }

    /// The score with the best reference.
    fn best<'v>(&self, segment: &Segment<'_>, of: impl Fn(&str) -> &'v LineVectors) -> Scored {
        let hypothesis = of(segment.hypothesis);
        let [lowest, highest] = self.model.calibration.ends();
        let mut best = Scored { raw: f64::NEG_INFINITY, cut: hypothesis.cut };
        for reference in segment.references {
            let reference = of(reference);
            let raw = match (hypothesis.is_empty(), reference.is_empty()) {
                (true, true) => highest,
                (false, false) => self.model.head.score(hypothesis, reference),
                _ => lowest,
            };
            best = Scored { raw: best.raw.max(raw), cut: best.cut || reference.cut };
        }
        Scored { raw: if best.raw.is_finite() { best.raw } else { lowest }, ..best }
    }
}

#[cfg(feature = "siamese")]
fn embedded() -> Result<Arc<SiameseModel>> {
    Ok(SiameseModel::english().clone())
}

#[cfg(not(feature = "siamese"))]
fn embedded() -> Result<Arc<SiameseModel>> {
    let reason = "it needs model=FILE, a trained model: this program was built without one".to_owned();
    Err(crate::error::Error::BadSpec { what: "metric", text: INFO.name.to_owned(), reason })
}

fn without_mark(line: &str) -> &str {
    line.strip_prefix('\u{feff}').unwrap_or(line)
}

/// The number of segments of the first group: all with the same references, until there are enough lines.
fn group_length(segments: &[Segment<'_>]) -> usize {
    let mut length = 0;
    let mut lines = 0;
    for run in segments.chunk_by(|one, other| one.references == other.references) {
        length += run.len();
        lines += run.len() + run[0].references.len();
        if lines >= LINES {
            break;
        }
    }
    length
}

impl Metric for Siamese {
    fn signature(&self) -> Spec {
        self.spec()
    }

    fn title(&self) -> String {
        "Siamese".to_owned()
    }

    fn learned_from(&self) -> Option<&str> {
        let mut notes = self.model.notes().iter();
        notes.find(|(key, _)| key == "trained_on").map(|(_, sets)| sets.as_str())
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let tally = |scored: Scored| {
            let percentile = self.model.calibration.percentile(scored.raw);
            Tally::new(vec![percentile, 1.0, scored.raw, f64::from(u8::from(scored.cut))])
        };
        Ok(self.scored(batch).into_iter().map(tally).collect())
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        let [_, count, raw, ..] = total[..] else { return Vec::new() };
        vec![Component::new("raw", raw / count.max(1.0))]
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        tally.get(3).is_some_and(|cut| *cut > 0.0)
    }

    fn unfinished_warning(&self, count: usize) -> String {
        let segments = if count == 1 { "segment is" } else { "segments are" };
        let window = self.model.window();
        let title = Metric::title(self);
        format!("{title}: {count} {segments} longer than the window of {window} tokens; the end was left out")
    }
}

impl Preference for Siamese {
    fn signature(&self) -> Spec {
        self.spec()
    }

    fn title(&self) -> String {
        Metric::title(self)
    }

    fn prefer_all(&self, pairs: &[TranslationPair<'_>]) -> Result<Vec<f64>> {
        let segments: Vec<Segment<'_>> = pairs
            .iter()
            .flat_map(|pair| pair.both().map(|text| Segment::new(text, pair.references)))
            .collect();
        let scored = self.scored(&segments);
        let probability = |[a, b]: &[Scored; 2]| self.model.calibration.preference([a.raw, b.raw]);
        Ok(scored.as_chunks().0.iter().map(probability).collect())
    }
}
