//! A pair network with a learned sentence encoder over lists of words (Guzmán et al., 2017, sec. 5.6–5.7).
//!
//! ```text
//! words → rows of E → dropout → average | convolution | LSTM | bidirectional LSTM → dropout → [·, fixed] → pair
//! network
//! ```
//!
//! Items are lists of words, optionally with a fixed vector each (the paper's syntactic vectors). The same encoder is
//! used for a, b and c. Each distinct item of a batch is encoded once, and its gradients are summed.
//!
//! # Choices
//! Dropout of embedding units is per word of an item, dropout of hidden units on the encoder's output; fixed vectors
//! and skip features are never dropped. A list without words is the zero vector.
//!
//! # Two parts
//! If the same items are scored many times (many pairs of few items, a development set), they are encoded once; `head`
//! then gives bit-identical logits, since the vector of an item does not depend on the rest of the batch.

mod encoder;

pub use encoder::{EncodedPairWorkspace, Encoding};

use super::data_digest::DataDigest;
use super::limits::{MAX_SIZE, check_parameters, check_size};
use super::pair::{Architecture, PairCore, PairShape, check_table};
use super::{Case, Example, Network, check_examples};
use crate::error::{Error, Result};
use crate::layers::{Dropout, Embedding, FineTuning, set_zeros};
use crate::matrix::Matrix;
use crate::networks::Lists;
use crate::networks::pair::PairNetwork;
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use encoder::WordEncoder;
use std::sync::Arc;

/// Name of the tensor of the embedding matrix.
pub(super) const EMBEDDING: &str = "embedding";

/// Sizes and options of an [`EncodedPairNetwork`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EncodedPairShape {
    /// The hidden layer.
    pub architecture: Architecture,
    /// H, nodes per group.
    pub hidden: usize,
    /// Skip features of each of a and b; may be 0.
    pub skip: usize,
    /// Dimensions of the fixed vector of an item; may be 0.
    pub fixed: usize,
    /// The encoder.
    pub encoding: Encoding,
    /// Whether and how the embedding matrix is learned.
    pub fine_tuning: FineTuning,
    /// Dropout rate of the word vectors in training.
    pub embedding_dropout: f32,
    /// Dropout rate of the encoder's output in training.
    pub hidden_dropout: f32,
}

impl EncodedPairShape {
    /// Returns an error if a size is 0 or too large; `dimensions` are those of the word vectors.
    pub fn check(&self, dimensions: usize) -> Result<()> {
        self.encoding.check(dimensions)?;
        check_size("fixed", self.fixed, MAX_SIZE)?;
        self.pair(dimensions).check()?;
        check_parameters(self.parameters(dimensions))
    }

    /// Number of learned values without the embedding matrix; sizes must be within their limits.
    pub(super) fn parameters(&self, dimensions: usize) -> u64 {
        self.encoding.parameters(dimensions) + self.pair(dimensions).parameters()
    }

    /// The pair network over the encoded lists and fixed vectors.
    fn pair(&self, dimensions: usize) -> PairShape {
        PairShape {
            architecture: self.architecture,
            vector: self.encoding.width(dimensions) + self.fixed,
            skip: self.skip,
            hidden: self.hidden,
        }
    }
}

/// Data of an [`EncodedPairNetwork`]: word lists, fixed vectors, skip features, and examples with row numbers of them.
#[derive(Clone, Debug, Default)]
pub struct EncodedExamples {
    /// One list of words per item; a, b and c are items.
    pub lists: Lists,
    /// One row of fixed numbers per item.
    pub fixed: Matrix,
    /// One row of skip features per (item, c).
    pub skips: Matrix,
    /// The examples.
    pub examples: Vec<Example>,
}

/// A pair network with a learned encoder.
#[derive(Clone, Debug)]
pub struct EncodedPairNetwork {
    shape: EncodedPairShape,
    parameters: Parameters,
    embedding: Embedding,
    encoder: WordEncoder,
    dropouts: [Dropout; 2],
    core: PairCore,
}

