//! Scores of heads: a biaffine form of two vectors per item (Dozat & Manning, 2017, eq. 6).
//!
//! ```text
//! s(i, j) = (U a_i + u) · b_j          a: an item as a dependent, b: as a head; i = 1 … n, j = 0 … n
//! ```
//!
//! The first row of a list is its root, which can be a head but has no head. `starts` count the rows, roots included;
//! scores of a list are n × (n + 1), one list after another, and s(i, i) is −∞.
//!
//! U starts small (with Glorot's limits the first choices would be random but confident): uniform with standard
//! deviation 0.5 / width.
//!
//! # Labels
//! Scores of the labels of arcs: a hidden layer over both ends (Kiperwasser & Goldberg, 2016, eq. 4).
//!
//! ```text
//! z = W · gelu(c_i + e_head(i)) + b          c: an item as a dependent, e: as a head
//! ```
//!
//! Dozat and Manning score labels with a biaffine form for every label; a sum of both ends is cheaper.
//! The first row of a list is its root; each item has one arc, to its head.

use super::{Dense, Dropout, set_zeros};
use crate::activation::{Activation, quick_gelu, quick_gelu_slope};
use crate::matrix::{View, multiply};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;

#[derive(Clone, Debug)]
pub struct Biaffine {
    width: usize,
    query: Dense,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct ArcWorkspace {
    /// U a + u.
    queries: Vec<f32>,
    query_gradients: Vec<f32>,
}

impl Biaffine {
    /// Adds `name.weight` (width × width) and `name.bias` (zero) to the parameters.
    pub fn new(parameters: &mut Parameters, name: &str, width: usize, random: &mut Random) -> Self {
        let query = Dense::new(parameters, name, [width, width], Activation::Identity, random);
        // Glorot's limit for a square matrix is √(3 / width), with standard deviation 1 / √width.
        let factor = 0.5 / (width as f32).sqrt();
        parameters.values_mut(query.weight()).iter_mut().for_each(|w| *w *= factor);
        Biaffine { width, query }
    }

    /// U and u.
    pub(crate) fn query(&self) -> &Dense {
        &self.query
    }

    /// All scores.
    pub fn forward(
        &self,
        parameters: &Parameters,
        [a, b]: [&[f32]; 2],
        starts: &[usize],
        space: &mut ArcWorkspace,
        scores: &mut Vec<f32>,
    ) {
        let width = self.width;
        self.query.forward(parameters, a, &mut space.queries);
        scores.clear();
        for list in starts.windows(2).filter(|list| list[1] > list[0] + 1) {
            let (items, first) = (list[1] - list[0] - 1, scores.len());
            scores.resize(first + items * (items + 1), 0.0);
            let queries = View::new(&space.queries[(list[0] + 1) * width..], items, width);
            let heads = View::new(&b[list[0] * width..], items + 1, width);
            multiply(queries, heads.transposed(), 0.0, &mut scores[first..], items + 1);
            (0..items).for_each(|item| scores[first + item * (items + 1) + item + 1] = f32::NEG_INFINITY);
        }
    }

    /// Adds the gradients of U and u, and returns those of a and b.
    pub fn backward(
        &self,
        parameters: &Parameters,
        [a, b]: [&[f32]; 2],
        starts: &[usize],
        score_gradients: &[f32],
        space: &mut ArcWorkspace,
        gradients: &mut Gradients,
    ) -> [Vec<f32>; 2] {
        let width = self.width;
        set_zeros(&mut space.query_gradients, a.len());
        let (mut db, mut first) = (vec![0.0; b.len()], 0);
        for list in starts.windows(2).filter(|list| list[1] > list[0] + 1) {
            let items = list[1] - list[0] - 1;
            let (items_at, list_at) = ((list[0] + 1) * width, list[0] * width);
            let deltas = View::new(&score_gradients[first..], items, items + 1);
            let heads = View::new(&b[list_at..], items + 1, width);
            multiply(deltas, heads, 0.0, &mut space.query_gradients[items_at..], width);
            let queries = View::new(&space.queries[items_at..], items, width);
            multiply(deltas.transposed(), queries, 0.0, &mut db[list_at..], width);
            first += items * (items + 1);
        }
        let da = self.query.backward(parameters, a, &space.queries, &mut space.query_gradients, gradients);
        [da, db]
    }
}

#[derive(Clone, Debug)]
pub struct ArcLabels {
    width: usize,
    dropout: Dropout,
    output: Dense,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct ArcLabelsWorkspace {
    /// The row of the dependent and of the head of every arc.
    ends: Vec<[usize; 2]>,
    sums: Vec<f32>,
    hidden: Vec<f32>,
    mask: Vec<f32>,
}

impl ArcLabels {
    /// Adds `name.weight` (labels × width) and `name.bias` (zero) to the parameters.
    pub fn new(
        parameters: &mut Parameters,
        name: &str,
        [width, labels]: [usize; 2],
        dropout: Dropout,
        random: &mut Random,
    ) -> Self {
        let output = Dense::new(parameters, name, [width, labels], Activation::Identity, random);
        ArcLabels { width, dropout, output }
    }

    /// W and b.
    pub(crate) fn output(&self) -> &Dense {
        &self.output
    }

