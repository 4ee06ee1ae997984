"""Makes small recurrent encoders with random weights and what PyTorch and numpy say of them: python make.py.

InferSent: torch.nn.LSTM, of every number the largest over all words. Skip-Thought: the equations of its published code.
"""

import json
import os
import numpy as np
import torch
from safetensors.numpy import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
WORDS, WIDTH, LENGTHS = 5, 4, [3, 1, 6, 2]
rng = np.random.default_rng(7)
sentences = [rng.normal(size=(length, WORDS)).astype("float32") for length in LENGTHS]

torch.manual_seed(7)
lstm = torch.nn.LSTM(WORDS, WIDTH, 1, bidirectional=True)
weights = {"enc_lstm." + name: tensor.detach().numpy().copy() for name, tensor in lstm.state_dict().items()}
for name in weights:
    weights[name] *= 3
lstm.load_state_dict({name[9:]: torch.tensor(array) for name, array in weights.items()})
save_file(weights, os.path.join(HERE, "infersent.safetensors"))
infersent = []
for words in sentences:
    with torch.no_grad():
        outputs = lstm(torch.tensor(words)[:, None])[0]
    infersent.append(outputs.max(0).values[0].tolist())


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gru(weights, prefix, words):
    part = {name: weights[f"encoder_{prefix}{name}"].astype("float64") for name in ["W", "U", "b", "Wx", "Ux", "bx"]}
    h = np.zeros(WIDTH)
    for x in words.astype("float64"):
        gates = sigmoid(h @ part["U"] + x @ part["W"] + part["b"])
        r, u = gates[:WIDTH], gates[WIDTH:]
        candidate = np.tanh((h @ part["Ux"]) * r + x @ part["Wx"] + part["bx"])
        h = u * h + (1 - u) * candidate
    return h.tolist()


def random_gru(prefix):
    shapes = dict(
        W=(WORDS, 2 * WIDTH), U=(WIDTH, 2 * WIDTH), b=(2 * WIDTH,), Wx=(WORDS, WIDTH), Ux=(WIDTH, WIDTH), bx=(WIDTH,)
    )
    return {f"encoder_{prefix}{name}": rng.normal(size=shape).astype("float32") for name, shape in shapes.items()}


uni = random_gru("")
bi = {**random_gru(""), **random_gru("r_")}
save_file(uni, os.path.join(HERE, "uni_skip.safetensors"))
save_file(bi, os.path.join(HERE, "bi_skip.safetensors"))
expected = dict(
    sentences=[words.tolist() for words in sentences],
    infersent=infersent,
    uni=[gru(uni, "", words) for words in sentences],
    bi=[gru(bi, "", words) + gru(bi, "r_", words[::-1]) for words in sentences],
)
with open(os.path.join(HERE, "expected.json"), "w") as file:
    json.dump(expected, file)
