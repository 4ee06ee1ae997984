//! The better of two systems, segment by segment and overall.
//!
//! A [`Preference`] gives pᵢ, the probability that people would prefer A's translation of segment i to B's. Overall,
//!
//! ```text
//! mean  = (1/n) Σ pᵢ                              the share of segments a judge is expected to give to A
//! share = ( #{pᵢ > ½} + ½ #{pᵢ = ½} ) / n         the share of segments in which A is more likely better
//! ```
//!
//! The mean has a 95% interval by bootstrap resampling of segments, and a two-sided p-value of "no difference", for
//! which A and B are exchanged at random in each segment. A preference is antisymmetric, so exchanging them turns pᵢ
//! into 1 − pᵢ, that is pᵢ − ½ into its negative: [`sign_flips`].
//!
//! # Choices
//! The mean of probabilities decides which is better, not the difference of two corpus scores: with a metric whose
//! corpus score is not a mean of segment scores, such as BLEU, the two may differ. [`evaluate`](super::evaluate) tests
//! corpus scores. In the test a trial that equals the observed difference counts, so two equal systems get p = 1.
//!
//! # Example
//! ```
//! use tercet_metrics::Registry;
//! use tercet_base::progress::Progress;
//! use tercet_score::{CompareRequest, Corpus, System, compare};
//!
//! let system = |name: &str, line| System { name: name.to_owned(), hypotheses: vec![line] };
//! let systems = vec![system("a", "the cat sat on a mat"), system("b", "a dog is there")];
//! let corpus = Corpus::new(systems, vec![vec!["the cat sat on the mat"]])?;
//! let chrf = Registry::lexical().preference("chrf", None)?;
//! let found = compare(&corpus, chrf.as_ref(), &CompareRequest::default(), Progress::none())?;
//! assert!(found.probabilities[0] > 0.9);
//! assert_eq!((found.wins, found.losses, found.p_value), (1, 0, 1.0));
//! # Ok::<(), tercet_base::Error>(())
//! ```

use super::corpus::Corpus;
use super::documents::{Documents, ResampleBy};
use super::evaluate::{EvaluateRequest, Scored, totals};
use super::explain::explain;
use super::external_scores::ExternalScores;
use super::gate::{GateRequest, GateResult};
use super::jobs::{RESAMPLES, SEED, TRIALS};
use super::significance::{MetricTallies, Resampling, bootstrap, sign_flips};
use crate::error::{Error, Result};
use crate::metrics::{
    Direction, Explain, Explanation, PeopleAgree, Preference, Segment, Spec, Tally, Target, TranslationPair,
};
use crate::progress::Progress;
use crate::statistics::significance::bootstrap::Interval;
use crate::warning::Warning;
use rayon::prelude::*;
use std::collections::BTreeMap;
use tercet_base::stop;

/// Segments per batch, as in scoring.
const BATCH: usize = 64;

/// The level at which a difference is called significant.
const LEVEL: f64 = 0.05;

/// Resampling of the interval and the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompareRequest {
    /// The bootstrap resamples behind the interval.
    pub interval: Resampling,
    /// The trials of the test.
    pub test: Resampling,
    /// What both draw, and exchange, as a whole.
    pub by: ResampleBy,
}

impl Default for CompareRequest {
    /// The usual resamples and trials from sacreBLEU's seed.
    fn default() -> Self {
        let seeded = |samples| Resampling { samples, seed: Some(SEED) };
        CompareRequest { interval: seeded(RESAMPLES), test: seeded(TRIALS), by: ResampleBy::Segment }
    }
}

