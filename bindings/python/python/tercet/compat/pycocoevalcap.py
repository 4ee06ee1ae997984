"""METEOR with pycocoevalcap's interface: `Meteor().compute_score(gts, res)`, without Java.

pycocoevalcap's scores use METEOR's paraphrase table and its list of function words, which are files of that package.
Where it is
installed, they are read, and the scores are the same; where they are not found, the scores differ, and a warning says
so.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import warnings
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .. import _native
from ..errors import DataError, RequestError, TercetWarning
from ..metrics import Metric

#: The jar's flags in captioning toolkits: `-l en -norm`, its default task and modules.
DEFAULT_OPTIONS = "norm=yes,lower=yes"


#: METEOR's function words in its jar; it uses the English ones for all languages.
_FUNCTION_WORDS = "function/english.words"


def paraphrase_table() -> Path | None:
    """The paraphrase table of English in an installed pycocoevalcap."""
    return _installed("data/paraphrase-en.gz")


def function_words() -> Path | None:
    """METEOR's function words in an installed pycocoevalcap, copied out of its jar into tercet's cache folder; None if
    they
    cannot be read."""
    jar = _installed("meteor-1.5.jar")
    if jar is None:
        return None
    try:
        with zipfile.ZipFile(jar) as files:
            words = files.read(_FUNCTION_WORDS)
    except (KeyError, NotImplementedError, OSError, RuntimeError, zipfile.BadZipFile, zlib.error):
        return None
    return _kept(words)


def _installed(name: str) -> Path | None:
    """A file of METEOR in an installed pycocoevalcap."""
    package = find_spec("pycocoevalcap")
    folders = package.submodule_search_locations if package else None
    files = (Path(folder) / "meteor" / name for folder in folders or [])
    return next((file for file in files if file.is_file()), None)


def _kept(words: bytes) -> Path:
    """A file with these words: in the cache folder, or a temporary one if that folder cannot be used."""
    name = f"function-words-{hashlib.sha256(words).hexdigest()}.txt"
    folder = _native.cache_folder()
    if folder is not None and _is_an_option(folder):
        path = folder / name
        try:
            if not path.is_file() or path.read_bytes() != words:
                folder.mkdir(parents=True, exist_ok=True)
                _write(path, words)
            return path
        except OSError:
            pass
    path = Path(tempfile.mkdtemp(prefix="tercet-")) / name
    _write(path, words)
    return path


def _write(path: Path, data: bytes) -> None:
    """Writes a file whole: other processes see all of it or nothing."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _is_an_option(path: Path) -> bool:
    """Whether a path can be the value of an option: a comma or a bar would end it."""
    return not any(sign in str(path) for sign in ",|") and str(path) == str(path).strip()


def _usual_options() -> str:
    table, words = paraphrase_table(), function_words()
    if table and not words:
        warnings.warn(
            "METEOR's list of function words cannot be read (meteor-1.5.jar of pycocoevalcap): tercet's own is "
            "used, so scores "
            "differ slightly from pycocoevalcap's",
            TercetWarning,
            stacklevel=3,
        )
    options = DEFAULT_OPTIONS
    for key, path in (("paraphrase", table), ("function_words", words)):
        if path is not None:
            if not _is_an_option(path):
                raise RequestError(
                    f"{path}: a path with a comma, a bar or white space at an end cannot be used in the options of "
                    "METEOR: move "
                    "the file, or give options without it"
                )
            options += f",{key}={path}"
    return options


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
        """The score of all captions, and of each in the order of `gts`: it has the references of each image, `res` one
        caption
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
