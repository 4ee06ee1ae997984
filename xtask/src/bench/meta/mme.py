"""One statistic of mt-metrics-eval on the matrix of a file, timed: the peer of examples/meta.rs, with its arguments.

    python mme.py FOLDER WORK FILE DRAWS SEED MEASURED

FOLDER holds the package mt_metrics_eval. Of DRAWS permutations at most MEASURED are drawn; the time of all of them is
then that of one, and as many times the rest's share as there are more.
"""

import json
import sys
import time

folder, work, file, draws, seed, measured = sys.argv[1:]
sys.path.insert(0, folder)

import numpy as np  # noqa: E402
from mt_metrics_eval import stats  # noqa: E402

with open(file, encoding="utf-8") as opened:
    problem = json.load(opened)
systems, gold, metrics = problem["systems"], problem["gold"], problem["metrics"]
draws, measured = int(draws), min(int(draws), int(measured))


def calibrate():
    found = (stats.KendallWithTiesOpt(gold, metric, "acc23", systems, "item", 1.0) for metric in metrics)
    return [[float(value), float(threshold)] for value, threshold, _ in found]


def compare(count):
    np.random.seed(int(seed))
    first, second = (stats.Correlation(systems, gold, metric) for metric in metrics[:2])
    never = stats.PermutationSigDiffParams(block_size=count + 1)
    if work == "scores":
        options = {"variant": "acc23", "sample_rate": 1.0}
        found = stats.PermutationSigDiff(first, second, stats.KendallWithTiesOpt, "item", count, never, **options)
    else:
        found = stats.PairwisePermutationSigDiff(first, second, "acc23", "item", count, never)
    return [float(found[0]), float(found[1])]


def timed(statistic, *arguments):
    start = time.process_time()
    values = statistic(*arguments)
    return time.process_time() - start, values


if work == "calibrate":
    seconds, values = timed(calibrate)
else:
    seconds, values = timed(compare, measured)
    if measured < draws:
        one, _ = timed(compare, 1)
        seconds = one + (seconds - one) / (measured - 1) * (draws - 1)
print(json.dumps({"cpu_s": seconds, "values": values}))
