//! Losses and gradients equal PyTorch's (2.15), in double precision, for a network whose tensors are sine waves.
//!
//! ```text
//! import torch
//! import torch.nn.functional as F
//! torch.set_default_dtype(torch.float64)
//! def wave(n, phase): return torch.sin(torch.arange(n, dtype=torch.float64) * 0.7 + phase)
//! def run(H, fine):
//!     d, P, count = 4, {}, [0]
//!     def t(name, *shape):
//!         n = 1
//!         for s in shape: n *= s
//!         P[name] = wave(n, float(len(P))).reshape(shape).clone().requires_grad_()
//!     def dense(name, i, o): t(name + '.w', o, i); t(name + '.b', o)
//!     def norm(name): t(name + '.g', d); t(name + '.b', d)
//!     t('words', 5, d); t('root', d); t('shapes', 3, d); t('characters', 6, 2)
//!     dense('conv', 6, 3); dense('spelling', 3, d); norm('norm')
//!     for l in range(3):
//!         norm(f'n{l}'); dense(f's{l}', d, 6 * H)
//!         if 2 * H != d: dense(f'p{l}', 2 * H, d)
//!     norm('tn'); dense('tag', d, 3)
//!     if fine: dense('fine', d, fine)
//!     t('te', 3, d); norm('en'); dense('edge', d, 10); dense('arc', 3, 3); dense('label', 2, 4)
//!     lin = lambda name, x: x @ P[name + '.w'].T + P[name + '.b']
//!     ln = lambda name, x: F.layer_norm(x, [d], P[name + '.g'], P[name + '.b'])
//!     gelu = lambda x: x * torch.sigmoid(1.702 * x)
//!     forms = [(0, [1, 2, 3]), (2, [4]), (1, [5, 0, 5, 1])]
//!     def spelled(form):
//!         s, cs = forms[form]
//!         z = torch.zeros(2, 2); x = torch.cat([z, P['characters'][cs], z])
//!         m = torch.stack([lin('conv', x[k:k + 3].flatten()) for k in range(len(cs) + 2)]).amax(0)
//!         return P['shapes'][s] + lin('spelling', gelu(m))
//!     lists = [[0, 1, 2], [1], [2, 2, 0, 1]]; words = iter([0, 1, 3, 1, 3, 4, 0, 4])
//!     tags = iter([0, 1, 2, 1, 2, 2, 0, 1]); fines = iter([0, 1, 1, 0, 0, 1, 0, 1])
//!     heads = iter([2, 0, 2, 0, 3, 1, 0, 3]); labels = iter([1, 0, 2, 0, 3, 1, 0, 2])
//!     ce = lambda z, k: F.cross_entropy(z[None], torch.tensor([k]))
//!     L = torch.zeros(4)
//!     for items in lists:
//!         x = ln('norm', torch.stack([P['root']] + [P['words'][next(words)] + spelled(f) for f in items]))
//!         for l in range(3):
//!             g, f, o = lin(f's{l}', ln(f'n{l}', x)).split(2 * H, 1); f = torch.sigmoid(f); n = len(x)
//!             a = b = torch.zeros(H); fw, bw = [], []
//!             for k in range(n): a = f[k, :H] * a + (1 - f[k, :H]) * g[k, :H]; fw.append(a)
//!             for k in reversed(range(n)): b = f[k, H:] * b + (1 - f[k, H:]) * g[k, H:]; bw.insert(0, b)
//!             y = torch.cat([torch.stack(fw), torch.stack(bw)], 1) * torch.sigmoid(o)
//!             x = x + (y if 2 * H == d else lin(f'p{l}', y))
//!             if l == 1:
//!                 u = ln('tn', x); z = lin('tag', u); w = lin('fine', u) if fine else None
//!                 x = x + z.softmax(1) @ P['te']
//!         a, b, c, e = lin('edge', ln('en', x)).split([3, 3, 2, 2], 1)
//!         S = lin('arc', gelu(a)) @ gelu(b).T; S = S.masked_fill(torch.eye(n, dtype=torch.bool), -torch.inf)
//!         for i in range(1, n):
//!             h = next(heads)
//!             L = L + torch.stack([ce(S[i], h), ce(lin('label', gelu(c[i] + e[h])), next(labels)),
//!                                  ce(z[i], next(tags)), ce(w[i], next(fines)) if fine else torch.tensor(0.)])
//!     (L[0] + L[1] + .5 * (L[2] + L[3])).backward()
//!     print(H, fine, L.tolist(), [float((p.grad * wave(p.numel(), .2).reshape(p.shape)).sum()) for p in P.values()])
//! run(2, 2); run(3, 0)
//! ```

