//! Finite differences on random trees, and what a tree is made of. `networks/similarity/tests/pytorch.rs` has PyTorch's
//! numbers.

use super::*;
use crate::gradient_check::{check_inputs, check_parameters, wave};
use crate::parameters::Gradients;

/// Heads and heights of a random tree: every word but the first of a random order hangs on an earlier one.
pub(crate) fn random_tree(words: usize, random: &mut Random) -> (Vec<u32>, Vec<u32>) {
    let mut order: Vec<usize> = (0..words).collect();
    random.shuffle(&mut order);
    let (mut heads, mut heights) = (vec![0; words], vec![0; words]);
    for at in (1..words).rev() {
        let head = order[random.below(at as u64) as usize];
        heads[order[at]] = head as u32 + 1;
    }
    for at in (1..words).rev() {
        let head = heads[order[at]] as usize - 1;
        heights[head] = heights[head].max(heights[order[at]] + 1);
    }
    (heads, heights)
}

fn layer(sizes: [usize; 2], output_gate: bool, random: &mut Random) -> (TreeLstm, Parameters) {
    let mut parameters = Parameters::default();
    let layer = TreeLstm::new(&mut parameters, "tree", sizes, output_gate, random);
    (layer, parameters)
}

#[test]
fn gradients_agree_with_differences_on_random_trees_and_chains() {
    let shapes: [([usize; 2], &[usize]); 4] =
        [([1, 1], &[1]), ([3, 2], &[2, 0, 7, 1]), ([2, 4], &[3, 3, 9]), ([4, 3], &[0, 1, 2, 5, 12])];
    for (number, (sizes, lengths)) in shapes.into_iter().enumerate() {
        for (output_gate, chains) in [(true, false), (false, false), (true, true), (false, true)] {
            let random = &mut Random::stream(number as u64, "test", 1);
            let (layer, mut parameters) = layer(sizes, output_gate, random);
            let mut batch = TreeBatch::default();
            for &length in lengths {
                let (heads, heights) = random_tree(length, random);
                if chains { batch.push_chain(length) } else { batch.push_tree(&heads, &heights) }
            }
            batch.arrange();
            // Fewer inputs than words, so that words share them.
            let inputs = batch.len().div_ceil(2);
            let input_of: Vec<u32> = (0..batch.len()).map(|_| random.below(inputs as u64) as u32).collect();
            let x: Vec<f32> = (0..inputs * sizes[0]).map(|_| random.uniform(-1.0, 1.0)).collect();
            let weights = wave(lengths.len() * sizes[1], 0.2);
            let space = || TreeLstmWorkspace { trees: batch.clone(), ..TreeLstmWorkspace::default() };
            let loss = |parameters: &Parameters, x: &[f32]| {
                let mut out = vec![9.0; weights.len()];
                layer.forward(parameters, x, &input_of, &mut space(), &mut out);
                out.iter().zip(&weights).map(|(x, w)| f64::from(x * w)).sum()
            };
            let (mut used, mut out) = (space(), vec![9.0; weights.len()]);
            // A second pass with the same workspace must not see the first.
            for _ in 0..2 {
                layer.forward(&parameters, &x, &input_of, &mut used, &mut out);
                let mut gradients = Gradients::zeros(&parameters);
                let mut dx = vec![0.0; x.len()];
                let both = [&x[..], &weights];
                layer.backward(&parameters, both, &input_of, &mut used, &mut gradients, Some(&mut dx));
                check_inputs(&x, &dx, 5e-3, |x| loss(&parameters, x));
                check_parameters(&mut parameters, &gradients, 5e-3, |parameters| loss(parameters, &x));
            }
        }
    }
}

#[test]
fn a_tree_does_not_depend_on_the_other_trees_of_its_batch() {
    let random = &mut Random::stream(3, "test", 0);
    let (layer, parameters) = layer([5, 7], true, random);
    let trees: Vec<_> = (0..40).map(|n| random_tree(n * 7 % 31, random)).collect();
    let x: Vec<f32> = (0..31 * 5).map(|_| random.uniform(-1.0, 1.0)).collect();
    let encode = |trees: &[(Vec<u32>, Vec<u32>)]| {
        let mut space = TreeLstmWorkspace::default();
        trees.iter().for_each(|(heads, heights)| space.trees.push_tree(heads, heights));
        space.trees.arrange();
        let input_of: Vec<u32> = trees.iter().flat_map(|(heads, _)| 0..heads.len() as u32).collect();
        let mut out = vec![9.0; trees.len() * 7];
        layer.forward(&parameters, &x, &input_of, &mut space, &mut out);
        out
    };
    let together = encode(&trees);
    for (tree, state) in trees.iter().zip(together.chunks_exact(7)) {
        assert_eq!(encode(std::slice::from_ref(tree)), state);
    }
    assert_eq!(together[..7], [0.0; 7], "a tree without words is the zero vector");
}
