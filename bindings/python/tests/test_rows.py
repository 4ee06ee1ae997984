"""Rows with named fields in place of systems and references."""

from __future__ import annotations

import json
import pathlib

import pytest
import tercet

REFERENCES = ["The cat sat on the mat.", 'It said "no".', "First line.\nSecond line."]
A = ["The cat sat on a mat.", "It said no.", "First line.\nA second line."]
B = ["Cat on mat.", "No, it said.", "A line.\nTwo lines."]


def rows(**fields: list[str]) -> list[dict[str, str]]:
    return [dict(zip(fields, row)) for row in zip(*fields.values())]


def test_rows_are_scored_as_lists(tmp_path: pathlib.Path) -> None:
    expected = tercet.score(A, REFERENCES, ["bleu", "chrf"])
    given = rows(mt=A, ref=REFERENCES)
    path = tmp_path / "out.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in given), encoding="utf-8")
    for hypotheses, name in [(given, "system"), (path, str(path)), (str(path), str(path))]:
        scored = tercet.score(hypotheses, metrics=["bleu", "chrf"])
        assert [scored[metric][name].score for metric in ("bleu", "chrf")] == [
            expected[metric]["system"].score for metric in ("bleu", "chrf")
        ]


def test_fields_are_named_and_systems_are_several() -> None:
    given = rows(one=A, two=B, gold=REFERENCES)
    fields = {"hypothesis": ["one", "two"], "reference": "gold"}
    systems = {"one": A, "two": B}
    assert tercet.rank(given, metrics="chrf", fields=fields).rows() == tercet.rank(systems, REFERENCES, "chrf").rows()
    compared = tercet.compare(given, metric="chrf", fields=fields)
    assert str(compared) == str(tercet.compare(systems, REFERENCES, "chrf"))


def test_mistakes_are_named() -> None:
    with pytest.raises(tercet.RequestError, match="rows: which field has the references"):
        tercet.score([{"mt": "a"}])
    with pytest.raises(tercet.RequestError, match="there is no field `m`"):
        tercet.score(rows(mt=A, ref=REFERENCES), fields={"hypothesis": "m"})
    with pytest.raises(tercet.RequestError, match="unknown field `hyp`"):
        tercet.score(rows(mt=A, ref=REFERENCES), fields={"hyp": "mt"})
    with pytest.raises(tercet.RequestError, match="fields name those of rows"):
        tercet.score(A, REFERENCES, fields={})
    with pytest.raises(tercet.RequestError, match="cannot be written as JSON"):
        tercet.score([{"mt": "a", "ref": float("nan")}])
    with pytest.raises(TypeError, match="references: .* may be left out for rows"):
        tercet.score(A)


def test_rows_are_checked_with_references_and_without(tmp_path: pathlib.Path) -> None:
    given = rows(mt=["**The cat sat.**", ""], ref=["The cat sat.", "It rained."], src=["Die Katze saß.", "Es regnete."])
    kinds = [found["kind"] for found in tercet.check(given).findings]
    assert kinds == ["markdown", "empty-output"]
    path = tmp_path / "out.csv"
    path.write_text('answer,de\n"Translation: 47 cats",47 Katzen\n', encoding="utf-8")
    found = tercet.check(path, fields={"hypothesis": "answer", "source": "de"}).findings
    assert [(line["text"], line["kind"]) for line in found] == [(str(path), "label")]
    with pytest.raises(tercet.RequestError, match="fields name those of rows"):
        tercet.check(["a"], fields={})
    with pytest.raises(tercet.RequestError, match="rows have their sources in a field"):
        tercet.check(given, sources=["a"])
