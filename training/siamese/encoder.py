"""BERT and MPNet encoders with one matrix for query, key and value, and their exchange with published weights.

python encoder.py FOLDER OUTPUT.npz        packs model.safetensors or onnx/model.onnx, 8 bits per weight
"""

import argparse
import json
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

NAMES = {
    "bert": {
        "query": "attention.self.query",
        "key": "attention.self.key",
        "value": "attention.self.value",
        "out": "attention.output.dense",
        "norm1": "attention.output.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm2": "output.LayerNorm",
    },
    "mpnet": {
        "query": "attention.attn.q",
        "key": "attention.attn.k",
        "value": "attention.attn.v",
        "out": "attention.attn.o",
        "norm1": "attention.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm2": "output.LayerNorm",
    },
}


class Layer(nn.Module):
    def __init__(self, size, inner, heads, eps, dropout):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.up, self.down = nn.Linear(size, inner), nn.Linear(inner, size)
        self.norm1, self.norm2 = nn.LayerNorm(size, eps), nn.LayerNorm(size, eps)
        self.dropout = dropout

    def forward(self, x, mask):
        count, length, size = x.shape
        query, key, value = self.qkv(x).view(count, length, 3, self.heads, size // self.heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        mixed = self.out(mixed.transpose(1, 2).reshape(count, length, size))
        x = self.norm1(x + F.dropout(mixed, self.dropout, self.training))
        fed = self.down(F.gelu(self.up(x)))
        return self.norm2(x + F.dropout(fed, self.dropout, self.training))


class Encoder(nn.Module):
    """`config` is the published config.json. Special pieces and the shift of word-piece ids follow from the kind."""

    def __init__(self, config, dropout=0.0):
        super().__init__()
        self.config, self.kind = config, config["model_type"]
        size, eps = config["hidden_size"], config["layer_norm_eps"]
        self.first, self.last, self.pad, self.shift = (101, 102, 0, 0) if self.kind == "bert" else (0, 2, 1, 4)
        self.first, self.last, self.pad = config.get("special_pieces", (self.first, self.last, self.pad))
        self.position = 0 if self.kind == "bert" else 2
        self.words = nn.Embedding(config["vocab_size"], size)
        self.positions = nn.Embedding(config["max_position_embeddings"], size)
        self.types = nn.Embedding(2, size) if self.kind == "bert" else None
        self.relative = (
            nn.Embedding(config["relative_attention_num_buckets"], config["num_attention_heads"])
            if self.kind == "mpnet"
            else None
        )
        self.norm = nn.LayerNorm(size, eps)
        self.layers = nn.ModuleList(
            Layer(size, config["intermediate_size"], config["num_attention_heads"], eps, dropout)
            for _ in range(config["num_hidden_layers"])
        )
        self.size, self.dropout = size, dropout

    def bias(self, length):
        """MPNet's bias by distance, shared by all layers; it is not trained."""
        half = self.relative.num_embeddings // 2
        exact = half // 2
        place = torch.arange(length, device=self.words.weight.device)
        distance = place[:, None] - place[None, :]
        far = (
            exact
            + (torch.log(distance.abs().clamp(min=1).float() / exact) / math.log(128 / exact) * (half - exact)).long()
        )
        bucket = torch.where(distance.abs() < exact, distance.abs(), far.clamp(max=half - 1)) + half * (distance < 0)
        return self.relative(bucket).permute(2, 0, 1)[None].detach()

    @staticmethod
    def matrix_type(x):
        """The type in which matrices are multiplied."""
        return torch.get_autocast_dtype(x.device.type) if torch.is_autocast_enabled(x.device.type) else x.dtype

    def forward(self, ids, mask):
        """Output of the embeddings, of the middle layer and of the last."""
        x = self.words(ids) + self.positions.weight[self.position : self.position + ids.shape[1]]
        if self.types is not None:
            x = x + self.types.weight[0]
        embedded = self.norm(x)
        x = F.dropout(embedded, self.dropout, self.training)
        attend, middle = mask[:, None, None, :].expand(-1, 1, ids.shape[1], -1), None
        if self.relative is not None:
            far = torch.zeros(attend.shape, device=x.device).masked_fill(~attend, -1e4)
            attend = (far + self.bias(ids.shape[1])).to(self.matrix_type(x))
        for index, layer in enumerate(self.layers):
            x = layer(x, attend)
            if index + 1 == len(self.layers) // 2:
                middle = x
        return embedded, middle, x

    def parts(self):
        """Published name -> (parameter, rows of it) for every tensor."""
        names = {
            "embeddings.word_embeddings.weight": (self.words.weight, None),
            "embeddings.position_embeddings.weight": (self.positions.weight, None),
        }
        if self.types is not None:
            names["embeddings.token_type_embeddings.weight"] = (self.types.weight, None)
        if self.relative is not None:
            names["encoder.relative_attention_bias.weight"] = (self.relative.weight, None)
        modules = [("embeddings.LayerNorm", self.norm, None)]
        for index, layer in enumerate(self.layers):
            for part, name in NAMES[self.kind].items():
                if part in ("query", "key", "value"):
                    place = ("query", "key", "value").index(part) * self.size
                    modules.append((f"encoder.layer.{index}.{name}", layer.qkv, slice(place, place + self.size)))
                else:
                    modules.append((f"encoder.layer.{index}.{name}", getattr(layer, part), None))
        for name, module, rows in modules:
            names[f"{name}.weight"], names[f"{name}.bias"] = (module.weight, rows), (module.bias, rows)
        return names

    def set_published(self, tensors):
        with torch.no_grad():
            for name, (parameter, rows) in self.parts().items():
                value = torch.from_numpy(np.array(tensors[name], np.float32))
                (parameter if rows is None else parameter[rows]).copy_(value)

    def published(self):
        return {name: (p if rows is None else p[rows]).detach() for name, (p, rows) in self.parts().items()}


def quantised(matrix):
    """8-bit rows and their scales: the largest absolute value of a row is 127."""
    scale = np.abs(matrix).max(axis=1, keepdims=True).astype(np.float32) / 127
    scale[scale == 0] = 1
    return np.rint(matrix / scale).astype(np.int8), scale


def read_published(folder):
    """Tensors of model.safetensors or of onnx/model.onnx under their published names."""
    if (folder / "model.safetensors").exists():
        from safetensors.numpy import load_file

        return load_file(folder / "model.safetensors")
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(folder / "onnx" / "model.onnx").graph
    tensors = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in tensors:
            name = node.name.strip("/").removesuffix("/MatMul").replace("/", ".")
            tensors[f"{name}.weight"] = tensors[node.input[1]].T
    return tensors


def pack(folder, output):
    config = json.loads((folder / "config.json").read_text())
    encoder, tensors = Encoder(config), read_published(folder)
    packed = {"config": json.dumps(config)}
    for name in encoder.parts():
        value = tensors[name]
        if value.ndim == 2 and value.shape[0] > 64:
            packed[name], packed[f"{name}/scale"] = quantised(value)
        else:
            packed[name] = value.astype(np.float32)
    np.savez(output, **packed)


def load_packed(path, dropout=0.0):
    packed = np.load(path)
    encoder = Encoder(json.loads(str(packed["config"])), dropout)
    names = encoder.parts()
    encoder.set_published({n: packed[n] * packed[f"{n}/scale"] if f"{n}/scale" in packed else packed[n] for n in names})
    return encoder


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("output")
    options = parser.parse_args()
    pack(options.folder, options.output)
