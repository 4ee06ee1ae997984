//! Trains a [`RevalModel`] by a [`RevalRecipe`]: reads judgements, derives scores, parses, trains, evaluates.
//!
//! During training, the checkpoint is beside the model and is replaced atomically; a resumed training ends with the
//! same bits as an uninterrupted one. With a mix, the first network is kept beside the model while the second is
//! trained.

use super::data::{Examples, JudgedData};
use super::model::{RevalModel, as_stored};
use super::recipe::{RevalMix, RevalNetwork, RevalRecipe};
use super::sentences::{DistinctLines, TreeSource, WordTree, sentences};
use crate::cache::Cache;
use crate::error::{Error, Result};
use crate::learned::{StoredPrecision, Vocabulary};
use crate::metrics::preference::fit_slope;
use crate::progress::Progress;
use crate::statistics::correlation::pearson;
use crate::vectors::WordVectors;
use foldhash::HashMap;
use std::cmp::Ordering;
use std::fs;
use tercet_learn::networks::{SimilarityExamples, SimilarityNetwork, SimilarityTraining};
use tercet_learn::training::{Checkpoints, Outcome, TrainingFiles};
use tercet_model::model_file::ModelFile;

/// Phases of a training: the networks of sentences in general, and of long ones.
const PHASES: [&str; 2] = ["network", "longer"];

/// The kind and the ending of the file with the first network of a mix.
const FIRST: &str = "first-network";

/// Most scores of a reference whose differences the slope is fitted to: all of many would be too many differences.
const COMPARED: usize = 100;

/// Trains a model and writes its file.
pub fn train(recipe: &RevalRecipe, files: &TrainingFiles, progress: Progress<'_>) -> Result<RevalModel> {
    recipe.check()?;
    let phases = &PHASES[..recipe.networks().count()];
    let mut checkpoints = files.begin(recipe.training.checkpoint, phases)?;
    // Before data are read, so that a wrong file is an error at once.
    let source = tree_source(recipe)?;
    let path = recipe.origin.path(&recipe.words.file);
    let cache = Cache::default();
    let vectors = WordVectors::open(&path, &cache)?;
    cache.warn_of_damaged(progress)?;
    let [seen, held_out] = [JudgedData::training(recipe, progress)?, JudgedData::development(recipe, progress)?];
    seen.check_distinct(&held_out)?;
    let seen_set = ParsedSet::new(&seen, recipe, &source, progress)?;
    let held_out_set = ParsedSet::new(&held_out, recipe, &source, progress)?;
    let words = seen_set.trees.iter().chain(&held_out_set.trees).flat_map(WordTree::words);
    let vocabulary = Vocabulary::with_unknown(words, recipe.words.further, &vectors)
        .map_err(|error| Error::bad_file(path, error))?;
    drop(vectors);
    let [examples, development] = [&seen_set, &held_out_set]
        .map(|set| set.examples(&vocabulary))
        .into_iter()
        .collect::<Result<Vec<_>>>()?
        .try_into()
        .unwrap_or_else(|_| unreachable!("two sets became two"));
    let training = Training { recipe, files, examples, development, progress };
    let is_quantised = recipe.model.precision == StoredPrecision::Int8;
    let (mut networks, mut outcomes) = (Vec::new(), Vec::new());
    for (place, sizes) in recipe.networks().enumerate() {
        let (network, outcome) = training.fit(sizes, place, &vocabulary, &mut checkpoints)?;
        networks.push(as_stored(&network, is_quantised)?);
        outcomes.push(outcome);
    }
    let mix = recipe.mix.as_ref().map(RevalMix::rule);
    let mut model = RevalModel::new(networks, mix, vocabulary, source, None);
    progress.uncounted("scoring")?;
    let figures = figures(&mut model, &seen_set, &held_out_set)?;
    model.record.set_notes(notes(recipe, &seen, &held_out, &outcomes));
    model.record.set_notes(figures);
    model.write(&files.model, is_quantised)?;
    files.end();
    let _ = fs::remove_file(files.beside(FIRST)); // only a resumed run needs it
    Ok(model)
}

