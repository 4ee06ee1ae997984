//! sacreBLEU 2.6.0: tokens, segments, corpora.

use crate::inputs::{Inputs, assert_close, files, json, name};
use libtest_mimic::Trial;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tercet::metrics::{Metric, Tally};
use tercet::text::{TercomOptions, Tokenizer, trim_end};

pub fn trials(shared: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut add = |folder: &'static str, ending: &str, check: fn(&Path, &Path)| {
        for path in files(shared, folder, ending) {
            let shared = shared.to_owned();
            trials.push(Trial::test(name(&path), move || {
                check(&shared, &path);
                Ok(())
            }));
        }
    };
    add("sacrebleu_tokenizers", ".json", tokenizers);
    add("sacrebleu_segment", ".tsv", segments);
    add("sacrebleu_corpus", ".json", corpus);
    trials
}

/// The metric that sacreBLEU's keyword arguments build. Segment scores follow `effective_order`, which is off in its
/// API.
fn metric(kind: &str, arguments: &Value) -> Arc<dyn Metric> {
    let mut options = vec![];
    if kind == "bleu" && arguments.get("effective_order").is_none() {
        options.push("effective_order=no".to_owned());
    }
    for (key, value) in arguments.as_object().unwrap() {
        let key = match key.as_str() {
            "tokenize" => "tok",
            "smooth_method" => "smooth",
            "max_ngram_order" => "max_order",
            other => other,
        };
        let value = match value {
            Value::Bool(true) => "yes".to_owned(),
            Value::Bool(false) => "no".to_owned(),
            Value::String(text) => text.clone(),
            number => number.to_string(),
        };
        options.push(format!("{key}={value}"));
    }
    tercet::registry().build(&format!("{kind}:{}", options.join(","))).unwrap()
}

/// The tokenizer of a column: by its name, or `ter_` and a letter for each flag of TER's.
fn tokenizer(column: &str) -> Tokenizer {
    let Some(flags) = column.strip_prefix("ter_") else {
        return Tokenizer::from_name(column).unwrap();
    };
    assert!(flags.chars().all(|flag| "npac".contains(flag)), "{column}");
    Tokenizer::Tercom(TercomOptions {
        normalized: flags.contains('n'),
        no_punct: flags.contains('p'),
        asian_support: flags.contains('a'),
        case_sensitive: flags.contains('c'),
    })
}

fn tokenizers(shared: &Path, path: &Path) {
    let golden = json(path);
    let records = Inputs::from_json(shared, golden["inputs"]["json"].as_str().unwrap(), 2);
    for expected in golden["outputs"].as_array().unwrap() {
        let id = expected["id"].as_u64().unwrap() as usize;
        let line = match expected["side"].as_str().unwrap() {
            "hyp" => &records.hypotheses[id],
            side => &records.references[id][side[3..].parse::<usize>().unwrap()],
        };
        for (column, tokens) in expected.as_object().unwrap() {
            if ["id", "side"].contains(&column.as_str()) {
                continue;
            }
            let tokenizer = tokenizer(column);
            assert_eq!(tokenizer.tokenize(trim_end(line)), tokens.as_str().unwrap(), "{column} of {line:?}");
        }
    }
}

fn segments(shared: &Path, path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    let inputs = Inputs::from_golden(shared, &serde_json::from_str(field("# inputs: ")).unwrap());
    let (_, columns) = field("# command: ").split_once("args per column: ").unwrap();
    let columns: Value = serde_json::from_str(columns).unwrap();
    let rows: Vec<Vec<&str>> =
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    let mut column = 1;
    for described in columns.as_array().unwrap() {
        let (kind, arguments) = (described[1].as_str().unwrap(), &described[2]);
        let metric = metric(kind, arguments);
        let tallies = inputs.tallies(metric.as_ref());
        assert_eq!(tallies.len(), rows.len() - 1);
        let what = described[0].as_str().unwrap();
        assert_eq!(rows[0][column], what);
        for (tally, row) in tallies.iter().zip(&rows[1..]) {
            let what = format!("{what} of {}", row[0]);
            assert_close(metric.segment_score(tally), row[column].parse().unwrap(), &what);
            let rest = &row[column + 1..];
            match kind {
                "bleu" => bleu_counts(tally, arguments, rest, &what),
                "ter" => ter_counts(tally, rest, &what),
                _ => {}
            }
        }
        column += match kind {
            "bleu" => 5,
            "ter" => 3,
            _ => 1,
        };
    }
    assert_eq!(column, rows[0].len());
}

