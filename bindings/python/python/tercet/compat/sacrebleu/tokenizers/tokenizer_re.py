"""What `13a` and `zh` do last: punctuation apart, as in mteval-v13a."""

from __future__ import annotations

import re

from .tokenizer_base import BaseTokenizer

#: Patterns and their replacements, in this order; a match takes its characters, so that they are in no other match.
_PASSES = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"([ -&(-+/:-@\[-`{-~])", r" \1 "),
        (r"([^0-9])([.,])", r"\1 \2 "),
        (r"([.,])([^0-9])", r" \1 \2"),
        (r"([0-9])(-)", r"\1 \2 "),
    )
]


class TokenizerRegexp(BaseTokenizer):
    """Punctuation apart; full stops, commas and hyphens depending on the digits beside them."""

    def signature(self) -> str:
        """The value of `tok` in signatures."""
        return "re"

    def __call__(self, line: str) -> str:
        for pattern, replacement in _PASSES:
            line = pattern.sub(replacement, line)
        return " ".join(line.split())
