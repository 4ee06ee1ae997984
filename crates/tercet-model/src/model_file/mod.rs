//! The file of a model or a checkpoint: named tensors and a few strings, as one `.safetensors` file.
//!
//! # Format
//! The format is Hugging Face's safetensors: eight bytes of length, a JSON header with name, type, shape and offset of
//! every tensor, then the numbers, little-endian. Its `__metadata__` has one entry, `tercet`, a JSON object of strings
//! with sorted keys (so that equal models are equal bytes): `format`, the version of this layout; `kind`, what the
//! file holds; `sha256`, a checksum of everything else; and the model's own entries, whose keys start with `:`. Among
//! those, `about.…` are notes for people: training data, seed, figures, recipe.
//!
//! Numbers are in single or double precision, or 8-bit integers (`quantised.rs`). A large model can be split into
//! several files (`parts.rs`).
//!
//! # Choices
//! Files are written atomically ([`files`]). Reading returns an error for other safetensors files, another kind, a
//! later version, or a wrong checksum. Tensors are not copied: they are views of the bytes, which may be owned, mapped,
//! or embedded in the program. Only where bytes cannot be viewed as numbers (they are not aligned, or the machine is
//! big-endian) is a tensor copied.

mod parts;
mod quantised;
mod record;
mod stored;
#[cfg(test)]
mod tests;

pub use record::ModelRecord;

use crate::error::{Error, Result};
use crate::files;
use crate::parameters::{Parameters, Tensor};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// The version of the layout that is written; earlier ones are read.
const FORMAT: u32 = 1;

/// The version of the model's own entries, stored as `version`, for kinds that have one.
const VERSION: &str = "1";

/// Larger tensors are worth storing as 8-bit integers; smaller ones are biases and gains.
pub const SMALL: usize = 2_000;

/// Prefix of the keys of notes.
const ABOUT: &str = "about.";

/// Bytes of a file: owned, mapped into memory, or embedded in the program.
pub trait Bytes: AsRef<[u8]> + Send + Sync + 'static {}

impl<T: AsRef<[u8]> + Send + Sync + 'static> Bytes for T {}

/// Notes about the origin of a model (data, seed, recipe): keys and values.
pub type Notes = Vec<(String, String)>;

/// The numbers of a tensor, owned, to be added to a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Single precision.
    F32(Vec<f32>),
    /// Double precision.
    F64(Vec<f64>),
    /// 8-bit integers; a tensor `NAME:scales` has the scale of each row.
    I8(Vec<i8>),
}

/// The numbers of a tensor in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Numbers<'a> {
    /// Single precision.
    F32(&'a [f32]),
    /// Double precision.
    F64(&'a [f64]),
    /// 8-bit integers.
    I8(&'a [i8]),
}

impl Values {
    fn view(&self) -> Numbers<'_> {
        match self {
            Values::F32(values) => Numbers::F32(values),
            Values::F64(values) => Numbers::F64(values),
            Values::I8(values) => Numbers::I8(values),
        }
    }
}

impl Numbers<'_> {
    fn len(&self) -> usize {
        match self {
            Numbers::F32(values) => values.len(),
            Numbers::F64(values) => values.len(),
            Numbers::I8(values) => values.len(),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Numbers::F32(_) => "in single precision",
            Numbers::F64(_) => "in double precision",
            Numbers::I8(_) => "of 8-bit integers",
        }
    }

    /// The first number that is NaN or infinite, and its index.
    fn not_finite(&self) -> Option<(usize, f64)> {
        fn first<T: Copy + Into<f64>>(values: &[T]) -> Option<(usize, f64)> {
            let at = values.iter().position(|value| !(*value).into().is_finite())?;
            Some((at, values[at].into()))
        }
        match self {
            Numbers::F32(values) => first(values),
            Numbers::F64(values) => first(values),
            Numbers::I8(_) => None,
        }
    }
}

/// A tensor in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoredTensor<'a> {
    /// Sizes of its dimensions.
    pub shape: &'a [usize],
    /// The numbers, row by row.
    pub values: Numbers<'a>,
}

/// A tensor in memory.
#[derive(Clone, Debug)]
struct Held {
    shape: Vec<usize>,
    values: Place,
}

/// The numbers of a tensor, or where they are.
#[derive(Clone, Debug)]
enum Place {
    /// Owned.
    Owned(Values),
    /// A range of the file's bytes that can be viewed as numbers of this type.
    Part(usize, Range<usize>, safetensors::Dtype),
}

/// Bytes that tensors are views of.
#[derive(Clone)]
struct Part(Arc<dyn Bytes>);

impl Part {
    fn bytes(&self) -> &[u8] {
        self.0.as_ref().as_ref()
    }
}

