//! The gradient of a batch that is cut into a fixed number of shards.
//!
//! ```text
//! g = g₁ + g₂ + … + gₙ,   L = L₁ + L₂ + … + Lₙ             n does not depend on the number of threads
//! ```
//!
//! Shards are worked on side by side, on the threads of the pool they are run in, each with room and gradients of its own;
//! what they found is added in their order. So sums have the same digits on any number of threads.

use crate::parameters::{Gradients, Parameters};
use rayon::prelude::*;
use std::ops::AddAssign;

/// The room of all shards, kept between steps.
#[derive(Debug)]
pub(crate) struct Shards<Space, Losses> {
    shards: Vec<Shard<Space, Losses>>,
}

#[derive(Debug)]
struct Shard<Space, Losses> {
    space: Space,
    gradients: Gradients,
    losses: Losses,
}

impl<Space: Default + Send, Losses: AddAssign + Copy + Default + Send> Shards<Space, Losses> {
    /// So many of them, for a network with these parameters.
    pub fn new(count: usize, parameters: &Parameters) -> Self {
        let gradients = || Gradients::zeros(parameters);
        let shard = |_| Shard { space: Space::default(), gradients: gradients(), losses: Losses::default() };
        Shards { shards: (0..count).map(shard).collect() }
    }

    /// Lets `work` add the gradients of every shard, counted from 0, to zeros; returns the sums over all.
    ///
    /// # Panics
    /// If there are no shards.
    pub fn run(
        &mut self,
        work: impl Fn(usize, &mut Space, &mut Gradients) -> Losses + Sync,
    ) -> (Losses, &mut Gradients) {
        self.shards.par_iter_mut().enumerate().for_each(|(number, shard)| {
            shard.gradients.clear();
            shard.losses = work(number, &mut shard.space, &mut shard.gradients);
        });
        let (first, others) = self.shards.split_first_mut().expect("there are shards");
        let mut losses = first.losses;
        for shard in others {
            first.gradients.add(&shard.gradients);
            losses += shard.losses;
        }
        (losses, &mut first.gradients)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Role;

    #[test]
    fn every_run_begins_at_zero_and_adds_up_all_shards_in_their_order() {
        let mut parameters = Parameters::default();
        let id = parameters.add("x", Role::Weight, [1, 1], vec![0.0]);
        let mut shards = Shards::<usize, f64>::new(5, &parameters);
        // In single precision the sum of these depends on the order.
        let parts = [1e8_f32, 3.0, -1e8, 5.0, 0.1];
        for run in 1..=2 {
            let (losses, gradients) = shards.run(|number, space, gradients| {
                *space += 1;
                gradients.dense(id)[0] += parts[number];
                (number * *space) as f64
            });
            let expected = parts.iter().copied().reduce(|sum, part| sum + part).unwrap();
            assert_eq!((losses, gradients.element(0, 0)), (10.0 * f64::from(run), expected));
        }
    }
}
