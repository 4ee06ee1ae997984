"""The examples of the documentation are run, and what they print is compared."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
import tercet

REPOSITORY = Path(__file__).resolve().parents[3]
PAGES = [
    "docs/python.md",
    "docs/filter.md",
    "docs/gate.md",
    "docs/harnesses.md",
    "docs/rows.md",
    "README.md",
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.filterwarnings("ignore::tercet.TercetWarning")
def test_examples_of_a_page(page, monkeypatch):
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks, f"{page} has no examples"
    monkeypatch.chdir(REPOSITORY)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0)
    report: list[str] = []
    failed, _ = doctest.DocTestRunner(optionflags=FLAGS).run(examples, out=report.append)
    assert failed == 0, "".join(report)


def test_example_of_the_package():
    failed, attempted = doctest.testmod(tercet)
    assert failed == 0 and attempted > 0


def test_licences_are_in_the_folder_of_the_package():
    """`license-files` of `pyproject.toml` takes files of this folder only: they are links."""
    originals = [
        REPOSITORY / name
        for name in ("LICENSE-APACHE", "LICENSE-MIT", "crates/tercet-metrics/src/resources/LICENSE-WORDNET")
    ]
    linked = sorted((REPOSITORY / "bindings" / "python").glob("LICENSE-*"))
    assert [one.name for one in linked] == [one.name for one in originals]
    assert [one.read_bytes() for one in linked] == [one.read_bytes() for one in originals]
