"""Runs the stages in order, several at a time on one GPU.

    python run.py --folder WORK [--parallel 4] [JOB ...]

WORK has siamese.npz and templates.npz (prepare.py, strings.py), mpnet.npz and gte-small.npz (encoder.py), vocab.txt
(of gte-small) and pieces.txt (vocabulary.py); states, logs and results.jsonl are written there.
A job starts as soon as the files that it reads exist. Without names, the jobs of the shipped models run.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
YEARS = {year: f"wmt{year}-rr" for year in (12, 13, 14, 15, 16)}
MQM = "mqm-newstest2020 mqm-newstest2021 mqm-ted2021 mqm-bio"
TEXTS = "mlqe-pe stsb emoji templates"


def rankings(first, last):
    return " ".join(YEARS[year] for year in range(first, last + 1))


LARGE = "--rate 5e-5 --epochs 2 --tokens 20000 --dropout 0.1"
LARGE_DA = "--rate 1.5e-5 --epochs 3 --tokens 6000 --replay 0.3 --dropout 0.1"
SMALL = "--rate 2.5e-4 --head 6 --tokens 48000"
ALL = f"{rankings(12, 16)} {MQM} wmt19-darr"
ALL_DA = "da-wmt13 da-wmt15 da-wmt16"
# without what the figures of this chain are measured on
VALID = f"{rankings(12, 15)} mqm-newstest2020 mqm-ted2021 mqm-bio"
VALID_DA = "da-wmt13 da-wmt15"
VALID_FIGURES = "--figures held da-wmt16 wmt16-rr wmt19-darr mqm-newstest2021"

# name -> (encoder, stage, files read, arguments)
JOBS = {}


def chain(name, sets, scored, seeds, large, figures):
    """Teachers (rankings, then assessments), their scores."""
    for seed in seeds:
        JOBS[f"{name}-{seed}"] = (
            "mpnet",
            "rank",
            [],
            f"--sets {sets} templates stsb emoji --seed {seed} {LARGE} {large} --figures",
        )
        if scored:
            JOBS[f"{name}-{seed}-da"] = (
                "mpnet",
                "da",
                [f"{name}-{seed}"],
                f"--model {name}-{seed}.pt --scored {scored} --sets {sets} --seed {seed} {LARGE_DA} {figures}",
            )
        last = f"{name}-{seed}-da" if scored else f"{name}-{seed}"
        JOBS[f"{name}-{seed}-scores"] = (
            "mpnet",
            "score",
            [last],
            f"--model {last}.pt --sets {sets} {scored} {TEXTS} --tokens 48000",
        )


def student(name, stem, seeds, sets, arguments, first=()):
    scores = [f"{stem}-{seed}-scores" for seed in seeds]
    JOBS[name] = (
        "gte-small",
        "teach",
        [*first, *scores],
        f"--targets {' '.join(f'{one}.pt' for one in scores)} --sets {sets} {TEXTS} {SMALL} {arguments}",
    )


# The shipped models: teachers, student, its second pass, fast student.
chain("all", ALL, ALL_DA, (1, 2), "--seconds 240", "--figures held")
student("student", "all", (1, 2), f"{ALL} {ALL_DA}", "--epochs 5 --seconds 400 --figures held calibration")
SECOND = "--copy 0.5 --light 0.3 --human 0.1 --rate 8e-5 --epochs 3 --seconds 150 --figures held calibration"
student("student-2", "all", (1, 2), f"{ALL} {ALL_DA}", f"--model student.pt {SECOND}", ["student"])
FAST = (
    "--model student-2.pt --vocabulary vocab.txt --pieces pieces.txt --layers 0 5 11 --copy 0.4 --light 0.25 "
    "--human 0.1 --rate 4e-4 --epochs 6 --seconds 130 --figures held calibration"
)
student("fast", "all", (1, 2), f"{ALL} {ALL_DA}", FAST, ["student-2"])
SHIPPED = list(JOBS)
# A teacher and a student without WMT16, WMT19 and newstest2021.
chain("valid", VALID, VALID_DA, (1,), "--seconds 240", VALID_FIGURES)
student("valid-student", "valid", (1,), f"{VALID} {VALID_DA}", f"--epochs 3 --seconds 240 {VALID_FIGURES}")
# Models of the papers' tests: rankings of WMT12-15 and assessments without the tested pair; all without WMT12.
PAIRS = ("cs-en de-en fi-en", "ro-en ru-en tr-en")
for seed in (1, 2):
    chain("ruse", rankings(12, 15), "da-wmt15", (seed,), "", VALID_FIGURES)
    for part, pairs in enumerate(PAIRS):
        JOBS[f"ruse-{seed}-pairs-{part}"] = (
            "mpnet",
            "da",
            [f"ruse-{seed}"],
            f"--model ruse-{seed}.pt --scored da-wmt15 da-wmt16 --seed {seed} {LARGE_DA} --replay 0 "
            f"--leave-out {pairs}",
        )
    chain("later", rankings(13, 16), "", (seed,), "", "")
student("ruse-student", "ruse", (1, 2), f"{rankings(12, 15)} da-wmt15", f"--epochs 3 {VALID_FIGURES}")
for part, pairs in enumerate(PAIRS):
    JOBS[f"ruse-student-pairs-{part}"] = (
        "gte-small",
        "da",
        ["ruse-student"],
        f"--model ruse-student.pt --scored da-wmt15 da-wmt16 --rate 3e-5 --epochs 3 --leave-out {pairs}",
    )
student("later-student", "later", (1, 2), rankings(13, 16), "--epochs 3 --figures wmt12-rr wmt19-darr")


def command(name, folder, more):
    encoder, stage, _, arguments = JOBS[name]
    common = ["--data", "siamese.npz", "templates.npz", "--encoder", f"{encoder}.npz", "--output", f"{name}.part"]
    if stage != "score":
        common += ["--results", "results.jsonl", "--name", name]
    return [sys.executable, "-W", "ignore", str(HERE / "train.py"), stage, *common, *arguments.split(), *more]


def missing(name, folder):
    return [need for need in JOBS[name][2] if not (folder / f"{need}.pt").exists()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--more", default="", help="arguments added to every job (for tests)")
    parser.add_argument("jobs", nargs="*")
    options = parser.parse_args()
    unknown = sorted(set(options.jobs) - set(JOBS))
    if unknown:
        parser.error(f"unknown jobs: {' '.join(unknown)}; known: {' '.join(JOBS)}")
    waiting = [name for name in options.jobs or SHIPPED if not (options.folder / f"{name}.pt").exists()]
    running, began, failed = {}, time.time(), False
    (options.folder / "log").mkdir(exist_ok=True)
    environment = os.environ | {"PYTHONUNBUFFERED": "1", "OMP_NUM_THREADS": "2"}
    while waiting or running:
        for name in list(waiting):
            if len(running) < options.parallel and not missing(name, options.folder):
                waiting.remove(name)
                log = open(options.folder / "log" / name, "w")
                process = subprocess.Popen(
                    command(name, options.folder, options.more.split()),
                    cwd=options.folder,
                    stdout=log,
                    stderr=log,
                    env=environment,
                )
                running[name] = process, time.time()
        if not running:
            sys.exit(
                "\n".join(
                    f"{name} needs {need}.pt, which is not there"
                    for name in waiting
                    for need in missing(name, options.folder)
                )
            )
        time.sleep(0.2)
        for name, (process, started) in list(running.items()):
            if process.poll() is not None:
                del running[name]
                if process.returncode == 0:
                    (options.folder / f"{name}.part").rename(options.folder / f"{name}.pt")
                failed |= process.returncode != 0
                print(
                    f"{time.time() - began:.0f} s: {name} {'done' if process.returncode == 0 else 'failed'} after "
                    f"{time.time() - started:.0f} s",
                    flush=True,
                )
    sys.exit(failed)


if __name__ == "__main__":
    main()
