"""The words of a text as rouge-score has them."""

from __future__ import annotations

import re
from typing import Any

NON_ALPHANUM_PATTERN = r"[^a-z0-9]+"
NON_ALPHANUM_RE = re.compile(NON_ALPHANUM_PATTERN)
SPACES_PATTERN = r"\s+"
SPACES_RE = re.compile(SPACES_PATTERN)
VALID_TOKEN_PATTERN = r"^[a-z0-9]+$"
VALID_TOKEN_RE = re.compile(VALID_TOKEN_PATTERN)


def tokenize(text: Any, stemmer: Any) -> list[str]:
    """Runs of ASCII letters and digits in small letters; with a stemmer, longer ones than three become their stems."""
    lowered = text.lower()
    words = NON_ALPHANUM_RE.sub(" ", lowered.decode() if isinstance(lowered, bytes) else lowered).split()
    if stemmer:
        words = [stemmer.stem(word) if len(word) > 3 else word for word in words]
    return [word for word in words if VALID_TOKEN_RE.match(word)]
