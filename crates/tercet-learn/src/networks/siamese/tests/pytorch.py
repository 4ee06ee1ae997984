"""The numbers of pytorch.rs: the network written down plainly, in double precision, with PyTorch's automatic gradients.

Every tensor is a sine wave. Run with PyTorch: python pytorch.py
"""

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
D, HEADS, INNER, HIDDEN, PROJECTED, EPSILON, T = 4, 2, 6, 3, 3, 1e-3, 0.5
TOKENS = [[0, 3, 4, 5, 1], [0, 3, 5, 6, 2, 1], [0, 6, 1], [0, 4, 2, 3, 1]]
# lines, lists of the items, (better, worse, weight), (item, target, weight)
GROUPS = [
    ([0, 1, 2], [1, 2, 0], [(0, 1, 1.0), (2, 0, 0.25)], [(1, -0.7, 0.5)]),
    ([3, 0, 1], [1, 2], [(1, 0, 1.0)], [(0, 1.2, 1.0)]),
]


def wave(n, phase):
    return torch.sin(torch.arange(n, dtype=torch.float64) * 0.7 + phase).float().double()


def run(everything):
    tensors = {}

    def tensor(name, *shape):
        if name not in tensors:
            count = torch.Size(shape).numel()
            values = wave(count, float(len(name))).reshape(shape)
            gain = ("norm" in name or "after" in name) and name.endswith("weight")
            scale = 0.15 if name in ("head.vectors.weight", "head.matching.weight") else 0.6
            tensors[name] = (1.0 + 0.3 * values if gain else scale * values).requires_grad_()
        return tensors[name]

    def linear(name, x, outputs):
        return F.linear(x, tensor(f"{name}.weight", outputs, x.shape[-1]), tensor(f"{name}.bias", outputs))

    def norm(name, x):
        return F.layer_norm(x, [D], tensor(f"{name}.weight", D), tensor(f"{name}.bias", D), EPSILON)

    def layer(number, x):
        parts = [
            linear(f"{number}.{p}", x, D).reshape(-1, HEADS, D // HEADS).transpose(0, 1)
            for p in ("query", "key", "value")
        ]
        weights = (parts[0] @ parts[1].transpose(1, 2) / (D // HEADS) ** 0.5).softmax(-1)
        attended = (weights @ parts[2]).transpose(0, 1).reshape(-1, D)
        z = norm(f"{number}.after_attention", x + linear(f"{number}.attended", attended, D))
        return norm(f"{number}.after_all", z + linear(f"{number}.down", F.gelu(linear(f"{number}.up", z, INNER)), D))

    def encode(line):
        """The vector of a line, and the unit rows of the layers that are learned."""
        if everything:
            ids = torch.tensor(TOKENS[line])
            x = tensor("tokens", 7, D)[ids] + tensor("positions", 7, D)[1 : 1 + len(ids)] + wave(D, 0.8)
            first = norm("norm", x)
            middle = layer(0, first)
        else:
            first, middle = None, wave(len(TOKENS[line]) * D, line + 0.3).reshape(-1, D)
        last = layer(1, middle)
        vector = F.normalize(last.mean(0), dim=0) * D**0.5
        taps = [last @ tensor("projection.weight", PROJECTED, D).T] + ([middle, first] if everything else [])
        return vector, [F.normalize(tap[1:-1], dim=-1) for tap in taps]

    def score(h, r, fixed):
        features = []
        for own, other in zip(h[1], r[1]):
            cosines = own @ other.T
            p, q = cosines.amax(1).mean(), cosines.amax(0).mean()
            features += [p, q, 2 * p * q / (p + q)]
        m = torch.stack(features + list(fixed[len(features) :]))
        h, r = h[0], r[0]
        pair = torch.cat([h, r, h * r, (h - r).abs()])
        hidden = tensor("head.vectors.weight", HIDDEN, 4 * D) @ pair + tensor("head.bias", HIDDEN)
        hidden = hidden + tensor("head.matching.weight", HIDDEN, 9) @ m
        return tensor("head.output.weight", HIDDEN) @ torch.tanh(hidden) + tensor("head.output.bias", 1)[0]

    total, weights, scores = 0.0, 0.0, []
    for lines, items, ranked, scored in GROUPS:
        encoded = [encode(line) for line in lines]
        fixed = [torch.sin((torch.arange(9) + item) * 0.7) for item in items]
        found = [score(encoded[item], encoded[0], m) for item, m in zip(items, fixed)]
        scores += found
        for better, worse, weight in ranked:
            total = total + weight * F.softplus((found[worse] - found[better]) / T)
            weights += weight
        for item, target, weight in scored:
            total = total + weight * (found[item] - target) ** 2 / 2
            weights += weight
    loss = total / weights
    loss.backward()
    print("all" if everything else "last")
    print("scores", ", ".join(f"{s.item():.7g}" for s in scores))
    print("loss", f"{loss.item():.7g}")
    for name in sorted(tensors):
        t = tensors[name]
        print(f'("{name}", {(t.grad.flatten() * wave(t.numel(), 0.2)).sum().item():.7g}),')


for everything in [False, True]:
    run(everything)
