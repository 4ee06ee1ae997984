//! ReVal: how similar are a translation and its reference? (Gupta, Orăsan & van Genabith, EMNLP 2015; WMT 2015).
//!
//! ```text
//! h× = h_ref ⊙ h_tra,  h₊ = |h_ref − h_tra|
//! h_s = σ(W× h× + W₊ h₊ + b_h),   p̂ = softmax(W_p h_s + b_p),   ŷ = Σ_k k p̂_k,  k = 1 … K         (eq. 2)
//! ```
//!
//! h is the vector of a sentence: the hidden state at the root of a Tree-LSTM over its dependency tree (Tai et al., ACL
//! 2015), or the last one of an LSTM over its words. It learns from scores from 1 to 5, which are derived from rankings
//! ([`derive_scores`](crate::learned::derive_scores)), or from pairs of which one is better.
//!
//! | step | |
//! |---|---|
//! | `data` | judgements that a recipe names → scored and ranked pairs of lines |
//! | `sentences`, `given_trees` | lines → words and trees, of our parser or of CoNLL-U files |
//! | [`RevalRecipe`], [`train`] | all steps, with the settings of a TOML file |
//! | [`RevalModel`] | networks, words and notes, stored in a model file |
//! | [`Reval`] | a model as a metric and as a preference |
//!
//! # As a metric
//! Scores are (ŷ − 1) / (K − 1), from 0 to 1, of segments and of systems alike: the score of a system is the mean of
//! its segments, the paper's "aggregating and normalising". The component `similarity` is ŷ itself, from 1 to 5. With
//! several references the score is that of the best one.
//!
//! The preference is a logistic curve on the difference of two scores, whose slope is in the model: it was fitted to
//! rankings of the development set, else to those that were learned, else to the scores that were learned.
//!
//! # Choices
//! - A line is one sentence, whatever it holds: it is split into words by `ud-en` and has one tree. Words are looked up
//!   in lower case; one without a vector has zeros, and keeps its place in the tree. A line without words has the zero
//!   vector.
//! - "mix", one network for sentences of up to 20 words and another for longer ones: see [`CountedWords`].
//!
//! # Agreement
//! The authors' program needs Torch 7 and their trained model, which is no longer there. `tercet-learn` compares the
//! network's numbers with PyTorch's.

mod data;
mod model;
mod recipe;
mod sentences;
mod training;

pub use model::{CountedWords, RevalModel};
pub use recipe::{
    RateOverEpochs, RevalData, RevalMix, RevalNetwork, RevalObjective, RevalOutput, RevalRecipe, RevalScores,
    RevalTraining, RevalTrees, RevalWords, ScoredEntry, Threshold,
};
pub use sentences::ParsedLines;
pub use training::train;

use crate::error::{Error, Result};
use crate::metrics::preference::logistic;
use crate::metrics::{
    Component, LanguageRules, Metric, MetricInfo, OptionInfo, Options, Paper, Preference, Scale, Segment, Spec, Tally,
    TranslationPair,
};
use crate::spec::file_value;
use crate::warning::{EnglishPart, LanguageProblem, Warning};
use model::TreeFiles;
use sentences::TreeSource;
use std::path::Path;
use std::sync::Arc;

/// The entry in a [`Registry`](crate::metrics::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "reval",
    summary: "how similar a network finds translation and reference, sentence by sentence",
    citation: "Gupta et al., EMNLP 2015, WMT 2015",
    papers: &[PAPER],
    agrees_with: "no public tool",
    scale: Scale::One,
    options: &[
        OptionInfo::file("model", "a trained model, instead of the embedded one"),
        OptionInfo::file("trees", "trees of all lines (CoNLL-U), instead of those of the parser"),
        OptionInfo::file("parser", "the parser of the model, if it is not the one inside"),
    ],
    language: LanguageRules {
        problem: |_, language, _| {
            let because = EnglishPart::WordsAndParser;
            (language.code() != "en").then_some(LanguageProblem::EnglishOnly { because })
        },
        ..LanguageRules::NONE
    },
    preference: Some(|options, _| Ok(Arc::new(Reval::from_options(options)?))),
    ..MetricInfo::new(|options, _| Ok(Arc::new(Reval::from_options(options)?)))
};

