//! Fine-tunes a model by a [`SiameseRecipe`]: reads judgements, encodes their texts, trains, says what the new scores
//! mean.
//!
//! During training, the checkpoint is beside the model and is replaced atomically; a resumed training ends with the
//! same bits as an uninterrupted one.

mod calibrated;
mod data;
mod examples;

use super::model::SiameseModel;
use super::recipe::SiameseRecipe;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::recipe::Recipe;
use crate::warning::Warning;
use calibrated::{Rescored, calibrate, check_scale};
use data::{TextGroup, TextGroups};
use examples::{EncodedGroup, EncodedLines, Encoding, ScoreLine, set_targets};
use tercet_learn::networks::{HeadBlock, LearnedLayers, SiameseGroup, SiameseNetwork, SiameseShape, SiameseTraining};
use tercet_learn::training::{Outcome, TrainingFiles};
use tercet_model::model_file::{ModelFile, Numbers, Values};
use tercet_model::parameters::Parameters;
use tercet_neural::siamese::embedded_file;
use tercet_neural::siamese::head::Way;
use tercet_neural::siamese::model::KIND;
use tercet_neural::siamese::tensors::{PIECES, Stored, WeightFormat, add_tensor};

/// Training outputs whose scores before and after are compared, beside those of the development set.
const COMPARED: usize = 2_000;

/// Trains a model and writes its file.
pub fn train(recipe: &SiameseRecipe, files: &TrainingFiles, progress: Progress<'_>) -> Result<SiameseModel> {
    recipe.check()?;
    let mut checkpoints = files.begin(recipe.training.checkpoint, &[SiameseTraining::PHASE])?;
    let format = recipe.model.format();
    let (file, start_hash) = start_file(recipe, format)?;
    let model = SiameseModel::from_file(&file)?;
    if recipe.data.way() != Way::Reference && !model.reads_source() {
        let way = recipe.data.way().name();
        let what = format!("[data] way cannot be {way}: the model to start from has learned nothing about sources");
        return Err(Error::BadRequest(what));
    }
    let frozen = model.encoder.config().layers.saturating_sub(recipe.training.layers);
    let encoding = Encoding { model: &model, frozen, copies: recipe.data.copies(), way: recipe.data.way() };
    let mut network = network(&file, encoding, recipe)?;
    let texts = TextGroups::read(recipe, !model.reads_source(), progress)?;
    let mut lines = EncodedLines::default();
    let mut training = lines.add(&texts.training, encoding, progress)?;
    let mut development = lines.add(&texts.development, Encoding { copies: 0.0, ..encoding }, progress)?;
    if training.is_empty() {
        let what = "there are no judgements to learn from: every text is empty or far too long";
        return Err(Error::Unusable(what.to_owned()));
    }
    check_development(recipe, &development, progress)?;
    if let Some(long) = lines.long_lines(&model) {
        progress.warn(&long.warning(String::new()))?;
    }
    let line = ScoreLine::fit(&training);
    [&mut training, &mut development].into_iter().for_each(|groups| set_targets(groups, line));
    let [examples, held_out] = [&training, &development]
        .map(|groups| groups.iter().map(|group| group.group.clone()).collect::<Vec<SiameseGroup>>());
    let temperature = file.number(&recipe.data.way().entry("temperature"))?;
    let rows = lines.frozen(encoding);
    let outcome = SiameseTraining {
        network: &mut network,
        lines: &lines.for_network(encoding, &rows)?,
        groups: &examples,
        development: &held_out,
        settings: &recipe.training.settings(temperature),
        start: &format!("{start_hash} {format:?}"),
    }
    .run(&mut checkpoints, progress)?;
    let mut made = changed(&file, network.parameters(), format)?;
    let figures =
        figures(&mut made, recipe, [&texts.training, &texts.development], [&training, &development], progress)?;
    let notes = notes(recipe, &file, &start_hash, &texts, &outcome).into_iter().chain(figures);
    let notes: Vec<(String, String)> = notes.map(|(key, value)| (key.to_owned(), value)).collect();
    made.add_notes(&notes);
    made.write(&files.model)?;
    files.end();
    SiameseModel::open(&files.model)
}

/// Returns an error if the development set is not enough for what the recipe wants; says so if nothing could be held
/// out.
fn check_development(recipe: &SiameseRecipe, development: &[EncodedGroup], progress: Progress<'_>) -> Result<()> {
    if development.is_empty() && !recipe.data.development.is_empty() {
        let what = "there are no judgements in the development set: every text is empty or far too long";
        return Err(Error::Unusable(what.to_owned()));
    }
    check_scale(&recipe.calibration, development)?;
    if development.is_empty() && recipe.has_development() {
        progress.warn(&Warning::NothingHeldOut)?;
    }
    Ok(())
}

/// Scores texts by the trained weights as they are stored, and sets what the scores mean.
fn figures(
    file: &mut ModelFile,
    recipe: &SiameseRecipe,
    [training_texts, development_texts]: [&[TextGroup]; 2],
    [training, development]: [&[EncodedGroup]; 2],
    progress: Progress<'_>,
) -> Result<Vec<(&'static str, String)>> {
    let trained = SiameseModel::from_file(file)?;
    let layers = trained.encoder.config().layers;
    let encoding = Encoding { model: &trained, frozen: layers, copies: 0.0, way: recipe.data.way() };
    let mut compared = 0;
    let enough = training_texts.iter().take_while(|group| {
        compared += group.translations.len();
        compared <= COMPARED
    });
    let some = &training_texts[..enough.count()];
    let mut after = EncodedLines::default().add(some, encoding, progress)?;
    let of_training = after.len().min(training.len());
    after.extend(EncodedLines::default().add(development_texts, encoding, progress)?);
    let before = training[..of_training].iter().chain(development);
    let all: Vec<Rescored<'_>> =
        before.zip(after).map(|(before, after)| Rescored { before, after: after.scores }).collect();
    let (notes, nothing_gained) = calibrate(file, recipe, &all, &all[of_training..])?;
    nothing_gained.map_or(Ok(()), |warning| progress.warn(&warning))?;
    Ok(notes)
}

