//! Part 3 of 4 of the weights of tercet's metric `siamese` for English, second model, as bytes that `tercet`
//! reads. The model card is beside part 1.

/// `siamese-en-2-3.safetensors`.
pub static SIAMESE_EN_2_3: &[u8] = include_bytes!("../siamese-en-2-3.safetensors");
