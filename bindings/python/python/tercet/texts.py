"""Columns of text: lists of `str`, numpy, pandas, polars and Arrow columns."""

from __future__ import annotations

from . import _native
from .errors import RequestError

TYPE_CHECKING = False  # typing takes a third of the time of the import

if TYPE_CHECKING:
    from typing import Any

    from .aliases import References, Texts


class ReferenceColumns:
    """References as one column per reference: `columns[reference][segment]`, with `None` where a segment has fewer."""

    def __init__(self, *columns: Texts) -> None:
        self.columns = columns

    def __repr__(self) -> str:
        return f"ReferenceColumns of {len(self.columns)}"


def native_texts(value: Texts, what: str) -> Any:
    """The column as the native module reads it: a list, a tuple or Arrow's buffers."""
    if isinstance(value, (list, tuple)):
        return value
    _refuse(value, what)
    column = _of_arrow(value)
    return native_list(value, what) if column is None else column


def native_list(value: Any, what: str, items: str = "str") -> list[Any] | tuple[Any, ...]:
    """The same as a list or a tuple; `items` is what it has, for messages."""
    if isinstance(value, (list, tuple)):
        return value
    _refuse(value, what, items)
    converted = _of_library(value)
    if converted is not None:
        return converted
    try:
        each = iter(value)
    except TypeError:
        raise TypeError(f"{what}: expected a list of {items}, found {type(value).__name__}") from None
    return list(each)


def _refuse(value: Any, what: str, items: str = "str") -> None:
    """Refuses what would be read otherwise than it is meant."""
    if isinstance(value, str) and items == "str":
        hint = " (give a list of lines; a file must be read first: open(path, encoding='utf-8').readlines())"
    elif value is None or isinstance(value, (str, bytes, bytearray, memoryview, dict)):
        hint = ""
    elif isinstance(value, (set, frozenset)):
        hint = ", which has no order"
    elif hasattr(type(value), "columns"):
        hint = " (give one of its columns)"
    else:
        return
    raise TypeError(f"{what}: expected a list of {items}, found {type(value).__name__}{hint}")


def is_frame(value: Any) -> bool:
    """Whether a value is a data frame or a table, of any library."""
    return hasattr(type(value), "columns")


def columns_of(frame: Any, what: str) -> dict[Any, Any]:
    """The columns of a data frame of pandas or polars, or of a table of Arrow, by name."""
    if type(frame).__module__.startswith("pyspark."):
        raise TypeError(f"{what}: a data frame of Spark is scored by tercet.spark")
    if type(frame).__name__ == "LazyFrame":
        raise TypeError(f"{what}: a LazyFrame has no texts yet: give what its method collect() returns")
    # Columns of Arrow's tables are the columns themselves, elsewhere their names.
    names = list(frame.schema.names if hasattr(type(frame), "num_columns") else frame.columns)
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise RequestError(f"{what}: the data frame has {names.count(repeated)} columns {str(repeated)!r}: rename them")
    return {name: frame[name] for name in names}


def native_references(value: References) -> tuple[Any, bool]:
    """References as the native module reads them, and whether they are columns."""
    if isinstance(value, ReferenceColumns):
        return [native_texts(column, f"references[{i}]") for i, column in enumerate(value.columns)], True
    lines = native_texts(value, "references")
    if isinstance(lines, _native.ArrowStrings):
        return lines, False
    if not all(isinstance(line, str) for line in lines):
        lines = [_segment(line, i) for i, line in enumerate(lines)]
    return lines, False


def _segment(references: Any, i: int) -> Any:
    """The references of one segment; what is no list is left to the native module, which refuses it."""
    if references is None or isinstance(references, (str, bytes, list, tuple)) or not hasattr(references, "__iter__"):
        return references
    return native_list(references, f"references[{i}]")


def _of_library(value: Any) -> list[Any] | None:
    """Columns of numpy, pandas and polars without Arrow's buffers."""
    for method in ("to_list", "tolist", "to_pylist"):
        if hasattr(value, method):
            items = getattr(value, method)()
            return items if isinstance(items, list) else None
    return None


def _of_arrow(value: Any) -> Any:
    """The strings of a column that is stored as Arrow strings, with one copy of its buffers; None for all others."""
    array = _arrow_array(value)
    if array is None:
        return None
    import pyarrow

    if isinstance(array, pyarrow.ChunkedArray):
        array = array.combine_chunks() if array.num_chunks != 1 else array.chunk(0)
        if isinstance(array, pyarrow.ChunkedArray):
            return None
    kind = array.type.value_type if pyarrow.types.is_dictionary(array.type) else array.type
    if str(kind) not in ("string", "large_string", "string_view") or array.null_count:
        return None
    if kind != array.type or str(kind) == "string_view":
        array = array.cast(pyarrow.large_string())
        if array.null_count:  # a null of the dictionary, which counts as none before
            return None
    wide = pyarrow.types.is_large_string(array.type)
    width = 8 if wide else 4
    if len(array) == 0:
        return _native.ArrowStrings(b"", bytes(width), wide)
    _, offsets, data = array.buffers()
    start, end = array.offset * width, (array.offset + len(array) + 1) * width
    places = memoryview(offsets)[start:end]
    first, last = (int.from_bytes(place, "little") for place in (places[:width], places[-width:]))
    # A slice shares the data of the whole column, of which only its own part is copied.
    own = data.slice(first, last - first).to_pybytes() if last > first else b""
    return _native.ArrowStrings(own, places.tobytes(), wide)


def _arrow_array(value: Any) -> Any:
    """The pyarrow array behind a column, if there is one."""
    module = type(value).__module__.split(".")[0]
    if module == "pyarrow":
        return value if hasattr(value, "buffers") or hasattr(value, "chunks") else None
    if module == "pandas" and "pyarrow" in str(getattr(value, "dtype", "")):
        return _array_of(value)
    if module == "pandas" and type(getattr(value, "array", None)).__name__.startswith("Arrow"):
        return _array_of(value)
    if module == "polars" and hasattr(value, "to_arrow"):
        try:
            return value.to_arrow()
        except ImportError:
            return None
    return None


def _array_of(series: Any) -> Any:
    import pyarrow

    return pyarrow.array(series, from_pandas=True)
