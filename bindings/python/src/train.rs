//! Training from a recipe.

use crate::errors::{OrRaise, REQUEST, of_class};
use crate::registry;
use crate::work::{run, warn};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use tercet::train::{self, KINDS, TrainingFiles};

/// The arguments of [`train_recipe`], as a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct TrainArguments {
    recipe: PathBuf,
    /// The folder of the files that the recipe names. Default: that of the recipe.
    data: Option<PathBuf>,
    /// The model file. Default: the one that the recipe names.
    output: Option<PathBuf>,
    resume: bool,
    force: bool,
    seed: Option<u64>,
    epochs: Option<usize>,
    steps: Option<usize>,
}

/// The file of a model, its hash and its notes.
type TrainedModel = (PathBuf, String, Vec<(String, String)>);

/// Trains a model.
#[pyfunction]
#[pyo3(signature = (arguments, progress=None))]
fn train_recipe(
    py: Python<'_>,
    arguments: TrainArguments,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<TrainedModel> {
    let mut recipe = train::read(&arguments.recipe, arguments.data.as_deref(), None).or_raise(py)?;
    if let Some(seed) = arguments.seed {
        recipe.set_seed(seed);
    }
    if let Some(epochs) = arguments.epochs {
        recipe.set_epochs(epochs).or_raise(py)?;
    }
    if let Some(steps) = arguments.steps {
        recipe.set_steps(steps).or_raise(py)?;
    }
    let model = arguments.output.unwrap_or_else(|| recipe.model_file());
    let files = TrainingFiles { model: model.clone(), resume: arguments.resume };
    check(&files, arguments.force).map_err(|message| of_class(py, REQUEST, &message))?;
    if let Some(read) = recipe.reads(&model) {
        let message = format!(
            "the model cannot be written to {}: the recipe reads {}",
            model.display(),
            read.display()
        );
        return Err(of_class(py, REQUEST, &message));
    }
    warn(py, &run(py, None, |_| Ok(recipe.warnings(registry())))?)?;
    let trained = run(py, progress, |progress| recipe.train(&files, registry(), progress))?;
    Ok((model, trained.hash, trained.notes))
}

/// Says, before hours of work, why the model cannot be written.
fn check(files: &TrainingFiles, force: bool) -> Result<(), String> {
    let (checkpoint, model) = (files.checkpoint(), files.model.display());
    let folder = files.model.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !Path::is_dir(folder)) {
        return Err(format!(
            "the model cannot be written to {model}: there is no folder {}",
            folder.display()
        ));
    }
    match (files.resume, checkpoint.is_file()) {
        (true, false) => Err(format!("there is no checkpoint {} to resume from", checkpoint.display())),
        (false, true) => Err(format!(
            "there is a checkpoint {} of a training that was interrupted: go on with resume=True, or remove it",
            checkpoint.display()
        )),
        (false, false) if files.model.exists() && !force => {
            Err(format!("there is already a file {model}: name another, or give force=True"))
        }
        _ => Ok(()),
    }
}

/// Every kind of recipe: name, what it trains, a recipe with all its keys.
#[pyfunction]
fn recipe_kinds() -> Vec<(&'static str, &'static str, &'static str)> {
    KINDS.iter().map(|kind| (kind.name, kind.trains, kind.keys)).collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(train_recipe, module)?)?;
    module.add_function(wrap_pyfunction!(recipe_kinds, module)?)
}
