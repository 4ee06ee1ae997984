//! The learning half of tercet: numbers in, numbers out; knows no language.
//!
//! 1. [`networks`] compare: which of two items goes better with a third? [`networks::PairNetwork`] from ready vectors,
//!    [`networks::EncodedPairNetwork`] from lists of words. [`networks::BiaffineNetwork`] finds heads, labels and tags of
//!    the items of a list, [`networks::SpanNetwork`] labels of spans. [`networks::RecursiveNetwork`] scores trees.
//! 2. They are made of [`layers`] over [`parameters`], whose weights start as [`initialisation`] says.
//! 3. [`training::train`] is the loop for all of them: it makes the [`loss`] of an [`training::Objective`] small with an
//!    [`optimizer`], and keeps what does best on a development set.
//! 4. A [`model_file`] keeps tensors and notes; [`files`] are written whole.
//!
//! # Example
//! Two items are compared by one number each; the first is better when its number is higher.
//! ```
//! use tercet_learn::networks::{
//!     Architecture, Example, PairExamples, PairNetwork, PairSettings, PairShape, PairTraining, probabilities,
//! };
//! use tercet_learn::progress::Progress;
//! use tercet_learn::training::Checkpoints;
//! use tercet_learn::Matrix;
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
//! Passes forward and backward are written by hand; finite differences and PyTorch hold them. Random streams are named
//! by what they are for, and everything is single-threaded but the steps of networks over lists and trees: those cut a
//! batch into a fixed number of parts, which run on the threads of the rayon pool and are added in their order. So a seed
//! gives the same digits on any number of threads.

mod activation;
mod error;
pub mod files;
#[cfg(test)]
mod gradient_check;
mod initialisation;
mod layers;
pub mod loss;
mod matrix;
pub mod model_file;
pub mod networks;
pub mod optimizer;
pub mod parameters;
pub mod progress;
pub mod random;
pub mod training;

pub use activation::sigmoid_exact;
pub use error::{Cause, Error, Result};
pub use matrix::{Element, Matrix, matrix_product};
