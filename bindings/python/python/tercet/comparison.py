"""The comparison of two systems: the verdict, and a row for each segment."""

from __future__ import annotations

from .html import escape, notes, page, table
from .results import Report, agree_of, gate_of

TYPE_CHECKING = False  # typing takes a third of the time of the import

if TYPE_CHECKING:
    from typing import Any

    from .records import Gate, PeopleAgree


class Comparison(Report):
    """Which of two systems is better, with what probability, and where they differ most."""

    @property
    def better(self) -> str | None:
        """The name of the system that is better on average; None if neither is. `significant` says whether to rely on
        it."""
        return self._name(self.data["overall"]["better"])

    @property
    def significant(self) -> bool:
        """Whether the difference is significant (p < 0.05)."""
        return bool(self.data["overall"]["significant"])

    @property
    def p(self) -> float:
        """The p-value of the difference, two-sided."""
        return float(self.data["overall"]["p"])

    @property
    def probability(self) -> float:
        """The mean probability that people prefer the first system's translation."""
        return float(self.data["overall"]["p_a"])

    @property
    def scores(self) -> tuple[float, float] | None:
        """The scores of both systems, if the probabilities come from scores."""
        overall = self.data["overall"]
        return (overall["score_a"], overall["score_b"]) if "score_a" in overall else None

    @property
    def people_agree(self) -> PeopleAgree | None:
        """How often people prefer the system with the better score where scores differ so much, where that is known."""
        return agree_of(self.data["overall"])

    @property
    def probabilities(self) -> list[float]:
        """For each segment, the probability that people prefer the first system's translation."""
        return [segment["p_a"] for segment in self.data["segments"]]

    @property
    def gate(self) -> Gate | None:
        """Whether the conditions of `fail_if` and `no_worse_than` are met, if there were any."""
        return gate_of(self.data["gate"]) if "gate" in self.data else None

    def _name(self, side: str | None) -> str | None:
        return None if side is None else str(self.data[side])

    def rows(self) -> list[dict[str, Any]]:
        """A dict for each segment: its number, the probability that the first system is better, and the better one's
        name."""
        return [
            {"segment": one["segment"], "p_a": one["p_a"], "better": self._name(one["better"])}
            for one in self.data["segments"]
        ]

    def _repr_html_(self) -> str:
        overall = self.data["overall"]
        values = [self.better or "neither", f"{self.probability:.2f}", f"{overall['low']:.2f} to {overall['high']:.2f}"]
        counts = [str(overall[key]) for key in ("wins_a", "wins_b", "undecided")]
        first, second = self.data["a"], self.data["b"]
        head = ["better", f"p({first} better)", "95% interval", "p", f"{first} wins", f"{second} wins", "undecided"]
        row = [*values, f"{self.p:.4g}", *counts]
        return page(table(head, [row]) + f"<pre>{escape(str(self))}</pre>" + notes([self.data["signature"]]))