/// The result of comparing two systems, A and B.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemComparison {
    /// Their names, A's first.
    pub systems: [String; 2],
    /// The metric by which they are compared, in its usual spelling.
    pub metric: String,
    /// The signature of the probabilities.
    pub signature: String,
    /// The probability that A's translation is better, for each segment.
    pub probabilities: Vec<f64>,
    /// Their mean: the share of segments that a judge is expected to give to A.
    pub mean: f64,
    /// The number of segments in which A's translation is more likely the better.
    pub wins: usize,
    /// The number of segments in which B's is.
    pub losses: usize,
    /// The number of segments with probability ½.
    pub undecided: usize,
    /// The 95% interval of the mean.
    pub interval: Interval,
    /// The two-sided p-value of "no difference".
    pub p_value: f64,
    /// The scores of both systems by the metric, where they are known: the preference is one of scores.
    pub scores: Option<[f64; 2]>,
    /// How often people prefer the system with the better score where scores differ so much; none unless the caller
    /// [adds it](Self::add_people_agree).
    pub people_agree: Option<PeopleAgree>,
    /// Resampling of the interval and the test.
    pub request: CompareRequest,
    /// For some segments, numbered from 0, the words of A's and of B's translation; none unless the caller
    /// [adds some](Self::explain).
    pub explanations: BTreeMap<usize, [Explanation; 2]>,
    /// Words whose highest similarity is below this have no good partner, if segments are explained.
    pub threshold: Option<f64>,
    /// What other metrics say; none unless the caller adds some.
    pub others: Vec<SystemComparison>,
    /// Whether the probabilities were fitted to judgements of WMT12–16; false unless the caller knows it.
    pub fitted_to_wmt: bool,
    /// Whether the probabilities were fitted to judgements of 2019–21; false unless the caller knows it.
    pub fitted_to_recent: bool,
    /// The language of the references, if the probabilities were fitted to judgements of another one.
    pub other_language: Option<String>,
    /// What readers should know about the texts and the result; none unless the caller adds some.
    pub warnings: Vec<Warning>,
    /// Whether the conditions of a gate hold, if there are any.
    pub gate: Option<GateResult>,
}

/// One of the two systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first system.
    A,
    /// The second system.
    B,
}

/// Compares the two systems of a corpus.
pub fn compare(
    corpus: &Corpus<'_>,
    preference: &dyn Preference,
    request: &CompareRequest,
    progress: Progress<'_>,
) -> Result<SystemComparison> {
    check_two(corpus)?;
    let (probabilities, scores) = probabilities(corpus, preference, progress)?;
    let mut compared = compare_by(corpus, preference, probabilities, request, progress)?;
    compared.scores = scores;
    Ok(compared)
}

fn check_two(corpus: &Corpus<'_>) -> Result<()> {
    match corpus.systems().len() {
        2 => Ok(()),
        count => Err(Error::BadRequest(format!("two systems can be compared, not {count}"))),
    }
}

/// Compares the two systems of a corpus by probabilities that are known, as those of
/// [`evaluate_preferring`](super::evaluate_preferring).
pub fn compare_by(
    corpus: &Corpus<'_>,
    preference: &dyn Preference,
    probabilities: Vec<f64>,
    request: &CompareRequest,
    progress: Progress<'_>,
) -> Result<SystemComparison> {
    check_two(corpus)?;
    if probabilities.len() != corpus.len() {
        let (found, segments) = (probabilities.len(), corpus.len());
        return Err(Error::BadRequest(format!("there are {found} probabilities for {segments} segments")));
    }
    let [a, b] = [0, 1].map(|system| &corpus.systems()[system]);
    let mut tallies = ExternalScores::tallies(&probabilities);
    let mut differences: Vec<f64> = probabilities.iter().map(|p| p - 0.5).collect();
    if request.by == ResampleBy::Document {
        let documents = Documents::from_corpus(corpus)?;
        (tallies, differences) = (documents.sums(&tallies), documents.totals(&differences));
    }
    let mean = mean_probability();
    let measured = MetricTallies { metric: &mean, systems: vec![&tallies] };
    let resampled = &bootstrap(&[measured], &request.interval, progress)?[0];
    let count = |wanted: Option<Side>| probabilities.iter().filter(|&&p| likelier(p) == wanted).count();
    Ok(SystemComparison {
        systems: [a.name.clone(), b.name.clone()],
        metric: preference.metric().title(),
        signature: signature(corpus, preference, request).signed(),
        mean: resampled.scores[0],
        wins: count(Some(Side::A)),
        losses: count(Some(Side::B)),
        undecided: count(None),
        interval: resampled.interval(0),
        p_value: sign_flips(&differences, &request.test, progress)?,
        scores: None,
        people_agree: None,
        request: *request,
        explanations: BTreeMap::new(),
        threshold: None,
        others: Vec::new(),
        fitted_to_wmt: false,
        fitted_to_recent: false,
        other_language: None,
        warnings: Vec::new(),
        gate: None,
        probabilities,
    })
}

/// What conditions of a gate call the mean probability of a system.
const PROBABILITY: &str = "probability";

fn mean_probability() -> ExternalScores {
    ExternalScores::new(PROBABILITY, Direction::HigherIsBetter, None)
}

/// Fails if a gate names something else than probabilities of the two systems.
pub(super) fn check_gate(gate: &GateRequest, corpus: &Corpus<'_>) -> Result<()> {
    let systems: Vec<String> = corpus.systems().iter().map(|system| system.name.clone()).collect();
    gate.check(&systems, &[(PROBABILITY, PROBABILITY.to_owned())])
}

