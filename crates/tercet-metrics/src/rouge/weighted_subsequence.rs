//! The weighted longest common subsequence: of all common subsequences, one with long runs (Lin, 2004, sec. 4).

use tercet_base::stop;

/// The most cells of a matrix.
const MAX_CELLS: usize = 1 << 24;

pub(super) struct WeightedSubsequence {
    /// The sum of the weights of its runs.
    pub(super) length: f64,
    /// Whether the lines were compared whole.
    pub(super) exact: bool,
}

/// Runs of k words weigh k^`weight`. The tool searches as the paper does, but then weighs the runs of matched words in
/// the reference, also where the hypothesis has other words between them.
pub(super) fn weighted_subsequence(
    reference: &[u32],
    hypothesis: &[u32],
    weight: f64,
    tool: bool,
) -> WeightedSubsequence {
    limited(reference, hypothesis, weight, tool, MAX_CELLS)
}

fn limited(reference: &[u32], hypothesis: &[u32], weight: f64, tool: bool, most: usize) -> WeightedSubsequence {
    if reference.len().saturating_mul(hypothesis.len()) <= most {
        let length = if tool {
            runs_in_reference(reference, hypothesis, weight)
        } else {
            fill(reference, hypothesis, weight, |_, _| {})
        };
        return WeightedSubsequence { length, exact: true };
    }
    let (first, second) = reference.split_at(reference.len() / 2);
    let (before, after) = hypothesis.split_at(hypothesis.len() / 2);
    let halves = [(first, before), (second, after)]
        .map(|(reference, hypothesis)| limited(reference, hypothesis, weight, tool, most).length);
    WeightedSubsequence { length: halves[0] + halves[1], exact: false }
}

/// Where the best subsequence of a cell comes from.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Match,
    SkipReference,
    SkipHypothesis,
}

/// Fills the matrix row by row, a word of the reference each, and returns its last cell. `on_cell` gets the number of
/// each cell and its step.
fn fill(reference: &[u32], hypothesis: &[u32], weight: f64, mut on_cell: impl FnMut(usize, Step)) -> f64 {
    let longest = reference.len().min(hypothesis.len());
    let weights: Vec<f64> = (0..=longest).map(|length| (length as f64).powf(weight)).collect();
    // The best sum of each column, and the length of the run that ends there.
    let mut sums = vec![0.0; hypothesis.len() + 1];
    let mut runs = vec![0usize; hypothesis.len() + 1];
    let mut cell = 0;
    for word in reference {
        stop::steps(2 * hypothesis.len());
        let (mut diagonal_sum, mut diagonal_run) = (0.0, 0);
        for (column, other) in hypothesis.iter().enumerate() {
            let (above_sum, above_run) = (sums[column + 1], runs[column + 1]);
            let step = if word == other {
                runs[column + 1] = diagonal_run + 1;
                sums[column + 1] = diagonal_sum + weights[diagonal_run + 1] - weights[diagonal_run];
                Step::Match
            } else {
                runs[column + 1] = 0;
                let skips_reference = above_sum >= sums[column];
                sums[column + 1] = if skips_reference { above_sum } else { sums[column] };
                if skips_reference { Step::SkipReference } else { Step::SkipHypothesis }
            };
            on_cell(cell, step);
            cell += 1;
            (diagonal_sum, diagonal_run) = (above_sum, above_run);
        }
    }
    sums[hypothesis.len()]
}

/// Follows the steps back and weighs the runs of matched words in the reference.
fn runs_in_reference(reference: &[u32], hypothesis: &[u32], weight: f64) -> f64 {
    let mut steps = vec![Step::SkipReference; reference.len() * hypothesis.len()];
    fill(reference, hypothesis, weight, |cell, step| steps[cell] = step);
    let mut matched = vec![false; reference.len()];
    let (mut row, mut column) = (reference.len(), hypothesis.len());
    while row > 0 && column > 0 {
        let step = steps[(row - 1) * hypothesis.len() + column - 1];
        row -= usize::from(step != Step::SkipHypothesis);
        column -= usize::from(step != Step::SkipReference);
        if step == Step::Match {
            matched[row] = true;
        }
    }
    let runs = matched.chunk_by(|a, b| a == b).filter(|run| run[0]);
    runs.map(|run| (run.len() as f64).powf(weight)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_outweigh_scattered_words() {
        // The paper's example: A B C D E F G against A B C D H I K and against A H B K C I D.
        let reference = [0, 1, 2, 3, 4, 5, 6];
        let consecutive = limited(&reference, &[0, 1, 2, 3, 7, 8, 9], 2.0, false, 100);
        let scattered = limited(&reference, &[0, 7, 1, 9, 2, 8, 3], 2.0, false, 100);
        assert_eq!((consecutive.length, scattered.length), (16.0, 4.0));
        // In the reference the words are consecutive both times.
        assert_eq!(limited(&reference, &[0, 7, 1, 9, 2, 8, 3], 2.0, true, 100).length, 16.0);
    }

    #[test]
    fn long_lines_are_cut_and_reported() {
        let words = [0, 1, 2, 3];
        let cut = limited(&words, &words, 2.0, false, 4);
        assert!((cut.length, cut.exact) == (8.0, false));
        assert!(limited(&words, &words, 2.0, false, 16).exact);
    }
}
