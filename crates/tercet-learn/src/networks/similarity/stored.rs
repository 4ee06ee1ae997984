//! The network in a [`ModelFile`]: sizes as strings, parameters as tensors, both with a prefix.
//!
//! The word vectors are always in the file, learned or not, so that a network can be read without those it was made
//! from. With moderate fine-tuning the initial ones are there too, as `vectors.anchor`, unless they are stored as 8-bit
//! integers.

use super::{SimilarityNetwork, SimilarityShape, VECTORS};
use crate::error::{Error, Result};
use crate::layers::FineTuning;
use crate::matrix::Matrix;
use crate::model_file::ModelFile;
use crate::networks::stored::{check_sizes, store_sizes};
use crate::parameters::{Parameters, Role};
use std::sync::Arc;

/// The initial word vectors, for further training with moderate fine-tuning.
const ANCHOR: &str = "vectors.anchor";

impl SimilarityNetwork {
    /// Writes the network into a file in single precision; `prefix` is put before its keys and tensors.
    pub fn store(&self, prefix: &str, file: &mut ModelFile) {
        self.store_shape(prefix, file);
        file.add_parameters(prefix, &self.parameters);
        if !self.vectors.is_learned() {
            file.add_parameters(prefix, &self.table(VECTORS, self.vectors()));
        }
        if let Some(initial) = self.parameters.by_name(VECTORS).and_then(|tensor| tensor.anchor.as_deref()) {
            file.add_parameters(prefix, &self.table(ANCHOR, initial));
        }
    }

    /// The same with word vectors as 8-bit integers, a quarter of their size; everything else in single precision.
    pub fn store_quantised(&self, prefix: &str, file: &mut ModelFile) {
        self.store_shape(prefix, file);
        for tensor in self.parameters.tensors().iter().filter(|tensor| tensor.name != VECTORS) {
            let mut one = Parameters::default();
            one.add(&tensor.name, tensor.role, tensor.shape, tensor.values.clone());
            file.add_parameters(prefix, &one);
        }
        file.add_quantised_parameters(prefix, &self.table(VECTORS, self.vectors()), 0);
    }

    /// Writes a network whose fixed word vectors are those of another network of the file, without them.
    ///
    /// # Panics
    /// If its word vectors are learned: they are its own.
    pub fn store_sharing(&self, prefix: &str, file: &mut ModelFile) {
        assert!(!self.vectors.is_learned(), "learned word vectors are not those of another network");
        self.store_shape(prefix, file);
        file.add_parameters(prefix, &self.parameters);
    }

    fn store_shape(&self, prefix: &str, file: &mut ModelFile) {
        let shape = self.shape;
        store_sizes(prefix, shape.sizes(), file);
        file.set(&format!("{prefix}encoding"), shape.encoding.name());
        file.set(&format!("{prefix}output_gate"), &shape.output_gate.to_string());
        file.set(&format!("{prefix}fine_tuning"), shape.fine_tuning.name());
    }

    /// One tensor of the size of the word vectors.
    fn table(&self, name: &str, values: &[f32]) -> Parameters {
        let (words, dimensions) = self.vectors_shape();
        let mut table = Parameters::default();
        table.add(name, Role::Embedding, [words, dimensions], values.to_vec());
        table
    }

    /// Reads a network from a file of either form; `prefix` as in [`store`](Self::store).
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        Self::read(prefix, file, None)
    }

    /// Reads a network from a file of any form; one without word vectors has the fixed ones of `other`.
    pub fn stored_beside(prefix: &str, file: &ModelFile, other: &Self) -> Result<Self> {
        Self::read(prefix, file, other.vectors.fixed())
    }

    fn read(prefix: &str, file: &ModelFile, shared: Option<Arc<Matrix>>) -> Result<Self> {
        let entry = |key: &str| format!("{prefix}{key}");
        let output_gate = match file.get(&entry("output_gate"))? {
            "true" => true,
            "false" => false,
            other => {
                return Err(file
                    .bad(format!("its entry `{}` is `{other}`, expected true or false", entry("output_gate")))
                    .into());
            }
        };
        let shape = SimilarityShape {
            encoding: file.get(&entry("encoding"))?.parse()?,
            memory: file.number(&entry("memory"))?,
            hidden: file.number(&entry("hidden"))?,
            classes: file.number(&entry("classes"))?,
            output_gate,
            fine_tuning: file.get(&entry("fine_tuning"))?.parse()?,
        };
        let anchored = shape.fine_tuning == FineTuning::Moderate && file.has(&entry(ANCHOR));
        let is_shared = shape.fine_tuning == FineTuning::None && !file.has(&entry(VECTORS));
        let vectors = match shared.filter(|_| is_shared) {
            Some(vectors) => vectors,
            None => Arc::new(table_in(file, prefix, if anchored { ANCHOR } else { VECTORS })?),
        };
        let dimensions = vectors.columns();
        check_sizes(file, shape.check(dimensions), || shape.parameters(dimensions))?;
        let mut network = SimilarityNetwork::new(shape, vectors, 0)?;
        file.restore_parameters(prefix, &mut network.parameters)?;
        Ok(network)
    }
}

/// A table of vectors, in single precision or as 8-bit integers.
fn table_in(file: &ModelFile, prefix: &str, name: &str) -> Result<Matrix> {
    let stored = format!("{prefix}{name}");
    let &[rows, columns] = file.tensor(&stored)?.shape else {
        return Err(Error::shape(stored, "a matrix", "a tensor of another rank"));
    };
    let mut like = Parameters::default();
    let id = like.add(name, Role::Embedding, [rows, columns], vec![0.0; rows * columns]);
    file.restore_parameters(prefix, &mut like)?;
    Ok(like.matrix(id))
}
