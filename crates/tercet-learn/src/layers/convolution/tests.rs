//! Equality with PyTorch (2.15), and finite differences.
//!
//! ```text
//! def wave(n, phase): return torch.sin(torch.arange(n, dtype=torch.float64) * 0.7 + phase)
//! D, N, L, lens = 2, 3, 3, [2, 4]
//! x = wave(sum(lens) * D, 0.1).reshape(-1, D); W = wave(N * L * D, 0.2).reshape(N, L * D); b = wave(N, 0.3)
//! out = []                                                               # all with requires_grad_()
//! for part in x.split(lens):
//!     h = F.conv1d(part.T[None], W.reshape(N, L, D).transpose(1, 2), b, padding=L - 1)
//!     out.append(torch.tanh(h)[0].max(dim=1).values)
//! out = torch.stack(out); (out * wave(out.numel(), 0.5).reshape(out.shape)).sum().backward()
//! print(out, x.grad, W.grad[1], b.grad)
//! ```

use super::*;
use crate::gradient_check::{assert_all_close, check_inputs, check_parameters, wave};

#[test]
fn maps_and_gradients_are_pytorchs() {
    let mut parameters = Parameters::default();
    let random = &mut Random::stream(0, "test", 0);
    let layer = Convolution::new(&mut parameters, "layer", 2, [3, 3], Activation::Tanh, random);
    parameters.values_mut(layer.weight).copy_from_slice(&wave(18, 0.2));
    parameters.values_mut(layer.bias).copy_from_slice(&wave(3, 0.3));
    let (mut space, mut out, starts) = (ConvolutionWorkspace::default(), [0.0; 6], [0, 2, 6]);
    layer.forward(&parameters, &wave(12, 0.1), &starts, &mut space, &mut out);
    assert_all_close(&out, &[0.9859955, 0.9878497, 0.9493191, 0.9414539, 0.9997316, 0.994873]);
    let (mut gradients, mut dx) = (Gradients::zeros(&parameters), [0.0; 12]);
    layer.backward(&parameters, &starts, &wave(6, 0.5), &mut space, &mut gradients, Some(&mut dx));
    let expected = [
        -0.007809829,
        0.01528774,
        0.0998526,
        0.04406614,
        -0.005684534,
        -0.0009633282,
        0.004291511,
        0.007483128,
        0.01879619,
        0.04936066,
        0.05850203,
        0.04360943,
    ];
    assert_all_close(&dx, &expected);
    let expected = [7.756435e-05, 8.118435e-05, 0.00229403, 0.01613895, 0.02239347, 0.01811599];
    assert_all_close(&gradients.dense(layer.weight)[6..12], &expected);
    assert_all_close(gradients.dense(layer.bias), &[0.07192842, 0.02242692, 0.08574764]);
}

#[test]
fn gradients_agree_with_differences_for_many_shapes() {
    let shapes: [(usize, usize, usize, &[usize]); 4] =
        [(1, 1, 1, &[1]), (2, 3, 2, &[3, 0, 1]), (3, 2, 4, &[2, 5]), (2, 4, 1, &[0, 4])];
    for (number, (d, filters, length, lengths)) in shapes.into_iter().enumerate() {
        let poolings = [None, Some(1), Some(2), Some(3), Some(99)];
        let activations = [Activation::Tanh, Activation::Relu].into_iter();
        for (activation, pooling) in activations.flat_map(|g| poolings.map(|pooling| (g, pooling))) {
            let mut parameters = Parameters::default();
            let random = &mut Random::stream(number as u64, "test", 7);
            let layer = Convolution::new(&mut parameters, "layer", d, [filters, length], activation, random)
                .with_pooling(pooling);
            parameters.values_mut(layer.bias).iter_mut().for_each(|b| *b = random.uniform(0.2, 0.4));
            let mut starts = vec![0];
            lengths.iter().for_each(|length| starts.push(starts.last().unwrap() + length));
            let words = *starts.last().unwrap();
            let x: Vec<f32> = (0..words * d).map(|_| random.uniform(-1.0, 1.0)).collect();
            let weights = wave(lengths.len() * filters, 0.9);
            let run = |parameters: &Parameters, x: &[f32], space: &mut ConvolutionWorkspace| {
                let mut out = vec![0.0; weights.len()];
                layer.forward(parameters, x, &starts, space, &mut out);
                out.iter().zip(&weights).map(|(x, w)| f64::from(x * w)).sum::<f64>()
            };
            let mut space = ConvolutionWorkspace::default();
            run(&parameters, &x, &mut space);
            let (mut gradients, mut dx) = (Gradients::zeros(&parameters), vec![0.0; x.len()]);
            layer.backward(&parameters, &starts, &weights, &mut space, &mut gradients, Some(&mut dx));
            check_inputs(&x, &dx, 1e-3, |x| run(&parameters, x, &mut Default::default()));
            let loss = |parameters: &Parameters| run(parameters, &x, &mut Default::default());
            check_parameters(&mut parameters, &gradients, 1e-3, loss);
        }
    }
}

#[test]
fn filters_reach_the_words_at_both_ends_and_no_words_give_zeros() {
    let mut parameters = Parameters::default();
    let random = &mut Random::stream(0, "test", 0);
    let layer = Convolution::new(&mut parameters, "layer", 1, [2, 3], Activation::Identity, random);
    // One filter reads only the last word of its window, the other only the first.
    parameters.values_mut(layer.weight).copy_from_slice(&[0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    parameters.values_mut(layer.bias).copy_from_slice(&[0.5, 0.5]);
    let mut out = [9.0; 4];
    layer.forward(&parameters, &[7.0, 1.0, 8.0], &[0, 3, 3], &mut Default::default(), &mut out);
    assert_eq!(out, [8.5, 8.5, 0.0, 0.0]);
}

#[test]
fn windows_of_p_positions_are_averaged_between_the_mean_and_the_maximum() {
    let mut parameters = Parameters::default();
    let random = &mut Random::stream(0, "test", 0);
    let layer = Convolution::new(&mut parameters, "layer", 1, [1, 2], Activation::Identity, random);
    parameters.values_mut(layer.weight).copy_from_slice(&[0.0, 1.0]);
    // The filter reads the last word of its window: the maps are 4, 1, 3, 0 and 2, 0.
    let pooled = |pooling: Option<usize>| {
        let (layer, mut out) = (layer.clone().with_pooling(pooling), [9.0; 3]);
        let tokens = [4.0, 1.0, 3.0, 2.0];
        layer.forward(&parameters, &tokens, &[0, 3, 3, 4], &mut Default::default(), &mut out);
        out
    };
    assert_eq!(pooled(Some(1)), [2.0, 0.0, 1.0]);
    assert_eq!(pooled(Some(2)), [(4.0 + 3.0 + 3.0) / 3.0, 0.0, 2.0]);
    assert_eq!(pooled(Some(3)), [(4.0 + 3.0) / 2.0, 0.0, 2.0]);
    assert_eq!(pooled(Some(4)), [4.0, 0.0, 2.0]);
    assert_eq!(pooled(Some(usize::MAX)), pooled(None));
}