    /// Scores of every arc; `heads` are positions in the list, 0 for the root.
    pub fn forward(
        &self,
        parameters: &Parameters,
        [c, e]: [&[f32]; 2],
        (starts, heads): (&[usize], &[u32]),
        random: Option<&mut Random>,
        space: &mut ArcLabelsWorkspace,
        scores: &mut Vec<f32>,
    ) {
        let width = self.width;
        space.ends.clear();
        let items = starts.windows(2).flat_map(|list| (list[0] + 1..list[1]).map(|row| (row, list[0])));
        space.ends.extend(items.zip(heads).map(|((row, root), head)| [row, root + *head as usize]));
        space.sums.clear();
        for &[row, head] in &space.ends {
            let (c, e) = (&c[row * width..(row + 1) * width], &e[head * width..(head + 1) * width]);
            space.sums.extend(c.iter().zip(e).map(|(c, e)| c + e));
        }
        space.hidden.clear();
        space.hidden.extend(space.sums.iter().map(|x| quick_gelu(*x)));
        self.dropout.forward(&mut space.hidden, random, &mut space.mask);
        self.output.forward(parameters, &space.hidden, scores);
    }

    /// Adds the gradients of W and b, and those of c and e to `dc` and `de`; `score_gradients` is overwritten.
    pub fn backward(
        &self,
        parameters: &Parameters,
        score_gradients: &mut [f32],
        space: &ArcLabelsWorkspace,
        gradients: &mut Gradients,
        [dc, de]: [&mut [f32]; 2],
    ) {
        let scores = &*score_gradients.to_vec();
        let mut deltas = self.output.backward(parameters, &space.hidden, scores, score_gradients, gradients);
        self.dropout.backward(&mut deltas, &space.mask);
        deltas.iter_mut().zip(&space.sums).for_each(|(g, x)| *g *= quick_gelu_slope(*x));
        let width = self.width;
        for (&[row, head], delta) in space.ends.iter().zip(deltas.chunks_exact(width)) {
            dc[row * width..(row + 1) * width].iter_mut().zip(delta).for_each(|(sum, g)| *sum += g);
            de[head * width..(head + 1) * width].iter_mut().zip(delta).for_each(|(sum, g)| *sum += g);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::{check_inputs, check_parameters, wave};

    #[test]
    fn gradients_of_arcs_agree_with_differences() {
        let (width, starts) = (3, [0, 4, 4, 5, 7]);
        let mut parameters = Parameters::default();
        let layer = Biaffine::new(&mut parameters, "arc", width, &mut Random::stream(1, "test", 0));
        parameters.tensors_mut().iter_mut().for_each(|t| t.values = wave(t.values.len(), 0.3));
        let (a, b) = (wave(7 * width, 0.1), wave(7 * width, 0.6));
        let weights = wave(3 * 4 + 2, 0.9);
        let loss = |parameters: &Parameters, a: &[f32], b: &[f32]| {
            let mut scores = Vec::new();
            layer.forward(parameters, [a, b], &starts, &mut ArcWorkspace::default(), &mut scores);
            let finite = scores.iter().zip(&weights).filter(|(s, _)| s.is_finite());
            finite.map(|(s, w)| f64::from(s * w)).sum::<f64>()
        };
        let (mut space, mut scores) = (ArcWorkspace::default(), Vec::new());
        layer.forward(&parameters, [&a, &b], &starts, &mut space, &mut scores);
        assert_eq!(scores.iter().filter(|s| **s == f32::NEG_INFINITY).count(), 4, "no item is its own head");
        let deltas: Vec<f32> = scores.iter().zip(&weights).map(|(s, w)| if s.is_finite() { *w } else { 0.0 }).collect();
        let mut gradients = Gradients::zeros(&parameters);
        let [da, db] = layer.backward(&parameters, [&a, &b], &starts, &deltas, &mut space, &mut gradients);
        check_inputs(&a, &da, 5e-3, |a| loss(&parameters, a, &b));
        check_inputs(&b, &db, 5e-3, |b| loss(&parameters, &a, b));
        check_parameters(&mut parameters, &gradients, 5e-3, |parameters| loss(parameters, &a, &b));
    }

    #[test]
    fn gradients_of_labels_agree_with_differences() {
        let (width, starts, heads) = (3, [0, 4, 4, 5, 7], [2, 0, 2, 0]);
        let mut parameters = Parameters::default();
        let random = &mut Random::stream(1, "test", 0);
        let layer = ArcLabels::new(&mut parameters, "label", [width, 2], Dropout::default(), random);
        let (c, e, weights) = (wave(7 * width, 0.1), wave(7 * width, 0.6), wave(4 * 2, 0.9));
        let run = |parameters: &Parameters, c: &[f32], e: &[f32], space: &mut ArcLabelsWorkspace| {
            let mut scores = Vec::new();
            layer.forward(parameters, [c, e], (&starts, &heads), None, space, &mut scores);
            scores.iter().zip(&weights).map(|(s, w)| f64::from(s * w)).sum::<f64>()
        };
        let loss = |parameters: &Parameters, c: &[f32], e: &[f32]| run(parameters, c, e, &mut Default::default());
        let (mut space, mut gradients) = (ArcLabelsWorkspace::default(), Gradients::zeros(&parameters));
        run(&parameters, &c, &e, &mut space);
        let (mut dc, mut de) = (vec![0.0; c.len()], vec![0.0; e.len()]);
        let deltas = &mut weights.clone();
        layer.backward(&parameters, deltas, &space, &mut gradients, [&mut dc, &mut de]);
        assert!(dc[..width].iter().all(|g| *g == 0.0), "a root depends on nothing");
        check_inputs(&c, &dc, 5e-3, |c| loss(&parameters, c, &e));
        check_inputs(&e, &de, 5e-3, |e| loss(&parameters, &c, e));
        check_parameters(&mut parameters, &gradients, 5e-3, |parameters| loss(parameters, &c, &e));
    }
}
