//! One layer (Vaswani et al., 2017; Devlin et al., 2019): attention and two linear maps, each added to its input and
//! normalised.
//!
//! ```text
//! z = norm(x + W_o attention(W_q x, W_k x, W_v x)),   y = norm(z + W_2 gelu(W_1 z))        every W with its bias
//! ```
//!
//! [`apply`] is the computation, for weights that are only used and for those that are learned: see [`LayerWeights`].

use crate::attention::{AttentionSpace, Heads, RelativeBias, attend};
use crate::config::Config;
use crate::linear::{Linear, ROWS, WholeNumbers};
use crate::names::LayerNames;
use crate::weights::Weights;
use tercet_math::functions::gelu;
use tercet_math::rows::{add, normalise_rows};
use tercet_model::Result;

/// A linear map of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Map {
    /// W_q, W_k and W_v: the query, key and value of a row, one after the other.
    Products,
    /// W_o.
    Attended,
    /// W_1.
    Up,
    /// W_2.
    Down,
}

/// A normalisation of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Norm {
    /// The one that gives z.
    AfterAttention,
    /// The one that gives y.
    AfterAll,
}

/// The weights of a layer, however they are kept.
pub trait LayerWeights {
    /// What the maps and normalisations write beside their results: space for their work, or what a backward pass
    /// needs.
    type Space;

    /// Rows that go through W_1 and W_2 together at most.
    const BLOCK: usize;

    /// Numbers of a row.
    fn width(&self) -> usize;

    /// Numbers of a row between W_1 and W_2.
    fn inner(&self) -> usize;

    /// Heads of attention.
    fn heads(&self) -> usize;

    /// The outputs of some rows.
    fn map(&self, map: Map, rows: &[f32], outputs: &mut [f32], space: &mut Self::Space);

    /// Normalises rows in place.
    fn normalise(&self, norm: Norm, rows: &mut [f32], space: &mut Self::Space);

    /// Where the weights of attention are added, if they are wanted: of each sentence, each head and each query.
    fn attention_weights(_space: &mut Self::Space) -> Option<&mut Vec<f32>> {
        None
    }
}

/// Space that layers can share.
#[derive(Debug, Default)]
pub struct LayerSpace<S> {
    /// Query, key and value of each row.
    pub products: Vec<f32>,
    /// The results of attention.
    pub attended: Vec<f32>,
    /// The activations between W_1 and W_2, of the last block of rows.
    pub inner: Vec<f32>,
    /// That of the weights.
    pub weights: S,
    outputs: Vec<f32>,
    attention: AttentionSpace,
}

/// Replaces the rows of the tokens of sentences, whose lengths are given, by the outputs of a layer.
pub fn apply<W: LayerWeights>(
    layer: &W,
    rows: &mut [f32],
    lengths: &[usize],
    relative: Option<&RelativeBias>,
    space: &mut LayerSpace<W::Space>,
) {
    let width = layer.width();
    let LayerSpace { products, attended, outputs, inner, attention, weights } = space;
    products.resize(3 * rows.len(), 0.0);
    attended.resize(rows.len(), 0.0);
    outputs.resize(rows.len(), 0.0);
    layer.map(Map::Products, rows, products, weights);
    let heads = Heads { count: layer.heads(), width: width / layer.heads(), relative };
    let mut start = 0;
    for length in lengths {
        let of = start * width..(start + length) * width;
        let kept = W::attention_weights(weights).map(|kept| {
            let known = kept.len();
            kept.resize(known + heads.count * length * length, 0.0);
            &mut kept[known..]
        });
        attend(&products[3 * of.start..3 * of.end], heads, attention, &mut attended[of], kept);
        start += length;
    }
    layer.map(Map::Attended, attended, outputs, weights);
    add(rows, outputs);
    layer.normalise(Norm::AfterAttention, rows, weights);
    // Both maps of a block of rows in turn, so that what is between them stays in the cache.
    let block = W::BLOCK.saturating_mul(width);
    for (rows, outputs) in rows.chunks_mut(block).zip(outputs.chunks_mut(block)) {
        inner.resize(rows.len() / width * layer.inner(), 0.0);
        layer.map(Map::Up, rows, inner, weights);
        gelu(inner);
        layer.map(Map::Down, inner, outputs, weights);
        add(rows, outputs);
        layer.normalise(Norm::AfterAll, rows, weights);
    }
}

/// Scale and shift of a normalisation.
#[derive(Debug)]
pub(crate) struct Normalisation {
    scale: Vec<f32>,
    shift: Vec<f32>,
    epsilon: f32,
}

impl Normalisation {
    pub fn read(weights: &mut Weights<'_>, name: &str, config: &Config) -> Result<Self> {
        let scale = weights.take(&format!("{name}.weight"), &[config.width])?;
        let shift = weights.take(&format!("{name}.bias"), &[config.width])?;
        Ok(Normalisation { scale, shift, epsilon: config.epsilon })
    }

    pub fn apply(&self, rows: &mut [f32]) {
        normalise_rows(rows, &self.scale, &self.shift, self.epsilon);
    }
}

/// Weights that are only used.
#[derive(Debug)]
pub(crate) struct Layer {
    heads: usize,
    products: Linear,
    attended: Linear,
    after_attention: Normalisation,
    up: Linear,
    down: Linear,
    after_all: Normalisation,
}

impl Layer {
    pub fn read(weights: &mut Weights<'_>, number: usize, config: &Config) -> Result<Self> {
        let names = LayerNames::new(config.family, number);
        let (width, inner) = (config.width, config.inner);
        Ok(Layer {
            heads: config.heads,
            products: weights.linear(&[&names.query, &names.key, &names.value], width, width)?,
            attended: weights.linear(&[&names.attended], width, width)?,
            after_attention: Normalisation::read(weights, &names.after_attention, config)?,
            up: weights.linear(&[&names.up], inner, width)?,
            down: weights.linear(&[&names.down], width, inner)?,
            after_all: Normalisation::read(weights, &names.after_all, config)?,
        })
    }
}

impl LayerWeights for Layer {
    type Space = WholeNumbers;

    const BLOCK: usize = ROWS;

    fn width(&self) -> usize {
        self.attended.outputs()
    }

    fn inner(&self) -> usize {
        self.up.outputs()
    }

    fn heads(&self) -> usize {
        self.heads
    }

    fn map(&self, map: Map, rows: &[f32], outputs: &mut [f32], space: &mut WholeNumbers) {
        let linear = match map {
            Map::Products => &self.products,
            Map::Attended => &self.attended,
            Map::Up => &self.up,
            Map::Down => &self.down,
        };
        linear.apply(rows, outputs, space);
    }

    fn normalise(&self, norm: Norm, rows: &mut [f32], _: &mut WholeNumbers) {
        match norm {
            Norm::AfterAttention => self.after_attention.apply(rows),
            Norm::AfterAll => self.after_all.apply(rows),
        }
    }
}
