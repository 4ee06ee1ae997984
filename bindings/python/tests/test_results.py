"""Results as dicts, frames, tables and HTML."""

from __future__ import annotations

import json
import pickle
import xml.etree.ElementTree as xml

import pytest
import tercet


@pytest.fixture(scope="module")
def found(reference, systems):
    return tercet.score(
        {"a<b>": systems["a"], "b": systems["b"]},
        reference,
        ["bleu", "ter"],
        confidence=True,
        paired="bs",
        segments=True,
        checks=False,
    )


def test_dicts(found):
    assert found.to_dict()["bleu"]["b"] == found["bleu"]["b"].score
    row = found.rows()[0]
    assert set(row) == {"system", "metric", "score", "low", "high", "signature"}


def test_pandas(found, reference):
    frame = found.to_pandas()
    assert list(frame.columns[:3]) == ["system", "metric", "score"] and len(frame) == 4
    segments = found.segment_rows().to_pandas()
    assert list(segments.columns) == ["system", "segment", "bleu", "ter"] and len(segments) == 2 * len(reference)
    assert segments["bleu"][0] == found["bleu"]["a<b>"].segments[0]


def test_polars(found):
    frame = found.to_polars()
    assert frame.shape == (4, 6) and frame["score"][0] == found["bleu"]["a<b>"].score
    assert found.segment_rows().to_polars().columns == ["system", "segment", "bleu", "ter"]


def test_formats(found):
    assert str(found).startswith("system") and repr(found) == str(found).rstrip("\n")
    assert found.write("markdown").startswith("| system")
    assert found.write("tsv", segments=True).count("\n") > 60
    assert "12.3" not in found.write(decimals=0)
    with pytest.raises(tercet.RequestError, match="unknown format `html`"):
        found.write("html")


def test_texts_and_files_of_formats(found, tmp_path):
    assert found.to_csv() == found.write("csv") and found.to_latex() == found.write("latex")
    assert found.to_markdown() == found.write("markdown")
    written = found.to_json(tmp_path / "scores.json")
    assert json.loads(written) == json.loads((tmp_path / "scores.json").read_text(encoding="utf-8"))
    rows = found.segment_rows()
    table = rows.to_csv(tmp_path / "segments.csv").splitlines()
    assert table[0] == "system,segment,bleu,ter" and len(table) == 1 + len(rows)
    assert (tmp_path / "segments.csv").read_bytes().decode() == rows.to_csv()
    scores = {name: found[name]["a<b>"].segments[0] for name in ("bleu", "ter")}
    assert json.loads(rows.to_json())[0] == {"system": "a<b>", "segment": 1, **scores}


def test_html_is_well_formed_and_has_a_plot(found):
    page = found._repr_html_()
    root = xml.fromstring(page.replace("<br>", "<br/>"))
    assert "a<b>" in {cell.text for cell in root.iter("th")}
    namespace = "{http://www.w3.org/2000/svg}"
    assert len(list(root.iter(f"{namespace}circle"))) == 4
    cells = [cell.text for cell in root.iter("td")]
    assert any(cell.endswith("▲") or cell.endswith("▼") for cell in cells)
    titles = [cell.text for cell in root.iter("th")]
    assert titles[titles.index("baseline") - 1 :] == ["system", "baseline", "metric", "Δ", "p"]
    assert [cell for cell in cells if cell.startswith(("+", "-"))] == [
        f"{one.delta:+.2f}{mark}" for one, mark in zip(found.comparisons, (" ▼", " ▼"))
    ]


def test_html_of_one_system_has_no_plot(reference, systems):
    alone = tercet.score(systems["a"], reference, ["bleu"], checks=False)
    assert "<svg" not in alone._repr_html_() and "<table>" in alone._repr_html_()


def test_html_of_comparisons(reference, systems):
    compared = tercet.compare(systems, reference, "chrf", checks=False)
    root = xml.fromstring(compared._repr_html_().replace("<br>", "<br/>"))
    head, row = ([cell.text for cell in row] for row in root.iter("tr"))
    assert (head[:2], row[0]) == (["better", "p(a better)"], "a")


