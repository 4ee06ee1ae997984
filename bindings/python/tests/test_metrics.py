"""Metrics, their tallies, tokenizers."""

from __future__ import annotations

import pickle

import numpy
import pytest
import tercet


def test_tallies_add_up(reference, systems):
    metric = tercet.Metric("bleu")
    tallies = metric.tally(systems["a"], reference)
    assert len(tallies) == len(reference) and tallies.width == 10
    whole = tercet.score(systems["a"], reference, ["bleu"], checks=False)["bleu"].score
    assert metric.score_tally(tallies.sum()) == whole == metric.score(systems["a"], reference)
    parts = metric.tally(systems["a"][:5], reference[:5]) + metric.tally(systems["a"][5:], reference[5:])
    assert parts == tallies
    assert metric.score_tally(tallies.to_numpy().sum(axis=0)) == whole
    assert tercet.Tallies.of_rows(tallies.to_numpy()) == tallies == tercet.Tallies.of_rows(list(tallies))


@pytest.mark.parametrize("spec", ["bleu", "chrf", "ter", "meteor", "wer", "siamese"])
def test_one_segment_scores_as_among_others(spec, reference, systems):
    metric = tercet.Metric(spec)
    scores = metric.segment_scores(systems["a"], reference)
    assert metric.segment_score(systems["a"][3], reference[3]) == scores[3]
    assert metric.segment_score(systems["a"][3], [reference[3]]) == scores[3]


def test_metrics_pickle_by_their_spec():
    for metric in (tercet.Metric("chrf:word_order=2"), tercet.Metric("bleu", language="zh")):
        again = pickle.loads(pickle.dumps(metric))
        assert again == metric and again.signature == metric.signature and again.name == metric.name
    assert "tok=zh" in again.signature


def test_what_a_metric_says_of_itself():
    ter = tercet.Metric("ter")
    assert (ter.title, ter.higher_is_better, ter.needs_all_references) == ("TER", False, False)
    assert tercet.Metric("nist").needs_all_references
    assert tercet.Metric(ter.signature).signature == ter.signature
    names = [info.name for info in tercet.metrics()]
    assert names[0] == "bleu" and "siamese" in names


def test_unknown_metrics_and_options():
    with pytest.raises(tercet.RequestError, match="did you mean `bleu`"):
        tercet.Metric("blue")
    with pytest.raises(tercet.RequestError, match="has no option"):
        tercet.Metric("bleu:tokenizer=13a")
    with pytest.raises(tercet.IoError):
        tercet.Metric("pairwise:model=/nowhere/model.safetensors")


def test_tokens():
    assert tercet.tokenize("Hello, world!") == ["Hello", ",", "world", "!"]
    assert tercet.tokenize(["Hello, you!", ""], "intl", lowercase=True) == [["hello", ",", "you", "!"], []]
    assert "13a" in tercet.tokenizers()
    with pytest.raises(tercet.RequestError, match="unknown tokenizer"):
        tercet.tokenize("a", "14b")


def test_rows_of_the_wrong_size_are_refused():
    with pytest.raises(tercet.RequestError, match="no rows"):
        tercet.Tallies(b"1234567", 2).sum()
    assert numpy.array_equal(tercet.Tallies(bytes(16), 2).to_numpy(), [[0, 0]])


def test_a_signature_of_sacrebleu_is_a_metric(systems, reference):
    from tercet.compat import sacrebleu

    bleu = sacrebleu.BLEU(tokenize="intl", lowercase=True)
    expected = bleu.corpus_score(systems["b"], [reference]).score
    assert tercet.Metric(str(bleu.get_signature())).score(systems["b"], reference) == expected
    assert (
        tercet.Metric("nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0").score(systems["b"], reference)
        == expected
    )


def test_signatures_of_other_scores_are_warned_about(systems, reference):
    with pytest.warns(
        tercet.TercetWarning, match="bleu: the signature is of scores with refs=2, but here it is refs=1"
    ):
        tercet.score(systems, reference, "bleu:tok=13a|refs=2")


def test_an_unknown_metric_points_to_scores_of_other_tools():
    with pytest.raises(tercet.RequestError, match="tercet.evaluate_scores"):
        tercet.Metric("comet")


def test_sums_of_tallies_add_up(examples):
    metric = tercet.Metric("bleu")
    (one, two), texts = (3, 5), ["The cat sat on the mat.", "It rained all day."]
    tallies = metric.tally(texts * one, texts[::-1] * one), metric.tally(texts * two, texts * two)
    total = sum(part.sum() for part in tallies)
    assert total == tallies[0].sum() + tallies[1].sum() == (tallies[0] + tallies[1]).sum()
    assert metric.score_tally(total) == metric.score_tally(tallies[0] + tallies[1])
    total += tallies[0].sum()
    assert len(total) == len(tallies[0][0]) and total[0] == 2 * tallies[0].sum()[0] + tallies[1].sum()[0]
    with pytest.raises(tercet.RequestError, match="different metrics"):
        tallies[0].sum() + tercet.Metric("chrf").tally(texts, texts).sum()
