//! All matches between two sentences, module by module.
//!
//! Every module compares all words. For each position in the reference METEOR keeps a list of matches that start there:
//! the modules in their order, in each the hypothesis from left to right; paraphrases of a phrase of the reference
//! (shorter phrases first, then the order of the table) before those found by a phrase of the hypothesis. A pair that
//! is in the table both ways is listed twice, and counts twice in the coverage that decides which matches are
//! unambiguous.
//!
//! Matches of single words do not depend on the position, so positions with the same word, or with words that have the
//! same hash and the same stem, share one list: the memory for a line of thousands of repetitions is proportional to
//! its length. Paraphrases are listed by position. After [`MAX_WORDS`] and [`MAX_PHRASES`] of them in one pair of
//! sentences the rest is ignored, and [`Matches::is_complete`] says so.

use super::language_resources::LanguageResources;
use super::parameters::Module;
use super::runs::{self, Run, Runs};
use super::word_index::{self, WordIndex};
use super::words::{Lexicon, Sentence, Word};
use std::ops::Range;
use tercet_base::stop;

/// The maximum number of listed matches of single words of a pair of sentences: 128 MiB. Real ones have as many as
/// words.
const MAX_WORDS: usize = 1 << 23;

/// The maximum number of paraphrase matches of a pair of sentences. Real ones have hundreds; METEOR itself runs out of
/// memory earlier.
const MAX_PHRASES: usize = 1 << 20;

/// Some words of the hypothesis that match some words of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    /// First word in the hypothesis.
    pub(super) hypothesis: u32,
    pub(super) hypothesis_len: u32,
    pub(super) reference_len: u32,
    /// Which module found it, by position.
    pub(super) stage: u8,
}

impl Match {
    /// One word that matches one word.
    pub(super) fn word(hypothesis: usize, stage: usize) -> Self {
        Match { hypothesis: hypothesis as u32, hypothesis_len: 1, reference_len: 1, stage: stage as u8 }
    }

    pub(super) fn hypothesis_range(&self) -> Range<usize> {
        self.hypothesis as usize..(self.hypothesis + self.hypothesis_len) as usize
    }
}

/// Where the matches that start at one word of the reference are listed: single words of modules before the paraphrase
/// module (`words..split`), paraphrases, single words of modules after it (`split..end`).
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    words: u32,
    split: u32,
    end: u32,
    phrases: (u32, u32),
    /// The runs of `words..split` and of `split..end`, if there are at least [`runs::MIN_LONG`] matches in both
    /// together.
    runs: Option<[(u32, u32); 2]>,
}

/// All matches between two sentences.
#[derive(Default)]
pub(super) struct Matches {
    list: Vec<Match>,
    places: Vec<Place>,
    hypothesis_coverage: Vec<u32>,
    reference_coverage: Vec<u32>,
    /// By class of word: one more than the place in the reference where it was seen first.
    seen: Vec<u32>,
    found: Vec<(u32, Match)>,
    runs: Runs,
    index: WordIndex,
    /// By where a list starts: the number of places that use it.
    uses: Vec<u32>,
    is_complete: bool,
}

impl Matches {
    /// The number of words in the reference.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// A listed match.
    pub(super) fn get(&self, index: u32) -> &Match {
        &self.list[index as usize]
    }

    /// The matches that start at a word of the reference, in METEOR's order.
    pub(super) fn at(&self, place: usize) -> impl Iterator<Item = u32> {
        let Place { words, split, end, phrases, .. } = self.places[place];
        (words..split).chain(phrases.0..phrases.1).chain(split..end)
    }

    /// How many matches start there.
    pub(super) fn count_at(&self, place: usize) -> usize {
        let Place { words, end, phrases, .. } = self.places[place];
        (end - words + phrases.1 - phrases.0) as usize
    }

