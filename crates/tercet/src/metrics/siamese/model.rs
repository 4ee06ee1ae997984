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
//! | tensors `embeddings.…`, `encoder.…` | under the names of BERT or MPNet; matrices may be 8-bit integers; a large one may be in pieces of some rows, `NAME/1`, `NAME/2` |
//! | `projection.weight`, `head.sentence.weight`, `head.matching.weight`, `head.bias`, `head.output.weight`, `head.output.bias` | see `head.rs` |
//! | `percentiles` | raw scores at the percentiles 0 to 100 of outputs of systems |

use super::calibration::Calibration;
use super::head::{Head, MATCHING};
use crate::error::{Error, Result};
use std::path::Path;
use tercet_learn::model_file::{Bytes, ModelFile, Notes, Numbers};
use tercet_transformer::{Config, Encoder, Precision, StoredNumbers, StoredTensors, WordPiece};

pub(super) const KIND: &str = "siamese";

/// A trained model.
pub struct SiameseModel {
    pub(super) encoder: Encoder,
    /// The layer in the middle whose tokens are matched.
    pub(super) middle: usize,
    /// From the last layer to the vectors that are matched, row by row.
    pub(super) projection: Vec<f32>,
    pub(super) head: Head,
    pub(super) calibration: Calibration,
    notes: Notes,
    hash: String,
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

    pub(super) fn from_file(file: &ModelFile) -> Result<Self> {
        file.check_version()?;
        file.check_finite()?;
        let name = file.path();
        let bad = |error: tercet_transformer::Error| match error {
            tercet_transformer::Error::Read { path, source } => Error::Read { path, source },
            tercet_transformer::Error::Unusable { what, .. } => file.bad(what).into(),
        };
        let window: usize = file.number("window")?;
        let config = Config::parse(name, file.get("config")?).map_err(bad)?;
        if !(3..=config.window).contains(&window) {
            let reason = format!("its window is {window} tokens, expected 3 to {}", config.window);
            return Err(file.bad(reason).into());
        }
        let config = Config { window, ..config };
        let tokenizer = WordPiece::from_vocabulary(name, file.get("vocabulary")?, true).map_err(bad)?;
        let (width, middle) = (config.width, config.layers / 2);
        let tensors = Stored(file);
        let encoder =
            Encoder::from_stored(name, config, tokenizer, &tensors, Precision::Single).map_err(bad)?;
        let numbers = Floats { file };
        let bias = numbers.all("head.bias")?;
        let hidden = bias.len();
        let projection = numbers.all("projection.weight")?;
        if projection.is_empty() || projection.len() % width != 0 {
            return Err(file.bad("its projection does not fit its encoder".to_owned()).into());
        }
        let head = Head {
            sentence: numbers.some("head.sentence.weight", 4 * width * hidden)?,
            matching: numbers.some("head.matching.weight", MATCHING * hidden)?,
            bias,
            output: numbers.some("head.output.weight", hidden)?,
            output_bias: numbers.some("head.output.bias", 1)?[0],
        };
        let percentiles = numbers.all("percentiles")?.into_iter().map(f64::from).collect();
        let calibration = Calibration::new(percentiles, file.number("temperature")?)
            .map_err(|error| Error::from(file.bad(error.to_string())))?;
        let (notes, hash) = (file.notes(), file.hash().to_owned());
        Ok(SiameseModel { encoder, middle, projection, head, calibration, notes, hash })
    }

    /// The notes of the model: training data, recipe, scores.
    pub fn notes(&self) -> &[(String, String)] {
        &self.notes
    }

    /// The first eight hexadecimal digits of the SHA-256 of the model file.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Tokens of a line at most; the end of longer ones is left out.
    pub fn window(&self) -> usize {
        self.encoder.config().window
    }
}

/// A model file as the encoder sees it.
struct Stored<'a>(&'a ModelFile);

/// The name of a piece of a tensor that is too large for one part of a model: some of its rows.
pub(super) fn piece(name: &str, number: usize) -> String {
    format!("{name}/{number}")
}

impl StoredTensors for Stored<'_> {
    fn tensor(&self, name: &str) -> Option<(Vec<usize>, StoredNumbers<'_>)> {
        if !self.0.has(name) {
            return self.joined(name);
        }
        let stored = self.0.tensor(name).ok()?;
        let numbers = match stored.values {
            Numbers::F32(values) => StoredNumbers::Single(values.into()),
            Numbers::F64(_) => return None,
            Numbers::I8(_) => {
                let (values, scales) = self.0.quantised(name).ok()?;
                StoredNumbers::Int8 { values: values.into(), scales: scales.into() }
            }
        };
        Some((stored.shape.to_vec(), numbers))
    }
}

impl Stored<'_> {
    /// A matrix of 8-bit integers that is stored in pieces.
    fn joined(&self, name: &str) -> Option<(Vec<usize>, StoredNumbers<'_>)> {
        let (mut values, mut scales) = (Vec::new(), Vec::new());
        let pieces = (1..).map(|number| piece(name, number)).take_while(|piece| self.0.has(piece));
        for piece in pieces {
            let (of_piece, scales_of_piece) = self.0.quantised(&piece).ok()?;
            values.extend_from_slice(of_piece);
            scales.extend_from_slice(scales_of_piece);
        }
        let width = values.len().checked_div(scales.len())?;
        if width * scales.len() != values.len() {
            return None;
        }
        let shape = vec![scales.len(), width];
        Some((shape, StoredNumbers::Int8 { values: values.into(), scales: scales.into() }))
    }
}

/// Tensors as floats, however they are stored.
struct Floats<'a> {
    file: &'a ModelFile,
}

impl Floats<'_> {
    fn all(&self, name: &str) -> Result<Vec<f32>> {
        let stored = self.file.tensor(name)?;
        let Numbers::I8(_) = stored.values else { return Ok(self.file.f32(name)?.to_vec()) };
        let (integers, scales) = self.file.quantised(name)?;
        let rows = integers.chunks_exact((integers.len() / scales.len().max(1)).max(1));
        let row =
            |(row, scale): (&[i8], &f32)| row.iter().map(|q| f32::from(*q) * scale).collect::<Vec<f32>>();
        Ok(rows.zip(scales).flat_map(row).collect())
    }

    fn some(&self, name: &str, count: usize) -> Result<Vec<f32>> {
        let numbers = self.all(name)?;
        if numbers.len() != count {
            let reason = format!("its tensor `{name}` has {} numbers, expected {count}", numbers.len());
            return Err(self.file.bad(reason).into());
        }
        Ok(numbers)
    }
}
