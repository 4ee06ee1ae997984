//! The best of several candidate translations, segment by segment.
//!
//! [`rerank`] scores each candidate with the references of its segment (oracle re-ranking). [`minimum_bayes_risk`]
//! needs no references: the utility of a candidate is its mean score with every other candidate of the list as the only
//! reference,
//!
//! ```text
//! utility(c) = 1/(N−1) Σ_{c′≠c} score(c, c′)
//! ```
//!
//! and the candidate with the best utility is chosen (Kumar & Byrne, 2004; Eikema & Aziz, 2020, for samples of a
//! model).
//!
//! # Choices
//! - Every line of a list counts: a text that is there k times is k candidates, as the theory wants for samples. It is
//!   scored once, and k − 1 of its copies are among its references.
//! - Of candidates that are equally good the first of the list is the better one.
//! - Scores are those of single segments; of metrics with a score that is better if it is lower, the lowest is the
//!   best.
//! - The only candidate of a list is chosen and has no utility.
//!
//! # Example
//! ```
//! use tercet_corpora::CandidateList;
//! use tercet_metrics::Registry;
//! use tercet_base::progress::Progress;
//! use tercet_score::minimum_bayes_risk;
//!
//! let candidates = vec!["the cat sat on a mat", "a dog ate my hat", "the cat sat on the mat"];
//! let lists = [CandidateList { id: "1".to_owned(), candidates }];
//! let found = minimum_bayes_risk(&lists, &Registry::lexical().named("chrf", None)?, Progress::none())?;
//! let best = found.lists[0].best();
//! assert_eq!((best.text, best.index), ("the cat sat on the mat", 2));
//! # Ok::<(), tercet_base::Error>(())
//! ```

use super::corpus::{ReferenceCount, count_references};
use crate::corpora::CandidateList;
use crate::error::{Error, Result};
use crate::metrics::{Direction, Metric, NamedMetric, Scale, Segment, prepare};
use crate::progress::Progress;
use crate::statistics::exact_sum::exact_sum;
use crate::warning::Warning;
use foldhash::HashMap;
use rayon::prelude::*;
use tercet_base::stop;

/// Lists that are scored together with references.
const BATCH: usize = 16;

/// The most distinct candidates of a list that are all scored with each other.
const MAX_CANDIDATES: usize = 5_000;

/// Lists in the order given, the candidates of each from the best to the worst.
#[derive(Clone, Debug, PartialEq)]
pub struct Reranked<'a> {
    /// The metric as requested.
    pub metric: String,
    /// Its usual spelling.
    pub title: String,
    /// The signature of the scores; that of utilities has `refs=mbr`.
    pub signature: String,
    /// Whether higher or lower is better.
    pub direction: Direction,
    /// The range of the scores.
    pub scale: Scale,
    /// Whether scores are utilities, as opposed to scores with references.
    pub is_mbr: bool,
    /// One for each list.
    pub lists: Vec<RankedList<'a>>,
}

/// The candidates of a segment, the best first.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedList<'a> {
    /// The id of the segment.
    pub id: String,
    /// The distinct candidates, at least one.
    pub candidates: Vec<RankedCandidate<'a>>,
}

/// A distinct candidate of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedCandidate<'a> {
    /// The translation.
    pub text: &'a str,
    /// Where it is in the list for the first time, from 0.
    pub index: usize,
    /// How many times it is there.
    pub count: usize,
    /// Its score with the references, or its utility; `None` for the utility of an only candidate.
    pub score: Option<f64>,
}

impl<'a> RankedList<'a> {
    /// The best candidate.
    pub fn best(&self) -> &RankedCandidate<'a> {
        &self.candidates[0]
    }
}

/// With what candidates are compared: references, the source, or both. Without either they are compared with each
/// other.
#[derive(Clone, Copy, Debug, Default)]
pub struct ComparedWith<'t> {
    /// `references[list][reference]`.
    pub references: Option<&'t [Vec<&'t str>]>,
    /// The source of each list, for metrics that use it.
    pub sources: Option<&'t [&'t str]>,
}

