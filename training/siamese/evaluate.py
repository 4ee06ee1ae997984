"""Figures of a model, one JSON object per line.

python evaluate.py --data siamese.npz --encoder ENCODER.npz --model MODEL.pt --figures da-wmt16 wmt12-rr robust
--results FILE
"""

import argparse
import json

import numpy as np
import torch

import perturb
from data import Data, View
from encoder import load_packed, quantised
from model import Siamese

TEST_LANGUAGES = {
    "da-wmt15": ["cs-en", "de-en", "fi-en", "ru-en"],
    "da-wmt16": ["cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en"],
}


def load(encoder, state, device, dropout=0.0):
    model = Siamese(load_packed(encoder, dropout))
    if state:
        model.load_state_dict({name: value.float() for name, value in torch.load(state, map_location="cpu").items()})
    return model.to(device)


@torch.no_grad()
def scores(model, view, tokens=24000, fast=False):
    """The score of every member of a view against its reference."""
    model.eval()
    found = np.zeros(len(view.sentence), np.float32)
    results = []
    for places in view.plan(tokens):
        batch = view.batch(places)
        with torch.autocast("cuda", torch.bfloat16, enabled=fast and torch.cuda.is_available()):
            results.append((batch.index, model(*batch.inputs(model.encoder), batch.count, 1)[:, :, 0]))
    for index, value in results:
        found[index] = value.float().cpu().numpy()
    return found


def judged_view(data, groups):
    return View(data, groups, (data.role == -1) | (data.role == 1))


def pair_scores(view, score):
    """Scores of the better and the worse member of every pair of a view, and the pair's group."""
    owner = np.repeat(np.arange(len(view.groups)), view.pair_count)
    return score[view.start[owner] + view.better], score[view.start[owner] + view.worse], owner


def kendall(model, data, name, held=None, **options):
    """(concordant - discordant - tied) / all, by language."""
    found = {}
    for language in data.languages:
        groups = data.groups([name], [language], held=held)
        view = judged_view(data, groups)
        if not len(view.better):
            continue
        better, worse, _ = pair_scores(view, scores(model, view, **options))
        found[language] = float((view.weight * np.where(better > worse, 1, -1)).sum() / view.weight.sum())
    return found


def pearson(model, data, name, held=None, languages=None, **options):
    found = {}
    for language in languages or TEST_LANGUAGES.get(name, data.languages):
        groups = data.groups([name], [language], held=held)
        if len(groups):
            view = View(data, groups)
            judged = view.role == 1
            found[language] = float(np.corrcoef(scores(model, view, **options)[judged], view.z[judged])[0, 1])
    return found


def robustness(model, data, **options):
    """How often a damaged copy scores below the original, by kind; of references and of outputs."""
    found = {}
    for name in ("robust-reference", "robust-output"):
        view = View(data, data.groups([name], held=None))
        better, worse, _ = pair_scores(view, scores(model, view, **options))
        for kind, label in enumerate(perturb.KINDS):
            chosen = view.kind == kind
            found[f"{name[7:]} {label}"] = float((better > worse)[chosen].mean())
    return found


def copies(model, data, **options):
    """How often a copy of the reference scores above every output of WMT19."""
    view = judged_view(data, data.groups(["wmt19-darr"], held=None))
    score = scores(model, view, **options)
    best = np.maximum.reduceat(np.where(view.role == -1, -np.inf, score), view.start)
    return {"copy highest": float((score[view.start] >= best).mean())}


def calibration(model, data, sets, **options):
    """Temperature of sigma((s(a) - s(b)) / T) on pairs kept out of training, and percentiles of outputs' scores
    there."""
    view = View(data, data.groups(sets, held=True), data.role < 2)
    score = scores(model, view, **options)
    better, worse, _ = pair_scores(view, score)
    chosen = (view.kind == -1) & (view.better != view.worse)
    difference, weight = (better - worse)[chosen].astype(np.float64), view.weight[chosen]
    grid = np.exp(np.linspace(np.log(0.05), np.log(5), 400))
    loss = [(weight * np.logaddexp(0, -difference / t)).sum() / weight.sum() for t in grid]
    best = int(np.argmin(loss))
    return {
        "temperature": float(grid[best]),
        "loss": float(loss[best]),
        "accuracy": float((weight * (difference > 0)).sum() / weight.sum()),
        "judgements": float(weight.sum()),
        "outputs": int((view.role >= 0).sum()),
        "percentiles": [float(value) for value in np.percentile(score[view.role >= 0], np.arange(101))],
    }


def figures(model, data, names, **options):
    found = {}
    for name in names:
        if name == "robust":
            found[name] = robustness(model, data, **options) | copies(model, data, **options)
        elif name.startswith("da-") or name == "mlqe-pe":
            found[name] = pearson(model, data, name, **options)
        elif name == "calibration":
            found[name] = calibration(
                model, data, ["wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt15-rr", "wmt16-rr"], **options
            )
        else:
            found[name] = kendall(model, data, name, **options)
        values = [v for v in found[name].values() if isinstance(v, float)]
        if name != "calibration":
            found[name] = {"average": float(np.mean(values))} | found[name]
    return found


def round_weights(model):
    """Replaces the matrices of encoder, projection and head by what 8-bit rows keep of them."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() == 2 and parameter.shape[1] > 16 and not name.startswith("output"):
                rows, scale = quantised(parameter.cpu().numpy())
                parameter.copy_(torch.from_numpy(rows * scale))


def write(results, **entry):
    line = json.dumps(entry)
    print(line, flush=True)
    if results:
        with open(results, "a") as file:
            file.write(line + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--figures", nargs="+", default=[])
    parser.add_argument("--int8", action="store_true")
    parser.add_argument("--results")
    parser.add_argument("--name")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = Data(options.data, device)
    model = load(options.encoder, options.model, device)
    if options.int8:
        round_weights(model)
    for name, values in figures(model, data, options.figures).items():
        write(
            options.results,
            model=(options.name or options.model) + (" int8" if options.int8 else ""),
            figure=name,
            **values,
        )


if __name__ == "__main__":
    main()
