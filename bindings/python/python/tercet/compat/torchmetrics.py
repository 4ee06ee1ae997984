"""The text functions of torchmetrics 1.9.0 by their names, without PyTorch: figures are Python's floats.

`word_error_rate`, `char_error_rate`, `match_error_rate`, `word_information_lost`, `word_information_preserved`,
`extended_edit_distance`, `bleu_score`, `sacre_bleu_score`, `chrf_score`, `translation_edit_rate`. torchmetrics sums
and divides in single precision, so that its figures differ from the seventh digit on. What differs on purpose: where it
divides by zero and gives `nan` or `inf`, there is a number; texts of unequal numbers are errors everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Union

from ..errors import DataError, RequestError
from ..metrics import Metric

Texts = Union[str, Sequence[str]]
Targets = Sequence[Union[str, Sequence[str]]]


def word_error_rate(preds: Texts, target: Texts) -> float:
    """Edits per word of the targets."""
    edits, of_target, *_ = _words(preds, target)
    return _share(edits, of_target)


def char_error_rate(preds: Texts, target: Texts) -> float:
    """Edits of characters, white space included, per character of the targets."""
    edits, of_target, *_ = _counts(preds, target, lambda line: [str(ord(c)) for c in line])
    return _share(edits, of_target)


def match_error_rate(preds: Texts, target: Texts) -> float:
    """Edits per word of the longer line of each pair, which is not jiwer's match error rate."""
    edits, _, _, longer = _words(preds, target)
    return _share(edits, longer)


def word_information_lost(preds: Texts, target: Texts) -> float:
    """1 less what is preserved."""
    return 1 - word_information_preserved(preds, target)


def word_information_preserved(preds: Texts, target: Texts) -> float:
    """The share of hits in targets times that in predictions, with the words of the longer line of each pair less the
    edits for hits, which are not those of jiwer."""
    edits, of_target, of_prediction, longer = _words(preds, target)
    hits = longer - edits
    return _share(hits, of_target) * _share(hits, of_prediction)


def extended_edit_distance(
    preds: Texts,
    target: Targets,
    language: str = "en",
    return_sentence_level_score: bool = False,
    alpha: float = 2.0,
    rho: float = 0.3,
    deletion: float = 0.2,
    insertion: float = 1.0,
) -> float | tuple[float, list[float]]:
    """EED: the mean over all segments, and on request that of each."""
    for name, value in (("alpha", alpha), ("rho", rho), ("deletion", deletion), ("insertion", insertion)):
        if not isinstance(value, float) or value < 0:
            raise RequestError(f"parameter `{name}` must be a float that is not negative")
    if language not in ("en", "ja"):
        raise RequestError(f"language must be `en` or `ja`, found {language!r}")
    spec = f"eed:lang={language},alpha={alpha},rho={rho},deletion={deletion},insertion={insertion}"
    return _with_sentences(spec, preds, target, 1.0, return_sentence_level_score)


def bleu_score(
    preds: Texts, target: Targets, n_gram: int = 4, smooth: bool = False, weights: Sequence[float] | None = None
) -> float:
    """BLEU of the words between white space; 0 if any order has no match. `smooth` adds one to all orders but the
    first."""
    return _bleu(preds, target, "none", False, n_gram, smooth, weights)


def sacre_bleu_score(
    preds: Sequence[str],
    target: Sequence[Sequence[str]],
    n_gram: int = 4,
    smooth: bool = False,
    tokenize: str = "13a",
    lowercase: bool = False,
    weights: Sequence[float] | None = None,
) -> float:
    """The same with a tokenizer of sacreBLEU."""
    return _bleu(preds, target, tokenize, lowercase, n_gram, smooth, weights)


def chrf_score(
    preds: Texts,
    target: Targets,
    n_char_order: int = 6,
    n_word_order: int = 2,
    beta: float = 2.0,
    lowercase: bool = False,
    whitespace: bool = False,
    return_sentence_level_score: bool = False,
) -> float | tuple[float, list[float]]:
    """chrF++ as a share, with a small number in place of zeros."""
    flags = "".join(f",{name}=yes" for name, flag in (("lowercase", lowercase), ("whitespace", whitespace)) if flag)
    spec = f"chrf:char_order={n_char_order},word_order={n_word_order},beta={beta},eps_smoothing=yes{flags}"
    return _with_sentences(spec, preds, target, 100.0, return_sentence_level_score)


