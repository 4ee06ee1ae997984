"""Makes the small models of these tests and what PyTorch says of them: python make.py (torch, transformers).

Weights are random; only the numbers in expected.json matter.
"""

import json
import os
import torch
from safetensors.torch import save_file
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

LINES = [
    "The cat sat on the mat.",
    "",
    "A dog! It ran, unwanted.",
    "cat",
    "mat on the cat sat the dog ran it ran a mat",
]
WORDS = "the a cat dog sat on mat it ran un ##want ##ed . , !".split()
SIZES = dict(hidden_size=16, num_attention_heads=2, intermediate_size=40, num_hidden_layers=2, initializer_range=0.5)
HERE = os.path.dirname(os.path.abspath(__file__))


def write(name, model, config, special, first):
    folder = os.path.join(HERE, name)
    os.makedirs(folder, exist_ok=True)
    vocabulary = special + WORDS
    with open(os.path.join(folder, "vocab.txt"), "w", encoding="utf8") as file:
        file.write("".join(word + "\n" for word in vocabulary))
    with open(os.path.join(folder, "config.json"), "w") as file:
        keys = "model_type hidden_act layer_norm_eps max_position_embeddings vocab_size".split() + list(SIZES)
        json.dump({key: getattr(config, key) for key in keys}, file, indent=1)
    model.eval()
    torch.manual_seed(1)
    for parameter in model.parameters():
        parameter.data += torch.randn_like(parameter) * 0.3
    tensors = {name: tensor.contiguous() for name, tensor in model.state_dict().items() if "position_ids" not in name}
    save_file(tensors, os.path.join(folder, "model.safetensors"))
    expected = []
    for line in LINES:
        ids = by_hand(line, vocabulary, first)
        with torch.no_grad():
            layers = model(input_ids=torch.tensor([ids]), output_hidden_states=True).hidden_states
        mean = layers[-1][0].mean(0)
        expected.append(
            dict(line=line, ids=ids, layers=[layer[0].flatten().tolist() for layer in layers], mean=mean.tolist())
        )
    with open(os.path.join(folder, "expected.json"), "w") as file:
        json.dump(expected, file)


def by_hand(line, vocabulary, first):
    """All words of LINES are in the vocabulary, one of them in three pieces."""
    words = line.lower().replace(".", " .").replace(",", " ,").replace("!", " !").replace("unwanted", "un ##want ##ed")
    words = [first["cls_token"]] + words.split() + [first["sep_token"]]
    return [vocabulary.index(word) for word in words]


torch.manual_seed(0)
special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
config = BertConfig(vocab_size=len(special + WORDS), max_position_embeddings=16, layer_norm_eps=1e-12, **SIZES)
bert = BertModel(config)
write("bert", bert, config, special, dict(cls_token="[CLS]", sep_token="[SEP]"))
special = ["<s>", "<pad>", "</s>", "<unk>", "[UNK]"]
config = MPNetConfig(vocab_size=len(special + WORDS), max_position_embeddings=18, layer_norm_eps=1e-5, **SIZES)
write("mpnet", MPNetModel(config), config, special, dict(cls_token="<s>", sep_token="</s>"))
