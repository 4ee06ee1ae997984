"""An EvalSet of the size of a WMT year, and whether tercet and mt-metrics-eval give the same figures on it.

`python wmt_year.py make JUDGED FOLDER --tercet PROGRAM` writes FOLDER in the layout of mt-metrics-eval: three language
pairs of `JUDGED/PAIR.tsv.gz` (rows `seg doc domain system score n source reference hypothesis spans`), MQM scores of
segments and systems, ratings with spans, and 45 metrics: nine of tercet's, each as it is and with four strengths of
noise, whose scores of systems are the means of their segments'.

`tercet correlate FOLDER --stored` measures them all. `python wmt_year.py compare FOLDER RESULTS.json` computes acc-23
and Pearson over segments and the accuracy over systems by mt-metrics-eval, which must be importable, and prints the
largest difference to `tercet correlate FOLDER --stored --statistic acc-23 --statistic pearson --statistic accuracy
--test none --interval none -f json`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import statistics
import subprocess
import tempfile
from pathlib import Path

TESTS = {"zh-en": ("newstest2020",), "en-de": ("ted2021",), "en-ru": ("newstest2021", "ted2021")}
METRICS = ("sentbleu", "chrf", "chrf++", "ter", "character", "meteor", "rouge-l", "wer", "gtm")
ERROR_RATES = ("ter", "character", "wer")
NOISE = (0.0, 0.25, 0.5, 1.0, 2.0)
HUMANS = ("Human", "ref", "Ref")


def read(path: Path, tests: tuple[str, ...]) -> dict[str, dict[str, dict[str, str]]]:
    """Rows by system and segment, of systems that were judged on nearly all segments that have a reference."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        names = file.readline().rstrip("\n").split("\t")
        rows = [dict(zip(names, line.rstrip("\n").split("\t"), strict=True)) for line in file]
    systems: dict[str, dict[str, dict[str, str]]] = {}
    for row in rows:
        is_human = row["system"].startswith(HUMANS)
        if row["seg"].split(":")[0] in tests and row["reference"] and not is_human:
            systems.setdefault(row["system"].replace(" ", "_"), {})[row["seg"]] = row
    most = max(map(len, systems.values()))
    return {system: rows for system, rows in sorted(systems.items()) if len(rows) > 0.9 * most}


