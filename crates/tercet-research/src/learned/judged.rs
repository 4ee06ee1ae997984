//! Judgements as training data: distinct translations of segments, with pairs (which of two is better) or scores.
//!
//! Ties are left out (Guzmán et al., 2017, footnote 1). The same two outputs judged twice are two pairs. Which output
//! of a pair comes first is random (seeded by set, segment and systems), so that the order carries no information: a
//! network that is not symmetric must not profit from files that put the better output first, nor from the order of
//! systems (in WMT12's judgements the system with the lower number wins 44 to 57 percent).

use crate::corpora::{Comparison, HumanScores, JudgementSource, Judgements, Level, Outcome, Texts, find_judgements};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::warning::Warning;
use foldhash::HashMap;
use std::path::Path;
use tercet_math::random::Random;

/// Which outputs of a set become translations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those with a judgement.
    Judged,
    /// All of them, to score systems.
    AllOutputs,
}

/// One language pair of a set. Segments without a reference are not in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JudgedTexts {
    /// The name of the set.
    pub set: String,
    /// The language pair.
    pub pair: String,
    /// The names of the systems.
    pub systems: Vec<String>,
    /// The first reference of each segment.
    pub references: Vec<String>,
    /// The distinct translations of all segments, in the order of segments.
    pub translations: Vec<Translation>,
    /// The index of a system's output among the translations: `outputs[system][segment]`.
    pub outputs: Vec<Vec<Option<u32>>>,
    /// Judgements of which of two translations is better, without ties.
    pub pairs: Vec<JudgedPair>,
    /// Judgements of single translations, in the order of systems and segments.
    pub scores: Vec<ScoredTranslation>,
}

/// A translation of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The segment, as an index of [`JudgedTexts::references`].
    pub segment: u32,
    /// The text of the translation.
    pub text: String,
}

/// Two translations of a segment, one of which was judged better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedPair {
    /// The first translation, as an index of [`JudgedTexts::translations`].
    pub a: u32,
    /// The second translation.
    pub b: u32,
    /// Whether the first translation is better.
    pub a_is_better: bool,
}

/// A translation with a human score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredTranslation {
    /// The translation, as an index of [`JudgedTexts::translations`].
    pub translation: u32,
    /// The score; higher is better.
    pub score: f64,
}

impl JudgedTexts {
    /// The human scores of segments with this name (default: the set's first), and their translations.
    pub fn with_scores(judgements: &Judgements, human: Option<&str>) -> Result<Self> {
        let is_meant =
            |scores: &&HumanScores| scores.level == Level::Segment && human.is_none_or(|name| scores.name == name);
        let Some(human) = judgements.scores.iter().find(is_meant) else {
            let what = human.map_or("scores of segments".to_owned(), |name| format!("scores `{name}` of segments"));
            return Err(Error::Unusable(format!("{}: no {what}", name_of(&judgements.set, &judgements.pair))));
        };
        let judged: Vec<Vec<bool>> =
            human.values.iter().map(|system| system.iter().map(Option::is_some).collect()).collect();
        let mut made = JudgedTexts::of_set(judgements);
        let places = made.add_texts(texts_of(judgements)?, judgements.segments.len(), &judged);
        let sign = if human.higher_is_better { 1.0 } else { -1.0 };
        for (system, scores) in human.values.iter().enumerate() {
            let scored = scores.iter().zip(&places).filter_map(|(score, place)| {
                let translation = made.outputs[system][(*place)?]?;
                score.map(|score| ScoredTranslation { translation, score: sign * score })
            });
            made.scores.extend(scored);
        }
        Ok(made)
    }

    /// A set without its judgements.
    fn of_set(judgements: &Judgements) -> Self {
        JudgedTexts {
            set: judgements.set.clone(),
            pair: judgements.pair.clone(),
            systems: judgements.systems.clone(),
            outputs: vec![Vec::new(); judgements.systems.len()],
            ..JudgedTexts::default()
        }
    }

