//! The model file: an encoder, the head, and what scores mean.
//!
//! A file of `tercet-learn` (safetensors with checked metadata) of the kind `siamese`:
//!
//! | entry | |
//! |---|---|
//! | `version` | of this table; 1 |
//! | `config` | the encoder's sizes, as its `config.json` says them |
//! | `vocabulary` | its tokens in order, one per line |
//! | `window` | tokens of a line at most |
//! | `temperature` | of comparisons |
//! | `about.…` | notes: recipe, training data, scores |
//! | tensors `embeddings.…`, `encoder.…` | names of BERT or MPNet; 8-bit or floats; large: pieces `NAME/1`, … |
//! | `projection.weight`, `head.bias`, `head.{sentence,matching,output}.weight`, `head.output.bias` | see `head.rs` |
//! | `percentiles` | raw scores at the percentiles 0 to 100 of outputs of systems |

use super::calibration::Calibration;
use super::head::{Head, MATCHING};
use super::tensors::Stored;
use crate::error::{Error, Result};
use std::path::Path;
use tercet_model::model_file::{Bytes, ModelFile, ModelRecord};
use tercet_transformer::{Config, Encoder, WordPiece};

/// The kind of its model files.
pub const KIND: &str = "siamese";

/// A trained model.
pub struct SiameseModel {
    /// The encoder.
    pub encoder: Encoder,
    /// The layer in the middle whose tokens are matched.
    pub middle: usize,
    /// From the last layer to the vectors that are matched, row by row.
    pub projection: Vec<f32>,
    /// The network that compares.
    pub head: Head,
    /// What its numbers mean.
    pub calibration: Calibration,
    record: ModelRecord,
    #[cfg(test)]
    /// How many lines were encoded.
    pub encoded_lines: std::sync::atomic::AtomicUsize,
}

impl SiameseModel {
    /// Reads a model file.
    pub fn open(path: &Path) -> Result<Self> {
        Self::from_file(&ModelFile::read(path, KIND)?)
    }

    /// Reads the bytes of a model file. `path` is only used in error messages.
    pub fn from_bytes(path: &Path, bytes: impl Bytes) -> Result<Self> {
        Self::from_file(&ModelFile::from_bytes(path, bytes, KIND)?)
    }

    /// Reads a model.
    pub fn from_file(file: &ModelFile) -> Result<Self> {
        file.check_version()?;
        file.check_finite()?;
        let name = file.path();
        let window: usize = file.number("window")?;
        let config = Config::parse(name, file.get("config")?)?;
        if !(3..=config.window).contains(&window) {
            let reason = format!("its window is {window} tokens, expected 3 to {}", config.window);
            return Err(file.bad(reason).into());
        }
        let config = Config { window, ..config };
        let tokenizer = WordPiece::from_vocabulary(name, file.get("vocabulary")?, true)?;
        let (width, middle) = (config.width, config.layers / 2);
        let tensors = Stored(file);
        let encoder = Encoder::from_stored(name, config, tokenizer, &tensors)?;
        let all = |name: &str| tensors.floats(name);
        let some = |name: &str, count: usize| tensors.some_floats(name, count);
        let bias = all("head.bias")?;
        let hidden = bias.len();
        let projection = all("projection.weight")?;
        if projection.is_empty() || projection.len() % width != 0 {
            return Err(file.bad("its projection does not fit its encoder".to_owned()).into());
        }
        let head = Head {
            sentence: some("head.sentence.weight", 4 * width * hidden)?,
            matching: some("head.matching.weight", MATCHING * hidden)?,
            bias,
            output: some("head.output.weight", hidden)?,
            output_bias: some("head.output.bias", 1)?[0],
        };
        let percentiles = all("percentiles")?.into_iter().map(f64::from).collect();
        let calibration = Calibration::new(percentiles, file.number("temperature")?)
            .map_err(|error| Error::from(file.bad(error.to_string())))?;
        Ok(SiameseModel {
            encoder,
            middle,
            projection,
            head,
            calibration,
            record: file.record(),
            #[cfg(test)]
            encoded_lines: Default::default(),
        })
    }

    /// The hash of the model file, and its notes: training data, recipe, scores.
    pub fn record(&self) -> &ModelRecord {
        &self.record
    }

    /// Tokens that are encoded together at most; longer lines are encoded in parts.
    pub fn window(&self) -> usize {
        self.encoder.config().window
    }
}
