//! Files of weights: names and tensors, in single precision.

mod onnx;
mod safetensors;

pub(crate) use onnx::parse as parse_onnx;
pub use safetensors::{Exported, ExportedTensor, read_export};
pub(crate) use safetensors::{half, parse as parse_safetensors};

use foldhash::HashMap;
use std::path::Path;
use tercet_model::{Error, Result};

/// A tensor in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tensor {
    pub shape: Vec<usize>,
    pub values: Vec<f32>,
}

impl Tensor {
    /// A matrix with rows and columns exchanged.
    pub fn transposed(&self) -> Tensor {
        let (rows, columns) = (self.shape[0], self.shape[1]);
        let mut values = vec![0.0; self.values.len()];
        for (row, numbers) in self.values.chunks_exact(columns.max(1)).enumerate() {
            numbers.iter().enumerate().for_each(|(column, number)| values[column * rows + row] = *number);
        }
        Tensor { shape: vec![columns, rows], values }
    }
}

/// Tensors by name.
pub(crate) type Tensors = HashMap<String, Tensor>;

pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })
}

pub(crate) fn read_json(path: &Path) -> Result<serde_json::Value> {
    serde_json::from_slice(&read(path)?).map_err(|error| unusable(path, format!("not valid JSON: {error}")))
}

pub(crate) fn unusable(path: &Path, what: impl Into<String>) -> Error {
    Error::BadFile { path: path.to_owned(), reason: what.into() }
}
