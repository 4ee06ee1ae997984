"""Judgements, agreement, rankings by people, training, parsing, alignments."""

from __future__ import annotations

import json

import numpy
import pytest
import tercet
from tercet.training import to_toml


def test_judgements_are_frames(examples):
    (judgements,) = tercet.read_judgements(examples / "evalset")
    assert (judgements.set, judgements.pair) == ("evalset", "de-en")
    scores = judgements.scores.to_pandas()
    assert set(scores.columns) == {"name", "level", "system", "segment", "score"} and "mqm" in set(scores["name"])
    assert judgements.texts is not None and "hypothesis" in judgements.texts.columns()
    with pytest.raises(tercet.RequestError, match="no judgements for fr-en"):
        tercet.read_judgements(examples / "evalset", pairs="fr-en")
    with pytest.raises(tercet.Error):
        tercet.read_judgements("/nowhere")


def test_agreement_is_the_commands(command, examples):
    flags = ["-m", "bleu", "-m", "chrf", "--level", "system", "--statistic", "accuracy"]
    printed = command("correlate", "-q", examples / "evalset", *flags, "-f", "json")
    found = tercet.correlate(
        examples / "evalset", ["bleu", "chrf"], level="system", statistics="accuracy", progress=False
    )
    assert found.to_dict() == json.loads(printed)
    assert "accuracy" in str(found) and "<svg" in found._repr_html_()
    assert len(found.to_pandas()) == 2
    with pytest.raises(tercet.RequestError, match="unknown level `document`"):
        tercet.correlate(examples / "evalset", "bleu", level="document")


def test_systems_are_ranked_by_people(command, examples):
    printed = command("systems", "-q", examples / "evalset", "-f", "json")
    found = tercet.systems(examples / "evalset", progress=False)
    assert found.to_dict() == json.loads(printed)
    with pytest.raises(tercet.RequestError):
        tercet.systems(examples / "evalset", "no such method")


@pytest.fixture
def rankings(tmp_path):
    """A small set of rankings, in which `x` is always better."""
    folder = tmp_path / "wmt13-rr"
    (folder / "references").mkdir(parents=True)
    (folder / "system-outputs" / "cs-en").mkdir(parents=True)

    def write(path, text):
        path.write_text("".join(f"{text} {i}\n" for i in range(20)), encoding="utf-8")

    write(folder / "references" / "newstest2013-ref.en", "a line about birds")
    write(folder / "system-outputs" / "cs-en" / "x", "a line about bird")
    write(folder / "system-outputs" / "cs-en" / "y", "of birds")
    pairs = "".join(f"{i}\tx\ty\n" for i in range(1, 21))
    (folder / "pairs.cs-en.tsv").write_text(f"seg_id\tbetter\tworse\n{pairs}", encoding="utf-8")
    return folder


def test_training_from_a_file_a_dict_and_keywords(rankings, tmp_path):
    model = tmp_path / "model.safetensors"
    recipe = {"kind": "pairwise", "data": {"train": [rankings]}, "inputs": {"metrics": ["chrf", "ter"]}}
    from_dict = tercet.train(recipe, output=model, epochs=40, progress=False)
    assert from_dict.model == str(model) and model.exists() and "recipe" in from_dict.notes
    with pytest.raises(tercet.RequestError, match="already a file"):
        tercet.train(recipe, output=model, epochs=5)
    again = tercet.train(**recipe, output=model, epochs=40, force=True, progress=False)
    file = tmp_path / "recipe.toml"
    file.write_text(
        f'kind = "pairwise"\n[data]\ntrain = ["{rankings}"]\n[inputs]\nmetrics = ["chrf", "ter"]\n', encoding="utf-8"
    )
    from_file = tercet.train(file, output=tmp_path / "other.safetensors", epochs=40, progress=False)
    score = tercet.Metric(f"pairwise:model={model}").segment_score
    assert score("a line about birds", "a line about birds") > score("of birds", "a line about birds")
    other = tercet.Metric(f"pairwise:model={from_file.model}").segment_score
    assert other("of birds", "a line") == score("of birds", "a line")
    assert again.notes.keys() == from_file.notes.keys()


def test_recipes_may_have_numbers_of_numpy():
    recipe = {"epochs": numpy.int64(5), "rates": [numpy.float64(0.1), numpy.float32(0.5), 1e-07]}
    assert to_toml(recipe) == '"epochs" = 5\n"rates" = [0.1, 0.5, 1e-07]\n'


