//! From segments to tallies: lines to words, the best of several references.

use super::alignment::{AlignedPhrase, MovedBlock, TerpAlignment};
use super::pair::{Edit, Pair, WordSteps};
use super::phrases::Phrase;
use super::resources::Resources;
use super::search::Search;
use super::settings::Settings;
use super::words::Lexicon;
use crate::tally::counts;
use crate::{Segment, Tally, by_references};
use foldhash::HashMap;
use std::sync::{Mutex, PoisonError};

/// Turns segments into counts.
pub(super) struct Counter {
    pub(super) settings: Settings,
    pub(super) resources: Resources,
    word_steps: WordSteps,
    /// One workspace per thread; cached words are reused in the next batch.
    workspaces: Mutex<Vec<Workspace>>,
}

/// Buffers reused between segments.
#[derive(Default)]
struct Workspace {
    lexicon: Lexicon,
    hypothesis: Vec<u32>,
    references: Vec<Vec<u32>>,
    pair: Pair,
    search: Search,
    phrase_costs: PhraseCosts,
}

/// The costs of pairs of phrases that were met.
#[derive(Default)]
struct PhraseCosts {
    /// By their place in the table; `None` for pairs that cannot be used.
    known: HashMap<u32, Option<f64>>,
    pair: Pair,
    search: Search,
}

/// Pairs of phrases whose costs are kept, which bounds memory.
const MAX_KNOWN: usize = 1 << 20;

counts! {
    /// The cost of the edits, the length of the reference, edits by kind, and whether a limit of the search was
    /// reached.
    pub(super) struct TerpCounts {
        edits, ref_len, insertions, deletions, substitutions, stems, synonyms, phrases, shifts, shifted_words; limited
    }
}

impl Counter {
    pub(super) fn new(settings: Settings, resources: Resources) -> Self {
        let word_steps = WordSteps::new(&settings.costs);
        Counter { settings, resources, word_steps, workspaces: Mutex::default() }
    }

