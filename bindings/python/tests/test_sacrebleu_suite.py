"""sacreBLEU's own tests run against `tercet.compat.sacrebleu`.

Its source distribution is downloaded once, by name, into the folder of `TERCET_SACREBLEU` (`cargo xtask test` sets it);
nothing
of it is part of tercet. `sacrebleu_suite/excluded.tsv` lists the tests that are not run, with the reason for each.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

SUITE = Path(__file__).with_name("sacrebleu_suite")
NAME = "sacrebleu-2.6.0"

#: The tests of the release: those that are run, and those that are not.
TESTS, EXCLUDED = 133, 11


@pytest.fixture(scope="module")
def source() -> Path:
    """The unpacked source distribution."""
    cache = os.environ.get("TERCET_SACREBLEU")
    if cache is None:
        pytest.skip("TERCET_SACREBLEU does not name a folder for sacreBLEU's source distribution")
    folder = Path(cache) / NAME
    if not folder.is_dir():
        download = ["download", "-q", "--no-binary", "sacrebleu", "--no-deps"]
        words = [sys.executable, "-m", "pip", *download, "-d", cache, NAME.replace("-", "==")]
        if subprocess.run(words).returncode != 0:
            pytest.skip("sacreBLEU's source distribution cannot be downloaded")
        with tarfile.open(Path(cache) / f"{NAME}.tar.gz") as archive:
            archive.extractall(cache, filter="data") if sys.version_info >= (3, 12) else archive.extractall(cache)
    return folder


def excluded() -> list[str]:
    rows = (SUITE / "excluded.tsv").read_text(encoding="utf-8").splitlines()
    return [row.split("\t")[0] for row in rows if not row.startswith("#")]


def test_its_tests_pass(source: Path) -> None:
    left_out = [word for test in excluded() for word in ("--deselect", test)]
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-c",
        os.devnull,
        "--rootdir",
        ".",
        "-p",
        "as_sacrebleu",
        *left_out,
        "test",
    ]
    paths = os.pathsep.join([str(SUITE), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        words, cwd=source, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    counts = {what: int(count) for count, what in re.findall(r"(\d+) (passed|deselected|skipped)", done.stdout)}
    assert counts == {"passed": TESTS, "deselected": EXCLUDED}, done.stdout
