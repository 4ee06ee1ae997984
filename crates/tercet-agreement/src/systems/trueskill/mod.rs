//! TrueSkill as the official ranking of WMT14–16 (Sakaguchi, Post & Van Durme, WMT 2014).
//!
//! One run plays N + 1 games, N the number of comparisons there are. Next to play is the system whose σ² is largest (of
//! equals the last by name) against another drawn with weights 1/exp|μ₁ − μ₂|; the result is drawn from the comparisons
//! of the two, with replacement. μ starts at 0, σ at ½; β = σ · (N + 1)/40, a draw among equals has probability ¼, and
//! nothing drifts. A thousand runs give each system a thousand ranks; its score is the mean of μ.
//!
//! # Agreement
//! The procedure is `infer_TS.py -n 2 -d 0 -s 2` of keisks/wmt-trueskill, with `cluster.py -by-rank` after it (see
//! `rank_range.rs`). WMT's scripts differ in the comparisons of a run: WMT15 used the same for all runs
//! ([`ResamplingUnit::None`]), WMT16 drew the comparisons with replacement first ([`ResamplingUnit::Comparisons`]),
//! which widens the ranges; each set is treated as in its year. The seed of the published runs is not known.
//! `tests/golden/trueskill.rs` compares with the published clusters.
//!
//! # Where it differs
//! `infer_TS.py` stops with an error when the two systems drawn were never compared. Here such opponents are not drawn,
//! and a system without opponents in a resample stays at μ = 0.

mod rating;

use super::games::{Games, HeadToHead, ResamplingUnit};
use crate::statistics::random::Generator;
pub use rating::{Environment, Rating};

/// σ before the first game.
const SIGMA: f64 = 0.5;
/// The probability of a draw between equals.
const DRAW: f64 = 0.25;
/// β is σ · games/40.
const GAMES_TO_A_SIGMA: f64 = 40.0;

/// The abilities after one run: μ and σ² of each system.
pub fn run(games: &Games, resampling: ResamplingUnit, mut generator: Generator) -> Vec<Rating> {
    let table = games.resampled_table(resampling, &mut generator);
    let number = table.games() + 1;
    let mut season = Run::new(&table, number);
    for _ in 0..number {
        season.play(&mut generator);
    }
    season.ratings
}

/// The state of a run.
struct Run {
    arena: Environment,
    systems: usize,
    ratings: Vec<Rating>,
    /// exp(μ) and exp(−μ): the weight 1/exp|μ₁ − μ₂| is the lesser of their two mixed products.
    growth: Vec<f64>,
    decay: Vec<f64>,
    /// `[wins, wins or ties, all]` of one system against another.
    outcomes: Vec<[u32; 3]>,
    /// 1 if the two were ever compared, else 0.
    meet: Vec<f64>,
    /// Whether the system has opponents.
    active: Vec<bool>,
    /// Cumulative weights, reused between games.
    sums: Vec<f64>,
}

impl Run {
    fn new(table: &HeadToHead, games: usize) -> Run {
        let systems = table.systems();
        let pairs = (0..systems * systems).map(|place| (place / systems, place % systems));
        let outcomes: Vec<[u32; 3]> = pairs
            .map(|(a, b)| {
                let (wins, ties) = (table.wins(a, b), table.ties(a, b));
                [wins, wins + ties, wins + ties + table.wins(b, a)]
            })
            .collect();
        let met = |&[.., all]: &[u32; 3]| if all > 0 { 1.0 } else { 0.0 };
        Run {
            arena: Environment::new(SIGMA * games as f64 / GAMES_TO_A_SIGMA, DRAW),
            systems,
            ratings: vec![Rating { mu: 0.0, variance: SIGMA * SIGMA }; systems],
            growth: vec![1.0; systems],
            decay: vec![1.0; systems],
            meet: outcomes.iter().map(met).collect(),
            active: outcomes.chunks(systems.max(1)).map(|row| row.iter().any(|&[.., all]| all > 0)).collect(),
            outcomes,
            sums: vec![0.0; systems],
        }
    }

    fn play(&mut self, generator: &mut Generator) {
        let Some(one) = self.least_known() else { return };
        let other = self.opponent(one, generator.random());
        let [wins, undefeated, all] = self.outcomes[one * self.systems + other];
        let drawn = generator.below(u64::from(all)) as u32;
        let (mut a, mut b) = (self.ratings[one], self.ratings[other]);
        if drawn < wins {
            self.arena.win(&mut a, &mut b);
        } else if drawn < undefeated {
            self.arena.draw(&mut a, &mut b);
        } else {
            self.arena.win(&mut b, &mut a);
        }
        for (system, rating) in [(one, a), (other, b)] {
            self.ratings[system] = rating;
            self.growth[system] = rating.mu.exp();
            self.decay[system] = self.growth[system].recip();
        }
    }

    /// The system with the largest variance, of equals the last.
    fn least_known(&self) -> Option<usize> {
        let systems = (0..self.systems).filter(|&system| self.active[system]);
        systems.max_by(|&a, &b| self.ratings[a].variance.total_cmp(&self.ratings[b].variance))
    }

    /// The opponent of `one`, for a uniform draw from [0, 1).
    fn opponent(&mut self, one: usize, draw: f64) -> usize {
        let (growth, decay) = (self.growth[one], self.decay[one]);
        let meet = &self.meet[one * self.systems..][..self.systems];
        let mut sum = 0.0;
        for (((total, &theirs), &their_decay), &meet) in
            self.sums.iter_mut().zip(&self.growth).zip(&self.decay).zip(meet)
        {
            sum += meet * f64::min(growth * their_decay, decay * theirs);
            *total = sum;
        }
        let wanted = draw * sum;
        let found = self.sums.iter().position(|&total| wanted < total);
        // Rounding may leave the draw at the very end.
        found.or_else(|| meet.iter().rposition(|&meet| meet > 0.0)).unwrap_or(one)
    }
}

#[cfg(test)]
mod tests;
