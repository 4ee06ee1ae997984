//! Rows with a translation, its reference and a score: COMET's tables of judgements (`src,mt,ref,score`), and any other
//! CSV, TSV or JSON lines whose fields have the usual names of `rows`.
//!
//! A field `system`, if there is one, says of which system a row is; else all are of one. A field of ids names the
//! segment. Without it, rows of several systems belong to one segment if source and reference are the same, and each
//! row is a segment of its own if there is one system. A field `lp` has the language pair. The score is the first of
//! the fields in `SCORES`; higher is better.

use super::compressed::read_start;
use super::judgement_source::JudgementSource;
use super::judgements::{HumanScores, Judgements, Level, Reference, Texts};
use super::names::Names;
use super::pairs_of_file;
use super::plain_text::Lines;
use super::records::score;
use super::rows::{Field, FieldNames, FieldRole, FieldSample, Fields, OpenedFile, Row, RowError, WantedFields};
use super::scored_texts;
use crate::error::{Error, Result};
use foldhash::HashMap;
use std::path::Path;

/// Names of scores, the surest first.
const SCORES: &[&str] = &[
    "score",
    "human_score",
    "human",
    "da_score",
    "da",
    "mqm_score",
    "mqm",
    "esa_score",
    "esa",
    "rating",
    "z_score",
    "z",
];

/// Names of language pairs.
const PAIRS: &[&str] = &["lp", "language_pair", "lang_pair", "langs"];

/// Bytes by which a file is recognised.
const START: u64 = 1 << 16;

/// The sets of a file, one for each language pair; nothing for other files and for folders.
pub fn sources(path: &Path) -> Result<Vec<JudgementSource>> {
    if path.is_dir() || !is_of_rows(path)? || !scored_texts::sources(path)?.is_empty() {
        return Ok(Vec::new());
    }
    pairs_of_file::sources(path, parse_scored_rows)
}

/// Whether a file has rows with all that is needed, by its columns or its first row.
fn is_of_rows(path: &Path) -> Result<bool> {
    let start = read_start(path, START)?;
    let Ok(file) = OpenedFile::from_bytes(path, start) else { return Ok(false) };
    if file.row_format().is_none() {
        return Ok(false);
    }
    let Ok(mut rows) = file.into_rows() else { return Ok(false) };
    let columns = rows.columns().map(FieldSample::of_columns);
    let sample = match columns {
        Some(sample) => sample,
        None => match rows.sample() {
            Ok(sample) => sample.to_vec(),
            Err(_) => return Ok(false),
        },
    };
    let has_texts = FieldNames::default().find(&sample, WantedFields::ALL, path).is_ok();
    Ok(has_texts && find(&sample, SCORES).is_some())
}

/// The first of these fields that is there.
fn find(sample: &[FieldSample], names: &[&str]) -> Option<Field> {
    let named = |name: &&str| sample.iter().find(|field| field.name.eq_ignore_ascii_case(name));
    names.iter().find_map(named).map(Field::from)
}

/// Reads rows with scores, of all language pairs.
pub fn parse_scored_rows(lines: &Lines) -> Result<Vec<Judgements>> {
    let path = lines.path();
    let mut rows = OpenedFile::from_bytes(path, lines.text().as_bytes().to_vec())?.into_rows()?;
    let sample = rows.sample()?.to_vec();
    let fields = FieldNames::default().find(&sample, WantedFields::ALL, path)?;
    let Some(scores) = find(&sample, SCORES) else {
        return Err(Error::bad_file(path, format!("expected a field of scores: {}", SCORES.join(", "))));
    };
    let reader = Reader { fields, scores, pair: find(&sample, PAIRS) };
    let (mut pairs, mut sets) = (Names::default(), Vec::new());
    let mut row = rows.unread_row();
    while rows.read_row(&mut row)? {
        let pair = reader.pair.as_ref().map(|field| row.name(field)).transpose()?.unwrap_or_default();
        let place = pairs.place(&pair);
        if place == sets.len() {
            sets.push(Set::default());
        }
        reader.add(&row, &mut sets[place])?;
    }
    let name = reader.scores.name();
    let sets = pairs.into_vec().into_iter().zip(sets);
    Ok(sets.map(|(pair, set)| Judgements { pair, ..set.into_judgements(name) }).collect())
}

struct Reader {
    fields: Fields,
    scores: Field,
    pair: Option<Field>,
}

/// The rows of a language pair.
#[derive(Default)]
struct Set {
    systems: Names,
    segments: Names,
    /// What each segment has: the line of its first row, its source, its references.
    texts: Vec<(usize, Option<String>, Vec<String>)>,
    /// Translations and scores by system and segment, in the order of the rows.
    outputs: Vec<((usize, usize), String, Option<f64>)>,
    /// The line of each system's row for a segment.
    lines: HashMap<(usize, usize), usize>,
    rows: usize,
}

