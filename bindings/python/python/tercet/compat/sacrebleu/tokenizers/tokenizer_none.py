"""Splits at white space only."""

from .tokenizer_base import BaseTokenizer


class NoneTokenizer(BaseTokenizer):
    """Splits at white space only."""

    name = "none"
