"""Scores that another tool computed: tests between systems, and agreement with people."""

from __future__ import annotations

import json

import pytest
import tercet


@pytest.fixture
def given(systems, reference):
    """chrF of each segment, as another tool would give it."""
    scored = tercet.score(systems, reference, "chrf", segments=True, checks=False)["chrf"]
    return {name: scored[name].segments for name in systems}


def test_given_scores_are_tested_as_the_command_does(command, given, tmp_path):
    files = [tmp_path / name for name in given]
    for file in files:
        file.write_text("".join(f"{score!r}\n" for score in given[file.name]), encoding="utf-8")
    flags = ["--confidence", "--paired", "bs", "-n", "200", "-q", "-f", "json"]
    printed = command("score", "--scores", *files, *flags).replace(f"{tmp_path}/", "")
    with pytest.warns(tercet.TercetWarning, match="only 16 segments"):
        result = tercet.evaluate_scores(given, confidence=True, paired="bs", resamples=200)
    assert json.loads(result.write("json")) == json.loads(printed)
    by_name = tercet.evaluate_scores(files, segments=True)
    assert sorted(by_name["score"][str(files[0])].segments) == sorted(given["a"])


def test_given_scores_have_metrics_and_directions(given, tmp_path):
    page = tmp_path / "page.html"
    result = tercet.evaluate_scores({"ter": given, "mine": given}, lower_is_better=True, page=page)
    assert result.metrics == ["ter", "mine"] and not result["mine"].higher_is_better
    assert not tercet.evaluate_scores({"ter": given})["ter"].higher_is_better
    assert '"mine"' in page.read_text(encoding="utf-8")
    both = tercet.evaluate_scores({"comet": given, "metricx": given}, lower_is_better="metricx")
    assert both["comet"].higher_is_better and not both["metricx"].higher_is_better
    with pytest.raises(tercet.RequestError, match="lower_is_better: there are no scores by 'metrix'"):
        tercet.evaluate_scores({"metricx": given}, lower_is_better=["metrix"])


def test_frames_have_a_column_for_each_system(given):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    expected = tercet.evaluate_scores(given)
    assert tercet.evaluate_scores(pandas.DataFrame(given)) == expected
    assert tercet.evaluate_scores(polars.DataFrame(given)) == expected


@pytest.mark.parametrize(
    ("scores", "error", "message"),
    [
        ({}, tercet.RequestError, "expected at least one system"),
        ([], tercet.RequestError, "expected at least one system"),
        ({"a": []}, tercet.DataError, r"scores\['a'\] has no scores"),
        ({"a": [10**400]}, TypeError, r"scores\['a'\]\[0\]: expected a number, found 1000"),
        ({"a": [1.0, None]}, TypeError, r"scores\['a'\]\[1\]: expected a number, found None"),
        ({"a": [1.0, float("nan")]}, tercet.DataError, r"scores\['a'\]\[1\]: expected a number, found nan"),
        ({"a": [1.0], "b": [1.0, 2.0]}, tercet.DataError, "every system needs one score per segment"),
        ({"a": "text"}, TypeError, "expected a list of numbers, found str"),
        (3, TypeError, "scores: expected the path"),
    ],
)
def test_values_that_are_not_scores_are_refused(scores, error, message):
    with pytest.raises(error, match=message):
        tercet.evaluate_scores(scores)


