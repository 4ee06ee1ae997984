//! mt-metrics-eval: tie calibration, soft pairwise accuracy, permutation tests.

use crate::inputs::{files, json, name};
use libtest_mimic::Trial;
use serde_json::Value;
use std::cmp::Ordering;
use std::path::Path;
use tercet::progress::Progress;
use tercet::statistics::significance::permutation::{
    Coefficient, Coins, Difference, Draws, Gold, perm_both_pairs, perm_both_scores,
};
use tercet::statistics::{
    Grouping, Permutations, TieVariant, calibrate_ties, pairwise_p_values, soft_pairwise_accuracy,
};

pub fn trials(shared: &Path) -> Vec<Trial> {
    let matrices = files(shared, "stats_scipy_mme", ".json").into_iter().filter(|path| name(path).contains("matrix."));
    let trial = |path: std::path::PathBuf| {
        Trial::test(format!("{} permutation", name(&path)), move || {
            let matrix = Matrix { golden: json(&path)["outputs"].clone() };
            matrix.calibrations();
            matrix.soft_pairwise();
            matrix.permutations();
            Ok(())
        })
    };
    matrices.map(trial).collect()
}

struct Matrix {
    golden: Value,
}

const METRICS: [(&str, &str); 2] = [("metric1", "metric1_sentbleu"), ("metric2", "metric2_chrfpp")];
const GROUPINGS: [(&str, Grouping); 3] =
    [("none", Grouping::None), ("sys", Grouping::System), ("item", Grouping::Item)];

impl Matrix {
    fn systems(&self) -> usize {
        self.golden["num_sys"].as_u64().unwrap() as usize
    }

    /// A matrix of the file, system by system.
    fn scores(&self, key: &str) -> Vec<Option<f64>> {
        let rows = self.golden[key].as_array().unwrap();
        rows.iter().flat_map(|row| row.as_array().unwrap().iter().map(Value::as_f64)).collect()
    }

    fn metric(&self, key: &str) -> Vec<f64> {
        self.scores(key).into_iter().map(|score| score.unwrap()).collect()
    }

    fn calibrations(&self) {
        for gold_key in ["gold", "gold_with_none"] {
            let gold = self.scores(gold_key);
            for (metric_key, metric) in METRICS {
                let metric = self.metric(metric);
                for (suffix, grouping) in GROUPINGS {
                    for (variant_key, variant) in [("acc23", TieVariant::Acc23), ("23", TieVariant::Tau23)] {
                        let key = format!("KendallWithTiesOpt_{variant_key}_rate1.0_{suffix}");
                        let expected = &self.golden[&format!("{gold_key}|{metric_key}")][&key];
                        let found = calibrate_ties(grouping, self.systems(), &gold, &metric, variant).unwrap();
                        let found = serde_json::json!([found.value, found.threshold]);
                        assert_eq!(&found, expected, "{gold_key}|{metric_key} {key}");
                    }
                }
            }
        }
    }

    fn soft_pairwise(&self) {
        let gold = self.scores("gold");
        for (key, metric) in [("gold", "gold"), METRICS[0], METRICS[1]] {
            let scores = self.metric(metric);
            let rows = self.golden["pce_pairwise_p_values"][key].as_array().unwrap();
            let expected = rows.iter().flat_map(|row| row.as_array().unwrap().iter().filter_map(Value::as_f64));
            let found = pairwise_p_values(self.systems(), &scores, Permutations::default());
            assert_eq!(found, expected.collect::<Vec<f64>>(), "p-values of {key}");
            if key != "gold" {
                let accuracy = soft_pairwise_accuracy(self.systems(), &gold, &scores, Permutations::default());
                near(accuracy, &self.golden[&format!("gold|{key}")]["PCE_1minus(SPA)"], key);
            }
        }
    }

    fn permutations(&self) {
        let gold = self.scores("gold");
        let [first, second] = METRICS.map(|(_, key)| self.metric(key));
        let gold = |grouping| Gold { grouping, systems: self.systems(), scores: &gold };
        let draws = |count| Draws { count, coins: Coins::Legacy(12345), early_stop: None };
        for (suffix, grouping) in [GROUPINGS[0], GROUPINGS[2]] {
            let coefficients: [(&str, Coefficient); 2] = [("pearson", &pearson), ("kendall_b", &kendall_b)];
            for (coefficient_key, coefficient) in coefficients {
                let key = format!("PERM-BOTH_{coefficient_key}_{suffix}_k200_npseed12345");
                // replace_nans_with_zeros=True
                let or_zero = |gold: &[f64], metric: &[f64]| {
                    let value = coefficient(gold, metric);
                    if value.is_nan() { 0.0 } else { value }
                };
                let found = perm_both_scores(gold(grouping), &first, &second, or_zero, draws(200), Progress::none());
                self.check(&found.unwrap(), &key);
            }
        }
        let metrics = [first.as_slice(), &second];
        let found = perm_both_pairs(
            gold(Grouping::Item),
            metrics,
            TieVariant::Acc23,
            [None, None],
            draws(50),
            Progress::none(),
        );
        self.check(&found.unwrap(), "PairwisePerm_acc23_item_k50_npseed12345");
    }

    fn check(&self, found: &Difference, key: &str) {
        let expected = &self.golden["significance"][key];
        near(found.p_value, &expected["p"], key);
        near(found.delta, &expected["delta"], key);
        assert_eq!(found.replicates.len() as u64, expected["k_used"].as_u64().unwrap(), "{key}");
        for (found, expected) in found.replicates.iter().zip(expected["first5"].as_array().into_iter().flatten()) {
            near(found.second, &expected[0], key);
            near(found.first, &expected[1], key);
        }
    }
}

fn near(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap_or_else(|| panic!("no number for {what}"));
    assert!((found - expected).abs() <= 1e-12, "{what}: {found} for {expected}");
}

/// The definition; undefined for a constant.
fn pearson(gold: &[f64], metric: &[f64]) -> f64 {
    let centred = |values: &[f64]| -> Vec<f64> {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|value| value - mean).collect()
    };
    let constant = |values: &[f64]| values.iter().all(|value| *value == values[0]);
    if constant(gold) || constant(metric) {
        return f64::NAN;
    }
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (gold, metric) = (centred(gold), centred(metric));
    product(&gold, &metric) / (product(&gold, &gold) * product(&metric, &metric)).sqrt()
}

/// The definition, pair by pair.
fn kendall_b(gold: &[f64], metric: &[f64]) -> f64 {
    let (mut agreeing, mut gold_untied, mut metric_untied) = (0i64, 0i64, 0i64);
    for i in 0..gold.len() {
        for j in 0..i {
            let (g, m) = (gold[i].total_cmp(&gold[j]), metric[i].total_cmp(&metric[j]));
            agreeing += i64::from(g as i8 * m as i8);
            gold_untied += i64::from(g != Ordering::Equal);
            metric_untied += i64::from(m != Ordering::Equal);
        }
    }
    agreeing as f64 / ((gold_untied as f64).sqrt() * (metric_untied as f64).sqrt())
}
