//! Natural language inference: pairs of sentences, and whether the first entails the second, contradicts it, or
//! neither.
//!
//! - JSON lines of SNLI (Bowman et al. 2015) and MultiNLI (Williams et al. 2018): an object on each line, with
//!   `gold_label`, `sentence1` and `sentence2`; empty lines are ignored.
//! - Their tab-separated files, with these names in the first line. No quoting. A row may end before columns that are
//!   not read (`label1` to `label5`), not after the last.
//! - SICK (Marelli et al. 2014): `sentence_A`, `sentence_B`, and `entailment_judgment` in SemEval-2014's files,
//!   `entailment_label` in the single file of the first release.
//!
//! Labels are `entailment`, `neutral`, `contradiction`, in capitals or not; `-` is a pair whose annotators did not
//! agree. Such pairs are left out and counted.

use crate::error::Result;
use crate::text::trim_end;
use serde::Deserialize;

use super::plain_text::Lines;
use super::records::{Records, Separator};

/// What the first sentence says about the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NliLabel {
    /// The second is true if the first is.
    Entailment,
    /// The second may be true or not.
    Neutral,
    /// The second is false if the first is true.
    Contradiction,
}

impl NliLabel {
    /// All labels.
    pub const ALL: [NliLabel; 3] = [NliLabel::Entailment, NliLabel::Neutral, NliLabel::Contradiction];

    /// Name in files: `entailment`, `neutral`, `contradiction`.
    pub fn name(self) -> &'static str {
        match self {
            NliLabel::Entailment => "entailment",
            NliLabel::Neutral => "neutral",
            NliLabel::Contradiction => "contradiction",
        }
    }
}

/// Two sentences with their label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NliPair {
    /// The first sentence, then the second.
    pub sentences: [String; 2],
    /// What the first says about the second.
    pub label: NliLabel,
}

/// The pairs of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NliPairs {
    /// Those that have a label, in the order of the file.
    pub pairs: Vec<NliPair>,
    /// How many have the label `-`.
    pub without_label: usize,
}

/// Reads a file of SNLI, MultiNLI or SICK.
pub fn parse_nli(lines: &Lines) -> Result<NliPairs> {
    let is_json = |line: &str| line.trim_start_matches('\u{feff}').trim_start().starts_with('{');
    let first = lines.iter().find(|line| !line.is_empty());
    let Some(first) = first else {
        let expected = "expected JSON lines of SNLI or MultiNLI, or a table whose first line names its columns";
        return Err(lines.is_empty_error(expected));
    };
    if is_json(first) { parse_json(lines) } else { parse_table(lines) }
}

/// A line of JSON, without what is not read.
#[derive(Deserialize)]
struct JsonPair {
    gold_label: Option<String>,
    sentence1: Option<String>,
    sentence2: Option<String>,
}

fn parse_json(lines: &Lines) -> Result<NliPairs> {
    let mut found = NliPairs::default();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let bad = |what: String| lines.bad(at + 1, what);
        let object: JsonPair = serde_json::from_str(line.trim_start_matches('\u{feff}'))
            .map_err(|error| bad(format!("expected an object in JSON ({error})")))?;
        let text = |name: &str, field: Option<String>| {
            field.ok_or_else(|| bad(format!("expected a text in the field `{name}`")))
        };
        let label = text("gold_label", object.gold_label)?;
        let sentences = [text("sentence1", object.sentence1)?, text("sentence2", object.sentence2)?];
        found.add(&label, sentences).map_err(bad)?;
    }
    Ok(found)
}

fn parse_table(lines: &Lines) -> Result<NliPairs> {
    let records = Records::new(lines, Separator::Tab)?;
    let label = records.column(&["gold_label", "entailment_label", "entailment_judgment"])?;
    let columns = [records.column(&["sentence1", "sentence_A"])?, records.column(&["sentence2", "sentence_B"])?];
    let needed = columns.into_iter().fold(label, usize::max) + 1;
    let mut found = NliPairs::default();
    for (at, line) in lines.iter_untrimmed().enumerate().skip(1) {
        let bad = |what: String| lines.bad(at + 1, what);
        let fields: Vec<&str> = line.split('\t').map(trim_end).collect();
        if !(needed..=records.names().len()).contains(&fields.len()) {
            let (expected, found) = (records.names().len(), fields.len());
            return Err(bad(format!("expected {expected} tab-separated fields as in the first line, found {found}")));
        }
        let sentences = columns.map(|column| fields[column].to_owned());
        found.add(fields[label], sentences).map_err(bad)?;
    }
    Ok(found)
}

