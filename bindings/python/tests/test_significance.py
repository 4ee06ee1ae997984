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
