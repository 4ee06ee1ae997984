"""Figures of several models side by side, computed by tercet itself, on judgements that none of them has learned from.

    python side_by_side.py --data DIR --tercet target/release/tercet --results side-by-side.jsonl \
        siamese-en-1=siamese-en-1.safetensors siamese-en-2=siamese-en-2.safetensors chrf=chrf

Each model has a name and a file of its model, or any metric of tercet. `--multilingual` measures languages and sources
instead, on what was kept out of the training of the multilingual model, and `--texts FOLDER` only how far the models
agree on texts without judgements: a folder with files SYSTEM and `reference`, one sentence per line.

Kept out of the English models are one reference in forty, of MQM one document in ten and of WMT19 one reference in ten
(the first model never saw MQM and WMT19): `Segment.held` of prepare.py. Figures of a set of pairs: the share in the
right order (equal scores count a half), the temperature with the smallest log loss, and the calibration error with that
of the model file and with the best one (of the other half of the segments): pairs are sorted into ten bins by the
probability that the first is better, and the error is the mean distance of that probability from the share that people
prefer, over bins in proportion to their pairs; beside it is the largest distance. Each pair is there in both orders, so
bins are symmetric. Figures of MQM: what `tercet correlate` says about
segments (acc-23 with calibrated ties) and systems (share of pairs of systems in the right order).
"""

import argparse
import collections
import hashlib
import json
import math
import random
import re
import struct
import subprocess
import tempfile
from pathlib import Path

import prepare
from prepare import clean, table

# Differences of MQM scores that are a judgement: with several raters, with one.
CLEAR = (0.6, 1.0)


def run(command):
    found = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if found.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{found.stderr}")
    return found.stdout


def write_rows(path, rows):
    with open(path, "w") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


class Models:
    def __init__(self, tercet, given, kept):
        self.tercet, self.kept, self.spec, self.temperature = tercet, kept, {}, {}
        for item in given:
            name, spec = item.split("=", 1)
            if spec.endswith(".safetensors"):
                entries = entries_of(spec)
                for way in ("", ".source", ".both", ".english", ".source.english", ".both.english"):
                    if f"temperature{way}" in entries:
                        self.temperature[name, way] = float(entries[f"temperature{way}"])
                spec = f"siamese:model={spec},scale=raw"
            self.spec[name] = spec

    def scores(self, name, rows, options=""):
        """Scores of (hypothesis, reference or None, source or None), each different one computed once."""
        distinct = list(dict.fromkeys(rows))
        if self.kept:
            key = json.dumps([self.content(name), options, distinct], ensure_ascii=False)
            path = self.kept / f"{hashlib.sha256(key.encode()).hexdigest()[:16]}.json"
            if not path.exists():
                path.write_text(json.dumps(self.computed(name, distinct, options)))
            values = json.loads(path.read_text())
        else:
            values = self.computed(name, distinct, options)
        found = dict(zip(distinct, values, strict=True))
        return [found[row] for row in rows]

    def content(self, name):
        """What decides the scores of a model."""
        file = re.search(r"model=([^,]*)", self.spec[name])
        return hashlib.sha256(Path(file.group(1)).read_bytes()).hexdigest() if file else self.spec[name]

    def computed(self, name, distinct, options):
        fields = ("hypothesis", "reference", "source")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.jsonl"
            # an empty text is no row to tercet
            write_rows(path, [{f: t for f, t in zip(fields, row) if t is not None} for row in distinct])
            command = [self.tercet, "score", "-q", "--level", "segment", "-f", "jsonl", "--no-checks"]
            for field, text in zip(("--hypothesis", "-r", "-s"), distinct[0]):
                command += [field, fields[("--hypothesis", "-r", "-s").index(field)]] if text is not None else []
            lines = run([*command, "-m", self.spec[name] + options, path]).splitlines()
        new = ([value for key, value in json.loads(line).items() if key not in fields] for line in lines)
        return [float(values[0]) for values in new]