    /// The pairs of a set, and its translations.
    pub fn with_pairs(judgements: &Judgements, scope: Scope) -> Result<Self> {
        if judgements.comparisons.is_empty() {
            let name = name_of(&judgements.set, &judgements.pair);
            let reason = "no judgements of which of two translations is better (scores are not pairs)";
            return Err(Error::Unusable(format!("{name}: {reason}")));
        }
        let texts = texts_of(judgements)?;
        let strict: Vec<&Comparison> =
            judgements.comparisons.iter().filter(|comparison| comparison.outcome != Outcome::Tie).collect();
        let mut judged = vec![vec![scope == Scope::AllOutputs; judgements.segments.len()]; judgements.systems.len()];
        for comparison in &strict {
            judged[comparison.first][comparison.segment] = true;
            judged[comparison.second][comparison.segment] = true;
        }
        let mut made = JudgedTexts::of_set(judgements);
        let places = made.add_texts(texts, judgements.segments.len(), &judged);
        made.pairs = strict.iter().filter_map(|comparison| made.pair_of(comparison, &places)).collect();
        Ok(made)
    }

    /// Adds segments and translations; returns the new index of each segment of the set.
    fn add_texts(&mut self, texts: &Texts, segments: usize, judged: &[Vec<bool>]) -> Vec<Option<usize>> {
        let mut places = vec![None; segments];
        for (segment, place) in places.iter_mut().enumerate() {
            let wanted = judged.iter().any(|system| system[segment]);
            let Some(line) = reference_of(texts, segment).filter(|_| wanted) else { continue };
            *place = Some(self.references.len());
            self.references.push(line.to_owned());
            let mut known: HashMap<&str, u32> = HashMap::default();
            for (system, outputs) in self.outputs.iter_mut().enumerate() {
                let text = texts.outputs[system][segment].as_deref().filter(|_| judged[system][segment]);
                outputs.push(text.map(|text| {
                    *known.entry(text).or_insert_with(|| {
                        let segment = self.references.len() as u32 - 1;
                        self.translations.push(Translation { segment, text: text.to_owned() });
                        self.translations.len() as u32 - 1
                    })
                }));
            }
        }
        places
    }

    fn pair_of(&self, comparison: &Comparison, places: &[Option<usize>]) -> Option<JudgedPair> {
        let segment = places[comparison.segment]?;
        let first_is_better = comparison.outcome == Outcome::First;
        let (a, b, a_is_better) = if (comparison.first < comparison.second) == self.coin(comparison) {
            (comparison.first, comparison.second, first_is_better)
        } else {
            (comparison.second, comparison.first, !first_is_better)
        };
        Some(JudgedPair { a: self.outputs[a][segment]?, b: self.outputs[b][segment]?, a_is_better })
    }

    /// Whether the system with the lower number comes first; the same for all judgements of these two outputs.
    fn coin(&self, comparison: &Comparison) -> bool {
        let low = comparison.first.min(comparison.second);
        let high = comparison.first.max(comparison.second);
        let systems = self.systems.len();
        let number = (comparison.segment * systems + low) * systems + high;
        Random::stream(0, &format!("order {} {}", self.set, self.pair), number as u64).bits() & 1 == 0
    }

    /// Sorted indices of `size` random pairs, or of all.
    pub fn sample(&self, size: Option<usize>, seed: u64) -> Vec<u32> {
        sample(self.pairs.len(), size, seed, &format!("sample {} {}", self.set, self.pair))
    }

    /// Keeps these pairs, and of the texts only those that they need.
    pub fn keep_pairs(&mut self, chosen: &[u32]) {
        if chosen.len() == self.pairs.len() {
            return;
        }
        self.pairs = chosen.iter().map(|number| self.pairs[*number as usize]).collect();
        let judged = self.pairs.iter().flat_map(|pair| [pair.a, pair.b]);
        let kept_scores = self.scores.iter().map(|score| score.translation);
        let translations = renumbered(self.translations.len(), judged.chain(kept_scores));
        let used = self.translations.iter().zip(&translations).filter(|(_, place)| place.is_some());
        let segments = renumbered(self.references.len(), used.map(|(translation, _)| translation.segment));
        let new = |place: u32, places: &[Option<u32>]| places[place as usize].unwrap_or_default();
        for pair in &mut self.pairs {
            (pair.a, pair.b) = (new(pair.a, &translations), new(pair.b, &translations));
        }
        for score in &mut self.scores {
            score.translation = new(score.translation, &translations);
        }
        for outputs in &mut self.outputs {
            let found = outputs.iter().map(|output| output.and_then(|place| translations[place as usize]));
            *outputs = kept(&found.collect::<Vec<_>>(), &segments);
        }
        self.references = kept(&self.references, &segments);
        self.translations = kept(&self.translations, &translations);
        for translation in &mut self.translations {
            translation.segment = new(translation.segment, &segments);
        }
    }

