//! Training: epochs of shuffled batches of groups, with AdamW, warm-up and early stopping.

use super::{GroupWorkspace, Lines, SiameseGroup, SiameseNetwork, check, check_not_empty, digest};
use crate::error::{Cause, Error, Result};
use crate::loss::{logistic, squared_error};
use crate::networks::limits::check_counts;
use crate::optimizer::{Method, OptimizerSettings, Schedule};
use crate::parameters::Gradients;
use crate::progress::Progress;
use crate::random::Random;
use crate::training::{
    BatchLoss, Checkpoints, Evaluation, Identity, Keep, Objective, Outcome, Run, Shards, StepSettings, Stopping, train,
};

tercet_base::defaults! {
    /// Settings for training a [`SiameseNetwork`].
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct SiameseSettings {
        /// The optimizer; its learning rate is that of the head.
        pub optimizer: OptimizerSettings = OptimizerSettings {
            method: Method::AdamW { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 },
            learning_rate: 1e-4,
            weight_decay: 0.01,
            anchor_decay: 0.01,
            decay_biases: false,
        },
        /// The share of the steps in which the learning rate rises; then it falls in a line to 0 after the last epoch.
        pub warm_up: f64 = 0.06,
        /// Gradients are clipped to this norm; 0 for no clipping.
        pub clip: f32 = 1.0,
        /// Groups per step.
        pub batch_size: usize = 16,
        /// Maximum number of epochs.
        pub epochs: usize = 10,
        /// Epochs without a new best after which the training ends; `None`: never.
        pub patience: Option<usize> = Some(3),
        /// T: the difference of two scores divided by T is the logit of a pair.
        pub temperature: f32 = 1.0,
        /// Seed of shuffling.
        pub seed: u64 = 1,
    }
}

/// A training of a [`SiameseNetwork`].
pub struct SiameseTraining<'a> {
    /// The network to train.
    pub network: &'a mut SiameseNetwork,
    /// What is known of the lines of all groups.
    pub lines: &'a Lines<'a>,
    /// The training set.
    pub groups: &'a [SiameseGroup],
    /// The development set; if it is empty, the last epoch is kept.
    pub development: &'a [SiameseGroup],
    /// The settings.
    pub settings: &'a SiameseSettings,
    /// Identifies the network that the training starts with and the lines: a checkpoint of another one is refused.
    pub start: &'a str,
}

impl SiameseTraining<'_> {
    /// Name of the only phase, for [`TrainingFiles::begin`](crate::training::TrainingFiles::begin).
    pub const PHASE: &'static str = "siamese";

    /// Trains the network, which ends with its best parameters. Resumes if `checkpoints` has a loaded checkpoint.
    pub fn run(self, checkpoints: &mut Checkpoints, progress: Progress<'_>) -> Result<Outcome> {
        let settings = self.settings;
        check_counts(settings.batch_size, settings.epochs, settings.patience)?;
        let strings = self.network.head.strings_widths();
        check(self.groups, &strings)?;
        check(self.development, &strings)?;
        check_not_empty(self.groups)?;
        Error::check_above_zero("temperature", settings.temperature)?;
        checkpoints.expect_phase(&[Self::PHASE])?;
        let steps = (self.groups.len().div_ceil(settings.batch_size) * settings.epochs) as u64;
        let warm_up = (settings.warm_up * steps as f64) as u64;
        let has_development = !self.development.is_empty();
        let steps = StepSettings {
            schedule: Some(Schedule { warm_up, steps }),
            clip: settings.clip,
            ..StepSettings::plain(settings.optimizer)
        };
        let stopping = Stopping {
            rounds: settings.epochs,
            patience: settings.patience.filter(|_| has_development),
            keep: Keep::Best,
        };
        let run = Run::epochs((Self::PHASE, "judgements"), steps, stopping, checkpoints, progress);
        train(&mut SiameseObjective::new(self), run, None)
    }
}

/// Number of shards of a batch, independent of the number of threads.
const SHARDS: usize = 4;

/// A network and its groups.
pub(super) struct SiameseObjective<'a> {
    training: SiameseTraining<'a>,
    /// The groups in the order of this round.
    order: Vec<u32>,
    shards: Shards<GroupWorkspace, f64>,
}

impl<'a> SiameseObjective<'a> {
    pub fn new(training: SiameseTraining<'a>) -> Self {
        let shards = Shards::new(SHARDS, &training.network.parameters);
        SiameseObjective { order: (0..training.groups.len() as u32).collect(), training, shards }
    }

    fn batch(&self, batch: usize) -> &[u32] {
        let size = self.training.settings.batch_size;
        &self.order[batch * size..self.order.len().min((batch + 1) * size)]
    }
}

