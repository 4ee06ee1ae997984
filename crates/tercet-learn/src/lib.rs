//! Learning for tercet: layers, losses, optimizers, one training loop, regressions. It works on numbers
//! only and knows nothing about languages.
//!
//! 1. [`networks`]: [`PairNetwork`](networks::PairNetwork) decides from precomputed vectors which of two items matches
//!    a third better, [`EncodedPairNetwork`](networks::EncodedPairNetwork) decides it from lists of words.
//!    [`BiaffineNetwork`](networks::BiaffineNetwork) predicts heads, labels and tags of the items of a list,
//!    [`SpanNetwork`](networks::SpanNetwork) labels of spans. [`RecursiveNetwork`](networks::RecursiveNetwork) scores
//!    trees. [`SimilarityNetwork`](networks::SimilarityNetwork) scores pairs of trees, or of lists.
//! 2. [`training::train`] is the one training loop: it minimises the [`loss`] of a [`training::Objective`] over its
//!    [`parameters`] with an [`optimizer`], and keeps those that do best on a development set.
//! 3. [`regression`] learns numbers from tables of features: support vector regression ([`svr`]), ridge regression and
//!    a ranking SVM ([`linear`]), a small network. [`model_selection`] chooses their settings, [`feature_scaling`]
//!    prepares the features.
//!
//! Models are kept in [model files](tercet_model::model_file).
//!
//! # Example
//! Each item has one feature; the item with the higher value is better.
//! ```
//! use tercet_learn::networks::{
//!     Architecture, Example, PairExamples, PairNetwork, PairSettings, PairShape, PairTraining, probabilities,
//! };
//! use tercet_base::progress::Progress;
//! use tercet_learn::training::Checkpoints;
//! use tercet_math::Matrix;
//!
//! let skips = Matrix::from_rows(&[[0.1], [0.9], [0.4]])?;
//! let one = |a, b, target| Example { a: 0, b: 0, c: 0, skip_a: a, skip_b: b, target };
//! let examples = vec![one(0, 1, 0.0), one(1, 2, 1.0), one(2, 0, 1.0)];
//! let set = PairExamples { skips, examples, ..PairExamples::default() };
//!
//! let shape = PairShape { architecture: Architecture::Single, vector: 0, skip: 1, hidden: 0 };
//! let mut network = PairNetwork::new(shape, 1)?;
//! let settings = PairSettings { epochs: 300, ..PairSettings::default() };
//! PairTraining::new(&mut network, &set, &settings).run(&mut Checkpoints::none(), Progress::none())?;
//! let p = probabilities(&network, &set)?;
//! assert!(p[0] < 0.5 && p[1] > 0.5 && p[2] > 0.5);
//! # Ok::<(), tercet_learn::Error>(())
//! ```
//!
//! Forward and backward passes are written by hand and tested against finite differences and PyTorch. The result of a
//! training depends on its seed, not on the number of threads: each purpose has its own random stream, and networks
//! over lists and trees split a batch into a fixed number of shards, which run in parallel and are summed in a fixed
//! order. Products, kernels, folds and points of a grid are computed in parallel, each on its own. Everything else is
//! single-threaded.

mod activation;
mod error;
pub mod feature_scaling;
#[cfg(test)]
mod gradient_check;
mod initialisation;
mod layers;
pub mod linear;
pub mod loss;
pub mod model_selection;
pub mod networks;
pub mod optimizer;
pub mod regression;
pub mod svr;
pub mod training;

pub use error::{Cause, Error, Result};

pub(crate) use tercet_base::{files, progress, warning};
pub(crate) use tercet_math::{Matrix, matrix, random};
pub(crate) use tercet_model::{model_file, parameters};
