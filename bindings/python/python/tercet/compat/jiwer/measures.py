"""Error rates as shares. With the usual transformations they are counted natively, without alignments."""

from __future__ import annotations

from functools import cache
from typing import Any

from ...metrics import Metric
from .process import Lines, Transform, process_words, word_rates
from .transformations import cer_default, wer_default


def wer(
    reference: Lines,
    hypothesis: Lines,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Substitutions, deletions and insertions of words, per word of the references."""
    return _rates("wer", reference, hypothesis, reference_transform, hypothesis_transform)[0]


def mer(
    reference: Lines,
    hypothesis: Lines,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """The same, per word of either text (match error rate)."""
    return _rates("wer", reference, hypothesis, reference_transform, hypothesis_transform)[1]


def wil(
    reference: Lines,
    hypothesis: Lines,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Word information lost."""
    return _rates("wer", reference, hypothesis, reference_transform, hypothesis_transform)[2]


def wip(
    reference: Lines,
    hypothesis: Lines,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Word information preserved."""
    return _rates("wer", reference, hypothesis, reference_transform, hypothesis_transform)[3]


def cer(
    reference: Lines,
    hypothesis: Lines,
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> float:
    """Substitutions, deletions and insertions of characters, per character of the references."""
    return _rates("cer", reference, hypothesis, reference_transform, hypothesis_transform)[0]


@cache
def _metric(name: str) -> Metric:
    return Metric(name)


_USUAL = {"wer": wer_default, "cer": cer_default}


def _rates(
    name: str, reference: Any, hypothesis: Any, reference_transform: Transform, hypothesis_transform: Transform
) -> tuple[float, float, float, float]:
    """WER, MER, WIL and WIP of words or characters."""
    usual = _USUAL[name]
    references, hypotheses = _lines(reference), _lines(hypothesis)
    if (
        reference_transform is usual
        and hypothesis_transform is usual
        and references
        and hypotheses
        and len(references) == len(hypotheses)
    ):
        metric = _metric(name)
        parts = metric.components(metric.tally(hypotheses, references).sum())
        counts = (int(parts[key]) for key in ("hits", "substitutions", "insertions", "deletions"))
        return word_rates(*counts)
    found = process_words(reference, hypothesis, reference_transform, hypothesis_transform)
    return found.wer, found.mer, found.wil, found.wip


def _lines(texts: Any) -> list[str] | None:
    """The lines, if they are such as transformations take."""
    if isinstance(texts, str):
        return [texts]
    return texts if isinstance(texts, list) and all(isinstance(line, str) for line in texts) else None


__all__ = ["cer", "mer", "wer", "wil", "wip"]
