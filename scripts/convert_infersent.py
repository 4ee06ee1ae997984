"""Converts InferSent's published weights to safetensors: python convert_infersent.py infersent1.pkl
infersent.safetensors

Needs torch and safetensors. The file of word vectors stays as it is: GloVe 840B for version 1, fastText for version 2.
"""

import sys

if len(sys.argv) != 3:
    sys.exit("usage: python convert_infersent.py infersent1.pkl infersent.safetensors")
source, target = sys.argv[1:]

import torch
from safetensors.torch import save_file

weights = torch.load(source, map_location="cpu", weights_only=True)
names = [
    f"enc_lstm.{part}_l0{side}"
    for side in ["", "_reverse"]
    for part in ["weight_ih", "weight_hh", "bias_ih", "bias_hh"]
]
missing = [name for name in names if name not in weights]
if missing:
    sys.exit(f"{source}: not InferSent's weights, it has no {', '.join(missing)}")
save_file({name: weights[name].float().contiguous() for name in names}, target)
