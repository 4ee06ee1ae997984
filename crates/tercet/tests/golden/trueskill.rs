//! The official rankings of WMT15 and WMT16 into English: `data/wmt15-rr` and `data/wmt16-rr` with `official-trueskill/`.
//!
//! WMT15 played the comparisons as they are, WMT16 resampled them before each run. 1,000 runs each:
//!
//! ```text
//! tercet systems ../shared/data/wmt15-rr
//! tercet systems ../shared/data/wmt16-rr
//! ```
//!
//! The published runs have no seed, and a range at the border of two clusters moves with it. How often the clusters of all
//! systems are the published ones, over seeds 12345, 1, 2, …:
//!
//! | | cs-en | de-en | fi-en | fr-en | ro-en | ru-en | tr-en |
//! |---|---|---|---|---|---|---|---|
//! | WMT15 | 0 of 5 | 5 of 5 | 5 of 5 | 5 of 5 | | 0 of 5 | |
//! | WMT16 | 4 of 5 | 10 of 21 | 5 of 5 | | 17 of 21 | 4 of 5 | 5 of 5 |
//!
//! The two zeros are pairs whose published results do not come from the published judgements. ru-en: five tasks were
//! judged twice, and the first version of `xml2csv.py` (mended in August 2015, after the results) paired the outputs of
//! both judges; from such a file the published clusters come out, with scores within .003. From the judgements as they
//! are, scores differ by up to .037 and the rank correlation is .956. cs-en: neither of the two published states of the
//! judgements gives the published scores, which differ by up to .016; why is not known.
//!
//! Here the seed is the default, 12345. Clusters are held where that seed gives them, which it does not for WMT16 de-en:
//! that pair is a toss. cs-en has 200 runs, so that the test stays short.

use libtest_mimic::Trial;
use std::path::Path;
use tercet::corpora::find_judgements;
use tercet::meta_evaluation::systems::games::Resampling;
use tercet::meta_evaluation::systems::{Method, RankedSystem, Request, rank_systems};
use tercet::statistics::correlation::spearman;

/// What is held of one language pair.
struct Official {
    set: &'static str,
    pair: &'static str,
    file: &'static str,
    resampling: Resampling,
    runs: usize,
    /// Scores differ by at most so much.
    scores: f64,
    /// The ends of ranges differ by at most so many ranks in all.
    ranks: usize,
    /// The rank correlation of the scores is at least this.
    correlation: f64,
    /// Whether clusters are as published.
    clusters: bool,
}

const AGREES: Official = Official {
    set: "wmt16-rr",
    pair: "",
    file: "",
    resampling: Resampling::Comparisons,
    runs: 1000,
    scores: 0.012,
    ranks: 2,
    correlation: 0.99,
    clusters: true,
};
const WMT15: Official = Official { set: "wmt15-rr", resampling: Resampling::None, ..AGREES };

const OFFICIAL: [Official; 11] = [
    Official {
        pair: "cs-en",
        file: "wmt15.ces-eng",
        runs: 200,
        scores: 0.02,
        ranks: 16,
        clusters: false,
        ..WMT15
    },
    Official { pair: "de-en", file: "wmt15.deu-eng", ..WMT15 },
    Official { pair: "fi-en", file: "wmt15.fin-eng", ..WMT15 },
    Official { pair: "fr-en", file: "wmt15.fre-eng", ..WMT15 },
    Official {
        pair: "ru-en",
        file: "wmt15.rus-eng",
        scores: 0.04,
        ranks: 6,
        correlation: 0.95,
        clusters: false,
        ..WMT15
    },
    Official { pair: "cs-en", file: "wmt16.cze-eng", runs: 200, ranks: 4, ..AGREES },
    Official { pair: "de-en", file: "wmt16.deu-eng", clusters: false, ..AGREES },
    Official { pair: "fi-en", file: "wmt16.fin-eng", ..AGREES },
    Official { pair: "ro-en", file: "wmt16.ron-eng", ..AGREES },
    Official { pair: "ru-en", file: "wmt16.rus-eng", ..AGREES },
    Official { pair: "tr-en", file: "wmt16.tur-eng", ..AGREES },
];

pub fn trials(shared: &Path) -> Vec<Trial> {
    let trial = |official: &'static Official| {
        let shared = shared.to_owned();
        Trial::test(format!("official-trueskill/{}", official.file), move || {
            check(&shared, official);
            Ok(())
        })
    };
    OFFICIAL.iter().map(trial).collect()
}

/// A published line: `name score (low, high)`; clusters are numbered between lines of plus signs.
fn published(shared: &Path, official: &Official) -> Vec<RankedSystem> {
    let path = shared
        .join("data")
        .join(official.set)
        .join("official-trueskill")
        .join(official.file.to_owned() + ".txt");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut cluster = 1;
    let mut systems = Vec::new();
    for line in text.lines() {
        if line.starts_with('+') {
            cluster += 1;
            continue;
        }
        let fields: Vec<&str> =
            line.split_whitespace().map(|field| field.trim_matches(['(', ',', ')'])).collect();
        let [name, score, low, high] = fields[..] else { panic!("{line}") };
        let rank = |text: &str| text.parse::<f64>().unwrap() as usize;
        systems.push(RankedSystem {
            name: name.trim_end_matches(".txt").to_owned(),
            score: score.parse().unwrap(),
            rank_low: rank(low),
            rank_high: rank(high),
            cluster,
            n: 0,
        });
    }
    systems
}

fn check(shared: &Path, official: &Official) {
    let theirs = published(shared, official);
    let sources = find_judgements(&shared.join("data").join(official.set)).unwrap();
    let source = sources.iter().find(|source| source.pair == official.pair).unwrap();
    let request = Request {
        runs: official.runs,
        resampling: Some(official.resampling),
        ..Request::new(Method::TrueSkill)
    };
    let ranking = rank_systems(&source.read().unwrap(), &request, &|_| {}).unwrap();
    let ours = |name: &str| ranking.systems.iter().find(|system| system.name == name).unwrap();
    assert_eq!(ranking.systems.len(), theirs.len());
    let mut off = 0;
    for system in &theirs {
        let our = ours(&system.name);
        assert!((our.score - system.score).abs() <= official.scores, "{our:?}, published {system:?}");
        off += our.rank_low.abs_diff(system.rank_low) + our.rank_high.abs_diff(system.rank_high);
        assert!(!official.clusters || our.cluster == system.cluster, "{our:?}, published {system:?}");
    }
    assert!(off <= official.ranks, "ranges differ by {off} ranks: {:?}", ranking.systems);
    let [our_scores, their_scores]: [Vec<f64>; 2] = [
        theirs.iter().map(|system| ours(&system.name).score).collect(),
        theirs.iter().map(|system| system.score).collect(),
    ];
    let agreement = spearman(&our_scores, &their_scores).value;
    assert!(agreement >= official.correlation, "rank correlation {agreement}");
}
