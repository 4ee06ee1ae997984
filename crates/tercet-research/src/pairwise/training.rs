//! Trains a [`PairwiseModel`] by a [`PairwiseRecipe`]: reads judgements, computes features and sentence vectors,
//! trains, evaluates.
//!
//! During training, the checkpoint is beside the model and is replaced atomically; a resumed training ends with the
//! same bits as an uninterrupted one.

use super::fit::{Fitted, Plan, WordPlan, fit};
use super::model::PairwiseModel;
use super::recipe::{PairwiseRecipe, WordEncoder};
use super::tables::LearningSet;
use crate::cache::Cache;
use crate::corpora::{find_judgements, read_lines};
use crate::encode::{self as encoders, SentenceEncoder};
use crate::error::{Error, Result};
use crate::learned::{Feature, FeatureColumn, Inputs, JudgedTexts, Scope, Vocabulary, encode, measure, pooled_sample};
use crate::metrics::{Registry, Spec};
use crate::progress::Progress;
use crate::vectors::WordVectors;
use std::path::PathBuf;
use std::sync::Arc;
use tercet_learn::training::TrainingFiles;

/// One language pair with its inputs.
struct Prepared {
    judged: JudgedTexts,
    inputs: Inputs,
    chosen: Vec<u32>,
}

impl Prepared {
    fn learning_set(&self) -> LearningSet<'_> {
        LearningSet { judged: &self.judged, inputs: &self.inputs, chosen: self.chosen.clone() }
    }
}

/// Trains a model and writes its file.
pub fn train(
    recipe: &PairwiseRecipe,
    files: &TrainingFiles,
    registry: &Registry,
    progress: Progress<'_>,
) -> Result<PairwiseModel> {
    recipe.check()?;
    let mut checkpoints = files.begin(recipe.training.checkpoint, &["logistic", "kendall"])?;
    let seed = recipe.training.seed;
    let data = &recipe.data;
    // Before data are read, so that a wrong metric or encoder is an error at once.
    let texts = recipe.inputs.encoders(&recipe.origin.folder, registry)?;
    let features = recipe.inputs.features(&recipe.origin.folder, registry)?;
    let mut training = read(recipe, &data.train, &data.train_pairs, progress)?;
    let mut development = read(recipe, &data.development, &data.development_pairs, progress)?;
    for set in &mut training {
        let chosen = set.judged.sample(data.per_pair, seed);
        set.judged.keep_pairs(&chosen);
        set.chosen = (0..chosen.len() as u32).collect();
    }
    check_distinct(&training, &development)?;
    let counts: Vec<usize> = development.iter().map(|set| set.judged.pairs.len()).collect();
    let drawn = pooled_sample(&counts, data.development_size, seed);
    development.iter_mut().zip(drawn).for_each(|(set, chosen)| set.chosen = chosen);
    let built = texts.iter().map(|spec| encoders::build_spec(spec, registry.context()));
    let built = built.collect::<Result<Vec<_>>>()?;
    let texts = texts.iter().map(Spec::to_string).collect();
    let vocabulary =
        recipe.words.as_ref().map(|words| vocabulary(recipe, words, &training, &development, registry)).transpose()?;
    for set in training.iter_mut().chain(&mut development) {
        set.inputs = inputs((&features, registry), &set.judged, &built, vocabulary.as_ref(), progress)?;
    }
    let plan = plan(recipe, vocabulary.as_ref());
    let [seen, held_out] =
        [&training, &development].map(|sets| sets.iter().map(Prepared::learning_set).collect::<Vec<_>>());
    let fitted = fit(&plan, &seen, &held_out, &mut checkpoints, progress)?;
    let notes = notes(recipe, &fitted, &seen, &held_out);
    let mut model = PairwiseModel::new(fitted, &features, texts, built, vocabulary, registry)?;
    model.record.set_notes(notes);
    model.write(&files.model)?;
    files.end();
    Ok(model)
}

/// Reads the language pairs of these paths.
fn read(recipe: &PairwiseRecipe, paths: &[PathBuf], pairs: &[String], progress: Progress<'_>) -> Result<Vec<Prepared>> {
    let mut sets = Vec::new();
    for path in paths {
        let path = recipe.origin.path(path);
        progress.uncounted(&format!("reading {}", path.display()))?;
        for source in find_judgements(&path)? {
            if pairs.is_empty() || pairs.contains(&source.pair) {
                let judged = JudgedTexts::with_pairs(&source.read()?, Scope::Judged)?;
                sets.push(Prepared { judged, inputs: Inputs::default(), chosen: Vec::new() });
            }
        }
    }
    match pairs.iter().find(|pair| sets.iter().all(|set| set.judged.pair != **pair)) {
        Some(missing) => {
            let known = sets.iter().map(|set| set.judged.pair.clone()).collect();
            Err(Error::NoJudgementsOf { pair: missing.clone(), known })
        }
        None => Ok(sets),
    }
}

