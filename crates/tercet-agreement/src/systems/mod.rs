//! Ranks systems by human judgements, with ranges of ranks and clusters.
//!
//! | method | whose | official at |
//! |---|---|---|
//! | [`TrueSkill`](Method::TrueSkill) | Sakaguchi, Post & Van Durme (2014) | WMT14–16 |
//! | [`ExpectedWins`](Method::ExpectedWins) | Koehn (2012) | WMT13 |
//! | [`Bojar`](Method::Bojar): > others | Bojar et al. (2011) | WMT12 |
//! | [`NoWorse`](Method::NoWorse): ≥ others | Callison-Burch et al. (2008) | WMT08–11 |
//! | [`Better`](Method::Better): > others, ties lost | Callison-Burch et al. (2011) | in addition at WMT11 |
//! | [`HopkinsMay`](Method::HopkinsMay) | Hopkins & May (2013) | compared at WMT14 |
//! | [`Average`](Method::Average) of scores | Graham et al. (2013) | WMT17–21 |
//!
//! All but the last use pairwise comparisons (`games.rs`). `rank_range.rs` derives ranges of ranks and clusters from
//! runs or resamples; `average/` does so by tests between pairs of systems.
//!
//! # Randomness
//! Every run, resample or chain has its own random stream, seeded by the seed and its number: results do not depend on
//! the number of threads.

mod average;
mod expected_wins;
mod games;
mod hopkins_may;
mod job;
mod rank_range;
#[cfg(test)]
mod reference_implementation;
mod share_of_wins;
mod trueskill;

use super::draws::Draws;
use super::in_order::in_order;
use super::set::check_systems;
use crate::choice::Choice;
use crate::corpora::Judgements;
use crate::error::{Error, Result};
use crate::progress::{Progress, Stopped};
use crate::statistics::random::Generator;
use crate::statistics::summation::mean;
use crate::warning::NotRanked;
pub use average::Test;
use games::{Games, HeadToHead};
pub use games::{ResamplingUnit, SharedOutputs};
pub use job::SystemsJob;
use rayon::prelude::*;
use serde::Serialize;
use share_of_wins::Ties;

tercet_base::choices! {
    /// A method to rank systems.
    pub enum Method: "method" {
        /// TrueSkill (Sakaguchi et al. 2014; WMT14–16)
        TrueSkill = "trueskill",
        /// Expected Wins (Koehn 2012; WMT13)
        ExpectedWins = "expected-wins",
        /// > others, ties ignored (Bojar et al. 2011; WMT12)
        Bojar = "bojar",
        /// ≥ others (WMT08–11)
        NoWorse = "no-worse",
        /// > others, ties lost (WMT11)
        Better = "better",
        /// Hopkins & May (2013)
        HopkinsMay = "hopkins-may",
        /// average of scores (WMT17–21)
        Average = "average",
    }
}

impl Method {
    /// A short description.
    pub fn summary(self) -> &'static str {
        self.entry().about()
    }

    /// The method WMT would use for such judgements: TrueSkill for comparisons, else averages.
    pub fn for_judgements(judgements: &Judgements) -> Method {
        let compared = !judgements.rankings.is_empty() || !judgements.comparisons.is_empty();
        if compared { Method::TrueSkill } else { Method::Average }
    }

    /// The default of what is drawn before each run. For TrueSkill as in the set's year: comparisons for WMT16, nothing
    /// for all other sets. Shares of wins draw rankings; Hopkins & May and averages nothing.
    pub fn resampling(self, judgements: &Judgements) -> ResamplingUnit {
        match self {
            Method::TrueSkill if judgements.year() == Some(2016) => ResamplingUnit::Comparisons,
            Method::ExpectedWins | Method::Bojar | Method::NoWorse | Method::Better => ResamplingUnit::Rankings,
            Method::TrueSkill | Method::HopkinsMay | Method::Average => ResamplingUnit::None,
        }
    }
}

