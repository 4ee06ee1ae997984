"""The speed of tercet on Spark beside sacreBLEU's in `mapInPandas`: Parquet to Parquet with BLEU, chrF and TER of every
segment.

    python benchmarks/spark.py --rows 5000000 --peer-rows 20000 REFERENCE OUTPUT…

The texts have one segment per line, and equally many lines, which are repeated until there are enough rows. The peer is
very slow (TER above all), so it scores fewer rows, and rates are compared. Before rates are printed, the scores of both
are checked to be the same, and the corpus scores of Spark to be those of one process.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

from tables import arguments_of_texts, write_table

METRICS = ["bleu", "chrf", "ter"]


def main() -> None:
    arguments = _arguments()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder = Path(tempfile.mkdtemp(prefix="tercet-spark-", dir=arguments.folder))
    try:
        print(json.dumps(_measured(arguments, folder), indent=1))
    finally:
        shutil.rmtree(folder)


def _arguments() -> argparse.Namespace:
    parser = arguments_of_texts(__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--peer-rows", type=int, default=20_000)
    parser.add_argument("--partitions", type=int, default=64)
    return parser.parse_args()


def _measured(arguments: argparse.Namespace, folder: Path) -> dict[str, object]:
    import tercet
    from pyspark.sql import SparkSession
    from tercet import spark as tercet_spark

    def table(name: str, rows: int) -> str:
        write_table(arguments.references, arguments.outputs, folder / name, rows, arguments.partitions)
        return str(folder / name)

    files = [table("input", arguments.rows), table("peer-input", arguments.peer_rows)]
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "2g")
        .config("spark.sql.files.maxPartitionBytes", "16m")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    columns = {"hypothesis": "mt", "references": "ref"}
    session.read.parquet(files[1]).mapInArrow(
        lambda batches: batches, "id long, mt string, ref string"
    ).count()  # starts workers
    memory = _Memory()
    start = time.perf_counter()
    tercet_spark.score(session.read.parquet(files[0]), METRICS, **columns).write.parquet(str(folder / "ours"))
    ours = time.perf_counter() - start
    peak = memory.stop()
    start = time.perf_counter()
    system = tercet_spark.score_system(session.read.parquet(files[0]), METRICS, **columns)
    summed = time.perf_counter() - start
    start = time.perf_counter()
    _peer(session.read.parquet(files[1])).write.parquet(str(folder / "peer"))
    peer = time.perf_counter() - start
    _check_peer(session, folder)
    _check_one_process(tercet, folder / "input", system)
    rates = {
        "tercet": arguments.rows / ours,
        "sacrebleu": arguments.peer_rows / peer,
        "system": arguments.rows / summed,
    }
    return {
        "rows": arguments.rows,
        "peer_rows": arguments.peer_rows,
        "seconds": {"tercet": ours, "tercet score_system": summed, "sacrebleu": peer},
        "rows per second": rates,
        "factor": rates["tercet"] / rates["sacrebleu"],
        "peak MiB of Spark and its Python workers": peak,
        "scores": {metric: system[metric].score for metric in METRICS},
    }


def _peer(frame: object) -> object:
    """The same job with sacreBLEU."""

    def score(batches):  # type: ignore[no-untyped-def]
        from sacrebleu.metrics import BLEU, CHRF, TER

        metrics = {"bleu": BLEU(effective_order=True), "chrf": CHRF(), "ter": TER()}
        for batch in batches:
            for name, metric in metrics.items():
                batch[name] = [metric.sentence_score(mt, [ref]).score for mt, ref in zip(batch["mt"], batch["ref"])]
            yield batch

    columns = "id long, mt string, ref string, bleu double, chrf double, ter double"
    return frame.mapInPandas(score, columns)  # type: ignore[attr-defined]


def _check_peer(session: object, folder: Path) -> None:
    both = (str(folder / name) for name in ("ours", "peer"))
    ours, peer = (session.read.parquet(path).drop("mt", "ref") for path in both)  # type: ignore[attr-defined]
    known = {row["id"]: row for row in peer.collect()}
    different = 0
    for row in ours.filter(ours["id"] < len(known)).collect():
        different += any(abs(row[metric] - known[row["id"]][metric]) > 1e-9 for metric in METRICS)
    if different:
        raise SystemExit(f"{different} of {len(known)} rows have other scores than sacreBLEU's")


def _check_one_process(tercet: object, path: Path, system: object) -> None:
    """The corpus scores of all rows in one process, part by part."""
    import pyarrow.parquet

    tercet.set_threads(0)  # type: ignore[attr-defined]
    metrics = [tercet.Metric(name) for name in METRICS]  # type: ignore[attr-defined]
    tallies = [[] for _ in METRICS]  # type: ignore[var-annotated]
    for part in sorted(path.iterdir()):
        table = pyarrow.parquet.read_table(part)
        for sums, metric in zip(tallies, metrics):
            sums.append(metric.tally(table["mt"], table["ref"]).sum())
    for metric, sums in zip(metrics, tallies):
        total = metric.score_tally([sum(counts) for counts in zip(*sums)])
        if total != system[metric.name].score:  # type: ignore[index]
            score = system[metric.name].score  # type: ignore[index]
            raise SystemExit(f"{metric.name}: {score} on Spark, {total} in one process")


class _Memory:
    """The peak memory of this process and all that it started, looked at twice a second."""

    def __init__(self) -> None:
        self._peak = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._done.wait(0.5):
            self._peak = max(self._peak, _resident())

    def stop(self) -> int:
        self._done.set()
        self._thread.join()
        return self._peak >> 20


def _resident() -> int:
    """The resident memory of this process and its descendants, in bytes; shared pages count once for each."""
    parents, sizes = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                parents[int(entry.name)], sizes[int(entry.name)] = (
                    int(fields[1]),
                    int(fields[21]) * resource.getpagesize(),
                )
            except (OSError, IndexError):
                continue
    total, found = 0, {os.getpid()}
    while found:
        total += sum(sizes.get(process, 0) for process in found)
        found = {process for process, parent in parents.items() if parent in found}
    return total


if __name__ == "__main__":
    main()
