//! The embedded dependency parser on treebanks with gold words: as good as its card says.

use libtest_mimic::Trial;
use std::path::Path;
use tercet::corpora::read_bytes;
use tercet::parse::conllu::Conllu;
use tercet::parse::dependency::{DependencyParser, OtherColumns};
use tercet::parse::evaluation::evaluate_words;

/// UPOS, UAS and LAS of CoNLL 2018 on EWT's test set, at least.
const FLOOR: [f64; 3] = [95.0, 88.0, 85.0];

pub fn trials(shared: &Path) -> Vec<Trial> {
    let path = shared.join("data/ud-ewt/en_ewt-ud-test.conllu");
    if !path.is_file() {
        return Vec::new();
    }
    vec![Trial::test("dependency-en/ewt-test", move || {
        let gold = Conllu::from_bytes(&path, &read_bytes(&path).unwrap()).unwrap();
        let mut ours = gold.clone();
        DependencyParser::english().annotate(ours.sentences_mut(), OtherColumns::Kept).unwrap();
        let scores = evaluate_words(&gold, &ours).unwrap();
        let found = [scores.upos, scores.uas, scores.las].map(|matches| 100.0 * matches.f1());
        assert!(
            found.iter().zip(FLOOR).all(|(found, floor)| *found >= floor),
            "{found:?}, expected {FLOOR:?}"
        );
        Ok(())
    })]
}
