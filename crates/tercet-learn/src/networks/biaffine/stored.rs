//! The network in a [`ModelFile`]: sizes as strings, parameters as tensors, both with a prefix.
//!
//! Tables and matrices may be stored as 8-bit integers. Files are not trusted: sizes are checked against the limits and
//! against the tensors in the file before memory is allocated. The dropout rate is not in the file.

use super::{BiaffineNetwork, BiaffineShape};
use crate::error::Result;
use crate::model_file::{ModelFile, SMALL};
use crate::networks::lists::ListNetwork;
use crate::networks::stored::{check_sizes, store_sizes};

impl BiaffineNetwork {
    /// Writes the network into a file; `prefix` is put before its keys and tensors. With `quantised`, tables and
    /// matrices are 8-bit integers with a scale per row.
    pub fn store(&self, prefix: &str, quantised: bool, file: &mut ModelFile) {
        store_sizes(prefix, self.shape.sizes(), file);
        if quantised {
            file.add_quantised_parameters(prefix, &self.parameters, SMALL);
        } else {
            file.add_parameters(prefix, &self.parameters);
        }
    }

    /// Reads a network from a file, quantised or not, without dropout; `prefix` as in [`store`](Self::store).
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let shape = BiaffineShape::stored(prefix, file)?;
        check_sizes(file, shape.check(), || shape.parameters())?;
        let mut network = BiaffineNetwork::new(shape, 0.0, 0)?;
        file.restore_parameters(prefix, network.parameters_mut())?;
        Ok(network)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::biaffine::tests::tiny;
    use crate::networks::lists::EncoderShape;

    fn small() -> BiaffineShape {
        let shape = tiny(3, 0);
        BiaffineShape { encoder: EncoderShape { words: 600, ..shape.encoder }, ..shape }
    }

    #[test]
    fn a_network_comes_back_from_its_file_in_both_kinds_of_numbers() {
        let network = BiaffineNetwork::new(small(), 0.2, 4).unwrap();
        let mut file = ModelFile::new("model");
        network.store("net.", false, &mut file);
        let back = BiaffineNetwork::stored("net.", &file).unwrap();
        assert_eq!((back.shape(), back.parameters()), (network.shape(), network.parameters()));
        let mut file = ModelFile::new("model");
        network.store("net.", true, &mut file);
        let back = BiaffineNetwork::stored("net.", &file).unwrap();
        assert_ne!(back.parameters(), network.parameters());
        for (back, tensor) in back.parameters().tensors().iter().zip(network.parameters().tensors()) {
            let error = back.values.iter().zip(&tensor.values).map(|(b, w)| (b - w).abs()).fold(0.0, f32::max);
            assert!(error <= if tensor.values.len() > SMALL { 0.0014 } else { 0.0 }, "{}: {error}", tensor.name);
        }
    }

    #[test]
    fn sizes_that_no_network_has_or_that_the_file_has_not_are_refused() {
        let mut file = ModelFile::new("model");
        BiaffineNetwork::new(small(), 0.2, 4).unwrap().store("net.", true, &mut file);
        for (key, value, reason) in [
            ("words", "1000001", "(setting `words` cannot be 1000001: expected at most 1000000)"),
            ("tag_layer", "4", "(setting `tag_layer` cannot be 4: expected at most 3)"),
            ("characters", "257", "(setting `characters` cannot be 257: expected at most 256)"),
            ("width", "0", "(setting `width` cannot be 0: expected at least 1)"),
            ("arc", "1000000", "expected at most 2147483648 numbers to learn"),
            ("words", "700", "it is of a network with other sizes"),
            ("labels", "3", "it is of a network with other sizes"),
            ("arc", "x", "its entry `net.arc` is `x`, which is not a valid number"),
        ] {
            let mut file = file.clone();
            file.set(&format!("net.{key}"), value);
            let error = BiaffineNetwork::stored("net.", &file).unwrap_err().to_string();
            assert!(error.contains(reason), "{key}: {error}");
        }
        let error = BiaffineNetwork::stored("", &file).unwrap_err().to_string();
        assert!(error.contains("it has no entry `words`"), "{error}");
    }
}
