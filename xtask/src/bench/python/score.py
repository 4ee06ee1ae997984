"""What `tercet score` does, from Python: reads files, scores, prints JSON."""

import sys

import tercet

tercet.set_threads(1)
reference, *systems = sys.argv[1:]


def lines(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return file.read().split("\n")[:-1]


texts = {path: lines(path) for path in systems}
sys.stdout.write(tercet.score(texts, lines(reference), ["bleu", "chrf", "ter"]).write("json"))
