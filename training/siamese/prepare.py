"""Packs judgements, damaged copies and near-copies into one file of token ids, and their texts into another.

    python prepare.py --data DIR --tokenizer tokenizer.json --output siamese.npz --texts texts.jsonl
    python prepare.py --templates 12000 --tokenizer tokenizer.json --output templates.npz --texts templates.jsonl

The second writes groups from templates.txt only.

A group is a reference with its distinct outputs. Arrays of the file:
tokens, token_start   word pieces of each distinct sentence, without special pieces
member, member_start  sentences of each group: the reference, the outputs, damaged copies
role                  per member: -1 reference, 0 output without a judgement, 1 judged output, 2 + kind of copy
z                     per member: direct assessment (NaN: none)
columns               per group: how many of its first members serve as references (the others of them are outputs)
pair_start; better, worse, weight, pair_kind
                      per group: places of two members of which the first is better; kind -1 human, else kind of copy
set, language, held   per group: index into `sets` and `languages`; whether the group is kept out of all training

strings.py adds the string features of every member with every column of its group.
"""

import argparse
import collections
import csv
import gzip
import hashlib
import html
import json
import random
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

import meaning
import perturb
import templates

RANKINGS = {
    "wmt12-rr": ["cs-en", "de-en", "es-en", "fr-en"],
    "wmt13-rr": ["cs-en", "de-en", "es-en", "fr-en", "ru-en"],
    "wmt14-rr": ["cs-en", "de-en", "fr-en", "hi-en", "ru-en"],
    "wmt15-rr": ["cs-en", "de-en", "fi-en", "fr-en", "ru-en"],
    "wmt16-rr": ["cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en"],
}
BIOMEDICAL = ["de-en", "es-en", "fr-en", "it-en", "pt-en", "ru-en", "zh-en"]
# A group has at most so many outputs, those without a judgement left out first.
OUTPUTS = 10
# Columns beside the reference.
PSEUDO = 3
# Weight of a clear pair of MQM scores, where a judgement of WMT's rankings has weight 1.
MQM_WEIGHT = 2.0


class Segment:
    """A reference with its outputs, judged pairs and direct assessments, all as texts. `good`: outputs that people
    found right. `document`: what stays out of training as a whole; the reference, if not given."""

    def __init__(self, set_name, language, source, reference, document=None):
        self.set, self.language, self.source, self.reference = set_name, language, source, reference
        self.outputs, self.pairs, self.z, self.good = [], collections.Counter(), {}, []
        # newer sets: one document or reference in ten stays out, else one in forty
        newer = document is not None or set_name == "wmt19-darr"
        self.held = hashlib.sha256((document or reference).encode()).digest()[0] % 40 < (4 if newer else 1)


def read(path):
    data = gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()
    return data.decode(errors="replace").removesuffix("\n")


def clean(text):
    """Character references (&quot;) are the characters that they stand for."""
    return html.unescape(text.strip("\ufeff \r\t"))


def lines(path):
    return [clean(line) for line in read(path).split("\n")]


def table(path):
    rows = read(path).split("\n")
    names = rows[0].split("\t")
    return [dict(zip(names, row.split("\t"))) for row in rows[1:]]


def texts_by_line(folder, language):
    """Segments of the sets that have a file per system."""
    joined = language.replace("-", "")
    reference = [p for p in (folder / "references").iterdir() if joined in p.name] or list(
        (folder / "references").iterdir()
    )
    source = [p for p in (folder / "sources").iterdir() if p.name.endswith(f"src.{language[:2]}.gz")]
    references, sources = lines(reference[0]), lines(source[0])
    segments = {
        str(place + 1): Segment(folder.name, language, *both) for place, both in enumerate(zip(sources, references))
    }
    outputs = {}
    for path in sorted((folder / "system-outputs" / language).iterdir()):
        system = path.name.removesuffix(".gz")
        for place, line in enumerate(lines(path)):
            outputs[str(place + 1), system] = line
    return segments, outputs


def texts_by_row(folder, language):
    """Segments of the sets that have one table of outputs."""
    segments = {
        row["seg_id"]: Segment(folder.name, language, clean(row["source"]), clean(row["reference"]))
        for row in table(folder / f"segments.{language}.tsv.gz")
    }
    outputs = {
        (row["seg_id"], row["system"]): clean(row["text"]) for row in table(folder / f"outputs.{language}.tsv.gz")
    }
    return segments, outputs


