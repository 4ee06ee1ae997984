//! Complete runs over a set small enough to check by hand.

use super::*;
use crate::corpora::{Comparison, HumanScores, Judgements, Level, Levels, MetricScores, Outcome, Reference, Texts};
use crate::error::Result;
use crate::metrics::Registry;
use crate::progress::{Event, Progress};
use crate::statistics::Grouping;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const REFERENCES: [&str; 4] =
    ["the cat sat on the mat", "it rained all day long", "we missed the last train", "the bakery opens at five"];

/// From best to worst; the last is the reference itself.
fn outputs() -> Vec<Vec<Option<String>>> {
    let good = ["the cat sat on the mat", "it rained all day", "we missed the last train", "the bakery opens at six"];
    let middling = ["a cat sat on a mat", "it rained all day", "we missed our last train", "a bakery opens at six"];
    let bad = ["cat mat", "rain day", "train gone", "bakery five"];
    [good, middling, bad, REFERENCES].map(|lines| lines.map(|line| Some(line.to_owned())).to_vec()).to_vec()
}

fn judgements() -> Judgements {
    let lines = REFERENCES.map(|line| Some(line.to_owned())).to_vec();
    let scores = |values: [[f64; 4]; 4]| values.map(|row| row.map(Some).to_vec()).to_vec();
    Judgements {
        set: "toy".to_owned(),
        pair: "xx-en".to_owned(),
        systems: ["good", "middling", "bad", "refA"].map(str::to_owned).to_vec(),
        segments: (1..=4).map(|id| id.to_string()).collect(),
        texts: Some(Texts {
            sources: None,
            references: vec![Reference { name: "refA".to_owned(), lines }],
            outputs: outputs(),
        }),
        scores: vec![HumanScores {
            name: "mqm".to_owned(),
            level: Level::Segment,
            higher_is_better: false,
            values: scores([[0.0, 1.0, 0.0, 1.0], [2.0, 1.0, 2.0, 3.0], [9.0, 8.0, 7.0, 9.0], [0.0; 4]]),
        }],
        ..Judgements::default()
    }
}

fn request(metrics: &[&str], statistics: &[&str]) -> CorrelateJob {
    CorrelateJob {
        metrics: metrics.iter().map(|name| (*name).to_owned()).collect(),
        statistics: statistics.iter().map(|name| name.parse().unwrap()).collect(),
        resamples: 200,
        seed: 1,
        ..CorrelateJob::default()
    }
}

fn try_run(judgements: &Judgements, job: &CorrelateJob, progress: Progress<'_>) -> Result<CorrelateResult> {
    correlate_files(judgements, &[], job, progress)
}

fn correlate_files(
    judgements: &Judgements,
    files: &[MetricScores],
    job: &CorrelateJob,
    progress: Progress<'_>,
) -> Result<CorrelateResult> {
    let registry = Registry::lexical();
    let metrics: Vec<_> = job.metrics.iter().map(|name| registry.named(name, None).unwrap()).collect();
    correlate(judgements, files, &metrics, job, &registry, progress)
}

fn run(judgements: &Judgements, files: &[MetricScores], job: &CorrelateJob) -> CorrelateResult {
    correlate_files(judgements, files, job, Progress::none()).unwrap()
}

fn value(finding: &CorrelateResult, level: Level, statistic: &str, metric: &str) -> f64 {
    let of = |agreement: &&Agreement| {
        agreement.level == level && agreement.statistic.name.name() == statistic && agreement.metric == metric
    };
    finding.agreements.iter().find(of).unwrap_or_else(|| panic!("no {statistic} of {metric}")).value
}

#[test]
fn error_rates_and_penalties_are_negated() {
    let finding = run(&judgements(), &[], &request(&["chrf", "ter"], &["pearson", "spearman", "accuracy", "spa"]));
    for metric in ["chrf", "ter"] {
        assert!(value(&finding, Level::Segment, "pearson", metric) > 0.8, "{metric}");
        assert!(value(&finding, Level::System, "spearman", metric) == 1.0, "{metric}");
        assert!(value(&finding, Level::System, "accuracy", metric) == 1.0, "{metric}");
        assert!(value(&finding, Level::System, "spa", metric) > 0.8, "{metric}");
    }
    for agreement in &finding.agreements {
        let (low, high) = (agreement.low.unwrap(), agreement.high.unwrap());
        assert!(low <= high && agreement.cluster.is_some(), "{agreement:?}");
    }
}

