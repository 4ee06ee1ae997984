//! Vectors of items in their list: the words, spellings and recurrent layers of the biaffine network, with a norm on top.

use super::SpanShape;
use crate::layers::layer_norm::LayerNormWorkspace;
use crate::layers::{Dropout, Embedding, LayerNorm};
use crate::networks::biaffine::recurrent::{Recurrent, RecurrentSpace};
use crate::networks::biaffine::spelling::{Spelling, SpellingSpace, VECTOR_DEVIATION, table};
use crate::networks::biaffine::tagger::{Tagger, TaggerSpace};
use crate::networks::biaffine::{Forms, Lists};
use crate::parameters::{Gradients, Parameters, Role, TensorId};
use crate::random::Random;
use std::ops::Range;

/// The layers.
#[derive(Clone, Debug)]
pub(super) struct Encoder {
    width: usize,
    tag_layer: usize,
    words: Embedding,
    root: TensorId,
    spelling: Spelling,
    norm: LayerNorm,
    layers: Vec<Recurrent>,
    pub tagger: Tagger,
    last: LayerNorm,
}

/// What a pass forward leaves for the pass backward.
#[derive(Clone, Debug, Default)]
pub(super) struct EncoderSpace {
    forms: Vec<u32>,
    places: Vec<usize>,
    words: Vec<u32>,
    /// First rows of the lists, roots included.
    pub starts: Vec<usize>,
    spelling: SpellingSpace,
    sums: Vec<f32>,
    norm: LayerNormWorkspace,
    x: Vec<f32>,
    mask: Vec<f32>,
    layers: Vec<RecurrentSpace>,
    pub tagger: TaggerSpace,
    last: LayerNormWorkspace,
    /// Rows × d, roots included.
    pub y: Vec<f32>,
    last_mask: Vec<f32>,
}

impl Encoder {
    pub fn new(parameters: &mut Parameters, shape: &SpanShape, random: &mut Random) -> Self {
        let (d, sizes) = (shape.width, shape.encoder());
        let words = table(parameters, "words", [shape.words, d], VECTOR_DEVIATION, random);
        let limit = VECTOR_DEVIATION * 3f32.sqrt();
        let root = (0..d).map(|_| random.uniform(-limit, limit)).collect();
        let root = parameters.add("root", Role::Weight, [1, d], root);
        let spelling = Spelling::new(parameters, &sizes, random);
        let norm = LayerNorm::new(parameters, "norm", d);
        let mut layer = |number: usize| Recurrent::new(parameters, &format!("layer{number}"), &sizes, random);
        let layers = (1..=shape.layers).map(&mut layer).collect();
        let tagger = Tagger::new(parameters, &sizes, random);
        let last = LayerNorm::new(parameters, "last.norm", d);
        Encoder { width: d, tag_layer: shape.tag_layer, words, root, spelling, norm, layers, tagger, last }
    }

    /// Vectors of the items of some lists, in `space.y`; lists without items have no rows. `words` are the words of
    /// all items, or none for those of the forms.
    pub fn forward(
        &self,
        parameters: &Parameters,
        (forms, lists, words): (&Forms, &Lists, &[u32]),
        range: Range<usize>,
        (dropout, mut random): (Dropout, Option<&mut Random>),
        space: &mut EncoderSpace,
    ) {
        arrange((forms, lists, words), range, space);
        self.embed(parameters, forms, dropout, random.as_deref_mut(), space);
        space.layers.resize_with(self.layers.len(), RecurrentSpace::default);
        let EncoderSpace { starts, x, layers, tagger, .. } = space;
        for (number, (layer, room)) in self.layers.iter().zip(layers).enumerate() {
            layer.forward(parameters, (x, starts), (dropout, random.as_deref_mut()), room);
            if number + 1 == self.tag_layer {
                self.tagger.forward(parameters, x, tagger);
            }
        }
        self.last.forward(parameters, &space.x, &mut space.last, &mut space.y);
        dropout.forward(&mut space.y, random, &mut space.last_mask);
    }

    fn embed(
        &self,
        parameters: &Parameters,
        forms: &Forms,
        dropout: Dropout,
        random: Option<&mut Random>,
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

    /// Adds all gradients; `dy` are those of `space.y`, and the tagger's scores are gradients by now.
    pub fn backward(
        &self,
        parameters: &Parameters,
        mut dy: Vec<f32>,
        dropout: Dropout,
        space: &mut EncoderSpace,
        gradients: &mut Gradients,
    ) {
        dropout.backward(&mut dy, &space.last_mask);
        let mut dx = vec![0.0; dy.len()];
        self.last.backward(parameters, &mut dy, &space.last, gradients, &mut dx);
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
fn arrange((forms, lists, words): (&Forms, &Lists, &[u32]), range: Range<usize>, space: &mut EncoderSpace) {
    let EncoderSpace { forms: chosen, places, words: rows, starts, .. } = space;
    starts.clear();
    starts.push(0);
    for length in range.clone().map(|list| lists.range(list).len()).filter(|length| *length > 0) {
        starts.push(starts.last().copied().unwrap_or_default() + length + 1);
    }
    let all =
        if range.is_empty() { 0..0 } else { lists.range(range.start).start..lists.range(range.end - 1).end };
    let items = &lists.items()[all.clone()];
    chosen.clear();
    chosen.extend_from_slice(items);
    chosen.sort_unstable();
    chosen.dedup();
    places.clear();
    places.extend(items.iter().map(|form| chosen.partition_point(|other| other < form)));
    rows.clear();
    match words {
        [] => rows.extend(items.iter().map(|form| forms.word(*form))),
        given => rows.extend_from_slice(&given[all]),
    }
}
