//! The loss of a batch of groups, and the value of the development groups.

use super::examples::digest;
use super::{GroupWorkspace, Lines, SiameseGroup, SiameseNetwork, SiameseSettings, SiameseTraining};
use crate::error::{Cause, Error, Result};
use crate::loss::{logistic, squared_error};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use crate::training::shards::Shards;
use crate::training::{BatchLoss, Evaluation, Identity, Objective};

/// Number of shards of a batch, independent of the number of threads.
const SHARDS: usize = 4;

/// A network and its groups.
pub(super) struct SiameseObjective<'a> {
    network: &'a mut SiameseNetwork,
    lines: &'a Lines<'a>,
    groups: &'a [SiameseGroup],
    development: &'a [SiameseGroup],
    settings: &'a SiameseSettings,
    start: &'a str,
    /// The groups in the order of this round.
    order: Vec<u32>,
    shards: Shards<GroupWorkspace, f64>,
}

impl<'a> SiameseObjective<'a> {
    pub fn new(training: SiameseTraining<'a>) -> Self {
        let SiameseTraining { network, lines, groups, development, settings, start } = training;
        let shards = Shards::new(SHARDS, &network.parameters);
        let order = (0..groups.len() as u32).collect();
        SiameseObjective { network, lines, groups, development, settings, start, order, shards }
    }

    fn batch(&self, batch: usize) -> &[u32] {
        let size = self.settings.batch_size;
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
    fn parameters(&self) -> &Parameters {
        &self.network.parameters
    }

    fn parameters_mut(&mut self) -> &mut Parameters {
        &mut self.network.parameters
    }

    fn identity(&self) -> Identity {
        let SiameseSettings { optimizer, warm_up, clip, batch_size, epochs, temperature, seed, .. } = *self.settings;
        let rates: Vec<f32> = self.network.parameters.tensors().iter().map(|tensor| tensor.rate).collect();
        let rates = rates.iter().fold([1.0f32; 2], |[low, high], rate| [low.min(*rate), high.max(*rate)]);
        let names: Vec<&str> = self.network.parameters.tensors().iter().map(|tensor| tensor.name.as_str()).collect();
        Identity {
            settings: format!(
                "optimizer {optimizer:?}\nrates {rates:?}\nwarm-up {warm_up}, falling over {epochs} epochs\n\
                 clipping {clip}\n\
                 batches of {batch_size}\ntemperature {temperature}\nseed {seed}\n{} groups",
                self.groups.len()
            ),
            model: format!("{} of {}", names.join(" "), self.start),
            data: digest(self.groups),
            development: Some(digest(self.development)),
        }
    }

    fn start_round(&mut self, round: usize) -> Result<usize> {
        self.order = (0..self.groups.len() as u32).collect();
        Random::stream(self.settings.seed, "shuffle", round as u64).shuffle(&mut self.order);
        Ok(self.order.len().div_ceil(self.settings.batch_size))
    }

    fn loss(&mut self, batch: usize, _step: u64, gradients: &mut Gradients) -> Result<BatchLoss> {
        let batch = self.batch(batch).to_vec();
        let (network, lines, groups) = (&*self.network, self.lines, self.groups);
        let of_batch = || batch.iter().map(|number| &groups[*number as usize]);
        let weight: f32 = of_batch().map(SiameseGroup::weight).sum();
        let items = of_batch().map(SiameseGroup::examples).sum();
        if weight <= 0.0 {
            return Err(Error::Empty { what: "a batch".to_owned() });
        }
        let temperature = self.settings.temperature;
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
        if self.development.is_empty() {
            return Ok(Evaluation::default());
        }
        let scores = self.network.scores(self.development, self.lines);
        let (mut sum, mut examples, mut right, mut pairs) = (0.0, 0, 0, 0);
        for (group, scores) in self.development.iter().zip(&scores) {
            let mut unused = vec![0.0; scores.len()];
            sum += group_loss(group, scores, self.settings.temperature, 1.0, &mut unused);
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
