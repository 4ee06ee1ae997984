"""Rankings: systems in order, as rows, dicts and HTML."""

from __future__ import annotations

from .errors import RequestError
from .forks import loading
from .html import page, ranking_table, scores_plot
from .results import Evaluation

TYPE_CHECKING = False  # typing takes a third of the time of the import

if TYPE_CHECKING:
    from typing import Any

    from .records import RankedSystem


class Ranking(Evaluation):
    """Systems in order, the best first, in groups that do not differ significantly."""

    def order(self, metric: str | None = None) -> list[RankedSystem]:
        """The systems by a metric; by the first if none is named."""
        with loading:
            from .records import RankedSystem

        column = 0 if metric is None else self.metrics.index(self[metric].metric)
        cells = self._data["columns"][column]["cells"]
        places = self._native.ranking(column)
        return [
            RankedSystem(self._data["systems"][i], rank, group, cells[i]["score"], cells[i]["wins"])
            for i, rank, group in places
        ]

    def rows(self) -> list[dict[str, Any]]:
        """A dict for each metric and system, the best first."""
        return [self._row(scores.metric, place) for scores in self for place in self.order(scores.metric)]

    def _row(self, metric: str, place: RankedSystem) -> dict[str, Any]:
        row = {"metric": metric, "rank": place.rank, "group": place.group, "system": place.system, "score": place.score}
        interval = self[metric][place.system].interval
        if interval is not None:
            row.update(low=interval.low, high=interval.high)
        return {**row, "wins": place.wins, "signature": self[metric].signature}

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """The place of each system by each metric, the best first: `{metric: {system: {"rank": 1, "group": 1, …}}}`."""
        found: dict[str, dict[str, Any]] = {}
        for row in self.rows():
            place = {key: value for key, value in row.items() if key not in ("metric", "system", "signature")}
            found.setdefault(row["metric"], {})[row["system"]] = place
        return found

    def _write(self, format: str, documents: bool, segments: bool, components: bool, decimals: int | None) -> str:
        if segments or components or documents:
            raise RequestError(
                "a ranking has neither scores of segments or documents nor components (tercet.score has them)"
            )
        written: str = self._native.write_ranking(format, decimals)
        return written

    def _systems_to_draw(self, metric: str) -> list[str]:
        return [place.system for place in self.order(metric)]

    def _repr_html_(self) -> str:
        return page(ranking_table(self) + scores_plot(self))
