//! RUSE: a regression over sentence vectors of translation and reference (Shimanaka, Kajiwara & Komachi, WMT 2018).
//!
//! ```text
//! score(t, r) = f([t, r, t ⊙ r, |t − r|])
//! ```
//!
//! t and r are the vectors that any [encoder](crate::encode) gives for the translation and its reference, of several encoders one
//! after the other; f is a support vector regression on direct assessments, or another regression. Scores of other metrics
//! can be further features: [`blend`](super::blend) is the same with metrics alone.
//!
//! | step | |
//! |---|---|
//! | [`Recipe`], [`train`] | all steps, with the settings of a TOML file |
//! | [`FeatureTable`] | judged texts → rows of features |
//! | [`RegressionModel`] | a regression with its metrics and encoders, stored in a model file |
//! | [`RegressionMetric`] | a model as a metric and as a preference |
//!
//! # As a metric
//! `ruse:model=FILE` predicts the score of each segment on the scale of the scores it learned from: standardised direct
//! assessments are around 0. The score of a corpus is the mean over its segments. The preference is a logistic curve on the
//! difference of two scores, with a slope that was fitted to predictions of cross-validation.
//!
//! # Choices
//! The paper's settings are the defaults: ε-SVR with the RBF kernel, C, ε and γ from 0.01, 0.1, 1 and 10 by 10-fold cross-validation
//! on the mean squared error, folds of neighbouring examples as scikit-learn makes them, no scaling. With several references the
//! scores for each of them are averaged.
//!
//! # Agreement
//! The regression equals scikit-learn's: [`tercet_learn::svr`]. The published encoders are not needed; `tercet reproduce ruse` compares
//! with the published table.

mod data;
mod model;
mod recipe;
#[cfg(test)]
mod tests;
mod training;

pub use data::FeatureTable;
pub use model::RegressionModel;
pub(super) use recipe::check_together;
pub use recipe::{Data, DataEntry, Inputs, Recipe, Regression};
pub use training::train;
pub(super) use training::{TrainingPlan, train_plan};

use crate::encode::{SentenceEncoder, cut_warning, cuts_a_line};
use crate::error::{Error, Result};
use crate::learned::{JudgedTexts, MeasuredFeature, readers};
use crate::metrics::preference::logistic;
use crate::metrics::{
    Metric, MetricInfo, OptionInfo, Options, Preference, Registry, Scale, Segment, Spec, Tally,
    TranslationPair, Values,
};
use crate::warning::Warning;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "ruse",
    summary: "a regression over sentence vectors of translation and reference, learned from scores",
    citation: "Shimanaka et al., WMT 2018",
    agrees_with: "no public tool",
    scale: Scale::One,
    options: &OPTIONS,
    needs: Some("model"),
    preference: Some(|options, registry| {
        Ok(Arc::new(RegressionMetric::from_options(&INFO, "RUSE", options, registry)?))
    }),
    ..MetricInfo::new(|options, registry| {
        Ok(Arc::new(RegressionMetric::from_options(&INFO, "RUSE", options, registry)?))
    })
};

/// The options of `ruse` and `blend`.
pub(super) static OPTIONS: [OptionInfo; 2] = [
    OptionInfo { key: "model", values: Values::File, default: "auto", help: "the trained model" },
    OptionInfo {
        key: "files",
        values: Values::File,
        default: "auto",
        help: "the folder of its encoders' and metrics' files, if they have moved",
    },
];

/// A model as a metric and as a preference.
#[derive(Clone)]
pub struct RegressionMetric {
    info: &'static MetricInfo,
    title: &'static str,
    options: Options,
    model: Arc<RegressionModel>,
    /// The features of the model, prepared for the references of all segments if a metric depends on them.
    features: Vec<MeasuredFeature>,
    /// The encoders that read lines, those of metrics among its features too.
    readers: Vec<Arc<dyn SentenceEncoder>>,
    /// Translations that were compared without the end of a line.
    cut: Arc<AtomicUsize>,
}

