"""Functions for tasks of the Language Model Evaluation Harness (`lm_eval`).

In the `utils.py` of a task:

    from tercet.integrations import lm_eval

    process_results = lm_eval.process_results("bleu", "chrf", reference="target")
    bleu, chrf = lm_eval.aggregation("bleu"), lm_eval.aggregation("chrf")

and in its YAML file `process_results: !function utils.process_results` and, for each metric, an entry of `metric_list`
with `aggregation: !function utils.bleu`. Nothing of `lm_eval` is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

from ..errors import DataError
from ..metrics import Metric

#: The references of a segment, and its translation.
Item = tuple[list[str], str]

#: A field of a document, or a function of it.
Field = Union[str, Callable[[Mapping[str, Any]], Any]]


def process_results(
    *metrics: str, reference: Field = "target"
) -> Callable[[Mapping[str, Any], Sequence[str]], dict[str, Item]]:
    """What a task's `process_results` is: for each metric the references and the translation of a document. `reference`
    is the field of the document that has its reference, or a list of them, or a function that gives them."""

    def process(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Item]:
        found = reference(doc) if callable(reference) else doc[reference]
        references = [found] if isinstance(found, str) else list(found)
        if len(results) != 1 or not isinstance(results[0], str):
            raise DataError("expected one generated text for each document: the task's output_type is generate_until")
        return {name: (references, results[0].strip()) for name in metrics}

    return process


def aggregation(metric: str, language: str | None = None) -> Callable[[Sequence[Item]], float]:
    """What an entry of `metric_list` has as `aggregation`: the score of all documents together."""
    built = Metric(metric, language)

    def aggregate(items: Sequence[Item]) -> float:
        return built.score([hypothesis for _, hypothesis in items], [references for references, _ in items])

    aggregate.__name__ = f"tercet_{metric}"
    return aggregate
