//! mteval-v13a (NIST's Perl script): BLEU and NIST of systems and segments, and its tables by order.
//!
//! The script prints 15 significant digits and adds up in the order of a Perl hash, so the last of them is random.
//! Where it crashed (an empty reference, `rc` 255), our numbers must be finite.

use crate::inputs::{Inputs, files, json, name};
use libtest_mimic::Trial;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tercet::metrics::Tally;

const ORDERS: usize = 9;

pub fn trials(shared: &Path) -> Vec<Trial> {
    let trial = |path: &Path| {
        let (shared, path) = (shared.to_owned(), path.to_owned());
        Trial::test(name(&path), move || {
            check(&shared, &path);
            Ok(())
        })
    };
    let paths = files(shared, "mteval-v13a", ".json");
    paths.iter().map(|path| trial(path)).collect()
}

/// The two metrics as mteval's flags set them.
struct Metrics {
    nist: String,
    bleu: String,
}

impl Metrics {
    fn new(command: &str) -> Self {
        let given = |flag: &str| command.split_whitespace().any(|word| word == flag);
        let tokenizer = match (given("--international-tokenization"), given("-e")) {
            (false, _) => "mteval",
            (true, false) => "mteval-intl",
            (true, true) => "mteval-intl+nonascii",
        };
        let lowercase = if given("-c") { "no" } else { "yes" };
        let nist = format!("nist:tok={tokenizer},lowercase={lowercase}");
        let mut bleu = format!("mteval-bleu:tok={tokenizer},lowercase={lowercase}");
        if given("--no-smoothing") {
            bleu += ",smooth=none";
        }
        if given("shortest") {
            bleu += ",brevity=shortest";
        }
        Metrics { nist, bleu }
    }
}

fn check(shared: &Path, path: &Path) {
    let golden = json(path);
    let metrics = Metrics::new(golden["command"].as_str().unwrap());
    let outputs = &golden["outputs"];
    let systems = inputs(shared, path, &golden["inputs"]);
    if outputs["rc"] != 0 {
        systems.iter().for_each(|system| gives_numbers(&metrics, system));
        return;
    }
    let segments = fs::read_to_string(path.with_extension("seg.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = segments.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    let named = outputs["NIST-sys"].as_array().unwrap();
    assert_eq!(named.len(), systems.len());
    for (i, system) in systems.iter().enumerate() {
        let id = named[i][1].as_str().unwrap();
        let rows: Vec<&[&str]> = rows.iter().filter(|row| row[1] == id).map(|row| &row[4..]).collect();
        let corpus = |key: &str| -> f64 { outputs[key][i][2].as_str().unwrap().parse().unwrap() };
        check_metric(&metrics.nist, 1.0, system, &rows, 1, corpus("NIST-sys"));
        check_metric(&metrics.bleu, 100.0, system, &rows, 0, corpus("BLEU-sys"));
        check_tables(&metrics, system, outputs["ngram_tables"].as_str().unwrap(), id);
    }
}

/// The texts of every system.
fn inputs(shared: &Path, path: &Path, inputs: &Value) -> Vec<Inputs> {
    let list = |key: &str| -> Vec<&str> {
        let items = inputs[key].as_array().into_iter().flatten();
        items.map(|item| item.as_str().unwrap()).collect()
    };
    let first = inputs["first_lines"].as_u64().map(|n| n as usize);
    let Some(named) = inputs["json"].as_str() else {
        let systems = list("hyps").into_iter();
        return systems.map(|system| Inputs::from_files(shared, system, &list("refs"), first)).collect();
    };
    let two = path.to_string_lossy().contains(".2ref.");
    let mut all = Inputs::from_json(shared, named, if two { 2 } else { 1 });
    if let Some(kept) = inputs["rows_kept"].as_array() {
        let kept: Vec<usize> = kept.iter().map(|row| row.as_u64().unwrap() as usize).collect();
        all.hypotheses = kept.iter().map(|&i| all.hypotheses[i].clone()).collect();
        all.references = kept.iter().map(|&i| all.references[i].clone()).collect();
    }
    vec![all]
}

fn check_metric(metric: &str, scale: f64, system: &Inputs, rows: &[&[&str]], column: usize, corpus: f64) {
    let built = tercet::registry().build(metric).unwrap();
    let tallies = system.tallies(built.as_ref());
    assert_eq!(tallies.len(), rows.len());
    for (i, (tally, row)) in tallies.iter().zip(rows).enumerate() {
        let ours = built.segment_score(tally) / scale;
        assert_printed(ours, row[column].parse().unwrap(), &format!("{metric} of segment {}", i + 1));
    }
    assert_printed(built.score(&Tally::sum(&tallies)) / scale, corpus, &format!("{metric} of the system"));
}

/// Equal except for the last of 15 digits.
fn assert_printed(ours: f64, theirs: f64, what: &str) {
    let tolerance = 2e-14 * theirs.abs().max(0.1);
    assert!((ours - theirs).abs() <= tolerance, "{what}: ours {ours:?}, theirs {theirs:?}");
}

/// The tables of individual and cumulative scores, in this order, NIST before BLEU.
fn check_tables(metrics: &Metrics, system: &Inputs, printed: &str, id: &str) {
    let rows = |kind: &str| -> Vec<Vec<&str>> {
        let lines = printed.lines().filter(|line| line.starts_with(kind) && line.contains(&format!("\"{id}\"")));
        lines.map(|line| line.split_whitespace().collect()).collect()
    };
    let (nist, bleu) = (rows(" NIST:"), rows(" BLEU:"));
    let components = components(&format!("{},max_order={ORDERS}", metrics.nist), system);
    let value = |name: String| components.iter().find(|part| part.0 == name).unwrap().1;
    for n in 1..=ORDERS {
        assert_eq!(four(value(format!("individual_{n}"))), nist[0][n]);
        assert_eq!(four(value(format!("cumulative_{n}"))), nist[1][n]);
        let (precision, score) = bleu_up_to(n, &metrics.bleu, system);
        assert_eq!(four(precision / 100.0), bleu[0][n]);
        assert_eq!(four(score / 100.0), bleu[1][n]);
    }
}

fn four(value: f64) -> String {
    format!("{value:.4}")
}

fn components(metric: &str, system: &Inputs) -> Vec<(String, f64)> {
    let metric = tercet::registry().build(metric).unwrap();
    let total = Tally::sum(&system.tallies(metric.as_ref()));
    let parts = metric.components(&total).into_iter();
    parts.map(|part| (part.name, part.value)).collect()
}

/// The precision of this order and the score up to it.
fn bleu_up_to(order: usize, metric: &str, system: &Inputs) -> (f64, f64) {
    let metric = &format!("{metric},max_order={order}");
    let built = tercet::registry().build(metric).unwrap();
    let total = Tally::sum(&system.tallies(built.as_ref()));
    let parts = built.components(&total);
    let precision = parts.iter().find(|part| part.name == format!("precision_{order}"));
    (precision.unwrap().value, built.score(&total))
}

fn gives_numbers(metrics: &Metrics, system: &Inputs) {
    for metric in [&metrics.nist, &metrics.bleu] {
        let metric = tercet::registry().build(metric).unwrap();
        let tallies = system.tallies(metric.as_ref());
        for tally in &tallies {
            assert!(metric.segment_score(tally).is_finite());
        }
        assert!(metric.score(&Tally::sum(&tallies)).is_finite());
    }
}
