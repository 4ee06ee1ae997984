//! Scored pairs of a reference and a translation: what `tercet derive-scores` writes, and any other table with these columns.
//!
//! Tab-separated with a header; the columns `score`, `reference` and `translation` are read. No quoting. Every row is a segment,
//! named by the columns `set`, `pair`, `segment`, `systems` that are there, or else by its number; all translations are of one
//! system, called `translation`.

use std::path::Path;

use crate::error::Result;

use super::compressed::first_line;
use super::folder::set_name;
use super::judgement_source::JudgementSource;
use super::judgements::{HumanScores, Judgements, Level, Reference, Texts};
use super::plain_text::{Lines, read_lines};
use super::records::{Records, Separator, column_names};

const COLUMNS: [&str; 3] = ["score", "reference", "translation"];

/// Columns that name a segment.
const NAMES: [&str; 4] = ["set", "pair", "segment", "systems"];

/// The set of a file, without a language pair; `None` for other files and for folders.
pub fn sources(path: &Path) -> Result<Option<Vec<JudgementSource>>> {
    if path.is_dir() {
        return Ok(None);
    }
    let names = column_names(&first_line(path)?, Separator::Tab);
    let is_ours = COLUMNS.iter().all(|known| names.iter().any(|name| name == known));
    let owned = path.to_owned();
    let source =
        || JudgementSource::new(set_name(path), "", move || parse_scored_texts(&read_lines(&owned)?));
    Ok(is_ours.then(|| vec![source()]))
}

/// Reads a table of scored texts.
pub fn parse_scored_texts(lines: &Lines) -> Result<Judgements> {
    let records = Records::new(lines, Separator::Tab)?;
    let [score, reference, translation] = COLUMNS.map(|name| records.column(&[name]));
    let (score, reference, translation) = (score?, reference?, translation?);
    let names: Vec<usize> = NAMES.iter().filter_map(|name| records.find(&[name])).collect();
    let (mut segments, mut references, mut outputs, mut values) = (vec![], vec![], vec![], vec![]);
    for (number, record) in records.rows().enumerate() {
        let record = record?;
        let name: Vec<&str> = names.iter().map(|&column| record.text(column)).collect();
        segments.push(if name.is_empty() { (number + 1).to_string() } else { name.join(" ") });
        references.push(Some(record.text(reference).to_owned()));
        outputs.push(Some(record.text(translation).to_owned()));
        values.push(record.score(score)?);
    }
    let reference = Reference { name: String::new(), lines: references };
    Ok(Judgements {
        systems: vec!["translation".to_owned()],
        segments,
        texts: Some(Texts { sources: None, references: vec![reference], outputs: vec![outputs] }),
        scores: vec![HumanScores {
            name: "score".to_owned(),
            level: Level::Segment,
            higher_is_better: true,
            values: vec![values],
        }],
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
            parse_scored_texts(&Lines::from_bytes(Path::new("d.tsv"), text.as_bytes().to_vec()).unwrap())
                .unwrap();
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