#[test]
fn the_reference_is_no_system_and_another_human_only_on_request() {
    let mut judgements = judgements();
    let finding = run(&judgements, &[], &request(&["chrf"], &["pearson"]));
    assert_eq!(finding.agreements[0].n, 12);
    let other = Reference { name: "refB".to_owned(), lines: outputs()[0].clone() };
    judgements.texts.as_mut().unwrap().references.push(other);
    let mut with_human = request(&["chrf"], &["pearson"]);
    with_human.references = vec!["refB".to_owned()];
    assert_eq!(run(&judgements, &[], &with_human).agreements[0].n, 12);
    with_human.include_human = true;
    assert_eq!(run(&judgements, &[], &with_human).agreements[0].n, 16);
}

#[test]
fn scores_from_a_file_agree_as_the_metric_they_came_from() {
    let judgements = judgements();
    let computed = run(&judgements, &[], &request(&["ter"], &["kendall"]));
    let points = &computed.points.iter().find(|points| points.level == Level::Segment).unwrap().points;
    let of =
        |system: &str| points.iter().filter(|point| point.system == system).map(|point| Some(point.metric)).collect();
    let names = ["bad", "good", "middling"];
    let file = |metric: &str| MetricScores {
        metric: metric.to_owned(),
        level: Level::Segment,
        systems: names.map(str::to_owned).to_vec(),
        values: names.map(of).to_vec(),
    };
    let request_of_systems = request(&[], &["pearson"]);
    let mut request = request(&[], &["kendall"]);
    request.lower_is_better = vec!["unknown".to_owned()];
    let expected = value(&computed, Level::Segment, "kendall-b", "ter");
    let stranger = MetricScores { systems: vec!["x".to_owned(); 3], ..file("ter") };
    let none = run(&judgements, &[stranger], &request);
    assert_eq!((none.unmatched, none.agreements.len()), (vec!["ter".to_owned()], 0));
    let read = run(&judgements, &[file("ter"), file("unknown")], &request);
    assert_eq!(value(&read, Level::Segment, "kendall-b", "ter"), expected);
    assert_eq!(value(&read, Level::Segment, "kendall-b", "unknown"), expected);
    // Scores of systems alone are signed as those of segments are.
    let of_systems = MetricScores {
        level: Level::System,
        values: [1.0, 3.0, 2.0].map(|score| vec![Some(score)]).to_vec(),
        ..file("mine")
    };
    let signed = format!("mine|scores=given|tercet={}", env!("CARGO_PKG_VERSION"));
    let read = run(&judgements, &[of_systems], &request_of_systems);
    assert!(!read.agreements.is_empty() && read.agreements.iter().all(|one| one.signature == signed));
}

#[test]
fn scores_by_name_agree_as_the_metric_they_came_from_in_any_order() {
    let names = [
        |number: usize| format!("{}", 4 - number),
        |number: usize| format!("{}", 1_000_000_000_000 - number),
        |number: usize| format!("s{}", 9 - number),
    ];
    for name in names {
        let mut judgements = judgements();
        judgements.segments = (0..judgements.segments.len()).map(name).collect();
        let computed = run(&judgements, &[], &request(&["ter"], &["kendall"]));
        let points = computed.points.iter().find(|points| points.level == Level::Segment).unwrap();
        let scores = points.points.iter().rev();
        let mut rows: Vec<(&str, &str, f64)> =
            scores.map(|point| (point.system.as_str(), point.segment.as_deref().unwrap(), point.metric)).collect();
        rows.push(("stranger", "no such segment", 1.0));
        let given = scores_by_name(&judgements, "ter", rows.iter().copied()).unwrap();
        let read = run(&judgements, &[given], &request(&[], &["kendall"]));
        let expected = value(&computed, Level::Segment, "kendall-b", "ter");
        assert_eq!(value(&read, Level::Segment, "kendall-b", "ter"), expected);
        let twice = scores_by_name(&judgements, "ter", [rows[0], rows[0]]).unwrap_err().to_string();
        assert!(twice.starts_with("ter has two scores of segment"), "{twice}");
        let unknown = scores_by_name(&judgements, "ter", [(rows[0].0, "x", 1.0)]).unwrap_err().to_string();
        assert!(unknown.contains("segment x, which"), "{unknown}");
    }
}

