//! Labelled brackets as EVALB counts them (Sekine & Collins; PARSEVAL, Black et al. 1991, H91-1060).
//!
//! ```text
//! P = matching / system's brackets,   R = matching / gold's brackets,   F1 = 2PR / (P + R)
//! ```
//!
//! # Rules
//! Those of `COLLINS.prm`, the file everyone uses ([`BracketRules::collins`]):
//! - Words tagged `-NONE-`, `,`, `:`, ` `` `, `''` or `.` are deleted, with the phrases that have no other words; round
//!   brackets, hyphens and currency signs are kept. The bracket `TOP` is deleted, its contents are kept.
//! - Labels are cut before the first `-` or `=`; tags are not. `ADVP` and `PRT` are the same.
//! - A bracket of gold matches one of the system's with the same words and label, each taken once.
//! - A sentence whose words differ is an error, one for which the system has no words is skipped; neither counts.
//! - Complete match: all brackets right, whatever the tags. Tagging accuracy: over the words that are not deleted.
//! - Sentence length, for the scores up to 40 words, counts all gold words but `-NONE-`.
//!
//! # Choices
//! `COLLINS.prm` was made for trees whose root is `TOP`. Our default also deletes the brackets `ROOT`, `S1` and those
//! without a label, which would otherwise be a free point per sentence ([`BracketRules::default`]). If the system tags
//! a full stop as a noun, it keeps one word more than gold, so EVALB drops the sentence from all scores, and a parser
//! that tags badly looks better than it is: check [`BracketTotals::errors`], or set [`BracketRules::gold_tags_decide`],
//! which deletes the same words on both sides. (EVALB's QUOTE_LABEL of 2006 is for quotes only, is not in
//! `COLLINS.prm`, and not supported here.) EVALB stops at ten errors, cuts lines at 5,000 bytes and prints `nan` where
//! nothing matches; we have no such limits and return 0.
//!
//! # Agreement
//! The counts of every sentence and all totals equal those of EVALB (the C program with Ellis' changes of 2006, as
//! distributed with most parsers) on the trees of `tests.rs`, and on 8,421 trees of GUM with randomly changed brackets,
//! labels, tags and words.

use super::{Matches, share};
use crate::error::{Error, Result};
use crate::parse::Tree;
use crate::parse::bracketed::EMPTY_ELEMENT;
use std::ops::Range;

/// What is counted: the settings of an EVALB parameter file, whose names are given in capitals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BracketRules {
    /// Words with these tags are deleted, and the brackets of phrases with these labels. DELETE_LABEL.
    pub deleted: Vec<String>,
    /// Words with these tags do not count for the length of a sentence. DELETE_LABEL_FOR_LENGTH.
    pub uncounted: Vec<String>,
    /// Pairs of labels or tags that count as equal. EQ_LABEL.
    pub equal: Vec<(String, String)>,
    /// Whether labels have to match. LABELED.
    pub labelled: bool,
    /// Whether gold's tags, not the system's, select the words of the system to delete. Not in EVALB.
    pub gold_tags_decide: bool,
    /// The longest sentence of [`BracketScores::short`]. CUTOFF_LEN.
    pub cutoff: usize,
}

impl Default for BracketRules {
    /// `COLLINS.prm` for any root: `ROOT`, `S1` and brackets without a label are deleted too.
    fn default() -> Self {
        let mut rules = BracketRules::collins();
        rules.deleted.extend(["ROOT", "S1", ""].map(str::to_owned));
        rules
    }
}

impl BracketRules {
    /// Exactly `COLLINS.prm`.
    pub fn collins() -> Self {
        BracketRules {
            deleted: ["TOP", "-NONE-", ",", ":", "``", "''", "."].map(str::to_owned).to_vec(),
            uncounted: vec!["-NONE-".to_owned()],
            equal: vec![("ADVP".to_owned(), "PRT".to_owned())],
            labelled: true,
            gold_tags_decide: false,
            cutoff: 40,
        }
    }

