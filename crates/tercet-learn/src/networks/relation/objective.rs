//! The loss of a batch, in a fixed number of shards, and the accuracy on a development set.

use super::workspace::{Answers, RelationWorkspace};
use super::{RelatedPair, RelationExamples, RelationNetwork, RelationSettings, RelationTraining};
use crate::error::{Cause, Result};
use crate::networks::data_digest::DataDigest;
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use crate::training::shards::Shards;
use crate::training::{BatchLoss, Evaluation, Identity, Objective};

/// Number of shards of a batch, independent of the number of threads.
const SHARDS: usize = 4;

/// A network and its examples.
pub(super) struct RelationObjective<'a> {
    network: &'a mut RelationNetwork,
    examples: &'a RelationExamples,
    settings: &'a RelationSettings,
    development: Option<&'a RelationExamples>,
    /// The pairs in the order of the epoch.
    order: Vec<RelatedPair>,
    shards: Shards<RelationWorkspace, Answers>,
    /// Right answers of the epoch, before the step of their batch.
    right: usize,
}

impl<'a> RelationObjective<'a> {
    pub fn new(training: RelationTraining<'a>) -> Self {
        let RelationTraining { network, examples, settings, development } = training;
        let shards = Shards::new(SHARDS, &network.parameters);
        let (order, right) = (Vec::new(), 0);
        RelationObjective { network, examples, settings, development, order, shards, right }
    }
}

impl Objective for RelationObjective<'_> {
    fn parameters(&self) -> &Parameters {
        &self.network.parameters
    }

    fn parameters_mut(&mut self) -> &mut Parameters {
        &mut self.network.parameters
    }

    fn identity(&self) -> Identity {
        let RelationSettings { optimizer, epoch_decay, clip, batch_size, seed, .. } = self.settings;
        let pairs = self.examples.pairs.len();
        Identity {
            settings: format!(
                "optimizer {optimizer:?}\nrate {epoch_decay:?}\nclip {clip}\nbatches of {batch_size}\nseed {seed}\n\
                 {pairs} pairs"
            ),
            model: self.network.description(),
            data: self.network.data_hash(self.examples),
            development: self.development.map(|set| self.network.data_hash(set)),
        }
    }

    fn start_round(&mut self, round: usize) -> Result<usize> {
        self.right = 0;
        self.order.clone_from(&self.examples.pairs);
        Random::stream(self.settings.seed, "shuffle", round as u64).shuffle(&mut self.order);
        Ok(self.order.len().div_ceil(self.settings.batch_size))
    }

    fn loss(&mut self, batch: usize, _step: u64, gradients: &mut Gradients) -> Result<BatchLoss> {
        let start = batch * self.settings.batch_size;
        let pairs = &self.order[start..self.order.len().min(start + self.settings.batch_size)];
        let (network, lists, count) = (&*self.network, &self.examples.lists, pairs.len());
        let answers = self.shards.run(gradients, |shard, space, gradients| {
            let pairs = &pairs[count * shard / SHARDS..count * (shard + 1) / SHARDS];
            network.forward(lists, pairs, space);
            network.backward(pairs, 1.0 / count as f32, space, gradients)
        });
        self.right += answers.right;
        Ok(BatchLoss { sum: answers.loss, items: count })
    }

    fn evaluate(&mut self, _round: usize) -> Result<Evaluation, Cause> {
        let seen = self.right as f64 / self.order.len() as f64;
        let Some(set) = self.development else {
            return Ok(Evaluation { value: None, text: format!("training accuracy {seen:.4}") });
        };
        let value = self.network.accuracy(set)?;
        let text = format!("training accuracy {seen:.4}, dev accuracy {value:.4}");
        Ok(Evaluation { value: Some(value), text })
    }
}

impl RelationNetwork {
    /// Sizes and options as text.
    fn description(&self) -> String {
        let (words, dimensions) = (self.vectors.rows(), self.vectors.columns());
        let shape = self.shape;
        format!(
            "{words} words of {dimensions}, units {}, hidden {}, layers {}, activation {}, classes {}",
            shape.units,
            shape.hidden,
            shape.layers,
            shape.activation.name(),
            shape.classes
        )
    }

    /// A hash of the examples and the word vectors.
    fn data_hash(&self, examples: &RelationExamples) -> String {
        let pairs: Vec<u32> = examples.pairs.iter().flat_map(|pair| [pair.first, pair.second, pair.class]).collect();
        let digest = DataDigest::default().lists(&examples.lists).integers(&pairs);
        digest.numbers(self.vectors.values()).finish()
    }
}