/// The groups of a shard of a batch.
fn share(batch: &[u32], shard: usize) -> &[u32] {
    &batch[batch.len() * shard / SHARDS..batch.len() * (shard + 1) / SHARDS]
}

/// The weighted sum of the losses of a group with these scores; adds its gradients, multiplied by `scale`, to
/// `d_scores`.
fn group_loss(group: &SiameseGroup, scores: &[f32], temperature: f32, scale: f32, d_scores: &mut [f32]) -> f64 {
    let mut sum = 0.0;
    for one in &group.ranked {
        let (loss, slope) = logistic((scores[one.better] - scores[one.worse]) / temperature, 1.0);
        let slope = slope * one.weight * scale / temperature;
        d_scores[one.better] += slope;
        d_scores[one.worse] -= slope;
        sum += f64::from(one.weight) * loss;
    }
    for one in &group.scored {
        let (loss, slope) = squared_error(scores[one.item], one.target);
        d_scores[one.item] += slope * one.weight * scale;
        sum += f64::from(one.weight) * loss;
    }
    sum
}

impl Objective for SiameseObjective<'_> {
    crate::training::parameters_in!(training.network.parameters);

    fn identity(&self) -> Identity {
        let SiameseSettings { optimizer, warm_up, clip, batch_size, epochs, temperature, seed, .. } =
            *self.training.settings;
        let rates: Vec<f32> = self.training.network.parameters.tensors().iter().map(|tensor| tensor.rate).collect();
        let rates = rates.iter().fold([1.0f32; 2], |[low, high], rate| [low.min(*rate), high.max(*rate)]);
        let names: Vec<&str> =
            self.training.network.parameters.tensors().iter().map(|tensor| tensor.name.as_str()).collect();
        Identity {
            settings: format!(
                "optimizer {optimizer:?}\nrates {rates:?}\nwarm-up {warm_up}, falling over {epochs} epochs\n\
                 clipping {clip}\n\
                 batches of {batch_size}\ntemperature {temperature}\nseed {seed}\n{} groups",
                self.training.groups.len()
            ),
            model: format!("{} of {}", names.join(" "), self.training.start),
            data: digest(self.training.groups),
            development: Some(digest(self.training.development)),
        }
    }

    fn start_round(&mut self, round: usize) -> Result<usize> {
        self.order = (0..self.training.groups.len() as u32).collect();
        Random::stream(self.training.settings.seed, "shuffle", round as u64).shuffle(&mut self.order);
        Ok(self.order.len().div_ceil(self.training.settings.batch_size))
    }

    fn loss(&mut self, batch: usize, _step: u64, gradients: &mut Gradients) -> Result<BatchLoss> {
        let batch = self.batch(batch).to_vec();
        let (network, lines, groups) = (&*self.training.network, self.training.lines, self.training.groups);
        let of_batch = || batch.iter().map(|number| &groups[*number as usize]);
        let weight: f32 = of_batch().map(SiameseGroup::weight).sum();
        let items = of_batch().map(SiameseGroup::examples).sum();
        if weight <= 0.0 {
            return Err(Error::Empty { what: "a batch".to_owned() });
        }
        let temperature = self.training.settings.temperature;
        let sum = self.shards.run(gradients, |number, space, gradients| {
            let mut sum = 0.0;
            for number in share(&batch, number) {
                let group = &groups[*number as usize];
                network.forward(group, lines, space);
                let mut d_scores = vec![0.0; group.items.len()];
                sum += group_loss(group, &space.scores, temperature, 1.0 / weight, &mut d_scores);
                network.backward(group, lines, &d_scores, space, gradients);
            }
            sum
        });
        Ok(BatchLoss { sum, items })
    }

    fn shown(&self, value: f64) -> f64 {
        -value
    }

    /// The mean loss of the development groups, negative: higher is better.
    fn evaluate(&mut self, _round: usize) -> Result<Evaluation, Cause> {
        if self.training.development.is_empty() {
            return Ok(Evaluation::default());
        }
        let scores = self.training.network.scores(self.training.development, self.training.lines);
        let (mut sum, mut examples, mut right, mut pairs) = (0.0, 0, 0, 0);
        for (group, scores) in self.training.development.iter().zip(&scores) {
            let mut unused = vec![0.0; scores.len()];
            sum += group_loss(group, scores, self.training.settings.temperature, 1.0, &mut unused);
            examples += group.examples();
            right += group.ranked.iter().filter(|one| scores[one.better] > scores[one.worse]).count();
            pairs += group.ranked.len();
        }
        let loss = sum / examples.max(1) as f64;
        let accuracy = match pairs {
            0 => String::new(),
            pairs => format!(", pairs right {:.4}", right as f64 / pairs as f64),
        };
        Ok(Evaluation { value: Some(-loss), text: format!("dev loss {loss:.4}{accuracy}") })
    }
}
