//! Two texts with differences in brackets: `The [baker] opens` beside `The [bakery] opens`.
//!
//! Words at white space, aligned by their longest common subsequence; words of either text outside it are marked, runs
//! of them in one pair of brackets. Texts without spaces, as Chinese or Japanese, are aligned by characters.

use crate::marked_text::Unit;
use tercet_text::visible;

/// The maximum size of an alignment: a few megabytes. Longer texts are marked between their common ends.
const CELLS: usize = 1 << 22;

/// Both texts, marked; lines may be broken between any two units.
pub(super) fn marked(a: &str, b: &str) -> [Vec<Unit>; 2] {
    let by_characters = !has_spaces(a) && !has_spaces(b);
    let (a, b) = (units(a, by_characters), units(b, by_characters));
    let common = common(&a, &b);
    [mark(&a, &common.0, by_characters), mark(&b, &common.1, by_characters)]
}

fn has_spaces(text: &str) -> bool {
    text.split_whitespace().nth(1).is_some()
}

/// Words or characters, those that would move a terminal's cursor replaced.
fn units(text: &str, by_characters: bool) -> Vec<String> {
    if by_characters {
        return visible(text.trim()).chars().map(String::from).collect();
    }
    text.split_whitespace().map(|word| visible(word).into_owned()).collect()
}

/// For each unit of both, whether it belongs to their longest common subsequence.
fn common(a: &[String], b: &[String]) -> (Vec<bool>, Vec<bool>) {
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let rest = a.len().min(b.len()) - start;
    let end = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let (inner_a, inner_b) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    let (mut in_a, mut in_b) = (vec![true; a.len()], vec![true; b.len()]);
    in_a[start..a.len() - end].fill(false);
    in_b[start..b.len() - end].fill(false);
    if inner_a.len().saturating_mul(inner_b.len()) <= CELLS {
        for (i, j) in subsequence(inner_a, inner_b) {
            (in_a[start + i], in_b[start + j]) = (true, true);
        }
    }
    (in_a, in_b)
}

/// The places of the longest common subsequence in both.
fn subsequence(a: &[String], b: &[String]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    // lengths[i][j]: of the subsequence of a[i..] and b[j..].
    let mut lengths = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            lengths[i * width + j] = if a[i] == b[j] {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut places) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            places.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    places
}

fn mark(units: &[String], common: &[bool], by_characters: bool) -> Vec<Unit> {
    let marked = |i: usize| common.get(i).is_some_and(|common| !common);
    let written = |(i, unit): (usize, &String)| {
        let open = if marked(i) && (i == 0 || !marked(i - 1)) { "[" } else { "" };
        let close = if marked(i) && !marked(i + 1) { "]" } else { "" };
        Unit { text: format!("{open}{unit}{close}"), is_marked: marked(i), starts: i == 0 || !by_characters }
    };
    units.iter().enumerate().map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(a: &str, b: &str) -> [String; 2] {
        marked(a, b).map(|units| {
            let space = |unit: &Unit| if unit.starts { " " } else { "" };
            units.iter().map(|unit| format!("{}{}", space(unit), unit.text)).collect::<String>().trim_start().to_owned()
        })
    }

    #[test]
    fn what_differs_stands_in_brackets() {
        assert_eq!(
            both("The baker opens already at five.", "The bakery at the corner opens at five."),
            ["The [baker] opens [already] at five.", "The [bakery at the corner] opens at five."]
        );
        assert_eq!(both("all other words", "nothing the same"), ["[all other words]", "[nothing the same]"]);
        assert_eq!(both("a b a b", "b a b a"), ["[a] b a b", "b a b [a]"]);
    }

    #[test]
    fn equal_texts_have_no_marks_and_an_empty_one_nothing_to_mark() {
        assert_eq!(both("the same", "the  same "), ["the same", "the same"]);
        assert_eq!(both("", "something here"), ["", "[something here]"]);
    }

    #[test]
    fn texts_without_spaces_are_compared_by_characters() {
        assert_eq!(both("今天下雨。", "今天下雪了。"), ["今天下[雨]。", "今天下[雪了]。"]);
    }

    #[test]
    fn nothing_moves_the_cursor() {
        assert_eq!(both("red \u{1b}[31m", "red\r\n"), ["red [\u{fffd}[31m]", "red"]);
    }

    #[test]
    fn what_is_too_long_to_align_is_marked_between_its_ends() {
        let long = |word: &str| format!("start {} end", vec![word; 3000].join(" x "));
        let [a, b] = both(&long("a"), &long("b"));
        assert!(a.starts_with("start [a x ") && a.ends_with(" a] end"), "{}", &a[..20]);
        assert!(b.starts_with("start [b x ") && b.ends_with(" b] end"));
    }
}
