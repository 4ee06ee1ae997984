"""The version of sacreBLEU whose scores these are with that of tercet: in the form of Python's versions, and as in
signatures."""

from ..._native import SACREBLEU_VERSION

__version__ = SACREBLEU_VERSION.replace("-tercet-", "+tercet.")

__all__ = ["SACREBLEU_VERSION", "__version__"]
