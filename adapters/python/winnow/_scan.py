"""Scans of Parquet files."""

from __future__ import annotations

import ctypes
import functools
import io
import json
import os
import reprlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple, Union

from . import _library
from ._arguments import number_of, texts, typed
from ._errors import CorruptError, OptionsError
from ._language import path_of
from ._objects import FileObject
from ._plan import PageMap, Plan, rows_html
from ._values import value_of
from ._where import where as _condition

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]
    import polars  # type: ignore[import-not-found, unused-ignore]
    import pyarrow  # type: ignore[import-untyped, unused-ignore]
    import pyarrow.dataset  # type: ignore[import-untyped, unused-ignore]

Path = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, BinaryIO]

_SHOWN_ROWS, _SHOWN_COLUMNS = 10, 20  # in notebooks

_repr = reprlib.Repr()
_repr.maxlist, _repr.maxstring, _repr.maxother = 6, 200, 200

# Parts of a query that repr does not show.
_HIDDEN = ("schema", "keys", "aad_prefix")


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
        self._objects: dict[str, FileObject] = {}
        paths = [self._add(path) if isinstance(path, FileObject) else path for path in query["paths"]]
        numbers = {name: file.number for name, file in self._objects.items()}
        far = any("://" in path for path in paths)
        environment = {name: value for name, value in os.environ.items() if far and name.startswith(("AWS_", "HADOOP_", "KRB5"))}
        text = json.dumps({**query, "paths": paths, "objects": numbers, "environment": environment})
        _library.check(_library.library().winnow_open(text.encode(), ctypes.byref(handle)))
        self._handle, self._owner = handle.value, _library.owner(handle.value)

    def _add(self, file: FileObject) -> str:
        """The name of a file object in this scan."""
        taken = self._objects.get(file.name, file) is not file or file.name in self._query["paths"]
        name = f"{file.name} ({file.number})" if taken else file.name
        self._objects[name] = file
        return name

    def __repr__(self) -> str:
        shown = (f"{name}={'…' if name in _HIDDEN else _repr.repr(value)}" for name, value in self._query.items() if name != "paths")
        return f"winnow.scan({', '.join([_repr.repr(self._query['paths']), *shown])})"

    def __reduce__(self) -> tuple[type[Scan], tuple[dict[str, Any]]]:
        return Scan, (self._query,)

    def _with(self, **changed: Any) -> Scan:
        """The scan with a query of which some parts are others."""
        return Scan({**self._query, **changed})

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
        if self._objects:
            _library.library().winnow_keep(stream, self._objects)
        return capsule, stream

    def batches(self) -> Iterator[Batch]:
        """The rows, some at a time. Errors have the place in the file that they are about."""
        keep, stream = self._stream(None)
        rows = ctypes.c_int64()
        while True:
            array, pointer = _library.capsule("array")
            schema, place = _library.capsule("schema")
            _library.check(_library.library().winnow_next(stream, pointer, place, ctypes.byref(rows)))
            if rows.value < 0:
                break  # behind the last batch
            yield Batch(schema, array, rows.value)
        del keep

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a pyarrow.Table. Errors have the place in the file that they are about."""
        import pyarrow  # type: ignore[import-untyped, unused-ignore]

        batches = [pyarrow.record_batch(batch) for batch in self.batches()]
        return pyarrow.Table.from_batches(batches, schema=batches[0].schema if batches else pyarrow.schema(self))

    def to_polars(self) -> polars.DataFrame:
        """The rows as a polars.DataFrame."""
        import polars

        return polars.DataFrame(self._with(strings="view"))

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a pandas.DataFrame."""
        return self.to_arrow().to_pandas()

    def to_dataset(self) -> pyarrow.dataset.Dataset:
        """The scan as a data set of pyarrow, into which DuckDB pushes columns and conditions."""
        from ._dataset import ScanDataset

        return ScanDataset(self)

    # Answers

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        names: list[str] = _library.ask(self._handle, "columns")
        return names

    @property
    def schema(self) -> pyarrow.Schema:
        """The columns and their types, as a pyarrow.Schema."""
        import pyarrow  # type: ignore[import-untyped, unused-ignore]

        return pyarrow.schema(self)

    def head(self, n: int = 5) -> pyarrow.Table:
        """The first n rows that pass, as a pyarrow.Table. No more are read than these need."""
        n = number_of("head", "n", n)
        return self._with(limit=min(n, self._query.get("limit", n))).to_arrow()

    def count(self) -> int:
        """How many rows pass. Columns are read only where metadata do not tell."""
        return int(_library.ask(self._handle, "count"))

    def min(self, column: str) -> Any:
        """The least value of a column in the rows that pass, None if it has none there.

        A time that Python's datetime cannot hold exactly is one of numpy, datetime64 or timedelta64.
        """
        return value_of(_library.ask(self._handle, "min", column=typed("min", "column", column, str)))

    def max(self, column: str) -> Any:
        """The greatest value of a column, as min gives the least."""
        return value_of(_library.ask(self._handle, "max", column=typed("max", "column", column, str)))

    def files(self) -> list[File]:
        """The files that the condition does not exclude by the columns of their path. It opens none."""
        return [File(f["index"], f["name"], f["size"]) for f in _library.ask(self._handle, "files")]

    def explain(self, files: int = 100) -> Plan:
        """What metadata prove about the scan, of at most so many files. It reads no rows."""
        return Plan(_library.ask(self._handle, "explain", files=number_of("explain", "files", files)))

    def page_map(self, files: int = 3) -> PageMap:
        """A drawing of the pages of the first files: which ones metadata rule out, and why. It reads their indexes."""
        files = number_of("page_map", "files", files)
        return PageMap(_library.ask(self._handle, "explain", files=files, maps=files))

    def _repr_html_(self) -> str:
        names = self.columns
        shown = self._with(limit=min(_SHOWN_ROWS + 1, self._query.get("limit", _SHOWN_ROWS + 1)))
        if "columns" in self._query or len(names) > _SHOWN_COLUMNS:
            shown = shown._with(columns=self._query.get("columns", [*map(path_of, names)])[:_SHOWN_COLUMNS])
        rows = _library.ask(shown._handle, "rows")
        return rows_html(repr(self), shown.columns, rows, _SHOWN_ROWS, len(names))

    # What runs

    @property
    def stats(self) -> dict[str, Any]:
        """Counters of all runs that are over: rows, requests, pages and bytes of each column by their fate."""
        stats: dict[str, Any] = _library.ask(self._handle, "stats")
        return stats

    @property
    def progress(self) -> Progress:
        """What the scan's runs have done so far. Another thread may look while they run."""
        return Progress(*_library.ask(self._handle, "progress"))

    def cancel(self) -> None:
        """Ends whatever runs of the scan now: it raises CancelledError, or an error of the consumer."""
        _library.library().winnow_cancel(self._handle)