/// The probabilities, and the scores of both systems where tallies say which translation is preferred.
type Compared = (Vec<f64>, Option<[f64; 2]>);

fn probabilities(corpus: &Corpus<'_>, preference: &dyn Preference, progress: Progress<'_>) -> Result<Compared> {
    let references: Vec<&[&str]> = corpus.references().iter().map(Vec::as_slice).collect();
    progress.stage("comparing", corpus.len(), "segments")?;
    let prepared = preference.prepare(&references)?;
    let preference = prepared.as_deref().unwrap_or(preference);
    let metric = preference.metric();
    let line = |system: usize, segment: usize| corpus.systems()[system].hypotheses[segment];
    let pair = |i: usize| TranslationPair {
        references: references[i],
        a: line(0, i),
        b: line(1, i),
        source: corpus.sources().map(|sources| sources[i]),
    };
    let by_tallies = match corpus.len() {
        0 => false,
        _ => {
            let first = metric.tally(&pair(0).segments())?;
            preference.prefer_tallies(&first[0], &first[1]).is_some()
        }
    };
    let starts: Vec<usize> = (0..corpus.len()).step_by(BATCH).collect();
    let batches: Vec<(Vec<f64>, Vec<Tally>)> = starts
        .par_iter()
        .map(stop::carried(|&start: &usize| {
            let pairs: Vec<TranslationPair<'_>> = (start..corpus.len().min(start + BATCH)).map(pair).collect();
            let segments: Vec<Segment<'_>> = pairs.iter().flat_map(TranslationPair::segments).collect();
            let tallies = if by_tallies { metric.tally(&segments)? } else { Vec::new() };
            let found = match by_tallies {
                true => tallies.as_chunks().0.iter().filter_map(|[a, b]| preference.prefer_tallies(a, b)).collect(),
                false => preference.prefer_all(&pairs)?,
            };
            progress.advance(pairs.len())?;
            Ok((found, tallies))
        }))
        .collect::<Result<_>>()?;
    let (found, tallies): (Vec<Vec<f64>>, Vec<Vec<Tally>>) = batches.into_iter().unzip();
    let tallies = tallies.concat();
    let unfinished = tallies.iter().filter(|tally| metric.is_unfinished(tally)).count() + preference.unfinished();
    if unfinished > 0 {
        progress.warn(&metric.unfinished_warning(unfinished))?;
    }
    let score = |system: usize| metric.score(&Tally::sum(tallies.iter().skip(system).step_by(2)));
    Ok((found.concat(), by_tallies.then(|| [0, 1].map(score))))
}

fn signature(corpus: &Corpus<'_>, preference: &dyn Preference, request: &CompareRequest) -> Spec {
    let seeds = [request.interval.seed, request.test.seed].map(|seed| match seed {
        Some(seed) => seed.to_string(),
        None => "none".to_owned(),
    });
    let seed = if seeds[0] == seeds[1] { seeds[0].clone() } else { seeds.join(",") };
    let signature = preference.signature();
    let signature = corpus.qualifiers().iter().fold(signature, |signature, (key, value)| signature.with(key, value));
    let reads_source = preference.metric().reads_source() && corpus.sources().is_some();
    let signature = if reads_source { signature.with("src", "yes") } else { signature };
    let signature = signature.with("bs", request.interval.samples).with("ar", request.test.samples);
    match request.by {
        ResampleBy::Segment => signature,
        ResampleBy::Document => signature.with("draws", "documents"),
    }
    .with("seed", seed)
}

/// The more likely side; `None` for ½.
fn likelier(p: f64) -> Option<Side> {
    match p {
        p if p > 0.5 => Some(Side::A),
        p if p < 0.5 => Some(Side::B),
        _ => None,
    }
}

impl SystemComparison {
    /// Adds how often people prefer the system with the better score, if the scores are known.
    pub fn add_people_agree(&mut self, preference: &dyn Preference, target: Target) {
        let share = |[a, b]: [f64; 2]| preference.metric().people_agree(target)?.share(a - b, self.probabilities.len());
        self.people_agree = self.scores.and_then(share);
    }

    /// Adds the explanations of both translations of some segments, numbered from 0.
    pub fn explain(
        &mut self,
        corpus: &Corpus<'_>,
        explainer: &dyn Explain,
        segments: &[usize],
        progress: Progress<'_>,
    ) -> Result<()> {
        let both: Vec<(usize, usize)> = segments.iter().flat_map(|&segment| [(0, segment), (1, segment)]).collect();
        let mut found = explain(corpus, explainer, &both, progress)?.into_iter();
        while let (Some(a), Some(b)) = (found.next(), found.next()) {
            self.explanations.insert(a.segment, [a.explanation, b.explanation]);
        }
        self.threshold = Some(explainer.threshold());
        Ok(())
    }

