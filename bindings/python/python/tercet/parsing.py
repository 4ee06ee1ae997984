"""Parsers of English."""

from __future__ import annotations

import os
from typing import NamedTuple, overload

from . import _native
from .aliases import Path, Progress, Texts
from .forks import loading
from .progress import reporting
from .texts import native_texts

#: Whether the embedded parsers, of dependencies and of phrases, have parsed a line.
_used = {False: False, True: False}


def _load(model: Path | None, phrases: bool) -> None:
    """Loads the embedded parser where no other is named, and what it makes when it parses first."""
    if model is None and not _used[phrases]:
        with loading:
            _native.load_parser(phrases)
            parse_lines = _native.parse_phrases if phrases else _native.parse_dependencies
            parse_lines(["A word."], False, None, None)
            _used[phrases] = True


class Parse(NamedTuple):
    """The dependency tree of a line; every list has one entry per word."""

    words: list[str]
    #: Universal parts of speech.
    upos: list[str]
    #: Parts of speech of the treebank.
    xpos: list[str]
    #: 0 for the root, else the number of the head, from 1.
    heads: list[int]
    #: Relations to the heads.
    relations: list[str]
    #: The same as CoNLL-U.
    conllu: str
    #: The tree as text.
    drawing: str

    def __str__(self) -> str:
        return self.drawing


@overload
def parse(  # type: ignore[overload-overlap]
    text: str, *, tokenized: bool = False, model: Path | None = None, progress: Progress = True
) -> Parse: ...
@overload
def parse(
    text: Texts, *, tokenized: bool = False, model: Path | None = None, progress: Progress = True
) -> list[Parse]: ...
def parse(
    text: str | Texts, *, tokenized: bool = False, model: Path | None = None, progress: Progress = True
) -> Parse | list[Parse]:
    """The dependency tree of a line, or of each line. `tokenized` lines are split at white space only."""
    lines = [text] if isinstance(text, str) else native_texts(text, "text")
    _load(model, phrases=False)
    with reporting(progress) as report:
        found = _native.parse_dependencies(lines, tokenized, None if model is None else os.fspath(model), report)
    parses = [Parse(**one) for one in found]
    return parses[0] if isinstance(text, str) else parses


@overload
def parse_phrases(  # type: ignore[overload-overlap]
    text: str, *, tokenized: bool = False, model: Path | None = None, progress: Progress = True
) -> str: ...
@overload
def parse_phrases(
    text: Texts, *, tokenized: bool = False, model: Path | None = None, progress: Progress = True
) -> list[str]: ...
def parse_phrases(
    text: str | Texts, *, tokenized: bool = False, model: Path | None = None, progress: Progress = True
) -> str | list[str]:
    """The phrases of a line, or of each line, as a bracketed tree; `(())` for a line without words."""
    lines = [text] if isinstance(text, str) else native_texts(text, "text")
    _load(model, phrases=True)
    with reporting(progress) as report:
        trees = _native.parse_phrases(lines, tokenized, None if model is None else os.fspath(model), report)
    return trees[0] if isinstance(text, str) else trees
