"""Input that is wrong: a clear exception, never a crash."""

from __future__ import annotations

import numpy
import pandas
import polars
import pyarrow
import pytest
import tercet


def score(hypotheses, references, **options):
    return tercet.score(hypotheses, references, ["bleu", "chrf", "ter"], checks=False, **options)


def test_none_in_a_list():
    with pytest.raises(TypeError, match=r"hypotheses\[1\]: expected str, found None"):
        score(["a", None], ["a", "b"])
    with pytest.raises(TypeError, match=r"references\[1\]: expected str, found None"):
        score(["a", "b"], ["a", None])
    with pytest.raises(TypeError, match=r"references\[1\]\[0\]: expected str, found None"):
        score(["a", "b"], [["a"], [None]])


def test_missing_values_of_numpy_and_pandas():
    missing = r"(float|NAType|NaTType) \(a missing value: fill it, or leave the segment out\)"
    for column in (
        numpy.array(["a", float("nan")], dtype=object),
        pandas.Series(["a", pandas.NA], dtype="string"),
        pandas.Series(["a", pandas.NaT], dtype=object),
        ["a", float("nan")],
    ):
        with pytest.raises(TypeError, match=rf"hypotheses\[1\]: expected str, found {missing}"):
            score(column, ["a", "b"])
        with pytest.raises(TypeError, match=rf"references\[1\]: expected str, found {missing}"):
            score(["a", "b"], column)
    with pytest.raises(TypeError, match=rf"references\[0\]: expected a list of str, .* found {missing}"):
        score(["a", "b"], [float("nan"), ["b"]])
    gaps = tercet.ReferenceColumns(
        ["a", "b"], pandas.Series(["c", None]), pandas.Series(["d", pandas.NA], dtype="string")
    )
    assert score(["a", "b"], gaps) == score(["a", "b"], [["a", "c", "d"], ["b"]])


def test_references_of_two_shapes():
    with pytest.raises(TypeError, match=r"references\[0\]: expected a list of str, since other segments .*, found str"):
        score(["a", "b"], ["a", ["b"]])
    with pytest.raises(TypeError, match=r"references\[1\]: expected a list of str, since other segments .*, found str"):
        score(["a", "b"], [["a"], "b"])
    with pytest.raises(TypeError, match=r"references\[0\]\[0\]: expected str, found list"):
        score(["a"], [[["a"]]])
    found = score(["a", "b"], ((line for line in lines) for lines in (["a"], ["b", "c"])))
    assert found == score(["a", "b"], [["a"], ["b", "c"]])


def test_what_has_no_lines_or_no_order():
    for wrong, name in ((None, "NoneType"), (5, "int"), (numpy.array("a"), "ndarray"), (bytearray(b"a"), "bytearray")):
        with pytest.raises(TypeError, match=f"^hypotheses: expected a list of str, found {name}"):
            score(wrong, ["a"])
        with pytest.raises(TypeError, match=f"^references: expected a list of str, found {name}"):
            score(["a"], wrong)
    for wrong in ({"a", "b"}, frozenset(("a", "b"))):
        with pytest.raises(TypeError, match="set, which has no order"):
            score(wrong, ["a", "b"])
    columns = {"mt": ["a", "b"], "other": ["a", "b"]}
    for frame in (pandas.DataFrame(columns), polars.DataFrame(columns), pyarrow.table(columns)):
        with pytest.raises(TypeError, match=r"references: .*(DataFrame|Table) \(give one of its columns\)"):
            score(["a", "b"], frame)
    with pytest.raises(TypeError, match="candidates: expected a list"):
        tercet.rerank(None)
    read = (
        r"expected a list of str, found str \(give a list of lines; "
        r"a file must be read first: open\(.*\.readlines\(\)\)$"
    )
    with pytest.raises(TypeError, match="^hypotheses: " + read):
        score("hypotheses.txt", ["a"])
    with pytest.raises(TypeError, match="^references: " + read):
        score(["a"], "references.txt")
    with pytest.raises(TypeError, match=r"^hypotheses\['a'\]: " + read):
        score({"a": "a.txt", "b": "b.txt"}, ["a"])
    with pytest.raises(TypeError, match="references: expected a list"):
        tercet.Metric("bleu").segment_score("a", None)