    /// The runs of the matches that start there before paraphrases and after them, if there are many.
    pub(super) fn runs_at(&self, place: usize) -> Option<[&[Run]; 2]> {
        self.places[place].runs.map(|runs| runs.map(|runs| self.runs.get(runs)))
    }

    /// The runs of all long lists.
    pub(super) fn runs(&self) -> &Runs {
        &self.runs
    }

    /// The paraphrases that start there.
    pub(super) fn phrases_at(&self, place: usize) -> Range<u32> {
        let (first, end) = self.places[place].phrases;
        first..end
    }

    /// The match of a run with a word of the hypothesis.
    pub(super) fn find_in(&self, run: &Run, word: u32) -> Option<u32> {
        let matches = &self.list[run.first as usize..run.end as usize];
        let found = matches.binary_search_by_key(&word, |found| found.hypothesis).ok()?;
        Some(run.first + found as u32)
    }

    /// Whether there were so few matches that all are listed.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// How many matches cover a word of the hypothesis.
    pub(super) fn hypothesis_coverage(&self) -> &[u32] {
        &self.hypothesis_coverage
    }

    /// The match that starts there if it is unambiguous: the only one of all its words.
    pub(super) fn definite(&self, place: usize) -> Option<u32> {
        if self.count_at(place) != 1 {
            return None;
        }
        let index = self.at(place).next()?;
        let found = self.get(index);
        let reference = &self.reference_coverage[place..place + found.reference_len as usize];
        let hypothesis = &self.hypothesis_coverage[found.hypothesis_range()];
        reference.iter().chain(hypothesis).all(|&coverage| coverage == 1).then_some(index)
    }

    /// Finds all matches.
    pub(super) fn find(
        &mut self,
        hypothesis: &Sentence,
        reference: &Sentence,
        lexicon: &Lexicon,
        resources: &LanguageResources,
    ) {
        let (hypothesis_words, reference_words) = (&hypothesis.words, &reference.words);
        self.clear(hypothesis_words.len(), reference_words.len(), lexicon.len());
        // As in METEOR, which avoids errors of its search this way.
        let modules =
            if are_identical(hypothesis, reference) { &resources.modules[..1] } else { &resources.modules[..] };
        let is_long = hypothesis_words.len() > word_index::MAX_UNINDEXED;
        if is_long {
            self.index.fill(hypothesis_words, lexicon);
        }
        for (place, word) in reference_words.iter().enumerate() {
            let seen = self.seen[word.class as usize] as usize;
            self.places[place] = if seen > 0 {
                self.places[seen - 1]
            } else {
                self.seen[word.class as usize] = place as u32 + 1;
                let found = if is_long {
                    self.find_indexed_words(hypothesis_words, word, lexicon, modules)
                } else {
                    self.find_words(hypothesis_words, word, lexicon, modules)
                };
                stop::steps(64 + (found.end - found.words) as usize);
                found
            };
        }
        for word in reference_words {
            self.seen[word.class as usize] = 0;
        }
        if let Some(stage) = modules.iter().position(|module| *module == Module::Paraphrase) {
            self.find_phrases(hypothesis, reference, resources, stage as u8);
        }
        self.cover();
    }

    fn clear(&mut self, hypothesis: usize, reference: usize, words: usize) {
        self.list.clear();
        self.runs.clear();
        self.is_complete = true;
        self.found.clear();
        self.places.clear();
        self.places.resize(reference, Place::default());
        self.reference_coverage.clear();
        self.reference_coverage.resize(reference, 0);
        self.hypothesis_coverage.clear();
        self.hypothesis_coverage.resize(hypothesis, 0);
        if self.seen.len() < words {
            self.seen.resize(words, 0);
        }
    }

