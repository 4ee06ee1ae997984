"""The names of sacreBLEU's test sets and their language pairs. The texts are not here: tercet never goes online."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, NoReturn

from ....errors import UnsupportedError


class TestSet:
    """A test set by name. What needs its texts is refused."""

    __test__ = False  # not a class of tests

    def __init__(self, name: str, pairs: list[str]) -> None:
        self.name = name
        self.langpairs: dict[str, list[str]] = {pair: [] for pair in pairs}

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        hint = f"sacrebleu itself downloads it (sacrebleu -t {self.name})"
        raise UnsupportedError(f"the test set {self.name} is not part of tercet: {hint}")

    fieldnames = get_files = get_source_file = get_reference_files = _refuse
    source = references = maybe_download = process_to_text = _refuse

    def __repr__(self) -> str:
        return f"TestSet({self.name!r}, {len(self.langpairs)} language pairs)"


def _read() -> dict[str, TestSet]:
    lines = files(__name__).joinpath("test_sets.tsv").read_text(encoding="utf-8").splitlines()
    named = (line.split("\t") for line in lines if not line.startswith("#"))
    return {name: TestSet(name, pairs.split()) for name, pairs in named}


DATASETS = _read()
