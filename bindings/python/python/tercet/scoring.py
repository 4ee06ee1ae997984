"""Scores of systems, comparisons and rankings."""

from __future__ import annotations

from . import _native
from .arguments import MAX_SEED, flag, optional_text, optional_whole, text, whole
from .comparison import Comparison
from .errors import RequestError
from .forks import loading
from .metrics import Metric
from .progress import reporting
from .ranking import Ranking
from .results import Evaluation, Report
from .rows import are_rows, row_input
from .texts import columns_of, is_frame, native_list, native_references, native_texts

TYPE_CHECKING = False  # typing takes a third of the time of the import

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from .aliases import Hypotheses, Path, Progress, References, Rows, Systems, Texts

#: The name of a system that has none.
SYSTEM = "system"

#: sacreBLEU's seed.
SEED: int = _native.SEED


def _is_mapping(value: Any) -> bool:
    if isinstance(value, (dict, list, tuple)):
        return isinstance(value, dict)
    from collections.abc import Mapping

    return isinstance(value, Mapping)


def input_of(
    hypotheses: Hypotheses,
    references: References | None,
    sources: Texts | None = None,
    fields: Mapping[str, Any] | None = None,
    documents: Texts | None = None,
    align: bool = False,
    *,
    needs_references: bool = True,
) -> dict[str, Any]:
    """Systems, references, sources and names of documents as the native module reads them. Where references are needed,
    sources of rows will do if `fields` names them: the metric decides whether it can do with them."""
    if align and references is None:
        raise RequestError("align matches outputs with references of their own: give references, not rows")
    if references is None and are_rows(hypotheses):
        for name, role, given_texts in (("sources", "source", sources), ("documents", "document", documents)):
            if given_texts is not None:
                hint = f"name it with fields={{'{role}': ...}}"
                raise RequestError(f"{name}: rows have their {name} in a field: {hint}")
        by_source = fields is not None and "source" in fields
        return row_input(hypotheses, fields, SYSTEM, None if needs_references and by_source else needs_references)
    if fields is not None:
        raise RequestError("fields name those of rows: a file or a list of dicts as hypotheses, without references")
    if references is None and sources is None and needs_references:
        hint = "they may be left out for rows (the path of a file, or a list of dicts) and with sources"
        raise TypeError(f"references: expected a list of str, found NoneType ({hint})")
    systems: Any = hypotheses if _is_mapping(hypotheses) else {SYSTEM: hypotheses}
    if is_frame(hypotheses):
        systems = columns_of(hypotheses, "hypotheses")
    given: list[tuple[Any, Texts]] = list(systems.items())
    of_systems: list[list[str] | None] | None = None
    if align:
        cut = [_lines_of_documents(of) for _, of in given]
        of_systems = [names for _, names in cut]
        given = [(name, lines) for (name, _), (lines, _) in zip(given, cut)]
    what = "hypotheses" if len(given) == 1 else "hypotheses[{!r}]"
    lines, by_column = (None, False) if references is None else native_references(references)
    return {
        "systems": [(text(name, "the name of a system"), native_texts(of, what.format(name))) for name, of in given],
        "references": lines,
        "by_column": by_column,
        "sources": None if sources is None else native_texts(sources, "sources"),
        "documents": None if documents is None else native_texts(documents, "documents"),
        "align": of_systems,
    }


def _lines_of_documents(output: Any) -> tuple[Any, list[str] | None]:
    """The lines of an output, and the document of each if it is a dict of documents, each with its text or lines."""
    if not _is_mapping(output):
        return ([output] if isinstance(output, str) else output), None
    lines: list[str] = []
    names: list[str] = []
    for name, texts in output.items():
        own = [texts] if isinstance(texts, str) else native_list(texts, f"the document {name!r}")
        lines.extend(own)
        names.extend([text(name, "the name of a document")] * len(own))
    return lines, names


def _check_systems(hypotheses: object, references: object, function: str) -> None:
    if references is None and are_rows(hypotheses):
        return
    if not _is_mapping(hypotheses) and not is_frame(hypotheses):
        found = type(hypotheses).__name__
        raise TypeError(f"hypotheses: {function} expects a dict of systems, each with its lines, found {found}")


def built(metrics: None | str | Metric | Iterable[str | Metric], language: str | None) -> list[Any]:
    """The native metrics of these names."""
    if metrics is None:
        return []
    try:
        given = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    except TypeError:
        found = type(metrics).__name__
        raise TypeError(f"metrics: expected the name of a metric, a tercet.Metric, or several, found {found}") from None
    if not given:
        raise RequestError("no metrics are given (leave them out for the default ones)")
    return [(one if isinstance(one, Metric) else Metric(one, language))._metric for one in given]