impl RegressionMetric {
    /// Opens the model that the options name.
    pub(super) fn from_options(
        info: &'static MetricInfo,
        title: &'static str,
        options: Options,
        registry: &Registry,
    ) -> Result<Self> {
        let Some(path) = options.file("model") else {
            let reason = "it needs model=FILE, a model that was trained".to_owned();
            return Err(Error::BadSpec { what: "metric", text: info.name.to_owned(), reason });
        };
        let model = RegressionModel::open(info.name, path, options.file("files"), registry)?;
        let readers = readers(&model.encoders, &model.features);
        let (features, cut) = (model.features.clone(), Arc::default());
        Ok(RegressionMetric { info, title, features, model: Arc::new(model), options, readers, cut })
    }

    /// The model.
    pub fn model(&self) -> &RegressionModel {
        &self.model
    }

    fn spec(&self) -> Spec {
        self.options.spec().with("sha256", self.model.hash())
    }

    fn prepared(&self, references: &[&[&str]]) -> Result<Self> {
        let single: Vec<&[&str]> = references.iter().flat_map(|references| references.chunks(1)).collect();
        let features = self.features.iter().map(|feature| feature.prepare(&single)).collect::<Result<_>>()?;
        Ok(RegressionMetric { features, ..self.clone() })
    }

    /// Whether an encoder leaves out the end of a line.
    fn is_long(&self, segment: &Segment<'_>) -> bool {
        cuts_a_line(&self.readers, &[segment.references, &[segment.hypothesis]].concat())
    }

    /// The score of each segment: the mean over its references.
    fn scores(&self, segments: &[Segment<'_>]) -> Result<Vec<f64>> {
        let mut judged = JudgedTexts::default();
        for segment in segments {
            segment.references.iter().for_each(|reference| judged.add(segment.hypothesis, reference));
        }
        if judged.translations.is_empty() {
            return Ok(vec![0.0; segments.len()]);
        }
        let mut scores = self.model.scores(&self.features, &judged)?.into_iter();
        let mean = |segment: &Segment<'_>| {
            let of_segment = scores.by_ref().take(segment.references.len());
            of_segment.sum::<f64>() / segment.references.len().max(1) as f64
        };
        Ok(segments.iter().map(mean).collect())
    }
}

impl Metric for RegressionMetric {
    fn info(&self) -> &MetricInfo {
        self.info
    }

    fn signature(&self) -> Spec {
        self.spec()
    }

    fn title(&self) -> String {
        self.title.to_owned()
    }

    fn prepare(&self, references: &[&[&str]]) -> Result<Option<Arc<dyn Metric>>> {
        Ok(Some(Arc::new(self.prepared(references)?)))
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let is_long = |segment| f64::from(u8::from(self.is_long(segment)));
        let scored = self.scores(batch)?.into_iter().zip(batch);
        Ok(scored.map(|(score, segment)| Tally::new(vec![score, 1.0, is_long(segment)])).collect())
    }

    fn learned_from(&self) -> Option<&str> {
        let mut notes = self.model.notes().iter();
        notes.find(|(key, _)| key == "trained_on").map(|(_, sets)| sets.as_str())
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }

    fn strength(&self, tally: &Tally) -> Option<f64> {
        Some(self.model.slope * self.segment_score(tally))
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        tally.get(2).is_some_and(|long| *long > 0.0)
    }

    fn unfinished_warning(&self, count: usize) -> Warning {
        cut_warning(self.title, count, &self.readers)
    }
}

impl Preference for RegressionMetric {
    fn signature(&self) -> Spec {
        self.spec()
    }

    fn title(&self) -> String {
        Metric::title(self)
    }

    fn prepare(&self, references: &[&[&str]]) -> Result<Option<Arc<dyn Preference>>> {
        Ok(Some(Arc::new(self.prepared(references)?)))
    }

    fn prefer_all(&self, pairs: &[TranslationPair<'_>]) -> Result<Vec<f64>> {
        let segments: Vec<Segment<'_>> = pairs
            .iter()
            .flat_map(|pair| pair.both().map(|text| Segment::new(text, pair.references)))
            .collect();
        let long = segments.iter().filter(|segment| self.is_long(segment)).count();
        self.cut.fetch_add(long, Ordering::Relaxed);
        let probability = |[a, b]: &[f64; 2]| logistic(self.model.slope * (a - b));
        Ok(self.scores(&segments)?.as_chunks().0.iter().map(probability).collect())
    }

    fn unfinished(&self) -> usize {
        self.cut.load(Ordering::Relaxed)
    }

    fn unfinished_warning(&self, count: usize) -> Warning {
        Metric::unfinished_warning(self, count)
    }
}