#[test]
fn judged_outputs_without_a_text_are_left_out_for_all_metrics_and_counted() {
    let mut judgements = judgements();
    judgements.texts.as_mut().unwrap().outputs[1][2] = None;
    let finding = run(&judgements, &[], &request(&["chrf", "bleu"], &["pearson"]));
    assert_eq!(finding.left_out, (1, 12));
    assert_eq!(finding.agreements[0].n, 11);
}

#[test]
fn rankings_have_a_tau_and_systems_their_wins() {
    let mut judgements = judgements();
    judgements.scores.clear();
    let pair = |segment, first, second| Comparison { segment, first, second, outcome: Outcome::First };
    judgements.comparisons =
        (0..4).flat_map(|segment| [pair(segment, 0, 1), pair(segment, 1, 2), pair(segment, 0, 2)]).collect();
    let finding = run(&judgements, &[], &request(&["chrf", "ter"], &[]));
    assert!(value(&finding, Level::Segment, "tau-wmt14", "chrf") > 0.8);
    assert_eq!(value(&finding, Level::System, "spearman", "chrf"), 1.0);
    let strict = run(&judgements, &[], &request(&["ter"], &["tau-wmt12"]));
    assert_eq!(strict.agreements.len(), 1);
    assert_eq!(strict.agreements[0].n, 12);
    let by_pairs = CorrelateJob { test: Test::Pairs, ..request(&["chrf", "ter"], &["tau-wmt12"]) };
    assert!(run(&judgements, &[], &by_pairs).agreements.iter().all(|agreement| agreement.cluster.is_some()));
}

