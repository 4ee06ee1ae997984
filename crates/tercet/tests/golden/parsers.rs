//! The embedded dependency parser on treebanks with gold words: as good as its card says.

use libtest_mimic::Trial;
use std::path::Path;
use tercet::corpora::read_bytes;
use tercet::parse::conllu::Conllu;
use tercet::parse::dependency::{DependencyParser, OtherColumns};
use tercet::parse::evaluation::evaluate_words;

/// Points by which the test set may be harder than the development set, of which the card has the figures.
const HARDER: f64 = 1.5;

pub fn trials(shared: &Path) -> Vec<Trial> {
    let path = shared.join("data/ud-ewt/en_ewt-ud-test.conllu");
    if !path.is_file() {
        return Vec::new();
    }
    vec![Trial::test("dependency-en/ewt-test", move || {
        let gold = Conllu::from_bytes(&path, &read_bytes(&path).unwrap()).unwrap();
        let mut ours = gold.clone();
        let parser = DependencyParser::english();
        parser.annotate(ours.sentences_mut(), OtherColumns::Kept).unwrap();
        let scores = evaluate_words(&gold, &ours).unwrap();
        for (name, matches) in [("upos", scores.upos), ("uas", scores.uas), ("las", scores.las)] {
            let found = 100.0 * matches.f1();
            let card = parser.about().iter().find(|(key, _)| *key == format!("development_{name}"));
            let card: f64 = card.expect("its card has figures").1.parse().unwrap();
            assert!(found >= card - HARDER, "{name} of {found:.2}, but {card} on the development set");
        }
        Ok(())
    })]
}