    pub(super) fn tally(&self, batch: &[Segment<'_>]) -> Vec<Tally> {
        self.with_workspace(|work| {
            let mut tallies = Vec::with_capacity(batch.len());
            for segments in by_references(batch) {
                self.read_references(segments[0].references, work);
                tallies.extend(segments.iter().map(|segment| self.count(segment.hypothesis, work)));
            }
            tallies
        })
    }

    /// The alignment with the reference that needs the fewest edits, the first of equals.
    pub(super) fn align(&self, hypothesis: &str, references: &[&str]) -> TerpAlignment {
        self.with_workspace(|work| {
            self.read_references(references, work);
            self.read_hypothesis(hypothesis, work);
            let (best, _) = self.best_reference(work);
            work.search.was_limited = false;
            let edits = if best < references.len() {
                self.compare(best, work)
            } else {
                work.search.forget();
                0.0
            };
            let texts = |words: &[u32]| words.iter().map(|&word| work.lexicon.text(word).to_owned()).collect();
            let reference: Vec<u32> = work.references.get(best).cloned().unwrap_or_default();
            let order: Vec<u32> = work.pair.words.iter().map(|&word| work.pair.distinct[word as usize]).collect();
            TerpAlignment {
                reference_number: best,
                hypothesis: texts(&work.hypothesis),
                shifted_hypothesis: texts(if references.is_empty() { &work.hypothesis } else { &order }),
                reference: texts(&reference),
                edits,
                reference_length: self.reference_length(best, &work.references),
                steps: work.search.steps.iter().map(|step| step.edit).collect(),
                shifts: work.search.made.iter().map(MovedBlock::new).collect(),
                phrases: Counter::aligned_phrases(work, &reference),
                unfinished: work.search.was_limited,
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

    fn read_references(&self, references: &[&str], work: &mut Workspace) {
        work.lexicon.trim();
        work.references.resize_with(references.len(), Vec::new);
        for (line, words) in references.iter().zip(&mut work.references) {
            self.read(line, &mut work.lexicon, words);
        }
    }

    fn read_hypothesis(&self, line: &str, work: &mut Workspace) {
        self.read(line, &mut work.lexicon, &mut work.hypothesis);
    }

    fn read(&self, line: &str, lexicon: &mut Lexicon, words: &mut Vec<u32>) {
        let line = self.resources.equivalents.apply(self.settings.norm.words(line));
        let texts = line.split_terminator(' ');
        words.clear();
        words.extend(texts.map(|text| lexicon.number(text, &self.settings, &self.resources)));
    }

    fn count(&self, hypothesis: &str, work: &mut Workspace) -> Tally {
        work.search.was_limited = false;
        self.read_hypothesis(hypothesis, work);
        let (best, mut counts) = self.best_reference(work);
        counts.ref_len = self.reference_length(best, &work.references);
        counts.limited = f64::from(u8::from(work.search.was_limited));
        counts.tally()
    }

    /// The number of the reference with the fewest edits, and the counts for it.
    fn best_reference(&self, work: &mut Workspace) -> (usize, TerpCounts) {
        let mut best = (0, TerpCounts::default());
        for number in 0..work.references.len() {
            let edits = self.compare(number, work);
            if number == 0 || edits < best.1.edits {
                best = (number, counts(edits, &work.search));
            }
        }
        best
    }

    fn reference_length(&self, best: usize, references: &[Vec<u32>]) -> f64 {
        if !self.settings.mean_length {
            return references.get(best).map_or(0.0, |reference| reference.len() as f64);
        }
        let words: usize = references.iter().map(Vec::len).sum();
        words as f64 / references.len().max(1) as f64
    }

    /// The cost of all edits to one of the references.
    fn compare(&self, number: usize, work: &mut Workspace) -> f64 {
        let Workspace { lexicon, hypothesis, references, pair, search, phrase_costs } = work;
        let reference = &references[number];
        pair.set(hypothesis, reference, lexicon, &self.word_steps);
        if let Some(table) = &self.resources.phrases {
            let mut phrases = std::mem::take(&mut pair.phrases);
            phrases.find(table, &pair.distinct, reference, lexicon);
            phrases.set_costs(|phrase, words| {
                let words = || pair.phrase_words(words);
                self.phrase_cost(phrase, words, reference, lexicon, phrase_costs)
            });
            pair.phrases = phrases;
        }
        search.cost(pair, &self.settings, &self.word_steps)
    }

    /// The cost of a pair of phrases, which may depend on the edits between them.
    fn phrase_cost(
        &self,
        phrase: &Phrase,
        words: impl Fn() -> Vec<u32>,
        reference: &[u32],
        lexicon: &Lexicon,
        costs: &mut PhraseCosts,
    ) -> Option<f64> {
        let adjustment = &self.settings.adjustment;
        if !adjustment.needs_edits() {
            return adjustment.cost(phrase.probability, 0.0);
        }
        if let Some(known) = costs.known.get(&phrase.pair) {
            return *known;
        }
        let reference = &reference[phrase.start as usize..][..phrase.reference as usize];
        costs.pair.set(&words(), reference, lexicon, &self.word_steps);
        let edits = costs.search.cost(&mut costs.pair, &self.settings, &self.word_steps);
        let cost = adjustment.cost(phrase.probability, edits);
        if costs.known.len() >= MAX_KNOWN {
            costs.known.clear();
        }
        costs.known.insert(phrase.pair, cost);
        cost
    }

    /// The phrases of the alignment found last.
    fn aligned_phrases(work: &Workspace, reference: &[u32]) -> Vec<AlignedPhrase> {
        let pair = &work.pair;
        let steps = work.search.steps.iter().filter(|step| step.edit == Edit::Phrase);
        let text = |words: &[u32]| words.iter().map(|&word| work.lexicon.text(word)).collect::<Vec<_>>().join(" ");
        let aligned = steps.map(|step| {
            let phrase = pair.phrases.get(step.phrase);
            let words = pair.phrase_words(pair.phrases.words(phrase));
            let replaced = &reference[phrase.start as usize..][..phrase.reference as usize];
            AlignedPhrase {
                cost: phrase.cost,
                probability: phrase.probability,
                reference: text(replaced),
                hypothesis: text(&words),
            }
        });
        aligned.collect()
    }
}

fn counts(edits: f64, search: &Search) -> TerpCounts {
    let count = |edit: Edit| search.steps.iter().filter(|step| step.edit == edit).count() as f64;
    let moved: usize = search.made.iter().map(|shift| shift.end - shift.start + 1).sum();
    TerpCounts {
        edits,
        insertions: count(Edit::Insertion),
        deletions: count(Edit::Deletion),
        substitutions: count(Edit::Substitution),
        stems: count(Edit::Stem),
        synonyms: count(Edit::Synonym),
        phrases: count(Edit::Phrase),
        shifts: search.made.len() as f64,
        shifted_words: moved as f64,
        ..TerpCounts::default()
    }
}