    /// Checks the conditions of a gate: the score of a system is the mean probability that its translation is better.
    pub(super) fn check_gate(&mut self, gate: GateRequest, corpus: &Corpus<'_>, progress: Progress<'_>) -> Result<()> {
        let by = self.request.by;
        let documents = (by == ResampleBy::Document).then(|| Documents::from_corpus(corpus)).transpose()?;
        let of_other: Vec<f64> = self.probabilities.iter().map(|p| 1.0 - p).collect();
        let tallies = vec![ExternalScores::tallies(&self.probabilities), ExternalScores::tallies(&of_other)];
        let mean = mean_probability();
        let scored =
            Scored { name: PROBABILITY.to_owned(), metric: &mean, qualifiers: &[], totals: totals(&tallies), tallies };
        let request = EvaluateRequest { gate: Some(gate), resample_by: by, ..EvaluateRequest::default() };
        let (systems, segments) = (self.systems.to_vec(), self.probabilities.len());
        self.gate =
            request.assemble(systems, (segments, Target::Unknown), &[scored], documents.as_ref(), progress)?.gate;
        Ok(())
    }

    /// The system with the higher mean probability, significant or not.
    pub fn leader(&self) -> Option<Side> {
        likelier(self.mean)
    }

    /// The better system in a segment, numbered from 0.
    pub fn winner(&self, segment: usize) -> Option<Side> {
        likelier(self.probabilities[segment])
    }

    /// The share of segments that A wins, undecided ones counting half.
    pub fn share_of_wins(&self) -> f64 {
        (self.wins as f64 + 0.5 * self.undecided as f64) / self.probabilities.len() as f64
    }

    /// Whether p < 0.05.
    pub fn is_significant(&self) -> bool {
        self.p_value < LEVEL
    }

    /// The better system, if p < 0.05 and the 95% interval excludes ½; `None` if there is no clear difference.
    pub fn clear_leader(&self) -> Option<Side> {
        let excludes_half = self.interval.low > 0.5 || self.interval.high < 0.5;
        self.leader().filter(|_| self.is_significant() && excludes_half)
    }

    /// The number of segments in which the two translations are not equally good.
    pub fn decided(&self) -> usize {
        self.wins + self.losses
    }

