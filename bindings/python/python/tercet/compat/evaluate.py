"""The interface of the package `evaluate` 0.4.6: `load("sacrebleu").compute(predictions=…, references=…)`.

Names that are known there, with the options, keys and digits of its modules:

- `sacrebleu` (`smooth_method`, `smooth_value`, `force`, `lowercase`, `tokenize`, `use_effective_order`): `score`,
`counts`,
  `totals`, `precisions`, `bp`, `sys_len`, `ref_len`
- `chrf` (`char_order`, `word_order`, `beta`, `lowercase`, `whitespace`, `eps_smoothing`): `score`, `char_order`,
  `word_order`, `beta`
- `ter` (`normalized`, `ignore_punct`, `support_zh_ja_chars`, `case_sensitive`): `score`, `num_edits`, `ref_length`
- `bleu` (`tokenizer`: a function from a text to its tokens, `max_order` up to 16, `smooth`): `bleu`, `precisions`,
  `brevity_penalty`, `length_ratio`, `translation_length`, `reference_length`
- `wer`, `cer` (`concatenate_texts`): a number, as jiwer 4 computes it
- `meteor` (options of tercet's metric): `meteor`. It is METEOR 1.5; that of `evaluate` is NLTK's, another metric with
other
  scores, and its options `alpha`, `beta` and `gamma` have other defaults. A warning says so.

Any other spec of tercet is known too: `load("siamese").compute(…)` gives `score`, `segments` and `signature`, also
where
`evaluate` has a module of that name with other keys (`rouge`, `character`, `bertscore`).

What differs on purpose: errors of texts are `DataError`s, which are `ValueError`s, and `TypeError`s, at once and with
the place;
`wer` and `cer` take lists of one reference too, and have a value where all references are empty (the number of errors;
there, a
division by zero). Nothing is cached or downloaded, so that the arguments of `load` about that are not there; neither
are
computations over several processes.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Union

from ..errors import DataError, TercetWarning
from ..metrics import Metric
from ..texts import native_list
from . import jiwer
from .sacrebleu.metrics import BLEU, CHRF, TER

References = Sequence[Union[str, Sequence[str]]]


class EvaluationModule:
    """A metric with `compute`, and with `add` and `add_batch` for texts that come one by one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._predictions: list[str] = []
        self._references: list[Any] = []
        if name not in _COMPUTE:
            Metric(name)  # an unknown name is an error at once

    def add(self, *, prediction: str, reference: str | Sequence[str]) -> None:
        """Adds one segment."""
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: Sequence[str], references: References) -> None:
        """Adds segments."""
        lines = native_list(predictions, "predictions")
        for i, line in enumerate(lines):
            if not isinstance(line, str):
                raise TypeError(f"predictions[{i}]: expected str, found {type(line).__name__}")
        self._references += [_references_of(one, i) for i, one in enumerate(native_list(references, "references"))]
        self._predictions += lines

    def compute(
        self, *, predictions: Sequence[str] | None = None, references: References | None = None, **options: Any
    ) -> Any:
        """The result for these segments, or for those that were added."""
        if predictions is not None or references is not None:
            none: list[str] = []
            self.add_batch(
                predictions=none if predictions is None else predictions,
                references=none if references is None else references,
            )
        texts, self._predictions, self._references = (self._predictions, self._references), [], []
        if len(texts[0]) != len(texts[1]):
            raise DataError(f"there are {len(texts[0])} predictions but references for {len(texts[1])}")
        if not texts[0]:
            raise DataError("there is nothing to score: add predictions and references first")
        compute = _COMPUTE.get(self.name)
        return compute(*texts, **options) if compute else _other(self.name, *texts, **options)


def load(name: str) -> EvaluationModule:
    """The metric of this name."""
    return EvaluationModule(name)


def compute(name: str, *, predictions: Sequence[str], references: References, **options: Any) -> Any:
    """The result of a metric for these segments."""
    return load(name).compute(predictions=predictions, references=references, **options)


def _references_of(references: Any, i: int) -> Any:
    """A reference, or a list of them."""
    if isinstance(references, str):
        return references
    return list(native_list(references, f"references[{i}]"))


def _columns(references: References) -> list[list[str]]:
    """`columns[reference][segment]`: what sacreBLEU's interface takes."""
    segments = [[lines] if isinstance(lines, str) else list(lines) for lines in references]
    counts = {len(lines) for lines in segments}
    if len(counts) != 1:
        raise DataError("the metric needs the same number of references for each prediction")
    return [list(column) for column in zip(*segments)]