def entries_of(path):
    """The entries of a model file."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
    entries = json.loads(header["__metadata__"]["tercet"])
    return {key.removeprefix(":"): value for key, value in entries.items()}


def log_loss(differences, temperature):
    """Of pairs of which the first is better: (difference of scores, weight)."""
    total = sum(weight for _, weight in differences)
    loss = sum(weight * math.log1p(math.exp(min(700, -d / temperature))) for d, weight in differences)
    return loss / total


def best_temperature(differences):
    low, high = -6.0, 6.0
    for _ in range(50):
        one, two = low + (high - low) * 0.382, low + (high - low) * 0.618
        if log_loss(differences, math.exp(one)) < log_loss(differences, math.exp(two)):
            high = two
        else:
            low = one
    return math.exp((low + high) / 2)


def calibration_error(differences, temperature):
    """The mean and the largest distance of the claimed probability from the true share, over ten bins; the largest
    among bins with at least 100 pairs."""
    claimed, true, count = [0.0] * 10, [0.0] * 10, [0.0] * 10
    for difference, weight in differences:
        for value, is_right in ((difference, 1.0), (-difference, 0.0)):
            p = 1 / (1 + math.exp(max(-700, min(700, -value / temperature))))
            place = min(9, int(p * 10))
            claimed[place] += weight * p
            true[place] += weight * is_right
            count[place] += weight
    distance = [abs(c - t) / n if n else 0.0 for c, t, n in zip(claimed, true, count)]
    mean = sum(d * n for d, n in zip(distance, count)) / sum(count)
    return mean, max((d for d, n in zip(distance, count) if n >= 100), default=0.0)


def of_pairs(pairs, differences, temperature):
    total = sum(weight for _, weight in differences)
    found = {"pairs": round(total), "right": round(sum(right(differences)) / total, 4)}
    found["best temperature"] = round(best_temperature(differences), 4)
    # each half of the segments with the temperature of the other half
    halves = [[], []]
    for pair, value in zip(pairs, differences):
        halves[hashlib.sha256(pair[0].encode()).digest()[1] % 2].append(value)
    scaled = []
    for half, other in (halves, halves[::-1]):
        temperature_of_other = best_temperature(other)
        scaled += [(d / temperature_of_other, weight) for d, weight in half]
    found["error with it"] = [round(value, 4) for value in calibration_error(scaled, 1)]
    if temperature:
        found["temperature"] = temperature
        found["error"] = [round(value, 4) for value in calibration_error(differences, temperature)]
    return found


def right(found):
    return [weight * (1.0 if d > 0 else 0.5 if d == 0 else 0.0) for d, weight in found]


def difference(pairs, one, other):
    """By how much the share in the right order is larger, and its 95% interval: 1,000 bootstrap samples of segments."""
    of_segment = collections.defaultdict(lambda: [0.0, 0.0])
    for pair, a, b in zip(pairs, right(one), right(other)):
        of_segment[pair[0]][0] += b - a
        of_segment[pair[0]][1] += pair[4]
    values, chance = list(of_segment.values()), random.Random(17)
    drawn = []
    for _ in range(1000):
        some = chance.choices(values, k=len(values))
        drawn.append(sum(d for d, _ in some) / sum(n for _, n in some))
    drawn.sort()
    total = sum(d for d, _ in values) / sum(n for _, n in values)
    return [round(value, 4) for value in (total, drawn[25], drawn[974])]


def ranked_sets(data):
    """(set, language pair) -> [(reference, source, better, worse, count)] of what was kept out."""
    found = collections.defaultdict(list)
    segments = [
        s for name, pairs in prepare.RANKINGS.items() for pair in pairs for s in prepare.rankings(data / name, pair)
    ]
    segments += prepare.pairs_of_assessments(data / "wmt19-darr")
    for segment in segments:
        if segment.held and segment.reference:
            for (better, worse), count in sorted(segment.pairs.items()):
                if better and worse and better != worse:
                    found[segment.set, segment.language].append(
                        (segment.reference, segment.source, better, worse, count)
                    )
    return found


def judged_rows(path, set_of, is_held):
    """Set -> rows of an MQM table whose documents were kept out."""
    found = collections.defaultdict(list)
    for row in table(path):
        if row["reference"] and row["hypothesis"] and row["system"] != "ref" and is_held(set_of(row["seg"]), row):
            found[set_of(row["seg"])].append(
                {
                    "pair": path.name[:5],
                    "system": row["system"],
                    "doc": row["doc"],
                    "id": row["seg"],
                    "source": clean(row["source"]),
                    "reference": clean(row["reference"]),
                    "hypothesis": clean(row["hypothesis"]),
                    "score": float(row["score"]),
                    "raters": int(row["n"]),
                }
            )
    return found


def english_held(set_name, row):
    """The rule of prepare.py: documents of MQM."""
    segment = prepare.Segment(set_name, "", "", clean(row["reference"]), f"{set_name}:{row['doc']}")
    return segment.held


def mqm_sets(data, is_held, into_english):
    found = {}

    def add(rows):
        for name, some in rows.items():
            found.setdefault(name, []).extend(some)

    pairs = ["zh-en"] if into_english else ["en-de", "zh-en"]
    for pair in pairs:
        rows = judged_rows(data / "judged/mqm20-21" / f"{pair}.tsv.gz", lambda seg: "mqm-" + seg.split(":")[0], is_held)
        # the references of newstest2021 en-de belong to other segments
        add({name: some for name, some in rows.items() if (pair, name) != ("en-de", "mqm-newstest2021")})
    for path in sorted((data / "judged/bio-mqm").glob("??-??.tsv.gz")):
        if path.name[:5] != "en-eu" and (not into_english or path.name[3:5] == "en"):
            add(judged_rows(path, lambda seg: "mqm-bio", is_held))
    return found


def pairs_of(rows):
    """Pairs of outputs of a segment whose scores differ clearly: (reference, source, better, worse, 1), by language
    pair."""
    segments = collections.defaultdict(lambda: collections.defaultdict(list))
    raters = {}
    for row in rows:
        key = row["pair"], row["id"], row["reference"], row["source"]
        segments[key][row["hypothesis"]].append(row["score"])
        raters[key] = max(raters.get(key, 0), row["raters"])
    found = collections.defaultdict(list)
    for (pair, seg, reference, source), outputs in segments.items():
        means = {text: sum(scores) / len(scores) for text, scores in outputs.items() if text != reference}
        least = CLEAR[0] if raters[pair, seg, reference, source] > 1 else CLEAR[1]
        for a in means:
            for b in means:
                if means[a] - means[b] >= least:
                    found[pair].append((reference, source, a, b, 1))
    return found


def agreement(models, names, rows, options):
    """What `tercet correlate` says about rows of judgements."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judged.jsonl"
        keep = ("pair", "system", "doc", "id", "source", "reference", "hypothesis", "score")
        write_rows(path, [{key: row[key] for key in keep} for row in rows])
        command = [models.tercet, "correlate", "-q", "-f", "json", "--interval", "none", "--test", "none", path]
        command += ["--field", "pair=pair", "-s", "acc-23", "-s", "accuracy"]
        for name in names:
            command += ["-m", models.spec[name] + (options if "model=" in models.spec[name] else "")]
        return json.loads(run(command))


