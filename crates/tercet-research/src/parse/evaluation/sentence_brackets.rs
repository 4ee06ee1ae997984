//! The brackets of one sentence, counted as EVALB does.

use super::brackets::BracketRules;
use super::matches::Matches;
use crate::parse::Tree;
use crate::parse::bracketed::EMPTY_ELEMENT;
use std::ops::Range;

/// Whether a sentence was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It was counted.
    #[default]
    Valid,
    /// Not counted: the words differ from gold's.
    Error,
    /// Not counted: the system has no words.
    Skipped,
}

/// Counts of one sentence. All but `length` are 0 unless it is valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SentenceBrackets {
    /// Whether the sentence was counted.
    pub outcome: Outcome,
    /// Gold words, with punctuation, without empty elements.
    pub length: usize,
    /// Brackets of gold, of the system, and in both.
    pub brackets: Matches,
    /// The system's brackets that cross one of gold's.
    pub crossing: usize,
    /// Words that are not deleted.
    pub words: usize,
    /// Words with the right tag.
    pub correct_tags: usize,
}

/// A tree after deletions: words with tags, brackets over them.
struct Remains<'a> {
    words: Vec<(&'a str, &'a str)>,
    brackets: Vec<(&'a str, Range<usize>)>,
}

impl SentenceBrackets {
    /// Compares a system's tree with the gold tree; `None` is a sentence the system could not parse.
    pub fn new(gold: &Tree, system: Option<&Tree>, rules: &BracketRules) -> Self {
        let length = gold.leaves().filter(|(tag, _)| !contains(&rules.uncounted, tag)).count();
        let ended = |outcome| SentenceBrackets { outcome, length, ..SentenceBrackets::default() };
        let ours = Remains::of(gold, &own_tags(gold), rules);
        let theirs = system.map(|tree| {
            let tags = if rules.gold_tags_decide { gold_tags(gold, tree) } else { own_tags(tree) };
            Remains::of(tree, &tags, rules)
        });
        let theirs = theirs.filter(|remains| !remains.words.is_empty());
        let Some(theirs) = theirs else { return ended(Outcome::Skipped) };
        if !same_words(&ours, &theirs) {
            return ended(Outcome::Error);
        }
        let tags = ours.words.iter().zip(&theirs.words);
        SentenceBrackets {
            brackets: Matches {
                gold: ours.brackets.len(),
                system: theirs.brackets.len(),
                correct: matching(&ours, &theirs, rules),
            },
            crossing: crossing(&ours, &theirs),
            words: ours.words.len(),
            correct_tags: tags.filter(|(a, b)| rules.same_label(a.0, b.0)).count(),
            ..ended(Outcome::Valid)
        }
    }

    /// Whether all brackets are right and none is missing.
    pub fn is_complete(&self) -> bool {
        let Matches { gold, system, correct } = self.brackets;
        self.outcome == Outcome::Valid && gold == correct && system == correct
    }
}

impl<'a> Remains<'a> {
    /// Deletes the words whose entry in `tags` is a deleted tag.
    fn of(tree: &'a Tree, tags: &[&str], rules: &BracketRules) -> Self {
        // How many words are kept before each word of the tree.
        let mut before = vec![0];
        let mut words = Vec::new();
        for (leaf, tag) in tree.leaves().zip(tags) {
            if !contains(&rules.deleted, tag) {
                words.push(leaf);
            }
            before.push(words.len());
        }
        let spans = tree.phrases().map(|(label, span)| (category(label), before[span.start]..before[span.end]));
        let brackets = spans.filter(|(label, span)| !span.is_empty() && !rules.is_deleted(label)).collect();
        Remains { words, brackets }
    }
}

fn own_tags(tree: &Tree) -> Vec<&str> {
    tree.leaves().map(|(tag, _)| tag).collect()
}

/// Gold's tags for the system's words, without empty elements; the system's own tags if the numbers of words differ.
fn gold_tags<'a>(gold: &'a Tree, system: &'a Tree) -> Vec<&'a str> {
    let mut own = own_tags(system);
    let tags: Vec<&str> = own_tags(gold).into_iter().filter(|tag| *tag != EMPTY_ELEMENT).collect();
    let places: Vec<usize> = (0..own.len()).filter(|&place| own[place] != EMPTY_ELEMENT).collect();
    if tags.len() == places.len() {
        places.into_iter().zip(tags).for_each(|(place, tag)| own[place] = tag);
    }
    own
}

/// The label before the first `-` or `=`, as in EVALB.
fn category(label: &str) -> &str {
    label.split(['-', '=']).next().unwrap_or(label)
}

fn contains(labels: &[String], label: &str) -> bool {
    labels.iter().any(|known| known == label)
}

/// Compares words in their escaped form: `(` equals `-LRB-`.
fn same_words(ours: &Remains<'_>, theirs: &Remains<'_>) -> bool {
    let same = |a: &str, b: &str| {
        let escaped = |word: &str| word.replace('(', "-LRB-").replace(')', "-RRB-");
        a == b || escaped(a) == escaped(b)
    };
    ours.words.len() == theirs.words.len() && ours.words.iter().zip(&theirs.words).all(|(a, b)| same(a.1, b.1))
}

/// Matches each gold bracket with the first equal system bracket that is not matched yet.
fn matching(ours: &Remains<'_>, theirs: &Remains<'_>, rules: &BracketRules) -> usize {
    let mut taken = vec![false; theirs.brackets.len()];
    let mut found = 0;
    for (label, span) in &ours.brackets {
        let same = |(i, (other, place)): (usize, &(&str, Range<usize>))| {
            !taken[i] && place == span && (!rules.labelled || rules.same_label(label, other))
        };
        if let Some(place) = theirs.brackets.iter().enumerate().position(same) {
            taken[place] = true;
            found += 1;
        }
    }
    found
}

fn crossing(ours: &Remains<'_>, theirs: &Remains<'_>) -> usize {
    let cross = |a: &Range<usize>, b: &Range<usize>| {
        (a.start < b.start && b.start < a.end && a.end < b.end)
            || (b.start < a.start && a.start < b.end && b.end < a.end)
    };
    theirs.brackets.iter().filter(|(_, span)| ours.brackets.iter().any(|(_, gold)| cross(gold, span))).count()
}
