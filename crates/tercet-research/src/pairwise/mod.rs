//! The pairwise network: given a reference, which of two translations is better? (Guzmán et al., ACL 2015; CSL 2017).
//!
//! ```text
//! f(t₁, t₂, r) = sig(wᵀ [h₁₂, h₁ᵣ, h₂ᵣ, ψ(t₁, r), ψ(t₂, r)] + b)        h_xy = tanh(W_xy [x, y] + b_xy)
//! ```
//!
//! x are sentence vectors (averages of word vectors, syntax vectors, any `SentenceEncoder`, or the output of a CNN or
//! LSTM that is trained with the network), ψ scores of other metrics ([`Feature`](crate::learned::Feature)). It is
//! trained on judgements of which of two is better, without ties, every pair in both orders.
//!
//! | step | |
//! |---|---|
//! | [`JudgedTexts`] | judgements → distinct translations, pairs of them |
//! | [`measure`], [`encode`], [`Vocabulary`] | their features, sentence vectors, word lists → [`Inputs`] |
//! | [`fit`] | inputs → [`Fitted`], which compares pairs and scores single translations |
//! | [`PairwiseModel`] | a [`Fitted`] with its metrics and encoders, stored in a model file |
//! | `Pairwise` | a model as a metric and as a preference |
//! | [`PairwiseRecipe`], [`train`] | all steps, with the settings of a TOML file |
//!
//! # As a metric
//! `pairwise:model=FILE` compares a translation with an empty one (sec. 6.1). Scores are from −1 to 1; ½(1 + score) is
//! roughly the probability to be better than an average translation. The score of a corpus is the mean over its
//! segments. As a preference it is antisymmetric by construction: [`PairLogits::probability`].
//!
//! # Choices
//! With several references, scores (or logits) for each of them are averaged.
//!
//! # Agreement
//! There is no other public implementation. `tercet reproduce guzman` compares our results with the published tables.
//!
//! [`measure`]: crate::learned::measure
//! [`encode`]: crate::learned::encode()
//! [`Vocabulary`]: crate::learned::Vocabulary

mod fit;
mod model;
mod recipe;
mod tables;
mod training;

pub use fit::{EmptyTranslation, Fitted, PairLogits, Plan, WordPlan, fit};
pub use model::{MovedFiles, PairwiseModel};
pub use recipe::{
    FOUR_METRICS, PairCost, PairwiseData, PairwiseNetwork, PairwiseRecipe, PairwiseTraining, WordEncoder, WordEncoding,
};
pub use tables::LearningSet;
pub use training::train;

use crate::error::Result;
use crate::learned::{
    Block, Comparison, FeatureColumn, FeatureMetric, FeatureModel, Inputs, JudgedTexts, ModelInputs, model_path,
};
use crate::metrics::{MetricInfo, OptionInfo, Options, Paper, Registry, Scale, Spec, Values};
use crate::spec::file_value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tercet_model::model_file::ModelRecord;

/// The entry in a [`Registry`].
pub static INFO: MetricInfo = MetricInfo {
    name: "pairwise",
    summary: "a network that learned from judgements which of two translations is better",
    citation: "Guzmán et al., ACL 2015, CSL 2017",
    papers: &[PAPER],
    agrees_with: "no public tool",
    scale: Scale::One,
    options: &[
        OptionInfo::file("model", "the trained model"),
        OptionInfo {
            key: "empty",
            values: Values::Choice(&["averages", "zeros"]),
            default: "averages",
            help: "what a single translation is compared with",
        },
        OptionInfo::file("vectors", "word vectors of the model, if they have moved"),
        OptionInfo::file("sentences", "precomputed sentence vectors of the model, if they have moved"),
        OptionInfo::file("parser", "the parser of its syntax vectors, if it is not the one inside"),
        OptionInfo::file("paraphrase", "METEOR's paraphrase table, if it has moved"),
    ],
    needs: Some("model"),
    preference: Some(|options, registry| Ok(Arc::new(from_options(options, registry)?))),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(from_options(options, registry)?)))
};

const PAPER: Paper = Paper { short: "Guzmán et al., 2015", bibtex: include_str!("guzman-2015-pairwise.bib") };

/// A model, and what a single translation is compared with.
struct Pairwise {
    model: PairwiseModel,
    empty: EmptyTranslation,
}

/// Opens the model that the options name.
fn from_options(options: Options, registry: &Registry) -> Result<FeatureMetric> {
    let file = |key: &str| options.file(key).map(PathBuf::from);
    let files = MovedFiles {
        vectors: file("vectors"),
        sentences: file("sentences"),
        parser: file("parser"),
        paraphrase: file("paraphrase"),
    };
    let model = PairwiseModel::open(model_path(&options, INFO.name)?, &files, registry)?;
    let empty = options.text("empty").parse()?;
    Ok(FeatureMetric::new(&INFO, INFO.name, options, Arc::new(Pairwise { model, empty })))
}

/// Opens a model as a metric and as a preference.
pub fn open(path: &Path, registry: &Registry) -> Result<FeatureMetric> {
    let spec = Spec::new(INFO.name).with_option("model", file_value(path)?);
    from_options(INFO.declared().read(&spec)?, registry)
}

impl Pairwise {
    /// The inputs of the network.
    fn network_inputs(&self, judged: &JudgedTexts, mut features: Vec<FeatureColumn>, blocks: Vec<Block>) -> Inputs {
        // Files may have moved since training. That their contents are the same was checked when the model was opened.
        let names = features.iter_mut().zip(&self.model.fitted.features);
        names.for_each(|(column, name)| column.name.clone_from(name));
        let words = self.model.vocabulary.as_ref().map(|vocabulary| vocabulary.lists(judged));
        Inputs { features, blocks, words }
    }
}

impl FeatureModel for Pairwise {
    fn record(&self) -> &ModelRecord {
        self.model.record()
    }

    fn inputs(&self) -> &ModelInputs {
        &self.model.inputs
    }

    fn scores(&self, judged: &JudgedTexts, columns: Vec<FeatureColumn>, blocks: Vec<Block>) -> Result<Vec<f64>> {
        self.model.fitted.scores(judged, &self.network_inputs(judged, columns, blocks), self.empty)
    }

    fn comparison(&self) -> Comparison<'_> {
        Comparison::OfPairs(Box::new(|judged, columns, blocks| {
            let inputs = self.network_inputs(judged, columns, blocks);
            Ok(self.model.fitted.judge(judged, &inputs)?.into_iter().map(PairLogits::logit).collect())
        }))
    }
}

#[cfg(test)]
mod tests;
