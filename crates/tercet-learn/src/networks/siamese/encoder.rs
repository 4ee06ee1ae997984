//! The layers that are learned: from tokens, or from the rows of the layer below, to vectors of lists and rows to
//! match.

use super::head::{MIN_LENGTH, UnitRows};
use super::{LearnedLayers, Lines};
use crate::error::Result;
use crate::layers::{
    LayerNorm, LayerNormWorkspace, TensorSource, TransformerLayer, TransformerWorkspace, add_to, set_zeros,
};
use crate::matrix::{View, multiply};
use crate::parameters::{Gradients, Parameters, Role, TensorId};
use std::sync::Arc;
use tercet_transformer::attention::RelativeBias;
use tercet_transformer::{Config, Family, names};

#[derive(Clone, Debug)]
pub(super) struct SiameseEncoder {
    width: usize,
    embeddings: Option<Embeddings>,
    layers: Vec<TransformerLayer>,
    bias: Option<Arc<RelativeBias>>,
    projection: TensorId,
    projected: usize,
    /// After how many layers rows are matched: projected, in the middle, at the beginning.
    taps: [Option<usize>; 3],
}

#[derive(Clone, Debug)]
struct Embeddings {
    tokens: TensorId,
    positions: TensorId,
    /// A row that is added to every position and not learned: the first type of tokens.
    offset: Vec<f32>,
    norm: LayerNorm,
    first_position: usize,
}

/// Results of the forward pass, and gradients.
#[derive(Debug, Default)]
pub(super) struct EncoderWorkspace {
    /// List i has the rows `starts[i]..starts[i + 1]`.
    starts: Vec<usize>,
    embedding_norm: LayerNormWorkspace,
    /// The rows before the first learned layer.
    input: Vec<f32>,
    layers: Vec<TransformerWorkspace>,
    /// The rows of the last layer that are projected.
    inside: Vec<f32>,
    /// Lists × D, and the lengths of the means before they were scaled.
    pub vectors: Vec<f32>,
    lengths: Vec<f32>,
    pub taps: [UnitRows; 3],
    pub d_vectors: Vec<f32>,
    pub d_taps: [Vec<f32>; 3],
}

impl EncoderWorkspace {
    /// Sets the gradients to zero.
    pub fn start_gradients(&mut self) {
        let zeros = |gradients: &mut Vec<f32>, count: usize| {
            set_zeros(gradients, count);
        };
        zeros(&mut self.d_vectors, self.vectors.len());
        for (gradients, tap) in self.d_taps.iter_mut().zip(&self.taps) {
            zeros(gradients, tap.rows.len());
        }
    }

    fn output(&self, layers: usize) -> &[f32] {
        layers.checked_sub(1).map_or(&self.input, |last| self.layers[last].output())
    }
}

/// The rows of each list except those of its first and last token, which are special tokens.
fn inner(starts: &[usize]) -> impl Iterator<Item = std::ops::Range<usize>> {
    starts.windows(2).map(|ends| ends[0] + 1..(ends[1] - 1).max(ends[0] + 1))
}

impl SiameseEncoder {
    pub fn new(
        parameters: &mut Parameters,
        config: &Config,
        learned: &LearnedLayers,
        source: &mut TensorSource<'_>,
    ) -> Result<Self> {
        let (name, shape) = ("projection.weight", [learned.projected, config.width]);
        let projection = parameters.add(name, Role::Weight, shape, source(name, shape)?);
        let (frozen, encoder_start) = (config.layers - learned.layers, parameters.tensors().len());
        let embeddings = (frozen == 0).then(|| Embeddings::new(parameters, config, source)).transpose()?;
        let mut layers = Vec::new();
        for number in frozen..config.layers {
            layers.push(TransformerLayer::new(parameters, config, number, source)?);
        }
        parameters.tensors_mut()[encoder_start..].iter_mut().for_each(|tensor| tensor.rate = learned.rate);
        let first = embeddings.as_ref().map(|_| 0);
        let middle = learned.middle.checked_sub(frozen).filter(|layers| *layers > 0 || first.is_some());
        let taps = [Some(layers.len()), middle, first];
        let (bias, projected) = (learned.bias.clone(), learned.projected);
        Ok(SiameseEncoder { width: config.width, embeddings, layers, bias, projection, projected, taps })
    }

    /// The numbers of the layers that are learned and matched: 0 the last, 1 the middle, 2 the first.
    pub fn slots(&self) -> impl Iterator<Item = usize> {
        (0..3).filter(|slot| self.taps[*slot].is_some())
    }

