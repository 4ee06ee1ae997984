"""The stubs say what the native module has, and type checkers find them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import tercet


def test_stubs_describe_the_native_module(tmp_path):
    pytest.importorskip("mypy")
    # A list of all names, which the stub would repeat.
    (tmp_path / "allowed").write_text("tercet._native.__all__\n")
    package = Path(tercet.__file__).parent
    words = [sys.executable, "-m", "mypy.stubtest", "tercet._native", "--allowlist", str(tmp_path / "allowed")]
    environment = {**os.environ, "MYPYPATH": str(package.parent)}
    done = subprocess.run(words, cwd=package.parent, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_callers_are_checked(tmp_path):
    pytest.importorskip("mypy")
    script = tmp_path / "caller.py"
    script.write_text('import tercet\nreveal_type(tercet.score(["a"], ["b"])["chrf"].score)\ntercet.score()\n')
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, str(script)]
    environment = {**os.environ, "MYPYPATH": str(Path(tercet.__file__).parent.parent)}
    printed = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True).stdout
    assert 'Revealed type is "float"' in printed and 'Missing positional argument "hypotheses"' in printed, printed
