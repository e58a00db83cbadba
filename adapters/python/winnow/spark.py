"""Scans as a data source of Spark 4.1 and later.

    winnow.spark.register(spark)
    sales = spark.read.format("winnow").option("columns", "region, price").option("where", "price > 100").load("sales")
    sales.groupBy("region").count()
    winnow.spark.select(spark, "sales", "max(price) - min(price) AS spread", where="region = 'EU'")

Options, beside the paths of load, which are those of winnow.scan:

    columns         paths of columns: "a, b.c", or a list in JSON. Spark tells no Python data source
                    which columns it needs, so they are named here, by spark.read.schema, or by what select is
                    given. With "[]" there are only rows to count, which metadata tell where they can.
    where           a condition of winnow
    partitionBytes  how much of files a partition has, 128m if not told. A file counts with 4m at least.
    pushdown        true: filters of Spark that mean the same to winnow run in the scan. Each load is then for
                    one use in one query, as README.md explains.
    check           false: checksums of pages are not checked
    keys            a file with the keys of encrypted files, which the driver reads: lines of a name and
                    hexadecimal digits, as scan --keys has them. Plain files are refused then.
    aadPrefix       the AAD prefix that all files must have; with keys
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyspark.serializers import CPickleSerializer  # type: ignore[import-not-found, unused-ignore]
from pyspark.sql import DataFrame, SparkSession  # type: ignore[import-not-found, unused-ignore]
from pyspark.sql.datasource import DataSource, DataSourceReader, Filter, InputPartition  # type: ignore[import-not-found, unused-ignore]
from pyspark.sql.pandas.types import to_arrow_schema  # type: ignore[import-not-found, unused-ignore]
from pyspark.sql.types import DataType, StructField, StructType  # type: ignore[import-not-found, unused-ignore]

from ._errors import MismatchError, OptionsError
from ._language import path_of
from ._scan import File, Scan, Split
from ._scan import scan as _scan
from ._spark_filters import condition
from ._spark_types import INT96, converted, schema_of

__all__ = ["Partition", "WinnowDataSource", "describe", "register", "select"]

_OPTIONS = ("columns", "where", "partitionBytes", "pushdown", "check", "keys", "aadPrefix")
_OPEN_COST = 4 << 20
_MOST_ROWS = 1 << 20  # of a batch without columns, for each of which pyspark makes an object
_KNOWN_LEAVES = ("UnresolvedAttribute", "Literal", "UnresolvedNamedLambdaVariable", "UnresolvedFunction")  # the last without arguments
_PICKLE: Any = CPickleSerializer()

# Spark's own reader has columns as Parquet has them. Extensions tell a VARIANT, which Spark has no shredded ones of.
_PLAIN = {"strings": "string", "stored_types": False, "whole_variants": True}


def register(spark: SparkSession) -> None:
    """Makes spark.read.format("winnow") known to a session."""
    spark.dataSource.register(WinnowDataSource)


@dataclass(frozen=True)
class Partition(InputPartition):  # type: ignore[misc, unused-ignore]  # Any without pyspark
    """What one task reads: parts of files."""

    splits: tuple[Split, ...]
    names: tuple[str, ...]  # of the files, one for each split
    bytes: int
    where: str  # what is asked of their rows


class WinnowDataSource(DataSource):  # type: ignore[misc, unused-ignore]  # Any without pyspark
    """The format winnow."""

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        known = {name.lower() for name in ("path", "paths", *_OPTIONS)}
        for name in options:
            if name.lower() not in known:
                raise OptionsError(f"there is no option {name}: those of winnow are {', '.join(_OPTIONS)}")
        self.paths = _paths(options)
        self.columns = _columns(options.get("columns"))
        self.where = options.get("where") or None
        self.partition_bytes = _size(options.get("partitionBytes", "128m"))
        self.pushdown = _truth(options, "pushdown", "false")
        self.check = _truth(options, "check", "true")
        self.opening: dict[str, Any] = {**_PLAIN, "keys": _keys(options.get("keys")), "aad_prefix": options.get("aadPrefix")}

    @classmethod
    def name(cls) -> str:
        return "winnow"

    def schema(self) -> StructType:
        return schema_of(pa.schema(_scan(self.paths, self.columns, int96=INT96, **self.opening)))

    def reader(self, schema: StructType) -> DataSourceReader:
        return (FilteringReader if self.pushdown else Reader)(self, schema)


class Reader(DataSourceReader):  # type: ignore[misc, unused-ignore]  # Any without pyspark
    """Reads the columns of a schema. Spark applies all filters."""

    def __init__(self, source: WinnowDataSource, schema: StructType) -> None:
        self.source, self.schema = source, schema
        self.columns = [path_of(name) for name in schema.names] if source.columns is None else source.columns
        self.pushed: list[str] = []  # filters of Spark, as conditions
        # The names of all files: the columns that are in paths depend on each of them. They are settled
        # here, as Spark sends the reader to its executors as it is before it asks for partitions.
        self.files = [f.name for f in _scan(source.paths).files()]
        own = schema_of(pa.schema(_scan(source.paths, self.columns, int96=INT96, **source.opening)))
        if own.names != schema.names:
            raise MismatchError(f"the columns are {', '.join(own.names)}, those of the wanted schema {', '.join(schema.names)}")
        for have, want in zip(own, schema):
            if have.dataType.simpleString() != want.dataType.simpleString():
                text = f"column {have.name} is {have.dataType.simpleString()}, not {want.dataType.simpleString()} as the wanted schema has it"
                raise MismatchError(text, column=have.name)

    def partitions(self) -> Sequence[InputPartition]:
        return pack(self._scan().files(), self.source.partition_bytes, self._where())

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        if not isinstance(partition, Partition):
            return  # Spark's for no partitions
        schema = to_arrow_schema(self.schema, timezone="UTC")
        for split in partition.splits:
            scan = self._scan(split=split, columns=self.columns, int96="us", threads=1, check=self.source.check)
            if not self.columns:
                yield from _rows(scan.count())
                continue
            for batch in scan.batches():
                yield converted(pa.record_batch(batch), schema)

    def _scan(self, **options: Any) -> Scan:
        scan = _scan(self.files, where=self.source.where, **options, **self.source.opening)
        return scan._with(pushed=self.pushed) if self.pushed else scan

    def _where(self) -> str:
        return " AND ".join(f"({c})" for c in [self.source.where, *self.pushed] if c)


class FilteringReader(Reader):
    """Applies the filters that mean the same to winnow itself."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        for f in filters:
            text = condition(f, self.schema)
            if text is None:
                yield f
            else:
                self.pushed.append(text)


