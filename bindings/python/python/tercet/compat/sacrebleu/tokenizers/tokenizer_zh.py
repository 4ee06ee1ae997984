"""Chinese characters apart, the rest as 13a."""

from .tokenizer_base import BaseTokenizer


class TokenizerZh(BaseTokenizer):
    """Chinese characters apart, the rest as 13a."""

    name = "zh"
