"""The words behind scores: what found a partner, and the alignments of METEOR and TER."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from . import _native
from .aliases import Hypotheses, Progress, References
from .arguments import optional_whole
from .forks import loading
from .metrics import Metric
from .progress import reporting
from .results import Report
from .scoring import input_of
from .texts import native_texts


class Explanation(Report):
    """Words with and without a good partner, segment by segment: `data` has all of them with their places in the
    line."""

    def rows(self) -> list[dict[str, Any]]:
        """A dict for each segment: its score, the number of its reference from 1, and the words without a good
        partner."""
        return [
            {
                "system": one["system"],
                "segment": one["segment"],
                **one["scores"],
                "reference": one["reference"],
                **{f"{side}_unmatched": _unmatched(one[f"{side}_words"]) for side in ("hypothesis", "reference")},
            }
            for one in self.data
        ]


def _unmatched(words: list[dict[str, Any]]) -> str:
    return " ".join(word["word"] for word in words if not word["matched"])


def explain(
    hypotheses: Hypotheses,
    references: References,
    metric: str | Metric = "siamese",
    *,
    top: int | None = None,
    language: str | None = None,
    progress: Progress = True,
) -> Explanation:
    """Which words of translations and references have a good partner; with `top`, only the worst segments of each
    system."""
    given = input_of(hypotheses, references)
    with reporting(progress) as report:
        return Explanation(_native.explain(given, Metric(metric, language)._metric, optional_whole(top, "top"), report))


class MarkedWords(NamedTuple):
    """Words of a translation and of its best reference that a metric marks: first character, the one behind the last,
    kind."""

    reference_number: int
    hypothesis: list[tuple[int, int, str]]
    reference: list[tuple[int, int, str]]


class MarkedSystems:
    """Marked words: `marked["system"][segment]`; `kinds` says what each kind means."""

    def __init__(self, systems: dict[str, list[MarkedWords]], kinds: dict[str, str]) -> None:
        self.systems = systems
        self.kinds = kinds

    def __getitem__(self, system: str) -> list[MarkedWords]:
        return self.systems[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self.systems)

    def __len__(self) -> int:
        return len(self.systems)

    def keys(self) -> list[str]:
        """The systems."""
        return list(self.systems)

    def __repr__(self) -> str:
        return f"MarkedSystems of {', '.join(self.systems)}: {', '.join(self.kinds)}"


def mark_words(
    hypotheses: Hypotheses,
    references: References,
    metric: str | Metric = "meteor",
    *,
    language: str | None = None,
    progress: Progress = True,
) -> MarkedSystems:
    """What a metric made of each word: matched by its stem, put in, moved, without a partner. Words that simply match
    are not
    marked. METEOR, TER and siamese do this."""
    given = input_of(hypotheses, references)
    with reporting(progress) as report:
        found, kinds = _native.mark_words(given, Metric(metric, language)._metric, report)
    names = [name for name, _ in given["systems"]]
    systems = {name: [MarkedWords(**one) for one in segments] for name, segments in zip(names, found)}
    return MarkedSystems(systems, dict(kinds))


class MeteorAlignment(NamedTuple):
    """METEOR's alignment of a translation with the best of its references."""

    reference_number: int
    hypothesis: list[str]
    reference: list[str]
    #: Places of matching words in hypothesis and reference (from, to), and the module that found them.
    matches: list[tuple[tuple[int, int], tuple[int, int], str]]
    chunks: int
    precision: float
    recall: float
    penalty: float
    score: float
    #: Whether the search ended early, which only very long lines make it do.
    unfinished: bool


class EditAlignment(NamedTuple):
    """The edits of TER or TERp that turn a translation into the best of its references."""

    reference_number: int
    hypothesis: list[str]
    shifted_hypothesis: list[str]
    reference: list[str]
    #: The kind of each edit after the shifts, in order.
    edits: list[str]
    #: First word, last word, and the word behind which the block goes (None: the front), before each shift.
    shifts: list[tuple[int, int, int | None]]
    cost: float
    reference_length: float
    unfinished: bool


def _lines(references: str | Iterable[str]) -> list[str]:
    return [references] if isinstance(references, str) else native_texts(references, "references")


def align_meteor(hypothesis: str, references: str | Iterable[str], options: str = "") -> MeteorAlignment:
    """METEOR's alignment; `options` are those of the metric, as in `lang=de,modules=exact+stem`."""
    lines = _lines(references)
    with loading:
        return MeteorAlignment(**_native.align_meteor(options, [hypothesis], lines))


def align_ter(hypothesis: str, references: str | Iterable[str], options: str = "costs=ter") -> EditAlignment:
    """The edits of TER, as TERp's tool finds them; `options` are those of the metric `terp`."""
    lines = _lines(references)
    with loading:
        return EditAlignment(**_native.align_terp(options, [hypothesis], lines))