impl NliPairs {
    fn add(&mut self, label: &str, sentences: [String; 2]) -> Result<(), String> {
        let label = label.trim();
        if label == "-" {
            self.without_label += 1;
            return Ok(());
        }
        let known = NliLabel::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(label));
        let Some(label) = known else {
            let labels = NliLabel::ALL.map(NliLabel::name).join(", ");
            return Err(format!("expected the label {labels}, or - for none, found {label:?}"));
        };
        self.pairs.push(NliPair { sentences, label });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn read(text: &str) -> Result<NliPairs> {
        parse_nli(&Lines::from_bytes(Path::new("f"), text.as_bytes().to_vec()).unwrap())
    }

    fn pair(first: &str, second: &str, label: NliLabel) -> NliPair {
        NliPair { sentences: [first, second].map(str::to_owned), label }
    }

    #[test]
    fn all_formats_give_the_same_pairs() {
        let expected = NliPairs {
            pairs: vec![
                pair("A \"dog\" runs.", "An animal moves.", NliLabel::Entailment),
                pair("A cat sits", "", NliLabel::Contradiction),
                pair("x", "y", NliLabel::Neutral),
            ],
            without_label: 1,
        };
        let json = "\u{feff}{\"annotator_labels\": [], \"gold_label\": \"entailment\", \
                    \"sentence1\": \"A \\\"dog\\\" runs.\", \
                    \"sentence2\": \"An animal moves.\"}\n\n\
                    {\"gold_label\":\"-\",\"sentence1\":\"a\",\"sentence2\":\"b\"}\n\
                    {\"sentence2\":\"\",\"sentence1\":\"A cat sits\",\"gold_label\":\"contradiction\"}\n\
                    {\"sentence2\":\"y\",\"sentence1\":\"x\",\"gold_label\":\"neutral\"}\n";
        assert_eq!(read(json).unwrap(), expected);
        let table = "gold_label\tsentence1_parse\tsentence1\tsentence2\tpairID\tlabel1\tlabel2\n\
                     entailment\t(\tA \"dog\" runs.\tAn animal moves.\t1\tentailment\t\n-\t(\ta\tb\t2\n\
                     contradiction\t(\tA cat sits\t \t3\tx\nneutral\t(\tx\ty\n";
        assert_eq!(read(table).unwrap(), expected);
        let sick = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n\
                    1\tA \"dog\" runs.\tAn animal moves.\t4\tENTAILMENT\n2\ta\tb\t1\t-\n\
                    3\tA cat sits\t\t1\tCONTRADICTION\n4\tx\ty\t1\tNEUTRAL\n";
        assert_eq!(read(sick).unwrap(), expected);
        assert_eq!(read(&sick.replace("entailment_judgment", "Entailment_Label")).unwrap(), expected);
    }

    #[test]
    fn errors_name_line_label_and_column() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        for (text, expected) in [
            (
                "\n \n",
                "f is empty: expected JSON lines of SNLI or MultiNLI, or a table whose first line names its columns",
            ),
            (
                "label\tsentence1\tsentence2\n",
                "f:1: expected a column `gold_label` or `entailment_label` or `entailment_judgment`, found the header \
                 \"label sentence1 sentence2\"",
            ),
            (
                "gold_label\tsentence1\n",
                "f:1: expected a column `sentence2` or `sentence_B`, found the header \"gold_label sentence1\"",
            ),
            (
                "gold_label\tsentence1\tsentence2\nneutral\ta\tb\nentails\ta\tb\n",
                "f:3: expected the label entailment, neutral, contradiction, or - for none, found \"entails\"",
            ),
            (
                "gold_label\tsentence1\tsentence2\tx\nneutral\ta\n",
                "f:2: expected 4 tab-separated fields as in the first line, found 2",
            ),
            (
                "gold_label\tsentence1\tsentence2\nneutral\ta\tb\tc\n",
                "f:2: expected 3 tab-separated fields as in the first line, found 4",
            ),
            ("{\"gold_label\":\"-\",\"sentence1\":\"a\"}\n", "f:1: expected a text in the field `sentence2`"),
            (
                "{\"gold_label\":\"no\",\"sentence1\":\"a\",\"sentence2\":\"b\"}\n",
                "f:1: expected the label entailment, neutral, contradiction, or - for none, found \"no\"",
            ),
        ] {
            assert_eq!(error(text), expected);
        }
        assert!(error("{\"gold_label\":\"-\"\n").starts_with("f:1: expected an object in JSON (EOF"));
        assert!(error("{\"gold_label\":1}\n").contains("invalid type: integer `1`"));
    }
}
