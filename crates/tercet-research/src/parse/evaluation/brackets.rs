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

use super::matches::{Matches, share};
use super::sentence_brackets::{Outcome, SentenceBrackets};
use crate::error::{Error, Result};
use crate::parse::Tree;

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

/// Adds the totals of another file.
impl std::ops::AddAssign for BracketTotals {
    fn add_assign(&mut self, other: BracketTotals) {
        self.sentences += other.sentences;
        self.errors += other.errors;
        self.skipped += other.skipped;
        self.complete += other.complete;
        self.brackets += other.brackets;
        self.crossing += other.crossing;
        self.without_crossing += other.without_crossing;
        self.two_crossing_or_less += other.two_crossing_or_less;
        self.words += other.words;
        self.correct_tags += other.correct_tags;
    }
}

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