    /// Adds a segment with one translation.
    pub(crate) fn add(&mut self, text: &str, reference: &str) {
        if self.references.last().is_none_or(|last| last != reference) {
            self.references.push(reference.to_owned());
        }
        let segment = self.references.len() as u32 - 1;
        self.translations.push(Translation { segment, text: text.to_owned() });
    }

    /// Adds a segment with two translations and their pair.
    pub(crate) fn add_pair(&mut self, a: &str, b: &str, reference: &str) {
        self.add(a, reference);
        self.add(b, reference);
        let next = self.translations.len() as u32;
        self.pairs.push(JudgedPair { a: next - 2, b: next - 1, a_is_better: true });
    }

    /// Set and language pair, if it has one.
    pub fn name(&self) -> String {
        name_of(&self.set, &self.pair)
    }

    /// All texts: references, then translations.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let translations = self.translations.iter().map(|translation| translation.text.as_str());
        self.references.iter().map(String::as_str).chain(translations)
    }
}

/// The new index of each of `count` things if only the used ones are kept, in their order.
fn renumbered(count: usize, used: impl Iterator<Item = u32>) -> Vec<Option<u32>> {
    let mut is_used = vec![false; count];
    used.for_each(|place| is_used[place as usize] = true);
    let mut next = 0..;
    is_used.into_iter().map(|is_used| if is_used { next.next() } else { None }).collect()
}

/// Set and language pair, if it has one.
pub(super) fn name_of(set: &str, pair: &str) -> String {
    format!("{set} {pair}").trim_end().to_owned()
}

/// The things that have a new index.
fn kept<T: Clone>(things: &[T], places: &[Option<u32>]) -> Vec<T> {
    things.iter().zip(places).filter(|(_, place)| place.is_some()).map(|(thing, _)| thing.clone()).collect()
}

/// The first reference of a segment.
pub(super) fn reference_of(texts: &Texts, segment: usize) -> Option<&str> {
    texts.references.iter().find_map(|reference| reference.lines[segment].as_deref())
}

/// The texts of a set; an error if there are none.
pub(super) fn texts_of(judgements: &Judgements) -> Result<&Texts> {
    let name = name_of(&judgements.set, &judgements.pair);
    let texts = judgements.texts.as_ref();
    texts.filter(|texts| !texts.references.is_empty() && !texts.outputs.is_empty()).ok_or_else(|| {
        Error::Unusable(format!("{name}: its files have no references and outputs, so there is nothing to learn from"))
    })
}

/// Draws `size` indices from several lists of these lengths taken together; returns the sorted indices for each list.
pub fn pooled_sample(counts: &[usize], size: usize, seed: u64) -> Vec<Vec<u32>> {
    let drawn = sample(counts.iter().sum(), Some(size), seed, "development");
    let mut start = 0;
    let part = |&count: &usize| {
        let (low, high) = (start, start + count as u32);
        start = high;
        drawn.iter().filter(|number| (low..high).contains(*number)).map(|number| number - low).collect()
    };
    counts.iter().map(part).collect()
}

/// Sorted indices below `count`, `size` of them drawn without replacement, or all.
fn sample(count: usize, size: Option<usize>, seed: u64, purpose: &str) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..count as u32).collect();
    if let Some(size) = size.filter(|size| *size < count) {
        Random::stream(seed, purpose, 0).shuffle(&mut numbers);
        numbers.truncate(size);
        numbers.sort_unstable();
    }
    numbers
}

