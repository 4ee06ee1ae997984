"""The interfaces of evaluate, pycocoevalcap and jiwer."""

from __future__ import annotations

import gzip
import pickle
import warnings
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy
import pandas
import pytest
import tercet
from conftest import REPOSITORY
from tercet.compat import bert_score, evaluate, jiwer, pycocoevalcap
from tercet.compat.rouge_score import rouge_scorer

PREDICTIONS = ["the cat sat on a mat", "it rained"]
REFERENCES = [["the cat sat on the mat", "a cat was on the mat"], ["it rained all day", "rain fell"]]


def test_evaluate_gives_the_keys_of_its_modules():
    bleu = evaluate.load("sacrebleu").compute(predictions=PREDICTIONS, references=REFERENCES)
    assert set(bleu) == {"score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"}
    assert bleu["sys_len"] == 8
    chrf = evaluate.compute("chrf", predictions=PREDICTIONS, references=REFERENCES, word_order=2)
    assert chrf["score"] == tercet.Metric("chrf++").score(PREDICTIONS, REFERENCES)
    ter = evaluate.compute("ter", predictions=PREDICTIONS, references=REFERENCES, ignore_punct=True)
    assert ter["num_edits"] == 3
    singles = [lines[0] for lines in REFERENCES]
    assert evaluate.compute("wer", predictions=PREDICTIONS, references=singles) == pytest.approx(3 / 10)
    with pytest.warns(tercet.TercetWarning, match="NLTK"):
        assert 0 < evaluate.compute("meteor", predictions=PREDICTIONS, references=singles)["meteor"] < 1
    other = evaluate.compute("overlap", predictions=PREDICTIONS, references=singles)
    assert len(other["segments"]) == 2 and other["signature"].startswith("overlap")


TWO = ["the cat sat on a mat .", "It rained, heavily!"]
SINGLE = ["the cat sat on the mat .", "It rained all day."]
DOUBLE = [[SINGLE[0], "a cat was on the mat"], [SINGLE[1], "rain fell"]]
RAGGED = [DOUBLE[0], [SINGLE[1]]]


def _nmt(bleu, precisions, penalty, ratio, lengths):
    keys = ("bleu", "precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length")
    return dict(zip(keys, (bleu, precisions, penalty, ratio, *lengths)))


def _sacrebleu(score, counts, totals, precisions):
    lengths = {"bp": 1.0, "sys_len": 12, "ref_len": 12}
    return {"score": score, "counts": counts, "totals": totals, "precisions": precisions, **lengths}


def _chrf(score, word_order=0):
    return {"score": score, "char_order": 6, "word_order": word_order, "beta": 2}


def _ter(score, edits, length):
    return {"score": score, "num_edits": edits, "ref_length": length}


# What evaluate 0.4.6 gives for these texts with sacrebleu 2.6.0 and jiwer 4.0.0, metric scripts of a7dd338.
FIGURES = [
    ("sacrebleu", SINGLE, {}, _sacrebleu(34.32945239845197, [8, 5, 2, 1], [12, 10, 8, 6], [200 / 3, 50, 25, 50 / 3])),
    (
        "sacrebleu",
        DOUBLE,
        {"tokenize": None},
        _sacrebleu(35.355339059327385, [9, 5, 2, 1], [12, 10, 8, 6], [75, 50, 25, 50 / 3]),
    ),
    ("chrf", DOUBLE, {}, _chrf(56.15116401829498)),
    ("chrf", DOUBLE, {"word_order": 2}, _chrf(56.69670634705456, 2)),
    ("chrf", DOUBLE, {"lowercase": True, "whitespace": True}, _chrf(61.95913743983809)),
    ("ter", DOUBLE, {}, _ter(42.10526315789473, 4, 9.5)),
    ("ter", DOUBLE, {"ignore_punct": True}, _ter(33.33333333333333, 3, 9.0)),
    ("ter", DOUBLE, {"normalized": True}, _ter(40.0, 4, 10.0)),
    ("bleu", SINGLE, {}, _nmt(0.34329452398451965, [2 / 3, 0.5, 0.25, 1 / 6], 1.0, 1.0, (12, 12))),
    ("bleu", DOUBLE, {}, _nmt(0.35355339059327373, [0.75, 0.5, 0.25, 1 / 6], 1.0, 1.5, (12, 8))),
    ("bleu", RAGGED, {}, _nmt(0.35355339059327373, [0.75, 0.5, 0.25, 1 / 6], 1.0, 12 / 11, (12, 11))),
    ("bleu", DOUBLE, {"smooth": True}, _nmt(0.4471018619258419, [10 / 13, 6 / 11, 3 / 9, 2 / 7], 1.0, 1.5, (12, 8))),
    ("bleu", DOUBLE, {"max_order": 2}, _nmt(0.6123724356957946, [0.75, 0.5], 1.0, 1.5, (12, 8))),
    ("bleu", DOUBLE, {"tokenizer": str.split}, _nmt(0.4272870063962341, [0.8, 0.5, 1 / 3, 0.25], 1.0, 1.25, (10, 8))),
    ("wer", SINGLE, {}, 0.36363636363636365),
    ("wer", [SINGLE[0], ""], {}, 0.5714285714285714),
    ("cer", SINGLE, {}, 0.2619047619047619),
    ("cer", SINGLE, {"concatenate_texts": True}, 0.2619047619047619),
]


