//! The curve, fitted by maximum likelihood; how well it holds on sets that it was not fitted to.

use crate::campaigns::Comparison;
use std::collections::BTreeMap;
use tercet::metrics::Target;
use tercet::statistics::random::Generator;

/// Fits to drawn campaigns, for the intervals.
const DRAWS: usize = 200;

const SEED: u64 = 12345;

/// Bins of the stated share.
const BINS: usize = 5;

/// Parameters: ln s for English, ln s for other languages, the logit of 2h, ln n₀.
type Parameters = [f64; 4];

const N: usize = 4;

/// The curve with the points that files have.
pub struct Curve {
    parameters: Parameters,
    /// Difference, share, lower and upper end.
    points: Vec<[f64; 4]>,
}

/// How well the stated share holds on sets left out.
pub struct Quality {
    pub pairs: usize,
    pub campaigns: usize,
    pub error: f64,
    pub error_of_p: f64,
}

impl Curve {
    /// The curve of a target, with intervals by fits to drawn campaigns. An unknown target has that of all together.
    pub fn with_interval(comparisons: &[Comparison], target: Target) -> Self {
        let joined = target == Target::Unknown;
        let all: Vec<&Comparison> = comparisons.iter().collect();
        let parameters = fit(&all, joined);
        let scale = parameters[scale_of(target)].exp();
        let half = 2.0 * height(&parameters);
        let largest = largest_difference(&all, target, parameters[3].exp());
        let knots = (11..=19).map(|k| f64::from(k) / 20.0).filter(|share| share - 0.5 < height(&parameters) - 0.004);
        let parts = knots.map(|share| (2.0 * share - 1.0) / half).collect::<Vec<f64>>();
        // Where the curve bends, further points.
        let further = [0.97, 0.995].into_iter().filter(|part| parts.last().is_none_or(|last| last + 0.01 < *part));
        let parts = parts.iter().copied().chain(further);
        let mut differences: Vec<f64> =
            parts.map(|part| scale * part.atanh()).filter(|&difference| difference < 0.95 * largest).collect();
        differences.push(largest);
        let drawn = draws(comparisons, joined);
        let on_large_sets = |parameters: &Parameters, difference: f64| {
            0.5 + height(parameters) * (difference / parameters[scale_of(target)].exp()).tanh()
        };
        let point = |&difference: &f64| {
            let mut shares: Vec<f64> = drawn.iter().map(|drawn| on_large_sets(drawn, difference)).collect();
            shares.sort_by(f64::total_cmp);
            let at = |quantile: f64| shares[((shares.len() - 1) as f64 * quantile).round() as usize];
            let share = on_large_sets(&parameters, difference);
            [difference, share, at(0.025).min(share), at(0.975).max(share)]
        };
        let points = differences.iter().map(point).collect();
        Curve { parameters, points }
    }

    /// The lines of the file.
    pub fn rows(&self, key: &str, target: Target) -> String {
        let row = |[difference, share, low, high]: &[f64; 4]| {
            let segments = self.parameters[3].exp();
            let name = target.name();
            format!("{key}\t{name}\t{segments:.0}\t{difference:.6}\t{share:.4}\t{low:.4}\t{high:.4}\n")
        };
        self.points.iter().map(row).collect()
    }
}

impl Quality {
    /// On each set in turn, by the curve of the others.
    pub fn measure(comparisons: &[Comparison]) -> Self {
        let whole: Vec<&Comparison> = comparisons.iter().filter(|of| of.is_whole).collect();
        let mut sets: Vec<&str> = whole.iter().map(|of| of.set.as_str()).collect();
        sets.sort_unstable();
        sets.dedup();
        let mut stated: Vec<(f64, &Comparison)> = Vec::new();
        for set in sets {
            let others: Vec<&Comparison> = comparisons.iter().filter(|of| of.set != set).collect();
            let parameters = fit(&others, false);
            stated.extend(whole.iter().filter(|of| of.set == set).map(|of| (share(&parameters, of), *of)));
        }
        let of_p = |is_significant: bool| {
            let group: Vec<&Comparison> =
                whole.iter().filter(|of| of.is_significant == is_significant).copied().collect();
            let weight: f64 = group.iter().map(|of| of.weight).sum();
            let agrees = group.iter().map(|of| of.weight * of.agrees).sum::<f64>() / weight.max(f64::MIN_POSITIVE);
            weight * (if is_significant { 1.0 } else { 0.5 } - agrees).abs()
        };
        let weight: f64 = whole.iter().map(|of| of.weight).sum();
        let mut campaigns: Vec<usize> = whole.iter().map(|of| of.campaign).collect();
        campaigns.sort_unstable();
        campaigns.dedup();
        Quality {
            pairs: whole.len(),
            campaigns: campaigns.len(),
            error: error_in_bins(stated),
            error_of_p: (of_p(true) + of_p(false)) / weight,
        }
    }
}

/// The mean over bins of |stated − observed|.
fn error_in_bins(mut stated: Vec<(f64, &Comparison)>) -> f64 {
    stated.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = stated.iter().map(|(_, of)| of.weight).sum();
    let mut bins = [[0.0; 3]; BINS];
    let mut before = 0.0;
    for (share, of) in stated {
        before += of.weight;
        let bin = ((BINS as f64 * (before - of.weight / 2.0) / total) as usize).min(BINS - 1);
        let add = [of.weight, of.weight * share, of.weight * of.agrees];
        bins[bin].iter_mut().zip(add).for_each(|(sum, add)| *sum += add);
    }
    bins.iter().map(|[weight, stated, observed]| (stated - observed).abs() / weight.max(1e-300)).sum::<f64>()
        / BINS as f64
}

