//! Gathers judged outputs by language pair: numbers systems and segments, and averages what several raters said.
//!
//! A segment is named by its id. If the ids of two documents are the same, the document is part of the name. Without
//! ids, outputs of several systems are of one segment if source and references are the same, and if there is neither a
//! system nor a rater, every output is a segment of its own. The texts of a segment, and of an output, must be the same
//! wherever they are.
//!
//! The score of an output is the mean over its raters, smallest first, so that the order of rows changes no digit.
//! Where there are marked errors but no score, a rater's score is that of MQM ([`mqm_score`]).

use crate::error::{Error, Result};
use crate::names::Names;
use crate::ratings::{ErrorSpan, Rating, Ratings, mqm_score};
use crate::rows::{FieldRole, RowError};
use crate::{HumanScores, Judgements, Level, Reference, Texts};
use foldhash::HashMap;
use std::path::Path;

/// A file may have so many pairs of a system and a segment that have no output.
const MAX_PLACES: usize = 50_000_000;

/// One output, judged by one rater or by several together.
#[derive(Clone, Debug, Default)]
pub(super) struct RatedOutput {
    /// The line in which it is.
    pub line: usize,
    /// The language pair; empty if the row does not say.
    pub pair: String,
    /// The name of the scores.
    pub scores: String,
    /// The system, if the row says.
    pub system: Option<String>,
    /// What systems are called if no row says.
    pub only_system: String,
    /// The segment, if the row says.
    pub id: Option<String>,
    /// The document.
    pub document: Option<String>,
    /// The domain.
    pub domain: Option<String>,
    /// The source.
    pub source: Option<String>,
    /// The references, with their names.
    pub references: Vec<(String, String)>,
    /// The judged translation.
    pub output: Option<String>,
    /// Who judged it.
    pub rater: Option<String>,
    /// The score.
    pub score: Option<f64>,
    /// The marked errors; `None` if errors are not marked.
    pub errors: Option<Vec<ErrorSpan>>,
}

/// Judged outputs by language pair.
#[derive(Default)]
pub(super) struct RatedSets {
    pairs: Names,
    sets: Vec<Set>,
}

impl RatedSets {
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Adds what a row says.
    pub fn add(&mut self, path: &Path, output: RatedOutput) -> Result<()> {
        let place = self.pairs.place(&output.pair);
        if place == self.sets.len() {
            self.sets.push(Set::default());
        }
        self.sets[place].add(path, output)
    }

    pub fn into_judgements(self, path: &Path) -> Result<Vec<Judgements>> {
        let sets = self.pairs.into_vec().into_iter().zip(self.sets);
        sets.map(|(pair, set)| Ok(Judgements { pair, ..set.into_judgements(path)? })).collect()
    }
}

/// The judged outputs of one language pair.
#[derive(Default)]
struct Set {
    scores: String,
    systems: Names,
    segments: HashMap<(Option<String>, String), usize>,
    texts: Vec<SegmentTexts>,
    raters: Names,
    ratings: Vec<Rating>,
    outputs: HashMap<(usize, usize), (usize, Option<String>)>,
    /// The line of the first judgement of an output by a rater.
    lines: HashMap<(usize, usize, Option<usize>), usize>,
    has_errors: bool,
    rows: usize,
}

/// What is known of a segment.
struct SegmentTexts {
    line: usize,
    name: String,
    document: Option<String>,
    domain: Option<String>,
    source: Option<String>,
    references: Vec<(String, String)>,
}

impl Set {
    fn add(&mut self, path: &Path, row: RatedOutput) -> Result<()> {
        self.rows += 1;
        self.scores.clone_from(&row.scores);
        let system = self.systems.place(row.system.as_ref().unwrap_or(&row.only_system));
        let rater = row.rater.as_ref().map(|rater| self.raters.place(rater));
        let segment = self.segment(path, &row, system, rater)?;
        match self.outputs.get(&(system, segment)) {
            Some((first, output)) if *output != row.output => {
                return Err(other_text(path, row.line, FieldRole::Hypothesis, *first));
            }
            Some(_) => {}
            None => _ = self.outputs.insert((system, segment), (row.line, row.output)),
        }
        match self.lines.get(&(system, segment, rater)) {
            Some(&first) if rater.is_none() => {
                let (path, id) = (path.to_owned(), self.texts[segment].name.clone());
                return Err(RowError::RepeatedId { path, line: row.line, id, first }.into());
            }
            Some(_) => {}
            None => _ = self.lines.insert((system, segment, rater), row.line),
        }
        self.has_errors |= row.errors.is_some();
        let weighed = || row.errors.as_deref().map(mqm_score);
        let score = row.score.or_else(weighed);
        self.ratings.push(Rating { system, segment, rater, score, errors: row.errors.unwrap_or_default() });
        Ok(())
    }

    /// The segment of a row, whose texts are those of its other rows.
    fn segment(&mut self, path: &Path, row: &RatedOutput, system: usize, rater: Option<usize>) -> Result<usize> {
        let segment = match &row.id {
            Some(id) => self.place(row.document.clone(), id.clone(), id, row),
            None if row.system.is_none() && row.rater.is_none() => {
                let number = self.rows.to_string();
                self.place(None, number.clone(), &number, row)
            }
            None => self.segment_of_texts(row, system, rater),
        };
        let of_segment = &self.texts[segment];
        let differs = [
            (FieldRole::Source, of_segment.source != row.source),
            (FieldRole::Reference, of_segment.references != row.references),
        ];
        match differs.iter().find(|(_, differs)| *differs) {
            Some(&(role, _)) => Err(other_text(path, row.line, role, of_segment.line)),
            None => Ok(segment),
        }
    }

