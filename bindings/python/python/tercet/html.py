"""Results as HTML for notebooks: a table, and a small plot without scripts or files."""

from __future__ import annotations

from .forks import loading

TYPE_CHECKING = False  # typing takes a third of the time of the import

if TYPE_CHECKING:
    from typing import Any

    from .ranking import Ranking
    from .records import SystemScore
    from .results import Evaluation, MetricScores

_WIDTH, _ROW, _NAMES, _RIGHT, _HEAD = 560, 16, 150, 60, 22
_COLOUR = "#1f5fa8"

#: More systems than this are not drawn.
_MOST_DRAWN = 60

#: More tests than this are not shown.
_MOST_TESTS = 60


def escape(text: str) -> str:
    """Text without signs that HTML reads as its own."""
    with loading:
        import html

    return html.escape(text)


def page(body: str) -> str:
    """A result between tags of its own."""
    return f'<div class="tercet">{body}</div>'


def table_of(evaluation: Evaluation) -> str:
    """The scores of systems, with intervals and marks of significant differences; signatures below."""
    columns = list(evaluation)
    baseline = (evaluation._data["test"] or {}).get("baseline")
    # Between all pairs there is no baseline that a mark could be about.
    tested = evaluation.comparisons if baseline is not None else []
    significant = {(c.metric, c.system): _mark(evaluation[c.metric], c.delta) for c in tested if c.significant}
    head = "".join(f"<th>{escape(_title(column))}</th>" for column in columns)
    body = ""
    for system in evaluation.systems:
        cells = "".join(_cell(column, system, significant) for column in columns)
        body += f'<tr><th style="text-align:left">{escape(system)}</th>{cells}</tr>'
    signatures = [column.signature for column in columns]
    marks = [f"▲ ▼ significantly better or worse than {baseline} (p < 0.05)"] if significant else []
    return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>{notes([*signatures, *marks])}"


def _mark(column: MetricScores, delta: float) -> str:
    return " ▲" if (delta > 0) == column.higher_is_better else " ▼"


def tests_table(evaluation: Evaluation) -> str:
    """The paired tests: differences and p-values."""
    found = evaluation.comparisons
    if not found:
        return ""
    holm = any(one.p_holm is not None for one in found)
    rows = []
    for one in found[:_MOST_TESTS]:
        column = evaluation[one.metric]
        adjusted = [] if one.p_holm is None else [f"{one.p_holm:.4f}"]
        mark = _mark(column, one.delta) if one.significant else ""
        delta = f"{one.delta:+.{_decimals(column)}f}{mark}"
        rows.append([one.system, one.baseline, _title(column), delta, f"{one.p:.4f}", *adjusted])
    head = ["system", "baseline", "metric", "Δ", "p", *(["p (Holm)"] if holm else [])]
    note = "▲ ▼ the system is significantly better or worse than the baseline (p < 0.05)"
    rest = (
        [f"the first {_MOST_TESTS} of {len(found)} tests: all are in result.comparisons"]
        if len(found) > _MOST_TESTS
        else []
    )
    return table(head, rows) + notes([note, *rest])


def notes(lines: list[str]) -> str:
    """Small lines below a table."""
    return f'<div style="font-size:smaller;color:#666">{"<br>".join(escape(line) for line in lines)}</div>'


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table of texts."""
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


def ranking_table(ranking: Ranking) -> str:
    """A table for each metric: the systems in order, with groups, intervals and wins."""
    tables = ""
    for column in ranking:
        head = ["rank", "system", "group", _title(column), "wins"]
        rows = []
        for place in ranking.order(column.metric):
            wins = "" if place.wins is None else f"{place.wins:.2f}"
            rows.append([str(place.rank), place.system, str(place.group), _score(column, place.system), wins])
        tables += table(head, rows)
    groups = "group: systems that do not differ significantly (p < 0.05)"
    wins = (
        "wins: the mean probability that people prefer its translation to that of another system here; fitted to "
        "news into English of WMT12–16, for newer systems too far from 0.5"
    )
    return tables + notes([*(column.signature for column in ranking), groups, wins])


def _title(column: MetricScores) -> str:
    return column.title if column.higher_is_better else f"{column.title} ↓"


def _decimals(column: MetricScores) -> int:
    return 4 if column._column["scale"] == "one" else 2


def _score(column: MetricScores, system: str) -> str:
    found, digits = column[system], _decimals(column)
    interval = ""
    if found.interval is not None:
        interval = f" [{found.interval.low:.{digits}f}, {found.interval.high:.{digits}f}]"
    return f"{found.score:.{digits}f}{interval}"


def _cell(column: MetricScores, system: str, significant: dict[tuple[str, str], str]) -> str:
    mark = significant.get((column.metric, system), "")
    return f'<td style="text-align:right">{_score(column, system)}{mark}</td>'


def scores_plot(evaluation: Evaluation) -> str:
    """A plot for each metric: a point for each system, with its interval."""
    if not 1 < len(evaluation.systems) <= _MOST_DRAWN:
        return ""
    height = _HEAD + _ROW * len(evaluation.systems) + 6
    plots = [
        _plot(column, [column[name] for name in evaluation._systems_to_draw(column.metric)], height * i)
        for i, column in enumerate(evaluation)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height * len(plots)}" '
        f'font-family="sans-serif" font-size="10"><rect width="100%" height="100%" fill="white"/>{"".join(plots)}</svg>'
    )


def _plot(column: MetricScores, found: list[SystemScore], top: int) -> str:
    ends = [end for one in found for end in _ends(one)]
    low, high = min(ends), max(ends)
    room = (high - low) * 0.05 or 1.0
    low, high = low - room, high + room

    def place(value: float) -> float:
        return _NAMES + (value - low) / (high - low) * (_WIDTH - _NAMES - _RIGHT)

    drawn = [f'<text x="{_NAMES}" y="{top + 13}" font-weight="bold">{escape(_title(column))}</text>']
    for i, one in enumerate(found):
        y = top + _HEAD + _ROW * i + _ROW // 2
        first, last = _ends(one)
        drawn.append(f'<text x="{_NAMES - 6}" y="{y + 3}" text-anchor="end">{escape(_short(one.system))}</text>')
        drawn.append(f'<line x1="{_NAMES}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}" stroke="#eee"/>')
        if one.interval is not None:
            drawn.append(f'<line x1="{place(first):.1f}" x2="{place(last):.1f}" y1="{y}" y2="{y}" stroke="{_COLOUR}"/>')
        drawn.append(f'<circle cx="{place(one.score):.1f}" cy="{y}" r="3.5" fill="{_COLOUR}"/>')
        drawn.append(f'<text x="{_WIDTH - _RIGHT + 6}" y="{y + 3}">{one.score:.{_decimals(column)}f}</text>')
    return "".join(drawn)


def _ends(one: Any) -> tuple[float, float]:
    if one.interval is None:
        return one.score, one.score
    return min(one.interval.low, one.score), max(one.interval.high, one.score)


def _short(name: str) -> str:
    return name if len(name) <= 24 else f"…{name[-23:]}"
