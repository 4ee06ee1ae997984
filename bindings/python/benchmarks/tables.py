"""Texts of WMT and the like as large tables: the input of the benchmarks of columns and of Spark."""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments_of_texts(description: str | None) -> argparse.ArgumentParser:
    """A parser of the command line with the texts and the folder of temporary files."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("references", type=Path, help="the reference, one segment per line")
    parser.add_argument("outputs", type=Path, nargs="+", help="outputs of systems, one segment per line")
    parser.add_argument("--folder", type=Path, help="for temporary files")
    return parser


def write_table(references: Path, outputs: list[Path], path: Path, rows: int, parts: int) -> None:
    """A folder of Parquet files with the columns `id`, `mt` and `ref`: the texts, repeated until there are enough
    rows."""
    import pyarrow
    import pyarrow.parquet

    lines = references.read_text(encoding="utf-8").rstrip("\n").split("\n")
    systems = [output.read_text(encoding="utf-8").rstrip("\n").split("\n") for output in outputs]
    pairs = [(mt, ref) for system in systems for mt, ref in zip(system, lines)]
    # Systems in turn, so that a part of the rows has the same mixture as all.
    pairs = [pairs[(i * 7919) % len(pairs)] for i in range(len(pairs))]
    path.mkdir()
    size, done, part = -(-rows // parts), 0, 0
    while done < rows:
        count = min(size, rows - done)
        chosen = [pairs[(done + i) % len(pairs)] for i in range(count)]
        table = {"id": range(done, done + count), "mt": [mt for mt, _ in chosen], "ref": [ref for _, ref in chosen]}
        columns = pyarrow.table({name: pyarrow.array(values) for name, values in table.items()})
        pyarrow.parquet.write_table(columns, path / f"part-{part:05}.parquet")
        done, part = done + count, part + 1
