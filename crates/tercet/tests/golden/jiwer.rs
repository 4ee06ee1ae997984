//! jiwer 4.0.0: counts and rates of words and characters, segments and corpora. Its rates are 1/100 of ours.

use crate::inputs::{Inputs, assert_close, files, name};
use libtest_mimic::Trial;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tercet::metrics::{Metric, Tally};

pub fn trials(shared: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    for path in files(shared, "wer_nist_py", ".tsv") {
        let shared = shared.to_owned();
        trials.push(Trial::test(format!("jiwer: {}", name(&path)), move || {
            check(&shared, &path);
            Ok(())
        }));
    }
    trials
}

/// A metric and its tally of every segment.
struct Tallied {
    metric: Arc<dyn Metric>,
    tallies: Vec<Tally>,
}

impl Tallied {
    fn new(name: &str, inputs: &Inputs) -> Self {
        let metric = tercet::registry().build(name).unwrap();
        let tallies = inputs.tallies(metric.as_ref());
        Tallied { metric, tallies }
    }

    /// The rate or count of a column.
    fn value(&self, tally: &Tally, column: &str) -> f64 {
        let component = |name: &str| {
            let components = self.metric.components(tally);
            components.iter().find(|part| part.name == name).unwrap().value
        };
        match column {
            "wer" | "cer" => self.metric.score(tally) / 100.0,
            "mer" | "wil" => component(column) / 100.0,
            "subs" => component("substitutions"),
            "dels" => component("deletions"),
            "ins" => component("insertions"),
            _ => component(column),
        }
    }
}

fn check(shared: &Path, path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let inputs = Inputs::from_golden(shared, &serde_json::from_str(field("# inputs: ").unwrap()).unwrap());
    let (words, characters) = (Tallied::new("wer", &inputs), Tallied::new("cer", &inputs));
    let tallied = |column: &str| if column == "cer" { &characters } else { &words };
    let mut rows = text.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = rows.next().unwrap().split('\t').collect();
    let mut count = 0;
    for (i, row) in rows.enumerate() {
        for (column, theirs) in columns.iter().zip(row.split('\t')).skip(1) {
            if !column.starts_with("nltk") {
                let ours = tallied(column).value(&tallied(column).tallies[i], column);
                assert_close(ours, theirs.parse().unwrap(), &format!("{column} of {i}"));
            }
        }
        count += 1;
    }
    assert_eq!(count, inputs.hypotheses.len());
    let notes: Value = field("# notes: ").map_or(Value::Null, |notes| serde_json::from_str(notes).unwrap());
    for column in ["wer", "mer", "wil", "cer"] {
        if let Some(theirs) = notes[format!("corpus_{column}")].as_f64() {
            let total = Tally::sum(&tallied(column).tallies);
            assert_close(tallied(column).value(&total, column), theirs, &format!("corpus {column}"));
        }
    }
}
