"""Spark's filters as conditions of winnow.

A filter is only translated if the condition is TRUE, FALSE and NULL of the same rows as
Spark's. Spark applies the others itself.
"""

from __future__ import annotations

import datetime
import decimal
import math
from collections.abc import Callable
from typing import Any, TypeAlias

from pyspark.sql import datasource as spark  # type: ignore[import-not-found, unused-ignore]
from pyspark.sql import types as t  # type: ignore[import-not-found, unused-ignore]

from ._language import double_of, literal_of, path_of

_Translation: TypeAlias = Callable[[str, t.DataType, Any], "str | None"]  # of a path, its type, and a value

_OPPOSITES = {">": "<=", ">=": "<"}
_MOMENTS = (t.TimestampType, t.TimestampNTZType, t.TimeType)
_MICROSECOND = datetime.timedelta(microseconds=1)
_MOST_TIMES = 100  # of an IN, each of which becomes a range


def condition(f: spark.Filter, schema: t.StructType) -> str | None:
    """The condition that a filter on columns of a schema is, or None if there is no such condition."""
    if isinstance(f, spark.Not):
        inner = condition(f.child, schema)
        return None if inner is None else f"NOT ({inner})"
    path: tuple[str, ...] = getattr(f, "attribute", ())
    column, translate = _type_of(schema, path), FILTERS.get(type(f))
    if column is None or translate is None:
        return None
    return translate(path_of(*path), column, getattr(f, "value", None))


def _type_of(schema: t.StructType, names: tuple[str, ...]) -> t.DataType | None:
    """The type of a column, None where the names do not lead to exactly one."""
    found: t.DataType = schema
    for name in names:
        fields = [field for field in found.fields if field.name == name] if isinstance(found, t.StructType) else []
        if len(fields) != 1 or not name:
            return None
        found = fields[0].dataType
    return found


def _is_string(column: t.DataType) -> bool:
    """Whether a column has strings that are compared by their bytes: not CHAR, nor another collation."""
    return type(column) is t.StringType and column == t.StringType()


def _compared(path: str, sign: str, column: t.DataType, value: Any) -> str | None:
    text = literal(column, value)
    if text is None:
        return None
    if isinstance(column, _MOMENTS):
        return _compared_time(path, sign, column, value)
    if isinstance(column, (t.FloatType, t.DoubleType)) and sign in _OPPOSITES:
        # To Spark, NaN is greater than any number; winnow's comparisons with it are FALSE.
        return f"NOT ({path} {_OPPOSITES[sign]} {text})"
    return f"{path} {sign} {text}"


def _compared_time(path: str, sign: str, column: t.DataType, value: datetime.datetime | datetime.time) -> str | None:
    """Spark's times have microseconds; those of files may have nanoseconds, which Spark's are rounded down from."""
    at, above = literal(column, value), _literal_above(column, value)
    if sign == "<" or sign == ">=":
        return f"{path} {sign} {at}"
    if above is None:  # as of the last moment of a day, which is the last of its type
        return f"{path} >= {at}" if sign == "=" and isinstance(column, t.TimeType) else None
    return {"<=": f"{path} < {above}", ">": f"{path} >= {above}", "=": f"({path} >= {at} AND {path} < {above})"}[sign]


def _literal_above(column: t.DataType, value: datetime.datetime | datetime.time) -> str | None:
    if isinstance(value, datetime.time):
        return literal(column, (datetime.datetime.combine(datetime.date.min, value) + _MICROSECOND).time()) if value < datetime.time.max else None
    try:
        return literal(column, value + _MICROSECOND)
    except OverflowError:
        return None


def _one_of(path: str, column: t.DataType, values: Any) -> str | None:
    if not values:
        return None
    texts = [literal(column, value) for value in values]
    if None in texts:
        return None
    if isinstance(column, _MOMENTS):
        ranges = [_compared_time(path, "=", column, value) for value in values]
        return None if None in ranges or len(ranges) > _MOST_TIMES else "(" + " OR ".join(map(str, ranges)) + ")"
    if isinstance(column, (t.FloatType, t.DoubleType)) and 0.0 in values:
        return None  # Spark tells 0.0 from -0.0 in long lists, and not in short ones
    return f"{path} IN ({', '.join(map(str, texts))})"


def _comparison(sign: str) -> _Translation:
    return lambda path, column, value: _compared(path, sign, column, value)


def _null_safe(path: str, column: t.DataType, value: Any) -> str | None:
    if value is None:
        return f"{path} IS NULL"
    equal = _compared(path, "=", column, value)
    return None if equal is None else f"{path} IS NOT NULL AND {equal}"


def _search(name: str) -> _Translation:
    return lambda path, column, value: f"{name}({path}, {literal(column, value)})" if _is_string(column) and isinstance(value, str) else None


# What each filter of Spark's becomes, but Not. The tests compare each with Spark, on columns of each type below.
# every:condition spark but Constant BooleanColumn Compare Between Like Match And Or Func Keys (signs; no filters of Spark)
FILTERS: dict[type[spark.Filter], _Translation] = {
    spark.IsNull: lambda path, column, value: f"{path} IS NULL",
    spark.IsNotNull: lambda path, column, value: f"{path} IS NOT NULL",
    spark.EqualTo: _comparison("="),
    spark.EqualNullSafe: _null_safe,
    spark.LessThan: _comparison("<"),
    spark.LessThanOrEqual: _comparison("<="),
    spark.GreaterThan: _comparison(">"),
    spark.GreaterThanOrEqual: _comparison(">="),
    spark.In: _one_of,
    spark.StringStartsWith: _search("prefix"),
    spark.StringEndsWith: _search("suffix"),
    spark.StringContains: _search("contains"),
}


def literal(column: t.DataType, value: Any) -> str | None:
    """A value as a literal to compare a column with, None where the two do not mean the same."""
    value = bytes(value) if isinstance(value, bytearray) else value
    kind: Any = LITERALS.get(type(column))
    if kind is None or type(value) is not kind or kind is str and not _is_string(column):
        return None
    if kind is float and math.isnan(value) or kind is decimal.Decimal and not value.is_finite():
        return None
    if (getattr(value, "tzinfo", None) is not None) is not isinstance(column, t.TimestampType):
        return None
    return double_of(value) if kind is float else literal_of(value)


# The types of columns that are compared, and those of their values.
LITERALS: dict[type[t.DataType], type] = {
    t.BooleanType: bool,
    **dict.fromkeys((t.ByteType, t.ShortType, t.IntegerType, t.LongType), int),
    **dict.fromkeys((t.FloatType, t.DoubleType), float),
    t.DecimalType: decimal.Decimal,
    t.StringType: str,
    t.BinaryType: bytes,
    t.DateType: datetime.date,
    t.TimeType: datetime.time,
    **dict.fromkeys((t.TimestampType, t.TimestampNTZType), datetime.datetime),
}
