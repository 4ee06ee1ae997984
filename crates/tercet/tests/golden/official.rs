//! The official TrueSkill rankings of WMT15 and WMT16 into English, as they were published.

use std::path::Path;
use tercet::corpora::{Judgements, find_judgements};
use tercet::meta_evaluation::systems::RankedSystem;
use tercet::statistics::correlation::spearman;

/// Set, language pair, and the file of the ranking in the set's `official-trueskill/`.
pub const RANKINGS: [(&str, &str, &str); 11] = [
    ("wmt15-rr", "cs-en", "wmt15.ces-eng"),
    ("wmt15-rr", "de-en", "wmt15.deu-eng"),
    ("wmt15-rr", "fi-en", "wmt15.fin-eng"),
    ("wmt15-rr", "fr-en", "wmt15.fre-eng"),
    ("wmt15-rr", "ru-en", "wmt15.rus-eng"),
    ("wmt16-rr", "cs-en", "wmt16.cze-eng"),
    ("wmt16-rr", "de-en", "wmt16.deu-eng"),
    ("wmt16-rr", "fi-en", "wmt16.fin-eng"),
    ("wmt16-rr", "ro-en", "wmt16.ron-eng"),
    ("wmt16-rr", "ru-en", "wmt16.rus-eng"),
    ("wmt16-rr", "tr-en", "wmt16.tur-eng"),
];

/// The judgements of a language pair.
pub fn judgements(data: &Path, set: &str, pair: &str) -> Judgements {
    let sources = find_judgements(&data.join(set)).unwrap();
    sources.iter().find(|source| source.pair == pair).unwrap().read().unwrap()
}

/// A published ranking. Lines are `name score (low, high)`; clusters are numbered between lines of plus signs.
pub fn published(data: &Path, set: &str, file: &str) -> Vec<RankedSystem> {
    let path = data.join(set).join("official-trueskill").join(file.to_owned() + ".txt");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut cluster = 1;
    let mut systems = Vec::new();
    for line in text.lines() {
        if line.starts_with('+') {
            cluster += 1;
            continue;
        }
        let fields: Vec<&str> = line.split_whitespace().map(|field| field.trim_matches(['(', ',', ')'])).collect();
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

/// The difference between our ranking and a published one.
pub struct Beside {
    /// Whether all systems are in the published clusters.
    pub clusters: bool,
    /// The largest difference of scores.
    pub scores: f64,
    /// The sum of differences between the ends of rank ranges.
    pub ranks: usize,
    /// Spearman's ρ of the scores.
    pub correlation: f64,
}

/// Compares a ranking with the published one, which has the same systems.
pub fn beside(ours: &[RankedSystem], theirs: &[RankedSystem]) -> Beside {
    assert_eq!(ours.len(), theirs.len());
    let our = |system: &RankedSystem| ours.iter().find(|our| our.name == system.name).unwrap();
    let pairs: Vec<(&RankedSystem, &RankedSystem)> = theirs.iter().map(|their| (our(their), their)).collect();
    let off = |(our, their): &(&RankedSystem, &RankedSystem)| {
        our.rank_low.abs_diff(their.rank_low) + our.rank_high.abs_diff(their.rank_high)
    };
    let (our_scores, their_scores): (Vec<f64>, Vec<f64>) =
        pairs.iter().map(|(our, their)| (our.score, their.score)).unzip();
    Beside {
        clusters: pairs.iter().all(|(our, their)| our.cluster == their.cluster),
        scores: pairs.iter().map(|(our, their)| (our.score - their.score).abs()).fold(0.0, f64::max),
        ranks: pairs.iter().map(off).sum(),
        correlation: spearman(&our_scores, &their_scores).value,
    }
}
