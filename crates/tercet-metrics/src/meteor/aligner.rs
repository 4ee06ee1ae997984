//! Aligns lines: words, their matches, the best alignment, its statistics.

use super::alignment::{AlignedPhrase, Alignment, count_chunks};
use super::language_resources::LanguageResources;
use super::matches::{Match, Matches, are_identical};
use super::parameters::{Module, Parameters};
use super::search::{Rules, Search};
use super::statistics::Statistics;
use super::words::{Lexicon, Sentence};
use crate::text::meteor_norm::{self, NormLanguage, normalize};
use crate::{Segment, Tally, by_references};
use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};
use tercet_base::stop;

/// Preprocessing of a line before it is split into words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Preparation {
    /// `-norm`, and with it whether punctuation stays.
    pub(super) normalize: Option<NormLanguage>,
    pub(super) keep_punctuation: bool,
    pub(super) lowercase: bool,
}

/// Aligns hypotheses with references.
pub(super) struct Aligner {
    pub(super) resources: LanguageResources,
    pub(super) preparation: Preparation,
    pub(super) parameters: Parameters,
    pub(super) beam: usize,
    /// One workspace per thread; cached words are reused in the next batch.
    pub(super) workspaces: Mutex<Vec<Workspace>>,
}

/// Buffers reused between segments.
#[derive(Default)]
pub(super) struct Workspace {
    lexicon: Lexicon,
    hypothesis: Sentence,
    references: Vec<Sentence>,
    matches: Matches,
    search: Search,
    best: Vec<(u32, Match)>,
    phrases: Vec<AlignedPhrase>,
    /// Whether a limit of matches or of steps was reached since this was last set.
    unfinished: bool,
}

impl Aligner {
    pub(super) fn tally(&self, batch: &[Segment<'_>]) -> Vec<Tally> {
        self.with_workspace(|work| {
            let mut tallies = Vec::with_capacity(batch.len());
            for segments in by_references(batch) {
                self.read_references(segments[0].references, work);
                for segment in segments {
                    work.unfinished = false;
                    let (_, statistics) = self.best_reference(segment.hypothesis, work);
                    tallies.push(statistics.tally_with(work.unfinished));
                }
            }
            tallies
        })
    }

    /// The alignment with the reference that gives the best score, the first of equals.
    pub(super) fn align(&self, hypothesis: &str, references: &[&str]) -> Alignment {
        self.with_workspace(|work| {
            self.read_references(references, work);
            work.unfinished = false;
            let (number, statistics) = self.best_reference(hypothesis, work);
            if references.len() > 1 {
                self.compare(number, work); // once more, for the matches
            }
            let words = |line: &str| split(&self.prepare(line)).map(str::to_owned).collect();
            Alignment {
                reference_number: number,
                hypothesis: words(hypothesis),
                reference: references.get(number).map_or_else(Vec::new, |line| words(line)),
                matches: std::mem::take(&mut work.phrases),
                unfinished: work.unfinished,
                evaluation: statistics.evaluate(&self.parameters),
                statistics,
            }
        })
    }

    fn with_workspace<R>(&self, run: impl FnOnce(&mut Workspace) -> R) -> R {
        let workspaces = || self.workspaces.lock().unwrap_or_else(PoisonError::into_inner);
        let mut work = workspaces().pop().unwrap_or_default();
        let result = run(&mut work);
        workspaces().push(work);
        result
    }

    /// The line as METEOR splits it at white space.
    fn prepare<'a>(&self, line: &'a str) -> Cow<'a, str> {
        stop::steps(16 * line.len());
        let Preparation { normalize: language, keep_punctuation, lowercase } = self.preparation;
        let line = match language {
            Some(language) => Cow::Owned(normalize(line, language, &self.resources.stops, keep_punctuation)),
            None => Cow::Borrowed(line),
        };
        if lowercase && line.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
            return Cow::Owned(meteor_norm::lowercase(&line));
        }
        line
    }

    fn look_up(&self, line: &str, lexicon: &mut Lexicon, sentence: &mut Sentence) {
        sentence.look_up(split(&self.prepare(line)), lexicon, &self.resources);
    }

    fn read_references(&self, references: &[&str], work: &mut Workspace) {
        work.lexicon.trim();
        work.references.resize_with(references.len(), Sentence::default);
        for (line, sentence) in references.iter().zip(&mut work.references) {
            self.look_up(line, &mut work.lexicon, sentence);
        }
    }

    fn best_reference(&self, hypothesis: &str, work: &mut Workspace) -> (usize, Statistics) {
        self.look_up(hypothesis, &mut work.lexicon, &mut work.hypothesis);
        let mut best = (0, Statistics::default());
        let mut best_score = -1.0;
        for number in 0..work.references.len() {
            let statistics = self.compare(number, work);
            if work.references.len() == 1 {
                return (0, statistics);
            }
            let score = statistics.evaluate(&self.parameters).score;
            if score > best_score {
                (best, best_score) = ((number, statistics), score);
            }
        }
        best
    }

    fn compare(&self, number: usize, work: &mut Workspace) -> Statistics {
        let Workspace { lexicon, hypothesis, references, matches, search, best, phrases, unfinished } = work;
        let reference = &references[number];
        let rules = Rules { modules: &self.resources.modules, beam: self.beam, most_steps: None };
        if rules.modules[0] == Module::Exact && are_identical(hypothesis, reference) {
            // The search would give the same: the path that matches every word at its own position always ranks first.
            best.clear();
            best.extend((0..reference.words.len()).map(|place| (place as u32, Match::word(place, 0))));
        } else {
            matches.find(hypothesis, reference, lexicon, &self.resources);
            search.best(matches, &rules, best);
            *unfinished |= !matches.is_complete() || !search.is_complete();
        }
        phrases.clear();
        phrases.extend(best.iter().map(|(place, found)| AlignedPhrase::new(*place, found, rules.modules)));
        Statistics::count(&hypothesis.words, &reference.words, phrases, count_chunks(phrases))
    }
}

/// White space as Java's `StringTokenizer` has it.
fn split(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '\t', '\n', '\r', '\u{c}']).filter(|word| !word.is_empty())
}
