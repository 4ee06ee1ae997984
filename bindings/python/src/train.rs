//! Training from a recipe.

use crate::arguments;
use crate::registry;
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use tercet::train::{KINDS, TrainJob};

/// The file of a model, its hash and its notes.
type TrainedModel = (PathBuf, String, Vec<(String, String)>);

/// Trains a model.
#[pyfunction]
#[pyo3(signature = (arguments, recipe, data, output, progress=None))]
fn train_recipe(
    py: Python<'_>,
    arguments: &Bound<'_, PyDict>,
    recipe: PathBuf,
    data: Option<PathBuf>,
    output: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<TrainedModel> {
    let job = TrainJob { recipe, data, output, ..arguments::read(arguments)? };
    let trained = run(py, progress, |progress| job.run(registry(), progress))?.result;
    Ok((trained.model, trained.hash, trained.notes))
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
