//! What networks are made of: one file per layer, each with its pass forward and its pass backward.
//!
//! A layer knows where its tensors are in [`Parameters`](crate::parameters::Parameters) and nothing else; what a pass
//! forward leaves for the pass backward is in a workspace of its own. Layers over lists of words take all lists of a
//! mini-batch one after another, `tokens` (words × D, row-major), with `starts`: list `i` has the rows
//! `starts[i]..starts[i + 1]`. Lists may differ in length; an empty list gives the zero vector.

pub mod arc_labels;
pub mod average;
pub mod biaffine;
pub mod bidirectional;
pub mod composition;
pub mod convolution;
pub mod dense;
pub mod dropout;
pub mod embedding;
pub mod layer_norm;
pub mod lstm;
pub mod span_labels;
pub mod sru;

pub use arc_labels::ArcLabels;
pub use average::Average;
pub use biaffine::Biaffine;
pub use bidirectional::BidirectionalLstm;
pub use composition::{Composition, CompositionNode, CompositionWorkspace};
pub use convolution::Convolution;
pub use dense::Dense;
pub use dropout::Dropout;
pub use embedding::Embedding;
pub use layer_norm::LayerNorm;
pub use lstm::{Gate, Lstm};
pub use span_labels::{SpanLabels, SpanLabelsWorkspace};
pub use sru::Sru;
