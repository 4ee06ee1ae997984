//! From what `training/siamese` exports to a model file.
//!
//! The export is a safetensors file with all tensors in single or half precision under the names of `model.rs`, and
//! with the entries of a model file as strings of its metadata; `percentiles` is a list of numbers there.

use super::model::{KIND, SiameseModel};
use super::tensors::{WeightFormat, add_tensor};
use crate::error::{Error, Result};
use std::path::Path;
use tercet_model::model_file::{ModelFile, Values};
use tercet_transformer::Exported;

/// Entries that are taken over as they are.
const ENTRIES: [&str; 4] = ["config", "vocabulary", "window", "temperature"];

/// Reads an export and checks that it is a model.
pub fn import(path: &Path, format: WeightFormat) -> Result<ModelFile> {
    let export = tercet_transformer::read_export(path)?;
    let file = model_file(path, &export, format)?;
    let bytes = file.to_bytes()?;
    SiameseModel::from_bytes(path, bytes)?;
    Ok(file)
}

fn model_file(path: &Path, export: &Exported, format: WeightFormat) -> Result<ModelFile> {
    let mut file = ModelFile::new(KIND);
    file.set_version();
    let bad = |what: String| Error::bad_file(path, format!("{what}: not an export of a model"));
    let entry = |key: &str| export.metadata.get(key).ok_or_else(|| bad(format!("no `{key}` in its metadata")));
    for key in ENTRIES {
        file.set(key, entry(key)?);
    }
    let percentiles: Vec<f32> = serde_json::from_str(entry("percentiles")?)
        .map_err(|error| bad(format!("its percentiles are no numbers ({error})")))?;
    file.add("percentiles", vec![percentiles.len()], Values::F32(percentiles));
    let mut notes: Vec<(String, String)> = export
        .metadata
        .iter()
        .filter_map(|(key, value)| Some((key.strip_prefix("about.")?.to_owned(), value.clone())))
        .collect();
    notes.sort();
    file.add_notes(&notes);
    for tensor in &export.tensors {
        add_tensor(&mut file, &tensor.name, &tensor.shape, &tensor.values, format);
    }
    Ok(file)
}
