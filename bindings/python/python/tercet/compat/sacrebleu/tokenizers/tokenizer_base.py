"""What all tokenizers share."""

from __future__ import annotations

from functools import lru_cache

from .... import _native
from ....errors import RequestError
from ....forks import loading
from ....metrics import build


@lru_cache(maxsize=256)
def _signature(name: str, model: str | None) -> str:
    """The value of `tok` in the signature of a BLEU with this tokenizer and its model, which is built once."""
    if not _native.has_sacrebleus_dictionary(name, model):
        raise RequestError(
            f"{name}: the dictionary is not the one that sacreBLEU uses and its signatures name "
            f"(score with tercet.Metric('bleu:tok={name}'), whose signature has the hash of the dictionary)"
        )
    written = build(f"bleu:tok={_spec(name, model)}").sacrebleu_signature("1", False) or ""
    pairs = [pair.split(":", 1) for pair in written.split("|")]
    return next(value for key, value in pairs if key == "tok")


def _spec(name: str, model: str | None) -> str:
    return name if model is None else f"{name},tok_model={model}"


class BaseTokenizer:
    """Turns a line into a line whose tokens are separated by spaces."""

    #: tercet's name of the tokenizer.
    name = "none"

    #: The path of its dictionary or model.
    model: str | None = None

    @property
    def spec(self) -> str:
        """The value of `tok` in specs of metrics, and the option that names its model."""
        return _spec(self.name, self.model)

    def signature(self) -> str:
        """The value of `tok` in signatures."""
        return _signature(self.name, self.model)

    def __call__(self, line: str) -> str:
        return _native.tokenize_line(line, self.name, self.model)


class TokenizerWithModel(BaseTokenizer):
    """A tokenizer with a dictionary or model: the one that is named or found when it is made."""

    def __init__(self) -> None:
        with loading:
            self.model = _native.tokenizer_model(self.name)
