"""Computes the string features of a packed file (prepare.py) with tercet's own code.

    cargo build --release -p tercet --example string_features
    python strings.py --data siamese.npz --texts texts.jsonl --program string_features --parallel 16

writes siamese.strings.npy: a row of bytes (data.py) for every member with every column of its group, member by member.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from data import shrink, strings_beside


def pairs(packed):
    """(hypothesis, text it is compared with) of every cell, as numbers of sentences."""
    member, start = packed["member"], packed["member_start"]
    of_member = np.repeat(np.arange(len(start) - 1), np.diff(start))
    width = packed["columns"][of_member].astype(np.int64)
    inside = np.arange(width.sum()) - np.repeat(np.cumsum(width) - width, width)
    x = member[np.repeat(start[:-1][of_member], width) + inside]
    return np.stack([np.repeat(member, width), x], axis=1).astype("<u4")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--parallel", type=int, default=1)
    options = parser.parse_args()
    cells = pairs(np.load(options.data))
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for number, part in enumerate(np.array_split(cells, options.parallel)):
            given, found = Path(folder) / f"{number}.u32", Path(folder) / f"{number}.f32"
            part.tofile(given)
            running.append((subprocess.Popen([options.program.resolve(), options.texts, given, found]), found))
        stored = []
        for process, found in running:
            if process.wait():
                raise SystemExit(f"{options.program} failed")
            stored.append(shrink(np.fromfile(found, "<f4").reshape(-1, 12)))
    np.save(strings_beside(options.data), np.concatenate(stored))
    print(f"{len(cells)} cells")


if __name__ == "__main__":
    main()
