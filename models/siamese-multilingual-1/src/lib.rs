//! Part 1 of 7 of the weights of tercet's metric `siamese` for many languages, as bytes that `tercet`
//! reads. The model card is beside part 1.

/// `siamese-multilingual-1.safetensors`.
pub static SIAMESE_MULTILINGUAL_1: &[u8] = include_bytes!("../siamese-multilingual-1.safetensors");
