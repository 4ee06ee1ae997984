"""mteval-v13a for Western scripts."""

from .tokenizer_base import BaseTokenizer


class Tokenizer13a(BaseTokenizer):
    """mteval-v13a for Western scripts."""

    name = "13a"
