//! Networks: comparison of two items, structure of a list, scores of trees.
//!
//! Which of `a` and `b` matches `c` better? [`PairNetwork`] decides from three precomputed vectors,
//! [`EncodedPairNetwork`] from lists of words; [`PairTraining`] trains both through the trait [`Network`].
//! [`BiaffineNetwork`] predicts the head, the label and the tags of every item of a list, [`SpanNetwork`] tags of items
//! and labels of spans; [`ListObjective`] trains both through the trait [`ListNetwork`]. [`RecursiveNetwork`] scores
//! trees and is trained by [`RankingObjective`]. [`SimilarityNetwork`] scores pairs of lists or trees and is trained by
//! [`SimilarityTraining`]. [`RegressionNetwork`] predicts a number from a row of features. [`RelationNetwork`] gives
//! the relation of two lists and is trained by [`RelationTraining`]. [`SiameseNetwork`] scores how well lists fit
//! another one, with a transformer as its encoder, and is fine-tuned by [`SiameseTraining`]. All use the same
//! [training loop](crate::training).

mod biaffine;
mod data_digest;
mod encoded_pair;
mod limits;
mod lists;
mod pair;
mod pair_training;
mod recursive;
mod regression;
mod relation;
mod siamese;
mod similarity;
mod spans;
mod stored;

pub use crate::activation::Activation;
pub use crate::layers::{CompositionNode, CompositionWorkspace, FineTuning, Gate};
pub use biaffine::{
    Analysis, AnalysisSettings, AnalysisWorkspace, BiaffineNetwork, BiaffineReady, BiaffineShape, Candidates,
    ReadyForms,
};
pub use encoded_pair::{EncodedExamples, EncodedPairNetwork, EncodedPairShape, Encoding};
pub use limits::{MAX_LAYERS, MAX_WINDOW};
pub use lists::{EncoderShape, Forms, ListBatch, ListBatches, ListNetwork, ListObjective, ListSettings, Lists};
pub use pair::{Architecture, PairExamples, PairNetwork, PairShape};
pub use pair_training::{Cost, Development, PairSettings, PairTraining};
pub use recursive::{RankedTree, RankedTrees, RankingObjective, RankingSettings, RecursiveNetwork, RecursiveShape};
pub use regression::{RegressionNetwork, RegressionSettings};
pub use relation::{
    EncoderTensor, RelatedPair, RelationExamples, RelationNetwork, RelationSettings, RelationShape, RelationTraining,
};
pub use siamese::{
    Compared, FrozenLayers, GroupItem, HeadBlock, LearnedLayers, Lines, RankedItems, ScoredItem, SiameseGroup,
    SiameseNetwork, SiameseSettings, SiameseShape, SiameseTraining,
};
pub use similarity::{
    BatchBy, RankedPair, ScoredPair, SimilarityExamples, SimilarityNetwork, SimilaritySettings, SimilarityShape,
    SimilarityTraining, TreeEncoding, TreeError, Trees,
};
pub use spans::{SpanEvidence, SpanNetwork, SpanShape, SpanTargets, SpanWorkspace};

use crate::activation::sigmoid_exact;
use crate::error::{Error, Result};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;

/// One comparison: row numbers in the tables of the training set, and the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    /// Row of the first item.
    pub a: u32,
    /// Row of the second item.
    pub b: u32,
    /// The item both are compared with.
    pub c: u32,
    /// Row of the skip features of `a` (with `c`).
    pub skip_a: u32,
    /// Row of the skip features of `b` (with `c`).
    pub skip_b: u32,
    /// The probability that `a` is better: 1 if `a` is better, 0 if `b` is.
    pub target: f32,
}

/// An example in one of its two orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Index of the example.
    pub example: u32,
    /// Whether `a` and `b` are swapped; the target is then 1 − target.
    pub swapped: bool,
}

impl Case {
    /// The target of the case.
    pub fn target(self, examples: &[Example]) -> f32 {
        let target = examples[self.example as usize].target;
        if self.swapped { 1.0 - target } else { target }
    }

    /// The example as this case orders it.
    #[inline]
    pub(crate) fn ordered(self, examples: &[Example]) -> Example {
        let e = examples[self.example as usize];
        if self.swapped {
            Example { a: e.b, b: e.a, skip_a: e.skip_b, skip_b: e.skip_a, target: 1.0 - e.target, ..e }
        } else {
            e
        }
    }
}

/// A network with one output, the logit of "a is better", that can be trained on pairs.
pub trait Network {
    /// The data: tables, and examples with row numbers of them.
    type Examples;
    /// Results of the forward pass that the backward pass needs; reused between batches.
    type Workspace: Default;

    /// The learned parameters.
    fn parameters(&self) -> &Parameters;

    /// The learned parameters, mutable.
    fn parameters_mut(&mut self) -> &mut Parameters;

