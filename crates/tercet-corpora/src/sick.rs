//! SICK (Marelli et al. 2014): pairs of sentences with human scores of relatedness, from 1 to 5.
//!
//! Tab-separated, `pair_ID sentence_A sentence_B relatedness_score entailment_judgment`, as in SemEval-2014; the single
//! file of the first release, with more columns in another order, is read too. No quoting.
//!
//! There are no translations. To train and test a metric on it (as for ReVal), `sentence_A` is the reference and
//! `sentence_B` the output of the only system, called `sentence_B`. Relatedness is symmetric, so the choice does not
//! matter. The entailment judgement is a label, not a score, and is not read.

use std::path::Path;

use crate::error::Result;

use super::compressed::first_line;
use super::folder::{Folder, set_name};
use super::judgement_source::JudgementSource;
use super::judgements::Judgements;
use super::plain_text::{Lines, read_lines};
use super::records::{Records, Separator, column_names};
use super::scored_texts::{ScoredRow, of_rows};

/// The sets in a folder or file, without a language pair; `None` if there are none.
pub fn sources(path: &Path) -> Result<Option<Vec<JudgementSource>>> {
    let mut found = Vec::new();
    if path.is_dir() {
        for (name, file) in Folder::read(path)?.files() {
            if name.to_lowercase().contains("sick") && is_ours(file)? {
                found.push(source(file));
            }
        }
    } else if is_ours(path)? {
        found.push(source(path));
    }
    Ok((!found.is_empty()).then_some(found))
}

fn source(path: &Path) -> JudgementSource {
    let path = path.to_owned();
    JudgementSource::new(set_name(&path), "", move || parse_sick(&read_lines(&path)?))
}

fn is_ours(path: &Path) -> Result<bool> {
    let names = column_names(&first_line(path)?, Separator::Tab);
    Ok(["sentence_A", "sentence_B", "relatedness_score"].iter().all(|known| names.iter().any(|name| name == known)))
}

/// Reads a table of SICK.
pub fn parse_sick(lines: &Lines) -> Result<Judgements> {
    let records = Records::new(lines, Separator::Tab)?;
    let (id, first, second) =
        (records.column(&["pair_ID"])?, records.column(&["sentence_A"])?, records.column(&["sentence_B"])?);
    let score = records.column(&["relatedness_score"])?;
    let rows = records.rows().map(|record| {
        let record = record?;
        let texts = [first, second].map(|column| record.text(column).to_owned());
        Ok(ScoredRow { segment: record.text(id).to_owned(), texts, score: record.score(score)? })
    });
    of_rows("sentence_B", "relatedness", rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Judgements> {
        parse_sick(&Lines::from_bytes(Path::new("SICK.txt"), text.as_bytes().to_vec()).unwrap())
    }

    #[test]
    fn the_first_sentence_is_the_reference() {
        let read = read(
            "pair_ID\tsentence_A\tsentence_B\tentailment_label\trelatedness_score\n6\tA \"dog\"\tA cat\tNEUTRAL\t3.3\n",
        )
        .unwrap();
        assert_eq!((read.segments[0].as_str(), read.scores[0].values[0][0]), ("6", Some(3.3)));
        let texts = read.texts.unwrap();
        assert_eq!(texts.references[0].lines[0].as_deref(), Some("A \"dog\""));
        assert_eq!(texts.outputs[0][0].as_deref(), Some("A cat"));
    }

    #[test]
    fn pairs_without_a_score_are_refused_with_the_header() {
        assert_eq!(
            read("pair_ID\tsentence_A\tsentence_B\n1\ta\tb\n").unwrap_err().to_string(),
            "SICK.txt:1: expected a column `relatedness_score`, found the header \"pair_ID sentence_A sentence_B\""
        );
    }
}
