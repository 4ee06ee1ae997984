//! Weights by their names, of a folder or of a model that somebody else has read, each checked for its shape.

use crate::encoder::Precision;
use crate::files::{Tensor, Tensors, parse_onnx, parse_safetensors, read, unusable};
use crate::linear::Linear;
use crate::names::TOKENS;
use crate::nibbles::Nibbles;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use tercet_model::{Error, Result};

/// Files that may hold the weights, the first that exists is read.
const NAMES: [&str; 3] = ["model.safetensors", "onnx/model.onnx", "model.onnx"];

/// The numbers of a tensor in a model file.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredNumbers<'a> {
    /// 32-bit floats.
    Single(Cow<'a, [f32]>),
    /// 8-bit integers with one scale per row.
    Int8 {
        /// Row by row.
        values: Cow<'a, [i8]>,
        /// By which the integers of a row are multiplied.
        scales: Cow<'a, [f32]>,
    },
    /// 4-bit integers with one scale per block: only the table of words.
    Nibbles(Nibbles),
}

/// A model file that holds the tensors of an encoder, under the names of its family.
pub trait StoredTensors {
    /// Shape and numbers of a tensor, if there is one of this name.
    fn tensor(&self, name: &str) -> Option<(Vec<usize>, StoredNumbers<'_>)>;
}

/// All tensors of an encoder.
pub(crate) struct Weights<'a> {
    path: PathBuf,
    source: Source<'a>,
    prefix: String,
    /// What weights that are stored as floats are computed with.
    pub precision: Precision,
}

enum Source<'a> {
    Read(Tensors),
    Stored(&'a dyn StoredTensors),
}

/// A matrix of weights, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rows {
    Single(Vec<f32>),
    Int8 { values: Vec<i8>, scales: Vec<f32> },
    Nibbles(Nibbles),
}

impl Rows {
    /// Adds the rows of another matrix; `false` if its numbers are of another kind.
    pub fn extend(&mut self, other: Rows) -> bool {
        match (self, other) {
            (Rows::Single(own), Rows::Single(values)) => own.extend(values),
            (Rows::Int8 { values: own, scales: own_scales }, Rows::Int8 { values, scales }) => {
                own.extend(values);
                own_scales.extend(scales);
            }
            _ => return false,
        }
        true
    }

    /// The numbers as floats.
    pub fn into_single(self) -> Vec<f32> {
        match self {
            Rows::Single(values) => values,
            Rows::Int8 { values, scales } => {
                let mut numbers = Vec::with_capacity(values.len());
                for (row, scale) in values.chunks_exact(values.len() / scales.len()).zip(&scales) {
                    numbers.extend(row.iter().map(|value| f32::from(*value) * scale));
                }
                numbers
            }
            Rows::Nibbles(nibbles) => nibbles.numbers(),
        }
    }
}

/// The file of a folder that has the weights.
pub(crate) fn weights_file(folder: &Path) -> Result<PathBuf> {
    let found = NAMES.iter().map(|name| folder.join(name)).find(|path| path.is_file());
    found.ok_or_else(|| unusable(folder, format!("no weights in this folder: expected one of {}", NAMES.join(", "))))
}

impl<'a> Weights<'a> {
    /// Those of a model file, whose name is for messages: in the precision in which they are stored.
    pub fn stored(name: &Path, tensors: &'a dyn StoredTensors) -> Self {
        let (source, prefix) = (Source::Stored(tensors), String::new());
        Weights { path: name.to_owned(), source, prefix, precision: Precision::Single }
    }

    pub fn read(folder: &Path, precision: Precision) -> Result<Self> {
        let path = weights_file(folder)?;
        let bytes = read(&path)?;
        let is_onnx = path.extension().is_some_and(|extension| extension == "onnx");
        let tensors = if is_onnx { parse_onnx(&path, &bytes)? } else { parse_safetensors(&path, &bytes)? };
        // Models with a head on top keep the encoder under its family's name.
        let prefix = ["", "bert.", "mpnet."]
            .into_iter()
            .find(|prefix| tensors.contains_key(&format!("{prefix}{TOKENS}")))
            .ok_or_else(|| unusable(&path, format!("no tensor `{TOKENS}`: not a BERT or MPNet encoder")))?;
        Ok(Weights { path, source: Source::Read(tensors), prefix: prefix.to_owned(), precision })
    }

