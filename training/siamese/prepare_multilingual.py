"""Packs rankings, judgements and damaged copies of many language pairs into one file of token ids.

    python prepare_multilingual.py --data DIR --translations FOLDER --tokenizer e5.model --bin FOLDER \
        --output multilingual.npz

The file has the arrays of prepare.py's, with these differences. A group begins with its source (role -2), then the
reference (-1) if there is one, then outputs and damaged copies; `columns` is the number of texts that each member is
compared with, source first: 2, or 1 without a reference. `strings` has two more bytes in each cell: whether the member
is is in another language than the target's, or in another script. `against` has the sentence against which an English
teacher scores each member (-1: none), `parallel` pairs of sentences that are translations of each other. String
features are in a file of their own, as data.py reads it; all texts are in the file that ends in .texts.jsonl.

`--bin` has the tools string_features and language_flags.
"""

import argparse
import collections
import hashlib
import json
import random
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import sentencepiece

import damage
import perturb
from data import shrink, strings_beside
from pieces import table
from prepare import RANKINGS, assessments, assessments_2013, clean, pairs_of_assessments, rankings
from prepare import lines as read_lines

FROM_ENGLISH = {
    "wmt12-rr": "cs de es fr",
    "wmt15-rr": "cs de fi fr ru",
    "wmt16-rr": "cs de fi ro tr",
    "wmt16-it-rr": "bg cs de es eu nl pt",
}
OUTPUTS, PAIRS = 9, 40
# How far the difference of two MQM scores can be trusted.
TRUST = {"newstest2020": 1.0, "newstest2021": 0.5, "ted2021": 0.5, "bio": 0.8, "wmt21-da": 0.3}
ROBUST = [
    "drop",
    "swap",
    "repeat",
    "negation",
    "number",
    "name",
    "replace",
    "shuffle",
    "truncate",
    "empty",
    "source",
    "unrelated",
    "language",
]
QE_PAIRS = ["en-gu", "en-hi", "en-ta", "en-te", "en-mr", "en-yo"]
USELESS = [
    "empty",
    "source",
    "source",
    "source",
    "language",
    "language",
    "language",
    "unrelated",
    "unrelated",
    "shuffle",
    "truncate",
]
KIND = {kind: place for place, kind in enumerate(damage.KINDS)}


class Group:
    def __init__(self, set_name, pair, source, reference, held=None):
        self.set, self.pair, self.source, self.reference = set_name, pair, source, reference
        self.outputs, self.pairs, self.z, self.post_edit = [], collections.Counter(), {}, None
        self.held = is_held(self.english()) if held is None else held
        self.damages = []

    def english(self):
        return self.source if self.pair.startswith("en-") else (self.reference or self.source)

    def target(self):
        return self.pair.split("-")[1]


def is_held(text, among=40):
    """Whether the groups of an English sentence stay out of training, in all sets and language pairs."""
    return hashlib.sha256(text.encode()).digest()[0] % among == 0


def of_segment(segment, set_name=None):
    group = Group(set_name or segment.set, segment.language, segment.source, segment.reference)
    group.outputs = list(dict.fromkeys(segment.outputs))
    group.pairs, group.z = collections.Counter(segment.pairs), dict(segment.z)
    return group


def ranked(data):
    found = []
    for name, languages in RANKINGS.items():
        for language in languages:
            found += [of_segment(s) for s in rankings(data / name, language)]
    for name, languages in FROM_ENGLISH.items():
        for language in languages.split():
            found += [of_segment(s) for s in rankings(data / "from-english" / name, f"en-{language}")]
    found += [of_segment(s) for s in pairs_of_assessments(data / "wmt19-darr")]
    return [g for g in found if g.pairs and g.reference and g.source]


def by_segment(path, set_name, held):
    """Groups of a table of judged outputs, with all scores."""
    groups = {}
    for row in table(path):
        source, reference = clean(row["source"]), clean(row["reference"])
        if not source or not reference or not row["hypothesis"]:
            continue
        key = row["seg"], source, reference
        if key not in groups:
            groups[key] = Group(set_name, path.name[:5], source, reference, held(row))
        group = groups[key]
        text = clean(row["hypothesis"])
        if text not in group.z:
            group.outputs.append(text)
            group.z[text] = float(row["score"])
    return list(groups.values())


