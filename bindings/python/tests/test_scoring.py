"""Scores, intervals and tests; the digits of the command."""

from __future__ import annotations

import json
import math

import pytest
import tercet

METRICS = ["bleu", "chrf:word_order=2", "ter", "meteor", "nist", "siamese"]


def test_scores_equal_the_commands_bit_for_bit(command, examples, reference, systems):
    flags = [word for metric in METRICS for word in ("-m", metric)]
    files = [examples / f"system-{name}.en.txt" for name in systems]
    names = [word for name in systems for word in ("--name", name)]
    printed = command(
        "score", "-q", "-r", examples / "reference.en.txt", *flags, *names, "--level", "both", "-f", "json", *files
    )
    theirs = {(row["system"], row["metric"]): row for row in json.loads(printed)}
    ours = tercet.score(systems, reference, METRICS, segments=True, checks=False)
    assert len(theirs) == len(METRICS) * len(systems)
    for (system, metric), row in theirs.items():
        assert ours[metric][system].score == row["score"], metric
        assert ours[metric].signature == row["signature"]
        segments = [segment["score"] if isinstance(segment, dict) else segment for segment in row["segments"]]
        assert ours[metric][system].segments == segments, metric


def test_text_is_the_commands(command, examples, reference, systems):
    files = [examples / f"system-{name}.en.txt" for name in systems]
    names = [word for name in systems for word in ("--name", name)]
    printed = command("score", "-q", "-r", examples / "reference.en.txt", *names, *files, "--paired", "bs")
    ours = tercet.score(systems, reference, paired="bs", checks=False)
    assert str(ours) == printed


def test_one_system_is_a_list(reference, systems):
    scores = tercet.score(systems["a"], reference, ["chrf"], checks=False)
    assert scores.systems == ["system"]
    assert scores["chrf"].score == scores["chrF2"].score == pytest.approx(84.52, abs=0.01)
    with pytest.raises(KeyError, match="none of the metrics"):
        scores["bleu"]


def test_intervals_and_paired_tests(reference, systems):
    found = tercet.score(systems, reference, ["chrf"], confidence=True, paired="bs", checks=False)
    interval = found["chrf"]["a"].interval
    assert interval is not None and interval.low < found["chrf"]["a"].score < interval.high
    (comparison,) = found.comparisons
    assert (comparison.system, comparison.baseline, comparison.significant) == ("b", "a", True)
    assert "bs=1000|seed=12345" in found["chrf"].signature
    against = tercet.score(systems, reference, ["chrf"], paired="ar", baseline="b", correction="holm", checks=False)
    assert against.comparisons[0].baseline == "b" and against.comparisons[0].adjusted is not None
    pairs = tercet.score({**systems, "c": systems["a"]}, reference, ["chrf"], paired="bs", baseline="all", checks=False)
    assert len(pairs.comparisons) == 3


def test_components(reference, systems):
    found = tercet.score(systems["a"], reference, ["bleu"], components=True, segments=True, checks=False)
    parts = found["bleu"]["system"].components
    assert parts["hyp_len"] > 0 and math.isclose(parts["precision_1"], 100 * parts["matches_1"] / parts["totals_1"])
    assert len(found["bleu"].segments) == len(reference)


def test_several_references(reference, systems):
    by_segment = [[line, line.upper()] for line in reference]
    columns = tercet.ReferenceColumns(reference, [line.upper() for line in reference])
    one = tercet.score(systems["a"], by_segment, ["bleu"], checks=False)
    assert one == tercet.score(systems["a"], columns, ["bleu"], checks=False)
    assert "refs=2" in one["bleu"].signature
    gaps = tercet.ReferenceColumns(reference, [None] * len(reference))
    single = tercet.score(systems["a"], reference, ["bleu"], checks=False)
    assert tercet.score(systems["a"], gaps, ["bleu"], checks=False) == single


def test_language_chooses_the_tokenizer():
    found = tercet.score(["你好，世界"], ["你好，世界"], ["bleu"], language="zh", checks=False)
    assert "tok=zh" in found["bleu"].signature


def test_suspicious_texts_are_warnings(reference):
    with pytest.warns(tercet.TercetWarning, match="empty"):
        tercet.score([""] * len(reference), reference, ["bleu"])


def test_ranking(reference, systems):
    found = tercet.rank({"good": systems["a"], "bad": systems["b"]}, reference, ["chrf"], checks=False)
    order = found.order()
    assert [(place.system, place.rank, place.group) for place in order] == [("good", 1, 1), ("bad", 2, 2)]
    assert order[0].wins is not None and order[0].wins > 0.5
    assert "good" in str(found)


def test_comparison_is_the_commands(command, examples, reference, systems):
    files = [examples / f"system-{name}.en.txt" for name in systems]
    names = [word for name in systems for word in ("--name", name)]
    printed = command("compare", "-q", "-r", examples / "reference.en.txt", *names, "-m", "chrf", *files)
    found = tercet.compare(systems, reference, "chrf", checks=False)
    assert str(found) == printed
    assert len(found.probabilities) == len(reference)
    with pytest.raises(tercet.RequestError, match="two systems"):
        tercet.compare({"a": systems["a"]}, reference, checks=False)


def test_candidates_are_chosen_by_references_and_by_each_other():
    lists = [["dogs", "the cat sat on the mat", "the cat sat on a mat", "a cat sat on a mat"]]
    assert tercet.rerank(lists, ["a cat sat on a mat"]).best() == ["a cat sat on a mat"]
    assert tercet.rerank(lists).best() == ["the cat sat on a mat"]
    # Two references of the first segment, one of the second: read by segment, the second column would be a second
    # segment.
    both = [["dogs", "cats sleep"], ["it rains", "sun"]]
    columns = tercet.ReferenceColumns(["cats", "sun"], ["cats sleep", None])
    assert tercet.rerank(both, columns).to_dict() == tercet.rerank(both, [["cats", "cats sleep"], ["sun"]]).to_dict()
    with pytest.raises(tercet.DataError, match="is empty"):
        tercet.rerank([[]])


def test_explanations(reference, systems):
    found = tercet.explain(systems, reference, top=1)
    assert len(found.to_dict()) == 2 and "[" in str(found)
    with pytest.raises(tercet.RequestError, match="cannot tell"):
        tercet.explain(systems, reference, "bleu")
