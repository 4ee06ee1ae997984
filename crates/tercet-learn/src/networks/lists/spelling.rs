//! The vector of a form, from its shape and its characters.
//!
//! ```text
//! v = E_shape[shape] + W · gelu(max_t conv(E_character[characters])_t) + b
//! ```
//!
//! Computed once for every distinct form of a shard.

use super::{EncoderShape, Forms};
use crate::activation::{Activation, quick_gelu, quick_gelu_slope};
use crate::layers::{Convolution, ConvolutionWorkspace, Dense, Embedding, FineTuning, set_zeros};
use crate::matrix::Matrix;
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use std::sync::Arc;

/// Standard deviation of the initial character vectors.
const CHARACTER_DEVIATION: f32 = 1.0;
/// Standard deviation of the initial vectors of words, shapes and the root.
pub(super) const VECTOR_DEVIATION: f32 = 0.2;

/// A learned table with uniform initial values of this standard deviation.
pub(super) fn table(
    parameters: &mut Parameters,
    name: &str,
    [rows, width]: [usize; 2],
    deviation: f32,
    random: &mut Random,
) -> Embedding {
    let limit = deviation * 3f32.sqrt();
    let values = (0..rows * width).map(|_| random.uniform(-limit, limit)).collect();
    let matrix = Matrix::new(rows, width, values).expect("as many values as the shape has");
    Embedding::new(parameters, name, Arc::new(matrix), FineTuning::Full)
}

#[derive(Clone, Debug)]
pub(in crate::networks) struct Spelling {
    pub shapes: Embedding,
    pub characters: Embedding,
    pub convolution: Convolution,
    pub output: Dense,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub(in crate::networks) struct SpellingSpace {
    shapes: Vec<u32>,
    characters: Vec<u32>,
    starts: Vec<usize>,
    tokens: Vec<f32>,
    convolution: ConvolutionWorkspace,
    pooled: Vec<f32>,
    hidden: Vec<f32>,
    /// Forms × d.
    pub vectors: Vec<f32>,
}

impl Spelling {
    pub fn new(parameters: &mut Parameters, shape: &EncoderShape, random: &mut Random) -> Self {
        let (d, c) = (shape.width, shape.character_width);
        let convolved = [shape.filters, shape.window];
        let none = Activation::Identity;
        Spelling {
            shapes: table(parameters, "shapes", [shape.shapes, d], VECTOR_DEVIATION, random),
            characters: table(parameters, "characters", [shape.characters, c], CHARACTER_DEVIATION, random),
            convolution: Convolution::new(parameters, "convolution", c, convolved, none, random),
            output: Dense::new(parameters, "spelling", [shape.filters, d], none, random),
        }
    }

    /// The vectors of some forms.
    pub fn forward(&self, parameters: &Parameters, forms: &Forms, chosen: &[u32], space: &mut SpellingSpace) {
        space.shapes.clear();
        space.characters.clear();
        space.starts.clear();
        space.starts.push(0);
        for &form in chosen {
            space.shapes.push(forms.shape(form));
            space.characters.extend(forms.characters(form).iter().map(|c| u32::from(*c)));
            space.starts.push(space.characters.len());
        }
        space.tokens.clear();
        self.characters.look_up(parameters, &space.characters, &mut space.tokens);
        set_zeros(&mut space.pooled, chosen.len() * self.convolution.width());
        let (tokens, starts) = (&space.tokens, &space.starts);
        self.convolution.forward(parameters, tokens, starts, &mut space.convolution, &mut space.pooled);
        space.hidden.clear();
        space.hidden.extend(space.pooled.iter().map(|x| quick_gelu(*x)));
        self.output.forward(parameters, &space.hidden, &mut space.vectors);
        let d = self.shapes.dimensions();
        let shapes = self.shapes.values(parameters);
        for (vector, shape) in space.vectors.chunks_exact_mut(d).zip(&space.shapes) {
            let row = &shapes[*shape as usize * d..(*shape as usize + 1) * d];
            vector.iter_mut().zip(row).for_each(|(x, y)| *x += y);
        }
    }

    /// Adds the gradients of all tables and weights; `dv` (forms × d) is overwritten.
    pub fn backward(
        &self,
        parameters: &Parameters,
        dv: &mut [f32],
        space: &mut SpellingSpace,
        gradients: &mut Gradients,
    ) {
        self.shapes.backward(space.shapes.iter(), dv, gradients);
        let mut deltas = self.output.backward(parameters, &space.hidden, &space.vectors, dv, gradients);
        deltas.iter_mut().zip(&space.pooled).for_each(|(g, x)| *g *= quick_gelu_slope(*x));
        let mut tokens = vec![0.0; space.tokens.len()];
        let (starts, room) = (&space.starts, &mut space.convolution);
        self.convolution.backward(parameters, starts, &deltas, room, gradients, Some(&mut tokens));
        self.characters.backward(space.characters.iter(), &tokens, gradients);
    }
}