def test_scores_of_read_judgements_go_back_into_correlate(examples):
    (judgements,) = tercet.read_judgements(examples / "evalset")
    frame = judgements.texts.to_pandas()
    frame["score"] = tercet.score(frame["hypothesis"], frame["refA"], "chrf", segments=True, checks=False)[
        "chrf"
    ].segments
    expected = tercet.correlate(examples / "evalset", "chrf", level="segment", progress=False).rows()
    shuffled = frame.sample(frac=1, random_state=1)
    for table in (shuffled, shuffled.to_dict("list"), frame.assign(set="evalset", pair="de-en")):
        found = tercet.correlate(examples / "evalset", scores={"mine": table}, level="segment", progress=False).rows()
        assert [row["value"] for row in found] == [row["value"] for row in expected]
        assert {row["metric"] for row in found} == {"mine"}
    with pytest.raises(tercet.RequestError, match=r"scores\['mine'\] has no column 'score'"):
        tercet.correlate(examples / "evalset", scores={"mine": frame.drop(columns="score")})
    with pytest.raises(tercet.DataError, match="which evalset de-en does not have"):
        tercet.correlate(examples / "evalset", scores={"mine": frame.assign(segment="x")})
    with pytest.raises(TypeError, match="expected a data frame or a dict of columns, found list"):
        tercet.correlate(examples / "evalset", scores={"mine": [1.0]})
    with pytest.raises(tercet.DataError, match=r"\['score'\]\[0\]: expected a number, found inf"):
        tercet.correlate(examples / "evalset", scores={"mine": frame.assign(score=float("inf"))})
    with pytest.raises(tercet.RequestError, match="expected at least one metric"):
        tercet.correlate(examples / "evalset", scores={})
    with pytest.raises(
        tercet.RequestError, match=r'lower_is_better: there are no scores by "mien" \(there are: mine\)'
    ):
        tercet.correlate(examples / "evalset", "ter", scores={"mine": frame}, lower_is_better=["mien"])
    with pytest.raises(tercet.RequestError, match='mine was skipped: .* \\(its first is of "x"\\)'):
        tercet.correlate(examples / "evalset", scores={"mine": frame.assign(system="x")})
    with pytest.raises(TypeError, match="tables by the names of metrics"):
        tercet.correlate(examples / "evalset", scores=frame)
    with pytest.warns(tercet.TercetWarning, match="mine was skipped: its table has no score of these"):
        tercet.correlate(examples / "evalset", "chrf", scores={"mine": frame.assign(pair="de-fr")}, progress=False)


def test_missing_scores_are_left_out(examples):
    (judgements,) = tercet.read_judgements(examples / "evalset")
    table = dict(
        judgements.texts.columns(), score=[float(len(line)) for line in judgements.texts.columns()["hypothesis"]]
    )
    for missing in (None, float("nan")):
        table["score"][0] = missing
        with pytest.warns(tercet.TercetWarning, match="1 of .* judged outputs are left out"):
            tercet.correlate(examples / "evalset", scores={"mine": table}, level="segment", progress=False)


def test_a_score_of_two_sets_needs_the_name_of_one(tmp_path):
    """Two language pairs with systems and segments of the same names."""
    for pair in ("cs-en", "de-en"):
        rows = "".join(f"{system} {i} {i * 10 + j} {i + j} 1\n" for i in range(1, 5) for j, system in enumerate("ab"))
        (tmp_path / f"ad-seg-scores-{pair}.csv").write_text(f"SYS SID RAW.SCR Z.SCR N\n{rows}", encoding="utf-8")
    names = [(system, str(i)) for system in "ab" for i in range(1, 5)]
    table = {"system": [a for a, _ in names], "segment": [b for _, b in names], "score": range(8)}
    files = sorted(tmp_path.iterdir())
    with pytest.raises(tercet.RequestError, match="more than one set or language pair: add a column pair"):
        tercet.correlate(files, scores={"mine": table}, level="segment", progress=False)
    found = tercet.correlate(
        files, scores={"mine": {**table, "pair": ["de-en"] * 8}}, level="segment", statistics="pearson", progress=False
    )
    assert {row["pair"] for row in found.rows()} == {"de-en"}


def test_a_page_never_replaces_what_is_read(given, tmp_path):
    file = tmp_path / "a.scores"
    file.write_text("".join(f"{score!r}\n" for score in given["a"]), encoding="utf-8")
    text = file.read_text(encoding="utf-8")
    with pytest.raises(tercet.RequestError, match="page would overwrite"):
        tercet.evaluate_scores([file], page=file)
    assert file.read_text(encoding="utf-8") == text
