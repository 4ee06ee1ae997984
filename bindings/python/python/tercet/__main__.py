"""The command `tercet`, which is also `python -m tercet`."""

from __future__ import annotations

import signal
import sys
from typing import NoReturn

from . import _native


def main(*words: str) -> NoReturn:
    """Runs the command with these words and the arguments of this program, and ends with its exit code."""
    # Python would notice Ctrl-C only after the command: the command has its own way to stop.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    sys.exit(_native.run_command([*words, *sys.argv[1:]]))


if __name__ == "__main__":
    main()
