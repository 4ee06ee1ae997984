"""What the package says of warnings of every kind: `crates/tercet-base/messages/python.txt`."""

from __future__ import annotations

import os
from pathlib import Path

from tercet import _native

FOLDER = Path(__file__).resolve().parents[3] / "crates/tercet-base/messages"


def test_the_wording_of_the_package_is_that_of_the_snapshot():
    warnings = (FOLDER / "warnings.json").read_text(encoding="utf-8")
    said = "".join(f"TercetWarning: {sentence}\n" for sentence in _native._warning_sentences(warnings))
    if "TERCET_UPDATE_MESSAGES" in os.environ:
        (FOLDER / "python.txt").write_text(said, encoding="utf-8")
    assert said == (FOLDER / "python.txt").read_text(encoding="utf-8")