def test_classes_derived_from_str_and_list():
    class Line(str):
        def encode(self, *_):
            raise RuntimeError("never called")

    class Lines(list):
        def __iter__(self):
            raise RuntimeError("never called")

        def __len__(self):
            return 10**9

    assert score(Lines([Line("a b")]), [Line("a b")]) == score(["a b"], ["a b"])


def test_objects_that_hold_themselves():
    class Endless:
        def __iter__(self):
            return iter(self)

    own_list: list = []
    own_list.append(own_list)
    own_dict: dict = {}
    own_dict["a"] = own_dict
    for hypotheses, references in ((own_list, ["a"]), (["a"], own_list), (own_dict, ["a"])):
        with pytest.raises(TypeError, match="expected"):
            score(hypotheses, references)
    with pytest.raises(RecursionError):
        score(Endless(), ["a"])
    with pytest.raises(RecursionError):
        tercet.train(own_dict, output="never written")


def test_very_many_systems():
    found = tercet.score({i: ["a"] for i in range(20_000)}, ["a"], "chrf", checks=False)
    assert len(found["chrf"]) == 20_000 and found["chrf"]["19999"].score == 100


def test_marks_of_a_very_long_line():
    # Two words of three have a mark: counting characters from the start for each of them takes minutes.
    line = " ".join(f"ä{i}" if i % 3 else "common" for i in range(400_000))
    marked = tercet.mark_words([line], ["common " * 400_000], "ter", progress=False)["system"][0]
    start, end, _ = marked.hypothesis[-1]
    assert line[start:end].startswith("ä") and len(marked.hypothesis) > 100_000


def test_transposed_references_get_advice():
    count = "3 segments but there are references for 1"
    hint = "; are they transposed? expected a list of references for each segment"
    lines, columns = ["a", "b", "c"], [["a", "b", "c"]]
    advice = ", or tercet.ReferenceColumns(*references) for a list of segments for each reference"
    for work in (score, tercet.Metric("chrf").score):
        with pytest.raises(tercet.DataError) as error:
            work(lines, columns)
        assert str(error.value).endswith(count + hint + advice)
        work(lines, tercet.ReferenceColumns(*columns))
        with pytest.raises(tercet.DataError) as error:
            work(lines, tercet.ReferenceColumns(["a"], ["b"], ["c"]))
        assert str(error.value).endswith(count + hint + ": leave tercet.ReferenceColumns out")
    # Three references of one segment, or references of other texts.
    for hypotheses, references in ((["a"], ["a", "b", "c"]), (["a", "b"], []), (["a", "b"], ["a"])):
        with pytest.raises(tercet.DataError, match=rf"references for {len(references)}$"):
            score(hypotheses, references)


def test_missing_values_in_lists_get_advice():
    advice = r" \(a missing value: fill it, or leave the segment out\)"
    for hypotheses, references, where in (
        (["a", None], ["a", "b"], r"hypotheses\[1\]: expected str"),
        ({"x": ["a", None]}, ["a", "b"], r"hypotheses\[1\]: expected str"),
        (["a", "b"], ["a", None], r"references\[1\]: expected str"),
        (
            ["a", "b"],
            [["a"], None],
            r"references\[1\]: expected a list of str, since other segments have lists of references",
        ),
        (["a", "b"], [["a"], ["b", None]], r"references\[1\]\[1\]: expected str"),
    ):
        with pytest.raises(TypeError, match=f"^{where}, found None{advice}$"):
            score(hypotheses, references)
    for hypothesis in (None, {"x": None}):
        with pytest.raises(TypeError, match="found (None|NoneType)$"):
            score(hypothesis, ["a"])
    with pytest.raises(TypeError, match="^hypothesis: expected str, found None$"):
        tercet.Metric("chrf").segment_score(None, "a")


def test_advice_about_byte_order_marks_is_for_python():
    with pytest.warns(tercet.TercetWarning) as warned:
        tercet.score(["\ufeffThe cat sat there."], ["The cat sat there."], "chrf")
    expected = (
        "system: starts with a byte order mark, which is scored as a part of the first word; "
        'remove it with removeprefix("\\ufeff"), or open its file with encoding="utf-8-sig"'
    )
    assert expected in [str(one.message) for one in warned]