impl EncodedPairNetwork {
    /// A network with this embedding matrix (words × D) and otherwise random weights.
    pub fn new(shape: EncodedPairShape, embedding: Arc<Matrix>, seed: u64) -> Result<Self> {
        embedding.check_finite("embedding matrix")?;
        shape.check(embedding.columns())?;
        let mut parameters = Parameters::default();
        let random = &mut Random::stream(seed, "weights", 0);
        let embedding = Embedding::new(&mut parameters, EMBEDDING, embedding, shape.fine_tuning);
        let encoder = WordEncoder::new(&mut parameters, embedding.dimensions(), shape.encoding, random);
        let pair = shape.pair(embedding.dimensions());
        let core = PairCore::new(pair, &mut parameters, random);
        let dropouts = [Dropout::new(shape.embedding_dropout)?, Dropout::new(shape.hidden_dropout)?];
        Ok(EncodedPairNetwork { shape, parameters, embedding, encoder, dropouts, core })
    }

    /// The sizes and options of the network.
    pub fn shape(&self) -> EncodedPairShape {
        self.shape
    }

    /// The current embedding matrix, row by row.
    pub fn embedding(&self) -> &[f32] {
        self.embedding.values(&self.parameters)
    }

    /// Numbers of words and dimensions of the embedding matrix.
    pub fn embedding_shape(&self) -> (usize, usize) {
        (self.embedding.words(), self.embedding.dimensions())
    }

    /// Encodes the items of the workspace.
    fn encode(&self, lists: &Lists, mut dropout: Option<&mut Random>, space: &mut EncodedPairWorkspace) {
        space.tokens.clear();
        for &item in &space.items {
            self.embedding.look_up(&self.parameters, lists.list(item as usize), &mut space.tokens);
        }
        let [embedding, hidden] = &self.dropouts;
        embedding.forward(&mut space.tokens, dropout.as_deref_mut(), &mut space.token_mask);
        space.encoded.resize(space.items.len() * self.encoder.width(), 0.0);
        let EncodedPairWorkspace { tokens, starts, encoder, encoded, .. } = space;
        self.encoder.forward(&self.parameters, tokens, starts, encoder, encoded);
        hidden.forward(&mut space.encoded, dropout, &mut space.encoded_mask);
    }

    /// Returns an error if fixed vectors do not match the lists or a word does not exist.
    fn check_items(&self, lists: &Lists, fixed: &Matrix) -> Result<()> {
        let items = lists.len();
        check_table("fixed vectors", fixed, self.shape.fixed)?;
        if self.shape.fixed > 0 && fixed.rows() != items {
            let expected = format!("{items} rows, one per list");
            return Err(Error::shape("fixed vectors", expected, fixed.rows()));
        }
        lists.check("word", self.embedding.words())
    }

    /// Sums the gradients of the pair network's inputs by item.
    fn collect(&self, examples: &EncodedExamples, cases: &[Case], space: &mut EncodedPairWorkspace) {
        let width = self.encoder.width();
        set_zeros(&mut space.encoded_gradients, space.encoded.len());
        for (row, case) in cases.iter().enumerate() {
            let e = case.ordered(&examples.examples);
            for (slot, item) in [e.a, e.b, e.c].into_iter().enumerate() {
                let at = space.place[item as usize] as usize;
                let sums = &mut space.encoded_gradients[at * width..(at + 1) * width];
                let gradient = space.pair.input_gradient(slot, row);
                sums.iter_mut().zip(gradient).for_each(|(sum, g)| *sum += g);
            }
        }
    }
}

impl Network for EncodedPairNetwork {
    type Examples = EncodedExamples;
    type Workspace = EncodedPairWorkspace;

    crate::training::parameters_in!(parameters);

    fn comparisons(examples: &EncodedExamples) -> &[Example] {
        &examples.examples
    }

    fn check(&self, examples: &EncodedExamples) -> Result<()> {
        self.check_items(&examples.lists, &examples.fixed)?;
        check_table("skip features", &examples.skips, self.shape.skip)?;
        let skips = if self.shape.skip > 0 { examples.skips.rows() } else { usize::MAX };
        check_examples(&examples.examples, examples.lists.len(), Some(skips))
    }

    fn description(&self) -> String {
        let shape = &self.shape;
        let (words, dimensions) = self.embedding_shape();
        format!(
            "{words} words of {dimensions}, fine-tuning {}, encoding {}, dropouts {} and {}, fixed vectors of {}, \
             {} skip features, architecture {}, hidden {}",
            shape.fine_tuning.name(),
            shape.encoding,
            shape.embedding_dropout,
            shape.hidden_dropout,
            shape.fixed,
            shape.skip,
            shape.architecture.name(),
            shape.hidden
        )
    }