/// How to rank.
#[derive(Clone, Debug, PartialEq)]
pub struct RankRequest {
    /// The method.
    pub method: Method,
    /// Runs of TrueSkill, resamples, samples of the posterior, or trials of the paired test.
    pub runs: usize,
    /// The seed of all random streams.
    pub seed: u64,
    /// What is drawn before each run. Default: [`Method::resampling`].
    pub resampling: Option<ResamplingUnit>,
    /// How systems with the same output are compared.
    pub shared_outputs: SharedOutputs,
    /// The name of the scores to average. Default: `z`, or the first.
    pub scores: Option<String>,
    /// The test between averages.
    pub test: Test,
}

impl RankRequest {
    /// 1,000 runs with seed 12345, and WMT's choices for the rest.
    pub fn new(method: Method) -> RankRequest {
        RankRequest {
            method,
            runs: crate::scoring::RESAMPLES,
            seed: crate::scoring::SEED,
            resampling: None,
            shared_outputs: SharedOutputs::default(),
            scores: None,
            test: Test::default(),
        }
    }

    /// The random stream of a run.
    fn stream(&self, run: usize) -> Generator {
        // Its number plus one: zero words at the end of a seed make no difference.
        Generator::from_words(&[self.seed as u32, (self.seed >> 32) as u32, run as u32 + 1])
    }
}

/// The systems of one language pair, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemRanking {
    /// The set.
    pub set: String,
    /// The language pair.
    pub pair: String,
    /// The request, with the default resampling filled in.
    pub request: RankRequest,
    /// For averages, the name of the scores.
    pub scores: Option<String>,
    /// The number of comparisons or scores.
    pub n: usize,
    /// The systems, best first.
    pub systems: Vec<RankedSystem>,
}

/// A system in a list of several rankings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SystemRow<'a> {
    /// The set.
    pub set: &'a str,
    /// The language pair.
    pub pair: &'a str,
    /// The method.
    pub method: Method,
    /// The system with its score, range of ranks and cluster.
    #[serde(flatten)]
    pub system: &'a RankedSystem,
}

impl SystemRanking {
    /// A row for each system, best first.
    pub fn rows(&self) -> impl Iterator<Item = SystemRow<'_>> {
        let (set, pair, method) = (&self.set, &self.pair, self.request.method);
        self.systems.iter().map(move |system| SystemRow { set, pair, method, system })
    }
}

/// A system with its score, ranks and cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankedSystem {
    /// Its name.
    #[serde(rename = "system")]
    pub name: String,
    /// Its score, in the units of the method.
    pub score: f64,
    /// The best rank of the 95% range.
    #[serde(rename = "low")]
    pub rank_low: usize,
    /// The worst rank of the 95% range.
    #[serde(rename = "high")]
    pub rank_high: usize,
    /// Its cluster, from 1.
    pub cluster: usize,
    /// The number of its comparisons or scores.
    pub n: usize,
}

/// Ranks the systems of a set. `progress` advances by runs.
///
/// # Errors
/// If the judgements are not of the kind the method needs, or the request asks for no runs.
pub fn rank_systems(judgements: &Judgements, request: &RankRequest, progress: Progress<'_>) -> Result<SystemRanking> {
    let sorted = in_order(judgements);
    let judgements = sorted.judgements.as_ref();
    if request.runs == 0 {
        return Err(Error::BadRequest("ranges of ranks need at least one run".to_owned()));
    }
    check_systems(judgements)?;
    let resampling = request.resampling.unwrap_or_else(|| request.method.resampling(judgements));
    let request = RankRequest { resampling: Some(resampling), ..request.clone() };
    let (systems, scores, n) = if request.method == Method::Average {
        let (systems, scores) = average::rank(judgements, &request, progress.quiet())?;
        let n = systems.iter().map(|system| system.n).sum();
        (systems, Some(scores), n)
    } else {
        let games = Games::new(judgements, request.shared_outputs)?;
        (rank_by_games(&games, &request, progress)?, None, games.games().len())
    };
    let (set, pair) = (judgements.set.clone(), judgements.pair.clone());
    if systems.len() < 2 {
        return Err(Error::NotRanked { set: format!("{set} {pair}"), because: NotRanked::OneSystem });
    }
    Ok(SystemRanking { set, pair, request, scores, n, systems })
}