/// Fits to as many campaigns, drawn with replacement.
fn draws(comparisons: &[Comparison], joined: bool) -> Vec<Parameters> {
    let mut by_campaign: BTreeMap<usize, Vec<&Comparison>> = BTreeMap::new();
    comparisons.iter().for_each(|of| by_campaign.entry(of.campaign).or_default().push(of));
    let campaigns: Vec<Vec<&Comparison>> = by_campaign.into_values().collect();
    let mut generator = Generator::new(Some(SEED));
    let mut draw = || {
        let drawn = (0..campaigns.len()).map(|_| generator.below(campaigns.len() as u64) as usize);
        let drawn: Vec<&Comparison> = drawn.flat_map(|campaign| campaigns[campaign].iter().copied()).collect();
        fit(&drawn, joined)
    };
    (0..DRAWS).map(|_| draw()).collect()
}

fn scale_of(target: Target) -> usize {
    usize::from(target == Target::Other)
}

/// h: half the distance between chance and the largest share.
fn height(parameters: &Parameters) -> f64 {
    0.5 / (1.0 + (-parameters[2]).exp())
}

fn share(parameters: &Parameters, of: &Comparison) -> f64 {
    value_and_gradient(parameters, of, scale_of(of.target)).0
}

/// The share for a comparison, and its derivatives by the parameters.
fn value_and_gradient(parameters: &Parameters, of: &Comparison, scale: usize) -> (f64, [f64; N]) {
    let (n, half) = (of.segments as f64, parameters[3].exp());
    let x = of.difference / parameters[scale].exp() * (n / (n + half)).sqrt();
    let (t, h) = (x.tanh(), height(parameters));
    let mut gradient = [0.0; N];
    gradient[scale] = -h * (1.0 - t * t) * x;
    gradient[2] = t * h * (1.0 - 2.0 * h);
    gradient[3] = gradient[scale] * 0.5 * half / (n + half);
    (0.5 + h * t, gradient)
}

/// The largest likelihood, by Fisher scoring with halved steps; `joined` has one scale for all targets. A weak prior
/// keeps n₀ near 100 and the largest share below 1 where the data do not say.
fn fit(comparisons: &[&Comparison], joined: bool) -> Parameters {
    let weight: f64 = comparisons.iter().map(|of| of.weight).sum();
    let mut differences: Vec<f64> = comparisons.iter().map(|of| of.difference).collect();
    differences.sort_by(f64::total_cmp);
    let middle = differences[differences.len() / 2].max(f64::MIN_POSITIVE).ln();
    let prior = [middle, middle, 2.0, 100f64.ln()];
    let strength = [1e-4, 1e-4, 1e-3, 1e-3].map(|part| part * weight);
    let scale = |of: &Comparison| if joined { 0 } else { scale_of(of.target) };
    let log_likelihood = |parameters: &Parameters| {
        let of = |of: &&Comparison| {
            let p = value_and_gradient(parameters, of, scale(of)).0;
            of.weight * (of.agrees * p.ln() + (1.0 - of.agrees) * (1.0 - p).ln())
        };
        let penalty: f64 = (0..N).map(|i| strength[i] * (parameters[i] - prior[i]).powi(2) / 2.0).sum();
        comparisons.iter().map(of).sum::<f64>() - penalty
    };
    let mut parameters = prior;
    let mut likelihood = log_likelihood(&parameters);
    for _ in 0..50 {
        let (mut score, mut information) = ([0.0; N], [[0.0; N]; N]);
        for of in comparisons {
            let (p, gradient) = value_and_gradient(&parameters, of, scale(of));
            let variance = p * (1.0 - p);
            for i in 0..N {
                score[i] += of.weight * (of.agrees - p) / variance * gradient[i];
                for j in 0..N {
                    information[i][j] += of.weight * gradient[i] * gradient[j] / variance;
                }
            }
        }
        for i in 0..N {
            score[i] -= strength[i] * (parameters[i] - prior[i]);
            information[i][i] += strength[i];
        }
        let step = solved(information, score);
        let mut factor = 1.0;
        let (better, gain) = loop {
            let next: Parameters = std::array::from_fn(|i| parameters[i] + factor * step[i].clamp(-1.0, 1.0));
            let reached = log_likelihood(&next);
            if reached >= likelihood || factor < 1e-6 {
                break (next, reached - likelihood);
            }
            factor /= 2.0;
        };
        if gain <= 1e-9 * weight {
            break;
        }
        parameters = better;
        likelihood += gain;
    }
    if joined {
        parameters[1] = parameters[0];
    }
    parameters
}

/// The solution of a system of linear equations with a positive definite matrix.
fn solved(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for i in 0..N {
        for below in i + 1..N {
            let factor = matrix[below][i] / matrix[i][i];
            let row = matrix[i];
            for (number, above) in matrix[below].iter_mut().zip(row).skip(i) {
                *number -= factor * above;
            }
            right[below] -= factor * right[i];
        }
    }
    for i in (0..N).rev() {
        right[i] /= matrix[i][i];
        for above in 0..i {
            right[above] -= matrix[above][i] * right[i];
        }
    }
    right
}

/// The difference that 95% of the pairs of a target do not exceed, on test sets of any size.
fn largest_difference(comparisons: &[&Comparison], target: Target, half: f64) -> f64 {
    let is_for_it = |of: &&&Comparison| target == Target::Unknown || of.target == target;
    let difference = |of: &&Comparison| of.difference * (of.segments as f64 / (of.segments as f64 + half)).sqrt();
    let mut found: Vec<f64> = comparisons.iter().filter(is_for_it).map(difference).collect();
    found.sort_by(f64::total_cmp);
    found[(found.len() - 1) * 95 / 100]
}