impl std::fmt::Debug for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.bytes().len())
    }
}

/// The content of a model file.
#[derive(Clone, Debug)]
pub struct ModelFile {
    kind: String,
    metadata: BTreeMap<String, String>,
    tensors: BTreeMap<String, Held>,
    parts: Vec<Part>,
    /// Path it was read from, for messages.
    path: PathBuf,
    hash: String,
}

impl ModelFile {
    /// An empty file of a kind, such as `pairwise`.
    pub fn new(kind: &str) -> Self {
        ModelFile {
            kind: kind.to_owned(),
            metadata: BTreeMap::new(),
            tensors: BTreeMap::new(),
            parts: Vec::new(),
            path: PathBuf::new(),
            hash: String::new(),
        }
    }

    /// Reads a file of this kind.
    pub fn read(path: &Path, kind: &str) -> Result<Self> {
        if path.is_dir() {
            let reason = "it is a folder, expected a file of weights (name one)".to_owned();
            return Err(Error::BadFile { path: path.to_owned(), reason });
        }
        let bytes = files::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        Self::from_bytes(path, bytes, kind)
    }

    /// Whether these are the bytes of a model that tercet wrote, of any kind.
    pub fn is_ours(bytes: &[u8]) -> bool {
        stored::is_ours(bytes)
    }

    /// Reads a file of this kind from bytes; `path` is its name in messages.
    pub fn from_bytes(path: &Path, bytes: impl Bytes, kind: &str) -> Result<Self> {
        let part = Part(Arc::new(bytes));
        // Two passes over all bytes, in parallel. Not in the rayon pool: its waiting threads take other work, which
        // might wait for this very file (deadlock).
        let (parsed, hash) = std::thread::scope(|scope| {
            let hash = std::thread::Builder::new().spawn_scoped(scope, || files::short_hash(part.bytes()));
            let parsed = stored::parse(&part, kind).and_then(parts::whole);
            // Without a second thread, which the system may refuse, one pass comes after the other.
            let hash = hash.ok().and_then(|hash| hash.join().ok());
            (parsed, hash.unwrap_or_else(|| files::short_hash(part.bytes())))
        });
        match parsed {
            Ok(file) => Ok(ModelFile { path: path.to_owned(), hash, ..file }),
            Err(reason) => Err(Error::BadFile { path: path.to_owned(), reason }),
        }
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        stored::bytes(self).map_err(|reason| self.bad(reason))
    }

    /// Writes the file atomically.
    pub fn write(&self, path: &Path) -> Result<()> {
        let bytes = stored::bytes(self);
        Ok(files::write(path, &bytes.map_err(|reason| Error::BadFile { path: path.to_owned(), reason })?)?)
    }

    /// The path it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The first eight hexadecimal digits of the SHA-256 of its bytes; empty if it was not read from bytes.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Sets the version of the entries, for kinds that have one.
    pub fn set_version(&mut self) {
        self.set("version", VERSION);
    }

    /// Returns an error if the entries have another version than [`ModelFile::set_version`] writes.
    pub fn check_version(&self) -> Result<()> {
        match self.get("version")? {
            VERSION => Ok(()),
            other => {
                Err(self
                    .bad(format!("its entries are of version {other}, expected {VERSION}: a newer tercet reads it")))
            }
        }
    }

    /// The notes, sorted by key.
    pub fn notes(&self) -> Notes {
        let notes = self.entries().filter_map(|(key, value)| Some((key.strip_prefix(ABOUT)?, value)));
        notes.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    /// Adds notes.
    pub fn add_notes(&mut self, notes: &[(String, String)]) {
        notes.iter().for_each(|(key, value)| self.set(&format!("{ABOUT}{key}"), value));
    }

    /// Sets an entry.
    pub fn set(&mut self, key: &str, value: &str) {
        self.metadata.insert(key.to_owned(), value.to_owned());
    }

    /// The value of an entry, if it exists.
    pub fn find(&self, key: &str) -> Option<&str> {
        self.metadata.get(key).map(String::as_str)
    }

    /// The value of an entry; an error if it does not exist.
    pub fn get(&self, key: &str) -> Result<&str> {
        self.find(key).ok_or_else(|| self.bad(format!("it has no entry `{key}`")))
    }

    /// The value of an entry as a number; an error if it does not exist or is not one.
    pub fn number<T: FromStr>(&self, key: &str) -> Result<T> {
        let text = self.get(key)?;
        text.parse().map_err(|_| self.bad(format!("its entry `{key}` is `{text}`, which is not a valid number")))
    }

    /// All entries, sorted by key.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Adds a tensor.
    ///
    /// # Panics
    /// If the number of values does not match the shape.
    pub fn add(&mut self, name: &str, shape: Vec<usize>, values: Values) {
        assert_eq!(
            values.view().len(),
            shape.iter().product::<usize>(),
            "{name}: the number of values does not match the shape"
        );
        self.tensors.insert(name.to_owned(), Held { shape, values: Place::Owned(values) });
    }

    /// Whether there is a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// The names of all tensors, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// A tensor; an error if it does not exist.
    pub fn tensor(&self, name: &str) -> Result<StoredTensor<'_>> {
        let held = self.tensors.get(name).ok_or_else(|| self.bad(format!("it has no tensor `{name}`")))?;
        Ok(StoredTensor { shape: &held.shape, values: self.numbers(held) })
    }

