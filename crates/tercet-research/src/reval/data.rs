//! The judgements that a recipe names, as examples of the network.

use super::recipe::{RevalRecipe, ScoredEntry};
use super::sentences::DistinctLines;
use crate::corpora::{Judgements, find_judgements};
use crate::error::{Error, Result};
use crate::learned::{JudgedTexts, Scope, ScoredPair, derive_scores, pooled_sample};
use crate::progress::Progress;
use std::ops::Range;
use std::path::Path;
use tercet_learn::networks::{RankedPair, ScoredPair as ScoredExample};

/// Scores are from 1 to this number.
const MAX_SCORE: f64 = 5.0;

/// The judgements of one part of a recipe: those to learn from, or the development set.
#[derive(Default)]
pub(super) struct JudgedData {
    /// Sets with pairs, and which of the pairs are used.
    ranked: Vec<(JudgedTexts, Vec<u32>)>,
    /// Scores that were derived from rankings.
    derived: Vec<ScoredPair>,
    /// Sets with scores from 1 to 5.
    scored: Vec<JudgedTexts>,
    /// Whether every reference is also its own translation.
    identical: bool,
    /// The sets with the number of their examples, for the notes.
    names: Vec<(String, usize)>,
}

/// Examples with the numbers of lines.
#[derive(Default)]
pub(super) struct Examples {
    /// Pairs of a reference and a translation with scores.
    pub scored: Vec<ScoredExample>,
    /// Translations of which one is better.
    pub ranked: Vec<RankedPair>,
    /// The ranked pairs of each set.
    pub groups: Vec<Range<usize>>,
    /// How many of the scored pairs, the last ones, are references with themselves that nobody scored.
    pub identical: usize,
}

impl Examples {
    /// Every reference with itself, which has the highest score.
    fn add_identical(&mut self, classes: usize) {
        let scored = self.scored.iter().map(|one| one.reference);
        let mut references: Vec<u32> = scored.chain(self.ranked.iter().map(|one| one.reference)).collect();
        references.sort_unstable();
        references.dedup();
        let identical = |line| ScoredExample { reference: line, translation: line, score: classes as f32 };
        self.identical = references.len();
        self.scored.extend(references.into_iter().map(identical));
    }
}

impl JudgedData {
    /// The judgements to learn from.
    pub fn training(recipe: &RevalRecipe, progress: Progress<'_>) -> Result<Self> {
        let (data, learning) = (&recipe.data, &recipe.training);
        let mut sets = Vec::new();
        for path in &data.train {
            sets.extend(read(&recipe.origin.path(path), &data.train_pairs, progress)?);
        }
        check_pairs(&data.train_pairs, &sets)?;
        let mut made = JudgedData { identical: data.identical, ..JudgedData::default() };
        if learning.learns_scores() && !sets.is_empty() {
            progress.uncounted("deriving scores from rankings")?;
            made.derived = derive_scores(&sets, &recipe.scores.settings())?.pairs;
            let names: Vec<String> = sets.iter().map(name).collect();
            let of = |name: &String| made.derived.iter().filter(|one| name_of(one) == *name).count();
            made.names.extend(names.iter().map(|name| (name.clone(), of(name))));
        }
        if learning.learns_pairs() {
            for set in &sets {
                let mut judged = JudgedTexts::with_pairs(set, Scope::Judged)?;
                let chosen = judged.sample(data.per_pair, learning.seed);
                judged.keep_pairs(&chosen);
                made.names.push((format!("{} pairs", judged.name()), chosen.len()));
                made.ranked.push((judged, (0..chosen.len() as u32).collect()));
            }
        }
        for entry in &data.scored {
            for set in read(&recipe.origin.path(&entry.file), &[], progress)? {
                made.add_scored(&set, entry)?;
            }
        }
        made.check("to learn from")?;
        Ok(made)
    }

    /// The development set; empty if the recipe names none.
    pub fn development(recipe: &RevalRecipe, progress: Progress<'_>) -> Result<Self> {
        let data = &recipe.data;
        let (mut made, mut sets) = (JudgedData::default(), Vec::new());
        for entry in &data.development {
            for set in read(&recipe.origin.path(&entry.file), &data.development_pairs, progress)? {
                match set.comparisons.is_empty() {
                    true => made.add_scored(&set, entry)?,
                    false => made.ranked.push((JudgedTexts::with_pairs(&set, Scope::Judged)?, Vec::new())),
                }
                sets.push(set);
            }
        }
        check_pairs(&data.development_pairs, &sets)?;
        if !made.ranked.is_empty() && !made.scored.is_empty() {
            let what = "the development set has rankings and scores: name sets of one kind";
            return Err(Error::Unusable(what.to_owned()));
        }
        let counts: Vec<usize> = made.ranked.iter().map(|(judged, _)| judged.pairs.len()).collect();
        let drawn = pooled_sample(&counts, data.development_size, recipe.training.seed);
        for ((judged, chosen), drawn) in made.ranked.iter_mut().zip(drawn) {
            made.names.push((judged.name(), drawn.len()));
            judged.keep_pairs(&drawn);
            *chosen = (0..drawn.len() as u32).collect();
        }
        if !data.development.is_empty() {
            made.check("in the development set")?;
        }
        Ok(made)
    }

