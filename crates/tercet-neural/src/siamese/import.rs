//! From what `training/siamese` exports to a model file.
//!
//! The export is a safetensors file with all tensors in single or half precision under the names of `model.rs`, and
//! with the entries of a model file as strings of its metadata. There, `percentiles` and its kin are lists of numbers.
//! The bytes of a model of SentencePiece are a tensor, of bytes.

use super::head::Way;
use super::model::{KIND, SiameseModel};
use super::tensors::{PIECES, WeightFormat, add_tensor};
use crate::error::{Error, Result};
use std::path::Path;
use tercet_model::model_file::{ModelFile, Values};
use tercet_transformer::Exported;

/// Entries that are taken over as they are.
const ENTRIES: [&str; 3] = ["config", "window", "temperature"];

/// Entries that are taken over if they are there.
const OPTIONAL: [&str; 8] = [
    "vocabulary",
    "title",
    "languages",
    "scripts",
    "temperature.source",
    "temperature.both",
    "temperature.length",
    "temperature.distance",
];

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
    let optional = OPTIONAL.iter().filter_map(|key| Some((key, export.metadata.get(*key)?)));
    optional.for_each(|(key, value)| file.set(key, value));
    for way in Way::ALL {
        let key = way.entry("percentiles");
        if way != Way::Reference && !export.metadata.contains_key(&key) {
            continue;
        }
        let percentiles: Vec<f32> =
            serde_json::from_str(entry(&key)?).map_err(|error| bad(format!("its {key} are no numbers ({error})")))?;
        file.add(&key, vec![percentiles.len()], Values::F32(percentiles));
    }
    let mut notes: Vec<(String, String)> = export
        .metadata
        .iter()
        .filter_map(|(key, value)| Some((key.strip_prefix("about.")?.to_owned(), value.clone())))
        .collect();
    notes.sort();
    file.add_notes(&notes);
    for tensor in &export.tensors {
        if tensor.name == PIECES {
            if tensor.values.iter().any(|value| *value != f32::from(*value as u8)) {
                return Err(bad(format!("its tensor `{PIECES}` has numbers that are no bytes")));
            }
            let bytes = tensor.values.iter().map(|value| (*value as u8).cast_signed()).collect();
            file.add(PIECES, tensor.shape.clone(), Values::I8(bytes));
            continue;
        }
        add_tensor(&mut file, &tensor.name, &tensor.shape, &tensor.values, format);
    }
    Ok(file)
}
