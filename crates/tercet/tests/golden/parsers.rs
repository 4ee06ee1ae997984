//! The embedded dependency parser on EWT's test set with gold words: within a tenth of a point of its model card,
//! since other vector instructions may change the last digits.

use libtest_mimic::Trial;
use std::path::Path;
use tercet::corpora::read_bytes;
use tercet::parse::conllu::{Conllu, ConlluColumn};
use tercet::parse::dependency::{DependencyParser, OtherColumns};
use tercet::parse::evaluation::evaluate_words;

/// UPOS, XPOS, UAS, LAS and LAS full of CoNLL 2018, as `models/parsers/dependency-en.md` has them.
const CARD: [f64; 5] = [95.70, 94.97, 88.47, 85.84, 85.69];

/// The same for words in capitals.
const CARD_IN_CAPITALS: [f64; 5] = [94.41, 93.65, 88.16, 85.43, 85.28];

/// The tolerance, in points.
const ROOM: f64 = 0.1;

pub fn trials(shared: &Path) -> Vec<Trial> {
    let path = shared.join("data/ud-ewt/en_ewt-ud-test.conllu");
    if !path.is_file() {
        return Vec::new();
    }
    let capitals = path.clone();
    vec![
        Trial::test("dependency-en/ewt-test", move || {
            holds(&read(&path), CARD);
            Ok(())
        }),
        Trial::test("dependency-en/ewt-test in capitals", move || {
            holds(&in_capitals(read(&capitals)), CARD_IN_CAPITALS);
            Ok(())
        }),
    ]
}

fn read(path: &Path) -> Conllu {
    Conllu::from_bytes(path, &read_bytes(path).unwrap()).unwrap()
}

fn in_capitals(mut treebank: Conllu) -> Conllu {
    for sentence in treebank.sentences_mut() {
        let forms: Vec<String> = sentence.words().map(|word| word.form().to_uppercase()).collect();
        for (word, form) in forms.iter().enumerate() {
            sentence.set(word, ConlluColumn::Form, form).unwrap();
        }
    }
    treebank
}

fn holds(gold: &Conllu, card: [f64; 5]) {
    let mut ours = gold.clone();
    DependencyParser::english().annotate(ours.sentences_mut(), OtherColumns::Kept).unwrap();
    let scores = evaluate_words(gold, &ours).unwrap();
    let found = [scores.upos, scores.xpos, scores.uas, scores.las, scores.las_full].map(|matches| 100.0 * matches.f1());
    assert!(found.iter().zip(card).all(|(found, card)| *found >= card - ROOM), "{found:?}, expected {card:?}");
}
