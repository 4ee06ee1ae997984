"""Columns of other libraries."""

from __future__ import annotations

import numpy
import pandas
import polars
import pyarrow
import pytest
import tercet
from conftest import REPOSITORY

HYPOTHESES = ["the cat sat on a mat", "größer als ein Haus", "", "日本語のテキスト"]
REFERENCES = ["the cat sat on the mat", "größer als das Haus", "empty", "日本語テキスト"]

COLUMNS = {
    "tuple": tuple,
    "generator": lambda lines: (line for line in lines),
    "numpy of objects": lambda lines: numpy.array(lines, dtype=object),
    "numpy of characters": numpy.array,
    "pandas": pandas.Series,
    "pandas of objects": lambda lines: pandas.Series(lines, dtype=object),
    "pandas with Arrow": lambda lines: pandas.Series(lines, dtype="string[pyarrow]"),
    "pandas of Arrow's type": lambda lines: pandas.Series(lines, dtype=pandas.ArrowDtype(pyarrow.string())),
    "polars": polars.Series,
    "Arrow": pyarrow.array,
    "Arrow with wide offsets": lambda lines: pyarrow.array(lines, pyarrow.large_string()),
    "Arrow of views": lambda lines: pyarrow.array(lines, pyarrow.string_view()),
    "a dictionary of Arrow": lambda lines: pyarrow.array(lines).dictionary_encode(),
    "dictionaries in chunks": lambda lines: pyarrow.chunked_array([lines[:1], lines[1:]]).dictionary_encode(),
    "pandas of categories": lambda lines: pandas.Series(lines).astype("category"),
    "Arrow in chunks": lambda lines: pyarrow.chunked_array([lines[:1], lines[1:]]),
    "no and several chunks": lambda lines: pyarrow.chunked_array([[], lines[:2], [], lines[2:]], pyarrow.string()),
    "a slice of Arrow": lambda lines: pyarrow.array(["x", *lines, "y"]).slice(1, len(lines)),
    "a slice of wide Arrow": lambda lines: pyarrow.array(["x", *lines, "y"], pyarrow.large_string()).slice(
        1, len(lines)
    ),
    "a slice of views": lambda lines: pyarrow.array(["x", *lines, "y"], pyarrow.string_view()).slice(1, len(lines)),
    "a slice of chunks": lambda lines: pyarrow.chunked_array([["x", *lines[:2]], [*lines[2:], "y"]]).slice(
        1, len(lines)
    ),
}


@pytest.mark.parametrize("column", COLUMNS)
def test_columns_score_as_lists(column):
    expected = tercet.Metric("chrf").tally(HYPOTHESES, REFERENCES)
    make = COLUMNS[column]
    assert tercet.Metric("chrf").tally(make(HYPOTHESES), make(REFERENCES)) == expected


def test_columns_of_lists_are_several_references():
    references = [[line, line + "!"] for line in REFERENCES]
    expected = tercet.Metric("bleu").tally(HYPOTHESES, references)
    for make in (pyarrow.array, pandas.Series, polars.Series, lambda lists: numpy.array(lists, dtype=object)):
        assert tercet.Metric("bleu").tally(HYPOTHESES, make(references)) == expected


def test_missing_values_are_refused_by_name_and_place():
    def dictionary(lines):
        return pyarrow.array(lines).dictionary_encode()

    def views(lines):
        return pyarrow.array(lines, pyarrow.string_view())

    def chunks(lines):
        return pyarrow.chunked_array([lines[:1], lines[1:]], pyarrow.large_string())

    def null_in_dictionary(lines):
        return pyarrow.DictionaryArray.from_arrays(range(len(lines)), lines)

    for make in (pyarrow.array, pandas.Series, polars.Series, dictionary, null_in_dictionary, views, chunks):
        with pytest.raises(TypeError, match=r"hypotheses\[1\]: expected str"):
            tercet.Metric("chrf").tally(make(["a", None]), ["a", "b"])


def test_only_the_own_part_of_a_slice_is_copied():
    from tercet import _native
    from tercet.texts import native_texts

    class Strings:
        def __init__(self, data, offsets, wide):
            self.size = len(data)

    whole = pyarrow.array(["x" * 1000] * 1000)
    native = _native.ArrowStrings
    try:
        _native.ArrowStrings = Strings  # type: ignore[misc, assignment]
        assert native_texts(whole.slice(500, 2), "lines").size == 2000
    finally:
        _native.ArrowStrings = native  # type: ignore[misc]


FRAMES = {
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "a table of Arrow": pyarrow.table,
    "a batch of Arrow": pyarrow.RecordBatch.from_pydict,
}


@pytest.mark.parametrize("frame", FRAMES)
def test_a_data_frame_has_a_column_for_each_system(frame):
    systems = {"b": HYPOTHESES, "a": REFERENCES}
    given = FRAMES[frame](systems)
    options = {"checks": False, "progress": False}
    assert tercet.score(given, REFERENCES, "chrf", **options) == tercet.score(systems, REFERENCES, "chrf", **options)
    assert tercet.score(given, REFERENCES, "chrf", **options).systems == ["b", "a"]
    assert tercet.rank(given, REFERENCES, "chrf", **options) == tercet.rank(systems, REFERENCES, "chrf", **options)
    found, expected = (tercet.compare(one, REFERENCES, "chrf", **options) for one in (given, systems))
    assert found.data == expected.data
    assert tercet.mark_words(given, REFERENCES, "ter", progress=False).keys() == ["b", "a"]


