"""tercet inside of other packages: training loops (`transformers`), harnesses (`lm_eval`), data frames (`pandas`), and
a metric for the package evaluate. Each module needs only the package that it is for, and only when it is used."""

from __future__ import annotations

from pathlib import Path


def evaluate_metric() -> str:
    """The folder of a metric for `evaluate.load`: `evaluate.load(evaluate_metric(), "chrf++")`."""
    return str(Path(__file__).parent / "evaluate_metric")
