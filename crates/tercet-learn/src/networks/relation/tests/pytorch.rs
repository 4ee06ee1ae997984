//! One step of SGD with clipping equals PyTorch's (2.15). The tensors are sine waves:
//!
//! ```text
//! def wave(n, phase): return torch.sin(torch.arange(n, dtype=torch.float64) * 0.7 + phase)
//! D, H, F, C = 3, 2, 4, 3
//! words = wave(7 * D, 0.1).reshape(7, D)
//! lists, pairs = [[0, 3, 5], [2], [6, 1, 4, 2, 0], [1, 5]], [(0, 2, 0), (1, 3, 2), (2, 1, 1)]
//! order = [gate * H + k for gate in (0, 1, 3, 2) for k in range(H)]        # from i, f, o, c to i, f, c, o
//! lstm, phase = torch.nn.LSTM(D, H, bidirectional=True), 0.2
//! for side in ["", "_reverse"]:
//!     for name, columns in [("weight_ih", D), ("weight_hh", H), ("bias_ih", 1), ("bias_hh", 1)]:
//!         p = getattr(lstm, f"{name}_l0{side}")
//!         p.data = wave(4 * H * columns, phase).reshape(4 * H, columns)[order].reshape(p.shape); phase += 0.1
//! hidden, output = torch.nn.Linear(8 * H, F), torch.nn.Linear(F, C)        # values 0.3 · wave, phases go on
//! encode = lambda number: lstm(words[lists[number]].unsqueeze(1))[0].max(0)[0][0]
//! for a, b, _ in pairs:
//!     u, v = encode(a), encode(b)
//!     logits.append(output(torch.tanh(hidden(torch.cat([u, v, (u - v).abs(), u * v])))))
//! loss = torch.nn.functional.cross_entropy(torch.stack(logits), torch.tensor([c for *_, c in pairs])); loss.backward()
//! norm = torch.sqrt(sum((p.grad ** 2).sum() for p in parameters))          # 0.209
//! for p in parameters: p.data -= 20 * p.grad * min(1, 0.1 / norm)
//! print(loss, first 8 numbers of every tensor of the LSTM, first 6 or fewer of the other layers)
//! ```

use super::*;
use crate::gradient_check::wave;

const LOSS: f64 = 1.127517552657735;

#[rustfmt::skip]
const ENCODER: [[f32; 8]; 8] = [
    [0.1810217, 0.7730039, 1.00143, 0.7302828, 0.1241484, -0.5403749, -0.9509392, -0.925156],
    [0.3000761, 0.8420855, 0.9916761, 0.6755164, 0.04182014, -0.6118258, -0.9775776, -0.8834485],
    [0.3846939, 0.9075641, 0.9732116, 0.5985536, -1.012868, -0.8420992, -0.09382942, -0.6530183],
    [0.4747011, 0.9483959, 0.9456641, 0.5155828, -1.019101, -0.7825962, -0.193201, -0.7220546],
    [0.5834309, 0.9837857, 0.9214507, 0.4389539, -0.2432616, -0.8110674, -0.9965478, -0.7059673],
    [0.6443592, 0.9856441, 0.8631077, 0.3349237, -0.3506345, -0.8713647, -0.9836178, -0.6319129],
    [0.6961219, 0.9858257, 0.8074887, 0.24505, -0.9874508, -0.4313896, -0.4658943, -0.9983834],
    [0.7620927, 0.9879043, 0.7446975, 0.1469206, -0.9543412, -0.3453063, -0.55321, -1.03382],
];

#[rustfmt::skip]
const LAYERS: [&[f32]; 4] = [
    &[0.2564209, 0.2288685, 0.1758521, -0.03406169, -0.2055573, -0.007384293],
    &[0.2133822, 0.1114261, -0.01309423, 0.003840641],
    &[-0.2972913, 0.1562924, 0.5419614, 0.1180256, 0.4780316, 0.1907565],
    &[-0.344179, 0.808675, 0.2255747],
];

fn assert_close(found: &[f32], expected: &[f32], what: &str) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 5e-6, "{what}: {found}, PyTorch {expected}");
    }
}

#[test]
fn one_step_is_pytorchs() {
    let words = Arc::new(Matrix::new(7, 3, wave(21, 0.1)).unwrap());
    let shape = RelationShape { units: 2, hidden: 4, ..SHAPE };
    let mut network = RelationNetwork::new(shape, words, 1).unwrap();
    for (number, tensor) in network.parameters.tensors_mut().iter_mut().enumerate() {
        let scale = if number < 8 { 1.0 } else { 0.3 };
        let values = wave(tensor.values.len(), 0.2 + 0.1 * number as f64);
        tensor.values.iter_mut().zip(values).for_each(|(to, value)| *to = scale * value);
    }
    let lists: [&[u32]; 4] = [&[0, 3, 5], &[2], &[6, 1, 4, 2, 0], &[1, 5]];
    let pairs = [(0, 2, 0), (1, 3, 2), (2, 1, 1)];
    let examples = RelationExamples {
        lists: Lists::from_lists(&lists),
        pairs: pairs.map(|(first, second, class)| RelatedPair { first, second, class }).to_vec(),
    };
    let optimizer = OptimizerSettings { learning_rate: 20.0, ..RelationSettings::default().optimizer };
    let settings = RelationSettings { optimizer, clip: 0.1, epochs: 1, ..RelationSettings::default() };
    let training =
        RelationTraining { network: &mut network, examples: &examples, settings: &settings, development: None };
    let outcome = training.run(&mut Checkpoints::none(), Progress::none()).unwrap();
    assert!((outcome.history[0].loss - LOSS).abs() < 1e-6, "{:?}", outcome.history);
    for (tensor, expected) in network.encoder().iter().zip(&ENCODER) {
        assert_close(&tensor.values, expected, &tensor.name);
    }
    for (tensor, expected) in network.parameters().tensors()[8..].iter().zip(LAYERS) {
        assert_close(&tensor.values, expected, &tensor.name);
    }
}
