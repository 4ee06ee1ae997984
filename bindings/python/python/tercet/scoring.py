"""Scores of systems, comparisons and rankings."""

from __future__ import annotations

from . import _native
from .arguments import MOST_RESAMPLES, MOST_SEED, flag, optional_text, optional_whole, text, whole
from .comparison import Comparison
from .errors import RequestError
from .forks import loading
from .metrics import Metric
from .progress import reporting
from .ranking import Ranking
from .results import Evaluation, Report
from .texts import columns_of, is_frame, native_list, native_references, native_texts

TYPE_CHECKING = False  # typing takes a third of the time of the import

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from .aliases import Hypotheses, Path, Progress, References, Systems, Texts

#: The name of a system that has none.
SYSTEM = "system"

#: The metric, if one is needed and the learned one does not suit the language.
DEFAULT_METRIC = "chrf"

#: The metric that explains, if none is given.
EXPLAINED = "siamese"

#: sacreBLEU's seed.
SEED = 12345

#: The resamples or trials of a paired test, if no number is given.
_TRIALS = {"bs": 1000, "ar": 10_000}


def _is_mapping(value: Any) -> bool:
    if isinstance(value, (dict, list, tuple)):
        return isinstance(value, dict)
    from collections.abc import Mapping

    return isinstance(value, Mapping)


def _input(
    hypotheses: Hypotheses, references: References, sources: Texts | None, language: str | None, checks: bool
) -> dict[str, Any]:
    systems: Any = hypotheses if _is_mapping(hypotheses) else {SYSTEM: hypotheses}
    if is_frame(hypotheses):
        systems = columns_of(hypotheses, "hypotheses")
    given: list[tuple[Any, Texts]] = list(systems.items())
    what = "hypotheses" if len(given) == 1 else "hypotheses[{!r}]"
    lines, by_column = native_references(references)
    return {
        "systems": [(text(name, "the name of a system"), native_texts(of, what.format(name))) for name, of in given],
        "references": lines,
        "by_column": by_column,
        "sources": None if sources is None else native_texts(sources, "sources"),
        "language": optional_text(language, "language"),
        "checks": flag(checks, "checks"),
    }


def _check_systems(hypotheses: object, function: str) -> None:
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


def _learned(given: dict[str, Any]) -> str | None:
    """The learned metric, if it suits these texts."""
    lines = sum(len(texts) for _, texts in given["systems"])
    with loading:
        return _native.default_learned_metric(given["references"], given["by_column"], given["language"], lines)


def resampling(samples: int | None, default: int, seed: int | None) -> tuple[int, int | None]:
    """Resamples or trials and their seed, checked."""
    found = default if samples is None else whole(samples, "resamples", 1, MOST_RESAMPLES)
    return found, optional_whole(seed, "seed", 0, MOST_SEED)


def _check_correction(correction: str | None) -> None:
    if correction not in (None, "holm"):
        raise RequestError(f"correction: expected 'holm' or None, found {correction!r}")


def _check_test_is_requested(paired: str | None, confidence: bool, **others: object) -> None:
    """Refuses arguments that would change nothing."""
    if confidence not in (True, False):
        raise RequestError(f"confidence: expected True or False (intervals have 95%), found {confidence!r}")
    for name, value in others.items():
        if value is not None and paired is None and not (confidence and name == "resamples"):
            tests = "confidence=True or paired='bs'" if name == "resamples" else "paired='bs' or 'ar'"
            raise RequestError(f"{name} changes nothing without {tests}")


def _paired(
    test: str | None, baseline: str | None, first: str, samples: int | None, seed: int | None, holm: bool
) -> dict[str, Any] | None:
    if test is None:
        return None
    if test not in _TRIALS:
        raise RequestError(f"paired: expected 'bs' (bootstrap) or 'ar' (approximate randomisation), found {test!r}")
    against = None if baseline == "all" else first if baseline is None else text(baseline, "baseline")
    trials, seed = resampling(samples, _TRIALS[test], seed)
    return {"test": test, "samples": trials, "seed": seed, "baseline": against, "holm": holm}


