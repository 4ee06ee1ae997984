//! The cost of shifts: for each phrase that moved to the right, the mean length of its words.

/// The cost of turning `original` into `shifted`, two orders of the same words.
///
/// Reads both from the left. Where they differ, the original word is looked for further right in the shifted line; with
/// the words that follow it in both lines it is a phrase that moved. A word that is not found moved left and costs
/// nothing.
pub(super) fn shift_cost(original: &[u32], shifted: &[u32], characters: impl Fn(u32) -> usize) -> f64 {
    let mut cost = 0.0;
    let mut at = 0;
    while at < original.len() {
        let length = phrase_moved_right(&original[at..], &shifted[at..]);
        if length > 0 {
            let phrase = &original[at..at + length];
            let letters: usize = phrase.iter().map(|&word| characters(word)).sum();
            cost += letters as f64 / length as f64;
        }
        at += length.max(1);
    }
    cost
}

/// The length of the phrase at the start of `original` that stands further right in `shifted`: at the first place
/// where its first word does. 0 if there is none, or if nothing moved here.
fn phrase_moved_right(original: &[u32], shifted: &[u32]) -> usize {
    if original[0] == shifted[0] {
        return 0;
    }
    let found = shifted.iter().position(|word| *word == original[0]);
    found.map_or(0, |place| shared_start(original, &shifted[place..]))
}

/// How many words two lines share from their start.
pub(super) fn shared_start(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}