def test_a_comparison_says_its_verdict_and_has_a_row_for_each_segment(reference, systems):
    compared = tercet.compare({"one": systems["b"], "two": systems["a"]}, reference, "chrf", checks=False)
    overall = compared.to_dict()["overall"]
    assert (compared.better, compared.significant) == ("two", True)
    assert (compared.p, compared.probability) == (overall["p"], overall["p_a"]) and compared.p < 0.05
    frame = compared.to_pandas()
    assert list(frame.columns) == ["segment", "p_a", "better"] and len(frame) == len(reference)
    assert list(frame["p_a"]) == compared.probabilities and set(frame["better"]) == {"two"}
    assert tercet.compare({"one": reference, "two": reference}, reference, "chrf", checks=False).better is None


def test_a_pickled_comparison_equals_the_original(reference, systems):
    compared = tercet.compare(systems, reference, "chrf", checks=False)
    assert pickle.loads(pickle.dumps(compared)) == compared
    assert compared != tercet.compare(systems, reference, "ter", checks=False)


def test_a_ranking_has_no_segments_to_write(reference, systems):
    ranking = tercet.rank(systems, reference, "chrf", checks=False)
    for more in ({"segments": True}, {"components": True}, {"documents": True}):
        with pytest.raises(tercet.RequestError, match="neither scores of segments or documents nor components"):
            ranking.write("json", **more)


def test_segment_scores_that_were_not_asked_for(reference, systems):
    alone = tercet.score(systems["a"], reference, "chrf", checks=False)
    for read in (alone.segment_rows, lambda: alone["chrf"].segments, lambda: alone.write("tsv", segments=True)):
        with pytest.raises(tercet.RequestError, match="give segments=True"):
            read()


def test_metrics_are_found_by_name_and_signature(reference, systems):
    given = tercet.Metric("bleu").signature
    found = tercet.score(systems["a"], reference, [given, "chrf", "chrf:word_order=2"], checks=False)
    assert found["bleu"].metric == given and found[found["bleu"].signature].score == found["bleu"].score
    assert found["chrf"].metric == "chrf"
    two = tercet.score(systems["a"], reference, ["chrf:beta=1", "chrf:word_order=2"], checks=False)
    with pytest.raises(KeyError, match="'chrf' is the name of several metrics"):
        two["chrf"]
    assert two.keys() == two.metrics and [scores.metric for _, scores in two.items()] == two.keys()


@pytest.fixture(scope="module")
def ranking(reference, systems):
    return tercet.rank({"bad": systems["b"], "good": systems["a"]}, reference, ["chrf", "ter"], checks=False)


def test_rows_of_a_ranking_are_in_its_order(ranking):
    rows = ranking.rows()
    assert [(row["metric"], row["rank"], row["group"], row["system"]) for row in rows] == [
        ("chrf", 1, 1, "good"),
        ("chrf", 2, 2, "bad"),
        ("ter", 1, 1, "good"),
        ("ter", 2, 2, "bad"),
    ]
    assert list(ranking.to_pandas().columns) == list(ranking.to_polars().columns) == list(rows[0])
    assert rows[0]["wins"] == ranking.order()[0].wins and rows[0]["low"] < rows[0]["score"] < rows[0]["high"]
    assert list(ranking.to_dict()["ter"]) == ["good", "bad"]
    assert ranking.to_dict()["ter"]["bad"]["group"] == 2


def test_html_of_a_ranking_is_in_its_order_without_marks(ranking):
    page = ranking._repr_html_()
    root = xml.fromstring(page.replace("<br>", "<br/>"))
    rows = [[cell.text for cell in row] for row in root.iter("tr")]
    assert rows[0] == ["rank", "system", "group", "chrF2", "wins"]
    assert [row[:3] for row in rows[1:3]] == [["1", "good", "1"], ["2", "bad", "2"]]
    drawn = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert drawn.index("good") < drawn.index("bad")
    assert "▲" not in page


