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
    "a slice of wide Arrow": lambda lines: pyarrow.array(["x", *lines, "y"], pyarrow.large_string()).slice(1, len(lines)),
    "a slice of views": lambda lines: pyarrow.array(["x", *lines, "y"], pyarrow.string_view()).slice(1, len(lines)),
    "a slice of chunks": lambda lines: pyarrow.chunked_array([["x", *lines[:2]], [*lines[2:], "y"]]).slice(1, len(lines)),
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


def test_empty_columns():
    with pytest.raises(tercet.DataError, match="no segment"):
        tercet.Metric("chrf").tally(pyarrow.array([], pyarrow.string()), pyarrow.array([], pyarrow.string()))


def test_the_model_that_is_named_now_tokenizes(monkeypatch):
    models = REPOSITORY / "crates" / "tercet" / "tests" / "sentencepiece_models"
    tokens = {}
    for name in ("unigram", "bpe", "unigram", "bpe"):
        monkeypatch.setenv("TERCET_SPM", str(models / f"{name}.model"))
        found = tercet.tokenize("the old bridge across the river", "spm")
        assert tokens.setdefault(name, found) == found
    assert tokens["unigram"] != tokens["bpe"]


def test_a_tokenizer_takes_the_path_of_its_model(monkeypatch):
    monkeypatch.setenv("TERCET_SPM", "")
    model = REPOSITORY / "crates" / "tercet" / "tests" / "sentencepiece_models" / "bpe.model"
    assert len(tercet.tokenize("the old bridge", "spm", tok_model=model)) > 3
    with pytest.raises(tercet.RequestError, match="tok_model=FILE"):
        tercet.tokenize("the old bridge", "spm")
