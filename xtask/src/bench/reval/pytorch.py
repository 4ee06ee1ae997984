"""Training and scoring with PyTorch, timed: the peer of tercet-learn's examples/similarity, with its arguments and its
file.

    python pytorch.py epoch|score FILE TIMES

The child-sum Tree-LSTM as it is usually written: a module for a node, recursion over each tree, one pair after the
other,
gradients summed over the pairs of a batch.
"""

import json
import struct
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

work, file, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
torch.set_num_threads(1)
BATCH, SHOWN = 25, 10


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


class Tree:
    """A node: the place of its word in the sentence, and its children."""

    def __init__(self, heads, at):
        self.at = at
        self.children = [Tree(heads, child) for child, head in enumerate(heads) if head == at + 1]


class ChildSumTreeLSTM(nn.Module):
    def __init__(self, inputs, memory):
        super().__init__()
        self.memory = memory
        self.iuo_x, self.iuo_h = nn.Linear(inputs, 3 * memory), nn.Linear(memory, 3 * memory)
        self.f_x, self.f_h = nn.Linear(inputs, memory), nn.Linear(memory, memory)

    def node(self, x, children):
        if children:
            hidden = torch.stack([h for h, _ in children])
            cells = torch.stack([c for _, c in children])
        else:
            hidden = cells = torch.zeros(1, self.memory)
        i, u, o = (self.iuo_x(x) + self.iuo_h(hidden.sum(0))).chunk(3)
        f = torch.sigmoid(self.f_h(hidden) + self.f_x(x))
        c = torch.sigmoid(i) * torch.tanh(u) + (f * cells).sum(0)
        return torch.sigmoid(o) * torch.tanh(c), c

    def forward(self, tree, x):
        return self.node(x[tree.at], [self(child, x) for child in tree.children])


class Similarity(nn.Module):
    def __init__(self, learned):
        super().__init__()
        memory = learned["encoder.U"].shape[1]
        classes, hidden = learned["output.weight"].shape
        self.vectors = nn.Embedding.from_pretrained(learned["vectors"])
        self.encoder = ChildSumTreeLSTM(self.vectors.embedding_dim, memory)
        self.comparison, self.output = nn.Linear(2 * memory, hidden), nn.Linear(hidden, classes)
        self.scores = torch.arange(1.0, classes + 1)
        with torch.no_grad():
            for ours, f, iuo in (
                ("W", self.encoder.f_x, self.encoder.iuo_x),
                ("U", self.encoder.f_h, self.encoder.iuo_h),
            ):
                weight, bias = learned[f"encoder.{ours}"], learned[f"encoder.{ours}.bias"].flatten()
                f.weight.copy_(weight[:memory]), f.bias.copy_(bias[:memory])
                iuo.weight.copy_(weight[memory:]), iuo.bias.copy_(bias[memory:])
            for name, layer in (("comparison", self.comparison), ("output", self.output)):
                layer.weight.copy_(learned[f"{name}.weight"]), layer.bias.copy_(learned[f"{name}.bias"].flatten())

    def encode(self, sentence):
        words, tree = sentence
        return self.encoder(tree, self.vectors(words))[0]

    def forward(self, reference, translation):
        a, b = self.encode(reference), self.encode(translation)
        features = torch.cat([a * b, torch.abs(a - b)])
        return F.log_softmax(self.output(torch.sigmoid(self.comparison(features))), dim=0)


def target(score, classes):
    floor = int(score)
    p = torch.zeros(classes)
    p[floor - 1] = floor + 1 - score
    if floor < classes:
        p[floor] = score - floor
    return p


tensors = read(file)
lengths = tensors["lengths"].long().tolist()
words = tensors["words"].long().split(lengths)
heads = [part.tolist() for part in tensors["heads"].long().split(lengths)]
sentences = [(words, Tree(heads, heads.index(0))) for words, heads in zip(words, heads)]
model = Similarity({name.removeprefix("network."): tensors[name] for name in tensors if name.startswith("network.")})
targets = [target(score, len(model.scores)) for score in tensors["scores"].tolist()]
order = tensors["order"].long().tolist()
optimizer = torch.optim.Adagrad([p for p in model.parameters() if p.requires_grad], lr=0.05, weight_decay=1e-4)


def epoch():
    total = 0.0
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        optimizer.zero_grad()
        for pair in batch:
            loss = F.kl_div(model(sentences[2 * pair], sentences[2 * pair + 1]), targets[pair], reduction="sum")
            (loss / len(batch)).backward()
            total += loss.item()
        optimizer.step()
    return total / len(order)


def scores(pairs=len(targets)):
    with torch.inference_mode():
        found = [model(sentences[2 * pair], sentences[2 * pair + 1]) for pair in range(pairs)]
        return [(p.exp() @ model.scores).item() for p in found]


values = scores(SHOWN)
values += [epoch()] if work == "epoch" else []
once = epoch if work == "epoch" else scores
cpu, wall = time.process_time(), time.perf_counter()
for _ in range(times):
    once()
cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
way = "recursion over each tree, a node at a time, pairs one after the other"
print(json.dumps({"cpu_s": cpu / times, "wall_s": wall / times, "values": values, "way": way}))
