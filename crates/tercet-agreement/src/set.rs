//! A set of judgements with the systems and references to use.
//!
//! Systems that are human translations (named as a reference, or `refA`, `Human-B.0` and similar) are excluded unless
//! requested, and always if they are used as the reference, as in mt-metrics-eval.

use crate::corpora::{
    HumanScores, Judgements, Level, Outcome, Texts, is_human, standard_reference, standard_scores, system_of_file,
};
use crate::error::{Error, Result};
use crate::warning::NotRanked;

/// The most systems of a set. Every pair of them is compared, often a thousand times; shared tasks have some dozens.
const MAX_SYSTEMS: usize = 1000;

/// Returns an error if there are too many systems to compare all pairs of them.
pub(super) fn check_systems(judgements: &Judgements) -> Result<()> {
    let count = judgements.systems.len();
    if count <= MAX_SYSTEMS {
        return Ok(());
    }
    let Judgements { set, pair, .. } = judgements;
    let because = NotRanked::TooManySystems { systems: count, limit: MAX_SYSTEMS };
    Err(Error::NotRanked { set: format!("{set} {pair}"), because })
}

/// A set of judgements with the chosen systems and references.
pub struct JudgedSet<'a> {
    judgements: &'a Judgements,
    references: Vec<usize>,
    takes_part: Vec<bool>,
    judged: Vec<bool>,
    places_in_files: Vec<usize>,
}

impl<'a> JudgedSet<'a> {
    /// `references` are the names of the references to use; if empty, the standard one. `include_human` includes human
    /// translations as systems.
    pub fn new(judgements: &'a Judgements, references: &[String], include_human: bool) -> Result<Self> {
        check_systems(judgements)?;
        let known = judgements.texts.as_ref().map_or(&[][..], |texts| &texts.references);
        let find = |name: &String| {
            known.iter().position(|reference| reference.name == *name).ok_or_else(|| Error::NotInSet {
                place: format!("{} {}", judgements.set, judgements.pair),
                what: "reference",
                name: name.clone(),
                known: known.iter().map(|reference| reference.name.clone()).collect(),
            })
        };
        let mut chosen: Vec<usize> = references.iter().map(find).collect::<Result<_>>()?;
        if let Some(standard) = standard_reference(judgements, None).ok().filter(|_| chosen.is_empty()) {
            chosen.extend(known.iter().position(|reference| reference.name == standard.name));
        }
        let takes_part = judgements.systems.iter().map(|system| {
            let is = |reference: &usize| known[*reference].name == *system;
            let human = (0..known.len()).any(|reference| is(&reference)) || is_human(system);
            !human || (include_human && !chosen.iter().any(is))
        });
        let takes_part = takes_part.collect();
        let places_in_files = (0..judgements.segments.len()).collect();
        let judged = Vec::new();
        let mut set = JudgedSet { judgements, references: chosen, takes_part, judged, places_in_files };
        set.judged = set.find_judged();
        Ok(set)
    }

    /// The same set, whose segments had these places when they were read.
    pub(super) fn with_places_in_files(self, places_in_files: Vec<usize>) -> Self {
        JudgedSet { places_in_files, ..self }
    }

    /// The place that each segment has in files that are as long as the set.
    pub(super) fn places_in_files(&self) -> &[usize] {
        &self.places_in_files
    }

    fn find_judged(&self) -> Vec<bool> {
        let segments = self.segments();
        let mut judged = vec![false; self.systems() * segments];
        for comparison in self.judgements.comparisons.iter().filter(|pair| pair.outcome != Outcome::Tie) {
            judged[comparison.first * segments + comparison.segment] = true;
            judged[comparison.second * segments + comparison.segment] = true;
        }
        for scores in self.judgements.scores.iter().filter(|scores| scores.level == Level::Segment) {
            for (place, score) in scores.values.iter().flatten().enumerate() {
                judged[place] |= score.is_some();
            }
        }
        judged
    }

    /// The set's name.
    pub fn name(&self) -> &'a str {
        &self.judgements.set
    }

    /// Its language pair.
    pub fn pair(&self) -> &'a str {
        &self.judgements.pair
    }

    /// All judgements of the set.
    pub fn judgements(&self) -> &'a Judgements {
        self.judgements
    }

    /// The number of systems, excluded ones too.
    pub fn systems(&self) -> usize {
        self.judgements.systems.len()
    }

    /// The number of segments.
    pub fn segments(&self) -> usize {
        self.judgements.segments.len()
    }

    /// Whether a system is included.
    pub fn takes_part(&self, system: usize) -> bool {
        self.takes_part[system]
    }

    /// The index of a system: by its name, or by that of its file without folders, compression and `.txt`.
    pub fn system_named(&self, name: &str) -> Option<usize> {
        let place = |name: &str| self.judgements.systems.iter().position(|system| system == name);
        place(name).or_else(|| place(system_of_file(name)))
    }

    /// Whether there is a judgement of this output other than ties.
    pub fn is_judged(&self, system: usize, segment: usize) -> bool {
        self.takes_part[system] && self.judged[system * self.segments() + segment]
    }

    /// The output of an included system for a segment.
    pub fn output(&self, system: usize, segment: usize) -> Option<&'a str> {
        let texts = self.judgements.texts.as_ref().filter(|_| self.takes_part[system])?;
        texts.outputs.get(system)?.get(segment)?.as_deref()
    }

    /// The references of each segment.
    pub fn reference_lines(&self) -> Result<Vec<Vec<&'a str>>> {
        let texts = self.texts()?;
        let of = |segment: usize| {
            let lines = self.references.iter().map(|&reference| texts.references[reference].lines.get(segment));
            lines.filter_map(|line| line?.as_deref()).collect()
        };
        Ok((0..self.segments()).map(of).collect())
    }

    fn texts(&self) -> Result<&'a Texts> {
        self.judgements.texts.as_ref().filter(|texts| !texts.references.is_empty()).ok_or_else(|| {
            Error::Unusable(format!(
                "{} {} comes without texts: metrics cannot be computed (give their scores)",
                self.name(),
                self.pair()
            ))
        })
    }

    /// The source of each segment.
    pub fn source_lines(&self) -> Option<Vec<&'a str>> {
        let texts = self.judgements.texts.as_ref()?;
        Some(texts.sources.as_ref()?.iter().map(String::as_str).collect())
    }

    /// Human scores of a level: with this name, if one is given; else the standard ones of the metrics task, or the
    /// first.
    pub fn human_scores(&self, level: Level, name: Option<&str>) -> Option<&'a HumanScores> {
        let first = || self.judgements.scores.iter().find(|scores| scores.level == level);
        let standard = standard_scores(self.judgements, level, name).ok();
        standard.or_else(|| first().filter(|_| name.is_none()))
    }
}
