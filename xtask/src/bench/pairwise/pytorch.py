"""Training and scoring with PyTorch, timed: the peer of tercet-learn's examples/timing, with its arguments and its
file.

    python pytorch.py epoch|score FILE TIMES

Written to be fast at these sizes on one thread: no modules and no loader where they cost, the three groups' inputs laid
side by side before the clock starts, every epoch's rows gathered in one go and cut into views, a fused optimizer. For
lists of words there are two ways to run nn.LSTM (packed sequences; padded ones, a layer for each direction) and two
kinds of
gradient for the embedding; a few batches of each are timed, and the fastest does the work.
"""

import json
import struct
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence

work, file, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
torch.set_num_threads(1)
BATCH, GROUPS, SHOWN, TRIED = 30, ("ab", "ac", "bc"), 10, 20


def read(path):
    with open(path, "rb") as opened:
        header = json.loads(opened.read(struct.unpack("<Q", opened.read(8))[0]))
        data = bytearray(opened.read())
    del header["__metadata__"]

    def tensor(entry):
        start, end = entry["data_offsets"]
        numbers = torch.frombuffer(data, dtype=torch.float32, count=(end - start) // 4, offset=start)
        return numbers.reshape(entry["shape"]).clone()

    return {name: tensor(entry) for name, entry in header.items()}


tensors = read(file)
learned = {name.removeprefix("network."): tensors[name] for name in tensors if name.startswith("network.")}
targets, order = tensors["targets"].flatten(), tensors["order"].long()
pairs = len(targets)
skips = tensors["skips"].reshape(pairs, -1)


class Head:
    """p = sig(w [tanh(W_ab [a, b]), tanh(W_ac [a, c]), tanh(W_bc [b, c]), skips])"""

    def __init__(self):
        self.weights = [learned[f"hidden.{group}.weight"].clone().requires_grad_() for group in GROUPS]
        self.biases = [learned[f"hidden.{group}.bias"].flatten().clone().requires_grad_() for group in GROUPS]
        self.weight = learned["output.weight"].clone().requires_grad_()
        self.bias = learned["output.bias"].flatten().clone().requires_grad_()
        self.parameters = [*self.weights, *self.biases, self.weight, self.bias]

    def __call__(self, ab, ac, bc, beside):
        inputs = zip((ab, ac, bc), self.weights, self.biases)
        hidden = [torch.tanh(F.linear(x, weight, bias)) for x, weight, bias in inputs]
        return F.linear(torch.cat([*hidden, beside], 1), self.weight, self.bias).squeeze(1)


class Pairs:
    """Ready vectors."""

    def __init__(self):
        a, b, c = tensors["vectors"].reshape(pairs, 3, -1).unbind(1)
        self.tables = [torch.cat(both, 1) for both in ((a, b), (a, c), (b, c))] + [skips, targets]
        self.head = Head()
        self.optimizer = torch.optim.Adagrad(self.head.parameters, lr=0.01, weight_decay=1e-4, fused=True)

    def epoch(self):
        shuffled = [table.index_select(0, order).split(BATCH) for table in self.tables]
        losses = []
        for ab, ac, bc, beside, target in zip(*shuffled):
            loss = F.binary_cross_entropy_with_logits(self.head(ab, ac, bc, beside), target)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.detach() * len(target))
        return torch.stack(losses).sum().item() / pairs

    def logits(self):
        with torch.inference_mode():
            parts = zip(*(table.split(4096) for table in self.tables[:4]))
            return torch.cat([self.head(*part) for part in parts])


