"""Tests of differences, and the number of resamples they need."""

from __future__ import annotations

import warnings

import pytest
import tercet


@pytest.fixture(scope="module")
def many(reference, systems):
    return {f"s{i}": [*systems["b"][:i], *systems["a"][i:]] for i in range(11)}


def test_too_few_resamples_for_a_correction_are_a_warning(many, reference):
    said = r"1000 resamples, adjusted for 55 pairs of systems, is 0\.055, .* ask for 1100 resamples"
    with pytest.warns(tercet.TercetWarning, match=said):
        found = tercet.rank(many, reference, "wer", correction="holm", checks=False)
    assert not any(comparison.significant for comparison in found.comparisons)
    with pytest.warns(tercet.TercetWarning, match=said):
        tercet.score(many, reference, "wer", paired="bs", baseline="all", correction="holm", checks=False)
    with pytest.warns(tercet.TercetWarning, match="199 resamples, adjusted for 10 pairs .* is 0.050, .* ask for 200"):
        tercet.score(many, reference, "wer", paired="ar", resamples=199, correction="holm", checks=False)


def test_enough_resamples_can_be_significant(many, reference):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tercet.rank(many, reference, "wer", checks=False)
        tercet.rank(many, reference, "wer", correction="holm", resamples=1100, checks=False)
        tercet.score(many, reference, "wer", paired="bs", correction="holm", checks=False)
        copies = {f"s{i}": reference[:1] * 16 for i in range(11)} | {"s0": reference}
        least = tercet.score(copies, reference, "wer", paired="ar", resamples=200, correction="holm", checks=False)
    assert all(comparison.significant for comparison in least.comparisons)


def test_a_gate_says_which_checks_failed(reference, systems):
    old, new = systems["a"], systems["b"]
    given = {"old": old, "new": new}
    found = tercet.score(given, reference, ["chrf", "ter"], fail_if=["chrf < 1", "ter > ter(old)"], checks=False)
    assert not found.gate.passed and len(found.gate.checks) == 3
    (failed,) = found.gate.failures
    assert (failed.rule, failed.system, failed.baseline) == ("`ter > ter(old)`", "new", "old")
    assert failed.score == found["ter"]["new"].score and failed.delta > 0 and failed.p is None
    by_test = tercet.score(given, reference, "chrf", no_worse_than="old", margin=0.5, resamples=200, checks=False)
    (check,) = by_test.gate.checks
    assert not check.passed and check.margin == 0.5 and check.bound < -0.5 and check.p > 0.05
    assert tercet.score(given, reference, "chrf", checks=False).gate is None


def test_what_a_gate_cannot_check_is_refused(reference, systems):
    with pytest.raises(tercet.RequestError, match="is not a condition: at character 8"):
        tercet.score(systems["a"], reference, "chrf", fail_if="chrf < x")
    with pytest.raises(tercet.RequestError, match="there is no metric bleu"):
        tercet.score(systems["a"], reference, "chrf", fail_if="bleu < 3", checks=False)
    with pytest.raises(TypeError, match="margin: expected a number"):
        tercet.score(systems["a"], reference, "chrf", no_worse_than="system", margin="1")


def test_scores_of_another_tool_pass_gates_too():
    scores = {"a": [float(i % 7) for i in range(60)], "b": [i % 7 - 0.5 for i in range(60)]}
    assert not tercet.evaluate_scores(scores, no_worse_than="a").gate.passed
    assert tercet.evaluate_scores(scores, no_worse_than="a", margin=0.6).gate.passed