def rankings(folder, language):
    by_line = (folder / "system-outputs").exists()
    segments, outputs = (texts_by_line if by_line else texts_by_row)(folder, language)
    for (segment, _), text in outputs.items():
        if segment in segments:
            segments[segment].outputs.append(text)
    pairs = folder / f"pairs.{language}.tsv.gz"
    for row in table(pairs) if pairs.exists() else []:
        better, worse = outputs[row["seg_id"], row["better"]], outputs[row["seg_id"], row["worse"]]
        segments[row["seg_id"]].pairs[better, worse] += 1
    for segment in segments.values():
        choose_good(segment, 4, 0.75)
    return list(segments.values())


def choose_good(segment, judgements, share):
    """The outputs that won most of their comparisons."""
    won, all_of = collections.Counter(), collections.Counter()
    for (better, worse), count in segment.pairs.items():
        won[better] += count
        all_of[better] += count
        all_of[worse] += count
    rate = {text: won[text] / count for text, count in all_of.items() if count >= judgements}
    segment.good = sorted((text for text in rate if rate[text] >= share), key=lambda text: -rate[text])[:3]


def pairs_of_assessments(folder):
    segments = {}
    for language in ("gu-en", "kk-en", "lt-en"):
        for row in table(folder / f"pairs.{language}.tsv.gz"):
            source, reference, better, worse = (clean(row[name]) for name in ("source", "reference", "better", "worse"))
            segment = segments.setdefault(
                (language, source, reference), Segment(folder.name, language, source, reference)
            )
            segment.outputs += [better, worse]
            segment.pairs[better, worse] += 1
    for segment in segments.values():
        choose_good(segment, 3, 0.99)
    return list(segments.values())


def assessed(set_name, language, source, reference, output, z, good):
    segment = Segment(set_name, language, source, reference)
    segment.outputs, segment.z = [output], {output: z}
    segment.good = [output] if z >= good else []
    return segment


def assessments(folder):
    found = []
    for path in sorted(folder.iterdir()):
        name, language = path.name[:-6], path.name[-5:]
        if name.endswith(".human") and language.endswith("-en"):
            columns = [lines(folder / f"{name[:-5]}{part}.{language}") for part in ("source", "reference", "mt-system")]
            scores = [float(value) for value in read(path).split()]
            found += [assessed(folder.name, language, *row, z, 0.9) for *row, z in zip(*columns, scores)]
    return found


def assessments_2013(folder):
    found = []
    for language in ("cs-en", "de-en", "es-en", "fr-en", "ru-en"):
        columns = [lines(folder / f"{part}.{language}") for part in ("src", "ref", "sys")]
        scores = [
            float(row.split()[-1]) for row in read(folder / f"human-scores.{language}.csv").strip().split("\n")[1:]
        ]
        found += [assessed(folder.name, language, *row, z, 0.9) for *row, z in zip(*columns, scores)]
    return found


def post_edits(folder):
    return [
        assessed(
            folder.name,
            path.name[:5],
            clean(row["source"]),
            clean(row["post_edit"]),
            clean(row["mt"]),
            float(row["da_z_mean"]),
            0.7,
        )
        for path in sorted(folder.glob("*.tsv.gz"))
        for row in table(path)
    ]


def mqm(path, set_of, other_references=None):
    """Groups of a table of MQM scores; every pair of outputs whose scores differ clearly, by how far. With
    `other_references` (segment -> texts), also groups with another human translation as the reference."""
    rows = collections.defaultdict(list)
    for row in table(path):
        if row["reference"] and row["system"] != "ref":  # TED's `ref` is no translation of these segments
            rows[row["seg"]].append(row)
    found = []
    language = path.name[:5]
    for seg, group in rows.items():
        first = group[0]
        scores = collections.defaultdict(list)
        for row in group:
            scores[clean(row["hypothesis"])].append((float(row["score"]), int(row["n"])))
        human = {clean(row["hypothesis"]) for row in group if row["system"].lower().startswith(("human", "ref"))}
        means = {text: float(np.mean([s for s, _ in values])) for text, values in scores.items()}
        raters = max(n for values in scores.values() for _, n in values)
        reference = clean(first["reference"])
        choices = [(reference, 1.0)]
        for text in dict.fromkeys(clean(text) for text in (other_references or {}).get(seg, [])):
            if text != reference and means.get(text, 0.0) >= -2:
                choices.append((text, 0.5))
        for text, share in choices:
            item = Segment(set_of(seg), language, clean(first["source"]), text, f"{set_of(seg)}:{first['doc']}")
            item.outputs = [output for output in means if output != text]
            for a in item.outputs:
                for b in item.outputs:
                    apart = means[a] - means[b]
                    if apart >= (0.6 if raters > 1 else 1.0):
                        clear = min(1.0, max(0.25, apart / 4)) * (1.0 if raters > 1 else 0.6)
                        item.pairs[a, b] = MQM_WEIGHT * share * clear
            item.good = sorted((o for o in item.outputs if means[o] >= -1), key=lambda o: (o not in human, -means[o]))[
                :3
            ]
            if text != reference and reference not in item.outputs:
                # the first reference is a human translation too
                item.outputs.append(reference)
                item.good.insert(0, reference)
            found.append(item)
    return found


