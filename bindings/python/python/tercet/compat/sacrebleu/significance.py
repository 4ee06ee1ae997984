"""sacreBLEU's paired tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import _native
from ...errors import UnsupportedError
from ...metrics import Tallies
from .metrics.base import Metric, NativeMetric, Signature, seed_from_environment


def estimate_ci(scores: Any) -> tuple[Any, Any]:
    """The mean of the scores of resamples, and half the width of their 95% interval."""
    import numpy

    ordered = numpy.sort(scores)
    cut = len(ordered) // 40
    return ordered.mean(), 0.5 * (ordered[len(ordered) - cut - 1] - ordered[cut])


class Result:
    """A score; against a baseline, with a p-value; with a bootstrap, with mean and half width of the interval."""

    def __init__(
        self, score: float, p_value: float | None = None, mean: float | None = None, ci: float | None = None
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join(f"{key}={value}" for key, value in self.__dict__.items())


class PairedTest:
    """Tests every system against the first one, by the bootstrap (`bs`) or by approximate randomisation (`ar`).

    With `n_ar_confidence` there are intervals beside the p-values of `ar`. `n_jobs` is accepted and ignored: all
    threads are
    used.
    """

    #: Resamples or trials, if no number is given.
    _DEFAULT_SAMPLES = {"ar": 10_000, "bs": 1000}

    def __init__(
        self,
        named_systems: list[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric],
        references: Sequence[Sequence[str]] | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        assert test_type in self._DEFAULT_SAMPLES, f"Unknown test type {test_type!r}"
        self.test_type = test_type
        self._seed, _ = seed_from_environment()
        self.n_jobs = n_jobs
        self.references = references
        self.named_systems = named_systems
        self.n_ar_confidence = n_ar_confidence if n_ar_confidence != 0 else self._DEFAULT_SAMPLES["bs"]
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_systems = len(named_systems) - 1
        self.metrics = dict(metrics)

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[str | Result]]]:
        """The signature of each metric, and by metric a result for each system; `System` has their names."""
        signatures: dict[str, Signature] = {}
        scores: dict[str, list[str | Result]] = {"System": [name for name, _ in self.named_systems]}
        for metric in self.metrics.values():
            stats = [metric._extract_corpus_statistics(lines, self.references) for _, lines in self.named_systems]
            name = metric._aggregate_and_compute(stats[0]).name
            scores[name] = list(self._results(metric, stats))
            signatures[name] = self._signature(metric)
        return signatures, scores

    def _results(self, metric: Metric, stats: list[Any]) -> list[Result]:
        if not isinstance(metric, NativeMetric) or not isinstance(stats[0], Tallies):
            raise UnsupportedError("paired tests of a metric of your own need sacrebleu itself")
        given = metric._native, [one.data for one in stats], stats[0].width
        if self.test_type == "bs":
            found = _native.bootstrap(*given, (self.n_samples, self._seed, 0))
            scores = _native.corpus_scores(*given)
            return [Result(score, p, *interval) for score, (_, interval, _, p) in zip(scores, found)]
        results = [Result(score) for score in _native.corpus_scores(*given)]
        for result, p_value in zip(results[1:], _native.randomisation(*given, self.n_samples, self._seed)):
            result.p_value = p_value
        if self.n_ar_confidence > 0:
            # The first system has the resamples of the seed; the others those that follow the tosses of their trials.
            after = [0] + [self.n_samples] * self.n_systems
            for result, one, trials in zip(results, stats, after):
                draws = self.n_ar_confidence, self._seed, trials
                ((_, interval, _, _),) = _native.bootstrap(metric._native, [one.data], one.width, draws)
                result.mean, result.ci = interval
        return results

    def _signature(self, metric: Metric) -> Signature:
        signature = metric.get_signature()
        signature.update("seed", str(self._seed).lower())
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)
        return signature
