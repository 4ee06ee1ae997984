//! The judgements that a recipe names, in groups with the same reference.

use crate::corpora::{Judgements, Level, Reference};
use crate::error::{Error, Result};
use crate::learned::{JudgedTexts, Scope, read_sets};
use crate::progress::Progress;
use crate::siamese::recipe::{SiameseEntry, SiameseRecipe, WantedJudgements};
use crate::text::{Language, TextLanguage};
use crate::warning::Warning;
use foldhash::{HashMap, HashSet};
use tercet_math::random::Random;
use tercet_neural::siamese::head::Way;

/// A group has at most so many translations; further ones are a group of their own.
const MAX_GROUP: usize = 32;

/// Stands between a reference and the source, where translations are compared with both.
const AND_SOURCE: char = '\u{1f}';

/// A reference, a source, or both, with judged translations.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TextGroup {
    /// Both have [`AND_SOURCE`] between them.
    pub reference: String,
    pub translations: Vec<String>,
    /// The better and the worse of two, as indices of the translations.
    pub pairs: Vec<[usize; 2]>,
    /// A translation with its standardised score.
    pub scores: Vec<(usize, f64)>,
}

impl TextGroup {
    /// The lines with which translations are compared.
    pub fn others(&self) -> impl Iterator<Item = &str> {
        self.reference.split(AND_SOURCE)
    }
}

/// The judgements to learn from and those of the development set.
#[derive(Debug, Default)]
pub(super) struct TextGroups {
    pub training: Vec<TextGroup>,
    pub development: Vec<TextGroup>,
    /// The sets with the number of their judgements, for the notes.
    pub names: Vec<String>,
    pub development_names: Vec<String>,
}

impl TextGroups {
    /// Reads all that a recipe names. A model that knows only English is told of other languages.
    pub fn read(recipe: &SiameseRecipe, is_english: bool, progress: Progress<'_>) -> Result<Self> {
        let mut made = TextGroups::default();
        let read = |entries| read_entries(entries, recipe, is_english, progress);
        (made.training, made.names) = read(&recipe.data.train)?;
        if made.training.is_empty() {
            let names = made.names.join(", ");
            return Err(Error::Unusable(format!("there are no judgements to learn from: {names}")));
        }
        if recipe.data.development.is_empty() {
            made.hold_out(recipe.data.held_out, recipe.training.seed);
            return Ok(made);
        }
        (made.development, made.development_names) = read(&recipe.data.development)?;
        if made.development.is_empty() {
            let names = made.development_names.join(", ");
            return Err(Error::Unusable(format!("there are no judgements in the development set: {names}")));
        }
        let set = |name: &str| name.rsplit_once(" (").map_or(name, |(set, _)| set).to_owned();
        let known: HashSet<String> = made.names.iter().map(|name| set(name)).collect();
        match made.development_names.iter().map(|name| set(name)).find(|name| known.contains(name)) {
            Some(shared) => Err(Error::TrainedAndMeasured { set: shared }),
            None => Ok(made),
        }
    }

    /// Moves all groups of some references to the development set: this share of the references, but not the last one.
    fn hold_out(&mut self, share: f64, seed: u64) {
        let mut known = HashSet::default();
        let references = self.training.iter().map(|group| group.reference.as_str());
        let mut distinct: Vec<&str> = references.filter(|reference| known.insert(*reference)).collect();
        Random::stream(seed, "held out", 0).shuffle(&mut distinct);
        let count = (share * distinct.len() as f64).ceil() as usize;
        distinct.truncate(count.min(distinct.len() - 1));
        let chosen: HashSet<String> = distinct.into_iter().map(str::to_owned).collect();
        let (development, training) =
            std::mem::take(&mut self.training).into_iter().partition(|group| chosen.contains(&group.reference));
        (self.training, self.development) = (training, development);
    }
}

/// The groups of all entries, and the names of their sets.
fn read_entries(
    entries: &[SiameseEntry],
    recipe: &SiameseRecipe,
    is_english: bool,
    progress: Progress<'_>,
) -> Result<(Vec<TextGroup>, Vec<String>)> {
    let (mut groups, mut names, mut known) = (Vec::new(), Vec::new(), HashSet::default());
    for entry in entries {
        let mut sets = Vec::new();
        for set in sets_of(entry, recipe, progress)? {
            let set = if recipe.data.way() == Way::Reference { set } else { with_sources(set, recipe.data.way())? };
            let judged = sampled(judged(entry, &set)?, recipe);
            if is_english {
                warn_of_language(&judged, progress)?;
            }
            let (name, kind) = (judged.name(), judged.pairs.is_empty());
            if !known.insert((name.clone(), kind)) {
                return Err(Error::SetTwice { set: name });
            }
            names.push(format!("{name} ({})", judged.pairs.len() + judged.scores.len()));
            sets.push(judged);
        }
        standardise(&mut sets)?;
        groups.extend(sets.iter().flat_map(groups_of));
    }
    Ok((groups, names))
}