const PAPER: Paper = Paper { short: "Gupta et al., 2015", bibtex: include_str!("gupta-2015-reval.bib") };

/// A model as a metric and as a preference.
#[derive(Clone)]
pub struct Reval {
    options: Options,
    model: Arc<RevalModel>,
}

impl Reval {
    /// Opens the model that the options name, or the embedded one.
    fn from_options(options: Options) -> Result<Self> {
        let files = TreeFiles { parser: options.file("parser"), trees: options.file("trees") };
        let model = match (options.file("model"), files) {
            (Some(path), files) => Arc::new(RevalModel::open_with(path, files)?),
            (None, TreeFiles { parser: None, trees: None }) => RevalModel::english().clone(),
            (None, files) => Arc::new(RevalModel::english_with(files)?),
        };
        Ok(Reval { options, model })
    }

    /// Opens a model.
    pub fn open(path: &Path) -> Result<Self> {
        let spec = Spec::new(INFO.name).with_option("model", file_value(path)?);
        Self::from_options(INFO.declared().read(&spec)?)
    }

    /// The model.
    pub fn model(&self) -> &RevalModel {
        &self.model
    }

    /// The similarity of each segment with its best reference.
    fn similarities(&self, segments: &[Segment<'_>]) -> Result<Vec<f64>> {
        let pairs: Vec<(&str, &str)> = segments
            .iter()
            .flat_map(|segment| segment.references.iter().map(|reference| (*reference, segment.hypothesis)))
            .collect();
        let mut found = self.model.similarities(&pairs)?.into_iter();
        let best = |segment: &Segment<'_>| found.by_ref().take(segment.references.len()).fold(1.0, f64::max);
        Ok(segments.iter().map(best).collect())
    }

    /// A similarity as a score from 0 to 1.
    fn normalised(&self, similarity: f64) -> f64 {
        (similarity - 1.0) / (self.model.classes() as f64 - 1.0)
    }
}

impl Metric for Reval {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        let spec = self.options.spec().with("sha256", &self.model.record().hash);
        match &self.model.trees {
            TreeSource::Given(trees) => spec.with("trees", trees.hash()),
            _ => spec,
        }
    }

    fn title(&self) -> String {
        "ReVal".to_owned()
    }

    fn learned_from(&self) -> Option<&str> {
        self.model.record().note("trained_on")
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let similarities = self.similarities(batch)?;
        let is_cut = |segment: &Segment<'_>| {
            let given = matches!(self.model.trees, TreeSource::Given(_));
            !given && segment.references.iter().chain([&segment.hypothesis]).any(|line| sentences::is_cut(line))
        };
        let tally = |(similarity, segment): (f64, &Segment<'_>)| {
            Tally::new(vec![self.normalised(similarity), 1.0, f64::from(u8::from(is_cut(segment)))])
        };
        Ok(similarities.into_iter().zip(batch).map(tally).collect())
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        tally.get(2).is_some_and(|cut| *cut > 0.0)
    }

    fn unfinished_warning(&self, count: usize) -> Warning {
        Warning::LongSegments { metric: self.title(), segments: count, window: sentences::MAX_WORDS }
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }

    fn strength(&self, tally: &Tally) -> Option<f64> {
        let similarity = self.components(tally)[0].value;
        self.model.slope.map(|slope| slope * similarity)
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        let similarity = 1.0 + total.mean() * (self.model.classes() as f64 - 1.0);
        vec![Component::new("similarity", similarity)]
    }
}

impl Preference for Reval {
    fn metric(&self) -> &dyn Metric {
        self
    }

    fn prefer_all(&self, pairs: &[TranslationPair<'_>]) -> Result<Vec<f64>> {
        let Some(slope) = self.model.slope else {
            let what = "the model has no slope, which turns its scores into probabilities: it was trained without \
                        rankings (train it with a development set of rankings)";
            return Err(Error::Unusable(what.to_owned()));
        };
        let segments: Vec<Segment<'_>> =
            pairs.iter().flat_map(|pair| pair.both().map(|text| Segment::new(text, pair.references))).collect();
        let probability = |[a, b]: &[f64; 2]| logistic(slope * (a - b));
        Ok(self.similarities(&segments)?.as_chunks().0.iter().map(probability).collect())
    }
}

#[cfg(test)]
mod tests;
