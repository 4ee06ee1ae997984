//! Labelled brackets as EVALB counts them (Sekine & Collins; PARSEVAL, Black et al. 1991, H91-1060).
//!
//! ```text
//! P = matching / system's brackets,   R = matching / gold's brackets,   F1 = 2PR / (P + R)
//! ```
//!
//! # Rules
//! Those of `COLLINS.prm`, the file everyone uses ([`BracketRules::collins`]):
//! - Words tagged `-NONE-`, `,`, `:`, ` `` `, `''` or `.` go, with the phrases that have no other words; round brackets,
//!   hyphens and currency signs stay. The bracket `TOP` goes, what is in it stays.
//! - Labels are cut before the first `-` or `=`; tags are not. `ADVP` and `PRT` are the same.
//! - A bracket of gold matches one of the system's with the same words and label, each taken once.
//! - A sentence whose words differ is an error, one for which the system has no words is skipped; neither counts.
//! - Complete match: all brackets right, tags or no tags. Tagging accuracy: over words that are left.
//! - Length, for the figures up to 40 words, counts all of gold's words but `-NONE-`.
//!
//! # Choices
//! `COLLINS.prm` was made for trees whose root is `TOP`. Our default also takes away the brackets `ROOT`, `S1` and those without
//! a label, which would otherwise be a free point per sentence ([`BracketRules::default`]). A full stop that the system takes
//! for a noun leaves it with one word more than gold, so EVALB drops the sentence from all figures, and a parser that tags badly
//! looks better than it is: look at [`BracketTotals::errors`], or set [`BracketRules::gold_tags_decide`], which deletes the same
//! words on both sides. (EVALB's own remedy since 2006, QUOTE_LABEL, is for quotes only, is not in `COLLINS.prm`, and not here.) EVALB stops at ten errors, cuts lines at 5,000 bytes and prints
//! `nan` where nothing matches; we go on, have no such limits and say 0.
//!
//! # Agreement
//! Every sentence's counts and all totals are equal to those of EVALB (the C program with Ellis' changes of 2006, as it
//! comes with most parsers) on the trees of `tests.rs`, and on 8,421 of GUM's with brackets, labels, tags and words changed at
//! random.

use super::matches::{Matches, share};
use super::sentence_brackets::{Outcome, SentenceBrackets};
use crate::error::{Error, Result};
use crate::parse::Tree;

/// What counts: the contents of a parameter file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BracketRules {
    /// Words with these tags go; phrases with these labels lose their bracket. DELETE_LABEL.
    pub deleted: Vec<String>,
    /// Words with these tags do not count for the length of a sentence. DELETE_LABEL_FOR_LENGTH.
    pub uncounted: Vec<String>,
    /// Labels, and tags, that are the same. EQ_LABEL.
    pub equal: Vec<(String, String)>,
    /// Whether labels have to match. LABELED.
    pub labelled: bool,
    /// Whether gold's tags say which of the system's words go. Not in EVALB.
    pub gold_tags_decide: bool,
    /// The longest sentence of [`BracketScores::short`]. CUTOFF_LEN.
    pub cutoff: usize,
}

impl Default for BracketRules {
    /// `COLLINS.prm` for any root: `ROOT`, `S1` and brackets without a label are no brackets either.
    fn default() -> Self {
        let mut rules = BracketRules::collins();
        rules.deleted.extend(["ROOT", "S1", ""].map(str::to_owned));
        rules
    }
}

impl BracketRules {
    /// `COLLINS.prm` to the letter.
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

/// Sums over sentences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BracketTotals {
    /// Sentences, valid or not.
    pub sentences: usize,
    /// Sentences whose words differ.
    pub errors: usize,
    /// Sentences for which the system has no words.
    pub skipped: usize,
    /// Sentences with all brackets right.
    pub complete: usize,
    /// Brackets of valid sentences: precision, recall, F1.
    pub brackets: Matches,
    /// The system's brackets that cross one of gold's.
    pub crossing: usize,
    /// Sentences without such.
    pub without_crossing: usize,
    /// Sentences with two or fewer.
    pub two_crossing_or_less: usize,
    /// Words that are not deleted.
    pub words: usize,
    /// Words with the right tag.
    pub correct_tags: usize,
}

impl BracketTotals {
    /// Sentences that count.
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

/// Of several files one after the other.
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

/// The whole table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BracketScores {
    /// All sentences.
    pub all: BracketTotals,
    /// Those of at most [`BracketRules::cutoff`] words.
    pub short: BracketTotals,
    /// Each of them.
    pub sentences: Vec<SentenceBrackets>,
}

/// Holds a system's trees against gold's, sentence by sentence; `None` is a sentence the system could not parse.
pub fn evaluate_brackets(
    gold: &[Tree],
    system: &[Option<Tree>],
    rules: &BracketRules,
) -> Result<BracketScores> {
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
