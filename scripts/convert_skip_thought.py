"""Converts Skip-Thought's published files: python convert_skip_thought.py FOLDER TARGET

FOLDER has uni_skip.npz, bi_skip.npz, utable.npy, btable.npy and dictionary.txt as published. TARGET gets
uni_skip.safetensors and
bi_skip.safetensors (weights), uni_words.bin and bi_words.bin (word vectors in word2vec's binary format). Needs numpy
and safetensors.
"""

import os
import sys

if len(sys.argv) != 3:
    sys.exit("usage: python convert_skip_thought.py FOLDER TARGET")
folder, target = sys.argv[1:]
files = ["uni_skip.npz", "bi_skip.npz", "utable.npy", "btable.npy", "dictionary.txt"]
missing = [name for name in files if not os.path.exists(os.path.join(folder, name))]
if missing:
    sys.exit(f"{folder}: not Skip-Thought's published files, it has no {', '.join(missing)}")

import numpy as np
from safetensors.numpy import save_file

os.makedirs(target, exist_ok=True)
with open(os.path.join(folder, "dictionary.txt"), encoding="utf8") as file:
    words = [line.strip() for line in file]


def table(path):
    """Tables are saved as an array, or as an array of one object with the array inside."""
    rows = np.load(path, allow_pickle=True, encoding="latin1")
    return np.asarray(rows.item() if rows.dtype == object and rows.shape == () else rows, dtype="float32")


for kind, prefixes in [("uni", ["encoder_"]), ("bi", ["encoder_", "encoder_r_"])]:
    weights = np.load(os.path.join(folder, f"{kind}_skip.npz"))
    names = [prefix + part for prefix in prefixes for part in ["W", "U", "b", "Wx", "Ux", "bx"]]
    missing = [name for name in names if name not in weights]
    if missing:
        sys.exit(f"{kind}_skip.npz: not Skip-Thought's weights, it has no {', '.join(missing)}")
    tensors = {name: np.ascontiguousarray(weights[name], dtype="float32") for name in names}
    save_file(tensors, os.path.join(target, f"{kind}_skip.safetensors"))
    rows = table(os.path.join(folder, f"{kind[0]}table.npy"))
    if len(rows) != len(words):
        sys.exit(
            f"{kind[0]}table.npy has {len(rows)} rows, dictionary.txt {len(words)} words: they do not belong together"
        )
    with open(os.path.join(target, f"{kind}_words.bin"), "wb") as file:
        file.write(f"{len(rows)} {rows.shape[1]}\n".encode())
        for word, row in zip(words, rows):
            file.write(word.replace(" ", "_").encode("utf8") + b" " + row.tobytes() + b"\n")