WAYS = {"reference": "", "source": ".source", "both": ".both"}


def differences(models, name, pairs, way, options):
    def side(place):
        use = (way != "source", way != "reference")
        rows = [(p[place], p[0] if use[0] else None, p[1] if use[1] else None) for p in pairs]
        return models.scores(name, rows, options)

    both = side(2) + side(3)
    half = len(pairs)
    sign = -1 if models.spec[name].startswith(("ter", "wer", "cer")) else 1
    return [(sign * (both[i] - both[i + half]), pairs[i][4]) for i in range(half)]


def report(results, **line):
    with open(results, "a") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
    print(json.dumps(line, ensure_ascii=False), flush=True)


def english(models, data, results):
    sets = ranked_sets(data)
    judged = mqm_sets(data, english_held, True)
    grouped = collections.defaultdict(list)
    for (name, _), pairs in sets.items():
        grouped[name] += pairs
    for name, rows in judged.items():
        for pairs in pairs_of(rows).values():
            grouped[name] += pairs
    recent = [name for name in grouped if name.startswith("mqm") or name == "wmt19-darr"]
    together = {name: [name] for name in grouped}
    together |= {"rankings": [name for name in grouped if name.endswith("-rr")], "2019 to 2021": recent}
    of_first = {}
    for name in models.spec:
        found = {some: differences(models, name, pairs, "reference", "") for some, pairs in grouped.items()}
        for set_name, parts in together.items():
            pairs = [pair for part in parts for pair in grouped[part]]
            one = [value for part in parts for value in found[part]]
            measured = of_pairs(pairs, one, models.temperature.get((name, "")))
            if set_name in of_first:
                measured["difference"] = difference(pairs, of_first[set_name], one)
            of_first.setdefault(set_name, one)
            report(results, set=set_name, model=name, **measured)
    for set_name, rows in judged.items():
        found = agreement(models, list(models.spec), rows, "")
        report(results, set=set_name, correlate=figures(found, list(models.spec)), outputs=len(rows))


def figures(found, names):
    """Statistic, pair -> values in the order of the models."""
    values = collections.defaultdict(dict)
    for item in found:
        values[f"{item['statistic']} {item['pair']}"][item["metric"]] = round(item["value"], 4)
    return {key: dict(zip(names, value.values())) for key, value in values.items()}


