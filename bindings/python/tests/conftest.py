"""What tests share: texts of the examples, and the command, whose scores are the same."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def examples() -> Path:
    return REPOSITORY / "examples"


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="session")
def reference(examples: Path) -> list[str]:
    return lines(examples / "reference.en.txt")


@pytest.fixture(scope="session")
def systems(examples: Path) -> dict[str, list[str]]:
    return {name: lines(examples / f"system-{name}.en.txt") for name in ("a", "b")}


@pytest.fixture(scope="session")
def command():
    """Runs tercet's command and returns what it prints; `TERCET_COMMAND` names it."""
    path = os.environ.get("TERCET_COMMAND")
    if path is None:
        pytest.skip("TERCET_COMMAND does not name the command")

    def run(*arguments: object) -> str:
        words = [path, *map(str, arguments)]
        return subprocess.run(words, check=True, capture_output=True, text=True, cwd=REPOSITORY).stdout

    return run
