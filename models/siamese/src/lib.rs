//! The models of the metric `siamese`: the parts of each in order, as bytes that `tercet` reads. Each model is a
//! feature, and a program has only the bytes that it refers to.

/// English with references.
#[cfg(feature = "english")]
pub const ENGLISH: &[&[u8]] = &[
    tercet_model_siamese_1::SIAMESE_EN_1,
    tercet_model_siamese_2::SIAMESE_EN_2,
    tercet_model_siamese_3::SIAMESE_EN_3,
    tercet_model_siamese_4::SIAMESE_EN_4,
];

/// English with references, for many lines: `Siamese-en-2-fast`.
#[cfg(feature = "fast")]
pub const FAST: &[&[u8]] = &[tercet_model_siamese_fast_1::SIAMESE_FAST_1, tercet_model_siamese_fast_2::SIAMESE_FAST_2];

/// Other languages, and sources: `Siamese-multilingual`.
#[cfg(feature = "multilingual")]
pub const MULTILINGUAL: &[&[u8]] = &[
    tercet_model_siamese_multilingual_1::SIAMESE_MULTILINGUAL_1,
    tercet_model_siamese_multilingual_2::SIAMESE_MULTILINGUAL_2,
    tercet_model_siamese_multilingual_3::SIAMESE_MULTILINGUAL_3,
    tercet_model_siamese_multilingual_4::SIAMESE_MULTILINGUAL_4,
    tercet_model_siamese_multilingual_5::SIAMESE_MULTILINGUAL_5,
    tercet_model_siamese_multilingual_6::SIAMESE_MULTILINGUAL_6,
    tercet_model_siamese_multilingual_7::SIAMESE_MULTILINGUAL_7,
];
