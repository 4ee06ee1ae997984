//! sacreBLEU's paired tests and intervals: the same seed, the same numbers.

use crate::inputs::{Inputs, files, json, name};
use libtest_mimic::Trial;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use tercet::metrics::{Metric, Tally};
use tercet::progress::Progress;
use tercet::scoring::significance::{EqualTrials, MetricTallies, Resampling, approximate_randomisation, bootstrap};

const REFERENCE: &str = "inputs/wmt17/de-en/ref";

pub fn trials(shared: &Path) -> Vec<Trial> {
    let trial = |path: std::path::PathBuf| {
        let shared = shared.to_owned();
        Trial::test(name(&path), move || {
            paired(&shared, &path);
            Ok(())
        })
    };
    let mut trials: Vec<Trial> = files(shared, "sacrebleu_significance", ".json").into_iter().map(trial).collect();
    for path in files(shared, "sacrebleu_cli", "single.ci.json") {
        let shared = shared.to_owned();
        trials.push(Trial::test(format!("{} (intervals)", name(&path)), move || {
            confidence(&shared, &path);
            Ok(())
        }));
    }
    trials
}

/// A metric and the tallies of each system.
fn measure(
    shared: &Path,
    metric: &str,
    systems: &[&str],
    first_lines: Option<usize>,
) -> (Arc<dyn Metric>, Vec<Vec<Tally>>) {
    let metric = tercet::registry().build(metric).unwrap();
    let tallies = |system: &&str| {
        let named = format!("inputs/wmt17/de-en/sys.{system}");
        Inputs::from_files(shared, &named, &[REFERENCE], first_lines).tallies(metric.as_ref())
    };
    let tallies = systems.iter().map(tallies).collect();
    (metric, tallies)
}

fn measured((metric, systems): &(Arc<dyn Metric>, Vec<Vec<Tally>>)) -> MetricTallies<'_> {
    MetricTallies { metric: metric.as_ref(), systems: systems.iter().map(Vec::as_slice).collect() }
}

fn seeded(samples: usize) -> Resampling {
    Resampling { samples, seed: Some(12345) }
}

fn paired(shared: &Path, path: &Path) {
    let golden = json(path);
    let names = golden["inputs"]["systems"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|name| name.as_str().unwrap()).collect();
    let first_lines = golden["inputs"]["first_lines"].as_u64().map(|n| n as usize);
    let metrics = ["bleu", "chrf++"].map(|metric| measure(shared, metric, &names, first_lines));
    let measured = [measured(&metrics[0]), measured(&metrics[1])];
    let pairs: Vec<(usize, usize)> = (1..names.len()).map(|system| (0, system)).collect();

    for (metric, result) in bootstrap(&measured, &seeded(300), Progress::none()).unwrap().iter().enumerate() {
        let theirs = &golden["outputs"]["bs_300"][measured[metric].metric.title()];
        for system in 0..names.len() {
            let (theirs, interval) = (&theirs[system], result.interval(system));
            same(result.scores[system], &theirs["score"]);
            same(interval.mean, &theirs["mean"]);
            same(interval.half_width, &theirs["ci"]);
            if system > 0 {
                same(result.compare(0, system).p_value, &theirs["p_value"]);
            }
        }
    }
    let comparisons =
        approximate_randomisation(&measured, &pairs, &seeded(500), EqualTrials::LeftOut, Progress::none()).unwrap();
    for (measured, comparisons) in measured.iter().zip(&comparisons) {
        let theirs = &golden["outputs"]["ar_500"][measured.metric.title()];
        for (&(_, system), comparison) in pairs.iter().zip(comparisons) {
            same(comparison.p_value, &theirs[system]["p_value"]);
        }
    }
}

/// `--confidence` of the command, to the one decimal it prints.
fn confidence(shared: &Path, path: &Path) {
    let golden = json(path);
    let printed: Value = serde_json::from_str(golden["outputs"]["stdout"].as_str().unwrap()).unwrap();
    for (metric, printed) in ["bleu", "chrf"].iter().zip(printed.as_array().unwrap()) {
        let metric = measure(shared, metric, &["uedin-nmt.4723"], None);
        let result = &bootstrap(&[measured(&metric)], &seeded(500), Progress::none()).unwrap()[0];
        let interval = result.exact_interval(0);
        let ours = format!("μ = {:.1} ± {:.1}", interval.mean, interval.half_width);
        assert_eq!(ours, printed["confidence"].as_str().unwrap());
    }
}

fn same(ours: f64, theirs: &Value) {
    assert_eq!(ours, theirs.as_f64().unwrap());
}
