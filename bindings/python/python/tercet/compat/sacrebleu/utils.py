"""Functions about files and test sets, in the module in which sacreBLEU has them.

Test sets are read where sacreBLEU has downloaded them: tercet never goes online.
"""

from __future__ import annotations

import gzip
import hashlib
import logging
import math
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from ...errors import UnsupportedError
from .dataset import DATASETS

#: Where sacreBLEU keeps its downloads.
SACREBLEU_DIR = os.environ.get("SACREBLEU", os.path.join(os.path.expanduser("~"), ".sacrebleu"))


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> Any:
    """Opens a file, packed with gzip or not."""
    if file.endswith(".gz"):
        return gzip.open(file, mode=mode, encoding=encoding, newline="\n")
    return open(file, mode=mode, encoding=encoding, newline="\n")


def get_available_testsets() -> list[str]:
    """The names of sacreBLEU's test sets, the newest first."""
    return sorted(DATASETS, reverse=True)


def get_langpairs_for_testset(testset: str) -> list[str]:
    """The language pairs of a test set."""
    return list(DATASETS[testset].langpairs) if testset in DATASETS else []


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """The test sets that have a language pair, in either direction."""
    source, target = langpair.split("-")[:2]
    either = {f"{source}-{target}", f"{target}-{source}"}
    return [name for name, test_set in DATASETS.items() if not either.isdisjoint(test_set.langpairs)]


def get_source_file(test_set: str, langpair: str) -> str:
    """The source of a test set that sacreBLEU has downloaded."""
    return _known(test_set).get_source_file(langpair)  # type: ignore[no-any-return]


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """The references of a test set that sacreBLEU has downloaded."""
    return _known(test_set).get_reference_files(langpair)  # type: ignore[no-any-return]


def get_files(test_set: str, langpair: str) -> list[str]:
    """The files of a test set that sacreBLEU has downloaded."""
    return _known(test_set).get_files(langpair)  # type: ignore[no-any-return]


def download_test_set(test_set: str, langpair: Any = None) -> list[str]:
    """The files of a test set that sacreBLEU has downloaded; nothing is downloaded here."""
    return _known(test_set).get_files(langpair)  # type: ignore[no-any-return]


def print_test_set(
    test_set: str, langpair: str, requested_fields: Any, origlang: Any = None, subset: Any = None
) -> None:
    """Prints fields of a test set that sacreBLEU has downloaded, with tabs between them."""
    known = _known(test_set)
    if origlang is not None or subset is not None:
        raise UnsupportedError("parts of test sets (origlang, subset) need sacrebleu itself")
    files = dict(zip(known.fieldnames(langpair), known.get_files(langpair)))
    names = list(files) if list(requested_fields) == ["all"] else list(requested_fields)
    first = min((name for name in files if name.startswith("ref")), default="ref")
    names = [first if name == "ref" and name not in files else name for name in names]
    for name in names:
        if name not in files:
            available = ", ".join(files)
            logging.getLogger("sacrebleu").error(f"No such field {name} in {test_set}/{langpair}: {available}")
            sys.exit(1)
    for lines in zip(*(smart_open(files[name]) for name in names)):
        print("\t".join(line.rstrip() for line in lines))


def download_file(
    source_path: str, dest_path: str, extract_to: str | None = None, expected_md5: str | None = None
) -> NoReturn:
    """Refused: tercet never goes online."""
    raise UnsupportedError(f"tercet never goes online: download {source_path} to {dest_path} by other means")


def _known(test_set: str) -> Any:
    if test_set not in DATASETS:
        raise UnsupportedError(f"No such test set {test_set}")
    return DATASETS[test_set]


def sanity_check_lengths(system: Sequence[str], refs: Sequence[Sequence[str]], test_set: str | None = None) -> None:
    """Ends the program with an error if there are not as many lines in each reference as in the system's output."""
    if any(len(lines) != len(system) for lines in refs):
        logging.getLogger("sacrebleu").error("System and reference streams have different lengths.")
        sys.exit(1)


def my_log(num: float) -> float:
    """The logarithm, or a very low number for 0."""
    return -9999999999 if num == 0.0 else math.log(num)


def sum_of_lists(lists: Sequence[Sequence[Any]]) -> Any:
    """The sums of the columns."""
    return lists[0] if len(lists) == 1 else [sum(column) for column in zip(*lists)]


def args_to_dict(args: Any, prefix: str, strip_prefix: bool = False) -> dict[str, Any]:
    """The arguments of the command line whose names begin with a prefix."""
    begin = f"{prefix}_"
    found = {key: value for key, value in vars(args).items() if key.startswith(begin)}
    return {key.replace(begin, ""): value for key, value in found.items()} if strip_prefix else found


def get_md5sum(dest_path: str) -> str:
    """The MD5 sum of a file."""
    digest = hashlib.md5()
    with open(dest_path, "rb") as file:
        for line in file:
            digest.update(line)
    return digest.hexdigest()
