//! Part 2 of 2 of the weights of the fast model of tercet's metric `siamese`, as bytes that `tercet`
//! reads. The model card is beside part 1.

/// `siamese-fast-2.safetensors`.
pub static SIAMESE_FAST_2: &[u8] = include_bytes!("../siamese-fast-2.safetensors");
