//! Sizes of the network, and which of its layers are learned.

use crate::layers::{DistanceBias, LayerTensors};
use std::sync::Arc;

/// Sizes of a [`SiameseNetwork`](super::SiameseNetwork).
#[derive(Clone, Debug, PartialEq)]
pub struct SiameseShape {
    /// D: numbers of a vector.
    pub width: usize,
    /// Units of the head.
    pub hidden: usize,
    /// What is learned of the encoder; `None`: nothing.
    pub learned: Option<LearnedLayers>,
}

/// The layers of the encoder that are learned: its last ones.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedLayers {
    /// The tensors of each, the lowest layer first.
    pub layers: Vec<LayerTensors>,
    /// Attention heads.
    pub heads: usize,
    /// Numbers inside the two products of a layer.
    pub inner: usize,
    /// ε of the normalisations.
    pub epsilon: f32,
    /// Numbers of a token when those of the last layer are matched.
    pub projected: usize,
    /// After how many of these layers the rows are matched as the middle ones; `None`: in a layer that is not learned.
    pub middle: Option<usize>,
    /// The tables before the first layer, if all layers are learned.
    pub embeddings: Option<EmbeddingTensors>,
    /// A bias of attention, which is not learned.
    pub bias: Option<Arc<DistanceBias>>,
    /// The learning rate of the encoder, that of the head being 1.
    pub rate: f32,
}

/// The tables before the first layer.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddingTensors {
    /// Name and rows of the table of tokens.
    pub tokens: (String, usize),
    /// Name and rows of the table of positions.
    pub positions: (String, usize),
    /// A row that is added to every position and not learned.
    pub offset: Vec<f32>,
    /// Name of the normalisation after them, without `.weight` and `.bias`.
    pub norm: String,
    /// The position of the first token.
    pub first_position: usize,
}
