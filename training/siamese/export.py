"""Writes a trained state as the file that tercet reads.

    python export.py --encoder gte-small.npz --model student.pt --vocabulary vocab.txt \
        --results results.jsonl --name student --description "trained on …" --output siamese-en.safetensors \
        --trained-on wmt12-rr wmt13-rr wmt14-rr wmt15-rr wmt16-rr da-wmt13 da-wmt15 da-wmt16

Encoder tensors keep their published names. The constants that standardise the matching features become part of the
head.
`--model` is a state of train.py, or the .npz that `--small int8` or `--small f16` writes in place of safetensors.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file

from encoder import load_packed, quantised
from model import Siamese

# The judgements of each set.
SETS = {
    "wmt12-rr": ("cs de es fr", "pairs"),
    "wmt13-rr": ("cs de es fr", "pairs"),
    "wmt14-rr": ("cs de fr hi ru", "pairs"),
    "wmt15-rr": ("cs de fi fr ru", "pairs"),
    "wmt16-rr": ("cs de fi ro ru tr", "pairs"),
    "da-wmt13": ("cs de es fr ru", "scores"),
    "da-wmt15": ("cs de fi ru", "scores"),
    "da-wmt16": ("cs de fi ro ru tr", "scores"),
}


def is_matrix(value):
    return value.ndim == 2 and value.shape[0] > 64 and value.shape[1] > 16


def small(state, form):
    """Arrays of a state with matrices in 8 bits per weight (with a scale per row) or in half precision."""
    packed = {}
    for name, value in state.items():
        if is_matrix(value) and form == "int8":
            packed[name], packed[f"{name}/scale"] = quantised(value)
        else:
            packed[name] = value.astype(np.float16) if is_matrix(value) else value
    return packed


def read_state(path):
    if path.suffix == ".npz":
        packed = np.load(path)
        names = [name for name in packed.files if not name.endswith("/scale")]
        return {
            n: packed[n].astype(np.float32) * packed[f"{n}/scale"]
            if f"{n}/scale" in packed
            else packed[n].astype(np.float32)
            for n in names
        }
    return {name: value.float().numpy() for name, value in torch.load(path, map_location="cpu").items()}


def tensors(model):
    """Encoder, projection and head; the head takes the matching features as they are."""
    found = {name: value.contiguous().numpy() for name, value in model.encoder.published().items()}
    matching = (model.matching.weight / model.matching_scale).detach()
    found["projection.weight"] = model.projection.weight.detach().numpy()
    found["head.sentence.weight"] = model.sentence.weight.detach().numpy()
    found["head.matching.weight"] = matching.contiguous().numpy()
    found["head.bias"] = (model.sentence.bias - matching @ model.matching_mean).detach().numpy()
    found["head.output.weight"] = model.output.weight.detach().numpy()
    found["head.output.bias"] = model.output.bias.detach().numpy()
    return found


def calibration(path, name):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [row for row in rows if row["model"] == name and row["figure"] == "calibration"][-1]


def metadata(model, options):
    """What tercet reads beside the tensors; `about.…` are notes."""
    vocabulary = options.vocabulary.read_text()
    config = model.encoder.config
    found = {
        "config": json.dumps(config),
        "vocabulary": vocabulary.rstrip("\n"),
        "window": "256",
        "about.trained_on": ", ".join(
            f"{name} {language}-en {SETS[name][1]}" for name in options.trained_on for language in SETS[name][0].split()
        ),
        "about.description": options.description,
    }
    if options.results:
        measured = calibration(options.results, options.name)
        found["temperature"] = repr(measured["temperature"])
        found["percentiles"] = json.dumps([round(value, 6) for value in measured["percentiles"]])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--vocabulary", type=Path, help="the encoder's word pieces, a line each")
    parser.add_argument(
        "--trained-on", nargs="+", choices=list(SETS), help="the sets that the model and its teachers learned from"
    )
    parser.add_argument("--results", type=Path, help="figures with the calibration of this model")
    parser.add_argument("--name", help="the model's name in the figures")
    parser.add_argument("--description", default="")
    parser.add_argument("--small", choices=["int8", "f16"])
    options = parser.parse_args()
    state = read_state(options.model)
    if options.small:
        return np.savez(options.output, **small(state, options.small))
    if not (options.vocabulary and options.trained_on):
        parser.error("a model file needs --vocabulary and --trained-on")
    model = Siamese(load_packed(options.encoder))
    model.load_state_dict({name: torch.from_numpy(value) for name, value in state.items()})
    save_file(tensors(model), options.output, metadata(model, options))


if __name__ == "__main__":
    main()
