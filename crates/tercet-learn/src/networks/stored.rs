//! Networks in a [`TensorFile`]: sizes as strings, parameters as tensors, both after a prefix.
//!
//! The caller adds what it needs beside them. An embedding matrix is always in the file, learned or not, so that a
//! network comes back without the vectors it was made from, and so is the E⁰ of moderate fine-tuning, as
//! `embedding.anchor`: further training keeps near the first matrix. A network of a file without it keeps near what was
//! learned.

use super::Network;
use super::encoded_pair::{EMBEDDING, EncodedPairNetwork, EncodedPairShape, Encoding};
use super::pair::{PairNetwork, PairShape};
use crate::checkpoint::{TensorFile, Values};
use crate::error::{Error, Result};
use crate::layers::embedding::FineTuning;
use crate::matrix::Matrix;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The matrix as it first was, where fine-tuning keeps near it.
const ANCHOR: &str = "embedding.anchor";

impl PairNetwork {
    /// Puts the network into a file.
    pub fn store(&self, prefix: &str, file: &mut TensorFile) {
        let shape = self.shape();
        file.set(&format!("{prefix}architecture"), shape.architecture.name());
        for (key, value) in [("vector", shape.vector), ("skip", shape.skip), ("hidden", shape.hidden)] {
            file.set(&format!("{prefix}{key}"), &value.to_string());
        }
        file.add_parameters(prefix, self.parameters());
    }

    /// Takes a network out of a file.
    pub fn stored(prefix: &str, file: &TensorFile) -> Result<Self> {
        let entry = |key: &str| format!("{prefix}{key}");
        let shape = PairShape {
            architecture: file.get(&entry("architecture"))?.parse()?,
            vector: file.number(&entry("vector"))?,
            skip: file.number(&entry("skip"))?,
            hidden: file.number(&entry("hidden"))?,
        };
        let mut network = PairNetwork::new(shape, 0)?;
        let learned = file.parameters(prefix, network.parameters())?;
        network.parameters_mut().assign(&learned)?;
        Ok(network)
    }
}

impl EncodedPairNetwork {
    /// Puts the network into a file.
    pub fn store(&self, prefix: &str, file: &mut TensorFile) {
        let shape = self.shape();
        file.set(&format!("{prefix}architecture"), shape.architecture.name());
        file.set(&format!("{prefix}encoding"), &shape.encoding.to_string());
        file.set(&format!("{prefix}fine_tuning"), shape.fine_tuning.name());
        for (key, value) in [("hidden", shape.hidden), ("skip", shape.skip), ("fixed", shape.fixed)] {
            file.set(&format!("{prefix}{key}"), &value.to_string());
        }
        for (key, value) in
            [("embedding_dropout", shape.embedding_dropout), ("hidden_dropout", shape.hidden_dropout)]
        {
            file.set(&format!("{prefix}{key}"), &value.to_string());
        }
        file.add_parameters(prefix, self.parameters());
        let (words, dimensions) = self.embedding_shape();
        let mut add = |name: &str, values: &[f32]| {
            file.add(&format!("{prefix}{name}"), vec![words, dimensions], Values::F32(values.to_vec()));
        };
        if shape.fine_tuning == FineTuning::None {
            add(EMBEDDING, self.embedding());
        }
        if let Some(first) = self.parameters().by_name(EMBEDDING).and_then(|tensor| tensor.anchor.as_deref())
        {
            add(ANCHOR, first);
        }
    }

