//! The model of Hopkins & May (ACL 2013): a system has a mean quality, its translations vary around it, and judges
//! perceive them with noise.
//!
//! ```text
//! μ_s ~ N(0, σ₀²)                 the ability of system s
//! q_si ~ N(μ_s, σ_a²)             the quality of its translation of segment i
//! x ~ N(q_si, σ_obs²)             what a judge perceives in each comparison
//! outcome: the first if x₁ − x₂ > d, the second if x₁ − x₂ < −d, else a tie
//! ```
//!
//! d is the decision radius. The posterior is sampled by Gibbs: perceptions given qualities and outcomes (a truncated
//! normal difference, a free sum), qualities given perceptions, means given qualities. After the burn-in each sweep is
//! a sample of all μ: their average is the score, and the ranks of a system over the samples are its range, cut as
//! those of the other methods are. σ₀ = 1, σ_a = ½, σ_obs = 1, d = ½ and a burn-in of 50 sweeps are `infer_HM.py`'s.
//!
//! # Where `infer_HM.py` differs
//! That script (keisks/wmt-trueskill) does not sample this posterior. In each of its 200 iterations it draws one
//! judgement per segment, draws perceptions from the prior, moves the two just far enough to satisfy the outcome and
//! averages; its means have no prior. It compares the total number of iterations, not the current one, with the
//! burn-in, and writes only the means of the last iteration. We follow the paper.
//!
//! # Streams
//! The samples come from [`CHAINS`] chains, each with its own stream and burn-in, independent of the number of threads.

mod truncated;

use super::games::Games;
use crate::corpora::Outcome;
use crate::progress::{Progress, Stopped};
use crate::statistics::random::Generator;
use rayon::prelude::*;
use truncated::Normals;

/// Independent chains.
pub const CHAINS: usize = 8;
/// Sweeps discarded at the start of each chain.
pub const BURN_IN: usize = 50;

const SIGMA_0: f64 = 1.0;
const SIGMA_A: f64 = 0.5;
const SIGMA_OBS: f64 = 1.0;
const RADIUS: f64 = 0.5;

/// Samples of all means, `samples[sample][system]`; `stream` gives the generator of a chain, `progress`
/// advances by samples.
pub fn sample(
    games: &Games,
    samples: usize,
    stream: impl Fn(usize) -> Generator + Sync,
    progress: Progress<'_>,
) -> Result<Vec<Vec<f64>>, Stopped> {
    let plan = Plan::new(games);
    let chains = CHAINS.min(samples);
    let chain = |number: usize| {
        let mut chain = Chain::new(&plan, stream(number));
        (0..BURN_IN).for_each(|_| chain.sweep());
        let share = samples / chains + usize::from(number < samples % chains);
        let sample = |_| {
            chain.sweep();
            progress.advance(1).map(|()| chain.means.clone())
        };
        (0..share).map(sample).collect::<Vec<_>>()
    };
    (0..chains).into_par_iter().flat_map_iter(chain).collect()
}

/// The translations and the comparisons between them.
struct Plan {
    systems: usize,
    /// The system of each translation.
    owner: Vec<usize>,
    /// The number of comparisons of each translation.
    compared: Vec<f64>,
    /// Translations compared, and the outcome.
    games: Vec<(usize, usize, Outcome)>,
}

impl Plan {
    fn new(games: &Games) -> Plan {
        let systems = games.systems().len();
        let segments = games.games().iter().map(|game| game.segment + 1).max().unwrap_or(0);
        let mut number = vec![usize::MAX; systems * segments];
        let mut plan = Plan { systems, owner: Vec::new(), compared: Vec::new(), games: Vec::new() };
        for game in games.games() {
            let translations = [game.first, game.second].map(|system| {
                let place = &mut number[game.segment * systems + system];
                if *place == usize::MAX {
                    *place = plan.owner.len();
                    plan.owner.push(system);
                    plan.compared.push(0.0);
                }
                plan.compared[*place] += 1.0;
                *place
            });
            plan.games.push((translations[0], translations[1], game.outcome));
        }
        plan
    }
}

struct Chain<'a> {
    plan: &'a Plan,
    normals: Normals,
    means: Vec<f64>,
    qualities: Vec<f64>,
    /// The sum of perceived qualities of each translation.
    perceived: Vec<f64>,
}

impl<'a> Chain<'a> {
    fn new(plan: &'a Plan, generator: Generator) -> Self {
        let mut normals = Normals::new(generator);
        let means: Vec<f64> = (0..plan.systems).map(|_| SIGMA_0 * normals.draw()).collect();
        let qualities = plan.owner.iter().map(|&system| means[system]).collect();
        Chain { plan, normals, means, qualities, perceived: vec![0.0; plan.owner.len()] }
    }

    fn sweep(&mut self) {
        self.perceive();
        self.judge_translations();
        self.judge_systems();
    }

    /// Samples the difference of two perceptions from a normal truncated by the outcome, and their sum from a normal.
    fn perceive(&mut self) {
        let spread = SIGMA_OBS * 2f64.sqrt();
        self.perceived.fill(0.0);
        for &(first, second, outcome) in &self.plan.games {
            let (one, other) = (self.qualities[first], self.qualities[second]);
            let mean = one - other;
            let [low, high] = [-RADIUS, RADIUS].map(|bound| (bound - mean) / spread);
            let difference = mean
                + spread
                    * match outcome {
                        Outcome::First => self.normals.above(high),
                        Outcome::Second => -self.normals.above(-low),
                        Outcome::Tie => self.normals.between(low, high),
                    };
            let sum = one + other + spread * self.normals.draw();
            self.perceived[first] += (sum + difference) / 2.0;
            self.perceived[second] += (sum - difference) / 2.0;
        }
    }

    fn judge_translations(&mut self) {
        let (prior, observed) = (SIGMA_A.powi(-2), SIGMA_OBS.powi(-2));
        for (translation, &system) in self.plan.owner.iter().enumerate() {
            let precision = prior + self.plan.compared[translation] * observed;
            let mean = (self.means[system] * prior + self.perceived[translation] * observed) / precision;
            self.qualities[translation] = mean + self.normals.draw() / precision.sqrt();
        }
    }

    fn judge_systems(&mut self) {
        let (prior, observed) = (SIGMA_0.powi(-2), SIGMA_A.powi(-2));
        let mut sums = vec![(0.0, 0.0); self.plan.systems];
        for (&system, &quality) in self.plan.owner.iter().zip(&self.qualities) {
            sums[system].0 += quality;
            sums[system].1 += 1.0;
        }
        for (mean, (sum, count)) in self.means.iter_mut().zip(sums) {
            let precision = prior + count * observed;
            *mean = sum * observed / precision + self.normals.draw() / precision.sqrt();
        }
    }
}

#[cfg(test)]
mod tests;
