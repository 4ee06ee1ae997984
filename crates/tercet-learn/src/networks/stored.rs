//! Networks in a [`ModelFile`]: sizes and options as strings, parameters as tensors, both with a prefix.
//!
//! A matrix of word vectors is always in the file, learned or not, so that a network can be read without the word
//! vectors it was made from. With moderate fine-tuning the initial matrix E⁰ is there too, as `NAME.anchor`, for
//! further training; if a file does not have it, weight decay pulls towards the learned matrix.
//!
//! Files are not trusted: sizes are checked against the limits and against the tensors in the file before memory is
//! allocated; NaN and infinite numbers are errors.

use super::Network;
use super::encoded_pair::{EMBEDDING, EncodedPairNetwork, EncodedPairShape, Encoding};
use super::pair::{Architecture, PairNetwork, PairShape};
use super::similarity::TreeEncoding;
use crate::error::{Error, Result};
use crate::layers::FineTuning;
use crate::matrix::Matrix;
use crate::model_file::ModelFile;
use crate::parameters::{Parameters, Role};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A size or an option of a network, as an entry of a file.
pub(super) trait Entry: Sized + ToString {
    fn read(key: &str, file: &ModelFile) -> Result<Self>;
}

macro_rules! entries {
    ($($entry:ty, $read:expr;)+) => {$(
        impl Entry for $entry {
            fn read(key: &str, file: &ModelFile) -> Result<Self> {
                let read: fn(&str, &ModelFile) -> Result<Self> = $read;
                read(key, file)
            }
        }
    )+};
}

entries! {
    usize, |key, file| Ok(file.number(key)?);
    f32, |key, file| Ok(file.number(key)?);
    Architecture, |key, file| Ok(file.get(key)?.parse()?);
    Encoding, |key, file| file.get(key)?.parse();
    FineTuning, |key, file| Ok(file.get(key)?.parse()?);
    TreeEncoding, |key, file| Ok(file.get(key)?.parse()?);
    bool, |key, file| {
        let text = file.get(key)?;
        Ok(text.parse().map_err(|_| file.bad(format!("its entry `{key}` is `{text}`, expected true or false")))?)
    };
}

/// Sizes and options of a network in a file.
pub(super) trait StoredShape: Sized {
    /// Writes them; `prefix` is put before the names of the fields.
    fn store(&self, prefix: &str, file: &mut ModelFile);

    /// Reads them.
    fn stored(prefix: &str, file: &ModelFile) -> Result<Self>;
}

/// Implements [`StoredShape`] for a struct with these fields; a field behind `in` is a shape itself.
macro_rules! stored_shape {
    ($shape:ident { $($key:ident),+ } $(in $part:ident)?) => {
        impl $crate::networks::stored::StoredShape for $shape {
            fn store(&self, prefix: &str, file: &mut $crate::model_file::ModelFile) {
                $($crate::networks::stored::StoredShape::store(&self.$part, prefix, file);)?
                $(file.set(&format!("{prefix}{}", stringify!($key)), &self.$key.to_string());)+
            }

            fn stored(prefix: &str, file: &$crate::model_file::ModelFile) -> $crate::error::Result<Self> {
                use $crate::networks::stored::Entry;
                Ok($shape {
                    $($part: $crate::networks::stored::StoredShape::stored(prefix, file)?,)?
                    $($key: Entry::read(&format!("{prefix}{}", stringify!($key)), file)?,)+
                })
            }
        }
    };
}
pub(super) use stored_shape;

/// Reads the parameters of a network that `make` makes, after its shape was `checked`; `numbers` says how many it has.
pub(super) fn restored<N>(
    (prefix, file): (&str, &ModelFile),
    checked: Result<()>,
    numbers: impl FnOnce() -> u64,
    make: impl FnOnce() -> Result<N>,
    parameters: impl FnOnce(&mut N) -> &mut Parameters,
) -> Result<N> {
    checked.map_err(|error| file.bad(format!("no network has its sizes ({error}): take another copy")))?;
    file.check_room(numbers())?;
    let mut network = make()?;
    file.restore_parameters(prefix, parameters(&mut network))?;
    Ok(network)
}

/// A matrix of word vectors and what it is called in a file.
pub(super) struct StoredVectors<'a> {
    pub name: &'a str,
    pub shape: (usize, usize),
    pub values: &'a [f32],
}

