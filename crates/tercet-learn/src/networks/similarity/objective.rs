//! The loss of a batch, and the value of a development set.
//!
//! The trees of a batch are encoded in a fixed number of shards, in parallel; comparisons are few and computed together.

use super::batch::{Batch, Epoch};
use super::comparison::ComparisonWorkspace;
use super::encoder::EncoderWorkspace;
use super::loss::{ranked_loss, scored_loss};
use super::{RankedPair, ScoredPair, SimilarityExamples, SimilarityNetwork, SimilaritySettings, SimilarityTraining};
use crate::error::{Cause, Error, Result};
use crate::networks::data_digest::DataDigest;
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use crate::training::shards::Shards;
use crate::training::{BatchLoss, Evaluation, Identity, Objective};

/// Number of shards of a batch, independent of the number of threads.
const SHARDS: usize = 4;

/// A network and its examples.
pub(super) struct SimilarityObjective<'a> {
    network: &'a mut SimilarityNetwork,
    examples: &'a SimilarityExamples,
    settings: &'a SimilaritySettings,
    development: Option<&'a SimilarityExamples>,
    round: usize,
    epoch: Epoch,
    batch: Batch,
    shards: Shards<EncoderWorkspace, f64>,
    comparison: ComparisonWorkspace,
    /// Trees of the batch × H: hidden states, and their gradients.
    states: Vec<f32>,
    gradients: Vec<f32>,
}

impl<'a> SimilarityObjective<'a> {
    pub fn new(training: SimilarityTraining<'a>) -> Self {
        let SimilarityTraining { network, examples, settings, development, .. } = training;
        let shards = Shards::new(SHARDS, &network.parameters);
        SimilarityObjective {
            network,
            examples,
            settings,
            development,
            round: 0,
            epoch: Epoch::default(),
            batch: Batch::default(),
            shards,
            comparison: ComparisonWorkspace::default(),
            states: Vec::new(),
            gradients: Vec::new(),
        }
    }

    /// Encodes the trees of the batch.
    fn encode(&mut self) {
        let (network, batch, examples) = (&*self.network, &self.batch, self.examples);
        let width = network.shape.memory;
        self.shards.for_each(|shard, space| {
            let numbers = batch.trees[batch.share(shard, SHARDS)].iter().map(|tree| *tree as usize);
            let mut states = std::mem::take(&mut space.states);
            states.resize(numbers.len() * width, 0.0);
            network.encode_into(&examples.trees, numbers, space, &mut states);
            space.states = states;
        });
        self.states.clear();
        self.shards.spaces().for_each(|space| self.states.extend_from_slice(&space.states));
    }

    /// The sum of the losses of these examples; writes the gradients of their mean by the logits.
    fn losses(&mut self, examples: &[u32]) -> Result<f64> {
        let SimilaritySettings { ranking_scale, ranking_weight, .. } = *self.settings;
        let classes = self.network.shape.classes;
        let ComparisonWorkspace { logits, logit_gradients, .. } = &mut self.comparison;
        logit_gradients.clear();
        logit_gradients.resize(logits.len(), 0.0);
        let (mut gradients, mut sum) = (vec![0.0; 2 * classes], 0.0);
        let mean = 1.0 / examples.len() as f32;
        for (&example, compared) in examples.iter().zip(&self.batch.compared) {
            let both = compared.map(|pair| &logits[pair * classes..(pair + 1) * classes]);
            let (loss, sides) = match self.examples.scored.get(example as usize) {
                Some(pair) => (scored_loss(both[0], pair.score, &mut gradients[..classes]), 1),
                None => (ranked_loss(both, ranking_scale, ranking_weight, &mut gradients), 2),
            };
            if !loss.is_finite() {
                return Err(Error::Diverged { epoch: self.round, example: example as usize, loss });
            }
            sum += loss;
            for (pair, gradient) in compared[..sides].iter().zip(gradients.chunks_exact(classes)) {
                let sums = &mut logit_gradients[pair * classes..(pair + 1) * classes];
                sums.iter_mut().zip(gradient).for_each(|(sum, g)| *sum += mean * g);
            }
        }
        Ok(sum)
    }

    /// The backward pass of the batch.
    fn backward(&mut self, gradients: &mut Gradients) {
        let (network, batch) = (&*self.network, &self.batch);
        let width = network.shape.memory;
        self.gradients.clear();
        self.gradients.resize(self.states.len(), 0.0);
        network.comparison.backward(
            &network.parameters,
            &self.states,
            &batch.pairs,
            &mut self.comparison,
            gradients,
            &mut self.gradients,
        );
        let of_states = &self.gradients;
        self.shards.run(gradients, |shard, space, gradients| {
            let share = batch.share(shard, SHARDS);
            space.gradients.clear();
            space.gradients.extend_from_slice(&of_states[share.start * width..share.end * width]);
            network.encode_back(space, gradients);
            0.0
        });
    }

    /// Number of batches of an epoch.
    pub fn batches(&self) -> usize {
        self.epoch(0).batches()
    }

