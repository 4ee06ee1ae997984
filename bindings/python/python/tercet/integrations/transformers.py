"""A `compute_metrics` function for the trainers of Hugging Face's transformers.

    Seq2SeqTrainer(…, compute_metrics=compute_metrics(tokenizer, ["bleu", "chrf"]))

Nothing of transformers is imported: anything that has `batch_decode` is a tokenizer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import DataError
from ..scoring import score


def compute_metrics(
    tokenizer: Any,
    metrics: str | Sequence[str] = ("bleu", "chrf"),
    *,
    language: str | None = None,
    prefix: str = "",
) -> Callable[[Any], dict[str, float]]:
    """A function from a trainer's predictions to a flat dict of numbers: a score for each metric, and `gen_len`, the
    tokens of a prediction on average. Labels of −100 are left out; logits are decoded greedily. Every name begins with
    `prefix`."""

    def compute(prediction: Any) -> dict[str, float]:
        import numpy

        predictions, labels = prediction[0], prediction[1]
        if isinstance(predictions, tuple):  # logits and what else the model gives
            predictions = predictions[0]
        predictions, labels = numpy.asarray(predictions), numpy.asarray(labels)
        if predictions.ndim == 3:
            predictions = predictions.argmax(axis=-1)
        padding = tokenizer.pad_token_id
        if padding is None:
            raise DataError("the tokenizer has no pad_token, which stands for labels that are left out: set one")
        predictions, labels = (numpy.where(tokens < 0, padding, tokens) for tokens in (predictions, labels))
        hypotheses, references = (
            [line.strip() for line in tokenizer.batch_decode(tokens, skip_special_tokens=True)]
            for tokens in (predictions, labels)
        )
        result = score(hypotheses, references, metrics, language=language, checks=False, progress=False)
        lengths = (predictions != padding).sum(axis=1)
        return {**result.to_flat(prefix), f"{prefix}gen_len": float(lengths.mean())}

    return compute
