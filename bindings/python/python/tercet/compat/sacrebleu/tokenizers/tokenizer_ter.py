"""The tokenizer of TER."""

from __future__ import annotations

from .tokenizer_base import BaseTokenizer


class TercomTokenizer(BaseTokenizer):
    """tercom's: lower case and white space, unless options change more."""

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        options = {"+norm": normalized, "+nopunct": no_punct, "+asian": asian_support, "+case": case_sensitive}
        self.name = "tercom" + "".join(option for option, given in options.items() if given)

    def signature(self) -> str:
        """The value of `tok` in signatures."""
        return "tercom"
