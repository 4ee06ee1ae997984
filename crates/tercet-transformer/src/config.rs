//! `config.json` and the files of sentence-transformers beside it: sizes, window, pooling.

use crate::encoder::Pooling;
use crate::files::{read_json, unusable};
use serde_json::Value;
use std::path::Path;
use tercet_model::Result;

/// A family of encoders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Positions from 0, two types of tokens (Devlin et al., 2019).
    Bert,
    /// Positions from 2, and a bias of attention by relative position (Song et al., 2020).
    Mpnet,
}

/// The sizes of an encoder.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The family.
    pub family: Family,
    /// Number of layers.
    pub layers: usize,
    /// Numbers of a vector.
    pub width: usize,
    /// Attention heads.
    pub heads: usize,
    /// Numbers inside the two products after attention.
    pub inner: usize,
    /// Tokens in the vocabulary.
    pub vocabulary: usize,
    /// Rows of the table of positions.
    pub positions: usize,
    /// Tokens of a sentence at most, the first and the last special token included.
    pub window: usize,
    /// Added to the variance in layer normalisation.
    pub epsilon: f32,
    /// How the vectors of tokens become that of a sentence.
    pub pooling: Pooling,
    /// Whether sentence vectors are scaled to length 1.
    pub unit_length: bool,
    /// The number of the padding token in the vocabulary.
    pub padding: u32,
}

/// Sizes that no encoder of these families has; larger ones are mistakes or attacks.
const MAX_SIZE: u64 = 1 << 20;

impl Config {
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let path = folder.join("config.json");
        let config = Self::from_json(&path, &read_json(&path)?)?;
        let window = window(folder, config.window)?;
        Ok(Config { window, pooling: pooling(folder)?, unit_length: has_normalisation(folder)?, ..config })
    }

    /// What the text of a `config.json` says; `path` is its name in messages. The window is as long as there are
    /// positions, the vector of a sentence the mean of its tokens.
    pub fn parse(path: &Path, text: &str) -> Result<Self> {
        let json = serde_json::from_str(text).map_err(|error| unusable(path, format!("not valid JSON: {error}")))?;
        Self::from_json(path, &json)
    }

    fn from_json(path: &Path, config: &Value) -> Result<Self> {
        let family = match config["model_type"].as_str() {
            Some("bert") => Family::Bert,
            Some("mpnet") => Family::Mpnet,
            other => {
                let found = other.unwrap_or("none");
                return Err(unusable(path, format!("model_type is {found}: only bert and mpnet are understood")));
            }
        };
        check_kind(path, config)?;
        let size = |key: &str| {
            let size = config[key].as_u64().filter(|size| (1..MAX_SIZE).contains(size));
            size.map(|size| size as usize).ok_or_else(|| unusable(path, format!("`{key}` is not a size")))
        };
        let (width, heads, positions) =
            (size("hidden_size")?, size("num_attention_heads")?, size("max_position_embeddings")?);
        if width % heads != 0 {
            return Err(unusable(path, format!("hidden_size {width} cannot be divided among {heads} heads")));
        }
        let usable = if family == Family::Mpnet { positions.saturating_sub(MPNET_FIRST) } else { positions };
        Ok(Config {
            family,
            layers: size("num_hidden_layers")?,
            width,
            heads,
            inner: size("intermediate_size")?,
            vocabulary: size("vocab_size")?,
            positions,
            window: usable,
            epsilon: config["layer_norm_eps"].as_f64().unwrap_or(1e-12) as f32,
            pooling: Pooling::Mean,
            unit_length: false,
            padding: config["pad_token_id"].as_u64().map_or(u32::from(family == Family::Mpnet), |id| id as u32),
        })
    }

    /// The position of the first token.
    pub fn first_position(&self) -> usize {
        if self.family == Family::Mpnet { MPNET_FIRST } else { 0 }
    }
}

/// MPNet counts positions as RoBERTa does: from the padding token's number, 1, plus 1.
const MPNET_FIRST: usize = 2;

/// Refuses variants that are computed differently.
fn check_kind(path: &Path, config: &Value) -> Result<()> {
    for (key, expected) in [("hidden_act", "gelu"), ("position_embedding_type", "absolute")] {
        match config[key].as_str() {
            None => {}
            Some(found) if found == expected => {}
            Some(found) => {
                return Err(unusable(path, format!("{key} is {found}: only {expected} is understood")));
            }
        }
    }
    Ok(())
}

/// The smallest of all limits that the folder states.
fn window(folder: &Path, positions: usize) -> Result<usize> {
    let stated = optional(folder, "sentence_bert_config.json")?;
    let stated = stated.and_then(|stated| stated["max_seq_length"].as_u64()).unwrap_or(u64::MAX);
    let window = positions.min(usize::try_from(stated).unwrap_or(usize::MAX));
    if window < 3 {
        return Err(unusable(folder, format!("a window of {window} tokens leaves no room for words")));
    }
    Ok(window)
}

fn pooling(folder: &Path) -> Result<Pooling> {
    let path = folder.join("1_Pooling/config.json");
    let Some(config) = optional(folder, "1_Pooling/config.json")? else { return Ok(Pooling::Mean) };
    let set = |key: &str| config[key].as_bool() == Some(true);
    match (set("pooling_mode_mean_tokens"), set("pooling_mode_cls_token")) {
        (true, false) => Ok(Pooling::Mean),
        (false, true) => Ok(Pooling::First),
        _ => Err(unusable(&path, "only the pooling modes mean_tokens and cls_token are understood")),
    }
}

/// Whether sentence-transformers would scale vectors to length 1.
fn has_normalisation(folder: &Path) -> Result<bool> {
    let modules = optional(folder, "modules.json")?.unwrap_or_default();
    let is_normalisation = |module: &Value| module["type"].as_str().is_some_and(|kind| kind.ends_with("Normalize"));
    Ok(modules.as_array().is_some_and(|modules| modules.iter().any(is_normalisation)))
}

fn optional(folder: &Path, name: &str) -> Result<Option<Value>> {
    let path = folder.join(name);
    path.exists().then(|| read_json(&path)).transpose()
}
