//! Sizes of the network, and which of its layers are learned.

use std::sync::Arc;
use tercet_transformer::Config;
use tercet_transformer::attention::RelativeBias;

/// Sizes of a [`SiameseNetwork`](super::SiameseNetwork).
#[derive(Clone, Debug, PartialEq)]
pub struct SiameseShape {
    /// The encoder.
    pub encoder: Config,
    /// Units of the head.
    pub hidden: usize,
    /// What is learned of the encoder; `None`: nothing.
    pub learned: Option<LearnedLayers>,
}

/// The layers of the encoder that are learned: its last ones, and the tables before the first one if all are.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedLayers {
    /// How many.
    pub layers: usize,
    /// Numbers of a token when those of the last layer are matched.
    pub projected: usize,
    /// The layer in the middle whose rows are matched, counted from 1.
    pub middle: usize,
    /// A bias of attention, which is not learned.
    pub bias: Option<Arc<RelativeBias>>,
    /// The learning rate of the encoder, that of the head being 1.
    pub rate: f32,
}
