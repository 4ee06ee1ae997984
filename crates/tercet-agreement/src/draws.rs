//! Bootstrap draws of segments (Efron, 1979).
//!
//! All metrics of a table share the same draws, and so do human scores that are averages over segments.
//! Equal to numpy's `default_rng(seed).choice(segments, size=(draws, segments))`.

use crate::progress::{Progress, Stopped};
use crate::statistics::random::Generator;
use crate::statistics::significance::bootstrap::Resamples;
use rayon::prelude::*;

/// Random draws of as many segments as there are, with replacement.
#[derive(Clone, Debug)]
pub struct Draws<'p> {
    seed: Option<u64>,
    draws: usize,
    segments: usize,
    /// Draw by draw, `segments` indices each.
    numbers: Vec<u32>,
    progress: Progress<'p>,
}

impl<'p> Draws<'p> {
    /// `draws` draws from a seed.
    pub fn new(draws: usize, segments: usize, seed: Option<u64>) -> Self {
        if segments == 0 {
            return Draws { seed, draws, segments, numbers: Vec::new(), progress: Progress::none() };
        }
        let resamples = Resamples::new(Generator::new(seed), draws, segments as u32, draws);
        let numbers = resamples.flat_map(|block| block.resamples().collect::<Vec<_>>().concat()).collect();
        Draws { seed, draws, segments, numbers, progress: Progress::none() }
    }

    /// The same draws; work on them stops when `progress` says so, and reports nothing.
    pub fn stopped_by(self, progress: Progress<'p>) -> Self {
        Draws { progress: progress.quiet(), ..self }
    }

    /// As many draws, from the same seed, of `things` items: systems, if there are no segment scores.
    pub fn of_others(&self, things: usize) -> Draws<'p> {
        self.of_part(things, 0)
    }

    /// As many draws of `things` items in one of several parts, each part with its own draws.
    pub fn of_part(&self, things: usize, part: u64) -> Draws<'p> {
        let seed = self.seed.map(|seed| seed.wrapping_add(part));
        Draws::new(self.draws, things, seed).stopped_by(self.progress)
    }

    /// The number of draws.
    pub fn len(&self) -> usize {
        if self.segments == 0 { 0 } else { self.draws }
    }

    /// Whether there are no draws.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A value for each draw, in order.
    pub fn map<T: Send>(&self, value: impl Fn(&[u32]) -> T + Sync + Send) -> Result<Vec<T>, Stopped> {
        if self.segments == 0 {
            return Ok(Vec::new());
        }
        let unless_stopped = |draw: &[u32]| self.progress.check().map(|()| value(draw));
        self.numbers.par_chunks(self.segments).map(unless_stopped).collect()
    }

    /// The same by a function of up to 64 draws.
    pub(super) fn map_many<T: Send>(
        &self,
        values: impl Fn(&[&[u32]]) -> Vec<T> + Sync + Send,
    ) -> Result<Vec<T>, Stopped> {
        if self.segments == 0 {
            return Ok(Vec::new());
        }
        let unless_stopped = |draws: &[u32]| {
            self.progress.check()?;
            Ok(values(&draws.chunks(self.segments).collect::<Vec<_>>()))
        };
        let found: Result<Vec<Vec<T>>, Stopped> =
            self.numbers.par_chunks(self.segments * 64).map(unless_stopped).collect();
        found.map(|found| found.into_iter().flatten().collect())
    }
}

/// The middle 95% of replicates: of n sorted ones, ⌊n/40⌋ are cut off at each end. NaN is ignored; `None`
/// if there is nothing else.
pub fn percentile_interval(replicates: &[f64]) -> Option<(f64, f64)> {
    let mut sorted: Vec<f64> = replicates.iter().copied().filter(|value| !value.is_nan()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let outside = sorted.len() / 40;
    Some((*sorted.get(outside)?, *sorted.get(sorted.len().checked_sub(1 + outside)?)?))
}

/// The same for draws of systems; `None` if all give the same value, as they do for a value of 1: few systems in the
/// right order do not mean that all others would be.
pub(super) fn interval_over_systems(values: &[f64]) -> Option<(f64, f64)> {
    percentile_interval(values).filter(|(low, high)| high - low > 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Event;
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn draws_are_numpys() {
        // numpy.random.default_rng(12345).choice(3004, size=(2, 2)) begins like this.
        let draws = Draws::new(2, 3004, Some(12345));
        assert_eq!(draws.map(|draw| draw[..4].to_vec()).unwrap()[0], [2100, 682, 2369, 951]);
        assert_eq!(draws.len(), 2);
    }

    #[test]
    fn work_on_draws_stops_between_two_of_them() {
        let done = AtomicUsize::new(0);
        let stop = |_: &Event<'_>| match done.load(Ordering::Relaxed) {
            0..5 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        let draws = Draws::new(1000, 3, Some(1)).stopped_by(Progress::new(&stop));
        assert_eq!(draws.map(|_| done.fetch_add(1, Ordering::Relaxed)), Err(Stopped));
        assert!(done.into_inner() < 100);
    }

    #[test]
    fn an_interval_cuts_both_ends_and_leaves_out_what_is_undefined() {
        let mut replicates: Vec<f64> = (0..1000).rev().map(f64::from).collect();
        replicates.push(f64::NAN);
        assert_eq!(percentile_interval(&replicates), Some((25.0, 974.0)));
        assert_eq!(percentile_interval(&[f64::NAN]), None);
        assert_eq!(percentile_interval(&[3.0]), Some((3.0, 3.0)));
        assert_eq!(interval_over_systems(&[1.0; 50]), None);
        assert_eq!(interval_over_systems(&replicates), Some((25.0, 974.0)));
    }
}
