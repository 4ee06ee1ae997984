//! Learning: one step over a batch at a time.
//!
//! # Choices
//! A batch is cut into [`SHARDS`] runs of lists with about as many items each, whatever the number of threads is. Shards
//! are worked on side by side, each with its own gradients and its own stream of random numbers; their gradients are
//! added in their order. So a step has the same digits on any number of threads.
//!
//! Weights and tables decay; biases, gains and biases of normalisation do not. The prototype of this network, in
//! PyTorch, let everything decay, at λ = 0.01.

use super::{BiaffineBatch, BiaffineLosses, BiaffineNetwork, BiaffineWorkspace, LossScale};
use crate::error::{Error, Result};
use crate::optimizer::{Method, Optimizer, OptimizerSettings, Schedule, clip};
use crate::parameters::Gradients;
use crate::random::Random;
use rayon::prelude::*;

/// Parts of a batch.
pub const SHARDS: usize = 16;

/// How a network learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BiaffineSettings {
    /// The optimizer; its learning rate is the highest of the schedule.
    pub optimizer: OptimizerSettings,
    /// The learning rate of every step.
    pub schedule: Schedule,
    /// The gradient of a step is cut to this norm; 0 for never.
    pub clip: f32,
    /// What the losses of tags and fine tags weigh beside those of heads and labels.
    pub tag_weight: f32,
    /// Names the random streams of dropout.
    pub seed: u64,
}

impl Default for BiaffineSettings {
    fn default() -> Self {
        BiaffineSettings {
            optimizer: OptimizerSettings {
                method: Method::AdamW { beta1: 0.9, beta2: 0.95, epsilon: 1e-8 },
                learning_rate: 2.5e-3,
                weight_decay: 0.01,
                anchor_decay: 0.0,
                decay_biases: false,
            },
            schedule: Schedule { warm_up: 200, steps: 7_760 },
            clip: 2.0,
            tag_weight: 0.5,
            seed: 1,
        }
    }
}

impl BiaffineSettings {
    /// Refuses numbers that cannot be meant.
    pub fn check(&self) -> Result<()> {
        self.optimizer.check()?;
        self.schedule.check()?;
        for (name, value) in [("clip", self.clip), ("tag_weight", self.tag_weight)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(Error::setting(name, value, "a number of at least 0"));
            }
        }
        Ok(())
    }
}

/// A network's optimizer, and the room that shards work in.
#[derive(Debug)]
pub struct BiaffineTrainer {
    settings: BiaffineSettings,
    optimizer: Optimizer,
    shards: Vec<Shard>,
}

#[derive(Debug)]
struct Shard {
    space: BiaffineWorkspace,
    gradients: Gradients,
    losses: BiaffineLosses,
}

impl BiaffineTrainer {
    /// A fresh one.
    pub fn new(network: &BiaffineNetwork, settings: BiaffineSettings) -> Result<Self> {
        settings.check()?;
        let optimizer = Optimizer::new(settings.optimizer, network.parameters())?;
        let shard = |_| Shard {
            space: BiaffineWorkspace::default(),
            gradients: Gradients::zeros(network.parameters()),
            losses: BiaffineLosses::default(),
        };
        Ok(BiaffineTrainer { settings, optimizer, shards: (0..SHARDS).map(shard).collect() })
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.optimizer.steps()
    }

    /// The optimizer, with all that a checkpoint has to keep.
    pub fn optimizer(&self) -> &Optimizer {
        &self.optimizer
    }

    /// Takes up where another left off.
    pub fn restore(&mut self, steps: u64, state: Vec<Vec<Vec<f32>>>) -> Result<()> {
        self.optimizer.restore(steps, state)
    }

    /// Learns from a batch, on the threads of the pool it is called in; returns the losses before the step.
    pub fn step(
        &mut self,
        network: &mut BiaffineNetwork,
        batch: &BiaffineBatch<'_>,
    ) -> Result<BiaffineLosses> {
        batch.check(&network.shape())?;
        let items = batch.lists.items().len();
        if items == 0 {
            return Err(Error::Empty { what: "the batch".to_owned() });
        }
        let share = 1.0 / items as f32;
        let scale = LossScale { arcs: share, tags: self.settings.tag_weight * share };
        let (seed, step) = (self.settings.seed, self.optimizer.steps());
        self.shards.par_iter_mut().enumerate().for_each(|(number, shard)| {
            let random = &mut Random::stream(seed, "dropout", step * SHARDS as u64 + number as u64);
            shard.gradients.clear();
            let (space, gradients) = (&mut shard.space, Some(&mut shard.gradients));
            shard.losses = match batch.lists.shard(number, SHARDS) {
                lists if lists.is_empty() => BiaffineLosses::default(),
                lists => network.loss(batch, lists, scale, Some(random), space, gradients),
            };
        });
        self.finish(network)
    }

    /// Adds up what the shards found, and moves the parameters.
    fn finish(&mut self, network: &mut BiaffineNetwork) -> Result<BiaffineLosses> {
        let (first, others) = self.shards.split_first_mut().expect("there are shards");
        let mut losses = first.losses;
        for shard in others {
            first.gradients.add(&shard.gradients);
            losses += shard.losses;
        }
        let step = self.optimizer.steps();
        let loss = losses.mean(self.settings.tag_weight);
        let norm = match self.settings.clip {
            0.0 => 0.0,
            most => clip(&mut first.gradients, most),
        };
        if !(loss.is_finite() && norm.is_finite()) {
            let value = format!("{}", self.settings.optimizer.learning_rate);
            let expected =
                format!("a lower one: in step {} the loss is {loss}, the gradient {norm}", step + 1);
            return Err(Error::setting("learning_rate", value, &expected));
        }
        let rate = self.settings.optimizer.learning_rate * self.settings.schedule.factor(step);
        self.optimizer.step_at(&mut network.parameters, &first.gradients, rate);
        Ok(losses)
    }
}
