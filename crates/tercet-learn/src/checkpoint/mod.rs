//! The file of a model: tensors with names and a few strings, as one `.safetensors` file.
//!
//! # Format
//! The format is Hugging Face's safetensors: eight bytes of length, a JSON header with name, type, shape and place of
//! every tensor, then the numbers, little-endian. Its `__metadata__` has one entry, `tercet`, a JSON object of strings
//! with sorted keys (so that equal models are equal bytes): `format`, the version of this layout; `kind`, what the
//! file holds; `sha256`, a checksum of everything else; and the model's own entries, whose keys start with `:`.
//!
//! Numbers are in single or double precision, or 8-bit integers (`quantised.rs`).
//!
//! # Choices
//! A file is written under a temporary name beside its place, synced, and renamed: it is whole, old or new, at any
//! moment. Reading refuses a foreign file, another kind, a later version, and a file whose checksum differs.

mod quantised;
mod stored;
#[cfg(test)]
mod tests;

pub use stored::{read_whole, write_whole};

use crate::error::{Error, Result};
use crate::parameters::{Parameters, Tensor};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The version of the layout that is written; earlier ones are read.
pub const FORMAT: u32 = 1;

/// Tensors of more numbers than this are worth keeping as 8-bit integers; biases and gains are not.
pub const SMALL: usize = 2_000;

/// Numbers of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Single precision.
    F32(Vec<f32>),
    /// Double precision.
    F64(Vec<f64>),
    /// 8-bit integers; `quantised.rs` says what they stand for.
    I8(Vec<i8>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Values::F32(values) => values.len(),
            Values::F64(values) => values.len(),
            Values::I8(values) => values.len(),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Values::F32(_) => "in single precision",
            Values::F64(_) => "in double precision",
            Values::I8(_) => "of 8-bit integers",
        }
    }
}

/// A tensor of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredTensor {
    /// Sizes of its dimensions.
    pub shape: Vec<usize>,
    /// Its numbers.
    pub values: Values,
}

/// What is in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorFile {
    kind: String,
    metadata: BTreeMap<String, String>,
    tensors: BTreeMap<String, StoredTensor>,
    /// Where it was read from, for messages.
    path: PathBuf,
}

impl TensorFile {
    /// An empty one, of a kind.
    pub fn new(kind: &str) -> Self {
        TensorFile {
            kind: kind.to_owned(),
            metadata: BTreeMap::new(),
            tensors: BTreeMap::new(),
            path: PathBuf::new(),
        }
    }

    /// Reads a file of this kind.
    pub fn read(path: &Path, kind: &str) -> Result<Self> {
        stored::read(path, kind)
    }

    /// A file of this kind in bytes that were read from `path`, or are called so.
    pub fn from_bytes(path: &Path, bytes: &[u8], kind: &str) -> Result<Self> {
        stored::from_bytes(path, bytes, kind)
    }

