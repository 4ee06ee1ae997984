//! The weights of a folder by their names, each checked for its shape.

use crate::config::Config;
use crate::error::Result;
use crate::files::{Tensor, Tensors, parse_onnx, parse_safetensors, read, unusable};
use std::path::{Path, PathBuf};

/// Files that may hold the weights, the first that exists is read.
const NAMES: [&str; 3] = ["model.safetensors", "onnx/model.onnx", "model.onnx"];

/// All tensors of a file.
#[derive(Debug)]
pub(crate) struct Weights {
    path: PathBuf,
    tensors: Tensors,
    prefix: String,
}

/// The file of a folder that has the weights.
pub(crate) fn weights_file(folder: &Path) -> Result<PathBuf> {
    let found = NAMES.iter().map(|name| folder.join(name)).find(|path| path.is_file());
    found.ok_or_else(|| {
        unusable(folder, format!("no weights in this folder: expected one of {}", NAMES.join(", ")))
    })
}

impl Weights {
    pub fn read(folder: &Path) -> Result<Self> {
        let path = weights_file(folder)?;
        let bytes = read(&path)?;
        let is_onnx = path.extension().is_some_and(|extension| extension == "onnx");
        let tensors = if is_onnx { parse_onnx(&path, &bytes)? } else { parse_safetensors(&path, &bytes)? };
        // Models with a head on top keep the encoder under its family's name.
        let marker = "embeddings.word_embeddings.weight";
        let prefix = ["", "bert.", "mpnet."]
            .into_iter()
            .find(|prefix| tensors.contains_key(&format!("{prefix}{marker}")))
            .ok_or_else(|| unusable(&path, format!("no tensor `{marker}`: not a BERT or MPNet encoder")))?;
        Ok(Weights { path, tensors, prefix: prefix.to_owned() })
    }

    /// Takes a tensor of this shape out.
    pub fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let name = format!("{}{name}", self.prefix);
        let Some(Tensor { shape: found, values }) = self.tensors.remove(&name) else {
            return Err(unusable(&self.path, format!("no tensor `{name}`")));
        };
        if found != shape {
            let what = format!("`{name}` has the shape {found:?}, config.json says {shape:?}");
            return Err(unusable(&self.path, what));
        }
        if values.iter().any(|value| !value.is_finite()) {
            return Err(unusable(&self.path, format!("`{name}` has values that are not finite")));
        }
        Ok(values)
    }

    /// The number of rows of the table of words.
    pub fn vocabulary(&self) -> usize {
        self.tensors[&format!("{}embeddings.word_embeddings.weight", self.prefix)].shape[0]
    }

    /// Weight and bias of a linear layer.
    pub fn linear(&mut self, name: &str, outputs: usize, inputs: usize) -> Result<(Vec<f32>, Vec<f32>)> {
        let weight = self.take(&format!("{name}.weight"), &[outputs, inputs])?;
        Ok((weight, self.take(&format!("{name}.bias"), &[outputs])?))
    }

    /// Scale and shift of a layer normalisation.
    pub fn normalisation(&mut self, name: &str, config: &Config) -> Result<(Vec<f32>, Vec<f32>)> {
        let scale = self.take(&format!("{name}.weight"), &[config.width])?;
        Ok((scale, self.take(&format!("{name}.bias"), &[config.width])?))
    }
}
