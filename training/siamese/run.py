"""Runs the stages in order, several at a time on one GPU.

    python run.py --folder WORK [--parallel 4] [JOB ...]

WORK has siamese.npz (prepare.py), mpnet.npz, gte-small.npz and minilm.npz (encoder.py); states, logs and results.jsonl
are written there.
A job starts as soon as the files that it reads exist. Without names, all jobs run.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
YEARS = {year: f"wmt{year}-rr" for year in (12, 13, 14, 15, 16)}


def rankings(first, last):
    return " ".join(YEARS[year] for year in range(first, last + 1))


LARGE = "--rate 4e-5 --epochs 2 --tokens 12000 --dropout 0.1"
LARGE_DA = "--rate 1.5e-5 --epochs 3 --dropout 0.1"
SMALL = "--rate 1.5e-4 --epochs 3 --tokens 16000"
SMALL_DA = "--rate 3e-5 --epochs 3"
PAIRS = ("cs-en de-en fi-en", "ro-en ru-en tr-en")

# name -> (encoder, stage, files read, arguments)
JOBS = {}
for seed in (1, 2):
    JOBS[f"ruse-{seed}"] = (
        "mpnet",
        "rank",
        [],
        f"--sets {rankings(12, 15)} --seed {seed} {LARGE} --figures da-wmt16 wmt16-rr wmt19-darr",
    )
    JOBS[f"ruse-{seed}-da15"] = (
        "mpnet",
        "da",
        [f"ruse-{seed}"],
        f"--model ruse-{seed}.pt --scored da-wmt15 --seed {seed} {LARGE_DA} --figures da-wmt16 wmt16-rr wmt19-darr "
        "robust",
    )
    for part, pairs in enumerate(PAIRS):
        JOBS[f"ruse-{seed}-pairs-{part}"] = (
            "mpnet",
            "da",
            [f"ruse-{seed}"],
            f"--model ruse-{seed}.pt --scored da-wmt15 da-wmt16 --seed {seed} {LARGE_DA} --leave-out {pairs}",
        )
    JOBS[f"all-{seed}"] = ("mpnet", "rank", [], f"--sets {rankings(12, 16)} --seed {seed} {LARGE} --figures wmt19-darr")
    JOBS[f"all-{seed}-da"] = (
        "mpnet",
        "da",
        [f"all-{seed}"],
        f"--model all-{seed}.pt --scored da-wmt13 da-wmt15 da-wmt16 --seed {seed} {LARGE_DA} --figures wmt19-darr "
        "robust",
    )
    JOBS[f"later-{seed}"] = (
        "mpnet",
        "rank",
        [],
        f"--sets {rankings(13, 16)} --seed {seed} {LARGE} --figures wmt12-rr wmt19-darr",
    )
# does more data help? judged on what the ruse models have not seen
JOBS["extra-1"] = (
    "mpnet",
    "rank",
    [],
    f"--sets {rankings(12, 15)} mqm --scored mlqe-pe --seed 1 {LARGE} --figures da-wmt16 wmt16-rr wmt19-darr",
)
JOBS["replay-1-da15"] = (
    "mpnet",
    "da",
    ["ruse-1"],
    f"--model ruse-1.pt --scored da-wmt15 --sets {rankings(12, 15)} --replay 0.3 --seed 1 {LARGE_DA} --figures "
    "da-wmt16 wmt16-rr wmt19-darr robust",
)

JOBS["ruse-scores"] = (
    "mpnet",
    "score",
    ["ruse-1-da15", "ruse-2-da15"],
    f"--models ruse-1-da15.pt ruse-2-da15.pt --sets {rankings(12, 15)} da-wmt15 --tokens 32000",
)
JOBS["ruse-student"] = (
    "gte-small",
    "teach",
    ["ruse-scores"],
    f"--targets ruse-scores.pt --sets {rankings(12, 15)} da-wmt15 {SMALL} --figures da-wmt16 wmt16-rr wmt19-darr "
    "robust",
)
JOBS["ruse-minilm"] = (
    "minilm",
    "teach",
    ["ruse-scores"],
    f"--targets ruse-scores.pt --sets {rankings(12, 15)} da-wmt15 {SMALL} --rate 2e-4 --figures da-wmt16 wmt16-rr "
    "wmt19-darr",
)
for part, pairs in enumerate(PAIRS):
    JOBS[f"ruse-student-pairs-{part}"] = (
        "gte-small",
        "da",
        ["ruse-student"],
        f"--model ruse-student.pt --scored da-wmt15 da-wmt16 {SMALL_DA} --leave-out {pairs}",
    )
JOBS["all-scores"] = (
    "mpnet",
    "score",
    ["all-1-da", "all-2-da"],
    f"--models all-1-da.pt all-2-da.pt --sets {rankings(12, 16)} mqm mlqe-pe da-wmt13 da-wmt15 da-wmt16 --tokens 32000",
)
JOBS["student"] = (
    "gte-small",
    "teach",
    ["all-scores"],
    f"--targets all-scores.pt --sets {rankings(12, 16)} mqm mlqe-pe da-wmt13 da-wmt15 da-wmt16 {SMALL} --epochs 5 "
    "--figures wmt19-darr robust",
)
JOBS["later-scores"] = (
    "mpnet",
    "score",
    ["later-1", "later-2"],
    f"--models later-1.pt later-2.pt --sets {rankings(13, 16)} --tokens 32000",
)
JOBS["later-student"] = (
    "gte-small",
    "teach",
    ["later-scores"],
    f"--targets later-scores.pt --sets {rankings(13, 16)} {SMALL} --figures wmt12-rr wmt19-darr",
)


def command(name, folder, more):
    encoder, stage, _, arguments = JOBS[name]
    common = ["--data", "siamese.npz", "--encoder", f"{encoder}.npz", "--output", f"{name}.part"]
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
    waiting = [name for name in options.jobs or JOBS if not (options.folder / f"{name}.pt").exists()]
    running = {}
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
        time.sleep(0.5)
        for name, (process, began) in list(running.items()):
            if process.poll() is not None:
                del running[name]
                part = options.folder / f"{name}.part"
                if process.returncode == 0:
                    part.rename(options.folder / f"{name}.pt") if part.exists() else (
                        options.folder / f"{name}.pt"
                    ).touch()
                print(
                    f"{name}: {'done' if process.returncode == 0 else 'failed'} after {time.time() - began:.0f} s",
                    flush=True,
                )


if __name__ == "__main__":
    main()
