//! The network in a [`TensorFile`]: sizes as strings, parameters as tensors, both after a prefix.

use super::{SpanNetwork, SpanShape};
use crate::checkpoint::TensorFile;
use crate::error::Result;
use crate::networks::limits::SMALL;

impl SpanNetwork {
    /// Puts the network into a file, tables and matrices as 8-bit integers.
    pub fn store(&self, prefix: &str, file: &mut TensorFile) {
        self.shape.store(prefix, file);
        file.add_quantised_parameters(prefix, &self.parameters, SMALL);
    }

    /// Takes a network out of a file; it drops nothing in training.
    pub fn stored(prefix: &str, file: &TensorFile) -> Result<Self> {
        let shape = SpanShape::stored(prefix, file)?;
        let unusable = |error| file.bad(format!("no network has its sizes ({error}): take another copy"));
        shape.check().map_err(unusable)?;
        file.check_room(shape.parameters())?;
        let mut network = SpanNetwork::new(shape, 0.0, 0)?;
        let learned = file.parameters(prefix, network.parameters())?;
        network.parameters.assign(&learned)?;
        Ok(network)
    }
}
