//! The embedded constituency parser on the test part of GUM: what its card says, with a little room.

use libtest_mimic::Trial;
use std::path::Path;
use tercet::parse::constituency::ConstituencyParser;
use tercet::parse::constituency::training::{TreebankEntry, score};

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
        let figures = (100.0 * counted.brackets.f1(), 100.0 * decided.brackets.f1());
        assert!(figures.0 >= 82.2 && figures.1 >= 82.2, "F1 {figures:?}");
        assert!(counted.errors <= 20 && counted.skipped == 0, "{counted:?}");
        assert!(100.0 * decided.tagging_accuracy() >= 94.5, "{decided:?}");
        Ok(())
    })]
}
