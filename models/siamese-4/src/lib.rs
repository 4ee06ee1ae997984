//! Part 4 of 4 of the weights of tercet's metric `siamese` for English, as bytes that `tercet` reads. The model card is
//! beside part 1.

/// `siamese-en-4.safetensors`.
pub static SIAMESE_EN_4: &[u8] = include_bytes!("../siamese-en-4.safetensors");
