"""The names of sacreBLEU's test sets and their language pairs. Texts are read where sacreBLEU has downloaded them:
tercet never goes online."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from importlib.resources import files
from typing import Any, NoReturn

from .... import _native
from ....errors import UnsupportedError


class TestSet:
    """A test set by name. Its texts are there if sacreBLEU has downloaded them."""

    __test__ = False  # not a class of tests

    def __init__(self, name: str, pairs: list[str]) -> None:
        self.name = name
        self.langpairs: dict[str, list[str]] = {pair: [] for pair in pairs}

    def fieldnames(self, langpair: str) -> list[str]:
        """The names of the fields: `src`, references, others."""
        return [name for name, _ in _native.sacrebleu_files(self.name, langpair)[0]]

    def get_files(self, langpair: str) -> list[str]:
        """The file of each field."""
        return [str(path) for _, path in _native.sacrebleu_files(self.name, langpair)[0]]

    def get_source_file(self, langpair: str) -> str:
        """The file of the source."""
        return self.get_files(langpair)[self.fieldnames(langpair).index("src")]

    def get_reference_files(self, langpair: str) -> list[str]:
        """The files of the references that scores are computed with."""
        return [str(path) for path in _native.sacrebleu_files(self.name, langpair)[1]]

    def source(self, langpair: str) -> Iterator[str]:
        """The lines of the source."""
        with open(self.get_source_file(langpair), encoding="utf-8", newline="\n") as lines:
            for line in lines:
                yield line.strip()

    def references(self, langpair: str) -> Iterator[tuple[str, ...]]:
        """The lines of the references."""
        with ExitStack() as opened:
            paths = self.get_reference_files(langpair)
            yield from zip(*(opened.enter_context(open(path, encoding="utf-8", newline="\n")) for path in paths))

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        hint = f"sacrebleu itself does it (sacrebleu -t {self.name})"
        raise UnsupportedError(f"tercet does not download or unpack the test set {self.name}: {hint}")

    maybe_download = process_to_text = _refuse

    def __repr__(self) -> str:
        return f"TestSet({self.name!r}, {len(self.langpairs)} language pairs)"


def _read() -> dict[str, TestSet]:
    lines = files(__name__).joinpath("test_sets.tsv").read_text(encoding="utf-8").splitlines()
    named = (line.split("\t") for line in lines if not line.startswith("#"))
    return {name: TestSet(name, pairs.split()) for name, pairs in named}


DATASETS = _read()
