//! The model file: an encoder, the head, and what scores mean.
//!
//! A file of `tercet-learn` (safetensors with checked metadata) of the kind `siamese`:
//!
//! | entry | |
//! |---|---|
//! | `version` | of this table; 1 |
//! | `config` | the encoder's sizes, as its `config.json` says them |
//! | `vocabulary` | its tokens in order, one per line; or the tensor of that name |
//! | `window` | tokens of a line at most |
//! | `temperature` | of comparisons |
//! | `temperature.length`, `temperature.distance` | how it depends on the outputs, if it does: `calibration.rs` |
//! | `title` | name and version, if it has them: `Siamese-en-2` |
//! | `languages` | codes of the target languages for which it was tested, with spaces between |
//! | `scripts` | names of the scripts that the encoder has seen, with spaces between |
//! | `about.…` | notes: recipe, training data, scores |
//! | tensors `embeddings.…`, `encoder.…` | names of BERT or MPNet; 8-bit or floats; large: pieces `NAME/1`, … |
//! | `projection.weight`, `head.bias`, `head.{sentence,matching,output}.weight`, `head.output.bias` | see `head.rs` |
//! | `head.strings.weight` | that of the features of strings, if it uses them |
//! | `head.source.{sentence,matching,strings}.weight` | those for the source, if it can use it |
//! | `head.way.bias` | with those: a row for references, the source, both, instead of `head.bias` |
//! | `percentiles` | raw scores at the percentiles 0 to 100 of outputs of systems |
//! | `vocabulary.sentencepiece` | the bytes of a unigram model of SentencePiece, instead of `vocabulary` |
//!
//! A model that can use the source has `temperature` and `percentiles` also with `.source` and `.both` after them.

use super::calibration::{Calibration, TemperatureShape};
use super::head::{Block, Head, MATCHING, Way};
use super::pieces::Pieces;
use super::strings::{FLAGS, STRINGS};
use super::tensors::{PIECES, Stored};
use crate::error::Result;
use std::path::Path;
use tercet_model::model_file::{Bytes, ModelFile, ModelRecord, Numbers};
use tercet_text::{Language, Script};
use tercet_transformer::{Config, Encoder, Tokenizer, WordPiece};

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
    /// What its numbers mean, by way.
    calibrations: Vec<Calibration>,
    title: Option<String>,
    languages: Vec<Language>,
    scripts: Vec<Script>,
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
        let tokenizer = tokenizer(file)?;
        let (width, middle) = (config.width, config.layers / 2);
        let tensors = Stored(file);
        let encoder = Encoder::from_stored(name, config, tokenizer, &tensors)?;
        let all = |name: &str| tensors.floats(name);
        let projection = all("projection.weight")?;
        if projection.is_empty() || projection.len() % width != 0 {
            return Err(file.bad("its projection does not fit its encoder".to_owned()).into());
        }
        let head = head(file, width)?;
        let ways = if head.source.is_some() { &Way::ALL[..] } else { &[Way::Reference] };
        let calibrations = ways.iter().map(|way| calibration(file, *way)).collect::<Result<_>>()?;
        let script = |name: &str| {
            Script::from_name(name).ok_or_else(|| file.bad(format!("its entry `scripts` names no script: `{name}`")))
        };
        let language = |code: &str| {
            Language::target(code).map_err(|error| file.bad(format!("its entry `languages` is wrong: {error}")))
        };
        let words = |key: &str| file.find(key).unwrap_or_default().split_whitespace();
        Ok(SiameseModel {
            encoder,
            middle,
            projection,
            head,
            calibrations,
            title: file.find("title").filter(|title| !title.is_empty()).map(str::to_owned),
            languages: words("languages").map(language).collect::<std::result::Result<_, _>>()?,
            scripts: words("scripts").map(script).collect::<std::result::Result<_, _>>()?,
            record: file.record(),
            #[cfg(test)]
            encoded_lines: Default::default(),
        })
    }

    /// The hash of the model file, and its notes: training data, recipe, scores.
    pub fn record(&self) -> &ModelRecord {
        &self.record
    }

    /// Name and version, if it has them.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Whether it can use the source.
    pub fn reads_source(&self) -> bool {
        self.head.source.is_some()
    }

    /// What its scores mean in this way; in that of references, if it knows no other.
    pub fn calibration(&self, way: Way) -> &Calibration {
        self.calibrations.get(way as usize).unwrap_or(&self.calibrations[0])
    }

    /// The target languages for which it was tested; empty if that is not known.
    pub fn languages(&self) -> &[Language] {
        &self.languages
    }

    /// Whether the encoder has seen the script of a language; also if that is not known.
    pub fn knows_script_of(&self, language: &Language) -> bool {
        let script = Script::of_language(language.code());
        self.scripts.is_empty() || script.is_none_or(|script| self.scripts.contains(&script))
    }

    /// Tokens that are encoded together at most; longer lines are encoded in parts.
    pub fn window(&self) -> usize {
        self.encoder.config().window
    }
}

