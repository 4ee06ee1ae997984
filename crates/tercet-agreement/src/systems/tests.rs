use super::*;
use crate::corpora::Outcome::{First, Second, Tie};
use crate::progress::Event;
use reference_implementation::judgements;
use std::ops::ControlFlow;

/// a beats b two times in three, both always beat c; d and e only tie with each other and lose to c.
fn clear_cut() -> Judgements {
    let once = [
        (0, 1, First),
        (0, 1, First),
        (1, 0, First),
        (0, 2, First),
        (2, 1, Second),
        (2, 3, First),
        (4, 2, Second),
        (3, 4, Tie),
        (0, 3, First),
        (1, 4, First),
    ];
    judgements(5, &once.repeat(30))
}

fn ranked(method: Method) -> SystemRanking {
    rank_systems(&clear_cut(), &RankRequest { runs: 100, ..RankRequest::new(method) }, Progress::none()).unwrap()
}

#[test]
fn every_method_finds_the_order_and_the_clusters() {
    for method in Method::ALL.iter().map(|known| known.value).filter(|method| *method != Method::Average) {
        let name = method.name();
        let ranking = ranked(method);
        let names: Vec<&str> = ranking.systems.iter().map(|system| system.name.as_str()).collect();
        assert!(names[..3] == ["a", "b", "c"], "{name}: {names:?}");
        let clusters: Vec<usize> = ranking.systems.iter().map(|system| system.cluster).collect();
        assert!(clusters[0] < clusters[1] && clusters[2] < clusters[3], "{name}: {ranking:?}");
        assert_eq!(clusters[3], clusters[4], "{name}: {ranking:?}");
        assert!(ranking.systems.windows(2).all(|pair| pair[0].score >= pair[1].score), "{name}");
        assert_eq!((ranking.n, ranking.systems[2].n), (300, 120));
    }
}

#[test]
fn shares_of_wins_are_those_of_all_comparisons() {
    let wins = |method| ranked(method).systems[0].score;
    assert_eq!(wins(Method::Bojar), 0.8);
    assert_eq!(wins(Method::NoWorse), 0.8);
    assert_eq!(wins(Method::ExpectedWins), (2.0 / 3.0 + 1.0 + 1.0) / 4.0);
}

#[test]
fn the_seed_decides_and_threads_do_not() {
    for method in [Method::TrueSkill, Method::HopkinsMay, Method::ExpectedWins] {
        let rank = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let request = RankRequest { runs: 40, seed, ..RankRequest::new(method) };
            pool.install(|| rank_systems(&clear_cut(), &request, Progress::none()).unwrap())
        };
        assert_eq!(rank(1, 7), rank(3, 7));
        if method != Method::ExpectedWins {
            assert_ne!(rank(1, 7).systems, rank(1, 8).systems);
        }
    }
}

#[test]
fn progress_counts_every_run() {
    for method in [Method::TrueSkill, Method::HopkinsMay, Method::Bojar] {
        let counted = std::sync::atomic::AtomicU64::new(0);
        let request = RankRequest { runs: 21, ..RankRequest::new(method) };
        let count = |event: &Event<'_>| {
            if let Event::Advance(runs) = event {
                counted.fetch_add(*runs, std::sync::atomic::Ordering::Relaxed);
            }
            ControlFlow::Continue(())
        };
        rank_systems(&clear_cut(), &request, Progress::new(&count)).unwrap();
        assert_eq!(counted.into_inner(), 21);
        let stop = |_: &Event<'_>| ControlFlow::Break(());
        let error = rank_systems(&clear_cut(), &request, Progress::new(&stop)).unwrap_err();
        assert_eq!(error.kind(), crate::error::ErrorKind::Stopped);
    }
}

#[test]
fn the_method_follows_the_kind_of_judgements() {
    assert_eq!(Method::for_judgements(&clear_cut()), Method::TrueSkill);
    assert_eq!(Method::for_judgements(&Judgements::default()), Method::Average);
}

#[test]
fn no_runs_are_refused() {
    let request = RankRequest { runs: 0, ..RankRequest::new(Method::TrueSkill) };
    assert!(
        rank_systems(&clear_cut(), &request, Progress::none()).unwrap_err().to_string().contains("at least one run")
    );
}

#[test]
fn a_set_is_resampled_as_its_year_was() {
    let set = |set: &str, system: &str| Judgements {
        set: set.to_owned(),
        systems: vec![system.to_owned()],
        ..Judgements::default()
    };
    let drawn = |judgements: &Judgements| Method::TrueSkill.resampling(judgements);
    assert_eq!(drawn(&set("wmt16-rr", "a")), ResamplingUnit::Comparisons);
    assert_eq!(drawn(&set("mine", "newstest2016.online-B.0.cs-en")), ResamplingUnit::Comparisons);
    assert_eq!(drawn(&set("wmt15-rr", "newstest2015.online-B.0.cs-en")), ResamplingUnit::None);
    assert_eq!(Method::ExpectedWins.resampling(&set("wmt16-rr", "a")), ResamplingUnit::Rankings);
}
