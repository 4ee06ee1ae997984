"""Metrics by name: `Metric("bleu:tok=intl")`."""

from __future__ import annotations

from . import _native
from .arguments import optional_text
from .errors import DataError, Error, RequestError
from .forks import loading
from .progress import reporting
from .texts import native_list, native_references, native_texts

TYPE_CHECKING = False  # typing takes a third of the time of the import

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from .aliases import Progress, References, Texts
    from .records import MetricInfo


def build(spec: str, language: str | None = None) -> _native.Metric:
    """The native metric of a spec."""
    if not isinstance(spec, str):
        raise TypeError(f"a metric is a str as in 'bleu:tok=intl', or a tercet.Metric, found {type(spec).__name__}")
    optional_text(language, "language")
    with loading:
        return _native.Metric(spec, language)


class Tally(list[float]):
    """A sum of tallies. `+` adds the counts of two, where a list would be made longer."""

    def __add__(self, other: object) -> Tally:  # type: ignore[override]
        if not isinstance(other, list):
            return NotImplemented
        if self and other and len(self) != len(other):
            raise RequestError(f"tallies of {len(self)} and {len(other)} counts are of different metrics")
        return Tally([a + b for a, b in zip(self, other)]) if self and other else Tally(list(self) or other)

    def __radd__(self, other: object) -> Tally:
        """`sum` of several begins with 0."""
        return self if isinstance(other, int) and other == 0 else Tally(self).__add__(other)

    def __iadd__(self, other: object) -> Tally:  # type: ignore[override]
        return self.__add__(other)


