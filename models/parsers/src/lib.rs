//! The weights of tercet's English parsers, as bytes that `tercet` reads. Each has a model card beside it: training
//! data, accuracy, how to train it again.

/// `dependency-en.safetensors`.
pub static DEPENDENCY_EN: &[u8] = include_bytes!("../dependency-en.safetensors");

/// `constituency-en.safetensors`.
pub static CONSTITUENCY_EN: &[u8] = include_bytes!("../constituency-en.safetensors");