    /// Vectors and rows of lines, to the workspace.
    pub fn forward(&self, parameters: &Parameters, lists: &[u32], lines: &Lines<'_>, space: &mut EncoderWorkspace) {
        self.start(parameters, lists, lines, space);
        space.layers.resize_with(self.layers.len(), TransformerWorkspace::default);
        for (number, layer) in self.layers.iter().enumerate() {
            let (before, after) = space.layers.split_at_mut(number);
            let x = before.last().map_or(&space.input[..], |below| below.output());
            layer.forward(parameters, x, &space.starts, self.bias.as_deref(), &mut after[0]);
        }
        self.pool(space);
        for slot in self.slots() {
            self.tap(parameters, slot, space);
        }
    }

    /// The rows before the first learned layer.
    fn start(&self, parameters: &Parameters, lists: &[u32], lines: &Lines<'_>, space: &mut EncoderWorkspace) {
        space.starts.clear();
        space.starts.push(0);
        space.input.clear();
        match (&self.embeddings, lines) {
            (Some(embeddings), Lines::Tokens(tokens)) => {
                embeddings.forward(parameters, lists.iter().map(|line| &tokens[*line as usize][..]), space);
            }
            (None, Lines::Rows(frozen)) => {
                for rows in frozen.rows(lists) {
                    space.input.extend_from_slice(&rows);
                    space.starts.push(space.input.len() / self.width);
                }
            }
            _ => unreachable!("all layers need tokens, the last ones need rows"),
        }
    }

    /// The scaled means of all rows of each list.
    fn pool(&self, space: &mut EncoderWorkspace) {
        let width = self.width;
        let (mut vectors, mut lengths) = (std::mem::take(&mut space.vectors), Vec::new());
        vectors.clear();
        let last = space.output(self.layers.len());
        for ends in space.starts.windows(2) {
            let mut mean = vec![0.0; width];
            let rows = last[ends[0] * width..ends[1] * width].chunks_exact(width);
            rows.for_each(|row| add_to(&mut mean, row));
            let count = (ends[1] - ends[0]) as f32;
            mean.iter_mut().for_each(|number| *number /= count);
            let length = mean.iter().map(|x| x * x).sum::<f32>().sqrt().max(MIN_LENGTH);
            let factor = (width as f32).sqrt() / length;
            vectors.extend(mean.iter().map(|number| number * factor));
            lengths.push(length);
        }
        (space.vectors, space.lengths) = (vectors, lengths);
    }

    /// The rows that are matched.
    fn tap(&self, parameters: &Parameters, slot: usize, space: &mut EncoderWorkspace) {
        let width = self.width;
        let mut units = std::mem::take(&mut space.taps[slot]);
        let output = space.output(self.taps[slot].unwrap_or_default());
        (units.width, units.starts) = (width, vec![0]);
        units.rows.clear();
        for rows in inner(&space.starts) {
            units.rows.extend_from_slice(&output[rows.start * width..rows.end * width]);
            units.starts.push(units.rows.len() / width);
        }
        if slot == 0 {
            let count = units.rows.len() / width;
            std::mem::swap(&mut space.inside, &mut units.rows);
            units.width = self.projected;
            set_zeros(&mut units.rows, count * self.projected);
            let weights = View::new(parameters.values(self.projection), self.projected, width).transposed();
            multiply(View::new(&space.inside, count, width), weights, 0.0, &mut units.rows, self.projected);
        }
        units.scale();
        space.taps[slot] = units;
    }

    /// Adds the gradients of all tensors, given those of vectors and matched rows in the workspace.
    pub fn backward(
        &self,
        parameters: &Parameters,
        lists: &[u32],
        lines: &Lines<'_>,
        space: &mut EncoderWorkspace,
        gradients: &mut Gradients,
    ) {
        let mut dy = self.pool_backward(space);
        for layers in (0..=self.layers.len()).rev() {
            for slot in self.slots().filter(|slot| self.taps[*slot] == Some(layers)) {
                self.tap_backward(parameters, slot, space, gradients, &mut dy);
            }
            if let Some(number) = layers.checked_sub(1) {
                let (layer, own, x) = (&self.layers[number], &space.layers[number], space.output(number));
                dy = layer.backward(parameters, x, &space.starts, &mut dy, own, gradients);
            }
        }
        if let (Some(embeddings), Lines::Tokens(tokens)) = (&self.embeddings, lines) {
            let lists = lists.iter().map(|line| &tokens[*line as usize][..]);
            embeddings.backward(parameters, lists, &mut dy, &space.embedding_norm, gradients);
        }
    }