    /// The batches of this epoch.
    fn epoch(&self, round: usize) -> Epoch {
        let SimilaritySettings { batch_by, batch_size, seed, .. } = *self.settings;
        let random = &mut Random::stream(seed, "shuffle", round as u64);
        Epoch::new(self.examples, batch_by, batch_size, random)
    }
}

impl Objective for SimilarityObjective<'_> {
    fn parameters(&self) -> &Parameters {
        &self.network.parameters
    }

    fn parameters_mut(&mut self) -> &mut Parameters {
        &mut self.network.parameters
    }

    fn identity(&self) -> Identity {
        let SimilaritySettings {
            optimizer,
            batch_size,
            batch_by,
            is_rate_falling,
            epochs,
            ranking_scale,
            ranking_weight,
            seed,
            ..
        } = self.settings;
        let rate = match is_rate_falling {
            true => format!("falling over {epochs} epochs"),
            false => "constant".to_owned(),
        };
        let (scored, ranked) = (self.examples.scored.len(), self.examples.ranked.len());
        Identity {
            settings: format!(
                "optimizer {optimizer:?}\nrate {rate}\nbatches of {batch_size} by {batch_by:?}\nranking scale {ranking_scale}\n\
                 ranking weight {ranking_weight}\nseed {seed}\n{scored} scored pairs\n{ranked} ranked pairs"
            ),
            model: self.network.description(),
            data: self.network.data_hash(self.examples),
            development: self.development.map(|set| self.network.data_hash(set)),
        }
    }

    fn start_round(&mut self, round: usize) -> Result<usize> {
        self.round = round;
        self.epoch = self.epoch(round);
        Ok(self.epoch.batches())
    }

    fn loss(&mut self, batch: usize, _step: u64, gradients: &mut Gradients) -> Result<BatchLoss> {
        let examples = self.epoch.batch(batch).to_vec();
        self.batch.fill(self.examples, &examples);
        self.encode();
        let (network, pairs) = (&*self.network, &self.batch.pairs);
        network.comparison.forward(&network.parameters, &self.states, pairs, &mut self.comparison);
        let sum = self.losses(&examples)?;
        self.backward(gradients);
        Ok(BatchLoss { sum, items: examples.len() })
    }

    fn evaluate(&mut self, _round: usize) -> Result<Evaluation, Cause> {
        let Some(set) = self.development else { return Ok(Evaluation::default()) };
        let (name, value) = self.network.development_value(set)?;
        Ok(Evaluation { value: Some(value), text: format!("dev {name} {value:.4}") })
    }
}

impl SimilarityNetwork {
    /// The value of a development set, and its name.
    fn development_value(&self, set: &SimilarityExamples) -> Result<(&'static str, f64)> {
        let states = self.encode(&set.trees)?;
        if set.ranked.is_empty() {
            let pairs: Vec<_> = set.scored.iter().map(|pair| [pair.reference, pair.translation]).collect();
            let human = set.scored.iter().map(|pair| f64::from(pair.score)).collect::<Vec<_>>();
            return Ok(("Pearson", pearson(&self.compare(&states, &pairs)?, &human)));
        }
        let both = |pair: &RankedPair| [[pair.reference, pair.better], [pair.reference, pair.worse]];
        let pairs: Vec<_> = set.ranked.iter().flat_map(both).collect();
        let scores = self.compare(&states, &pairs)?;
        let right = scores.as_chunks().0.iter().filter(|[better, worse]| better > worse).count();
        Ok(("pair accuracy", right as f64 / set.ranked.len() as f64))
    }

    /// Kind, sizes and options as text.
    fn description(&self) -> String {
        let shape = self.shape;
        let (words, dimensions) = self.vectors_shape();
        format!(
            "{words} words of {dimensions}, fine-tuning {}, encoding {}, memory {}, output gate {}, hidden {}, classes {}",
            shape.fine_tuning.name(),
            shape.encoding.name(),
            shape.memory,
            shape.output_gate,
            shape.hidden,
            shape.classes
        )
    }

    /// A hash of the examples and of word vectors that are not learned.
    fn data_hash(&self, examples: &SimilarityExamples) -> String {
        let scored = |pair: &ScoredPair| [pair.reference, pair.translation, pair.score.to_bits()];
        let ranked = |pair: &RankedPair| [pair.reference, pair.better, pair.worse];
        DataDigest::default()
            .lists(examples.trees.lists())
            .integers(examples.trees.all_heads())
            .integers(&examples.scored.iter().flat_map(scored).collect::<Vec<_>>())
            .integers(&examples.ranked.iter().flat_map(ranked).collect::<Vec<_>>())
            .numbers(self.unlearned_vectors())
            .finish()
    }

    /// The word vectors if they are fixed, or those that weight decay pulls towards.
    fn unlearned_vectors(&self) -> &[f32] {
        match self.parameters.by_name(super::VECTORS) {
            None => self.vectors(),
            Some(tensor) => tensor.anchor.as_deref().unwrap_or_default(),
        }
    }
}

/// Pearson's correlation; NaN if either side is constant.
fn pearson(x: &[f64], y: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_x, mean_y) = (mean(x), mean(y));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let (x, y) = (x - mean_x, y - mean_y);
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    xy / (xx * yy).sqrt()
}
