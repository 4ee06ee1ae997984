"""Scores on Spark: segment scores as columns, scores of whole systems, and paired tests, of data of any size.

>>> from tercet import spark  # doctest: +SKIP
>>> scored = spark.score(df, ["bleu", "chrf"], hypothesis="mt", references="ref")  # doctest: +SKIP
>>> result = spark.score_system(df, ["bleu", "chrf"], hypothesis="mt", references="ref")  # doctest: +SKIP

Every task scores batches of its rows as they come and keeps sums, which merge exactly: the digits are those of one
process,
whatever the partitions. Trailing white space of a text counts for nothing, as in `tercet.score`. Needs PySpark 3.4 or
later with
pyarrow on all machines.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from . import _native
from .arguments import flag, whole
from .errors import DataError, RequestError
from .forks import loading
from .metrics import Metric
from .results import Evaluation
from .scoring import SEED, resampling
from .texts import native_texts

#: The metrics, if none are given.
DEFAULT_METRICS = tuple(_native.DEFAULT_METRICS)

#: The sums of tasks are merged on the cluster, in at most this many parts, before the driver reads them.
_MOST_PARTS = 64

#: The names under which tasks see the column of ids and that of systems.
_ID, _SYSTEM = "id", "system"

_Metrics = Iterable["str | Metric"]


def score(
    df: Any,
    metrics: str | Metric | _Metrics = DEFAULT_METRICS,
    *,
    hypothesis: str | Sequence[str] = "hypothesis",
    references: str | Sequence[str] = "reference",
    source: str | None = None,
    language: str | None = None,
    threads: int = 1,
) -> Any:
    """The data frame with a column of scores for each metric, named by it.

    `hypothesis` is the column of translations, or several, one system each; their scores are then called
    `COLUMN_METRIC`.
    `references` is a column of texts or of arrays of texts, or several. `threads` is the number of threads of each
    task; 0: one
    for each core.
    """
    plan = _Plan(df, metrics, hypothesis, references, source, threads, {"language": language})
    for name in df.columns:
        _check_column(df, name)
    taken = set(df.columns).intersection(plan.score_columns)
    if taken:
        raise RequestError(f"the data frame already has the columns {', '.join(sorted(taken))}: rename or drop them")
    from pyspark.sql.types import DoubleType, StructField, StructType

    numbered = _numbered(df)
    fields = [StructField(f"score {i}", DoubleType(), False) for i in range(len(plan.score_columns))]
    scored = numbered.mapInArrow(plan.scored_batches, StructType(numbered.schema.fields + fields))
    return scored.toDF(*df.columns, *plan.score_columns)


def score_system(
    df: Any,
    metrics: str | Metric | _Metrics = DEFAULT_METRICS,
    *,
    hypothesis: str | Sequence[str] = "hypothesis",
    references: str | Sequence[str] = "reference",
    source: str | None = None,
    system: str | None = None,
    language: str | None = None,
    components: bool = False,
    paired: str | None = None,
    id: str | None = None,
    resamples: int | None = None,
    seed: int = SEED,
    threads: int = 1,
) -> Evaluation:
    """The scores of whole systems, in one pass over the data.

    Several columns of translations are several systems, called by their columns; or `system` is the column that says
    which system
    a row is of. With `paired="bs"` the columns of translations are tested against the first by bootstrap resampling,
    with
    intervals: `id` is the column of the segments' ids, which with `seed` decide how often a segment is in each of the
    `resamples`
    (1,000 if not given).
    """
    system, id = _optional_name(system, "system"), _optional_name(id, "id")
    settings: dict[str, Any] = {"language": language, "components": flag(components, "components"), "paired": paired}
    settings.update(resampling(resamples, seed))
    plan = _Plan(df, metrics, hypothesis, references, source, threads, settings)
    if paired is not None:
        plan.check_test(paired, id, system)
        return plan.tested(df, str(id))
    if id is not None:
        raise RequestError('id: the ids of segments are for tests (paired="bs")')
    if resamples is not None:
        raise RequestError('resamples: they are for tests (paired="bs")')
    return plan.summed(df, system)


class _Plan:
    """What a task does; it is pickled and sent to all of them: the columns, and a job of the library as JSON."""

    def __init__(
        self,
        df: Any,
        metrics: str | Metric | _Metrics,
        hypothesis: str | Sequence[str],
        references: str | Sequence[str],
        source: str | None,
        threads: int,
        settings: dict[str, Any],
    ) -> None:
        if not hasattr(df, "mapInArrow"):
            found = f"{type(df).__module__.partition('.')[0]}.{type(df).__name__}"
            raise TypeError(
                f"df: expected a data frame of Spark 3.4 or later, found {found} (tercet.score scores other columns)"
            )
        given = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
        if not given:
            raise RequestError("no metrics are given (leave them out for the default ones)")
        built = [one if isinstance(one, Metric) else Metric(one, settings["language"]) for one in given]
        job = json.dumps({**settings, "metrics": [metric.spec for metric in built]})
        #: The job, and the name and the signature of each metric, which must be the same on all machines.
        self.job = (job, [(metric.name, metric.signature) for metric in built])
        self.hypotheses = _names(hypothesis, "hypothesis")
        self.references = _names(references, "references")
        self.source = _optional_name(source, "source")
        self.threads = whole(threads, "threads")
        # Refuses metrics that need all references first, before any task starts.
        self._partial_sums()
        for name in self._read_columns():
            _check_column(df, name)
            _check_text(df, name, arrays=name not in self.hypotheses and name != self.source)
        #: The names under which tasks see columns.
        self.numbers = {name: f"column {i}" for i, name in enumerate(df.columns)}
        if len(set(self.hypotheses)) < len(self.hypotheses):
            raise RequestError(f"hypothesis: a column is named twice: {', '.join(self.hypotheses)}")

    def _read_columns(self) -> list[str]:
        return list(dict.fromkeys([*self.hypotheses, *self.references, *([self.source] if self.source else [])]))

    @property
    def score_columns(self) -> list[str]:
        """The names of the new columns."""
        if len(self.hypotheses) == 1:
            return [name for name, _ in self.job[1]]
        return [f"{column}_{name}" for column in self.hypotheses for name, _ in self.job[1]]

    def check_test(self, paired: str, id: str | None, system: str | None) -> None:
        if paired != "bs":
            raise RequestError(f"paired: expected 'bs' (bootstrap resampling), found {paired!r}")
        if len(self.hypotheses) < 2 or system is not None:
            raise RequestError("a paired test needs a column for each system: hypothesis=['a', 'b']")
        if id is None:
            raise RequestError("a paired test needs the ids of segments: id='COLUMN'")

    def _partial_sums(self) -> _native.PartialSums:
        with loading:
            return _native.PartialSums(self.job)

    def _partial_test(self) -> _native.PartialTest:
        with loading:
            return _native.PartialTest(self.job, len(self.hypotheses))

    def _start(self) -> None:
        """Sets the number of threads always: Spark uses a worker again, with the number of the job before."""
        _native.set_threads(self.threads)

    # What tasks do.

    def scored_batches(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The rows of each batch with their scores."""
        import pyarrow

        self._start()
        partial = self._partial_sums()
        for batch in batches:
            if not batch.num_rows:
                continue
            scores = partial.add(self._batch(batch))
            columns = [_floats(one) for of_column in scores for one in of_column]
            arrays = [*batch.columns, *columns]
            names = [f"score {i}" for i in range(len(columns))]
            yield pyarrow.RecordBatch.from_arrays(arrays, names=[*batch.schema.names, *names])

    def partial_sums(self, system: str | None) -> Callable[[Iterator[Any]], Iterator[Any]]:
        """A function of a task's batches: the sums of each system as one row."""

        def sums(batches: Iterator[Any]) -> Iterator[Any]:
            self._start()
            partial = self._partial_sums()
            names: dict[str, int] = {} if system else {name: i for i, name in enumerate(self.hypotheses)}
            for batch in batches:
                if batch.num_rows:
                    groups = _groups(batch.column(_SYSTEM), system, names) if system else None
                    partial.add(self._batch(batch), groups)
            yield from _rows(names, partial.to_bytes())

        return sums

    def partial_tests(self, id: str) -> Callable[[Iterator[Any]], Iterator[Any]]:
        """A function of a task's batches: the sums of all resamples as one row."""

        def tests(batches: Iterator[Any]) -> Iterator[Any]:
            self._start()
            partial = self._partial_test()
            seen = False
            for batch in batches:
                if batch.num_rows:
                    seen = True
                    partial.add(self._batch(batch), _texts(batch.column(_ID), id))
            if seen:
                yield from _rows(["test"], [partial.to_bytes()])

        return tests

    def _batch(self, batch: Any) -> dict[str, Any]:
        def column(name: str) -> Any:
            return batch.column(self.numbers[name])

        references, by_column = _references([(name, column(name)) for name in self.references])
        return {
            "systems": [(name, _texts(column(name), name)) for name in self.hypotheses],
            "references": references,
            "by_column": by_column,
            "sources": _texts(column(self.source), self.source) if self.source else None,
            "documents": None,
            "align": None,
        }

    # What the driver does.

    def summed(self, df: Any, system: str | None) -> Evaluation:
        if system is not None:
            _check_column(df, system)
            if len(self.hypotheses) > 1:
                raise RequestError("system: rows name their system, so there is one column of translations")
            if system in self._read_columns():
                raise RequestError(f"system: the column {system!r} has texts already")
        needed = self._needed(df, *([(system, _SYSTEM)] if system else []))
        parts = _collected(needed, self.partial_sums(system), _native.merge_sums)
        if not parts:
            raise DataError("there is no row to score")
        names = sorted(parts) if system else self.hypotheses
        systems = [(name, parts[name]) for name in names]
        return Evaluation(_native.evaluate_sums(self.job, systems))

    def tested(self, df: Any, id: str) -> Evaluation:
        _check_column(df, id)
        # Refuses more resamples than memory holds, before any task starts.
        self._partial_test()
        needed = self._needed(df, (id, _ID))
        parts = _collected(needed, self.partial_tests(id), _native.merge_tests)
        if not parts:
            raise DataError("there is no row to score")
        return Evaluation(_native.evaluate_test(self.job, self.hypotheses, parts["test"]))

    def _needed(self, df: Any, *others: tuple[str, str]) -> Any:
        """The columns that are read, so that Spark reads no others; and others as text, under other names."""
        df = _numbered(df)
        columns = [df[self.numbers[name]] for name in self._read_columns()]
        return df.select(*columns, *(df[self.numbers[name]].cast("string").alias(alias) for name, alias in others))


