//! Draws of a bootstrap for data in parts: how often a segment is in each resample, from its id alone.
//!
//! In a bootstrap of n segments the number of times a segment is drawn is binomial, nearly Poisson with mean 1.
//! Independent Poisson numbers for each segment and resample need no knowledge of the other segments, so every part of
//! the data draws its own (Hanley & MacGibbon, 2006; Chamandy et al., 2012, "Estimating uncertainty for massive data
//! streams"). The size of a resample then varies by √n, which scores that are ratios of sums do not notice.
//!
//! # Choices
//! The k-th draw of a segment is the k-th output of SplitMix64 (Steele, Lea & Flood, 2014) that starts at a hash of
//! seed and id.

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Ends of the intervals of uniform numbers from 0 to 2⁶⁴ that mean 0, 1, 2, …: 2⁶⁴ times the distribution function of
/// Poisson's distribution with mean 1. Numbers above 17 have a probability below 10⁻¹⁶ and are drawn as 17.
const ENDS: [u64; 17] = ends();

const fn ends() -> [u64; 17] {
    let mut ends = [0; 17];
    // 2⁶⁴/e, rounded down.
    let first: u64 = 6_786_177_901_268_885_274;
    let (mut probability, mut sum, mut k) = (first as u128 * (1 << 40), 0u128, 0);
    while k < 17 {
        sum += probability;
        ends[k] = if sum >> 40 > u64::MAX as u128 { u64::MAX } else { (sum >> 40) as u64 };
        k += 1;
        probability /= k as u128;
    }
    ends
}

/// How often the segment of this id is in the first resample, the second, …
pub fn segment_draws(seed: u64, id: &str) -> impl Iterator<Item = usize> {
    let mut state = start(seed, id);
    std::iter::repeat_with(move || {
        state = state.wrapping_add(GAMMA);
        let uniform = mix(state);
        ENDS.iter().take_while(|&&end| uniform >= end).count()
    })
}

/// The start of a segment's draws.
fn start(seed: u64, id: &str) -> u64 {
    mix(id_hash(id).wrapping_add(mix(seed ^ GAMMA)))
}

/// FNV-1a of an id, mixed: the same on all machines.
pub fn id_hash(id: &str) -> u64 {
    mix(id
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)))
}

/// The output function of SplitMix64.
fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_the_distribution_of_poisson() {
        let mut counts = [0usize; 18];
        for id in 0..2000 {
            for count in segment_draws(12345, &id.to_string()).take(500) {
                counts[count] += 1;
            }
        }
        let mut expected = 1e6 / std::f64::consts::E;
        for (k, &count) in counts.iter().enumerate().take(7) {
            let deviation = (count as f64 - expected).abs();
            assert!(deviation < 5.0 * expected.sqrt(), "{k}: {count}, expected {expected}");
            expected /= k as f64 + 1.0;
        }
    }

    #[test]
    fn draws_follow_from_seed_and_id() {
        let draws = |seed, id| segment_draws(seed, id).take(50).collect::<Vec<_>>();
        assert_eq!(draws(1, "17"), draws(1, "17"));
        assert_ne!(draws(1, "17"), draws(1, "18"));
        assert_ne!(draws(1, "17"), draws(2, "17"));
    }

    #[test]
    fn resamples_of_many_segments_are_independent() {
        let ids: Vec<Vec<f64>> = (0..400)
            .map(|id| segment_draws(7, &format!("doc-{id}")).take(400).map(|count| count as f64 - 1.0).collect())
            .collect();
        let covariance = |one: &dyn Fn(usize) -> f64, other: &dyn Fn(usize) -> f64| {
            (0..400).map(|i| one(i) * other(i)).sum::<f64>() / 400.0
        };
        // The standard deviation of these is 1/20.
        for i in 0..50 {
            assert!(covariance(&|k| ids[i][k], &|k| ids[i + 1][k]).abs() < 0.25);
            assert!(covariance(&|id| ids[id][i], &|id| ids[id][i + 1]).abs() < 0.25);
        }
    }
}
