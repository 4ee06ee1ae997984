//! Learning: one step over a batch at a time, for any network over lists.
//!
//! # Choices
//! A batch is cut into [`ListNetwork::SHARDS`] runs of lists with about as many items each (`training/shards.rs`), each
//! with its own stream of random numbers, named by the step and its number. So a step has the same digits on any number of
//! threads.
//!
//! Weights and tables decay; biases, gains and biases of normalisation do not. The prototype of the biaffine network, in
//! PyTorch, let everything decay, at λ = 0.01.

use super::{ListBatch, ListLosses, ListNetwork, LossScale};
use crate::error::{Error, Result};
use crate::optimizer::{Method, Optimizer, OptimizerSettings, Schedule, clip};
use crate::random::Random;
use crate::training::shards::Shards;

/// How a network learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ListSettings {
    /// The optimizer; its learning rate is the highest of the schedule.
    pub optimizer: OptimizerSettings,
    /// The learning rate of every step.
    pub schedule: Schedule,
    /// The gradient of a step is cut to this norm; 0 for never.
    pub clip: f32,
    /// λ: what the losses of tags weigh beside those of what is on top.
    pub tag_weight: f32,
    /// Names the random streams of dropout.
    pub seed: u64,
}

impl Default for ListSettings {
    fn default() -> Self {
        ListSettings {
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

impl ListSettings {
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

    /// The learning rate of a step, counted from 0, with this loss and this norm of the gradient: refused where they are not
    /// finite.
    fn rate(&self, step: u64, loss: f64, norm: f64) -> Result<f32> {
        let rate = self.optimizer.learning_rate;
        if loss.is_finite() && norm.is_finite() {
            return Ok(rate * self.schedule.factor(step));
        }
        let expected = format!("a lower one: in step {} the loss is {loss}, the gradient {norm}", step + 1);
        Err(Error::setting("learning_rate", rate, &expected))
    }
}

/// A network's optimizer, and the room that shards work in.
#[derive(Debug)]
pub struct ListTrainer<N: ListNetwork> {
    settings: ListSettings,
    optimizer: Optimizer,
    shards: Shards<N::Workspace, N::Losses>,
}

impl<N: ListNetwork> ListTrainer<N> {
    /// A fresh one.
    pub fn new(network: &N, settings: ListSettings) -> Result<Self> {
        settings.check()?;
        let optimizer = Optimizer::new(settings.optimizer, network.parameters())?;
        Ok(ListTrainer { settings, optimizer, shards: Shards::new(N::SHARDS, network.parameters()) })
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
    pub fn step(&mut self, network: &mut N, batch: &ListBatch<'_, N::Targets>) -> Result<N::Losses> {
        network.check(batch)?;
        let items = batch.lists.items().len();
        if items == 0 {
            return Err(Error::Empty { what: "the batch".to_owned() });
        }
        let share = 1.0 / items as f32;
        let scale = LossScale { top: share, tags: self.settings.tag_weight * share };
        let (seed, step, seen) = (self.settings.seed, self.optimizer.steps(), &*network);
        let (losses, gradients) = self.shards.run(|number, space, gradients| {
            let random = &mut Random::stream(seed, "dropout", step * N::SHARDS as u64 + number as u64);
            let lists = batch.lists.shard(number, N::SHARDS);
            seen.loss(batch, lists, scale, Some(random), space, gradients)
        });
        let loss = losses.mean(self.settings.tag_weight);
        let norm = match self.settings.clip {
            0.0 => 0.0,
            most => clip(gradients, most),
        };
        let rate = self.settings.rate(step, loss, norm)?;
        self.optimizer.step_at(network.parameters_mut(), gradients, rate);
        Ok(losses)
    }
}
