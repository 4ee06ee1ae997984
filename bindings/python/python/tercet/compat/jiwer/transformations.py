"""jiwer's usual pipelines; those named `contiguous` join all lines, and those named `standardize` ignore case."""

from __future__ import annotations

from .transforms import (
    Compose,
    ExpandCommonEnglishContractions,
    ReduceToListOfListOfChars,
    ReduceToListOfListOfWords,
    ReduceToSingleSentence,
    RemoveKaldiNonWords,
    RemoveMultipleSpaces,
    RemoveWhiteSpace,
    Strip,
    ToLowerCase,
)

_spaces = [RemoveMultipleSpaces(), Strip()]
_standard = [
    ToLowerCase(),
    ExpandCommonEnglishContractions(),
    RemoveKaldiNonWords(),
    RemoveWhiteSpace(replace_by_space=True),
]

wer_default = Compose([*_spaces, ReduceToListOfListOfWords()])
wer_contiguous = Compose([*_spaces, ReduceToSingleSentence(), ReduceToListOfListOfWords()])
wer_standardize = Compose([*_standard, *_spaces, ReduceToListOfListOfWords()])
wer_standardize_contiguous = Compose([*_standard, *_spaces, ReduceToSingleSentence(), ReduceToListOfListOfWords()])
cer_default = Compose([Strip(), ReduceToListOfListOfChars()])
cer_contiguous = Compose([Strip(), ReduceToSingleSentence(), ReduceToListOfListOfChars()])

__all__ = [
    "cer_contiguous",
    "cer_default",
    "wer_contiguous",
    "wer_default",
    "wer_standardize",
    "wer_standardize_contiguous",
]
