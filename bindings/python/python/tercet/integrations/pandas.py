"""The accessor `tercet` of pandas' data frames: `import tercet.integrations.pandas`, then `frame.tercet.score(…)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas

from .. import scoring
from ..metrics import Metric
from ..results import Evaluation
from ..texts import ReferenceColumns


@pandas.api.extensions.register_dataframe_accessor("tercet")
class Tercet:
    """Scores of a data frame with a row for each segment."""

    def __init__(self, frame: pandas.DataFrame) -> None:
        self._frame = frame

    def score(
        self,
        hypothesis: str | Sequence[str] = "hypothesis",
        reference: str | Sequence[str] = "reference",
        metrics: None | str | Sequence[str | Metric] = None,
        *,
        source: str | None = None,
        **options: Any,
    ) -> Evaluation:
        """The scores of a column of translations, or of several columns, each a system. `reference` is a column, or
        several; the other arguments are those of `tercet.score`."""
        hypotheses = self._column(hypothesis) if isinstance(hypothesis, str) else self._systems(hypothesis)
        sources = None if source is None else self._column(source)
        return scoring.score(hypotheses, self._references(reference), metrics, sources, **options)

    def segments(
        self,
        hypothesis: str = "hypothesis",
        reference: str | Sequence[str] = "reference",
        metrics: str | Sequence[str | Metric] = ("chrf",),
        **options: Any,
    ) -> pandas.DataFrame:
        """The frame with a column of segment scores for each metric, named after it."""
        result = self.score(hypothesis, reference, metrics, segments=True, **{"checks": False, **options})
        return self._frame.assign(**{name: result[name].segments for name in result.metrics})

    def _column(self, name: str) -> Any:
        if name not in self._frame.columns:
            raise KeyError(f"there is no column {name!r}: the columns are {', '.join(map(str, self._frame.columns))}")
        return self._frame[name]

    def _systems(self, names: Sequence[str]) -> dict[str, Any]:
        return {name: self._column(name) for name in names}

    def _references(self, names: str | Sequence[str]) -> Any:
        if isinstance(names, str):
            return self._column(names)
        return ReferenceColumns(*(self._column(name) for name in names))