    /// Takes a network out of a file.
    pub fn stored(prefix: &str, file: &TensorFile) -> Result<Self> {
        let entry = |key: &str| format!("{prefix}{key}");
        let shape = EncodedPairShape {
            architecture: file.get(&entry("architecture"))?.parse()?,
            hidden: file.number(&entry("hidden"))?,
            skip: file.number(&entry("skip"))?,
            fixed: file.number(&entry("fixed"))?,
            encoding: file.get(&entry("encoding"))?.parse()?,
            fine_tuning: file.get(&entry("fine_tuning"))?.parse()?,
            embedding_dropout: file.number(&entry("embedding_dropout"))?,
            hidden_dropout: file.number(&entry("hidden_dropout"))?,
        };
        let mut embedding = matrix(file, &entry(EMBEDDING))?;
        if shape.fine_tuning == FineTuning::Moderate && file.has(&entry(ANCHOR)) {
            embedding.check_finite("embedding matrix")?;
            embedding = matrix(file, &entry(ANCHOR))?;
        }
        let mut network = EncodedPairNetwork::new(shape, Arc::new(embedding), 0)?;
        let learned = file.parameters(prefix, network.parameters())?;
        network.parameters_mut().assign(&learned)?;
        Ok(network)
    }
}

/// A tensor of two dimensions.
fn matrix(file: &TensorFile, name: &str) -> Result<Matrix> {
    let &[rows, columns] = file.tensor(name)?.shape.as_slice() else {
        return Err(Error::shape(name, "a matrix", "a tensor of another rank"));
    };
    Matrix::new(rows, columns, file.f32(name)?.to_vec())
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Encoding::Average => write!(f, "average"),
            Encoding::Convolution { filters, length, pooling, activation } => {
                write!(f, "convolution {filters} {length} {}", activation.name())?;
                pooling.map_or(Ok(()), |pooling| write!(f, " {pooling}"))
            }
            Encoding::Lstm { units, gate } => write!(f, "lstm {units} {}", gate.name()),
            Encoding::BidirectionalLstm { units, gate } => write!(f, "bilstm {units} {}", gate.name()),
        }
    }
}

