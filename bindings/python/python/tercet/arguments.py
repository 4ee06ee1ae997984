"""Checks of arguments, with messages that name them."""

from __future__ import annotations

from _operator import index

from .errors import RequestError

#: Seeds have 64 bits.
MAX_SEED = 2**64 - 1


#: The native module counts with 64 bits.
_MOST = 2**63 - 1


def whole(value: object, what: str, least: int = 0, most: int = _MOST) -> int:
    """The whole number, of any library."""
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or not least <= number <= most:
        numbers = f", {least} or more" if most == _MOST else f" from {least} to {most}"
        raise RequestError(f"{what}: expected a whole number{numbers}, found {value!r}")
    return number


def optional_whole(value: object, what: str, least: int = 0, most: int = _MOST) -> int | None:
    """The same, or None."""
    return None if value is None else whole(value, what, least, most)


def text(value: object, what: str) -> str:
    """The text of a value, which UTF-8 can write."""
    found = str(value)
    try:
        found.encode()
    except UnicodeEncodeError:
        raise RequestError(f"{what} has a lone surrogate, half of a character: {found!r}") from None
    return found


def flag(value: object, what: str) -> bool:
    """True or False, of any library."""
    if not isinstance(value, (bool, int)) and type(value).__module__ != "numpy" or value not in (True, False):
        raise TypeError(f"{what}: expected True or False, found {value!r}")
    return bool(value)


def optional_text(value: object, what: str) -> str | None:
    """A str or None."""
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{what}: expected str, found {type(value).__name__}")
    return value