def _base64(value: str | bytes) -> str:
    return b64encode(value.encode() if isinstance(value, str) else value).decode()


def _schema_text(schema: Any) -> str:
    """A schema of Arrow, as queries have it."""
    import pyarrow  # type: ignore[import-untyped, unused-ignore]

    if not isinstance(schema, pyarrow.Schema):
        if not hasattr(schema, "__arrow_c_schema__"):
            raise TypeError(f"scan() argument 'schema' must be pyarrow.Schema, not {type(schema).__name__}")
        schema = pyarrow.schema(schema)
    return _base64(schema.serialize().to_pybytes())


def _files(paths: Path | Iterable[Path]) -> list[str | FileObject]:
    """The names of files, patterns and folders, and file objects, of one path or of several."""
    if isinstance(paths, (str, bytes, bytearray, memoryview, os.PathLike)) or hasattr(paths, "read"):
        every: Iterable[Any] = [paths]
    elif isinstance(paths, Iterable):
        every = paths
    else:
        raise TypeError(f"paths are str, os.PathLike, bytes or file objects, or several of these, not {type(paths).__name__}")
    files: list[str | FileObject] = []
    for path in every:
        name = os.fspath(path) if isinstance(path, os.PathLike) else path
        if isinstance(path, (bytes, bytearray, memoryview)):
            if isinstance(path, bytes) and not path.startswith(b"PAR"):
                raise CorruptError(f"bytes are the contents of a file, and {path[:60]!r} is not Parquet: a path is str, as os.fsdecode returns it")
            files.append(FileObject(io.BytesIO(path)))
        elif hasattr(path, "read") and hasattr(path, "seek"):
            files.append(FileObject(path))
        elif not isinstance(name, str):
            raise TypeError(f"a path is str, os.PathLike, bytes or a file object, not {type(path).__name__}")
        else:
            try:
                name.encode()
            except UnicodeEncodeError:
                raise OptionsError(f"the path {name!r} is not UTF-8") from None
            files.append(name)
    return files


def _typed(*kinds: type) -> Callable[[str, Any], Any]:
    return lambda name, value: typed("scan", name, value, kinds)


