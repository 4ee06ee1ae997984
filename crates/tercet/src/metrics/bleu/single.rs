//! BLEU of a bootstrap resample, in sacreBLEU's arithmetic.
//!
//! sacreBLEU sums the counts of a resample in single precision and, through numpy's promotion rules, computes the
//! precisions in it too; logarithms, brevity penalty and score are double. The intervals it prints depend on this in
//! the seventh digit.

use super::{Smoothing, brevity_penalty, geometric_mean};

/// The score of counts laid out as in a tally.
pub(super) fn bleu(sums: &[f32], smoothing: Smoothing, effective_order: bool) -> f64 {
    let orders = (sums.len() - 2) / 2;
    let (lengths, counts) = sums.split_at(2);
    let (matches, totals) = counts.split_at(orders);
    if matches.iter().all(|&matches| matches == 0.0) {
        return 0.0;
    }
    let mut percent = vec![0.0; orders];
    let mut effective = orders;
    let mut halved = 1.0f32;
    for n in 0..orders {
        let (mut matches, mut total) = (matches[n], totals[n]);
        if let (Smoothing::AddK(k), 1..) = (smoothing, n) {
            matches += k as f32;
            total += k as f32;
        }
        if total == 0.0 {
            break;
        }
        if effective_order {
            effective = n + 1;
        }
        percent[n] = f64::from(if matches > 0.0 {
            100.0 * matches / total
        } else {
            match smoothing {
                Smoothing::Exp | Smoothing::Mteval => {
                    halved *= 2.0;
                    100.0 / (halved * total)
                }
                Smoothing::Floor(value) => (100.0 * value) as f32 / total,
                Smoothing::AddK(_) | Smoothing::None => 0.0,
            }
        });
    }
    // sacreBLEU cuts the lengths to whole numbers, which they are.
    let penalty = brevity_penalty(f64::from(lengths[0].trunc()), f64::from(lengths[1].trunc()));
    penalty * geometric_mean(&percent[..effective])
}
