//! The stemmers of METEOR 1.5: 6,000 words of each language and their stems.

use crate::inputs::{files, name};
use libtest_mimic::Trial;
use std::fs;
use std::path::Path;
use tercet::text::Stemmer;

pub fn trials(shared: &Path) -> Vec<Trial> {
    let trial = |path: std::path::PathBuf| {
        Trial::test(name(&path), move || {
            check(&path);
            Ok(())
        })
    };
    files(shared, "meteor_stemmer", ".tsv").into_iter().map(trial).collect()
}

/// Every line is a word and its stem; the file is named after the language.
fn check(path: &Path) {
    let language = path.file_stem().unwrap().to_str().unwrap();
    let stemmer = Stemmer::for_language(language).unwrap();
    let text = fs::read_to_string(path).unwrap();
    let mut stem = String::new();
    let mut words = 0;
    for (word, expected) in
        text.lines().filter_map(|line| line.split_once('\t')).filter(|(word, _)| !word.starts_with("# "))
    {
        stem.clear();
        stemmer.stem(word, &mut stem);
        assert_eq!(stem, expected, "{word}");
        words += 1;
    }
    assert!(words >= 6000, "{words} words");
}
