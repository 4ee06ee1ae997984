//! The matrices: synthetic human and metric scores from a seed, and one of the golden files.

use crate::random::Random;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The size of a matrix.
#[derive(Clone, Copy)]
pub struct Size {
    pub systems: usize,
    pub segments: usize,
    pub metrics: usize,
}

/// Writes a synthetic matrix. Gold scores are like MQM's: small integer penalties, minor errors cost 1 and major ones
/// 5, with about a third of the pairs within a segment tied. Metrics are the gold scores with noise, each more than the
/// last.
pub fn write_made(size: Size, file: &Path) -> Result<()> {
    let mut noise = Random::from_seed(20230514);
    let mut gold = Vec::with_capacity(size.systems * size.segments);
    let difficulty: Vec<f64> = (0..size.segments).map(|_| noise.uniform()).collect();
    for system in 0..size.systems {
        let badness = 0.5 + system as f64 / size.systems as f64;
        gold.extend(difficulty.iter().map(|difficulty| {
            let errors = |noise: &mut Random, rate: f64| (0..4).filter(|_| noise.uniform() < rate).count() as f64;
            -errors(&mut noise, 0.25 * badness * difficulty) - 5.0 * errors(&mut noise, 0.1 * badness * difficulty)
        }));
    }
    let metrics: Vec<Vec<f64>> = (0..size.metrics)
        .map(|metric| gold.iter().map(|score| score + (1.5 + 0.02 * metric as f64) * normal(&mut noise)).collect())
        .collect();
    write(file, &json!({"systems": size.systems, "gold": gold, "metrics": metrics}))
}

/// Writes the matrix of a golden file of mt-metrics-eval.
pub fn write_golden(golden: &Path, file: &Path) -> Result<()> {
    let text = fs::read(golden).with_context(|| format!("no golden matrix at {}", golden.display()))?;
    let outputs = &serde_json::from_slice::<Value>(&text)?["outputs"];
    let flat = |key: &str| -> Vec<&Value> {
        outputs[key].as_array().into_iter().flatten().filter_map(Value::as_array).flatten().collect()
    };
    let metrics = [flat("metric1_sentbleu"), flat("metric2_chrfpp")];
    write(file, &json!({"systems": outputs["num_sys"], "gold": flat("gold"), "metrics": metrics}))
}

/// The share of pairs within a segment that are tied in the gold scores.
#[cfg(test)]
fn tied(size: Size, gold: &[f64]) -> f64 {
    let (mut ties, mut pairs) = (0, 0);
    for segment in 0..size.segments {
        for a in 0..size.systems {
            for b in 0..a {
                pairs += 1;
                ties += u32::from(gold[a * size.segments + segment] == gold[b * size.segments + segment]);
            }
        }
    }
    f64::from(ties) / f64::from(pairs)
}

fn write(file: &Path, problem: &Value) -> Result<()> {
    Ok(fs::write(file, problem.to_string())?)
}

/// The sum of twelve uniform numbers, nearly normal.
fn normal(noise: &mut Random) -> f64 {
    (0..12).map(|_| noise.uniform()).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_a_third_of_made_up_gold_pairs_is_tied() {
        let size = Size { systems: 15, segments: 300, metrics: 1 };
        let file = std::env::temp_dir().join(format!("tercet-meta-{}.json", std::process::id()));
        write_made(size, &file).unwrap();
        let problem: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        fs::remove_file(&file).unwrap();
        let gold: Vec<f64> = serde_json::from_value(problem["gold"].clone()).unwrap();
        let share = tied(size, &gold);
        assert!((0.28..0.42).contains(&share), "{share}");
    }
}
