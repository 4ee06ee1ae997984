"""The tests of packages whose interfaces tercet has, run against it: `peers/suites.py`. The whole of it:
`cargo xtask peers`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).with_name("peers")))

import suites  # noqa: E402


@pytest.mark.parametrize("name", ["sacrebleu", "jiwer"])
def test_its_tests_pass(name: str) -> None:
    if "TERCET_PEERS" not in os.environ:
        pytest.skip("TERCET_PEERS does not name a folder for source distributions")
    folder = suites.source(name)
    if folder is None:
        pytest.skip(f"the source distribution of {name} cannot be downloaded")
    counts, printed = suites.run(name, folder)
    suite = suites.SUITES[name]
    expected = {"passed": suite.passed, "deselected": suite.excluded}
    assert counts == {what: count for what, count in expected.items() if count}, printed
