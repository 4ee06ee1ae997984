//! A model in several files, each with some of its tensors.
//!
//! A package registry accepts at most ten mebibytes per crate, so a larger embedded model is split over several crates.
//! A part is a file of the same format and kind with its own checksum; all entries are in the first part. The entry
//! `part` is `NUMBER/COUNT HASH`; the hash is that of the undivided file, so signatures are the same however the model
//! is stored. Reading parts takes one pass over all bytes, for the checksums.

use super::{Bytes, ModelFile, Part, Place, stored};
use crate::error::{Error, Result};
use crate::files::short_hash;
use std::path::Path;
use std::sync::Arc;

const PART: &str = "part";

impl ModelFile {
    /// Splits the model into parts of at most `most` bytes of tensors each; a tensor is never split.
    pub fn to_parts(&self, most: usize) -> Result<Vec<Vec<u8>>> {
        let hash = short_hash(&self.to_bytes()?);
        let mut parts = vec![ModelFile { tensors: Default::default(), ..self.clone() }];
        let mut size = 0;
        for (name, held) in &self.tensors {
            let bytes = stored::size(self.numbers(held));
            if size > 0 && size + bytes > most {
                parts.push(ModelFile { parts: self.parts.clone(), ..ModelFile::new(&self.kind) });
                size = 0;
            }
            size += bytes;
            parts.last_mut().expect("there is always a first part").tensors.insert(name.clone(), held.clone());
        }
        let count = parts.len();
        let numbered = (1..).zip(&mut parts).map(|(number, part)| {
            part.set(PART, &format!("{number}/{count} {hash}"));
            part.to_bytes()
        });
        numbered.collect()
    }

    /// Reads a model of this kind from all its parts, in order; `name` is its name in messages.
    pub fn from_parts<B: Bytes>(name: &Path, parts: impl IntoIterator<Item = B>, kind: &str) -> Result<Self> {
        let bad = |reason| Error::BadFile { path: name.to_owned(), reason };
        let parsed =
            parts.into_iter().map(|bytes| stored::parse(&Part(Arc::new(bytes)), kind)).collect::<Result<Vec<_>, _>>();
        let parsed = parsed.map_err(bad)?;
        let count = parsed.len();
        let mut parsed = parsed.into_iter();
        let mut whole = parsed.next().ok_or_else(|| bad("it has no parts".to_owned()))?;
        let label = whole.metadata.remove(PART).unwrap_or_default();
        let hash = label.strip_prefix(&format!("1/{count} "));
        whole.hash = hash.ok_or_else(|| bad(misplaced(1, count, &label)))?.to_owned();
        for (number, part) in (2..).zip(parsed) {
            let label = part.find(PART).unwrap_or_default();
            if label != format!("{number}/{count} {}", whole.hash) {
                return Err(bad(misplaced(number, count, label)));
            }
            let tensors = part.tensors.into_iter().map(|(name, mut held)| {
                if let Place::Part(at, ..) = &mut held.values {
                    *at = number - 1;
                }
                (name, held)
            });
            whole.tensors.extend(tensors);
            whole.parts.extend(part.parts);
        }
        Ok(ModelFile { path: name.to_owned(), ..whole })
    }
}

/// Returns an error if the file is only a part of a model.
pub(super) fn whole(file: ModelFile) -> Result<ModelFile, String> {
    match file.find(PART) {
        None => Ok(file),
        Some(part) => Err(format!("it is part {part} of a model, expected a whole one")),
    }
}

fn misplaced(number: usize, count: usize, found: &str) -> String {
    format!("expected its part {number}/{count}, found `{found}`: give all parts of one model, in their order")
}
