//! Equality with PyTorch's automatic gradients (2.15), and finite differences.
//!
//! ```text
//! def wave(n, phase): return torch.sin(torch.arange(n, dtype=torch.float64) * 0.7 + phase)
//! H, D, lens = 2, 3, [3, 1, 4]
//! sig = (lambda x: torch.clamp(0.2 * x + 0.5, 0, 1)) if hard else torch.sigmoid
//! x = wave(sum(lens) * D, 0.1).reshape(-1, D); V = wave(4 * H * D, 0.2).reshape(4 * H, D)
//! U = wave(4 * H * H, 0.3).reshape(4 * H, H);  b = wave(3 * H, 0.4)      # all with requires_grad_()
//! out, at = [], 0
//! for n in lens:
//!     h = c = torch.zeros(H, dtype=torch.float64)
//!     for t in range(n):
//!         i, f, o, g = (U @ h + V @ x[at + t] + torch.cat([b, torch.zeros(H, dtype=torch.float64)])).split(H)
//!         c = sig(i) * torch.tanh(g) + sig(f) * c
//!         h = sig(o) * torch.tanh(c)
//!     out.append(h); at += n
//! out = torch.stack(out); (out * wave(out.numel(), 0.5).reshape(out.shape)).sum().backward()
//! print(out, x.grad[:2], V.grad[:, 0], U.grad[:, 1], b.grad)
//! ```

use super::*;
use crate::gradient_check::{assert_all_close, check_inputs, check_parameters, wave};
use crate::layers::BidirectionalLstm;

struct Expected {
    gate: Gate,
    out: [f32; 6],
    dx: [f32; 6],
    dv: [f32; 8],
    du: [f32; 8],
    db: [f32; 6],
}

const PYTORCH: [Expected; 2] = [
    Expected {
        gate: Gate::Hard,
        out: [0.08874284, -0.2478564, 0.2817782, -0.02618104, 0.2343594, 0.1021587],
        dx: [0.002113291, -0.006979236, -0.01278932, 0.04679574, 0.02681699, -0.005774213],
        dv: [0.02542542, 0.06666417, -0.01071009, -0.04500034, -0.04395653, -0.02516109, -0.05545665, -0.2694478],
        du: [
            -0.001456053,
            -0.008343534,
            -8.678711e-05,
            0.004872588,
            0.003764219,
            -0.003431286,
            0.003049115,
            0.02849337,
        ],
        db: [-0.002532973, -0.09881487, -0.01009433, 0.0585817, 0.09115971, -0.1692843],
    },
    Expected {
        gate: Gate::Logistic,
        out: [0.08182563, -0.2726142, 0.2649329, -0.02992056, 0.2514198, 0.08705393],
        dx: [0.001696147, -0.007148189, -0.01263062, 0.03140195, 0.01062595, -0.0151476],
        dv: [0.0217042, 0.07850571, -0.02137334, -0.03564424, -0.04739581, -0.02575387, -0.06915552, -0.2781717],
        du: [-0.00118866, -0.007790645, 0.0004801002, 0.003294764, 0.00413675, -0.001186305, 0.003843364, 0.02734014],
        db: [-0.01544389, -0.101204, -0.01482289, 0.04813936, 0.1109354, -0.1308505],
    },
];

fn column(values: &[f32], width: usize, column: usize) -> Vec<f32> {
    values.chunks_exact(width).map(|row| row[column]).collect()
}

#[test]
fn states_and_gradients_are_pytorchs_for_both_gates() {
    for expected in PYTORCH {
        let mut parameters = Parameters::default();
        let random = &mut Random::stream(0, "test", 0);
        let lstm = Lstm::new(&mut parameters, "lstm", [3, 2], expected.gate, false, random);
        for (id, count, phase) in [(lstm.v, 24, 0.2), (lstm.u, 16, 0.3), (lstm.biases[0], 6, 0.4)] {
            parameters.values_mut(id).copy_from_slice(&wave(count, phase));
        }
        let (starts, x) = ([0, 3, 4, 8], wave(24, 0.1));
        let (mut space, mut out) = (LstmWorkspace::default(), vec![0.0; 6]);
        lstm.forward(&parameters, &x, &starts, &mut space, &mut out, [0, 2]);
        assert_all_close(&out, &expected.out);
        let (mut gradients, mut dx) = (Gradients::zeros(&parameters), vec![0.0; 24]);
        lstm.backward(&parameters, &wave(6, 0.5), [0, 2], &mut space, &mut gradients, Some(&mut dx));
        assert_all_close(&dx[..6], &expected.dx);
        assert_all_close(&column(gradients.dense(lstm.v), 3, 0), &expected.dv);
        assert_all_close(&column(gradients.dense(lstm.u), 2, 1), &expected.du);
        assert_all_close(gradients.dense(lstm.biases[0]), &expected.db);
    }
}

