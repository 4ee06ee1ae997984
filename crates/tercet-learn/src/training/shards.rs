//! The gradient of a batch that is split into a fixed number of shards.
//!
//! ```text
//! g = g₁ + g₂ + … + gₙ,   L = L₁ + L₂ + … + Lₙ             n does not depend on the number of threads
//! ```
//!
//! Shards run in parallel on the current rayon pool, each with its own workspace and gradients, and are summed in a
//! fixed order. So the sums are bit-identical on any number of threads.

use crate::parameters::{Gradients, Parameters};
use rayon::prelude::*;
use std::ops::AddAssign;

/// The workspaces of all shards, kept between steps.
#[derive(Debug)]
pub(crate) struct Shards<Space, Losses> {
    first: Shard<Space, Losses>,
    /// Each with its own gradients.
    others: Vec<(Shard<Space, Losses>, Gradients)>,
}

#[derive(Debug, Default)]
struct Shard<Space, Losses> {
    space: Space,
    losses: Losses,
}

impl<Space: Default + Send, Losses: AddAssign + Copy + Default + Send> Shards<Space, Losses> {
    pub fn new(count: usize, parameters: &Parameters) -> Self {
        let other = |_| (Shard::default(), Gradients::zeros(parameters));
        Shards { first: Shard::default(), others: (1..count).map(other).collect() }
    }

    /// Runs `work` for every shard, counted from 0, without gradients.
    pub fn for_each(&mut self, work: impl Fn(usize, &mut Space) + Sync) {
        let mut all = vec![&mut self.first];
        all.extend(self.others.iter_mut().map(|(shard, _)| shard));
        all.par_iter_mut().enumerate().for_each(|(number, shard)| work(number, &mut shard.space));
    }

    /// The workspaces, in order.
    pub fn spaces(&self) -> impl Iterator<Item = &Space> {
        [&self.first].into_iter().chain(self.others.iter().map(|(shard, _)| shard)).map(|shard| &shard.space)
    }

    /// Runs `work` for every shard, counted from 0; sums the gradients in `gradients`, which must be zeros, and returns
    /// the sum of the losses.
    pub fn run(
        &mut self,
        gradients: &mut Gradients,
        work: impl Fn(usize, &mut Space, &mut Gradients) -> Losses + Sync,
    ) -> Losses {
        let mut all = vec![(&mut self.first, &mut *gradients)];
        all.extend(self.others.iter_mut().map(|(shard, gradients)| (shard, gradients)));
        all.par_iter_mut().enumerate().for_each(|(number, (shard, gradients))| {
            if number > 0 {
                gradients.clear();
            }
            shard.losses = work(number, &mut shard.space, gradients);
        });
        let mut losses = self.first.losses;
        for (shard, found) in &self.others {
            gradients.add(found);
            losses += shard.losses;
        }
        losses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Role;

    #[test]
    fn every_run_adds_up_all_shards_in_their_order() {
        let mut parameters = Parameters::default();
        let id = parameters.add("x", Role::Weight, [1, 1], vec![0.0]);
        let mut shards = Shards::<usize, f64>::new(5, &parameters);
        // In single precision the sum of these depends on the order.
        let parts = [1e8_f32, 3.0, -1e8, 5.0, 0.1];
        for run in 1..=2 {
            let mut gradients = Gradients::zeros(&parameters);
            let losses = shards.run(&mut gradients, |number, space, gradients| {
                *space += 1;
                gradients.dense(id)[0] += parts[number];
                (number * *space) as f64
            });
            let expected = parts.iter().copied().reduce(|sum, part| sum + part).unwrap();
            assert_eq!((losses, gradients.element(0, 0)), (10.0 * f64::from(run), expected));
        }
    }
}
