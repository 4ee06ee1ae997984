"""The scripts that convert published weights say what they need; converting needs packages that these tests do
without. Those for a release: versions, licences, the health of a container."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[3] / "scripts"


def run(*words: object) -> tuple[int, str]:
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("name", ["convert_infersent.py", "convert_skip_thought.py"])
def test_usage_is_printed_without_files(name: str) -> None:
    code, message = run(SCRIPTS / name, "one")
    assert code == 1
    assert message.startswith(f"usage: python {name} ")


def test_files_that_are_missing_are_named(tmp_path: Path) -> None:
    (tmp_path / "dictionary.txt").write_text("word\n", encoding="utf-8")
    code, message = run(SCRIPTS / "convert_skip_thought.py", tmp_path, tmp_path / "target")
    assert code == 1
    assert message.endswith("it has no uni_skip.npz, bi_skip.npz, utable.npy, btable.npy\n")
    assert not (tmp_path / "target").exists()


def test_a_version_is_set_everywhere(tmp_path: Path) -> None:
    if shutil.which("cargo") is None:
        pytest.skip("cargo is not installed")
    repository = SCRIPTS.parent
    for name in ("Cargo.toml", "CITATION.cff", "CHANGELOG.md"):
        shutil.copy(repository / name, tmp_path)
    (tmp_path / "scripts").mkdir()
    script = shutil.copy(SCRIPTS / "set_version.py", tmp_path / "scripts")
    (tmp_path / "cargo").write_text("#!/bin/sh\n")  # the lock file is cargo's own
    (tmp_path / "cargo").chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run([sys.executable, script, "7.8.9"], check=True, capture_output=True, env=environment)
    manifest = (tmp_path / "Cargo.toml").read_text(encoding="utf-8")
    own = [line for line in manifest.splitlines() if line.startswith("tercet") and "version" in line]
    assert own and all('version = "7.8.9"' in line for line in own)
    assert '\nversion = "7.8.9"\n' in manifest
    assert "\nversion: 7.8.9\n" in (tmp_path / "CITATION.cff").read_text(encoding="utf-8")
    assert "\n## Unreleased\n\n## 7.8.9 (" in (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    assert subprocess.run([sys.executable, script, "seven"], capture_output=True, check=False).returncode != 0


def test_licences_of_everything_inside(tmp_path: Path) -> None:
    if shutil.which("cargo") is None:
        pytest.skip("cargo is not installed")
    command = [sys.executable, SCRIPTS / "third_party.py", "tercet-cli", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 and "offline" in done.stderr:
        pytest.skip("cargo has not fetched the sources")
    assert done.returncode == 0, done.stderr
    notices = (tmp_path / "LICENSE-THIRD-PARTY.txt").read_text(encoding="utf-8")
    assert "\nserde 1." in notices and "WordNet 3.0 Copyright 2006" in notices and "Permission is hereby" in notices
    bill = json.loads((tmp_path / "sbom.cdx.json").read_text())
    names = {component["name"] for component in bill["components"]}
    assert {"serde", "tercet-metrics", "tercet-model-siamese-1"} <= names and "proptest" not in names
    assert bill["metadata"]["component"]["name"] == "tercet-cli"


def test_the_health_of_a_container(command, tmp_path: Path) -> None:
    if not Path("/bin/bash").exists():
        pytest.skip("there is no bash")

    def health(words: list[str], port: int) -> int:
        (tmp_path / "words").write_text("".join(f"{word}\0" for word in words))
        given = {"TERCET_COMMAND_LINE": str(tmp_path / "words"), "TERCET_PORT": str(port)}
        done = subprocess.run([SCRIPTS / "docker_health.sh"], env={**os.environ, **given}, capture_output=True)
        return done.returncode

    served = subprocess.Popen(
        [os.environ["TERCET_COMMAND"], "serve", "--listen", "127.0.0.1:0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        port = next(int(found[1]) for line in served.stdout if (found := re.search(r"127\.0\.0\.1:(\d+)", line)))
        assert health(["tercet", "serve"], port) == 0
    finally:
        served.kill()
        served.wait()
    assert health(["tercet", "serve"], port) != 0
    assert health(["tercet", "score"], port) == 0