    /// The examples of a data set.
    fn comparisons(examples: &Self::Examples) -> &[Example];

    /// Returns an error if a table has the wrong dimensions, a value is NaN or infinite, or a row does not exist.
    fn check(&self, examples: &Self::Examples) -> Result<()>;

    /// Kind, sizes and options as text: all that affects the result besides parameters and data. A checkpoint with
    /// another description is refused.
    fn description(&self) -> String;

    /// A hash of everything that affects the result and is not learned: the examples, the tables that are used, fixed
    /// parts of the network. A checkpoint of a run on other data is refused. Training does not change it; for a
    /// development set it can be the [id](Development::id).
    fn data_hash(&self, examples: &Self::Examples) -> String;

    /// The logits of these cases. With `Some(random)`, dropout is applied. The examples must have passed
    /// [`check`](Network::check).
    fn forward(
        &self,
        examples: &Self::Examples,
        cases: &[Case],
        dropout: Option<&mut Random>,
        workspace: &mut Self::Workspace,
        logits: &mut Vec<f32>,
    );

    /// Backward pass for the last forward pass with this workspace: adds to `gradients`, given those of the logits.
    fn backward(
        &self,
        examples: &Self::Examples,
        cases: &[Case],
        logit_gradients: &[f32],
        workspace: &mut Self::Workspace,
        gradients: &mut Gradients,
    );
}

/// The logits of all examples in both orders: (a, b, c) and (b, a, c).
///
/// Ties are decided on logits, because probabilities near 1 lose precision.
pub fn both_orders<N: Network>(network: &N, examples: &N::Examples) -> Result<Vec<[f32; 2]>> {
    let logits = all_logits(network, examples, &[false, true])?;
    Ok(logits.as_chunks().0.to_vec())
}

/// The logits of all examples, in their order (a, b, c).
pub fn logits<N: Network>(network: &N, examples: &N::Examples) -> Result<Vec<f32>> {
    all_logits(network, examples, &[false])
}

/// p(a is better) of all examples, in their order (a, b, c).
pub fn probabilities<N: Network>(network: &N, examples: &N::Examples) -> Result<Vec<f64>> {
    Ok(logits(network, examples)?.into_iter().map(|logit| sigmoid_exact(f64::from(logit))).collect())
}

fn all_logits<N: Network>(network: &N, examples: &N::Examples, orders: &[bool]) -> Result<Vec<f32>> {
    network.check(examples)?;
    let count = N::comparisons(examples).len();
    let (mut workspace, mut chunk) = (N::Workspace::default(), Vec::new());
    let mut all = Vec::with_capacity(count * orders.len());
    let mut cases = Vec::with_capacity(CHUNK * orders.len());
    for start in (0..count).step_by(CHUNK) {
        cases.clear();
        for example in start..count.min(start + CHUNK) {
            cases.extend(orders.iter().map(|&swapped| Case { example: example as u32, swapped }));
        }
        network.forward(examples, &cases, None, &mut workspace, &mut chunk);
        check_logits(&cases, &chunk)?;
        all.extend_from_slice(&chunk);
    }
    Ok(all)
}

/// Returns an error if a logit is NaN or infinite.
fn check_logits(cases: &[Case], logits: &[f32]) -> Result<()> {
    if logits.iter().fold(true, |finite, logit| finite & logit.is_finite()) {
        return Ok(());
    }
    let bad = cases.iter().zip(logits).find(|(_, logit)| !logit.is_finite());
    bad.map_or(Ok(()), |(case, &logit)| {
        let order = if case.swapped { "b before a" } else { "a before b" };
        Err(Error::BadLogit { example: case.example as usize, order, logit })
    })
}

/// Number of examples per batch in scoring.
const CHUNK: usize = 128;

/// Returns an error if a row of an example does not exist or its target is not a probability.
fn check_examples(examples: &[Example], items: usize, skips: Option<usize>) -> Result<()> {
    let inside = |e: &Example| {
        let rows = [("a", e.a, Some(items)), ("b", e.b, Some(items)), ("c", e.c, Some(items))];
        let skip = [("skip_a", e.skip_a, skips), ("skip_b", e.skip_b, skips)];
        let mut all = rows.into_iter().chain(skip);
        all.find(|(_, row, rows)| rows.is_some_and(|rows| *row as usize >= rows))
    };
    for (example, e) in examples.iter().enumerate() {
        if let Some((name, row, rows)) = inside(e) {
            let reason = format!("{name} is row {row} of a table of {}", rows.unwrap_or_default());
            return Err(Error::BadExample { example, reason });
        }
        if !(0.0..=1.0).contains(&e.target) {
            let reason = format!("target {} is not between 0 and 1", e.target);
            return Err(Error::BadExample { example, reason });
        }
    }
    Ok(())
}