def newstest(folder):
    others = collections.defaultdict(list)
    for row in table(folder / "zh-en.refs.tsv.gz"):
        if not row["seg"].startswith("ted"):
            others[row["seg"]].append(row["text"])
    return mqm(folder / "zh-en.tsv.gz", lambda seg: "mqm-" + seg.split(":")[0], others)


def paraphrases(path):
    """Sentences of the STS benchmark that mean the same."""
    found = []
    with open(path, newline="") as file:
        for one, two, score in csv.reader(file):
            if float(score) >= 4.5 and one != two:
                for reference, output in ((one, two), (two, one)):
                    segment = Segment("stsb", "en-en", "", clean(reference))
                    segment.outputs = segment.good = [clean(output)]
                    found.append(segment)
    return found


def with_emoji(segments, chance, count):
    """Groups whose texts end in an emoji, as messages do."""
    found = []
    for segment in chance.sample([s for s in segments if s.good and len(s.reference) < 120], count):
        sign = chance.choice(meaning.EMOJI_SIGNS)
        item = Segment("emoji", segment.language, segment.source, f"{segment.reference} {sign}")
        item.held = segment.held
        item.outputs = item.good = [f"{output} {sign}" for output in segment.good[:2]]
        found.append(item)
    return found


def written(chance, count):
    """Groups from the sentences of templates.txt."""
    found = []
    for reference, outputs, copies in templates.groups(chance, count):
        segment = Segment("templates", "en-en", "", reference)
        segment.outputs = segment.good = outputs
        segment.copies = copies
        found.append(segment)
    return found


