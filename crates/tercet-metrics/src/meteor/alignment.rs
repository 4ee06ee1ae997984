//! Alignments: which words match, and by which module.

use super::matches::Match;
use super::parameters::Module;
use super::statistics::{Evaluation, JavaDouble, Statistics};
use std::fmt;
use std::ops::Range;

/// Words of the hypothesis that match words of the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AlignedPhrase {
    /// Words of the reference, by number from 0.
    pub reference: Range<usize>,
    /// Words of the hypothesis.
    pub hypothesis: Range<usize>,
    /// What kind of match it is.
    pub module: Module,
    /// The index of that module among those in use, as METEOR prints it.
    pub stage: usize,
}

impl AlignedPhrase {
    pub(super) fn new(place: u32, found: &Match, modules: &[Module]) -> Self {
        AlignedPhrase {
            reference: place as usize..(place + found.reference_len) as usize,
            hypothesis: found.hypothesis_range(),
            module: modules[usize::from(found.stage)],
            stage: usize::from(found.stage),
        }
    }
}

/// The fewest runs of matches that follow each other on both sides.
pub(super) fn count_chunks(matches: &[AlignedPhrase]) -> usize {
    let follows = |pair: &[AlignedPhrase]| {
        pair[0].reference.end == pair[1].reference.start && pair[0].hypothesis.end == pair[1].hypothesis.start
    };
    matches.len() - matches.windows(2).filter(|pair| follows(pair)).count()
}

/// A hypothesis aligned with the best of its references.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Alignment {
    /// Which reference, from 0.
    pub reference_number: usize,
    /// The words of the hypothesis, after normalisation.
    pub hypothesis: Vec<String>,
    /// The words of that reference.
    pub reference: Vec<String>,
    /// The matches, in the order of the reference.
    pub matches: Vec<AlignedPhrase>,
    /// METEOR's statistics.
    pub statistics: Statistics,
    /// The score and its parts.
    pub evaluation: Evaluation,
    /// Whether the search ended early, which only very long lines make it do: the alignment may be worse than METEOR's.
    pub unfinished: bool,
}

impl Alignment {
    /// Runs of matches that follow each other on both sides.
    pub fn chunks(&self) -> usize {
        count_chunks(&self.matches)
    }

    /// The entry of METEOR's `-align.out` for a segment: the name is its number from 1, or set, system, document and
    /// number between tabs.
    pub fn entry<'a>(&'a self, name: &'a str) -> impl fmt::Display + 'a {
        Entry { alignment: self, name }
    }
}

struct Entry<'a> {
    alignment: &'a Alignment,
    name: &'a str,
}

impl fmt::Display for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Alignment { hypothesis, reference, matches, evaluation, .. } = self.alignment;
        let Evaluation { precision, recall, penalty, score, .. } = *evaluation;
        write!(f, "Alignment\t{}", self.name)?;
        for number in [precision, recall, penalty, score] {
            write!(f, "\t{}", JavaDouble(number))?;
        }
        writeln!(f, "\n{}\n{}", hypothesis.join(" "), reference.join(" "))?;
        writeln!(f, "Line2Start:Length\tLine1Start:Length\tModule\t\tScore")?;
        for found in matches {
            let (reference, hypothesis) = (&found.reference, &found.hypothesis);
            write!(f, "{}:{}\t\t\t", reference.start, reference.len())?;
            write!(f, "{}:{}\t\t\t", hypothesis.start, hypothesis.len())?;
            writeln!(f, "{}\t\t1.0", found.stage)?;
        }
        writeln!(f)
    }
}
