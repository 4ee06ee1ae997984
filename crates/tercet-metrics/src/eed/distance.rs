//! The distance of two lines of characters.

use tercet_base::stop;

/// The longest product of the lengths of two lines that are compared.
const MAX_CELLS: u64 = 1 << 32;

/// What a path through the characters pays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    pub(super) jump: f64,
    pub(super) coverage: f64,
    pub(super) deletion: f64,
    pub(super) insertion: f64,
}

/// The distance of a hypothesis to a reference; `None` if they are too long.
pub(super) fn distance(hypothesis: &[char], reference: &[char], costs: &Costs) -> Option<f64> {
    if hypothesis.len() as u64 * reference.len() as u64 > MAX_CELLS {
        return None;
    }
    // How often the path comes to each place between the characters of the hypothesis.
    let mut visits = vec![0_u32; hypothesis.len() + 1];
    let mut row = vec![1.0; hypothesis.len() + 1];
    row[0] = 0.0;
    for &character in reference {
        stop::steps(2 * hypothesis.len());
        let cheapest = advance(&mut row, hypothesis, character, costs);
        visits[cheapest] += 1;
        if character == ' ' {
            let jump = costs.jump + row[cheapest];
            row.iter_mut().for_each(|cost| *cost = cost.min(jump));
        }
    }
    // A place is free once; each further visit costs, and so does none.
    let repeated: u32 = visits.iter().map(|&count| if count == 0 { 1 } else { count - 1 }).sum();
    let coverage = costs.coverage * f64::from(repeated);
    let length = reference.len() as f64 + coverage;
    let path = row[hypothesis.len()] + coverage;
    Some(if length > 0.0 { (path / length).min(1.0) } else { f64::from(u8::from(path > 0.0)) })
}

/// The costs after one more character of the reference; returns the first of the cheapest places.
fn advance(row: &mut [f64], hypothesis: &[char], character: char, costs: &Costs) -> usize {
    let mut diagonal = row[0];
    row[0] += 1.0;
    let (mut cheapest, mut least) = (0, row[0]);
    let mut before = row[0];
    for (i, (&own, cost)) in hypothesis.iter().zip(&mut row[1..]).enumerate() {
        let kept = diagonal + if own == character { 0.0 } else { 1.0 };
        diagonal = *cost;
        before = (before + costs.deletion).min(kept).min(*cost + costs.insertion);
        *cost = before;
        if before < least {
            (cheapest, least) = (i + 1, before);
        }
    }
    cheapest
}
