"""Arguments of the wrong type are refused by name; the names of the package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
import tercet

LINES = ["the cat sat"]


@pytest.mark.parametrize(
    "name, value",
    [("checks", "no"), ("segments", "yes"), ("components", 3), ("fast", "x"), ("language", 5), ("progress", 3)],
)
def test_types_of_arguments(name, value):
    with pytest.raises(TypeError, match=f"^{name}: expected "):
        tercet.score(LINES, LINES, "chrf", **{name: value})


def test_types_of_other_arguments():
    with pytest.raises(TypeError, match="^language: expected str, found int"):
        tercet.Metric("bleu", 5)
    with pytest.raises(TypeError, match="^explain: expected True or False, found 'x'"):
        tercet.compare({"a": LINES, "b": LINES}, LINES, "chrf", explain="x", checks=False)
    with pytest.raises(TypeError, match="^count: expected a whole number, found '2'"):
        tercet.set_threads("2")
    # As jiwer does.
    with pytest.raises(ValueError, match="^expected a string or a list of strings, found None"):
        tercet.compat.jiwer.wer(None, "a")
    assert tercet.score(LINES, LINES, "chrf", segments=numpy.True_, checks=numpy.False_)["chrf"].segments == [100.0]


def test_tallies_of_another_metric_are_refused():
    bleu, wer = tercet.Metric("bleu"), tercet.Metric("wer")
    tallies = bleu.tally(LINES, LINES)
    assert bleu.score_tally(tallies) == bleu.score_tally(tallies.sum()) == bleu.score_tally(sum([tallies, tallies]))
    with pytest.raises(tercet.RequestError, match="tallies of bleu, not of wer"):
        wer.score_tally(tallies)
    with pytest.raises(tercet.RequestError, match="a tally of 10 counts is of another metric: wer has 7"):
        wer.score_tally(tallies.sum())
    with pytest.raises(tercet.RequestError, match="a tally of 10 counts is of another metric: wer has 7"):
        wer.score_segment_tallies(tercet.Tallies(tallies.data, tallies.width))
    with pytest.raises(ValueError, match="wer and cer do not add up"):
        wer.tally(LINES, LINES) + tercet.Metric("cer").tally(LINES, LINES)
    with pytest.raises(TypeError):
        1 + tallies


def test_names_of_the_package(tmp_path):
    for name in tercet.__all__:
        assert getattr(tercet, name) is not None
    assert {"Evaluation", "Comparison", "Ranking", "spark", "compat"} <= set(dir(tercet))
    assert isinstance(tercet.score(LINES, LINES, "chrf", checks=False), tercet.Evaluation)
    public = {name for name in dir(tercet) if not name.startswith("_")}
    assert not public & {"annotations", "TYPE_CHECKING", "arguments", "whole"}
    with pytest.raises(AttributeError, match="no attribute 'scores'; did you mean 'score'"):
        tercet.scores  # noqa: B018


def test_names_that_do_not_exist_are_errors_of_types(tmp_path):
    pytest.importorskip("mypy")
    script = tmp_path / "caller.py"
    script.write_text("import tercet\ndef f(x: tercet.Ranking) -> tercet.Evaluation:\n    return x\ntercet.scores\n")
    words = [sys.executable, "-m", "mypy", "--cache-dir", os.devnull, str(script)]
    environment = {**os.environ, "MYPYPATH": str(Path(tercet.__file__).parent.parent)}
    printed = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True).stdout
    lines = [line for line in printed.splitlines() if "caller.py" in line]
    assert len(lines) == 1 and 'no attribute "scores"' in lines[0], printed
