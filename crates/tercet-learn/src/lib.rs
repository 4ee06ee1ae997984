//! The learning half of tercet: numbers in, numbers out; knows no language.
//!
//! 1. [`networks`] compare: which of two items goes better with a third? [`networks::PairNetwork`] from ready vectors,
//!    [`networks::EncodedPairNetwork`] from lists of words.
//! 2. They are made of [`layers`] over [`parameters`], whose weights start as [`initialisation`] says.
//! 3. [`training::train`] makes a [`loss`] small with an [`optimizer`], and keeps what does best on a development set.
//! 4. A [`checkpoint`] keeps tensors in a file.
//!
//! Passes forward and backward are written by hand; finite differences and PyTorch hold them. Everything is
//! single-threaded and random streams are named by what they are for, so a seed gives the same digits on any number
//! of threads.

pub mod activation;
pub mod checkpoint;
pub mod error;
#[cfg(test)]
mod gradient_check;
pub mod initialisation;
pub mod layers;
pub mod loss;
pub mod matrix;
pub mod networks;
pub mod optimizer;
pub mod parameters;
pub mod random;
pub mod training;

pub use error::{Error, Result};
pub use matrix::Matrix;
