"""chrF with sacreBLEU's interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .base import NativeMetric, Score, Signature, native_metric, yes_or_no


class CHRFSignature(Signature):
    """The signature of chrF."""

    _OWN_ABBREVIATIONS = {"case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s"}

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self.info.update(
            case="lc" if args["lowercase"] else "mixed",
            eff=yes_or_no(not args["eps_smoothing"]),
            nc=args["char_order"],
            nw=args["word_order"],
            space=yes_or_no(args["whitespace"]),
        )


class CHRFScore(Score):
    """chrF with its orders."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        super().__init__(f"chrF{beta}" + "+" * word_order, score)
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order


class CHRF(NativeMetric):
    """chrF of a corpus or a sentence; chrF++ with `word_order=2`."""

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2

    _SIGNATURE_TYPE = CHRFSignature
    _REPLACEABLE = (*NativeMetric._REPLACEABLE, "_compute_f_score")

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Sequence[Sequence[str]] | None = None,
    ) -> None:
        super().__init__()
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        native_metric(self._spec(False))
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _spec(self, prepared: bool) -> str:
        lowercase = yes_or_no(self.lowercase and not prepared)
        return (
            f"chrf:char_order={self.char_order},word_order={self.word_order},beta={self.beta},lowercase={lowercase},"
            f"whitespace={yes_or_no(self.whitespace)},eps_smoothing={yes_or_no(self.eps_smoothing)}"
        )

    def _prepared(self, sent: str) -> str:
        return sent.lower() if self.lowercase else sent

    def _compute_f_score(self, statistics: Sequence[float]) -> float:
        return self._native.score_tally([float(count) for count in statistics])  # type: ignore[no-any-return]

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        """The statistics with the reference that has the best score, the first of equals."""
        one = super()._compute_segment_statistics
        each = [one(hypothesis, {"references": [line]}) for line in ref_kwargs["references"]]
        return [int(count) for count in max(each, key=self._compute_f_score)]

    def _score_of(self, total: Sequence[float], native: Any) -> CHRFScore:
        own = self._is_replaced("_compute_f_score")
        score = self._compute_f_score(list(total)) if own else native.score_tally(total)
        return CHRFScore(score, self.char_order, self.word_order, self.beta)