/// A set whose sources take the place of its references, or stand behind each of them.
fn with_sources(mut set: Judgements, way: Way) -> Result<Judgements> {
    let sources = set.texts.as_mut().and_then(|texts| Some((texts.sources.clone()?, texts)));
    let Some((sources, texts)) = sources else {
        let name = [set.set, set.pair].join(" ");
        let way = way.name();
        let what = format!("{}: it has no sources, from which [data] way = \"{way}\" learns", name.trim());
        return Err(Error::Unusable(what));
    };
    if way == Way::Source {
        texts.references = vec![Reference { name: String::new(), lines: sources.into_iter().map(Some).collect() }];
        return Ok(set);
    }
    for reference in &mut texts.references {
        for (line, source) in reference.lines.iter_mut().zip(&sources) {
            if let Some(line) = line {
                *line = format!("{}{AND_SOURCE}{}", line.replace(AND_SOURCE, " "), source.replace(AND_SOURCE, " "));
            }
        }
    }
    Ok(set)
}

/// The sets of an entry that have the judgements it wants.
fn sets_of(entry: &SiameseEntry, recipe: &SiameseRecipe, progress: Progress<'_>) -> Result<Vec<Judgements>> {
    let path = recipe.origin.folder.join(&entry.file);
    let mut sets = read_sets(&path, &entry.pairs, progress)?;
    // A folder may have rankings of one file and scores of another.
    let has_wanted = |set: &Judgements| match entry.judgements {
        WantedJudgements::Pairs => !set.comparisons.is_empty(),
        WantedJudgements::Scores => set.scores.iter().any(|scores| scores.level == Level::Segment),
        WantedJudgements::Any => true,
    };
    if sets.iter().any(has_wanted) {
        sets.retain(has_wanted);
    }
    Ok(sets)
}

/// The pairs of a set, if it has any, else its scores.
fn judged(entry: &SiameseEntry, set: &Judgements) -> Result<JudgedTexts> {
    match entry.judgements {
        WantedJudgements::Scores => JudgedTexts::with_scores(set, None),
        WantedJudgements::Any if set.comparisons.is_empty() => JudgedTexts::with_scores(set, None),
        _ => JudgedTexts::with_pairs(set, Scope::Judged),
    }
}

/// As many judgements as the recipe wants.
fn sampled(mut judged: JudgedTexts, recipe: &SiameseRecipe) -> JudgedTexts {
    let (size, seed) = (recipe.data.per_pair, recipe.training.seed);
    if !judged.pairs.is_empty() {
        let chosen = judged.sample(size, seed);
        judged.keep_pairs(&chosen);
    } else if let Some(size) = size.filter(|size| *size < judged.scores.len()) {
        let purpose = format!("scores {}", judged.name());
        Random::stream(seed, &purpose, 0).shuffle(&mut judged.scores);
        judged.scores.truncate(size);
        judged.scores.sort_by_key(|one| one.translation);
    }
    judged
}

/// Says so if the references of a set are not English.
fn warn_of_language(judged: &JudgedTexts, progress: Progress<'_>) -> Result<()> {
    let english = Language::target("en")?;
    let target = judged.pair.rsplit_once('-').map(|(_, target)| target);
    let found = TextLanguage::detect(judged.references.iter().map(String::as_str));
    let other = match target.filter(|target| *target != "en") {
        Some(target) => Some(target.to_owned()),
        None => found.filter(|found| found.contradicts(&english)).map(|found| found.name()),
    };
    if let Some(other) = other {
        progress.warn(&Warning::NotEnglish { set: judged.name(), found: other })?;
    }
    Ok(())
}

/// Brings the scores of an entry, which are on one scale, to mean 0 and standard deviation 1.
fn standardise(sets: &mut [JudgedTexts]) -> Result<()> {
    let scores: Vec<f64> = sets.iter().flat_map(|set| set.scores.iter().map(|one| one.score)).collect();
    let Some(first) = scores.first() else { return Ok(()) };
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    let squares: f64 = scores.iter().map(|score| (score - mean) * (score - mean)).sum();
    let deviation = (squares / scores.len() as f64).sqrt();
    if scores.iter().all(|score| score == first) || !deviation.is_finite() || deviation == 0.0 {
        let names: Vec<String> = sets.iter().map(JudgedTexts::name).collect();
        let what = format!("{}: all scores are {first}: there is nothing to learn", names.join(", "));
        return Err(Error::Unusable(what));
    }
    for one in sets.iter_mut().flat_map(|set| &mut set.scores) {
        one.score = (one.score - mean) / deviation;
    }
    Ok(())
}