/// Returns an error if a language pair of a set is given twice, or is in both training and development set.
fn check_distinct(training: &[Prepared], development: &[Prepared]) -> Result<()> {
    let all: Vec<(bool, String)> = [(training, false), (development, true)]
        .into_iter()
        .flat_map(|(sets, held_out)| sets.iter().map(move |set| (held_out, set.judged.name())))
        .collect();
    for (place, (held_out, name)) in all.iter().enumerate() {
        if let Some((earlier, _)) = all[..place].iter().find(|(_, known)| known == name) {
            let set = name.clone();
            return Err(if earlier == held_out { Error::SetTwice { set } } else { Error::TrainedAndMeasured { set } });
        }
    }
    Ok(())
}

/// Returns an error if an encoder has no vector for any word: all sentence vectors would be zero.
fn check_coverage(encoder: &dyn SentenceEncoder, judged: &JudgedTexts) -> Result<()> {
    let lines: Vec<&str> = judged.texts().collect();
    match encoder.coverage(&lines) {
        Some(coverage) if coverage.known == 0 && coverage.all > 0 => {
            let (name, encoder) = (judged.name(), encoder.signature().to_string());
            Err(Error::Unusable(format!("{name}: {encoder} has a vector for none of {} words", coverage.all)))
        }
        _ => Ok(()),
    }
}

fn vocabulary(
    recipe: &PairwiseRecipe,
    words: &WordEncoder,
    training: &[Prepared],
    development: &[Prepared],
    registry: &Registry,
) -> Result<Vocabulary> {
    let mut further = Vec::new();
    for path in &recipe.data.vocabulary {
        further.extend(read_lines(&recipe.origin.path(path))?.iter().map(str::to_owned).collect::<Vec<_>>());
    }
    let judged = training.iter().chain(development).flat_map(|set| set.judged.texts());
    let texts = judged.chain(further.iter().map(String::as_str));
    match (&words.file, words.dimension) {
        (Some(file), _) => {
            let path = recipe.origin.path(file);
            let made = Vocabulary::pretrained(texts, &WordVectors::open(&path, &registry.context().shared::<Cache>())?);
            made.map_err(|error| Error::bad_file(path, error))
        }
        (None, dimension) => Vocabulary::random(texts, dimension.unwrap_or_default(), recipe.training.seed),
    }
}

fn inputs(
    (wanted, registry): (&[Feature], &Registry),
    judged: &JudgedTexts,
    encoders: &[Arc<dyn SentenceEncoder>],
    vocabulary: Option<&Vocabulary>,
    progress: Progress<'_>,
) -> Result<Inputs> {
    let mut features: Vec<FeatureColumn> = Vec::new();
    for feature in wanted {
        let name = feature.metric().split(':').next().unwrap_or_default();
        let stage = format!("{name} of {}", judged.name());
        progress.stage(&stage, judged.translations.len(), "translations")?;
        features.extend(measure(feature, judged, registry, progress)?);
    }
    let mut blocks = Vec::new();
    for encoder in encoders {
        let stage = format!("encoding {} with {}", judged.name(), encoder.signature().name());
        progress.stage(&stage, judged.texts().count(), "sentences")?;
        check_coverage(encoder.as_ref(), judged)?;
        blocks.push(encode(encoder.as_ref(), judged, progress)?);
    }
    Ok(Inputs { features, blocks, words: vocabulary.map(|vocabulary| vocabulary.lists(judged)) })
}

fn plan(recipe: &PairwiseRecipe, vocabulary: Option<&Vocabulary>) -> Plan {
    let words = match (&recipe.words, vocabulary) {
        (Some(words), Some(vocabulary)) => Some(WordPlan {
            encoding: words.encoding(),
            fine_tuning: words.fine_tuning,
            embedding_dropout: words.embedding_dropout,
            hidden_dropout: words.hidden_dropout,
            matrix: vocabulary.matrix(),
        }),
        _ => None,
    };
    Plan {
        architecture: recipe.network.architecture,
        hidden: recipe.network.hidden,
        words,
        training: recipe.training.settings(),
    }
}

/// Notes of the model.
fn notes(
    recipe: &PairwiseRecipe,
    fitted: &Fitted,
    training: &[LearningSet<'_>],
    development: &[LearningSet<'_>],
) -> Vec<(&'static str, String)> {
    let list = |sets: &[LearningSet<'_>]| {
        let one = |set: &LearningSet<'_>| format!("{} ({})", set.judged.name(), set.chosen.len());
        sets.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let mut notes = vec![
        ("trained_on", list(training)),
        ("development", list(development)),
        ("seed", recipe.training.seed.to_string()),
        ("cost", recipe.training.cost.name().to_owned()),
        ("recipe", recipe.origin.text.clone()),
        ("tercet", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    if let Some(outcome) = fitted.outcome() {
        notes.push(("epochs", outcome.rounds.to_string()));
        notes.push(("best_epoch", outcome.best_round.to_string()));
        notes.extend(outcome.best_value.map(|tau| ("development_tau", tau.to_string())));
    }
    notes
}