    fn find_words(&mut self, hypothesis: &[Word], word: &Word, lexicon: &Lexicon, modules: &[Module]) -> Place {
        let words = self.list.len() as u32;
        let mut split = None;
        for (stage, module) in modules.iter().enumerate() {
            let matches: &dyn Fn(&Word) -> bool = match module {
                Module::Exact => {
                    self.list.extend(places(hypothesis, |other| other.key == word.key, stage));
                    continue;
                }
                Module::Stem => {
                    let same_stem = |other: &Word| other.stem == word.stem && other.key != word.key;
                    self.list.extend(places(hypothesis, same_stem, stage));
                    continue;
                }
                Module::Synonym if word.filter == 0 => continue,
                Module::Synonym => &|other| other.key != word.key && lexicon.are_synonyms(other, word),
                Module::Paraphrase => {
                    split = Some(self.list.len() as u32);
                    continue;
                }
            };
            self.list.extend(places(hypothesis, matches, stage));
        }
        self.limit();
        let end = self.list.len() as u32;
        Place { words, split: split.unwrap_or(end).min(end), end, phrases: (0, 0), runs: None }
    }

    /// The same as [`Matches::find_words`], for a hypothesis that is too long to be read for every word.
    fn find_indexed_words(&mut self, hypothesis: &[Word], word: &Word, lexicon: &Lexicon, modules: &[Module]) -> Place {
        let words = self.list.len() as u32;
        let mut split = None;
        for (stage, module) in modules.iter().enumerate() {
            let other_word = |place: &usize| hypothesis[*place].key != word.key;
            let found = |place| Match::word(place, stage);
            match module {
                Module::Exact => self.list.extend(self.index.with_key(word.key).map(found)),
                Module::Stem => {
                    self.list.extend(self.index.with_stem(word.stem).filter(other_word).map(found));
                }
                Module::Synonym => {
                    let places = self.index.with_sets(lexicon.sets(word));
                    self.list.extend(places.filter(other_word).map(found));
                }
                Module::Paraphrase => split = Some(self.list.len() as u32),
            }
            self.limit();
        }
        let end = self.list.len() as u32;
        let split = split.unwrap_or(end);
        let is_long = (end - words) as usize >= runs::MIN_LONG;
        let runs = is_long.then(|| [words..split, split..end].map(|part| self.runs.divide(&self.list, part)));
        Place { words, split, end, phrases: (0, 0), runs }
    }

    fn limit(&mut self) {
        self.is_complete &= self.list.len() <= MAX_WORDS;
        self.list.truncate(MAX_WORDS);
    }

    fn find_phrases(&mut self, hypothesis: &Sentence, reference: &Sentence, resources: &LanguageResources, stage: u8) {
        let Some(table) = &resources.paraphrases else { return };
        let (found, is_complete) = (&mut self.found, &mut self.is_complete);
        let mut note = |reference: Range<usize>, hypothesis: Range<usize>| {
            stop::steps(4);
            if found.len() < MAX_PHRASES {
                found.push((
                    reference.start as u32,
                    Match {
                        hypothesis: hypothesis.start as u32,
                        hypothesis_len: hypothesis.len() as u32,
                        reference_len: reference.len() as u32,
                        stage,
                    },
                ));
            } else {
                *is_complete = false;
            }
        };
        table.each_pair(&reference.phrases, &hypothesis.phrases, &mut note);
        table.each_pair(&hypothesis.phrases, &reference.phrases, |hypothesis, reference| {
            note(reference, hypothesis);
        });
        self.list_phrases();
    }

    /// Lists found paraphrases by the word of the reference they start at, each list in the order of finding.
    fn list_phrases(&mut self) {
        for (place, _) in &self.found {
            self.places[*place as usize].phrases.1 += 1;
        }
        let mut end = self.list.len() as u32;
        for place in &mut self.places {
            let count = place.phrases.1;
            place.phrases = (end, end);
            end += count;
        }
        self.list.resize(end as usize, Match::word(0, 0));
        for (place, found) in &self.found {
            let next = &mut self.places[*place as usize].phrases.1;
            self.list[*next as usize] = *found;
            *next += 1;
        }
    }