def test_recipes_that_cannot_be_used(tmp_path):
    with pytest.raises(tercet.RequestError, match="name the model file"):
        tercet.train(kind="pairwise")
    with pytest.raises(tercet.RequestError, match=r"^the recipe:\d+: .*epoch"):
        tercet.train(kind="pairwise", data={"train": ["x"]}, training={"epoch": 5}, output=tmp_path / "m")
    with pytest.raises(TypeError, match="no values of type object"):
        tercet.train(kind="pairwise", data={"train": object()}, output=tmp_path / "m")
    assert "pairwise" in {kind.name for kind in tercet.recipe_kinds()}


def test_parses():
    parse = tercet.parse("The cat sat on the mat.")
    assert parse.words == ["The", "cat", "sat", "on", "the", "mat", "."]
    assert parse.upos[1] == "NOUN" and parse.heads.count(0) == 1 and parse.relations[parse.heads.index(0)] == "root"
    assert parse.conllu.count("\t") == 9 * 7 and "sat" in str(parse)
    first, empty = tercet.parse(["The cat sat .", ""], tokenized=True)
    assert first.words == ["The", "cat", "sat", "."] and empty.words == []
    assert tercet.parse_phrases("The cat sat.").startswith("(")
    assert tercet.parse_phrases(["", "Cats sleep."])[0] == "(())"
    with pytest.raises(tercet.IoError):
        tercet.parse("a", model="/nowhere")


def test_tokens_are_those_of_the_language():
    assert tercet.tokenize("猫坐下", language="zh") == ["猫", "坐", "下"] == tercet.tokenize("猫坐下", "zh")
    with pytest.raises(tercet.RequestError, match="tokenizer and language are alternatives"):
        tercet.tokenize("a", "13a", language="en")


def test_settings_without_effect_are_refused(examples):
    with pytest.raises(tercet.RequestError, match="resample changes nothing without a method"):
        tercet.systems(examples / "evalset", "average", resample="none")
    with pytest.raises(tercet.RequestError, match="threshold changes nothing without the statistic darr"):
        tercet.correlate(examples / "evalset", "chrf", threshold=5.0, progress=False)


def test_alignments():
    meteor = tercet.align_meteor("the cats sat", ["a dog", "the cat sat"])
    assert meteor.reference_number == 1 and meteor.matches[1] == ((1, 2), (1, 2), "stem")
    assert meteor.score == tercet.Metric("meteor").segment_score("the cats sat", ["a dog", "the cat sat"])
    ter = tercet.align_ter("on the mat the cat sat", "the cat sat on the mat")
    assert len(ter.shifts) == 1 and ter.edits == ["match"] * 6 and ter.cost == 1
    with pytest.raises(ValueError, match="at least one reference"):
        tercet.align_ter("a", [])


def test_words_are_marked_by_what_metrics_made_of_them():
    marked = tercet.mark_words(["größere cats sat there"], ["the cat sat"], "meteor")
    (segment,) = marked["system"]
    words = {"größere cats sat there"[start:end]: kind for start, end, kind in segment.hypothesis}
    assert "sat" not in words and words["cats"] in marked.kinds and words["there"] in marked.kinds
    assert words["cats"] != words["there"]
    with pytest.raises(tercet.RequestError, match="does not mark words"):
        tercet.mark_words(["a"], ["a"], "bleu")


def test_score_files(tmp_path):
    file = tmp_path / "system.scores"
    file.write_text("0.5\n0.25\n", encoding="utf-8")
    read = tercet.read_scores(file)
    assert read.to_dict()["score"] == [0.5, 0.25]


def test_frames_are_no_paths(examples):
    frame = tercet.read_judgements(examples / "evalset")[0].scores.to_pandas()
    for judgements in (5, [frame]):
        with pytest.raises(
            TypeError, match="^judgements: expected the path of a file or folder.*, found (DataFrame|int)"
        ):
            tercet.correlate(judgements, "chrf")
    with pytest.raises(tercet.DataError, match="^judgements:1: the field `segment` is null"):
        tercet.correlate(frame, "chrf")
    with pytest.raises(TypeError, match="^scores: expected the path of a file or folder.*, found int"):
        tercet.correlate(examples / "evalset", "chrf", scores=5)
    with pytest.raises(TypeError, match="path: expected the path of a file or folder, found DataFrame"):
        tercet.read_scores(frame)


@pytest.mark.parametrize("alpha", [float("nan"), -0.01, 1.01, float("inf")])
def test_alpha_is_a_probability(examples, alpha):
    with pytest.raises(
        tercet.RequestError, match=r"^alpha: expected a probability from 0 to 1, found (NaN|-0.01|1.01|inf)$"
    ):
        tercet.correlate(examples / "evalset", "chrf", resamples=10, alpha=alpha, progress=False)