/// Notes of the model.
fn notes(
    recipe: &SiameseRecipe,
    start: &ModelFile,
    start_hash: &str,
    texts: &TextGroups,
    outcome: &Outcome,
) -> Vec<(&'static str, String)> {
    let before = start.find("about.trained_on").unwrap_or_default();
    let names = texts.names.join(", ");
    let known: Vec<&str> = before.split(", ").filter(|name| !name.is_empty()).collect();
    let new = texts.names.iter().map(String::as_str).filter(|name| !known.contains(name));
    let all = known.iter().copied().chain(new).collect::<Vec<_>>().join(", ");
    let held_out = match (texts.development_names.is_empty(), references(&texts.development)) {
        (true, 0) => "none".to_owned(),
        (true, 1) => "1 reference of the training set, held out".to_owned(),
        (true, count) => format!("{count} references of the training set, held out"),
        (false, _) => texts.development_names.join(", "),
    };
    let learned = match recipe.training.layers {
        0 => "the head".to_owned(),
        1 => "the head and the last layer".to_owned(),
        layers => format!("the head and the last {layers} layers"),
    };
    vec![
        ("trained_on", all),
        ("fine_tuned_on", names),
        ("development", held_out),
        ("start", start_hash.to_owned()),
        ("learned", learned),
        ("way", recipe.data.way().name().to_owned()),
        ("seed", recipe.training.seed.to_string()),
        ("epochs", outcome.rounds.to_string()),
        ("best_epoch", outcome.best_round.to_string()),
        ("recipe", recipe.origin.text.clone()),
        ("tercet", env!("CARGO_PKG_VERSION").to_owned()),
    ]
}

fn references(groups: &[TextGroup]) -> usize {
    let mut all: Vec<&str> = groups.iter().map(|group| group.reference.as_str()).collect();
    all.sort_unstable();
    all.dedup();
    all.len()
}

/// The file of a recipe's start, with its weights in this format, and its hash.
fn start_file(recipe: &SiameseRecipe, format: WeightFormat) -> Result<(ModelFile, String)> {
    let file = match &recipe.start {
        Some(path) => ModelFile::read(&recipe.origin.folder.join(path), KIND)?,
        None => embedded_file()?,
    };
    // Before anything else, so that a file that is not a model is an error.
    SiameseModel::from_file(&file)?;
    let hash = file.hash().to_owned();
    Ok((changed(&file, &Parameters::default(), format)?, hash))
}

/// Notes that stay true of a model that was trained further.
const NOTES_OF_START: [&str; 2] = ["about.description", "about.trained_on"];

/// A copy of a file with other values of some tensors, and without notes on how it was trained.
fn changed(file: &ModelFile, parameters: &Parameters, format: WeightFormat) -> Result<ModelFile> {
    let mut made = ModelFile::new(KIND);
    let is_kept = |key: &str| !key.starts_with("about.") || NOTES_OF_START.contains(&key);
    let entries = file.entries().filter(|(key, _)| is_kept(key));
    entries.for_each(|(key, value)| made.set(key, value));
    let stored = Stored(file);
    if file.has(PIECES) {
        let pieces = file.tensor(PIECES)?;
        if let Numbers::I8(bytes) = pieces.values {
            made.add(PIECES, pieces.shape.to_vec(), Values::I8(bytes.to_vec()));
        }
    }
    for name in stored.names() {
        let (shape, values) = stored.whole(&name)?;
        let learned = parameters.tensors().iter().find(|tensor| tensor.name == name);
        let keeps_4_bits = learned.is_none() && format == WeightFormat::Int8 && stored.has_nibbles(&name);
        let format = if keeps_4_bits { WeightFormat::Nibbles } else { format };
        let values = learned.map_or(&values, |tensor| &tensor.values);
        add_tensor(&mut made, &name, &shape, values, format);
    }
    Ok(made)
}

/// The network whose last layers are learned.
fn network(file: &ModelFile, encoding: Encoding<'_>, recipe: &SiameseRecipe) -> Result<SiameseNetwork> {
    let stored = Stored(file);
    let shape = shape(encoding, recipe)?;
    let network = SiameseNetwork::new(&shape, |name, [rows, columns]| {
        Ok(stored.some_floats(name, rows * columns).map_err(|error| file.bad(error.to_string()))?)
    });
    Ok(network?)
}

fn shape(encoding: Encoding<'_>, recipe: &SiameseRecipe) -> Result<SiameseShape> {
    let model = encoding.model;
    let config = model.encoder.config();
    let layers = recipe.training.layers;
    if layers > config.layers {
        let has = config.layers;
        let what = format!("[training] layers cannot be {layers}: the encoder of the start has {has} layers");
        return Err(Error::BadRequest(what));
    }
    let learned = (layers > 0).then(|| LearnedLayers {
        layers,
        projected: model.projection.len() / config.width,
        middle: model.middle,
        bias: model.encoder.relative_bias().cloned(),
        rate: recipe.training.encoder_rate / recipe.training.learning_rate,
    });
    let blocks =
        encoding.blocks().into_iter().map(|(prefix, block)| HeadBlock { prefix, strings: encoding.strings(block) });
    Ok(SiameseShape {
        encoder: config.clone(),
        hidden: model.head.hidden(),
        blocks: blocks.collect(),
        way: model.reads_source().then_some(encoding.way as usize),
        learned,
    })
}
