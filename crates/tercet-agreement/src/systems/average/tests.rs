use super::*;
use crate::progress::{Event, Progress};
use crate::systems::{Method, SystemRanking, rank_systems};
use std::ops::ControlFlow;

fn scores(name: &str, higher_is_better: bool, values: Vec<Vec<Option<f64>>>) -> HumanScores {
    HumanScores { name: name.to_owned(), level: Level::Segment, higher_is_better, values }
}

/// Four systems on forty segments: b best, a and c alike, d not judged. Raw scores are reversed on purpose.
fn judgements() -> Judgements {
    let wave = |shift: f64| -> Vec<Option<f64>> {
        (0..40).map(|i| (i % 7 != 6).then(|| f64::from(i * 37 % 11) / 11.0 + shift)).collect()
    };
    let z = vec![wave(0.0), wave(1.0), wave(0.01), vec![None; 40]];
    let raw = z.iter().map(|row| row.iter().map(|value| value.map(|value| -value)).collect()).collect();
    Judgements {
        set: "da".to_owned(),
        pair: "xx-yy".to_owned(),
        systems: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
        scores: vec![scores("raw", true, raw), scores("z", true, z)],
        ..Judgements::default()
    }
}

fn ranked(request: &RankRequest) -> SystemRanking {
    rank_systems(&judgements(), request, Progress::none()).unwrap()
}

fn places(ranking: &SystemRanking) -> Vec<(&str, usize, usize, usize)> {
    let place = |system: &'_ RankedSystem| (system.rank_low, system.rank_high, system.cluster);
    ranking
        .systems
        .iter()
        .map(|system| (system.name.as_str(), place(system)))
        .map(|(n, (l, h, c))| (n, l, h, c))
        .collect()
}

#[test]
fn z_is_averaged_and_systems_without_a_significant_difference_share_a_cluster() {
    let ranking = ranked(&RankRequest::new(Method::Average));
    assert_eq!(ranking.scores.as_deref(), Some("z"));
    assert_eq!(places(&ranking), [("b", 1, 1, 1), ("c", 2, 3, 2), ("a", 2, 3, 2)]);
    assert_eq!((ranking.n, ranking.systems[0].n), (105, 35));
    let mean: f64 = judgements().scores[1].values[1].iter().flatten().sum::<f64>() / 35.0;
    assert_eq!(ranking.systems[0].score, mean);
}

#[test]
fn paired_differences_separate_what_ranks_cannot() {
    let request = RankRequest { test: Test::Paired, runs: 500, ..RankRequest::new(Method::Average) };
    assert_eq!(places(&ranked(&request)), [("b", 1, 1, 1), ("c", 2, 2, 2), ("a", 3, 3, 3)]);
}

#[test]
fn other_scores_can_be_asked_for_and_less_may_be_better() {
    let named = |name: &str| RankRequest { scores: Some(name.to_owned()), ..RankRequest::new(Method::Average) };
    assert_eq!(places(&ranked(&named("raw")))[2].0, "b");
    let mut errors = judgements();
    errors.scores[0].higher_is_better = false;
    let ranking = rank_systems(&errors, &named("raw"), Progress::none()).unwrap();
    assert_eq!(places(&ranking)[0], ("b", 1, 1, 1));
    assert!(ranking.systems[0].score < ranking.systems[1].score);
    let error = rank_systems(&errors, &named("mqm"), Progress::none()).unwrap_err().to_string();
    assert_eq!(error, "da xx-yy has no segment scores `mqm` (it has: raw, z)");
}

#[test]
fn without_scores_there_is_another_way() {
    let empty = Judgements { scores: Vec::new(), ..judgements() };
    let error = rank_systems(&empty, &RankRequest::new(Method::Average), Progress::none()).unwrap_err().to_string();
    assert!(error.contains("no scores of segments") && error.contains("the method trueskill"), "{error}");
}

#[test]
fn tests_between_systems_can_be_stopped() {
    let stop = |_: &Event<'_>| ControlFlow::Break(());
    let request = RankRequest::new(Method::Average);
    let error = rank_systems(&judgements(), &request, Progress::new(&stop)).unwrap_err();
    assert_eq!(error.kind(), crate::error::ErrorKind::Stopped);
}