def _request(
    first: str,
    confidence: bool,
    paired: str | None,
    baseline: str | None,
    correction: str | None,
    resamples: int | None,
    seed: int | None,
) -> dict[str, Any]:
    """Intervals and tests as the native module reads them; `first` is the first system."""
    _check_correction(correction)
    _check_test_is_requested(paired, confidence, resamples=resamples, baseline=baseline, correction=correction)
    return {
        "segments": False,
        "components": False,
        "confidence": resampling(resamples, 1000, seed) if confidence else None,
        "paired": _paired(paired, baseline, first, resamples, seed, correction == "holm"),
        "wins": False,
    }


def page_of(
    path: Path | None, command: str, seed: int | None, by: Mapping[str, Iterable[object]] | None = None
) -> dict[str, Any] | None:
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
    return {"path": path_of(path, "page"), "by": list(values.items()), "command": command, "seed": seed}


def score(
    hypotheses: Hypotheses,
    references: References,
    metrics: None | str | Metric | Sequence[str | Metric] = None,
    sources: Texts | None = None,
    *,
    language: str | None = None,
    segments: bool = False,
    components: bool = False,
    confidence: bool = False,
    paired: str | None = None,
    baseline: str | None = None,
    correction: str | None = None,
    resamples: int | None = None,
    seed: int | None = SEED,
    fast: bool = False,
    checks: bool = True,
    page: Path | None = None,
    by: Mapping[str, Iterable[object]] | None = None,
    progress: Progress = True,
) -> Evaluation:
    """Scores one system, or several, by metrics.

    `hypotheses` are the lines of one system, or of several: a dict, or a data frame with a column for each. `references` have a
    line for each segment, or a list of lines. Trailing white space of a line counts for nothing, as in the command.
    Metrics are named as in the command: `bleu`, `chrf:word_order=2`, a signature. Without metrics: BLEU, chrF and TER, and
    into English `siamese` too, unless `fast`.

    `confidence` adds bootstrap intervals. `paired` tests differences, by `"bs"` or `"ar"`, from `baseline` (default: the first
    system; `"all"`: all pairs), adjusted for their number with `correction="holm"`. `checks` warns of suspicious texts.

    `page` names an HTML file: the command's report, with every segment. What the report shows is computed for it, so the result
    has intervals, segment scores and a test of all pairs (of up to 100 systems) too. `by` adds properties of segments to the
    report, by name: `{"domain": [...]}`.
    """
    given = _input(hypotheses, references, sources, language, checks)
    first = given["systems"][0][0] if given["systems"] else ""
    request = _request(first, confidence, paired, baseline, correction, resamples, seed)
    request.update(segments=flag(segments, "segments"), components=flag(components, "components"))
    fast = flag(fast, "fast")
    if metrics is None:
        learned = None if fast else _learned(given)
        metrics = [*_native.DEFAULT_METRICS, *([learned] if learned else [])]
    written = page_of(page, "score", resampling(resamples, 1000, seed)[1], by)
    with reporting(progress) as report:
        return Evaluation(_native.evaluate(given, built(metrics, language), request, written, report))


