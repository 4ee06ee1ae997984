//! scipy's coefficients and mt-metrics-eval's, on real scores with real and made-up judgements.
//!
//! `da.*`: rows against rows. `matrix.*`: systems × items, grouped. Tie calibration, soft pairwise accuracy and
//! permutation tests of the same files are checked in `mme_permutation.rs`.

use crate::inputs::{files, json, name};
use libtest_mimic::Trial;
use serde_json::Value;
use std::path::Path;
use tercet::statistics::Grouping;
use tercet::statistics::correlation::{
    Correlation, Grouped, PairCounts, Term, Undefined, grouped, kendall_b, kendall_c, kendall_like, pairwise_accuracy,
    pairwise_difference_pearson, pearson, pearson_interval_fisher, spearman,
};
use tercet::statistics::significance::{williams, williams_two_sided};

pub fn trials(shared: &Path) -> Vec<Trial> {
    let trial = |path: std::path::PathBuf| {
        Trial::test(name(&path), move || {
            let outputs = &json(&path)["outputs"];
            let checked = if outputs["vectors"].is_object() { rows(outputs) } else { matrices(outputs) };
            assert!(checked > 70, "only {checked} numbers to check");
            Ok(())
        })
    };
    files(shared, "stats_scipy_mme", ".json").into_iter().map(trial).collect()
}

/// Values to 1e-12.
fn same(ours: f64, theirs: &Value, what: &str) {
    let theirs = theirs.as_f64().unwrap();
    assert!((ours - theirs).abs() <= 1e-12, "{what}: ours {ours:?}, theirs {theirs:?}");
}

/// P-values to a relative error of 1e-12.
fn same_p(ours: f64, theirs: &Value, what: &str) {
    let theirs = theirs.as_f64().unwrap();
    assert!((ours - theirs).abs() <= 1e-12 * theirs, "{what}: ours {ours:?}, theirs {theirs:?}");
}

