"""`RougeScorer`: ROUGE-N, ROUGE-L and ROUGE-Lsum of texts, computed by tercet's metric `rouge`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ...errors import UnsupportedError
from ...metrics import build
from . import scoring, tokenizers
from .scoring import Score


@lru_cache(maxsize=64)
def _native(kind: str, options: str) -> Any:
    return build(f"rouge:type={kind},{options}")


class RougeScorer(scoring.BaseScorer):
    """Scores by type: `rouge1` to `rouge9`, `rougeL`, `rougeLsum`.

    `use_stemmer` takes NLTK's Porter stems, `tokenizer` an object with a method `tokenize`. `split_summaries` splits
    texts into sentences by `nltk.sent_tokenize`, which needs NLTK and its data; else sentences end at line feeds.
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Any = None,
    ) -> None:
        self.rouge_types = rouge_types
        self._tokenizer = tokenizer if tokenizer else tokenizers.DefaultTokenizer(use_stemmer)
        self._split_summaries = split_summaries

    def score_multi(self, targets: Sequence[Any], prediction: Any) -> dict[str, Score]:
        """For each type the scores against the target with the highest F1, the first of equals."""
        each = [self.score(target, prediction) for target in targets]
        if not each and len(self.rouge_types):
            raise ValueError("there is no target to score against")
        return {kind: max((scores[kind] for scores in each), key=lambda one: one.fmeasure) for kind in self.rouge_types}

    def score(self, target: Any, prediction: Any) -> dict[str, Score]:
        """The scores of a prediction against a target."""
        only_summaries = len(self.rouge_types) == 1 and self.rouge_types[0] == "rougeLsum"
        texts = _Texts(self, target, prediction)
        if not only_summaries:
            texts.lines()
        return {kind: self._score(kind, texts) for kind in self.rouge_types}

    def _score(self, kind: str, texts: _Texts) -> Score:
        if kind == "rougeLsum":
            return _of_words(texts.count("lsum", texts.summaries()))
        if kind == "rougeL":
            return _of_words(texts.count("l", texts.lines()))
        if not re.match(r"rouge[0-9]$", kind):
            raise ValueError(f"Invalid rouge type: {kind}")
        if kind[5] == "0":
            raise ValueError(f"rougen requires positive n: {kind}")
        return _of_units(*texts.count(kind[5], texts.lines()))


class _Texts:
    """A target and a prediction, as tercet's metric takes them; tokens of the user's own as numbers."""

    def __init__(self, scorer: RougeScorer, *texts: Any) -> None:
        self.scorer, self.texts = scorer, texts
        tokenizer = scorer._tokenizer
        self.is_default = type(tokenizer) is tokenizers.DefaultTokenizer
        stems = "nltk" if self.is_default and tokenizer._stemmer else "no"
        self.options = f"stem={stems}" if self.is_default else "tok=none,lowercase=no"
        self.numbers: dict[Any, int] = {}
        self.whole: list[str] | None = None

    def lines(self) -> list[str]:
        """Each text as one sentence."""
        if self.whole is None:
            self.whole = [self.line(text) for text in self.texts]
        return self.whole

    def line(self, text: Any) -> str:
        if self.is_default:
            if not isinstance(text, (str, bytes)):
                raise AttributeError(f"{type(text).__name__!r} object has no attribute 'lower'")
            return _string(text)
        return " ".join(
            str(self.numbers.setdefault(token, len(self.numbers))) for token in self.scorer._tokenizer.tokenize(text)
        )

    def summaries(self) -> list[str]:
        """Each text with a line for each sentence."""
        return ["\n".join(self.sentences(text)) for text in self.texts]

    def sentences(self, text: Any) -> list[str]:
        if self.scorer._split_summaries:
            sentences = _sentences(text)
        else:
            sentences = _string(text).split("\n")
        lines = [self.line(sentence) for sentence in sentences if len(sentence)]
        return [line.replace("\n", " ") for line in lines]

    def count(self, kind: str, lines: list[str]) -> tuple[float, float, float]:
        """The units that are shared, those of the target and those of the prediction."""
        target, prediction = lines
        _, _, _, _, _, *units = _native(kind, self.options).tally_segment(prediction, [target])
        return units[0], units[1], units[2]


def _string(text: Any) -> str:
    if isinstance(text, bytes):
        return text.decode()
    if not isinstance(text, str):
        raise TypeError(f"expected str or bytes, found {type(text).__name__}")
    return text


def _sentences(text: Any) -> list[str]:
    try:
        from nltk import sent_tokenize
    except ImportError:
        message = "split_summaries needs nltk (pip install nltk, and its data: python -m nltk.downloader punkt_tab)"
        raise UnsupportedError(message) from None
    return list(sent_tokenize(text))


def _of_words(counts: tuple[float, float, float]) -> Score:
    """The score of a common subsequence; whole zeros where a text has no words, as in rouge-score."""
    if not counts[1] or not counts[2]:
        return Score(precision=0, recall=0, fmeasure=0)
    return _of_units(*counts)


def _of_units(shared: float, expected: float, found: float) -> Score:
    precision, recall = shared / max(found, 1), shared / max(expected, 1)
    return Score(precision, recall, scoring.fmeasure(precision, recall))