    /// At most `count` segments, numbered from 0, in which this system is better, the clearest first.
    pub fn clearest(&self, side: Side, count: usize) -> Vec<usize> {
        let mut won: Vec<usize> =
            (0..self.probabilities.len()).filter(|&segment| self.winner(segment) == Some(side)).collect();
        won.sort_by(|&one, &other| {
            let (one, other) = (self.probabilities[one], self.probabilities[other]);
            if side == Side::A { other.total_cmp(&one) } else { one.total_cmp(&other) }
        });
        won.truncate(count);
        won
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::System;

    /// Every third line is the same in both systems; elsewhere `a` is closer to the reference.
    fn lines() -> [Vec<String>; 3] {
        let reference = |i: usize| format!("segment {i} says that {} birds were counted from a boat", i % 9);
        let near = |i: usize| format!("segment {i} says that {} birds was counted of a boat", i % 9);
        let far = |i: usize| match i % 3 {
            0 => near(i),
            _ => format!("in {i} were {} bird from boat", i % 7),
        };
        [(0..200).map(reference).collect(), (0..200).map(near).collect(), (0..200).map(far).collect()]
    }

    fn system<'a>(name: &str, lines: &'a [String]) -> System<'a> {
        System { name: name.to_owned(), hypotheses: lines.iter().map(String::as_str).collect() }
    }

    fn compared(metric: &str, threads: usize, first: &[String], second: &[String]) -> Result<SystemComparison> {
        let texts = lines();
        let references = texts[0].iter().map(|line| vec![line.as_str()]).collect();
        let corpus = Corpus::new(vec![system("first", first), system("second", second)], references)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let preference = crate::registry().preference(metric, None)?;
        pool.install(|| compare(&corpus, preference.as_ref(), &CompareRequest::default(), Progress::none()))
    }

    #[test]
    fn the_better_wins_surely_and_equal_lines_are_undecided() -> Result<()> {
        let [_, near, far] = lines();
        let found = compared("chrf", 1, &near, &far)?;
        assert_eq!((found.wins, found.losses, found.undecided), (133, 0, 67));
        assert_eq!((found.leader(), found.winner(0), found.winner(1)), (Some(Side::A), None, Some(Side::A)));
        assert_eq!(found.share_of_wins(), 166.5 / 200.0);
        assert_eq!(found.p_value, 1.0 / 10_001.0);
        assert_eq!((found.metric.as_str(), found.clear_leader(), found.decided()), ("chrF2", Some(Side::A), 133));
        let wide = Interval { low: 0.4, ..found.interval };
        assert_eq!(SystemComparison { interval: wide, ..found.clone() }.clear_leader(), None);
        assert_eq!(SystemComparison { p_value: 0.05, ..found.clone() }.clear_leader(), None);
        assert!(found.interval.low > 0.5 && found.interval.low < found.mean && found.mean < found.interval.high);
        assert!(
            found.signature.contains("|slope=") && found.signature.contains("|refs=1|bs=1000|ar=10000|seed=12345|")
        );
        let clearest = found.clearest(Side::A, 3);
        assert!(found.probabilities.iter().all(|&p| p <= found.probabilities[clearest[0]]));
        assert!(found.probabilities[clearest[0]] >= found.probabilities[clearest[2]]);
        assert!(found.clearest(Side::B, 3).is_empty());
        Ok(())
    }

    #[test]
    fn scores_give_the_probabilities_of_the_learned_metric_again() -> Result<()> {
        use crate::{EvaluateRequest, evaluate_preferring};

        let [reference, near, far] = lines().map(|lines| lines[..4].to_vec());
        let references = reference.iter().map(|line| vec![line.as_str()]).collect();
        let corpus = Corpus::new(vec![system("near", &near), system("far", &far)], references)?;
        let metrics = ["chrf", "siamese"].map(|name| tercet_neural::registry().named(name, None).unwrap());
        let siamese = tercet_neural::registry().preference("siamese", None)?;
        let (request, none) = (EvaluateRequest::default(), Progress::none());
        let found = evaluate_preferring(&corpus, &metrics, Some(siamese.as_ref()), &request, none)?.1.unwrap();
        let compared = compare(&corpus, siamese.as_ref(), &CompareRequest::default(), none)?;
        let by = |found| compare_by(&corpus, siamese.as_ref(), found, &CompareRequest::default(), none);
        let few = by(found[..3].to_vec()).unwrap_err().to_string();
        assert_eq!(few, "there are 3 probabilities for 4 segments");
        // Probabilities alone do not say the scores.
        assert!(compared.scores.is_some_and(|[a, b]| a > b));
        assert_eq!(by(found)?, SystemComparison { scores: None, ..compared });
        let other = evaluate_preferring(&corpus, &metrics[..1], Some(siamese.as_ref()), &request, none)?.1;
        assert_eq!(other, None);
        Ok(())
    }

    #[test]
    fn exchanging_the_systems_exchanges_everything() -> Result<()> {
        let [_, near, far] = lines();
        for metric in ["chrf", "ter", "nist"] {
            let (one, other) = (compared(metric, 1, &near, &far)?, compared(metric, 1, &far, &near)?);
            assert!(one.probabilities.iter().zip(&other.probabilities).all(|(p, q)| p + q == 1.0), "{metric}");
            assert_eq!((one.wins, one.undecided, one.p_value), (other.losses, other.undecided, other.p_value));
            assert!((one.interval.low + other.interval.high - 1.0).abs() < 1e-12);
            assert_eq!(one.clearest(Side::A, 9), other.clearest(Side::B, 9));
        }
        Ok(())
    }

    #[test]
    fn a_system_is_no_better_than_its_copy() -> Result<()> {
        let [_, near, _] = lines();
        let found = compared("bleu", 2, &near, &near)?;
        assert!(found.probabilities.iter().all(|&p| p == 0.5));
        assert_eq!((found.leader(), found.mean, found.p_value, found.undecided), (None, 0.5, 1.0, 200));
        assert_eq!((found.interval.low, found.interval.high), (0.5, 0.5));
        Ok(())
    }

    #[test]
    fn digits_do_not_depend_on_threads() -> Result<()> {
        let [_, near, mut far] = lines();
        far.reverse();
        assert_eq!(compared("nist", 1, &near, &far)?, compared("nist", 3, &near, &far)?);
        Ok(())
    }

    #[test]
    fn two_systems_are_needed() -> Result<()> {
        let corpus = Corpus::new(vec![System { name: "alone".to_owned(), hypotheses: vec!["a"] }], vec![vec!["a"]])?;
        let error = compare(
            &corpus,
            crate::registry().preference("bleu", None)?.as_ref(),
            &CompareRequest::default(),
            Progress::none(),
        )
        .unwrap_err();
        assert_eq!(error.to_string(), "two systems can be compared, not 1");
        Ok(())
    }
}
