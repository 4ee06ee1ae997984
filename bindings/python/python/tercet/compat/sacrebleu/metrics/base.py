"""What sacreBLEU's metrics share: scores, signatures, and the way from texts to a score."""

from __future__ import annotations

import json
import logging
import os
import statistics
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from .... import _native
from ....metrics import Tallies, build
from ..tokenizers import BaseTokenizer
from ..version import SACREBLEU_VERSION

logger = logging.getLogger("sacrebleu")


@lru_cache(maxsize=256)
def native_metric(spec: str) -> Any:
    """The native metric of a spec; built once, since it is immutable."""
    return build(spec)


def yes_or_no(holds: Any) -> str:
    """A flag in a spec."""
    return "yes" if holds else "no"


def seed_from_environment() -> tuple[int | None, str]:
    """The seed of `SACREBLEU_SEED`, and its text."""
    written = os.environ.get("SACREBLEU_SEED", "12345").lower()
    if written == "none":
        return None, written
    if not written.isdecimal():
        raise ValueError(f"SACREBLEU_SEED: expected a whole number, 0 or more, or None, found {written!r}")
    return int(written), written


class Score:
    """A score with its name; `format` writes it as sacreBLEU's command does."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        #: Mean and half width of the bootstrap interval, if there is one.
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """The score as text or JSON with `width` decimals."""
        rounded = f"{self.score:.{width}f}"
        mean, half_width = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
        has_interval = self._mean > 0
        shown = f"{rounded} (μ = {mean} ± {half_width})" if has_interval else rounded
        if score_only:
            return shown
        if not is_json:
            name = f"{self.name}|{signature}" if signature else self.name
            return f"{name} = {shown} {self._verbose}".rstrip() if self._verbose else f"{name} = {shown}"
        data: dict[str, Any] = {"name": self.name, "score": float(rounded), "signature": signature}
        if has_interval:
            data["confidence_mean"] = float(mean)
            data["confidence_var"] = float(half_width)
            data["confidence"] = f"μ = {mean} ± {half_width}"
        if self._verbose:
            data["verbose_score"] = self._verbose
        data.update({key: value for key, value in (pair.split(":") for pair in signature.split("|"))})
        return json.dumps(data, indent=1, ensure_ascii=False)

    def estimate_ci(self, scores: list[Score]) -> None:
        """Stores mean and half width of the 95% interval of the scores of resamples."""
        ordered = sorted(one.score for one in scores)
        cut = len(ordered) // 40
        self._ci = 0.5 * (ordered[len(ordered) - cut - 1] - ordered[cut])
        self._mean = statistics.mean(ordered)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """What decides the digits of a score: keys and values in sacreBLEU's order, the version last."""

    #: The short form of each key.
    _ABBREVIATIONS = {
        "version": "v",
        "nrefs": "#",
        "test": "t",
        "lang": "l",
        "subset": "S",
        "origlang": "o",
        "bs": "bs",
        "ar": "ar",
        "seed": "rs",
    }

    #: The short forms of the metric's own keys.
    _OWN_ABBREVIATIONS: dict[str, str] = {}

    def __init__(self, args: dict[str, Any]) -> None:
        if "num_refs" not in args:
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        self._abbr = {**self._ABBREVIATIONS, **self._OWN_ABBREVIATIONS}
        references = args["num_refs"]
        self.info: dict[str, Any] = {
            "version": SACREBLEU_VERSION,
            "nrefs": "var" if references == -1 else references,
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """`key:value|…`, with short keys if asked."""
        keys = [key for key in self.info if key != "version"] + ["version"]
        known = [(key, self.info[key]) for key in keys if self.info[key] is not None]
        written = [(key, yes_or_no(value) if isinstance(value, bool) else value) for key, value in known]
        return "|".join(f"{self._abbr[key] if short else key}:{value}" for key, value in written)

    def update(self, key: str, value: Any) -> None:
        """Sets a key."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()


class Metric(ABC):
    """What metrics share; a metric of your own is a subclass with its own five abstract methods, computed by them."""

    _SIGNATURE_TYPE: type[Signature] = Signature

    num_refs: int

    def __init__(self) -> None:
        self._ref_cache: Any = None
        self._force = True
        self.n_bootstrap: int | None = None
        self.seed: str | None = None

    @abstractmethod
    def _aggregate_and_compute(self, stats: Any) -> Any:
        """The score of the statistics of segments."""

    @abstractmethod
    def _compute_score_from_stats(self, stats: Any) -> Any:
        """The score of a sum of statistics."""

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str:
        """A line as the metric compares it."""

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """What is computed once for the references of a segment."""

    @abstractmethod
    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        """The statistics of a segment, whose lines are prepared."""

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> Any:
        segments = [[line for line in lines if line is not None] for lines in zip(*references)]
        counts = {len(lines) for lines in segments}
        self.num_refs = counts.pop() if len(counts) == 1 else -1
        return [self._extract_reference_info([self._preprocess_segment(line) for line in lines]) for lines in segments]

    def _references(self, references: Sequence[Sequence[str | None]] | None) -> Any:
        """What was computed of these references, or of those that the metric was made with."""
        if references:
            return self._cache_references(references)
        if self._ref_cache:
            return self._ref_cache
        raise RuntimeError("No references provided and the cache is empty.")

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> Any:
        of_references = self._references(references)
        if not self._force:
            _warn_of_tokenized(hypotheses[: len(of_references)])
        return [
            self._compute_segment_statistics(self._preprocess_segment(line), of_segment)
            for line, of_segment in zip(hypotheses, of_references)
        ]

    def _check_sentence_score_args(self, hyp: Any, refs: Any) -> None:
        problem = None
        if not isinstance(hyp, str):
            problem = "The argument `hyp` should be a string."
        elif isinstance(refs, str) or not isinstance(refs, Sequence):
            problem = "The argument `refs` should be a sequence of strings."
        elif not isinstance(refs[0], str) and refs[0] is not None:
            problem = "Each element of `refs` should be a string."
        if problem:
            raise TypeError(f"{type(self).__name__}: {problem}")

    def _check_corpus_score_args(self, hyps: Any, refs: Any) -> None:
        problem = None
        if not isinstance(hyps, Sequence):
            problem = "`hyps` should be a sequence of strings."
        elif not isinstance(hyps[0], str):
            problem = "Each element of `hyps` should be a string."
        elif not isinstance(hyps, str) and None in hyps:
            problem = "Undefined line in hypotheses stream!"
        if refs is not None:
            if not isinstance(refs, Sequence):
                problem = "`refs` should be a sequence of sequence of strings."
            elif not isinstance(refs[0], Sequence):
                problem = "Each element of `refs` should be a sequence of strings."
            elif not isinstance(refs[0][0], str) and refs[0][0] is not None:
                problem = "`refs` should be a sequence of sequence of strings."
        if problem:
            raise TypeError(f"{type(self).__name__}: {problem}")

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Any:
        """The score of one sentence."""
        self._check_sentence_score_args(hypothesis, references)
        stats = self._extract_corpus_statistics([hypothesis], [[line] for line in references])
        return self._aggregate_and_compute(stats)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None,
        n_bootstrap: int = 1,
    ) -> Any:
        """The score of a corpus; with an interval from `n_bootstrap` resamples if there are more than one."""
        self._check_corpus_score_args(hypotheses, references)
        stats = self._extract_corpus_statistics(hypotheses, references)
        score = self._aggregate_and_compute(stats)
        if n_bootstrap > 1:
            seed, self.seed = seed_from_environment()
            self.n_bootstrap = n_bootstrap
            self._estimate_interval(score, stats, n_bootstrap, seed)
        return score

    def _estimate_interval(self, score: Any, stats: Any, samples: int, seed: int | None) -> None:
        import numpy

        rows = numpy.array([list(row) for row in stats], dtype="float32")
        draws = numpy.random.default_rng(seed).choice(len(rows), size=(samples, len(rows)), replace=True)
        score.estimate_ci([self._compute_score_from_stats(rows[drawn].sum(0)) for drawn in draws])

    def get_signature(self) -> Signature:
        """The signature of the last score."""
        return self._SIGNATURE_TYPE(self.__dict__)


class NativeMetric(Metric):
    """A metric of tercet: texts become tallies, and their sum becomes a score.

    Attributes may be changed between two scores, the tokenizer too, which may be a function of the user's own. A
    subclass may have its own `_preprocess_segment`, or any other method that sacreBLEU's metrics have: where one of
    `_REPLACEABLE` is not tercet's, segments are computed one by one, with it.
    """

    #: What tokenizers must be to run natively; `None` for a metric without one.
    _TOKENIZER_TYPE: type[BaseTokenizer] | None = None
    tokenizer: Any

    #: Methods in whose place tercet computes whole texts.
    _REPLACEABLE: tuple[str, ...] = ("_compute_segment_statistics", "_extract_reference_info", "_cache_references")

    def _is_replaced(self, *names: str) -> bool:
        """Whether one of these methods is the user's own."""
        return any(not getattr(type(self), name).__module__.startswith(__package__) for name in names)

    def _spec(self, prepared: bool) -> str:
        """The spec of tercet's metric; for lines that are prepared, without what prepares them."""
        raise NotImplementedError

    @property
    def _prepares(self) -> bool:
        """Whether the user's own code prepares lines: a tokenizer, or `_preprocess_segment` of a subclass."""
        if self._is_replaced("_preprocess_segment"):
            return True
        if self._TOKENIZER_TYPE is None:
            return False
        tokenizer = type(self.tokenizer)
        return not issubclass(tokenizer, self._TOKENIZER_TYPE) or tokenizer.__call__ is not BaseTokenizer.__call__

    @property
    def _native(self) -> Any:
        return native_metric(self._spec(self._prepares))

    def _preprocess_segment(self, sent: str) -> str:
        return self._prepared(sent)

    def _prepared(self, sent: str) -> str:
        """A line in lower case and tokenized, as far as the metric does that."""
        raise NotImplementedError

    def _prepared_references(self, lines: Sequence[str | None]) -> list[str | None]:
        return [None if line is None else self._preprocess_segment(line) for line in lines]

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"references": list(refs)}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        return list(native_metric(self._spec(True)).tally_segment(hypothesis, ref_kwargs["references"]))

    def _score_of(self, total: Sequence[float], native: Any) -> Any:
        """The score of a sum of statistics by tercet's metric."""
        raise NotImplementedError

    def _compute_score_from_stats(self, stats: Sequence[float]) -> Any:
        return self._score_of([float(count) for count in stats], self._native)

    def _aggregate_and_compute(self, stats: Any) -> Any:
        rows = stats if isinstance(stats, Tallies) else Tallies.of_rows(stats)
        return self._compute_score_from_stats(_sum(rows))

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> Any:
        if self._is_replaced(*self._REPLACEABLE):
            return super()._cache_references(references)
        columns = [column if isinstance(column, (list, tuple)) else list(column) for column in references]
        length = min(map(len, columns), default=0)
        columns = [column if len(column) == length else column[:length] for column in columns]
        if any(None in column for column in columns):
            counts = {sum(line is not None for line in lines) for lines in zip(*columns)}
        else:
            counts = {len(columns)}
        self.num_refs = counts.pop() if len(counts) == 1 else -1
        return columns if length else []

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> Any:
        if self._is_replaced(*self._REPLACEABLE):
            return super()._extract_corpus_statistics(hypotheses, references)
        columns = self._references(references)
        length = min(len(hypotheses), len(columns[0]))
        lines = list(hypotheses) if len(hypotheses) == length else list(hypotheses[:length])
        if not self._force:
            _warn_of_tokenized(lines)
        cut = [column if len(column) == length else column[:length] for column in columns]
        if self._prepares:
            lines = [self._preprocess_segment(line) for line in lines]
            cut = [self._prepared_references(column) for column in cut]
        return Tallies(*self._native.tally(lines, cut, True))

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Any:
        """The score of one sentence."""
        if self._is_replaced(*self._REPLACEABLE, "_aggregate_and_compute", "_compute_score_from_stats"):
            return super().sentence_score(hypothesis, references)
        self._check_sentence_score_args(hypothesis, references)
        lines: list[Any] = [line for line in references if line is not None]
        self.num_refs = len(lines)
        prepares = self._prepares
        if prepares:
            hypothesis, lines = self._preprocess_segment(hypothesis), self._prepared_references(lines)
        native = native_metric(self._spec(prepares))
        return self._score_of(native.tally_segment(hypothesis, lines), native)

    def _estimate_interval(self, score: Any, stats: Any, samples: int, seed: int | None) -> None:
        if not isinstance(stats, Tallies) or self._is_replaced("_compute_score_from_stats"):
            return super()._estimate_interval(score, stats, samples, seed)
        found = _native.bootstrap(self._native, [stats.data], stats.width, (samples, seed, 0))
        score._mean, score._ci = found[0][2]


def _sum(stats: Tallies) -> list[float]:
    """The sum of statistics, rounded after each segment as in sacreBLEU."""
    return _native.sum_tallies_in_order(stats.data, stats.width) if stats.width else []


def _warn_of_tokenized(lines: Sequence[str]) -> None:
    if sum(line.endswith(" .") for line in lines if isinstance(line, str)) >= 100:
        logger.warning("100 lines or more end in a full stop after a space: is the text tokenized?")
        logger.warning("Scores of tokenized text are not comparable; detokenize it, or give force=True.")
