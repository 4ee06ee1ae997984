"""The numbers of pytorch.rs: the network written down plainly, in double precision, with PyTorch's automatic gradients.

Every tensor is a sine wave. Run with PyTorch: python pytorch.py
"""

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
D, M, HIDDEN, CLASSES, WORDS = 3, 4, 3, 5, 7
TREES = [
    ([0, 1, 2, 3, 4], [2, 0, 5, 5, 2]),
    ([5, 1, 6], [2, 0, 2]),
    ([3], [0]),
    ([], []),
    ([6, 0, 2, 0, 1, 5, 4], [3, 1, 4, 0, 4, 5, 5]),
]
SCORED = [(0, 1, 2.7), (0, 2, 1.0), (4, 3, 5.0), (4, 0, 4.25)]
RANKED = [(0, 1, 2), (4, 3, 0)]
SCALE, WEIGHT = 2.0, 0.5


def wave(n, phase):
    return torch.sin(torch.arange(n, dtype=torch.float64) * 0.7 + phase)


def run(tree, output_gate):
    gates = 4 if output_gate else 3
    shapes = [
        (WORDS, D),
        (gates * M, D),
        (gates * M,),
        (gates * M, M),
        (gates * M,),
        (HIDDEN, 2 * M),
        (HIDDEN,),
        (CLASSES, HIDDEN),
        (CLASSES,),
    ]
    tensors = []
    for number, shape in enumerate(shapes):
        count = torch.Size(shape).numel()
        tensors.append(wave(count, float(number)).reshape(shape).requires_grad_())
    vectors, w, w_bias, u, u_bias, wc, bc, wp, bp = tensors

    def node(word, children):
        """The state of a node: children are pairs of h and c."""
        x = w @ vectors[word] + w_bias
        parts, recurrent = x.split(M), u.split(M)
        biases = u_bias.split(M)
        total = sum((h for h, _ in children), torch.zeros(M))
        i = torch.sigmoid(parts[1] + recurrent[1] @ total + biases[1])
        update = torch.tanh(parts[2] + recurrent[2] @ total + biases[2])
        c = i * update
        for h_k, c_k in children:
            c = c + torch.sigmoid(parts[0] + recurrent[0] @ h_k + biases[0]) * c_k
        if output_gate:
            return torch.sigmoid(parts[3] + recurrent[3] @ total + biases[3]) * torch.tanh(c), c
        return torch.tanh(c), c

    def encode(words, heads):
        if not words:
            return torch.zeros(M)
        if not tree:
            state = None
            for word in words:
                state = node(word, [state] if state else [])
            return state[0]

        def below(at):
            return node(words[at], [below(k) for k in range(len(words)) if heads[k] == at + 1])

        return below(heads.index(0))[0]

    def logits(a, b):
        features = torch.cat([states[a] * states[b], (states[a] - states[b]).abs()])
        return wp @ torch.sigmoid(wc @ features + bc) + bp

    def score(a, b):
        return logits(a, b).softmax(0) @ torch.arange(1.0, CLASSES + 1)

    states = [encode(words, heads) for words, heads in TREES]
    loss = torch.zeros(())
    for a, b, y in SCORED:
        p = torch.zeros(CLASSES)
        p[int(y) - 1] = int(y) + 1 - y
        if int(y) < CLASSES:
            p[int(y)] = y - int(y)
        loss = loss + F.kl_div(logits(a, b).log_softmax(0), p, reduction="sum")
    for r, better, worse in RANKED:
        loss = loss - WEIGHT * F.logsigmoid(SCALE * (score(r, better) - score(r, worse)))
    loss = loss / (len(SCORED) + len(RANKED))
    loss.backward()
    rounded = lambda values: ", ".join(f"{v.item():.7g}" for v in values)
    print("tree" if tree else "list", "gate" if output_gate else "no gate")
    print("states", rounded(torch.cat([states[0], states[2], states[4]])))
    print("scores", rounded([score(a, b) for a, b, _ in SCORED]))
    print("loss", rounded([loss]))
    print("gradients", rounded([(t.grad * wave(t.numel(), 0.2).reshape(t.shape)).sum() for t in tensors]))


for tree in [False, True]:
    for output_gate in [False, True]:
        run(tree, output_gate)