impl StoredVectors<'_> {
    /// The vectors as the only tensor of a network.
    pub fn as_parameters(&self) -> Parameters {
        table(self.name, self.shape, self.values)
    }

    /// Adds what the learned parameters do not have: vectors that are not learned, and those that learning began with.
    pub fn store_beside(&self, parameters: &Parameters, prefix: &str, file: &mut ModelFile) {
        match parameters.by_name(self.name).map(|learned| learned.anchor.as_deref()) {
            None => file.add_parameters(prefix, &self.as_parameters()),
            Some(None) => {}
            Some(Some(initial)) => {
                file.add_parameters(prefix, &table(&format!("{}.anchor", self.name), self.shape, initial));
            }
        }
    }
}

fn table(name: &str, (words, dimensions): (usize, usize), values: &[f32]) -> Parameters {
    let mut table = Parameters::default();
    table.add(name, Role::Embedding, [words, dimensions], values.to_vec());
    table
}

/// Reads the word vectors from which the training of a network began.
pub(super) fn initial_vectors(name: &str, tuning: FineTuning, prefix: &str, file: &ModelFile) -> Result<Arc<Matrix>> {
    let anchor = format!("{name}.anchor");
    let is_anchored = tuning == FineTuning::Moderate && file.has(&format!("{prefix}{anchor}"));
    let name = if is_anchored { &anchor } else { name };
    let stored = format!("{prefix}{name}");
    let &[rows, columns] = file.tensor(&stored)?.shape else {
        return Err(Error::shape(stored, "a matrix", "a tensor of another rank"));
    };
    let mut like = Parameters::default();
    let id = like.add(name, Role::Embedding, [rows, columns], vec![0.0; rows * columns]);
    file.restore_parameters(prefix, &mut like)?;
    Ok(Arc::new(like.matrix(id)))
}

stored_shape!(PairShape { architecture, vector, skip, hidden });
stored_shape!(EncodedPairShape {
    architecture,
    hidden,
    skip,
    fixed,
    encoding,
    fine_tuning,
    embedding_dropout,
    hidden_dropout
});

impl PairNetwork {
    /// Writes the network into a file; `prefix` is put before its keys and tensors.
    pub fn store(&self, prefix: &str, file: &mut ModelFile) {
        self.shape().store(prefix, file);
        file.add_parameters(prefix, self.parameters());
    }

    /// Reads a network from a file; `prefix` as in [`store`](Self::store).
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let shape = PairShape::stored(prefix, file)?;
        let make = || PairNetwork::new(shape, 0);
        restored((prefix, file), shape.check(), || shape.parameters(), make, |network| network.parameters_mut())
    }
}

impl EncodedPairNetwork {
    /// Writes the network into a file; `prefix` is put before its keys and tensors.
    pub fn store(&self, prefix: &str, file: &mut ModelFile) {
        self.shape().store(prefix, file);
        file.add_parameters(prefix, self.parameters());
        let vectors = StoredVectors { name: EMBEDDING, shape: self.embedding_shape(), values: self.embedding() };
        vectors.store_beside(self.parameters(), prefix, file);
    }