def triples(models, results, path):
    rows = [line.split("\t") for line in path.read_text().rstrip("\n").split("\n")]
    for name in models.spec:
        pairs = [(row[3], None, row[4], row[5], 1) for row in rows]
        found = differences(models, name, pairs, "reference", "")
        for part in ("open", "last"):
            above = [d > 0 for (d, _), row in zip(found, rows) if row[1] == part]
            report(results, set=f"triples, {part}", model=name, count=len(above), right=sum(above) / len(above))


def pearson(a, b):
    n = len(a)
    x, y = sum(a) / n, sum(b) / n
    top = sum((p - x) * (q - y) for p, q in zip(a, b))
    return top / math.sqrt(sum((p - x) ** 2 for p in a) * sum((q - y) ** 2 for q in b))


def agree_on_texts(models, results, folder):
    """Segments and systems: how far the models agree."""
    files = {p.name: p.read_text().rstrip("\n").split("\n") for p in sorted(folder.iterdir())}
    reference = files.pop("reference")
    names = list(models.spec)
    rows = [(text, ref, None) for lines in files.values() for text, ref in zip(lines, reference) if text and ref]
    scores = {name: models.scores(name, rows) for name in names}
    for a in names:
        for b in names[names.index(a) + 1 :]:
            start, of_systems = 0, {}
            for system, lines in files.items():
                count = sum(bool(text and ref) for text, ref in zip(lines, reference))
                of_systems[system] = [sum(scores[n][start : start + count]) / count for n in (a, b)]
                start += count
            values = list(of_systems.values())
            same = [(p[0] - q[0]) * (p[1] - q[1]) > 0 for i, p in enumerate(values) for q in values[:i]]
            report(
                results,
                set=f"texts {folder.name}",
                models=[a, b],
                outputs=len(rows),
                pearson=round(pearson(scores[a], scores[b]), 4),
                pairs_of_systems=len(same),
                same_order=sum(same),
            )


def multilingual(models, data, results, every):
    import prepare_multilingual as other

    def is_chosen(source):
        return hashlib.sha256(source.encode()).digest()[2] % every == 0

    def is_held(_, row):
        return other.document_held(row)

    grouped = collections.defaultdict(list)
    for group in other.ranked(data):
        if group.held and group.set != "wmt16-it-rr" and is_chosen(group.source):
            direction = "into English" if group.target() == "en" else "out of English"
            for (better, worse), count in sorted(group.pairs.items()):
                if better and worse:
                    pair = (group.reference, group.source, better, worse, count)
                    grouped[direction, group.set, group.target()].append(pair)
    for name, rows in mqm_sets(data, is_held, False).items():
        for pair, pairs in pairs_of(rows).items():
            direction = "into English" if pair.endswith("-en") else "out of English"
            grouped[direction, name, pair[3:]] += [one for one in pairs if is_chosen(one[1])]
    for name in models.spec:
        for way, suffix in WAYS.items():
            if "model=" not in models.spec[name] and way != "reference":
                continue
            total = collections.defaultdict(lambda: ([], []))
            for (direction, _, target), pairs in sorted(grouped.items()):
                options = f",way={way},lang={target}" if "model=" in models.spec[name] else ""
                total[direction][0].extend(pairs)
                total[direction][1].extend(differences(models, name, pairs, way, options))
            for direction, (pairs, found) in total.items():
                temperature = models.temperature.get((name, suffix))
                if direction == "into English":
                    temperature = models.temperature.get((name, f"{suffix}.english"), temperature)
                report(results, set=direction, way=way, model=name, **of_pairs(pairs, found, temperature))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", metavar="NAME=FILE or NAME=METRIC")
    parser.add_argument("--data", type=Path, help="the folder with the sets")
    parser.add_argument("--tercet", type=Path, required=True, help="the command")
    parser.add_argument("--results", required=True, help="a JSON object per line is added to it")
    parser.add_argument("--triples", type=Path, help="triples.tsv of the robustness test")
    parser.add_argument("--texts", type=Path, help="a folder of texts without judgements")
    parser.add_argument("--kept", type=Path, help="a folder where scores are kept for the next time")
    parser.add_argument("--multilingual", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="with --multilingual: one source in so many")
    options = parser.parse_args()
    models = Models(options.tercet, options.models, options.kept)
    random.seed(17)
    if options.triples:
        triples(models, options.results, options.triples)
    if options.texts:
        agree_on_texts(models, options.results, options.texts)
    if options.data:
        if options.multilingual:
            multilingual(models, options.data, options.results, options.every)
        else:
            english(models, options.data, options.results)


if __name__ == "__main__":
    main()
