//! Training: epochs of shuffled batches of scored and ranked pairs.
//!
//! # Epochs
//! All examples are shuffled with the random stream (seed, "shuffle", epoch) and split into batches; a batch is one
//! step with the mean gradient of its losses. With a development set the best epoch is kept, the latest on ties;
//! without one the last. The development value is the share of ranked pairs in the right order, or Pearson's
//! correlation where there are only scored pairs.
//!
//! # Batches of references
//! Ranked pairs come in groups: one reference, several items, all pairs of these. With [`BatchBy::Reference`]
//! references are shuffled and a batch has all examples of some of them, so that every tree is encoded once in an epoch
//! instead of once for every pair that it is in.
//!
//! The trees of a batch are encoded in a fixed number of shards, in parallel; comparisons are few and computed
//! together.

use super::comparison::{ComparisonWorkspace, ranked_loss, scored_loss};
use super::examples::{Batch, Epoch};
use super::{EncoderWorkspace, RankedPair, ScoredPair, SimilarityExamples, SimilarityNetwork};
use crate::error::{Cause, Error, Result};
use crate::layers::set_zeros;
use crate::networks::data_digest::DataDigest;
use crate::networks::limits::check_counts;
use crate::optimizer::{Method, OptimizerSettings, Schedule};
use crate::parameters::Gradients;
use crate::progress::Progress;
use crate::random::Random;
use crate::training::{
    BatchLoss, Checkpoints, Evaluation, Identity, Keep, Objective, Outcome, Run, Shards, StepSettings, Stopping, train,
};

/// Name of the phase, if there is only one.
const PHASE: &str = "similarity";

tercet_base::choices! {
    /// What a batch is counted in.
    pub enum BatchBy: "batch_by" = Pair {
        /// Examples, as in Gupta et al. (2015).
        Pair = "pair",
        /// References, each with all its examples.
        Reference = "reference",
    }
}

tercet_base::defaults! {
    /// Settings for training a [`SimilarityNetwork`]. Default: those of Gupta et al. (2015).
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct SimilaritySettings {
        /// The optimizer.
        pub optimizer: OptimizerSettings = OptimizerSettings {
            method: Method::ADAGRAD,
            learning_rate: 0.05,
            weight_decay: 1e-4,
            anchor_decay: 1e-4,
            decay_biases: true,
        },
        /// Examples or references per step.
        pub batch_size: usize = 25,
        /// What `batch_size` counts.
        pub batch_by: BatchBy = BatchBy::Pair,
        /// Whether the learning rate falls in a line, to zero after the last epoch.
        pub is_rate_falling: bool = false,
        /// Maximum number of epochs.
        pub epochs: usize = 10,
        /// Epochs without a new best after which the training ends; `None`: never.
        pub patience: Option<usize> = None,
        /// s in the loss of a ranked pair, the logistic loss of s (ŷ(better) − ŷ(worse)).
        pub ranking_scale: f32 = 1.0,
        /// Weight of the loss of a ranked pair; that of a scored pair has the weight 1.
        pub ranking_weight: f32 = 1.0,
        /// Seed of shuffling.
        pub seed: u64 = 0,
    }
}

impl SimilaritySettings {
    fn check(&self) -> Result<()> {
        check_counts(self.batch_size, self.epochs, self.patience)?;
        for (name, value) in [("ranking_scale", self.ranking_scale), ("ranking_weight", self.ranking_weight)] {
            Error::check_above_zero(name, value)?;
        }
        Ok(())
    }
}

/// A training of a [`SimilarityNetwork`].
pub struct SimilarityTraining<'a> {
    /// The network to train.
    pub network: &'a mut SimilarityNetwork,
    /// The training set.
    pub examples: &'a SimilarityExamples,
    /// The settings.
    pub settings: &'a SimilaritySettings,
    /// The development set; `None`: the last epoch is kept.
    pub development: Option<&'a SimilarityExamples>,
    /// The name of the phase, if this is one of several trainings with the same checkpoints. The caller then has to
    /// check that a checkpoint is of one of them.
    pub phase: Option<&'a str>,
}

impl<'a> SimilarityTraining<'a> {
    /// A training without a development set.
    pub fn new(
        network: &'a mut SimilarityNetwork,
        examples: &'a SimilarityExamples,
        settings: &'a SimilaritySettings,
    ) -> Self {
        SimilarityTraining { network, examples, settings, development: None, phase: None }
    }