def test_data_frames_without_a_column_for_each_name():
    twice = pandas.DataFrame([["a", "b"]], columns=["mt", "mt"])
    table = pyarrow.Table.from_arrays([pyarrow.array(["a"]), pyarrow.array(["b"])], names=["mt", "mt"])
    for frame in (twice, table):
        with pytest.raises(tercet.RequestError, match="hypotheses: the data frame has 2 columns 'mt': rename them"):
            tercet.score(frame, ["a"], "chrf")
    with pytest.raises(TypeError, match=r"hypotheses: a LazyFrame has no texts yet: .* collect\(\)"):
        tercet.score(polars.LazyFrame({"a": ["a"]}), ["a"], "chrf")
    with pytest.raises(TypeError, match=r"hypotheses.*id.*\[0\]: expected str, found int"):
        tercet.score(pandas.DataFrame({"id": [1], "mt": ["a"]}), ["a"], "chrf")


SPACED = ["the cat sat on a mat  ", "größer\u2003als ein Haus\n", " \t", "日本語のテキスト\u3000\r\n"]
SPACES_OF_REFERENCES = [line + end for line, end in zip(REFERENCES, ("\n", " \x1f\n", "\x85", ""))]


def test_trailing_white_space_counts_for_nothing_as_in_the_command(command, tmp_path):
    for name, lines in (("hyp", SPACED), ("ref", SPACES_OF_REFERENCES)):
        text = "".join(line.rstrip("\r\n") + "\n" for line in lines)
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    metric = "chrf:whitespace=yes"
    printed = command("score", "-m", metric, "-f", "json", "-r", tmp_path / "ref", tmp_path / "hyp")
    expected = tercet.score(
        [line.rstrip() for line in SPACED], [line.rstrip() for line in SPACES_OF_REFERENCES], metric, checks=False
    )
    assert str(expected[metric].score) in printed
    for make in (list, pyarrow.array, pandas.Series):
        assert tercet.score(make(SPACED), make(SPACES_OF_REFERENCES), metric, checks=False) == expected
    several = [[line, line + " "] for line in SPACES_OF_REFERENCES]
    columns = tercet.ReferenceColumns(SPACES_OF_REFERENCES, [line + "\n" for line in SPACES_OF_REFERENCES])
    for references in (several, columns):
        found = tercet.score(SPACED, references, metric, checks=False)
        assert found[metric].score == expected[metric].score


def test_trailing_white_space_counts_for_nothing_where_systems_are_compared():
    ends = {"a": [line + " \n" for line in HYPOTHESES], "b": [line + "\t" for line in REFERENCES]}
    plain = {"a": HYPOTHESES, "b": REFERENCES}
    metric, options = "chrf:whitespace=yes", {"checks": False, "progress": False}
    references = [line + "\n" for line in REFERENCES]
    assert tercet.rank(ends, references, metric, **options) == tercet.rank(plain, REFERENCES, metric, **options)
    found, expected = (
        tercet.compare(ends, references, metric, **options),
        tercet.compare(plain, REFERENCES, metric, **options),
    )
    assert found.data == expected.data and str(found) == str(expected)
    marked, known = tercet.mark_words(ends, references, "ter"), tercet.mark_words(plain, REFERENCES, "ter")
    assert marked.systems == known.systems


def test_metrics_take_texts_as_they_are():
    metric = tercet.Metric("chrf:whitespace=yes")
    assert metric.score(["a cat "], ["a cat"]) < metric.score(["a cat"], ["a cat"])
    assert metric.segment_score("a cat ", "a cat") < 100


def test_lines_of_a_file_may_keep_their_ends(recwarn):
    tercet.score([f"a cat sat on mat {i}\n" for i in range(9)], [f"the cat sat on mat {i}\n" for i in range(9)], "chrf")
    assert not [one for one in recwarn if "line separator" in str(one.message)]


def test_empty_columns():
    with pytest.raises(tercet.DataError, match="no segment"):
        tercet.Metric("chrf").tally(pyarrow.array([], pyarrow.string()), pyarrow.array([], pyarrow.string()))


def test_the_model_that_is_named_now_tokenizes(monkeypatch):
    models = REPOSITORY / "crates" / "tercet-text" / "tests" / "sentencepiece_models"
    tokens = {}
    for name in ("unigram", "bpe", "unigram", "bpe"):
        monkeypatch.setenv("TERCET_SPM", str(models / f"{name}.model"))
        found = tercet.tokenize("the old bridge across the river", "spm")
        assert tokens.setdefault(name, found) == found
    assert tokens["unigram"] != tokens["bpe"]


def test_a_tokenizer_takes_the_path_of_its_model(monkeypatch):
    monkeypatch.setenv("TERCET_SPM", "")
    model = REPOSITORY / "crates" / "tercet-text" / "tests" / "sentencepiece_models" / "bpe.model"
    assert len(tercet.tokenize("the old bridge", "spm", tok_model=model)) > 3
    with pytest.raises(tercet.RequestError, match="tok_model=FILE"):
        tercet.tokenize("the old bridge", "spm")