/// Reads the sets of a folder or file that [`find_sets`] finds. Warns of references that were made from the outputs.
pub(crate) fn read_sets(path: &Path, pairs: &[String], progress: Progress<'_>) -> Result<Vec<Judgements>> {
    progress.uncounted(&format!("reading {}", path.display()))?;
    let sets: Vec<Judgements> = find_sets(path, pairs)?.iter().map(|source| source.read()).collect::<Result<_>>()?;
    for set in sets.iter().filter(|set| set.post_edits) {
        progress.warn(&Warning::PostEdits { set: name_of(&set.set, &set.pair) })?;
    }
    Ok(sets)
}

/// The sets of a folder or file that have one of these language pairs; without any, those into English and those that
/// name none.
fn find_sets(path: &Path, pairs: &[String]) -> Result<Vec<JudgementSource>> {
    let mut sources = find_judgements(path)?;
    let named = sources.iter().map(|source| source.pair.as_str()).filter(|pair| !pair.is_empty());
    let known: Vec<&str> = named.collect();
    let refuse = |reason: String| Err(Error::bad_file(path, reason));
    let there_are = || format!("; there are {}", known.join(", "));
    if let Some(missing) = pairs.iter().find(|pair| !known.contains(&pair.as_str())) {
        return match known.is_empty() {
            true => refuse("it does not say its language pair: leave out `pairs`".to_owned()),
            false => refuse(format!("there are no judgements for {missing}{}", there_are())),
        };
    }
    let is_meant = |pair: &str| match pairs.is_empty() {
        true => pair.is_empty() || pair.ends_with("-en"),
        false => pairs.iter().any(|meant| meant == pair),
    };
    if !sources.iter().any(|source| is_meant(&source.pair)) {
        let what = "nothing here is into English, and no language pairs are chosen";
        return refuse(format!("{what}{}", there_are()));
    }
    sources.retain(|source| is_meant(&source.pair));
    Ok(sources)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpora::Reference;

    fn judgements() -> Judgements {
        let comparison = |segment, first, second, outcome| Comparison { segment, first, second, outcome };
        let lines = |lines: &[&str]| lines.iter().map(|line| (!line.is_empty()).then(|| (*line).to_owned())).collect();
        Judgements {
            set: "wmt12-rr".to_owned(),
            pair: "cs-en".to_owned(),
            systems: vec!["x".to_owned(), "y".to_owned(), "z".to_owned()],
            segments: vec!["1".to_owned(), "2".to_owned(), "3".to_owned()],
            texts: Some(Texts {
                sources: None,
                references: vec![Reference { name: String::new(), lines: lines(&["r1", "", "r3"]) }],
                outputs: vec![lines(&["p", "q", "s"]), lines(&["p", "q", ""]), lines(&["o", "q", "t"])],
            }),
            comparisons: vec![
                comparison(0, 2, 0, Outcome::First),
                comparison(0, 0, 1, Outcome::Second),
                comparison(0, 1, 2, Outcome::Tie),
                comparison(1, 0, 1, Outcome::First),
                comparison(2, 0, 1, Outcome::First),
            ],
            ..Judgements::default()
        }
    }

    #[test]
    fn pairs_are_strict_in_neutral_order_and_have_texts() {
        let judged = JudgedTexts::with_pairs(&judgements(), Scope::Judged).unwrap();
        assert_eq!(judged.references, ["r1", "r3"]);
        let texts: Vec<&str> = judged.translations.iter().map(|translation| translation.text.as_str()).collect();
        assert_eq!(texts, ["p", "o", "s"]);
        // Equal outputs are one translation; the better of the others is o, whichever comes first.
        let [first, second] = judged.pairs[..] else { panic!("{:?}", judged.pairs) };
        assert_eq!((second.a, second.b), (0, 0));
        assert_eq!(if first.a_is_better { first.a } else { first.b }, 1);
        assert_eq!(judged.outputs, [[Some(0), Some(2)], [Some(0), None], [Some(1), None]]);
    }

    #[test]
    fn the_order_of_a_pair_is_random_but_equal_for_the_same_outputs() {
        let one = judgements();
        let comparison = |segment, outcome| Comparison { segment, first: 0, second: 1, outcome };
        let lines = |text: &str| (0..400).map(|line| Some(format!("{text} {line}"))).collect::<Vec<_>>();
        let many = Judgements {
            segments: (0..400).map(|segment| segment.to_string()).collect(),
            texts: Some(Texts {
                sources: None,
                references: vec![Reference { name: String::new(), lines: lines("r") }],
                outputs: vec![lines("x"), lines("y"), lines("z")],
            }),
            comparisons: (0..400).flat_map(|segment| [comparison(segment, Outcome::First); 2]).collect(),
            ..one
        };
        let judged = JudgedTexts::with_pairs(&many, Scope::Judged).unwrap();
        assert!(judged.pairs.chunks(2).all(|two| two[0] == two[1]));
        let first = judged.pairs.iter().filter(|pair| pair.a_is_better).count();
        assert!((320..480).contains(&first), "{first} of 800");
    }

    #[test]
    fn texts_without_a_kept_pair_are_left_out() {
        let mut judgements = judgements();
        let comparison = Comparison { segment: 2, first: 2, second: 0, outcome: Outcome::First };
        judgements.comparisons.push(comparison);
        let whole = JudgedTexts::with_pairs(&judgements, Scope::Judged).unwrap();
        let mut all = whole.clone();
        all.keep_pairs(&[0, 1, 2]);
        assert_eq!(all, whole);
        let mut last = whole.clone();
        last.keep_pairs(&[2]);
        assert_eq!(last.references, ["r3"]);
        let texts: Vec<&str> = last.translations.iter().map(|translation| translation.text.as_str()).collect();
        assert_eq!(texts, ["s", "t"]);
        assert!(last.translations.iter().all(|translation| translation.segment == 0));
        assert_eq!(last.outputs, [[Some(0)], [None], [Some(1)]]);
        let [pair] = last.pairs[..] else { panic!("{:?}", last.pairs) };
        assert_eq!(if pair.a_is_better { (pair.a, pair.b) } else { (pair.b, pair.a) }, (1, 0));
    }

    #[test]
    fn all_outputs_are_there_for_scores_of_systems() {
        let judged = JudgedTexts::with_pairs(&judgements(), Scope::AllOutputs).unwrap();
        assert_eq!(judged.outputs[2], [Some(1), Some(3)]);
        assert_eq!(judged.pairs.len(), 2);
        let empty = Judgements { texts: None, ..judgements() };
        let error = JudgedTexts::with_pairs(&empty, Scope::Judged).unwrap_err().to_string();
        assert!(error.starts_with("wmt12-rr cs-en: its files have no references"), "{error}");
    }

    #[test]
    fn scores_belong_to_translations_and_more_is_better() {
        let human = HumanScores {
            name: "mqm".to_owned(),
            level: Level::Segment,
            higher_is_better: false,
            values: vec![vec![Some(1.0), Some(2.0), None], vec![Some(3.0), None, Some(4.0)], vec![None; 3]],
        };
        let judgements = Judgements { scores: vec![human], ..judgements() };
        let judged = JudgedTexts::with_scores(&judgements, Some("mqm")).unwrap();
        // The second segment has no reference, the third no output of the second system.
        let scored: Vec<(&str, f64)> = judged
            .scores
            .iter()
            .map(|one| (judged.translations[one.translation as usize].text.as_str(), one.score))
            .collect();
        assert_eq!(scored, [("p", -1.0), ("p", -3.0)]);
        let error = JudgedTexts::with_scores(&judgements, Some("da")).unwrap_err().to_string();
        assert_eq!(error, "wmt12-rr cs-en: no scores `da` of segments");
    }

    #[test]
    fn samples_depend_on_the_seed_alone() {
        let (one, again, other) =
            (sample(100, Some(10), 1, "x"), sample(100, Some(10), 1, "x"), sample(100, Some(10), 2, "x"));
        assert_eq!((one.len(), &one), (10, &again));
        assert!(one != other && one.is_sorted());
        assert_eq!(sample(5, Some(10), 1, "x"), [0, 1, 2, 3, 4]);
        assert_eq!(sample(5, None, 1, "x").len(), 5);
        let pooled = pooled_sample(&[3000, 0, 1000], 400, 7);
        assert_eq!(pooled.iter().map(Vec::len).sum::<usize>(), 400);
        assert!(pooled[0].len() > 250 && pooled[1].is_empty() && pooled[2].len() > 50);
        assert!(pooled[2].iter().all(|number| *number < 1000) && pooled[2].is_sorted());
    }
}
