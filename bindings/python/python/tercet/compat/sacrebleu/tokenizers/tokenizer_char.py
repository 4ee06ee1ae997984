"""Every character a token."""

from .tokenizer_base import BaseTokenizer


class TokenizerChar(BaseTokenizer):
    """Every character a token."""

    name = "char"
