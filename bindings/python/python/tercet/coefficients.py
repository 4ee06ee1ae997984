"""Coefficients between two arrays of scores, those of scipy and mt-metrics-eval."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from . import _native
from .arguments import whole
from .errors import RequestError


class Correlation(NamedTuple):
    """A coefficient and its two-sided p-value, as scipy's functions give them; NaN where it is not defined."""

    statistic: float
    pvalue: float


def pearson(gold: Iterable[float | None], metric: Iterable[float]) -> Correlation:
    """Pearson's r, as `scipy.stats.pearsonr`. Where `gold` is None or NaN, the pair is left out."""
    return _of_arrays("pearson", gold, metric)


def spearman(gold: Iterable[float | None], metric: Iterable[float]) -> Correlation:
    """Spearman's rho, as `scipy.stats.spearmanr`. Where `gold` is None or NaN, the pair is left out."""
    return _of_arrays("spearman", gold, metric)


def kendall(gold: Iterable[float | None], metric: Iterable[float], *, variant: str = "b") -> Correlation:
    """Kendall's tau-b or tau-c (`variant`), as `scipy.stats.kendalltau`. Where `gold` is None or NaN, the pair is left
    out.
    """
    if variant not in ("b", "c"):
        raise RequestError(f"variant: expected 'b' or 'c', found {variant!r}; tercet.correlation has tau-23 and acc-23")
    return _of_arrays(f"kendall-{variant}", gold, metric)


def correlation(
    gold: Iterable[float | None],
    metric: Iterable[float],
    statistic: str = "pearson",
    *,
    systems: int = 1,
    grouping: str | None = None,
    average: str = "macro",
    epsilon: float | None = None,
    threshold: float | None = None,
) -> float:
    """Any statistic of scores of `tercet correlate`, between the human scores and those of a metric.

    Scores are given system by system, as mt-metrics-eval's `Correlation` takes them; `systems` is their number. Outputs
    whose `gold` is None or NaN are left out. `grouping` is `"none"`, `"item"` or `"system"`, by default the one that is
    usual for the statistic; `average` is `"macro"` or `"micro"`. Differences of the metric up to `epsilon` are ties for
    tau-23 and acc-23, which calibrate ties without it. `threshold` is that of darr. NaN where nothing is defined.
    """
    human, scores = _rows(gold, metric)
    arguments = {
        "statistics": [statistic],
        "grouping": grouping,
        "average": average,
        "epsilon": epsilon,
        "threshold": threshold,
    }
    return _native.correlation_of_scores(arguments, human, scores, whole(systems, "systems", 1))


def _of_arrays(name: str, gold: Iterable[float | None], metric: Iterable[float]) -> Correlation:
    return Correlation(*_native.correlation_of_arrays(name, *_rows(gold, metric)))


def _rows(gold: Iterable[float | None], metric: Iterable[float]) -> tuple[list[float | None], list[float]]:
    human = [_number(value, "gold", i) for i, value in enumerate(gold)]
    scores = [_number(value, "metric", i) for i, value in enumerate(metric)]
    if len(human) != len(scores):
        raise RequestError(f"gold has {len(human)} scores, metric has {len(scores)}")
    complete = []
    for i, score in enumerate(scores):
        if score is None and human[i] is not None:
            raise RequestError(f"metric[{i}] is missing: leave its pair out, or set its gold score to None")
        complete.append(0.0 if score is None else score)
    return human, complete


def _number(value: object, what: str, i: int) -> float | None:
    """A finite number; None for None and NaN."""
    if value is None:
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise RequestError(f"{what}[{i}]: expected a number, found {value!r}") from None
    if number in (float("inf"), float("-inf")):
        raise RequestError(f"{what}[{i}]: expected a finite number, found {value!r}")
    return number if number == number else None
