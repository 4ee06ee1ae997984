"""The interface of the package `evaluate` 0.4.6: `load("sacrebleu").compute(predictions=…, references=…)`.

Names that are known there, with the options, keys and digits of its modules:

- `sacrebleu` (`smooth_method`, `smooth_value`, `force`, `lowercase`, `tokenize`, `use_effective_order`): `score`,
  `counts`, `totals`, `precisions`, `bp`, `sys_len`, `ref_len`
- `chrf` (`char_order`, `word_order`, `beta`, `lowercase`, `whitespace`, `eps_smoothing`): `score`, `char_order`,
  `word_order`, `beta`
- `ter` (`normalized`, `ignore_punct`, `support_zh_ja_chars`, `case_sensitive`): `score`, `num_edits`, `ref_length`
- `bleu` (`tokenizer`: a function from a text to its tokens, `max_order` up to 16, `smooth`): `bleu`, `precisions`,
  `brevity_penalty`, `length_ratio`, `translation_length`, `reference_length`
- `google_bleu` (`tokenizer`, `min_len`, `max_len`): `google_bleu`
- `nist_mt` (`n`, `lowercase`, `western_lang`): `nist_mt`
- `wer`, `cer` (`concatenate_texts`): a number, as jiwer 4 computes it
- `rouge` (`rouge_types`, `use_aggregator`, `use_stemmer`, `tokenizer`): `rouge1`, `rouge2`, `rougeL`, `rougeLsum`.
  The means are medians of resamples, drawn by numpy with the seed that its global generator has at `load`, as there
- `character` (`aggregate`, `return_all_scores`): `cer_score`, `cer_scores`
- `exact_match` (`regexes_to_ignore`, `ignore_case`, `ignore_punctuation`, `ignore_numbers`): `exact_match`
- `meteor` (options of tercet's metric): `meteor`. It is METEOR 1.5; that of `evaluate` is NLTK's, which has
  other scores, and its options `alpha`, `beta` and `gamma` have other defaults. A warning says so.

Any other spec of tercet is known too: `load("siamese").compute(…)` gives `score`, `segments` and `signature`, also
where `evaluate` has a module of that name with other keys (`bertscore`). `combine` gives the results of
several modules at once.

What differs on purpose: errors of texts are `DataError`s, which are `ValueError`s, and `TypeError`s, at once and with
the place; `wer` and `cer` take lists of one reference too, and have a value where all references are empty (the number
of errors; there, a division by zero). Nothing is cached or downloaded, so that the arguments of `load` about that are
not there; neither are computations over several processes.
"""

from __future__ import annotations

import math
import re
import statistics
import string
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Union
from xml.sax.saxutils import unescape

from ..errors import DataError, RequestError, TercetWarning
from ..metrics import Metric
from ..texts import native_list
from . import jiwer, nltk
from ._rouge_of_evaluate import rouge, seed_of_module
from .sacrebleu.metrics import BLEU, CHRF, TER

References = Sequence[Union[str, Sequence[str]]]