    /// Takes a matrix of this shape out.
    pub fn rows(&mut self, name: &str, shape: &[usize]) -> Result<Rows> {
        let name = format!("{}{name}", self.prefix);
        let (found, rows) = match &mut self.source {
            Source::Read(tensors) => {
                let tensor = tensors.remove(&name);
                tensor.map(|Tensor { shape, values }| (shape, Rows::Single(values)))
            }
            Source::Stored(tensors) => tensors.tensor(&name).map(|(shape, numbers)| {
                let rows = match numbers {
                    StoredNumbers::Single(values) => Rows::Single(values.into_owned()),
                    StoredNumbers::Int8 { values, scales } => {
                        Rows::Int8 { values: values.into_owned(), scales: scales.into_owned() }
                    }
                    StoredNumbers::Nibbles(nibbles) => Rows::Nibbles(nibbles),
                };
                (shape, rows)
            }),
        }
        .ok_or_else(|| unusable(&self.path, format!("no tensor `{name}`")))?;
        if found != shape {
            let what = format!("`{name}` has the shape {found:?}, config.json says {shape:?}");
            return Err(unusable(&self.path, what));
        }
        let is_finite = match &rows {
            Rows::Single(numbers) => numbers.iter().all(|number| number.is_finite()),
            // Also what it is multiplied with.
            Rows::Int8 { scales, .. } => scales.iter().all(|scale| (scale * 128.0).is_finite()),
            Rows::Nibbles(nibbles) => nibbles.is_finite(),
        };
        if !is_finite {
            return Err(unusable(&self.path, format!("`{name}` has values that are not finite")));
        }
        if matches!(&rows, Rows::Int8 { scales, .. } if scales.len() != shape[0]) {
            return Err(unusable(&self.path, format!("`{name}` has not one scale for each row")));
        }
        Ok(rows)
    }

    /// Takes a tensor of this shape out, as floats.
    pub fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        Ok(self.rows(name, shape)?.into_single())
    }

    /// Whether there is a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        let name = format!("{}{name}", self.prefix);
        match &self.source {
            Source::Read(tensors) => tensors.contains_key(&name),
            Source::Stored(tensors) => tensors.tensor(&name).is_some(),
        }
    }

    /// An error about these weights.
    pub fn bad(&self, what: String) -> Error {
        unusable(&self.path, what)
    }

    /// The number of rows of the table of words.
    pub fn vocabulary(&self) -> Option<usize> {
        let name = format!("{}{TOKENS}", self.prefix);
        match &self.source {
            Source::Read(tensors) => tensors.get(&name)?.shape.first().copied(),
            Source::Stored(tensors) => tensors.tensor(&name)?.0.first().copied(),
        }
    }

    /// The linear map with these weights and biases, those of all names one after the other.
    pub fn linear(&mut self, names: &[&str], outputs: usize, inputs: usize) -> Result<Linear> {
        let mut all: Option<(Rows, Vec<f32>)> = None;
        for name in names {
            let rows = self.rows(&format!("{name}.weight"), &[outputs, inputs])?;
            let bias = self.take(&format!("{name}.bias"), &[outputs])?;
            match &mut all {
                None => all = Some((rows, bias)),
                Some((all_rows, biases)) => {
                    if !all_rows.extend(rows) {
                        let what = format!("`{name}` and its neighbours have numbers of different kinds");
                        return Err(self.bad(what));
                    }
                    biases.extend(bias);
                }
            }
        }
        let (rows, bias) = all.expect("a linear map has a name");
        Ok(match rows {
            Rows::Single(weights) => Linear::new(&weights, bias, self.precision),
            Rows::Int8 { .. } | Rows::Nibbles(_) => Linear::of_stored_integers(&rows.into_single(), bias),
        })
    }
}
