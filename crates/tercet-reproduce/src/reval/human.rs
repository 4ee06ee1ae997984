//! What people make of systems, and how much of it is chance.
//!
//! WMT15: the official scores (TrueSkill), from `official-trueskill` in the folder of the set, and expected wins as
//! "Pre-TrueSkill". WMT12 and WMT14, of which there are no official scores: expected wins (Koehn, 2012) computed from
//! the judgements.
//!
//! Intervals are those of the metrics tasks of WMT14 and WMT15: judgements are drawn with replacement (here all
//! judgements of a drawn segment together), people's scores computed again, the metric's scores stay.

use super::test_sets::{TestPair, TestSet};
use std::path::Path;
use tercet::corpora::read_lines;
use tercet::meta_evaluation::systems::{Method, RankRequest};
use tercet::meta_evaluation::{Draws, HumanSystems, JudgedSet, human_systems};
use tercet::progress::Progress;
use tercet::{Error, Result};

/// The number of draws.
pub(super) const DRAWS: usize = 1000;

/// The seed of the draws, that of `tercet correlate`.
const SEED: u64 = 12345;

/// People's scores of the systems of a language pair.
pub(super) struct Human {
    /// The scores that metrics are held against.
    pub(super) scores: HumanSystems,
    /// Expected wins, with their replicates on draws of segments.
    pub(super) expected_wins: HumanSystems,
}

impl Human {
    /// Of a language pair.
    pub(super) fn new(data: &Path, set: TestSet, pair: &TestPair, progress: Progress<'_>) -> Result<Self> {
        let judged = JudgedSet::new(&pair.judgements, &[], false)?;
        let draws = Draws::new(DRAWS, pair.judgements.segments.len(), Some(SEED)).stopped_by(progress);
        let request = RankRequest::new(Method::ExpectedWins);
        let expected_wins = human_systems(&judged, None, &request, Some(&draws), progress.quiet())?;
        let expected_wins = expected_wins.ok_or_else(|| {
            let what = format!("{} {}", pair.judgements.set, pair.judgements.pair);
            Error::Unusable(format!("{what}: no judgements to score systems by"))
        })?;
        let scores = match set {
            TestSet::Wmt12 | TestSet::Wmt14 => expected_wins.clone(),
            TestSet::Wmt15 => official(data, set, pair)?,
        };
        Ok(Human { scores, expected_wins })
    }
}

/// Official scores: lines of system, score and range of ranks.
fn official(data: &Path, set: TestSet, pair: &TestPair) -> Result<HumanSystems> {
    let language = match pair.pair {
        "cs-en" => "ces",
        "de-en" => "deu",
        "fi-en" => "fin",
        "fr-en" => "fre",
        _ => "rus",
    };
    let file = format!("{}.{language}-eng.txt", set.name());
    let path = data.join(set.folder()).join("official-trueskill").join(file);
    let lines = read_lines(&path)?;
    let listed: Vec<(&str, f64)> = lines.iter().filter_map(official_line).collect();
    let score = |system: &String| {
        let found = listed.iter().find(|(name, _)| name == system).map(|(_, score)| *score);
        found.ok_or_else(|| Error::Unusable(format!("{} has no score of {system}", path.display())))
    };
    let scores = pair.judgements.systems.iter().map(score).collect::<Result<_>>()?;
    Ok(HumanSystems { name: "trueskill".to_owned(), sign: 1.0, scores, replicates: None })
}

fn official_line(line: &str) -> Option<(&str, f64)> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    Some((name.strip_suffix(".txt").unwrap_or(name), words.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn official_scores_are_read_without_the_lines_between_clusters() {
        let line = "newstest2015.online-B.0.cs-en.txt 0.619 (1.0, 1.0)";
        assert_eq!(official_line(line), Some(("newstest2015.online-B.0.cs-en", 0.619)));
        assert_eq!(official_line("++++++++++"), None);
        assert_eq!(official_line(""), None);
    }
}