def _loaded(given: dict[str, Any], language: str | None, fast: bool) -> Any:
    """The learned metric, if it suits these texts: what keeps its model, which forks wait for, in memory."""
    if fast or given["references"] is None:
        return None
    with loading:
        return _native.load_learned_metric(given["references"], given["by_column"], language)


def resampling(resamples: int | None, seed: int | None) -> dict[str, int | None]:
    """Resamples or trials and their seed, checked."""
    return {
        "resamples": optional_whole(resamples, "resamples", 1, _native.MAX_RESAMPLES),
        "seed": optional_whole(seed, "seed", 0, MAX_SEED),
    }


def _tests(
    confidence: bool,
    paired: str | None,
    baseline: str | None,
    all_pairs: bool,
    correction: str | None,
    resamples: int | None,
    seed: int | None,
) -> dict[str, Any]:
    """Intervals and tests."""
    if confidence not in (True, False):
        raise RequestError(f"confidence: expected True or False (intervals have 95%), found {confidence!r}")
    every = baseline == "all"
    return {
        "confidence": bool(confidence),
        "paired": optional_text(paired, "paired"),
        "baseline": None if baseline is None or every else text(baseline, "baseline"),
        "all_pairs": flag(all_pairs, "all_pairs") or every,
        "correction": optional_text(correction, "correction"),
        **resampling(resamples, seed),
    }


def _by(resample_by: str, documents: Texts | None, align: bool, level: str | None = None) -> dict[str, Any]:
    """What resamples draw. Names of documents must be of use."""
    by = text(resample_by, "resample_by")
    needed = by.lower() in ("document", "doc") or (level or "").lower() in ("document", "doc")
    if documents is not None and not (needed or flag(align, "align")):
        raise RequestError("documents changes nothing without the level document, resample_by document, or align")
    return {"resample_by": by}


def _level(level: str | None, segments: bool) -> str:
    """The level, which `segments` may say too."""
    chosen = optional_text(level, "level") or ("both" if flag(segments, "segments") else "system")
    if level is not None and segments:
        raise RequestError("segments and level say which scores are wanted: leave one of them out")
    return chosen


def _gate(
    fail_if: str | Iterable[str], no_worse_than: str | None, margin: float | None, strict: bool = False
) -> dict[str, Any]:
    """Conditions that the scores must meet."""
    conditions = [fail_if] if isinstance(fail_if, str) else list(fail_if)
    if margin is not None and (isinstance(margin, bool) or not isinstance(margin, (int, float))):
        raise TypeError(f"margin: expected a number, found {margin!r}")
    return {
        "fail_if": [text(condition, "fail_if") for condition in conditions],
        "no_worse_than": None if no_worse_than is None else text(no_worse_than, "no_worse_than"),
        "margin": None if margin is None else float(margin),
        "strict": flag(strict, "strict"),
    }


def page_of(path: Path | None, command: str, by: Mapping[str, Iterable[object]] | None = None) -> dict[str, Any] | None:
    """The page as the native module reads it."""
    if path is None:
        if by is not None:
            raise RequestError("by changes nothing without page: name the file of a page")
        return None
    with loading:
        from .corpora import path_of

    if by is not None and not _is_mapping(by):
        raise TypeError(f"by: expected a dict of lists, one value for each segment, found {type(by).__name__}")
    given = (by or {}).items()
    values = {text(name, "by"): [text(value, "by") for value in native_list(column, "by")] for name, column in given}
    return {"path": path_of(path, "page"), "by": list(values.items()), "command": command}


