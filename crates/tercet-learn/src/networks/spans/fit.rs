//! Learning: a step over a batch, cut into a fixed number of shards, whatever the number of threads.

use super::{SpanBatch, SpanLosses, SpanNetwork, SpanWorkspace};
use crate::error::{Error, Result};
use crate::optimizer::{Optimizer, OptimizerSettings, Schedule, clip};
use crate::parameters::Gradients;
use crate::random::Random;
use rayon::prelude::*;

/// Parts that a batch is cut into.
const SHARDS: usize = 8;

/// How a network learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpanSettings {
    /// The optimizer; its learning rate is the highest of the schedule.
    pub optimizer: OptimizerSettings,
    /// The learning rate of every step.
    pub schedule: Schedule,
    /// The gradient of a step is cut to this norm; 0 for never.
    pub clip: f32,
    /// λ: what the loss of tags weighs.
    pub tag_weight: f32,
    /// Names the random streams of dropout.
    pub seed: u64,
}

impl SpanSettings {
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
pub struct SpanTrainer {
    settings: SpanSettings,
    optimizer: Optimizer,
    shards: Vec<Shard>,
}

#[derive(Debug)]
struct Shard {
    space: SpanWorkspace,
    gradients: Gradients,
    losses: SpanLosses,
}

impl SpanTrainer {
    /// A fresh one.
    pub fn new(network: &SpanNetwork, settings: SpanSettings) -> Result<Self> {
        settings.check()?;
        let optimizer = Optimizer::new(settings.optimizer, network.parameters())?;
        let shard = |_| Shard {
            space: SpanWorkspace::default(),
            gradients: Gradients::zeros(network.parameters()),
            losses: SpanLosses::default(),
        };
        Ok(SpanTrainer { settings, optimizer, shards: (0..SHARDS).map(shard).collect() })
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.optimizer.steps()
    }

    /// Learns from a batch, on the threads of the pool it is called in; returns the losses before the step.
    pub fn step(&mut self, network: &mut SpanNetwork, batch: &SpanBatch<'_>) -> Result<SpanLosses> {
        batch.check(network)?;
        let items = batch.lists.items().len();
        if items == 0 {
            return Err(Error::Empty { what: "the batch".to_owned() });
        }
        let share = 1.0 / items as f32;
        let scales = (share, self.settings.tag_weight * share);
        let (seed, step) = (self.settings.seed, self.optimizer.steps());
        let seen: &SpanNetwork = network;
        self.shards.par_iter_mut().enumerate().for_each(|(number, shard)| {
            let random = &mut Random::stream(seed, "dropout", step * SHARDS as u64 + number as u64);
            shard.gradients.clear();
            let lists = batch.lists.shard(number, SHARDS);
            shard.losses =
                seen.loss(batch, lists, scales, Some(random), &mut shard.space, &mut shard.gradients);
        });
        self.finish(network)
    }

    /// Adds up what the shards found, and moves the parameters.
    fn finish(&mut self, network: &mut SpanNetwork) -> Result<SpanLosses> {
        let (first, others) = self.shards.split_first_mut().expect("there are shards");
        let mut losses = first.losses;
        for shard in others {
            first.gradients.add(&shard.gradients);
            losses += shard.losses;
        }
        let norm = match self.settings.clip {
            0.0 => 0.0,
            most => clip(&mut first.gradients, most),
        };
        let (step, rate) = (self.optimizer.steps(), self.settings.optimizer.learning_rate);
        if !(losses.labels.is_finite() && losses.tags.is_finite() && norm.is_finite()) {
            let expected = format!("a lower one: in step {} the loss is not finite", step + 1);
            return Err(Error::setting("learning_rate", rate, &expected));
        }
        let rate = rate * self.settings.schedule.factor(step);
        self.optimizer.step_at(&mut network.parameters, &first.gradients, rate);
        Ok(losses)
    }
}
