"""mteval-v14's international tokenization."""

from .tokenizer_base import BaseTokenizer


class TokenizerV14International(BaseTokenizer):
    """mteval-v14's international tokenization."""

    name = "intl"
