//! From token numbers to vectors: the table of words, positions, and all layers.

use crate::attention::{RELATIVE_BUCKETS, RelativeBias};
use crate::config::{Config, Family};
use crate::encoder::Precision;
use crate::layer::{Layer, LayerSpace, Normalisation, apply};
use crate::linear::{WholeNumbers, rounded, scale_of};
use crate::names;
use crate::nibbles::Nibbles;
use crate::weights::{Rows, Weights};
use std::sync::Arc;
use tercet_base::stop;
use tercet_model::Result;

/// Everything that is learned.
#[derive(Debug)]
pub(crate) struct Network {
    width: usize,
    first_position: usize,
    words: Words,
    /// Positions, with the vector of the first type of tokens added where the family has types.
    positions: Vec<f32>,
    after_embedding: Normalisation,
    relative: Option<Arc<RelativeBias>>,
    layers: Vec<Layer>,
}

/// The table of words.
#[derive(Debug)]
enum Words {
    Single(Vec<f32>),
    Int8 { values: Vec<i8>, scales: Vec<f32> },
    Nibbles(Nibbles),
}

impl Words {
    fn new(rows: Rows, width: usize, precision: Precision) -> Self {
        let values = match rows {
            Rows::Int8 { values, scales } => return Words::Int8 { values, scales },
            Rows::Nibbles(nibbles) => return Words::Nibbles(nibbles),
            Rows::Single(values) if precision == Precision::Single => return Words::Single(values),
            Rows::Single(values) => values,
        };
        let scales: Vec<f32> = values.chunks_exact(width).map(scale_of).collect();
        let rows = values.chunks_exact(width).zip(&scales);
        let values = rows.flat_map(|(row, scale)| row.iter().map(|value| rounded(*value, *scale))).collect();
        Words::Int8 { values, scales }
    }

    fn add(&self, id: u32, row: &mut [f32]) {
        let at = id as usize * row.len()..(id as usize + 1) * row.len();
        match self {
            Words::Single(values) => tercet_math::rows::add(row, &values[at]),
            Words::Int8 { values, scales } => {
                let scale = scales[id as usize];
                row.iter_mut().zip(&values[at]).for_each(|(number, value)| *number += f32::from(*value) * scale);
            }
            Words::Nibbles(nibbles) => nibbles.add_row(id as usize, row),
        }
    }
}

impl Network {
    pub fn read(weights: &mut Weights<'_>, config: &Config) -> Result<Self> {
        let width = config.width;
        let words = weights.rows(names::TOKENS, &[config.vocabulary, width])?;
        let mut positions = weights.take(names::POSITIONS, &[config.positions, width])?;
        if config.family == Family::Bert {
            let types = weights.take(names::TYPES, &[2, width])?;
            positions.chunks_exact_mut(width).for_each(|row| tercet_math::rows::add(row, &types[..width]));
        }
        let relative = match config.family {
            Family::Bert => None,
            Family::Mpnet => {
                let table = weights.take(names::RELATIVE_BIAS, &[RELATIVE_BUCKETS, config.heads])?;
                Some(Arc::new(RelativeBias::new(&table, config.heads, config.window)))
            }
        };
        let after_last = names::LayerNames::new(config.family, config.layers).query;
        if weights.has(&format!("{after_last}.weight")) {
            return Err(weights.bad(format!("it has more layers than config.json says, {}", config.layers)));
        }
        let layers = (0..config.layers).map(|number| Layer::read(weights, number, config));
        let layers = layers.collect::<Result<_>>()?;
        Ok(Network {
            width,
            first_position: config.first_position(),
            words: Words::new(words, width, weights.precision),
            positions,
            after_embedding: Normalisation::read(weights, names::AFTER_EMBEDDING, config)?,
            relative,
            layers,
        })
    }

    /// The bias of attention by distance.
    pub fn relative(&self) -> Option<&Arc<RelativeBias>> {
        self.relative.as_ref()
    }

    /// The vectors of all tokens of these sentences, after each layer: `keep` gets the number of the layer (0 are the
    /// embeddings) and the rows. Layers after the number `last` are left out.
    pub fn run(
        &self,
        sentences: &[&[u32]],
        last: usize,
        space: &mut NetworkSpace,
        mut keep: impl FnMut(usize, &[f32]),
    ) {
        let lengths: Vec<usize> = sentences.iter().map(|ids| ids.len()).collect();
        let NetworkSpace { rows, layer } = space;
        rows.clear();
        for ids in sentences {
            for (position, id) in ids.iter().enumerate() {
                let position = (self.first_position + position) * self.width;
                rows.extend_from_slice(&self.positions[position..position + self.width]);
                let start = rows.len() - self.width;
                self.words.add(*id, &mut rows[start..]);
            }
        }
        self.after_embedding.apply(rows);
        keep(0, rows);
        for (number, weights) in self.layers.iter().enumerate().take(last) {
            stop::look();
            apply(weights, rows, &lengths, self.relative.as_deref(), layer);
            keep(number + 1, rows);
        }
    }
}

/// Space of one thread.
#[derive(Debug, Default)]
pub(crate) struct NetworkSpace {
    rows: Vec<f32>,
    layer: LayerSpace<WholeNumbers>,
}