    /// Reads a network from a file; `prefix` as in [`store`](Self::store).
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let shape = EncodedPairShape::stored(prefix, file)?;
        let embedding = initial_vectors(EMBEDDING, shape.fine_tuning, prefix, file)?;
        let d = embedding.columns();
        let make = || EncodedPairNetwork::new(shape, embedding, 0);
        restored((prefix, file), shape.check(d), || shape.parameters(d), make, |network| network.parameters_mut())
    }
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
            ["bilstm", units, gate] => Encoding::BidirectionalLstm { units: number(units)?, gate: gate.parse()? },
            _ => return Err(bad()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::activation::Activation;
    use crate::layers::Gate;
    use crate::model_file::Values;

    const FIRST: [f32; 4] = [0.1, 0.2, 0.3, 0.4];

    fn pair_network(architecture: Architecture) -> PairNetwork {
        PairNetwork::new(PairShape { architecture, vector: 3, skip: 2, hidden: 4 }, 8).unwrap()
    }

    fn shape(fine_tuning: FineTuning) -> EncodedPairShape {
        EncodedPairShape {
            architecture: Architecture::Groups,
            hidden: 1,
            skip: 1,
            fixed: 1,
            encoding: Encoding::Average,
            fine_tuning,
            embedding_dropout: 0.25,
            hidden_dropout: 0.1,
        }
    }

    fn encoded_network(shape: EncodedPairShape) -> EncodedPairNetwork {
        EncodedPairNetwork::new(shape, Arc::new(Matrix::new(2, 2, FIRST.to_vec()).unwrap()), 8).unwrap()
    }

    /// A small network of either kind in a file.
    fn pair_file() -> ModelFile {
        let mut file = ModelFile::new("model");
        pair_network(Architecture::Groups).store("network.", &mut file);
        file
    }

    fn encoded_file(fine_tuning: FineTuning) -> ModelFile {
        let mut file = ModelFile::new("model");
        encoded_network(shape(fine_tuning)).store("network.", &mut file);
        file
    }

    fn pair_error(file: &ModelFile) -> String {
        PairNetwork::stored("network.", file).unwrap_err().to_string()
    }

    fn encoded_error(file: &ModelFile) -> String {
        EncodedPairNetwork::stored("network.", file).unwrap_err().to_string()
    }

    #[test]
    fn a_pair_network_comes_back_from_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.safetensors");
        for architecture in Architecture::VALUES {
            let network = pair_network(architecture);
            let mut file = ModelFile::new("model");
            network.store("network.", &mut file);
            file.write(&path).unwrap();
            let back = PairNetwork::stored("network.", &ModelFile::read(&path, "model").unwrap()).unwrap();
            assert_eq!((back.shape(), back.parameters()), (network.shape(), network.parameters()));
        }
    }

    #[test]
    fn an_encoded_pair_network_comes_back_with_its_words() {
        let convolution =
            |pooling| Encoding::Convolution { filters: 2, length: 3, pooling, activation: Activation::Relu };
        for (encoding, text) in [
            (Encoding::Average, "average"),
            (convolution(None), "convolution 2 3 relu"),
            (convolution(Some(4)), "convolution 2 3 relu 4"),
            (Encoding::Lstm { units: 2, gate: Gate::Hard }, "lstm 2 hard"),
            (Encoding::BidirectionalLstm { units: 2, gate: Gate::Logistic }, "bilstm 2 logistic"),
        ] {
            assert_eq!((encoding.to_string().as_str(), text.parse::<Encoding>().unwrap()), (text, encoding));
            for fine_tuning in FineTuning::VALUES {
                let architecture = Architecture::Full;
                let shape = EncodedPairShape { architecture, skip: 0, fixed: 2, encoding, ..shape(fine_tuning) };
                let network = encoded_network(shape);
                let mut file = ModelFile::new("model");
                network.store("", &mut file);
                let back = EncodedPairNetwork::stored("", &file).unwrap();
                assert_eq!((back.shape(), back.parameters()), (shape, network.parameters()));
                assert_eq!(back.embedding(), network.embedding());
            }
        }
    }

    #[test]
    fn the_first_matrix_of_moderate_fine_tuning_comes_back_beside_the_learned_one() {
        let mut network = encoded_network(shape(FineTuning::Moderate));
        let learned = [0.5, -0.2, 0.3, 0.9];
        network.parameters_mut().tensors_mut()[0].values.copy_from_slice(&learned);
        let anchor = |network: &EncodedPairNetwork| network.parameters().tensors()[0].anchor.clone().unwrap();
        let mut file = ModelFile::new("model");
        network.store("network.", &mut file);
        let back = EncodedPairNetwork::stored("network.", &file).unwrap();
        assert_eq!((back.embedding(), &anchor(&back)[..]), (&learned[..], &FIRST[..]));
        // A file of a version that did not store E⁰.
        let mut without = ModelFile::new("model");
        network.shape().store("", &mut without);
        without.add_parameters("", network.parameters());
        let back = EncodedPairNetwork::stored("", &without).unwrap();
        assert_eq!((back.embedding(), &anchor(&back)[..]), (&learned[..], &learned[..]));
        // An E⁰ of another size belongs to another network.
        file.add("network.embedding.anchor", vec![1, 2], Values::F32(vec![0.0; 2]));
        let error = encoded_error(&file);
        assert!(error.contains("it is of a network with other sizes"), "{error}");
    }

    #[test]
    fn sizes_that_no_network_has_are_refused_before_anything_is_made() {
        let largest = usize::MAX.to_string();
        for key in ["vector", "skip", "hidden"] {
            for size in ["1000001", "10000000000000", "1000000000000000000", "4611686018427387904", &largest] {
                let mut file = pair_file();
                file.set(&format!("network.{key}"), size);
                let reason = format!("(setting `{key}` cannot be {size}: expected at most 1000000)");
                assert!(pair_error(&file).contains(&reason), "{}", pair_error(&file));
            }
        }
        let huge = 10usize.pow(18);
        for (key, value, reason) in [
            ("fixed", largest.clone(), format!("fixed` cannot be {largest}: expected")),
            ("skip", largest.clone(), format!("skip` cannot be {largest}: expected")),
            ("hidden", largest.clone(), format!("hidden` cannot be {largest}: expected")),
            ("encoding", format!("lstm {huge} hard"), "units` cannot be".to_owned()),
            ("encoding", format!("bilstm {largest} hard"), "units` cannot be".to_owned()),
            ("encoding", format!("convolution {huge} 3 tanh"), "filters` cannot be".to_owned()),
            ("encoding", format!("convolution 3 {huge} tanh"), "length` cannot be".to_owned()),
            ("encoding", format!("convolution 3 3 tanh {huge}"), "pooling` cannot be".to_owned()),
            ("encoding", "convolution 3 1001 tanh".to_owned(), "length` cannot be".to_owned()),
        ] {
            let mut file = encoded_file(FineTuning::None);
            file.set(&format!("network.{key}"), &value);
            let error = encoded_error(&file);
            assert!(error.contains(&format!("(setting `{reason}")), "{error}");
        }
        let mut wide = encoded_file(FineTuning::None);
        wide.add("network.embedding", vec![0, huge], Values::F32(vec![]));
        let error = encoded_error(&wide);
        assert!(error.contains("(setting `dimensions` cannot be 1000000000000000000"), "{error}");
    }

    #[test]
    fn sizes_above_what_the_file_has_are_refused_before_they_are_allocated() {
        let mut file = pair_file();
        file.set("network.hidden", "100000");
        let reason = "its sizes are of a network of 2400005 numbers and it has 101: it is of a network with other";
        assert!(pair_error(&file).contains(reason), "{}", pair_error(&file));
        file.set("network.hidden", "1000000");
        file.set("network.vector", "1000");
        let reason = "cannot be 6006000005: expected at most 2147483648 numbers";
        assert!(pair_error(&file).contains(reason), "{}", pair_error(&file));
        let mut file = encoded_file(FineTuning::Full);
        file.set("network.encoding", "lstm 10000 hard");
        let reason = "its sizes are of a network of 400170015 numbers and it has";
        assert!(encoded_error(&file).contains(reason), "{}", encoded_error(&file));
        // Refused with all sizes, not with the vectors alone.
        file.set("network.encoding", "lstm 1000000 hard");
        file.set("network.fixed", "0");
        assert!(encoded_error(&file).contains("(setting `sizes` cannot be 40000"), "{}", encoded_error(&file));
    }

    #[test]
    fn parameters_that_are_no_numbers_are_refused_by_name() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let spoiled = |mut file: ModelFile, name: &str| {
                let mut values = file.f32(name).unwrap().to_vec();
                values[1] = bad;
                let shape = file.tensor(name).unwrap().shape.to_vec();
                file.add(name, shape, Values::F32(values));
                file
            };
            let reason = |name: &str| {
                format!("number 1 of its tensor `{name}` (counted from 0) is {bad}, which no network can use")
            };
            for name in ["network.hidden.ac.weight", "network.hidden.bc.bias", "network.output.weight"] {
                let error = pair_error(&spoiled(pair_file(), name));
                assert!(error.contains(&reason(name)), "{error}");
            }
            for file in FineTuning::VALUES.map(encoded_file) {
                let names = ["network.embedding", "network.output.weight", "network.embedding.anchor"];
                for name in names.into_iter().filter(|name| file.has(name)) {
                    let error = encoded_error(&spoiled(file.clone(), name));
                    assert!(error.contains(&reason(name)), "{error}");
                }
            }
        }
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
        assert_eq!(error, "unknown gate `soft` (known: hard, logistic)");
    }
}
