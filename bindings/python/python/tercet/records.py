"""Parts of results, and what is known of metrics: plain tuples with names."""

from __future__ import annotations

from typing import NamedTuple


class Interval(NamedTuple):
    """A bootstrap interval: 95% of the resamples score from `low` to `high`."""

    mean: float
    half_width: float
    low: float
    high: float


class PeopleAgree(NamedTuple):
    """The share of pairs of systems with such a difference in which people prefer the one with the better score."""

    share: float
    #: The ends of its 95% interval, where they are known.
    low: float | None
    high: float | None


class SystemScore(NamedTuple):
    """One system's score by one metric."""

    system: str
    score: float
    interval: Interval | None
    #: The mean probability that people prefer its translations, if it was asked for.
    wins: float | None
    components: dict[str, float]
    #: The score of each segment, if it was asked for.
    segments: list[float]
    #: The score of each document, if it was asked for.
    documents: dict[str, float]
    #: How often people agree that it is better than the next system, where that is known.
    people_agree: PeopleAgree | None


class PairedResult(NamedTuple):
    """A paired test of a system against a baseline."""

    metric: str
    system: str
    baseline: str
    delta: float
    p: float
    #: The p-value adjusted for the number of tests with this metric, if that was asked for.
    p_holm: float | None
    #: The number of segments whose scores differ.
    differing_segments: int
    significant: bool
    #: How often people prefer the system with the better score, where that is known.
    people_agree: PeopleAgree | None

    @property
    def adjusted(self) -> float | None:
        """The same as `p_holm`."""
        return self.p_holm

    @property
    def differing(self) -> int:
        """The same as `differing_segments`."""
        return self.differing_segments


class GateCheck(NamedTuple):
    """One rule of a gate for one system and metric, or a warning."""

    rule: str
    #: The metric, the system and its score; none for a warning.
    metric: str | None
    system: str | None
    passed: bool
    score: float | None
    #: What a condition compares the score with.
    limit: float | None
    #: The system that it is compared with.
    baseline: str | None
    #: The system's score minus the baseline's.
    delta: float | None
    #: The p-value: two-sided for a condition; for `no_worse_than`, of a loss of the margin or more.
    p: float | None
    #: The largest loss that is accepted.
    margin: float | None
    #: With 95% confidence the system is better by at least this; negative: at most so much worse.
    bound: float | None
    #: All of it as a sentence.
    text: str
    #: How often people prefer the system with the better score, where that is known.
    people_agree: PeopleAgree | None


class Gate(NamedTuple):
    """Whether scores meet the conditions of a gate."""

    passed: bool
    checks: list[GateCheck]

    @property
    def failures(self) -> list[GateCheck]:
        """The checks that failed."""
        return [check for check in self.checks if not check.passed]


class RankedSystem(NamedTuple):
    """The place of a system: equal scores share a rank; systems of a group do not differ significantly."""

    system: str
    rank: int
    group: int
    score: float
    wins: float | None


class MetricInfo(NamedTuple):
    """Name, options and description of a metric, known without building it."""

    name: str
    summary: str
    citation: str
    agrees_with: str
    higher_is_better: bool
    scale: int
    options: list[tuple[str, str, str]]
    aliases: list[tuple[str, str]]
    needs: str | None