class EvaluationModule:
    """A metric with `compute`, and with `add` and `add_batch` for texts that come one by one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._predictions: list[str] = []
        self._references: list[Any] = []
        self._defaults: dict[str, Any] = {"seed": seed_of_module()} if name == "rouge" else {}
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
        return compute(*texts, **{**self._defaults, **options}) if compute else _other(self.name, *texts, **options)


def load(name: str) -> EvaluationModule:
    """The metric of this name."""
    return EvaluationModule(name)


def compute(name: str, *, predictions: Sequence[str], references: References, **options: Any) -> Any:
    """The result of a metric for these segments."""
    return load(name).compute(predictions=predictions, references=references, **options)


class CombinedEvaluations:
    """Several modules that are computed together. Keys that two of them have get the name of the module before them,
    and a number where two modules have the same name."""

    def __init__(
        self,
        evaluations: Sequence[str | EvaluationModule] | dict[str, str | EvaluationModule],
        force_prefix: bool = False,
    ) -> None:
        named = evaluations.items() if isinstance(evaluations, dict) else [(None, one) for one in evaluations]
        modules = [(name, load(one) if isinstance(one, str) else one) for name, one in named]
        self.evaluation_modules = [module for _, module in modules]
        self.evaluation_module_names = [module.name if name is None else name for name, module in modules]
        self.force_prefix = force_prefix

    def add(self, prediction: str, reference: str | Sequence[str]) -> None:
        """Adds one segment to all modules."""
        self.add_batch([prediction], [reference])

    def add_batch(self, predictions: Sequence[str], references: References) -> None:
        """Adds segments to all modules."""
        for module in self.evaluation_modules:
            module.add_batch(predictions=predictions, references=references)

    def compute(
        self, predictions: Sequence[str] | None = None, references: References | None = None, **options: Any
    ) -> dict[str, Any]:
        """The results of all modules, each of which gets all options."""
        results = [
            module.compute(predictions=predictions, references=references, **options)
            for module in self.evaluation_modules
        ]
        for name, result in zip(self.evaluation_module_names, results):
            if not isinstance(result, dict):
                raise RequestError(f"{name} gives a number without a key and cannot be combined, as in evaluate")
        keys = Counter(key for result in results for key in result)
        names = Counter(self.evaluation_module_names)
        seen: Counter[str] = Counter()
        merged = {}
        for name, result in zip(self.evaluation_module_names, results):
            prefix = f"{name}_{seen[name]}" if names[name] > 1 else name
            for key, value in result.items():
                merged[key if keys[key] == 1 and not self.force_prefix else f"{prefix}_{key}"] = value
            seen[name] += 1
        return merged


def combine(
    evaluations: Sequence[str | EvaluationModule] | dict[str, str | EvaluationModule], force_prefix: bool = False
) -> CombinedEvaluations:
    """Several modules in one, by name or as they are; a dict gives them other names."""
    return CombinedEvaluations(evaluations, force_prefix)


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


def _google_bleu(
    predictions: Sequence[str],
    references: References,
    tokenizer: Callable[[str], Sequence[str]] | None = None,
    min_len: int = 1,
    max_len: int = 4,
) -> dict[str, float]:
    segments = [[lines] if isinstance(lines, str) else list(lines) for lines in references]
    if tokenizer is None:
        score = Metric(f"gleu:min_order={min_len},max_order={max_len}").score(list(predictions), segments)
    else:
        tokens = [[tokenizer(line) for line in lines] for lines in segments]
        score = nltk.corpus_gleu(tokens, [tokenizer(line) for line in predictions], min_len, max_len)
    return {"google_bleu": score}


def _nist_mt(
    predictions: Sequence[str],
    references: References,
    n: int = 5,
    lowercase: bool = False,
    western_lang: bool = True,
) -> dict[str, float]:
    segments = [[lines] if isinstance(lines, str) else list(lines) for lines in references]

    def tokens(line: str) -> list[str]:
        return _nist_tokens(line, lowercase, western_lang)

    of_references = [[tokens(line) for line in lines] for lines in segments]
    return {"nist_mt": nltk.corpus_nist(of_references, [tokens(line) for line in predictions], n)}


#: The rules of mteval for punctuation, full stops and commas beside other signs than digits, dashes after digits.
_NIST_RULES = (
    (re.compile(r"([!-&(-+/:-@\[-`{-~])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def _nist_tokens(line: str, lowercase: bool, western: bool) -> list[str]:
    """The tokens of NLTK's `NISTTokenizer`."""
    line = unescape(line.replace("<skipped>", ""))
    if western:
        line = f" {line.lower() if lowercase else line} "
        for pattern, replacement in _NIST_RULES:
            line = pattern.sub(replacement, line)
    return line.split()


def _character(
    predictions: Sequence[str], references: References, aggregate: str = "mean", return_all_scores: bool = False
) -> dict[str, Any]:
    combined: dict[str, Callable[[list[float]], float]] = {
        "mean": statistics.mean,
        "sum": sum,
        "median": statistics.median,
    }
    if aggregate not in combined:
        raise RequestError(f"aggregate must be mean, sum or median, found {aggregate!r}")
    scores = [score / 100 for score in Metric("character").segment_scores(list(predictions), _only(references))]
    result: dict[str, Any] = {"cer_score": combined[aggregate](scores)}
    return {**result, "cer_scores": scores} if return_all_scores else result


def _exact_match(
    predictions: Sequence[str],
    references: References,
    regexes_to_ignore: Sequence[str] | None = None,
    ignore_case: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
) -> dict[str, float]:
    """The share of predictions that are their references; where the options leave nothing of either, the texts as they
    were given must be the same."""
    removed = string.punctuation * ignore_punctuation + string.digits * ignore_numbers
    table = str.maketrans("", "", removed)

    def reduced(line: str) -> str:
        for pattern in regexes_to_ignore or ():
            line = re.sub(pattern, "", line)
        return (line.lower() if ignore_case else line).translate(table)

    pairs = [(one, other, reduced(one), reduced(other)) for one, other in zip(predictions, _only(references))]
    same = [a == b and (a != "" or one == other) for one, other, a, b in pairs]
    return {"exact_match": sum(same) / len(same)}


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
    "google_bleu": _google_bleu,
    "nist_mt": _nist_mt,
    "chrf": _chrf,
    "ter": _ter,
    "character": _character,
    "exact_match": _exact_match,
    "meteor": _meteor,
    "rouge": rouge,
    "wer": _wer,
    "cer": _cer,
}