impl<'t> ComparedWith<'t> {
    /// References alone.
    pub fn references(references: &'t [Vec<&'t str>]) -> Self {
        ComparedWith { references: Some(references), sources: None }
    }

    /// Whether there is neither.
    pub fn is_empty(&self) -> bool {
        self.references.is_none() && self.sources.is_none()
    }

    fn check(&self, lists: &[CandidateList<'_>]) -> Result<()> {
        let counts = [("references", self.references.map(<[_]>::len)), ("sources", self.sources.map(<[_]>::len))];
        for (what, count) in counts {
            if let Some(count) = count.filter(|count| *count != lists.len()) {
                let lists = lists.len();
                let what = format!("there are candidates for {lists} segments but {what} for {count}");
                return Err(Error::Unusable(what));
            }
        }
        match self.references.and_then(|references| references.iter().position(Vec::is_empty)) {
            Some(segment) => Err(Error::NoReference { segment: lists[segment].id.to_string() }),
            None => Ok(()),
        }
    }
}

/// Orders the candidates of each list by their scores with the references of the segment, or its source.
pub fn rerank<'a>(
    lists: &[CandidateList<'a>],
    others: ComparedWith<'_>,
    metric: &NamedMetric,
    progress: Progress<'_>,
) -> Result<Reranked<'a>> {
    check(lists)?;
    others.check(lists)?;
    let of_segments: Vec<&[&str]> = match others.references {
        Some(references) => references.iter().map(Vec::as_slice).collect(),
        None => vec![&[]; lists.len()],
    };
    progress.stage("scoring", lists.len(), "segments")?;
    let prepared = prepare(&metric.metric, if others.references.is_some() { &of_segments } else { &[] })?;
    let score = |(batch, (lists, references)): (usize, (&[CandidateList<'a>], &[&[&str]]))| {
        let mut distinct: Vec<_> = lists.iter().map(distinct).collect();
        let with_references = distinct.iter().zip(references).enumerate();
        let segments: Vec<Segment<'_>> = with_references
            .flat_map(|(place, (list, references))| {
                let source = others.sources.map(|sources| sources[batch * BATCH + place]);
                list.iter().map(move |candidate| Segment { source, ..Segment::new(candidate.text, references) })
            })
            .collect();
        let tallies = prepared.tally(&segments)?;
        tallies.iter().try_for_each(|tally| tally.check_finite(|| prepared.title()))?;
        for (candidate, tally) in distinct.iter_mut().flatten().zip(&tallies) {
            candidate.score = Some(prepared.segment_score(tally));
        }
        let mut rest = tallies.iter();
        let is_unfinished =
            |list: &&Vec<_>| rest.by_ref().take(list.len()).filter(|tally| prepared.is_unfinished(tally)).count() > 0;
        let unfinished = distinct.iter().filter(is_unfinished).count();
        progress.advance(lists.len())?;
        Ok((distinct, unfinished))
    };
    let batches = lists.par_chunks(BATCH).zip(of_segments.par_chunks(BATCH)).enumerate();
    let scored = batches.map(stop::carried(score)).collect::<Result<Vec<_>>>()?;
    warn_of_unfinished(prepared.as_ref(), scored.iter().map(|(_, unfinished)| unfinished).sum(), progress)?;
    let candidates = scored.into_iter().flat_map(|(distinct, _)| distinct);
    let count = others.references.map_or(ReferenceCount::Fixed(0), count_references);
    let signature = prepared.signature().with("refs", count);
    let reads_source = others.sources.is_some() && prepared.reads_source();
    let signature = if reads_source { signature.with("src", "yes") } else { signature }.signed();
    Ok(Reranked::new(metric, prepared.as_ref(), signature, false, lists.iter().zip(candidates)))
}

/// Orders the candidates of each list by their utility.
pub fn minimum_bayes_risk<'a>(
    lists: &[CandidateList<'a>],
    metric: &NamedMetric,
    progress: Progress<'_>,
) -> Result<Reranked<'a>> {
    check(lists)?;
    let single = lists.iter().filter(|list| list.candidates.len() == 1).count();
    if single == lists.len() {
        return Err(Error::Unusable("every segment has one candidate: there is nothing to choose from".to_owned()));
    }
    let every: Vec<&[&str]> = lists.iter().flat_map(|list| list.candidates.chunks(1)).collect();
    progress.stage("comparing candidates", lists.len(), "segments")?;
    let prepared = prepare(&metric.metric, &every)?;
    let score = |list: &CandidateList<'a>| {
        let scored = with_utilities(list, prepared.as_ref())?;
        progress.advance(1)?;
        Ok(scored)
    };
    let scored = lists.par_iter().map(stop::carried(score)).collect::<Result<Vec<_>>>()?;
    let unfinished = scored.iter().filter(|(_, unfinished)| *unfinished > 0).count();
    warn_of_unfinished(prepared.as_ref(), unfinished, progress)?;
    if single > 0 {
        progress.warn(&Warning::SingleCandidates { count: single, segments: lists.len() })?;
    }
    let candidates = scored.into_iter().map(|(distinct, _)| distinct);
    let signature = prepared.signature().with("refs", "mbr").signed();
    Ok(Reranked::new(metric, prepared.as_ref(), signature, true, lists.iter().zip(candidates)))
}

