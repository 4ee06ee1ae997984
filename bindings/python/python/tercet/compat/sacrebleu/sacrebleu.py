"""sacreBLEU's command: `main` runs `tercet sacrebleu`, which prints the same bytes, with the arguments of this
program."""

from __future__ import annotations

import shutil
import subprocess
import sys

from ...errors import UnsupportedError


def main() -> None:
    """Runs the command and ends with its exit code."""
    command = shutil.which("tercet")
    if command is None:
        raise UnsupportedError(
            "sacreBLEU's command line is `tercet sacrebleu`, a program of its own that is not on the PATH "
            "(cargo install --path crates/tercet-cli, or scripts/release.sh)"
        )
    sys.exit(subprocess.run([command, "sacrebleu", *sys.argv[1:]]).returncode)
