"""Korean words by MeCab."""

from .tokenizer_base import TokenizerWithModel


class TokenizerKoMecab(TokenizerWithModel):
    """Korean words by MeCab."""

    name = "ko-mecab"
