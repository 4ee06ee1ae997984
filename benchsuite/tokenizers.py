#!/usr/bin/env python3
"""Compares tercet's tokenizers that have a dictionary or model with sacreBLEU's, letter by letter, and their CPU time.

    pip install sacrebleu[ja]==2.6.0 sacrebleu[ko]==2.6.0 sentencepiece==0.2.2
    python3 benchsuite/tokenizers.py --tercet target/release/tercet --tok ja-mecab TEXT...
    python3 benchsuite/tokenizers.py --tercet target/release/tercet --tok spm --model FILE.model TEXT...

Texts are UTF-8 with a line per segment. Without texts, or with --random N, N random lines of all scripts are added.
Prints the
number of lines that differ, with the first of them, and ends with 1 if there are any.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

# First and last characters of what random lines are made of.
RANGES = [
    (0x20, 0x7E),
    (0x01, 0x1F),
    (0x80, 0xFF),
    (0x100, 0x24F),
    (0x300, 0x36F),
    (0x370, 0x52F),
    (0x590, 0x6FF),
    (0x900, 0x97F),
    (0xE00, 0xE7F),
    (0x1100, 0x11FF),
    (0x2000, 0x206F),
    (0x2150, 0x218F),
    (0x2460, 0x25FF),
    (0x3000, 0x303F),
    (0x3041, 0x30FF),
    (0x3130, 0x318F),
    (0x3200, 0x33FF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3),
    (0xE000, 0xE0FF),
    (0xF900, 0xFAFF),
    (0xFB00, 0xFDFF),
    (0xFE00, 0xFE4F),
    (0xFF00, 0xFFFF),
    (0x1D400, 0x1D4FF),
    (0x1F300, 0x1F6FF),
    (0x20000, 0x200FF),
    (0x10FF00, 0x10FFFF),
]


def random_lines(count, words, seed=12345):
    """Lines of random characters, a few kinds to a line, mixed with words of real lines."""
    draw = random.Random(seed)
    lines = []
    for _ in range(count):
        kinds = [draw.choice(RANGES) for _ in range(draw.randint(1, 4))] + [(0x20, 0x20)]
        line = []
        for _ in range(draw.randint(1, 12)):
            if words and draw.random() < 0.4:
                word = draw.choice(words)
                start = draw.randrange(len(word))
                line.append(word[start : start + draw.randint(1, 12)])
            else:
                kind = draw.choice(kinds)
                line.append("".join(chr(draw.randint(*kind)) for _ in range(draw.randint(1, 6))))
            line.append(draw.choice(["", "", " ", "  ", "\u3000", "\t"]))
        text = "".join(line).replace("\n", " ").replace("\r", " ")
        lines.append("".join(c for c in text if not 0xD800 <= ord(c) < 0xE000))
    return lines


def sacrebleu_tokenizer(name, model):
    """sacreBLEU's tokenizer, without its cache of lines; with a model, what its `spm` does with it."""
    if model:
        import sentencepiece

        processor = sentencepiece.SentencePieceProcessor()
        processor.Load(model)
        return lambda line: " ".join(processor.EncodeAsPieces(line))
    from sacrebleu.metrics.bleu import _get_tokenizer

    tokenizer = _get_tokenizer(name)()
    return lambda line: tokenizer.__call__.__wrapped__(tokenizer, line)


def tercet_lines(arguments, lines):
    """The lines as tercet tokenizes them, and its CPU seconds."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="\n", suffix=".txt") as file:
        file.write("".join(line + "\n" for line in lines))
        file.flush()
        command = [arguments.tercet, "tokenize", "-t", arguments.tok, file.name]
        if arguments.model:
            command += ["--tok-model", arguments.model]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode("utf-8")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return printed.split("\n")[:-1], seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tercet", default="tercet")
    parser.add_argument("--tok", required=True)
    parser.add_argument("--model")
    parser.add_argument("--random", type=int)
    parser.add_argument("texts", nargs="*")
    arguments = parser.parse_args()

    lines = []
    for path in arguments.texts:
        with open(path, encoding="utf-8", newline="\n") as file:
            lines += [line.rstrip("\n") for line in file]
    words = [line for line in lines if line.strip()]
    count = arguments.random if arguments.random is not None else (0 if lines else 20000)
    lines += random_lines(count, words)

    tokenize = sacrebleu_tokenizer(arguments.tok, arguments.model)
    start = time.process_time()
    expected = [tokenize(line.rstrip()) for line in lines]
    python = time.process_time() - start
    found, tercet = tercet_lines(arguments, lines)
    different = [number for number, (a, b) in enumerate(zip(expected, found)) if a != b]
    print(
        f"{arguments.tok}: {len(lines)} lines, {len(different) + abs(len(expected) - len(found))} differ; "
        f"CPU seconds: {python:.2f} in Python without loading, {tercet:.2f} in tercet with it"
    )
    for number in different[:5]:
        print(f"line   {lines[number]!r}\nexpect {expected[number]!r}\nfound  {found[number]!r}")
    sys.exit(1 if different or len(expected) != len(found) else 0)


if __name__ == "__main__":
    main()
