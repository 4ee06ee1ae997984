"""Fits how the temperature of sigma((s(a) - s(b)) / T) depends on the length and the distance of two outputs.

    python temperature.py --data siamese.npz --texts texts.jsonl --program string_features \
        --scores held.npz --name student-2 --results results.jsonl

`held.npz` has scores of groups kept out of training: `--dump` of evaluate.py or of `multilingual.py evaluate`. For all
ways together, with a T of their own for each:

    ln T(a, b) = ln T + length * ln((L + 1) / 100) + distance * (d - 1/2)            the logarithm from -2 to 2

L is the mean number of characters without white space of a and b; d is 1 - the first string feature of (a, b).
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import torch

from data import Data, View
from evaluate import write

WAYS = ("reference", "source", "both")


def human_pairs(data, members):
    """The view of the dumped groups in which people compared outputs, and those pairs with their weights."""
    kept = np.zeros(len(data.member), bool)
    kept[members] = True
    compared = np.repeat(np.arange(len(data.set)), np.diff(data.pair_start))[data.pair_kind == -1]
    groups = np.intersect1d(compared, np.searchsorted(data.member_start, members, side="right") - 1)
    view = View(data, groups[data.held[groups]], kept)
    start = np.repeat(view.start, view.pair_count)
    chosen = (view.kind == -1) & (view.better != view.worse)
    return view, (start + view.better)[chosen], (start + view.worse)[chosen], view.weight[chosen].astype(np.float64)


def features(texts, pairs, program):
    """ln((L + 1) / 100), held, and d - 1/2 of pairs of sentences."""
    used, place = np.unique(pairs, return_inverse=True)
    wanted, found = set(used.tolist()), {}
    with open(texts) as lines:
        for number, line in enumerate(lines):
            if number in wanted:
                found[number] = line
    characters = np.array([len("".join(json.loads(found[number]).split())) for number in used.tolist()])
    place = place.reshape(pairs.shape)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("texts.jsonl", "pairs.u32", "found.f32")]
        files[0].write_text("".join(found[number] for number in used.tolist()))
        place.astype("<u4").tofile(files[1])
        subprocess.run([program.resolve(), *files], check=True)
        similarity = np.fromfile(files[2], "<f4").reshape(-1, 12)[:, 0]
    length = np.log((characters[place].mean(axis=1) + 1) / 100).clip(-2, 2)
    return length, 0.5 - similarity.astype(np.float64)


def fit(differences, weight, length, distance, shape):
    """Temperatures of the ways (NaN differences do not count), the two slopes, and the mean loss of each way."""
    names = (*differences, "length", "distance")
    at = {name: torch.zeros((), dtype=torch.float64, requires_grad=True) for name in names}
    tensors = {way: torch.from_numpy(np.nan_to_num(value)) for way, value in differences.items()}
    weights = {way: torch.from_numpy(weight * np.isfinite(value)) for way, value in differences.items()}
    length, distance = torch.from_numpy(length), torch.from_numpy(distance)
    parameters = [at[way] for way in differences] + ([at["length"], at["distance"]] if shape else [])
    optimiser = torch.optim.LBFGS(parameters, max_iter=200, line_search_fn="strong_wolfe")

    def losses():
        factor = at["length"] * length + at["distance"] * distance
        return {
            way: (weights[way] * torch.nn.functional.softplus(-value * torch.exp(-at[way] - factor))).sum()
            / weights[way].sum()
            for way, value in tensors.items()
        }

    def step():
        optimiser.zero_grad()
        total = sum(losses().values())
        total.backward()
        return total

    optimiser.step(step)
    return {name: value.item() for name, value in at.items()}, {way: loss.item() for way, loss in losses().items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "texts", "program", "scores"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--results")
    options = parser.parse_args()
    data, scores = Data(str(options.data), "cpu"), np.load(options.scores)
    view, better, worse, weight = human_pairs(data, scores["members"])
    order = np.argsort(scores["members"])
    place = order[np.searchsorted(scores["members"], view.members, sorter=order)]
    values = {way: scores[way][place].astype(np.float64) for way in WAYS if way in scores}
    differences = {way: value[better] - value[worse] for way, value in values.items()}
    shape = features(options.texts, view.sentence[np.stack([better, worse], 1)], options.program)
    constant, loss_of_constant = fit(differences, weight, *shape, shape=False)
    found, loss = fit(differences, weight, *shape, shape=True)
    for way, value in values.items():
        known = np.isfinite(differences[way])
        outputs = value[np.isin(view.role, (0, 1)) & np.isfinite(value)]
        write(
            options.results,
            model=options.name,
            figure="temperature",
            way=way,
            temperature=round(float(np.exp(found[way])), 4),
            length=round(found["length"], 4),
            distance=round(found["distance"], 4),
            loss=round(loss[way], 4),
            constant=[round(float(np.exp(constant[way])), 4), round(loss_of_constant[way], 4)],
            accuracy=round(float((weight * (differences[way] > 0))[known].sum() / weight[known].sum()), 4),
            pairs=int(known.sum()),
            outputs=len(outputs),
            percentiles=[round(float(x), 4) for x in np.percentile(outputs, np.arange(101))],
        )


if __name__ == "__main__":
    main()
