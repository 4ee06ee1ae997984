//! nltk 3.10.4's NIST, from the same files as jiwer's error rates.
//!
//! nltk's sentence score uses only its own references, so each segment is prepared separately. With one reference its
//! formula is mteval's, except that nltk treats the word `0` like any other, and divides by zero if a hypothesis has
//! fewer than five words: there our score only has to be a number.

use crate::inputs::{Inputs, assert_close, files, name};
use libtest_mimic::Trial;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tercet::metrics::Tally;

const NIST: &str = "nist:tok=none,lowercase=no";

pub fn trials(shared: &Path) -> Vec<Trial> {
    let trial = |path: &Path| {
        let (shared, path) = (shared.to_owned(), path.to_owned());
        Trial::test(format!("{} (nltk)", name(&path)), move || {
            check(&shared, &path);
            Ok(())
        })
    };
    let paths = files(shared, "wer_nist_py", ".tsv");
    paths.iter().map(|path| trial(path)).collect()
}

fn check(shared: &Path, path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    let field = |name: &str| -> Option<Value> {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        Some(serde_json::from_str(line).unwrap())
    };
    let rows: Vec<Vec<&str>> =
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    let Some(column) = rows[0].iter().position(|&column| column == "nltk_nist") else {
        return;
    };
    let named = field("# inputs: ").unwrap();
    let mut inputs =
        Inputs::from_files(shared, named["hyp"].as_str().unwrap(), &[named["ref"].as_str().unwrap()], None);
    inputs.hypotheses.truncate(rows.len() - 1);
    inputs.references.truncate(rows.len() - 1);
    for (i, row) in rows[1..].iter().enumerate() {
        let alone =
            Inputs { hypotheses: vec![inputs.hypotheses[i].clone()], references: vec![inputs.references[i].clone()] };
        let ours = score(NIST, &alone);
        match row[column] {
            "ZeroDivisionError" => assert!(ours.is_finite()),
            theirs => assert_close(ours, theirs.parse().unwrap(), &format!("sentence {i}")),
        }
    }
    let corpus = field("# notes: ").unwrap();
    for order in [4, 5] {
        let theirs = corpus[format!("nltk_corpus_nist{order}")].as_f64().unwrap();
        assert_close(score(&format!("{NIST},max_order={order}"), &inputs), theirs, "corpus");
    }
}

fn score(metric: &str, inputs: &Inputs) -> f64 {
    let metric = tercet::registry().build(metric).unwrap();
    let total = Tally::sum(&inputs.tallies(metric.as_ref()));
    metric.score(&total)
}