/// Counts, totals, hypothesis and reference length. The tool's counts contain what add-k added.
fn bleu_counts(tally: &Tally, arguments: &Value, columns: &[&str], what: &str) {
    let numbers = |field: &str| -> Vec<f64> {
        let fields = field.trim_matches(['[', ']']).split([',', ' ', '/']).filter(|part| !part.is_empty());
        fields.map(|part| part.parse().unwrap()).collect()
    };
    let orders = (tally.len() - 2) / 2;
    let added = add_k(tally, arguments);
    for (offset, column) in [(2, columns[0]), (2 + orders, columns[1])] {
        let ours: Vec<f64> = (0..orders).map(|n| tally[offset + n] + added * f64::from(n > 0)).collect();
        assert_eq!(ours, numbers(column), "{what}");
    }
    assert_eq!(tally[0], columns[2].parse::<f64>().unwrap(), "{what}");
    assert_eq!(tally[1], columns[3].parse::<f64>().unwrap(), "{what}");
}

fn add_k(tally: &Tally, arguments: &Value) -> f64 {
    let orders = (tally.len() - 2) / 2;
    let any_match = tally[2..2 + orders].iter().any(|&matches| matches > 0.0);
    if arguments["smooth_method"] != "add-k" || !any_match {
        return 0.0;
    }
    arguments["smooth_value"].as_f64().unwrap_or(1.0)
}

fn ter_counts(tally: &Tally, columns: &[&str], what: &str) {
    assert_close(tally[0], columns[0].parse().unwrap(), what);
    assert_close(tally[1], columns[1].parse().unwrap(), what);
}

fn corpus(shared: &Path, path: &Path) {
    let golden = json(path);
    for expected in golden["outputs"].as_array().unwrap() {
        let (kind, arguments) = (expected["metric"].as_str().unwrap(), &expected["args"]);
        let mut inputs = Inputs::from_golden(shared, &golden["inputs"]);
        if let Some(first) = expected["first_lines"].as_u64() {
            inputs.hypotheses.truncate(first as usize);
            inputs.references.truncate(first as usize);
        }
        let metric = metric(kind, arguments);
        let total = Tally::sum(&inputs.tallies(metric.as_ref()));
        let what = format!("{kind} {arguments}");
        assert_close(metric.score(&total), expected["score"].as_f64().unwrap(), &what);
        let list = |key: &str| -> Vec<f64> {
            expected[key].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
        };
        match kind {
            "bleu" => {
                let orders = (total.len() - 2) / 2;
                let added = add_k(&total, arguments);
                let ours = |from: usize| -> Vec<f64> {
                    (0..orders).map(|n| total[from + n] + added * f64::from(n > 0)).collect()
                };
                assert_eq!(ours(2), list("counts"), "{what}");
                assert_eq!(ours(2 + orders), list("totals"), "{what}");
                assert_eq!(total[0], expected["sys_len"].as_f64().unwrap(), "{what}");
                assert_eq!(total[1], expected["ref_len"].as_f64().unwrap(), "{what}");
                let components = metric.components(&total);
                let value = |name: &str| components.iter().find(|part| part.name == name).unwrap().value;
                assert_close(value("brevity_penalty"), expected["bp"].as_f64().unwrap(), &what);
            }
            "ter" => {
                assert_close(total[0], expected["num_edits"].as_f64().unwrap(), &what);
                assert_close(total[1], expected["ref_length"].as_f64().unwrap(), &what);
            }
            _ => {}
        }
    }
}
