"""What can go wrong: one class for each kind of error, all below `Error`."""

from __future__ import annotations


class Error(Exception):
    """Any error of tercet."""


class RequestError(Error, ValueError):
    """What was asked for does not exist or cannot be done: an unknown metric, a bad option, a wrong recipe."""


class UnsupportedError(Error, NotImplementedError):
    """Asked for correctly, but tercet does not have it."""


class IoError(Error, OSError):
    """A file could not be read or written."""


class DataError(Error, ValueError):
    """The content of a file or a text is damaged, incomplete or does not fit the rest."""


class ModelError(Error, ValueError):
    """A model file is damaged, of another kind, or does not fit what it is used with."""


class TrainingError(Error, ArithmeticError):
    """Training failed: the loss is not finite."""


class StoppedError(Error):
    """The work was stopped."""


class InternalError(Error, RuntimeError):
    """A mistake in tercet itself; please report it."""


class TercetWarning(UserWarning):
    """Something about a result that its reader should know: a sentence, and the same as data, with its `kind`."""

    def __init__(self, message: str, data: dict[str, object] | None = None) -> None:
        super().__init__(message)
        #: Its kind, its `text` without advice, and what it is about.
        self.data = data or {}

    @property
    def kind(self) -> str:
        """What it is about, a word for programs."""
        return str(self.data.get("kind", ""))