def pairs_of_scores(group, least, most, trust, chance):
    """Pairs of outputs with clearly different scores."""
    pairs = []
    for a in group.outputs:
        for b in group.outputs:
            difference = group.z[a] - group.z[b]
            if difference >= least:
                pairs.append((a, b, trust * min(difference, most) / most))
    chance.shuffle(pairs)
    group.pairs = collections.Counter({(a, b): weight for a, b, weight in pairs[:PAIRS]})


def document_held(row):
    return hashlib.sha256(row["doc"].encode()).digest()[0] % 7 == 0


def mqm(data, chance):
    found = []
    for pair in ("en-de", "zh-en"):
        for group in by_segment(data / "judged" / "mqm20-21" / f"{pair}.tsv.gz", "mqm20-21", document_held):
            found.append(group)
    # the test that a segment belongs to
    tests = {}
    for pair in ("en-de", "zh-en"):
        for row in table(data / "judged" / "mqm20-21" / f"{pair}.tsv.gz"):
            tests[pair, clean(row["source"])] = row["seg"].split(":")[0]
    for group in found:
        test = tests[group.pair, group.source]
        group.set = f"mqm-{test}"
        pairs_of_scores(group, 1, 5, TRUST[test], chance)
    for path in sorted((data / "judged" / "bio-mqm").glob("??-??.tsv.gz")):
        if path.name[:5] == "en-eu":
            continue
        groups = by_segment(path, "bio-mqm", document_held)
        for group in groups:
            pairs_of_scores(group, 1, 5, TRUST["bio"], chance)
        found += groups
    for path in sorted((data / "judged" / "wmt21-da").glob("??-??.tsv.gz")):
        groups = by_segment(path, "wmt21-da", lambda row: is_held(row["doc"], 20))
        for group in groups:
            pairs_of_scores(group, 1.0, 2.0, TRUST["wmt21-da"], chance)
        found += groups
    for group in found:
        if group.held:
            continue
        group.z = {}
    return [g for g in found if g.pairs or g.held]


def direct(data):
    segments = assessments_2013(data / "da-wmt13")
    for name in ("da-wmt15", "da-wmt16"):
        segments += assessments(data / name)
    folder = data / "da-wmt16"
    columns = [read_lines(folder / f"DAseg-newstest2016.{part}.en-ru") for part in ("source", "reference", "mt-system")]
    scores = [float(x) for x in (folder / "DAseg-newstest2016.human.en-ru").read_text().split()]
    found = [of_segment(s) for s in segments]
    for source, reference, output, z in zip(*columns, scores):
        group = Group("da-wmt16", "en-ru", source, reference)
        group.outputs, group.z = [output], {output: z}
        found.append(group)
    return found


def without_reference(data):
    """mlqe-pe: train, and dev as what is kept out. Nothing of test20 and test21."""
    found, tested = [], set()
    paths = sorted((data / "judged" / "mlqe-pe").glob("??-??.tsv.gz"))
    rows = [(path.name[:5], row) for path in paths for row in table(path)]
    tested = {clean(row["source"]) for _, row in rows if row["seg"].startswith("test")}
    for pair, row in rows:
        part = row["seg"].split(":")[0]
        source = clean(row["source"])
        if part not in ("train", "dev") or source in tested:
            continue
        group = Group("mlqe-pe", pair, source, None, part == "dev")
        output = clean(row["hypothesis"])
        group.outputs, group.z = [output], {output: float(row["score"])}
        group.post_edit = clean(row["reference"]) or None
        found.append(group)
    return found, tested


def translations(folder, count, chance):
    """Sentences of LibreOffice's translations: source, reference and no output; and all pairs for the first stage."""
    groups, parallel = [], []
    for path in sorted(folder.iterdir()):
        pairs = [line.split("\t") for line in path.read_text().rstrip("\n").split("\n")]
        pairs = [pair for pair in pairs if len(pair) == 2 and 12 <= len(pair[0]) <= 400 and len(pair[1]) >= 4]
        chance.shuffle(pairs)
        parallel += [(a, b) for a, b in pairs[: 5 * count]]
        longer = [pair for pair in pairs if len(pair[0]) >= 30][:count]
        for english, text in longer:
            if chance.random() < 0.7:
                groups.append(Group("translations", f"en-{path.stem}", english, text))
            else:
                groups.append(Group("translations", f"{path.stem}-en", text, english))
    return groups, parallel


