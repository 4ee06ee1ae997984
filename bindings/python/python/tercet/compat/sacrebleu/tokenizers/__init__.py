"""sacreBLEU's tokenizers."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from .tokenizer_base import BaseTokenizer

#: Where the class of each tokenizer is.
TOKENIZERS = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}


@cache
def tokenizer_class(name: str) -> type[BaseTokenizer]:
    """The class of a tokenizer."""
    if name not in TOKENIZERS:
        raise KeyError(f"unknown tokenizer {name!r} (known: {', '.join(TOKENIZERS)})")
    module, found = TOKENIZERS[name].split(".")
    made: type[BaseTokenizer] = getattr(import_module(f".{module}", __name__), found)
    return made


__all__ = ["TOKENIZERS", "BaseTokenizer", "tokenizer_class"]