@pytest.mark.parametrize("name, references, options, expected", FIGURES)
def test_evaluate_gives_the_figures_of_its_modules(name, references, options, expected):
    for predictions in (TWO, tuple(TWO), numpy.array(TWO), pandas.Series(TWO)):
        found = evaluate.compute(name, predictions=predictions, references=references, **options)
        if isinstance(expected, dict):
            assert list(found) == list(expected)
            assert {key: pytest.approx(value, rel=1e-12) for key, value in expected.items()} == found
            assert [type(found[key]) for key in expected] == [type(value) for value in expected.values()]
        else:
            assert found == expected
    if not isinstance(references[0], list):
        assert evaluate.compute(name, predictions=TWO, references=numpy.array(references), **options) == found


def test_evaluates_bleu_of_a_short_text():
    found = evaluate.compute("bleu", predictions=[TWO[0], ""], references=SINGLE)
    assert (found["bleu"], found["brevity_penalty"]) == pytest.approx(
        (0.23934818779838288, 0.48954165955695317), rel=1e-12
    )
    nothing = evaluate.compute("bleu", predictions=["", ""], references=SINGLE)
    assert (nothing["bleu"], nothing["length_ratio"]) == (0, 0)


def test_evaluate_says_what_is_wrong_with_texts():
    for predictions, references, message in (
        (TWO, [SINGLE[0], None], r"references\[1\]: expected a list of str, found NoneType"),
        (
            "a",
            "b",
            r"predictions: expected a list of str, found str \(give a list of lines; a file must be read first: .*",
        ),
        (TWO, [1, 2], r"references\[0\]: expected a list of str, found int"),
    ):
        for name in ("sacrebleu", "chrf", "ter", "bleu", "wer", "cer"):
            with pytest.raises(TypeError, match=f"^{message}$"):
                evaluate.compute(name, predictions=predictions, references=references)
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        evaluate.compute("bleu", predictions=TWO, references=SINGLE, colour=1)


def test_evaluate_adds_segments_one_by_one():
    module = evaluate.load("chrf")
    for prediction, reference in zip(PREDICTIONS, REFERENCES):
        module.add(prediction=prediction, reference=reference)
    expected = evaluate.compute("chrf", predictions=PREDICTIONS, references=REFERENCES)
    assert module.compute() == expected
    with pytest.raises(tercet.DataError, match="nothing to score"):
        module.compute()
    with pytest.raises(tercet.DataError, match="1 predictions"):
        module.compute(predictions=["a"], references=[])
    with pytest.raises(tercet.DataError, match="same number of references"):
        module.compute(predictions=["a", "b"], references=[["a"], ["b", "c"]])
    with pytest.raises(tercet.RequestError):
        evaluate.load("no such metric")


def test_evaluates_error_rates_take_one_reference():
    with pytest.raises(tercet.DataError, match="one reference for each prediction, found 2"):
        evaluate.compute("wer", predictions=PREDICTIONS, references=REFERENCES)
    texts = {"predictions": ["ab", "c"], "references": ["a", "bc"]}
    for options in ({}, {"concatenate_texts": True}):
        assert evaluate.compute("cer", **texts, **options) == 2 / 3
        assert evaluate.compute("wer", **texts, **options) == 1