    /// The bytes that are written.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        stored::bytes(self).map_err(|reason| self.bad(reason))
    }

    /// Writes it: whole, or not at all.
    pub fn write(&self, path: &Path) -> Result<()> {
        stored::write(self, path)
    }

    /// Sets a string.
    pub fn set(&mut self, key: &str, value: &str) {
        self.metadata.insert(key.to_owned(), value.to_owned());
    }

    /// A string, if it is there.
    pub fn find(&self, key: &str) -> Option<&str> {
        self.metadata.get(key).map(String::as_str)
    }

    /// A string that must be there.
    pub fn get(&self, key: &str) -> Result<&str> {
        self.find(key).ok_or_else(|| self.bad(format!("it has no entry `{key}`")))
    }

    /// A number that must be there.
    pub fn number<T: FromStr>(&self, key: &str) -> Result<T> {
        let text = self.get(key)?;
        text.parse().map_err(|_| self.bad(format!("its entry `{key}` is `{text}`, which is no such number")))
    }

    /// All strings, in the order of their keys.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Adds a tensor.
    ///
    /// # Panics
    /// If the shape does not have as many numbers.
    pub fn add(&mut self, name: &str, shape: Vec<usize>, values: Values) {
        assert_eq!(values.len(), shape.iter().product::<usize>(), "{name}: values of its shape");
        self.tensors.insert(name.to_owned(), StoredTensor { shape, values });
    }

    /// Whether there is a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// The names of all tensors, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// A tensor that must be there.
    pub fn tensor(&self, name: &str) -> Result<&StoredTensor> {
        self.tensors.get(name).ok_or_else(|| self.bad(format!("it has no tensor `{name}`")))
    }

    /// The numbers of a tensor in single precision.
    pub fn f32(&self, name: &str) -> Result<&[f32]> {
        match &self.tensor(name)?.values {
            Values::F32(values) => Ok(values),
            other => {
                Err(self.bad(format!("its tensor `{name}` is {}, expected single precision", other.name())))
            }
        }
    }

    /// The numbers of a tensor in double precision.
    pub fn f64(&self, name: &str) -> Result<&[f64]> {
        match &self.tensor(name)?.values {
            Values::F64(values) => Ok(values),
            other => {
                Err(self.bad(format!("its tensor `{name}` is {}, expected double precision", other.name())))
            }
        }
    }

    /// Adds all tensors of a network, their names after a prefix.
    pub fn add_parameters(&mut self, prefix: &str, parameters: &Parameters) {
        for tensor in parameters.tensors() {
            let name = format!("{prefix}{}", tensor.name);
            self.add(&name, tensor.shape.to_vec(), Values::F32(tensor.values.clone()));
        }
    }

    /// The tensors of a network with the names, shapes and roles of `like`, of either kind of numbers.
    pub fn parameters(&self, prefix: &str, like: &Parameters) -> Result<Parameters> {
        let mut parameters = like.clone();
        for tensor in parameters.tensors_mut() {
            self.fill(&format!("{prefix}{}", tensor.name), tensor)?;
        }
        Ok(parameters)
    }

    /// The same, put in the place of the numbers that are there.
    pub fn restore_parameters(&self, prefix: &str, parameters: &mut Parameters) -> Result<()> {
        let stored = self.parameters(prefix, parameters)?;
        parameters.assign(&stored)
    }

    fn fill(&self, name: &str, tensor: &mut Tensor) -> Result<()> {
        let stored = self.tensor(name)?;
        if stored.shape != tensor.shape {
            let reason = format!(
                "its tensor `{name}` has the shape {:?}, expected {:?}: it is of a network with other sizes",
                stored.shape, tensor.shape
            );
            return Err(self.bad(reason));
        }
        match &stored.values {
            Values::I8(integers) => tensor.values = self.dequantised(name, tensor.shape, integers)?,
            _ => tensor.values.copy_from_slice(self.finite(name)?),
        }
        Ok(())
    }

    /// The numbers of a tensor in single precision, none of them NaN or infinite.
    pub(crate) fn finite(&self, name: &str) -> Result<&[f32]> {
        let values = self.f32(name)?;
        match values.iter().position(|value| !value.is_finite()) {
            None => Ok(values),
            Some(at) => Err(self.bad(format!(
                "number {at} of its tensor `{name}` (counted from 0) is {}, which no network can use: take another \
                 copy, or train again with a lower learning rate",
                values[at]
            ))),
        }
    }

    /// Refuses to make room for more numbers than the file has: its sizes are not those of its tensors.
    pub(crate) fn check_room(&self, numbers: u64) -> Result<()> {
        let there: usize = self.tensors.values().map(|tensor| tensor.values.len()).sum();
        if numbers <= there as u64 {
            return Ok(());
        }
        let reason = format!(
            "its sizes are of a network of {numbers} numbers and it has {there}: it is of a network with other sizes"
        );
        Err(self.bad(reason))
    }

    /// The error for a file with something wrong, by its name.
    pub fn bad(&self, reason: String) -> Error {
        Error::BadFile { path: self.path.clone(), reason }
    }
}
