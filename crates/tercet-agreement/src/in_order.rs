//! Judgements in an order that does not depend on the order of rows in their files.
//!
//! Sums of scores are rounded according to their order, and random draws pick judgements by number. Systems are sorted
//! by name, segments by number (by name if one has none), rankings, comparisons and ratings by segment and systems, so
//! that a file with its rows shuffled gives the same digits. Segments that are named by their line stay as they are.

use crate::corpora::{Comparison, Judgements, Level, Outcome, RankedOutput, Ranking, Ratings};
use std::borrow::Cow;

/// Sorted judgements.
pub(super) struct InOrder<'a> {
    pub(super) judgements: Cow<'a, Judgements>,
    /// The place of each segment before sorting: score files without segment numbers are in that order.
    pub(super) places: Vec<usize>,
}

/// Sorts judgements; borrows them if they are sorted already.
pub(super) fn in_order(judgements: &Judgements) -> InOrder<'_> {
    let systems = order_by(judgements.systems.len(), |system| &judgements.systems[system]);
    let segments = segment_order(judgements);
    let number = |order: &[usize]| {
        let mut number = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| number[old] = new);
        number
    };
    let renumbered = Renumbered { systems: number(&systems), segments: number(&segments) };
    let rankings = renumbered.rankings(&judgements.rankings);
    let comparisons = renumbered.comparisons(&judgements.comparisons);
    let ratings: Vec<Ratings> = judgements.ratings.iter().map(|ratings| renumbered.ratings(ratings)).collect();
    let in_place = |order: &[usize]| order.iter().enumerate().all(|(new, old)| new == *old);
    let references = judgements.texts.as_ref().map_or(&[][..], |texts| &texts.references);
    if in_place(&systems)
        && in_place(&segments)
        && references.is_sorted_by(|a, b| a.name <= b.name)
        && rankings == judgements.rankings
        && comparisons == judgements.comparisons
        && ratings == judgements.ratings
    {
        return InOrder { judgements: Cow::Borrowed(judgements), places: segments };
    }
    let mut sorted = judgements.clone();
    (sorted.rankings, sorted.comparisons, sorted.ratings) = (rankings, comparisons, ratings);
    sort_systems(&mut sorted, &systems);
    sort_segments(&mut sorted, &segments);
    InOrder { judgements: Cow::Owned(sorted), places: segments }
}

/// By number, or by name if one is no number; segments of the same name by document.
fn segment_order(judgements: &Judgements) -> Vec<usize> {
    let names = &judgements.segments;
    let numbers: Option<Vec<u64>> = names.iter().map(|name| name.parse().ok()).collect();
    let document = |segment: usize| judgements.documents.as_ref().and_then(|documents| documents.get(segment));
    match numbers {
        Some(numbers) => order_by(names.len(), |segment| (numbers[segment], document(segment))),
        None => order_by(names.len(), |segment| (&names[segment], document(segment))),
    }
}

/// The old place of each of `count` items in sorted order; equal items stay in theirs.
fn order_by<K: Ord>(count: usize, key: impl Fn(usize) -> K) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_cached_key(|&item| key(item));
    order
}

fn sort_systems(judgements: &mut Judgements, order: &[usize]) {
    judgements.systems = picked(&judgements.systems, order);
    if let Some(texts) = &mut judgements.texts {
        texts.outputs = picked(&texts.outputs, order);
        // Some formats list human translations among the systems.
        texts.references.sort_by(|a, b| a.name.cmp(&b.name));
    }
    for scores in &mut judgements.scores {
        scores.values = picked(&scores.values, order);
    }
}

fn sort_segments(judgements: &mut Judgements, order: &[usize]) {
    judgements.segments = picked(&judgements.segments, order);
    judgements.documents = judgements.documents.as_ref().map(|documents| picked(documents, order));
    judgements.domains = judgements.domains.as_ref().map(|domains| picked(domains, order));
    if let Some(texts) = &mut judgements.texts {
        texts.sources = texts.sources.as_ref().map(|sources| picked(sources, order));
        texts.references.iter_mut().for_each(|reference| reference.lines = picked(&reference.lines, order));
        texts.outputs.iter_mut().for_each(|lines| *lines = picked(lines, order));
    }
    let human = judgements.scores.iter_mut().map(|scores| (scores.level, &mut scores.values));
    let metrics = judgements.metric_scores.iter_mut().map(|scores| (scores.level, &mut scores.values));
    for (_, values) in human.chain(metrics).filter(|(level, _)| *level == Level::Segment) {
        values.iter_mut().for_each(|scores| *scores = picked(scores, order));
    }
}

/// The items at these places; a list of other length, which does not belong to them, as it is.
fn picked<T: Clone>(items: &[T], order: &[usize]) -> Vec<T> {
    if items.len() != order.len() {
        return items.to_vec();
    }
    order.iter().map(|&place| items[place].clone()).collect()
}

/// The new numbers of systems and segments.
struct Renumbered {
    systems: Vec<usize>,
    segments: Vec<usize>,
}

impl Renumbered {
    fn rankings(&self, rankings: &[Ranking]) -> Vec<Ranking> {
        let mut rankings: Vec<Ranking> = rankings.iter().map(|ranking| self.ranking(ranking)).collect();
        let key = |ranking: &Ranking| {
            let outputs: Vec<_> =
                ranking.outputs.iter().map(|output| (output.system, output.group, output.rank)).collect();
            (ranking.segment, ranking.judge.clone(), outputs)
        };
        rankings.sort_by_cached_key(key);
        rankings
    }

    /// Outputs are sorted by system, and groups numbered from 1 in that order.
    fn ranking(&self, ranking: &Ranking) -> Ranking {
        let system = |output: &RankedOutput| RankedOutput { system: self.systems[output.system], ..*output };
        let mut outputs: Vec<RankedOutput> = ranking.outputs.iter().map(system).collect();
        outputs.sort_by_key(|output| (output.system, output.group, output.rank));
        let mut groups: Vec<u32> = Vec::new();
        for output in &mut outputs {
            let place = groups.iter().position(|group| *group == output.group).unwrap_or_else(|| {
                groups.push(output.group);
                groups.len() - 1
            });
            output.group = place as u32 + 1;
        }
        Ranking { segment: self.segments[ranking.segment], judge: ranking.judge.clone(), outputs }
    }

    fn ratings(&self, ratings: &Ratings) -> Ratings {
        let mut sorted = ratings.clone();
        for rating in &mut sorted.ratings {
            (rating.system, rating.segment) = (self.systems[rating.system], self.segments[rating.segment]);
        }
        sorted.sort();
        sorted
    }

    fn comparisons(&self, comparisons: &[Comparison]) -> Vec<Comparison> {
        let renumbered = |of: &Comparison| {
            let (first, second) = (self.systems[of.first], self.systems[of.second]);
            let segment = self.segments[of.segment];
            if first <= second {
                return Comparison { segment, first, second, outcome: of.outcome };
            }
            let outcome = match of.outcome {
                Outcome::First => Outcome::Second,
                Outcome::Tie => Outcome::Tie,
                Outcome::Second => Outcome::First,
            };
            Comparison { segment, first: second, second: first, outcome }
        };
        let mut comparisons: Vec<Comparison> = comparisons.iter().map(renumbered).collect();
        let rank = |outcome: Outcome| match outcome {
            Outcome::First => 0,
            Outcome::Tie => 1,
            Outcome::Second => 2,
        };
        comparisons.sort_by_key(|of| (of.segment, of.first, of.second, rank(of.outcome)));
        comparisons
    }
}

#[cfg(test)]
mod tests;