def test_meteor_of_captions(monkeypatch):
    monkeypatch.setattr(pycocoevalcap, "find_spec", lambda name: None)
    references = {1: ["a man rides a horse", "someone on a horse"], 2: ["two dogs play"]}
    captions = {2: ["dogs are  playing"], 1: ["a man ||| is riding a horse"]}
    with pytest.warns(tercet.TercetWarning, match="no paraphrase table"):
        meteor = pycocoevalcap.Meteor()
    score, scores = meteor.compute_score(references, captions)
    assert len(scores) == 2 and 0 < score < 1
    metric = tercet.Metric("meteor:norm=yes,lower=yes")
    assert scores[0] == metric.segment_score("a man is riding a horse", references[1])
    assert meteor.method() == "METEOR"
    with pytest.raises(tercet.DataError, match="same images"):
        meteor.compute_score(references, {1: ["a"]})
    with pytest.raises(tercet.DataError, match="one caption"):
        meteor.compute_score({1: ["a"]}, {1: ["a", "b"]})


@pytest.fixture
def captioning_package(monkeypatch, tmp_path):
    """A pycocoevalcap with a small paraphrase table and small lists in its jar; the cache folder is empty."""

    def install(folder: Path, words: str | None = "function/english.words") -> Path:
        table = folder / "meteor" / "data" / "paraphrase-en.gz"
        table.parent.mkdir(parents=True)
        table.write_bytes(gzip.compress(b"0.5\nrides\nsits on\n"))
        jar = folder / "meteor" / "meteor-1.5.jar"
        if words is not None:
            with zipfile.ZipFile(jar, "w") as files:
                files.writestr(words, "could\nthe\n")
                files.writestr("nonbreaking/english.prefixes", "Dr\n")
                files.writestr("synonym/english.exceptions", "")
                files.writestr("synonym/english.synsets", "sofa\n1\ngnu\n1\n")
        package = SimpleNamespace(submodule_search_locations=[str(folder)])
        monkeypatch.setattr(pycocoevalcap, "find_spec", lambda name: package)
        return jar

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return install


def test_meteor_of_captions_reads_the_files_of_pycocoevalcap(captioning_package, tmp_path):
    captioning_package(tmp_path / "package")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        meteor = pycocoevalcap.Meteor()
    texts = {1: ["he sits on a horse"]}, {1: ["he rides a horse"]}
    with_table, _ = meteor.compute_score(*texts)
    without = tercet.Metric("meteor:norm=yes,lower=yes").score(["he rides a horse"], ["he sits on a horse"])
    assert with_table > without
    # `could` is a function word of METEOR's list, and not of tercet's own.
    words = tmp_path / "words"
    words.write_text("could\nthe\n")
    captions = {1: ["him"]}, {1: ["could him"]}
    own, listed = (
        tercet.Metric(f"meteor:norm=yes,lower=yes{option}").score(["could him"], ["him"])
        for option in ("", f",function_words={words}")
    )
    assert meteor.compute_score(*captions)[0] == listed != own
    # The jar's own synonyms are no synonyms of WordNet.
    assert meteor.compute_score({1: ["a sofa"]}, {1: ["a gnu"]})[0] > 0.5
    [kept] = (tmp_path / "cache" / "tercet").glob("meteor-1.5-*")
    found = sorted(path.relative_to(kept).as_posix() for path in kept.rglob("*") if path.is_file())
    assert found == sorted(pycocoevalcap._RESOURCES)
    list_of_words = kept / "function" / "english.words"
    assert list_of_words.read_text() == "could\nthe\n"
    list_of_words.write_text("cut off")
    assert pycocoevalcap.Meteor().compute_score(*captions)[0] == listed
    assert pickle.loads(pickle.dumps(meteor.metric)) == meteor.metric


