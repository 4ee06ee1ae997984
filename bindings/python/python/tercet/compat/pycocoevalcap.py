"""METEOR, BLEU, ROUGE-L and CIDEr-D with pycocoevalcap's interface: `Meteor().compute_score(gts, res)`, without Java.

pycocoevalcap's METEOR uses METEOR's paraphrase table and what is in METEOR's jar: synonyms, function words,
abbreviations. They are files of that package. Where it is installed, they are read, and the scores are the same; where
they are not found, the scores differ, and a warning says so. The other metrics need no files.
"""

from __future__ import annotations

import hashlib
import math
import os
import tempfile
import warnings
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .. import _native
from ..errors import DataError, RequestError, TercetWarning
from ..metrics import Metric

#: The jar's flags in captioning toolkits: `-l en -norm`, its default task and modules.
DEFAULT_OPTIONS = "norm=yes,lower=yes"


#: METEOR's resources in its jar; it uses the English function words for all languages.
_RESOURCES = (
    "function/english.words",
    "nonbreaking/english.prefixes",
    "synonym/english.exceptions",
    "synonym/english.synsets",
)


def paraphrase_table() -> Path | None:
    """The paraphrase table of English in an installed pycocoevalcap."""
    return _installed("data/paraphrase-en.gz")


def resources() -> Path | None:
    """METEOR's resources in an installed pycocoevalcap, copied out of its jar into a folder in tercet's cache; None if
    they cannot be read."""
    jar = _installed("meteor-1.5.jar")
    if jar is None:
        return None
    try:
        with zipfile.ZipFile(jar) as files:
            contents = {name: files.read(name) for name in _RESOURCES}
    except (KeyError, NotImplementedError, OSError, RuntimeError, zipfile.BadZipFile, zlib.error):
        return None
    return _kept(contents)


def _installed(name: str) -> Path | None:
    """A file of METEOR in an installed pycocoevalcap."""
    package = find_spec("pycocoevalcap")
    folders = package.submodule_search_locations if package else None
    files = (Path(folder) / "meteor" / name for folder in folders or [])
    return next((file for file in files if file.is_file()), None)


def _kept(contents: Mapping[str, bytes]) -> Path:
    """A folder with these files: in the cache folder, or a temporary one if that folder cannot be used."""
    digest = hashlib.sha256()
    for name in sorted(contents):
        digest.update(hashlib.sha256(contents[name]).digest())
    name = f"meteor-1.5-{digest.hexdigest()[:16]}"
    cache = _native.cache_folder()
    if cache is not None and _is_an_option(cache):
        try:
            return _filled(cache / name, contents)
        except OSError:
            pass
    return _filled(Path(tempfile.mkdtemp(prefix="tercet-")) / name, contents)


def _filled(folder: Path, contents: Mapping[str, bytes]) -> Path:
    for name, data in contents.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, data)
    return folder


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
    table, data = paraphrase_table(), resources()
    if table and not data:
        warnings.warn(
            "METEOR's synonyms and function words cannot be read (meteor-1.5.jar of pycocoevalcap): tercet's own are "
            "used, so scores differ slightly from pycocoevalcap's",
            TercetWarning,
            stacklevel=3,
        )
    options = DEFAULT_OPTIONS
    for key, path in (("paraphrase", table), ("data", data)):
        if path is not None:
            if not _is_an_option(path):
                raise RequestError(
                    f"{path}: a path with a comma, a bar or white space at an end cannot be used in the options of "
                    "METEOR: move the file, or give options without it"
                )
            options += f",{key}={path}"
    return options


Captions = Mapping[Any, Sequence[str]]


def _texts(gts: Captions, res: Captions) -> tuple[list[str], list[list[str]]]:
    """The caption of each image and its references, in the order of `gts`."""
    if gts.keys() != res.keys():
        raise DataError("gts and res must have the same images")
    for image, captions in res.items():
        if isinstance(captions, str) or len(captions) != 1:
            raise DataError(f"res[{image!r}]: expected a list of one caption")
        if isinstance(gts[image], str) or len(gts[image]) == 0:
            raise DataError(f"gts[{image!r}]: expected a list of references")
    return [res[image][0] for image in gts], [list(references) for references in gts.values()]


def _words(line: str) -> str:
    """The words of a line between white space, which all of these metrics split at, with single spaces."""
    return " ".join(line.split())


