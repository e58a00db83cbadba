"""Scans of Parquet files."""

from __future__ import annotations

import ctypes
import json
import os
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union

from . import _library
from ._errors import ForkError, OptionsError
from ._plan import Plan
from ._values import value_of

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Path = Union[str, "os.PathLike[str]"]

_MAPS = 3  # files of a plan whose pages are drawn in notebooks


class Progress(NamedTuple):
    """What the runs of a scan have done so far, those that are not over included."""

    files: int  # of the scan
    files_begun: int
    files_done: int
    row_groups_done: int
    rows: int  # that were handed over
    bytes: int  # that were read from files


class File(NamedTuple):
    """A file of a scan."""

    index: int  # type: ignore[assignment]  # among all files, those left out included; hides tuple.index
    name: str
    size: int  # in bytes


class Split(NamedTuple):
    """The row groups of one file whose middle lies in a range of its bytes.

    Splits that cover a file have each of its rows once.
    """

    file: int  # its index in paths
    offset: int
    length: int


class Batch:
    """Some rows of a scan, for whatever takes __arrow_c_array__.

    The rows can be taken once, as Arrow's protocol moves them.
    """

    def __init__(self, schema: Any, array: Any, rows: int) -> None:
        self._schema, self._array, self._rows = schema, array, rows

    def __len__(self) -> int:
        return self._rows

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        # Arrow's protocol: a producer that cannot convert returns its own types.
        return self._schema, self._array


