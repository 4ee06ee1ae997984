//! Equality with PyTorch's optimizers (2.15).
//!
//! ```text
//! def wave(n, phase): return torch.sin(torch.arange(n, dtype=torch.float64) * 0.7 + phase)
//! w = wave(3, 0.1).requires_grad_()
//! opt = torch.optim.Adagrad([w], lr=0.1, weight_decay=0.01)     # and SGD, Adam, AdamW
//! for step in range(3): w.grad = wave(3, 1.0 + step); opt.step()
//! ```

use super::*;
use crate::gradient_check::{assert_all_close, wave};
use crate::parameters::TensorId;

/// PyTorch's constants.
const ADAMW: Method = Method::AdamW { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

fn settings(method: Method) -> OptimizerSettings {
    OptimizerSettings { method, learning_rate: 0.1, weight_decay: 0.01, anchor_decay: 0.5, decay_biases: false }
}

fn one(role: Role, shape: [usize; 2], values: Vec<f32>) -> (Parameters, TensorId) {
    let mut parameters = Parameters::default();
    let id = parameters.add("w", role, shape, values);
    (parameters, id)
}

#[test]
fn three_steps_are_pytorchs() {
    for (method, expected) in [
        (Method::Sgd, [-0.08939549, 0.6265263, 1.047783]),
        (Method::ADAGRAD, [-0.08477458, 0.6209067, 1.01046]),
        (Method::ADAM, [-0.1843802, 0.490568, 0.8923455]),
        (ADAMW, [-0.1844279, 0.4895285, 0.8923565]),
    ] {
        let (mut parameters, w) = one(Role::Weight, [1, 3], wave(3, 0.1));
        let mut optimizer = Optimizer::new(settings(method), &parameters).unwrap();
        for step in 0..3 {
            let mut gradients = Gradients::zeros(&parameters);
            gradients.dense(w).copy_from_slice(&wave(3, 1.0 + f64::from(step)));
            optimizer.step(&mut parameters, &gradients);
        }
        assert_all_close(parameters.values(w), &expected);
    }
}

#[test]
fn touched_rows_move_as_a_dense_tensor_would_and_others_stay() {
    for method in [Method::Sgd, Method::ADAGRAD, Method::ADAM] {
        let (mut dense, w) = one(Role::Weight, [1, 2], vec![0.5, -0.5]);
        let (mut sparse, e) = one(Role::Embedding, [3, 2], vec![1.0, 1.0, 0.5, -0.5, 2.0, 2.0]);
        let mut optimizers = [&dense, &sparse].map(|parameters| Optimizer::new(settings(method), parameters).unwrap());
        for step in 0..3 {
            let gradient = wave(2, f64::from(step));
            let mut gradients = Gradients::zeros(&dense);
            gradients.dense(w).copy_from_slice(&gradient);
            optimizers[0].step(&mut dense, &gradients);
            let mut gradients = Gradients::zeros(&sparse);
            gradients.rows(e).add(1, &gradient);
            optimizers[1].step(&mut sparse, &gradients);
        }
        assert_eq!(sparse.values(e)[2..4], *dense.values(w));
        assert_eq!((&sparse.values(e)[..2], &sparse.values(e)[4..]), (&[1.0, 1.0][..], &[2.0, 2.0][..]));
    }
}

#[test]
fn anchored_tensors_are_pulled_home_and_biases_do_not_decay() {
    let mut parameters = Parameters::default();
    let anchored = parameters.add("anchored", Role::Embedding, [1, 1], vec![2.0]);
    parameters.anchor(anchored);
    parameters.values_mut(anchored)[0] = 3.0;
    let bias = parameters.add("bias", Role::Bias, [1, 1], vec![4.0]);
    let weight = parameters.add("weight", Role::Weight, [1, 1], vec![4.0]);
    let mut gradients = Gradients::zeros(&parameters);
    gradients.rows(anchored).add(0, &[0.0]);
    let mut optimizer = Optimizer::new(settings(Method::Sgd), &parameters).unwrap();
    optimizer.step(&mut parameters, &gradients);
    assert_all_close(parameters.values(anchored), &[3.0 - 0.1 * 0.5]);
    assert_eq!(parameters.values(bias), [4.0]);
    assert_all_close(parameters.values(weight), &[4.0 - 0.1 * 0.01 * 4.0]);
    let all = OptimizerSettings { decay_biases: true, ..settings(Method::Sgd) };
    Optimizer::new(all, &parameters).unwrap().step(&mut parameters, &gradients);
    assert_all_close(parameters.values(bias), &[4.0 - 0.1 * 0.01 * 4.0]);
}

#[test]
fn settings_out_of_range_and_states_of_others_are_refused() {
    let (parameters, _) = one(Role::Weight, [1, 1], vec![0.0]);
    for (bad, name) in [
        (OptimizerSettings { learning_rate: 0.0, ..Default::default() }, "learning_rate"),
        (OptimizerSettings { weight_decay: f32::NAN, ..Default::default() }, "weight_decay"),
        (
            OptimizerSettings { method: Method::Adam { beta1: 1.0, beta2: 0.9, epsilon: 0.0 }, ..Default::default() },
            "beta1",
        ),
    ] {
        let error = Optimizer::new(bad, &parameters).unwrap_err().to_string();
        assert!(error.starts_with(&format!("setting `{name}` cannot be")), "{error}");
    }
    let mut optimizer = Optimizer::new(OptimizerSettings::default(), &parameters).unwrap();
    let error = optimizer.restore(1, vec![vec![]]).unwrap_err().to_string();
    assert_eq!(error, "the saved state does not fit: its optimizer is not adagrad with these tensors");
}

#[test]
fn rows_that_adamw_does_not_touch_are_carried_on() {
    // w = torch.tensor([.5, -.5]); AdamW([w], lr=0.1, weight_decay=0.01, betas=(.9, .95)); gradients wave(2, .5), 0, 0
    let method = Method::AdamW { beta1: 0.9, beta2: 0.95, epsilon: 1e-8 };
    let (mut parameters, e) = one(Role::Embedding, [2, 2], vec![0.5, -0.5, 0.0, 0.0]);
    let mut optimizer = Optimizer::new(settings(method), &parameters).unwrap();
    let mut gradients = Gradients::zeros(&parameters);
    gradients.rows(e).add(0, &wave(2, 0.5));
    for _ in 0..3 {
        optimizer.step(&mut parameters, &gradients);
        gradients.clear();
    }
    assert_all_close(&parameters.values(e)[..2], &[0.2777665, -0.7192365]);
    assert_eq!(parameters.values(e)[2..], [0.0, 0.0]);
}

#[test]
fn a_step_has_its_own_rate_and_anchored_tensors_are_drawn_home_beside_the_gradient() {
    let (mut parameters, w) = one(Role::Weight, [1, 1], vec![2.0]);
    parameters.anchor(w);
    parameters.values_mut(w)[0] = 3.0;
    let mut optimizer = Optimizer::new(settings(ADAMW), &parameters).unwrap();
    let gradients = Gradients::zeros(&parameters);
    optimizer.step_at(&mut parameters, &gradients, 0.2);
    assert_all_close(parameters.values(w), &[3.0 - 0.2 * 0.5 * 1.0]);
}

#[test]
fn a_tensor_moves_at_its_own_rate() {
    for method in [Method::Sgd, ADAMW] {
        let moved = |rate: f32| {
            let (mut parameters, w) = one(Role::Bias, [1, 2], vec![0.0; 2]);
            parameters.tensors_mut()[0].rate = rate;
            let mut optimizer = Optimizer::new(settings(method), &parameters).unwrap();
            let mut gradients = Gradients::zeros(&parameters);
            gradients.dense(w).copy_from_slice(&[1.0, -2.0]);
            optimizer.step(&mut parameters, &gradients);
            parameters.values(w).to_vec()
        };
        let whole = moved(1.0);
        assert!(whole[0] < 0.0 && whole[1] > 0.0, "{whole:?}");
        assert_all_close(&moved(0.25), &[0.25 * whole[0], 0.25 * whole[1]]);
    }
}

#[test]
fn gradients_are_cut_to_a_norm_over_all_tensors_together() {
    let mut parameters = Parameters::default();
    let weight = parameters.add("weight", Role::Weight, [1, 2], vec![0.0; 2]);
    let rows = parameters.add("rows", Role::Embedding, [3, 1], vec![0.0; 3]);
    let mut gradients = Gradients::zeros(&parameters);
    gradients.dense(weight).copy_from_slice(&[3.0, 4.0]);
    gradients.rows(rows).add(1, &[12.0]);
    assert_eq!(clip(&mut gradients, 20.0), 13.0);
    assert_eq!(gradients.dense(weight), [3.0, 4.0]);
    assert_eq!(clip(&mut gradients, 6.5), 13.0);
    assert_eq!((gradients.dense(weight)[1], gradients.rows(rows).row(1)), (2.0, &[6.0][..]));
    let half = gradients.clone();
    gradients.add(&half);
    assert_eq!((gradients.dense(weight)[0], gradients.rows(rows).row(1)), (3.0, &[12.0][..]));
}