def test_references_that_do_not_fit():
    with pytest.raises(tercet.DataError, match="2 segments but there are references for 1"):
        score(["a", "b"], ["a"])
    with pytest.raises(tercet.DataError, match="segment 2 has no reference"):
        score(["a", "b"], [["a"], []])
    with pytest.raises(tercet.DataError, match=r"references\[1\] has 1 lines"):
        score(["a", "b"], tercet.ReferenceColumns(["a", "b"], ["a"]))
    with pytest.raises(tercet.DataError, match="no segment"):
        score([], [])
    assert "refs=var" in score(["a", "b"], [["a"], ["b", "c"]])["bleu"].signature


def test_lone_surrogates():
    for hypothesis, reference in (("a\ud800b", "a"), ("a", "\udfff")):
        with pytest.raises(tercet.DataError, match="lone surrogate"):
            score([hypothesis], [reference])
        with pytest.raises(tercet.DataError, match="lone surrogate"):
            tercet.Metric("bleu").segment_score(hypothesis, reference)
    with pytest.raises(tercet.DataError, match="lone surrogate"):
        tercet.tokenize("\udc80")


def test_bytes():
    with pytest.raises(TypeError, match=r"hypotheses\[0\]: expected str, found bytes \(decode it first\)"):
        score([b"a"], ["a"])
    with pytest.raises(TypeError, match="decode it first"):
        score(numpy.array([b"a"]), ["a"])
    with pytest.raises(TypeError, match="expected a list of str, found bytes"):
        score(b"a", ["a"])


def test_a_string_is_not_a_list():
    with pytest.raises(TypeError, match="expected a list of str, found str"):
        score("a", ["a"])
    with pytest.raises(TypeError, match="expected a list of str, found str"):
        score(["a"], "a")
    with pytest.raises(TypeError):
        score(5, ["a"])


def test_a_generator_that_raises():
    def lines():
        yield "a"
        raise RuntimeError("the disk is gone")

    with pytest.raises(RuntimeError, match="the disk is gone"):
        score(lines(), ["a", "b"])


def test_ten_million_characters():
    line = "abcde fghi " * 909_091
    found = score([line, "a"], [line, "a"])
    assert found["bleu"].score == pytest.approx(100) and found["ter"].score == 0.0
    assert tercet.Metric("chrf").segment_score(line, line) == pytest.approx(100)
    assert len(tercet.tokenize(line)) == 2 * 909_091


def test_names_of_systems_that_are_no_strings():
    assert score({1: ["a"]}, ["a"]).systems == ["1"]
    with pytest.raises(tercet.RequestError, match="two systems are called 1"):
        score({1: ["a"], "1": ["b"]}, ["a"])


def test_requests_that_cannot_be_done():
    with pytest.raises(tercet.RequestError, match="at least two systems"):
        score(["a"], ["a"], paired="bs")
    with pytest.raises(tercet.RequestError, match="none of the systems"):
        score({"a": ["a"], "b": ["b"]}, ["a"], paired="bs", baseline="c")
    with pytest.raises(tercet.RequestError, match=r"unknown paired test `t-test` \(known: bs, ar\)"):
        score(["a"], ["a"], paired="t-test")
    with pytest.raises(tercet.RequestError, match="no metrics"):
        tercet.score(["a"], ["a"], [])
    numbers = [("resamples", value) for value in (0, -1, 1.5, True, 2**65)] + [
        ("seed", value) for value in (-1, 2**64, "x")
    ]
    for name, wrong in numbers:
        with pytest.raises(tercet.RequestError, match=f"{name}: expected a whole number from"):
            score(["a"], ["a"], confidence=True, **{name: wrong})
    assert score(["a"], ["a"], confidence=True, resamples=numpy.int64(10), seed=numpy.uint8(1)) == score(
        ["a"], ["a"], confidence=True, resamples=10, seed=1
    )
    with pytest.raises(tercet.RequestError):
        tercet.score(["a"], ["a"], ["bleu"], language="klingon")
    for wrong in (None, 5, tercet.Metric):
        with pytest.raises(TypeError, match="a metric is a str as in 'bleu:tok=intl', or a tercet.Metric, found"):
            tercet.score(["a"], ["a"], [wrong])
    with pytest.raises(
        TypeError, match="metrics: expected the name of a metric, a tercet.Metric, or several, found int"
    ):
        tercet.score(["a"], ["a"], 5)
    with pytest.raises(tercet.RequestError, match="the name of a system has a lone surrogate"):
        score({"\ud800": ["a"]}, ["a"])
    with pytest.raises(tercet.RequestError, match="threads: expected 0"):
        tercet.set_threads(-1)


