//! How much better than a random choice are segments that metrics choose for people to judge?
//!
//! `cargo run --release -p tercet --example choose_segments -- FOLDER...`, where each folder has files
//! `PAIR.tsv` of judged outputs (`docs/formats.md`). A part of a file is a test set, the text before `:` in the names
//! of its segments, with the systems that were judged on all of its segments (at least 5, and 200 segments). For each,
//! the mean human scores of the systems on the chosen segments are compared with those on all segments: the share of
//! pairs of systems in the same order, with chrF and TER as metrics; a random choice is the mean of 200 draws.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::path::Path;
use tercet::corpora::{Judgements, Level, find_judgements, is_human};
use tercet::meta_evaluation::campaign::{Choice, choose_segments};
use tercet::metrics::{Segment, Tally};

const METRICS: [&str; 2] = ["chrf", "ter"];
const SIZES: [usize; 3] = [25, 50, 100];
const DRAWS: u64 = 200;
const MIN_SYSTEMS: usize = 5;
const MIN_SEGMENTS: usize = 200;

/// A test set on which all systems were judged.
struct Part {
    name: String,
    /// `[system][segment]`.
    human: Vec<Vec<f64>>,
    /// `[metric][system][segment]`.
    metrics: Vec<Vec<Vec<f64>>>,
}

fn main() -> tercet::Result<()> {
    let mut parts = Vec::new();
    for folder in std::env::args().skip(1) {
        for source in find_judgements(Path::new(&folder))? {
            parts.extend(parts_of(&source.read()?)?);
        }
    }
    println!("| test set | systems | segments | n | random | spread | disagreement | both |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    let mut sums: BTreeMap<usize, [f64; 5]> = BTreeMap::new();
    for part in &parts {
        for size in SIZES {
            let random = (0..DRAWS).map(|seed| part.accuracy(size, Choice::Random, seed)).sum::<f64>() / DRAWS as f64;
            let others = [Choice::Spread, Choice::Disagreement, Choice::Both].map(|how| part.accuracy(size, how, 0));
            let values = [random, others[0], others[1], others[2]];
            println!("| {} | {} | {} | {size} | {} |", part.name, part.human.len(), part.human[0].len(), row(&values));
            let sum = sums.entry(size).or_default();
            values.iter().enumerate().for_each(|(place, value)| sum[place] += value);
            sum[4] += 1.0;
        }
    }
    for (size, sum) in sums {
        let means: Vec<f64> = sum[..4].iter().map(|value| value / sum[4]).collect();
        println!("| **mean of {}** | | | {size} | {} |", sum[4], row(&means));
    }
    Ok(())
}

fn row(values: &[f64]) -> String {
    values.iter().map(|value| format!("{value:.3}")).collect::<Vec<_>>().join(" | ")
}

impl Part {
    /// The share of pairs of systems in the order of all segments, half for a tie.
    fn accuracy(&self, size: usize, choice: Choice, seed: u64) -> f64 {
        let chosen = choose_segments(&self.metrics, self.human[0].len(), size, choice, seed);
        let mean = |scores: &[f64]| chosen.iter().map(|&segment| scores[segment]).sum::<f64>();
        let of_chosen: Vec<f64> = self.human.iter().map(|scores| mean(scores)).collect();
        let of_all: Vec<f64> = self.human.iter().map(|scores| scores.iter().sum()).collect();
        let (mut same, mut pairs) = (0.0, 0.0);
        for a in 0..of_all.len() {
            for b in a + 1..of_all.len() {
                let (all, part) = (of_all[a] - of_all[b], of_chosen[a] - of_chosen[b]);
                if all != 0.0 {
                    pairs += 1.0;
                    same += if part == 0.0 { 0.5 } else { f64::from(u8::from((part > 0.0) == (all > 0.0))) };
                }
            }
        }
        same / pairs
    }
}

fn parts_of(judgements: &Judgements) -> tercet::Result<Vec<Part>> {
    let registry = tercet::registry();
    let metrics = METRICS.iter().map(|name| registry.build(name)).collect::<tercet::Result<Vec<_>>>()?;
    let Some(texts) = &judgements.texts else { return Ok(Vec::new()) };
    let Some(reference) = texts.references.first() else { return Ok(Vec::new()) };
    let Some(scores) = judgements.scores.iter().find(|scores| scores.level == Level::Segment) else {
        return Ok(Vec::new());
    };
    let mut tests: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (segment, name) in judgements.segments.iter().enumerate() {
        let test = name.split_once(':').filter(|(test, _)| !test.starts_with("doc")).map_or("", |(test, _)| test);
        tests.entry(test).or_default().push(segment);
    }
    let mut parts = Vec::new();
    for (test, mut segments) in tests {
        segments.retain(|&segment| reference.lines[segment].is_some());
        // The systems that were judged most, and the segments on which all of them were.
        let judged = |system: usize, segment: usize| {
            scores.values[system][segment].is_some() && texts.outputs[system][segment].is_some()
        };
        let count = |system: usize| segments.iter().filter(|&&segment| judged(system, segment)).count();
        let machine =
            |system: &usize| !is_human(&judgements.systems[*system]) && judgements.systems[*system] != "Human-P";
        let systems: Vec<usize> = (0..judgements.systems.len()).filter(machine).collect();
        let most = systems.iter().map(|&system| count(system)).max().unwrap_or(0);
        let systems: Vec<usize> = systems.into_iter().filter(|&system| 10 * count(system) >= 9 * most).collect();
        segments.retain(|&segment| systems.iter().all(|&system| judged(system, segment)));
        if systems.len() < MIN_SYSTEMS || segments.len() < MIN_SEGMENTS {
            continue;
        }
        let human =
            |&system: &usize| segments.iter().map(|&segment| scores.values[system][segment].unwrap_or(0.0)).collect();
        let score = |metric: &std::sync::Arc<dyn tercet::metrics::Metric>, system: usize| -> tercet::Result<Vec<f64>> {
            let lines: Vec<(&str, [&str; 1])> = segments
                .iter()
                .map(|&segment| {
                    let output = texts.outputs[system][segment].as_deref().unwrap_or_default();
                    (output, [reference.lines[segment].as_deref().unwrap_or_default()])
                })
                .collect();
            let batch: Vec<Segment<'_>> = lines.iter().map(|(output, of)| Segment::new(output, of)).collect();
            let tallies: Vec<Tally> = metric.tally(&batch)?;
            let sign = metric.direction().sign();
            Ok(tallies.iter().map(|tally| sign * metric.segment_score(tally)).collect())
        };
        let of_metric =
            |metric| systems.iter().map(|&system| score(metric, system)).collect::<tercet::Result<Vec<_>>>();
        parts.push(Part {
            name: format!("{} {} {test}", judgements.set, judgements.pair).trim_end().to_owned(),
            human: systems.iter().map(human).collect(),
            metrics: metrics.iter().map(of_metric).collect::<tercet::Result<_>>()?,
        });
    }
    Ok(parts)
}
