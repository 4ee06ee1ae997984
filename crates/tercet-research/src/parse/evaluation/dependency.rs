//! UPOS, UAS and LAS.
//!
//! A word is correct for **UPOS** if its tag equals gold's, for **UAS** if its head does, for **LAS** if its head and
//! its relation do. Every word counts, punctuation too, as is usual for UD.
//!
//! # Choices
//! Relations have subtypes, `nmod:poss`. `las` compares the universal part only, as CoNLL 2018 did and as papers on UD
//! report; `las_full` compares all of `nmod:poss` and is never higher. Empty nodes are left out. If the system has
//! split the words itself, its head is correct if it is aligned with gold's head (`alignment`), and the score is F1;
//! with gold words, F1, precision, recall and accuracy are equal.
//!
//! # Agreement
//! Counts equal those of `conll18_ud_eval.py` 1.2 on the sentences of `tests.rs`, and on 600 sentences of EWT's test
//! set in 25 versions with randomly changed heads, tags, relations, words, sentences and multiword tokens. The script
//! rejects a file without a last empty line and an empty node inside a multiword token; we accept them. Both reject a
//! sentence without a root or with several.

use super::Matches;
use super::flat_words::{FlatText, FlatWord, Place, align, same_places};
use crate::error::{Error, Result};
use crate::parse::conllu::Conllu;

/// The counts of the CoNLL 2018 script, without those of features and lemmas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DependencyScores {
    /// Tokens, multiword ones as one.
    pub tokens: Matches,
    /// Sentences.
    pub sentences: Matches,
    /// Words.
    pub words: Matches,
    /// Universal parts of speech.
    pub upos: Matches,
    /// Parts of speech of the treebank.
    pub xpos: Matches,
    /// Heads.
    pub uas: Matches,
    /// Heads with the universal part of relations: the LAS of CoNLL 2018.
    pub las: Matches,
    /// Heads with whole relations.
    pub las_full: Matches,
}

tercet_base::add_fields!(DependencyScores { tokens, sentences, words, upos, xpos, uas, las, las_full });

/// The universal part of a relation: `nmod` of `nmod:poss`.
fn universal_relation(label: &str) -> &str {
    label.split(':').next().unwrap_or(label)
}

/// Scores of a system that has split the text into words itself; the characters must be the same.
pub fn evaluate_text(gold: &Conllu, system: &Conllu) -> Result<DependencyScores> {
    let (ours, theirs) = (FlatText::new(gold)?, FlatText::new(system)?);
    check_characters(&ours, &theirs, gold, system)?;
    let pairs = align(&ours.words, &theirs.words);
    let mut gold_of = vec![None; theirs.words.len()];
    for &(gold, system) in &pairs {
        gold_of[system] = Some(gold);
    }
    let same_head = |gold: &FlatWord<'_>, system: &FlatWord<'_>| match (gold.head, system.head) {
        (None, None) => true,
        (Some(head), Some(theirs)) => gold_of[theirs] == Some(head),
        _ => false,
    };
    let count = |same: &dyn Fn(&FlatWord<'_>, &FlatWord<'_>) -> bool| Matches {
        gold: ours.words.len(),
        system: theirs.words.len(),
        correct: pairs.iter().filter(|&&(g, s)| same(&ours.words[g], &theirs.words[s])).count(),
    };
    let same_relation =
        |a: &FlatWord<'_>, b: &FlatWord<'_>| universal_relation(a.row.deprel()) == universal_relation(b.row.deprel());
    Ok(DependencyScores {
        tokens: same_stretches(&places(&ours), &places(&theirs)),
        sentences: same_stretches(&ours.sentences, &theirs.sentences),
        words: count(&|_, _| true),
        upos: count(&|a, b| a.row.upos() == b.row.upos()),
        xpos: count(&|a, b| a.row.xpos() == b.row.xpos()),
        uas: count(&|a, b| same_head(a, b)),
        las: count(&|a, b| same_head(a, b) && same_relation(a, b)),
        las_full: count(&|a, b| same_head(a, b) && a.row.deprel() == b.row.deprel()),
    })
}

/// Scores of a system that was given gold words; an error if sentences or words differ.
pub fn evaluate_words(gold: &Conllu, system: &Conllu) -> Result<DependencyScores> {
    let (ours, theirs) = (gold.sentences(), system.sentences());
    if ours.len() != theirs.len() {
        return Err(Error::Unusable(format!(
            "{} has {} sentences, {} has {}: with gold words, sentences must be the same",
            gold.path().display(),
            ours.len(),
            system.path().display(),
            theirs.len()
        )));
    }
    for (a, b) in ours.iter().zip(theirs) {
        let other = a.words().map(|word| word.form()).zip(b.words()).find(|(form, word)| *form != word.form());
        let (line, what) = match other {
            Some((form, word)) => (word.line, format!("the word is `{}`, gold's is `{form}`", word.form())),
            None if a.len() != b.len() => {
                (b.word(0).line, format!("the sentence has {} words, gold's has {}", b.len(), a.len()))
            }
            None => continue,
        };
        return Err(Error::BadLine { path: system.path().to_owned(), line, what });
    }
    evaluate_text(gold, system)
}

fn places(text: &FlatText<'_>) -> Vec<Place> {
    text.tokens.iter().map(|&(place, _)| place).collect()
}

fn same_stretches(gold: &[Place], system: &[Place]) -> Matches {
    Matches { gold: gold.len(), system: system.len(), correct: same_places(gold, system) }
}

fn check_characters(ours: &FlatText<'_>, theirs: &FlatText<'_>, gold: &Conllu, system: &Conllu) -> Result<()> {
    if ours.characters == theirs.characters {
        return Ok(());
    }
    let same = ours.characters.iter().zip(&theirs.characters).take_while(|(a, b)| a == b).count();
    let shown = |text: &FlatText<'_>| text.characters[same..].iter().take(20).collect::<String>();
    let line_of = |text: &FlatText<'_>| {
        let token = text.tokens.iter().find(|(place, _)| place.end > same).or(text.tokens.last());
        token.map_or(0, |(_, row)| row.line)
    };
    let what = format!(
        "the text continues with `{}`, but in {}:{} with `{}`: both files must have the same characters",
        shown(theirs),
        gold.path().display(),
        line_of(ours),
        shown(ours)
    );
    Err(Error::BadLine { path: system.path().to_owned(), line: line_of(theirs), what })
}
