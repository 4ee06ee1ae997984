"""BLEU, chrF and TER with sacreBLEU's interface."""

from __future__ import annotations

from .base import Metric, Score, Signature
from .bleu import BLEU, BLEUScore
from .chrf import CHRF, CHRFScore
from .ter import TER, TERScore

METRICS = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "Metric", "Score", "Signature", "TERScore"]
