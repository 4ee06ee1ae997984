"""Scores on Spark equal those of one process, whatever the partitions; lost tasks are done again."""

from __future__ import annotations

import math
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

pyspark = pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java", allow_module_level=True)

import tercet  # noqa: E402
from tercet import spark as tercet_spark  # noqa: E402

REPOSITORY = Path(__file__).resolve().parents[3]
METRICS = ["bleu", "chrf", "ter", "meteor"]
WORDS = "the a cat dog house river sat ran saw on under over red blue old new and or but never".split()


def _line(i: int, shift: int) -> str:
    count = 4 + (i * 7 + shift) % 9
    return " ".join(WORDS[(i * (k + 3) + shift * k * k + i // 5) % len(WORDS)] for k in range(count)) + "."


ROWS = [
    (
        i,
        _line(i, 0) + (" ünïcödé" if i % 11 == 0 else ""),
        _line(i, i % 3),
        _line(i + i % 2, i % 4),
        [_line(i, 0), _line(i, 1)],
    )
    for i in range(500)
]
COLUMNS = ["id", "ref", "a", "b", "refs"]


@pytest.fixture(scope="module")
def session():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = (
        pyspark.sql.SparkSession.builder.master("local[2, 4]")  # two threads; a task may fail three times
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "37")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
    )
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def frame(session):
    return session.createDataFrame(ROWS, "id long, ref string, a string, b string, refs array<string>")


def _expected(hypotheses: list[str], references, **options):
    return tercet.score(hypotheses, references, METRICS, checks=False, progress=False, **options)


def _column(name: str) -> list:
    return [row[COLUMNS.index(name)] for row in ROWS]


def test_segment_scores_are_columns_beside_the_others(frame):
    scored = tercet_spark.score(frame.repartition(5), METRICS, hypothesis="a", references="ref").orderBy("id").collect()
    expected = _expected(_column("a"), _column("ref"), segments=True)
    assert [row["b"] for row in scored] == _column("b")
    for metric in METRICS:
        assert [row[metric] for row in scored] == expected[metric].segments


def test_several_systems_have_their_own_columns(frame):
    scored = tercet_spark.score(frame, ["chrf"], hypothesis=["a", "b"], references="refs").orderBy("id").collect()
    for system in "ab":
        expected = tercet.score(_column(system), _column("refs"), ["chrf"], segments=True, checks=False, progress=False)
        assert [row[f"{system}_chrf"] for row in scored] == expected["chrf"].segments


@pytest.mark.parametrize("partitions", [1, 2, 7, 90])
def test_scores_of_systems_do_not_depend_on_partitions(frame, partitions):
    found = tercet_spark.score_system(
        frame.repartition(partitions),
        METRICS,
        hypothesis=["a", "b"],
        references=["ref", "refs"],
        components=True,
        language="en",
    )
    references = [[row[1], *row[4]] for row in ROWS]
    expected = tercet.score(
        {"a": _column("a"), "b": _column("b")},
        references,
        METRICS,
        components=True,
        language="en",
        checks=False,
        progress=False,
    )
    assert found == expected


def test_a_column_may_name_the_systems(session):
    rows = [(system, row[1], row[COLUMNS.index(system)]) for row in ROWS for system in "ba"]
    frame = session.createDataFrame(rows, "system string, ref string, mt string").repartition(4)
    found = tercet_spark.score_system(frame, METRICS, hypothesis="mt", references="ref", system="system", language="en")
    expected = _expected({s: _column(s) for s in "ab"}, _column("ref"), language="en")
    assert found == expected


def test_paired_tests_do_not_depend_on_partitions(frame):
    def tested(partitions: int):
        return tercet_spark.score_system(
            frame.repartition(partitions),
            METRICS,
            hypothesis=["a", "b"],
            references="ref",
            paired="bs",
            id="id",
            resamples=200,
        )

    one, many = tested(1), tested(11)
    assert one == many
    assert "|bs=200|draws=poisson|seed=12345|" in one["chrf"].signature
    usual = _expected({"a": _column("a"), "b": _column("b")}, _column("ref"), paired="bs", resamples=200)
    for found, known in zip(one.comparisons, usual.comparisons):
        assert (found.delta, found.differing) == (known.delta, known.differing)
        assert abs(found.p - known.p) < 0.06


def test_a_task_that_is_killed_is_done_again_and_counted_once(frame, tmp_path: Path):
    marker = tmp_path / "killed"

    def kill_once(batches):
        for i, batch in enumerate(batches):
            # In the middle of a task, after some of its batches were scored downstream.
            if i == 2 and not marker.exists():
                marker.touch()
                os.kill(os.getpid(), 9)
            yield batch

    unreliable = frame.repartition(3).mapInArrow(kill_once, frame.schema)
    found = tercet_spark.score_system(unreliable, METRICS, hypothesis="a", references="ref")
    assert marker.exists()
    assert [found[m].score for m in METRICS] == [_expected(_column("a"), _column("ref"))[m].score for m in METRICS]
    marker.unlink()
    output = str(tmp_path / "scored.parquet")
    tercet_spark.score(unreliable, ["chrf"], hypothesis="a", references="ref").write.parquet(output)
    assert marker.exists()
    rows = frame.sparkSession.read.parquet(output).orderBy("id").collect()
    assert [row["id"] for row in rows] == list(range(500))
    assert [row["chrf"] for row in rows] == _expected(_column("a"), _column("ref"), segments=True)["chrf"].segments


@pytest.fixture
def deaths(monkeypatch, tmp_path: Path):
    """Kills the first process that scores its third batch, and counts the batches that are scored."""
    marker, counts = tmp_path / "killed", tmp_path / "batches"
    counts.mkdir()

    class Dying(tercet_spark._Plan):
        scored = 0

        def _batch(self, batch):
            self.scored += 1
            (counts / f"{os.getpid()}-{self.scored}-{os.urandom(4).hex()}").touch()
            if self.scored == 3 and not marker.exists():
                marker.touch()
                os.kill(os.getpid(), 9)
            return super()._batch(batch)

    monkeypatch.setattr(tercet_spark, "_Plan", Dying)

    def died() -> int:
        assert marker.exists()
        marker.unlink()
        scored = list(counts.iterdir())
        for batch in scored:
            batch.unlink()
        return len(scored)

    return died


def test_a_process_that_dies_while_it_scores_is_replaced_and_nothing_counts_twice(
    frame, deaths, monkeypatch, tmp_path: Path
):
    parts = frame.repartition(3).cache()
    batches = sum(-(-rows // 37) for rows in parts.rdd.mapPartitions(lambda rows: [sum(1 for _ in rows)]).collect())
    systems = {"a": _column("a"), "b": _column("b")}
    columns = {"hypothesis": ["a", "b"], "references": "ref"}

    found = tercet_spark.score_system(parts, METRICS, **columns, language="en")
    assert deaths() >= batches + 3
    assert found == _expected(systems, _column("ref"), language="en") and found.segments == len(ROWS)

    output = str(tmp_path / "scored.parquet")
    tercet_spark.score(parts, METRICS, **columns).write.parquet(output)
    assert deaths() >= batches + 3
    rows = frame.sparkSession.read.parquet(output).orderBy("id").collect()
    assert [row["id"] for row in rows] == list(range(len(ROWS)))
    expected = _expected(systems, _column("ref"), segments=True)
    for system in systems:
        for metric in METRICS:
            assert [row[f"{system}_{metric}"] for row in rows] == expected[metric][system].segments

    tested = tercet_spark.score_system(parts, METRICS, **columns, paired="bs", id="id", resamples=50)
    assert deaths() >= batches + 3
    monkeypatch.undo()
    assert tested == tercet_spark.score_system(
        frame.coalesce(1), METRICS, **columns, paired="bs", id="id", resamples=50
    )


def test_data_are_read_once(session, frame):
    read = session.sparkContext.accumulator(0)

    def count(batches):
        for batch in batches:
            read.add(batch.num_rows)
            yield batch

    # The exchange behind the count is what a look at the number of partitions would do once more.
    counted = frame.mapInArrow(count, frame.schema).repartition(4)
    tercet_spark.score_system(counted, ["bleu"], hypothesis="a", references="ref")
    assert read.value == len(ROWS)


def test_partitions_without_rows_and_fewer_segments_than_resamples(session):
    rows = [(1, "a cat sat", "the cat sat", "a cat"), (2, "it rained", "it rained", "rain")]
    frame = session.createDataFrame(rows, "id long, a string, b string, ref string").repartition(20)
    columns = {"hypothesis": ["a", "b"], "references": "ref"}
    texts = {"a": [row[1] for row in rows], "b": [row[2] for row in rows]}
    assert tercet_spark.score_system(frame, METRICS, **columns) == _expected(texts, [row[3] for row in rows])
    assert tercet_spark.score(frame, METRICS, **columns).count() == 2
    tested = tercet_spark.score_system(frame, [*METRICS, "siamese"], **columns, paired="bs", id="id", resamples=30)
    for comparison in tested.comparisons:
        assert 0 <= comparison.p <= 1
    for scores in tested:
        assert all(math.isfinite(one.interval.low) and math.isfinite(one.interval.high) for one in scores)


def test_repeated_ids_are_an_error_wherever_they_are(session):
    columns = {"hypothesis": ["a", "b"], "references": "ref", "paired": "bs", "id": "id", "resamples": 5}
    rows = [(str(i), f"a cat sat {i}", f"the cat {i}", f"a cat sat on {i}") for i in range(60)]
    schema = "id string, a string, b string, ref string"
    for parts in (1, 7):
        frame = session.createDataFrame(rows, schema).repartition(parts)
        assert tercet_spark.score_system(frame, "chrf", **columns).segments == 60
        repeated = session.createDataFrame([*rows, ("17", "a dog", "one dog", "the dog")], schema).repartition(parts)
        with pytest.raises(tercet.DataError, match=r'^the id "17" is that of 2 segments \(repeated ids: 1 of 60\): '):
            tercet_spark.score_system(repeated, "chrf", **columns)
        without = {key: value for key, value in columns.items() if key in ("hypothesis", "references")}
        assert tercet_spark.score_system(repeated, "chrf", **without).segments == 61


def test_names_of_columns_may_have_any_sign(session):
    rows = [(1, "a cat sat", "a cat", "x")]
    frame = session.createDataFrame(rows, "`the.id` long, `a.b` string, `r``f` string, `sys tem` string")
    expected = tercet.score(["a cat sat"], ["a cat"], ["chrf"], checks=False)["chrf"].score
    columns = {"hypothesis": "a.b", "references": "r`f"}
    assert tercet_spark.score(frame, "chrf", **columns).collect()[0]["chrf"] == expected
    assert tercet_spark.score_system(frame, "chrf", **columns)["chrf"].score == expected
    assert tercet_spark.score_system(frame, "chrf", **columns, system="sys tem")["chrf"]["x"].score == expected
    both = {**columns, "hypothesis": ["a.b", "r`f"]}
    tested = tercet_spark.score_system(frame, "chrf", **both, paired="bs", id="the.id", resamples=2)
    assert tested["chrf"]["a.b"].score == expected


def test_mistakes_are_named_before_any_task_starts(frame):
    for options, message in [
        ({"hypothesis": "mt"}, "the data frame has no column 'mt' (its columns: id, ref, a, b, refs)"),
        ({"hypothesis": "a", "metrics": "nist"}, "nist needs the references of all segments"),
        ({"hypothesis": "a", "paired": "bs", "id": "id"}, "a paired test needs a column for each system"),
        ({"hypothesis": ["a", "b"], "paired": "bs"}, "a paired test needs the ids of segments"),
        ({"hypothesis": ["a", "b"], "paired": "ar", "id": "id"}, "paired: expected 'bs'"),
        ({"hypothesis": "a", "id": "id"}, "id: the ids of segments are for tests"),
        ({"hypothesis": "a", "metrics": []}, "no metrics are given"),
        ({"hypothesis": ["a", "a"]}, "hypothesis: a column is named twice: a, a"),
        ({"hypothesis": "a", "system": "a"}, "system: the column 'a' has texts already"),
        ({"hypothesis": "a", "threads": -1}, "threads: expected a whole number, 0 or more, found -1"),
        ({"hypothesis": "a", "metrics": ["bleu", "bleu"]}, "the metric bleu is asked for twice"),
    ]:
        with pytest.raises(tercet.RequestError) as error:
            tercet_spark.score_system(frame, **{"metrics": METRICS, "references": "ref", **options})
        assert str(error.value).startswith(message)
    with pytest.raises(tercet.RequestError) as error:
        tercet_spark.score(frame.withColumnRenamed("b", "chrf"), "chrf", hypothesis="a", references="ref")
    assert str(error.value) == "the data frame already has the columns chrf: rename or drop them"
    with pytest.raises(tercet.RequestError, match="the data frame has 2 columns 'a': rename them"):
        tercet_spark.score_system(frame.withColumnRenamed("b", "a"), "chrf", hypothesis="a", references="ref")


def test_rows_without_a_text_are_errors(session):
    frame = session.createDataFrame([("x", "y"), (None, "y")], "mt string, ref string")
    with pytest.raises(Exception, match="column 'mt' has 1 nulls"):
        tercet_spark.score(frame.coalesce(1), "bleu", hypothesis="mt", references="ref").collect()
    ids = session.createDataFrame([(1, "x", "y"), (None, "x", "y")], "id long, mt string, ref string").coalesce(1)
    with pytest.raises(Exception, match="column 'id' has 1 nulls"):
        tercet_spark.score_system(ids, "bleu", hypothesis=["mt", "ref"], references="ref", paired="bs", id="id")
    empty = session.createDataFrame([], "mt string, ref string")
    with pytest.raises(tercet.DataError, match="there is no row to score"):
        tercet_spark.score_system(empty, "bleu", hypothesis="mt", references="ref")
    assert tercet_spark.score(empty, "bleu", hypothesis="mt", references="ref").collect() == []


def test_rows_without_a_text_can_be_found(session):
    rows = [("x", "y", ["y"]), (None, "y", ["y", None])]
    frame = session.createDataFrame(rows, "mt string, `r``f` string, refs array<string>").coalesce(1)
    for hypothesis, references, named in (("mt", "r`f", "mt"), ("r`f", "refs", "refs")):
        with pytest.raises(Exception, match=f"column '{named}' has ") as error:
            tercet_spark.score_system(frame, "bleu", hypothesis=hypothesis, references=references)
        [condition] = set(re.findall(r'To find such rows: df\.filter\("(.*?)"\)', str(error.value)))
        assert frame.filter(condition).count() == 1


def test_systems_with_different_numbers_of_rows_are_a_warning(session, recwarn):
    rows = [("a", "x y", "x y z")] * 3 + [("b", "x y", "x y z")] * 5 + [("c", "x", "x")] * 4
    frame = session.createDataFrame(rows, "system string, mt string, ref string").repartition(3)
    columns = {"hypothesis": "mt", "references": "ref", "system": "system"}
    with pytest.warns(tercet.TercetWarning, match=r"different numbers of rows, from 3 \(a\) to 5 \(b\)") as found:
        tercet_spark.score_system(frame, "bleu", **columns)
    [warning] = [one for one in found if issubclass(one.category, tercet.TercetWarning)]
    assert warning.filename == __file__
    recwarn.clear()
    tercet_spark.score_system(frame.filter("system = 'a'"), "bleu", **columns)
    assert not [one for one in recwarn if issubclass(one.category, tercet.TercetWarning)]


def test_other_data_frames_are_refused(frame):
    pandas = pytest.importorskip("pandas")
    for function in (tercet_spark.score, tercet_spark.score_system):
        with pytest.raises(
            TypeError, match=r"^df: expected a data frame of Spark .*, found pandas\.DataFrame \(tercet\.score"
        ):
            function(pandas.DataFrame({"hypothesis": ["a"], "reference": ["a"]}))
    with pytest.raises(TypeError, match="^hypotheses: a data frame of Spark is scored by tercet.spark$"):
        tercet.score(frame, ["a"])


def test_trailing_white_space_counts_for_nothing(session):
    rows = [("a cat sat \n", "a cat sat down\t"), ("it rained", "it rained\u2003")]
    frame = session.createDataFrame(rows, "hypothesis string, reference string")
    metric = "chrf:whitespace=yes"
    expected = tercet.score([one.rstrip() for one, _ in rows], [one.rstrip() for _, one in rows], metric, checks=False)
    assert tercet_spark.score_system(frame, metric)[metric].score == expected[metric].score


def test_a_worker_does_not_keep_the_threads_of_the_job_before():
    plan = object.__new__(tercet_spark._Plan)
    all_cores = tercet.threads()
    try:
        for threads, expected in ((3, 3), (0, all_cores)):
            plan.threads = threads
            plan._start()
            assert tercet.threads() == expected
    finally:
        tercet.set_threads(0)


def test_examples_of_the_page(session, tmp_path: Path, monkeypatch, capsys):
    page = (REPOSITORY / "docs/spark.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    shutil.copytree(REPOSITORY / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    # Relative paths are those of the Java process, which started elsewhere.
    blocks = [re.sub(r'"(examples/|)(\w+\.parquet)"', rf'"{tmp_path}/\1\2"', block) for block in blocks]
    exec("\n".join(blocks), {})
    printed = capsys.readouterr().out
    assert "34.31" in printed and "|refs=1|bs=1000|draws=poisson|seed=12345|" in printed
    assert session.read.parquet(str(tmp_path / "scored.parquet")).columns[-3:] == ["bleu", "chrf", "ter"]


def test_types_of_columns_are_checked_before_any_task_starts(frame):
    from pyspark.sql import functions

    wrong = [
        ({"hypothesis": "id"}, "column 'id' has the type bigint, expected text$"),
        ({"hypothesis": "refs"}, "column 'refs' has the type array<string>, expected text$"),
        ({"references": "id"}, "column 'id' has the type bigint, expected text or arrays of text$"),
        ({"hypothesis": functions.col("a")}, "hypothesis: expected the name of a column as a str"),
        ({"source": functions.col("a")}, "source: expected the name of a column as a str"),
    ]
    for arguments, said in wrong:
        for function in (tercet_spark.score, tercet_spark.score_system):
            with pytest.raises(tercet.RequestError, match=said):
                function(frame, ["chrf"], **{"hypothesis": "a", "references": "ref", **arguments})
    with pytest.raises(tercet.RequestError, match="^resamples: they are for tests"):
        tercet_spark.score_system(frame, ["chrf"], hypothesis="a", references="ref", resamples=10)
    with pytest.raises(TypeError, match="^components: expected True or False, found 'yes'"):
        tercet_spark.score_system(frame, ["chrf"], hypothesis="a", references="ref", components="yes")
    with pytest.raises(tercet.RequestError, match="system: expected the name of a column as a str"):
        tercet_spark.score_system(frame, ["chrf"], hypothesis="a", references="ref", system=functions.col("b"))
