//! What holds for every input, written once: the property tests beside this folder run it on generated text, the fuzz
//! targets in `fuzz/` on hostile text. Each function panics where its promise is broken.

pub mod correlation;
pub mod judgements;
pub mod metrics;
pub mod mqm;
#[cfg(feature = "learned")]
pub mod parser_models;
pub mod preferences;
pub mod readers;
pub mod tokenizers;
pub mod trees;
pub mod vectors;
