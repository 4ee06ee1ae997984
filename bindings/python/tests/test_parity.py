"""One table of jobs, `parity.json`, gives the same results, warnings and errors by the command, the service and
Python."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.error
import urllib.request
import warnings
from pathlib import Path

import pytest
import tercet

TABLE = json.loads((Path(__file__).parent / "parity.json").read_text(encoding="utf-8"))

#: Flags of settings that are called otherwise in the command, or have no value there.
FLAGS = {"language": "--lang", "metrics": "-m", "metric": "-m"}
SWITCHES = {"fast", "components", "confidence", "all_pairs", "explain"}


def texts(name):
    found = dict(TABLE["texts"][name])
    count = found.pop("lines", None)
    if count is not None:

        def repeated(lines):
            return [lines[i % len(lines)].format(i=i) for i in range(count)]

        found["references"] = repeated(found["references"])
        found["systems"] = {name: repeated(lines) for name, lines in found["systems"].items()}
    return found


@pytest.fixture(scope="module")
def program():
    path = os.environ.get("TERCET_COMMAND")
    if path is None:
        pytest.skip("TERCET_COMMAND does not name the command")
    return path


@pytest.fixture(scope="module")
def service(program):
    """The address of the service."""
    server = subprocess.Popen(
        [program, "serve", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    line = server.stdout.readline()
    yield line.strip().rstrip("/")
    server.terminate()
    server.wait()
    server.stdout.close()


def by_command(program, folder, job, given, settings):
    """The result, the warnings and the error of the command."""

    def file(name, lines):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return name

    words = ["rank" if job == "candidates" else job, "-f", "json"]
    if "references" in given:
        words += ["-r", file("ref", given["references"])]
    if "candidates" in given:
        lines = [f"{i}\t{one}" for i, some in enumerate(given["candidates"], 1) for one in some]
        words += ["--nbest", file("list", lines)]
    for key, value in settings.items():
        flag = FLAGS.get(key, f"--{key.replace('_', '-')}")
        if key == "checks":
            words += [] if value else ["--no-checks"]
        elif key in SWITCHES:
            words += [flag] if value else []
        else:
            words += [word for one in (value if isinstance(value, list) else [value]) for word in (flag, str(one))]
    words += [file(name, lines) for name, lines in given.get("systems", {}).items()]
    done = subprocess.run([program, *words], capture_output=True, text=True, cwd=folder)
    found = {kind: [] for kind in ("warning", "error")}
    for line in done.stderr.splitlines():
        kind, _, rest = line.partition(": ")
        if kind in found:
            found[kind].append(rest)
    result = json.loads(done.stdout) if done.returncode == 0 else None
    return result, found["warning"], next(iter(found["error"]), None)


def by_service(address, job, given, settings):
    """The same of the service, with whole warnings."""
    body = {key: value for key, value in given.items() if key != "systems"} | settings
    if "systems" in given:
        body["systems"] = [{"name": name, "hypotheses": lines} for name, lines in given["systems"].items()]
    path = f"{address}/v1/{'rank' if job == 'candidates' else job}"
    headers = {"Content-Type": "application/json"}

    def answer(**more):
        request = urllib.request.Request(path, json.dumps(body).encode(), {**headers, **more})
        with urllib.request.urlopen(request) as response:
            return response.read().decode()

    try:
        result = json.loads(answer())
    except urllib.error.HTTPError as error:
        return None, [], json.loads(error.read())["error"]["message"]
    events = [json.loads(line) for line in answer(Accept="application/x-ndjson").splitlines()]
    found = [event for event in events if event.pop("event", None) == "warning"]
    return result, found, None


def by_python(job, given, settings):
    """The same of Python."""
    settings = dict(settings)
    level = settings.pop("level", "system")
    more = {"segments": level != "system"} if job == "score" else {}
    try:
        if job == "candidates":
            (metric,) = settings.pop("metrics")
            found = tercet.rerank(given["candidates"], given.get("references"), metric, **settings)
            return found.data, None, None
        found = getattr(tercet, job)(given["systems"], given["references"], **settings, **more)
    except tercet.Error as error:
        return None, [], str(error)
    if job == "compare":
        return found.data, found.warnings, None
    more = {**more, "components": True} if settings.get("components") else more
    return json.loads(found.write("json", **more)), found.warnings, None


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: f"{case['job']} {case['texts']} {case['settings']}")
def test_doors_agree(case, program, service, tmp_path):
    job, given, settings = case["job"], texts(case["texts"]), case["settings"]
    result, printed, error = by_command(program, tmp_path, job, given, settings)
    served = by_service(service, job, given, settings)
    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always")
        python = by_python(job, given, settings)
    assert served[0] == result and python[0] == result
    # Each door may add how its own users can change it.
    told = [warning["text"] for warning in served[1]]
    issued = [str(one.message) for one in issued]
    assert python[1] in (served[1], None) or error
    for shown in (printed, issued):
        assert error or [len(shown), *(line[: len(text)] for line, text in zip(shown, told))] == [len(told), *told]
    errors = [message for message in (error, served[2], python[2]) if message is not None]
    assert len(errors) in (0, 3), errors
    assert all(message.startswith(served[2]) for message in errors), errors