impl FromStr for Encoding {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let bad = || Error::setting("encoding", text, "average, convolution, lstm or bilstm with its sizes");
        let number = |text: &str| text.parse::<usize>().map_err(|_| bad());
        let parts: Vec<&str> = text.split(' ').collect();
        Ok(match parts[..] {
            ["average"] => Encoding::Average,
            ["convolution", filters, length, activation, ref pooling @ ..] if pooling.len() < 2 => {
                Encoding::Convolution {
                    filters: number(filters)?,
                    length: number(length)?,
                    pooling: pooling.first().map(|pooling| number(pooling)).transpose()?,
                    activation: activation.parse()?,
                }
            }
            ["lstm", units, gate] => Encoding::Lstm { units: number(units)?, gate: gate.parse()? },
            ["bilstm", units, gate] => {
                Encoding::BidirectionalLstm { units: number(units)?, gate: gate.parse()? }
            }
            _ => return Err(bad()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::activation::Activation;
    use crate::layers::Gate;
    use crate::networks::Architecture;

    #[test]
    fn a_pair_network_comes_back_from_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.safetensors");
        for architecture in Architecture::ALL {
            let shape = PairShape { architecture, vector: 3, skip: 2, hidden: 4 };
            let network = PairNetwork::new(shape, 8).unwrap();
            let mut file = TensorFile::new("model");
            network.store("network.", &mut file);
            file.write(&path).unwrap();
            let back = PairNetwork::stored("network.", &TensorFile::read(&path, "model").unwrap()).unwrap();
            assert_eq!((back.shape(), back.parameters()), (shape, network.parameters()));
        }
    }

    #[test]
    fn an_encoded_pair_network_comes_back_with_its_words() {
        for (encoding, text) in [
            (Encoding::Average, "average"),
            (
                Encoding::Convolution { filters: 2, length: 3, pooling: None, activation: Activation::Relu },
                "convolution 2 3 relu",
            ),
            (
                Encoding::Convolution {
                    filters: 2,
                    length: 3,
                    pooling: Some(4),
                    activation: Activation::Relu,
                },
                "convolution 2 3 relu 4",
            ),
            (Encoding::Lstm { units: 2, gate: Gate::Hard }, "lstm 2 hard"),
            (Encoding::BidirectionalLstm { units: 2, gate: Gate::Logistic }, "bilstm 2 logistic"),
        ] {
            assert_eq!((encoding.to_string().as_str(), text.parse::<Encoding>().unwrap()), (text, encoding));
            for fine_tuning in FineTuning::ALL {
                let shape = EncodedPairShape {
                    architecture: Architecture::Full,
                    hidden: 1,
                    skip: 0,
                    fixed: 2,
                    encoding,
                    fine_tuning,
                    embedding_dropout: 0.25,
                    hidden_dropout: 0.1,
                };
                let words = Arc::new(Matrix::new(2, 2, vec![0.1, 0.2, 0.3, 0.4]).unwrap());
                let network = EncodedPairNetwork::new(shape, words, 8).unwrap();
                let mut file = TensorFile::new("model");
                network.store("", &mut file);
                let back = EncodedPairNetwork::stored("", &file).unwrap();
                assert_eq!((back.shape(), back.parameters()), (shape, network.parameters()));
                assert_eq!(back.embedding(), network.embedding());
            }
        }
    }

    #[test]
    fn the_first_matrix_of_moderate_fine_tuning_comes_back_beside_the_learned_one() {
        let shape = EncodedPairShape {
            architecture: Architecture::Groups,
            hidden: 1,
            skip: 0,
            fixed: 0,
            encoding: Encoding::Average,
            fine_tuning: FineTuning::Moderate,
            embedding_dropout: 0.0,
            hidden_dropout: 0.0,
        };
        let first = [0.1, 0.2, 0.3, 0.4];
        let words = Arc::new(Matrix::new(2, 2, first.to_vec()).unwrap());
        let mut network = EncodedPairNetwork::new(shape, words, 8).unwrap();
        let learned = [0.5, -0.2, 0.3, 0.9];
        network.parameters_mut().tensors_mut()[0].values.copy_from_slice(&learned);
        let anchor = |network: &EncodedPairNetwork| network.parameters().tensors()[0].anchor.clone().unwrap();
        let mut file = TensorFile::new("model");
        network.store("network.", &mut file);
        let back = EncodedPairNetwork::stored("network.", &file).unwrap();
        assert_eq!((back.embedding(), &anchor(&back)[..]), (&learned[..], &first[..]));
        // A file as it was before E⁰ was kept.
        let mut former = TensorFile::new("model");
        network.store("", &mut former);
        let mut without = TensorFile::new("model");
        for key in [
            "architecture",
            "encoding",
            "fine_tuning",
            "hidden",
            "skip",
            "fixed",
            "embedding_dropout",
            "hidden_dropout",
        ] {
            without.set(key, former.get(key).unwrap());
        }
        without.add_parameters("", network.parameters());
        let back = EncodedPairNetwork::stored("", &without).unwrap();
        assert_eq!((back.embedding(), &anchor(&back)[..]), (&learned[..], &learned[..]));
        // An E⁰ of another size is of another network.
        file.add("network.embedding.anchor", vec![1, 2], Values::F32(vec![0.0; 2]));
        let error = EncodedPairNetwork::stored("network.", &file).unwrap_err().to_string();
        assert!(error.contains("it is of a network with other sizes"), "{error}");
    }

    #[test]
    fn unknown_encodings_and_names_are_refused() {
        for text in [
            "",
            "lstm",
            "lstm x hard",
            "lstm 5 soft",
            "convolution 1 2 3",
            "convolution 1 2 relu 3 4",
            "convolution 1 2 relu x",
            "average 3",
        ] {
            assert!(text.parse::<Encoding>().is_err(), "{text}");
        }
        let error = "soft".parse::<Gate>().unwrap_err().to_string();
        assert_eq!(error, "setting `gate` cannot be soft: expected hard or logistic");
    }
}
