//! The weights and words of tercet's ReVal metric for English, as bytes that `tercet` reads. Beside them is a model
//! card: training data, accuracy, how to train it again.

/// `reval-en.safetensors`.
pub static REVAL_EN: &[u8] = include_bytes!("../reval-en.safetensors");
