"""Suspicious lines of outputs, references and sources."""

from __future__ import annotations

from . import _native
from .arguments import flag, optional_text
from .errors import RequestError
from .progress import reporting
from .results import Report
from .scoring import input_of

TYPE_CHECKING = False  # typing takes a third of the time of the import

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from .aliases import Hypotheses, Progress, References, Rows, Texts


class SuspiciousLines(Report):
    """The lines that do not look like translations, as rows; `summary` counts them by kinds."""

    @property
    def summary(self) -> list[dict[str, Any]]:
        """How many lines of each text are suspicious, a dict for each kind."""
        return list(self.data["summary"])

    @property
    def findings(self) -> list[dict[str, Any]]:
        """A dict for each suspicious line: its text, number, severity, kind, reason and start."""
        return list(self.data["findings"])

    @property
    def failed(self) -> bool:
        """With `strict`: whether there are errors or warnings."""
        return bool(self.data["failed"])

    def rows(self) -> list[dict[str, Any]]:
        """The findings."""
        return self.findings

    def __len__(self) -> int:
        return len(self.data["findings"])

    def __bool__(self) -> bool:
        """Whether anything was found, also if only the summary was asked for."""
        return bool(self.data["summary"])


def _names(values: None | str | Iterable[str], what: str) -> list[str]:
    names = [values] if isinstance(values, str) else list(values or [])
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f"{what}: expected the names of kinds, found {values!r}")
    return names


def _number(value: float, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise RequestError(f"{what}: expected a number, found {value!r}") from None


def check(
    hypotheses: Hypotheses | Rows,
    references: References | None = None,
    sources: Texts | None = None,
    *,
    language: str | None = None,
    kinds: None | str | Iterable[str] = None,
    ignore: None | str | Iterable[str] = None,
    min_share: float = 0.0,
    max_length_ratio: float = 3.0,
    strict: bool = False,
    summary: bool = False,
    fields: Mapping[str, str | Sequence[str]] | None = None,
    progress: Progress = True,
) -> SuspiciousLines:
    """Lists the lines that do not look like translations, with the reason.

    References and sources are optional; a file or a list of dicts has them in the `fields` of its rows, as for
    `tercet.score`. `kinds` names what is looked for, `ignore` what is not. `min_share` leaves out what is in a smaller
    share of a text's lines, `summary` counts only, and with `strict` the result has `failed` if there are errors or
    warnings.
    """
    job = {
        "language": optional_text(language, "language"),
        "kinds": _names(kinds, "kinds"),
        "ignore": _names(ignore, "ignore"),
        "min_share": _number(min_share, "min_share"),
        "max_length_ratio": _number(max_length_ratio, "max_length_ratio"),
        "strict": flag(strict, "strict"),
        "summary": flag(summary, "summary"),
    }
    given = input_of(hypotheses, references, sources, fields, needs_references=False)
    with reporting(progress) as report:
        return SuspiciousLines(_native.check(job, given, report))