fn tokenizer(file: &ModelFile) -> Result<Box<dyn Tokenizer>> {
    if !file.has(PIECES) {
        return Ok(Box::new(WordPiece::from_vocabulary(file.path(), file.get("vocabulary")?, true)?));
    }
    let pieces = match file.tensor(PIECES)?.values {
        Numbers::I8(bytes) => Pieces::new(bytemuck::cast_slice(bytes)),
        _ => Err("they are not bytes".to_owned()),
    };
    Ok(Box::new(pieces.map_err(|what| file.bad(format!("its pieces of words cannot be used: {what}")))?))
}

fn head(file: &ModelFile, width: usize) -> Result<Head> {
    let tensors = Stored(file);
    let some = |name: &str, count: usize| tensors.some_floats(name, count);
    let output = tensors.floats("head.output.weight")?;
    let hidden = output.len();
    let strings = |name: String| -> Result<Vec<f32>> {
        if !tensors.has(&name) {
            return Ok(Vec::new());
        }
        let weights = tensors.floats(&name)?;
        if [STRINGS, STRINGS + FLAGS].iter().any(|count| weights.len() == count * hidden) {
            return Ok(weights);
        }
        let (found, all) = (weights.len(), STRINGS + FLAGS);
        let reason =
            format!("its tensor `{name}` has {found} numbers, expected {STRINGS} or {all} for each of {hidden}");
        Err(file.bad(reason).into())
    };
    let block = |prefix: &str| -> Result<Block> {
        Ok(Block {
            sentence: some(&format!("{prefix}.sentence.weight"), 4 * width * hidden)?,
            matching: some(&format!("{prefix}.matching.weight"), MATCHING * hidden)?,
            strings: strings(format!("{prefix}.strings.weight"))?,
        })
    };
    let has_source = tensors.has("head.source.sentence.weight");
    let biases = match has_source {
        true => some("head.way.bias", Way::ALL.len() * hidden)?,
        false => some("head.bias", hidden)?,
    };
    if hidden == 0 {
        return Err(file.bad("its head has no units".to_owned()).into());
    }
    Ok(Head {
        reference: block("head")?,
        source: has_source.then(|| block("head.source")).transpose()?,
        biases: biases.chunks_exact(hidden).map(<[f32]>::to_vec).collect(),
        output,
        output_bias: some("head.output.bias", 1)?[0],
    })
}

/// What scores mean in a way.
fn calibration(file: &ModelFile, way: Way) -> Result<Calibration> {
    let percentiles = Stored(file).floats(&way.entry("percentiles"))?.into_iter().map(f64::from).collect();
    let exponent = |key: &str| if file.find(key).is_some() { file.number(key) } else { Ok(0.0) };
    let (length, distance) = (exponent("temperature.length")?, exponent("temperature.distance")?);
    let calibration = Calibration::new(percentiles, file.number(&way.entry("temperature"))?)
        .and_then(|calibration| calibration.with_shape(TemperatureShape { length, distance }));
    calibration.map_err(|error| file.bad(error.to_string()).into())
}
