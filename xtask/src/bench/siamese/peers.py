"""The model of tercet's metric `siamese` in other tools on one thread, timed: the peers of tercet's
examples/siamese_scoring.

    python peers.py KIND EXPORT REF HYP OUT

KIND is torch, torch-int8, onnxruntime-int8 or ctranslate2-int8. EXPORT is what training/siamese/export.py wrote, with
an encoder
under BERT's names, or the folder `models` of tercet, whose 8-bit weights become floats again. Scores are written to
OUT, one per line. CTranslate2 returns only the last layer: its encoder is timed alone,
and the cosines of its sentence vectors with PyTorch's are written. Converted models are kept beside OUT.
"""

import json
import os
import resource
import sys
import time
import warnings
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"
warnings.simplefilter("ignore")

import torch
from safetensors import safe_open
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from torch import nn
from torch.nn.functional import normalize
from transformers import BertConfig, BertModel

BATCH = 32
# Lines whose sentence vectors are compared.
CHECKED = 64


class Encoder(nn.Module):
    """A batch's hidden states: last, middle, embeddings."""

    def __init__(self, config, tensors):
        super().__init__()
        self.bert = BertModel(BertConfig(**config), add_pooling_layer=False)
        weights = {name: value for name, value in tensors.items() if name.startswith(("embeddings.", "encoder."))}
        missing, unexpected = self.bert.load_state_dict(weights, strict=False)
        assert not unexpected and all(name.startswith("embeddings.") and name.endswith("_ids") for name in missing), (
            missing + unexpected
        )
        self.layers = config["num_hidden_layers"]

    def forward(self, ids, mask):
        states = self.bert(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states
        return states[self.layers], states[self.layers // 2], states[0]


def read_tokenizer(vocabulary):
    tokenizer = Tokenizer(models.WordPiece({piece: place for place, piece in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def read_file(path):
    with safe_open(path, "pt") as file:
        return file.metadata(), {name: file.get_tensor(name).float() for name in file.keys()}


def read_embedded(folder):
    """The parts of the embedded model: matrices are integers with a scale per row, large ones are in pieces (`NAME/1`,
    `NAME/2`)."""
    parts = [read_file(path) for path in sorted(folder.glob("siamese-*/siamese-en-*.safetensors"))]
    entries = json.loads(parts[0][0]["tercet"])
    stored = {name: value for _, tensors in parts for name, value in tensors.items()}
    pieces = {}
    for name in sorted(name for name in stored if not name.endswith(":scales")):
        scales = stored.get(f"{name}:scales")
        pieces.setdefault(name.split("/")[0], []).append(
            stored[name] if scales is None else stored[name] * scales[:, None]
        )
    metadata = {key.removeprefix(":"): value for key, value in entries.items()}
    return metadata, {name: torch.cat(rows) for name, rows in pieces.items()}


class Scorer:
    def __init__(self, kind, export, folder):
        metadata, self.tensors = read_embedded(export) if export.is_dir() else read_file(export)
        self.config = json.loads(metadata["config"])
        self.vocabulary = metadata["vocabulary"].split("\n")
        self.window = int(metadata["window"])
        self.tokenizer = read_tokenizer(self.vocabulary)
        self.first, self.last = self.vocabulary.index("[CLS]"), self.vocabulary.index("[SEP]")
        self.encode, self.way = START[kind](Encoder(self.config, self.tensors).eval(), folder)

    def batches(self, lines):
        """Batches of lines of similar length: the lines, their ids with padding, the mask."""
        pieces = {
            line: [self.first, *self.tokenizer.encode(line, add_special_tokens=False).ids[: self.window - 2], self.last]
            for line in lines
        }
        in_order = sorted(pieces, key=lambda line: len(pieces[line]))
        for start in range(0, len(in_order), BATCH):
            batch = in_order[start : start + BATCH]
            ids = nn.utils.rnn.pad_sequence([torch.tensor(pieces[line]) for line in batch], batch_first=True)
            lengths = torch.tensor([len(pieces[line]) for line in batch])
            yield batch, ids, (torch.arange(ids.shape[1]) < lengths[:, None]).long()

    def sentences(self, last, mask):
        weight = mask[:, :, None].float()
        return normalize((last * weight).sum(1) / weight.sum(1), dim=1) * last.shape[2] ** 0.5

    def vectors(self, lines):
        """Each distinct line's sentence vector and vectors of its word pieces in three layers."""
        found = {}
        for batch, ids, mask in self.batches(lines):
            last, middle, embedded = self.encode(ids, mask)
            sentences = self.sentences(last, mask)
            layers = [
                normalize(states, dim=2) for states in (last @ self.tensors["projection.weight"].T, middle, embedded)
            ]
            for place, (line, length) in enumerate(zip(batch, mask.sum(1).tolist())):
                found[line] = sentences[place], [states[place, 1 : length - 1] for states in layers]
        return found

    def match(self, h, r):
        cosine = h @ r.T
        precision, recall = cosine.amax(1).mean(), cosine.amax(0).mean()
        return torch.stack([precision, recall, 2 * precision * recall / (precision + recall)])

    def score(self, references, hypotheses):
        found = self.vectors(references + hypotheses)
        pairs = [(found[hypothesis], found[reference]) for hypothesis, reference in zip(hypotheses, references)]
        matched = torch.stack([torch.cat([self.match(*both) for both in zip(h[1], r[1])]) for h, r in pairs])
        h, r = (torch.stack([pair[side][0] for pair in pairs]) for side in (0, 1))
        hidden = torch.cat([h, r, h * r, (h - r).abs()], 1) @ self.tensors["head.sentence.weight"].T
        hidden = torch.tanh(hidden + matched @ self.tensors["head.matching.weight"].T + self.tensors["head.bias"])
        return (hidden @ self.tensors["head.output.weight"][0] + self.tensors["head.output.bias"]).tolist()

    def sentence_vectors(self, lines):
        return [self.sentences(self.encode(ids, mask)[0], mask) for _, ids, mask in self.batches(lines)]


def pytorch(encoder, folder):
    return encoder, f"PyTorch {torch.__version__} with transformers' BertModel"


def pytorch_int8(encoder, folder):
    quantised = torch.ao.quantization.quantize_dynamic(encoder, {nn.Linear}, dtype=torch.qint8)
    return quantised, f"PyTorch {torch.__version__}, quantize_dynamic, engine {torch.backends.quantized.engine}"


def onnx_runtime(encoder, folder):
    import onnxruntime
    from onnxruntime.quantization import QuantType, quantize_dynamic

    plain, quantised = folder / "encoder.onnx", folder / "encoder-int8.onnx"
    if not quantised.exists():
        example = torch.full((2, 9), 5), torch.ones(2, 9, dtype=torch.long)
        axes = {name: {0: "lines", 1: "pieces"} for name in ("ids", "mask", "last", "middle", "embedded")}
        torch.onnx.export(
            encoder,
            example,
            plain,
            input_names=["ids", "mask"],
            output_names=["last", "middle", "embedded"],
            dynamic_axes=axes,
            dynamo=False,
        )
        quantize_dynamic(
            plain,
            quantised,
            weight_type=QuantType.QInt8,
            per_channel=True,
            extra_options={"DisableShapeInference": True},
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(quantised, options, providers=["CPUExecutionProvider"])

    def encode(ids, mask):
        return [torch.from_numpy(states) for states in session.run(None, {"ids": ids.numpy(), "mask": mask.numpy()})]

    return encode, f"ONNX Runtime {onnxruntime.__version__}, quantize_dynamic, 8-bit weights per channel"


def ctranslate2_int8(encoder, folder):
    import ctranslate2
    import numpy as np
    from ctranslate2.converters.transformers import BertLoader

    bert = encoder.bert
    bert.config.position_embedding_type = "absolute"
    # The converter wants the pooling layer that BERT has for its own training; its output is not used.
    bert.pooler = nn.Module()
    bert.pooler.dense = nn.Linear(bert.config.hidden_size, bert.config.hidden_size)
    target = folder / "ctranslate2"
    if not target.exists():
        spec = BertLoader().get_model_spec(bert)
        spec.register_vocabulary([str(piece) for piece in range(bert.config.vocab_size)])
        spec.config.unk_token, spec.config.layer_norm_epsilon = "100", bert.config.layer_norm_eps
        spec.validate()
        spec.optimize(quantization="int8")
        target.mkdir()
        spec.save(str(target))
    model = ctranslate2.Encoder(str(target), device="cpu", compute_type="int8", inter_threads=1, intra_threads=1)

    def encode(ids, mask):
        ids, lengths = ids.to(torch.int32).numpy(), mask.sum(1, dtype=torch.int32).numpy()
        found = model.forward_batch(
            ctranslate2.StorageView.from_array(ids), ctranslate2.StorageView.from_array(lengths)
        )
        return [torch.from_numpy(np.array(found.last_hidden_state))]

    return encode, f"CTranslate2 {ctranslate2.__version__}, the encoder alone, without matching and head"


START = {
    "torch": pytorch,
    "torch-int8": pytorch_int8,
    "onnxruntime-int8": onnx_runtime,
    "ctranslate2-int8": ctranslate2_int8,
}


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


@torch.inference_mode()
def main():
    kind, export, *files, out = sys.argv[1:]
    torch.set_num_threads(1)
    references, hypotheses = (Path(file).read_text(encoding="utf8").split("\n")[:-1] for file in files)
    with torch.inference_mode(False):
        scorer = Scorer(kind, Path(export), Path(out).parent)
    whole = kind != "ctranslate2-int8"
    run = scorer.score if whole else lambda references, hypotheses: scorer.sentence_vectors(references + hypotheses)
    run(references[:16], hypotheses[:16])
    cpu_s, wall_s = cpu(), time.time()
    found = run(references, hypotheses)
    cpu_s, wall_s = cpu() - cpu_s, time.time() - wall_s
    if not whole:
        compared = references[:CHECKED]
        plain = Scorer("torch", Path(export), None).sentence_vectors(compared)
        found = torch.cosine_similarity(torch.cat(scorer.sentence_vectors(compared)), torch.cat(plain)).tolist()
    Path(out).write_text("".join(f"{number}\n" for number in found))
    print(
        json.dumps(
            {"cpu_s": cpu_s, "wall_s": wall_s, "way": f"{scorer.way}, batches of {BATCH} lines of similar length"}
        )
    )


if __name__ == "__main__":
    main()