def score(
    hypotheses: Hypotheses | Rows,
    references: References | None = None,
    metrics: None | str | Metric | Sequence[str | Metric] = None,
    sources: Texts | None = None,
    *,
    language: str | None = None,
    segments: bool = False,
    components: bool = False,
    confidence: bool = False,
    paired: str | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    correction: str | None = None,
    resamples: int | None = None,
    seed: int | None = SEED,
    fast: bool = False,
    fail_if: str | Iterable[str] = (),
    no_worse_than: str | None = None,
    margin: float | None = None,
    checks: bool = True,
    page: Path | None = None,
    by: Mapping[str, Iterable[object]] | None = None,
    fields: Mapping[str, str | Sequence[str]] | None = None,
    level: str | None = None,
    documents: Texts | None = None,
    resample_by: str = "segment",
    align: bool = False,
    strict: bool = False,
    progress: Progress = True,
) -> Evaluation:
    """Scores one system, or several, by metrics.

    `hypotheses` are the lines of one system, or of several: a dict, or a data frame with a column for each.
    `references` have a
    line for each segment, or a list of lines. Trailing white space of a line counts for nothing, as in the command.
    Metrics are named as in the command: `bleu`, `chrf:word_order=2`, a signature. Without metrics: BLEU, chrF and TER,
    and
    into English `siamese` too, unless `fast`.

    `confidence` adds bootstrap intervals. `paired` tests differences, by `"bs"` or `"ar"`, from `baseline` (default:
    the first
    system) or with `all_pairs` between all systems, adjusted for their number with `correction="holm"`. `checks` warns
    of suspicious texts.

    `fail_if` has conditions such as `"bleu < 35"` or `"chrf(new) < chrf(old) p<0.05"`, `no_worse_than` a system that
    all others
    must not be worse than by more than `margin`, by a paired bootstrap: the result's `gate` says whether they are met.
    With `strict`, warnings fail it.

    `level` is that of the command: `"system"`, `"document"`, `"segment"` or `"both"`, which `segments` is short for.
    `documents` has the name of the document of each segment: with `level="document"` the result has the scores of each,
    and with `resample_by="document"` intervals and tests draw whole documents.

    With `align`, outputs have lines of their own, or are one text, or a dict of documents with their texts: their
    sentences are matched with the references, and the result's `alignment` says what each segment was made of.

    `page` names an HTML file: the command's report, with every segment. What the report shows is computed for it, so
    the result
    has intervals, segment scores and a test of all pairs (of up to 100 systems) too. `by` adds properties of segments
    to the
    report, by name: `{"domain": [...]}`.

    Without references, `hypotheses` are rows with named fields that have all texts: the path of a file of JSON lines,
    JSON, CSV or TSV, or a list of dicts. `fields` names the fields `hypothesis`, `reference`, `source`, `system`,
    `document` and `id` where they do not have usual names.
    """
    language, fast = optional_text(language, "language"), flag(fast, "fast")
    given = input_of(hypotheses, references, sources, fields, documents, flag(align, "align"))
    job = {
        "language": language,
        "fast": fast,
        "level": _level(level, segments),
        **_by(resample_by, documents, align, level),
        "components": flag(components, "components"),
        "checks": flag(checks, "checks"),
        **_tests(confidence, paired, baseline, all_pairs, correction, resamples, seed),
        **_gate(fail_if, no_worse_than, margin, strict),
    }
    written, named = page_of(page, "score", by), built(metrics, language)
    kept = None if named else _loaded(given, language, fast)
    with reporting(progress) as report:
        result = Evaluation(_native.score(job, given, named, written, report))
    del kept
    return result


def evaluate_scores(
    scores: Path | Iterable[Path] | Mapping[str, Iterable[float]] | Mapping[str, Mapping[str, Iterable[float]]],
    *,
    lower_is_better: bool | str | Iterable[str] = False,
    segments: bool = False,
    confidence: bool = False,
    paired: str | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    correction: str | None = None,
    resamples: int | None = None,
    seed: int | None = SEED,
    fail_if: str | Iterable[str] = (),
    no_worse_than: str | None = None,
    margin: float | None = None,
    page: Path | None = None,
    strict: bool = False,
    progress: Progress = True,
) -> Evaluation:
    """Intervals and tests of segment scores of another tool: `{"a": [0.81, …], "b": […]}`, or a dict of those for each
    metric.

    A data frame has a column for each system. Paths of files of scores are read as the command reads them.
    `lower_is_better`
    names metrics that are error rates (True: all of them); tercet's own need not be named. All else is as for
    `tercet.score`.
    """
    with loading:
        from .corpora import check_names, names_of, score_columns

    columns, files = score_columns(scores)
    known = list(dict.fromkeys(metric or "score" for _, metric, _ in columns))
    lower = known if lower_is_better is True else names_of(lower_is_better or None, "lower_is_better")
    check_names(lower, known, "lower_is_better")
    job = {
        "level": "both" if flag(segments, "segments") else "system",
        **_tests(confidence, paired, baseline, all_pairs, correction, resamples, seed),
        **_gate(fail_if, no_worse_than, margin, strict),
    }
    written = page_of(page, "score")
    with reporting(progress) as report:
        return Evaluation(_native.evaluate_scores(job, columns, files, lower, written, report))