    fn cover(&mut self) {
        self.uses.clear();
        self.uses.resize(self.list.len() + 1, 0);
        for (place, &Place { words, end, phrases, .. }) in self.places.iter().enumerate() {
            self.reference_coverage[place] += end - words;
            self.uses[words as usize] += u32::from(end > words);
            for found in &self.list[phrases.0 as usize..phrases.1 as usize] {
                let reference = place..place + found.reference_len as usize;
                self.reference_coverage[reference].iter_mut().for_each(|coverage| *coverage += 1);
                let hypothesis = &mut self.hypothesis_coverage[found.hypothesis_range()];
                hypothesis.iter_mut().for_each(|coverage| *coverage += 1);
            }
        }
        // A list that several places share is read once.
        for &Place { words, end, .. } in &self.places {
            if end > words {
                let uses = std::mem::take(&mut self.uses[words as usize]);
                let listed = if uses > 0 { &self.list[words as usize..end as usize] } else { &[] };
                for found in listed {
                    self.hypothesis_coverage[found.hypothesis as usize] += uses;
                }
            }
        }
    }
}

/// Whether two sentences have the same words, by Java's hash.
pub(super) fn are_identical(hypothesis: &Sentence, reference: &Sentence) -> bool {
    hypothesis.words.iter().map(|word| word.key).eq(reference.words.iter().map(|word| word.key))
}