fn numbers(values: &Value) -> Vec<f64> {
    values.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

fn rows(outputs: &Value) -> usize {
    const PAIRS: [(&str, &str, &str); 4] = [
        ("human_vs_sentbleu", "human", "sentbleu"),
        ("human_vs_chrfpp", "human", "chrfpp"),
        ("human_vs_chrfpp_rounded_ties", "human", "chrfpp_rounded"),
        ("human_quantised_vs_chrfpp_rounded", "human_quantised", "chrfpp_rounded"),
    ];
    let vector = |name: &str| numbers(&outputs["vectors"][name]);
    let mut checked = 0;
    for (key, gold, metric) in PAIRS {
        let (gold, metric) = (vector(gold), vector(metric));
        for (statistic, theirs) in outputs[key].as_object().unwrap() {
            row_statistic(statistic, &gold, &metric, theirs);
            checked += 1;
        }
    }
    let (human, bleu, chrf) = (vector("human"), vector("sentbleu"), vector("chrfpp"));
    let r = |x: &[f64], y: &[f64]| pearson(x, y).value;
    let (bleu_r, chrf_r, both) = (r(&human, &bleu), r(&human, &chrf), r(&bleu, &chrf));
    for (key, test) in [
        ("williams_pearson_bleu_chrfpp", williams as fn(f64, f64, f64, usize) -> f64),
        ("williams_two_sided", williams_two_sided),
    ] {
        let theirs = &outputs[key];
        same_p(test(bleu_r, chrf_r, both, human.len()), &theirs[0], key);
        same(bleu_r, &theirs[1], key);
        same(chrf_r, &theirs[2], key);
    }
    checked
}

fn row_statistic(statistic: &str, gold: &[f64], metric: &[f64], theirs: &Value) {
    let correlation = |ours: Correlation| {
        same(ours.value, &theirs[0], statistic);
        same_p(ours.p, &theirs[1], statistic);
    };
    match statistic {
        "pearson" => correlation(pearson(gold, metric)),
        "spearman" => correlation(spearman(gold, metric)),
        "kendall_b" => correlation(kendall_b(gold, metric)),
        "kendall_c" => correlation(kendall_c(gold, metric)),
        "pearson_ci95" => {
            let ours = pearson_interval_fisher(pearson(gold, metric).value, gold.len(), 0.95);
            same(ours.low, &theirs[0], statistic);
            same(ours.high, &theirs[1], statistic);
        }
        _ => match statistic.strip_prefix("mme_KendallLike_thresh") {
            Some(threshold) => {
                let ours = kendall_like(gold, metric, threshold.parse().unwrap());
                same(ours.value(), &theirs[0], statistic);
                let counts = [ours.pairs(), ours.concordant, ours.discordant].map(Value::from);
                assert_eq!(theirs.as_array().unwrap()[2..], counts, "{statistic}");
            }
            None => {
                let variant = statistic.strip_prefix("mme_KendallVariants_").expect("a statistic we know");
                let (variant, epsilon) = variant.split_once("_eps").unwrap_or((variant, "0"));
                same(tau(variant, gold, metric, epsilon.parse().unwrap()), theirs, statistic);
            }
        },
    }
}

fn tau(variant: &str, gold: &[f64], metric: &[f64], epsilon: f64) -> f64 {
    let counts = PairCounts::new(gold, metric, epsilon);
    match variant {
        "b" => counts.tau_b(),
        "c" => kendall_c(gold, metric).value,
        "23" => counts.tau_23(),
        "acc23" => counts.acc_23(),
        _ => panic!("unknown variant {variant}"),
    }
}

fn matrices(outputs: &Value) -> usize {
    let systems = outputs["num_sys"].as_u64().unwrap() as usize;
    let flat = |name: &str| -> Vec<Option<f64>> {
        let rows = outputs[name].as_array().unwrap().iter();
        rows.flat_map(|row| row.as_array().unwrap().iter().map(Value::as_f64)).collect()
    };
    let mut checked = 0;
    for (metric, key) in [("metric1", "metric1_sentbleu"), ("metric2", "metric2_chrfpp")] {
        let scores: Vec<f64> = flat(key).into_iter().map(Option::unwrap).collect();
        for gold in ["gold", "gold_with_none"] {
            let judgements = flat(gold);
            for (statistic, theirs) in outputs[format!("{gold}|{metric}")].as_object().unwrap() {
                if let Some(ours) = grouped_statistic(statistic, systems, &judgements, &scores) {
                    checked += usize::from(same_average(ours, theirs, &format!("{gold} {metric} {statistic}")));
                }
            }
        }
        let means = |rows: &[f64]| -> Vec<f64> {
            rows.chunks(rows.len() / systems).map(|row| row.iter().sum::<f64>() / row.len() as f64).collect()
        };
        let gold: Vec<f64> = flat("gold").into_iter().map(Option::unwrap).collect();
        let accuracy = pairwise_accuracy(&means(&gold), &means(&scores));
        let theirs = numbers(&outputs["sys_level"][metric][0]);
        assert_eq!([accuracy.agreeing as f64, accuracy.pairs as f64], theirs[..], "{metric}");
    }
    checked
}

/// Whether anything was compared: pairwise differences were computed for complete judgements only.
fn same_average(ours: Grouped, theirs: &Value, what: &str) -> bool {
    if theirs.is_null() {
        return false;
    }
    same(ours.value, &theirs[0], what);
    same_p(ours.p, &theirs[1], what);
    assert_eq!(ours.n, theirs[2].as_u64().unwrap(), "{what}");
    true
}

type Coefficient<'a> = dyn Fn(&[f64], &[f64]) -> Term + 'a;

/// `None` for the statistics checked elsewhere.
fn grouped_statistic(statistic: &str, systems: usize, gold: &[Option<f64>], metric: &[f64]) -> Option<Grouped> {
    let (coefficient, grouping) = statistic.rsplit_once('_')?;
    let grouping = match grouping {
        "none" => Grouping::None,
        "sys" => Grouping::System,
        "item" => Grouping::Item,
        _ => return None,
    };
    let of: Box<Coefficient<'_>> = match coefficient {
        "Pearson_pdp" => return Some(pairwise_difference_pearson(grouping, systems, gold, metric)),
        "Pearson" => Box::new(|x, y| pearson(x, y).into()),
        "Spearman" => Box::new(|x, y| spearman(x, y).into()),
        "Kendall_b" => Box::new(|x, y| kendall_b(x, y).into()),
        "Kendall_c" => Box::new(|x, y| kendall_c(x, y).into()),
        "KendallLike5" => Box::new(|x, y| kendall_like(x, y, 5.0).into()),
        _ => {
            let variant = coefficient.strip_prefix("KendallVariants_")?;
            Box::new(move |x, y| tau(variant, x, y, 0.0).into())
        }
    };
    Some(grouped(grouping, systems, gold, metric, Undefined::LeftOut, of))
}
