"""Joins the parts of a model in `models/`, changes its entries, and cuts it into parts again.

python model_file.py join models/siamese-en-1 siamese-en-1.safetensors
python model_file.py set siamese-en-1.safetensors changed.safetensors temperature=0.6
python model_file.py split changed.safetensors models/siamese-en-2 siamese-en-2

The first makes the file that `tercet score -m siamese:model=FILE` reads; its folder has parts of one model, or the
folders FOLDER-1, FOLDER-2, … have one each. The last writes FOLDER-N/NAME-N.safetensors. Entries are described in
`crates/tercet-neural/src/siamese/model.rs`, the format in `crates/tercet-model/src/model_file/`.
"""

import hashlib
import json
import re
import struct
import sys
from pathlib import Path

# Bytes of tensors in a part: a package registry takes ten mebibytes.
MOST = 9_900_000
NAMES = {"F32": "F32", "F64": "F64", "I8": "I8"}
# The order of tensors in a file: types with wide numbers first.
ORDER = ["F64", "F32", "I8"]


def read(path):
    """Entries, and name -> (type, shape, bytes)."""
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    entries = json.loads(header.pop("__metadata__")["tercet"])
    start = 8 + length
    tensors = {}
    for name, tensor in header.items():
        first, last = tensor["data_offsets"]
        tensors[name] = tensor["dtype"], tensor["shape"], content[start + first : start + last]
    return entries, tensors


def checksum(entries, tensors):
    found = hashlib.sha256()

    def part(content):
        found.update(struct.pack("<Q", len(content)) + content)

    part(entries["kind"].encode())
    for key in sorted(key for key in entries if key.startswith(":")):
        part(key[1:].encode())
        part(entries[key].encode())
    for name in sorted(tensors):
        kind, shape, content = tensors[name]
        part(name.encode())
        part(f"{NAMES[kind]} {shape}".encode())
        part(content)
    return found.hexdigest()


def packed(entries, tensors):
    """The bytes of a file."""
    entries = {key: entries[key] for key in sorted(entries)} | {"sha256": checksum(entries, tensors)}
    entries = {key: entries[key] for key in sorted(entries)}
    compact = {"ensure_ascii": False, "separators": (",", ":")}
    header = {"__metadata__": {"tercet": json.dumps(entries, **compact)}}
    content, start = [], 0
    for name in sorted(tensors, key=lambda name: (ORDER.index(tensors[name][0]), name)):
        kind, shape, numbers = tensors[name]
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [start, start + len(numbers)]}
        content.append(numbers)
        start += len(numbers)
    written = json.dumps(header, **compact).encode()
    written += b" " * (-len(written) % 8)
    return struct.pack("<Q", len(written)) + written + b"".join(content)


def short_hash(content):
    return hashlib.sha256(content).hexdigest()[:8]


def join(folder):
    """The bytes of the model whose parts are in a folder, or in folders with numbers after its name."""
    number = re.compile(r"-(\d+)\.safetensors$")
    paths = list(folder.glob("*.safetensors")) or list(folder.parent.glob(f"{folder.name}-[0-9]/*.safetensors"))
    paths.sort(key=lambda path: int(number.search(path.name).group(1)))
    if not paths:
        raise SystemExit(f"{folder}: no parts of a model")
    entries, tensors = {}, {}
    for place, path in enumerate(paths, start=1):
        own, some = read(path)
        tensors |= some
        label = own.pop(":part")
        if not label.startswith(f"{place}/{len(paths)} "):
            raise SystemExit(f"{path}: it is part {label}, expected {place}/{len(paths)}")
        entries = entries or own
    content = packed(entries, tensors)
    if short_hash(content) != label.split()[1]:
        raise SystemExit(f"{folder}: the parts are not of one model")
    return content


def split(path, folder, name):
    content = path.read_bytes()
    entries, tensors = read(path)
    parts = [{}]
    for tensor in sorted(tensors):
        size = sum(len(numbers) for _, _, numbers in parts[-1].values())
        if size and size + len(tensors[tensor][2]) > MOST:
            parts.append({})
        parts[-1][tensor] = tensors[tensor]
    for number, part in enumerate(parts, start=1):
        own = entries if number == 1 else {key: entries[key] for key in ("format", "kind")}
        own = own | {":part": f"{number}/{len(parts)} {short_hash(content)}"}
        target = folder.parent / f"{folder.name}-{number}"
        target.mkdir(parents=True, exist_ok=True)
        (target / f"{name}-{number}.safetensors").write_bytes(packed(own, part))


def main():
    match sys.argv[1:]:
        case ["join", folder, target]:
            Path(target).write_bytes(join(Path(folder)))
        case ["set", source, target, *changes]:
            entries, tensors = read(Path(source))
            entries |= {f":{key}": value for key, value in (change.split("=", 1) for change in changes)}
            Path(target).write_bytes(packed(entries, tensors))
        case ["split", source, folder, name]:
            split(Path(source), Path(folder), name)
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
