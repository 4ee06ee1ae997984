//! The weights of tercet's parsers of English, each with a card beside it: what it learned from, how good it is, how it is
//! made again. Only bytes; `tercet` reads them.

/// `dependency-en.safetensors`.
pub static DEPENDENCY_EN: &[u8] = include_bytes!("../dependency-en.safetensors");

/// `constituency-en.safetensors`.
pub static CONSTITUENCY_EN: &[u8] = include_bytes!("../constituency-en.safetensors");
