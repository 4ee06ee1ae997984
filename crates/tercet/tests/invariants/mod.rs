//! Properties that hold for every input: the property tests check them on generated text, the fuzz targets in `fuzz/`
//! on fuzzed text. Each function panics if its property does not hold.

pub mod correlation;
#[cfg(feature = "learned")]
pub mod encoders;
pub mod judgements;
pub mod metrics;
pub mod mqm;
#[cfg(feature = "learned")]
pub mod parser_models;
pub mod preferences;
pub mod readers;
#[cfg(feature = "learned")]
pub mod recipes;
pub mod tokenizers;
pub mod trees;
pub mod vectors;