def translation_edit_rate(
    preds: Texts,
    target: Targets,
    normalize: bool = False,
    no_punctuation: bool = False,
    lowercase: bool = True,
    asian_support: bool = False,
    return_sentence_level_score: bool = False,
) -> float | tuple[float, list[float]]:
    """TER as a share."""
    names = ("normalized", "no_punct", "case_sensitive", "asian_support")
    flags = zip(names, (normalize, no_punctuation, not lowercase, asian_support))
    spec = "ter:" + ",".join(f"{name}={'yes' if flag else 'no'}" for name, flag in flags)
    return _with_sentences(spec, preds, target, 100.0, return_sentence_level_score)


@cache
def _metric(spec: str) -> Metric:
    return Metric(spec)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else float(part)


def _list(texts: Texts) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts)


def _words(preds: Texts, target: Texts) -> tuple[float, float, float, float]:
    return _counts(preds, target, str.split)


def _counts(preds: Texts, target: Texts, units: object) -> tuple[float, float, float, float]:
    """Edits, the units of the targets, those of the predictions, and those of the longer line of each pair."""
    predictions, targets = _list(preds), _list(target)
    _check(predictions, targets)
    lines = [[" ".join(units(line)) for line in texts] for texts in (predictions, targets)]  # type: ignore[operator]
    edits = of_target = of_prediction = longer = 0.0
    for tally in _metric("wer").tally(*lines):
        parts = dict(zip(("edits", "target", "hits", "substitutions", "deletions", "insertions"), tally))
        prediction = parts["hits"] + parts["substitutions"] + parts["insertions"]
        edits += parts["edits"]
        of_target += parts["target"]
        of_prediction += prediction
        longer += max(parts["target"], prediction)
    return edits, of_target, of_prediction, longer


def _check(predictions: Sequence[str], targets: Sequence[object]) -> None:
    if len(predictions) != len(targets):
        raise DataError(f"there are {len(predictions)} predictions but targets for {len(targets)}")


def _segments(preds: Texts, target: Targets) -> tuple[list[str], list[list[str]]]:
    """Predictions, and the references of each. A list of texts for a single prediction is its references."""
    predictions = _list(preds)
    if isinstance(target, str):
        target = [target]
    if len(predictions) == 1 and all(isinstance(one, str) for one in target):
        return predictions, [[str(one) for one in target]]
    references = [[one] if isinstance(one, str) else list(one) for one in target]
    _check(predictions, references)
    return predictions, references


def _with_sentences(
    spec: str, preds: Texts, target: Targets, scale: float, sentences: bool
) -> float | tuple[float, list[float]]:
    metric = _metric(spec)
    predictions, references = _segments(preds, target)
    if not predictions:
        return (0.0, []) if sentences else 0.0
    tallies = metric.tally(predictions, references)
    score = metric.score_tally(tallies.sum()) / scale
    return (score, [one / scale for one in metric.score_segment_tallies(tallies)]) if sentences else score


def _bleu(
    preds: Texts,
    target: Targets,
    tokenizer: str,
    lowercase: bool,
    order: int,
    smooth: bool,
    weights: Sequence[float] | None,
) -> float:
    if weights is not None and len(weights) != order:
        raise RequestError(f"there are {len(weights)} weights for n_gram={order}")
    predictions = _list(preds)
    references = [[one] if isinstance(one, str) else list(one) for one in target]
    _check(predictions, references)
    spec = f"bleu:tok={tokenizer},lowercase={'yes' if lowercase else 'no'},smooth=none,max_order={order}"
    length, _, *counts = _metric(spec).tally(predictions, references).sum() or [0.0] * (2 + 2 * order)
    matches, totals = counts[:order], counts[order:]
    if min(matches) == 0:
        return 0.0
    added = [0.0] + [1.0 if smooth else 0.0] * (order - 1)
    precisions = [(found + one) / (total + one) for found, total, one in zip(matches, totals, added)]
    shares = weights or [1 / order] * order
    mean = math.exp(sum(weight * math.log(one) for weight, one in zip(shares, precisions)))
    of_target = _closest_lengths(predictions, references, tokenizer, lowercase)
    return mean if length > of_target else mean * math.exp(1 - of_target / length)


def _closest_lengths(predictions: list[str], references: list[list[str]], tokenizer: str, lowercase: bool) -> float:
    """The sum of the lengths of the closest references; of equally close ones the first, in sacreBLEU the shortest."""
    metric = _metric(f"bleu:tok={tokenizer},lowercase={'yes' if lowercase else 'no'},smooth=none,max_order=1")
    total = 0.0
    for prediction, lines in zip(predictions, references):
        pairs = [metric.tally_segment(prediction, [line])[:2] for line in lines]
        total += min(pairs, key=lambda pair: abs(pair[0] - pair[1]))[1]
    return total


def __getattr__(name: str) -> object:
    raise AttributeError(f"tercet.compat.torchmetrics has no {name}: torchmetrics itself has it")
