"""One table of jobs, `parity.json`, gives the same results, warnings and errors by the command, the service and
Python.

The jobs that only the command has, derive-scores and reproduce, are held against the library in
`crates/tercet-cli/tests/command/parity_jobs.rs`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import urllib.error
import urllib.request
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import tercet

TABLE = json.loads((Path(__file__).parent / "parity.json").read_text(encoding="utf-8"))
REPOSITORY = Path(__file__).resolve().parents[3]

#: Flags of settings that are called otherwise in the command.
FLAGS = {"metrics": "-m", "metric": "-m", "pairs": "--pair", "statistics": "--statistic", "methods": "--method"}
FLAGS["kinds"] = "--kind"
SWITCHES = {"fast", "components", "confidence", "all_pairs", "explain", "lowercase", "split", "sort", "p_values"}
SWITCHES |= {"resume", "force", "strict", "summary", "align"}

#: Jobs whose results the command writes as JSON.
JSON = {"score", "compare", "rank", "candidates", "correlate", "systems", "raters", "spans", "challenge", "check"}

#: Jobs that the service has.
SERVED = {"score", "compare", "rank", "candidates", "check", "tokenize", "parse"}


class Outcome(NamedTuple):
    """What a door gives: a result, sentences of warnings (and their data, where the door has them), or an error."""

    result: Any = None
    warnings: list[str] = []  # noqa: B006
    data: list[dict[str, Any]] | None = None
    error: str | None = None
    #: Whether the request is at fault, where the door says so.
    is_request: bool | None = None


def texts(name):
    found = dict(TABLE["texts"][name])
    count = found.pop("lines", None)
    if isinstance(count, list):
        return {"lines": count}
    if count is not None:

        def repeated(lines):
            return [lines[i % len(lines)].format(i=i) for i in range(count)]

        found["references"] = repeated(found["references"])
        found["systems"] = {name: repeated(lines) for name, lines in found["systems"].items()}
    return found


def write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def with_files(folder, given):
    """Writes the files that a job reads into a folder."""
    folder.mkdir()
    if "paths" in given:
        for path in given["paths"]:
            if (REPOSITORY / path).is_dir():
                shutil.copytree(REPOSITORY / path, folder / path)
            elif (REPOSITORY / path).exists():
                (folder / path).parent.mkdir(parents=True)
                shutil.copy(REPOSITORY / path, folder / path)
    if "rows" in given:
        write(folder / "rows", map(json.dumps, given["rows"]))
    if "recipe" in given:
        (folder / "recipe.toml").write_text(given["recipe"], encoding="utf-8")
        # Rankings in which x is always better.
        write(folder / "rankings/pairs.cs-en.tsv", ["seg_id\tbetter\tworse", *(f"{i}\tx\ty" for i in range(1, 21))])
        segments = (f"{i}\tsource {i}\ta line about birds {i}" for i in range(1, 21))
        write(folder / "rankings/segments.cs-en.tsv", ["seg_id\tsource\treference", *segments])
        outputs = (f"{i}\t{name}\t{text} {i}" for i in range(1, 21) for name, text in (("x", "a line"), ("y", "of")))
        write(folder / "rankings/outputs.cs-en.tsv", ["seg_id\tsystem\ttext", *outputs])
    return folder


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
    words = ["rank" if job == "candidates" else job]
    words += ["-f", "json"] if job in JSON else []

    def file(name, lines):
        write(folder / name, lines)
        return name

    if "references" in given:
        words += ["-r", file("ref", given["references"])]
    if "sources" in given:
        words += ["-s", file("src", given["sources"])]
    if "documents" in given:
        words += ["--document-ids", file("documents", given["documents"])]
    if "rows" in given:
        words += ["rows"]
    for role, names in given.get("fields", {}).items():
        words += [word for name in (names if isinstance(names, list) else [names]) for word in (f"--{role}", name)]
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
    words += given.get("paths", [])
    words += [file("lines", given["lines"])] if "lines" in given else []
    words += ["recipe.toml"] if "recipe" in given else []
    done = subprocess.run([program, *words], capture_output=True, text=True, cwd=folder)
    found = {kind: [] for kind in ("warning", "error")}
    for line in done.stderr.splitlines():
        kind, _, rest = line.partition(": ")
        if kind in found:
            found[kind].append(rest)
    # 3: the result is there, and its gate or strict check failed.
    if done.returncode not in (0, 3):
        return Outcome(error=found["error"][0], is_request=done.returncode == 2)
    return Outcome(read_result(job, done.stdout), found["warning"])


def read_result(job, printed):
    """What the command prints, as the other doors give it."""
    if job in JSON:
        return json.loads(printed)
    if job == "tokenize":
        return printed.splitlines()
    if job == "train":
        return re.search(r"\((.*)\)", printed)[1]
    return printed


def by_service(address, job, given, settings):
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
        return Outcome(error=json.loads(error.read())["error"]["message"])
    events = [json.loads(line) for line in answer(Accept="application/x-ndjson").splitlines()]
    found = [event for event in events if event.pop("event", None) == "warning"]
    if job in ("tokenize", "parse"):
        result = result["lines" if job == "tokenize" else "text"]
    return Outcome(result, [warning["text"] for warning in found], found)


def by_python(folder, job, given, settings, monkeypatch):
    monkeypatch.chdir(folder)
    try:
        with warnings.catch_warnings(record=True) as issued:
            warnings.simplefilter("always")
            result, data = python_result(job, given, dict(settings))
    except tercet.Error as error:
        return Outcome(error=str(error), is_request=isinstance(error, (tercet.RequestError, tercet.UnsupportedError)))
    found = [one.message for one in issued if isinstance(one.message, tercet.TercetWarning)]
    assert all(one.kind == one.data["kind"] and str(one).startswith(one.data["text"]) for one in found)
    assert data is None or data == [one.data for one in found]
    return Outcome(result, [str(one) for one in found], [one.data for one in found])


def python_result(job, given, settings):
    """The result of a function of the package, and the warnings that it has beside those that are issued."""
    if job == "tokenize":
        return [" ".join(tokens) for tokens in tercet.tokenize(given["lines"], **settings)], None
    if job == "parse":
        tokenized = settings.pop("tokenizer", None) == "none"
        if settings.pop("format", "conllu") == "brackets":
            return "".join(f"{tree}\n" for tree in tercet.parse_phrases(given["lines"], tokenized=tokenized)), None
        parses = tercet.parse(given["lines"], tokenized=tokenized)
        # The command writes nothing for an empty line, of which there is a parse here.
        return "".join(parse.conllu for parse in parses if parse.words), None
    if job == "train":
        return tercet.train("recipe.toml", progress=False, **settings).hash, None
    if job in ("correlate", "systems", "raters", "spans", "challenge"):
        return getattr(tercet, job)(given["paths"], progress=False, **settings).data, None
    if job == "candidates":
        (metric,) = settings.pop("metrics")
        return tercet.rerank(given["candidates"], given.get("references"), metric, **settings).data, None
    settings |= {"fields": given["fields"]} if "fields" in given else {}
    systems = "rows" if "rows" in given else given["systems"]
    if job == "check":
        return tercet.check(systems, given.get("references"), given.get("sources"), **settings).data, None
    level = settings.pop("level", "system")
    more = {}
    if job == "score":
        more = {"documents": True} if level == "document" else {"segments": level != "system"}
        settings["level"] = level
    if "documents" in given:
        settings["documents"] = given["documents"]
    found = getattr(tercet, job)(systems, given.get("references"), **settings)
    if job == "compare":
        return found.data, found.warnings
    more = {**more, "components": True} if settings.get("components") else more
    return json.loads(found.write("json", **more)), found.warnings


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: f"{case['job']} {case['texts']} {case['settings']}")
def test_doors_agree(case, program, request, tmp_path, monkeypatch):
    job, given, settings = case["job"], texts(case["texts"]), case["settings"]
    doors = case.get("doors", ["command", "service", "python"])
    found = {"command": by_command(program, with_files(tmp_path / "command", given), job, given, settings)}
    if "service" in doors and job in SERVED:
        found["service"] = by_service(request.getfixturevalue("service"), job, given, settings)
    if "python" in doors:
        found["python"] = by_python(with_files(tmp_path / "python", given), job, given, settings, monkeypatch)
    assert len(found) > 1
    outcomes = list(found.values())
    errors = [one.error for one in outcomes if one.error is not None]
    assert len(errors) in (0, len(found)), found
    # Each door may add how its own users can change it.
    assert not errors or len(os.path.commonprefix(errors)) >= min(40, *map(len, errors)), errors
    assert len({one.is_request for one in outcomes if one.is_request is not None}) <= 1, found
    for one in outcomes:
        assert one.result == outcomes[0].result
    told = [one.data for one in outcomes if one.data is not None]
    assert all(data == told[0] for data in told), told
    for one in outcomes if told else []:
        said = [data["text"] for data in told[0]]
        assert errors or len(one.warnings) == len(said), (one.warnings, said)
        assert all(line.startswith(text) for line, text in zip(one.warnings, said)), (one.warnings, said)
