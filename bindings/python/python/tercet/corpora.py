"""Human judgements, and files of scores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from math import isfinite, isinf, isnan, nan
from typing import Any

from . import _native
from .aliases import Path
from .errors import DataError, RequestError
from .results import Rows, Table
from .texts import native_list

#: The columns of a table of scores.
_TABLE = ("set", "pair", "system", "segment", "score")


def paths_of(paths: Path | Iterable[Path], what: str = "paths") -> list[str]:
    """One path or several as a list."""
    given = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    # Iterating a data frame gives the names of its columns, which are no paths.
    if hasattr(given, "columns") or not hasattr(given, "__iter__"):
        raise TypeError(f"{what}: expected the path of a file or folder, or several, found {type(paths).__name__}")
    return [path_of(path, what) for path in given]


def path_of(path: Path, what: str = "path") -> str:
    """One path."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{what}: expected the path of a file or folder, found {type(path).__name__}")
    return os.fspath(path)


def names_of(names: None | str | Iterable[str], what: str = "names") -> list[str]:
    """One name, several or none as a list."""
    if isinstance(names, bool) or not (names is None or hasattr(names, "__iter__")):
        raise TypeError(f"{what}: expected a name, or several, found {type(names).__name__}")
    return [] if names is None else [names] if isinstance(names, str) else [str(name) for name in names]


def judged_rows(judgements: Any, what: str = "judgements") -> str | None:
    """Rows in memory, a data frame or a list of dicts, as JSON; None for paths."""
    is_listed = isinstance(judgements, (list, tuple)) and bool(judgements) and isinstance(judgements[0], dict)
    if is_listed:
        rows = list(judgements)
    elif hasattr(type(judgements), "columns") or isinstance(judgements, Table):
        columns = judgements.columns() if isinstance(judgements, Table) else judgements
        lists = {str(name): native_list(columns[name], f"{what}[{name!r}]") for name in _names(columns)}
        if not lists or len({len(values) for values in lists.values()}) != 1:
            raise DataError(f"{what}: expected columns of the same length")
        rows = [dict(zip(lists, values)) for values in zip(*lists.values())]
    else:
        return None
    import json

    if not rows:
        raise RequestError(f"{what}: expected at least one row, found none")
    return json.dumps([{str(name): _plain(value) for name, value in row.items()} for row in rows], ensure_ascii=False)