def rank(
    hypotheses: Systems | Rows,
    references: References | None = None,
    metrics: None | str | Metric | Sequence[str | Metric] = None,
    *,
    sources: Texts | None = None,
    language: str | None = None,
    paired: str | None = None,
    correction: str | None = None,
    resamples: int | None = None,
    seed: int | None = SEED,
    fast: bool = False,
    checks: bool = True,
    page: Path | None = None,
    by: Mapping[str, Iterable[object]] | None = None,
    fields: Mapping[str, str | Sequence[str]] | None = None,
    documents: Texts | None = None,
    resample_by: str = "segment",
    align: bool = False,
    fail_if: str | Iterable[str] = (),
    no_worse_than: str | None = None,
    margin: float | None = None,
    strict: bool = False,
    progress: Progress = True,
) -> Ranking:
    """Puts systems in order, in groups that do not differ significantly. With `sources` in place of references, by
    `siamese` or other metrics that can do with them.

    Without a metric: `siamese` into English, unless `fast`, and chrF into other languages.
    `page`, `by`, `fields`, documents and gates: as for `tercet.score`.
    """
    _check_systems(hypotheses, references, "rank")
    language, fast = optional_text(language, "language"), flag(fast, "fast")
    given = input_of(hypotheses, references, sources, fields, documents, flag(align, "align"))
    job = {
        "language": language,
        "fast": fast,
        "paired": optional_text(paired, "paired"),
        "correction": optional_text(correction, "correction"),
        "checks": flag(checks, "checks"),
        **resampling(resamples, seed),
        **_by(resample_by, documents, align),
        **_gate(fail_if, no_worse_than, margin, strict),
    }
    written, named = page_of(page, "rank", by), built(metrics, language)
    kept = None if named else _loaded(given, language, fast)
    with reporting(progress) as report:
        result = Ranking(_native.rank(job, given, named, written, report))
    del kept
    return result


def compare(
    hypotheses: Systems | Rows,
    references: References | None = None,
    metric: None | str | Metric = None,
    *,
    sources: Texts | None = None,
    language: str | None = None,
    resamples: int | None = None,
    seed: int | None = SEED,
    top: int = 5,
    explain: bool = False,
    fast: bool = False,
    checks: bool = True,
    page: Path | None = None,
    by: Mapping[str, Iterable[object]] | None = None,
    fields: Mapping[str, str | Sequence[str]] | None = None,
    documents: Texts | None = None,
    resample_by: str = "segment",
    align: bool = False,
    fail_if: str | Iterable[str] = (),
    no_worse_than: str | None = None,
    margin: float | None = None,
    strict: bool = False,
    progress: Progress = True,
) -> Comparison:
    """Says which of two systems is better; `print` shows the verdict and `top` segments where they differ most. With
    `sources` in place of references, by `siamese` or another metric that can do with them.

    `page`, `by`, `fields`, documents and gates: as for `tercet.score`; conditions are about `probability`, as in
    `"probability(new) < 0.4"`.
    """
    _check_systems(hypotheses, references, "compare")
    language, fast, explain = optional_text(language, "language"), flag(fast, "fast"), flag(explain, "explain")
    given = input_of(hypotheses, references, sources, fields, documents, flag(align, "align"))
    # Its model is loaded here, so that forks wait for it.
    kept: Any = None if metric is None else metric if isinstance(metric, Metric) else Metric(metric, language)
    job = {
        "metric": None if kept is None else kept.spec,
        "language": language,
        "fast": fast,
        "explain": explain,
        "checks": flag(checks, "checks"),
        **resampling(resamples, seed),
        **_by(resample_by, documents, align),
        **_gate(fail_if, no_worse_than, margin, strict),
    }
    written = page_of(page, "compare", by)
    if kept is None:
        kept = _loaded(given, "en" if explain else language, fast)
    with reporting(progress) as report:
        result = Comparison(_native.compare(job, given, whole(top, "top"), written, report))
    del kept
    return result


class Candidates(Report):
    """The candidates of each segment, the best first."""

    def best(self) -> list[str]:
        """The best candidate of each segment."""
        first: dict[str, str] = {}
        for row in self.rows():
            first.setdefault(str(row["id"]), str(row["text"]))
        return list(first.values())


def rerank(
    candidates: Sequence[Sequence[str]],
    references: References | None = None,
    metric: str | Metric = "chrf",
    *,
    language: str | None = None,
    top: int | None = None,
    checks: bool = True,
    progress: Progress = True,
) -> Candidates:
    """Puts the candidates of each segment in order: by references, or, without them, by each other (minimum Bayes
    risk)."""
    lists = [native_texts(one, f"candidates[{i}]") for i, one in enumerate(native_list(candidates, "candidates"))]
    lines, by_column = (None, False) if references is None else native_references(references)
    job = {
        "language": optional_text(language, "language"),
        "top": optional_whole(top, "top", 1),
        "checks": flag(checks, "checks"),
    }
    with reporting(progress) as report:
        return Candidates(_native.rerank(job, lists, lines, by_column, Metric(metric, language)._metric, report))
