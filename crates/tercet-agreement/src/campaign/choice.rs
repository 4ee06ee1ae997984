//! Which segments tell most about systems, by scores of metrics alone.
//!
//! Scores of each metric are standardised over all outputs, and every segment has two values:
//!
//! - **spread**: the variance of the systems' scores, averaged over metrics: where systems differ;
//! - **disagreement**: after the segment's mean is taken from each metric's scores, the variance over metrics of a
//!   system's score, averaged over systems: where metrics tell different stories. With one metric it is 0.
//!
//! `both` adds the ranks of a segment by the two. Ties are in the order of the segments, so a choice is the same
//! whatever the machine. `random` draws without replacement.

use crate::statistics::random::Generator;

tercet_base::choices! {
    /// How segments are chosen.
    pub enum Choice: "choice" = Spread {
        /// Where the scores of systems differ most.
        Spread = "spread",
        /// Where metrics disagree most about systems.
        Disagreement = "disagreement",
        /// Where both is the case.
        Both = "both",
        /// At random.
        Random = "random",
    }
}

/// The chosen segments, in order; `scores[metric][system][segment]`, where a missing score is NaN.
pub fn choose_segments(
    scores: &[Vec<Vec<f64>>],
    segments: usize,
    count: usize,
    choice: Choice,
    seed: u64,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..segments).collect();
    match choice {
        Choice::Random => {
            let mut generator = Generator::new(Some(seed));
            for place in 0..count.min(segments) {
                let other = place + generator.below((segments - place) as u64) as usize;
                order.swap(place, other);
            }
        }
        Choice::Spread => by_value(&mut order, &values(scores, segments).0),
        Choice::Disagreement => by_value(&mut order, &values(scores, segments).1),
        Choice::Both => {
            let (spread, disagreement) = values(scores, segments);
            let mut ranks = vec![0.0; segments];
            for values in [&spread, &disagreement] {
                let mut order: Vec<usize> = (0..segments).collect();
                by_value(&mut order, values);
                order.iter().enumerate().for_each(|(rank, &segment)| ranks[segment] -= rank as f64);
            }
            by_value(&mut order, &ranks);
        }
    }
    order.truncate(count);
    order.sort_unstable();
    order
}

/// The highest first.
fn by_value(order: &mut [usize], values: &[f64]) {
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
}

/// Spread and disagreement of each segment.
fn values(scores: &[Vec<Vec<f64>>], segments: usize) -> (Vec<f64>, Vec<f64>) {
    let standardised: Vec<Vec<Vec<f64>>> = scores.iter().map(|metric| standardised(metric)).collect();
    let systems = scores.first().map_or(0, Vec::len);
    let of_segment = |segment: usize| {
        let centered: Vec<Vec<f64>> = standardised
            .iter()
            .map(|metric| {
                let scores: Vec<f64> = metric.iter().map(|system| system[segment]).collect();
                let mean = mean(scores.iter().copied());
                scores.iter().map(|score| score - mean).collect()
            })
            .collect();
        let squares = |values: &mut dyn Iterator<Item = f64>| mean(values.map(|value| value * value));
        let spread = mean(centered.iter().map(|metric| squares(&mut metric.iter().copied())));
        let disagreement = mean((0..systems).map(|system| {
            let of_system = || centered.iter().map(move |metric| metric[system]);
            let center = mean(of_system());
            squares(&mut of_system().map(|score| score - center))
        }));
        (spread, disagreement)
    };
    (0..segments).map(of_segment).unzip()
}

/// Scores minus their mean, over their standard deviation; a missing score is the mean.
fn standardised(metric: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let known = || metric.iter().flatten().copied().filter(|score| !score.is_nan());
    let center = mean(known());
    let deviation = mean(known().map(|score| (score - center).powi(2))).sqrt();
    let z = |score: &f64| if score.is_nan() || deviation == 0.0 { 0.0 } else { (score - center) / deviation };
    metric.iter().map(|system| system.iter().map(z).collect()).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count == 0.0 { 0.0 } else { sum / count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_chosen_where_systems_or_metrics_differ() {
        // Two metrics, two systems, four segments: all equal; systems differ; metrics contradict each other; a little.
        let first = vec![vec![5.0, 9.0, 9.0, 5.0], vec![5.0, 1.0, 1.0, 4.0]];
        let second = vec![vec![5.0, 9.0, 1.0, 5.0], vec![5.0, 1.0, 9.0, 4.0]];
        let choose = |count, choice| choose_segments(&[first.clone(), second.clone()], 4, count, choice, 1);
        assert_eq!(choose(1, Choice::Disagreement), [2]);
        assert_eq!(choose(2, Choice::Spread), [1, 2]);
        assert_eq!(choose(1, Choice::Both), [2]);
        assert_eq!(choose(9, Choice::Both), [0, 1, 2, 3]);
        let random = choose(2, Choice::Random);
        assert!(random.len() == 2 && random[0] < random[1], "{random:?}");
        assert_eq!(choose_segments(&[], 3, 2, Choice::Spread, 1), [0, 1]);
    }
}
