//! Judgements as games between two systems, the term of TrueSkill: one comparison on one segment.
//!
//! A ranking of k outputs is k(k − 1)/2 games. Systems are numbered in the order of their names (as bytes), so that
//! results do not depend on the order in which a file names them. Systems without comparisons are left out, and so
//! are games of a system against itself.
//!
//! # Systems with the same output
//! Since WMT15 equal outputs were shown once and their rank given to every system behind them; the published files
//! (`xml2csv.py` of WMT15 and WMT16) hold a tie between any two such systems. 85,877 games of WMT15 cs-en, of which
//! 24,916 were never judged, are reproduced only with these ties, so [`SharedOutputs::Tied`] is the default.
//! [`SharedOutputs::NotCompared`] counts only what judges saw.

use crate::corpora::{Comparison, Judgements, Outcome, Ranking};
use crate::error::{Error, Result};
use crate::statistics::random::Generator;
use crate::warning::NotRanked;
use foldhash::HashMap;

tercet_base::choices! {
    /// How two systems with the same output, shown once, are compared.
    pub enum SharedOutputs: "treatment of shared outputs" = Tied {
        /// Ties, as in the files of WMT15 and WMT16.
        Tied = "tie",
        /// No comparisons.
        NotCompared = "skip",
    }
}

tercet_base::choices! {
    /// What is drawn with replacement before a run, as many as there are.
    pub enum ResamplingUnit: "unit of resampling" {
        /// Nothing: WMT15.
        None = "none",
        /// Single comparisons: WMT16.
        Comparisons = "comparisons",
        /// Whole rankings; bare comparisons count as rankings of two.
        Rankings = "rankings",
    }
}

/// All games of one language pair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Games {
    systems: Vec<String>,
    games: Vec<Comparison>,
    /// The start of each ranking in `games`, and the end of the last.
    starts: Vec<usize>,
}

impl Games {
    /// The games of a set: those of its rankings, or its bare comparisons if it has no rankings.
    ///
    /// # Errors
    /// If nothing was compared.
    pub fn new(judgements: &Judgements, shared: SharedOutputs) -> Result<Games> {
        let mut groups: Vec<Vec<Comparison>> = if judgements.rankings.is_empty() {
            judgements.comparisons.iter().map(|&comparison| vec![comparison]).collect()
        } else {
            let rankings = judgements.rankings.iter().map(|ranking| comparisons(ranking, shared));
            rankings.chain(of_no_ranking(judgements).into_iter().map(|alone| vec![alone])).collect()
        };
        groups.iter_mut().for_each(|group| group.retain(|game| game.first != game.second));
        groups.retain(|group| !group.is_empty());
        if groups.is_empty() {
            let set = format!("{} {}", judgements.set, judgements.pair);
            return Err(Error::NotRanked { set, because: NotRanked::NoComparisons });
        }
        Ok(Games::from_groups(&judgements.systems, &groups))
    }

    fn from_groups(names: &[String], groups: &[Vec<Comparison>]) -> Games {
        let mut playing = vec![false; names.len()];
        for comparison in groups.iter().flatten() {
            playing[comparison.first] = true;
            playing[comparison.second] = true;
        }
        let mut order: Vec<usize> = (0..names.len()).filter(|&system| playing[system]).collect();
        order.sort_by(|&a, &b| names[a].cmp(&names[b]));
        let mut number = vec![usize::MAX; names.len()];
        order.iter().enumerate().for_each(|(place, &system)| number[system] = place);
        let game = |comparison: &Comparison| Comparison {
            first: number[comparison.first],
            second: number[comparison.second],
            ..*comparison
        };
        let mut starts = vec![0];
        starts.extend(groups.iter().scan(0, |end, group| {
            *end += group.len();
            Some(*end)
        }));
        Games {
            systems: order.iter().map(|&system| names[system].clone()).collect(),
            games: groups.iter().flatten().map(game).collect(),
            starts,
        }
    }

    /// The systems, by name.
    pub fn systems(&self) -> &[String] {
        &self.systems
    }

    /// The games.
    pub fn games(&self) -> &[Comparison] {
        &self.games
    }