    /// Returns an error if a set is in both.
    pub fn check_distinct(&self, other: &JudgedData) -> Result<()> {
        let name = |name: &str| name.trim_end_matches(" pairs").to_owned();
        let shared = self.names.iter().find(|(one, _)| other.names.iter().any(|(two, _)| name(one) == *two));
        match shared {
            Some((shared, _)) => Err(Error::TrainedAndMeasured { set: name(shared) }),
            None => Ok(()),
        }
    }

    /// The sets with the number of their examples: `wmt13-rr fr-en (3120), SICK_train.txt (4500)`.
    pub fn names(&self) -> String {
        let one = |(name, count): &(String, usize)| format!("{name} ({count})");
        self.names.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// All examples; lines get numbers. Scores are from 1 to `classes`.
    pub fn examples<'a>(&'a self, lines: &mut DistinctLines<'a>, classes: usize) -> Examples {
        let mut made = Examples::default();
        let scale = (classes as f64 - 1.0) / (MAX_SCORE - 1.0);
        let mut add = |lines: &mut DistinctLines<'a>, reference: &'a str, translation: &'a str, score: f64| {
            let (reference, translation) = (lines.number(reference), lines.number(translation));
            let score = (1.0 + (score - 1.0) * scale) as f32;
            made.scored.push(ScoredExample { reference, translation, score });
        };
        for one in &self.derived {
            add(lines, &one.reference, &one.translation, one.score);
        }
        for judged in &self.scored {
            for one in &judged.scores {
                let (reference, translation) = texts(judged, one.translation);
                add(lines, reference, translation, one.score);
            }
        }
        for (judged, chosen) in &self.ranked {
            let start = made.ranked.len();
            for &pair in chosen {
                let pair = judged.pairs[pair as usize];
                let (better, worse) = if pair.a_is_better { (pair.a, pair.b) } else { (pair.b, pair.a) };
                let (reference, better) = texts(judged, better);
                let worse = lines.number(texts(judged, worse).1);
                let (reference, better) = (lines.number(reference), lines.number(better));
                made.ranked.push(RankedPair { reference, better, worse });
            }
            made.groups.push(start..made.ranked.len());
        }
        if self.identical {
            made.add_identical(classes);
        }
        made
    }

    /// Adds a set with scores, scaled to the range from 1 to 5.
    fn add_scored(&mut self, set: &Judgements, entry: &ScoredEntry) -> Result<()> {
        let mut judged = JudgedTexts::with_scores(set, None)?;
        let (low, high) = entry.bounds().unwrap_or((1.0, MAX_SCORE));
        let name = judged.name();
        for one in &mut judged.scores {
            if !entry.is_scaled() && !(1.0..=MAX_SCORE).contains(&one.score) {
                return Err(Error::Unusable(format!(
                    "{name}: a score is {}, expected 1 to 5 (name the range: {{ file = …, low = …, high = … }})",
                    one.score
                )));
            }
            one.score = (1.0 + (one.score - low) / (high - low) * (MAX_SCORE - 1.0)).clamp(1.0, MAX_SCORE);
        }
        self.names.push((name, judged.scores.len()));
        self.scored.push(judged);
        Ok(())
    }

    /// Returns an error if there is no example, or if a set is there twice.
    fn check(&self, what: &str) -> Result<()> {
        if self.names.iter().all(|(_, count)| *count == 0) {
            return Err(Error::Unusable(format!("there are no judgements {what}: {}", self.names())));
        }
        for (place, (name, _)) in self.names.iter().enumerate() {
            if self.names[..place].iter().any(|(earlier, _)| earlier == name) {
                return Err(Error::SetTwice { set: name.clone() });
            }
        }
        Ok(())
    }
}

/// The sets of a path, of these language pairs or of all into English.
fn read(path: &Path, pairs: &[String], progress: Progress<'_>) -> Result<Vec<Judgements>> {
    progress.uncounted(&format!("reading {}", path.display()))?;
    let into_english = |pair: &str| pair.is_empty() || pair.ends_with("-en");
    let is_meant = |pair: &String| if pairs.is_empty() { into_english(pair) } else { pairs.contains(pair) };
    let sources = find_judgements(path)?;
    if pairs.is_empty() && !sources.iter().any(|source| into_english(&source.pair)) {
        let found: Vec<&str> = sources.iter().map(|source| source.pair.as_str()).collect();
        let reason = "nothing here is into English, and no language pairs are chosen; there are";
        return Err(Error::bad_file(path, format!("{reason} {}", found.join(", "))));
    }
    sources.iter().filter(|source| is_meant(&source.pair)).map(|source| source.read()).collect()
}

/// Returns an error if there is no set of one of these language pairs.
fn check_pairs(pairs: &[String], sets: &[Judgements]) -> Result<()> {
    match pairs.iter().find(|pair| sets.iter().all(|set| set.pair != **pair)) {
        Some(missing) => {
            let known = sets.iter().map(|set| set.pair.clone()).collect();
            Err(Error::NoJudgementsOf { pair: missing.clone(), known })
        }
        None => Ok(()),
    }
}

fn name(set: &Judgements) -> String {
    format!("{} {}", set.set, set.pair)
}

fn name_of(one: &ScoredPair) -> String {
    format!("{} {}", one.set, one.pair)
}

/// Reference and text of a translation.
fn texts(judged: &JudgedTexts, translation: u32) -> (&str, &str) {
    let translation = &judged.translations[translation as usize];
    (&judged.references[translation.segment as usize], &translation.text)
}
