"""Pieces of SentencePiece models, which are files of the user or of sacreBLEU: tercet never goes online."""

from .tokenizer_base import TokenizerWithModel

#: Each name and the value of `tok` in signatures with sacreBLEU's model.
SPM_MODELS = {name: {"signature": name} for name in ("flores101", "flores200", "spBLEU-1K")}
SPM_MODELS["spm"] = SPM_MODELS["flores101"]


class TokenizerSPM(TokenizerWithModel):
    """Pieces of the model of FLORES-101, of another one by its name, or of a file that `TERCET_SPM` names."""

    def __init__(self, key: str = "spm") -> None:
        if key not in SPM_MODELS:
            raise KeyError(key)
        self.name = key
        super().__init__()


class Flores101Tokenizer(TokenizerSPM):
    """Pieces of the model of FLORES-101."""

    def __init__(self) -> None:
        super().__init__("flores101")


class Flores200Tokenizer(TokenizerSPM):
    """Pieces of the model of FLORES-200."""

    def __init__(self) -> None:
        super().__init__("flores200")


class spBLEU1KTokenizer(TokenizerSPM):
    """Pieces of the model for a thousand languages."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")
