//! Transformer encoders of the BERT family on the CPU: sentence vectors and token vectors of every layer.
//!
//! [`Encoder::read`] opens a folder as people have it from model hubs: `config.json`, `tokenizer.json` or `vocab.txt`,
//! and `model.safetensors` or an ONNX file. BERT and MPNet are understood, with their WordPiece tokenizers.
//!
//! The tokens of many sentences are rows of one matrix, without padding; only attention goes sentence by sentence.
//! Every number of the output depends on its own sentence alone, so a sentence has the same digits in any batch and on
//! any number of threads.
//!
//! [`InferSent`] and [`SkipThought`] are recurrent encoders, with the same products.
//!
//! ```
//! use std::path::Path;
//! use tercet_transformer::{Tokenizer, WordPiece};
//!
//! let vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\ncat\n##s\n";
//! let tokenizer = WordPiece::from_vocabulary(Path::new("vocab.txt"), vocabulary, true)?;
//! assert_eq!(tokenizer.encode("Cats", 16).ids, [2, 4, 5, 3]);
//! # Ok::<(), tercet_model::Error>(())
//! ```
//!
//! # Choices
//! - [`Precision::Single`] agrees with PyTorch within 1e-5. [`Precision::Int8`] keeps weights as 8-bit integers with
//!   one scale per row, and rounds activations to 12 to 15 bits with one scale per token. A model file with 8-bit
//!   integers is computed with weights of 7 bits and activations of 8, which is faster: [`Encoder::from_stored`]. Sums
//!   of products are exact integers in both, so their digits are the same on every processor. Those of single precision
//!   differ in the last places between processors with and without fused multiply-add.
//! - Text that looks like a special token (`[SEP]`) is text.
//! - Sentences longer than the window lose their end, as in sentence-transformers; [`Encoded::cut`] says so.

pub mod attention;
mod config;
mod encoder;
mod files;
mod forward;
pub mod layer;
mod linear;
pub mod matching;
pub mod names;
mod nibbles;
mod recurrent;
mod tokenizer;
mod weights;

pub use config::{Config, Family};
pub use encoder::{Encoded, Encoder, Pooling, Precision};
pub use files::{Exported, ExportedTensor, read_export};
pub use nibbles::{NIBBLE_BLOCK, Nibbles};
pub use recurrent::{InferSent, SkipThought, WordVectors};
pub use tokenizer::{TokenIds, Tokenizer, Word, WordPiece};
pub use weights::{StoredNumbers, StoredTensors};
