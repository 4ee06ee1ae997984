"""Japanese words by MeCab."""

from .tokenizer_base import TokenizerWithModel


class TokenizerJaMecab(TokenizerWithModel):
    """Japanese words by MeCab."""

    name = "ja-mecab"
