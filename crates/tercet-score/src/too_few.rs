//! Warnings about segments and resamples that are too few for intervals and tests.

use super::compare::SystemComparison;
use super::corpus::Corpus;
use super::documents::ResampleBy;
use super::evaluate::{EvaluateRequest, Pairs};
use super::evaluation::Evaluation;
use super::gate::GateRequest;
use crate::warning::{DifferingSegments, Unreliable, Warning};
use foldhash::HashSet;

/// With fewer segments, fewer that differ, or fewer documents where these are drawn, there is a warning.
pub const MIN_SEGMENTS: usize = 30;

/// The warning about too few segments. A test of one system is an error, which is told elsewhere.
pub fn segments(segments: usize, systems: usize, request: &EvaluateRequest) -> Option<Warning> {
    let is_tested = request.paired.is_some() || request.gate.as_ref().is_some_and(GateRequest::has_test);
    let unreliable = match (is_tested, &request.confidence) {
        (true, _) if systems < 2 => None,
        (true, _) => Some(Unreliable::Tests),
        (false, Some(_)) => Some(Unreliable::Intervals),
        (false, None) => None,
    }?;
    (segments < MIN_SEGMENTS).then_some(Warning::FewSegments { segments, unreliable })
}

/// The warning about too few documents, if these are drawn.
pub fn documents(corpus: &Corpus<'_>, by: ResampleBy) -> Option<Warning> {
    let names: HashSet<&str> = match by {
        ResampleBy::Document => corpus.documents()?.iter().copied().collect(),
        ResampleBy::Segment => return None,
    };
    (names.len() < MIN_SEGMENTS).then_some(Warning::FewDocuments { documents: names.len() })
}

/// The warning about an adjusted test in which no difference can be significant: the least p-value of n resamples is 1
/// / (n + 1).
pub fn resamples(systems: usize, request: &EvaluateRequest) -> Option<Warning> {
    let paired = request.paired.as_ref().filter(|paired| paired.holm)?;
    let pairs = match paired.pairs {
        Pairs::All => systems * systems.saturating_sub(1) / 2,
        Pairs::Against(_) => systems.saturating_sub(1),
    };
    let (resamples, needed) = (paired.resampling.samples, 20 * pairs);
    (resamples < needed).then_some(Warning::FewResamples { resamples, pairs, needed })
}

/// The warning about too few segments for the interval and the test of a comparison.
pub fn comparison(segments: usize) -> Option<Warning> {
    let unreliable = Unreliable::Intervals;
    (segments < MIN_SEGMENTS).then_some(Warning::FewSegments { segments, unreliable })
}

/// The warning about two systems that are equally good in nearly all segments: only the others decide which is better.
pub fn differences_of_two(compared: &SystemComparison) -> Option<Warning> {
    let (segments, decided) = (compared.probabilities.len(), compared.decided());
    let differing = vec![DifferingSegments { metric: compared.metric.clone(), segments: decided }];
    (segments >= MIN_SEGMENTS && decided < MIN_SEGMENTS).then(|| Warning::FewDifferences {
        systems: compared.systems.clone(),
        segments,
        differing,
    })
}

/// A warning about each pair of tested systems that differ in few segments: equal segments add nothing to the test.
pub fn differences(evaluation: &Evaluation) -> Vec<Warning> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let is_few = |differing: usize| differing < MIN_SEGMENTS && evaluation.segments >= MIN_SEGMENTS;
    for comparison in evaluation.comparisons.iter().filter(|of| is_few(of.differing_segments)) {
        let pair = (comparison.baseline, comparison.system);
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    let warning = |pair: (usize, usize)| {
        let few = evaluation.comparisons.iter().filter(|of| (of.baseline, of.system) == pair);
        let few = few.filter(|of| is_few(of.differing_segments));
        let by = |metric: usize| evaluation.columns[metric].title.clone();
        Warning::FewDifferences {
            systems: [pair.0, pair.1].map(|system| evaluation.systems[system].clone()),
            segments: evaluation.segments,
            differing: few
                .map(|of| DifferingSegments { metric: by(of.column), segments: of.differing_segments })
                .collect(),
        }
    };
    pairs.into_iter().map(warning).collect()
}