def tests(data, chance):
    found = []
    for path in sorted((data / "judged" / "indicmt").glob("en-*.tsv.gz")):
        if path.name.count(".") == 2:
            groups = by_segment(path, "indicmt", lambda row: True)
            for group in groups:
                group.pair = path.name.split(".")[0]
            found += groups
    for pair in QE_PAIRS:
        rows = table(data / "judged" / "qe23-24" / f"{pair}.tsv.gz")
        chance.shuffle(rows)
        for row in rows[:1000]:
            group = Group("qe23-24", pair, clean(row["source"]), None, True)
            output = clean(row["hypothesis"])
            group.outputs, group.z = [output], {output: float(row["score"])}
            found.append(group)
    found += by_segment(data / "judged" / "ort-encs" / "en-cs.tsv.gz", "ort-encs", lambda row: True)
    russian = by_segment(data / "judged" / "mqm20-21" / "en-ru.tsv.gz", "mqm-en-ru", lambda row: True)
    chance.shuffle(russian)
    return found + russian[:400]


def trimmed(group, chance):
    """At most OUTPUTS judged outputs and PAIRS pairs of a training group."""
    if group.held or not group.pairs:
        return
    weight = collections.Counter()
    for (a, b), count in group.pairs.items():
        weight[a] += count
        weight[b] += count
    kept = [text for text, _ in weight.most_common(OUTPUTS)]
    inside = set(kept)
    pairs = [(pair, count) for pair, count in group.pairs.items() if pair[0] in inside and pair[1] in inside]
    chance.shuffle(pairs)
    group.outputs, group.pairs = kept, collections.Counter(dict(pairs[:PAIRS]))


def light_kinds(target, chance):
    """Kinds of light damage in a random order; for English all that perturb.py has."""
    if target == "en":
        kinds = chance.sample(perturb.LIGHT, 4) + chance.sample(perturb.MEANING, 4)
        chance.shuffle(kinds)
        return kinds + ["drop"]
    kinds = chance.sample(damage.LIGHT, 5)
    if chance.random() < 0.25:
        kinds = chance.sample(damage.SIGNS, 2) + kinds
    return kinds + ["truncate"]


def damage_group(group, chance, names, words, sentences, versions):
    """Lightly damaged copies, each below what it was made of, and mostly something useless, below all."""
    target, whole = group.target(), [text for text in [group.reference, *group.outputs] if text]
    given = perturb.Given(group.source, names[target], words[target], sentences[target])
    originals = [group.reference] if group.reference else []
    if group.outputs:
        originals.append(chance.choice(group.outputs))
    else:
        originals.append(group.reference)
    for text in originals:
        for kind in light_kinds(target, chance):
            copy = damage.damaged(kind, text, target, chance, given)
            if copy is not None and copy not in whole and len(copy) < 1200:
                group.damages.append((kind, copy, [text]))
                break
    if chance.random() < 0.7:
        add_useless(group, chance.choice(USELESS), chance, sentences, versions)


def add_useless(group, kind, chance, sentences, versions):
    target, own = group.target(), group.pair.split("-")
    whole = [text for text in [group.reference, *group.outputs] if text]
    if kind == "language":
        others = [text for code, text in versions.get(group.english(), {}).items() if code not in own]
        if not others:
            others = sentences[chance.choice([code for code in sentences if code not in own and sentences[code]])]
        text = chance.choice(others)
    elif kind in ("shuffle", "truncate"):
        text = damage.damaged(kind, chance.choice(whole), target, chance, perturb.Given())
        if text is None:
            return
    else:
        text = {"empty": "", "source": group.source, "unrelated": chance.choice(sentences[target] or whole)}[kind]
    if text not in whole:
        group.damages.append((kind, text, whole))


def robust(groups, chance, names, words, sentences, versions, limit=30):
    """For each target language and kind: damaged copies of held outputs (or references) that no training has seen."""
    found, count = [], collections.Counter()
    groups = [g for g in groups if g.held and len(damage.units(g.reference or g.source, g.target())) > 5]
    chance.shuffle(groups)
    for group in groups:
        for kind in ROBUST:
            if count[group.target(), kind] >= limit:
                continue
            text = chance.choice(group.outputs) if group.outputs else group.reference
            item = Group("robust", group.pair, group.source, group.reference, True)
            item.outputs = [text] if text != group.reference else []
            if kind in ("empty", "source", "language", "unrelated"):
                add_useless(item, kind, chance, sentences, versions)
                item.damages = [(k, copy, [text]) for k, copy, _ in item.damages]
            else:
                target = group.target()
                given = perturb.Given(group.source, names[target], words[target], sentences[target])
                copy = damage.damaged(kind, text, group.target(), chance, given)
                if copy is not None and copy not in (text, group.reference):
                    item.damages = [(kind, copy, [text])]
            if item.damages:
                count[group.target(), kind] += 1
                found.append(item)
    return found


