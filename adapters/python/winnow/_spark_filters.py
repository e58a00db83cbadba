"""Spark's filters as conditions of winnow.

A filter is only translated if the condition is TRUE, FALSE and NULL of the same rows as
Spark's. Spark applies the others itself.
"""

from __future__ import annotations

import datetime
import decimal
import math
from typing import Any

from pyspark.sql import datasource as spark
from pyspark.sql import types as t

_COMPARISONS = {
    spark.EqualTo: "=",
    spark.LessThan: "<",
    spark.LessThanOrEqual: "<=",
    spark.GreaterThan: ">",
    spark.GreaterThanOrEqual: ">=",
}
# every:condition spark but Constant BooleanColumn Compare Between Like Match Func Keys (signs; no filters of Spark)
_TEXTS = {spark.StringStartsWith: "prefix", spark.StringEndsWith: "suffix", spark.StringContains: "contains"}
_OPPOSITES = {">": "<=", ">=": "<"}
_MICROSECOND = datetime.timedelta(microseconds=1)
_MOST_TIMES = 100  # of an IN, each of which becomes a range


# every:condition spark
def condition(f: spark.Filter, schema: t.StructType) -> str | None:
    """The condition that a filter on columns of a schema is, or None if there is no such condition."""
    if isinstance(f, spark.Not):
        inner = condition(f.child, schema)
        return None if inner is None else f"NOT ({inner})"
    column = _type_of(schema, f.attribute)
    if column is None:
        return None
    path = path_of(f.attribute)
    if isinstance(f, spark.IsNull):
        return f"{path} IS NULL"
    if isinstance(f, spark.IsNotNull):
        return f"{path} IS NOT NULL"
    if isinstance(f, spark.EqualNullSafe):
        if f.value is None:
            return f"{path} IS NULL"
        equal = _compared(path, "=", column, f.value)
        return None if equal is None else f"{path} IS NOT NULL AND {equal}"
    if isinstance(f, spark.In):
        return _one_of(path, column, f.value)
    if type(f) in _TEXTS:
        text = literal(column, f.value) if _is_string(column) else None
        return None if text is None else f"{_TEXTS[type(f)]}({path}, {text})"
    sign = _COMPARISONS.get(type(f))
    return None if sign is None else _compared(path, sign, column, f.value)


def path_of(names: tuple[str, ...] | list[str]) -> str:
    """The path of a column, or of a field of a struct, by its names."""
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


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
    if isinstance(column, (t.TimestampType, t.TimestampNTZType)):
        return _compared_time(path, sign, column, value)
    if isinstance(column, (t.FloatType, t.DoubleType)) and sign in _OPPOSITES:
        # To Spark, NaN is greater than any number; winnow's comparisons with it are FALSE.
        return f"NOT ({path} {_OPPOSITES[sign]} {text})"
    return f"{path} {sign} {text}"


def _compared_time(path: str, sign: str, column: t.DataType, value: datetime.datetime) -> str | None:
    """Spark's times have microseconds; those of files may have nanoseconds, which Spark's are rounded down from."""
    at, above = literal(column, value), _literal_above(column, value)
    if sign == "<" or sign == ">=":
        return f"{path} {sign} {at}"
    if above is None:
        return None
    return {"<=": f"{path} < {above}", ">": f"{path} >= {above}", "=": f"({path} >= {at} AND {path} < {above})"}[sign]


def _literal_above(column: t.DataType, value: datetime.datetime) -> str | None:
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
    if isinstance(column, (t.TimestampType, t.TimestampNTZType)):
        ranges = [_compared_time(path, "=", column, value) for value in values]
        return None if None in ranges or len(ranges) > _MOST_TIMES else "(" + " OR ".join(map(str, ranges)) + ")"
    if isinstance(column, (t.FloatType, t.DoubleType)) and 0.0 in values:
        return None  # Spark tells 0.0 from -0.0 in long lists, and not in short ones
    return f"{path} IN ({', '.join(map(str, texts))})"


def literal(column: t.DataType, value: Any) -> str | None:
    """A value as a literal to compare a column with, None where the two do not mean the same."""
    if isinstance(column, t.BooleanType):
        return str(value).upper() if isinstance(value, bool) else None
    if isinstance(column, (t.ByteType, t.ShortType, t.IntegerType, t.LongType)):
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else None
    if isinstance(column, (t.FloatType, t.DoubleType)):
        if not isinstance(value, float) or math.isnan(value):
            return None
        return f"DOUBLE '{value!r}'" if math.isfinite(value) else "DOUBLE 'Infinity'" if value > 0 else "DOUBLE '-Infinity'"
    if isinstance(column, t.DecimalType):
        return format(value, "f") if isinstance(value, decimal.Decimal) and value.is_finite() else None
    if isinstance(column, t.StringType):
        return "'" + value.replace("'", "''") + "'" if isinstance(value, str) and _is_string(column) else None
    if isinstance(column, t.BinaryType):
        return f"X'{bytes(value).hex()}'" if isinstance(value, (bytes, bytearray)) else None
    if isinstance(column, t.DateType):
        return f"DATE '{value.isoformat()}'" if type(value) is datetime.date else None
    if isinstance(column, (t.TimestampType, t.TimestampNTZType)) and isinstance(value, datetime.datetime):
        instant = isinstance(column, t.TimestampType)
        if instant != (value.tzinfo is not None):
            return None
        if instant:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return f"TIMESTAMP '{value.isoformat(sep=' ')}{'Z' if instant else ''}'"
    return None