fn rank_by_games(games: &Games, request: &RankRequest, progress: Progress<'_>) -> Result<Vec<RankedSystem>> {
    let runs = runs(games, request, progress)?;
    let scores = match shares(request.method) {
        Some(scores) => scores(&games.table()),
        None => means(&runs),
    };
    let ranges = rank_range::ranges(&runs);
    let order = rank_range::order(&scores);
    let in_order: Vec<rank_range::RankRange> = order.iter().map(|&system| ranges[system]).collect();
    let played = games.played();
    let place = |(&system, cluster): (&usize, usize)| RankedSystem {
        name: games.systems()[system].clone(),
        score: scores[system],
        rank_low: ranges[system].low,
        rank_high: ranges[system].high,
        cluster,
        n: played[system],
    };
    Ok(order.iter().zip(rank_range::clusters(&in_order)).map(place).collect())
}

/// The scores of each run: `runs[run][system]`.
fn runs(games: &Games, request: &RankRequest, progress: Progress<'_>) -> Result<Vec<Vec<f64>>, Stopped> {
    let resampling = request.resampling.unwrap_or(ResamplingUnit::None);
    if request.method == Method::HopkinsMay {
        return hopkins_may::sample(games, request.runs, |chain| request.stream(chain), progress);
    }
    let one = |number: usize| {
        let mut generator = request.stream(number);
        let run = match shares(request.method) {
            Some(scores) => scores(&games.resampled_table(resampling, &mut generator)),
            None => {
                let ratings = trueskill::run(games, resampling, generator);
                ratings.iter().map(|rating| rating.mu).collect()
            }
        };
        progress.advance(1).map(|()| run)
    };
    (0..request.runs).into_par_iter().map(one).collect()
}

/// The methods that score a table of wins.
fn shares(method: Method) -> Option<fn(&HeadToHead) -> Vec<f64>> {
    match method {
        Method::ExpectedWins => Some(expected_wins::scores),
        Method::Bojar => Some(|table| share_of_wins::scores(table, Ties::Ignored)),
        Method::NoWorse => Some(|table| share_of_wins::scores(table, Ties::Won)),
        Method::Better => Some(|table| share_of_wins::scores(table, Ties::Lost)),
        Method::TrueSkill | Method::HopkinsMay | Method::Average => None,
    }
}

/// The scores of all systems of a set, in its order; NaN for those without comparisons.
pub(super) fn scores_by(judgements: &Judgements, request: &RankRequest, progress: Progress<'_>) -> Result<Vec<f64>> {
    let ranking = match shares(request.method) {
        // Without ranges one run is enough.
        Some(_) => rank_systems(judgements, &RankRequest { runs: 1, ..request.clone() }, progress)?,
        None => rank_systems(judgements, request, progress)?,
    };
    let score = |name: &String| {
        let system = ranking.systems.iter().find(|system| system.name == *name);
        system.map_or(f64::NAN, |system| system.score)
    };
    Ok(judgements.systems.iter().map(score).collect())
}

/// The scores on draws of segments, `[system][draw]`, for methods without runs.
pub(super) fn scores_on_draws(
    judgements: &Judgements,
    request: &RankRequest,
    draws: &Draws<'_>,
) -> Result<Option<Vec<Vec<f64>>>> {
    let Some(scores) = shares(request.method) else { return Ok(None) };
    let games = Games::new(judgements, request.shared_outputs)?;
    let of_segment = games.by_segment(judgements.segments.len());
    let drawn: Vec<Vec<f64>> =
        draws.map(|draw| scores(&games.table_of(draw.iter().flat_map(|&segment| &of_segment[segment as usize]))))?;
    let replicates = |name: &String| match games.systems().iter().position(|system| system == name) {
        Some(system) => drawn.iter().map(|scores| scores[system]).collect(),
        None => vec![f64::NAN; draws.len()],
    };
    Ok(Some(judgements.systems.iter().map(replicates).collect()))
}

/// The mean of each system's scores over runs.
fn means(runs: &[Vec<f64>]) -> Vec<f64> {
    let systems = runs.first().map_or(0, Vec::len);
    (0..systems).map(|system| mean(&runs.iter().map(|run| run[system]).collect::<Vec<_>>())).collect()
}

#[cfg(test)]
mod tests;
