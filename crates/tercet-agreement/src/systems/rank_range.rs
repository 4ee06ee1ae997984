//! Ranges of ranks and clusters from many runs, as WMT13–16 published them (Koehn, IWSLT 2012; `cluster.py -by-rank`
//! of keisks/wmt-trueskill).
//!
//! - In each run the systems are ranked by score. The script breaks ties by variance and then by name, which separates
//!   equal systems; here each gets all the ranks they share. (TrueSkill's μ are never equal.)
//! - Of a system's n ranks, sorted, ⌈(n − 0.95 n)/2⌉ are cut off at either end: 25 of 1,000. The first and last of the
//!   rest are its range. (The script sorts each list in place before it slices; the list of μ, which it uses without
//!   `-by-rank`, is sliced unsorted, which removes runs instead of extremes.)
//! - Systems are sorted by their final scores. A cluster ends after a system if its worst rank is better than the best
//!   rank of every system below. Only this one system is checked: the range of a system further up may overlap the next
//!   cluster.

const CONFIDENCE: f64 = 0.95;

/// The 95% range of a system's ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankRange {
    /// The best rank, from 1.
    pub low: usize,
    /// The worst rank.
    pub high: usize,
}

/// The indices of systems from best to worst score; equal scores in index order.
pub fn order(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    order
}

/// The range of each system's ranks, from the scores `runs[run][system]`.
pub fn ranges(runs: &[Vec<f64>]) -> Vec<RankRange> {
    let systems = runs.first().map_or(0, Vec::len);
    let of_system = |system: usize| {
        let rank = |run: &Vec<f64>| {
            let above = run.iter().filter(|&&score| score > run[system]).count();
            let below = run.iter().filter(|&&score| score < run[system]).count();
            (above + 1, systems - below)
        };
        let (best, worst): (Vec<usize>, Vec<usize>) = runs.iter().map(rank).unzip();
        RankRange { low: clipped(best).low, high: clipped(worst).high }
    };
    (0..systems).map(of_system).collect()
}

fn clipped(mut ranks: Vec<usize>) -> RankRange {
    ranks.sort_unstable();
    let n = ranks.len() as f64;
    // With one or two runs the script would cut off everything.
    let outside = (((n - n * CONFIDENCE) / 2.0).ceil() as usize).min((ranks.len() - 1) / 2);
    RankRange { low: ranks[outside], high: ranks[ranks.len() - 1 - outside] }
}

/// The cluster of each system, from 1, for ranges in the order of scores.
pub fn clusters(ranges: &[RankRange]) -> Vec<usize> {
    let mut cluster = 1;
    let mut clusters = Vec::with_capacity(ranges.len());
    for (place, range) in ranges.iter().enumerate() {
        clusters.push(cluster);
        if ranges[place + 1..].iter().all(|below| range.high < below.low) {
            cluster += 1;
        }
    }
    clusters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(low: usize, high: usize) -> RankRange {
        RankRange { low, high }
    }

    #[test]
    fn a_fortieth_of_the_ranks_is_cut_off_at_either_end_rounded_up() {
        assert_eq!(clipped((1..=1000).rev().collect()), range(26, 975));
        assert_eq!(clipped((1..=100).collect()), range(4, 97));
        assert_eq!(clipped(vec![3, 1, 2]), range(2, 2));
        assert_eq!(clipped(vec![4]), range(4, 4));
    }

    #[test]
    fn equals_stand_in_the_order_of_their_numbers() {
        assert_eq!(order(&[1.0, 2.0, 1.0, -1.0]), [1, 0, 2, 3]);
    }

    #[test]
    fn ranks_are_counted_over_runs() {
        let (one, other) = (vec![3.0, 2.0, 1.0], vec![2.0, 3.0, 1.0]);
        let runs = [one.clone(), other.clone(), one, other];
        assert_eq!(ranges(&runs), [range(1, 2), range(1, 2), range(3, 3)]);
    }

    #[test]
    fn equals_take_all_the_ranks_they_share() {
        let runs = vec![vec![0.5, 0.7, 0.5, 0.1]; 40];
        assert_eq!(ranges(&runs), [range(2, 3), range(1, 1), range(2, 3), range(4, 4)]);
    }

    #[test]
    fn a_line_needs_every_rank_below_to_be_worse() {
        assert_eq!(clusters(&[range(1, 1), range(2, 4), range(2, 3), range(4, 4)]), [1, 2, 2, 3]);
        assert_eq!(clusters(&[range(1, 2), range(1, 3), range(2, 3)]), [1, 1, 1]);
        assert_eq!(clusters(&[]), [] as [usize; 0]);
    }
}