    /// The segment of this key, which is new if there is none.
    fn place(&mut self, document: Option<String>, key: String, name: &str, row: &RatedOutput) -> usize {
        let new = self.texts.len();
        let segment = *self.segments.entry((document, key)).or_insert(new);
        if segment == new {
            self.texts.push(SegmentTexts {
                line: row.line,
                name: name.to_owned(),
                document: row.document.clone(),
                domain: row.domain.clone(),
                source: row.source.clone(),
                references: row.references.clone(),
            });
        }
        segment
    }

    /// The first segment with these texts of which this rater has not judged this system.
    fn segment_of_texts(&mut self, row: &RatedOutput, system: usize, rater: Option<usize>) -> usize {
        let references: Vec<&str> = row.references.iter().map(|(_, text)| text.as_str()).collect();
        let mut name = format!("{}|{}", row.source.as_deref().unwrap_or_default(), references.join("|"));
        if row.system.is_none() {
            name = format!("{name}|{}", row.output.as_deref().unwrap_or_default());
        }
        for time in 1.. {
            let key = if time == 1 { name.clone() } else { format!("{name}|{time}") };
            let segment = self.place(None, key.clone(), &key, row);
            let is_other = self.outputs.get(&(system, segment)).is_some_and(|(_, output)| *output != row.output);
            if !is_other && !self.lines.contains_key(&(system, segment, rater)) {
                return segment;
            }
        }
        unreachable!("a set has an end")
    }

    fn into_judgements(self, path: &Path) -> Result<Judgements> {
        let (systems, segments) = (self.systems.into_vec(), self.texts.len());
        let places = systems.len().saturating_mul(segments);
        if places > MAX_PLACES {
            let what = format!("{} systems and {segments} segments are more than can be held", systems.len());
            return Err(Error::bad_file(path, what));
        }
        let mut of_outputs: Vec<Vec<f64>> = vec![Vec::new(); places];
        for rating in &self.ratings {
            of_outputs[rating.system * segments + rating.segment].extend(rating.score);
        }
        let mut values = vec![vec![None; segments]; systems.len()];
        for (place, mut scores) in of_outputs.into_iter().enumerate() {
            scores.sort_unstable_by(f64::total_cmp);
            if !scores.is_empty() {
                values[place / segments][place % segments] = Some(scores.iter().sum::<f64>() / scores.len() as f64);
            }
        }
        let mut outputs = vec![vec![None; segments]; systems.len()];
        let has_outputs = self.outputs.values().any(|(_, output)| output.is_some());
        let mut texts_of_outputs = self.outputs;
        for Rating { system, segment, .. } in &self.ratings {
            if let Some((_, output)) = texts_of_outputs.remove(&(*system, *segment)) {
                outputs[*system][*segment] = output;
            }
        }
        let texts = has_outputs.then(|| Texts {
            sources: self.texts.iter().map(|of| of.source.clone()).collect(),
            references: references(&self.texts),
            outputs,
        });
        let optional = |text: fn(&SegmentTexts) -> &Option<String>| {
            let has_any = self.texts.iter().any(|of| text(of).is_some());
            has_any.then(|| self.texts.iter().map(|of| text(of).clone().unwrap_or_default()).collect())
        };
        let is_rated = self.has_errors || self.ratings.iter().any(|rating| rating.rater.is_some());
        let mut ratings = Ratings { name: self.scores.clone(), raters: self.raters.into_vec(), ratings: self.ratings };
        ratings.sort();
        let (name, level) = (self.scores, Level::Segment);
        Ok(Judgements {
            segments: names(&self.texts),
            documents: optional(|of| &of.document),
            domains: optional(|of| &of.domain),
            texts,
            scores: vec![HumanScores { name, level, higher_is_better: true, values }],
            ratings: if is_rated { vec![ratings] } else { Vec::new() },
            systems,
            ..Judgements::default()
        })
    }
}

fn other_text(path: &Path, line: usize, role: FieldRole, first: usize) -> Error {
    RowError::OtherText { path: path.to_owned(), line, role, first, by_order: false }.into()
}

/// The names of the segments; with their documents if two have the same.
fn names(texts: &[SegmentTexts]) -> Vec<String> {
    let mut names: Vec<&str> = texts.iter().map(|of| of.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let is_clear = names.len() == texts.len();
    let name = |of: &SegmentTexts| match &of.document {
        Some(document) if !is_clear => format!("{document}:{}", of.name),
        _ => of.name.clone(),
    };
    texts.iter().map(name).collect()
}

/// The references by name.
fn references(texts: &[SegmentTexts]) -> Vec<Reference> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in texts.iter().flat_map(|of| &of.references) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let line = |of: &SegmentTexts, name: &str| {
        of.references.iter().find(|(other, _)| other == name).map(|(_, text)| text.clone())
    };
    let reference = |name: &&str| Reference {
        name: if names.len() == 1 && *name == "ref0" { String::new() } else { (*name).to_owned() },
        lines: texts.iter().map(|of| line(of, name)).collect(),
    };
    names.iter().map(reference).collect()
}
