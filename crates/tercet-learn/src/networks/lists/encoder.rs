//! Vectors of items in context: words and spellings, recurrent layers, tags predicted between two layers.
//!
//! ```text
//! x = norm(E_word[word] + spelling(form)),  then layer after layer;  an artificial root before every list
//! ```
//!
//! One recurrent layer of the encoder: x ← x + dropout(P · sru(norm(x))), with P only if widths differ.

use super::spelling::{Spelling, SpellingSpace, VECTOR_DEVIATION, table};
use super::tagger::{Tagger, TaggerSpace};
use super::{EncoderShape, Forms, Lists};
use crate::activation::Activation;
use crate::layers::{Dense, Dropout, Embedding, LayerNorm, LayerNormWorkspace, Sru, SruWorkspace};
use crate::parameters::{Gradients, Parameters, Role, TensorId};
use crate::random::Random;
use std::ops::Range;

#[derive(Clone, Debug)]
pub(in crate::networks) struct ListEncoder {
    width: usize,
    tag_layer: usize,
    pub words: Embedding,
    pub root: TensorId,
    pub spelling: Spelling,
    pub norm: LayerNorm,
    pub layers: Vec<Recurrent>,
    pub tagger: Tagger,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub(in crate::networks) struct EncoderSpace {
    /// Distinct forms of the lists, sorted.
    forms: Vec<u32>,
    /// For every item, the index of its form among them.
    places: Vec<usize>,
    words: Vec<u32>,
    /// First rows of the lists, roots included.
    pub starts: Vec<usize>,
    spelling: SpellingSpace,
    sums: Vec<f32>,
    norm: LayerNormWorkspace,
    /// Rows × d, roots included.
    pub x: Vec<f32>,
    mask: Vec<f32>,
    layers: Vec<RecurrentSpace>,
    pub tagger: TaggerSpace,
}

/// Inputs: forms, lists of forms, and the words of all items if they differ from those of the forms.
pub(in crate::networks) type Inputs<'a> = (&'a Forms, &'a Lists, &'a [u32]);

impl ListEncoder {
    /// With random weights; `fine_tags` is their number, 0 for none.
    pub fn new(parameters: &mut Parameters, shape: &EncoderShape, fine_tags: usize, random: &mut Random) -> Self {
        let d = shape.width;
        let words = table(parameters, "words", [shape.words, d], VECTOR_DEVIATION, random);
        let limit = VECTOR_DEVIATION * 3f32.sqrt();
        let root = (0..d).map(|_| random.uniform(-limit, limit)).collect();
        let root = parameters.add("root", Role::Weight, [1, d], root);
        let spelling = Spelling::new(parameters, shape, random);
        let norm = LayerNorm::new(parameters, "norm", d);
        let mut layer = |number: usize| Recurrent::new(parameters, &format!("layer{number}"), shape, random);
        let layers = (1..=shape.layers).map(&mut layer).collect();
        let tagger = Tagger::new(parameters, d, [shape.tags, fine_tags], random);
        ListEncoder { width: d, tag_layer: shape.tag_layer, words, root, spelling, norm, layers, tagger }
    }

    /// Vectors of the items of some lists, in `space.x`; lists without items have no rows.
    pub fn forward(
        &self,
        parameters: &Parameters,
        inputs: Inputs<'_>,
        lists: Range<usize>,
        (dropout, mut random): (Dropout, Option<&mut Random>),
        space: &mut EncoderSpace,
    ) {
        arrange(inputs, lists, space);
        self.embed(parameters, inputs.0, (dropout, random.as_deref_mut()), space);
        space.layers.resize_with(self.layers.len(), RecurrentSpace::default);
        let EncoderSpace { starts, x, layers, tagger, .. } = space;
        for (number, (layer, room)) in self.layers.iter().zip(layers).enumerate() {
            layer.forward(parameters, (x, starts), (dropout, random.as_deref_mut()), room);
            if number + 1 == self.tag_layer {
                self.tagger.forward(parameters, x, tagger);
            }
        }
    }

    /// x of the first layer.
    fn embed(
        &self,
        parameters: &Parameters,
        forms: &Forms,
        (dropout, random): (Dropout, Option<&mut Random>),
        space: &mut EncoderSpace,
    ) {
        let EncoderSpace { forms: chosen, places, words, starts, spelling, sums, norm, x, mask, .. } = space;
        self.spelling.forward(parameters, forms, chosen, spelling);
        let (d, table) = (self.width, self.words.values(parameters));
        let mut items = words.iter().zip(places);
        sums.clear();
        for list in starts.windows(2) {
            sums.extend_from_slice(parameters.values(self.root));
            for (word, place) in items.by_ref().take(list[1] - list[0] - 1) {
                let word = &table[*word as usize * d..(*word as usize + 1) * d];
                let spelled = &spelling.vectors[*place * d..(*place + 1) * d];
                sums.extend(word.iter().zip(spelled).map(|(x, y)| x + y));
            }
        }
        self.norm.forward(parameters, sums, norm, x);
        dropout.forward(x, random, mask);
    }

