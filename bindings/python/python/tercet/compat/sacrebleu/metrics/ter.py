"""TER with sacreBLEU's interface."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from ..tokenizers.tokenizer_ter import TercomTokenizer
from .base import NativeMetric, Score, Signature, native_metric, yes_or_no


class TERSignature(Signature):
    """The signature of TER."""

    _OWN_ABBREVIATIONS = {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"}

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self.info.update(
            case="mixed" if args["case_sensitive"] else "lc",
            tok=args["tokenizer_signature"],
            norm=args["normalized"],
            punct=not args["no_punct"],
            asian=args["asian_support"],
        )


class TERScore(Score):
    """TER with its counts."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(NativeMetric):
    """TER of a corpus or a sentence."""

    _SIGNATURE_TYPE = TERSignature
    _TOKENIZER_TYPE = TercomTokenizer

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Sequence[str]] | None = None,
    ) -> None:
        super().__init__()
        self.no_punct = no_punct
        self.normalized = normalized
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer_signature = self.tokenizer.signature()
        native_metric(self._spec(False))
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _spec(self, prepared: bool) -> str:
        """The tokenizer has the options, as in sacreBLEU: changed attributes of the metric change the signature
        only."""
        return _spec("tercom+case" if prepared else self.tokenizer.name)

    def _prepared(self, sent: str) -> str:
        return self.tokenizer(sent.rstrip())  # type: ignore[no-any-return]

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"references": super()._prepared_references(refs)}

    def _prepared_references(self, lines: Sequence[str | None]) -> list[str | None]:
        """References are prepared twice in sacreBLEU."""
        return super()._prepared_references(super()._prepared_references(lines))

    def _score_of(self, total: Sequence[float], native: Any) -> TERScore:
        counts = list(total)
        return TERScore(native.score_tally(counts), counts[0], counts[1])


@cache
def _spec(tokenizer: str) -> str:
    """The spec of TER with the options in the name of its tokenizer."""
    names = {"normalized": "+norm", "no_punct": "+nopunct", "asian_support": "+asian", "case_sensitive": "+case"}
    return "ter:" + ",".join(f"{name}={yes_or_no(option in tokenizer)}" for name, option in names.items())