def describe(frame: DataFrame) -> str:
    """What the plan of a DataFrame reads by winnow: the condition, files, and partitions with their parts of files.

    Spark's own explain shows the filters that it passed on, as PushedFilters, but nothing of files and partitions.
    """
    java: Any = frame._jdf
    leaves, lines = java.queryExecution().sparkPlan().collectLeaves(), []
    for i in range(leaves.size()):
        leaf = leaves.apply(i)
        if leaf.getClass().getSimpleName() != "BatchScanExec" or leaf.table().name() != WinnowDataSource.name():
            continue
        read = leaf.inputPartitions()
        pickled = [_PICKLE.loads(bytes(read.apply(j).pickedPartition())) for j in range(read.size())]
        partitions = [p for p in pickled if isinstance(p, Partition)]
        files = {name for p in partitions for name in p.names}
        lines.append(f"winnow: {len(files)} files, {sum(p.bytes for p in partitions)} bytes, {len(partitions)} partitions")
        lines += [f"  where {where}" for where in {p.where for p in partitions} if where]
        for number, p in enumerate(partitions):
            parts = ", ".join(f"{name} [{s.offset}, {s.offset + s.length})" for s, name in zip(p.splits, p.names))
            lines.append(f"  {number}: {p.bytes} bytes: {parts}")
    return "\n".join(lines)


def select(spark: SparkSession, paths: str | list[str], items: str, **options: str) -> DataFrame:
    """The items of a SELECT list, as spark.sql has them, of files of which no other columns are read.

    Of structs, only the fields that the items name are read. options are those of the data source, but columns.
    """
    read = spark.read.format(WinnowDataSource.name()).options(**options)
    table = read.load(paths)
    columns = _needed(_leaves(spark, items), table.schema)
    if columns is not None:
        table = read.option("columns", json.dumps(columns)).load(paths)
    return spark.sql(f"SELECT {items.replace('{', '{{').replace('}', '}}')} FROM {{winnow}}", winnow=table)


