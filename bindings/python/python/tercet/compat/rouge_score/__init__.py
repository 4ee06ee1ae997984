"""rouge-score 0.1.2: `from tercet.compat.rouge_score import rouge_scorer, scoring`."""

from __future__ import annotations

from . import rouge_scorer, scoring, tokenize, tokenizers

__all__ = ["rouge_scorer", "scoring", "tokenize", "tokenizers"]
