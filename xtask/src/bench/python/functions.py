"""CPU seconds of a function of sacreBLEU, or of tercet's with its interface, on texts in memory."""

import importlib
import json
import sys
import time

package, function, reference, *systems = sys.argv[1:]
library = importlib.import_module(package)


def lines(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return file.read().split("\n")[:-1]


references = lines(reference) * len(systems)
hypotheses = [line for system in systems for line in lines(system)]


def seconds(work):
    """The mean of as many runs as fit in half a second, after one that is not counted; and the result."""
    result = work()
    runs, start = 0, time.process_time()
    while runs == 0 or time.process_time() - start < 0.5:
        work()
        runs += 1
    return (time.process_time() - start) / runs, result


def single():
    return sum(library.sentence_chrf(one, [two]).score for one, two in zip(hypotheses[:3000], references))


work = {
    "corpus_bleu": lambda: library.corpus_bleu(hypotheses, [references]).score,
    "corpus_chrf": lambda: library.corpus_chrf(hypotheses, [references]).score,
    "sentence_chrf": single,
    "sentence_bleu": lambda: sum(
        library.sentence_bleu(one, [two]).score for one, two in zip(hypotheses[:3000], references)
    ),
}
cpu_s, score = seconds(work[function])
print(json.dumps({"cpu_s": cpu_s, "values": [score]}))
