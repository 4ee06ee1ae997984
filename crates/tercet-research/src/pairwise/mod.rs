//! The pairwise network: given a reference, which of two translations is better? (Guzmán et al., ACL 2015; CSL 2017).
//!
//! ```text
//! f(t₁, t₂, r) = sig(wᵀ [h₁₂, h₁ᵣ, h₂ᵣ, ψ(t₁, r), ψ(t₂, r)] + b)        h_xy = tanh(W_xy [x, y] + b_xy)
//! ```
//!
//! x are sentence vectors (averages of word vectors, syntax vectors, any [`SentenceEncoder`],
//! or the output of a CNN or LSTM that is trained with the network), ψ scores of other metrics
//! ([`Feature`](crate::learned::Feature)). It is trained on judgements of which of two is better, without ties, every pair in both
//! orders.
//!
//! | step | |
//! |---|---|
//! | [`JudgedTexts`] | judgements → distinct translations, pairs of them |
//! | [`measure`](crate::learned::measure), [`encode`](crate::learned::encode()), [`Vocabulary`](crate::learned::Vocabulary) | their features, sentence vectors, word lists → [`Inputs`] |
//! | [`fit`] | inputs → [`Fitted`], which compares pairs and scores single translations |
//! | [`PairwiseModel`] | a [`Fitted`] with its metrics and encoders, stored in a model file |
//! | [`Pairwise`] | a model as a metric and as a preference |
//! | [`Recipe`], [`train`] | all steps, with the settings of a TOML file |
//!
//! # As a metric
//! `pairwise:model=FILE` compares a translation with an empty one (sec. 6.1). Scores are from −1 to 1; ½(1 + score) is roughly the
//! probability to be better than an average translation. The score of a corpus is the mean over its segments. As a preference it
//! is antisymmetric by construction: [`PairLogits::probability`].
//!
//! # Choices
//! With several references, scores (or logits) for each of them are averaged.
//!
//! # Agreement
//! There is no other public implementation. `tercet reproduce guzman` compares our results with the published tables.

mod fit;
mod fitted;
mod model;
mod recipe;
mod tables;
#[cfg(test)]
mod tests;
mod training;

pub use fit::{Plan, WordPlan, fit};
pub use fitted::{EmptyTranslation, Fitted, PairLogits};
pub use model::{MovedFiles, PairwiseModel};
pub use recipe::{Data, FOUR_METRICS, InputSources, Learning, NetworkSizes, Recipe, WordRecipe};
pub use tables::LearningSet;
pub use training::train;

use crate::encode::{SentenceEncoder, cut_warning, cuts_a_line};
use crate::error::{Error, Result};
use crate::learned::{self, Column, Inputs, JudgedTexts, MeasuredFeature, Translation};
use crate::metrics::preference::logistic;
use crate::metrics::{
    Metric, MetricInfo, OptionInfo, Options, Preference, Registry, Scale, Segment, Spec, Tally,
    TranslationPair, Values,
};
use crate::progress::Progress;
use crate::spec::file_value;
use crate::warning::Warning;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "pairwise",
    summary: "a network that learned from judgements which of two translations is better",
    citation: "Guzmán et al., ACL 2015, CSL 2017",
    agrees_with: "no public tool",
    scale: Scale::One,
    options: &[
        option("model", Values::File, "the trained model"),
        OptionInfo {
            key: "empty",
            values: Values::Choice(&["averages", "zeros"]),
            default: "averages",
            help: "what a single translation is compared with",
        },
        option("vectors", Values::File, "word vectors of the model, if they have moved"),
        option("sentences", Values::File, "precomputed sentence vectors of the model, if they have moved"),
        option("parser", Values::File, "the parser of its syntax vectors, if it is not the one inside"),
        option("paraphrase", Values::File, "METEOR's paraphrase table, if it has moved"),
    ],
    needs: Some("model"),
    preference: Some(|options, registry| Ok(Arc::new(Pairwise::from_options(options, registry)?))),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Pairwise::from_options(options, registry)?)))
};

const fn option(key: &'static str, values: Values, help: &'static str) -> OptionInfo {
    OptionInfo { key, values, default: "auto", help }
}

/// A model as a metric and as a preference.
#[derive(Clone)]
pub struct Pairwise {
    options: Options,
    model: Arc<PairwiseModel>,
    /// The features of the model, prepared for the references of all segments if a metric depends on them.
    features: Vec<MeasuredFeature>,
    empty: EmptyTranslation,
    /// The encoders that read lines, those of metrics among its features too.
    readers: Vec<Arc<dyn SentenceEncoder>>,
    /// Translations that were compared without the end of a line.
    cut: Arc<AtomicUsize>,
}

impl Pairwise {
    /// Opens the model that the options name.
    fn from_options(options: Options, registry: &Registry) -> Result<Self> {
        let file = |key: &str| options.file(key).map(PathBuf::from);
        let Some(path) = file("model") else {
            let reason = "it needs model=FILE, a model that was trained".to_owned();
            return Err(Error::BadSpec { what: "metric", text: INFO.name.to_owned(), reason });
        };
        let files = MovedFiles {
            vectors: file("vectors"),
            sentences: file("sentences"),
            parser: file("parser"),
            paraphrase: file("paraphrase"),
        };
        let (model, empty) = (PairwiseModel::open(&path, &files, registry)?, options.text("empty").parse()?);
        let readers = learned::readers(&model.encoders, &model.features);
        let (features, cut) = (model.features.clone(), Arc::default());
        Ok(Pairwise { options, features, model: Arc::new(model), empty, readers, cut })
    }

