"""Results: they convert to dicts and data frames, print as tables, and show as HTML in a notebook. All of them
pickle."""

from __future__ import annotations

from .arguments import optional_whole
from .errors import RequestError
from .forks import loading
from .html import escape, page, scores_plot, table_of, tests_table

TYPE_CHECKING = False  # typing takes a third of the time of the import

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .aliases import Path
    from .records import Gate, GateCheck, Interval, PairedResult, PeopleAgree, SystemScore


#: The message where scores of documents are read that were not asked for.
NO_DOCUMENT_SCORES = 'there are no scores of documents: give level="document" to tercet.score'

#: The message where segment scores are read that were not asked for.
NO_SEGMENT_SCORES = "there are no segment scores: give segments=True to tercet.score"


class Table:
    """A result that is a list of rows, each a dict with the same keys."""

    def rows(self) -> list[dict[str, Any]]:
        """A dict for each row."""
        raise NotImplementedError

    def columns(self) -> dict[str, list[Any]]:
        """A list for each column: what data frames are made of."""
        rows = self.rows()
        return {key: [row.get(key) for row in rows] for key in _keys(rows)}

    def to_csv(self, path: Path | None = None) -> str:
        """As CSV: a line of names, and a line for each row. Also written to the file, if one is named."""
        with loading:
            import csv
            import io

        rows, to = self.rows(), io.StringIO()
        writer = csv.DictWriter(to, _keys(rows), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return _written(to.getvalue(), path)

    def to_json(self, path: Path | None = None) -> str:
        """As JSON: a list of the rows. Also written to the file, if one is named."""
        with loading:
            import json

        return _written(json.dumps(self.rows(), ensure_ascii=False, indent=1) + "\n", path)

    def to_pandas(self) -> Any:
        """A pandas data frame."""
        import pandas

        return pandas.DataFrame(self.columns())

    def to_polars(self) -> Any:
        """A polars data frame."""
        import polars

        return polars.DataFrame(self.columns(), strict=False)


def _written(text: str, path: Path | None) -> str:
    if path is not None:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    return text


def _keys(rows: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row))


def gate_of(checks: list[dict[str, Any]]) -> Gate:
    """A gate with these checks."""
    with loading:
        from .records import Gate, GateCheck

    def made(check: dict[str, Any]) -> GateCheck:
        found = GateCheck._make(check.get(field) for field in GateCheck._fields)
        return found._replace(people_agree=agree_of(check))

    found = [made(check) for check in checks]
    return Gate(all(check.passed for check in found), found)


def agree_of(found: dict[str, Any]) -> PeopleAgree | None:
    """How often people agree, if a result says so."""
    agree = found.get("people_agree")
    if agree is None:
        return None
    with loading:
        from .records import PeopleAgree

    return PeopleAgree(agree["share"], agree.get("low"), agree.get("high"))


class Rows(Table):
    """Rows as data: what the readers of judgements give."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self._columns = columns

    def columns(self) -> dict[str, list[Any]]:
        return self._columns

    def rows(self) -> list[dict[str, Any]]:
        names = list(self._columns)
        return [dict(zip(names, values)) for values in zip(*self._columns.values())]

    def to_dict(self) -> dict[str, list[Any]]:
        """A list for each column."""
        return self._columns

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), []))

    def __repr__(self) -> str:
        return f"{len(self)} rows of {', '.join(self._columns)}"


class Report(Table):
    """A result with tercet's own text: `data` is the command's JSON."""

    def __init__(self, written: dict[str, str]) -> None:
        with loading:
            import json

        self._json = written["json"]
        self.data: Any = json.loads(self._json)
        self._text = written["text"]
        self._markdown = written["markdown"]

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """What readers should know, where the result is one object: a dict for each warning, with its `kind` and its
        `text`."""
        return list(self.data.get("warnings", [])) if isinstance(self.data, dict) else []

    def to_dict(self) -> Any:
        """The command's JSON."""
        return self.data

    def rows(self) -> list[dict[str, Any]]:
        rows = self.data if isinstance(self.data, list) else [self.data]
        return [{key: value for key, value in row.items() if not isinstance(value, (list, dict))} for row in rows]

    def to_json(self, path: Path | None = None) -> str:
        """The command's JSON, as text. Also written to the file, if one is named."""
        return _written(self._json, path)

    def to_markdown(self) -> str:
        """As Markdown."""
        return self._markdown

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return page(f"<pre>{escape(self._text)}</pre>")

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