fn tree_source(recipe: &RevalRecipe) -> Result<TreeSource> {
    let trees = &recipe.trees;
    if !recipe.networks().any(RevalNetwork::reads_trees) {
        return Ok(TreeSource::None);
    }
    match &trees.parser {
        Some(parser) => TreeSource::parser(&recipe.origin.path(parser)),
        None if trees.files.is_empty() => Ok(TreeSource::Embedded),
        None => TreeSource::given(&trees.files.iter().map(|path| recipe.origin.path(path)).collect::<Vec<_>>()),
    }
}

/// Examples with the trees of their lines.
struct ParsedSet {
    examples: Examples,
    trees: Vec<WordTree>,
}

impl ParsedSet {
    fn new(data: &JudgedData, recipe: &RevalRecipe, source: &TreeSource, progress: Progress<'_>) -> Result<Self> {
        let mut lines = DistinctLines::default();
        let examples = data.examples(&mut lines, recipe.network.classes);
        Ok(ParsedSet { examples, trees: lines.trees_with(source, progress)? })
    }

    fn examples(&self, vocabulary: &Vocabulary) -> Result<SimilarityExamples> {
        Ok(SimilarityExamples {
            trees: sentences(self.trees.iter(), vocabulary)?,
            scored: self.examples.scored.clone(),
            ranked: self.examples.ranked.clone(),
        })
    }

    /// The difference of similarities of the better and the worse translation, for all pairs of each set.
    fn differences(&self, model: &RevalModel) -> Result<Vec<Vec<f64>>> {
        let ranked = &self.examples.ranked;
        let pairs: Vec<[u32; 2]> =
            ranked.iter().flat_map(|pair| [[pair.reference, pair.better], [pair.reference, pair.worse]]).collect();
        let scores = model.compare(&self.trees, &pairs)?;
        let differences: Vec<f64> = scores.as_chunks().0.iter().map(|[better, worse]| better - worse).collect();
        Ok(self.examples.groups.iter().map(|group| differences[group.clone()].to_vec()).collect())
    }

    /// Similarities and given scores.
    fn scores(&self, model: &RevalModel) -> Result<(Vec<f64>, Vec<f64>)> {
        let scored = &self.examples.scored;
        let pairs: Vec<[u32; 2]> = scored.iter().map(|one| [one.reference, one.translation]).collect();
        Ok((model.compare(&self.trees, &pairs)?, scored.iter().map(|one| f64::from(one.score)).collect()))
    }

    /// The differences of similarities of any two translations of a reference, the one with the higher given score
    /// first.
    fn differences_of_scored(&self, model: &RevalModel) -> Result<Vec<f64>> {
        let (similarities, given) = self.scores(model)?;
        let mut by_reference: HashMap<u32, Vec<usize>> = HashMap::default();
        let mut compared = Vec::new();
        let by_people = self.examples.scored.len() - self.examples.identical;
        for (place, one) in self.examples.scored[..by_people].iter().enumerate() {
            let known = by_reference.entry(one.reference).or_default();
            if known.len() < COMPARED {
                compared.extend(known.iter().map(|&earlier| (earlier, place)));
                known.push(place);
            }
        }
        let difference = |(one, other): (usize, usize)| match given[one].total_cmp(&given[other]) {
            Ordering::Greater => Some(similarities[one] - similarities[other]),
            Ordering::Less => Some(similarities[other] - similarities[one]),
            Ordering::Equal => None,
        };
        Ok(compared.into_iter().filter_map(difference).collect())
    }
}

/// What the networks are trained with.
struct Training<'a> {
    recipe: &'a RevalRecipe,
    files: &'a TrainingFiles,
    examples: SimilarityExamples,
    development: SimilarityExamples,
    progress: Progress<'a>,
}