impl Reader {
    fn add(&self, row: &Row, set: &mut Set) -> Result<()> {
        let texts = self.fields.segment(row)?;
        let number = score(&row.name(&self.scores)?).map_err(|what| Error::bad_line(row.path(), row.line(), what))?;
        let system = set.systems.place(texts.system.as_deref().unwrap_or(self.fields.hypothesis[0].name()));
        set.rows += 1;
        let source = texts.source.map(String::from);
        let references: Vec<String> = texts.references.into_iter().map(String::from).collect();
        let segment = match (&texts.id, &texts.system) {
            (Some(id), _) => set.segments.place(id),
            (None, None) => set.segments.place(&set.rows.to_string()),
            (None, Some(_)) => set.segment_of(system, &source, &references),
        };
        if segment == set.texts.len() {
            set.texts.push((row.line(), source, references));
        } else {
            let (first, of_first, others) = &set.texts[segment];
            let differs = [(FieldRole::Source, *of_first != source), (FieldRole::Reference, *others != references)];
            if let Some(&(role, _)) = differs.iter().find(|(_, differs)| *differs) {
                let (path, line, first) = (row.path().to_owned(), row.line(), *first);
                return Err(RowError::OtherText { path, line, role, first, by_order: false }.into());
            }
        }
        let hypothesis = texts.hypotheses.into_iter().next().unwrap_or_default().into_owned();
        set.outputs.push(((system, segment), hypothesis, number));
        match set.lines.insert((system, segment), row.line()) {
            None => Ok(()),
            Some(first) => {
                let (path, id) = (row.path().to_owned(), set.segments.as_slice()[segment].clone());
                Err(RowError::RepeatedId { path, line: row.line(), id, first }.into())
            }
        }
    }
}

impl Set {
    /// The first segment with these texts that has no output of this system.
    fn segment_of(&mut self, system: usize, source: &Option<String>, references: &[String]) -> usize {
        let name = format!("{}|{}", source.as_deref().unwrap_or_default(), references.join("|"));
        for time in 1.. {
            let name = if time == 1 { name.clone() } else { format!("{name}|{time}") };
            let segment = self.segments.place(&name);
            if !self.lines.contains_key(&(system, segment)) {
                return segment;
            }
        }
        unreachable!("a set has an end")
    }

    fn into_judgements(self, name: &str) -> Judgements {
        let (systems, segments) = (self.systems.into_vec(), self.segments.into_vec());
        let mut values = vec![vec![None; segments.len()]; systems.len()];
        let mut outputs = vec![vec![None; segments.len()]; systems.len()];
        for ((system, segment), hypothesis, number) in self.outputs {
            values[system][segment] = number;
            outputs[system][segment] = Some(hypothesis);
        }
        let most = self.texts.iter().map(|(.., references)| references.len()).max().unwrap_or(0);
        let lines = |place: usize| self.texts.iter().map(|(.., references)| references.get(place).cloned()).collect();
        let reference_name = |place: usize| if most == 1 { String::new() } else { format!("ref{place}") };
        let references =
            (0..most).map(|place| Reference { name: reference_name(place), lines: lines(place) }).collect();
        let sources = self.texts.iter().map(|(_, source, _)| source.clone()).collect();
        let level = Level::Segment;
        let scores = HumanScores { name: name.to_owned(), level, higher_is_better: true, values };
        Judgements {
            systems,
            segments,
            texts: Some(Texts { sources, references, outputs }),
            scores: vec![scores],
            ..Judgements::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Lines {
        Lines::from_bytes(Path::new("d.csv"), text.as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn rows_of_several_systems_have_common_segments() {
        let text = "lp,src,mt,ref,score,system\nde-en,s1,a1,\"r,1\",3,A\nde-en,s2,a2,r2,NA,A\n\
                    de-en,s1,b1,\"r,1\",1.5,B\n\
                    de-en,s1,a3,\"r,1\",2,A\nfi-en,s1,x,y,1,A\n";
        let read = parse_scored_rows(&lines(text)).unwrap();
        assert_eq!(read.iter().map(|set| set.pair.as_str()).collect::<Vec<_>>(), ["de-en", "fi-en"]);
        assert_eq!(read[0].systems, ["A", "B"]);
        assert_eq!(read[0].scores[0].values, [vec![Some(3.0), None, Some(2.0)], vec![Some(1.5), None, None]]);
        let texts = read[0].texts.as_ref().unwrap();
        assert_eq!(texts.references[0].lines[0].as_deref(), Some("r,1"));
        assert_eq!(texts.sources.as_ref().unwrap()[1], "s2");
        assert_eq!(texts.outputs[1], [Some("b1".to_owned()), None, None]);
    }

    #[test]
    fn rows_without_a_system_are_segments() {
        let text = "{\"mt\": \"a\", \"refs\": [\"b\", \"c\"], \"score\": 1}\n\
                    {\"mt\": \"a\", \"refs\": [\"b\"], \"score\": \"2\"}\n";
        let read = parse_scored_rows(&lines(text)).unwrap();
        assert_eq!((read[0].systems[0].as_str(), read[0].segments.len()), ("mt", 2));
        assert_eq!(read[0].scores[0].values, [[Some(1.0), Some(2.0)]]);
        assert_eq!(read[0].texts.as_ref().unwrap().references[1].lines, [Some("c".to_owned()), None]);
    }

    #[test]
    fn rows_that_contradict_each_other_are_refused() {
        let refused = |text: &str| parse_scored_rows(&lines(text)).unwrap_err().to_string();
        assert_eq!(
            refused("id,mt,ref,score,system\n1,a,b,1,A\n1,c,d,1,B\n"),
            "d.csv:3: the reference of this row is another than that of the same segment in line 2"
        );
        assert_eq!(
            refused("id,mt,ref,score,system\n1,a,b,1,A\n1,c,b,1,A\n"),
            "d.csv:3: the id `1` is there twice, first in line 2"
        );
        assert!(refused("mt,ref,score\na,b,x\n").starts_with("d.csv:2: expected a number"));
    }
}
