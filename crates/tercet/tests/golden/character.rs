//! CharacTER: the authors' script, which prints four digits and an average, and the package cer 1.2.0. Their rates are
//! 1/100 of ours.

use crate::inputs::{Inputs, assert_close, files, name};
use libtest_mimic::Trial;
use std::fs;
use std::path::Path;
use tercet::metrics::Tally;

pub fn trials(shared: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut add = |ending: &str, check: fn(&Path, &str)| {
        for path in files(shared, "character", ending) {
            let shared = shared.to_owned();
            trials.push(Trial::test(name(&path), move || {
                check(&shared, &fs::read_to_string(&path).unwrap());
                Ok(())
            }));
        }
    };
    add(".tsv", package);
    add(".txt", script);
    trials
}

/// Our rate of every segment and of the corpus.
fn rates(inputs: &Inputs) -> (Vec<f64>, f64) {
    let metric = tercet::registry().build("character").unwrap();
    let tallies = inputs.tallies(metric.as_ref());
    let segments = tallies.iter().map(|tally| metric.segment_score(tally) / 100.0);
    (segments.collect(), metric.score(&Tally::sum(&tallies)) / 100.0)
}

fn package(shared: &Path, text: &str) {
    let inputs = text.lines().find_map(|line| line.strip_prefix("# inputs: ")).unwrap();
    let inputs = Inputs::from_golden(shared, &serde_json::from_str(inputs).unwrap());
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let theirs: Vec<&str> = rows.map(|row| row.split('\t').nth(1).unwrap()).collect();
    let (ours, _) = rates(&inputs);
    assert_eq!(ours.len(), theirs.len());
    for (i, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        assert_close(*ours, theirs.parse().unwrap(), &format!("segment {i}"));
    }
}

/// The header names a folder of the direct-assessment sets and how many of its first lines were taken.
fn script(shared: &Path, text: &str) {
    let header = text.lines().next().unwrap();
    let (_, named) = header.split_once("; inputs ").unwrap();
    let (folder, rest) = named.split_once(" first ").unwrap();
    let first: usize = rest.split(';').next().unwrap().parse().unwrap();
    let (hypotheses, reference) = (format!("{folder}mt-system"), format!("{folder}reference"));
    let inputs = Inputs::from_files(shared, &hypotheses, &[&reference], Some(first));
    let (ours, average) = rates(&inputs);
    let mut printed = text.lines().skip(1);
    for (i, ours) in ours.iter().enumerate() {
        let expected = format!("CharacTER of sentence {} is {ours:.4}", i + 1);
        assert_eq!(printed.next(), Some(expected.as_str()));
    }
    assert_close(average, printed.next().unwrap().parse().unwrap(), "average");
}
