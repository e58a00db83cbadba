"""Types of Arrow as Spark's, and columns in the types that Spark expects.

    unsigned integers       the next wider signed type, uint64 decimal(20, 0)
    half floats             float
    timestamps              timestamp if in UTC or stored as INT96, else timestamp_ntz; in microseconds, rounded down
    times                   time(6), in microseconds, rounded down
    binary of one size      binary
    VARIANT                 variant
    UUID, JSON              binary, string

What Spark has no type for, such as decimals of over 38 digits, is an UnsupportedError.
"""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
import pyarrow.compute  # type: ignore[import-untyped, unused-ignore]
from pyspark.sql import types as t  # type: ignore[import-not-found, unused-ignore]

from ._errors import UnsupportedError

pc: Any = pyarrow.compute  # whose functions are made when it is imported

# No timestamp in Parquet has seconds. In schemas, those stored as INT96 get them, to be told apart.
INT96: Final = "s"

_LEAVES: dict[pa.DataType, t.DataType] = {
    pa.bool_(): t.BooleanType(),
    pa.int8(): t.ByteType(),
    pa.int16(): t.ShortType(),
    pa.int32(): t.IntegerType(),
    pa.int64(): t.LongType(),
    pa.uint8(): t.ShortType(),
    pa.uint16(): t.IntegerType(),
    pa.uint32(): t.LongType(),
    pa.uint64(): t.DecimalType(20, 0),
    pa.float16(): t.FloatType(),
    pa.float32(): t.FloatType(),
    pa.float64(): t.DoubleType(),
    pa.string(): t.StringType(),
    pa.binary(): t.BinaryType(),
    pa.date32(): t.DateType(),
    pa.null(): t.NullType(),
    pa.timestamp(INT96): t.TimestampType(),
}


def schema_of(schema: pa.Schema) -> t.StructType:
    """A schema of winnow's as Spark's. As in tables of files elsewhere in Spark, anything may be NULL."""
    return t.StructType([t.StructField(f.name, _type_of(f, f.name)) for f in schema])


def _type_of(f: pa.Field, path: str) -> t.DataType:
    a = f.type.storage_type if isinstance(f.type, pa.BaseExtensionType) else f.type
    if (f.metadata or {}).get(b"ARROW:extension:name") == b"arrow.parquet.variant":
        return t.VariantType()
    if a in _LEAVES:
        return _LEAVES[a]
    if pa.types.is_timestamp(a):
        return t.TimestampNTZType() if a.tz is None else t.TimestampType()
    if pa.types.is_time(a):  # Spark's have microseconds at most
        return t.TimeType(6)
    if pa.types.is_fixed_size_binary(a):
        return t.BinaryType()
    if pa.types.is_decimal128(a):
        return t.DecimalType(a.precision, a.scale)
    if pa.types.is_struct(a):
        return t.StructType([t.StructField(f.name, _type_of(f, f"{path}.{f.name}")) for f in a])
    if pa.types.is_list(a):
        return t.ArrayType(_type_of(a.value_field, path + ".item"))
    if pa.types.is_map(a):
        return t.MapType(_type_of(a.key_field, path + ".key"), _type_of(a.item_field, path + ".value"))
    raise UnsupportedError(f"column {path}: Spark has no type for {a}", column=path)


def converted(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """A batch with the types of a schema, which Spark has for those that schema_of returned."""
    return pa.RecordBatch.from_arrays([_converted(c, f.type) for c, f in zip(batch.columns, schema)], schema=schema)


def _converted(a: pa.Array, to: pa.DataType) -> pa.Array:
    if isinstance(a, pa.ExtensionArray):
        a = a.storage
    if a.type == to and not pa.types.is_time(to):
        return a
    if pa.types.is_timestamp(to):
        return _microseconds(a, to)
    if pa.types.is_time(to):  # in nanoseconds, as Spark takes it
        return pc.multiply(pc.divide(a.cast(to).view(pa.int64()), 1000), 1000).view(to)
    if pa.types.is_struct(to):
        names = [f.name for f in a.type]  # Spark has the parts of a variant in the other order
        order = [names.index(f.name) for f in to] if names[:1] == ["metadata"] else range(to.num_fields)
        fields = [_converted(a.field(i), f.type) for i, f in zip(order, to)]
        return pa.StructArray.from_arrays(fields, fields=list(to), mask=a.is_null())
    if pa.types.is_list(to):
        items = [_converted(a.values, to.value_type)]
    elif pa.types.is_map(to):
        keys, values = _converted(a.keys, to.key_type), _converted(a.items, to.item_type)
        items = [pa.StructArray.from_arrays([keys, values], fields=[to.key_field, to.item_field])]
    else:
        return a.cast(to)
    return pa.Array.from_buffers(to, len(a), a.buffers()[:2], a.null_count, a.offset, items)


def _microseconds(a: pa.Array, to: pa.TimestampType) -> pa.Array:
    if a.type.unit == "us":
        return a.view(to)
    if a.type.unit != "ns":
        return a.cast(pa.timestamp("us", a.type.tz)).view(to)
    nanoseconds = a.view(pa.int64())
    down = pc.divide(nanoseconds, 1000)  # towards zero
    negative = pc.less(nanoseconds, pc.multiply(down, 1000))
    return pc.subtract(down, negative.cast(pa.int64())).view(to)
