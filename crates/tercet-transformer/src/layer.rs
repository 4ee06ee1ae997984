//! One layer: attention and two linear maps, each added to its input and normalised.

use crate::attention::{Heads, RelativeBias, Space, attend};
use crate::config::Config;
use crate::encoder::Precision;
use crate::error::Result;
use crate::linear::{Linear, ROWS, WholeNumbers};
use crate::names::LayerNames;
use crate::weights::Weights;
use tercet_math::functions::gelu;
use tercet_math::rows::{add, normalise_rows};

/// Scale and shift of a normalisation.
#[derive(Debug)]
pub(crate) struct Normalisation {
    scale: Vec<f32>,
    shift: Vec<f32>,
    epsilon: f32,
}

impl Normalisation {
    pub fn read(weights: &mut Weights<'_>, name: &str, config: &Config) -> Result<Self> {
        let (scale, shift) = weights.normalisation(name, config)?;
        Ok(Normalisation { scale, shift, epsilon: config.epsilon })
    }

    pub fn apply(&self, rows: &mut [f32]) {
        normalise_rows(rows, &self.scale, &self.shift, self.epsilon);
    }
}

/// The weights of a layer.
#[derive(Debug)]
pub(crate) struct Layer {
    heads: usize,
    /// Query, key and value one after the other.
    products: Linear,
    attended: Linear,
    after_attention: Normalisation,
    up: Linear,
    down: Linear,
    after_all: Normalisation,
}

/// Space that layers share.
#[derive(Debug, Default)]
pub(crate) struct LayerSpace {
    products: Vec<f32>,
    attended: Vec<f32>,
    outputs: Vec<f32>,
    inner: Vec<f32>,
    attention: Space,
    rounded: WholeNumbers,
}

impl Layer {
    pub fn read(
        weights: &mut Weights<'_>,
        number: usize,
        config: &Config,
        precision: Precision,
    ) -> Result<Self> {
        let names = LayerNames::new(config.family, number);
        let (width, inner) = (config.width, config.inner);
        let mut products = weights.linear(&names.query, width, width)?;
        for name in [&names.key, &names.value] {
            let (weight, bias) = weights.linear(name, width, width)?;
            if !products.0.extend(weight) {
                let what = format!("`{name}` and its neighbours have numbers of different kinds");
                return Err(weights.bad(what));
            }
            products.1.extend(bias);
        }
        let mut linear = |name: &str, outputs, inputs| {
            let (weight, bias) = weights.linear(name, outputs, inputs)?;
            Ok(Linear::from_rows(weight, bias, precision))
        };
        let (attended, up, down) = (
            linear(&names.attended, width, width)?,
            linear(&names.up, inner, width)?,
            linear(&names.down, width, inner)?,
        );
        Ok(Layer {
            heads: config.heads,
            products: Linear::from_rows(products.0, products.1, precision),
            attended,
            after_attention: Normalisation::read(weights, &names.after_attention, config)?,
            up,
            down,
            after_all: Normalisation::read(weights, &names.after_all, config)?,
        })
    }

    /// Replaces the vectors of the tokens of sentences, whose lengths are given, by the outputs of the layer.
    pub fn apply(
        &self,
        rows: &mut [f32],
        lengths: &[usize],
        relative: Option<&RelativeBias>,
        space: &mut LayerSpace,
    ) {
        let width = self.attended.outputs();
        let LayerSpace { products, attended, outputs, inner, attention, rounded } = space;
        products.resize(3 * rows.len(), 0.0);
        attended.resize(rows.len(), 0.0);
        outputs.resize(rows.len(), 0.0);
        self.products.apply(rows, products, rounded);
        let heads = Heads { count: self.heads, width: width / self.heads, relative };
        let mut start = 0;
        for length in lengths {
            let of = start * width..(start + length) * width;
            attend(&products[3 * of.start..3 * of.end], heads, attention, &mut attended[of]);
            start += length;
        }
        self.attended.apply(attended, outputs, rounded);
        add(rows, outputs);
        self.after_attention.apply(rows);
        // Both products of a block of rows in turn, so that what is between them stays in the cache.
        for (rows, outputs) in rows.chunks_mut(ROWS * width).zip(outputs.chunks_mut(ROWS * width)) {
            inner.resize(rows.len() / width * self.up.outputs(), 0.0);
            self.up.apply(rows, inner, rounded);
            gelu(inner);
            self.down.apply(inner, outputs, rounded);
            add(rows, outputs);
            self.after_all.apply(rows);
        }
    }
}
