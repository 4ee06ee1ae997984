//! States, scores, losses and gradients equal PyTorch's (2.15) for a network whose tensors are sine waves:
//! `pytorch.py`.

use super::*;
use crate::gradient_check::wave;

struct Expected {
    encoding: TreeEncoding,
    output_gate: bool,
    /// Of the trees 0, 2 and 4.
    states: [f32; 12],
    scores: [f64; 4],
    loss: f64,
    /// The gradient of every tensor, times a wave, summed.
    gradients: [f64; 9],
}

#[rustfmt::skip]
const PYTORCH: [Expected; 4] = [
    Expected {
        encoding: TreeEncoding::Lstm,
        output_gate: false,
        states: [
            0.06454095, 0.3376222, -0.7282895, -0.5795748, 0.09398186, 0.4722537, -0.6983297, -0.2952858,
            0.2787862, 0.1962152, -0.5502238, -0.4460761,
        ],
        scores: [1.61933, 1.630407, 1.565449, 1.602214],
        loss: 1.781618,
        gradients: [
            -0.006895086, -0.03194948, -0.02132323, -0.02512816, -0.02132323, 0.01316917, 0.14863, 0.5632338,
            -0.08830851,
        ],
    },
    Expected {
        encoding: TreeEncoding::Lstm,
        output_gate: true,
        states: [
            0.05012571, 0.2030373, -0.2016569, -0.5453336, 0.0535877, 0.06143882, -0.4184206, -0.2639068,
            0.153962, 0.07869876, -0.2121513, -0.42005,
        ],
        scores: [1.591569, 1.591108, 1.584776, 1.599348],
        loss: 1.777873,
        gradients: [
            0.02635781, 0.005403101, -0.03824913, 0.0004922107, -0.03824913, -0.01395585, 0.1655996, 0.5993972,
            -0.09182052,
        ],
    },
    Expected {
        encoding: TreeEncoding::ChildSumTreeLstm,
        output_gate: false,
        states: [
            -0.4069417, 0.3700751, -0.847562, -0.3496506, 0.09398186, 0.4722537, -0.6983297, -0.2952858,
            0.4195776, 0.5438295, -0.9087033, 0.281659,
        ],
        scores: [1.590398, 1.608266, 1.548824, 1.585091],
        loss: 1.884449,
        gradients: [
            0.08917771, 0.09804146, 0.04288079, -0.00414681, 0.04288079, 0.08125391, 0.1256351, 0.6381532,
            -0.09443233,
        ],
    },
    Expected {
        encoding: TreeEncoding::ChildSumTreeLstm,
        output_gate: true,
        states: [
            -0.04736375, 0.2538723, -0.2130951, -0.6032836, 0.0535877, 0.06143882, -0.4184206, -0.2639068,
            0.207536, 0.08826449, -0.5698796, -0.142759,
        ],
        scores: [1.595554, 1.584389, 1.572595, 1.574854],
        loss: 1.806079,
        gradients: [
            0.05564239, 0.04683466, -0.00844268, 0.03247577, -0.00844268, 0.04566293, 0.1623457, 0.613284,
            -0.09454797,
        ],
    },
];

fn examples() -> SimilarityExamples {
    let words_and_heads: [(&[u32], &[u32]); 5] = [
        (&[0, 1, 2, 3, 4], &[2, 0, 5, 5, 2]),
        (&[5, 1, 6], &[2, 0, 2]),
        (&[3], &[0]),
        (&[], &[]),
        (&[6, 0, 2, 0, 1, 5, 4], &[3, 1, 4, 0, 4, 5, 5]),
    ];
    let mut trees = Trees::default();
    for (words, heads) in words_and_heads {
        trees.push_tree(words, heads).unwrap();
    }
    let scored = [(0, 1, 2.7), (0, 2, 1.0), (4, 3, 5.0), (4, 0, 4.25)];
    let ranked = [(0, 1, 2), (4, 3, 0)];
    SimilarityExamples {
        trees,
        scored: scored.map(|(reference, item, score)| ScoredPair { reference, translation: item, score }).to_vec(),
        ranked: ranked.map(|(reference, better, worse)| RankedPair { reference, better, worse }).to_vec(),
    }
}

/// A network whose tensors are sine waves.
fn waves(encoding: TreeEncoding, output_gate: bool) -> SimilarityNetwork {
    let fine_tuning = FineTuning::Full;
    let shape = SimilarityShape { encoding, memory: 4, hidden: 3, classes: 5, output_gate, fine_tuning };
    let mut network = SimilarityNetwork::new(shape, Arc::new(Matrix::zeros(7, 3)), 0).unwrap();
    for (number, tensor) in network.parameters.tensors_mut().iter_mut().enumerate() {
        tensor.values = wave(tensor.values.len(), number as f64);
    }
    network
}

fn assert_close(found: impl Into<f64>, expected: impl Into<f64>, what: &str) {
    let (found, expected) = (found.into(), expected.into());
    assert!((found - expected).abs() < 2e-6, "{what}: {found}, PyTorch {expected}");
}

#[test]
fn states_scores_losses_and_gradients_are_pytorchs() {
    let set = examples();
    for expected in PYTORCH {
        let mut network = waves(expected.encoding, expected.output_gate);
        let states = network.encode(&set.trees).unwrap();
        let some = [0, 2, 4].into_iter().flat_map(|row| states.row(row));
        some.zip(expected.states).for_each(|(found, state)| assert_close(*found, state, "state"));
        let pairs: Vec<_> = set.scored.iter().map(|pair| [pair.reference, pair.translation]).collect();
        let scores = network.scores(&set.trees, &pairs).unwrap();
        scores.iter().zip(expected.scores).for_each(|(found, score)| assert_close(*found, score, "score"));
        let mut gradients = Gradients::zeros(network.parameters());
        let settings = settings(1);
        let mut objective = SimilarityObjective::new(SimilarityTraining::new(&mut network, &set, &settings));
        assert_eq!(objective.start_round(1).unwrap(), 1);
        let loss = objective.loss(0, 0, &mut gradients).unwrap();
        assert_close(loss.mean(), expected.loss, "loss");
        for (number, tensor) in network.parameters.tensors().iter().enumerate() {
            let weights = wave(tensor.values.len(), 0.2);
            let sum: f64 =
                (0..weights.len()).map(|at| f64::from(gradients.element(number, at)) * f64::from(weights[at])).sum();
            assert_close(sum, expected.gradients[number], &tensor.name);
        }
    }
}
