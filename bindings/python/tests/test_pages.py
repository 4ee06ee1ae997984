"""HTML pages: the command's, with the same data."""

from __future__ import annotations

import json

import pytest
import tercet


def data_of(path):
    """The data of a page, without what only the command knows: the files."""
    text = path.read_text(encoding="utf-8")
    _, block = text.split('<script type="application/json" id="data">')
    data = json.loads(block.split("</script>")[0])
    del data["origins"]
    return data


@pytest.fixture
def page_of_command(command, examples, tmp_path):
    """The data of the page that a subcommand writes about the two systems of the examples."""

    def run(subcommand, *flags):
        files = [examples / "system-a.en.txt", examples / "system-b.en.txt"]
        page = tmp_path / "command.html"
        texts = ["-r", examples / "reference.en.txt", "--name", "a", "--name", "b"]
        command(subcommand, "-q", *texts, *files, *flags, "-f", "html", "-o", page)
        return data_of(page)

    return run


def test_the_page_of_scores_is_the_commands(page_of_command, systems, reference, tmp_path):
    page = tmp_path / "page.html"
    domains = [f"domain {i % 2}" for i in range(len(reference))]
    (tmp_path / "domains").write_text("".join(f"{domain}\n" for domain in domains), encoding="utf-8")
    result = tercet.score(systems, reference, ["bleu", "ter"], page=page, by={"domain": domains}, checks=False)
    expected = page_of_command(
        "score", "-m", "bleu", "-m", "ter", "--no-checks", "--by", f"domain={tmp_path / 'domains'}"
    )
    assert data_of(page) == expected
    assert expected["groupings"][0]["name"] == "domain" and expected["texts"]["outputs"][0] == systems["a"]
    assert result["bleu"]["a"].interval is not None and len(result.comparisons) == 2


def test_pages_of_rankings_and_comparisons_are_the_commands(page_of_command, systems, reference, tmp_path):
    page = tmp_path / "page.html"
    with pytest.warns(tercet.TercetWarning):
        tercet.rank(systems, reference, "chrf", page=page)
    assert data_of(page) == page_of_command("rank", "-m", "chrf")
    with pytest.warns(tercet.TercetWarning):
        tercet.compare(systems, reference, "chrf", page=str(page))
    expected = page_of_command("compare", "-m", "chrf")
    assert data_of(page) == expected
    assert expected["comparison"] and [metric["title"] for metric in expected["metrics"]] == ["chrF2", "BLEU", "TER"]
    assert expected["remarks"] == ["only 16 segments: too few for reliable intervals"]


def test_the_page_of_agreement_is_the_commands(command, examples, tmp_path):
    own, theirs = tmp_path / "own.html", tmp_path / "theirs.html"
    tercet.correlate(examples / "evalset", "chrf", page=own, progress=False)
    command("correlate", "-q", examples / "evalset", "-m", "chrf", "-f", "html", "-o", theirs)
    assert data_of(own) == data_of(theirs)
    assert data_of(own)["agreement"]


def test_a_page_that_cannot_be_written_is_refused_before_anything_is_scored(systems, reference, tmp_path):
    def score(**given):
        return tercet.score(
            systems, reference, "chrf", progress=lambda *_: pytest.fail("it was scored"), checks=False, **given
        )

    with pytest.raises(tercet.IoError, match="there is no folder"):
        score(page=tmp_path / "no folder" / "page.html")
    with pytest.raises(tercet.IoError, match="it is a folder"):
        score(page=tmp_path)
    with pytest.raises(tercet.DataError, match=r'by\["domain"\] has 1 values for 16 segments'):
        score(page=tmp_path / "page.html", by={"domain": ["news"]})
    with pytest.raises(tercet.RequestError, match="by changes nothing without page"):
        score(by={"domain": ["news"]})
    with pytest.raises(TypeError, match="page: expected the path"):
        score(page=True)
    assert list(tmp_path.iterdir()) == []


def test_a_page_may_go_to_a_device(systems, reference):
    tercet.score(systems, reference, "chrf", page="/dev/null", checks=False)
