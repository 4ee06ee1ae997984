"""The metric: sentence vectors, greedy token matching at three layers and string features -> a small head -> a score.

Each sentence is encoded once. A hypothesis h is compared with a text x, the reference or the source:

    part(h, x) = A [h, x, h * x, |h - x|] + B (matching features) + C (string features)
    score = w . tanh(part of the reference if given + part of the source if given + bias of this way) + c
"""

import torch
from torch import nn
from torch.nn import functional as F

PROJECTION, HIDDEN, MATCHING, STRINGS = 128, 384, 9, 12
WAYS = ("reference", "source", "both")


def single_precision():
    """The block computes in single precision, on any device."""
    return torch.autocast("cuda" if torch.cuda.is_available() else "cpu", enabled=False)


class Siamese(nn.Module):
    """`source`: also compares with the source; without it the model has the part of the reference only. `strings`: the
    number of string features."""

    def __init__(self, encoder, source=False, strings=STRINGS):
        super().__init__()
        self.encoder = encoder
        self.projection = nn.Linear(encoder.size, PROJECTION, bias=False)
        self.sentence = nn.Linear(4 * encoder.size, HIDDEN)
        self.matching = nn.Linear(MATCHING, HIDDEN, bias=False)
        self.strings = nn.Linear(strings, HIDDEN, bias=False)
        self.output = nn.Linear(HIDDEN, 1)
        self.register_buffer("matching_mean", torch.zeros(MATCHING))
        self.register_buffer("matching_scale", torch.ones(MATCHING))
        self.register_buffer("strings_mean", torch.zeros(strings))
        self.register_buffer("strings_scale", torch.ones(strings))
        self.has_source = source
        if source:
            self.source_sentence = nn.Linear(4 * encoder.size, HIDDEN, bias=False)
            self.source_matching = nn.Linear(MATCHING, HIDDEN, bias=False)
            self.source_strings = nn.Linear(strings, HIDDEN, bias=False)
            self.register_buffer("source_matching_mean", torch.zeros(MATCHING))
            self.register_buffer("source_matching_scale", torch.ones(MATCHING))
            self.register_buffer("source_strings_mean", torch.zeros(strings))
            self.register_buffer("source_strings_scale", torch.ones(strings))
            # of the ways "source" and "both", beside the bias of `sentence`, which is that of "reference"
            self.way = nn.Parameter(torch.zeros(2, HIDDEN))

    def encode(self, ids, length):
        """Sentence vectors of length sqrt(size), unit token vectors of three layers, and which tokens are words."""
        place = torch.arange(ids.shape[1], device=ids.device)
        inside = place < length[:, None]
        words = (place > 0) & (place < length[:, None] - 1)
        embedded, middle, last = self.encoder(ids, inside)
        projected = self.projection(last)
        with single_precision():
            last = last.float() * inside[:, :, None]
            mean = last.sum(1) / length[:, None]
            mean = F.normalize(mean, dim=-1) * self.encoder.size**0.5
            layers = [F.normalize(x.float(), dim=-1) for x in (projected, middle, embedded)]
        return mean, layers, words

    def match(self, hypothesis, x, words_h, words_x):
        """Precision, recall and F: (groups, hypotheses, columns) each. Token vectors are (groups, sentences, tokens,
        size)."""
        groups, count_h, length, size = hypothesis.shape
        count_x = x.shape[1]
        cosine = hypothesis.reshape(groups, count_h * length, size) @ x.reshape(
            groups, count_x * length, size
        ).transpose(1, 2)
        cosine = cosine.view(groups, count_h, length, count_x, length)
        best_h = cosine.masked_fill(~words_x[:, None, None], -2).amax(4)
        best_x = cosine.masked_fill(~words_h[:, :, :, None, None], -2).amax(2)
        number_h, number_x = words_h.sum(2), words_x.sum(2)
        some = ((number_h[:, :, None] > 0) & (number_x[:, None, :] > 0)).float()
        precision = (best_h * words_h[:, :, :, None]).sum(2) / number_h.clamp(min=1)[:, :, None] * some
        recall = (best_x * words_x[:, None]).sum(3) / number_x.clamp(min=1)[:, None, :] * some
        both = precision + recall
        f = torch.where(both > 1e-6, 2 * precision * recall / both.clamp(min=1e-6), torch.zeros_like(both))
        return [precision, recall, f]

    def features(self, encoded, count, columns):
        """Vectors of hypotheses and of the texts they are compared with (the first `columns` sentences of each group),
        and the matching features."""
        mean, layers, words = encoded
        groups = mean.shape[0] // count
        mean, words = mean.view(groups, count, -1), words.view(groups, count, -1)
        matched = []
        for layer in layers:
            layer = layer.view(groups, count, *layer.shape[1:])
            matched += self.match(layer, layer[:, :columns], words, words[:, :columns])
        return mean[:, :, None], mean[:, None, :columns], torch.stack(matched, dim=-1)

    def part(self, h, x, matched, strings, prefix=""):
        """What a text x adds to the hidden layer: (groups, hypotheses, columns, HIDDEN)."""
        h, x = torch.broadcast_tensors(h, x)
        pair = torch.cat([h, x, h * x, (h - x).abs()], dim=-1)
        matched = (matched - getattr(self, f"{prefix}matching_mean")) / getattr(self, f"{prefix}matching_scale")
        strings = (strings - getattr(self, f"{prefix}strings_mean")) / getattr(self, f"{prefix}strings_scale")
        return (
            getattr(self, f"{prefix}sentence")(pair)
            + getattr(self, f"{prefix}matching")(matched)
            + getattr(self, f"{prefix}strings")(strings)
        )

    def head(self, hidden):
        return self.output(torch.tanh(hidden)).squeeze(-1)

    def compare(self, encoded, count, columns, strings):
        """Scores (groups, count, columns) against each of the first `columns` sentences as the reference."""
        with single_precision():
            return self.head(self.part(*self.features(encoded, count, columns), strings))

    def compare_ways(self, encoded, count, columns, strings):
        """Way -> scores (groups, count, columns of references) of a model with source: the first sentence of a group
        is the source, the others of the first `columns` are references. The way "source" has one column."""
        with single_precision():
            h, x, matched = self.features(encoded, count, columns)
            of_source = self.part(h, x[:, :, :1], matched[:, :, :1], strings[:, :, :1], "source_")
            found = {"source": self.head(of_source + self.way[0])}
            if columns > 1:
                of_reference = self.part(h, x[:, :, 1:], matched[:, :, 1:], strings[:, :, 1:])
                found["reference"] = self.head(of_reference)
                found["both"] = self.head(of_reference - self.sentence.bias + of_source + self.way[1])
        return found

    def forward(self, ids, length, count, columns, strings):
        """`strings`: (groups, count, columns, features)."""
        compare = self.compare_ways if self.has_source else self.compare
        return compare(self.encode(ids, length), count, columns, strings)

    def standardise(self, matched, strings, prefix=""):
        """Sets the constants that bring the features to mean 0 and deviation 1."""
        for name, samples in (("matching", matched), ("strings", strings)):
            values = samples.reshape(-1, samples.shape[-1])
            getattr(self, f"{prefix}{name}_mean").copy_(values.mean(0))
            getattr(self, f"{prefix}{name}_scale").copy_(values.std(0).clamp(min=1e-2))

    def rescale(self, slope, offset):
        """From now on the score is slope * score + offset."""
        with torch.no_grad():
            self.output.weight.mul_(slope)
            self.output.bias.mul_(slope).add_(offset)