    fn numbers<'a>(&'a self, held: &'a Held) -> Numbers<'a> {
        match &held.values {
            Place::Owned(values) => values.view(),
            Place::Part(part, range, dtype) => {
                let bytes = &self.parts[*part].bytes()[range.clone()];
                stored::view(*dtype, bytes).expect("the bytes could be viewed when the file was read")
            }
        }
    }

    /// The numbers of a tensor in single precision.
    pub fn f32(&self, name: &str) -> Result<&[f32]> {
        match self.tensor(name)?.values {
            Numbers::F32(values) => Ok(values),
            other => Err(self.other_numbers(name, other, "single precision")),
        }
    }

    /// The numbers of a tensor in double precision.
    pub fn f64(&self, name: &str) -> Result<&[f64]> {
        match self.tensor(name)?.values {
            Numbers::F64(values) => Ok(values),
            other => Err(self.other_numbers(name, other, "double precision")),
        }
    }

    fn other_numbers(&self, name: &str, found: Numbers<'_>, expected: &str) -> Error {
        self.bad(format!("its tensor `{name}` is {}, expected {expected}", found.name()))
    }

    /// Adds all tensors of a network; `prefix` is put before their names.
    pub fn add_parameters(&mut self, prefix: &str, parameters: &Parameters) {
        for tensor in parameters.tensors() {
            let name = format!("{prefix}{}", tensor.name);
            self.add(&name, tensor.shape.to_vec(), Values::F32(tensor.values.clone()));
        }
    }

    /// Reads parameters with the names, shapes and roles of `like`, stored in single precision or as 8-bit integers.
    pub fn parameters(&self, prefix: &str, like: &Parameters) -> Result<Parameters> {
        let mut parameters = like.clone();
        self.restore_parameters(prefix, &mut parameters)?;
        Ok(parameters)
    }

    /// The same, overwriting `parameters`; after an error some of them may have been overwritten.
    pub fn restore_parameters(&self, prefix: &str, parameters: &mut Parameters) -> Result<()> {
        let mut tensors = parameters.tensors_mut().iter_mut();
        tensors.try_for_each(|tensor| self.fill(&format!("{prefix}{}", tensor.name), tensor))
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
        match stored.values {
            Numbers::I8(integers) => self.dequantise(name, integers, tensor),
            _ => {
                tensor.values.copy_from_slice(self.finite(name)?);
                Ok(())
            }
        }
    }

    /// The numbers of a tensor in single precision; an error if one is NaN or infinite.
    pub fn finite(&self, name: &str) -> Result<&[f32]> {
        let values = self.f32(name)?;
        self.check_numbers(name, Numbers::F32(values))?;
        Ok(values)
    }

    /// Returns an error if a tensor has a number that is NaN or infinite.
    pub fn check_finite(&self) -> Result<()> {
        let mut tensors = self.tensors.iter();
        tensors.try_for_each(|(name, held)| self.check_numbers(name, self.numbers(held)))
    }

    fn check_numbers(&self, name: &str, numbers: Numbers<'_>) -> Result<()> {
        let Some((at, value)) = numbers.not_finite() else { return Ok(()) };
        Err(self.bad(format!(
            "number {at} of its tensor `{name}` (counted from 0) is {value}, which no network can use: take another \
             copy, or train again with a lower learning rate"
        )))
    }

    /// Returns an error if a network needs more numbers than the file has: checked before memory is allocated.
    pub fn check_room(&self, numbers: u64) -> Result<()> {
        let there: usize = self.tensors.values().map(|held| self.numbers(held).len()).sum();
        if numbers <= there as u64 {
            return Ok(());
        }
        let reason = format!(
            "its sizes are of a network of {numbers} numbers and it has {there}: it is of a network with other sizes"
        );
        Err(self.bad(reason))
    }

    /// An error about this file.
    pub fn bad(&self, reason: String) -> Error {
        Error::BadFile { path: self.path.clone(), reason }
    }
}
