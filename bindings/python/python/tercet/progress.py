"""Progress bars of long work, and its warnings."""

from __future__ import annotations

import sys
import time

from .errors import TercetWarning
from .forks import loading

TYPE_CHECKING = False  # typing takes a third of the time of the import

if TYPE_CHECKING:
    from typing import Any

    from .aliases import Progress, Report

#: Work that takes less has no bar.
SECONDS_WITHOUT_BAR = 1.0


def warn(told: list[tuple[str, str]]) -> None:
    """Issues each sentence, with the JSON of its warning, as a warning of the code that called tercet."""
    with loading:
        import json
        import warnings

    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "tercet":
        frame = frame.f_back
        level += 1
    for message, data in dict(told).items():
        warnings.warn(TercetWarning(message, json.loads(data)), stacklevel=level)


class PlainBar:
    """A line that is written again and again, where tqdm is not installed."""

    def __init__(self, desc: str, total: int | None, unit: str, leave: bool) -> None:
        self.n = 0
        self._what, self._total, self._unit = desc, total, unit
        self._status = ""
        self._width = 0

    def set_postfix_str(self, text: str, refresh: bool) -> None:
        self._status = f", {text}"

    def update(self, count: int) -> None:
        self.n += count
        of = f" of {self._total} ({self.n * 100 // self._total}%)" if self._total else ""
        self._write(f"{self._what}: {self.n}{of}{self._unit}{self._status}")

    def close(self) -> None:
        self._write("")
        sys.stderr.write("\r")
        sys.stderr.flush()

    def _write(self, line: str) -> None:
        sys.stderr.write(f"\r{line:<{self._width}}")
        sys.stderr.flush()
        self._width = len(line)


class ProgressBar:
    """A bar for each stage of a piece of work, from its first second on."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._start = time.monotonic()
        self._stage: str | None = None
        self._bar: Any = None

    def __call__(self, stage: str, done: int, total: int | None, unit: str, status: str) -> None:
        if time.monotonic() - self._start < SECONDS_WITHOUT_BAR or not stage:
            return
        if self._bar is None or stage != self._stage:
            self.close()
            self._stage = stage
            self._bar = self._tqdm(desc=stage, total=total, unit=f" {unit}" if unit else "it", leave=False)
        if status:
            self._bar.set_postfix_str(status, refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Removes the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class reporting:
    """`with reporting(progress) as report`: what the native module calls while work runs."""

    def __init__(self, progress: Progress) -> None:
        if not callable(progress) and not isinstance(progress, (bool, type(None))):
            raise TypeError(f"progress: expected True, False or a function, found {progress!r}")
        self._report: Report | None = progress if callable(progress) else _bar() if progress else None

    def __enter__(self) -> Report | None:
        return self._report

    def __exit__(self, *_: object) -> None:
        if isinstance(self._report, ProgressBar):
            self._report.close()


def _bar() -> ProgressBar | None:
    """A bar, of tqdm if that is installed, where there is a terminal or a notebook."""
    if not (sys.stderr is not None and sys.stderr.isatty()) and "ipykernel" not in sys.modules:
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return ProgressBar(PlainBar)
    return ProgressBar(tqdm)
