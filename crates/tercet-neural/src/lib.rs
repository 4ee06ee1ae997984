//! Neural parts of tercet: word vectors, sentence encoders, and the metrics `siamese` and `bertscore`, for scoring.
//!
//! [`encode`] turns lines into vectors, [`vectors`] reads files of word vectors, [`siamese`] is the embedded learned
//! metric. What trains them is in `tercet-research`.
//!
//! ```
//! use tercet_metrics::Registry;
//!
//! let registry = Registry::lexical().with(&[&tercet_neural::bertscore::INFO]);
//! assert!(registry.find("bertscore").is_ok());
//! ```

pub mod bertscore;
pub mod encode;
pub mod siamese;
pub mod vectors;

pub(crate) use tercet_base::{cache, context, error, spec, unpack, warning};
pub(crate) use tercet_corpora as corpora;
pub(crate) use tercet_metrics as metrics;
pub(crate) use tercet_text as text;

/// A registry of the lexical metrics and those of this crate.
pub fn registry() -> metrics::Registry {
    metrics::Registry::lexical().with(&[&bertscore::INFO, &siamese::INFO])
}
