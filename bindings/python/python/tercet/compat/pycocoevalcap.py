"""METEOR with pycocoevalcap's interface: `Meteor().compute_score(gts, res)`, without Java.

pycocoevalcap's scores use METEOR's paraphrase table, which is a file of that package. Where it is installed, its table is read,
and the scores are the same; where it is not, they are lower, and a warning says so.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..errors import DataError, TercetWarning
from ..metrics import Metric

#: The jar's flags in captioning toolkits: `-l en -norm`, its default task and modules.
DEFAULT_OPTIONS = "norm=yes,lower=yes"


def paraphrase_table() -> Path | None:
    """The paraphrase table of English in an installed pycocoevalcap."""
    package = find_spec("pycocoevalcap")
    folders = package.submodule_search_locations if package else None
    tables = (Path(folder) / "meteor" / "data" / "paraphrase-en.gz" for folder in folders or [])
    return next((table for table in tables if table.is_file()), None)


def _usual_options() -> str:
    table = paraphrase_table()
    return f"{DEFAULT_OPTIONS},paraphrase={table}" if table else DEFAULT_OPTIONS


class Meteor:
    """METEOR 1.5 of captions; `options` are those of tercet's metric, as in `norm=yes,lower=yes,paraphrase=FILE`."""

    def __init__(self, options: str | None = None) -> None:
        given = _usual_options() if options is None else options
        self.metric = Metric(f"meteor:{given}" if given else "meteor")
        for message in self.metric.warnings:
            warnings.warn(message, TercetWarning, stacklevel=2)

    def compute_score(
        self, gts: Mapping[Any, Sequence[str]], res: Mapping[Any, Sequence[str]]
    ) -> tuple[float, list[float]]:
        """The score of all captions, and of each in the order of `gts`: it has the references of each image, `res` one caption
        in a list."""
        if gts.keys() != res.keys():
            raise DataError("gts and res must have the same images")
        for image, captions in res.items():
            if isinstance(captions, str) or len(captions) != 1:
                raise DataError(f"res[{image!r}]: expected a list of one caption")
        hypotheses = [_caption(res[image][0]) for image in gts]
        tallies = self.metric.tally(hypotheses, [list(references) for references in gts.values()])
        return self.metric.score_tally(tallies.sum()), self.metric.score_segment_tallies(tallies)

    def method(self) -> str:
        """The name of the metric."""
        return "METEOR"


def _caption(text: str) -> str:
    """A caption as pycocoevalcap gives it to the jar, where three bars separate texts."""
    return text.replace("|||", "").replace("  ", " ") if isinstance(text, str) else text
