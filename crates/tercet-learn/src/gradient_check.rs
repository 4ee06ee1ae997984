//! Finite differences, for tests.

use crate::parameters::{Gradients, Parameters};

/// The derivative of a function that is computed in single precision, by central differences.
pub(crate) fn derivative(at: f64, function: impl Fn(f64) -> f64) -> f64 {
    let (low, high) = (f64::from((at - 2e-3) as f32), f64::from((at + 2e-3) as f32));
    (function(high) - function(low)) / (high - low)
}

/// Compares analytic gradients of all parameters with finite differences of a loss.
pub(crate) fn check_parameters(
    parameters: &mut Parameters,
    gradients: &Gradients,
    step: f32,
    loss: impl Fn(&Parameters) -> f64,
) {
    for tensor in 0..parameters.tensors().len() {
        let name = parameters.tensors()[tensor].name.clone();
        for at in 0..parameters.tensors()[tensor].values.len() {
            let slope = slope(parameters, step, &loss, |p| &mut p.tensors_mut()[tensor].values[at]);
            assert_close(slope, gradients.element(tensor, at), &format!("{name}[{at}]"));
        }
    }
}

fn slope<P>(place: &mut P, step: f32, loss: &impl Fn(&P) -> f64, element: impl Fn(&mut P) -> &mut f32) -> f64 {
    let kept = *element(place);
    let (low, high) = (kept - step, kept + step);
    *element(place) = high;
    let above = loss(place);
    *element(place) = low;
    let below = loss(place);
    *element(place) = kept;
    (above - below) / f64::from(high - low)
}

/// Compares analytic gradients of inputs with finite differences of a loss.
pub(crate) fn check_inputs(inputs: &[f32], gradients: &[f32], step: f32, loss: impl Fn(&[f32]) -> f64) {
    let mut moved = inputs.to_vec();
    for (at, gradient) in gradients.iter().enumerate() {
        let loss = |moved: &Vec<f32>| loss(moved);
        let slope = slope(&mut moved, step, &loss, |moved| &mut moved[at]);
        assert_close(slope, *gradient, &format!("input[{at}]"));
    }
}

/// Compares the gradients of a layer, by parameters and inputs, with finite differences of Σ weight · output.
/// `backward` turns the gradients of the outputs into those of the inputs, given the workspace of the forward pass.
pub(crate) fn check_layer<S: Default>(
    parameters: &mut Parameters,
    (x, weights): (&[f32], &[f32]),
    step: f32,
    forward: impl Fn(&Parameters, &[f32], &mut S) -> Vec<f32>,
    backward: impl Fn(&Parameters, &mut [f32], &mut S, &mut Gradients) -> Vec<f32>,
) {
    let loss = |parameters: &Parameters, x: &[f32]| {
        let y = forward(parameters, x, &mut S::default());
        y.iter().zip(weights).map(|(y, w)| f64::from(y * w)).sum()
    };
    let (mut space, mut gradients) = (S::default(), Gradients::zeros(parameters));
    forward(parameters, x, &mut space);
    let dx = backward(parameters, &mut weights.to_vec(), &mut space, &mut gradients);
    check_inputs(x, &dx, step, |x| loss(parameters, x));
    check_parameters(parameters, &gradients, step, |parameters| loss(parameters, x));
}

fn assert_close(slope: f64, gradient: f32, what: &str) {
    let error = (slope - f64::from(gradient)).abs();
    assert!(error < 2e-3 + 1e-2 * slope.abs(), "{what}: finite difference {slope}, backward pass {gradient}");
}

/// sin(0.7 i + phase) for i = 0, 1, …: numbers that both tests and their PyTorch snippets can generate.
pub(crate) fn wave(count: usize, phase: f64) -> Vec<f32> {
    (0..count).map(|i| (i as f64 * 0.7 + phase).sin() as f32).collect()
}

/// Compares numbers of a layer with those of PyTorch.
pub(crate) fn assert_all_close(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 2e-6, "[{at}]: {found}, PyTorch {expected}");
    }
}
