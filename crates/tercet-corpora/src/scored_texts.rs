//! Scored pairs of a reference and a translation: what `tercet derive-scores` writes, and any other table with these
//! columns.
//!
//! Tab-separated with a header; the columns `score`, `reference` and `translation` are read. No quoting. Every row is a
//! segment, named by the columns `set`, `pair`, `segment`, `systems` that are there, or else by its number; all
//! translations are of one system, called `translation`. A table that names the system of each row is one of
//! `rated`.

use std::path::Path;

use crate::error::Result;

use super::folder::set_name;
use super::judgement_source::JudgementSource;
use super::judgements::{HumanScores, Judgements, Level, Reference, Texts};
use super::plain_text::Lines;
use super::records::{Header, Records, Separator};

const COLUMNS: [&str; 3] = ["score", "reference", "translation"];

/// Columns that name a segment.
const NAMES: [&str; 4] = ["set", "pair", "segment", "systems"];

/// The set of a file, without a language pair; nothing for other files and for folders.
pub fn sources(path: &Path) -> Result<Vec<JudgementSource>> {
    if path.is_dir() {
        return Ok(Vec::new());
    }
    let header = Header::read(path, Separator::Tab)?;
    let is_ours = header.has(&COLUMNS.each_ref().map(std::slice::from_ref)) && header.find(&["system"]).is_none();
    Ok(Vec::from_iter(is_ours.then(|| JudgementSource::from_file(set_name(path), "", path, parse_scored_texts))))
}

/// Reads a table of scored texts.
pub fn parse_scored_texts(lines: &Lines) -> Result<Judgements> {
    let records = Records::new(lines, Separator::Tab)?;
    let [score, reference, translation] = COLUMNS.map(|name| records.column(&[name]));
    let (score, reference, translation) = (score?, reference?, translation?);
    let names: Vec<usize> = NAMES.iter().filter_map(|name| records.find(&[name])).collect();
    let rows = records.rows().enumerate().map(|(number, record)| {
        let record = record?;
        let name: Vec<&str> = names.iter().map(|&column| record.text(column)).collect();
        let segment = if name.is_empty() { (number + 1).to_string() } else { name.join(" ") };
        let texts = [reference, translation].map(|column| record.text(column).to_owned());
        Ok(ScoredRow { segment, texts, score: record.score(score)? })
    });
    judgements_of("translation", "score", rows)
}

/// A segment with its reference, its translation and their score.
pub(super) struct ScoredRow {
    pub segment: String,
    pub texts: [String; 2],
    pub score: Option<f64>,
}

/// Judgements of one system, whose translations have scores of this name.
pub(super) fn judgements_of(
    system: &str,
    name: &str,
    rows: impl Iterator<Item = Result<ScoredRow>>,
) -> Result<Judgements> {
    let (mut segments, mut references, mut outputs, mut values) = (vec![], vec![], vec![], vec![]);
    for row in rows {
        let ScoredRow { segment, texts: [reference, output], score } = row?;
        segments.push(segment);
        references.push(Some(reference));
        outputs.push(Some(output));
        values.push(score);
    }
    let reference = Reference { name: String::new(), lines: references };
    let level = Level::Segment;
    let scores = HumanScores { name: name.to_owned(), level, higher_is_better: true, values: vec![values] };
    Ok(Judgements {
        systems: vec![system.to_owned()],
        segments,
        texts: Some(Texts { sources: None, references: vec![reference], outputs: vec![outputs] }),
        scores: vec![scores],
        ..Judgements::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_a_segment_with_its_score() {
        let text = "score\tn\treference\ttranslation\n3.5\t4\ta \"dog\"\ta cat\nNA\t3\tb\tc\n";
        let read =
            parse_scored_texts(&Lines::from_bytes(Path::new("d.tsv"), text.as_bytes().to_vec()).unwrap()).unwrap();
        assert_eq!(read.scores[0].values[0], [Some(3.5), None]);
        let texts = read.texts.unwrap();
        assert_eq!(texts.references[0].lines[0].as_deref(), Some("a \"dog\""));
        assert_eq!(texts.outputs[0][1].as_deref(), Some("c"));
    }

    #[test]
    fn bad_rows_are_refused_with_their_line() {
        let refused = |text: &str| {
            let lines = Lines::from_bytes(Path::new("d.tsv"), text.as_bytes().to_vec()).unwrap();
            parse_scored_texts(&lines).unwrap_err().to_string()
        };
        let header = "score\treference\ttranslation\n";
        assert!(refused(&format!("{header}x\ta\tb\n")).starts_with("d.tsv:2: expected a number"));
        assert!(refused(&format!("{header}1\ta\n")).starts_with("d.tsv:2: expected 3 tab-separated fields"));
        assert!(refused("score\treference\n").starts_with("d.tsv:1: expected a column `translation`"));
    }
}
