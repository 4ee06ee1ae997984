//! The embedded dependency parser on EWT's test set with gold words: as good as its card says, but for a tenth of a point,
//! since other vector instructions may give other last digits.

use libtest_mimic::Trial;
use std::path::Path;
use tercet::corpora::read_bytes;
use tercet::parse::conllu::Conllu;
use tercet::parse::dependency::{DependencyParser, OtherColumns};
use tercet::parse::evaluation::evaluate_words;

/// UPOS, XPOS, UAS, LAS and LAS full of CoNLL 2018, as `models/dependency-en.md` has them.
const CARD: [f64; 5] = [95.71, 94.96, 88.46, 85.83, 85.68];

/// What may be missing.
const ROOM: f64 = 0.1;

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
        let found = [scores.upos, scores.xpos, scores.uas, scores.las, scores.las_full]
            .map(|matches| 100.0 * matches.f1());
        assert!(
            found.iter().zip(CARD).all(|(found, card)| *found >= card - ROOM),
            "{found:?}, expected {CARD:?}"
        );
        Ok(())
    })]
}
