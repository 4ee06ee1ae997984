//! The network in a [`ModelFile`]: sizes as strings, parameters as tensors, both with a prefix.

use super::{SpanNetwork, SpanShape};
use crate::error::Result;
use crate::model_file::{ModelFile, SMALL};
use crate::networks::lists::ListNetwork;
use crate::networks::stored::{check_sizes, store_sizes};

impl SpanNetwork {
    /// Writes the network into a file, tables and matrices as 8-bit integers; `prefix` is put before its keys and
    /// tensors.
    pub fn store(&self, prefix: &str, file: &mut ModelFile) {
        store_sizes(prefix, self.shape.sizes(), file);
        file.add_quantised_parameters(prefix, &self.parameters, SMALL);
    }

    /// Reads a network from a file, without dropout; `prefix` as in [`store`](Self::store).
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let shape = SpanShape::stored(prefix, file)?;
        check_sizes(file, shape.check(), || shape.parameters())?;
        let mut network = SpanNetwork::new(shape, 0.0, 0)?;
        file.restore_parameters(prefix, network.parameters_mut())?;
        Ok(network)
    }
}
