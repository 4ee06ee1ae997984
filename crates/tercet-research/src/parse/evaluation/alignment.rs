//! Aligns the words of a system with gold words, when both split the same characters (CoNLL 2017 and 2018 shared
//! tasks, Zeman et al., K18-2001, section 3).
//!
//! Words outside multiword tokens correspond if they cover the same characters. From a multiword token up to the next
//! border that no multiword token crosses on either side, words correspond along a longest common subsequence of their
//! lowercased forms. If there are several, the one is taken that a scan from the left finds which pairs equal forms at
//! once and otherwise skips gold's word if the subsequence stays as long.

use super::flat_words::{FlatWord, Place};
use std::ops::Range;

/// Pairs of corresponding words, (gold, system), in order.
pub(super) fn align(gold: &[FlatWord<'_>], system: &[FlatWord<'_>]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let (mut g, mut s) = (0, 0);
    while let (Some(ours), Some(theirs)) = (gold.get(g), system.get(s)) {
        if ours.in_multiword || theirs.in_multiword {
            let (gold_part, system_part) = multiword_stretch(gold, system, g, s);
            (g, s) = (gold_part.end, system_part.end);
            align_by_forms(gold, system, gold_part, system_part, &mut pairs);
        } else if ours.place == theirs.place {
            pairs.push((g, s));
            (g, s) = (g + 1, s + 1);
        } else if ours.place.start <= theirs.place.start {
            g += 1;
        } else {
            s += 1;
        }
    }
    pairs
}

/// How many character ranges two sorted lists have in common.
pub(super) fn same_places(gold: &[Place], system: &[Place]) -> usize {
    let (mut g, mut s, mut same) = (0, 0, 0);
    while let (Some(ours), Some(theirs)) = (gold.get(g), system.get(s)) {
        same += usize::from(ours == theirs);
        g += usize::from(ours.start <= theirs.start);
        s += usize::from(theirs.start <= ours.start);
    }
    same
}

/// The words from here to the next border that no multiword token crosses on either side.
fn multiword_stretch(
    gold: &[FlatWord<'_>],
    system: &[FlatWord<'_>],
    mut g: usize,
    mut s: usize,
) -> (Range<usize>, Range<usize>) {
    let mut end;
    // A plain word that began before the multiword token on the other side cannot correspond to any of its words.
    if gold[g].in_multiword {
        end = gold[g].place.end;
        s += usize::from(!system[s].in_multiword && system[s].place.start < gold[g].place.start);
    } else {
        end = system[s].place.end;
        g += usize::from(gold[g].place.start < system[s].place.start);
    }
    let (first_g, first_s) = (g, s);
    while !is_past(gold.get(g), end) || !is_past(system.get(s), end) {
        let gold_is_next = match (gold.get(g), system.get(s)) {
            (Some(ours), Some(theirs)) => ours.place.start <= theirs.place.start,
            (ours, _) => ours.is_some(),
        };
        let word = if gold_is_next { &gold[g] } else { &system[s] };
        if word.in_multiword {
            end = end.max(word.place.end);
        }
        g += usize::from(gold_is_next);
        s += usize::from(!gold_is_next);
    }
    (first_g..g, first_s..s)
}

fn is_past(word: Option<&FlatWord<'_>>, end: usize) -> bool {
    word.is_none_or(|word| if word.in_multiword { word.place.start >= end } else { word.place.end > end })
}

fn align_by_forms(
    gold: &[FlatWord<'_>],
    system: &[FlatWord<'_>],
    gold_part: Range<usize>,
    system_part: Range<usize>,
    pairs: &mut Vec<(usize, usize)>,
) {
    let (ours, theirs) = (&gold[gold_part.clone()], &system[system_part.clone()]);
    let longest = common_lengths(ours, theirs);
    let width = theirs.len() + 1;
    let (mut g, mut s) = (0, 0);
    while g < ours.len() && s < theirs.len() {
        if ours[g].form == theirs[s].form {
            pairs.push((gold_part.start + g, system_part.start + s));
            (g, s) = (g + 1, s + 1);
        } else if longest[g * width + s] == longest[(g + 1) * width + s] {
            g += 1;
        } else {
            s += 1;
        }
    }
}

/// The length of the longest common subsequence of the words from each pair on; rows are gold's words.
fn common_lengths(gold: &[FlatWord<'_>], system: &[FlatWord<'_>]) -> Vec<u32> {
    let width = system.len() + 1;
    let mut longest = vec![0; (gold.len() + 1) * width];
    for g in (0..gold.len()).rev() {
        for s in (0..system.len()).rev() {
            let same = gold[g].form == system[s].form;
            let both = longest[(g + 1) * width + s + 1] + u32::from(same);
            longest[g * width + s] = both.max(longest[(g + 1) * width + s]).max(longest[g * width + s + 1]);
        }
    }
    longest
}