    /// The gradients of the rows of the last layer, given those of the vectors.
    fn pool_backward(&self, space: &EncoderWorkspace) -> Vec<f32> {
        let width = self.width;
        let mut dy = vec![0.0; space.input.len()];
        let root = (width as f32).sqrt();
        for (list, ends) in space.starts.windows(2).enumerate() {
            let at = list * width..(list + 1) * width;
            let (g, vector) = (&space.d_vectors[at.clone()], &space.vectors[at]);
            // The vector has the length √D, so that this is the part along it, divided by √D.
            let along = g.iter().zip(vector).map(|(g, x)| g * x).sum::<f32>() / width as f32;
            let factor = root / space.lengths[list] / (ends[1] - ends[0]) as f32;
            let row: Vec<f32> = g.iter().zip(vector).map(|(g, x)| factor * (g - along * x)).collect();
            dy[ends[0] * width..ends[1] * width].chunks_exact_mut(width).for_each(|to| add_to(to, &row));
        }
        dy
    }

    /// Adds the gradients of matched rows to those of their layer.
    fn tap_backward(
        &self,
        parameters: &Parameters,
        slot: usize,
        space: &mut EncoderWorkspace,
        gradients: &mut Gradients,
        dy: &mut [f32],
    ) {
        let (width, units) = (self.width, &space.taps[slot]);
        units.scale_backward(&mut space.d_taps[slot]);
        let d_rows = &space.d_taps[slot];
        let projected: Vec<f32>;
        let rows = if slot == 0 {
            let count = d_rows.len() / self.projected;
            let d_view = View::new(d_rows, count, self.projected);
            let inside = View::new(&space.inside, count, width);
            multiply(d_view.transposed(), inside, 1.0, gradients.dense(self.projection), width);
            let weights = View::new(parameters.values(self.projection), self.projected, width);
            let mut found = vec![0.0; count * width];
            multiply(d_view, weights, 0.0, &mut found, width);
            projected = found;
            &projected
        } else {
            d_rows
        };
        let mut rest = &rows[..];
        for place in inner(&space.starts) {
            let (own, after) = rest.split_at(place.len() * width);
            add_to(&mut dy[place.start * width..place.end * width], own);
            rest = after;
        }
    }
}

impl Embeddings {
    fn new(parameters: &mut Parameters, config: &Config, source: &mut TensorSource<'_>) -> Result<Self> {
        let width = config.width;
        let mut add = |name: &str, role, rows| -> Result<TensorId> {
            Ok(parameters.add(name, role, [rows, width], source(name, [rows, width])?))
        };
        let tokens = add(names::TOKENS, Role::Embedding, config.vocabulary)?;
        let positions = add(names::POSITIONS, Role::Weight, config.positions)?;
        let offset = match config.family {
            Family::Bert => source(names::TYPES, [2, width])?[..width].to_vec(),
            Family::Mpnet => vec![0.0; width],
        };
        let norm = LayerNorm::from_source(parameters, names::AFTER_EMBEDDING, config, source)?;
        Ok(Embeddings { tokens, positions, offset, norm, first_position: config.first_position() })
    }

    fn forward<'t>(
        &self,
        parameters: &Parameters,
        lists: impl Iterator<Item = &'t [u32]>,
        space: &mut EncoderWorkspace,
    ) {
        let width = self.offset.len();
        let row = |table: TensorId, number: usize| &parameters.values(table)[number * width..(number + 1) * width];
        let mut sums = Vec::new();
        for list in lists {
            for (place, token) in list.iter().enumerate() {
                let start = sums.len();
                sums.extend_from_slice(row(self.positions, self.first_position + place));
                add_to(&mut sums[start..], &self.offset);
                add_to(&mut sums[start..], row(self.tokens, *token as usize));
            }
            space.starts.push(sums.len() / width);
        }
        self.norm.forward(parameters, &sums, &mut space.embedding_norm, &mut space.input);
    }

    fn backward<'t>(
        &self,
        parameters: &Parameters,
        lists: impl Iterator<Item = &'t [u32]>,
        dy: &mut [f32],
        norm: &LayerNormWorkspace,
        gradients: &mut Gradients,
    ) {
        let width = self.offset.len();
        let mut sums = vec![0.0; dy.len()];
        self.norm.backward(parameters, dy, norm, gradients, &mut sums);
        let mut rows = sums.chunks_exact(width);
        for list in lists {
            for ((place, token), g) in list.iter().enumerate().zip(rows.by_ref()) {
                gradients.rows(self.tokens).add(*token, g);
                let start = (self.first_position + place) * width;
                add_to(&mut gradients.dense(self.positions)[start..start + width], g);
            }
        }
    }
}