/// The words of the hypothesis that match, from left to right.
fn places(hypothesis: &[Word], matches: impl Fn(&Word) -> bool, stage: usize) -> impl Iterator<Item = Match> {
    let matched = hypothesis.iter().enumerate().filter(move |(_, word)| matches(word));
    matched.map(move |(place, _)| Match::word(place, stage))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meteor::Meteor;
    use crate::meteor::search::{Rules, Search};

    /// Two sentences and the matches between them.
    fn matched(meteor: &Meteor, hypothesis: &[String], reference: &[String]) -> (Matches, Lexicon, [Sentence; 2]) {
        let resources = &meteor.aligner.resources;
        let mut lexicon = Lexicon::default();
        let sentences = [hypothesis, reference].map(|words| {
            let mut sentence = Sentence::default();
            sentence.look_up(words.iter().map(String::as_str), &mut lexicon, resources);
            sentence
        });
        let mut matches = Matches::default();
        matches.find(&sentences[0], &sentences[1], &lexicon, resources);
        (matches, lexicon, sentences)
    }

    /// Words that follow no pattern, few of them different.
    fn words(count: usize, seed: u64) -> Vec<String> {
        const WORDS: [&str; 8] = ["the", "dog", "dogs", "hound", "large", "big", "running", "runs"];
        let next = |state: &u64| Some(state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
        let states = std::iter::successors(Some(seed), next).skip(1);
        states.take(count).map(|state| WORDS[((state >> 33) % 8 * (state >> 40) % 8) as usize].to_owned()).collect()
    }

    #[test]
    fn long_lines_are_aligned_as_if_every_match_were_tried() {
        let meteor = Meteor::parse("").unwrap();
        for seed in 0..3 {
            let (hypothesis, reference) = (words(400, seed), words(200 + 100 * seed as usize, seed + 100));
            let (mut matches, lexicon, sentences) = matched(&meteor, &hypothesis, &reference);
            let resources = &meteor.aligner.resources;
            for (place, word) in sentences[1].words.iter().enumerate() {
                let Place { words, split, end, .. } = matches.places[place];
                let indexed = matches.list[words as usize..end as usize].to_vec();
                let mut other = Matches { is_complete: true, ..Matches::default() };
                let plain = other.find_words(&sentences[0].words, word, &lexicon, &resources.modules);
                assert_eq!((indexed, split - words), (other.list, plain.split));
            }
            let rules = Rules { modules: &resources.modules, beam: 40, most_steps: None };
            let mut best = [Vec::new(), Vec::new()];
            let mut search = Search::default();
            search.best(&matches, &rules, &mut best[0]);
            assert!(matches.places.iter().any(|place| place.runs.is_some()));
            matches.places.iter_mut().for_each(|place| place.runs = None);
            search.best(&matches, &rules, &mut best[1]);
            assert!(search.is_complete() && !best[0].is_empty());
            assert_eq!(best[0], best[1], "seed {seed}");
        }
    }

    #[test]
    fn a_search_without_steps_takes_the_best_match_of_each_place() {
        let meteor = Meteor::parse("").unwrap();
        let (hypothesis, reference) = (words(700, 1), words(600, 2));
        let (matches, ..) = matched(&meteor, &hypothesis, &reference);
        let rules = |most_steps| Rules { modules: &meteor.aligner.resources.modules, beam: 40, most_steps };
        let mut best = [Vec::new(), Vec::new()];
        let mut search = Search::default();
        search.best(&matches, &rules(None), &mut best[0]);
        search.best(&matches, &rules(Some(0)), &mut best[1]);
        assert!(!search.is_complete());
        assert!(best[1].len() * 10 > best[0].len() * 9, "{} of {}", best[1].len(), best[0].len());
        let mut taken: Vec<u32> = best[1].iter().map(|(_, found)| found.hypothesis).collect();
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(taken.len(), best[1].len(), "no word is taken twice");
    }

    #[test]
    fn a_word_repeated_thousands_of_times_takes_few_steps() {
        let meteor = Meteor::parse("modules=exact").unwrap();
        let (hypothesis, mut reference) = (vec!["a".to_owned(); 3000], vec!["a".to_owned(); 2999]);
        reference[0] = "b".to_owned();
        let (matches, ..) = matched(&meteor, &hypothesis, &reference);
        // 360,000,000 if each of 40 paths tried every match at every place.
        let modules = &meteor.aligner.resources.modules;
        let rules = Rules { modules, beam: 40, most_steps: Some(30_000_000) };
        let (mut best, mut search) = (Vec::new(), Search::default());
        search.best(&matches, &rules, &mut best);
        assert!(search.is_complete());
        assert_eq!(best.len(), 2998);
    }

    #[test]
    fn no_word_is_taken_twice_by_stem_and_as_synonym() {
        // `dancing` has the stem of `dance` and is a synonym of it: two matches for each of 64 words that can be taken.
        let others = (0..200).map(|number| format!("q{number}"));
        let hypothesis: Vec<String> = others.chain(vec!["dancing".to_owned(); 64]).collect();
        let reference = vec!["dance".to_owned(); 100];
        let meteor = Meteor::parse("").unwrap();
        let (matches, ..) = matched(&meteor, &hypothesis, &reference);
        assert_eq!(matches.count_at(0), 128);
        let rules = Rules { modules: &meteor.aligner.resources.modules, beam: 40, most_steps: None };
        let (mut best, mut search) = (Vec::new(), Search::default());
        search.best(&matches, &rules, &mut best);
        let mut taken: Vec<u32> = best.iter().map(|(_, found)| found.hypothesis).collect();
        taken.sort_unstable();
        assert_eq!(taken, (200..264).collect::<Vec<u32>>());
    }

    #[test]
    fn words_with_the_same_hash_share_their_matches() {
        // `Aa` and `BB` have the same hash in Java, and so has every word made of them.
        let word = |number: usize| (0..10).map(|bit| if number >> bit & 1 == 0 { "Aa" } else { "BB" }).collect();
        let hypothesis: Vec<String> = (0..1024).map(word).collect();
        let reference: Vec<String> = (0..1000).rev().map(word).collect();
        let (matches, ..) = matched(&Meteor::parse("norm=no").unwrap(), &hypothesis, &reference);
        assert_eq!(matches.count_at(7), 1024);
        assert!(matches.list.len() < 4 * 1024, "{}", matches.list.len());
    }
}
