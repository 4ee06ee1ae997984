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

use super::folder::{Folder, set_name};
use super::judgement_source::JudgementSource;
use super::judgements::Judgements;
use super::plain_text::Lines;
use super::records::{Header, Records, Separator};
use super::scored_texts::{ScoredRow, judgements_of};

/// The sets in a folder or file, without a language pair.
pub fn sources(path: &Path) -> Result<Vec<JudgementSource>> {
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let folder = Folder::read(path)?;
        let named = folder.files().filter(|(name, _)| name.to_lowercase().contains("sick"));
        files = named.map(|(_, file)| file.to_owned()).collect();
    }
    let mut found = Vec::new();
    for file in files {
        let columns: [&[&str]; 3] = [&["sentence_A"], &["sentence_B"], &["relatedness_score"]];
        if Header::read(&file, Separator::Tab)?.has(&columns) {
            found.push(JudgementSource::from_file(set_name(&file), "", &file, parse_sick));
        }
    }
    Ok(found)
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
    judgements_of("sentence_B", "relatedness", rows)
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
