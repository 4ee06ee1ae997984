//! A dependency tree on a terminal: one line per word in the order of the sentence, arcs on the left.
//!
//! ```text
//!   ╭─ The  DET    det
//! ╭─┴─ cat  NOUN   nsubj
//! ┼─── sat  VERB   root
//! │ ╭─ on   ADP    case
//! │ ├─ the  DET    det
//! ╰─┴─ mat  NOUN   obl
//! ```
//!
//! A word with children has a vertical line in a lane to the right of its head's lane; its children branch off to the
//! right. Lines that would overlap get different lanes, so that crossing arcs stay readable: where a horizontal line
//! crosses an unrelated vertical line, the vertical line is drawn through.

use super::dependency_tree::DependencyTree;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// Draws a tree with the words and their tags, one line per word. Columns are aligned for characters of any width; tabs
/// and line ends within a word are shown as spaces. `words` and `tags` have one entry per word of the tree.
pub fn draw(tree: &DependencyTree, words: &[&str], tags: &[&str]) -> String {
    let arcs = arcs(tree);
    let words: Vec<String> = words.iter().map(|word| word.replace(['\t', '\n', '\r'], " ")).collect();
    let width = |texts: &mut dyn Iterator<Item = &str>| texts.map(UnicodeWidthStr::width).max().unwrap_or(0);
    let word_width = width(&mut words.iter().map(String::as_str));
    let tag_width = width(&mut tags.iter().copied());
    let mut text = String::new();
    for (i, arc) in arcs.iter().enumerate() {
        let word = padded(&words[i], word_width);
        let tag = padded(tags[i], tag_width);
        writeln!(text, "{arc} {word}  {tag}  {}", tree.label(i)).expect("a string takes all");
    }
    text
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width - text.width()))
}

/// The vertical line of a word with children: the rows from its first child to its last, the word included.
#[derive(Clone, Copy)]
struct VerticalLine {
    first: usize,
    last: usize,
    lane: usize,
}

/// The arcs to the left of each word.
fn arcs(tree: &DependencyTree) -> Vec<String> {
    let verticals = verticals(tree);
    let lanes = verticals.iter().flatten().map(|vertical| vertical.lane + 1).max().unwrap_or(1);
    (0..tree.len())
        .map(|row| {
            // Lanes are the even columns; a last dash leads to the word.
            let mut cells = vec![' '; 2 * lanes];
            let from = tree.head(row).checked_sub(1).and_then(|head| verticals[head]);
            let start = from.map_or(0, |head| 2 * head.lane);
            cells[start..].fill('─');
            for vertical in
                verticals.iter().flatten().filter(|vertical| (vertical.first..=vertical.last).contains(&row))
            {
                cells[2 * vertical.lane] = '│';
            }
            if let Some(head) = from {
                cells[start] = corner(row, head);
            }
            if let Some(own) = verticals[row] {
                cells[2 * own.lane] = junction(row, own);
            }
            cells.into_iter().collect()
        })
        .collect()
}

/// The character where the line to a word leaves the vertical line of its head.
fn corner(row: usize, head: VerticalLine) -> char {
    match (row == head.first, row == head.last) {
        (true, _) => '╭',
        (_, true) => '╰',
        _ => '├',
    }
}

/// The character where a word meets its own vertical line.
fn junction(row: usize, own: VerticalLine) -> char {
    match (own.first < row, row < own.last) {
        (true, true) => '┼',
        (true, false) => '┴',
        _ => '┬',
    }
}

/// The vertical lines, from the root downwards, each in the first free lane to the right of its head's.
fn verticals(tree: &DependencyTree) -> Vec<Option<VerticalLine>> {
    let mut verticals: Vec<Option<VerticalLine>> = vec![None; tree.len()];
    let mut taken: Vec<Vec<(usize, usize)>> = Vec::new();
    for word in tree.top_down() {
        let children = tree.children(word);
        let (Some(&first), Some(&last)) = (children.first(), children.last()) else { continue };
        let (first, last) = (first.min(word), last.max(word));
        let head = tree.head(word).checked_sub(1).and_then(|head| verticals[head]);
        let mut lane = head.map_or(0, |head| head.lane + 1);
        let overlaps = |&(a, b): &(usize, usize)| a <= last && first <= b;
        while taken.get(lane).is_some_and(|rows| rows.iter().any(overlaps)) {
            lane += 1;
        }
        taken.resize_with(taken.len().max(lane + 1), Vec::new);
        taken[lane].push((first, last));
        verticals[word] = Some(VerticalLine { first, last, lane });
    }
    verticals
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(heads: &[usize], words: &[&str], tags: &[&str]) -> String {
        let labels = heads.iter().map(|&head| if head == 0 { "root" } else { "dep" }.to_owned()).collect();
        draw(&DependencyTree::new(heads.to_vec(), labels).unwrap(), words, tags)
    }

    #[test]
    fn words_stay_in_order_and_are_connected_to_their_heads() {
        let words = ["The", "cat", "sat", "on", "the", "mat", "."];
        let tags = ["DET", "NOUN", "VERB", "ADP", "DET", "NOUN", "PUNCT"];
        let lines = [
            "  ╭─ The  DET    dep",
            "╭─┴─ cat  NOUN   dep",
            "┼─── sat  VERB   root",
            "│ ╭─ on   ADP    dep",
            "│ ├─ the  DET    dep",
            "├─┴─ mat  NOUN   dep",
            "╰─── .    PUNCT  dep",
        ];
        assert_eq!(drawn(&[2, 3, 0, 6, 6, 3, 3], &words, &tags).lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn arcs_that_cross_have_lanes_of_their_own() {
        let lines = [
            "  ╭─── A        x  dep",
            "╭─┼─── hearing  x  dep",
            "┼─│─── is       x  root",
            "╰─│─┬─ set      x  dep",
            "  ╰─│─ on       x  dep",
            "    ╰─ today    x  dep",
        ];
        let words = ["A", "hearing", "is", "set", "on", "today"];
        assert_eq!(drawn(&[2, 3, 0, 3, 2, 4], &words, &["x"; 6]).lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn one_word_and_wide_words_are_aligned() {
        assert_eq!(drawn(&[0], &["hi"], &["X"]), "── hi  X  root\n");
        assert_eq!(drawn(&[0, 1], &["你好", "a\tb"], &["X", "YY"]), "┬─ 你好  X   root\n╰─ a b   YY  dep\n");
        assert_eq!(drawn(&[], &[], &[]), "");
    }
}