    fn data_hash(&self, examples: &EncodedExamples) -> String {
        let unlearned = match self.parameters.by_name(EMBEDDING) {
            None => self.embedding(),
            Some(tensor) => tensor.anchor.as_deref().unwrap_or_default(),
        };
        DataDigest::default()
            .lists(&examples.lists)
            .table(&examples.fixed, self.shape.fixed)
            .table(&examples.skips, self.shape.skip)
            .examples(&examples.examples, self.shape.skip > 0)
            .numbers(unlearned)
            .finish()
    }

    fn forward(
        &self,
        examples: &EncodedExamples,
        cases: &[Case],
        dropout: Option<&mut Random>,
        workspace: &mut EncodedPairWorkspace,
        logits: &mut Vec<f32>,
    ) {
        workspace.gather(examples, cases);
        self.encode(&examples.lists, dropout, workspace);
        let width = self.encoder.width();
        workspace.pair.begin(&self.core, cases.len());
        for (row, case) in cases.iter().enumerate() {
            let e = case.ordered(&examples.examples);
            for (slot, item) in [e.a, e.b, e.c].into_iter().enumerate() {
                let at = workspace.place[item as usize] as usize;
                let (encoded, fixed) = workspace.pair.input(slot, row).split_at_mut(width);
                encoded.copy_from_slice(&workspace.encoded[at * width..(at + 1) * width]);
                if self.shape.fixed > 0 {
                    fixed.copy_from_slice(examples.fixed.row(item as usize));
                }
            }
            if self.shape.skip > 0 {
                let (a, b) = (examples.skips.row(e.skip_a as usize), examples.skips.row(e.skip_b as usize));
                workspace.pair.skips(row, a, b);
            }
        }
        self.core.forward(&self.parameters, &mut workspace.pair, logits);
    }

    fn backward(
        &self,
        examples: &EncodedExamples,
        cases: &[Case],
        logit_gradients: &[f32],
        workspace: &mut EncodedPairWorkspace,
        gradients: &mut Gradients,
    ) {
        let learned = self.embedding.is_learned();
        let with_inputs = learned || self.encoder.is_learned();
        self.core.backward(&self.parameters, &mut workspace.pair, logit_gradients, gradients, with_inputs);
        if !with_inputs {
            return;
        }
        self.collect(examples, cases, workspace);
        let [embedding, hidden] = &self.dropouts;
        let EncodedPairWorkspace {
            items, starts, token_mask, encoder, encoded_mask, encoded_gradients, tokens, ..
        } = workspace;
        hidden.backward(encoded_gradients, encoded_mask);
        // The tokens are no longer needed: their memory is reused for the gradients.
        tokens.fill(0.0);
        let token_gradients = if learned { Some(&mut tokens[..]) } else { None };
        self.encoder.backward(&self.parameters, starts, encoded_gradients, encoder, gradients, token_gradients);
        if learned {
            embedding.backward(tokens, token_mask);
            let words = items.iter().flat_map(|&item| examples.lists.list(item as usize));
            self.embedding.backward(words, tokens, gradients);
        }
    }
}

/// Number of items per batch.
const BLOCK: usize = 256;

impl EncodedPairNetwork {
    /// The vector of every item for [`head`](Self::head): the encoded list, without dropout, then its fixed vector. For
    /// a network without fixed vectors, `fixed` is ignored.
    pub fn encode_items(&self, lists: &Lists, fixed: &Matrix) -> Result<Matrix> {
        self.check_items(lists, fixed)?;
        let (width, all) = (self.encoder.width(), self.core.shape.vector);
        let mut items = Matrix::zeros(lists.len(), all);
        let mut space = EncodedPairWorkspace::default();
        for first in (0..lists.len()).step_by(BLOCK) {
            let block = first..lists.len().min(first + BLOCK);
            space.take(lists, block.clone());
            self.encode(lists, None, &mut space);
            for (item, encoded) in block.zip(space.encoded.chunks_exact(width)) {
                let (mine, beside) = items.row_mut(item).split_at_mut(width);
                mine.copy_from_slice(encoded);
                if self.shape.fixed > 0 {
                    beside.copy_from_slice(fixed.row(item));
                }
            }
        }
        Ok(items)
    }

