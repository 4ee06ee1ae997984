//! From trees to hidden states.

use super::{SimilarityNetwork, Trees};
use crate::layers::TreeLstmWorkspace;
use crate::parameters::Gradients;

/// The words of some trees, and what the layer needs.
#[derive(Clone, Debug, Default)]
pub struct EncoderWorkspace {
    lstm: TreeLstmWorkspace,
    /// The distinct words, sorted, and their vectors.
    distinct: Vec<u32>,
    x: Vec<f32>,
    /// The place of every word in `distinct`.
    input_of: Vec<u32>,
    /// Gradients of `x`.
    dx: Vec<f32>,
    /// Trees × H: hidden states, and their gradients.
    pub states: Vec<f32>,
    pub gradients: Vec<f32>,
}

impl SimilarityNetwork {
    /// The hidden states of these trees, which must have been checked, to `states` (trees × H).
    pub(super) fn encode_into(
        &self,
        trees: &Trees,
        numbers: impl Iterator<Item = usize> + Clone,
        space: &mut EncoderWorkspace,
        states: &mut [f32],
    ) {
        let EncoderWorkspace { lstm, distinct, x, input_of, .. } = space;
        lstm.trees.clear();
        numbers.clone().for_each(|number| trees.add_to(&mut lstm.trees, number, self.shape.encoding));
        lstm.trees.arrange();
        let words = || numbers.clone().flat_map(|number| trees.words(number));
        distinct.clear();
        distinct.extend(words());
        distinct.sort_unstable();
        distinct.dedup();
        let place = |word: &u32| distinct.binary_search(word).expect("every word is among the distinct ones");
        input_of.clear();
        input_of.extend(words().map(|word| place(word) as u32));
        x.clear();
        self.vectors.look_up(&self.parameters, distinct, x);
        self.encoder.forward(&self.parameters, x, input_of, lstm, states);
    }

    /// Backward pass for the last [`encode_into`](Self::encode_into) with this workspace, given the gradients of the
    /// states in it: adds to `gradients`.
    pub(super) fn encode_back(&self, space: &mut EncoderWorkspace, gradients: &mut Gradients) {
        let EncoderWorkspace { lstm, distinct, x, input_of, dx, gradients: states, .. } = space;
        let learned = self.vectors.is_learned();
        dx.clear();
        dx.resize(if learned { x.len() } else { 0 }, 0.0);
        let input_gradients = learned.then_some(&mut dx[..]);
        self.encoder.backward(&self.parameters, [x, states], input_of, lstm, gradients, input_gradients);
        self.vectors.backward(distinct.iter(), dx, gradients);
    }
}
