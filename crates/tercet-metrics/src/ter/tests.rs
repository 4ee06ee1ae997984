use super::Limits;
use super::reference::Reference;
use super::search::{Edits, Search};
use crate::{Direction, Registry, Resampled, Segment, Tally};
use proptest::prelude::*;
use std::time::{Duration, Instant};

const LIMITS: Limits = Limits { beam: 25, shift_distance: 50, shift_size: 10, candidates: 1000 };

fn tally(metric: &str, hypothesis: &str, references: &[&str]) -> Tally {
    let metric = Registry::lexical().build(metric).unwrap();
    metric.tally(&[Segment::new(hypothesis, references)]).unwrap().remove(0)
}

fn score(metric: &str, hypothesis: &str, references: &[&str]) -> f64 {
    Registry::lexical().build(metric).unwrap().score(&tally(metric, hypothesis, references))
}

#[test]
fn identical_text_scores_zero_and_case_does_not_matter_unless_asked_for() {
    assert_eq!(score("ter", "The cat sat.", &["the CAT sat."]), 0.0);
    assert!(score("ter:case_sensitive=yes", "The cat sat.", &["the CAT sat."]) > 60.0);
    assert_eq!(Registry::lexical().build("ter").unwrap().direction(), Direction::LowerIsBetter);
}

#[test]
fn nothing_against_something_takes_as_many_edits_as_there_are_words() {
    assert_eq!(tally("ter", "", &["a b c"])[..4], [3.0, 3.0, 0.0, 3.0]);
    assert_eq!(tally("ter", "a b c", &[""])[..4], [3.0, 0.0, 3.0, 0.0]);
    assert_eq!(score("ter", "a b c", &[" "]), 100.0);
    assert_eq!(score("ter", " ", &[""]), 0.0);
    assert_eq!(score("ter", "a", &[]), 0.0);
}

#[test]
fn a_block_moves_at_the_cost_of_one_edit() {
    let counts = tally("ter", "d e a b c", &["a b c d e"]);
    assert_eq!(counts[..], [1.0, 5.0, 0.0, 0.0, 0.0, 1.0, 2.0]);
    assert_eq!(tally("ter:shift_size=0", "d e a b c", &["a b c d e"])[0], 4.0);
    assert_eq!(tally("ter:shift_size=1", "d e a b c", &["a b c d e"])[5], 2.0);
    assert_eq!(tally("ter:shift_distance=1", "d e a b c", &["a b c d e"])[5], 0.0);
}

#[test]
fn kinds_are_named_as_by_tercom() {
    let names = |hypothesis| {
        let metric = Registry::lexical().build("ter").unwrap();
        let parts = metric.components(&tally("ter", hypothesis, &["a b c d"]));
        let present = parts.into_iter().filter(|part| part.value > 0.0);
        present.map(|part| part.name).collect::<Vec<_>>()
    };
    assert_eq!(names("a b x c d"), ["edits", "ref_len", "insertions"]);
    assert_eq!(names("a b d"), ["edits", "ref_len", "deletions"]);
    assert_eq!(names("a x c d"), ["edits", "ref_len", "substitutions"]);
    assert_eq!(names("d a b c"), ["edits", "ref_len", "shifts", "shifted_words"]);
}

#[test]
fn the_reference_with_fewest_edits_counts_and_lengths_are_averaged() {
    let counts = tally("ter", "a b c", &["x y z u", "a b d", "a b"]);
    assert_eq!(counts[..2], [1.0, 3.0]);
    assert_eq!(counts[2..5], [0.0, 0.0, 1.0]); // of two references one edit away, the first
}

#[test]
fn references_are_normalized_twice() {
    // Counted so by sacreBLEU 2.6.0: the reference has `tom` and `'s`, the hypothesis `tom's`.
    assert_eq!(tally("ter:normalized=yes", "at Tom's.", &["at Tom's."])[..2], [2.0, 4.0]);
}

#[test]
fn the_signature_builds_the_metric_again() {
    let signature = Registry::lexical().build("ter:normalized=yes,beam=20").unwrap().signature().to_string();
    assert!(
        signature.starts_with("ter:normalized=yes,no_punct=no,asian_support=no,case_sensitive=no,beam=20,"),
        "{signature}"
    );
    assert_eq!(Registry::lexical().build(&signature).unwrap().signature().to_string(), signature);
}