class Packer:
    def __init__(self, chance):
        self.sentences, self.columns = {}, collections.defaultdict(list)
        self.sets, self.languages, self.chance = {}, {}, chance

    def sentence(self, text):
        return self.sentences.setdefault(text, len(self.sentences))

    def add(self, segment, copies=()):
        """`copies`: (kind, text, the members that are better: texts)."""
        judged = {text for pair in segment.pairs for text in pair} | set(segment.z) | set(segment.good)
        outputs = list(dict.fromkeys(segment.outputs))
        self.chance.shuffle(outputs)
        wanted = [text for text in outputs if text in judged]
        rest = [text for text in outputs if text not in judged]
        chosen = set(wanted + rest[: max(0, OUTPUTS - len(wanted))])
        outputs = [text for text in outputs if text in chosen and text != segment.reference]
        members = list(dict.fromkeys([segment.reference, *outputs]))
        kinds = [-1] + [int(text in judged) for text in outputs]
        for kind, text, _ in copies:
            if text not in members:
                members.append(text)
                kinds.append(2 + perturb.KINDS.index(kind))
        place = {text: index for index, text in enumerate(members)}
        column = self.columns
        column["member_start"].append(len(column["member"]))
        column["pair_start"].append(len(column["better"]))
        column["columns"].append(1 + min(PSEUDO, len(outputs)))
        column["member"] += [self.sentence(text) for text in members]
        column["role"] += kinds
        column["z"] += [segment.z.get(text, np.nan) if role == 1 else np.nan for text, role in zip(members, kinds)]
        for (better, worse), count in segment.pairs.items():
            if better != worse:
                self.pair(place.get(better), place.get(worse), count, -1)
        for kind, text, winners in copies:
            for winner in dict.fromkeys(winners):
                if kind != perturb.SAME:
                    self.pair(place.get(winner), place[text], 1, perturb.KINDS.index(kind))
        column["set"].append(self.sets.setdefault(segment.set, len(self.sets)))
        column["language"].append(self.languages.setdefault(segment.language, len(self.languages)))
        column["held"].append(segment.held)

    def pair(self, better, worse, weight, kind):
        if better is None or worse is None or better == worse:
            return
        for name, value in (("better", better), ("worse", worse), ("weight", weight), ("pair_kind", kind)):
            self.columns[name].append(value)

    def save(self, path, texts, tokenizer, longest):
        column = {name: np.array(values) for name, values in self.columns.items()}
        pieces = [e.ids[: longest - 2] for e in tokenizer.encode_batch(list(self.sentences), add_special_tokens=False)]
        starts = np.cumsum([0] + [len(ids) for ids in pieces])
        member = column["member"].astype(np.int32)
        member_start = np.append(column["member_start"], len(member)).astype(np.int32)
        columns = column["columns"].astype(np.uint8)
        texts.write_text("".join(json.dumps(text, ensure_ascii=False) + "\n" for text in self.sentences))
        np.savez(
            path,
            tokens=np.concatenate([np.array(ids, np.uint16) for ids in pieces]),
            token_start=starts.astype(np.int32),
            member=member,
            member_start=member_start,
            role=column["role"].astype(np.int8),
            z=column["z"].astype(np.float32),
            columns=columns,
            pair_start=np.append(column["pair_start"], len(column["better"])).astype(np.int32),
            better=column["better"].astype(np.uint8),
            worse=column["worse"].astype(np.uint8),
            weight=column["weight"].astype(np.float32),
            pair_kind=column["pair_kind"].astype(np.int8),
            set=column["set"].astype(np.int8),
            language=column["language"].astype(np.int8),
            held=column["held"].astype(bool),
            sets=np.array(list(self.sets)),
            languages=np.array(list(self.languages)),
            kinds=np.array(perturb.KINDS),
        )
        return len(pieces), starts[-1]


def overlap(text, reference):
    one, two = collections.Counter(text.lower().split()), collections.Counter(reference.lower().split())
    return 2 * (one & two).total() / max(1, one.total() + two.total())


def light_copy(text, chance, given, taken):
    """(kind, copy) of some light damage, or None."""
    first = ["sentence_dropped"] if chance.random() < 0.15 else []
    for kind in first + chance.sample(perturb.LIGHT, 6):
        copy = perturb.damaged(kind, text, chance, given)
        if copy is not None and copy not in taken:
            return kind, copy
    return None


def copies_of(segment, chance, given, lights, light_references, nears, heavies):
    """Copies of a segment's texts: (kind, copy, the texts that are better). The counts may be fractions: a chance."""
    found, taken = [], {segment.reference, *segment.outputs}

    def number(count):
        return int(count) + (chance.random() < count % 1)

    def keep(kind, copy, winners):
        if copy not in taken:
            taken.add(copy)
            found.append((kind, copy, winners))
            return True

    for texts, count in ((segment.outputs, number(lights)), ([segment.reference], number(light_references))):
        for _ in range(count if texts else 0):
            text = chance.choice(texts)
            made = light_copy(text, chance, given, taken)
            if made:
                keep(*made, [text])
    good = [text for text in segment.good if text != segment.reference]
    nears = number(nears)
    same = meaning.same(segment.reference, chance) if nears and chance.random() < 0.5 else None
    if same and keep(perturb.SAME, same, []):
        winners = [same]
    else:
        winners = []
    for _ in range(nears):
        made = meaning.any_change(segment.reference, chance)
        if made:
            kind, copy = made
            again = meaning.any_change(copy, chance) if chance.random() < 0.15 else None
            kind, copy = again or made
            closer = [text for text in good if overlap(text, segment.reference) < overlap(copy, segment.reference)]
            keep(kind, copy, [segment.reference, *winners, *closer])
    if good and nears and chance.random() < 0.3:
        text = chance.choice(good)
        made = meaning.any_change(text, chance)
        if made:
            keep(*made, [text])
    for _ in range(number(heavies)):
        kind = chance.choice(perturb.HEAVY)
        text = chance.choice(segment.outputs or [segment.reference])
        copy = perturb.damaged(kind, text, chance, given)
        if copy is not None:
            keep(kind, copy, [text] if kind in ("shuffle", "truncate") else segment.outputs[:5])
    return found