    /// Opens a model.
    pub fn open(path: &Path, registry: &Registry) -> Result<Self> {
        let spec = Spec::new(INFO.name).with_option("model", file_value(path)?);
        Self::from_options(INFO.declared().read(&spec)?, registry)
    }

    /// The model.
    pub fn model(&self) -> &PairwiseModel {
        &self.model
    }

    fn spec(&self) -> Spec {
        self.options.spec().with("sha256", self.model.hash())
    }

    fn prepared(&self, references: &[&[&str]]) -> Result<Self> {
        let single: Vec<&[&str]> = references.iter().flat_map(|references| references.chunks(1)).collect();
        let features = self.features.iter().map(|feature| feature.prepare(&single)).collect::<Result<_>>()?;
        Ok(Pairwise { features, ..self.clone() })
    }

    /// Whether an encoder leaves out the end of a line.
    fn is_long(&self, hypothesis: &str, references: &[&str]) -> bool {
        cuts_a_line(&self.readers, &[references, &[hypothesis]].concat())
    }

    /// The inputs of translations, each with one reference.
    fn inputs(&self, judged: &JudgedTexts) -> Result<Inputs> {
        let references: Vec<[&str; 1]> = judged.references.iter().map(|line| [line.as_str()]).collect();
        let segment = |translation: &'_ Translation| translation.segment as usize;
        let segments: Vec<Segment<'_>> = judged
            .translations
            .iter()
            .map(|translation| Segment::new(&translation.text, &references[segment(translation)]))
            .collect();
        let model = &self.model;
        let mut features: Vec<Column> = Vec::new();
        for feature in &self.features {
            features.extend(feature.columns(&segments)?);
        }
        // Files may have moved since training. That their contents are the same was checked when the model was opened.
        features
            .iter_mut()
            .zip(&model.fitted.features)
            .for_each(|(column, name)| column.name.clone_from(name));
        let blocks = model
            .encoders
            .iter()
            .map(|encoder| learned::encode(encoder.as_ref(), judged, Progress::none()))
            .collect::<Result<_>>()?;
        Ok(Inputs {
            features,
            blocks,
            words: model.vocabulary.as_ref().map(|vocabulary| vocabulary.lists(judged)),
        })
    }
}

impl Metric for Pairwise {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        self.spec()
    }

    fn title(&self) -> String {
        "pairwise".to_owned()
    }

    fn learned_from(&self) -> Option<&str> {
        let notes = self.model.notes().iter();
        notes.into_iter().find(|(key, _)| key == "trained_on").map(|(_, sets)| sets.as_str())
    }

    fn prepare(&self, references: &[&[&str]]) -> Result<Option<Arc<dyn Metric>>> {
        Ok(Some(Arc::new(self.prepared(references)?)))
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let mut judged = JudgedTexts::default();
        for segment in batch {
            segment.references.iter().for_each(|reference| judged.add(segment.hypothesis, reference));
        }
        if judged.translations.is_empty() {
            return Ok(vec![Tally::default(); batch.len()]);
        }
        let scores = self.model.fitted.scores(&judged, &self.inputs(&judged)?, self.empty)?;
        let mut scores = scores.into_iter();
        let mean = |segment: &Segment<'_>| {
            let of_segment = scores.by_ref().take(segment.references.len());
            let mean = of_segment.sum::<f64>() / segment.references.len().max(1) as f64;
            let is_long = self.is_long(segment.hypothesis, segment.references);
            Tally::new(vec![mean, 1.0, f64::from(u8::from(is_long))])
        };
        Ok(batch.iter().map(mean).collect())
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        tally.get(2).is_some_and(|long| *long > 0.0)
    }

    fn unfinished_warning(&self, count: usize) -> Warning {
        cut_warning("pairwise", count, &self.readers)
    }
}

impl Preference for Pairwise {
    fn signature(&self) -> Spec {
        self.spec()
    }

    fn prepare(&self, references: &[&[&str]]) -> Result<Option<Arc<dyn Preference>>> {
        Ok(Some(Arc::new(self.prepared(references)?)))
    }

    fn prefer_all(&self, pairs: &[TranslationPair<'_>]) -> Result<Vec<f64>> {
        let mut judged = JudgedTexts::default();
        for pair in pairs {
            pair.references.iter().for_each(|reference| judged.add_pair(pair.a, pair.b, reference));
        }
        if judged.pairs.is_empty() {
            return Ok(vec![0.5; pairs.len()]);
        }
        let is_long = |pair: &TranslationPair<'_>, text: &str| self.is_long(text, pair.references);
        let long = pairs.iter().flat_map(|pair| pair.both().map(|text| is_long(pair, text)));
        self.cut.fetch_add(long.filter(|is_long| *is_long).count(), Ordering::Relaxed);
        let mut logits = self.model.fitted.judge(&judged, &self.inputs(&judged)?)?.into_iter();
        let probability = |pair: &TranslationPair<'_>| {
            let of_pair = logits.by_ref().take(pair.references.len());
            let sum: f64 = of_pair.map(PairLogits::logit).sum();
            logistic(sum / pair.references.len().max(1) as f64)
        };
        Ok(pairs.iter().map(probability).collect())
    }

    fn unfinished(&self) -> usize {
        self.cut.load(Ordering::Relaxed)
    }

    fn unfinished_warning(&self, count: usize) -> Warning {
        Metric::unfinished_warning(self, count)
    }
}
