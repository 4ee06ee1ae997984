"""BERTScore as bert_score 0.3.13 computes it, written anew with numpy in double precision, beside tercet's.

    python scripts/bertscore_numpy.py ENCODER HYPOTHESES REFERENCES [LINES]

ENCODER is the folder of a BERT with model.safetensors and tokenizer.json, the files have a line per segment. Prints the
largest differences of precision, recall and F1 for some layers, with and without weights of tokens. Needs numpy,
safetensors, tokenizers and the package tercet.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from pathlib import Path

import numpy
from safetensors.numpy import load_file
from tercet.compat import bert_score
from tokenizers import Tokenizer

erf = numpy.vectorize(math.erf)


class Encoder:
    """Token vectors of length 1."""

    def __init__(self, folder: Path) -> None:
        self.weights = {key.removeprefix("bert."): rows for key, rows in load_file(folder / "model.safetensors").items()}
        self.config = json.loads((folder / "config.json").read_text())
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(512)

    def linear(self, rows, name):
        return rows @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def normalized(self, rows, name):
        centred = rows - rows.mean(-1, keepdims=True)
        scale = numpy.sqrt((centred**2).mean(-1, keepdims=True) + self.config["layer_norm_eps"])
        return centred / scale * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def vectors(self, tokens, layers):
        table = {kind: self.weights[f"embeddings.{kind}_embeddings.weight"] for kind in ("word", "position", "token_type")}
        rows = table["word"][tokens].astype(float) + table["position"][: len(tokens)] + table["token_type"][0]
        rows = self.normalized(rows, "embeddings.LayerNorm")
        heads = self.config["num_attention_heads"]
        width = rows.shape[1] // heads
        for layer in range(layers):
            name = f"encoder.layer.{layer}"
            query, key, value = (
                self.linear(rows, f"{name}.attention.self.{part}").reshape(-1, heads, width).transpose(1, 0, 2)
                for part in ("query", "key", "value")
            )
            logits = query @ key.transpose(0, 2, 1) / math.sqrt(width)
            shares = numpy.exp(logits - logits.max(-1, keepdims=True))
            shares /= shares.sum(-1, keepdims=True)
            mixed = (shares @ value).transpose(1, 0, 2).reshape(len(tokens), -1)
            mixed = self.linear(mixed, f"{name}.attention.output.dense")
            rows = self.normalized(mixed + rows, f"{name}.attention.output.LayerNorm")
            inner = self.linear(rows, f"{name}.intermediate.dense")
            inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
            rows = self.normalized(self.linear(inner, f"{name}.output.dense") + rows, f"{name}.output.LayerNorm")
        return rows / numpy.linalg.norm(rows, axis=-1, keepdims=True)


def scores(encoder, hypotheses, references, layers, idf):
    """Precision, recall and F1 of each segment."""
    tokens = {line: encoder.tokenizer.encode(line.strip()).ids for line in {*hypotheses, *references}}
    special = {encoder.tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]")}
    counts = Counter(token for line in references for token in set(tokens[line]))

    def weights(line):
        if idf:
            return numpy.array([math.log((len(references) + 1) / (counts[token] + 1)) for token in tokens[line]])
        return numpy.array([0.0 if token in special else 1.0 for token in tokens[line]])

    vectors = {line: encoder.vectors(ids, layers) for line, ids in tokens.items()}
    found = []
    for hypothesis, reference in zip(hypotheses, references):
        if len(tokens[hypothesis]) == 2 or len(tokens[reference]) == 2:
            found.append((0.0, 0.0, 0.0))
            continue
        cosines = vectors[hypothesis] @ vectors[reference].T
        precision = numpy.average(cosines.max(1), weights=weights(hypothesis))
        recall = numpy.average(cosines.max(0), weights=weights(reference))
        found.append((precision, recall, 2 * precision * recall / (precision + recall)))
    return numpy.array(found)


def main() -> None:
    """Compares."""
    folder, count = Path(sys.argv[1]), int(sys.argv[4]) if len(sys.argv) > 4 else None
    hypotheses, references = (Path(path).read_text(encoding="utf-8").split("\n")[:count] for path in sys.argv[2:4])
    encoder = Encoder(folder)
    for layers, idf in ((4, False), (4, True), (6, False)):
        expected = scores(encoder, hypotheses, references, layers, idf)
        found = bert_score.score(hypotheses, references, model_type=str(folder), num_layers=layers, idf=idf)
        differences = numpy.abs(numpy.stack(found, 1) - expected).max(0)
        print(f"layer {layers}, idf {idf}: {len(found[0])} segments, largest differences of P, R, F1:", *differences)


if __name__ == "__main__":
    main()