def _leaves(spark: SparkSession, items: str) -> list[tuple[str, list[str]]]:
    """The leaves of the items' expressions: their kinds, and the parts of the names of columns."""
    session: Any = spark
    found, parsed = [], session._jsparkSession.sessionState().sqlParser().parsePlan("SELECT " + items).expressions()
    for i in range(parsed.size()):
        leaves = parsed.apply(i).collectLeaves()
        for leaf in (leaves.apply(j) for j in range(leaves.size())):
            kind = leaf.getClass().getSimpleName()
            parts = leaf.nameParts() if kind == "UnresolvedAttribute" else None
            found.append((kind, [parts.apply(j) for j in range(parts.size())] if parts else []))
    return found


def _needed(leaves: list[tuple[str, list[str]]], schema: StructType) -> list[str] | None:
    """The paths of columns that expressions need, None for all: as of stars, subqueries, and names in two cases."""
    needed: dict[tuple[str, ...], None] = {}
    for kind, parts in leaves:
        path: tuple[str, ...] = ()
        inner: DataType = schema
        fields: list[StructField] = []
        for part in parts:
            fields = [f for f in inner.fields if f.name.lower() == part.lower()] if isinstance(inner, StructType) else []
            if len(fields) != 1:
                break
            path, inner = (*path, fields[0].name), fields[0].dataType
        if kind not in _KNOWN_LEAVES or parts and not path and fields:
            return None
        if path:  # other names are those of other items, or unknown to Spark as well
            needed[path] = None
    return [path_of(*path) for path in needed if not any(path[:n] in needed for n in range(1, len(path)))]


def _rows(count: int) -> Iterator[pa.RecordBatch]:
    """So many rows without columns."""
    for at in range(0, count, _MOST_ROWS):
        yield pa.RecordBatch.from_struct_array(pa.array([{}] * min(_MOST_ROWS, count - at), pa.struct([])))


def pack(files: Sequence[File], limit: int, where: str = "") -> list[InputPartition]:
    """Files in partitions of at most so many bytes each: cut where they are longer, together where they are shorter."""
    groups: list[list[tuple[Split, str]]] = []
    room = 0
    for f in files:
        for offset in range(0, max(f.size, 1), limit):
            length = max(min(limit, f.size - offset), 1)
            if max(length, _OPEN_COST) > room:
                groups.append([])
                room = limit
            groups[-1].append((Split(f.index, offset, length), f.name))
            room -= max(length, _OPEN_COST)
    return [Partition(tuple(s for s, _ in group), tuple(name for _, name in group), sum(s.length for s, _ in group), where) for group in groups]


def _paths(options: MutableMapping[str, str]) -> list[str]:
    paths = json.loads(options["paths"]) if "paths" in options else [options["path"]] if options.get("path") else []
    return [_path(p) for p in paths]


def _path(path: str) -> str:
    """A path for any process, whatever folder it works in."""
    if not path:
        raise OptionsError("paths: one of them is empty")
    url = urlsplit(path)
    if url.scheme == "file":
        path = unquote(url.path)
    elif "://" in path:
        raise OptionsError(f"{path}: winnow reads local files, and those of mounted file systems")
    return os.path.abspath(path)


def _columns(text: str | None) -> list[str] | None:
    if not text:
        return None
    if not text.lstrip().startswith("["):
        return [name.strip() for name in text.split(",")]
    columns = json.loads(text)
    if not all(isinstance(c, str) for c in columns):
        raise OptionsError(f"columns: {text} is no list of paths")
    return list(columns)


def _keys(path: str | None) -> dict[str, bytes] | None:
    """The keys of a file, which is named in place of them since Spark shows options."""
    if path is None:
        return None
    keys = {}
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip() and not line.lstrip().startswith("#"):
                try:
                    name, digits = line.rsplit(None, 1)
                    keys[name.strip()] = bytes.fromhex(digits)
                except ValueError:
                    raise OptionsError(f"keys: {path}, line {number}: want a name and hexadecimal digits") from None
    return keys


def _size(text: str) -> int:
    number, unit = text.strip().lower().removesuffix("b"), 1
    if number[-1:] in ("k", "m", "g"):
        number, unit = number[:-1], {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}[number[-1]]
    if not number.isdecimal() or int(number) == 0:
        raise OptionsError(f"partitionBytes: {text} is no number of bytes")
    return int(number) * unit


def _truth(options: MutableMapping[str, str], name: str, usual: str) -> bool:
    text = options.get(name, usual).lower()
    if text not in ("true", "false"):
        raise OptionsError(f"{name}: {text} is neither true nor false")
    return text == "true"
