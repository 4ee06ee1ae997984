//! Layers, one file each, with forward and backward pass.
//!
//! A layer only has the ids of its tensors in [`Parameters`](crate::parameters::Parameters); results of the forward
//! pass that the backward pass needs are in a separate workspace. Layers over lists of words take all lists of a batch
//! concatenated, `tokens` (words × D, row-major), with `starts`: list `i` has the rows `starts[i]..starts[i + 1]`.
//! Lists may differ in length; an empty list gives the zero vector.

mod average;
mod biaffine;
mod composition;
mod convolution;
mod dense;
mod dropout;
mod embedding;
mod layer_norm;
mod lstm;
mod span_labels;
mod sru;
mod transformer;
mod tree_lstm;

pub(crate) use average::Average;
pub(crate) use biaffine::{ArcLabels, ArcLabelsWorkspace, ArcWorkspace, Biaffine};
pub(crate) use composition::Composition;
pub use composition::{CompositionNode, CompositionWorkspace};
pub(crate) use convolution::{Convolution, ConvolutionWorkspace};
pub(crate) use dense::Dense;
pub(crate) use dropout::Dropout;
pub(crate) use embedding::Embedding;
pub use embedding::FineTuning;
pub(crate) use layer_norm::{LayerNorm, LayerNormWorkspace, normalise};
pub use lstm::Gate;
pub(crate) use lstm::{BidirectionalLstm, Lstm, LstmWorkspace};
pub(crate) use span_labels::{SpanLabels, SpanLabelsWorkspace};
pub(crate) use sru::{Sru, SruWorkspace};
pub(crate) use transformer::{TensorSource, TransformerLayer, TransformerWorkspace, add_to};
pub(crate) use tree_lstm::{TreeBatch, TreeLstm, TreeLstmWorkspace};

/// Gives a vector this length, all zeros.
pub(crate) fn set_zeros(values: &mut Vec<f32>, count: usize) {
    values.clear();
    values.resize(count, 0.0);
}
