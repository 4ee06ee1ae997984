"""The scoring function in numpy, for checks of other implementations.

    python score.py --model siamese-en.safetensors --tokenizer tokenizer.json --input examples.json --output scored.json

The input is a list of {"reference", "hypothesis"}; the output adds "score" and the nine matching features.
BERT encoders only.
"""

import argparse
import json
import math
from pathlib import Path

import numpy as np
from safetensors import safe_open
from tokenizers import Tokenizer

ERF = np.vectorize(math.erf, otypes=[np.float64])


def normal(x, weight, bias, eps):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + eps) * weight + bias


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12)


class Scorer:
    def __init__(self, model, tokenizer):
        with safe_open(model, "numpy") as file:
            config = json.loads(file.metadata()["config"])
            self.tensors = {name: file.get_tensor(name).astype(np.float64) for name in file.keys()}
        self.tokenizer = Tokenizer.from_file(tokenizer)
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.layers, self.heads = config["num_hidden_layers"], config["num_attention_heads"]
        self.size, self.eps = config["hidden_size"], config["layer_norm_eps"]
        self.known = {}

    def linear(self, x, name):
        return x @ self.tensors[f"{name}.weight"].T + self.tensors[f"{name}.bias"]

    def norm(self, x, name):
        return normal(x, self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"], self.eps)

    def layer(self, x, name):
        def split(part):
            return self.linear(x, f"{name}.attention.self.{part}").reshape(len(x), self.heads, -1).transpose(1, 0, 2)

        query, key, value = split("query"), split("key"), split("value")
        weight = query @ key.transpose(0, 2, 1) / math.sqrt(self.size // self.heads)
        weight = np.exp(weight - weight.max(-1, keepdims=True))
        weight /= weight.sum(-1, keepdims=True)
        mixed = (weight @ value).transpose(1, 0, 2).reshape(len(x), self.size)
        x = self.norm(x + self.linear(mixed, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm")
        inner = self.linear(x, f"{name}.intermediate.dense")
        inner = inner * 0.5 * (1 + ERF(inner / math.sqrt(2)))
        return self.norm(x + self.linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def encode(self, text):
        """The sentence vector, and unit vectors of the word pieces (without special ones) at three layers."""
        if text in self.known:
            return self.known[text]
        pieces = self.tokenizer.encode(text, add_special_tokens=False).ids[:254]
        ids = [101, *pieces, 102]
        embedded = (
            self.tensors["embeddings.word_embeddings.weight"][ids]
            + self.tensors["embeddings.position_embeddings.weight"][: len(ids)]
            + self.tensors["embeddings.token_type_embeddings.weight"][0]
        )
        outputs = [self.norm(embedded, "embeddings.LayerNorm")]
        for index in range(self.layers):
            outputs.append(self.layer(outputs[-1], f"encoder.layer.{index}"))
        vector = unit(outputs[-1].mean(0)) * math.sqrt(self.size)
        projected = outputs[-1] @ self.tensors["projection.weight"].T
        tokens = [unit(x[1:-1]) for x in (projected, outputs[self.layers // 2], outputs[0])]
        self.known[text] = vector, tokens
        return self.known[text]

    def match(self, h, r):
        if not len(h) or not len(r):
            return [0.0, 0.0, 0.0]
        cosine = h @ r.T
        precision, recall = cosine.max(1).mean(), cosine.max(0).mean()
        both = precision + recall
        return [precision, recall, 2 * precision * recall / both if both > 1e-6 else 0.0]

    def score(self, hypothesis, reference):
        (h, tokens_h), (r, tokens_r) = self.encode(hypothesis), self.encode(reference)
        matched = np.array([value for pair in zip(tokens_h, tokens_r) for value in self.match(*pair)])
        hidden = self.tensors["head.sentence.weight"] @ np.concatenate([h, r, h * r, np.abs(h - r)])
        hidden += self.tensors["head.matching.weight"] @ matched + self.tensors["head.bias"]
        return float(
            self.tensors["head.output.weight"][0] @ np.tanh(hidden) + self.tensors["head.output.bias"][0]
        ), matched


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--input", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    scorer = Scorer(options.model, options.tokenizer)
    examples = json.loads(options.input.read_text())
    for example in examples:
        score, matched = scorer.score(example["hypothesis"], example["reference"])
        example["score"], example["matching"] = round(score, 6), [round(float(value), 6) for value in matched]
    options.output.write_text(json.dumps(examples, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
