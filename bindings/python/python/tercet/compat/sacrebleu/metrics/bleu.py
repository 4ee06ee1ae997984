"""BLEU with sacreBLEU's interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..tokenizers import TOKENIZERS as _TOKENIZERS
from ..tokenizers import BaseTokenizer
from ..tokenizers import tokenizer_class as _get_tokenizer
from ..utils import my_log, sum_of_lists
from .base import NativeMetric, Score, Signature, logger, native_metric, yes_or_no

MAX_NGRAM_ORDER = 4

__all__ = ["BLEU", "MAX_NGRAM_ORDER", "BLEUScore", "BLEUSignature", "my_log", "sum_of_lists"]


class BLEUSignature(Signature):
    """The signature of BLEU."""

    _OWN_ABBREVIATIONS = {"case": "c", "eff": "e", "tok": "tok", "smooth": "s"}

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        method, value = args["smooth_method"], args["smooth_value"]
        default = BLEU.SMOOTH_DEFAULTS[method]
        with_value = "" if default is None else f"[{default if value is None else value:.2f}]"
        self.info.update(
            case="lc" if args["lowercase"] else "mixed",
            eff=yes_or_no(args["effective_order"]),
            tok=args["tokenizer_signature"],
            smooth=f"{method}{with_value}",
        )


class BLEUScore(Score):
    """BLEU with its counts."""

    def __init__(
        self,
        score: float,
        counts: list[int],
        totals: list[int],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        self.ratio = sys_len / ref_len if ref_len else 0
        self._verbose = (
            f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} hyp_len = {sys_len:d} ref_len = {ref_len:d})"
        )


class BLEU(NativeMetric):
    """BLEU of a corpus or a sentence."""

    SMOOTH_DEFAULTS: dict[str, float | None] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS = _TOKENIZERS.keys()
    TOKENIZER_DEFAULT = "13a"

    #: The tokenizer of a target language.
    _TOKENIZER_MAP = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}

    _SIGNATURE_TYPE = BLEUSignature
    _REPLACEABLE = (*NativeMetric._REPLACEABLE, "_get_closest_ref_len")
    _TOKENIZER_TYPE = BaseTokenizer

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str]] | None = None,
    ) -> None:
        super().__init__()
        assert smooth_method in self.SMOOTH_DEFAULTS, f"Unknown smooth_method {smooth_method!r}"
        self._force = force
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_value = smooth_value
        self.smooth_method = smooth_method
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        usual = self._TOKENIZER_MAP.get(trg_lang)
        if tokenize is not None and usual not in (None, tokenize):
            logger.warning("The tokenizer %r suits the target language %r better than %r.", usual, trg_lang, tokenize)
        name = tokenize if tokenize is not None else usual or self.TOKENIZER_DEFAULT
        self.tokenizer = _get_tokenizer(name)()
        self.tokenizer_signature = self.tokenizer.signature()
        native_metric(self._spec(False))
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _spec(self, prepared: bool) -> str:
        tokenizer, lowercase = ("none", False) if prepared else (self.tokenizer.spec, self.lowercase)
        smoothing = self.smooth_method, self.smooth_value
        return _spec(*smoothing, self.effective_order, self.max_ngram_order, tokenizer, lowercase)

    def _prepared(self, sent: str) -> str:
        text = sent.lower() if self.lowercase else sent
        return self.tokenizer(text.rstrip())  # type: ignore[no-any-return]

    def _get_closest_ref_len(self, hyp_len: int, ref_lens: list[int]) -> int:
        """The length that is nearest to that of the hypothesis, the smaller of two."""
        return min(ref_lens, key=lambda length: (abs(hyp_len - length), length), default=-1)

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        stats = [int(count) for count in super()._compute_segment_statistics(hypothesis, ref_kwargs)]
        stats[1] = self._get_closest_ref_len(stats[0], [len(line.split()) for line in ref_kwargs["references"]])
        return stats

    def _score_of(self, total: Sequence[float], native: Any) -> BLEUScore:
        smoothing = self.smooth_method, self.smooth_value
        return _score(native, list(total), smoothing)

    @staticmethod
    def compute_bleu(
        correct: Sequence[float],
        total: Sequence[float],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """BLEU from its counts."""
        assert smooth_method in BLEU.SMOOTH_DEFAULTS, f"Unknown smooth_method {smooth_method!r}"
        spec = _spec(smooth_method, smooth_value, effective_order, max_ngram_order, "none", False)
        counts = [sys_len, ref_len, *correct[:max_ngram_order], *total[:max_ngram_order]]
        return _score(native_metric(spec), [float(count) for count in counts], (smooth_method, smooth_value))

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> BLEUScore:
        """The score of one sentence."""
        if not self.effective_order:
            logger.warning("BLEU of single sentences should be computed with effective_order=True.")
        found: BLEUScore = super().sentence_score(hypothesis, references)
        return found


def _spec(
    smooth_method: str,
    smooth_value: float | None,
    effective_order: bool,
    max_ngram_order: int,
    tokenizer: str,
    lowercase: bool,
) -> str:
    has_value = smooth_value is not None and BLEU.SMOOTH_DEFAULTS[smooth_method] is not None
    value = f",smooth_value={smooth_value}" if has_value else ""
    return (
        f"bleu:tok={tokenizer},lowercase={yes_or_no(lowercase)},smooth={smooth_method}{value},"
        f"effective_order={yes_or_no(effective_order)},max_order={max_ngram_order}"
    )


def _score(metric: Any, counts: list[float], smoothing: tuple[str, float | None]) -> BLEUScore:
    """The score of a tally: lengths, matches by order, totals by order."""
    orders = len(counts) // 2 - 1
    parts = metric.components(counts)
    matches, totals = counts[2 : 2 + orders], counts[2 + orders :]
    precisions = [parts[f"precision_{order}"] for order in range(1, orders + 1)]
    shown = _with_added_counts(matches, totals, smoothing)
    lengths = int(counts[0]), int(counts[1])
    return BLEUScore(metric.score_tally(counts), *shown, precisions, parts["brevity_penalty"], *lengths)


def _with_added_counts(
    matches: list[float], totals: list[float], smoothing: tuple[str, float | None]
) -> tuple[list[Any], list[Any]]:
    """Counts as sacreBLEU shows them: with the numbers that add-k added to them."""
    method, value = smoothing
    shown = [[int(count) if count == int(count) else count for count in counts] for counts in (matches, totals)]
    if method == "add-k" and any(matches):
        added = BLEU.SMOOTH_DEFAULTS["add-k"] if value is None else value
        for order in range(1, len(matches)):
            shown[0][order] += added  # type: ignore[operator]
            shown[1][order] += added  # type: ignore[operator]
            if shown[1][order] == 0:
                break
    return shown[0], shown[1]
