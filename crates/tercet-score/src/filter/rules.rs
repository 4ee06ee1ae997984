//! What needs no model: empty texts, copies, lengths, languages, duplicates.

use super::{DropReason, DuplicateBy, FilterJob, Verdict};
use crate::checks::{ExpectedLanguage, is_blank, lengths};
use crate::text::Language;
use foldhash::HashSet;
use rayon::prelude::*;
use std::hash::Hasher;
use twox_hash::XxHash64;

/// The most different pairs that are remembered: nine bytes each, and as much again while the table grows.
pub const MAX_KNOWN: usize = 14_000_000;

/// The rules of a job, with what the first pairs have shown.
pub(super) struct Rules<'j> {
    job: &'j FilterJob,
    /// Of sources and of targets.
    languages: [Option<ExpectedLanguage>; 2],
    /// How many times as long as the source a target usually is.
    usual_ratio: f64,
    /// Hashes of the pairs before.
    known: HashSet<u64>,
    unknown: u64,
}

impl<'j> Rules<'j> {
    pub fn new(job: &'j FilterJob, first: &[(String, String)]) -> Self {
        let sources = || first.iter().map(|(source, _)| source.as_str());
        let targets = || first.iter().map(|(_, target)| target.as_str());
        let languages = [
            ExpectedLanguage::of_lines(sources(), job.source_language.as_ref()),
            ExpectedLanguage::of_lines(targets(), job.language.as_ref()),
        ];
        let usual_ratio = lengths::usual_ratio(first.iter().map(|(source, target)| (target.as_str(), source.as_str())));
        Rules { job, languages, usual_ratio, known: HashSet::default(), unknown: 0 }
    }

    /// The language of the targets, if the first pairs have shown it.
    pub fn target_language(&self) -> Option<Language> {
        self.languages[1].as_ref()?.language().cloned()
    }

    /// The names of the languages of sources and targets.
    pub fn language_names(&self) -> [Option<String>; 2] {
        self.languages.each_ref().map(|language| language.as_ref().map(ExpectedLanguage::name))
    }

    /// Pairs that could not be remembered.
    pub fn unknown(&self) -> u64 {
        self.unknown
    }

    /// What the rules say of the next pairs.
    pub fn verdicts(&mut self, pairs: &[(String, String)]) -> Vec<Verdict> {
        let rules = &*self;
        let alone = |(source, target): &(String, String)| rules.reason(source, target);
        let mut reasons: Vec<Option<DropReason>> = pairs.par_iter().map(alone).collect();
        if self.job.looks_for(DropReason::Duplicate) {
            for ((source, target), reason) in pairs.iter().zip(&mut reasons).filter(|(_, reason)| reason.is_none()) {
                if self.was_there(source, target) {
                    *reason = Some(DropReason::Duplicate);
                }
            }
        }
        reasons.into_iter().map(|reason| Verdict { reason, score: None }).collect()
    }

    /// What is wrong with a pair by itself.
    fn reason(&self, source: &str, target: &str) -> Option<DropReason> {
        let is_wrong = |reason: &DropReason| match reason {
            DropReason::Empty => is_blank(source) || is_blank(target),
            DropReason::Copy => !is_blank(target) && is_copy(source, target),
            DropReason::Length => lengths::is_off(target, source, self.usual_ratio, self.job.max_length_ratio),
            DropReason::Language => self.languages.iter().zip([source, target]).any(|(language, line)| {
                language.as_ref().is_some_and(|language| language.other_language_of(line).is_some())
            }),
            DropReason::Duplicate | DropReason::Score => false,
        };
        DropReason::VALUES.into_iter().find(|reason| self.job.looks_for(*reason) && is_wrong(reason))
    }

    /// Whether a pair was there before; remembers it.
    fn was_there(&mut self, source: &str, target: &str) -> bool {
        let hash = match self.job.duplicates {
            DuplicateBy::Pair => hash_of(&[source.trim(), target.trim()]),
            DuplicateBy::Source => hash_of(&[source.trim()]),
            DuplicateBy::Target => hash_of(&[target.trim()]),
        };
        if self.known.len() < MAX_KNOWN {
            return !self.known.insert(hash);
        }
        let is_known = self.known.contains(&hash);
        self.unknown += u64::from(!is_known);
        is_known
    }
}

/// A hash of texts, each with its end.
fn hash_of(texts: &[&str]) -> u64 {
    let mut hasher = XxHash64::with_seed(0);
    for text in texts {
        hasher.write(text.as_bytes());
        hasher.write_u8(0xff);
    }
    hasher.finish()
}

/// Whether a target is its source, case and spaces apart. A pair without letters may be the same in all languages.
fn is_copy(source: &str, target: &str) -> bool {
    let letters =
        |text: &str| text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect::<String>();
    target.chars().any(char::is_alphabetic) && (source == target || letters(source) == letters(target))
}
