//! The names of the tensors of BERT and MPNet, as their files have them.

use crate::config::Family;

/// The table of tokens.
pub const TOKENS: &str = "embeddings.word_embeddings.weight";
/// The table of positions.
pub const POSITIONS: &str = "embeddings.position_embeddings.weight";
/// The table of the types of tokens, which BERT has.
pub const TYPES: &str = "embeddings.token_type_embeddings.weight";
/// The normalisation after them, without `.weight` and `.bias`.
pub const AFTER_EMBEDDING: &str = "embeddings.LayerNorm";
/// The table of biases of attention, which MPNet has: one row per bucket of distances and one column per head.
pub const RELATIVE_BIAS: &str = "encoder.relative_attention_bias.weight";

/// The tensors of a layer, without `.weight` and `.bias`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerNames {
    /// The queries.
    pub query: String,
    /// The keys.
    pub key: String,
    /// The values.
    pub value: String,
    /// The product after attention.
    pub attended: String,
    /// The normalisation after it.
    pub after_attention: String,
    /// The product into the wider inner rows.
    pub up: String,
    /// The product out of them.
    pub down: String,
    /// The last normalisation.
    pub after_all: String,
}

impl LayerNames {
    /// Those of a layer, counted from 0.
    pub fn new(family: Family, number: usize) -> Self {
        let name = |name: &str| format!("encoder.layer.{number}.{name}");
        let [query, key, value, attended, after_attention] = match family {
            Family::Bert => [
                "attention.self.query",
                "attention.self.key",
                "attention.self.value",
                "attention.output.dense",
                "attention.output.LayerNorm",
            ],
            Family::Mpnet => {
                ["attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o", "attention.LayerNorm"]
            }
        }
        .map(name);
        let [up, down, after_all] = ["intermediate.dense", "output.dense", "output.LayerNorm"].map(name);
        LayerNames { query, key, value, attended, after_attention, up, down, after_all }
    }
}
