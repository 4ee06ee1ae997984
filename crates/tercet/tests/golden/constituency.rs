//! The embedded constituency parser on the test part of GUM: within a tenth of a point of its model card, since
//! other vector instructions may change the last digits.

use libtest_mimic::Trial;
use std::path::Path;
use tercet::parse::constituency::{ConstituencyParser, TreebankEntry};
use tercet::parse::{Tree, TreeBuilder};

/// Precision, recall, F1, F1 decided and tags, as `models/parsers/constituency-en.md` has them.
const CARD: [f64; 5] = [83.23, 81.80, 82.51, 82.45, 95.02];

/// The same for words in capitals.
const CARD_IN_CAPITALS: [f64; 5] = [82.73, 81.19, 81.96, 81.88, 92.06];

/// The tolerance, in points.
const ROOM: f64 = 0.1;

/// The maximum number of sentences EVALB skips: the card's 15, or 17 in capitals, plus the tolerance.
const ERRORS: usize = 17;
const ERRORS_IN_CAPITALS: usize = 19;

pub fn trials(shared: &Path) -> Vec<Trial> {
    let data = shared.join("data");
    if !data.join("gum/const").is_dir() {
        return Vec::new();
    }
    let again = data.clone();
    vec![
        Trial::test("gum/const test, embedded constituency parser", move || {
            holds(&test_part(&data), CARD, ERRORS);
            Ok(())
        }),
        Trial::test("gum/const test in capitals, embedded constituency parser", move || {
            let capitals: Vec<Tree> = test_part(&again).iter().map(in_capitals).collect();
            holds(&capitals, CARD_IN_CAPITALS, ERRORS_IN_CAPITALS);
            Ok(())
        }),
    ]
}

fn test_part(data: &Path) -> Vec<Tree> {
    let test = TreebankEntry {
        folder: "gum/const".into(),
        split: Some("gum/splits.md".into()),
        part: Some("test".to_owned()),
        ..TreebankEntry::default()
    };
    let trees = test.read(data).unwrap().trees;
    assert_eq!(trees.len(), 1464);
    trees
}

fn in_capitals(tree: &Tree) -> Tree {
    let mut builder = TreeBuilder::new();
    copy_in_capitals(tree, 0, &mut builder);
    builder.finish().unwrap()
}

fn copy_in_capitals(tree: &Tree, index: usize, builder: &mut TreeBuilder) {
    let node = &tree.nodes()[index];
    match node.word() {
        Some(word) => builder.word(node.label(), &word.to_uppercase()),
        None => {
            builder.open(node.label());
            tree.children(index).for_each(|child| copy_in_capitals(tree, child, builder));
            builder.close();
        }
    }
}

fn holds(trees: &[Tree], card: [f64; 5], errors: usize) {
    let [counted, decided] = ConstituencyParser::english().evaluate(trees).unwrap();
    let brackets = &counted.brackets;
    let found =
        [brackets.precision(), brackets.recall(), brackets.f1(), decided.brackets.f1(), decided.tagging_accuracy()]
            .map(|share| 100.0 * share);
    assert!(found.iter().zip(card).all(|(found, card)| *found >= card - ROOM), "{found:?}, expected {card:?}");
    assert!(counted.errors <= errors && counted.skipped == 0, "{counted:?}");
}
