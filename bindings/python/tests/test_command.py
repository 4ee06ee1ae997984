"""The command of the wheel: `python -m tercet` is the command, with its output, exit codes and signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from importlib import import_module

import pytest
import tomllib
from conftest import REPOSITORY


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "tercet", *map(str, words)], capture_output=True, text=True)


def test_it_prints_what_the_program_prints(command, examples):
    words = ["score", "-r", examples / "reference.en.txt", examples / "system-a.en.txt", "-m", "bleu", "-f", "json"]
    done = run(*words)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", command(*words))


def test_it_reads_parquet(command, examples):
    fields = ["--hypothesis-column", "a", "--reference-column", "reference"]
    words = ["score", "-m", "chrf", *fields, examples / "systems.parquet"]
    done = run(*words)
    assert (done.returncode, done.stdout) == (0, command(*words)), done.stderr


def test_exit_codes_are_those_of_the_program(examples):
    assert run("--version").stdout.startswith("tercet 0.")
    missing = run("score", "-r", "not-there.txt", examples / "system-a.en.txt")
    assert missing.returncode == 1 and missing.stderr.startswith("error: "), missing
    misuse = run("score", "--no-such-flag")
    assert misuse.returncode == 2 and "Usage: tercet score" in misuse.stderr, misuse


def test_the_wheel_installs_it(monkeypatch, capfd):
    project = tomllib.loads((REPOSITORY / "bindings/python/pyproject.toml").read_text())["project"]
    module, function = project["scripts"]["tercet"].split(":")
    main = getattr(import_module(module), function)
    monkeypatch.setattr(sys, "argv", ["tercet", "--version"])
    before = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(SystemExit) as ended:
            main()
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended.value.code == 0 and capfd.readouterr().out.startswith("tercet 0.")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_stops_it():
    words = [sys.executable, "-m", "tercet", "serve", "--listen", "127.0.0.1:0"]
    service = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    address = service.stdout.readline().strip()
    # It listens to signals once it answers.
    with urllib.request.urlopen(f"{address}v1/health") as answer:
        assert answer.status == 200
    start = time.monotonic()
    service.send_signal(signal.SIGINT)
    assert "stopping" in service.communicate(timeout=60)[1] and time.monotonic() - start < 30
    assert service.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_closed_pipe_is_no_error(examples):
    words = [sys.executable, "-m", "tercet", "tokenize", examples / "reference.en.txt"]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
