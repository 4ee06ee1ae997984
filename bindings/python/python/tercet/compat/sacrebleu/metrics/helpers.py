"""Counts of n-grams, in the module in which sacreBLEU has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def _windows(items: Sequence[str], order: int) -> list[Sequence[str]]:
    return [items[start : start + order] for start in range(len(items) - order + 1)]


def extract_all_word_ngrams(line: str, min_order: int, max_order: int) -> tuple[Counter[tuple[str, ...]], int]:
    """All word n-grams of these orders, and the number of words."""
    words = line.split()
    orders = range(min_order, max_order + 1)
    return Counter(tuple(ngram) for order in orders for ngram in _windows(words, order)), len(words)


def extract_word_ngrams(tokens: list[str], n: int) -> Counter[str]:
    """The n-grams of this order, their words joined by spaces."""
    return Counter(" ".join(ngram) for ngram in _windows(tokens, n))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """The character n-grams of this order."""
    text = line if include_whitespace else "".join(line.split())
    return Counter(str(ngram) for ngram in _windows(text, n))


def extract_all_char_ngrams(line: str, max_order: int, include_whitespace: bool = False) -> list[Counter[str]]:
    """The character n-grams of each order from 1 on."""
    return [extract_char_ngrams(line, order, include_whitespace) for order in range(1, max_order + 1)]
