"""The interfaces of other tools, each under its name."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from . import bert_score, evaluate, jiwer, nltk, pycocoevalcap, rouge_score, sacrebleu, torchmetrics

__all__ = [
    "bert_score",
    "evaluate",
    "jiwer",
    "nltk",
    "pycocoevalcap",
    "rouge_score",
    "sacrebleu",
    "torchmetrics",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'tercet.compat' has no attribute {name!r}")
        from importlib import import_module

        return import_module(f".{name}", __name__)
