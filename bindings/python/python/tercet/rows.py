"""Rows with named fields in place of systems and references: files, and lists of dicts."""

from __future__ import annotations

from . import _native
from .errors import RequestError

TYPE_CHECKING = False  # typing takes a third of the time of the import

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

#: Fields that may have several names.
_SEVERAL = ("hypothesis", "reference")


def are_rows(value: Any) -> bool:
    """Whether a value is the path of a file, or a list of dicts."""
    if isinstance(value, (list, tuple)):
        return bool(value) and isinstance(value[0], dict)
    return isinstance(value, str) or hasattr(type(value), "__fspath__")


def row_input(rows: Any, fields: Mapping[str, Any] | None, name: str, needs_references: bool | None) -> dict[str, Any]:
    """The texts of rows as the native module reads them; `name` is that of a system without one.
    `needs_references` is None where sources will do."""
    path: str | None = None
    text: str | None = None
    if isinstance(rows, (list, tuple)):
        import json

        try:
            text = json.dumps(rows, ensure_ascii=False, allow_nan=False)
        except ValueError as error:
            raise RequestError(f"hypotheses: a row cannot be written as JSON: {error} (NaN is no text)") from None
    else:
        import os

        path = name = os.fspath(rows)
    systems, references, sources, documents = _native.read_rows(path, text, _names(fields), name, needs_references)
    lines = references or None
    found = {"systems": systems, "references": lines, "by_column": False}
    return {**found, "sources": sources, "documents": documents, "align": None}


def _names(fields: Mapping[str, Any] | None) -> dict[str, Any]:
    """Names of fields, those of texts as lists."""
    if fields is None:
        return {}
    if not hasattr(fields, "items"):
        raise TypeError(f"fields: expected a dict of names of fields, found {type(fields).__name__}")
    return {
        str(role): [names] if role in _SEVERAL and isinstance(names, str) else names for role, names in fields.items()
    }
