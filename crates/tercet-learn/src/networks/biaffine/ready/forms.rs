//! A cache of what the network computes for each form.

use super::stack::Layer;
use crate::layers::normalise;
use crate::networks::biaffine::BiaffineNetwork;
use crate::networks::lists::spelling::SpellingSpace;
use crate::networks::lists::{Forms, ListNetwork};

/// Number of forms per batch.
const BLOCK: usize = 256;

/// Precomputed vectors of forms and their products in the first layer: 2 kB per form at the default sizes. Clear it
/// from time to time to limit memory use.
#[derive(Clone, Debug, Default)]
pub struct ReadyForms {
    width: usize,
    gates: usize,
    /// The root first, then the forms.
    vectors: Vec<f32>,
    products: Vec<f32>,
}

impl ReadyForms {
    /// Number of forms.
    pub fn len(&self) -> usize {
        (self.vectors.len() / self.width.max(1)).saturating_sub(1)
    }

    /// Whether there are no forms.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all forms; allocated memory is kept.
    pub fn clear(&mut self) {
        self.vectors.clear();
        self.products.clear();
    }

    pub(super) fn extend(&mut self, forms: &Forms, network: &BiaffineNetwork, first: &Layer) {
        let (parameters, d) = (network.parameters(), network.shape().encoder.width);
        (self.width, self.gates) = (d, first.gates.outputs());
        let mut sums = Vec::new();
        if self.vectors.is_empty() {
            sums.extend_from_slice(parameters.values(network.encoder.root));
        }
        let (mut space, words) = (SpellingSpace::default(), network.encoder.words.values(parameters));
        let all: Vec<u32> = (0..forms.len() as u32).collect();
        for block in all.chunks(BLOCK) {
            network.encoder.spelling.forward(parameters, forms, block, &mut space);
            for (form, spelled) in block.iter().zip(space.vectors.chunks_exact(d)) {
                let word = forms.word(*form) as usize;
                sums.extend(words[word * d..(word + 1) * d].iter().zip(spelled).map(|(x, y)| x + y));
            }
        }
        let [gain, bias] = network.encoder.norm.tensors().map(|id| parameters.values(id));
        let from = self.vectors.len();
        self.vectors.resize(from + sums.len(), 0.0);
        let rows = self.vectors[from..].chunks_exact_mut(d).zip(sums.chunks_exact(d));
        rows.for_each(|(x, sum)| normalise(sum, gain, bias, x));
        let (mut u, mut products) = (Vec::new(), Vec::new());
        first.normal.apply(&self.vectors[from..], &mut u);
        first.gates.apply(&u, &mut products);
        self.products.extend_from_slice(&products);
    }

    /// Vectors and products of the rows of lists, roots included.
    pub(super) fn look_up(&self, items: &[u32], starts: &[usize], x: &mut Vec<f32>, z: &mut Vec<f32>) {
        x.clear();
        z.clear();
        let (mut items, d, gates) = (items.iter(), self.width, self.gates);
        for list in starts.windows(2) {
            let rows = items.by_ref().take(list[1] - list[0] - 1).map(|form| *form as usize + 1);
            for row in std::iter::once(0).chain(rows) {
                x.extend_from_slice(&self.vectors[row * d..(row + 1) * d]);
                z.extend_from_slice(&self.products[row * gates..(row + 1) * gates]);
            }
        }
    }
}
