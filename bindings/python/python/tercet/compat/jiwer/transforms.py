"""jiwer's transformations of texts; a pipeline ends with one that makes words or characters of each line."""

from __future__ import annotations

import re
import string
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any


class AbstractTransform:
    """A transformation of a string, or of each string of a list."""

    def __call__(self, sentences: Any) -> Any:
        if isinstance(sentences, str):
            return self.process_string(sentences)
        if isinstance(sentences, list):
            return self.process_list(sentences)
        raise ValueError(f"expected a string or a list of strings, found {sentences!r}")

    def process_string(self, s: str) -> Any:
        """The transformed string."""
        raise NotImplementedError

    def process_list(self, inp: list[str]) -> Any:
        """The transformed list."""
        return [self.process_string(line) for line in inp]


class Compose:
    """Transformations one after the other."""

    def __init__(self, transforms: Sequence[Any]) -> None:
        self.transforms = transforms

    def __call__(self, text: Any) -> Any:
        for transform in self.transforms:
            text = transform(text)
        return text


class BaseRemoveTransform(AbstractTransform):
    """Removes strings, or puts another one in their place."""

    def __init__(self, tokens_to_remove: Iterable[str], replace_token: str = "") -> None:
        self.tokens_to_remove = tokens_to_remove
        self.replace_token = replace_token

    def process_string(self, s: str) -> str:
        """The string without them."""
        for token in self.tokens_to_remove:
            s = s.replace(token, self.replace_token)
        return s


class _ListOfLists(AbstractTransform):
    """What makes a list of units of each line."""

    def _units(self, line: str) -> list[str]:
        raise NotImplementedError

    def process_string(self, s: str) -> list[list[str]]:
        """The units of one line, in a list of one."""
        return [self._units(s)]

    def process_list(self, inp: list[str]) -> list[list[str]]:
        """The units of each line; of no line at all, those of an empty one."""
        return [self.process_string(line)[0] for line in inp] or [[]]


class ReduceToListOfListOfWords(_ListOfLists):
    """The words of each line, separated by a delimiter."""

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def _units(self, line: str) -> list[str]:
        return [word for word in line.split(self.word_delimiter) if word]


class ReduceToListOfListOfChars(_ListOfLists):
    """The characters of each line."""

    def _units(self, line: str) -> list[str]:
        return list(line)


class ReduceToSingleSentence(AbstractTransform):
    """All lines that are not empty as one."""

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> str:
        """The string as it is."""
        return s

    def process_list(self, inp: list[str]) -> list[str]:
        """A list of one line, or of none."""
        lines = [line for line in inp if len(line)]
        return [self.word_delimiter.join(lines)] if lines else []


class SubstituteRegexes(AbstractTransform):
    """Replaces what regular expressions match."""

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        """The string after all replacements, in their order."""
        for pattern, replacement in self.substitutions.items():
            s = re.sub(pattern, replacement, s)
        return s


class SubstituteWords(AbstractTransform):
    """Replaces whole words."""

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        """The string after all replacements, in their order."""
        for word, replacement in self.substitutions.items():
            s = re.sub(rf"\b{re.escape(word)}\b", replacement, s)
        return s


class RemoveSpecificWords(SubstituteWords):
    """Puts a space in the place of each of these words."""

    def __init__(self, words_to_remove: Iterable[str]) -> None:
        super().__init__(dict.fromkeys(words_to_remove, " "))


class RemoveWhiteSpace(BaseRemoveTransform):
    """Removes ASCII white space, or makes spaces of it."""

    def __init__(self, replace_by_space: bool = False) -> None:
        super().__init__(list(string.whitespace), " " if replace_by_space else "")


@cache
def _punctuation() -> frozenset[str]:
    characters = map(chr, range(sys.maxunicode + 1))
    return frozenset(one for one in characters if unicodedata.category(one).startswith("P"))


@cache
def _without_punctuation() -> dict[int, None]:
    return dict.fromkeys(map(ord, _punctuation()))


class RemovePunctuation(BaseRemoveTransform):
    """Removes the characters of Unicode's categories of punctuation."""

    def __init__(self) -> None:
        super().__init__(_punctuation())

    def process_string(self, s: str) -> str:
        """The string without punctuation."""
        if self.tokens_to_remove is _punctuation() and self.replace_token == "":
            return s.translate(_without_punctuation())
        return super().process_string(s)


class RemoveMultipleSpaces(AbstractTransform):
    """A space in the place of two or more white-space characters."""

    def process_string(self, s: str) -> str:
        """The string with such spaces."""
        return re.sub(r"\s\s+", " ", s)


class Strip(AbstractTransform):
    """Removes white space at both ends."""

    def process_string(self, s: str) -> str:
        """The string without it."""
        return s.strip()


class RemoveEmptyStrings(AbstractTransform):
    """Removes lines without anything but white space."""

    def process_string(self, s: str) -> str:
        """The string without white space at its ends."""
        return s.strip()

    def process_list(self, inp: list[str]) -> list[str]:
        """The other lines, as they are."""
        return [line for line in inp if self.process_string(line) != ""]


#: Contractions in the order in which they are written out.
_CONTRACTIONS = (
    ("won't", "will not"),
    ("can't", "can not"),
    ("let's", "let us"),
    ("n't", " not"),
    ("'re", " are"),
    ("'s", " is"),
    ("'d", " would"),
    ("'ll", " will"),
    ("'t", " not"),
    ("'ve", " have"),
    ("'m", " am"),
)


class ExpandCommonEnglishContractions(AbstractTransform):
    """Writes out contractions: `let's` becomes `let us`, `she'll` becomes `she will`."""

    def process_string(self, s: str) -> str:
        """The string with words in their place."""
        for contraction, words in _CONTRACTIONS:
            s = s.replace(contraction, words)
        return s


class ToLowerCase(AbstractTransform):
    """Small letters."""

    def process_string(self, s: str) -> str:
        """The string in small letters."""
        return s.lower()


class ToUpperCase(AbstractTransform):
    """Capitals."""

    def process_string(self, s: str) -> str:
        """The string in capitals."""
        return s.upper()


class RemoveKaldiNonWords(AbstractTransform):
    """Removes what stands in square or angle brackets, as `[laugh]` and `<unk>`."""

    def process_string(self, s: str) -> str:
        """The string without it."""
        return re.sub(r"[<\[][^>\]]*[>\]]", "", s)


__all__ = [
    "AbstractTransform",
    "Compose",
    "ExpandCommonEnglishContractions",
    "ReduceToListOfListOfChars",
    "ReduceToListOfListOfWords",
    "ReduceToSingleSentence",
    "RemoveEmptyStrings",
    "RemoveKaldiNonWords",
    "RemoveMultipleSpaces",
    "RemovePunctuation",
    "RemoveSpecificWords",
    "RemoveWhiteSpace",
    "Strip",
    "SubstituteRegexes",
    "SubstituteWords",
    "ToLowerCase",
    "ToUpperCase",
]