    /// The pair network over the vectors of [`encode_items`](Self::encode_items), with the same weights.
    pub fn head(&self) -> PairNetwork {
        let mut head = PairNetwork::new(self.core.shape, 0).expect("the shape was checked by `new`");
        for tensor in head.parameters_mut().tensors_mut() {
            let learned = self.parameters.by_name(&tensor.name).expect("both have the same tensors");
            tensor.values.copy_from_slice(&learned.values);
        }
        head
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod ready_tests {
    use super::*;
    use crate::networks::encoded_pair::tests::{ENCODINGS, embedding, examples, shape};
    use crate::networks::{PairExamples, both_orders};

    #[test]
    fn lists_come_back_and_unknown_words_are_named() {
        let lists = Lists::from_lists(&[vec![1, 2], vec![], vec![7]]);
        assert_eq!((lists.len(), lists.list(0), lists.list(2)), (3, &[1, 2][..], &[7][..]));
        assert!(lists.list(1).is_empty() && lists.check("word", 8).is_ok());
        let error = lists.check("word", 7).unwrap_err().to_string();
        assert_eq!(error, "word list 2: expected words below 7, found word 7");
    }

    /// Several blocks of items, some without words, and pairs across blocks.
    fn many() -> EncodedExamples {
        let random = &mut Random::stream(3, "test", 0);
        let count = 2 * BLOCK as u32 + 7;
        let mut lists = Lists::default();
        for item in 0..count {
            lists.push((0..item % 9).map(|_| random.below(7) as u32).collect::<Vec<_>>());
        }
        let mut table = |rows: u32, columns: usize| {
            let values = (0..rows as usize * columns).map(|_| random.uniform(-1.0, 1.0)).collect();
            Matrix::new(rows as usize, columns, values).unwrap()
        };
        let (fixed, skips) = (table(count, 2), table(5, 1));
        let one = |i: u32| Example {
            a: i,
            b: (i * 7 + 3) % count,
            c: (i + 300) % count,
            skip_a: i % 5,
            skip_b: (i + 1) % 5,
            target: 1.0,
        };
        EncodedExamples { lists, fixed, skips, examples: (0..count).map(one).collect() }
    }

    #[test]
    fn the_head_over_encoded_items_gives_the_bits_of_the_whole() {
        let set = many();
        for encoding in ENCODINGS {
            for fine_tuning in FineTuning::VALUES {
                for (fixed, skip, architecture) in
                    [(2, 1, Architecture::Groups), (0, 1, Architecture::Full), (2, 0, Architecture::Single)]
                {
                    let shape = EncodedPairShape {
                        architecture,
                        fixed,
                        skip,
                        embedding_dropout: 0.5,
                        hidden_dropout: 0.5,
                        ..shape(encoding, fine_tuning)
                    };
                    let network = EncodedPairNetwork::new(shape, embedding(), 6).unwrap();
                    let vectors = network.encode_items(&set.lists, &set.fixed).unwrap();
                    let (skips, examples) = (set.skips.clone(), set.examples.clone());
                    let ready = PairExamples { vectors, skips, examples };
                    let expected = both_orders(&network, &set).unwrap();
                    assert_eq!(both_orders(&network.head(), &ready).unwrap(), expected, "{shape:?}");
                }
            }
        }
    }

    #[test]
    fn items_are_checked_as_for_training() {
        let network = EncodedPairNetwork::new(shape(ENCODINGS[0], FineTuning::None), embedding(), 4).unwrap();
        let set = examples();
        let refused = |lists: &Lists, fixed: &Matrix| network.encode_items(lists, fixed).unwrap_err().to_string();
        let fewer = Matrix::zeros(4, 2);
        assert_eq!(refused(&set.lists, &fewer), "fixed vectors: expected 5 rows, one per list, found 4");
        let narrow = Matrix::zeros(5, 1);
        assert_eq!(refused(&set.lists, &narrow), "fixed vectors: expected 2 columns, found 1");
        let mut infinite = set.fixed.clone();
        infinite.row_mut(3)[1] = f32::INFINITY;
        assert!(refused(&set.lists, &infinite).starts_with("fixed vectors, row 3, column 1: inf"));
        let unknown = Lists::from_lists(&[[0], [9]]);
        let error = refused(&unknown, &Matrix::zeros(2, 2));
        assert_eq!(error, "word list 1: expected words below 7, found word 9");
        let none = network.encode_items(&Lists::default(), &Matrix::zeros(0, 2)).unwrap();
        assert_eq!((none.rows(), none.columns()), (0, 5));
    }
}