use super::*;
use crate::gradient_check::wave;

struct Expected {
    units: usize,
    fine_tags: usize,
    /// Losses of heads, labels, tags, fine tags.
    losses: [f64; 4],
    /// For every tensor, the sum of its gradient times a sine wave.
    gradients: &'static [f64],
}

const PYTORCH: [Expected; 2] = [
    Expected {
        units: 2,
        fine_tags: 2,
        losses: [8.6311300, 16.3966580, 17.7034473, 13.7276576],
        gradients: &[
            -0.509291, -0.196885, -0.424946, -0.184585, -0.073046, 0.361887, 0.633226, -0.309283, 0.735621, 0.143122,
            0.559815, -0.782502, -0.138316, 0.084533, -0.195575, 0.923071, -0.062461, -0.057679, 0.408816, -0.426919,
            0.228415, -0.810098, -0.754326, -10.053008, 0.732852, 0.590761, 2.563636, 1.086143, -0.546238, -6.653755,
            12.301318, -3.031390, -7.526116, 0.058637, -0.069637, -3.141991, 1.376817,
        ],
    },
    Expected {
        units: 3,
        fine_tags: 0,
        losses: [8.8684765, 13.1743801, 22.3741026, 0.0000000],
        gradients: &[
            -0.231081, 0.235349, -0.224908, 0.202082, 0.233262, 0.211173, 0.458855, -0.279742, 1.690464, -0.450378,
            1.270167, -0.214475, -1.254475, 0.642355, 0.387400, -0.454491, 0.726000, 0.825759, -1.057844, 0.554134,
            0.432580, -0.456606, 0.975453, 2.070931, -2.171957, 0.617625, 0.268910, -0.686038, -3.445412, -4.144679,
            -0.034637, 0.519546, -1.426566, 11.266923, 12.868056, -3.107345, -6.246196, 0.057043, -0.003734, 0.601814,
            -1.754410,
        ],
    },
];

#[test]
fn losses_and_gradients_are_pytorchs() {
    for expected in PYTORCH {
        let mut network = BiaffineNetwork::new(tiny(expected.units, expected.fine_tags), 0.5, 1).unwrap();
        for (number, tensor) in network.parameters_mut().tensors_mut().iter_mut().enumerate() {
            tensor.values = wave(tensor.values.len(), number as f64);
        }
        let data = data(expected.fine_tags > 0);
        let (mut gradients, scale) = (Gradients::zeros(network.parameters()), LossScale { top: 1.0, tags: 0.5 });
        let space = &mut BiaffineWorkspace::default();
        let found = network.loss(&data.batch(), 0..4, scale, None, space, &mut gradients);
        for (found, expected) in
            [found.arcs, found.labels, found.tags, found.fine_tags].into_iter().zip(expected.losses)
        {
            assert!((found - expected).abs() < 1e-5 * expected.max(1.0), "{found}, PyTorch {expected}");
        }
        assert_eq!(network.parameters().tensors().len(), expected.gradients.len());
        for (number, (tensor, expected)) in network.parameters().tensors().iter().zip(expected.gradients).enumerate() {
            let weights = wave(tensor.values.len(), 0.2);
            let products = weights.iter().enumerate().map(|(at, w)| f64::from(w * gradients.element(number, at)));
            let found: f64 = products.sum();
            assert!((found - expected).abs() < 2e-4, "{}: {found}, PyTorch {expected}", tensor.name);
        }
    }
}