def test_arguments_that_would_change_nothing():
    two = {"a": ["a"], "b": ["b"]}
    for wrong, message in [
        ({"confidence": 0.99}, r"confidence: expected True or False \(intervals have 95%\), found 0.99"),
        ({"resamples": 10}, "resamples changes nothing without confidence or a paired test"),
        ({"baseline": "a"}, "baseline changes nothing without a paired test"),
        ({"correction": "holm"}, "correction changes nothing without a paired test"),
        ({"correction": "holm", "confidence": True}, "correction changes nothing"),
        ({"correction": "bonferroni", "paired": "bs"}, "unknown correction `bonferroni`"),
    ]:
        with pytest.raises(tercet.RequestError, match=message):
            score(two, ["a"], **wrong)
    for wrong, message in [
        ({"correction": "bonferroni"}, "unknown correction"),
        ({"paired": "t"}, "unknown paired test"),
    ]:
        with pytest.raises(tercet.RequestError, match=message):
            tercet.rank(two, ["a"], "chrf", checks=False, **wrong)


def test_numbers_that_cannot_be():
    found = score({"a": ["a"], "b": ["b"]}, ["a"])
    with pytest.raises(tercet.RequestError, match="decimals: expected at most 17, found 100000"):
        found.write(decimals=100_000)
    with pytest.raises(tercet.RequestError, match="decimals: expected a whole number"):
        found.write(decimals=-1)
    with pytest.raises(tercet.RequestError, match="top: expected a whole number"):
        tercet.compare({"a": ["a"], "b": ["b"]}, ["a"], "chrf", top=-1, checks=False)
    with pytest.raises(tercet.RequestError, match="epochs: expected a whole number"):
        tercet.train(kind="pairwise", output="never written", epochs=-1)
    with pytest.raises(tercet.RequestError, match="no rows of"):
        tercet.Tallies(bytes(8), 2**61).sum()


def test_errors_are_below_one_class():
    for error in (
        tercet.RequestError,
        tercet.UnsupportedError,
        tercet.IoError,
        tercet.DataError,
        tercet.ModelError,
        tercet.TrainingError,
        tercet.StoppedError,
        tercet.InternalError,
    ):
        assert issubclass(error, tercet.Error)
    assert issubclass(tercet.IoError, OSError) and issubclass(tercet.RequestError, ValueError)


@pytest.mark.parametrize("metric", ["bleu", "ter", "chrf", "meteor", "siamese"])
@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_tally_with_a_number_that_is_none_has_no_score(metric, number):
    scorer = tercet.Metric(metric)._metric
    width = len(scorer.tally_segment("a b", ["a c"]))
    for tally in ([number] * width, [1.0] * (width - 1) + [number]):
        with pytest.raises(tercet.DataError, match="expected a finite number"):
            scorer.score_tally(tally)
        with pytest.raises(tercet.DataError, match="expected a finite number"):
            scorer.score_segment_tally(tally)


def test_a_system_with_nan_is_not_tested():
    from tercet import _native

    scorer = tercet.Metric("ter")._metric
    good, width = scorer.tally(["a b", "c"], [["a"], ["c"]], False)
    bad = numpy.full(2 * width, numpy.nan).tobytes()
    for test in (
        lambda: _native.bootstrap(scorer, [good, bad], width, (10, 1, 0)),
        lambda: _native.randomisation(scorer, [good, bad], width, 10, 1),
        lambda: _native.corpus_scores(scorer, [good, bad], width),
    ):
        with pytest.raises(tercet.DataError, match="expected a finite number"):
            test()


def test_scores_whose_sum_is_infinite_are_refused():
    with pytest.raises(tercet.DataError, match="expected a finite number"):
        tercet.evaluate_scores({"a": [1.7e308, 1.7e308]})


def test_sums_of_no_systems_are_damaged():
    from tercet import _native

    numbers = [1, 5, 0, 1 << 62]
    text = b"tercet test 2\n" + b"".join(number.to_bytes(8, "little") for number in numbers) + b"\0" * 64
    with pytest.raises(tercet.Error):
        _native.merge_tests([text])