    /// The number of games of each system.
    pub fn played(&self) -> Vec<usize> {
        let mut played = vec![0; self.systems.len()];
        for game in &self.games {
            played[game.first] += 1;
            played[game.second] += 1;
        }
        played
    }

    /// Wins and ties between all pairs of systems.
    pub fn table(&self) -> HeadToHead {
        self.table_of(&self.games)
    }

    /// The games of each segment.
    pub fn by_segment(&self, segments: usize) -> Vec<Vec<Comparison>> {
        let mut of_segment: Vec<Vec<Comparison>> = vec![Vec::new(); segments];
        self.games.iter().for_each(|game| of_segment[game.segment].push(*game));
        of_segment
    }

    /// Wins and ties of these games.
    pub fn table_of<'g>(&self, games: impl IntoIterator<Item = &'g Comparison>) -> HeadToHead {
        let mut table = HeadToHead::new(self.systems.len());
        games.into_iter().for_each(|game| table.add(game));
        table
    }

    /// Wins and ties of a resample.
    pub fn resampled_table(&self, resampling: ResamplingUnit, generator: &mut Generator) -> HeadToHead {
        let mut table = HeadToHead::new(self.systems.len());
        match resampling {
            ResamplingUnit::None => return self.table(),
            ResamplingUnit::Comparisons => {
                for _ in 0..self.games.len() {
                    table.add(&self.games[generator.below(self.games.len() as u64) as usize]);
                }
            }
            ResamplingUnit::Rankings => {
                let rankings = self.starts.len() - 1;
                for _ in 0..rankings {
                    let drawn = generator.below(rankings as u64) as usize;
                    self.games[self.starts[drawn]..self.starts[drawn + 1]].iter().for_each(|game| table.add(game));
                }
            }
        }
        table
    }
}

/// All pairs of a ranking, with or without pairs of the same output.
fn comparisons(ranking: &Ranking, shared: SharedOutputs) -> Vec<Comparison> {
    match shared {
        SharedOutputs::NotCompared => ranking.comparisons().collect(),
        SharedOutputs::Tied => {
            // Each output is its own group, so that equal ranks are ties.
            let mut apart = ranking.clone();
            apart.outputs.iter_mut().zip(0..).for_each(|(output, group)| output.group = group);
            apart.comparisons().collect()
        }
    }
}

/// Comparisons that belong to no ranking, for example from unfinished tasks.
fn of_no_ranking(judgements: &Judgements) -> Vec<Comparison> {
    // Independent of which of the two is first.
    let key = |pair: &Comparison| {
        let winner = match pair.outcome {
            Outcome::First => Some(pair.first),
            Outcome::Second => Some(pair.second),
            Outcome::Tie => None,
        };
        (pair.segment, pair.first.min(pair.second), pair.first.max(pair.second), winner)
    };
    let mut known: HashMap<_, usize> = HashMap::default();
    for pair in judgements.rankings.iter().flat_map(Ranking::comparisons) {
        *known.entry(key(&pair)).or_default() += 1;
    }
    let unknown = |pair: &&Comparison| match known.get_mut(&key(pair)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    judgements.comparisons.iter().filter(unknown).copied().collect()
}

/// How often each system beat, and tied with, each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadToHead {
    systems: usize,
    /// `wins[a * systems + b]`: a beat b.
    wins: Vec<u32>,
    /// `ties[a * systems + b]`, symmetric.
    ties: Vec<u32>,
}

impl HeadToHead {
    fn new(systems: usize) -> Self {
        HeadToHead { systems, wins: vec![0; systems * systems], ties: vec![0; systems * systems] }
    }

    fn add(&mut self, game: &Comparison) {
        let (one, other) = (game.first * self.systems + game.second, game.second * self.systems + game.first);
        match game.outcome {
            Outcome::First => self.wins[one] += 1,
            Outcome::Second => self.wins[other] += 1,
            Outcome::Tie => {
                self.ties[one] += 1;
                self.ties[other] += 1;
            }
        }
    }

    /// The number of systems.
    pub fn systems(&self) -> usize {
        self.systems
    }