def test_marks_name_their_baseline(found, reference, systems):
    assert "significantly better or worse than a&lt;b&gt; (p" in found._repr_html_()
    pairs = tercet.score(systems, reference, "chrf", paired="bs", baseline="all", checks=False)
    assert pairs._repr_html_().count("▼") == 2  # the test, and what the mark means


def test_results_are_looked_into_by_name(systems, reference):
    years = {2016: systems["a"], 2017: systems["b"]}
    found = tercet.score(years, reference, ["bleu:tok=char", "bleu"], paired="bs", baseline=2017, checks=False)
    assert "bleu" in found and "chrf" not in found and 3 not in found
    assert "2016" in found["bleu"] and "x" not in found["bleu"] and found["bleu"].keys() == ["2016", "2017"]
    assert found["bleu"][2016].score == found["bleu"]["2016"].score
    assert {one.baseline for one in found.comparisons} == {"2017"}
    with pytest.raises(KeyError, match="'BLEU' is the name of several metrics"):
        found["BLEU"]


def test_tallies_have_rows_of_one_length():
    with pytest.raises(tercet.DataError, match=r"rows\[1\] has 2 counts, but the first has 1"):
        tercet.Tallies.of_rows([[1.0], [2.0, 3.0]])
    tallies = tercet.Tallies.of_rows([[1.0, 2.0], [3.0, 4.0]])
    assert tallies[1] == [3.0, 4.0]
    with pytest.raises(TypeError, match="expected its number, found slice"):
        tallies[0:1]
    with pytest.raises(tercet.RequestError, match="different metrics"):
        tallies + tercet.Tallies.of_rows([[1.0]])


def test_html_shows_the_first_of_many_tests(systems, reference):
    many = {f"{name}{i}": lines for i in range(7) for name, lines in systems.items()}
    page = tercet.score(many, reference, "chrf", paired="bs", baseline="all", resamples=10, checks=False)._repr_html_()
    assert "the first 60 of 91 tests" in page and page.count("<td>chrF2</td>") == 60


def test_scores_of_documents_are_read_by_name_and_as_rows():
    systems = {"a": ["it rained", "a cat sat there", "the sun shone"], "b": ["it was raining", "a cat", "sun"]}
    references = ["it rained", "the cat sat there", "the sun shone at last"]
    names = ["weather", "animals", "weather"]
    found = tercet.score(systems, references, ["bleu", "chrf"], level="document", documents=names)
    assert found.documents == ["weather", "animals"]
    alone = tercet.score(["it rained", "the sun shone"], [references[0], references[2]], "chrf", checks=False)
    assert found["chrf"]["a"].documents["weather"] == alone["chrf"].score
    rows = found.document_rows()
    assert rows.columns()["segments"] == [2, 1, 2, 1]
    assert rows.columns()["chrf"][:2] == list(found["chrf"]["a"].documents.values())
    assert found.write("tsv", documents=True).splitlines()[0] == "system\tdocument\tmetric\tscore"
    assert pickle.loads(pickle.dumps(found)) == found
    of_rows = [{"mt": m, "ref": r, "doc": d} for m, r, d in zip(systems["a"], references, names)]
    same = tercet.score(of_rows, None, "chrf", level="document")
    assert same["chrf"]["system"].documents == found["chrf"]["a"].documents


def test_documents_that_are_not_scored_are_refused():
    whole = tercet.score(["a cat"], ["a cat"], "chrf", checks=False)
    assert whole.documents == [] and whole["chrf"]["system"].documents == {}
    with pytest.raises(tercet.RequestError, match="no scores of documents"):
        whole.document_rows()
    for wrong in ({"documents": ["x"]}, {"level": "both", "segments": True}):
        with pytest.raises(tercet.RequestError):
            tercet.score(["a cat"], ["a cat"], "chrf", **wrong)