class Lists:
    """Lists of words through nn.LSTM in both directions."""

    def __init__(self, packed, sparse):
        self.packed = packed
        self.lengths = tensors["lengths"].long()
        words = tensors["words"].flatten().long().split(self.lengths.tolist())
        self.words = nn.utils.rnn.pad_sequence(words, batch_first=True)
        self.reversed = nn.utils.rnn.pad_sequence([list.flip(0) for list in words], batch_first=True)
        self.embedding = nn.Embedding.from_pretrained(learned["embedding"].clone(), freeze=False, sparse=sparse)
        units, dimensions = learned["encoder.forward.U"].shape[1], self.embedding.embedding_dim
        layers = 1 if packed else 2
        self.layers = [nn.LSTM(dimensions, units, bidirectional=packed) for _ in range(layers)]
        self.biases = [
            self.fill(layer, direction, "_reverse" if packed and direction == "backward" else "")
            for layer, direction in zip(self.layers * (3 - layers), ("forward", "backward"))
        ]
        self.units, self.head = units, Head()
        parameters = [p for layer in self.layers for p in layer.parameters() if p.requires_grad]
        parameters += self.head.parameters
        self.optimizers = [torch.optim.Adagrad(parameters, lr=0.01, fused=True)]
        self.optimizers.append(torch.optim.Adagrad(self.embedding.parameters(), lr=0.01, fused=not sparse))

    @staticmethod
    def fill(layer, direction, suffix):
        """Gates i, f, o, c become i, f, c, o; the cell has no bias, and there is one bias, not two."""
        with torch.no_grad():
            for name, theirs in (("V", "weight_ih_l0"), ("U", "weight_hh_l0")):
                i, f, o, c = learned[f"encoder.{direction}.{name}"].chunk(4)
                getattr(layer, theirs + suffix).copy_(torch.cat([i, f, c, o]))
            i, f, o = learned[f"encoder.{direction}.bias"].flatten().chunk(3)
            bias, other = (getattr(layer, name + suffix) for name in ("bias_ih_l0", "bias_hh_l0"))
            bias.copy_(torch.cat([i, f, torch.zeros_like(i), o]))
            other.zero_().requires_grad_(False)
        return bias

    def encode(self, items):
        lengths = self.lengths[items]
        longest = int(lengths.max())
        if self.packed:
            packed = pack_padded_sequence(self.words[items, :longest].T, lengths, enforce_sorted=False)
            data, *rest = packed
            _, (last, _) = self.layers[0](PackedSequence(self.embedding(data), *rest))
            return torch.cat([last[0], last[1]], 1)
        rows = torch.arange(len(items))
        sides = zip(self.layers, (self.words, self.reversed))
        last = [layer(self.embedding(words[items, :longest].T))[0][lengths - 1, rows] for layer, words in sides]
        return torch.cat(last, 1)

    def forward(self, batch):
        a, b, c = self.encode(torch.cat([3 * batch, 3 * batch + 1, 3 * batch + 2])).split(len(batch))
        both = [torch.cat(pair, 1) for pair in ((a, b), (a, c), (b, c))]
        return self.head(*both, skips[batch])

    def epoch(self, batches=None):
        losses = []
        for batch in order.split(BATCH)[:batches]:
            loss = F.binary_cross_entropy_with_logits(self.forward(batch), targets[batch])
            for optimizer in self.optimizers:
                optimizer.zero_grad()
            loss.backward()
            for bias in self.biases:
                bias.grad[2 * self.units : 3 * self.units] = 0
            for optimizer in self.optimizers:
                optimizer.step()
            losses.append(loss.detach() * len(batch))
        return torch.stack(losses).sum().item() / pairs

    def logits(self):
        with torch.inference_mode():
            return torch.cat([self.forward(batch) for batch in torch.arange(pairs).split(512)])


def fastest():
    """The way to train on lists that takes the least time for a few batches."""

    def seconds(way):
        tried = Lists(*way)
        tried.epoch(2)
        start = time.process_time()
        tried.epoch(TRIED)
        return time.process_time() - start

    return min(((packed, sparse) for packed in (True, False) for sparse in (True, False)), key=seconds)


if "vectors" in tensors:
    problem, way = Pairs(), "linear layers"
else:
    packed, sparse = fastest()
    problem = Lists(packed, sparse)
    way = f"{'packed' if packed else 'padded'} sequences, {'sparse' if sparse else 'dense'} gradients"

values = [problem.epoch()] if work == "epoch" else []
values += problem.logits()[:SHOWN].tolist()
once = problem.epoch if work == "epoch" else problem.logits
cpu, wall = time.process_time(), time.perf_counter()
for _ in range(times):
    once()
cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
print(json.dumps({"cpu_s": cpu / times, "wall_s": wall / times, "values": values, "way": way}))