/// Returns an error if there is nothing to order.
fn check(lists: &[CandidateList<'_>]) -> Result<()> {
    if lists.is_empty() {
        return Err(Error::Unusable("there are no candidates".to_owned()));
    }
    match lists.iter().find(|list| list.candidates.is_empty()) {
        Some(list) => Err(Error::Unusable(format!("segment {} has no candidate", list.id))),
        None => Ok(()),
    }
}

/// Warns of this many lists with a score that is unfinished.
fn warn_of_unfinished(metric: &dyn Metric, count: usize, progress: Progress<'_>) -> Result<()> {
    if count > 0 {
        progress.warn(&metric.unfinished_warning(count))?;
    }
    Ok(())
}

/// The distinct candidates of a list, without scores, in the order of the list.
fn distinct<'a>(list: &CandidateList<'a>) -> Vec<RankedCandidate<'a>> {
    let mut places: HashMap<&str, usize> = HashMap::default();
    let mut distinct: Vec<RankedCandidate<'a>> = Vec::new();
    for (index, &text) in list.candidates.iter().enumerate() {
        let place = *places.entry(text).or_insert(distinct.len());
        if place == distinct.len() {
            distinct.push(RankedCandidate { text, index, count: 0, score: None });
        }
        distinct[place].count += 1;
    }
    distinct
}

/// The distinct candidates of a list with their utilities, and the number of scores that are unfinished.
fn with_utilities<'a>(list: &CandidateList<'a>, metric: &dyn Metric) -> Result<(Vec<RankedCandidate<'a>>, usize)> {
    let mut distinct = distinct(list);
    let others = list.candidates.len() - 1;
    if others == 0 {
        return Ok((distinct, 0));
    }
    let (id, found) = (&list.id, distinct.len());
    if found > MAX_CANDIDATES {
        return Err(Error::Unusable(format!(
            "segment {id} has {found} different candidates, too many to score all with each other (at most \
             {MAX_CANDIDATES})"
        )));
    }
    let texts: Vec<&str> = distinct.iter().map(|candidate| candidate.text).collect();
    let counts: Vec<usize> = distinct.iter().map(|candidate| candidate.count).collect();
    let cross = metric.cross_scores(&texts)?;
    for (i, candidate) in distinct.iter_mut().enumerate() {
        let weights = counts.iter().enumerate().map(|(j, count)| count - usize::from(i == j));
        let weighted = cross.row(i, texts.len()).zip(weights).map(|(score, weight)| score * weight as f64);
        candidate.score = Some(exact_sum(weighted) / others as f64);
    }
    Ok((distinct, cross.unfinished))
}

