"""Tokenizers."""

from __future__ import annotations

from typing import overload

from . import _native
from .aliases import Path, Texts
from .corpora import path_of
from .texts import native_texts


@overload
def tokenize(  # type: ignore[overload-overlap]
    text: str,
    tokenizer: str | None = None,
    *,
    language: str | None = None,
    lowercase: bool = False,
    tok_model: Path | None = None,
) -> list[str]: ...
@overload
def tokenize(
    text: Texts,
    tokenizer: str | None = None,
    *,
    language: str | None = None,
    lowercase: bool = False,
    tok_model: Path | None = None,
) -> list[list[str]]: ...
def tokenize(
    text: str | Texts,
    tokenizer: str | None = None,
    *,
    language: str | None = None,
    lowercase: bool = False,
    tok_model: Path | None = None,
) -> list[str] | list[list[str]]:
    """The tokens of a line, or of each line, as a metric with `tok=tokenizer` sees them (by default `13a`, or BLEU's
    for
    `language`); `tok_model` is the path of the dictionary or model of tokenizers that have one."""
    arguments = {"tokenizer": tokenizer, "language": language, "lowercase": lowercase}
    model = None if tok_model is None else path_of(tok_model, "tok_model")
    if isinstance(text, str):
        return _native.tokenize([text], arguments, model)[0]
    return _native.tokenize(native_texts(text, "text"), arguments, model)


def tokenizers() -> dict[str, str]:
    """Every tokenizer with a line of description."""
    return dict(_native.tokenizers())