#[test]
fn a_worthless_metric_is_in_a_cluster_below() {
    let (systems, segments) = (4, 60);
    let score = |system: usize, segment: usize| ((system * 31 + segment * 17) % 23) as f64;
    let human: Vec<Vec<f64>> =
        (0..systems).map(|system| (0..segments).map(|segment| score(system, segment)).collect()).collect();
    let judgements = Judgements {
        set: "made".to_owned(),
        systems: (0..systems).map(|system| system.to_string()).collect(),
        segments: (0..segments).map(|segment| segment.to_string()).collect(),
        scores: vec![HumanScores {
            name: "z".to_owned(),
            level: Level::Segment,
            higher_is_better: true,
            values: human.iter().map(|row| row.iter().copied().map(Some).collect()).collect(),
        }],
        ..Judgements::default()
    };
    let metric = |name: &str, of: &dyn Fn(f64, usize) -> f64| MetricScores {
        metric: name.to_owned(),
        level: Level::Segment,
        systems: judgements.systems.clone(),
        values: human
            .iter()
            .map(|row| row.iter().enumerate().map(|(segment, score)| Some(of(*score, segment))).collect())
            .collect(),
    };
    let with_gap = |mut scores: MetricScores| {
        scores.values[1][3] = None;
        scores
    };
    let files =
        [metric("noise", &|_, segment| (segment * 7 % 5) as f64), with_gap(metric("right", &|score, _| score.sqrt()))];
    for statistic in ["pearson", "spearman", "kendall", "acc-23", "tau-23-plain"] {
        for test in [Test::Auto, Test::Scores] {
            let request = CorrelateJob { test, ..request(&[], &[statistic]) };
            let finding = run(&judgements, &files, &request);
            let cluster = |name: &str| {
                let of = |agreement: &&Agreement| agreement.metric == name && agreement.level == Level::Segment;
                finding.agreements.iter().find(of).unwrap().cluster
            };
            assert_eq!((cluster("right"), cluster("noise")), (Some(1), Some(2)), "{statistic} {test:?}");
        }
    }
    let williams = CorrelateJob { test: Test::Williams, level: Levels::Segment, ..request(&[], &["pearson"]) };
    assert_eq!(run(&judgements, &files, &williams).agreements[0].cluster, Some(2));
    // For other coefficients and averages too, as mt-metrics-eval computes it.
    // Numbers that differ between the systems of an item, whose coefficients are undefined else.
    let chance = metric("chance", &|score, segment| ((score as usize * 7 + segment * 5) % 11) as f64);
    let files_by_item = [chance, metric("right", &|score, _| score.sqrt())];
    for grouping in [None, Some(Grouping::Item), Some(Grouping::System)] {
        for statistic in [StatisticName::Spearman, StatisticName::KendallB, StatisticName::Acc23] {
            let other = CorrelateJob { statistics: vec![statistic], grouping, ..williams.clone() };
            let found = run(&judgements, &files_by_item, &other);
            let clusters: Vec<_> = found.agreements.iter().map(|of| (of.metric.as_str(), of.cluster)).collect();
            assert_eq!(clusters, [("chance", Some(2)), ("right", Some(1))], "{statistic} {grouping:?}");
        }
    }
    let wrong = CorrelateJob { statistics: vec![StatisticName::SoftAccuracy], level: Levels::System, ..williams };
    let error = correlate_files(&judgements, &files, &wrong, Progress::none()).unwrap_err().to_string();
    assert!(error.starts_with("Williams's test compares correlations of scores, not spa"), "{error}");
    // Ties can be fixed, averages micro, and missing scores 0.
    let job = |statistic: StatisticName| CorrelateJob {
        statistics: vec![statistic],
        level: Levels::Segment,
        ..request(&[], &[])
    };
    let whole = [metric("right", &|score, _| score)];
    let wide = CorrelateJob { epsilon: Some(1e9), ..job(StatisticName::Acc23) };
    let found = run(&judgements, &whole, &wide);
    assert!(found.agreements[0].value < 0.5, "{:?}", found.agreements[0]);
    assert_eq!(found.agreements[0].statistic.label(), "acc-23:epsilon=1000000000");
    let none = CorrelateJob { epsilon: Some(0.0), ..job(StatisticName::Acc23) };
    let plain = run(&judgements, &whole, &job(StatisticName::Acc23Plain));
    assert_eq!(run(&judgements, &whole, &none).agreements[0].value, plain.agreements[0].value);
    let error = CorrelateJob { epsilon: Some(1.0), ..job(StatisticName::Pearson) }.validate().unwrap_err().to_string();
    assert_eq!(error, "epsilon is for the statistics acc-23 and tau-23");
    let micro = CorrelateJob { average: Average::Micro, ..job(StatisticName::Acc23) };
    let error = correlate_files(&judgements, &whole, &micro, Progress::none()).unwrap_err().to_string();
    assert!(error.starts_with("acc-23 with calibrated ties has no micro-average"), "{error}");
    let micro = CorrelateJob { grouping: Some(Grouping::Item), average: Average::Micro, ..job(StatisticName::Pearson) };
    assert_eq!(run(&judgements, &whole, &micro).agreements[0].statistic.label(), "pearson:average=micro");
    let gap = [with_gap(metric("right", &|score, _| score))];
    let all = run(&judgements, &gap, &job(StatisticName::Pearson));
    let zero = run(&judgements, &gap, &CorrelateJob { missing: Missing::Zero, ..job(StatisticName::Pearson) });
    assert!(all.set_to_zero.is_empty() && all.left_out.0 == 1, "{:?}", all.left_out);
    assert_eq!((zero.left_out.0, zero.set_to_zero), (0, vec![("right".to_owned(), 1)]));
}

#[test]
fn darr_needs_scores_far_enough_apart() {
    let error = try_run(&judgements(), &request(&["chrf"], &["darr"]), Progress::none()).unwrap_err().to_string();
    assert!(error.starts_with("darr needs scores at least 25 points apart, but `mqm` of toy xx-en"), "{error}");
    let mut closer = request(&["chrf"], &[]);
    (closer.statistics, closer.threshold) = (vec![StatisticName::Darr], Some(5.0));
    let finding = run(&judgements(), &[], &closer);
    assert_eq!(finding.agreements[0].value, 1.0);
    assert_eq!(finding.agreements[0].statistic.grouping, Grouping::Item);
}

#[test]
fn what_a_set_does_not_have_is_named() {
    let mut asked = request(&["chrf"], &[]);
    asked.human = Some("z".to_owned());
    let error = try_run(&judgements(), &asked, Progress::none()).unwrap_err().to_string();
    assert_eq!(error, "toy xx-en has no human scores `z` (it has: mqm)");
    let mut asked = request(&["chrf"], &[]);
    asked.references = vec!["refC".to_owned()];
    let error = try_run(&judgements(), &asked, Progress::none()).unwrap_err().to_string();
    assert_eq!(error, "toy xx-en has no reference `refC` (it has: refA)");
    let bare = Judgements { texts: None, ..judgements() };
    let error = try_run(&bare, &request(&["chrf"], &[]), Progress::none()).unwrap_err().to_string();
    assert!(error.ends_with("metrics cannot be computed (give their scores)"), "{error}");
}

