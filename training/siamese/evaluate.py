"""Figures of a model, one JSON object per line.

python evaluate.py --data siamese.npz --model MODEL.pt --figures held da-wmt16 --results FILE
"""

import argparse
import json

import numpy as np
import torch

import perturb
from data import Batches, Data, View
from encoder import Encoder, load_packed, quantised
from model import Siamese
from vocabulary import Vocabulary

TEST_LANGUAGES = {
    "da-wmt15": ["cs-en", "de-en", "fi-en", "ru-en"],
    "da-wmt16": ["cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en"],
}


def read_state(path):
    """The encoder's config.json and the tensors of a state of train.py, or of the .npz of export.py `--small`."""
    if str(path).endswith(".npz"):
        packed = np.load(path)
        names = [name for name in packed.files if not name.endswith("/scale") and name != "config"]
        scale = {name: packed[f"{name}/scale"] if f"{name}/scale" in packed else 1 for name in names}
        state = {name: torch.from_numpy(packed[name].astype(np.float32) * scale[name]) for name in names}
        return json.loads(str(packed["config"])), state
    state = torch.load(path, map_location="cpu")
    config = json.loads(state.pop("config"))
    return config, {name: value.float() for name, value in state.items()}


def load(encoder, state, device, dropout=0.0, **shape):
    """A model with the weights of a state or, without one, a new one (`shape`: what Siamese takes) on an encoder
    file."""
    if not state:
        return Siamese(load_packed(encoder, dropout), **shape).to(device)
    config, tensors = read_state(state)
    model = Siamese(Encoder(config, dropout), source="way" in tensors, strings=len(tensors["strings_mean"]))
    model.load_state_dict(tensors)
    return model.to(device)


@torch.no_grad()
def scores(model, view, tokens=24000, fast=False):
    """The score of every member of a view against its reference."""
    model.eval()
    device = view.data.device
    found = torch.zeros(len(view.sentence), device=device)
    for batch in Batches(view, view.plan(tokens)):
        with torch.autocast("cuda", torch.bfloat16, enabled=fast and torch.cuda.is_available()):
            value = model(*batch.inputs(model.encoder, 1))[:, :, 0]
        found[batch.index] = value.float()
    return found.cpu().numpy()


def judged_view(data, groups):
    return View(data, groups, (data.role == -1) | (data.role == 1))


def pair_scores(view, score):
    """Scores of the better and the worse member of every pair of a view, and the pair's group."""
    owner = np.repeat(np.arange(len(view.groups)), view.pair_count)
    return score[view.start[owner] + view.better], score[view.start[owner] + view.worse], owner


def kendall(model, data, name, held=None, **options):
    """(concordant - discordant - tied) / all of human pairs, by language."""
    found = {}
    for language in data.languages:
        groups = data.groups([name], [language], held=held)
        view = judged_view(data, groups)
        human = view.kind == -1
        if not human.any():
            continue
        better, worse, _ = pair_scores(view, scores(model, view, **options))
        sign, weight = np.where(better > worse, 1, -1)[human], view.weight[human]
        found[language] = float((weight * sign).sum() / weight.sum())
    return found


def pearson(model, data, name, held=None, languages=None, **options):
    found = {}
    for language in languages or TEST_LANGUAGES.get(name, data.languages):
        groups = data.groups([name], [language], held=held)
        if len(groups):
            view = View(data, groups)
            judged = (view.role == 1) & ~np.isnan(view.z)
            found[language] = float(np.corrcoef(scores(model, view, **options)[judged], view.z[judged])[0, 1])
    return found


def held_figures(model, data, **options):
    """On the groups kept out of training: the share of human pairs right by set, and of copies below what they are
    copies of by kind; of near-copies with another meaning, apart, those against another sentence of the same meaning
    (`paraphrase`)."""
    view = View(data, data.groups(data.sets, held=True))
    score = scores(model, view, **options)
    better, worse, owner = pair_scores(view, score)
    right, sets = better > worse, data.set[view.groups][owner]
    found = {}

    def share(name, chosen):
        if chosen.any():
            found[name] = [
                round(float((view.weight[chosen] * right[chosen]).sum() / view.weight[chosen].sum()), 4),
                int(chosen.sum()),
            ]

    for number, name in enumerate(data.sets):
        share(name, (sets == number) & (view.kind == -1))
    role = view.role[view.start[owner] + view.better]
    classes = np.array([perturb.kind_class(kind) for kind in perturb.KINDS] + [None])
    for title in ("light", "meaning", "heavy"):
        share(title, classes[view.kind] == title)
    templates = sets == data.sets.index("templates") if "templates" in data.sets else np.zeros(len(sets), bool)
    of_meaning = classes[view.kind] == "meaning"
    share("meaning, of the reference", of_meaning & (role == -1))
    share("meaning, paraphrase by people or systems", of_meaning & (role <= 1) & (role >= 0) & ~templates)
    share("meaning, paraphrase of templates", of_meaning & (role <= 1) & (role >= 0) & templates)
    for number, kind in enumerate(perturb.KINDS):
        share(kind, view.kind == number)
    copy = np.maximum.reduceat(np.where(view.role == -1, -np.inf, score), view.start)
    found["reference highest"] = round(float((score[view.start] >= copy).mean()), 4)
    return found


def calibration(model, data, sets, dump=None, **options):
    """Temperature of sigma((s(a) - s(b)) / T) on pairs kept out of training, and percentiles of outputs' scores
    there."""
    view = View(data, data.groups(sets, held=True), data.role < 2)
    score = scores(model, view, **options)
    if dump:
        np.savez_compressed(dump, members=view.members, reference=score)
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


def figures(model, data, names, dump=None, **options):
    found = {}
    for name in names:
        if name == "held":
            found[name] = held_figures(model, data, **options)
        elif name == "calibration":
            sets = [name for name in data.sets if name.startswith(("wmt", "mqm"))]
            found[name] = calibration(model, data, sets, dump, **options)
        else:
            measure = pearson if name.startswith("da-") or name == "mlqe-pe" else kendall
            found[name] = measure(model, data, name, **options)
            found[name] = {"average": float(np.mean(list(found[name].values())))} | found[name]
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
    parser.add_argument("--data", nargs="+", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--vocabulary", help="the pieces of the file, for a model that knows fewer")
    parser.add_argument("--pieces", help="the pieces that the model knows")
    parser.add_argument("--figures", nargs="+", default=[])
    parser.add_argument("--int8", action="store_true", help="with the weights that 8 bits keep")
    parser.add_argument("--dump", help="the scores of what `calibration` is measured on (for temperature.py)")
    parser.add_argument("--results")
    parser.add_argument("--name")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    vocabulary = Vocabulary(options.vocabulary, options.pieces) if options.pieces else None
    data = Data(options.data, device, vocabulary)
    model = load(None, options.model, device)
    if options.int8:
        round_weights(model)
    for name, values in figures(model, data, options.figures, options.dump).items():
        write(
            options.results,
            model=(options.name or options.model) + (" int8" if options.int8 else ""),
            figure=name,
            **values,
        )


if __name__ == "__main__":
    main()