#[test]
fn resamples_are_scored_in_single_precision_unless_there_is_nothing_to_divide_by() {
    let metric = Registry::lexical().build("ter").unwrap();
    let single = |edits, length| metric.sacrebleu().unwrap().score_single(&[edits, length, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(single(1.0, 3.0), Some(Resampled::Single(100.0 * (1.0f32 / 3.0))));
    assert_eq!(single(1.0, 0.0), Some(Resampled::Double(100.0)));
    assert_eq!(single(0.0, 0.0), Some(Resampled::Double(0.0)));
}

#[test]
fn very_long_lines_end_in_bounded_time() {
    let start = Instant::now();
    let same = "a ".repeat(5000);
    let mixed: String = (0..5000).map(|i| format!("w{} ", i * 7919 % 61)).collect();
    let other: String = (0..5000).map(|i| format!("w{} ", i * 104_729 % 67)).collect();
    let letters = "x".repeat(5000);
    for (hypothesis, reference) in [(&same, &mixed), (&mixed, &other), (&same, &letters), (&letters, &mixed)] {
        assert!(tally("ter", hypothesis, &[reference])[0] > 0.0);
    }
    assert!(start.elapsed() < Duration::from_secs(60));
}

fn edits(hypothesis: &[u32], reference: &[u32], limits: &Limits) -> Edits {
    let mut indexed = Reference::default();
    indexed.words.extend_from_slice(reference);
    indexed.index(VOCABULARY as usize);
    Search::default().edits(hypothesis, &indexed, limits)
}

const VOCABULARY: u32 = 12;

/// The definition, computed in full each time: the same limits, none of the shortcuts.
mod plain {
    use super::Edits;
    use crate::ter::Limits;

    const FAR: u32 = 1_000_000;

    /// Distance and steps: `=` match, `s` substitution, `i` extra word, `d` missing word.
    fn distance(hypothesis: &[u32], reference: &[u32], beam: usize) -> (u32, Vec<char>) {
        let (n, m) = (hypothesis.len(), reference.len());
        let ratio = if n == 0 { 1.0 } else { m as f64 / n as f64 };
        let beam = if (beam as f64) < ratio / 2.0 { (ratio / 2.0 + beam as f64).ceil() as usize } else { beam };
        let mut table = vec![vec![(FAR, '?'); m + 1]; n + 1];
        for (j, cell) in table[0].iter_mut().enumerate() {
            *cell = (j as u32, 'd');
        }
        for i in 1..=n {
            let diagonal = (i as f64 * ratio).floor() as usize;
            let end = if i == n { m + 1 } else { (m + 1).min(diagonal + beam) };
            for j in diagonal.saturating_sub(beam)..end {
                let mut ways = vec![(table[i - 1][j].0 + 1, 'i')];
                if j > 0 {
                    let equal = hypothesis[i - 1] == reference[j - 1];
                    let kind = if equal { '=' } else { 's' };
                    ways.insert(0, (table[i - 1][j - 1].0 + u32::from(!equal), kind));
                    ways.push((table[i][j - 1].0 + 1, 'd'));
                }
                table[i][j] = ways.into_iter().min_by_key(|way| way.0).unwrap();
            }
        }
        let (mut i, mut j, mut steps) = (n, m, Vec::new());
        while i > 0 || j > 0 {
            let kind = table[i][j].1;
            steps.insert(0, kind);
            i -= usize::from(kind != 'd');
            j -= usize::from(kind != 'i');
        }
        (table[n][m].0, steps)
    }

    fn moved(words: &[u32], start: usize, length: usize, target: usize) -> Vec<u32> {
        let block = &words[start..start + length];
        let rest: Vec<u32> = [&words[..start], &words[start + length..]].concat();
        let at = if target < start {
            target
        } else if target > start + length {
            target - length
        } else {
            target.min(rest.len())
        };
        [&rest[..at], block, &rest[at..]].concat()
    }

    pub(super) fn edits(hypothesis: &[u32], reference: &[u32], limits: &Limits) -> Edits {
        let mut words = hypothesis.to_vec();
        let (mut tried, mut result) = (0, Edits::default());
        loop {
            let (before, steps) = distance(&words, reference, limits.beam);
            let best = best_shift(&words, reference, before, &steps, limits, &mut tried);
            match best {
                Some(((saved, length, ..), shifted)) if saved > 0 && tried < limits.candidates => {
                    result.shifts += 1;
                    result.shifted_words += length;
                    words = shifted;
                }
                _ => {
                    let count = |kind| steps.iter().filter(|&&step| step == kind).count() as u32;
                    (result.insertions, result.deletions) = (count('i'), count('d'));
                    result.substitutions = count('s');
                    return result;
                }
            }
        }
    }

    type Ranked = ((i64, u32, i64, i64), Vec<u32>);

    fn best_shift(
        words: &[u32],
        reference: &[u32],
        before: u32,
        steps: &[char],
        limits: &Limits,
        tried: &mut usize,
    ) -> Option<Ranked> {
        let (mut aligned, mut wrong_hypothesis, mut wrong_reference) = (vec![], vec![], vec![]);
        for &step in steps {
            if step != 'd' {
                wrong_hypothesis.push(step != '=');
            }
            if step != 'i' {
                wrong_reference.push(step != '=');
                aligned.push(wrong_hypothesis.len() as i64 - 1);
            }
        }
        let mut best: Option<Ranked> = None;
        for start in 0..words.len() {
            for position in 0..reference.len() {
                if start.abs_diff(position) > limits.shift_distance {
                    continue;
                }
                for length in 1..=limits.shift_size {
                    let (end, end_there) = (start + length, position + length);
                    if end > words.len()
                        || end_there > reference.len()
                        || words[start..end] != reference[position..end_there]
                    {
                        break;
                    }
                    let is_there = (start as i64..end as i64).contains(&aligned[position]);
                    if is_there
                        || !wrong_hypothesis[start..end].contains(&true)
                        || !wrong_reference[position..end_there].contains(&true)
                    {
                        continue;
                    }
                    let mut previous = -1;
                    for place in position as i64 - 1..end_there as i64 {
                        let target = if place < 0 { 0 } else { aligned[place as usize] + 1 };
                        if target == previous {
                            continue;
                        }
                        previous = target;
                        let shifted = moved(words, start, length, target as usize);
                        let after = distance(&shifted, reference, limits.beam).0;
                        let saved = i64::from(before) - i64::from(after);
                        let rank = (saved, length as u32, -(start as i64), -target);
                        *tried += 1;
                        if best.as_ref().is_none_or(|best| rank > best.0) {
                            best = Some((rank, shifted));
                        }
                    }
                    if *tried >= limits.candidates {
                        return best;
                    }
                }
            }
        }
        best
    }
}

/// A reference, and a hypothesis that is often a rearrangement of it; some of its words are in no reference.
fn pair(longest: usize) -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
    let words = move || (1..VOCABULARY).prop_flat_map(move |kinds| prop::collection::vec(0..kinds, 0..longest));
    let moves = prop::collection::vec((any::<u16>(), any::<u16>(), any::<u16>()), 0..4);
    (words(), words(), moves, any::<bool>()).prop_map(|(reference, other, moves, rearranged)| {
        let mut hypothesis = if rearranged { reference.clone() } else { other };
        for (from, to, word) in moves {
            let length = hypothesis.len();
            if length > 0 {
                let (a, b) = (usize::from(from) % length, usize::from(to) % length);
                hypothesis[a.min(b)..=a.max(b)].rotate_left(usize::from(word) % (a.abs_diff(b) + 1));
                hypothesis[a] = u32::from(word) % (VOCABULARY + 1);
            }
        }
        (hypothesis, reference)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn shortcuts_change_nothing((hypothesis, reference) in pair(30)) {
        prop_assert_eq!(edits(&hypothesis, &reference, &LIMITS), plain::edits(&hypothesis, &reference, &LIMITS));
    }

    #[test]
    fn limits_are_those_of_the_definition(
        (hypothesis, reference) in pair(30),
        beam in 1usize..8,
        shift_distance in 0usize..20,
        shift_size in 0usize..6,
        candidates in 1usize..60,
    ) {
        let limits = Limits { beam, shift_distance, shift_size, candidates };
        prop_assert_eq!(edits(&hypothesis, &reference, &limits), plain::edits(&hypothesis, &reference, &limits));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn references_of_any_length_are_treated_alike((hypothesis, reference) in pair(150), beam in 4usize..25) {
        let limits = Limits { beam, candidates: 60, ..LIMITS };
        prop_assert_eq!(edits(&hypothesis, &reference, &limits), plain::edits(&hypothesis, &reference, &limits));
    }
}

#[test]
fn sums_in_order_are_rounded_after_each_segment() {
    // sacreBLEU adds mean reference lengths one by one: 0.1 + 0.2 + 0.3 is not 0.6 there.
    let tallies: Vec<Tally> = [0.1, 0.2, 0.3].map(|length| Tally::new(vec![1.0, length])).to_vec();
    assert_eq!(Tally::sum_in_order(&tallies)[..], [3.0, 0.1 + 0.2 + 0.3]);
    assert_eq!(Tally::sum(&tallies)[..], [3.0, 0.6]);
}