#[test]
fn gradients_agree_with_differences_in_both_directions_and_for_many_shapes() {
    let shapes: [(usize, usize, &[usize]); 4] =
        [(1, 1, &[1]), (3, 2, &[2, 0, 5, 1]), (2, 4, &[3, 3]), (4, 3, &[0, 1, 2, 3, 4])];
    for (number, (d, h, lengths)) in shapes.into_iter().enumerate() {
        for gate in [Gate::Hard, Gate::Logistic] {
            let mut parameters = Parameters::default();
            let random = &mut Random::stream(number as u64, "test", 1);
            let lstm = BidirectionalLstm::new(&mut parameters, "lstm", [d, h], gate, random);
            let mut starts = vec![0];
            lengths.iter().for_each(|length| starts.push(starts.last().unwrap() + length));
            let words = *starts.last().unwrap();
            let x: Vec<f32> = (0..words * d).map(|_| random.uniform(-1.0, 1.0)).collect();
            let weights = wave(lengths.len() * 2 * h, 0.2);
            let loss = |parameters: &Parameters, x: &[f32]| {
                let mut out = vec![0.0; weights.len()];
                let mut space = Default::default();
                lstm.forward(parameters, x, &starts, &mut space, &mut out);
                out.iter().zip(&weights).map(|(x, w)| f64::from(x * w)).sum()
            };
            let (mut space, mut out) = Default::default();
            let _: &Vec<f32> = &out;
            out.resize(weights.len(), 9.0);
            lstm.forward(&parameters, &x, &starts, &mut space, &mut out);
            let (mut gradients, mut dx) = (Gradients::zeros(&parameters), vec![0.0; x.len()]);
            lstm.backward(&parameters, &weights, &mut space, &mut gradients, Some(&mut dx));
            check_inputs(&x, &dx, 5e-3, |x| loss(&parameters, x));
            check_parameters(&mut parameters, &gradients, 5e-3, |parameters| loss(parameters, &x));
        }
    }
}

#[test]
fn a_list_does_not_depend_on_its_company() {
    let mut parameters = Parameters::default();
    let random = &mut Random::stream(4, "test", 0);
    let lstm = BidirectionalLstm::new(&mut parameters, "lstm", [2, 3], Gate::Hard, random);
    let x = wave(14, 0.6);
    let encode = |x: &[f32], starts: &[usize]| {
        let mut out = vec![0.0; (starts.len() - 1) * 6];
        lstm.forward(&parameters, x, starts, &mut Default::default(), &mut out);
        out
    };
    let together = encode(&x, &[0, 2, 2, 7]);
    assert_all_close(&together[..6], &encode(&x[..4], &[0, 2]));
    assert_eq!(together[6..12], [0.0; 6]);
    assert_all_close(&together[12..], &encode(&x[4..], &[0, 5]));
}

#[test]
fn the_second_direction_is_the_first_on_the_reversed_list() {
    let mut parameters = Parameters::default();
    let random = &mut Random::stream(4, "test", 0);
    let forward = Lstm::new(&mut parameters, "lstm", [1, 2], Gate::Logistic, false, random);
    let backward = Lstm { reversed: true, ..forward.clone() };
    let (mut x, mut space) = (wave(4, 0.1), LstmWorkspace::default());
    let (mut one, mut other) = ([0.0; 2], [0.0; 2]);
    forward.forward(&parameters, &x, &[0, 4], &mut space, &mut one, [0, 2]);
    x.reverse();
    backward.forward(&parameters, &x, &[0, 4], &mut space, &mut other, [0, 2]);
    assert_eq!(one, other);
}