class Tallies:
    """The tallies of segments: one row of 64-bit floats for each. Their sum is a `Tally`, and so is the sum of such
    sums; `Metric.score_tally` scores it."""

    def __init__(self, data: bytes, width: int, metric: str | None = None) -> None:
        self.data = data
        self.width = width
        #: The name of the metric they are of, if it is known.
        self.metric = metric

    @classmethod
    def of_rows(cls, rows: Any) -> Tallies:
        """From a two-dimensional numpy array or a list of rows."""
        if hasattr(rows, "tobytes") and hasattr(rows, "shape"):
            return cls(rows.astype("float64").tobytes(), int(rows.shape[1]))
        with loading:
            from array import array

        rows = [list(row) for row in rows]
        width = len(rows[0]) if rows else 0
        for i, row in enumerate(rows):
            if len(row) != width:
                raise DataError(f"rows[{i}] has {len(row)} counts, but the first has {width}")
        return cls(array("d", [count for row in rows for count in row]).tobytes(), width)

    def __len__(self) -> int:
        return len(self.data) // (8 * self.width) if self.width else 0

    def __getitem__(self, row: int) -> list[float]:
        if not isinstance(row, int):
            raise TypeError(f"tallies have one row for each segment: expected its number, found {type(row).__name__}")
        if not -len(self) <= row < len(self):
            raise IndexError(row)
        row %= len(self)
        return _numbers(self.data[8 * row * self.width : 8 * (row + 1) * self.width])

    def __iter__(self) -> Iterator[list[float]]:
        return (self[row] for row in range(len(self)))

    def __add__(self, other: Tallies) -> Tallies:
        """The rows of both, one after the other."""
        if self.width and other.width and self.width != other.width:
            raise RequestError(f"tallies of {self.width} and {other.width} counts are of different metrics")
        if self.metric and other.metric and self.metric != other.metric:
            raise RequestError(f"tallies of {self.metric} and {other.metric} do not add up")
        return Tallies(self.data + other.data, self.width or other.width, self.metric or other.metric)

    def __radd__(self, other: object) -> Tallies:
        """`sum` of several begins with 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tallies) and (self.data, self.width) == (other.data, other.width)

    __hash__ = None  # type: ignore[assignment]

    def sum(self) -> Tally:
        """The sum of all rows, exact in any order."""
        return Tally(_native.sum_tallies(self.data, self.width) if self.width else [])

    def to_numpy(self) -> Any:
        """A two-dimensional array that shares the memory."""
        import numpy

        return numpy.frombuffer(self.data).reshape(len(self), self.width)

    def __repr__(self) -> str:
        return f"Tallies of {len(self)} segments, {self.width} counts each"


def _numbers(data: bytes) -> list[float]:
    with loading:
        import struct

    return list(struct.unpack(f"{len(data) // 8}d", data))


class Metric:
    """A metric, immutable: built from `name:key=value,…` or from a signature, and pickled by it.

    `language` chooses what the target language decides, such as the tokenizer.
    """

    __slots__ = ("_counts", "_metric")
    _metric: _native.Metric
    #: The counts of each tally, once they are known.
    _counts: int

    def __init__(self, spec: str | Metric, language: str | None = None) -> None:
        self._metric = spec._metric if isinstance(spec, Metric) else build(spec, language)

    @property
    def name(self) -> str:
        """The text it was built from: its name in reports."""
        return self._metric.name

    @property
    def spec(self) -> str:
        """The text that builds the same metric without a language."""
        return self._metric.spec

    @property
    def title(self) -> str:
        """The usual spelling: `BLEU`, `chrF2++`."""
        return self._metric.title

    @property
    def signature(self) -> str:
        """The metric and every option that can change a digit."""
        return self._metric.signature

    @property
    def higher_is_better(self) -> bool:
        """False for error rates."""
        return self._metric.higher_is_better

    @property
    def needs_all_references(self) -> bool:
        """Whether scores depend on the references of all segments, so that tallies of parts of a text do not add up
        (NIST)."""
        return self._metric.needs_all_references

    @property
    def warnings(self) -> list[str]:
        """What everyone who reads its scores should know, a sentence each."""
        return self._metric.warnings

    def tally(
        self, hypotheses: Texts, references: References, sources: Texts | None = None, *, progress: Progress = False
    ) -> Tallies:
        """One summable tally for each segment."""
        lines, by_column = native_references(references)
        source_lines = None if sources is None else native_texts(sources, "sources")
        with reporting(progress) as report:
            found = self._metric.tally(native_texts(hypotheses, "hypotheses"), lines, by_column, source_lines, report)
        return Tallies(*found, self._own_name())

    def _own_name(self) -> str:
        return self.spec.partition("|")[0].partition(":")[0]

    def _sum(self, total: Tallies | Sequence[float]) -> list[float]:
        """The sum of tallies, which must be this metric's."""
        if isinstance(total, Tallies):
            self._check_name(total)
            total = total.sum()
        counts = list(total)
        self._check_width(len(counts))
        return counts

    def _check_width(self, width: int) -> None:
        expected = self._width()
        if width and expected and width != expected:
            raise RequestError(f"a tally of {width} counts is of another metric: {self.name} has {expected}")

    def _width(self) -> int:
        """The counts of each tally; 0 if they cannot be known without texts, as of metrics that need sources."""
        if not hasattr(self, "_counts"):
            try:
                self._counts = len(self.tally_segment("", [""]))
            except Error:
                self._counts = 0
        return self._counts

    def _check_name(self, tallies: Tallies) -> None:
        if tallies.metric is not None and tallies.metric != self._own_name():
            raise RequestError(f"these are tallies of {tallies.metric}, not of {self.name}")

    def score_tally(self, total: Tallies | Sequence[float]) -> float:
        """The score of a corpus, from its tallies or their sum."""
        return self._metric.score_tally(self._sum(total))

    def score_segment_tally(self, tally: Sequence[float]) -> float:
        """The score of one segment, from its tally."""
        return self._metric.score_segment_tally(self._sum(tally))

    def score_segment_tallies(self, tallies: Tallies) -> list[float]:
        """The scores of single segments, from their tallies."""
        self._check_name(tallies)
        self._check_width(tallies.width)
        return self._metric.score_segment_tallies(tallies.data, tallies.width) if tallies.width else []

    def components(self, total: Tallies | Sequence[float]) -> dict[str, float]:
        """The components of the score of tallies or their sum: precisions, lengths, counts of edits."""
        return self._metric.components(self._sum(total))

    def score(self, hypotheses: Texts, references: References, sources: Texts | None = None) -> float:
        """The score of these segments together, as one test set."""
        return self.score_tally(self.tally(hypotheses, references, sources).sum())

    def segment_scores(self, hypotheses: Texts, references: References, sources: Texts | None = None) -> list[float]:
        """The score of each segment."""
        return self.score_segment_tallies(self.tally(hypotheses, references, sources))

    def segment_score(self, hypothesis: str, references: str | Iterable[str]) -> float:
        """The score of one segment."""
        return self._metric.score_segment_tally(self.tally_segment(hypothesis, references))

    def tally_segment(self, hypothesis: str, references: str | Iterable[str]) -> list[float]:
        """The tally of one segment."""
        lines = [references] if isinstance(references, str) else list(native_list(references, "references"))
        return self._metric.tally_segment(hypothesis, lines)

    def __reduce__(self) -> tuple[Any, tuple[str, str, str]]:
        return _rebuilt, (self.spec, self.name, self.signature)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metric) and (self.name, self.spec) == (other.name, other.spec)

    def __hash__(self) -> int:
        return hash((self.name, self.spec))

    def __repr__(self) -> str:
        return f"Metric({self.spec!r})"


def _rebuilt(spec: str, name: str, signature: str) -> Metric:
    made = object.__new__(Metric)
    with loading:
        made._metric = _native._rebuild_metric(spec, name, signature)
    return made


def metrics() -> list[MetricInfo]:
    """Every metric of tercet."""
    with loading:
        from .records import MetricInfo

    return [MetricInfo(**info) for info in _native.metric_infos()]