def evaluate_scores(
    scores: Path | Iterable[Path] | Mapping[str, Iterable[float]] | Mapping[str, Mapping[str, Iterable[float]]],
    *,
    lower_is_better: bool | str | Iterable[str] = False,
    segments: bool = False,
    confidence: bool = False,
    paired: str | None = None,
    baseline: str | None = None,
    correction: str | None = None,
    resamples: int | None = None,
    seed: int | None = SEED,
    page: Path | None = None,
    progress: Progress = True,
) -> Evaluation:
    """Intervals and tests of segment scores of another tool: `{"a": [0.81, …], "b": […]}`, or a dict of those for each metric.

    A data frame has a column for each system. Paths of files of scores are read as the command reads them. `lower_is_better`
    names metrics that are error rates (True: all of them); tercet's own need not be named. All else is as for `tercet.score`.
    """
    with loading:
        from .corpora import check_names, names_of, score_columns

    columns, files = score_columns(scores)
    known = list(dict.fromkeys(metric or "score" for _, metric, _ in columns))
    lower = known if lower_is_better is True else names_of(lower_is_better or None, "lower_is_better")
    check_names(lower, known, "lower_is_better")
    request = _request(columns[0][0], confidence, paired, baseline, correction, resamples, seed)
    request["segments"] = flag(segments, "segments")
    written = page_of(page, "score", resampling(resamples, 1000, seed)[1])
    with reporting(progress) as report:
        return Evaluation(_native.evaluate_scores(columns, files, lower, request, written, report))


def rank(
    hypotheses: Systems,
    references: References,
    metrics: None | str | Metric | Sequence[str | Metric] = None,
    *,
    language: str | None = None,
    paired: str = "bs",
    correction: str | None = None,
    resamples: int | None = None,
    seed: int | None = SEED,
    fast: bool = False,
    checks: bool = True,
    page: Path | None = None,
    by: Mapping[str, Iterable[object]] | None = None,
    progress: Progress = True,
) -> Ranking:
    """Puts systems in order, in groups that do not differ significantly.

    Without a metric: `siamese` into English, unless `fast`, and chrF into other languages.
    `page` and `by`: as for `tercet.score`.
    """
    _check_correction(correction)
    _check_systems(hypotheses, "rank")
    given = _input(hypotheses, references, None, language, checks)
    request: dict[str, Any] = {
        "segments": False,
        "components": False,
        "confidence": resampling(resamples, 1000, seed),
        "paired": _paired(str(paired), "all", "", resamples, seed, correction == "holm"),
        "wins": True,
    }
    fast = flag(fast, "fast")
    if metrics is None:
        metrics = (None if fast else _learned(given)) or DEFAULT_METRIC
    written = page_of(page, "rank", seed, by)
    with reporting(progress) as report:
        return Ranking(_native.evaluate(given, built(metrics, language), request, written, report))


def compare(
    hypotheses: Systems,
    references: References,
    metric: None | str | Metric = None,
    *,
    language: str | None = None,
    resamples: int | None = None,
    seed: int | None = SEED,
    top: int = 5,
    explain: bool = False,
    fast: bool = False,
    checks: bool = True,
    page: Path | None = None,
    by: Mapping[str, Iterable[object]] | None = None,
    progress: Progress = True,
) -> Comparison:
    """Says which of two systems is better; `print` shows the verdict and `top` segments where they differ most.

    `page` and `by`: as for `tercet.score`.
    """
    _check_systems(hypotheses, "compare")
    given = _input(hypotheses, references, None, language, checks)
    interval, seed = resampling(resamples, 1000, seed)
    settings = (interval, resampling(resamples, 10_000, seed)[0], seed, whole(top, "top"), flag(explain, "explain"))
    learned = None
    if metric is None and not flag(fast, "fast"):
        learned = EXPLAINED if explain else _learned(given)
    # Its model is loaded here, so that forks wait for it.
    built = Metric(learned or DEFAULT_METRIC if metric is None else metric, language)
    written = page_of(page, "compare", seed, by)
    with reporting(progress) as report:
        return Comparison(_native.compare(given, built.spec, learned is not None, settings, written, report))


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
    progress: Progress = True,
) -> Candidates:
    """Puts the candidates of each segment in order: by references, or, without them, by each other (minimum Bayes risk)."""
    lists = [native_texts(one, f"candidates[{i}]") for i, one in enumerate(native_list(candidates, "candidates"))]
    lines, by_column = (None, False) if references is None else native_references(references)
    most = optional_whole(top, "top")
    with reporting(progress) as report:
        return Candidates(_native.rerank(lists, lines, by_column, Metric(metric, language)._metric, most, report))