class Scan:
    """A scan of Parquet files. It can run any number of times, also in several threads at once.

    It is a stream of Arrow's PyCapsule protocol: pyarrow.table(scan), polars.DataFrame(scan),
    pandas.DataFrame.from_arrow(scan), and scan as the name of a table in DuckDB.
    """

    def __init__(self, query: dict[str, Any]) -> None:
        self._query = query
        handle = ctypes.c_size_t()
        _library.check(_library.library().winnow_open(json.dumps(query).encode(), ctypes.byref(handle)))
        self._handle, self._owner = handle.value, _library.owner(handle.value)

    def __repr__(self) -> str:
        told = (f"{name}={'…' if name == 'keys' else repr(value)}" for name, value in self._query.items())
        return f"winnow.Scan({', '.join(told)})"

    def __reduce__(self) -> tuple[type[Scan], tuple[dict[str, Any]]]:
        return Scan, (self._query,)

    # Arrow

    def __arrow_c_schema__(self) -> object:
        capsule, schema = _library.capsule("schema")
        _library.check(_library.library().winnow_schema(self._handle, schema))
        return capsule

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._stream(requested_schema)[0]

    def _stream(self, requested_schema: object | None) -> tuple[Any, int]:
        requested = None if requested_schema is None else _library.pointer_of(requested_schema, "schema")
        capsule, stream = _library.capsule("stream")
        _library.check(_library.library().winnow_stream(self._handle, requested, stream))
        return capsule, stream

    def batches(self) -> Iterator[Batch]:
        """The rows, some at a time. Errors have the place in the file that they are about."""
        keep, stream = self._stream(None)
        get_schema = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(ctypes.c_void_p.from_address(stream).value or 0)
        while True:
            array, pointer = _library.capsule("array")
            _library.check(_library.library().winnow_next(stream, pointer))
            if not _Array.from_address(pointer).release:
                break  # behind the last batch
            schema, place = _library.capsule("schema")
            if get_schema(stream, place):
                raise ForkError("winnow cannot be used in a forked process")
            yield Batch(schema, array, _Array.from_address(pointer).length)
        del keep

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a pyarrow.Table. Errors have the place in the file that they are about."""
        import pyarrow

        batches = [pyarrow.record_batch(batch) for batch in self.batches()]
        return pyarrow.Table.from_batches(batches, schema=batches[0].schema if batches else pyarrow.schema(self))

    def to_polars(self) -> polars.DataFrame:
        """The rows as a polars.DataFrame."""
        import polars

        return polars.DataFrame(Scan({**self._query, "strings": "view"}))

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a pandas.DataFrame."""
        return self.to_arrow().to_pandas()

    # Answers

    def count(self) -> int:
        """How many rows pass. Columns are read only where metadata do not tell."""
        rows = ctypes.c_int64()
        _library.check(_library.library().winnow_count(self._handle, ctypes.byref(rows)))
        return rows.value

    def min(self, column: str) -> Any:
        """The least value of a column in the rows that pass, None if it has none there.

        A time that Python's datetime cannot hold exactly is one of numpy, datetime64 or timedelta64.
        """
        return value_of(_library.text_from(_library.library().winnow_extreme, self._handle, column.encode(), 0))

    def max(self, column: str) -> Any:
        """The greatest value of a column, as min gives the least."""
        return value_of(_library.text_from(_library.library().winnow_extreme, self._handle, column.encode(), 1))

    def files(self) -> list[File]:
        """The files that the condition does not exclude by the columns of their path. It opens none."""
        listed = _library.text_from(_library.library().winnow_files, self._handle)
        return [File(f["index"], f["name"], f["size"]) for f in listed]

    def explain(self, files: int = 100) -> Plan:
        """What metadata prove about the scan, of at most so many files. It reads no rows."""

        def plan(files: int, maps: int) -> Any:
            return _library.text_from(_library.library().winnow_explain, self._handle, files, maps)

        return Plan(plan(files, 0), lambda: plan(min(files, _MAPS), _MAPS))

    def _repr_html_(self) -> str:
        return self.explain()._repr_html_()

    # What runs

    @property
    def stats(self) -> dict[str, Any]:
        """Counters of all runs that are over: rows, requests, pages and bytes of each column by their fate."""
        stats: dict[str, Any] = _library.text_from(_library.library().winnow_stats, self._handle)
        for name in ("files_begun", "files_done", "row_groups_done", "rows_so_far", "bytes_so_far", "goroutines"):
            del stats[name]
        return stats

    @property
    def progress(self) -> Progress:
        """What the scan's runs have done so far. Another thread may look while they run."""
        s = _library.text_from(_library.library().winnow_stats, self._handle)
        return Progress(s["files"], s["files_begun"], s["files_done"], s["row_groups_done"], s["rows_so_far"], s["bytes_so_far"])

    def cancel(self) -> None:
        """Ends whatever runs of the scan now: it raises CancelledError, or an error of the consumer."""
        _library.library().winnow_cancel(self._handle)


