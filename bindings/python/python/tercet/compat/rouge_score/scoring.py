"""Scores of rouge-score, and intervals of their means by bootstrap resampling."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any, NamedTuple


class Score(NamedTuple):
    """Precision, recall and F1."""

    precision: float
    recall: float
    fmeasure: float


class BaseScorer(abc.ABC):
    """What scores a text against another one."""

    @abc.abstractmethod
    def score(self, target: Any, prediction: Any) -> dict[str, Score]:
        """The scores by type."""


class AggregateScore(NamedTuple):
    """The interval of a mean."""

    low: Any
    mid: Any
    high: Any


class BootstrapAggregator:
    """Intervals of the mean of scores. Draws are those of numpy's global generator (`numpy.random.seed`), as there."""

    def __init__(self, confidence_interval: float = 0.95, n_samples: int = 1000) -> None:
        if confidence_interval < 0 or confidence_interval > 1:
            raise ValueError("confidence_interval must be from 0 to 1")
        if n_samples <= 0:
            raise ValueError("n_samples must be positive")
        self._n_samples = n_samples
        self._confidence_interval = confidence_interval
        self._scores: dict[str, list[Any]] = {}

    def add_scores(self, scores: Mapping[str, Any]) -> None:
        """Adds the scores of a text by type."""
        for kind, score in scores.items():
            self._scores.setdefault(kind, []).append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """The interval of each type."""
        import numpy

        result = {}
        for kind, scores in self._scores.items():
            bounds = self._bounds(numpy.vstack(tuple(scores)))
            result[kind] = AggregateScore(*(type(scores[0])(*row) for row in bounds))
        return result

    def _bounds(self, matrix: Any) -> Any:
        """Low, mid and high mean of each column."""
        import numpy

        count = matrix.shape[0]
        means = numpy.zeros((self._n_samples, matrix.shape[1]))
        for mean in means:
            mean[:] = numpy.mean(matrix[numpy.random.randint(0, count, size=count)], axis=0)
        outside = (1 - self._confidence_interval) / 2
        return numpy.percentile(means, 100 * numpy.array([outside, 0.5, 1 - outside]), axis=0)


def fmeasure(precision: float, recall: float) -> float:
    """F1."""
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
