"""Packs rankings, direct assessments and damaged copies into one file of token ids.

    python prepare.py --data DIR --tokenizer tokenizer.json --output siamese.npz

A group is a reference with its distinct outputs. Arrays of the file:
tokens, token_start   word pieces of each distinct sentence, without special pieces
member, member_start  sentences of each group; the first is the reference
role                  per member: -1 reference, 0 output without a judgement, 1 judged output, 2 + kind of damage
z                     per member: direct assessment (NaN: none)
pair_start; better, worse, weight, pair_kind
                      per group: places of two members of which the first is better; kind -1 human, else kind of damage
set, language, held   per group: index into `sets` and `languages`; whether the reference is kept out of all training
"""

import argparse
import collections
import gzip
import hashlib
import html
import io
import random
import tarfile
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

import perturb

RANKINGS = {
    "wmt12-rr": ["cs-en", "de-en", "es-en", "fr-en"],
    "wmt13-rr": ["cs-en", "de-en", "es-en", "fr-en", "ru-en"],
    "wmt14-rr": ["cs-en", "de-en", "fr-en", "hi-en", "ru-en"],
    "wmt15-rr": ["cs-en", "de-en", "fi-en", "fr-en", "ru-en"],
    "wmt16-rr": ["cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en"],
}
MQM_WEIGHTS = {"major": 5.0, "minor": 1.0}


class Segment:
    """A reference with its outputs, judged pairs and direct assessments, all as texts."""

    def __init__(self, set_name, language, source, reference):
        self.set, self.language, self.source, self.reference = set_name, language, source, reference
        self.outputs, self.pairs, self.z = [], collections.Counter(), {}


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
    return list(segments.values())


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
    return list(segments.values())


def assessed(set_name, language, source, reference, output, z):
    segment = Segment(set_name, language, source, reference)
    segment.outputs, segment.z = [output], {output: z}
    return segment


def assessments(folder):
    found = []
    for path in sorted(folder.iterdir()):
        name, language = path.name[:-6], path.name[-5:]
        if name.endswith(".human") and language.endswith("-en"):
            columns = [lines(folder / f"{name[:-5]}{part}.{language}") for part in ("source", "reference", "mt-system")]
            scores = [float(value) for value in read(path).split()]
            found += [assessed(folder.name, language, *row, z) for *row, z in zip(*columns, scores)]
    return found


def assessments_2013(folder):
    found = []
    for language in ("cs-en", "de-en", "es-en", "fr-en", "ru-en"):
        columns = [lines(folder / f"{part}.{language}") for part in ("src", "ref", "sys")]
        scores = [
            float(row.split()[-1]) for row in read(folder / f"human-scores.{language}.csv").strip().split("\n")[1:]
        ]
        found += [assessed(folder.name, language, *row, z) for *row, z in zip(*columns, scores)]
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
        )
        for path in sorted(folder.glob("*.tsv.gz"))
        for row in table(path)
    ]


def mqm_rows(text):
    """(segment, rater, system) -> [penalty, text]."""
    found = {}
    names = text.split("\n", 1)[0].split("\t")
    segment = "globalSegId" if "globalSegId" in names else "seg_id"
    for line in text.rstrip("\n").split("\n")[1:]:
        row = dict(zip(names, line.split("\t")))
        target = clean(row["target"].replace("<v>", "").replace("</v>", ""))
        entry = found.setdefault(
            (row[segment], row["rater"], row["system"]),
            [0.0, target, clean(row["source"].replace("<v>", "").replace("</v>", ""))],
        )
        weight = MQM_WEIGHTS.get(row["severity"].lower(), 0.0)
        if row["category"].startswith("Non-translation"):
            weight = 25.0
        elif row["category"] == "Fluency/Punctuation" and weight == 1.0:
            weight = 0.1
        entry[0] += weight
    return found