def test_explanations_have_places_in_characters_and_rows(systems, reference):
    line = "é giraffe sat"
    explained = tercet.explain([line], ["a contract sat"], progress=False)
    (segment,) = explained.to_dict()
    assert [line[word["start"] : word["end"]] for word in segment["hypothesis_words"]] == line.split()
    (row,) = explained.rows()
    assert "giraffe" in row["hypothesis_unmatched"] and "contract" in row["reference_unmatched"] and "siamese" in row
    compared = tercet.compare(
        {"a": [line], "b": ["a dog"]}, ["a contract sat"], explain=True, checks=False, progress=False
    )
    assert compared.data["metric"] == "Siamese"


def test_marked_systems_are_looked_into_by_name(systems, reference):
    marked = tercet.mark_words(systems, reference, "ter", progress=False)
    assert list(marked) == marked.keys() == ["a", "b"] and len(marked) == 2 and len(marked["a"]) == len(reference)


def test_one_system_is_not_ranked_or_compared(reference):
    with pytest.raises(TypeError, match="rank expects a dict of systems, each with its lines, found list"):
        tercet.rank(reference, reference)
    with pytest.raises(TypeError, match="compare expects a dict of systems"):
        tercet.compare([reference, reference], reference)


def test_an_alignment_needs_a_reference():
    for align in (tercet.align_meteor, tercet.align_ter):
        with pytest.raises(tercet.RequestError, match="at least one reference"):
            align("a", [])


def test_training_without_development_data_is_warned_about(rankings, tmp_path):
    with pytest.warns(tercet.TercetWarning, match="no .data. development: the last state is kept"):
        tercet.train(
            kind="pairwise",
            data={"train": [str(rankings)]},
            inputs={"metrics": ["chrf"]},
            output=tmp_path / "model.safetensors",
            epochs=1,
            progress=False,
        )


def test_judgements_may_be_a_frame_or_a_list_of_dicts(examples):
    import csv

    def without_set(agreement):
        return [{name: value for name, value in row.items() if name != "set"} for row in agreement.rows()]

    settings = {"level": "segment", "statistics": "pearson", "resamples": 20, "progress": False}
    file = examples / "rated.csv"
    expected = without_set(tercet.correlate(file, "chrf", **settings))
    with open(file, encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert without_set(tercet.correlate(rows, "chrf", **settings)) == expected
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(file)
    assert without_set(tercet.correlate(frame, "chrf", **settings)) == expected
    renamed = frame.rename(columns={"score": "quality"})
    assert tercet.correlate(renamed, "chrf", fields={"score": "quality"}, **settings).rows()[0]["human"] == "quality"
    with pytest.raises(tercet.Error, match="which field has the scores"):
        tercet.correlate(renamed, "chrf", **settings)


def test_raters_are_compared(examples):
    (report,) = tercet.raters(examples / "rated.csv", resamples=20, progress=False).data
    assert [rater["rater"] for rater in report["raters"]] == ["ann", "ben", "cem"]
    assert report["shared"] == 64 and report["raters"][2]["outlier"]
    with pytest.raises(tercet.RequestError, match="expected judgements or scores"):
        tercet.raters()


def test_spans_are_compared(examples, tmp_path):
    page = tmp_path / "page.html"
    found = tercet.spans(examples / "marked.jsonl", "ter", resamples=20, page=page, progress=False)
    rows = {row["metric"]: row for row in found.rows()}
    assert list(rows) == ["ter", "another rater", "everything", "nothing"]
    assert rows["everything"]["recall"] == 1.0 and rows["nothing"]["f1"] == 0.0
    assert "Where people and metrics differ most" in page.read_text(encoding="utf-8")
    files = tercet.spans(examples / "marked.jsonl", spans=examples / "other-metric" / "spans.json", progress=False)
    assert files.rows()[0]["severity_f1"] > rows["ter"]["f1"]


def test_challenge_sets_are_files_or_rows(examples):
    import csv

    from_file = tercet.challenge(examples / "challenge.tsv", "chrf", progress=False)
    with open(examples / "challenge.tsv", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    assert tercet.challenge(rows, "chrf", progress=False).data == from_file.data
    renamed = [{**row, "original": row["good"], "good": None} for row in rows]
    fields = {"good": "original"}
    assert tercet.challenge(renamed, "chrf", fields=fields, progress=False).data == from_file.data
    assert from_file.rows()[0]["by"] == "all"
    with pytest.raises(tercet.Error, match="which field has the references"):
        tercet.challenge([{"good": "a", "damaged": "b"}], "chrf", progress=False)
