//! The embedded constituency parser on the test part of GUM: as good as its card says, but for a tenth of a point, since
//! other vector instructions may give other last digits.

use libtest_mimic::Trial;
use std::path::Path;
use tercet::parse::constituency::ConstituencyParser;
use tercet::parse::constituency::training::{TreebankEntry, score};

/// Precision, recall, F1, F1 decided and tags, as `models/constituency-en.md` has them.
const CARD: [f64; 5] = [83.24, 81.79, 82.51, 82.45, 95.01];

/// What may be missing.
const ROOM: f64 = 0.1;

/// Sentences EVALB leaves out, at most: the card's 15 and as many as a tenth of a point may mean.
const ERRORS: usize = 17;

pub fn trials(shared: &Path) -> Vec<Trial> {
    let data = shared.join("data");
    if !data.join("gum/const").is_dir() {
        return Vec::new();
    }
    vec![Trial::test("gum/const test, embedded constituency parser", move || {
        let test = TreebankEntry {
            folder: "gum/const".into(),
            split: Some("gum/splits.md".into()),
            part: Some("test".to_owned()),
            ..TreebankEntry::default()
        };
        let trees = test.read(&data).unwrap();
        assert_eq!(trees.len(), 1464);
        let [counted, decided] = score(ConstituencyParser::english(), &trees).unwrap();
        let brackets = &counted.brackets;
        let found = [
            brackets.precision(),
            brackets.recall(),
            brackets.f1(),
            decided.brackets.f1(),
            decided.tagging_accuracy(),
        ]
        .map(|share| 100.0 * share);
        assert!(
            found.iter().zip(CARD).all(|(found, card)| *found >= card - ROOM),
            "{found:?}, expected {CARD:?}"
        );
        assert!(counted.errors <= ERRORS && counted.skipped == 0, "{counted:?}");
        Ok(())
    })]
}
