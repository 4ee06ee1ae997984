"""The interface of bert_score 0.3.13: `score(cands, refs, model_type=FOLDER)` and `BERTScorer`.

`model_type` is the folder of an encoder as model hubs have it; nothing is downloaded, so a name of a model is an error,
and `lang` alone chooses none. `baseline_path` names a table of the package (`rescale_baseline/LANGUAGE/MODEL.tsv`).
Precision, recall and F1 are arrays of numpy in single precision where the package has tensors. `device`, `batch_size`,
`nthreads` and `use_fast_tokenizer` are accepted and change no digit.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Union

from .. import _native
from ..errors import RequestError, UnsupportedError
from ..metrics import Metric

References = Sequence[Union[str, Sequence[str]]]

#: The version whose scores these are, and that of tercet: in hashes of settings.
__version__ = f"0.3.13-tercet-{_native.__version__}"


def get_hash(
    model: str,
    num_layers: int,
    idf: bool,
    rescale_with_baseline: bool,
    use_custom_baseline: bool,
    use_fast_tokenizer: bool,
) -> str:
    """The settings in the package's form, with tercet's version in the place of that of transformers."""
    rescaled = ("-custom-rescaled" if use_custom_baseline else "-rescaled") if rescale_with_baseline else ""
    return (
        f"{model}_L{num_layers}{'_idf' if idf else '_no-idf'}_version={__version__}"
        f"(hug_trans=tercet-{_native.__version__}){rescaled}{'_fast-tokenizer' if use_fast_tokenizer else ''}"
    )


@lru_cache(maxsize=8)
def _metric(spec: str) -> Metric:
    return Metric(spec)


class BERTScorer:
    """Scores by one encoder and one layer."""

    def __init__(
        self,
        model_type: str | None = None,
        num_layers: int | None = None,
        batch_size: int = 64,
        nthreads: int = 4,
        all_layers: bool = False,
        idf: bool = False,
        idf_sents: Sequence[str] | None = None,
        device: Any = None,
        lang: str | None = None,
        rescale_with_baseline: bool = False,
        baseline_path: str | None = None,
        use_fast_tokenizer: bool = False,
    ) -> None:
        assert lang is not None or model_type is not None, "either lang or model_type should be given"
        if model_type is None or not os.path.isdir(model_type):
            raise RequestError(
                "model_type should be the folder of an encoder (config.json, vocab.txt or tokenizer.json, "
                f"model.safetensors), not {model_type!r}: tercet never goes online"
            )
        if isinstance(idf, dict) or idf_sents is not None:
            raise UnsupportedError("weights of your own are not supported: idf=True takes those of the references")
        if rescale_with_baseline and baseline_path is None:
            raise RequestError("rescaling needs baseline_path, a table of bert_score (rescale_baseline/en/MODEL.tsv)")
        options = {"model": model_type, "idf": "yes" if idf else "no"}
        if num_layers is not None:
            options["layer"] = str(num_layers)
        if rescale_with_baseline and baseline_path is not None:
            options["baseline"] = str(baseline_path)
        self._metric = _metric("bertscore:" + ",".join(f"{key}={value}" for key, value in options.items()))
        self.model_type, self.lang, self.all_layers, self.idf = model_type, lang, all_layers, bool(idf)
        self.num_layers = int(self._option("layer"))
        self.rescale_with_baseline = rescale_with_baseline
        self.use_custom_baseline = baseline_path is not None
        self.use_fast_tokenizer = use_fast_tokenizer

    def _option(self, key: str) -> str:
        options = self._metric.signature.split("|")[0].partition(":")[2].split(",")
        return next(value for name, _, value in (option.partition("=") for option in options) if name == key)

    @property
    def hash(self) -> str:
        """The settings as text."""
        baseline = self.rescale_with_baseline, self.use_custom_baseline
        return get_hash(self.model_type, self.num_layers, self.idf, *baseline, self.use_fast_tokenizer)

    def score(
        self,
        cands: Sequence[str],
        refs: References,
        verbose: bool = False,
        batch_size: int = 64,
        return_hash: bool = False,
    ) -> Any:
        """Precision, recall and F1 of each candidate; of several references the best of each."""
        import numpy

        assert len(cands) == len(refs), "different numbers of candidates and references"
        tallies = self._metric.tally(list(cands), [[one] if isinstance(one, str) else list(one) for one in refs])
        # A score, its count and whether a line was cut; then precision, recall and F1 of each layer.
        layers = tallies.to_numpy()[:, 3:].reshape(len(tallies), -1, 3).astype("float32")
        found = layers.transpose(1, 0, 2) if self.all_layers else layers[:, self.num_layers]
        scores = tuple(numpy.ascontiguousarray(found[..., i]) for i in range(3))
        return (scores, self.hash) if return_hash else scores


def score(
    cands: Sequence[str],
    refs: References,
    model_type: str | None = None,
    num_layers: int | None = None,
    verbose: bool = False,
    idf: bool = False,
    device: Any = None,
    batch_size: int = 64,
    nthreads: int = 4,
    all_layers: bool = False,
    lang: str | None = None,
    return_hash: bool = False,
    rescale_with_baseline: bool = False,
    baseline_path: str | None = None,
    use_fast_tokenizer: bool = False,
) -> Any:
    """Precision, recall and F1 of each candidate, and the hash of the settings if asked."""
    scorer = BERTScorer(
        model_type,
        num_layers,
        all_layers=all_layers,
        idf=idf,
        lang=lang,
        rescale_with_baseline=rescale_with_baseline,
        baseline_path=baseline_path,
        use_fast_tokenizer=use_fast_tokenizer,
    )
    return scorer.score(cands, refs, return_hash=return_hash)


__all__ = ["BERTScorer", "get_hash", "score"]
