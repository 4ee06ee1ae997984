"""Support vector regression with scikit-learn, timed: the peer of tercet-learn's examples/svr, with its file.

python scikit_learn.py fit FILE
"""

import json
import struct
import sys
import time

import numpy
from sklearn.svm import SVR

SHOWN = 10

with open(sys.argv[2], "rb") as opened:
    header = json.loads(opened.read(struct.unpack("<Q", opened.read(8))[0]))
    data = opened.read()


def tensor(name):
    start, end = header[name]["data_offsets"]
    return numpy.frombuffer(data[start:end], dtype="<f8").reshape(header[name]["shape"])


features, targets = tensor("features"), tensor("targets")
model = SVR(kernel="rbf", C=1.0, epsilon=0.1, gamma=0.1, cache_size=1000)
cpu, wall = time.process_time(), time.perf_counter()
model.fit(features, targets)
cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
values = model.predict(features[:SHOWN]).tolist()
print(json.dumps({"cpu_s": cpu, "wall_s": wall, "values": values, "way": "SVR, a cache of 1,000 MB for the kernel"}))