def _plain(value: Any) -> Any:
    """A value of a cell as JSON has it: missing ones are null, numbers of other libraries are numbers."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, (str, bool, int, list, dict)):
        return value
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    number = _number(value, "judgements")
    return None if isnan(number) else number


def check_names(given: list[str], known: Iterable[str], what: str) -> None:
    """Refuses names that are not known."""
    unknown = [name for name in given if name not in known]
    if unknown:
        raise RequestError(f"{what}: there are no scores by {unknown[0]!r} (there are: {', '.join(known)})")


class Judgements:
    """The human judgements of one language pair of one set. Its tables convert to data frames."""

    def __init__(self, tables: dict[str, Any]) -> None:
        #: The set: the name of its folder or file.
        self.set: str = tables["set"]
        #: The language pair; empty if the files do not say.
        self.pair: str = tables["pair"]
        #: The systems that were judged.
        self.systems: list[str] = tables["systems"]
        #: The names of the segments.
        self.segments: list[str] = tables["segment_names"]
        #: The document of each segment, if the files say.
        self.documents: list[str] | None = tables["documents"]
        #: Columns `name`, `level`, `system`, `segment`, `score`.
        self.scores = Rows(tables["scores"])
        #: Columns `segment`, `first`, `second`, `better` (`first`, `second` or `tie`).
        self.comparisons = Rows(tables["comparisons"])
        #: Columns `system`, `segment`, `hypothesis`, `source` and one for each reference; None if the set has no texts.
        self.texts: Rows | None = None if tables["texts"] is None else Rows(tables["texts"])

    def __repr__(self) -> str:
        counts = f"{len(self.scores)} scores, {len(self.comparisons)} comparisons"
        return f"Judgements {self.set} {self.pair}: {len(self.systems)} systems, {counts}"


def read_judgements(paths: Path | Iterable[Path], pairs: None | str | Iterable[str] = None) -> list[Judgements]:
    """Reads folders or files of human judgements: relative rankings, direct assessment, MQM and other sets."""
    return [Judgements(tables) for tables in _native.read_judgements(paths_of(paths), names_of(pairs))]


def read_scores(path: Path) -> Rows:
    """Reads a file of segment scores of any tool: columns `system`, `metric`, `segment`, `score`."""
    columns: dict[str, list[Any]] = {"system": [], "metric": [], "segment": [], "score": []}
    for system, metric, scores in _native.read_scores(path_of(path)):
        columns["system"] += [system] * len(scores)
        columns["metric"] += [metric] * len(scores)
        columns["segment"] += range(1, len(scores) + 1)
        columns["score"] += scores
    return Rows(columns)


def score_columns(scores: Any) -> tuple[list[tuple[str, str | None, list[float]]], list[str]]:
    """Scores of segments as the native module reads them (system, metric, scores), and the files they are from."""
    columns: list[tuple[str, str | None, list[float]]] = []
    paths: list[str] = []
    if not isinstance(scores, Mapping) and hasattr(type(scores), "columns"):
        scores = {name: scores[name] for name in _names(scores)}
    if isinstance(scores, Mapping):
        for name, own in scores.items():
            if isinstance(own, Mapping):
                for system, values in own.items():
                    columns.append((str(system), str(name), _numbers(values, f"scores[{name!r}][{system!r}]")))
            else:
                columns.append((str(name), None, _numbers(own, f"scores[{name!r}]")))
    else:
        paths = paths_of(scores, "scores")
        columns = [column for path in paths for column in _native.read_scores(path)]
    if not columns:
        raise RequestError("scores: expected at least one system, found none")
    return columns, paths


def _numbers(values: Any, what: str) -> list[float]:
    """The scores of all segments, none of them missing."""
    numbers = [_number(value, f"{what}[{i}]") for i, value in enumerate(native_list(values, what, "numbers"))]
    if not numbers:
        raise DataError(f"{what} has no scores")
    for i, number in enumerate(numbers):
        if not isfinite(number):
            raise DataError(f"{what}[{i}]: expected a number, found {number}")
    return numbers


def _names(table: Any) -> Any:
    """The names of the columns of a data frame, an Arrow table or a dict."""
    return getattr(table, "column_names", getattr(table, "columns", table))


def _number(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{what}: expected a number, found {str(value)[:40]}") from None


def score_tables(scores: Any) -> tuple[list[str], list[dict[str, Any]]]:
    """Files of scores, and tables of scores by metric, as the native module reads them."""
    if hasattr(type(scores), "columns") and not isinstance(scores, Mapping):
        found = type(scores).__name__
        raise TypeError(
            f"scores: expected files of scores, or tables by the names of metrics, {{name: table}}, found {found}"
        )
    if not isinstance(scores, Mapping):
        return paths_of(scores, "scores"), []
    if not scores:
        raise RequestError("scores: expected at least one metric, found none")
    return [], [_score_table(str(metric), table) for metric, table in scores.items()]


def _score_table(metric: str, table: Any) -> dict[str, Any]:
    """One metric's table: columns `system`, `segment` and `score`, and `set` and `pair` where they are given."""
    what = f"scores[{metric!r}]"
    columns = table.columns() if isinstance(table, Table) else table
    if not isinstance(columns, Mapping) and not hasattr(type(columns), "columns"):
        raise TypeError(f"{what}: expected a data frame or a dict of columns, found {type(table).__name__}")
    names = _names(columns)
    missing = [name for name in ("system", "segment", "score") if name not in names]
    if missing:
        raise RequestError(f"{what} has no column {missing[0]!r}: expected 'system', 'segment' and 'score'")
    lists = {name: native_list(columns[name], f"{what}[{name!r}]") for name in _TABLE if name in names}
    if len({len(values) for values in lists.values()}) > 1:
        raise DataError(f"{what}: its columns have different lengths")
    found: dict[str, Any] = {name: [str(value) for value in lists[name]] if name in lists else None for name in _TABLE}
    found["score"] = [_score(value, f"{what}['score'][{i}]") for i, value in enumerate(lists["score"])]
    rows = [row for row, score in enumerate(found["score"]) if not isnan(score)]
    return {"metric": metric, **{name: values and [values[row] for row in rows] for name, values in found.items()}}


def _score(value: Any, what: str) -> float:
    """A score; NaN if it is missing."""
    # pandas has a value of its own for what is missing, which cannot be converted.
    number = nan if value is None or type(value).__name__ == "NAType" else _number(value, what)
    if isinf(number):
        raise DataError(f"{what}: expected a number, found {number}")
    return number
