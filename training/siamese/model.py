"""The metric: sentence vectors and greedy token matching at three layers -> a small head -> a score."""

import torch
from torch import nn
from torch.nn import functional as F

PROJECTION, HIDDEN, MATCHING = 128, 384, 9


class Siamese(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.projection = nn.Linear(encoder.size, PROJECTION, bias=False)
        self.sentence = nn.Linear(4 * encoder.size, HIDDEN)
        self.matching = nn.Linear(MATCHING, HIDDEN, bias=False)
        self.output = nn.Linear(HIDDEN, 1)
        self.register_buffer("matching_mean", torch.zeros(MATCHING))
        self.register_buffer("matching_scale", torch.ones(MATCHING))
        # scores on another scale (mlqe-pe): slope and offset
        self.other_scale = nn.Parameter(torch.tensor([0.5, 0.0]))

    def encode(self, ids, length):
        """Sentence vectors of length sqrt(size), unit token vectors of three layers, and which tokens are words."""
        place = torch.arange(ids.shape[1], device=ids.device)
        inside = place < length[:, None]
        words = (place > 0) & (place < length[:, None] - 1)
        embedded, middle, last = self.encoder(ids, inside)
        projected = self.projection(last)
        with torch.autocast("cuda", enabled=False):
            last = last.float() * inside[:, :, None]
            mean = last.sum(1) / length[:, None]
            mean = F.normalize(mean, dim=-1) * self.encoder.size**0.5
            layers = [F.normalize(x.float(), dim=-1) for x in (projected, middle, embedded)]
        return mean, layers, words

    def match(self, hypothesis, reference, words_h, words_r):
        """Precision, recall and F: (groups, hypotheses, references) each. Token vectors are (groups, sentences, tokens,
        size)."""
        groups, count_h, length, size = hypothesis.shape
        count_r = reference.shape[1]
        cosine = hypothesis.reshape(groups, count_h * length, size) @ reference.reshape(
            groups, count_r * length, size
        ).transpose(1, 2)
        cosine = cosine.view(groups, count_h, length, count_r, length)
        best_h = cosine.masked_fill(~words_r[:, None, None], -2).amax(4)
        best_r = cosine.masked_fill(~words_h[:, :, :, None, None], -2).amax(2)
        number_h, number_r = words_h.sum(2), words_r.sum(2)
        some = ((number_h[:, :, None] > 0) & (number_r[:, None, :] > 0)).float()
        precision = (best_h * words_h[:, :, :, None]).sum(2) / number_h.clamp(min=1)[:, :, None] * some
        recall = (best_r * words_r[:, None]).sum(3) / number_r.clamp(min=1)[:, None, :] * some
        both = precision + recall
        f = torch.where(both > 1e-6, 2 * precision * recall / both.clamp(min=1e-6), torch.zeros_like(both))
        return [precision, recall, f]

    def features(self, encoded, count, references):
        """Vectors of hypotheses and references and the matching features of all sentences of a group with its first
        `references`."""
        mean, layers, words = encoded
        groups = mean.shape[0] // count
        mean, words = mean.view(groups, count, -1), words.view(groups, count, -1)
        matched = []
        for layer in layers:
            layer = layer.view(groups, count, *layer.shape[1:])
            matched += self.match(layer, layer[:, :references], words, words[:, :references])
        return mean[:, :, None], mean[:, None, :references], torch.stack(matched, dim=-1)

    def head(self, h, r, matched):
        h, r = torch.broadcast_tensors(h, r)
        pair = torch.cat([h, r, h * r, (h - r).abs()], dim=-1)
        hidden = self.sentence(pair) + self.matching((matched - self.matching_mean) / self.matching_scale)
        return self.output(torch.tanh(hidden)).squeeze(-1)

    def forward(self, ids, length, count, references):
        """Scores (groups, count, references) of sentences in groups of `count`, the references first."""
        encoded = self.encode(ids, length)
        with torch.autocast("cuda", enabled=False):
            return self.head(*self.features(encoded, count, references))

    def standardise(self, samples):
        """Sets the constants that bring the matching features to mean 0 and deviation 1."""
        values = samples.reshape(-1, MATCHING)
        self.matching_mean.copy_(values.mean(0))
        self.matching_scale.copy_(values.std(0).clamp(min=1e-3))

    def rescale(self, slope, offset):
        """From now on the score is slope * score + offset."""
        with torch.no_grad():
            self.output.weight.mul_(slope)
            self.output.bias.mul_(slope).add_(offset)
