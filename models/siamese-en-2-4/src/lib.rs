//! Part 4 of 4 of the weights of tercet's metric `siamese` for English, second model, as bytes that `tercet`
//! reads. The model card is beside part 1.

/// `siamese-en-2-4.safetensors`.
pub static SIAMESE_EN_2_4: &[u8] = include_bytes!("../siamese-en-2-4.safetensors");
