//! What people said about translations: the records every judgement format is read into.
//!
//! One [`Judgements`] is one language pair of one set. Systems and segments are numbered by their place in `systems` and
//! `segments`; everything else refers to them by these numbers. A set holds what its files hold: relative rankings,
//! bare comparisons, scores at one or several levels, the texts they are about, scores of metrics that came along.
//! What is missing is `None` or empty, never zero.

/// What a score is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// A whole system.
    System,
    /// A system on one domain.
    Domain,
    /// A document.
    Document,
    /// A segment.
    Segment,
}

impl Level {
    /// The level as mt-metrics-eval writes it in file names: `sys`, `domain`, `doc`, `seg`.
    pub fn code(self) -> &'static str {
        match self {
            Level::System => "sys",
            Level::Domain => "domain",
            Level::Document => "doc",
            Level::Segment => "seg",
        }
    }

    /// The level with this code.
    pub fn from_code(code: &str) -> Option<Level> {
        [Level::System, Level::Domain, Level::Document, Level::Segment]
            .into_iter()
            .find(|level| level.code() == code)
    }
}

/// Human judgements of one language pair, and what they are about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgements {
    /// The set: the name of its folder or file.
    pub set: String,
    /// The language pair as in `cs-en`; empty if the files do not say.
    pub pair: String,
    /// The systems that were judged.
    pub systems: Vec<String>,
    /// The segments, by the names the files give them.
    pub segments: Vec<String>,
    /// The document of each segment, if the files say.
    pub documents: Option<Vec<String>>,
    /// The texts, if they came along.
    pub texts: Option<Texts>,
    /// Outputs of one segment put in order by one judge.
    pub rankings: Vec<Ranking>,
    /// Outputs of one segment compared two by two. Where rankings were given they are drawn from them.
    pub comparisons: Vec<Comparison>,
    /// Scores that people gave.
    pub scores: Vec<HumanScores>,
    /// Scores by metrics that came with the set.
    pub metric_scores: Vec<MetricScores>,
}

/// The texts of a set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts {
    /// What was translated, a line for each segment.
    pub sources: Option<Vec<String>>,
    /// The reference translations.
    pub references: Vec<Reference>,
    /// What each system made of each segment: `outputs[system][segment]`.
    pub outputs: Vec<Vec<Option<String>>>,
}

/// One reference translation of the whole set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// Its name, such as `refA`; empty if there is only one and it has none.
    pub name: String,
    /// A line for each segment.
    pub lines: Vec<Option<String>>,
}

/// Some outputs for a segment in the order one judge put them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// The segment.
    pub segment: usize,
    /// Who judged.
    pub judge: String,
    /// What was judged.
    pub outputs: Vec<RankedOutput>,
}

/// A system's place in a ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedOutput {
    /// The system.
    pub system: usize,
    /// Systems of one ranking with the same group had the same output, shown once.
    pub group: u32,
    /// Its rank, 1 the best; `None` if the judge gave none.
    pub rank: Option<u32>,
}

/// Which of two outputs is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The first.
    First,
    /// Neither.
    Tie,
    /// The second.
    Second,
}

/// Two outputs for a segment, compared by a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The segment.
    pub segment: usize,
    /// The first system.
    pub first: usize,
    /// The second system.
    pub second: usize,
    /// What was said of them.
    pub outcome: Outcome,
}

/// Scores that people gave.
#[derive(Clone, Debug, PartialEq)]
pub struct HumanScores {
    /// What they are called, such as `z`, `mqm`, `wmt-raw`.
    pub name: String,
    /// What is scored.
    pub level: Level,
    /// Whether more is better.
    pub higher_is_better: bool,
    /// `values[system][item]`, the items being segments, documents, domains, or one for the whole system.
    pub values: Vec<Vec<Option<f64>>>,
}

/// Scores by a metric, for systems known by name.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricScores {
    /// The metric, with the reference it used if the file says: `BLEU-refA`.
    pub metric: String,
    /// What is scored.
    pub level: Level,
    /// The systems.
    pub systems: Vec<String>,
    /// `values[system][item]`.
    pub values: Vec<Vec<Option<f64>>>,
}

impl Judgements {
    /// The year of WMT, if the set's name says it (`wmt12-rr`, `newstest2012`), or else the names of all systems
    /// (`newstest2012.cs-en.onlineA`).
    pub fn year(&self) -> Option<u32> {
        let mut of_systems = self.systems.iter().map(|system| year_in(system));
        let first = of_systems.next().flatten();
        year_in(&self.set).or_else(|| first.filter(|_| of_systems.all(|year| year == first)))
    }
}

/// The two digits after `wmt`, or after `test20` and the like, as a year.
fn year_in(name: &str) -> Option<u32> {
    let name = name.to_lowercase();
    let digits = |after: &str| {
        let rest = name.split_once(after)?.1;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        match digits.len() {
            2 => digits.parse::<u32>().ok().map(|year| 2000 + year),
            4 => digits.parse().ok().filter(|year| (2006..2100).contains(year)),
            _ => None,
        }
    };
    digits("wmt").or_else(|| digits("test"))
}

impl Ranking {
    /// All pairs of outputs that got a rank, in the order of the ranking. Two systems with the same output are no pair:
    /// nobody compared them.
    pub fn comparisons(&self) -> impl Iterator<Item = Comparison> + '_ {
        let ranked = |output: &RankedOutput| Some((output.system, output.group, output.rank?));
        self.outputs.iter().enumerate().flat_map(move |(i, one)| {
            self.outputs[i + 1..].iter().filter_map(move |other| {
                let ((first, group, rank), (second, other_group, other_rank)) =
                    (ranked(one)?, ranked(other)?);
                let outcome = match rank.cmp(&other_rank) {
                    std::cmp::Ordering::Less => Outcome::First,
                    std::cmp::Ordering::Equal => Outcome::Tie,
                    std::cmp::Ordering::Greater => Outcome::Second,
                };
                (group != other_group).then_some(Comparison { segment: self.segment, first, second, outcome })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_knows_its_year_by_its_name_or_its_systems() {
        let year = |set: &str, systems: &[&str]| {
            let systems = systems.iter().map(|system| (*system).to_owned()).collect();
            Judgements { set: set.to_owned(), systems, ..Judgements::default() }.year()
        };
        assert_eq!(year("wmt12-rr", &["a"]), Some(2012));
        assert_eq!(year("DAseg-wmt-newstest2016", &["a"]), Some(2016));
        assert_eq!(year("mine", &["newstest2013.cs-en.x", "newstest2013.cs-en.y"]), Some(2013));
        assert_eq!(year("mine", &["newstest2013.x", "newstest2014.y"]), None);
        assert_eq!(year("mine", &[]), None);
    }

    #[test]
    fn a_ranking_is_all_its_pairs_but_those_nobody_saw() {
        let output = |system, group, rank| RankedOutput { system, group, rank };
        let outputs =
            vec![output(4, 1, Some(2)), output(2, 2, Some(1)), output(7, 2, Some(1)), output(1, 3, None)];
        let ranking = Ranking { segment: 9, judge: "j".to_owned(), outputs };
        let pairs: Vec<_> =
            ranking.comparisons().map(|pair| (pair.first, pair.second, pair.outcome)).collect();
        assert_eq!(pairs, [(4, 2, Outcome::Second), (4, 7, Outcome::Second)]);
    }
}