# What makes options of scan parts of a query.
_OPTIONS: dict[str, Callable[[str, Any], Any]] = {
    "columns": texts,
    "where": lambda name, where: _condition(*([where] if isinstance(where, str) else typed("scan", name, where, (str, tuple, list)))) or None,
    **dict.fromkeys(("limit", "offset", "threads", "batch_rows", "batch_bytes", "memory"), functools.partial(number_of, "scan")),
    **dict.fromkeys(("row_number", "file_name", "strings", "int96"), _typed(str)),
    "dictionaries": lambda name, paths: texts(name, paths) or (),
    **dict.fromkeys(("extensions", "stored_types", "whole_variants", "union", "hive", "check"), _typed(bool)),
    "schema": lambda _, schema: _schema_text(schema),
    "split": lambda name, split: Split(*typed("scan", name, split, tuple))._asdict(),
    "keys": lambda name, keys: {key: _base64(value) for key, value in typed("scan", name, keys, Mapping).items()},
    "aad_prefix": lambda _, prefix: _base64(prefix),
}


def scan(
    paths: Path | Iterable[Path],
    columns: Sequence[str] | None = None,
    where: str | Sequence[Any] | None = None,
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
    whole_variants: bool = False,
    int96: Literal["ns", "us", "ms", "s"] = "ns",
    union: bool = False,
    hive: bool = True,
    schema: Any = None,
    check: bool = True,
    split: Split | None = None,
    keys: Mapping[str, bytes] | None = None,
    aad_prefix: str | bytes | None = None,
) -> Scan:
    """Describes a scan of Parquet files. Nothing is opened before its rows are asked for.

    paths         a file, a pattern (data/**/*.parquet), a folder, or several of them, as str or
                  os.PathLike. Folders like year=2024 are columns, and exclude files. URLs of the schemes
                  file, https, http, s3 and hdfs, the last two with patterns. Also bytes, and file objects
                  that can seek: open(path, "rb"), io.BytesIO, those of fsspec.
    columns       paths of columns, or of parts of them: "a", "items.price". None: all.
    where         a condition: "price > 9.5 AND ANY(tags) = 'new'". help(winnow.where) has the language. With
                  parameters, a tuple: ("price > ? AND tag = ?", 9.5, "new") or ("price > $p", {"p": 9.5})
    limit, offset of the rows that pass
    threads       how many of them read at once; None: one for each processor
    batch_rows, batch_bytes  bound a batch; 0 stands for 65536 rows and 16 MiB
    memory        bounds the bytes that the scan holds, garbage included, but for what it cannot do without: for each
                  column and thread a page and a dictionary. Batches that you keep do not count. 0: only defaults do
    row_number, file_name  name columns that number the rows of a file, and name it
    strings       how strings are laid out. Views are fastest; pyarrow computes with the others. "stored":
                  as the file's Arrow schema says, or else "string"
    dictionaries  paths of columns that come as dictionaries
    extensions    whether UUID, JSON, VARIANT and geometry have Arrow's extension types
    stored_types  whether columns have the types that Arrow's writers left in the file: durations, time zones,
                  categories, lists of fixed size, and the metadata with the index of pandas
    whole_variants  whether a shredded VARIANT is put together, to a struct of metadata and value, for consumers that
                  know no typed_value
    int96         the unit of timestamps that are stored as INT96
    union         whether the table has the columns of all files, found by name, each of the least type
                  that loses nothing; NULL where a file lacks one. It opens all files first. Without
                  it, the columns are those of the first file.
    hive          whether folders like year=2024 are columns
    schema        the columns and their types, as a pyarrow.Schema or what becomes one by its protocol. They are
                  found by name. A column that a file lacks is NULL; one whose type might lose values is a
                  MismatchError. columns then are names of it, beside which conditions see those of the files.
    check         whether checksums of pages are checked
    split         a part of one file. Then paths are names of files, whose columns the part has.
    keys          of encrypted files, by the names that files have for them: "footer" stands for a
                  footer's key without a name, a column's path for its key without one. With keys,
                  plain files are refused. A pickled scan has its keys.
    aad_prefix    the AAD prefix that all files must have; with keys. None: any
    """
    options = {name: value for name, value in locals().items() if name != "paths"}
    query: dict[str, Any] = {"paths": _files(paths)}
    for name, value in options.items():
        usual = (scan.__kwdefaults__ or {}).get(name)
        if value is not None or usual is not None:
            part = _OPTIONS[name](name, value)
            if part is not None and part != usual:
                query[name] = part
    if schema is not None and (union or row_number or file_name):
        raise OptionsError("a schema says which columns come: it goes with neither union, row_number nor file_name")
    if aad_prefix is not None and keys is None:
        raise OptionsError("without keys, nothing tells the aad_prefix of a file")
    return Scan(query)