class MetricScores:
    """The scores of all systems by one metric."""

    def __init__(self, evaluation: Evaluation, number: int) -> None:
        self._evaluation = evaluation
        self._systems: list[str] = evaluation._data["systems"]
        self._number = number
        self._column: dict[str, Any] = evaluation._data["columns"][number]

    @property
    def metric(self) -> str:
        """The metric as it was asked for."""
        return str(self._column["metric"])

    @property
    def title(self) -> str:
        """The usual spelling of the metric."""
        return str(self._column["title"])

    @property
    def signature(self) -> str:
        """The signature, which gives the same scores again."""
        return str(self._column["signature"])

    @property
    def higher_is_better(self) -> bool:
        """False for error rates."""
        return bool(self._column["direction"] == "higher_is_better")

    @property
    def score(self) -> float:
        """The score of the only system."""
        return self._only()["score"]  # type: ignore[no-any-return]

    @property
    def segments(self) -> list[float]:
        """The segment scores of the only system, if they were asked for."""
        self._only()
        found: list[float] = self._evaluation._native.segments(self._number, 0)
        if not found:
            raise RequestError(NO_SEGMENT_SCORES)
        return found

    @property
    def interval(self) -> Interval | None:
        """The interval of the only system."""
        return self[self._systems[0]].interval if self._only() else None

    def _only(self) -> dict[str, Any]:
        if len(self._systems) != 1:
            raise ValueError(f"there are {len(self._systems)} systems: name one, as in result[{self.metric!r}][SYSTEM]")
        return self._column["cells"][0]  # type: ignore[no-any-return]

    def __contains__(self, system: object) -> bool:
        return str(system) in self._systems

    def keys(self) -> list[str]:
        """The systems."""
        return list(self._systems)

    def __getitem__(self, system: str) -> SystemScore:
        system = str(system)  # names of systems are texts, whatever they were given as
        if system not in self._systems:
            raise KeyError(f"{system!r} is none of the systems: {', '.join(self._systems)}")
        with loading:
            from .records import Interval, SystemScore

        place = self._systems.index(system)
        cell = self._column["cells"][place]
        return SystemScore(
            system,
            cell["score"],
            Interval(**cell["interval"]) if cell["interval"] else None,
            cell["wins"],
            dict(cell["components"]),
            self._evaluation._native.segments(self._number, place),
            dict(zip(self._evaluation.documents, self._evaluation._native.documents(self._number, place))),
            agree_of(cell),
        )

    def __iter__(self) -> Iterator[SystemScore]:
        return (self[system] for system in self._systems)

    def __len__(self) -> int:
        return len(self._systems)

    def to_dict(self) -> dict[str, float]:
        """The score of each system."""
        return {system: cell["score"] for system, cell in zip(self._systems, self._column["cells"])}

    def __repr__(self) -> str:
        scores = ", ".join(f"{system}: {score:.2f}" for system, score in self.to_dict().items())
        return f"{self.title} {{{scores}}}"


def _name(spec: str) -> str:
    """The name of a metric, without options and what else a signature has."""
    return spec.partition("|")[0].partition(":")[0]


def _plain(name: str) -> str:
    """A name of signs that all loggers take."""
    return "".join(sign if sign.isalnum() or sign in "_-. " else "_" for sign in name.replace("+", "p"))


def _flat_name(metric: str, system: str, systems: list[str]) -> str:
    return _plain(metric) if len(systems) == 1 else f"{_plain(system)}/{_plain(metric)}"


