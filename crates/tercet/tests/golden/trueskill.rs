//! The official rankings of WMT15 and WMT16 into English: `data/wmt15-rr` and `data/wmt16-rr` with
//! `official-trueskill/`.
//!
//! WMT15 used the comparisons without resampling, WMT16 resampled them before each run. 1,000 runs each:
//!
//! ```text
//! tercet systems ../shared/data/wmt15-rr
//! tercet systems ../shared/data/wmt16-rr
//! ```
//!
//! The published runs have no seed, and a range at the border of two clusters depends on it. How often the clusters of
//! all systems are the published ones, and why not for two pairs of WMT15, is in `reproduce/wmt/README.md`, from
//! `examples/official_trueskill.rs`.
//!
//! Here the seed is the default, 12345. Clusters are checked where that seed gives the published ones, which it does
//! not for WMT16 de-en, whose clusters vary with the seed. cs-en has 200 runs, so that the test stays short.

use crate::official::{Beside, RANKINGS, beside, judgements, published};
use libtest_mimic::Trial;
use std::path::Path;
use tercet::meta_evaluation::systems::{Method, RankRequest, rank_systems};
use tercet::progress::Progress;

/// The required agreement with a published ranking.
struct Held {
    runs: usize,
    /// The maximum difference of scores.
    scores: f64,
    /// The maximum sum of differences between the ends of ranges.
    ranks: usize,
    /// The minimum rank correlation of scores.
    correlation: f64,
    /// Whether clusters must be as published.
    clusters: bool,
}

const AGREES: Held = Held { runs: 1000, scores: 0.012, ranks: 2, correlation: 0.99, clusters: true };

fn held(file: &str) -> Held {
    match file {
        "wmt15.ces-eng" => Held { runs: 200, scores: 0.02, ranks: 16, clusters: false, ..AGREES },
        "wmt15.rus-eng" => Held { scores: 0.04, ranks: 6, correlation: 0.95, clusters: false, ..AGREES },
        "wmt16.cze-eng" => Held { runs: 200, ranks: 4, ..AGREES },
        "wmt16.deu-eng" => Held { clusters: false, ..AGREES },
        _ => AGREES,
    }
}

pub fn trials(shared: &Path) -> Vec<Trial> {
    let trial = |(set, pair, file): (&'static str, &'static str, &'static str)| {
        let data = shared.join("data");
        Trial::test(format!("official-trueskill/{file}"), move || {
            check(&data, set, pair, file);
            Ok(())
        })
    };
    RANKINGS.into_iter().map(trial).collect()
}

fn check(data: &Path, set: &str, pair: &str, file: &str) {
    let held = held(file);
    let request = RankRequest { runs: held.runs, ..RankRequest::new(Method::TrueSkill) };
    let ranking = rank_systems(&judgements(data, set, pair), &request, Progress::none()).unwrap();
    let Beside { clusters, scores, ranks, correlation } = beside(&ranking.systems, &published(data, set, file));
    assert!(scores <= held.scores, "scores differ by {scores}: {:?}", ranking.systems);
    assert!(ranks <= held.ranks, "ranges differ by {ranks} ranks: {:?}", ranking.systems);
    assert!(correlation >= held.correlation, "rank correlation {correlation}");
    assert!(clusters || !held.clusters, "other clusters: {:?}", ranking.systems);
}