    /// Trains the network, which ends with its best parameters. Resumes if `checkpoints` has a loaded checkpoint.
    pub fn run(self, checkpoints: &mut Checkpoints, progress: Progress<'_>) -> Result<Outcome> {
        let settings = self.settings;
        settings.check()?;
        let sets = [("training", Some(self.examples)), ("development", self.development)];
        for (name, set) in sets.into_iter().filter_map(|(name, set)| Some((name, set?))) {
            set.check(self.network.shape(), self.network.vectors_shape().0)?;
            if set.count() == 0 {
                return Err(Error::Empty { what: format!("the {name} set") });
            }
        }
        if self.phase.is_none() {
            checkpoints.expect_phase(&[PHASE])?;
        }
        let phase = self.phase.unwrap_or(PHASE);
        let mut objective = SimilarityObjective::new(self);
        let steps = (objective.batches() * settings.epochs) as u64;
        let steps = StepSettings {
            schedule: settings.is_rate_falling.then_some(Schedule { warm_up: 0, steps }),
            ..StepSettings::plain(settings.optimizer)
        };
        let stopping = Stopping { rounds: settings.epochs, patience: settings.patience, keep: Keep::Best };
        let run = Run::epochs((phase, "pairs"), steps, stopping, checkpoints, progress);
        train(&mut objective, run, None)
    }
}

/// Number of shards of a batch, independent of the number of threads.
const SHARDS: usize = 4;

/// A network and its examples.
pub(super) struct SimilarityObjective<'a> {
    training: SimilarityTraining<'a>,
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
        SimilarityObjective {
            shards: Shards::new(SHARDS, &training.network.parameters),
            training,
            round: 0,
            epoch: Epoch::default(),
            batch: Batch::default(),
            comparison: ComparisonWorkspace::default(),
            states: Vec::new(),
            gradients: Vec::new(),
        }
    }

    /// Encodes the trees of the batch.
    fn encode(&mut self) {
        let (network, batch, examples) = (&*self.training.network, &self.batch, self.training.examples);
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
        let SimilaritySettings { ranking_scale, ranking_weight, .. } = *self.training.settings;
        let classes = self.training.network.shape.classes;
        let ComparisonWorkspace { logits, logit_gradients, .. } = &mut self.comparison;
        set_zeros(logit_gradients, logits.len());
        let (mut gradients, mut sum) = (vec![0.0; 2 * classes], 0.0);
        let mean = 1.0 / examples.len() as f32;
        for (&example, compared) in examples.iter().zip(&self.batch.compared) {
            let both = compared.map(|pair| &logits[pair * classes..(pair + 1) * classes]);
            let (loss, sides) = match self.training.examples.scored.get(example as usize) {
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
        let (network, batch) = (&*self.training.network, &self.batch);
        let width = network.shape.memory;
        set_zeros(&mut self.gradients, self.states.len());
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
        let SimilaritySettings { batch_by, batch_size, seed, .. } = *self.training.settings;
        let random = &mut Random::stream(seed, "shuffle", round as u64);
        Epoch::new(self.training.examples, batch_by, batch_size, random)
    }
}

impl Objective for SimilarityObjective<'_> {
    crate::training::parameters_in!(training.network.parameters);

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
        } = self.training.settings;
        let rate = match is_rate_falling {
            true => format!("falling over {epochs} epochs"),
            false => "constant".to_owned(),
        };
        let (scored, ranked) = (self.training.examples.scored.len(), self.training.examples.ranked.len());
        Identity {
            settings: format!(
                "optimizer {optimizer:?}\nrate {rate}\nbatches of {batch_size} by {batch_by:?}\n\
                 ranking scale {ranking_scale}\n\
                 ranking weight {ranking_weight}\nseed {seed}\n{scored} scored pairs\n{ranked} ranked pairs"
            ),
            model: self.training.network.description(),
            data: self.training.network.data_hash(self.training.examples),
            development: self.training.development.map(|set| self.training.network.data_hash(set)),
        }
    }

    fn start_round(&mut self, round: usize) -> Result<usize> {
        self.round = round;
        self.epoch = self.epoch(round);
        Ok(self.epoch.batches())
    }

    fn loss(&mut self, batch: usize, _step: u64, gradients: &mut Gradients) -> Result<BatchLoss> {
        let examples = self.epoch.batch(batch).to_vec();
        self.batch.fill(self.training.examples, &examples);
        self.encode();
        let (network, pairs) = (&*self.training.network, &self.batch.pairs);
        network.comparison.forward(&network.parameters, &self.states, pairs, &mut self.comparison);
        let sum = self.losses(&examples)?;
        self.backward(gradients);
        Ok(BatchLoss { sum, items: examples.len() })
    }

    fn evaluate(&mut self, _round: usize) -> Result<Evaluation, Cause> {
        let Some(set) = self.training.development else { return Ok(Evaluation::default()) };
        let (name, value) = self.training.network.development_value(set)?;
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
            "{words} words of {dimensions}, fine-tuning {}, encoding {}, memory {}, output gate {}, hidden {}, \
             classes {}",
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
