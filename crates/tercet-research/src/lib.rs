//! What papers on machine translation evaluation describe, whole: parsers, the learned metrics `pairwise`, `reval`,
//! `ruse` and `blend`, fine-tuning of `siamese`, and the recipes that train them.
//!
//! [`train`] reads a recipe and trains what it describes; [`parse`] has the formats and parsers of syntax; [`learned`]
//! is what the metrics share.
//!
//! ```
//! assert!(tercet_research::train::Kind::named("pairwise").is_some());
//! ```

pub mod blend;
pub mod encode;
pub mod learned;
pub mod pairwise;
pub mod parse;
mod recipe;
pub mod reval;
pub mod ruse;
pub mod siamese;
pub mod train;

pub(crate) use tercet_base::{cache, context, error, progress, spec, warning};
pub(crate) use tercet_corpora as corpora;
pub(crate) use tercet_metrics as metrics;
pub(crate) use tercet_neural::vectors;
pub(crate) use tercet_statistics as statistics;
pub(crate) use tercet_text as text;

/// A registry of all metrics and encoders of tercet.
pub fn registry() -> metrics::Registry {
    use encode::{AVERAGE, INFERSENT, PRECOMPUTED, SKIP_THOUGHT, SYNTAX, TRANSFORMER};
    use tercet_neural::{bertscore, siamese};
    let registry = metrics::Registry::lexical();
    let encoders = [&AVERAGE, &PRECOMPUTED, &SYNTAX, &TRANSFORMER, &INFERSENT, &SKIP_THOUGHT];
    registry.context().set(encode::Encoders::new(&encoders));
    registry.with(&[&bertscore::INFO, &pairwise::INFO, &reval::INFO, &ruse::INFO, &blend::INFO, &siamese::INFO])
}
