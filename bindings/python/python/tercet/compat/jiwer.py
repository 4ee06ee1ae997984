"""jiwer's rates of errors, as shares: `wer`, `mer`, `wil`, `wip`, `cer`; and their counts: `process_words`,
`process_characters`.

Alignments and transformations are not here: texts are split as jiwer's defaults do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Union

from ..errors import DataError
from ..metrics import Metric
from ..texts import native_list

Lines = Union[str, Sequence[str]]


@dataclass(frozen=True)
class CharacterOutput:
    """Counts of characters, and errors per character of the references."""

    cer: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


@dataclass(frozen=True)
class WordOutput:
    """Counts of words, errors per word of the references and of both texts, word information lost and preserved."""

    wer: float
    mer: float
    wil: float
    wip: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


@cache
def _metric(spec: str) -> Metric:
    return Metric(spec)


def _lines(texts: Lines, what: str) -> list[str]:
    return [texts] if isinstance(texts, str) else list(native_list(texts, what))


def _total(spec: str, reference: Lines, hypothesis: Lines) -> list[float]:
    references, hypotheses = _lines(reference, "reference"), _lines(hypothesis, "hypothesis")
    if len(references) != len(hypotheses):
        raise DataError(f"there are {len(references)} references but {len(hypotheses)} hypotheses")
    return _metric(spec).tally(hypotheses, references).sum()


def _counts(spec: str, reference: Lines, hypothesis: Lines) -> tuple[int, int, int, int]:
    """Hits, substitutions, insertions and deletions."""
    parts = _metric(spec).components(_total(spec, reference, hypothesis))
    hits, substitutions, insertions, deletions = (int(parts[name]) for name in _NAMES)
    return hits, substitutions, insertions, deletions


_NAMES = ("hits", "substitutions", "insertions", "deletions")


def _rate(hits: int, substitutions: int, insertions: int, deletions: int) -> float:
    """Errors per unit of the references; without any, the number of errors. Rounded once, as jiwer's."""
    errors, units = substitutions + insertions + deletions, hits + substitutions + deletions
    return errors / units if units else float(errors)


def process_words(reference: Lines, hypothesis: Lines) -> WordOutput:
    """All rates and counts of words."""
    counts = hits, substitutions, insertions, deletions = _counts("wer", reference, hypothesis)
    errors, expected, found = substitutions + insertions + deletions, hits + substitutions + deletions, sum(counts[:3])
    mer = errors / (hits + errors) if hits + errors else 0.0
    if expected and found:
        wip = hits / expected * (hits / found)
    else:
        wip = 0.0 if expected or found else 1.0
    return WordOutput(_rate(*counts), mer, 1 - wip, wip, *counts)


def process_characters(reference: Lines, hypothesis: Lines) -> CharacterOutput:
    """The rate and the counts of characters."""
    counts = _counts("cer", reference, hypothesis)
    return CharacterOutput(_rate(*counts), *counts)


def wer(reference: Lines, hypothesis: Lines) -> float:
    """Substitutions, deletions and insertions of words, per word of the references."""
    return _rate(*_counts("wer", reference, hypothesis))


def mer(reference: Lines, hypothesis: Lines) -> float:
    """The same, per word of either text (match error rate)."""
    return process_words(reference, hypothesis).mer


def wil(reference: Lines, hypothesis: Lines) -> float:
    """Word information lost."""
    return process_words(reference, hypothesis).wil


def wip(reference: Lines, hypothesis: Lines) -> float:
    """Word information preserved."""
    return process_words(reference, hypothesis).wip


def cer(reference: Lines, hypothesis: Lines) -> float:
    """Substitutions, deletions and insertions of characters, per character of the references."""
    return _rate(*_counts("cer", reference, hypothesis))


def __getattr__(name: str) -> Any:
    raise AttributeError(f"tercet.compat.jiwer has rates and counts of errors, not {name}: jiwer itself has it")
