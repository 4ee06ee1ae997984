"""sacreBLEU's command: `main` runs `tercet sacrebleu`, which prints the same bytes, with the arguments of this
program."""

from __future__ import annotations

from typing import NoReturn

from ... import __main__ as command


def main() -> NoReturn:
    """Runs the command and ends with its exit code."""
    command.main("sacrebleu")