class Packer:
    def __init__(self):
        self.sentences, self.columns = {}, collections.defaultdict(list)
        self.sets, self.pairs, self.cells, self.flagged = {}, {}, [], []

    def sentence(self, text):
        return self.sentences.setdefault(text, len(self.sentences))

    def add(self, group):
        column, packed = self.columns, [group.source]
        if group.reference:
            packed.append(group.reference)
        columns = len(packed)
        judged = {text for pair in group.pairs for text in pair} | set(group.z)
        column["member_start"].append(len(column["member"]))
        column["pair_start"].append(len(column["better"]))
        roles = [-2, -1][:columns]
        for text in group.outputs:
            packed.append(text)
            roles.append(int(text in judged))
        place = {text: columns + i for i, text in enumerate(group.outputs)}
        if group.reference:
            place.setdefault(group.reference, 1)
        for (better, worse), weight in group.pairs.items():
            self.pair(place[better], place[worse], weight, -1)
        for kind, text, winners in group.damages:
            here = len(packed)
            packed.append(text)
            roles.append(2 + KIND[kind])
            for winner in winners:
                self.pair(place[winner], here, 1, KIND[kind])
        ids = [self.sentence(text) for text in packed]
        column["member"] += ids
        column["role"] += roles
        column["z"] += [group.z.get(text, np.nan) if role == 1 else np.nan for text, role in zip(packed, roles)]
        column["columns"].append(columns)
        self.cells += [(h, x) for h in ids for x in ids[:columns]]
        self.flagged += [(h, group.target()) for h in ids]
        against = group.reference or group.post_edit
        is_english = group.target() == "en" and against and group.set != "translations"
        for text, role, sentence in zip(packed, roles, ids):
            wanted = is_english and role >= -1 and not (role == -1 and not group.reference)
            column["against"].append(self.sentence(against) if wanted else -1)
        column["set"].append(self.sets.setdefault(group.set, len(self.sets)))
        column["language"].append(self.pairs.setdefault(group.pair, len(self.pairs)))
        column["held"].append(group.held)

    def pair(self, better, worse, weight, kind):
        for name, value in (("better", better), ("worse", worse), ("weight", weight), ("pair_kind", kind)):
            self.columns[name].append(value)

    def string_features(self, binary):
        """Bytes of the string features of every cell; equal pairs of texts are computed once."""
        cells = np.array(self.cells, np.int64)
        count = len(self.sentences)
        unique, place = np.unique(cells[:, 0] * count + cells[:, 1], return_inverse=True)
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            with open(folder / "texts", "w") as file:
                for text in self.sentences:
                    file.write(json.dumps(text, ensure_ascii=False) + "\n")
            np.stack([unique // count, unique % count], axis=1).astype("<u4").tofile(folder / "pairs")
            subprocess.run([binary, folder / "texts", folder / "pairs", folder / "out"], check=True)
            found = np.fromfile(folder / "out", "<f4").reshape(len(unique), -1)
        return shrink(found)[place]

    def flags(self, binary):
        unique = dict.fromkeys(self.flagged)
        texts = list(self.sentences)
        lines = "".join(f"{code}\t{texts[h]}\n" for h, code in unique)
        out = subprocess.run([binary], input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout.decode().split()
        known = {key: (int(line[0]), int(line[1])) for key, line in zip(unique, out, strict=True)}
        return np.array([known[key] for key in self.flagged], np.uint8)

    def save(self, path, processor, longest, parallel, binaries):
        column = {name: np.array(values) for name, values in self.columns.items()}
        parallel = np.array([(self.sentence(a), self.sentence(b)) for a, b in parallel], np.int32)
        pieces = [ids[: longest - 2] for ids in processor.encode(list(self.sentences))]
        starts = np.cumsum([0] + [len(ids) for ids in pieces])
        strings = self.string_features(binaries / "string_features")
        flags = np.repeat(
            self.flags(binaries / "language_flags"),
            np.repeat(column["columns"], np.diff(np.append(column["member_start"], len(column["member"])))),
            axis=0,
        )
        np.save(strings_beside(path), np.concatenate([strings, flags], axis=1).astype(np.uint8))
        path.with_suffix(".texts.jsonl").write_text(
            "".join(json.dumps(text, ensure_ascii=False) + "\n" for text in self.sentences)
        )
        np.savez(
            path,
            tokens=np.concatenate([np.array(ids, np.uint32) for ids in pieces]),
            token_start=starts.astype(np.int32),
            member=column["member"].astype(np.int32),
            member_start=np.append(column["member_start"], len(column["member"])).astype(np.int32),
            role=column["role"].astype(np.int8),
            z=column["z"].astype(np.float32),
            against=column["against"].astype(np.int32),
            columns=column["columns"].astype(np.uint8),
            pair_start=np.append(column["pair_start"], len(column["better"])).astype(np.int32),
            better=column["better"].astype(np.uint8),
            worse=column["worse"].astype(np.uint8),
            weight=column["weight"].astype(np.float32),
            pair_kind=column["pair_kind"].astype(np.int8),
            set=column["set"].astype(np.int8),
            language=column["language"].astype(np.int16),
            held=column["held"].astype(bool),
            sets=np.array(list(self.sets)),
            languages=np.array(list(self.pairs)),
            parallel=parallel,
        )
        return len(pieces), starts[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--translations", type=Path, required=True)
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--longest", type=int, default=192, help="pieces of a sentence with both special pieces")
    parser.add_argument("--limit", type=int, help="groups of each set and language pair (for tests)")
    options = parser.parse_args()
    chance = random.Random(17)

    groups = ranked(options.data) + mqm(options.data, chance)
    estimated, tested = without_reference(options.data)
    groups += direct(options.data) + estimated
    translated, parallel = translations(options.translations, 400, chance)
    groups += translated
    if options.limit:
        seen = collections.Counter()
        kept = []
        for group in groups:
            seen[group.set, group.pair] += 1
            if seen[group.set, group.pair] <= options.limit:
                kept.append(group)
        groups, parallel = kept, parallel[: 5 * options.limit]
    held_tests = tests(options.data, chance)
    tested |= {group.source for group in held_tests if group.set == "qe23-24"}
    groups = [g for g in groups if g.source not in tested]
    tested_references = {g.reference for g in held_tests if g.set == "indicmt"}
    groups = [
        g
        for g in groups
        if not (g.set == "wmt21-da" and (g.reference in tested_references or g.source in tested_references))
    ]
    sentences, versions = collections.defaultdict(list), collections.defaultdict(dict)
    for group in groups:
        source, target = group.pair.split("-")
        if group.held:
            continue
        for code, text in ((source, group.source), (target, group.reference)):
            if text:
                sentences[code].append(text)
                versions[group.english()][code] = text
        if not group.reference and group.post_edit:
            sentences[target].append(group.post_edit)
    sentences = collections.defaultdict(list, {code: list(dict.fromkeys(texts)) for code, texts in sentences.items()})
    names = collections.defaultdict(list)
    for code, texts in sentences.items():
        if code not in damage.JOINED:
            names[code] = [w for t in texts for w in t.split()[1:] if w[0].isupper() and damage.CASED.match(w)]
    words = collections.defaultdict(list)
    for code, texts in sentences.items():
        words[code] = [w.lower() for t in texts[:5000] for w in t.split() if len(w) > 4 and w.isalpha()]
    parallel += [(g.source, g.reference or g.post_edit) for g in groups if not g.held and (g.reference or g.post_edit)]
    parallel = list(dict.fromkeys(parallel))
    packer = Packer()
    robust_groups = robust([g for g in groups if not g.z or g.reference], chance, names, words, sentences, versions)
    for group in groups:
        trimmed(group, chance)
        if not group.held and not group.set.startswith("da-"):
            damage_group(group, chance, names, words, sentences, versions)
        packer.add(group)
    for group in held_tests + robust_groups:
        packer.add(group)
    processor = sentencepiece.SentencePieceProcessor(model_file=options.tokenizer)
    count, pieces = packer.save(options.output, processor, options.longest, parallel, options.bin)
    print(
        f"{count} sentences, {pieces} pieces, {len(packer.columns['set'])} groups, "
        f"{len(packer.columns['better'])} pairs, {len(parallel)} translations"
    )
    counts = collections.Counter(zip(packer.columns["set"], packer.columns["held"]))
    for name, index in packer.sets.items():
        print(f"{name}: {counts[index, False]} groups, {counts[index, True]} kept out")


if __name__ == "__main__":
    main()
