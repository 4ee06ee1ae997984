"""Sentence vectors with sentence-transformers on one thread, timed: the peer of tercet-transformer's examples/encoding.

python pytorch.py FOLDER LINES VECTORS
"""

import json
import resource
import sys
import time

import torch
import transformers

transformers.utils.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()
from sentence_transformers import SentenceTransformer

folder, lines, vectors = sys.argv[1:]
torch.set_num_threads(1)
with open(lines, encoding="utf8") as file:
    lines = [line.rstrip("\n") for line in file]
model = SentenceTransformer(folder, device="cpu")
model.encode(lines[:32])


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


cpu_s, wall_s = cpu(), time.time()
encoded = model.encode(lines, batch_size=32, show_progress_bar=False)
cpu_s, wall_s = cpu() - cpu_s, time.time() - wall_s
encoded.astype("float32").tofile(vectors)
way = f"sentence-transformers, batches of 32, torch {torch.__version__}"
print(json.dumps({"cpu_s": cpu_s, "wall_s": wall_s, "way": way}))