    pub(super) fn same_label(&self, a: &str, b: &str) -> bool {
        let is = |x: &str, y: &str| x == a && y == b;
        a == b || self.equal.iter().any(|(one, other)| is(one, other) || is(other, one))
    }

    pub(super) fn is_deleted(&self, label: &str) -> bool {
        self.deleted.iter().any(|deleted| self.same_label(label, deleted))
    }
}

/// Counts summed over sentences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BracketTotals {
    /// Sentences, valid or not.
    pub sentences: usize,
    /// Sentences whose words differ.
    pub errors: usize,
    /// Sentences for which the system has no words.
    pub skipped: usize,
    /// Valid sentences with all brackets right.
    pub complete: usize,
    /// Brackets of valid sentences, for precision, recall and F1.
    pub brackets: Matches,
    /// The system's brackets that cross one of gold's.
    pub crossing: usize,
    /// Valid sentences without crossing brackets.
    pub without_crossing: usize,
    /// Valid sentences with at most two crossing brackets.
    pub two_crossing_or_less: usize,
    /// Words that are not deleted.
    pub words: usize,
    /// Words with the right tag.
    pub correct_tags: usize,
}

impl BracketTotals {
    /// Sentences that are neither errors nor skipped.
    pub fn valid(&self) -> usize {
        self.sentences - self.errors - self.skipped
    }

    /// The share of valid sentences with all brackets right, from 0 to 1.
    pub fn complete_match(&self) -> f64 {
        share(self.complete, self.valid())
    }

    /// The share of words with the right tag, from 0 to 1.
    pub fn tagging_accuracy(&self) -> f64 {
        share(self.correct_tags, self.words)
    }

    /// Crossing brackets per valid sentence.
    pub fn average_crossing(&self) -> f64 {
        share(self.crossing, self.valid())
    }

    fn add(&mut self, sentence: &SentenceBrackets) {
        self.sentences += 1;
        match sentence.outcome {
            Outcome::Error => self.errors += 1,
            Outcome::Skipped => self.skipped += 1,
            Outcome::Valid => {
                self.complete += usize::from(sentence.is_complete());
                self.brackets += sentence.brackets;
                self.crossing += sentence.crossing;
                self.without_crossing += usize::from(sentence.crossing == 0);
                self.two_crossing_or_less += usize::from(sentence.crossing <= 2);
                self.words += sentence.words;
                self.correct_tags += sentence.correct_tags;
            }
        }
    }
}

tercet_base::add_fields!(BracketTotals {
    sentences,
    errors,
    skipped,
    complete,
    brackets,
    crossing,
    without_crossing,
    two_crossing_or_less,
    words,
    correct_tags
});

/// Totals and the counts of every sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BracketScores {
    /// All sentences.
    pub all: BracketTotals,
    /// Sentences of at most [`BracketRules::cutoff`] words.
    pub short: BracketTotals,
    /// The counts of each sentence.
    pub sentences: Vec<SentenceBrackets>,
}

/// Compares a system's trees with gold trees, sentence by sentence; `None` is a sentence the system could not parse.
pub fn evaluate_brackets(gold: &[Tree], system: &[Option<Tree>], rules: &BracketRules) -> Result<BracketScores> {
    if gold.len() != system.len() {
        return Err(Error::Unusable(format!(
            "{} gold trees, but {} of the system: every sentence needs one (write `(())` for one that has none)",
            gold.len(),
            system.len()
        )));
    }
    let mut scores = BracketScores::default();
    for (gold, system) in gold.iter().zip(system) {
        let sentence = SentenceBrackets::new(gold, system.as_ref(), rules);
        scores.all.add(&sentence);
        if sentence.length <= rules.cutoff {
            scores.short.add(&sentence);
        }
        scores.sentences.push(sentence);
    }
    Ok(scores)
}

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
        let ours = Remains::new(gold, &own_tags(gold), rules);
        let theirs = system.map(|tree| {
            let tags = if rules.gold_tags_decide { gold_tags(gold, tree) } else { own_tags(tree) };
            Remains::new(tree, &tags, rules)
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
    fn new(tree: &'a Tree, tags: &[&str], rules: &BracketRules) -> Self {
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