def test_meteor_of_captions_warns_if_the_jar_cannot_be_read(captioning_package, tmp_path):
    for i, (words, content) in enumerate(((None, None), ("another.words", None), (None, b"no archive"))):
        jar = captioning_package(tmp_path / str(i), words)
        if content is not None:
            jar.write_bytes(content)
        with pytest.warns(tercet.TercetWarning, match="function words cannot be read .*tercet's own are used") as found:
            pycocoevalcap.Meteor()
        assert len(found) == 1 and found[0].filename == __file__


def test_meteor_of_captions_with_paths_that_no_option_can_have(captioning_package, monkeypatch, tmp_path):
    captioning_package(tmp_path / "a,b")
    with pytest.raises(
        tercet.RequestError, match="a,b.*: a path with a comma, a bar or .* cannot be used .*: move the file"
    ):
        pycocoevalcap.Meteor()
    captioning_package(tmp_path / "package")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "c,d"))
    assert "data=" in pycocoevalcap.Meteor().metric.spec
    assert not (tmp_path / "c,d").exists()
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert "data=" in pycocoevalcap.Meteor().metric.spec


def test_meteor_of_captions_gives_the_scores_of_the_installed_package():
    if pycocoevalcap.resources() is None or pycocoevalcap.paraphrase_table() is None:
        pytest.skip("pycocoevalcap is not installed")
    # What pycocoevalcap 1.2 gives.
    assert pycocoevalcap.Meteor().compute_score({0: ['him."']}, {0: ['could him."']})[0] == pytest.approx(
        0.50326, abs=5e-6
    )


def test_word_and_character_error_rates():
    theirs = pytest.importorskip("jiwer")
    cases = [
        ("the cat sat", "the cat sat"),
        ("the cat sat", "a cat"),
        ("", "a b"),
        ("größer", "großer mann"),
        ("a", ""),
    ]
    for reference, hypothesis in cases:
        assert jiwer.wer(reference, hypothesis) == theirs.wer(reference, hypothesis)
        assert jiwer.cer(reference, hypothesis) == theirs.cer(reference, hypothesis)
        for name in ("mer", "wil", "wip"):
            found, expected = (getattr(package, name)(reference, hypothesis) for package in (jiwer, theirs))
            assert found == expected, (name, reference, hypothesis)
    references, hypotheses = map(list, zip(*cases))
    assert jiwer.wer(references, hypotheses) == theirs.wer(references, hypotheses)
    for name in ("process_words", "process_characters"):
        found, expected = (getattr(package, name)(references, hypotheses) for package in (jiwer, theirs))
        for key, value in vars(found).items():
            plain = [[vars(chunk) for chunk in chunks] for chunks in value] if key == "alignments" else value
            other = getattr(expected, key)
            assert plain == (
                [[vars(chunk) for chunk in chunks] for chunks in other] if key == "alignments" else other
            ), key
        for options in ({}, {"line_width": 12}, {"skip_correct": False, "show_measures": False}):
            assert jiwer.visualize_alignment(found, **options) == theirs.visualize_alignment(expected, **options)
        for options in ({}, {"top_k": 1}, {"show_deletions": False}):
            assert jiwer.visualize_error_counts(found, **options) == theirs.visualize_error_counts(expected, **options)
    for name in ("wer_contiguous", "wer_standardize", "wer_standardize_contiguous"):
        pipelines = [[getattr(package, name)] * 2 for package in (jiwer, theirs)]
        found, expected = (
            package.wer(references, hypotheses, *pipeline) for package, pipeline in zip((jiwer, theirs), pipelines)
        )
        assert found == expected
    with pytest.raises(ValueError, match="2 references but 1"):
        jiwer.wer(["a", "b"], ["a"])


# What rouge-score 0.1.2 with NLTK 3.10.4 gives for these texts.
ROUGE = {
    False: {"rouge1": (5 / 6, 1.0), "rouge2": (3 / 5, 3 / 4), "rougeL": (1 / 2, 3 / 5), "rougeLsum": (5 / 6, 1.0)},
}


