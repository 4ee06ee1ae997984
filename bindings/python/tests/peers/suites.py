"""The tests of the packages whose interfaces tercet has: from their source distributions, run against tercet.

A distribution is downloaded once, by name, into the folder of `TERCET_PEERS` (`cargo xtask test` and `cargo xtask
peers` set it); nothing of it is part of tercet. `excluded.tsv` lists the tests that are not run, with the reason for
each. As a program: `python suites.py [NAME]…`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Suite:
    """A source distribution, the file or folder with its tests, and how many of them are run and not run."""

    version: str
    tests: str
    passed: int
    excluded: int
    #: What has to be done with the unpacked distribution first.
    prepare: Callable[[Path], None] = lambda folder: None


def _prepare_rouge_score(folder: Path) -> None:
    """Takes the package itself away, which would be imported in the place of tercet; its tests stay, with empty files
    in the place of the texts that the distribution lacks."""
    package, tests = folder / "rouge_score", folder / "tests"
    if package.is_dir():
        tests.mkdir()
        for path in [*package.glob("*_test.py"), package / "test_util.py"]:
            path.rename(tests / path.name)
        package.rename(folder / "package_itself")
        (tests / "testdata").mkdir()
        for text in ("target", "prediction", "target_large", "prediction_large"):
            (tests / "testdata" / f"{text}.txt").touch()
    for path in tests.glob("*.py"):
        path.write_text(path.read_text().replace("from rouge_score import test_util", "import test_util"))


SUITES = {
    "sacrebleu": Suite("2.6.0", "test", 133, 11),
    "jiwer": Suite("4.0.0", "tests", 82, 0),
    "rouge_score": Suite("0.1.2", "tests", 25, 15, _prepare_rouge_score),
}

#: Packages that would belong here, and why they do not.
WITHOUT_TESTS = {
    "bert_score": "its source distribution has no tests",
    "evaluate": "its source distribution has no tests and no modules of metrics, which it downloads",
    "torchmetrics": "its source distribution has no tests",
    "mt_metrics_eval": "the package of this name on PyPI (0.0.1) is empty; the tool is installed from its repository",
}


def excluded(name: str) -> dict[str, str]:
    """The tests of a package that are not run, and why."""
    rows = (FOLDER / "excluded.tsv").read_text(encoding="utf-8").splitlines()
    fields = [row.split("\t") for row in rows if not row.startswith("#")]
    return {test: why for package, test, why in fields if package == name}


def source(name: str) -> Path | None:
    """The unpacked source distribution; none if it cannot be downloaded."""
    cache, suite = Path(os.environ["TERCET_PEERS"]), SUITES[name]
    folder = cache / f"{name}-{suite.version}"
    if not folder.is_dir():
        download = ["download", "-q", "--disable-pip-version-check", "--no-binary", ":all:", "--no-deps"]
        words = [sys.executable, "-m", "pip", *download, "-d", str(cache), f"{name}=={suite.version}"]
        if subprocess.run(words).returncode != 0:
            return None
        with tarfile.open(next(cache.glob(f"{name}-{suite.version}.tar.gz"))) as archive:
            archive.extractall(cache, filter="data") if sys.version_info >= (3, 12) else archive.extractall(cache)
        suite.prepare(folder)
    return folder


def run(name: str, folder: Path) -> tuple[dict[str, int], str]:
    """How many tests passed, failed, were not run; and what pytest printed."""
    left_out = [word for test in excluded(name) for word in ("--deselect" if "::" in test else "--ignore", test)]
    options = ["-q", "-rfE", "-c", os.devnull, "--rootdir", ".", "-p", "as_peers", "-p", "no:cacheprovider"]
    words = [sys.executable, "-m", "pytest", *options, *left_out, SUITES[name].tests]
    # A copy of the package in the working folder would be imported, if Python looked there.
    paths = os.pathsep.join([str(FOLDER), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONSAFEPATH": "1", "TERCET_PEER": name}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=1800)
    last = "".join(done.stdout.splitlines()[-1:])
    counts = re.findall(r"(\d+) (passed|failed|error|errors|deselected|skipped)", last)
    return {what: int(count) for count, what in counts}, done.stdout + done.stderr


def main() -> int:
    """Runs the suites that are named, or all; 1 if a test fails."""
    names, failed = sys.argv[1:] or [*SUITES, *WITHOUT_TESTS], False
    for name in names:
        if name in WITHOUT_TESTS:
            print(f"{name}: not run: {WITHOUT_TESTS[name]}")
            continue
        if name not in SUITES:
            print(f"unknown package {name} (known: {', '.join([*SUITES, *WITHOUT_TESTS])})")
            return 2
        folder = source(name)
        if folder is None:
            print(f"{name}: not run: its source distribution cannot be downloaded")
            failed = True
            continue
        counts, printed = run(name, folder)
        is_whole = counts == {"passed": SUITES[name].passed, "deselected": SUITES[name].excluded}
        failed |= not is_whole
        if not is_whole:
            print(printed)
        print(f"{name} {SUITES[name].version}: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
        for test, why in excluded(name).items():
            print(f"  not run: {test}: {why}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