def mqm(folder):
    """Pairs of outputs whose penalties by one rater differ by 1 or more."""
    with tarfile.open(folder / "sxs_mqm_generalMT2023_zhen.3ratingsPerSegment.tsv.tar.gz") as archive:
        member = [m for m in archive.getmembers() if m.isfile()][0]
        news = mqm_rows(io.TextIOWrapper(archive.extractfile(member), "utf-8", newline="").read())
    references = dict(
        zip(lines(folder / "generaltest2023.zh-en.src.zh.gz"), lines(folder / "generaltest2023.zh-en.ref.refA.en.gz"))
    )
    talks = mqm_rows(read(folder / "mqm_ted_zhen.tsv.gz"))
    talk_references = {segment: entry[1] for (segment, _, system), entry in talks.items() if system == "ref"}
    segments = {}
    for part, rows in (("news", news), ("talks", talks)):
        by_rater = collections.defaultdict(list)
        for (segment, rater, system), entry in rows.items():
            if not system.startswith("ref"):
                by_rater[segment, rater].append(entry)
        for (segment, _), entries in by_rater.items():
            reference = references.get(entries[0][2]) if part == "news" else talk_references.get(segment)
            if reference is None:
                continue
            item = segments.setdefault((part, segment), Segment("mqm", "zh-en", entries[0][2], reference))
            item.outputs += [entry[1] for entry in entries]
            for a in entries:
                for b in entries:
                    if b[0] - a[0] >= 1.0 and a[1] != b[1]:
                        item.pairs[a[1], b[1]] += 1
    return list(segments.values())


def held_out(reference):
    """Whether the segments of a reference stay out of training: one reference in 37, the same in all sets and
    languages."""
    return hashlib.sha256(reference.encode()).digest()[0] % 40 == 0


class Packer:
    def __init__(self):
        self.sentences, self.columns = {}, collections.defaultdict(list)
        self.sets, self.languages = {}, {}

    def sentence(self, text):
        return self.sentences.setdefault(text, len(self.sentences))

    def add(self, segment, damages=()):
        """`damages`: (kind, damaged text, the members that are better: "reference", "outputs" or a text)."""
        outputs = list(dict.fromkeys(segment.outputs))
        place = {text: 1 + index for index, text in enumerate(outputs)}
        judged = {text for pair in segment.pairs for text in pair} | set(segment.z)
        column = self.columns
        column["member_start"].append(len(column["member"]))
        column["pair_start"].append(len(column["better"]))
        column["member"] += [self.sentence(text) for text in [segment.reference, *outputs]]
        column["role"] += [-1] + [int(text in judged) for text in outputs]
        column["z"] += [np.nan] + [segment.z.get(text, np.nan) for text in outputs]
        for (better, worse), count in segment.pairs.items():
            self.pair(place[better], place[worse], count, -1)
        for index, (kind, text, winners) in enumerate(damages):
            here = 1 + len(outputs) + index
            column["member"].append(self.sentence(text))
            column["role"].append(2 + perturb.KINDS.index(kind))
            column["z"].append(np.nan)
            better = (
                range(1, 1 + len(outputs))
                if winners == "outputs"
                else [0 if winners == "reference" else place[winners]]
            )
            for winner in better:
                self.pair(winner, here, 1, perturb.KINDS.index(kind))
        column["set"].append(self.sets.setdefault(segment.set, len(self.sets)))
        column["language"].append(self.languages.setdefault(segment.language, len(self.languages)))
        column["held"].append(held_out(segment.reference))

    def pair(self, better, worse, weight, kind):
        for name, value in (("better", better), ("worse", worse), ("weight", weight), ("pair_kind", kind)):
            self.columns[name].append(value)

    def save(self, path, tokenizer, longest):
        column = {name: np.array(values) for name, values in self.columns.items()}
        pieces = [e.ids[: longest - 2] for e in tokenizer.encode_batch(list(self.sentences), add_special_tokens=False)]
        starts = np.cumsum([0] + [len(ids) for ids in pieces])
        np.savez(
            path,
            tokens=np.concatenate([np.array(ids, np.uint16) for ids in pieces]),
            token_start=starts.astype(np.int32),
            member=column["member"].astype(np.int32),
            member_start=np.append(column["member_start"], len(column["member"])).astype(np.int32),
            role=column["role"].astype(np.int8),
            z=column["z"].astype(np.float32),
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
        )
        return len(pieces), starts[-1]


