//! Scores, loss and gradients equal PyTorch's (2.15) for a network whose tensors are sine waves: `pytorch.py`.

use super::*;

struct Expected {
    learned: Learned,
    scores: [f32; 5],
    loss: f64,
    /// The gradient of every tensor, times a wave, summed.
    gradients: &'static [(&'static str, f64)],
}

#[rustfmt::skip]
const PYTORCH: [Expected; 2] = [
    Expected {
        learned: Learned::Last,
        scores: [-0.6760337, -0.6635793, -0.703989, -0.6857612, -0.6534215],
        loss: 0.8868699,
        gradients: &[
            ("1.after_all.bias", -0.002693335),
            ("1.after_all.weight", 0.00347951),
            ("1.after_attention.bias", -0.003218867),
            ("1.after_attention.weight", 0.0009839274),
            ("1.attended.bias", -0.005743895),
            ("1.attended.weight", -0.09304128),
            ("1.down.bias", 0.002914509), ("1.down.weight", 0.003181376), ("1.key.bias", 0.0),
            ("1.key.weight", -0.01118206), ("1.query.bias", 0.008968877), ("1.query.weight", -0.05189358),
            ("1.up.bias", -0.006627822), ("1.up.weight", -0.01255034), ("1.value.bias", 0.1281377),
            ("1.value.weight", -0.006347732), ("head.bias", -0.08637467), ("head.matching.weight", -0.1218021),
            ("head.output.bias", -0.09894002), ("head.output.weight", 0.07304741), ("head.vectors.weight", 0.5357529),
            ("projection.weight", 2.524756e-05),
        ],
    },
    Expected {
        learned: Learned::All,
        scores: [-0.6200105, -0.6447133, -0.6442423, -0.6445974, -0.621854],
        loss: 0.858897,
        gradients: &[
            ("0.after_all.bias", -0.00259949),
            ("0.after_all.weight", 0.0001143953),
            ("0.after_attention.bias", -0.007859754),
            ("0.after_attention.weight", 0.004409918),
            ("0.attended.bias", -0.008424815),
            ("0.attended.weight", -0.00805858),
            ("0.down.bias", -0.002159116), ("0.down.weight", -0.002816939), ("0.key.bias", 0.0),
            ("0.key.weight", 0.0004115702), ("0.query.bias", -0.0003291053), ("0.query.weight", 0.001375356),
            ("0.up.bias", -0.001435025), ("0.up.weight", -0.005513743), ("0.value.bias", 0.006849914),
            ("0.value.weight", -0.002322708), ("1.after_all.bias", 0.002520612), ("1.after_all.weight", 0.004827622),
            ("1.after_attention.bias", -0.00525815),
            ("1.after_attention.weight", 0.004736155),
            ("1.attended.bias", -0.001226549),
            ("1.attended.weight", -0.01185317), ("1.down.bias", 0.0009875268), ("1.down.weight", 0.0007894784),
            ("1.key.bias", 0.0), ("1.key.weight", 0.0005749509), ("1.query.bias", -0.0003785398),
            ("1.query.weight", -0.001111153), ("1.up.bias", -0.002402719), ("1.up.weight", 0.001239268),
            ("1.value.bias", 0.00609445), ("1.value.weight", -0.006202722), ("head.bias", -0.002117394),
            ("head.matching.weight", -0.0441117), ("head.output.bias", -0.09625948), ("head.output.weight", 0.52822),
            ("head.vectors.weight", 0.5609702), ("norm.bias", -0.007428942), ("norm.weight", -0.0184236),
            ("positions", 0.008018963), ("projection.weight", 0.001123596), ("tokens", 0.005795656),
        ],
    },
];

fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 2e-6 + 1e-4 * expected.abs(), "{what}: {found}, PyTorch {expected}");
}

#[test]
fn scores_loss_and_gradients_are_pytorchs() {
    for expected in PYTORCH {
        let (mut network, lines) = (network(expected.learned), lines(expected.learned));
        let scores = network.scores(&groups(), &lines).concat();
        for (found, score) in scores.iter().zip(expected.scores) {
            assert_close((*found).into(), score.into(), "score");
        }
        let (loss, gradients) = loss_of(&mut network, &lines);
        assert_close(loss, expected.loss, "loss");
        assert_eq!(network.parameters.tensors().len(), expected.gradients.len());
        for (number, tensor) in network.parameters.tensors().iter().enumerate() {
            let name = short_name(&tensor.name);
            let weights = &wave(first_place(&name) + tensor.values.len(), 0.2)[first_place(&name)..];
            let sum: f64 =
                (0..weights.len()).map(|at| f64::from(gradients.element(number, at)) * f64::from(weights[at])).sum();
            let expected = expected.gradients.iter().find(|(known, _)| *known == name).unwrap();
            assert_close(sum, expected.1, &name);
        }
    }
}
