//! The model that a training starts with, as a network to learn.

use crate::error::{Error, Result};
use crate::siamese::recipe::Recipe;
use std::sync::Arc;
use tercet_learn::model_file::ModelFile;
use tercet_learn::networks::{
    DistanceBias, EmbeddingTensors, LayerTensors, LearnedLayers, SiameseNetwork, SiameseShape,
};
use tercet_learn::parameters::Parameters;
use tercet_neural::siamese::embedded_file;
use tercet_neural::siamese::model::{KIND, SiameseModel};
use tercet_neural::siamese::tensors::{Stored, add_tensor};
use tercet_transformer::names::{self, LayerNames};
use tercet_transformer::{Config, Family, Precision};

/// The names of tensors that the network calls otherwise: there, in the file.
const RENAMED: [(&str, &str); 1] = [("head.vectors.weight", "head.sentence.weight")];

fn in_file(name: &str) -> &str {
    RENAMED.iter().find(|(own, _)| *own == name).map_or(name, |(_, there)| there)
}

/// The file of a recipe's start, with its weights in this precision, and its hash.
pub(super) fn start_file(recipe: &Recipe, precision: Precision) -> Result<(ModelFile, String)> {
    let file = match &recipe.start {
        Some(path) => ModelFile::read(&recipe.origin.folder.join(path), KIND)?,
        None => embedded_file()?,
    };
    // Before anything else, so that a file that is not a model is an error.
    SiameseModel::from_file(&file)?;
    let hash = file.hash().to_owned();
    Ok((changed(&file, &Parameters::default(), precision)?, hash))
}

/// Notes that stay true of a model that was trained further.
const KEPT_NOTES: [&str; 2] = ["about.description", "about.trained_on"];

/// A copy of a file with other values of some tensors, and without notes on how it was trained.
pub(super) fn changed(file: &ModelFile, parameters: &Parameters, precision: Precision) -> Result<ModelFile> {
    let mut made = ModelFile::new(KIND);
    let is_kept = |key: &str| !key.starts_with("about.") || KEPT_NOTES.contains(&key);
    let entries = file.entries().filter(|(key, _)| is_kept(key));
    entries.for_each(|(key, value)| made.set(key, value));
    let stored = Stored(file);
    for name in stored.names() {
        let (shape, values) = stored.whole(&name)?;
        let learned = parameters.tensors().iter().find(|tensor| in_file(&tensor.name) == name);
        let values = learned.map_or(&values, |tensor| &tensor.values);
        add_tensor(&mut made, &name, &shape, values, precision);
    }
    Ok(made)
}

/// The network whose last layers are learned.
pub(super) fn network(file: &ModelFile, model: &SiameseModel, recipe: &Recipe) -> Result<SiameseNetwork> {
    let stored = Stored(file);
    let shape = shape(stored, model, recipe)?;
    let network = SiameseNetwork::new(&shape, |name, [rows, columns]| {
        Ok(stored.some_floats(in_file(name), rows * columns).map_err(|error| file.bad(error.to_string()))?)
    });
    Ok(network?)
}

fn shape(stored: Stored<'_>, model: &SiameseModel, recipe: &Recipe) -> Result<SiameseShape> {
    let config = model.encoder.config();
    let layers = recipe.training.layers;
    if layers > config.layers {
        let has = config.layers;
        let what = format!("[training] layers cannot be {layers}: the encoder of the start has {has} layers");
        return Err(Error::BadRequest(what));
    }
    let learned = (layers > 0).then(|| learned_layers(stored, model, recipe)).transpose()?;
    Ok(SiameseShape { width: config.width, hidden: model.head.bias.len(), learned })
}

fn learned_layers(stored: Stored<'_>, model: &SiameseModel, recipe: &Recipe) -> Result<LearnedLayers> {
    let config = model.encoder.config();
    let learning = &recipe.training;
    let frozen = config.layers - learning.layers;
    let embeddings = (frozen == 0).then(|| embeddings(stored, config)).transpose()?;
    let middle = model.middle.checked_sub(frozen).filter(|layers| *layers > 0 || embeddings.is_some());
    let biases = model.encoder.distance_biases();
    let bias = biases.map(|values| Arc::new(DistanceBias { reach: config.window, values: values.to_vec() }));
    Ok(LearnedLayers {
        layers: (frozen..config.layers).map(|number| layer_tensors(config, number)).collect(),
        heads: config.heads,
        inner: config.inner,
        epsilon: config.epsilon,
        projected: model.projection.len() / config.width,
        middle,
        embeddings,
        bias,
        rate: learning.encoder_rate / learning.learning_rate,
    })
}

fn layer_tensors(config: &Config, number: usize) -> LayerTensors {
    let LayerNames { query, key, value, attended, after_attention, up, down, after_all } =
        LayerNames::new(config.family, number);
    LayerTensors { query, key, value, attended, after_attention, up, down, after_all }
}

fn embeddings(stored: Stored<'_>, config: &Config) -> Result<EmbeddingTensors> {
    let offset = match config.family {
        Family::Bert => stored.floats(names::TYPES)?[..config.width].to_vec(),
        Family::Mpnet => vec![0.0; config.width],
    };
    Ok(EmbeddingTensors {
        tokens: (names::TOKENS.to_owned(), config.vocabulary),
        positions: (names::POSITIONS.to_owned(), config.positions),
        offset,
        norm: names::AFTER_EMBEDDING.to_owned(),
        first_position: config.first_position(),
    })
}