def _sacrebleu(predictions: Sequence[str], references: References, **options: Any) -> dict[str, Any]:
    options["effective_order"] = options.pop("use_effective_order", False)
    score = BLEU(**options).corpus_score(predictions, _columns(references))
    keys = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
    return {key: getattr(score, key) for key in keys}


def _bleu(
    predictions: Sequence[str],
    references: References,
    tokenizer: Callable[[str], Sequence[str]] | None = None,
    max_order: int = 4,
    smooth: bool = False,
) -> dict[str, Any]:
    """BLEU as a share, without smoothing or with one added to every count, and with the length of the shortest
    reference."""
    segments = [[lines] if isinstance(lines, str) else lines for lines in references]
    name = "13a"
    if tokenizer is not None:
        name = "none"
        numbers: dict[Any, str] = {}

        def tokenized(line: str) -> str:
            # A number for each token, since a token may have spaces.
            return " ".join(numbers.setdefault(token, str(len(numbers))) for token in tokenizer(line))

        predictions = [tokenized(line) for line in predictions]
        segments = [[tokenized(line) for line in lines] for lines in segments]
    metric = Metric(f"bleu:tok={name},smooth=none,max_order={max_order},brevity=shortest")
    length, of_reference, *counts = metric.tally(list(predictions), segments).sum()
    orders = list(zip(counts[:max_order], counts[max_order:]))
    added = 1 if smooth else 0
    precisions = [(found + added) / (total + added) if total + added else 0.0 for found, total in orders]
    mean = math.exp(sum(1 / max_order * math.log(one) for one in precisions)) if min(precisions) > 0 else 0.0
    ratio = length / of_reference if of_reference else math.inf
    penalty = 1.0 if ratio > 1 else math.exp(1 - 1 / ratio) if ratio else 0.0
    return {
        "bleu": mean * penalty,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": ratio,
        "translation_length": int(length),
        "reference_length": int(of_reference),
    }


def _chrf(predictions: Sequence[str], references: References, **options: Any) -> dict[str, Any]:
    score = CHRF(**options).corpus_score(predictions, _columns(references))
    return {key: getattr(score, key) for key in ("score", "char_order", "word_order", "beta")}


def _ter(predictions: Sequence[str], references: References, **options: Any) -> dict[str, Any]:
    names = {"ignore_punct": "no_punct", "support_zh_ja_chars": "asian_support"}
    given = {names.get(key, key): value for key, value in options.items()}
    score = TER(**given).corpus_score(predictions, _columns(references))
    return {key: getattr(score, key) for key in ("score", "num_edits", "ref_length")}


def _meteor(predictions: Sequence[str], references: References, **options: Any) -> dict[str, Any]:
    metric = Metric(_spec("meteor", options))
    other = "meteor: METEOR 1.5; the module of evaluate is NLTK's METEOR, whose scores differ"
    for message in (other, *metric.warnings):
        warnings.warn(message, TercetWarning, stacklevel=4)
    return {"meteor": metric.score(list(predictions), list(references))}


def _wer(predictions: Sequence[str], references: References, concatenate_texts: bool = False) -> float:
    """`concatenate_texts` changes no digit, here or in evaluate with jiwer 4: errors and words are summed in both
    ways."""
    return jiwer.wer(_only(references), list(predictions))


def _cer(predictions: Sequence[str], references: References, concatenate_texts: bool = False) -> float:
    """The same of characters."""
    return jiwer.cer(_only(references), list(predictions))


def _only(references: References) -> list[str]:
    columns = _columns(references)
    if len(columns) != 1:
        raise DataError(f"the metric needs one reference for each prediction, found {len(columns)}")
    return columns[0]


def _spec(name: str, options: dict[str, Any]) -> str:
    def written(value: Any) -> str:
        return ("yes" if value else "no") if isinstance(value, bool) else str(value)

    given = ",".join(f"{key}={written(value)}" for key, value in options.items())
    return f"{name}:{given}" if given else name


def _other(name: str, predictions: Sequence[str], references: References, **options: Any) -> dict[str, Any]:
    metric = Metric(_spec(name, options))
    tallies = metric.tally(list(predictions), list(references))
    segments = metric.score_segment_tallies(tallies)
    return {"score": metric.score_tally(tallies.sum()), "segments": segments, "signature": metric.signature}


_COMPUTE: dict[str, Callable[..., Any]] = {
    "sacrebleu": _sacrebleu,
    "bleu": _bleu,
    "chrf": _chrf,
    "ter": _ter,
    "meteor": _meteor,
    "wer": _wer,
    "cer": _cer,
}
