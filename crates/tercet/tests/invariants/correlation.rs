//! Properties of correlation coefficients, for any scores.

use tercet::statistics::Grouping;
use tercet::statistics::correlation::{
    Correlation, PairCounts, Undefined, grouped, kendall_b, kendall_c, kendall_like, pearson, spearman,
};

type Coefficient = fn(&[f64], &[f64]) -> Correlation;

const ALL: [(&str, Coefficient); 4] =
    [("pearson", pearson), ("spearman", spearman), ("kendall_b", kendall_b), ("kendall_c", kendall_c)];

fn close(a: f64, b: f64) -> bool {
    (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-9
}

/// Coefficients are between −1 and 1, are symmetric, and change sign when one row is negated.
pub fn are_symmetric_and_change_sign_with_a_row(x: &[f64], y: &[f64]) {
    let turned: Vec<f64> = y.iter().map(|y| -y).collect();
    for (name, coefficient) in ALL {
        let (forth, back, turned) = (coefficient(x, y), coefficient(y, x), coefficient(x, &turned));
        assert!(forth.value.is_nan() || (-1.0..=1.0).contains(&forth.value), "{name}: {forth:?}");
        assert!(forth.p.is_nan() || (0.0..=1.0 + 1e-12).contains(&forth.p), "{name}: {forth:?}");
        assert!(close(forth.value, back.value) && close(forth.value, -turned.value), "{name}: {x:?} {y:?}");
    }
}

/// Spearman and Kendall depend on ranks only.
pub fn ranks_ignore_the_scale(x: &[f64], y: &[f64]) {
    let stretched: Vec<f64> = x.iter().map(|x| (x / 100.0).exp()).collect();
    let bent: Vec<f64> = y.iter().map(|y| y * y * y - 5.0).collect();
    for (name, coefficient) in &ALL[1..] {
        let (plain, mapped) = (coefficient(x, y), coefficient(&stretched, &bent));
        let bits = |c: Correlation| (c.value.to_bits(), c.p.to_bits());
        assert_eq!(bits(plain), bits(mapped), "{name}: {x:?} {y:?}");
    }
}

/// Every pair is counted once; negating the metric exchanges concordant and discordant; a larger epsilon only adds
/// ties.
pub fn pairs_are_counted_once(gold: &[f64], metric: &[f64], epsilon: f64) {
    let counts = PairCounts::new(gold, metric, epsilon);
    assert_eq!(counts.pairs(), (gold.len() * gold.len().saturating_sub(1) / 2) as u64);
    let turned: Vec<f64> = metric.iter().map(|metric| -metric).collect();
    let (concordant, discordant) = (counts.discordant, counts.concordant);
    assert_eq!(PairCounts::new(gold, &turned, epsilon), PairCounts { concordant, discordant, ..counts });
    let wider = PairCounts::new(gold, metric, epsilon * 2.0 + 0.5);
    assert!(wider.ties_metric >= counts.ties_metric && wider.ties_both >= counts.ties_both);
    let like = kendall_like(gold, metric, f64::MIN_POSITIVE);
    let plain = PairCounts::new(gold, metric, 0.0);
    assert_eq!((like.concordant, like.discordant), (plain.concordant, plain.discordant + plain.ties_metric));
}

/// With one system, or no grouping, the result is the coefficient over the judged segments.
pub fn one_group_is_the_coefficient(gold: &[Option<f64>], metric: &[f64]) {
    let judged = |&(gold, metric): &(&Option<f64>, &f64)| gold.map(|gold| (gold, *metric));
    let (x, y): (Vec<f64>, Vec<f64>) = gold.iter().zip(metric).filter_map(|place| judged(&place)).unzip();
    for (name, coefficient) in ALL {
        let whole = coefficient(&x, &y);
        for grouping in [Grouping::None, Grouping::System] {
            let average = grouped(grouping, 1, gold, metric, Undefined::LeftOut, coefficient);
            let expected = if whole.value.is_nan() { (0.0, 0) } else { (whole.value, 1) };
            assert_eq!((average.value, average.n), expected, "{name}: {gold:?} {metric:?}");
        }
    }
}
