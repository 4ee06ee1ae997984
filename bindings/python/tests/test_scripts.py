"""The scripts that convert published weights say what they need; converting needs packages that these tests do
without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[3] / "scripts"


def run(*words: object) -> tuple[int, str]:
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("name", ["convert_infersent.py", "convert_skip_thought.py"])
def test_usage_is_printed_without_files(name: str) -> None:
    code, message = run(SCRIPTS / name, "one")
    assert code == 1
    assert message.startswith(f"usage: python {name} ")


def test_files_that_are_missing_are_named(tmp_path: Path) -> None:
    (tmp_path / "dictionary.txt").write_text("word\n", encoding="utf-8")
    code, message = run(SCRIPTS / "convert_skip_thought.py", tmp_path, tmp_path / "target")
    assert code == 1
    assert message.endswith("it has no uni_skip.npz, bi_skip.npz, utable.npy, btable.npy\n")
    assert not (tmp_path / "target").exists()
