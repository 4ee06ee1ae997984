//! Human judgements of translations: the records that every judgement format is read into.
//!
//! One [`Judgements`] is one language pair of one set. Systems and segments are numbered by their place in `systems`
//! and `segments`; everything else refers to them by these numbers. A set holds what its files hold: relative rankings,
//! comparisons, scores at one or several levels, the texts, scores of metrics. What is missing is `None` or empty,
//! never zero.

use super::ratings::Ratings;

tercet_base::choices! {
    /// What a score belongs to.
    pub enum Level: "level" {
        /// A whole system.
        System = "system" | "sys",
        /// A system on one domain.
        Domain = "domain",
        /// A document.
        Document = "document" | "doc",
        /// A segment.
        Segment = "segment" | "seg",
    }
}

tercet_base::choices! {
    /// The levels of results: one of them, or both.
    pub enum Levels: "level" = Both {
        /// Systems.
        System = "system" | "sys",
        /// Segments.
        Segment = "segment" | "seg",
        /// Both.
        Both = "both",
    }
}

impl Levels {
    /// The levels, segments first.
    pub fn each(self) -> &'static [Level] {
        match self {
            Levels::System => &[Level::System],
            Levels::Segment => &[Level::Segment],
            Levels::Both => &[Level::Segment, Level::System],
        }
    }
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
        [Level::System, Level::Domain, Level::Document, Level::Segment].into_iter().find(|level| level.code() == code)
    }
}

/// Human judgements of one language pair of one set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgements {
    /// The set: the name of its folder or file.
    pub set: String,
    /// The language pair as in `cs-en`; empty if the files do not say.
    pub pair: String,
    /// Names of the systems that were judged.
    pub systems: Vec<String>,
    /// Names of the segments, as in the files.
    pub segments: Vec<String>,
    /// The document of each segment, if the files say.
    pub documents: Option<Vec<String>>,
    /// The domain of each segment, if the files say.
    pub domains: Option<Vec<String>>,
    /// The texts, if the set has them.
    pub texts: Option<Texts>,
    /// Whether the references are corrections of the outputs, as the format says.
    pub post_edits: bool,
    /// Rankings, each of several outputs of one segment by one judge.
    pub rankings: Vec<Ranking>,
    /// Comparisons of two outputs of one segment. If the set has rankings, these are all their pairs.
    pub comparisons: Vec<Comparison>,
    /// Human scores, by name and level.
    pub scores: Vec<HumanScores>,
    /// What single raters said, with the errors they marked, if the files have it: scores of segments are made of it.
    pub ratings: Vec<Ratings>,
    /// Metric scores that are part of the set.
    pub metric_scores: Vec<MetricScores>,
}

/// The texts of a set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts {
    /// The source of each segment.
    pub sources: Option<Vec<String>>,
    /// The reference translations.
    pub references: Vec<Reference>,
    /// Translations: `outputs[system][segment]`.
    pub outputs: Vec<Vec<Option<String>>>,
}

/// One reference translation of the whole set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// A name such as `refA`; empty if the only reference has none.
    pub name: String,
    /// The reference of each segment.
    pub lines: Vec<Option<String>>,
}

/// Some outputs of a segment, ranked by one judge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// Index of the segment.
    pub segment: usize,
    /// Name of the judge.
    pub judge: String,
    /// The outputs that were shown.
    pub outputs: Vec<RankedOutput>,
}

/// A system's place in a ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedOutput {
    /// Index of the system.
    pub system: usize,
    /// Systems of one ranking with the same group had the same output, shown once.
    pub group: u32,
    /// Rank, 1 is best; `None` if the judge gave none.
    pub rank: Option<u32>,
}

/// Which of two outputs is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The first output is better.
    First,
    /// Both are equally good.
    Tie,
    /// The second output is better.
    Second,
}

/// Two outputs of a segment, compared by a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Index of the segment.
    pub segment: usize,
    /// Index of the first system.
    pub first: usize,
    /// Index of the second system.
    pub second: usize,
    /// Which of them is better.
    pub outcome: Outcome,
}

/// Human scores of one name and level.
#[derive(Clone, Debug, PartialEq)]
pub struct HumanScores {
    /// A name such as `z`, `mqm`, `wmt-raw`.
    pub name: String,
    /// What each score belongs to.
    pub level: Level,
    /// Whether a higher score is better.
    pub higher_is_better: bool,
    /// `values[system][item]`, the items being segments, documents, domains, or one for the whole system.
    pub values: Vec<Vec<Option<f64>>>,
}

/// Scores of one metric at one level.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricScores {
    /// Name of the metric, with the reference it used if the file says: `BLEU-refA`.
    pub metric: String,
    /// What each score belongs to.
    pub level: Level,
    /// Names of the systems.
    pub systems: Vec<String>,
    /// `values[system][item]`, items as in [`HumanScores::values`].
    pub values: Vec<Vec<Option<f64>>>,
}

impl Judgements {
    /// The year of WMT, if it is in the set's name (`wmt12-rr`, `newstest2012`) or in the names of all systems
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
    /// All pairs of outputs that have a rank, in the order of the ranking. Two systems with the same output are not a
    /// pair, since they were shown once.
    pub fn comparisons(&self) -> impl Iterator<Item = Comparison> + '_ {
        let ranked = |output: &RankedOutput| Some((output.system, output.group, output.rank?));
        self.outputs.iter().enumerate().flat_map(move |(i, one)| {
            self.outputs[i + 1..].iter().filter_map(move |other| {
                let ((first, group, rank), (second, other_group, other_rank)) = (ranked(one)?, ranked(other)?);
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
    fn the_year_is_in_the_name_of_the_set_or_of_its_systems() {
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
    fn a_ranking_gives_all_pairs_except_those_with_the_same_output() {
        let output = |system, group, rank| RankedOutput { system, group, rank };
        let outputs = vec![output(4, 1, Some(2)), output(2, 2, Some(1)), output(7, 2, Some(1)), output(1, 3, None)];
        let ranking = Ranking { segment: 9, judge: "j".to_owned(), outputs };
        let pairs: Vec<_> = ranking.comparisons().map(|pair| (pair.first, pair.second, pair.outcome)).collect();
        assert_eq!(pairs, [(4, 2, Outcome::Second), (4, 7, Outcome::Second)]);
    }
}
