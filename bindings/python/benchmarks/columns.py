"""The speed and memory of `tercet score` on Parquet files, metric by metric, and with more and more rows.

    python benchmarks/columns.py --tercet target/release/tercet REFERENCE OUTPUT…

The command has to be built with the feature `columns`. Texts have one segment per line, and are repeated until there
are
enough rows. Prints JSON: CPU seconds of all threads, microseconds of CPU time for a row, and the peak memory.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tables import arguments_of_texts, write_table

#: Metrics with the share of the rows that they score; the slow ones score fewer.
METRICS = {
    "bleu": 1,
    "chrf": 1,
    "chrf:word_order=2": 1,
    "ter": 1,
    "sentbleu": 1,
    "meteor": 1,
    "terp": 0.1,
    "siamese": 0.01,
}
THREE = ["bleu", "chrf", "ter"]


def main() -> None:
    arguments = _arguments()
    folder = Path(tempfile.mkdtemp(prefix="tercet-columns-", dir=arguments.folder))
    try:
        print(json.dumps(_measured(arguments, folder), indent=1))
    finally:
        shutil.rmtree(folder)


def _arguments() -> argparse.Namespace:
    parser = arguments_of_texts(__doc__)
    parser.add_argument("--tercet", type=Path, required=True, help="the command")
    parser.add_argument(
        "--rows", type=int, default=330_440, help="the rows of each metric; ten times as many at the end"
    )
    return parser.parse_args()


def _measured(arguments: argparse.Namespace, folder: Path) -> dict[str, object]:
    tables: dict[int, str] = {}

    def run(metrics: list[str], rows: int, output: bool = False) -> dict[str, float]:
        if rows not in tables:
            tables[rows] = _table(arguments, folder / f"rows-{rows}", rows)
        command = [str(arguments.tercet), "score", "-q", "--hypothesis-column", "mt", "--reference-column", "ref"]
        for metric in metrics:
            command += ["-m", metric]
        if output:
            command += ["--level", "segment", "-o", str(folder / "out.parquet")]
        return _run([*command, tables[rows]], rows)

    by_metric = {name: run([name], int(arguments.rows * share)) for name, share in METRICS.items()}
    more = [run(THREE, arguments.rows * times, output) for times in (1, 10) for output in (False, True)]
    return {
        "metrics": by_metric,
        "bleu, chrf and ter of systems": more[::2],
        "of segments, Parquet to Parquet": more[1::2],
    }


def _table(arguments: argparse.Namespace, path: Path, rows: int) -> str:
    """Writes a table in a process of its own: the peak memory of a child counts from that of its parent."""
    table = (arguments.references, arguments.outputs, path, rows, 8)
    writer = multiprocessing.get_context("spawn").Process(target=write_table, args=table)
    writer.start()
    writer.join()
    if writer.exitcode:
        raise SystemExit(writer.exitcode)
    return str(path)


def _run(command: list[str], rows: int) -> dict[str, float]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    seconds = usage.ru_utime + usage.ru_stime
    return {
        "rows": rows,
        "CPU s": round(seconds, 2),
        "us per row": round(seconds / rows * 1e6, 1),
        "MiB": usage.ru_maxrss >> 10,
    }


if __name__ == "__main__":
    main()
