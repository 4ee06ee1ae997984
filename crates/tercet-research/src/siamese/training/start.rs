//! The model that a training starts with, as a network to learn.

use crate::error::{Error, Result};
use crate::siamese::recipe::SiameseRecipe;
use tercet_learn::networks::{LearnedLayers, SiameseNetwork, SiameseShape};
use tercet_model::model_file::ModelFile;
use tercet_model::parameters::Parameters;
use tercet_neural::siamese::embedded_file;
use tercet_neural::siamese::model::{KIND, SiameseModel};
use tercet_neural::siamese::tensors::{Stored, WeightFormat, add_tensor};

/// The file of a recipe's start, with its weights in this format, and its hash.
pub(super) fn start_file(recipe: &SiameseRecipe, format: WeightFormat) -> Result<(ModelFile, String)> {
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
pub(super) fn changed(file: &ModelFile, parameters: &Parameters, format: WeightFormat) -> Result<ModelFile> {
    let mut made = ModelFile::new(KIND);
    let is_kept = |key: &str| !key.starts_with("about.") || NOTES_OF_START.contains(&key);
    let entries = file.entries().filter(|(key, _)| is_kept(key));
    entries.for_each(|(key, value)| made.set(key, value));
    let stored = Stored(file);
    for name in stored.names() {
        let (shape, values) = stored.whole(&name)?;
        let learned = parameters.tensors().iter().find(|tensor| tensor.name == name);
        let values = learned.map_or(&values, |tensor| &tensor.values);
        add_tensor(&mut made, &name, &shape, values, format);
    }
    Ok(made)
}

/// The network whose last layers are learned.
pub(super) fn network(file: &ModelFile, model: &SiameseModel, recipe: &SiameseRecipe) -> Result<SiameseNetwork> {
    let stored = Stored(file);
    let shape = shape(model, recipe)?;
    let network = SiameseNetwork::new(&shape, |name, [rows, columns]| {
        Ok(stored.some_floats(name, rows * columns).map_err(|error| file.bad(error.to_string()))?)
    });
    Ok(network?)
}

fn shape(model: &SiameseModel, recipe: &SiameseRecipe) -> Result<SiameseShape> {
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
    Ok(SiameseShape { encoder: config.clone(), hidden: model.head.bias.len(), learned })
}
