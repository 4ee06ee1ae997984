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

use super::Dense;
use crate::activation::Activation;
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
        space.query_gradients.clear();
        space.query_gradients.resize(a.len(), 0.0);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::{check_inputs, check_parameters, wave};

    #[test]
    fn gradients_agree_with_differences() {
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
}