class _Array(ctypes.Structure):
    """struct ArrowArray."""

    _fields_ = [
        ("length", ctypes.c_int64),
        ("null_count", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("n_buffers", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("buffers", ctypes.c_void_p),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]


def _base64(value: str | bytes) -> str:
    return b64encode(value.encode() if isinstance(value, str) else value).decode()


def _names(paths: Path | Iterable[Path]) -> list[str]:
    """The names of files, patterns and folders, of one path or of several."""
    if isinstance(paths, (str, bytes, os.PathLike)):
        paths = [paths]
    elif hasattr(paths, "read") or not isinstance(paths, Iterable):  # a file has lines, which are no paths
        raise TypeError(f"paths are str or os.PathLike, or several of these, not {type(paths).__name__}: winnow opens files by their names")
    names = []
    for path in paths:
        name = os.fspath(path) if isinstance(path, os.PathLike) else path
        if not isinstance(name, str):
            raise TypeError(f"a path is str or os.PathLike, not {type(path).__name__}: winnow opens files by their names")
        try:
            name.encode()
        except UnicodeEncodeError:
            raise OptionsError(f"the path {name!r} is not UTF-8") from None
        names.append(name)
    return names


def scan(
    paths: Path | Iterable[Path],
    columns: Sequence[str] | None = None,
    where: str | None = None,
    *,
    limit: int | None = None,
    offset: int = 0,
    threads: int | None = None,
    batch_rows: int = 0,
    batch_bytes: int = 0,
    memory: int = 0,
    row_number: str = "",
    file_name: str = "",
    strings: Literal["stored", "string", "view", "large"] = "stored",
    dictionaries: Sequence[str] = (),
    extensions: bool = True,
    stored_types: bool = True,
    int96: Literal["ns", "us", "ms", "s"] = "ns",
    union: bool = False,
    check: bool = True,
    split: Split | None = None,
    keys: Mapping[str, bytes] | None = None,
    aad_prefix: str | bytes | None = None,
) -> Scan:
    """Describes a scan of Parquet files. Nothing is opened before its rows are asked for.

    paths         a file, a pattern (data/**/*.parquet), a folder, or several of them, as str or
                  os.PathLike. Folders like year=2024 are columns, and exclude files.
    columns       paths of columns, or of parts of them: "a", "items.price". None: all.
    where         a condition: "price > 9.5 AND ANY(tags) = 'new'"
    limit, offset of the rows that pass
    threads       how many of them read at once; None: one for each processor
    batch_rows, batch_bytes  bound a batch; 0 stands for 8192 rows and 16 MiB
    memory        bounds the bytes that the scan holds; 0: only defaults do
    row_number, file_name  name columns that number the rows of a file, and name it
    strings       how strings are laid out. Views are fastest; pyarrow computes with the others. "stored":
                  as the file's Arrow schema says, or else "string"
    dictionaries  paths of columns that come as dictionaries
    extensions    whether UUID, JSON, VARIANT and geometry have Arrow's extension types
    stored_types  whether columns have the types that Arrow's writers left in the file: durations, time zones,
                  categories, lists of fixed size, and the metadata with the index of pandas
    int96         the unit of timestamps that are stored as INT96
    union         whether the table has the columns of all files, found by name, each of the least type
                  that loses nothing; NULL where a file lacks one. It opens all files first. Without
                  it, the columns are those of the first file.
    check         whether checksums of pages are checked
    split         a part of one file. Then paths are names of files, whose columns the part has.
    keys          of encrypted files, by the names that files have for them: "footer" stands for a
                  footer's key without a name, a column's path for its key without one. With keys,
                  plain files are refused. A pickled scan has its keys.
    aad_prefix    the AAD prefix that all files must have; with keys. None: any
    """
    names = _names(paths)
    if isinstance(columns, str) or isinstance(dictionaries, str):
        raise OptionsError("columns and dictionaries are lists of paths, not a path")
    if limit is not None and limit < 0 or offset < 0:
        raise OptionsError("limit and offset are not negative")
    if aad_prefix is not None and keys is None:
        raise OptionsError("without keys, nothing tells the aad_prefix of a file")
    query: dict[str, Any] = {"paths": names}
    for name, value, usual in (
        ("columns", None if columns is None else list(columns), None),
        ("where", where or None, None),
        ("limit", limit, None),
        ("offset", offset, 0),
        ("threads", threads or 0, 0),
        ("batch_rows", batch_rows, 0),
        ("batch_bytes", batch_bytes, 0),
        ("memory", memory, 0),
        ("row_number", row_number, ""),
        ("file_name", file_name, ""),
        ("strings", strings, "stored"),
        ("dictionaries", list(dictionaries), []),
        ("extensions", extensions, False),
        ("ignore_stored", not stored_types, False),
        ("int96", int96, "ns"),
        ("union", union, False),
        ("skip_checksums", not check, False),
        ("split", split and split._asdict(), None),
        ("keys", None if keys is None else {name: _base64(key) for name, key in keys.items()}, None),
        ("aad_prefix", None if aad_prefix is None else _base64(aad_prefix), None),
    ):
        if value != usual:
            query[name] = value
    return Scan(query)
