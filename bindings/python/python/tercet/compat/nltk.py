"""Metrics of `nltk.translate` of NLTK 3.10.4 by their names, on lists of tokens: GLEU, RIBES, NIST.

`sentence_gleu`, `corpus_gleu`, `sentence_ribes`, `corpus_ribes`, `sentence_nist`, `corpus_nist`. Tokens may be anything
that has a hash. What differs on purpose: where NLTK divides by zero (NIST of hypotheses that are all shorter than the
order) the score is 0 of that order; lines of any length have a RIBES; orders go up to 16, of NIST up to 9.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache

from ..errors import DataError
from ..metrics import Metric

Tokens = Sequence[Hashable]


def sentence_gleu(references: Sequence[Tokens], hypothesis: Tokens, min_len: int = 1, max_len: int = 4) -> float:
    """GLEU of one segment."""
    return corpus_gleu([references], [hypothesis], min_len, max_len)


def corpus_gleu(
    list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], min_len: int = 1, max_len: int = 4
) -> float:
    """GLEU of all segments together."""
    return _score(f"gleu:tok=none,min_order={min_len},max_order={max_len}", list_of_references, hypotheses)


def sentence_ribes(
    references: Sequence[Tokens], hypothesis: Tokens, alpha: float = 0.25, beta: float = 0.10
) -> float:
    """RIBES of one segment."""
    return corpus_ribes([references], [hypothesis], alpha, beta)


def corpus_ribes(
    list_of_references: Sequence[Sequence[Tokens]],
    hypotheses: Sequence[Tokens],
    alpha: float = 0.25,
    beta: float = 0.10,
) -> float:
    """The mean RIBES of all segments."""
    if not len(hypotheses):
        return 0.0
    return _score(f"ribes:alpha={alpha},beta={beta}", list_of_references, hypotheses)


def sentence_nist(references: Sequence[Tokens], hypothesis: Tokens, n: int = 5) -> float:
    """NIST of one segment, whose references alone weigh the n-grams."""
    return corpus_nist([references], [hypothesis], n)


def corpus_nist(list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], n: int = 5) -> float:
    """NIST of all segments together."""
    spec = f"nist:tok=none,lowercase=no,max_order={n},version=nltk"
    return _score(spec, list_of_references, hypotheses)


@cache
def _metric(spec: str) -> Metric:
    return Metric(spec)


def _score(spec: str, references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens]) -> float:
    if len(references) != len(hypotheses):
        raise DataError(f"there are {len(hypotheses)} hypotheses but references for {len(references)}")
    numbers: dict[Hashable, str] = {}

    def line(tokens: Tokens) -> str:
        # A number for each token, since a token may have spaces.
        return " ".join(numbers.setdefault(token, str(len(numbers))) for token in tokens)

    return _metric(spec).score([line(one) for one in hypotheses], [[line(one) for one in many] for many in references])


def __getattr__(name: str) -> object:
    raise AttributeError(f"tercet.compat.nltk has GLEU, RIBES and NIST, not {name}: nltk itself has it")