#[test]
fn accuracy_is_pooled_over_language_pairs() {
    let part = |human: [f64; 2], metric: [f64; 2]| SystemScores {
        set: "s".to_owned(),
        human_name: "mqm".to_owned(),
        human: human.to_vec(),
        human_replicates: None,
        metrics: vec![MetricOnSet {
            metric: "m".to_owned(),
            systems: Some(metric.to_vec()),
            replicates: Some(metric.iter().map(|score| vec![*score, -score]).collect()),
            ..MetricOnSet::default()
        }],
    };
    let request = CorrelateJob { resamples: 2, ..request(&[], &[]) };
    let parts = [part([1.0, 2.0], [10.0, 20.0]), part([2.0, 1.0], [10.0, 20.0])];
    let pooled = pooled_accuracy(&parts, &request, Progress::none()).unwrap();
    assert_eq!((pooled[0].value, pooled[0].n, pooled[0].pair.as_str()), (0.5, 2, "all"));
    let parts_alike = [part([1.0, 2.0], [10.0, 20.0]), part([1.0, 2.0], [30.0, 40.0])];
    let drawn = &pooled_accuracy(&parts_alike, &request, Progress::none()).unwrap()[0];
    assert_eq!((drawn.low, drawn.high), (Some(0.0), Some(1.0)), "the second draw reverses both");
    assert!(pooled_accuracy(&parts[..1], &request, Progress::none()).unwrap().is_empty());
}

#[test]
fn every_stage_names_set_and_pair() {
    let stages = Mutex::new(Vec::new());
    let listen = |event: &Event<'_>| {
        if let Event::Stage { name, .. } = event {
            stages.lock().unwrap().push((*name).to_owned());
        }
        ControlFlow::Continue(())
    };
    try_run(&judgements(), &request(&["chrf"], &[]), Progress::new(&listen)).unwrap();
    let stages = stages.into_inner().unwrap();
    assert!(stages.contains(&"toy xx-en: scoring".to_owned()), "{stages:?}");
    assert!(stages.iter().all(|stage| stage.starts_with("toy xx-en: ")), "{stages:?}");
}

#[test]
fn intervals_stop_between_two_draws() {
    let asked = request(&["chrf"], &["pearson"]);
    let events_of = |most: usize| {
        let events = AtomicUsize::new(0);
        let stop = |_: &Event<'_>| match events.fetch_add(1, Ordering::Relaxed) {
            event if event < most => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        let result = try_run(&judgements(), &asked, Progress::new(&stop));
        (result.err().map(|error| error.kind()), events.load(Ordering::Relaxed))
    };
    let (error, all) = events_of(usize::MAX);
    assert!(error.is_none() && all > asked.resamples, "{all} events");
    for most in [all / 4, all / 2, all - 1] {
        assert_eq!(events_of(most).0, Some(crate::error::ErrorKind::Stopped), "after {most} of {all}");
    }
}

/// The toy set over and over, until it has so many segments.
fn repeated(times: usize) -> Judgements {
    let mut set = judgements();
    let count = set.segments.len() * times;
    set.segments = (1..=count).map(|id| id.to_string()).collect();
    let texts = set.texts.as_mut().unwrap();
    let texts = texts.outputs.iter_mut().chain(texts.references.iter_mut().map(|reference| &mut reference.lines));
    texts.for_each(|lines| *lines = vec![lines.as_slice(); times].concat());
    set.scores[0].values.iter_mut().for_each(|row| *row = row.repeat(times));
    set
}

#[test]
fn more_draws_than_memory_holds_are_refused() {
    let asked = CorrelateJob { resamples: MAX_DRAWS, ..request(&["chrf"], &["pearson"]) };
    let set = repeated(32);
    let error = try_run(&set, &asked, Progress::none()).unwrap_err().to_string();
    assert_eq!(error, "toy xx-en: 10000000 draws are too many (at most 8388608 for a set of this size; 1000 is usual)");
    let none = CorrelateJob { interval: IntervalKind::None, ..asked };
    assert!(try_run(&set, &none, Progress::none()).is_ok());
}