    /// Adds all gradients; `dx` are those of `space.x`, and the tagger's scores have been replaced by gradients.
    pub fn backward(
        &self,
        parameters: &Parameters,
        mut dx: Vec<f32>,
        dropout: Dropout,
        space: &mut EncoderSpace,
        gradients: &mut Gradients,
    ) {
        let EncoderSpace { starts, layers, tagger, .. } = space;
        for (number, (layer, room)) in self.layers.iter().zip(layers).enumerate().rev() {
            if number + 1 == self.tag_layer {
                self.tagger.backward(parameters, &mut dx, tagger, gradients);
            }
            layer.backward(parameters, (&mut dx, starts), dropout, room, gradients);
        }
        dropout.backward(&mut dx, &space.mask);
        space.sums.fill(0.0);
        self.norm.backward(parameters, &mut dx, &space.norm, gradients, &mut space.sums);
        self.embed_back(parameters, space, gradients);
    }

    fn embed_back(&self, parameters: &Parameters, space: &mut EncoderSpace, gradients: &mut Gradients) {
        let EncoderSpace { forms, places, words, starts, spelling, sums, .. } = space;
        let d = self.width;
        let mut dv = vec![0.0; forms.len() * d];
        let mut items = words.iter().zip(places);
        for list in starts.windows(2) {
            let (root, rows) = sums[list[0] * d..list[1] * d].split_at(d);
            gradients.dense(self.root).iter_mut().zip(root).for_each(|(sum, g)| *sum += g);
            for (row, (word, place)) in rows.chunks_exact(d).zip(&mut items) {
                self.words.backward(std::iter::once(word), row, gradients);
                dv[*place * d..(*place + 1) * d].iter_mut().zip(row).for_each(|(sum, g)| *sum += g);
            }
        }
        self.spelling.backward(parameters, &mut dv, spelling, gradients);
    }
}

/// Rows of items, and the distinct forms among them.
fn arrange((forms, lists, words): Inputs<'_>, chosen: Range<usize>, space: &mut EncoderSpace) {
    let EncoderSpace { forms: distinct, places, words: rows, starts, .. } = space;
    starts.clear();
    starts.push(0);
    for length in chosen.clone().map(|list| lists.range(list).len()).filter(|length| *length > 0) {
        starts.push(starts.last().copied().unwrap_or_default() + length + 1);
    }
    let range = lists.range_of(chosen);
    let items = &lists.items()[range.clone()];
    distinct.clear();
    distinct.extend_from_slice(items);
    distinct.sort_unstable();
    distinct.dedup();
    places.clear();
    places.extend(items.iter().map(|form| distinct.partition_point(|other| other < form)));
    rows.clear();
    match words {
        [] => rows.extend(items.iter().map(|form| forms.word(*form))),
        given => rows.extend_from_slice(&given[range]),
    }
}

#[derive(Clone, Debug)]
pub(in crate::networks) struct Recurrent {
    pub norm: LayerNorm,
    pub sru: Sru,
    pub projection: Option<Dense>,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub(in crate::networks) struct RecurrentSpace {
    norm: LayerNormWorkspace,
    u: Vec<f32>,
    sru: SruWorkspace,
    y: Vec<f32>,
    projected: Vec<f32>,
    mask: Vec<f32>,
}

impl Recurrent {
    pub fn new(parameters: &mut Parameters, name: &str, shape: &EncoderShape, random: &mut Random) -> Self {
        let (d, units) = (shape.width, shape.units);
        let norm = LayerNorm::new(parameters, &format!("{name}.norm"), d);
        let sru = Sru::new(parameters, &format!("{name}.sru"), [d, units], random);
        let sizes = [2 * units, d];
        let projection = shape
            .is_projected()
            .then(|| Dense::new(parameters, &format!("{name}.projection"), sizes, Activation::Identity, random));
        Recurrent { norm, sru, projection }
    }

    pub fn forward(
        &self,
        parameters: &Parameters,
        (x, starts): (&mut [f32], &[usize]),
        (dropout, random): (Dropout, Option<&mut Random>),
        space: &mut RecurrentSpace,
    ) {
        self.norm.forward(parameters, x, &mut space.norm, &mut space.u);
        self.sru.forward(parameters, &space.u, starts, &mut space.sru, &mut space.y);
        let out = match &self.projection {
            None => &mut space.y,
            Some(projection) => {
                projection.forward(parameters, &space.y, &mut space.projected);
                &mut space.projected
            }
        };
        dropout.forward(out, random, &mut space.mask);
        x.iter_mut().zip(out).for_each(|(x, y)| *x += *y);
    }

    /// Adds the gradients of all weights; `dx` has the gradients of the output, and those of the input are added to it.
    pub fn backward(
        &self,
        parameters: &Parameters,
        (dx, starts): (&mut [f32], &[usize]),
        dropout: Dropout,
        space: &mut RecurrentSpace,
        gradients: &mut Gradients,
    ) {
        let mut dy = dx.to_vec();
        dropout.backward(&mut dy, &space.mask);
        if let Some(projection) = &self.projection {
            dy = projection.backward(parameters, &space.y, &space.projected, &mut dy, gradients);
        }
        let mut du = self.sru.backward(parameters, &space.u, starts, &dy, &mut space.sru, gradients);
        self.norm.backward(parameters, &mut du, &space.norm, gradients, dx);
    }
}