# Set -> copies of outputs and of the reference with light damage, near-copies of the reference, useless texts; the
# counts of each group.
COPIES = {
    "rankings": (1.6, 0.8, 1.3, 0.35),
    "wmt19-darr": (2, 1, 1.5, 0.35),
    "mqm": (3, 1, 3, 0.35),
    "da": (1, 0.5, 1, 0),
    "mlqe-pe": (0.5, 0.25, 0.3, 0.05),
    "stsb": (1, 1, 3, 0),
    "emoji": (0, 0, 0, 0),
    "templates": (0.5, 0.5, 1, 0),
    "held": (6, 4, 6, 1),
}


def copies_in(set_name):
    kind = next((k for k in ("mqm", "da") if set_name.startswith(k)), set_name)
    return COPIES.get(kind, COPIES["rankings"])


def all_sets(data, every):
    """The segments of all sets of judgements; `every`: only every n-th."""
    segments = [
        s for name, languages in RANKINGS.items() for language in languages for s in rankings(data / name, language)
    ]
    segments += newstest(data / "judged" / "mqm20-21")
    for language in BIOMEDICAL:
        segments += mqm(data / "judged" / "bio-mqm" / f"{language}.tsv.gz", lambda seg: "mqm-bio")
    segments += pairs_of_assessments(data / "wmt19-darr")
    segments += assessments_2013(data / "da-wmt13")
    for name in ("da-wmt15", "da-wmt16"):
        segments += assessments(data / name)
    segments += post_edits(data / "mlqe-pe")
    segments += paraphrases(data / "stsb" / "stsb-en-train.csv")
    return [s for s in segments[::every] if s.outputs and s.reference]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the folder with the sets")
    parser.add_argument("--templates", type=int, default=0, help="only so many groups from templates.txt")
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--texts", type=Path, required=True, help="the sentences, a JSON string per line")
    parser.add_argument("--longest", type=int, default=256, help="word pieces of a sentence with both special pieces")
    parser.add_argument("--every", type=int, default=1, help="only every n-th segment (for tests)")
    options = parser.parse_args()
    if not (options.data or options.templates):
        parser.error("give --data or --templates")
    if options.templates:
        chance = random.Random(18)
        segments = written(chance, options.templates)
    else:
        chance = random.Random(17)
        segments = all_sets(options.data, options.every)
        segments += with_emoji(segments, chance, 2000 // options.every)
        segments += written(chance, 8000 // options.every)
    strangers = list(dict.fromkeys(s.reference for s in segments if s.set.startswith("wmt") and not s.held))
    names = [word for text in strangers for word in text.split()[1:] if perturb.NAME.match(word)]
    vocabulary = [word for text in strangers for word in text.split() if word.isalpha() and len(word) > 4]
    packer = Packer(chance)
    for segment in segments:
        given = perturb.Given(segment.source, names, vocabulary, strangers)
        counts = COPIES["held"] if segment.held and segment.set != "mlqe-pe" else copies_in(segment.set)
        copies = copies_of(segment, chance, given, *counts)
        if segment.set == "emoji":
            copy = meaning.changed("emoji", segment.reference, chance)
            copies.append(("emoji", copy, [segment.reference, *segment.good]))
        for kind, copy in getattr(segment, "copies", ()):
            copies.append((kind, copy, [segment.reference, *segment.good]))
        packer.add(segment, copies)

    tokenizer = Tokenizer.from_file(options.tokenizer)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    sentences, pieces = packer.save(options.output, options.texts, tokenizer, options.longest)
    column = packer.columns
    print(
        f"{sentences} sentences, {pieces} word pieces, {len(column['set'])} groups, {len(column['member'])} members, "
        f"{len(column['better'])} pairs"
    )
    names = list(packer.sets)
    weight = collections.Counter()
    owner = np.repeat(np.arange(len(column["set"])), np.diff(np.append(column["pair_start"], len(column["better"]))))
    for group, kind, value in zip(owner, column["pair_kind"], column["weight"]):
        weight[names[column["set"][group]] if kind < 0 else perturb.KINDS[kind]] += value
    print("groups", dict(collections.Counter(names[index] for index in column["set"])))
    print("weight of pairs", {name: round(float(value)) for name, value in weight.items()})


if __name__ == "__main__":
    main()
