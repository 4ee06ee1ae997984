"""GLEU, RIBES, NIST, CIDEr-D and the like with the interfaces of NLTK, torchmetrics, pycocoevalcap and evaluate."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
import tercet
from tercet.compat import evaluate, nltk, pycocoevalcap, torchmetrics

PREDICTIONS = ["the cat sat on a mat", "it rained, 3.5 mm"]
REFERENCES = [["the cat sat on the mat", "a cat was on the mat"], ["it rained all day", "3.5 mm of rain fell"]]
SINGLE = [lines[0] for lines in REFERENCES]


def real_texts() -> tuple[list[str], list[list[str]]]:
    """Outputs and references of WMT17, if they are there; otherwise lines of words drawn at random."""
    shared = os.environ.get("TERCET_SHARED")
    folder = Path(shared or "", "golden/inputs/wmt17/de-en")
    if shared and folder.is_dir():
        texts = [path.read_text(encoding="utf-8").split("\n")[:1000] for path in sorted(folder.iterdir())]
        texts = [lines for lines in texts if len(lines) == 1000]
        return texts[0], [list(lines) for lines in zip(*texts[1:3])]
    draw = random.Random(7)
    words = "the a cat dog sat on mat , . rained 0 day's of Of running runs".split()
    lines = [[" ".join(draw.choices(words, k=draw.randrange(1, 14))) for _ in range(3)] for _ in range(300)]
    return [one[0] for one in lines], [one[1:] for one in lines]


def test_metrics_of_nltk():
    pytest.importorskip("nltk", reason="nltk is not installed: pip install nltk")
    from nltk.translate import gleu_score, nist_score, ribes_score

    hypotheses, references = real_texts()
    tokens = [line.split() for line in hypotheses], [[line.split() for line in lines] for lines in references]
    pairs = list(zip(tokens[1], tokens[0]))
    for name, module, options in [
        ("gleu", gleu_score, ({}, {"min_len": 2, "max_len": 3})),
        ("ribes", ribes_score, ({}, {"alpha": 0.5, "beta": 0.3})),
        ("nist", nist_score, ({}, {"n": 3})),
    ]:
        for given in options:
            ours, expected = (getattr(one, f"corpus_{name}")(tokens[1], tokens[0], **given) for one in (nltk, module))
            assert ours == pytest.approx(expected, rel=1e-9), (name, given)
            for refs, hypothesis in pairs:
                if name == "nist" and len(hypothesis) < 5:
                    continue
                ours, expected = (getattr(one, f"sentence_{name}")(refs, hypothesis, **given) for one in (nltk, module))
                assert ours == pytest.approx(expected, rel=1e-9, abs=1e-12), (name, given, refs, hypothesis)


def test_tokens_of_nltk_may_be_anything():
    references, hypothesis = [[(1, 2), "a b", None]], [(1, 2), "a b", "c"]
    assert nltk.sentence_gleu(references, hypothesis) == 3 / 6
    with pytest.raises(tercet.DataError, match="1 hypotheses but references for 0"):
        nltk.corpus_gleu([], [["a"]])
    with pytest.raises(AttributeError, match="nltk itself has it"):
        _ = nltk.sentence_bleu
    assert nltk.corpus_ribes([], []) == 0


def test_captions_are_scored_as_by_pycocoevalcap():
    pytest.importorskip("pycocoevalcap", reason="pycocoevalcap is not installed: pip install pycocoevalcap")
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.rouge.rouge import Rouge

    hypotheses, references = real_texts()
    texts = dict(enumerate(references)), {i: [line] for i, line in enumerate(hypotheses)}
    for ours, theirs in [
        (pycocoevalcap.Bleu(), Bleu()),
        (pycocoevalcap.Bleu(2), Bleu(2)),
        (pycocoevalcap.Rouge(), Rouge()),
        (pycocoevalcap.Cider(), Cider()),
        (pycocoevalcap.Cider(sigma=3.0), Cider(sigma=3.0)),
    ]:
        quiet = {"verbose": 0} if isinstance(theirs, Bleu) else {}
        (score, scores), (expected, each) = ours.compute_score(*texts), theirs.compute_score(*texts, **quiet)
        assert ours.method() == theirs.method()
        assert score == pytest.approx(expected, rel=1e-9), ours.method()
        for found, other in zip(scores, each):
            assert found == pytest.approx(other, rel=1e-9, abs=1e-12), ours.method()


def test_captions_without_the_package():
    captions = {1: ["a man rides a horse"], 2: ["two dogs play"]}
    references = {1: ["a man rides a horse", "someone on a horse"], 2: ["two dogs are playing"]}
    bleu, segments = pycocoevalcap.Bleu().compute_score(references, captions)
    assert len(bleu) == 4 and len(segments) == 4 and len(segments[0]) == 2
    assert segments[3][0] == pytest.approx(1)
    score, scores = pycocoevalcap.Rouge().compute_score(references, captions)
    assert scores[0] == pytest.approx(1) and score == sum(scores) / 2
    assert pycocoevalcap.Cider().compute_score(references, captions)[1][0] > 4
    for metric in (pycocoevalcap.Bleu(), pycocoevalcap.Rouge(), pycocoevalcap.Cider()):
        with pytest.raises(tercet.DataError, match="same images"):
            metric.compute_score(references, {1: ["a"]})
        with pytest.raises(tercet.DataError, match="a list of references"):
            metric.compute_score({1: []}, {1: ["a"]})
    with pytest.raises(tercet.RequestError, match="n must be 4"):
        pycocoevalcap.Cider(n=2)


def test_error_rates_of_torchmetrics():
    # Edits: 1 and 2. jiwer counts a hit, an insertion and a deletion more than torchmetrics' longer line has words.
    predictions, targets = ["a b c", "x a b"], ["a b d", "a b y"]
    assert torchmetrics.word_error_rate(predictions, targets) == 3 / 6
    assert torchmetrics.match_error_rate(predictions, targets) == 3 / 6
    assert tercet.Metric("mer").score(predictions, targets) == 100 * 3 / 7
    assert torchmetrics.word_information_preserved(predictions, targets) == 0.25
    assert torchmetrics.word_information_lost("a", "a") == 0
    assert torchmetrics.char_error_rate("ab c", "ab d ") == 2 / 5
    assert torchmetrics.word_error_rate("", "") == 0
    with pytest.raises(tercet.DataError, match="1 predictions but targets for 2"):
        torchmetrics.word_error_rate(["a"], ["a", "b"])
    with pytest.raises(AttributeError, match="torchmetrics itself has it"):
        _ = torchmetrics.perplexity


def test_scores_of_torchmetrics():
    # The examples of its documentation.
    predictions, targets = ["this is the prediction", "here is an other sample"], [
        "this is the reference",
        "here is another one",
    ]
    assert torchmetrics.extended_edit_distance(predictions, targets) == pytest.approx(0.3078, abs=5e-5)
    mean, each = torchmetrics.extended_edit_distance(predictions, targets, return_sentence_level_score=True)
    assert mean == sum(each) / 2
    targets = [["there is a cat on the mat", "a cat is on the mat"]]
    assert torchmetrics.bleu_score(["the cat is on the mat"], targets) == pytest.approx(0.7598, abs=5e-5)
    assert torchmetrics.sacre_bleu_score(["the cat is on the mat"], targets) == pytest.approx(0.7598, abs=5e-5)
    assert torchmetrics.chrf_score(["the cat is on the mat"], targets) == pytest.approx(0.8640, abs=5e-5)
    assert torchmetrics.translation_edit_rate(["the cat is on the mat"], targets) == pytest.approx(0.1538, abs=5e-5)
    assert torchmetrics.bleu_score(["a"], [["b"]]) == 0
    with pytest.raises(tercet.RequestError, match="2 weights"):
        torchmetrics.bleu_score(["a"], [["b"]], weights=[0.5, 0.5])
    for options in ({"alpha": -1.0}, {"rho": 1}, {"language": "de"}):
        with pytest.raises(tercet.RequestError):
            torchmetrics.extended_edit_distance("a", ["a"], **options)


def test_google_bleu_and_nist_of_evaluate():
    # What evaluate 0.4.6 gives with NLTK 3.10.4: the examples of its modules.
    hypothesis = "It is a guide to action which ensures that the rubber duck always disobeys the commands of the cat"
    references = [
        "It is the guiding principle which guarantees the rubber duck forces never being under the command of the cat",
        "It is a guide to action that ensures that the rubber duck will never heed the cat commands",
        "It is the practical guide for the rubber duck army never to heed the directions of the cat",
    ]
    predictions = [hypothesis, "he read the book because he was interested in world history"]
    history = ["he was interested in world history because he read the book"]
    for of_first, options, expected in [
        (references[:1], {}, 0.44),
        (references, {}, 0.61),
        (references, {"min_len": 2}, 0.53),
        (references, {"min_len": 2, "max_len": 6}, 0.4),
    ]:
        texts = {"predictions": predictions, "references": [of_first, history]}
        found = evaluate.compute("google_bleu", **texts, **options)
        assert list(found) == ["google_bleu"] and round(found["google_bleu"], 2) == expected
        assert evaluate.compute("google_bleu", **texts, **options, tokenizer=str.split) == found
    military = "It is a guide to action which ensures that the military always obeys the commands of the party"
    of_military = [
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the command of the Party",
        "It is the practical guide for the army always to heed the directions of the party",
    ]
    found = evaluate.compute("nist_mt", predictions=[military], references=[of_military])
    assert found == {"nist_mt": pytest.approx(3.3709935957649324, rel=1e-12)}
    found = evaluate.compute("nist_mt", predictions=[military], references=of_military[:1])
    assert found == {"nist_mt": pytest.approx(2.4477124183006533, rel=1e-12)}


def test_words_of_nist_are_nltks():
    pytest.importorskip("nltk", reason="nltk is not installed: pip install nltk")
    try:
        from nltk.tokenize.nist import NISTTokenizer
    except LookupError:
        pytest.skip("nltk's table of Perl's characters is not downloaded")
    lines = ["It's 3.5 mm -- \"half\" & more &amp; &quot;x&quot; [a-b] {c}~ 1-2 <skipped>.", *real_texts()[0]]
    for line in lines:
        for lowercase, western in ((False, True), (True, True), (False, False)):
            expected = NISTTokenizer().tokenize(line, lowercase=lowercase, western_lang=western)
            assert evaluate._nist_tokens(line, lowercase, western) == expected, line


def test_character_and_exact_match_of_evaluate():
    predictions = [
        "this week the saudis denied information published in the new york times",
        "this is in fact an estimate",
    ]
    references = [
        "saudi arabia denied this week information published in the american new york times",
        "this is actually an estimate",
    ]
    found = evaluate.compute("character", predictions=predictions[:1], references=references[:1])
    assert found == {"cer_score": pytest.approx(0.36619718309859156, rel=1e-12)}
    texts = {"predictions": predictions, "references": references}
    found = evaluate.compute("character", **texts, aggregate="sum", return_all_scores=True)
    assert found["cer_score"] == pytest.approx(0.6254564423578508, rel=1e-12)
    assert found["cer_scores"] == pytest.approx([0.36619718309859156, 0.25925925925925924], rel=1e-12)
    with pytest.raises(tercet.RequestError, match="aggregate must be mean, sum or median"):
        evaluate.compute("character", **texts, aggregate="max")

    texts = {
        "references": ["the cat", "theater", "YELLING", "agent007"],
        "predictions": ["cat?", "theater", "yelling", "agent"],
    }
    ignored = {"ignore_case": True, "ignore_punctuation": True}
    for options, expected in [
        ({}, 0.25),
        ({"regexes_to_ignore": ["the ", "yell"], **ignored}, 0.5),
        ({"regexes_to_ignore": ["the ", "yell", "YELL"], **ignored}, 0.75),
        ({"regexes_to_ignore": ["the ", "yell", "YELL"], **ignored, "ignore_numbers": True}, 1.0),
    ]:
        assert evaluate.compute("exact_match", **texts, **options) == {"exact_match": expected}
    nothing_left = {"predictions": ["1", "2"], "references": ["1", "3"], "ignore_numbers": True}
    assert evaluate.compute("exact_match", **nothing_left) == {"exact_match": 0.5}


def test_several_modules_of_evaluate_are_combined():
    texts = {"predictions": PREDICTIONS, "references": REFERENCES}
    both = evaluate.combine(["google_bleu", "chrf"]).compute(**texts)
    assert both == {**evaluate.compute("google_bleu", **texts), **evaluate.compute("chrf", **texts)}
    named = evaluate.combine({"a": "chrf", "b": evaluate.load("ter")}).compute(**texts)
    assert {"a_score", "b_score", "num_edits", "char_order"} <= set(named)
    twice = evaluate.combine(["chrf", "chrf"], force_prefix=True)
    for prediction, references in zip(PREDICTIONS, REFERENCES):
        twice.add(prediction, references)
    assert {"chrf_0_score", "chrf_1_score"} <= set(twice.compute())
    with pytest.raises(tercet.RequestError, match="wer gives a number without a key"):
        evaluate.combine(["wer"]).compute(predictions=PREDICTIONS, references=SINGLE)
