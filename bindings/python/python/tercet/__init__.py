"""Evaluates machine translation: the scores people cite, identical to the last digit, tens of times faster.

>>> import tercet
>>> result = tercet.score(["the cat sat on a mat"], ["the cat sat on the mat"], metrics=["chrf"], checks=False)
>>> print(round(result["chrf"].score, 2))
65.98
"""

from __future__ import annotations

from importlib import import_module

from . import _native
from ._native import __version__, threads
from .errors import (
    DataError,
    Error,
    InternalError,
    IoError,
    ModelError,
    RequestError,
    StoppedError,
    TercetWarning,
    TrainingError,
    UnsupportedError,
)
from .forks import loading
from .metrics import Metric, Tallies, Tally, metrics
from .scoring import compare, evaluate_scores, rank, rerank, score
from .texts import ReferenceColumns

TYPE_CHECKING = False

if TYPE_CHECKING:
    from . import compat, integrations, spark
    from .checking import SuspiciousLines, check
    from .coefficients import Correlation, correlation, kendall, pearson, spearman
    from .comparison import Comparison
    from .corpora import Judgements, read_judgements, read_scores
    from .explanations import (
        EditAlignment,
        Explanation,
        MarkedSystems,
        MarkedWords,
        MeteorAlignment,
        align_meteor,
        align_ter,
        explain,
        mark_words,
    )
    from .filtering import FilteredPairs, filter
    from .meta_evaluation import Agreement, challenge, correlate, raters, spans, systems
    from .parsing import Parse, parse, parse_phrases
    from .ranking import Ranking
    from .records import (
        Gate,
        GateCheck,
        Interval,
        MetricInfo,
        PairedResult,
        PeopleAgree,
        RankedSystem,
        SystemScore,
    )
    from .results import Evaluation, MetricScores, Report, Rows
    from .scoring import Candidates
    from .text import tokenize, tokenizers
    from .training import recipe_kinds, train

#: The module of each name that is imported when it is first used, so that `import tercet` stays quick.
_IMPORTED_LATER = {
    "Agreement": "meta_evaluation",
    "Candidates": "scoring",
    "Comparison": "comparison",
    "Correlation": "coefficients",
    "EditAlignment": "explanations",
    "Evaluation": "results",
    "Explanation": "explanations",
    "FilteredPairs": "filtering",
    "Gate": "records",
    "GateCheck": "records",
    "Interval": "records",
    "Judgements": "corpora",
    "MarkedSystems": "explanations",
    "MarkedWords": "explanations",
    "MeteorAlignment": "explanations",
    "MetricInfo": "records",
    "MetricScores": "results",
    "PairedResult": "records",
    "Parse": "parsing",
    "PeopleAgree": "records",
    "RankedSystem": "records",
    "Ranking": "ranking",
    "Report": "results",
    "Rows": "results",
    "SuspiciousLines": "checking",
    "SystemScore": "records",
    "align_meteor": "explanations",
    "align_ter": "explanations",
    "challenge": "meta_evaluation",
    "check": "checking",
    "correlate": "meta_evaluation",
    "correlation": "coefficients",
    "explain": "explanations",
    "filter": "filtering",
    "kendall": "coefficients",
    "mark_words": "explanations",
    "parse": "parsing",
    "parse_phrases": "parsing",
    "pearson": "coefficients",
    "raters": "meta_evaluation",
    "read_judgements": "corpora",
    "read_scores": "corpora",
    "recipe_kinds": "training",
    "spans": "meta_evaluation",
    "spearman": "coefficients",
    "systems": "meta_evaluation",
    "tokenize": "text",
    "tokenizers": "text",
    "train": "training",
}


#: Modules that are used by their names.
_MODULES = ("compat", "integrations", "spark")


def set_threads(count: int) -> None:
    """Sets the number of threads of all work that begins from now on; 0: one for each core."""
    if isinstance(count, bool) or not hasattr(type(count), "__index__"):
        raise TypeError(f"count: expected a whole number, found {count!r}")
    _native.set_threads(count)


if not TYPE_CHECKING:  # so that a name that does not exist is an error for type checkers

    def __getattr__(name: str) -> object:
        if name not in _IMPORTED_LATER and name not in _MODULES:
            raise AttributeError(_unknown(name))
        with loading:
            if name in _MODULES:
                return import_module(f".{name}", __name__)
            value: object = getattr(import_module(f".{_IMPORTED_LATER[name]}", __name__), name)
        globals()[name] = value
        return value


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    near = [] if name.startswith("_") else get_close_matches(name, __all__, 1)
    return f"module 'tercet' has no attribute {name!r}{f'; did you mean {near[0]!r}?' if near else ''}"


def __dir__() -> list[str]:
    return list(__all__)


__all__ = [
    "Agreement",
    "Candidates",
    "Comparison",
    "Correlation",
    "DataError",
    "EditAlignment",
    "Error",
    "Evaluation",
    "Explanation",
    "FilteredPairs",
    "Gate",
    "GateCheck",
    "InternalError",
    "Interval",
    "IoError",
    "Judgements",
    "MarkedSystems",
    "MarkedWords",
    "MeteorAlignment",
    "Metric",
    "MetricInfo",
    "MetricScores",
    "ModelError",
    "PairedResult",
    "Parse",
    "PeopleAgree",
    "RankedSystem",
    "Ranking",
    "ReferenceColumns",
    "Report",
    "RequestError",
    "Rows",
    "StoppedError",
    "SuspiciousLines",
    "SystemScore",
    "Tallies",
    "Tally",
    "TercetWarning",
    "TrainingError",
    "UnsupportedError",
    "__version__",
    "align_meteor",
    "align_ter",
    "challenge",
    "check",
    "compare",
    "compat",
    "correlate",
    "correlation",
    "evaluate_scores",
    "explain",
    "filter",
    "integrations",
    "kendall",
    "mark_words",
    "metrics",
    "parse",
    "parse_phrases",
    "pearson",
    "rank",
    "raters",
    "read_judgements",
    "read_scores",
    "recipe_kinds",
    "rerank",
    "score",
    "set_threads",
    "spans",
    "spark",
    "spearman",
    "systems",
    "threads",
    "tokenize",
    "tokenizers",
    "train",
]
