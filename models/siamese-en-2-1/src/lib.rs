//! Part 1 of 4 of the weights of tercet's metric `siamese` for English, second model, as bytes that `tercet`
//! reads. The model card is beside part 1.

/// `siamese-en-2-1.safetensors`.
pub static SIAMESE_EN_2_1: &[u8] = include_bytes!("../siamese-en-2-1.safetensors");
