"""How well metrics agree with people, and how people rank systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import _native
from .aliases import Path, Progress
from .arguments import MAX_SEED, whole
from .corpora import judged_rows, names_of, paths_of, score_tables
from .errors import RequestError
from .html import page
from .metrics import Metric
from .progress import reporting
from .results import Report
from .scoring import SEED, built, page_of


class Agreement(Report):
    """How well metrics agree with people: a row for each set, language pair, statistic and metric."""

    def __init__(self, written: dict[str, str], plot: str) -> None:
        super().__init__(written)
        #: Scatter plots of metric and human scores, as SVG.
        self.plot = plot

    def _repr_html_(self) -> str:
        return page(super()._repr_html_() + self.plot)


def correlate(
    judgements: Path | Iterable[Path] | Any,
    metrics: None | str | Metric | Iterable[str | Metric] = None,
    *,
    fields: Mapping[str, str] | None = None,
    pairs: None | str | Iterable[str] = None,
    scores: None | Path | Iterable[Path] | Mapping[str, Any] = None,
    lower_is_better: None | str | Iterable[str] = None,
    stored: bool = False,
    level: str = "both",
    statistics: None | str | Iterable[str] = None,
    threshold: float | None = None,
    epsilon: float | None = None,
    grouping: str | None = None,
    average: str = "macro",
    missing: str = "leave-out",
    human: str | None = None,
    method: str = "expected-wins",
    references: None | str | Iterable[str] = None,
    include_human: bool = False,
    interval: str = "bootstrap",
    test: str | None = "auto",
    alpha: float = 0.05,
    p_values: bool = False,
    resamples: int = 1000,
    seed: int = SEED,
    overall: bool | str | Iterable[str] = False,
    sort: bool = False,
    page: Path | None = None,
    progress: Progress = True,
) -> Agreement:
    """Measures how well metrics, computed here or elsewhere, agree with human judgements.

    `judgements` are folders and files, or one data frame (or list of dicts) with a judged output in each row: `score`,
    `mt`, `ref`, `system`, `rater`, `spans` and the like; `fields` names columns that are called otherwise, as in
    `{"score": "quality"}`.
    `scores` are files of scores, or `{metric: table}`: tables with columns `system`, `segment` and `score`, with the
    names that
    `tercet.read_judgements` gives, and `pair` or `set` if there are several. `overall` adds the average rank and value
    of each metric over all tables; names of attributes (`["pair", "level"]`) share their weights. `page` names an HTML
    file, the command's report.
    """
    files, tables = ([], []) if scores is None else score_tables(scores)
    arguments: dict[str, Any] = {
        "fields": {str(name): str(field) for name, field in (fields or {}).items()},
        "pairs": names_of(pairs, "pairs"),
        "lower_is_better": names_of(lower_is_better, "lower_is_better"),
        "stored": stored,
        "level": level,
        "statistics": names_of(statistics, "statistics"),
        "threshold": threshold,
        "epsilon": epsilon,
        "grouping": grouping,
        "average": average,
        "missing": missing,
        "human": human,
        "method": method,
        "references": names_of(references, "references"),
        "include_human": include_human,
        "interval": interval,
        "test": "none" if test is None else test,
        "alpha": alpha,
        "resamples": whole(resamples, "resamples"),
        "seed": whole(seed, "seed", 0, MAX_SEED),
        "overall": ([] if overall else None) if isinstance(overall, bool) else names_of(overall, "overall"),
        "sort": sort,
        "p_values": p_values,
    }
    rows, html = judged_rows(judgements), page_of(page, "correlate")
    paths = paths_of(judgements, "judgements") if rows is None else []
    with reporting(progress) as report:
        built_metrics = built(metrics, None)
        return Agreement(
            *_native.correlate_sets(arguments, paths, rows, files, tables, built_metrics, html, report)
        )


def raters(
    judgements: None | Path | Iterable[Path] = None,
    *,
    scores: None | Path | Iterable[Path] = None,
    fields: Mapping[str, str] | None = None,
    pairs: None | str | Iterable[str] = None,
    resamples: int = 1000,
    seed: int = SEED,
    progress: Progress = True,
) -> Report:
    """How far raters agree, or the runs of a metric in `scores`: Krippendorff's alpha, each rater beside the others,
    outliers, and the highest correlation that a metric could reach.
    """
    arguments: dict[str, Any] = {
        "fields": {str(name): str(field) for name, field in (fields or {}).items()},
        "pairs": names_of(pairs, "pairs"),
        "resamples": whole(resamples, "resamples"),
        "seed": whole(seed, "seed", 0, MAX_SEED),
    }
    judged = [] if judgements is None else paths_of(judgements, "judgements")
    scored = [] if scores is None else paths_of(scores, "scores")
    if not judged and not scored:
        raise RequestError("raters: expected judgements or scores")
    with reporting(progress) as report:
        return Report(_native.rater_agreement(arguments, judged, scored, report))


def spans(
    judgements: Path | Iterable[Path],
    metrics: None | str | Metric | Iterable[str | Metric] = None,
    *,
    spans: None | Path | Iterable[Path] = None,
    fields: Mapping[str, str] | None = None,
    pairs: None | str | Iterable[str] = None,
    human: str | None = None,
    references: None | str | Iterable[str] = None,
    include_human: bool = False,
    severity: str | None = None,
    top: int = 20,
    resamples: int = 1000,
    seed: int = SEED,
    page: Path | None = None,
    progress: Progress = True,
) -> Report:
    """Compares the words that metrics mark with the errors that people marked: precision, recall and F1 of characters,
    with and without severities, and of matched spans.

    `metrics` mark words (by default siamese, METEOR and TER, if no files are given); `spans` are files of spans by
    others, such as xCOMET's. `severity` is that of marks without one. `page` names an HTML file, the command's report,
    with the `top` outputs of each set on which people and the first metric differ most.
    """
    arguments: dict[str, Any] = {
        "fields": {str(name): str(field) for name, field in (fields or {}).items()},
        "pairs": names_of(pairs, "pairs"),
        "human": human,
        "references": names_of(references, "references"),
        "include_human": include_human,
        "severity": severity,
        "top": whole(top, "top"),
        "resamples": whole(resamples, "resamples"),
        "seed": whole(seed, "seed", 0, MAX_SEED),
    }
    html = page_of(page, "spans")
    files = [] if spans is None else paths_of(spans, "spans")
    with reporting(progress) as report:
        paths = paths_of(judgements, "judgements")
        return Report(_native.span_agreement(arguments, paths, files, built(metrics, None), html, report))


def challenge(
    items: Path | Iterable[Path] | Any,
    metrics: None | str | Metric | Iterable[str | Metric] = None,
    *,
    fields: Mapping[str, str] | None = None,
    pairs: None | str | Iterable[str] = None,
    page: Path | None = None,
    progress: Progress = True,
) -> Report:
    """How often metrics score a good translation above a damaged one, by kind and severity, with 95% intervals; tau as
    ACES defines it, and ACES-Score.

    `items` are files or folders (those of ACES and DEMETR too), or one data frame (or list of dicts) with columns
    `good`, `damaged`, `reference` and perhaps `kind`, `severity`, `source`, `lp`; `fields` names columns that are
    called otherwise, as in `{"good": "original"}`. `page` names an HTML file, the command's report.
    """
    arguments: dict[str, Any] = {
        "fields": {str(name): str(field) for name, field in (fields or {}).items()},
        "pairs": names_of(pairs, "pairs"),
    }
    rows, html = judged_rows(items, "items"), page_of(page, "challenge")
    paths = paths_of(items, "items") if rows is None else []
    with reporting(progress) as report:
        return Report(_native.challenge_set(arguments, paths, rows, built(metrics, None), html, report))


def systems(
    judgements: Path | Iterable[Path],
    methods: None | str | Iterable[str] = None,
    *,
    pairs: None | str | Iterable[str] = None,
    runs: int = 1000,
    seed: int = SEED,
    resample: str | None = None,
    shared_outputs: str | None = None,
    scores: str | None = None,
    test: str | None = None,
    progress: Progress = True,
) -> Report:
    """Ranks systems by human judgements: Expected Wins, TrueSkill, Hopkins–May, averages, with rank ranges and
    clusters.

    `shared_outputs` (`"tie"` or `"skip"`, by default `"tie"`) is for rankings by comparisons, `test` (`"rank-sum"` or
    `"paired"`,
    by default `"rank-sum"`) for averages.
    """
    arguments: dict[str, Any] = {
        "pairs": names_of(pairs, "pairs"),
        "methods": names_of(methods, "methods"),
        "runs": whole(runs, "runs"),
        "seed": whole(seed, "seed", 0, MAX_SEED),
        "resample": resample,
        "shared_outputs": shared_outputs,
        "scores": scores,
        "test": test,
    }
    with reporting(progress) as report:
        return Report(_native.rank_by_people(arguments, paths_of(judgements, "judgements"), report))