    /// How often `a` beat `b`.
    pub fn wins(&self, a: usize, b: usize) -> u32 {
        self.wins[a * self.systems + b]
    }

    /// How often `a` and `b` tied.
    pub fn ties(&self, a: usize, b: usize) -> u32 {
        self.ties[a * self.systems + b]
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        let sum = |counts: &[u32]| counts.iter().map(|&count| count as usize).sum::<usize>();
        sum(&self.wins) + sum(&self.ties) / 2
    }

    /// Wins, ties and losses of a system against all others.
    pub fn record(&self, system: usize) -> [f64; 3] {
        (0..self.systems).fold([0.0; 3], |[wins, ties, losses], other| {
            [
                wins + f64::from(self.wins(system, other)),
                ties + f64::from(self.ties(system, other)),
                losses + f64::from(self.wins(other, system)),
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpora::RankedOutput;

    /// One ranking: c first, a and b the same output in second place, d not ranked.
    fn judgements() -> Judgements {
        let output = |system, group, rank| RankedOutput { system, group, rank };
        let outputs = vec![output(2, 1, Some(2)), output(1, 1, Some(2)), output(0, 2, Some(1)), output(3, 3, None)];
        Judgements {
            systems: ["c", "b", "a", "d", "e"].map(str::to_owned).to_vec(),
            rankings: vec![Ranking { segment: 0, judge: String::new(), outputs }],
            ..Judgements::default()
        }
    }

    #[test]
    fn systems_are_numbered_by_name_and_those_without_comparisons_left_out() {
        let games = Games::new(&judgements(), SharedOutputs::Tied).unwrap();
        assert_eq!(games.systems(), ["a", "b", "c"]);
        let table = games.table();
        assert_eq!((table.wins(2, 0), table.wins(2, 1), table.wins(0, 2)), (1, 1, 0));
        assert_eq!(table.record(2), [2.0, 0.0, 0.0]);
        assert_eq!(games.played(), [2, 2, 2]);
    }

    #[test]
    fn one_output_of_two_systems_is_a_tie_or_no_game() {
        let tied = Games::new(&judgements(), SharedOutputs::Tied).unwrap().table();
        let apart = Games::new(&judgements(), SharedOutputs::NotCompared).unwrap().table();
        assert_eq!((tied.ties(0, 1), tied.ties(1, 0), tied.games()), (1, 1, 3));
        assert_eq!((apart.ties(0, 1), apart.games()), (0, 2));
    }

    #[test]
    fn bare_comparisons_are_games_too() {
        let comparison = Comparison { segment: 4, first: 1, second: 4, outcome: Outcome::Second };
        let judgements = Judgements { rankings: Vec::new(), comparisons: vec![comparison], ..judgements() };
        let games = Games::new(&judgements, SharedOutputs::Tied).unwrap();
        assert_eq!(games.systems(), ["b", "e"]);
        assert_eq!(games.table().wins(1, 0), 1);
    }

    #[test]
    fn a_set_without_comparisons_says_what_to_do() {
        let empty = Judgements { rankings: Vec::new(), ..judgements() };
        let error = Games::new(&empty, SharedOutputs::Tied).unwrap_err().to_string();
        assert!(error.contains("no comparisons of systems") && error.contains("the method average"), "{error}");
    }

    #[test]
    fn a_resample_has_as_many_games_or_rankings_as_the_set() {
        let mut set = judgements();
        set.rankings.push(Ranking { outputs: set.rankings[0].outputs[..2].to_vec(), ..set.rankings[0].clone() });
        let games = Games::new(&set, SharedOutputs::Tied).unwrap();
        let mut sizes = std::collections::BTreeSet::new();
        for seed in 0..30 {
            let mut generator = Generator::new(Some(seed));
            assert_eq!(games.resampled_table(ResamplingUnit::Comparisons, &mut generator).games(), 4);
            sizes.insert(games.resampled_table(ResamplingUnit::Rankings, &mut generator).games());
            assert_eq!(games.resampled_table(ResamplingUnit::None, &mut generator), games.table());
        }
        assert_eq!(sizes.into_iter().collect::<Vec<_>>(), [2, 4, 6]);
    }
}