class Evaluation(Table):
    """Scores of systems by metrics: `evaluation["bleu"]["system"].score`."""

    def __init__(self, native: Any) -> None:
        self._native = native
        self._read: dict[str, Any] | None = None

    @property
    def _data(self) -> dict[str, Any]:
        """Everything but the scores of segments."""
        if self._read is None:
            with loading:
                import json

            self._read = json.loads(self._native.data())
        return self._read

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """What readers should know: a dict for each warning, with its `kind`, its `text` and what it is about."""
        return list(self._data["warnings"])

    @property
    def gate(self) -> Gate | None:
        """Whether the conditions of `fail_if` and `no_worse_than` are met, if there were any."""
        found = self._data["gate"]
        return None if found is None else gate_of(found["checks"])

    @property
    def alignment(self) -> list[dict[str, Any]]:
        """With `align`: what the segments of each system were made of, a dict for each."""
        return list(self._data.get("alignment", []))

    @property
    def systems(self) -> list[str]:
        """The systems, in the order given."""
        return list(self._data["systems"])

    @property
    def metrics(self) -> list[str]:
        """The metrics as they were asked for."""
        return [column["metric"] for column in self._data["columns"]]

    @property
    def segments(self) -> int:
        """The number of segments."""
        return int(self._data["segments"])

    @property
    def documents(self) -> list[str]:
        """The documents in the order of their first segments, if their scores were asked for."""
        return [document["name"] for document in self._data["documents"]]

    @property
    def signatures(self) -> dict[str, str]:
        """The signature of each metric."""
        return {column["metric"]: column["signature"] for column in self._data["columns"]}

    @property
    def comparisons(self) -> list[PairedResult]:
        """The results of the paired tests, metric by metric."""
        with loading:
            from .records import PairedResult

        names = self._data["systems"]

        def result(found: dict[str, Any]) -> PairedResult:
            rest = {key: found[key] for key in ("delta", "p", "p_holm", "differing_segments", "significant")}
            metric = self._data["columns"][found["column"]]["metric"]
            rest["people_agree"] = agree_of(found)
            return PairedResult(metric, names[found["system"]], names[found["baseline"]], **rest)

        return [result(found) for found in self._data["comparisons"]]

    def __getitem__(self, metric: str) -> MetricScores:
        """The scores by a metric: by the text it was asked for or its signature, or by its title or name if no other
        has it."""
        columns = self._data["columns"]
        for i, column in enumerate(columns):
            if metric in (column["metric"], column["signature"]):
                return MetricScores(self, i)
        named = [i for i, one in enumerate(columns) if metric in (one["title"], _name(one["metric"]))]
        if len(named) == 1:
            return MetricScores(self, named[0])
        problem = "is the name of several metrics" if named else "is none of the metrics"
        raise KeyError(f"{metric!r} {problem}: {', '.join(self.metrics)}")

    def __contains__(self, metric: object) -> bool:
        try:
            return isinstance(metric, str) and bool(self[metric])
        except KeyError:
            return False

    def __iter__(self) -> Iterator[MetricScores]:
        return (MetricScores(self, i) for i in range(len(self)))

    def __len__(self) -> int:
        return len(self._data["columns"])

    def keys(self) -> list[str]:
        """The metrics as they were asked for."""
        return self.metrics

    def items(self) -> list[tuple[str, MetricScores]]:
        """Each metric with its scores."""
        return [(scores.metric, scores) for scores in self]

    def to_dict(self) -> dict[str, dict[str, float]]:
        """The score of each system by each metric: `{metric: {system: score}}`."""
        return {scores.metric: scores.to_dict() for scores in self}

    def to_flat(self, prefix: str = "") -> dict[str, float]:
        """Every number under one name, as MLflow, Weights & Biases and trainers log them: `chrf` or, of several
        systems, `system/chrf`; with `_low` and `_high` the ends of an interval, with `_p` the p-value of a test against
        the baseline. Every name begins with `prefix`. Names have letters, digits and `_-./ ` only: `chrfpp` is chrF++,
        and other signs become `_`."""
        systems = self.systems
        found: dict[str, float] = {}
        for scores in self:
            for of_system in scores:
                name = _flat_name(scores.metric, of_system.system, systems)
                found[name] = of_system.score
                if of_system.interval:
                    found[f"{name}_low"], found[f"{name}_high"] = of_system.interval.low, of_system.interval.high
        baselines = {one.baseline for one in self.comparisons}
        for one in self.comparisons:
            name = _flat_name(one.metric, one.system, systems)
            found[f"{name}_p" if len(baselines) == 1 else f"{name}_p_{_plain(one.baseline)}"] = one.p
        return {prefix + name: value for name, value in found.items()}

    def rows(self) -> list[dict[str, Any]]:
        """A dict for each metric and system."""
        found = []
        for scores in self:
            for of_system in scores:
                row = {"system": of_system.system, "metric": scores.metric, "score": of_system.score}
                if of_system.interval:
                    row.update(low=of_system.interval.low, high=of_system.interval.high)
                row.update(of_system.components)
                found.append({**row, "signature": scores.signature})
        return found

    def segment_rows(self) -> Rows:
        """A row for each segment and system, a column for each metric; segments are numbered from 1."""
        self._check_segment_scores()
        systems = self._data["systems"]
        columns: dict[str, list[Any]] = {
            "system": [system for system in systems for _ in range(self.segments)],
            "segment": list(range(1, self.segments + 1)) * len(systems),
        }
        for i, column in enumerate(self._data["columns"]):
            lists = (self._native.segments(i, system) for system in range(len(systems)))
            columns[column["metric"]] = [score for scores in lists for score in scores]
        return Rows(columns)

    def document_rows(self) -> Rows:
        """A row for each document and system, with the number of its segments and a column for each metric."""
        self._check_document_scores()
        systems, documents = self._data["systems"], self._data["documents"]
        columns: dict[str, list[Any]] = {
            "system": [system for system in systems for _ in documents],
            "document": [document["name"] for document in documents] * len(systems),
            "segments": [document["segments"] for document in documents] * len(systems),
        }
        for i, column in enumerate(self._data["columns"]):
            lists = (self._native.documents(i, system) for system in range(len(systems)))
            columns[column["metric"]] = [score for scores in lists for score in scores]
        return Rows(columns)

    def _check_document_scores(self) -> None:
        if not self._data["documents"]:
            raise RequestError(NO_DOCUMENT_SCORES)

    def _check_segment_scores(self) -> None:
        if self.segments and not self._native.has_segments():
            raise RequestError(NO_SEGMENT_SCORES)

    def write(
        self,
        format: str = "text",
        *,
        segments: bool = False,
        components: bool = False,
        decimals: int | None = None,
        documents: bool = False,
    ) -> str:
        """As the command writes it: `text`, `json`, `jsonl`, `tsv`, `csv`, `markdown` or `latex`."""
        return self._write(format, documents, segments, components, optional_whole(decimals, "decimals"))

    def _write(self, format: str, documents: bool, segments: bool, components: bool, decimals: int | None) -> str:
        if segments and documents:
            raise RequestError("segments and documents are not written together: leave one of them out")
        if segments:
            self._check_segment_scores()
        if documents:
            self._check_document_scores()
        written: str = self._native.write(format, documents, segments, components, decimals)
        return written

    def to_csv(self, path: Path | None = None) -> str:
        """As the command writes CSV. Also written to the file, if one is named."""
        return _written(self.write("csv"), path)

    def to_json(self, path: Path | None = None) -> str:
        """As the command writes JSON. Also written to the file, if one is named."""
        return _written(self.write("json"), path)

    def to_markdown(self) -> str:
        """As Markdown."""
        return self.write("markdown")

    def to_latex(self) -> str:
        """As a table of LaTeX."""
        return self.write("latex")

    def __str__(self) -> str:
        return self.write()

    def __repr__(self) -> str:
        return self.write().rstrip("\n")

    def _systems_to_draw(self, metric: str) -> list[str]:
        """The systems in the order of plots."""
        return self.systems

    def _repr_html_(self) -> str:
        return page(table_of(self) + tests_table(self) + scores_plot(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Evaluation) and bool(self._native == other._native)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._native,)

    __hash__ = None  # type: ignore[assignment]
