"""Tokenizers of `RougeScorer`."""

from __future__ import annotations

import abc
from typing import Any

from ... import _native
from . import tokenize


class Tokenizer(abc.ABC):
    """What turns a text into its tokens."""

    @abc.abstractmethod
    def tokenize(self, text: Any) -> list[Any]:
        """The tokens."""
        raise NotImplementedError


class PorterStemmer:
    """NLTK's stems, computed by tercet."""

    def stem(self, word: str) -> str:
        """The stem of a word in small letters."""
        return _native.nltk_stems([word])[0]


class DefaultTokenizer(Tokenizer):
    """ASCII letters and digits, with or without stems."""

    def __init__(self, use_stemmer: bool = False) -> None:
        self._stemmer = PorterStemmer() if use_stemmer else None

    def tokenize(self, text: Any) -> list[str]:
        """The tokens."""
        return tokenize.tokenize(text, self._stemmer)