def damage_group(segment, chance, names, strangers):
    """Two lightly damaged copies (of the reference, of an output), and in half of the groups something useless."""
    found = []
    for text, winner in ((segment.reference, "reference"), (chance.choice(segment.outputs), None)):
        kinds = chance.sample(perturb.LIGHT, 3) + ["shuffle", "truncate"]
        if chance.random() < 0.15:
            kinds = kinds[3:] + kinds[:3]
        for kind in kinds:
            copy = perturb.damaged(kind, text, chance, names)
            if copy is not None and copy not in segment.outputs and copy != segment.reference:
                found.append((kind, copy, winner or text))
                break
    if chance.random() < 0.5:
        kind = chance.choice(["empty", "source", "source", "unrelated", "unrelated"])
        text = {"empty": "", "source": segment.source, "unrelated": chance.choice(strangers)}[kind]
        if text not in segment.outputs and text != segment.reference:
            found.append((kind, text, "outputs"))
    return found


def robustness(segments, chance, names, strangers, limit):
    """For each kind of damage: damaged copies of references and of outputs that no training has seen."""
    segments = [s for s in segments if len(s.reference.split()) > 5]
    found = []
    for kind in perturb.KINDS:
        for of_reference in (True, False):
            chance.shuffle(segments)
            count = 0
            for segment in segments:
                text = segment.reference if of_reference else chance.choice(segment.outputs)
                fixed = {"empty": "", "source": segment.source, "unrelated": chance.choice(strangers)}
                copy = fixed[kind] if kind in fixed else perturb.damaged(kind, text, chance, names)
                if copy is None or copy in (text, segment.reference):
                    continue
                item = Segment(
                    "robust-reference" if of_reference else "robust-output",
                    segment.language,
                    segment.source,
                    segment.reference,
                )
                item.outputs = [] if of_reference else [text]
                found.append((item, [(kind, copy, "reference" if of_reference else text)]))
                count += 1
                if count == limit:
                    break
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--longest", type=int, default=256, help="word pieces of a sentence with both special pieces")
    options = parser.parse_args()
    chance = random.Random(17)

    ranked = [
        s
        for name, languages in RANKINGS.items()
        for language in languages
        for s in rankings(options.data / name, language)
    ]
    ranked += mqm(options.data / "mqm")
    ranked = [s for s in ranked if s.outputs and s.reference]
    references = list(dict.fromkeys(s.reference for s in ranked))
    names = [word for text in references for word in text.split()[1:] if perturb.NAME.match(word)]
    packer = Packer()
    for segment in ranked:
        packer.add(segment, damage_group(segment, chance, names, references))
    scored = assessments_2013(options.data / "da-wmt13")
    for name in ("da-wmt15", "da-wmt16"):
        scored += assessments(options.data / name)
    scored += post_edits(options.data / "mlqe-pe")
    for segment in scored:
        packer.add(segment)
    newer = pairs_of_assessments(options.data / "wmt19-darr")
    for segment in newer:
        packer.add(segment)
    strangers = list(dict.fromkeys(s.reference for s in newer))
    for segment, damages in robustness(newer, chance, names, strangers, 500):
        packer.add(segment, damages)

    tokenizer = Tokenizer.from_file(options.tokenizer)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    sentences, pieces = packer.save(options.output, tokenizer, options.longest)
    print(
        f"{sentences} sentences, {pieces} word pieces, {len(packer.columns['set'])} groups, "
        f"{len(packer.columns['better'])} pairs"
    )
    counts = collections.Counter()
    for index, segment_set in enumerate(packer.columns["set"]):
        counts[segment_set] += 1
    print({name: counts[index] for name, index in packer.sets.items()})


if __name__ == "__main__":
    main()
