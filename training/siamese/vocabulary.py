"""Smaller models: fewer layers of a trained one, fewer word pieces.

    python vocabulary.py --data siamese.npz --vocabulary vocab.txt --keep 14000 --output pieces.txt

writes the pieces that a smaller model keeps: all single characters, and the pieces that are most frequent in the file.
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from encoder import Encoder
from model import Siamese

UNKNOWN, LONGEST = "[UNK]", 100


def read_lines(path):
    return Path(path).read_text().rstrip("\n").split("\n")


class Vocabulary:
    """The pieces of an encoder and the fewer pieces of a smaller one."""

    def __init__(self, whole, kept):
        self.whole, self.kept = read_lines(whole), read_lines(kept)
        self.place = {piece: number for number, piece in enumerate(self.kept)}
        whole_place = {piece: number for number, piece in enumerate(self.whole)}
        self.rows = np.array([whole_place[piece] for piece in self.kept])
        self.known = {}

    def cut(self, word):
        """The pieces of a word: the longest known one first."""
        found, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = ("##" if start else "") + word[start:end]
                if piece in self.place:
                    found.append(self.place[piece])
                    break
            else:
                return [self.place[UNKNOWN]]
            start = end
        return found

    def translate(self, tokens, token_start):
        """Sentences of the larger vocabulary in pieces of the smaller one."""
        later = np.array([piece.startswith("##") for piece in self.whole])
        new = np.full(len(self.whole), -1)
        new[self.rows] = np.arange(len(self.rows))
        first = ~later[tokens]
        first[token_start[:-1][token_start[:-1] < len(tokens)]] = True
        begin = np.flatnonzero(first)
        end = np.append(begin[1:], len(tokens))
        gone = np.add.reduceat((new[tokens] < 0).astype(int), begin) > 0
        result = new[tokens]
        length = np.ones(len(tokens), np.int64)
        replaced = []
        for start, stop in zip(begin[gone], end[gone]):
            key = tokens[start:stop].tobytes()
            if key not in self.known:
                pieces = [self.whole[token] for token in tokens[start:stop]]
                text = pieces[0] + "".join(piece[2:] for piece in pieces[1:])
                self.known[key] = self.cut(text)
            replaced.append(self.known[key])
            length[start] = len(self.known[key])
            length[start + 1 : stop] = 0
        place = np.append(0, np.cumsum(length))
        output = np.empty(place[-1], np.uint16)
        whole = length == 1
        output[place[:-1][whole]] = np.maximum(result[whole], 0)
        for start, pieces in zip(begin[gone], replaced):
            output[place[start] : place[start] + len(pieces)] = pieces
        return output, place[token_start].astype(np.int32)


def shortened(model, layers, vocabulary):
    """A model with some layers of another one and with the pieces of a smaller vocabulary."""
    old = model.encoder
    config = dict(old.config, num_hidden_layers=len(layers), vocab_size=len(vocabulary.kept))
    config["special_pieces"] = [vocabulary.place[piece] for piece in ("[CLS]", "[SEP]", "[PAD]")]
    encoder = Encoder(config)
    new = Siamese(encoder)
    state = {}
    for name, value in model.state_dict().items():
        if name == "encoder.words.weight":
            value = value[torch.from_numpy(vocabulary.rows)]
        if name.startswith("encoder.layers."):
            number, rest = name.removeprefix("encoder.layers.").split(".", 1)
            if int(number) not in layers:
                continue
            name = f"encoder.layers.{layers.index(int(number))}.{rest}"
        state[name] = value
    new.load_state_dict(state)
    return new


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--vocabulary", required=True)
    parser.add_argument("--keep", type=int, required=True)
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    pieces, packed = read_lines(options.vocabulary), np.load(options.data)
    count = np.bincount(packed["tokens"], minlength=len(pieces)).astype(float)
    for number, piece in enumerate(pieces):
        bare = piece.removeprefix("##")
        if piece in (UNKNOWN, "[PAD]", "[CLS]", "[SEP]", "[MASK]"):
            count[number] = np.inf
        elif len(bare) == 1 and (bare.isascii() or count[number] > 0):
            count[number] = 1e12
        elif piece.startswith("[unused"):
            count[number] = -1
    chosen = np.sort(np.argsort(-count, kind="stable")[: options.keep])
    Path(options.output).write_text("".join(f"{pieces[number]}\n" for number in chosen))
    kept = np.isin(np.arange(len(pieces)), chosen)
    print(f"{len(chosen)} pieces, {count[kept & (count < 1e12)].sum() / count[count < 1e12].sum():.4f} of the tokens")


if __name__ == "__main__":
    main()
