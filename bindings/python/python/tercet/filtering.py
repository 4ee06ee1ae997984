"""Good pairs of a parallel corpus."""

from __future__ import annotations

from . import _native
from .arguments import optional_text
from .checking import _names, _number
from .errors import RequestError
from .progress import reporting
from .results import Report
from .texts import native_texts

TYPE_CHECKING = False  # typing takes a third of the time of the import

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .aliases import Progress, Texts


class FilteredPairs(Report):
    """Which pairs stay: `kept`, `reasons` and `scores` have an item for each; the counts are in `data`."""

    def __init__(self, written: dict[str, str], reasons: list[str | None], scores: list[float | None]) -> None:
        super().__init__(written)
        #: Why a pair is dropped; None if it stays.
        self.reasons = reasons
        #: The score of each pair; None if it was not scored.
        self.scores = scores

    @property
    def kept(self) -> list[bool]:
        """Whether each pair stays."""
        return [reason is None for reason in self.reasons]

    def rows(self) -> list[dict[str, Any]]:
        """The reason and the score of each pair."""
        return [{"reason": reason, "score": score} for reason, score in zip(self.reasons, self.scores)]

    def __len__(self) -> int:
        return len(self.reasons)


def filter(
    sources: Texts,
    targets: Texts,
    *,
    metric: str | None = None,
    language: str | None = None,
    source_language: str | None = None,
    min_score: float | None = None,
    keep: float | None = None,
    max_length_ratio: float = 3.0,
    duplicates: str = "pair",
    ignore: None | str | Iterable[str] = None,
    progress: Progress = True,
) -> FilteredPairs:
    """Says which pairs of a parallel corpus are good, as `tercet filter` does.

    Rules come first: empty texts, copies, lengths, languages, duplicates (`pair`, `source` or `target`). The others are
    scored without references by `metric` (the learned one); those below `min_score`, or not among the share `keep` of
    all pairs with the best scores, are dropped. `ignore` names reasons that do not count: without `score`, nothing is
    scored. Missing texts (None) are empty ones.
    """
    job = {
        "metric": optional_text(metric, "metric"),
        "language": optional_text(language, "language"),
        "source_language": optional_text(source_language, "source_language"),
        "min_score": None if min_score is None else _number(min_score, "min_score"),
        "keep": None if keep is None else _number(keep, "keep"),
        "max_length_ratio": _number(max_length_ratio, "max_length_ratio"),
        "duplicates": optional_text(duplicates, "duplicates") or "pair",
        "ignore": _names(ignore, "ignore"),
    }
    pairs = native_texts(sources, "sources"), native_texts(targets, "targets")
    if len(pairs[0]) != len(pairs[1]):
        raise RequestError(f"{len(pairs[0])} sources and {len(pairs[1])} targets: expected a target for each source")
    with reporting(progress) as report:
        return FilteredPairs(*_native.filter(job, *pairs, report))
