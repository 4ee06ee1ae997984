"""A metric for the package evaluate that scores by any metrics of tercet.

The name of the configuration is a metric (`evaluate.load(FOLDER, "chrf++")`); without one, BLEU and chrF are computed.
`compute` takes `metrics`, `language` and `confidence` as `tercet.score` does, and returns a flat dict of numbers.
"""

from typing import Any

import datasets
import evaluate
import tercet

_DESCRIPTION = "Scores of tercet: BLEU, chrF, TER, METEOR and many more, equal to the tools people cite."

_KWARGS_DESCRIPTION = """
Args:
    predictions: translations, a str each.
    references: a reference of each translation, or a list of them.
    metrics: names of tercet's metrics, as in ["bleu", "chrf++"].
    language: the code of the target language, which chooses tokenizers and the like.
    confidence: whether to add bootstrap intervals.
Returns:
    a score for each metric, and with `confidence` the ends of its interval.
"""

_CITATION = ""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class TercetMetric(evaluate.Metric):  # type: ignore[misc]
    """Scores of tercet."""

    def _info(self) -> Any:
        text = datasets.Value("string")
        several = {"predictions": text, "references": datasets.Sequence(text)}
        one = {"predictions": text, "references": text}
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=[datasets.Features(several), datasets.Features(one)],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[Any],
        metrics: Any = None,
        language: Any = None,
        confidence: bool = False,
    ) -> dict[str, float]:
        if metrics is None:
            metrics = ["bleu", "chrf"] if self.config_name == "default" else [self.config_name]
        result = tercet.score(
            list(predictions),
            list(references),
            metrics,
            language=language,
            confidence=confidence,
            checks=False,
            progress=False,
        )
        return result.to_flat()
