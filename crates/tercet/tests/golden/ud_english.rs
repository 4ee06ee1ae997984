//! The tokenizer `ud-en` on the treebanks it follows: words from the texts of sentences, sentences from paragraphs.
//!
//! Words F1 is counted as in CoNLL 2018. A paragraph is the texts of its sentences (`# newpar`) with a space between
//! them, and sentences count as found if both of their ends are. The minima are the figures in the headers of
//! `text/ud_english`, rounded down.

use crate::treebanks::dependency_files;
use libtest_mimic::Trial;
use std::ops::Range;
use std::path::Path;
use tercet::corpora::read_bytes;
use tercet::parse::conllu::{Conllu, Sentence};
use tercet::parse::evaluation::{Matches, evaluate_text};
use tercet::text::{ud_english, ud_english_sentences};

/// The minimum F1 of words and sentences on a part of a treebank.
type Floors = [f64; 2];

pub fn trials(shared: &Path) -> Vec<Trial> {
    let (ewt, gum) = (shared.join("data/ud-ewt"), shared.join("data/gum"));
    let mut trials = Vec::new();
    if ewt.is_dir() {
        for (part, floors) in [("dev", [0.9935, 0.80]), ("test", [0.993, 0.79])] {
            let path = ewt.join(format!("en_ewt-ud-{part}.conllu"));
            trials.push(trial(format!("EWT {part}"), floors, move || {
                vec![Conllu::from_bytes(&path, &read_bytes(&path).unwrap()).unwrap()]
            }));
        }
    }
    if gum.is_dir() {
        trials.push(trial("GUM test".to_owned(), [0.9955, 0.94], move || {
            let splits = std::fs::read_to_string(gum.join("splits.md")).unwrap();
            let test = splits.split("## test\n").nth(1).unwrap().split("##").next().unwrap();
            let names: Vec<&str> = test.lines().map(|line| line.trim_matches([' ', '*'])).collect();
            let files = dependency_files(&gum).into_iter();
            files.filter(|(name, _)| names.contains(&name.as_str())).map(|(_, file)| file).collect()
        }));
    }
    trials
}

fn trial(name: String, floors: Floors, files: impl FnOnce() -> Vec<Conllu> + Send + 'static) -> Trial {
    Trial::test(format!("ud-english/{name}"), move || {
        let files = files();
        assert!(!files.is_empty());
        let (mut words, mut sentences) = (Matches::default(), Matches::default());
        for file in &files {
            words += words_of(file);
            sentences += sentences_of(file);
        }
        assert!(words.f1() >= floors[0], "words F1 is {:.4}", words.f1());
        assert!(sentences.f1() >= floors[1], "sentences F1 is {:.4}", sentences.f1());
        Ok(())
    })
}

/// Our words of each sentence's text, against its own.
fn words_of(gold: &Conllu) -> Matches {
    let mut words = Vec::new();
    let sentences = gold.sentences().iter().map(|sentence| {
        let text = sentence.text().unwrap();
        ud_english(text, &mut words);
        let mut cut = Sentence::from_text("_", text, &words);
        for word in 0..cut.len() {
            cut.set_head(word, Some(word)).unwrap();
        }
        cut
    });
    evaluate_text(gold, &Conllu::new(sentences.collect())).unwrap().words
}

/// Our sentences of each paragraph, against its own.
fn sentences_of(gold: &Conllu) -> Matches {
    let starts = |sentence: &Sentence| sentence.comments().any(|comment| comment.starts_with("# newpar"));
    let mut total = Matches::default();
    let mut texts: Vec<&str> = Vec::new();
    for sentence in gold.sentences() {
        if starts(sentence) {
            total += paragraph(&texts);
            texts.clear();
        }
        texts.push(sentence.text().unwrap());
    }
    total += paragraph(&texts);
    total
}

fn paragraph(texts: &[&str]) -> Matches {
    let mut at = 0;
    let gold: Vec<Range<usize>> = texts
        .iter()
        .map(|text| {
            let start = at;
            at += text.len() + 1;
            start..start + text.len()
        })
        .collect();
    let ours = ud_english_sentences(&texts.join(" "));
    Matches {
        gold: gold.len(),
        system: ours.len(),
        correct: ours
            .iter()
            .filter(|place| {
                gold.binary_search_by_key(&place.start, |place| place.start).is_ok_and(|i| gold[i].end == place.end)
            })
            .count(),
    }
}