/// The judgements of a set by reference.
fn groups_of(judged: &JudgedTexts) -> Vec<TextGroup> {
    let mut building: Vec<Building> = vec![Building::default(); judged.references.len()];
    let segment = |translation: u32| judged.translations[translation as usize].segment as usize;
    for pair in &judged.pairs {
        let [better, worse] = if pair.a_is_better { [pair.a, pair.b] } else { [pair.b, pair.a] };
        let places = building[segment(pair.a)].places(&[better, worse]);
        building[segment(pair.a)].last().pairs.push([places[0], places[1]]);
    }
    for one in &judged.scores {
        let place = building[segment(one.translation)].places(&[one.translation])[0];
        building[segment(one.translation)].last().scores.push((place, one.score));
    }
    let text = |translation: &u32| judged.translations[*translation as usize].text.clone();
    let with_texts = |(reference, building): (&String, Building)| -> Vec<TextGroup> {
        let part = |(group, translations): (TextGroup, Vec<u32>)| TextGroup {
            reference: reference.clone(),
            translations: translations.iter().map(text).collect(),
            ..group
        };
        building.parts.into_iter().map(part).collect()
    };
    judged.references.iter().zip(building).flat_map(with_texts).collect()
}

/// The groups of a reference, without texts.
#[derive(Clone, Default)]
struct Building {
    /// A group, and the numbers of its translations.
    parts: Vec<(TextGroup, Vec<u32>)>,
    /// The places of translations in the last group.
    places: HashMap<u32, usize>,
}

impl Building {
    /// The places of translations that are judged together, in the last group.
    fn places(&mut self, translations: &[u32]) -> Vec<usize> {
        let new = translations.iter().filter(|number| !self.places.contains_key(number)).count();
        if self.parts.is_empty() || self.places.len() + new > MAX_GROUP {
            self.parts.push(Default::default());
            self.places.clear();
        }
        let (_, numbers) = self.parts.last_mut().expect("there is a group");
        let place = |number: &u32| {
            *self.places.entry(*number).or_insert_with(|| {
                numbers.push(*number);
                numbers.len() - 1
            })
        };
        translations.iter().map(place).collect()
    }

    fn last(&mut self) -> &mut TextGroup {
        &mut self.parts.last_mut().expect("there is a group").0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::{JudgedPair, ScoredTranslation, Translation};

    fn many(count: u32) -> JudgedTexts {
        let translation = |number: u32| Translation { segment: 0, text: number.to_string() };
        JudgedTexts {
            references: vec!["r".to_owned()],
            translations: (0..count).map(translation).collect(),
            ..JudgedTexts::default()
        }
    }

    #[test]
    fn judgements_of_a_reference_are_a_group_until_it_is_large() {
        let pairs = (0..99).map(|a| JudgedPair { a, b: a + 1, a_is_better: a % 2 == 0 }).collect();
        let groups = groups_of(&JudgedTexts { pairs, ..many(100) });
        assert_eq!(groups.iter().map(|group| group.pairs.len()).sum::<usize>(), 99);
        assert!(groups.len() == 4 && groups.iter().all(|group| group.translations.len() <= MAX_GROUP));
        let better = |group: &TextGroup, pair: &[usize; 2]| pair.map(|place| group.translations[place].clone());
        assert_eq!(better(&groups[0], &groups[0].pairs[0]), ["0", "1"]);
        assert_eq!(better(&groups[0], &groups[0].pairs[1]), ["2", "1"]);
        let all = groups.iter().flat_map(|group| group.pairs.iter().map(|pair| better(group, pair)));
        assert!(all.map(|pair| pair.map(|n| n.parse::<i32>().unwrap())).all(|[a, b]| (a - b).abs() == 1));
    }

    #[test]
    fn scores_are_standardised_and_constant_ones_refused() {
        let scores = |values: [f64; 3]| {
            let one = |(translation, score): (usize, f64)| ScoredTranslation { translation: translation as u32, score };
            vec![JudgedTexts { scores: values.into_iter().enumerate().map(one).collect(), ..many(3) }]
        };
        let mut sets = scores([70.0, 40.0, 10.0]);
        standardise(&mut sets).unwrap();
        let found: Vec<f64> = sets[0].scores.iter().map(|one| one.score).collect();
        assert!((found[0] - 1.5f64.sqrt()).abs() < 1e-12 && found[1] == 0.0 && found[2] == -found[0]);
        let error = standardise(&mut scores([3.0; 3])).unwrap_err().to_string();
        assert!(error.ends_with("all scores are 3: there is nothing to learn"), "{error}");
    }

    #[test]
    fn whole_references_are_held_out_and_one_always_stays() {
        let group = |number: usize| TextGroup { reference: (number / 2).to_string(), ..TextGroup::default() };
        let mut groups = TextGroups { training: (0..40).map(group).collect(), ..TextGroups::default() };
        groups.hold_out(0.2, 1);
        assert_eq!((groups.training.len(), groups.development.len()), (32, 8));
        let held: HashSet<&str> = groups.development.iter().map(|group| group.reference.as_str()).collect();
        assert!(groups.training.iter().all(|group| !held.contains(group.reference.as_str())));
        let mut single = TextGroups { training: vec![group(0)], ..TextGroups::default() };
        single.hold_out(0.5, 1);
        assert_eq!((single.training.len(), single.development.len()), (1, 0));
    }
}
