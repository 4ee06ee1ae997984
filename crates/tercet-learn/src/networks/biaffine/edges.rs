//! Scores of heads and labels, on top of the encoder.
//!
//! ```text
//! x′ = dropout(norm(x)),   [A x′; B x′; C x′; D x′] + bias          one product; widths arc, arc, label and label
//! heads from a = dropout(gelu(A x′)), b = dropout(gelu(B x′)) by the biaffine form; labels from C x′ and D x′
//! ```
//!
//! The bias of D is redundant (that of C is added to it).

use super::{Analysis, BiaffineShape};
use crate::activation::{Activation, quick_gelu, quick_gelu_slope};
use crate::layers::{
    ArcLabels, ArcLabelsWorkspace, ArcWorkspace, Biaffine, Dense, Dropout, LayerNorm, LayerNormWorkspace,
};
use crate::loss::cross_entropy;
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;

#[derive(Clone, Debug)]
pub(super) struct Edges {
    arc: usize,
    label: usize,
    labels: usize,
    pub norm: LayerNorm,
    pub projection: Dense,
    pub biaffine: Biaffine,
    pub arc_labels: ArcLabels,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgesSpace {
    norm: LayerNormWorkspace,
    x: Vec<f32>,
    mask: Vec<f32>,
    /// Rows × (2 arc + 2 label).
    projected: Vec<f32>,
    /// The four parts: a and b after gelu and dropout.
    parts: [Vec<f32>; 4],
    masks: [Vec<f32>; 2],
    biaffine: ArcWorkspace,
    arc_labels: ArcLabelsWorkspace,
    /// Scores, then their gradients.
    arcs: Vec<f32>,
    labels: Vec<f32>,
}

impl Edges {
    pub fn new(parameters: &mut Parameters, shape: &BiaffineShape, dropout: Dropout, random: &mut Random) -> Self {
        let &BiaffineShape { encoder, arc, label, labels, .. } = shape;
        let width = encoder.width;
        let norm = LayerNorm::new(parameters, "edge.norm", width);
        let sizes = [width, 2 * arc + 2 * label];
        let projection = Dense::new(parameters, "edge", sizes, Activation::Identity, random);
        let biaffine = Biaffine::new(parameters, "arc", arc, random);
        let arc_labels = ArcLabels::new(parameters, "label", [label, labels], dropout, random);
        Edges { arc, label, labels, norm, projection, biaffine, arc_labels }
    }

    /// The ranges of the four parts in a row.
    fn parts(&self) -> [(usize, usize); 4] {
        let (arc, label) = (self.arc, self.label);
        [(0, arc), (arc, arc), (2 * arc, label), (2 * arc + label, label)]
    }

    /// Scores of all heads, and of labels for the given heads.
    pub fn forward(
        &self,
        parameters: &Parameters,
        x: &[f32],
        (starts, heads): (&[usize], &[u32]),
        (dropout, mut random): (Dropout, Option<&mut Random>),
        space: &mut EdgesSpace,
    ) {
        self.norm.forward(parameters, x, &mut space.norm, &mut space.x);
        dropout.forward(&mut space.x, random.as_deref_mut(), &mut space.mask);
        self.projection.forward(parameters, &space.x, &mut space.projected);
        let width = 2 * self.arc + 2 * self.label;
        for (part, (from, size)) in space.parts.iter_mut().zip(self.parts()) {
            part.clear();
            space.projected.chunks_exact(width).for_each(|row| part.extend_from_slice(&row[from..from + size]));
        }
        for (part, mask) in space.parts.iter_mut().zip(&mut space.masks) {
            part.iter_mut().for_each(|x| *x = quick_gelu(*x));
            dropout.forward(part, random.as_deref_mut(), mask);
        }
        let [a, b, c, e] = &space.parts;
        self.biaffine.forward(parameters, [a, b], starts, &mut space.biaffine, &mut space.arcs);
        let (room, scores) = (&mut space.arc_labels, &mut space.labels);
        self.arc_labels.forward(parameters, [c, e], (starts, heads), random, room, scores);
    }

    /// The losses of heads and labels; replaces the scores by their gradients.
    pub fn loss(
        &self,
        targets: &Analysis,
        (first, starts): (usize, &[usize]),
        scale: f32,
        space: &mut EdgesSpace,
    ) -> [f64; 2] {
        let (mut arcs, mut labels, mut item, mut rest) = (0.0, 0.0, first, &mut space.arcs[..]);
        for items in starts.windows(2).map(|list| list[1] - list[0] - 1) {
            let (scores, others) = std::mem::take(&mut rest).split_at_mut(items * (items + 1));
            rest = others;
            for row in scores.chunks_exact_mut(items + 1) {
                arcs += cross_entropy(row, targets.heads[item] as usize, scale);
                item += 1;
            }
        }
        for (row, label) in space.labels.chunks_exact_mut(self.labels).zip(&targets.labels[first..]) {
            labels += cross_entropy(row, usize::from(*label), scale);
        }
        [arcs, labels]
    }

    /// Adds the gradients of all weights; returns those of x.
    pub fn backward(
        &self,
        parameters: &Parameters,
        starts: &[usize],
        dropout: Dropout,
        space: &mut EdgesSpace,
        gradients: &mut Gradients,
    ) -> Vec<f32> {
        let [a, b, c, e] = &space.parts;
        let [mut da, mut db] =
            self.biaffine.backward(parameters, [a, b], starts, &space.arcs, &mut space.biaffine, gradients);
        let (mut dc, mut de) = (vec![0.0; c.len()], vec![0.0; e.len()]);
        let room = &space.arc_labels;
        self.arc_labels.backward(parameters, &mut space.labels, room, gradients, [&mut dc, &mut de]);
        dropout.backward(&mut da, &space.masks[0]);
        dropout.backward(&mut db, &space.masks[1]);
        let width = 2 * self.arc + 2 * self.label;
        let mut deltas = vec![0.0; space.projected.len()];
        for ((from, size), part) in self.parts().into_iter().zip([&da, &db, &dc, &de]) {
            for (row, part) in deltas.chunks_exact_mut(width).zip(part.chunks_exact(size)) {
                row[from..from + size].copy_from_slice(part);
            }
        }
        for (row, x) in deltas.chunks_exact_mut(width).zip(space.projected.chunks_exact(width)) {
            let arcs = row[..2 * self.arc].iter_mut().zip(x);
            arcs.for_each(|(g, x)| *g *= quick_gelu_slope(*x));
        }
        let mut dx = self.projection.backward(parameters, &space.x, &space.projected, &mut deltas, gradients);
        dropout.backward(&mut dx, &space.mask);
        let mut before = vec![0.0; dx.len()];
        self.norm.backward(parameters, &mut dx, &space.norm, gradients, &mut before);
        before
    }
}