def _collected(
    df: Any, function: Callable[[Iterator[Any]], Iterator[Any]], merge: Callable[[list[bytes]], bytes]
) -> dict[str, list[bytes]]:
    """The sums of each name in bytes, merged on the cluster into some parts.

    Spark chooses their number by the size of the sums; a task's number decides where its sums go, so that a task that
    is done
    again brings them to the same place.
    """
    sums = df.mapInArrow(function, _SUMS)
    merged = sums.repartition("part").mapInArrow(_merging(merge), _SUMS)
    parts: dict[str, list[bytes]] = {}
    for row in merged.collect():
        parts.setdefault(row["name"], []).append(bytes(row["sums"]))
    return parts


#: The columns of sums: the name of what was summed, the part, and the sums in bytes.
_SUMS = "name string, part int, sums binary"


def _merging(merge: Callable[[list[bytes]], bytes]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def merged(batches: Iterator[Any]) -> Iterator[Any]:
        sums: dict[str, bytes] = {}
        for batch in batches:
            for name, part in zip(batch.column("name").to_pylist(), batch.column("sums").to_pylist()):
                sums[name] = merge([sums[name], part]) if name in sums else part
        yield from _rows(list(sums), list(sums.values()))

    return merged


def _rows(names: Iterable[str], sums: list[bytes]) -> Iterator[Any]:
    import pyarrow
    from pyspark import TaskContext

    if sums:
        context = TaskContext.get()
        part = context.partitionId() % _MOST_PARTS if context else 0
        parts = pyarrow.array([part] * len(sums), pyarrow.int32())
        columns = [pyarrow.array(list(names), pyarrow.string()), parts, pyarrow.array(sums, pyarrow.binary())]
        yield pyarrow.RecordBatch.from_arrays(columns, names=["name", "part", "sums"])


def _names(columns: str | Sequence[str], what: str) -> list[str]:
    names: Any = list(columns) if isinstance(columns, (list, tuple)) else [columns]
    if not names or not all(isinstance(name, str) for name in names):
        raise RequestError(f"{what}: expected the name of a column as a str, or several, found {columns!r}")
    return names  # type: ignore[no-any-return]


def _optional_name(column: object, what: str) -> str | None:
    if column is not None and not isinstance(column, str):
        raise RequestError(f"{what}: expected the name of a column as a str, found {column!r}")
    return column


def _check_text(df: Any, name: str, arrays: bool) -> None:
    """Refuses columns of other types before any task starts."""
    kind = df.schema[name].dataType
    inner = kind.elementType if arrays and kind.typeName() == "array" else kind
    if inner.typeName() not in ("string", "char", "varchar"):
        expected = "text or arrays of text" if arrays else "text"
        raise RequestError(f"column {name!r} has the type {kind.simpleString()}, expected {expected}")


def _check_column(df: Any, name: str) -> None:
    columns = df.columns
    if name not in columns:
        raise RequestError(f"the data frame has no column {name!r} (its columns: {', '.join(columns)})")
    if columns.count(name) > 1:
        raise RequestError(f"the data frame has {columns.count(name)} columns {name!r}: rename them")


def _numbered(df: Any) -> Any:
    """The data frame with columns named by their numbers: `mapInArrow` takes no names with dots or backticks."""
    return df.toDF(*(f"column {i}" for i in range(len(df.columns))))


def _texts(column: Any, name: str) -> Any:
    """A column of texts as the native module reads it."""
    import pyarrow

    if column.null_count:
        raise DataError(f"{_nulls(column, name)}: every row needs a text. {_how_to_find(name)}")
    if pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not (pyarrow.types.is_string(column.type) or pyarrow.types.is_large_string(column.type)):
        raise RequestError(f"column {name!r} has the type {column.type}, expected text")
    return native_texts(column, name)


def _nulls(column: Any, name: str) -> str:
    return f"column {name!r} has {column.null_count} nulls in a batch of {len(column)} rows"


def _how_to_find(name: str, conditions: Sequence[str] = ("{} IS NULL",)) -> str:
    """How to find the rows of which one of these conditions of SQL is true."""
    quoted = "`" + name.replace("`", "``") + "`"
    condition = " OR ".join(conditions).replace("{}", quoted)
    return f'To find such rows: df.filter("{condition}")'


def _references(columns: list[tuple[str, Any]]) -> tuple[Any, bool]:
    """References as the native module reads them, and whether they are columns."""
    import pyarrow

    if not any(pyarrow.types.is_list(column.type) or pyarrow.types.is_large_list(column.type) for _, column in columns):
        texts = [_texts(column, name) for name, column in columns]
        return (texts[0], False) if len(texts) == 1 else (texts, True)
    rows: list[list[str]] = [[] for _ in range(len(columns[0][1]))]
    for name, column in columns:
        for row, found in zip(rows, column.to_pylist()):
            texts = [found] if isinstance(found, str) else found
            if not texts or None in texts:
                is_text = pyarrow.types.is_string(column.type) or pyarrow.types.is_large_string(column.type)
                conditions = (
                    ["{} IS NULL"] if is_text else ["{} IS NULL", "size({}) = 0", "exists({}, text -> text IS NULL)"]
                )
                what = f"column {name!r} has a row without a reference, or with a null among them: every row needs one"
                raise DataError(f"{what}. {_how_to_find(name, conditions)}")
            row.extend(texts)
    return rows, False


def _groups(column: Any, name: str, known: dict[str, int]) -> list[int]:
    """The number of the system of each row; new systems are added to the known ones."""
    if column.null_count:
        raise DataError(f"{_nulls(column, name)}: every row is of a system. {_how_to_find(name)}")
    return [known.setdefault(system, len(known)) for system in column.to_pylist()]


def _floats(data: bytes) -> Any:
    import pyarrow

    return pyarrow.Array.from_buffers(pyarrow.float64(), len(data) // 8, [None, pyarrow.py_buffer(data)])
