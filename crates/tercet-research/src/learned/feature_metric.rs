//! A trained model over features and encoders, as a metric and as a preference.

use super::features::{FeatureColumn, MeasuredFeature, readers};
use super::inputs::{Block, ModelInputs, encode};
use super::judged::JudgedTexts;
use crate::encode::{SentenceEncoder, cut_warning, cuts_a_line};
use crate::error::{Error, Result};
use crate::metrics::preference::logistic;
use crate::metrics::{Metric, MetricInfo, Preference, Segment, Tally, TranslationPair};
use crate::progress::Progress;
use crate::spec::{Options, Spec};
use crate::warning::Warning;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tercet_model::model_file::ModelRecord;

/// A model that scores translations by the columns of its features and the vectors of its encoders.
pub(crate) trait FeatureModel: Send + Sync {
    /// The hash and the notes of the model.
    fn record(&self) -> &ModelRecord;

    /// The features and encoders.
    fn inputs(&self) -> &ModelInputs;

    /// The score of every translation.
    fn scores(&self, judged: &JudgedTexts, columns: Vec<FeatureColumn>, blocks: Vec<Block>) -> Result<Vec<f64>>;

    /// How translations are compared.
    fn comparison(&self) -> Comparison<'_>;
}

/// The log-odds that the first translation of every pair is better.
pub(crate) type PairLogits<'m> = dyn Fn(&JudgedTexts, Vec<FeatureColumn>, Vec<Block>) -> Result<Vec<f64>> + 'm;

/// How a model compares two translations.
pub(crate) enum Comparison<'m> {
    /// By the difference of their scores, times this slope.
    OfScores(f64),
    /// By a look at both.
    OfPairs(Box<PairLogits<'m>>),
}

/// A model as a metric and as a preference.
#[derive(Clone)]
pub struct FeatureMetric {
    info: &'static MetricInfo,
    title: &'static str,
    options: Options,
    model: Arc<dyn FeatureModel>,
    /// The features of the model, prepared for the references of all segments if a metric depends on them.
    features: Vec<MeasuredFeature>,
    /// The encoders that read lines, those of metrics among its features too.
    readers: Vec<Arc<dyn SentenceEncoder>>,
    /// Translations that were compared without the end of a line.
    cut: Arc<AtomicUsize>,
}

/// The file of the model that the options of a metric name.
pub(crate) fn model_path<'o>(options: &'o Options, metric: &str) -> Result<&'o Path> {
    options.file("model").ok_or_else(|| {
        let reason = "it needs model=FILE, a model that was trained".to_owned();
        Error::BadSpec { what: "metric", text: metric.to_owned(), reason }
    })
}

impl FeatureMetric {
    pub(crate) fn new(
        info: &'static MetricInfo,
        title: &'static str,
        options: Options,
        model: Arc<dyn FeatureModel>,
    ) -> Self {
        let (features, readers) = (model.inputs().features.clone(), readers(model.inputs()));
        FeatureMetric { info, title, options, model, features, readers, cut: Arc::default() }
    }

    /// The hash and the notes of the model.
    pub fn record(&self) -> &ModelRecord {
        self.model.record()
    }

    fn prepared(&self, references: &[&[&str]]) -> Result<Self> {
        let single: Vec<&[&str]> = references.iter().flat_map(|references| references.chunks(1)).collect();
        let features = self.features.iter().map(|feature| feature.prepare(&single)).collect::<Result<_>>()?;
        Ok(FeatureMetric { features, ..self.clone() })
    }

    /// Whether an encoder leaves out the end of a line.
    fn is_long(&self, segment: &Segment<'_>) -> bool {
        cuts_a_line(&self.readers, &[segment.references, &[segment.hypothesis]].concat())
    }

    /// The columns and vectors of translations, each with one reference.
    fn measured(&self, judged: &JudgedTexts) -> Result<(Vec<FeatureColumn>, Vec<Block>)> {
        let references: Vec<[&str; 1]> = judged.references.iter().map(|line| [line.as_str()]).collect();
        let segments: Vec<Segment<'_>> = judged
            .translations
            .iter()
            .map(|translation| Segment::new(&translation.text, &references[translation.segment as usize]))
            .collect();
        let mut columns = Vec::new();
        for feature in &self.features {
            columns.extend(feature.columns(&segments)?);
        }
        let encoders = self.model.inputs().encoders.iter();
        let blocks = encoders.map(|encoder| encode(encoder.as_ref(), judged, Progress::none()));
        Ok((columns, blocks.collect::<Result<_>>()?))
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
        let (columns, blocks) = self.measured(&judged)?;
        let mut scores = self.model.scores(&judged, columns, blocks)?.into_iter();
        Ok(segments.iter().map(|segment| mean(&mut scores, segment.references.len())).collect())
    }
}

/// The mean of the next numbers, one for each reference.
fn mean(numbers: &mut impl Iterator<Item = f64>, references: usize) -> f64 {
    numbers.take(references).sum::<f64>() / references.max(1) as f64
}

impl Metric for FeatureMetric {
    fn info(&self) -> &MetricInfo {
        self.info
    }

    fn signature(&self) -> Spec {
        self.options.spec().with("sha256", &self.record().hash)
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
        self.record().note("trained_on")
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }

    fn strength(&self, tally: &Tally) -> Option<f64> {
        match self.model.comparison() {
            Comparison::OfScores(slope) => Some(slope * self.segment_score(tally)),
            Comparison::OfPairs(_) => None,
        }
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        tally.get(2).is_some_and(|long| *long > 0.0)
    }

    fn unfinished_warning(&self, count: usize) -> Warning {
        cut_warning(self.title, count, &self.readers)
    }
}

impl Preference for FeatureMetric {
    fn metric(&self) -> &dyn Metric {
        self
    }

    fn prepare(&self, references: &[&[&str]]) -> Result<Option<Arc<dyn Preference>>> {
        Ok(Some(Arc::new(self.prepared(references)?)))
    }

    fn prefer_all(&self, pairs: &[TranslationPair<'_>]) -> Result<Vec<f64>> {
        let segments: Vec<Segment<'_>> =
            pairs.iter().flat_map(|pair| pair.both().map(|text| Segment::new(text, pair.references))).collect();
        let long = segments.iter().filter(|segment| self.is_long(segment)).count();
        self.cut.fetch_add(long, Ordering::Relaxed);
        let logits = match self.model.comparison() {
            Comparison::OfScores(slope) => {
                return Ok(self
                    .scores(&segments)?
                    .as_chunks()
                    .0
                    .iter()
                    .map(|[a, b]| logistic(slope * (a - b)))
                    .collect());
            }
            Comparison::OfPairs(logits) => logits,
        };
        let mut judged = JudgedTexts::default();
        for pair in pairs {
            pair.references.iter().for_each(|reference| judged.add_pair(pair.a, pair.b, reference));
        }
        if judged.pairs.is_empty() {
            return Ok(vec![0.5; pairs.len()]);
        }
        let (columns, blocks) = self.measured(&judged)?;
        let mut logits = logits(&judged, columns, blocks)?.into_iter();
        Ok(pairs.iter().map(|pair| logistic(mean(&mut logits, pair.references.len()))).collect())
    }

    fn unfinished(&self) -> usize {
        self.cut.load(Ordering::Relaxed)
    }
}
