"""`rouge` of the package `evaluate`: means by bootstrap resampling, with the keys and digits of its module."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .rouge_score import rouge_scorer, scoring


def seed_of_module() -> int:
    """The seed that a module of evaluate takes from numpy's global generator when it is loaded."""
    import numpy

    state: Any = numpy.random.get_state()
    _, seed, position, *_ = state
    return int(seed[position] if position < 624 else seed[0])


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    import numpy

    state = numpy.random.get_state()
    numpy.random.seed(seed)
    try:
        yield
    finally:
        numpy.random.set_state(state)


class _Tokenizer:
    def __init__(self, tokenize: Callable[[str], Sequence[Any]]) -> None:
        self.tokenize = tokenize


def rouge(
    predictions: Sequence[str],
    references: Sequence[Any],
    rouge_types: Sequence[str] | None = None,
    use_aggregator: bool = True,
    use_stemmer: bool = False,
    tokenizer: Callable[[str], Sequence[Any]] | None = None,
    seed: int | None = None,
) -> dict[str, Any]:
    """F1 by type: the median of the means of resamples, or the list of all with `use_aggregator=False`."""
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum"] if rouge_types is None else rouge_types
    own = None if tokenizer is None else _Tokenizer(tokenizer)
    scorer = rouge_scorer.RougeScorer(types, use_stemmer=use_stemmer, tokenizer=own)
    several = isinstance(references[0], list)
    of_each = scorer.score_multi if several else scorer.score
    scores = [of_each(reference, prediction) for reference, prediction in zip(references, predictions)]
    if not use_aggregator:
        return {kind: [one[kind].fmeasure for one in scores] for kind in scores[0]}
    aggregator = scoring.BootstrapAggregator()
    for one in scores:
        aggregator.add_scores(one)
    with _seeded(seed_of_module() if seed is None else seed):
        return {kind: bounds.mid.fmeasure for kind, bounds in aggregator.aggregate().items()}