def test_rouge_is_that_of_rouge_score():
    target, prediction = "The cat sat.\nIt purred.", "It purred.\nThe cat sat down."
    for stems, expected in ROUGE.items():
        scores = rouge_scorer.RougeScorer(list(expected), use_stemmer=stems).score(target, prediction)
        for kind, (precision, recall) in expected.items():
            assert scores[kind][:2] == pytest.approx((precision, recall), abs=1e-15), kind
    stemmed = rouge_scorer.RougeScorer(["rouge1"], use_stemmer=True)
    assert stemmed.score("flying nationally", "flies national")["rouge1"].fmeasure == 1.0
    best = stemmed.score_multi(["nothing", "the cat", "cat the"], "the cat")["rouge1"]
    assert (best.precision, best.recall, best.fmeasure) == (1.0, 1.0, 1.0)

    class Letters:
        def tokenize(self, text):
            return list(text)

    assert rouge_scorer.RougeScorer(["rougeL"], tokenizer=Letters()).score("ab c", "abc")["rougeL"].recall == 3 / 4
    for wrong in ("rouge0", "rouge10", "rougen"):
        with pytest.raises(ValueError):
            rouge_scorer.RougeScorer([wrong]).score("a", "a")


def test_rouge_of_evaluate_has_its_keys():
    numpy = pytest.importorskip("numpy")
    singles = [lines[0] for lines in REFERENCES]
    numpy.random.seed(3)
    found = evaluate.load("rouge").compute(predictions=PREDICTIONS, references=singles)
    assert list(found) == ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    numpy.random.seed(3)
    assert evaluate.load("rouge").compute(predictions=PREDICTIONS, references=singles) == found
    each = evaluate.compute("rouge", predictions=PREDICTIONS, references=REFERENCES, use_aggregator=False)
    assert [len(scores) for scores in each.values()] == [2] * 4


def test_bert_score_has_precision_recall_and_f1(tmp_path):
    numpy = pytest.importorskip("numpy")
    encoder = str(REPOSITORY / "crates" / "tercet-transformer" / "tests" / "small" / "bert")
    texts = ["a cat sat", "the dog ran"], ["the cat sat on the mat", "a dog ran"]
    (precision, recall, f1), settings = bert_score.score(*texts, model_type=encoder, num_layers=1, return_hash=True)
    assert settings.startswith(f"{encoder}_L1_no-idf_version=0.3.13-tercet-")
    metric = tercet.Metric(f"bertscore:model={encoder},layer=1")
    expected = [metric.segment_score(*pair) for pair in zip(*texts)]
    assert f1 == pytest.approx(expected, abs=1e-6)
    assert f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-6)
    table = tmp_path / "baseline.tsv"
    table.write_text("LAYER,P,R,F\n0,0.5,0.5,0.5\n1,0.2,0.3,0.4\n2,0.1,0.1,0.1\n")
    scorer = bert_score.BERTScorer(encoder, 1, lang="en", rescale_with_baseline=True, baseline_path=str(table))
    assert scorer.hash.endswith("-custom-rescaled")
    assert scorer.score(*texts)[2] == pytest.approx((f1 - 0.4) / 0.6, abs=1e-6)
    several = bert_score.score([texts[0][0]], [texts[1]], model_type=encoder, num_layers=1)
    each = [bert_score.score([texts[0][0]], [one], model_type=encoder, num_layers=1) for one in texts[1]]
    assert [scores[0] for scores in several] == [max(one[i][0] for one in each) for i in range(3)]
    assert numpy.isfinite(several).all()
    with pytest.raises(tercet.RequestError, match="folder of an encoder"):
        bert_score.score(*texts, model_type="roberta-large")


def test_tokens_of_evaluates_bleu_may_be_anything():
    texts = {"predictions": ["a b c d e"], "references": [["a b c d f"]]}
    words = evaluate.compute("bleu", **texts, tokenizer=str.split)
    numbers = evaluate.compute("bleu", **texts, tokenizer=lambda line: [ord(word) for word in line.split()])
    assert words == numbers and words["translation_length"] == 5
    letters = evaluate.compute("bleu", **texts, tokenizer=list)
    # Nine letters and spaces, of which all but the last are the reference's.
    assert letters["precisions"] == [8 / 9, 7 / 8, 6 / 7, 5 / 6] and letters["translation_length"] == 9
    with pytest.raises(TypeError, match=r"predictions\[0\]: expected str, found NoneType"):
        evaluate.load("bleu").add(prediction=None, reference="a")