class Meteor:
    """METEOR 1.5 of captions; `options` are those of tercet's metric, as in `norm=yes,lower=yes,paraphrase=FILE`."""

    def __init__(self, options: str | None = None) -> None:
        given = _usual_options() if options is None else options
        self.metric = Metric(f"meteor:{given}" if given else "meteor")
        for message in self.metric.warnings:
            warnings.warn(message, TercetWarning, stacklevel=2)

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, list[float]]:
        """The score of all captions, and of each in the order of `gts`: it has the references of each image, `res` one
        caption in a list."""
        captions, references = _texts(gts, res)
        tallies = self.metric.tally([_caption(caption) for caption in captions], references)
        return self.metric.score_tally(tallies.sum()), self.metric.score_segment_tallies(tallies)

    def method(self) -> str:
        """The name of the metric."""
        return "METEOR"


def _caption(text: str) -> str:
    """A caption as pycocoevalcap gives it to the jar, where three bars separate texts."""
    return text.replace("|||", "").replace("  ", " ") if isinstance(text, str) else text


class Bleu:
    """BLEU of the orders 1 to n, with the closest reference length and without smoothing, as shares."""

    def __init__(self, n: int = 4) -> None:
        self._n = n
        self._metric = Metric(f"bleu:tok=none,smooth=none,max_order={n}")

    def compute_score(self, gts: Captions, res: Captions, verbose: int = 0) -> tuple[list[float], list[list[float]]]:
        """For each order the score of all captions, and those of single ones. `verbose` prints nothing here."""
        captions, references = _texts(gts, res)
        tallies = self._metric.tally(
            [_words(caption) for caption in captions], [[_words(line) for line in lines] for lines in references]
        )
        segments = [self._scores(tally) for tally in tallies]
        return self._scores(tallies.sum()), [list(scores) for scores in zip(*segments)]

    def _scores(self, tally: Sequence[float]) -> list[float]:
        """BLEU of each order, with the small numbers that keep pycocoevalcap from dividing by zero."""
        length, of_reference, counts = tally[0], tally[1], tally[2:]
        ratio = (length + 1e-15) / (of_reference + 1e-9)
        product, scores = 1.0, []
        for order in range(self._n):
            product *= (counts[order] + 1e-15) / (counts[self._n + order] + 1e-9)
            penalty = math.exp(1 - 1 / ratio) if ratio < 1 else 1.0
            scores.append(product ** (1.0 / (order + 1)) * penalty)
        return scores

    def method(self) -> str:
        """The name of the metric."""
        return "Bleu"


class Rouge:
    """ROUGE-L with recall weighted by 1.2², of the best precision and the best recall of all references."""

    beta = 1.2

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, list[float]]:
        """The mean over all captions, and the score of each."""
        captions, references = _texts(gts, res)
        scores = [self.calc_score([caption], lines) for caption, lines in zip(captions, references)]
        if not scores:
            raise DataError("there is no caption to score")
        return sum(scores) / len(scores), scores

    def calc_score(self, candidate: Sequence[str], refs: Sequence[str]) -> float:
        """The score of one caption."""
        caption = _separate(candidate[0])
        precisions, recalls = zip(*(self._shares(caption, _separate(line)) for line in refs))
        precision, recall = max(precisions), max(recalls)
        if precision == 0 or recall == 0:
            return 0.0
        squared = self.beta**2
        return float(((1 + squared) * precision * recall) / (recall + squared * precision))

    @staticmethod
    def _shares(caption: list[str], reference: list[str]) -> tuple[float, float]:
        numbers: dict[str, str] = {}
        texts = (caption, reference)
        lines = [" ".join(numbers.setdefault(word, str(len(numbers))) for word in words) for words in texts]
        shared = round(_common_words().segment_score(*lines) * len(caption))
        return shared / len(caption), shared / len(reference)

    def method(self) -> str:
        """The name of the metric."""
        return "Rouge"


def _separate(line: str) -> list[str]:
    """Words between single spaces: two spaces have an empty word between them, as in pycocoevalcap."""
    return line.split(" ")


@cache
def _common_words() -> Metric:
    """The longest common subsequence as a share of the hypothesis."""
    return Metric("rouge:type=l,alpha=1,tok=none,lowercase=no")


class Cider:
    """CIDEr-D of n-grams of up to four words. `n` is pycocoevalcap's, which takes four whatever it is."""

    def __init__(self, test: object = None, refs: object = None, n: int = 4, sigma: float = 6.0) -> None:
        if n != 4:
            raise RequestError("n-grams of up to four words are compared, as in pycocoevalcap: n must be 4")
        self._metric = Metric(f"cider:sigma={sigma}")

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, list[float]]:
        """The mean over all captions, and the score of each."""
        captions, references = _texts(gts, res)
        tallies = self._metric.tally(captions, references)
        return self._metric.score_tally(tallies.sum()), self._metric.score_segment_tallies(tallies)

    def method(self) -> str:
        """The name of the metric."""
        return "CIDEr"