def write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def segment_scores(program: str, metric: str, pair: str, outputs: list[str], references: list[str]) -> list[float]:
    """Scores of tercet; 0 for an empty output."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "ref", references)
        write(Path(folder) / "hyp", outputs)
        words = [program, "score", "-q", "--lines", "--no-checks", "--level", "segment", "-f", "tsv", "-m", metric]
        words += ["-l", pair, "-r", "ref", "hyp"]
        done = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()[1:]]
    return [float(row[3]) for row in rows if row[1] != "corpus"]


def make(judged: Path, folder: Path, program: str) -> None:
    generator = random.Random(20_26)
    for pair, tests in TESTS.items():
        systems = read(judged / f"{pair}.tsv.gz", tests)
        known = {segment: rows[segment] for rows in systems.values() for segment in rows}
        # Documents in one piece.
        segments = sorted(known, key=lambda name: (known[name]["domain"], known[name]["doc"], len(name), name))
        line = lambda text: text.replace("\r", " ")  # noqa: E731
        write(folder / f"sources/{pair}.txt", [line(known[segment]["source"]) for segment in segments])
        references = [line(known[segment]["reference"]) for segment in segments]
        write(folder / f"references/{pair}.refA.txt", references)
        documents = [f"{known[segment]['domain'] or 'all'}\t{known[segment]['doc'] or 'none'}" for segment in segments]
        write(folder / f"documents/{pair}.docs", [text.replace(" ", "_") for text in documents])
        seg, sys, ratings = [], [], []
        outputs = {}
        for system, rows in systems.items():
            outputs[system] = [line(rows[segment]["hypothesis"]) if segment in rows else "" for segment in segments]
            write(folder / f"system-outputs/{pair}/{system}.txt", outputs[system])
            scores = [rows[segment]["score"] if segment in rows else "None" for segment in segments]
            seg += [f"{system}\t{score}" for score in scores]
            sys.append(f"{system}\t{statistics.fmean(float(score) for score in scores if score != 'None')!r}")
            for segment in segments:
                errors = json.loads(rows[segment]["spans"] or "[]") if segment in rows else []
                listed = [
                    {"start": start, "end": end, "category": category, "severity": severity, "is_source_error": False}
                    for start, end, severity, category in errors
                ]
                ratings.append(f"{system}\t{json.dumps({'errors': listed}) if segment in rows else 'None'}")
        write(folder / f"human-scores/{pair}.mqm.seg.score", seg)
        write(folder / f"human-scores/{pair}.mqm.sys.score", sys)
        write(folder / f"human-scores/{pair}.mqm.seg.rating", ratings)
        for metric in METRICS:
            sign = -1.0 if metric in ERROR_RATES else 1.0
            texts = [text for system in systems for text in outputs[system]]
            plain = segment_scores(program, metric, pair, texts, references * len(systems))
            spread = statistics.pstdev(plain)
            for strength in NOISE:
                noisy = [sign * score + (strength and generator.gauss(0.0, strength * spread)) for score in plain]
                name = f"{metric.replace('++', 'pp').replace('-', '')}N{int(100 * strength)}-refA"
                of = [noisy[i * len(segments) : (i + 1) * len(segments)] for i in range(len(systems))]
                seg = [f"{system}\t{score!r}" for system, scores in zip(systems, of) for score in scores]
                sys = [f"{system}\t{statistics.fmean(scores)!r}" for system, scores in zip(systems, of)]
                write(folder / f"metric-scores/{pair}/{name}.seg.score", seg)
                write(folder / f"metric-scores/{pair}/{name}.sys.score", sys)
        judged_outputs = sum(map(len, systems.values()))
        print(pair, len(systems), "systems", len(segments), "segments", judged_outputs, "judged outputs")


def compare(folder: Path, results: Path) -> None:
    from mt_metrics_eval import data, meta_info, stats  # type: ignore[import-not-found]

    found = json.loads(results.read_text(encoding="utf-8"))
    ours = {(row["pair"], row["level"], row["statistic"], row["metric"]): row["value"] for row in found}
    largest: dict[str, float] = {}
    count = 0
    for pair in TESTS:
        info = meta_info.MetaInfo(
            std_ref="refA", std_gold={"sys": "mqm", "seg": "mqm"}, primary_metrics=set(), outlier_systems=set()
        )
        folder = Path(os.path.abspath(folder))
        read_set = data.EvalSet(folder.name, pair, True, info=info, path=str(folder.parent))
        systems = read_set.sys_names - read_set.human_sys_names - read_set.ref_names
        for metric in sorted(read_set.metric_names):
            values = {}
            for level in ("seg", "sys"):
                gold, scores = read_set.Scores(level, "mqm"), read_set.Scores(level, metric)
                correlation = read_set.Correlation(gold, scores, systems)
                if level == "sys":
                    by_gold = [gold[system][0] for system in systems]
                    by_metric = [scores[system][0] for system in systems]
                    values["system", "accuracy"] = stats.Agreement(by_gold, by_metric)
                    continue
                values["segment", "pearson"] = correlation.Pearson()[0]
                values["segment", "acc-23"] = correlation.KendallWithTiesOpt(
                    average_by="item", variant="acc23", sample_rate=1.0
                )[0]
            for (level, statistic), value in values.items():
                value = value[0] / value[1] if isinstance(value, tuple) else value
                keys = [key for key in ours if key[:3] == (pair, level, statistic) and key[3] in (metric, metric[:-5])]
                difference = abs(ours[keys[0]] - value) if keys else float("inf")
                largest[statistic] = max(largest.get(statistic, 0.0), difference)
                count += 1
                if difference > 1e-9:
                    print("differs:", pair, level, statistic, metric, ours.get(keys[0]) if keys else None, value)
    print(count, "figures; largest differences:", largest)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    making = commands.add_parser("make")
    making.add_argument("judged", type=Path)
    making.add_argument("folder", type=Path)
    making.add_argument("--tercet", default="tercet")
    making.set_defaults(run=lambda words: make(words.judged, words.folder, os.path.abspath(words.tercet)))
    comparing = commands.add_parser("compare")
    comparing.add_argument("folder", type=Path)
    comparing.add_argument("results", type=Path)
    comparing.set_defaults(run=lambda words: compare(words.folder, words.results))
    words = parser.parse_args()
    words.run(words)


if __name__ == "__main__":
    main()
