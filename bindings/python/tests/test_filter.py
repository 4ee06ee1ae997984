"""tercet.filter."""

from pathlib import Path

import pytest
import tercet

MODELS = Path(__file__).parents[3] / "crates/tercet/tests/compatibility"
METRIC = f"siamese:model={MODELS / 'siamese-multilingual.safetensors'}"
SOURCES = ["кот сидел", "кот", "кот сидел", None, "сел кот"]
TARGETS = ["the cat sat", "кот", "the cat sat", "the mat", "a cat"]


def test_pairs_are_dropped_with_reasons_and_others_have_scores():
    found = tercet.filter(SOURCES, TARGETS, metric=METRIC, progress=False)
    assert found.reasons == [None, "copy", "duplicate", "empty", None]
    assert found.kept == [True, False, False, False, True]
    assert [score is None for score in found.scores] == [False, True, True, True, False]
    assert found.data["dropped"] == [["empty", 1], ["copy", 1], ["duplicate", 1]]
    assert str(found).startswith("pairs      5 100.00 %\nkept       2  40.00 %\n")
    assert found.rows()[1] == {"reason": "copy", "score": None}


def test_limits_are_of_scores_or_of_a_share():
    every = tercet.filter(SOURCES, TARGETS, metric=METRIC, progress=False)
    best = max(score for score in every.scores if score is not None)
    for limit in ({"keep": 0.2}, {"min_score": best}):
        found = tercet.filter(SOURCES, TARGETS, metric=METRIC, progress=False, **limit)
        assert [score for score, kept in zip(found.scores, found.kept) if kept] == [best]
        assert found.data["threshold"] == best


def test_mistakes_are_named():
    with pytest.raises(tercet.RequestError, match="1 sources and 2 targets"):
        tercet.filter(["a"], ["b", "c"])
    with pytest.raises(tercet.RequestError, match="duplicates|what makes a duplicate"):
        tercet.filter(["a"], ["b"], duplicates="rows")
    with pytest.raises(tercet.RequestError, match="min_score and keep"):
        tercet.filter(["a"], ["b"], min_score=1, keep=0.5)
    with pytest.raises(tercet.Error, match="needs references"):
        tercet.filter(["a"], ["b"], metric="chrf")


def test_systems_are_compared_and_ranked_and_rows_scored_without_references():
    systems = {"a": ["the cat sat", "a mat"], "b": ["on the cat", "the cat."]}
    sources = ["кот сидел", "сел кот"]
    compared = tercet.compare(systems, metric=METRIC, sources=sources, progress=False, checks=False)
    assert "refs=0|src=yes" in compared.data["signature"]
    ranked = tercet.rank(systems, metrics=METRIC, sources=sources, progress=False, checks=False, resamples=10)
    assert {place.system for place in ranked.order()} == {"a", "b"}
    rows = [{"src": source, "mt": line} for source, line in zip(sources, systems["a"])]
    by_rows = tercet.score(rows, metrics=METRIC, fields={"source": "src"}, progress=False, checks=False)
    by_lists = tercet.score(systems["a"], sources=sources, metrics=METRIC, progress=False, checks=False)
    assert by_rows[METRIC].score == by_lists[METRIC].score
    with pytest.raises(tercet.Error, match="which field has the references"):
        tercet.score(rows, metrics=METRIC, progress=False)