impl Training<'_> {
    /// Trains the network of this number. If the training resumes in the second, the first one is read from its file.
    fn fit(
        &self,
        sizes: &RevalNetwork,
        place: usize,
        vocabulary: &Vocabulary,
        checkpoints: &mut Checkpoints,
    ) -> Result<(SimilarityNetwork, Option<Outcome>)> {
        let shape = sizes.shape(&self.recipe.words);
        let path = self.files.beside(FIRST);
        if place == 0 && checkpoints.saved_phase() == Some(PHASES[1]) {
            let file = ModelFile::read(&path, FIRST)?;
            let network = SimilarityNetwork::stored("", &file)?;
            if network.shape() != shape || file.get("length")? != self.length() {
                let reason = "the first network there has other sizes, or was trained for other epochs: it belongs to \
                              another training";
                return Err(Error::bad_file(path, reason));
            }
            return Ok((network, None));
        }
        let settings = self.recipe.training.settings();
        let mut network = SimilarityNetwork::new(shape, vocabulary.matrix(), settings.seed)?;
        let mut training = SimilarityTraining::new(&mut network, &self.examples, &settings);
        training.phase = Some(PHASES[place]);
        training.development = self.recipe.data.development.first().map(|_| &self.development);
        let outcome = training.run(checkpoints, self.progress)?;
        if place == 0 && self.recipe.mix.is_some() {
            let mut file = ModelFile::new(FIRST);
            file.set("length", &self.length());
            network.store("", &mut file);
            file.write(&path)?;
        }
        Ok((network, Some(outcome)))
    }

    /// How long each network is trained.
    fn length(&self) -> String {
        let learning = &self.recipe.training;
        format!("{} epochs, patience {:?}", learning.epochs, learning.patience)
    }
}

/// Sets the slope of the model; returns figures of the weights as they are stored.
fn figures(model: &mut RevalModel, seen: &ParsedSet, held_out: &ParsedSet) -> Result<Vec<(&'static str, String)>> {
    let mut notes = Vec::new();
    let differences = held_out.differences(model)?;
    if !differences.is_empty() {
        let all = || differences.iter().flatten();
        let wins = all().filter(|difference| **difference > 0.0).count() as f64;
        let losses = all().filter(|difference| **difference < 0.0).count() as f64;
        notes.push(("development_tau", format!("{:.4}", (wins - losses) / all().count().max(1) as f64)));
    } else if !held_out.examples.scored.is_empty() {
        let (similarities, given) = held_out.scores(model)?;
        notes.push(("development_pearson", format!("{:.4}", pearson(&similarities, &given).value)));
    }
    let groups: Vec<Vec<f64>> = differences.into_iter().filter(|group| !group.is_empty()).collect();
    let (groups, of) = match groups.is_empty() {
        true if !seen.examples.ranked.is_empty() => (seen.differences(model)?, "training rankings"),
        true => (vec![seen.differences_of_scored(model)?], "training scores"),
        false => (groups, "development rankings"),
    };
    if groups.iter().any(|group| !group.is_empty()) {
        // A model that ranks against the judgements prefers neither translation.
        let slope = fit_slope(&groups).max(0.0);
        model.slope = Some(slope);
        notes.push(("slope", format!("{slope:.4} (fitted to {of})")));
    }
    Ok(notes)
}

/// Notes of the model.
fn notes(
    recipe: &RevalRecipe,
    seen: &JudgedData,
    held_out: &JudgedData,
    outcomes: &[Option<Outcome>],
) -> Vec<(&'static str, String)> {
    let mut notes = vec![
        ("trained_on", seen.names()),
        ("development", held_out.names()),
        ("seed", recipe.training.seed.to_string()),
        ("objective", recipe.training.objective.name().to_owned()),
        ("recipe", recipe.origin.text.clone()),
        ("tercet", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    if let Some(Some(outcome)) = outcomes.last() {
        notes.push(("epochs", outcome.rounds.to_string()));
        notes.push(("best_epoch", outcome.best_round.to_string()));
    }
    notes
}
