"""Where the English teachers' scores of the multilingual data lie.

python targets.py --data multilingual.npz --english siamese.npz --english-texts texts.jsonl.gz --output cells.npy

The teachers score every member of each group of the English file against its columns (train.py score). The output has
for each member of the multilingual file the place of its score against its reference, or -1.
"""

import argparse
import gzip
import json
from pathlib import Path

import numpy as np


def read_texts(path):
    with gzip.open(path, "rt") if path.suffix == ".gz" else open(path) as file:
        return [json.loads(line) for line in file]


def english_cells(path):
    """Keys (hypothesis * number of sentences + reference) and cells of the English file, sorted by key."""
    packed = np.load(path)
    count, columns = np.diff(packed["member_start"]).astype(np.int64), packed["columns"].astype(np.int64)
    group = np.repeat(np.arange(len(count)), count * columns)
    start = np.append(0, np.cumsum(count * columns))
    inside = np.arange(start[-1]) - start[group]
    first, member = packed["member_start"][group], packed["member"].astype(np.int64)
    hypothesis, reference = member[first + inside // columns[group]], member[first + inside % columns[group]]
    key = hypothesis * len(packed["token_start"]) + reference
    order = np.argsort(key, kind="stable")
    return key[order], order, len(packed["token_start"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--english", type=Path, required=True)
    parser.add_argument("--english-texts", type=Path, required=True)
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    packed = np.load(options.data)
    place = {text: i for i, text in enumerate(read_texts(options.english_texts))}
    texts = read_texts(options.data.with_suffix(".texts.jsonl"))
    there = np.array([place.get(text, -1) for text in texts], np.int64)
    against = packed["against"]
    hypothesis, reference = there[packed["member"]], np.where(against >= 0, there[against], -1)
    key, cell, count = english_cells(options.english)
    wanted = hypothesis * count + reference
    found = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    known = (hypothesis >= 0) & (reference >= 0) & (key[found] == wanted)
    np.save(options.output, np.where(known, cell[found], -1).astype(np.int32))
    print(f"{(against >= 0).sum()} members have an English reference, {known.sum()} of them a score")
    owner = np.repeat(np.arange(len(packed["set"])), np.diff(packed["member_start"]))
    for number, name in enumerate(packed["sets"]):
        inside = packed["set"][owner] == number
        if (against[inside] >= 0).any():
            print(f"{name}: {(against[inside] >= 0).sum()} and {known[inside].sum()}")


if __name__ == "__main__":
    main()
