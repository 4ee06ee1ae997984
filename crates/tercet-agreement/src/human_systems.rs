//! Human scores of systems: scores of whole systems, means of segment scores, or scores from relative rankings.

use super::draws::Draws;
use super::set::JudgedSet;
use super::statistic::mean_of_defined;
use super::system_level::HumanSystems;
use super::systems;
use crate::corpora::{HumanScores, Level};
use crate::error::Result;
use crate::progress::{Progress, Stopped};

/// The human scores of systems, with this name if one is given. The first available of: scores of whole systems, means
/// of segment scores, scores by `method` from relative rankings. `None` if the set has none of these.
pub fn human_systems(
    set: &JudgedSet<'_>,
    name: Option<&str>,
    method: &systems::RankRequest,
    draws: Option<&Draws<'_>>,
    progress: Progress<'_>,
) -> Result<Option<HumanSystems>> {
    if let Some(scores) = set.human_scores(Level::System, name) {
        let score = |values: &Vec<Option<f64>>| values.first().copied().flatten();
        let scores_of = scores.values.iter().map(|values| turned(scores, score(values)));
        return Ok(Some(taking_part(set, (&scores.name, sign(scores)), scores_of.collect(), None)));
    }
    if let Some(scores) = set.human_scores(Level::Segment, name).filter(|_| set.systems() > 1) {
        let mean = |values: &Vec<Option<f64>>| turned(scores, Some(mean(values.iter())));
        let replicates = draws.map(|draws| means_on_draws(scores, draws)).transpose()?;
        let means = scores.values.iter().map(mean).collect();
        return Ok(Some(taking_part(set, (&scores.name, sign(scores)), means, replicates)));
    }
    if set.judgements().comparisons.is_empty() {
        return Ok(None);
    }
    let scores = systems::scores_by(set.judgements(), method, progress.quiet())?;
    let replicates =
        draws.map(|draws| systems::scores_on_draws(set.judgements(), method, draws)).transpose()?.flatten();
    Ok(Some(taking_part(set, (method.method.name(), 1.0), scores, replicates)))
}

fn sign(scores: &HumanScores) -> f64 {
    if scores.higher_is_better { 1.0 } else { -1.0 }
}

fn turned(scores: &HumanScores, score: Option<f64>) -> f64 {
    score.map_or(f64::NAN, |score| sign(scores) * score)
}

fn mean<'v>(values: impl Iterator<Item = &'v Option<f64>>) -> f64 {
    mean_of_defined(values.map(|score| score.unwrap_or(f64::NAN)))
}

fn means_on_draws(scores: &HumanScores, draws: &Draws<'_>) -> Result<Vec<Vec<f64>>, Stopped> {
    let of = |values: &Vec<Option<f64>>| {
        draws.map(|draw| turned(scores, Some(mean(draw.iter().map(|&segment| &values[segment as usize])))))
    };
    scores.values.iter().map(of).collect()
}

fn taking_part(
    set: &JudgedSet<'_>,
    (name, sign): (&str, f64),
    mut scores: Vec<f64>,
    replicates: Option<Vec<Vec<f64>>>,
) -> HumanSystems {
    for (_, score) in scores.iter_mut().enumerate().filter(|(system, _)| !set.takes_part(*system)) {
        *score = f64::NAN;
    }
    HumanSystems { name: name.to_owned(), sign, scores, replicates }
}
