"""Alignments of references and hypotheses, and what is counted in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Callable, Union

from ... import _native
from .transformations import cer_default, wer_default

Lines = Union[str, Sequence[str]]
Transform = Callable[[Any], Any]

_KINDS = ("replace", "insert", "delete", "equal", "substitute")


@dataclass
class AlignmentChunk:
    """Neighbouring units of reference and hypothesis: `equal`, `substitute`, `insert` or `delete`."""

    type: str
    ref_start_idx: int
    ref_end_idx: int
    hyp_start_idx: int
    hyp_end_idx: int

    def __post_init__(self) -> None:
        if self.type not in _KINDS:
            raise ValueError(f"expected one of {', '.join(_KINDS)}, found {self.type!r}")
        if self.type == "replace":
            self.type = "substitute"
        for side in ("ref", "hyp"):
            start, end = getattr(self, f"{side}_start_idx"), getattr(self, f"{side}_end_idx")
            if start > end:
                raise ValueError(f"{side}_start_idx={start} is larger than {side}_end_idx={end}")


@dataclass
class WordOutput:
    """The words of references and hypotheses, their alignments, rates and counts."""

    references: list[list[str]]
    hypotheses: list[list[str]]
    alignments: list[list[AlignmentChunk]]
    wer: float
    mer: float
    wil: float
    wip: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


@dataclass
class CharacterOutput:
    """The characters of references and hypotheses, their alignments, the rate and the counts."""

    references: list[list[str]]
    hypotheses: list[list[str]]
    alignments: list[list[AlignmentChunk]]
    cer: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


def process_words(
    reference: Lines,
    hypothesis: Lines,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> WordOutput:
    """The alignment of words, all rates and counts."""
    references = _units(reference, reference_transform, "reference")
    hypotheses = _units(hypothesis, hypothesis_transform, "hypothesis")
    if len(references) != len(hypotheses):
        raise ValueError(
            f"after the transformations there are {len(references)} references but {len(hypotheses)} hypotheses"
        )
    numbers: dict[str, int] = {}

    def numbered(lines: list[list[str]]) -> list[list[int]]:
        return [[numbers.setdefault(unit, len(numbers)) for unit in line] for line in lines]

    scripts = _native.edit_scripts(numbered(references), numbered(hypotheses))
    counts = dict.fromkeys(("equal", "substitute", "insert", "delete"), 0)
    for script in scripts:
        for kind, start, end, hypothesis_start, hypothesis_end in script:
            counts[kind] += hypothesis_end - hypothesis_start if kind == "insert" else end - start
    hits, substitutions, insertions, deletions = counts.values()
    rates = word_rates(hits, substitutions, insertions, deletions)
    alignments = [[AlignmentChunk(*chunk) for chunk in script] for script in scripts]
    return WordOutput(references, hypotheses, alignments, *rates, hits, substitutions, insertions, deletions)


def word_rates(hits: int, substitutions: int, insertions: int, deletions: int) -> tuple[float, float, float, float]:
    """WER, MER, WIL and WIP, with jiwer's whole numbers where there is nothing to divide by."""
    errors, expected = substitutions + deletions + insertions, hits + substitutions + deletions
    found = hits + substitutions + insertions
    if not expected:
        return (insertions, 1, 1, 0) if found else (insertions, 0, 0, 1)
    wip = (hits / expected) * (hits / found) if found else 0
    return errors / expected, errors / (expected + insertions), 1 - wip, wip


def process_characters(
    reference: Lines,
    hypothesis: Lines,
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> CharacterOutput:
    """The alignment of characters, the rate and the counts."""
    found = process_words(reference, hypothesis, reference_transform, hypothesis_transform)
    counts = found.hits, found.substitutions, found.insertions, found.deletions
    return CharacterOutput(found.references, found.hypotheses, found.alignments, found.wer, *counts)


def _units(lines: Any, transform: Transform, what: str) -> list[list[str]]:
    units = transform([lines] if isinstance(lines, str) else lines)
    if isinstance(units, list) and all(
        isinstance(line, list) and all(isinstance(unit, str) for unit in line) for line in units
    ):
        return units
    raise ValueError(
        f"the transformation of the {what} should end with lists of words or characters, as "
        "ReduceToListOfListOfWords and ReduceToListOfListOfChars make them"
    )


__all__ = ["AlignmentChunk", "CharacterOutput", "WordOutput", "process_characters", "process_words"]
