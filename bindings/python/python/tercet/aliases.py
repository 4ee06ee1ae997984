"""Types of arguments, for annotations. The package imports them for type checkers only, so that `import tercet` stays
quick."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Callable, Optional, Union

from .texts import ReferenceColumns

#: One line per segment: a list of `str`, or a column of numpy, pandas, polars or Arrow.
Texts = Union[Sequence[str], Iterable[str], Any]

#: A reference for each segment, a list of references for each segment, or columns of references.
References = Union[Texts, Sequence[Sequence[str]], ReferenceColumns]

#: The lines of several systems: a dict of them by name, or a data frame with a column for each.
Systems = Union[Mapping[str, Texts], Any]

#: The lines of one system, or of several.
Hypotheses = Union[Texts, Systems]

#: Called ten times a second with stage, units done, their total, unit and status.
Report = Callable[[str, int, Optional[int], str, str], None]

#: False: no bar. True: a bar where there is a terminal or a notebook. A function: it is called.
Progress = Union[bool, Report]

#: The path of a file or folder.
Path = Union[str, "os.PathLike[str]"]

#: Rows with named fields: a file of JSON lines, JSON, CSV or TSV, or a list of dicts.
Rows = Union[Path, Sequence[Mapping[str, Any]]]