impl<'a> Reranked<'a> {
    fn new<'l>(
        named: &NamedMetric,
        metric: &dyn Metric,
        signature: String,
        is_mbr: bool,
        lists: impl Iterator<Item = (&'l CandidateList<'a>, Vec<RankedCandidate<'a>>)>,
    ) -> Self
    where
        'a: 'l,
    {
        let sign = metric.direction().sign();
        let in_order = |(list, mut candidates): (&CandidateList<'a>, Vec<RankedCandidate<'a>>)| {
            let key = |candidate: &RankedCandidate<'_>| candidate.score.map_or(0.0, |score| -sign * score);
            candidates.sort_by(|a, b| key(a).total_cmp(&key(b)));
            RankedList { id: list.id.clone(), candidates }
        };
        Reranked {
            metric: named.name.clone(),
            title: metric.title(),
            signature,
            direction: metric.direction(),
            scale: metric.info().scale,
            is_mbr,
            lists: lists.map(in_order).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{MetricInfo, Registry, Tally};
    use crate::progress::Event;
    use std::ops::ControlFlow;
    use std::sync::{Arc, Mutex};

    const CANDIDATES: [&str; 6] = [
        "the cat sat on a mat",
        "a dog ate my hat",
        "the cat sat on the mat",
        "the cat sat on a mat",
        "cats sit on the mat",
        "",
    ];

    fn list<'a>(id: &str, candidates: &[&'a str]) -> CandidateList<'a> {
        CandidateList { id: id.to_owned(), candidates: candidates.to_vec() }
    }

    fn named(metric: &str) -> NamedMetric {
        Registry::lexical().named(metric, None).unwrap()
    }

    /// The utility of a candidate by its definition: all other lines, one by one.
    fn plain_utility(metric: &dyn Metric, candidates: &[&str], index: usize) -> f64 {
        let others = candidates.iter().enumerate().filter(|(other, _)| *other != index);
        let scores: Vec<f64> = others
            .map(|(_, other)| metric.segment_scores(&[Segment::new(candidates[index], &[*other])]).unwrap()[0])
            .collect();
        scores.iter().sum::<f64>() / scores.len() as f64
    }

    #[test]
    fn utilities_are_means_over_all_other_lines() {
        for metric in ["chrf", "bleu", "ter", "meteor"] {
            let metric = named(metric);
            let lists = [list("0", &CANDIDATES), list("1", &CANDIDATES[2..])];
            let found = minimum_bayes_risk(&lists, &metric, Progress::none()).unwrap();
            for (given, ranked) in lists.iter().zip(&found.lists) {
                let mut expected: Vec<(f64, usize)> = (0..given.candidates.len())
                    .map(|i| (plain_utility(metric.metric.as_ref(), &given.candidates, i), i))
                    .collect();
                for candidate in &ranked.candidates {
                    let utility = candidate.score.unwrap();
                    assert!((utility - expected[candidate.index].0).abs() < 1e-9, "{metric:?} {candidate:?}");
                }
                let sign = metric.metric.direction().sign();
                expected.sort_by(|(a, _), (b, _)| (-sign * a).total_cmp(&(-sign * b)));
                assert_eq!(ranked.best().index, expected[0].1, "{metric:?}");
            }
            assert_eq!(found.lists[0].candidates.len(), 5, "copies are one candidate");
            assert_eq!(found.lists[0].candidates.iter().map(|candidate| candidate.count).sum::<usize>(), 6);
        }
    }

    #[test]
    fn frequent_candidates_count_more() {
        let texts = ["a b c d", "e f g h", "e f g h", "a b c x"];
        let found = minimum_bayes_risk(&[list("1", &texts)], &named("chrf"), Progress::none()).unwrap();
        assert_eq!(found.lists[0].best().text, "e f g h");
    }

    #[test]
    fn references_decide_where_there_are_some_and_the_first_of_equals_is_kept() {
        let lists = [list("a", &["x y", "the cat", "the cat"]), list("b", &["same one", "same two"])];
        let references = [vec!["no", "the cat"], vec!["same", "same"]];
        let found = rerank(&lists, ComparedWith::references(&references), &named("wer"), Progress::none()).unwrap();
        assert_eq!((found.lists[0].best().index, found.lists[0].best().count), (1, 2));
        assert_eq!(found.lists[0].best().score, Some(0.0));
        let order: Vec<usize> = found.lists[1].candidates.iter().map(|candidate| candidate.index).collect();
        assert_eq!(order, [0, 1]);
        assert!(found.signature.contains("|refs=2|"), "{}", found.signature);
    }

    #[test]
    fn metrics_see_the_references_of_all_lists_first() {
        let lists = [list("1", &["a rare bird", "a bird"]), list("2", &["a a a"])];
        let references = [vec!["a rare bird"], vec!["a a a"]];
        let found = rerank(&lists, ComparedWith::references(&references), &named("nist"), Progress::none()).unwrap();
        let segments = [("a rare bird", 0), ("a bird", 0), ("a a a", 1)];
        let nist = prepare(&named("nist").metric, &[&references[0], &references[1]]).unwrap();
        for (text, segment) in segments {
            let tally = &nist.tally(&[Segment::new(text, &references[segment])]).unwrap()[0];
            let candidate = found.lists[segment].candidates.iter().find(|candidate| candidate.text == text);
            assert_eq!(candidate.unwrap().score, Some(nist.segment_score(tally)));
        }
    }

    #[test]
    fn what_cannot_be_chosen_from_is_refused() {
        let chrf = named("chrf");
        let mbr =
            |lists: &[CandidateList<'_>]| minimum_bayes_risk(lists, &chrf, Progress::none()).unwrap_err().to_string();
        assert_eq!(mbr(&[]), "there are no candidates");
        assert_eq!(mbr(&[list("7", &[])]), "segment 7 has no candidate");
        assert_eq!(mbr(&[list("1", &["a"])]), "every segment has one candidate: there is nothing to choose from");
        let many: Vec<String> = (0..=MAX_CANDIDATES).map(|i| i.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(
            mbr(&[list("9", &many)]),
            "segment 9 has 5001 different candidates, too many to score all with each other (at most 5000)"
        );
        let two = [list("1", &["a"]), list("2", &["b"])];
        let error =
            rerank(&two, ComparedWith::references(&[vec!["a"]]), &chrf, Progress::none()).unwrap_err().to_string();
        assert_eq!(error, "there are candidates for 2 segments but references for 1");
        let error = rerank(&two, ComparedWith::references(&[vec!["a"], vec![]]), &chrf, Progress::none())
            .unwrap_err()
            .to_string();
        assert_eq!(error, "segment 2 has no reference");
    }

    /// A metric by length that does not finish lines of four letters or more.
    struct Length;

    impl Metric for Length {
        fn info(&self) -> &MetricInfo {
            static INFO: MetricInfo = MetricInfo { name: "length", ..MetricInfo::new(|_, _| Ok(Arc::new(Length))) };
            &INFO
        }

        fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
            let length = |segment: &Segment<'_>| Tally::new(vec![segment.hypothesis.len() as f64, 1.0]);
            Ok(batch.iter().map(length).collect())
        }

        fn score(&self, total: &Tally) -> f64 {
            total.mean()
        }

        fn is_unfinished(&self, tally: &Tally) -> bool {
            tally[0] > 3.0
        }
    }

    #[test]
    fn a_warning_counts_segments_and_not_candidates() {
        let metric = NamedMetric::new("length", Arc::new(Length));
        let lists = [list("1", &["a", "long one", "long two"]), list("2", &["b", "c"]), list("3", &["d", "long"])];
        let warnings = Mutex::new(Vec::new());
        let callback = |event: &Event<'_>| {
            if let Event::Warning(warning) = event {
                warnings.lock().unwrap().push((*warning).clone());
            }
            ControlFlow::Continue(())
        };
        rerank(&lists, ComparedWith::references(&[vec!["a"], vec!["b"], vec!["c"]]), &metric, Progress::new(&callback))
            .unwrap();
        minimum_bayes_risk(&lists, &metric, Progress::new(&callback)).unwrap();
        let expected = Warning::SearchCutShort { metric: "length".to_owned(), segments: 2 };
        assert_eq!(warnings.into_inner().unwrap(), [expected.clone(), expected]);
    }

    #[test]
    fn an_only_candidate_is_chosen_without_a_utility() {
        let lists = [list("1", &["a"]), list("2", &["b", "c"])];
        let found = minimum_bayes_risk(&lists, &named("chrf"), Progress::none()).unwrap();
        assert_eq!((found.lists[0].best().text, found.lists[0].best().score), ("a", None));
    }

    #[test]
    fn utilities_do_not_depend_on_the_order_of_candidates() {
        let mut turned = CANDIDATES;
        turned.reverse();
        let lists = [list("1", &CANDIDATES), list("2", &turned)];
        let found = minimum_bayes_risk(&lists, &named("chrf"), Progress::none()).unwrap();
        for candidate in &found.lists[0].candidates {
            let other = found.lists[1].candidates.iter().find(|other| other.text == candidate.text).unwrap();
            assert_eq!(other.score, candidate.score);
        }
    }
}
