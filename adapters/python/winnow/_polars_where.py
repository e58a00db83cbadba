"""Conditions of Polars as conditions of a scan.

What Polars gives a source has all conversions of types as casts, so a column and a literal
that are compared directly have one type. Casts, arithmetic and functions have no translation.
"""

from __future__ import annotations

import datetime
import decimal
import io
import json
import math
import re
from typing import Any

import polars as pl

_EPOCH = datetime.datetime(1970, 1, 1)
_UNITS = {"Nanoseconds": 1_000_000_000, "Microseconds": 1_000_000, "Milliseconds": 1_000}
# every:condition polars but Constant BooleanColumn Between Like Match Func Keys (column or comparisons; Polars has none)
_OPERATORS = {"Eq": "=", "NotEq": "<>", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
_SWAPPED = {"Eq": "Eq", "NotEq": "NotEq", "Lt": "Gt", "LtEq": "GtEq", "Gt": "Lt", "GtEq": "LtEq"}
_NO_PATTERN = re.compile(r"[\w /:,;@%&=<>\"'!~`-]*")  # regular expressions that mean themselves


class _Unknown(Exception):
    """A part of a condition that has no translation."""


def where_of(predicate: pl.Expr, schema: pl.Schema) -> str | None:
    """A condition that every row has which passes the predicate, None if none is known."""
    try:
        tree = json.loads(predicate.meta.serialize(format="json"))
    except Exception:  # whatever this version of Polars cannot write as JSON
        return None
    return _implied(tree, schema)


def _implied(node: Any, schema: pl.Schema) -> str | None:
    """A condition that follows from a node: of AND, the arms that have a translation."""
    op, left, right = _binary(node)
    if op in ("And", "LogicalAnd"):
        arms = [arm for arm in (_implied(left, schema), _implied(right, schema)) if arm]
        return " AND ".join(arms) or None
    try:
        return _exact(node, schema)
    except (_Unknown, KeyError, TypeError, ValueError, IndexError, OverflowError):
        return None


def _binary(node: Any) -> tuple[str | None, Any, Any]:
    b = node.get("BinaryExpr") if isinstance(node, dict) else None
    return (b["op"], b["left"], b["right"]) if b else (None, None, None)


# every:condition polars
def _exact(node: Any, schema: pl.Schema) -> str:
    """The condition that is TRUE, FALSE and NULL of the rows of which the node is."""
    op, left, right = _binary(node)
    if op in ("And", "LogicalAnd"):
        return f"({_exact(left, schema)} AND {_exact(right, schema)})"
    if op in ("Or", "LogicalOr"):
        return f"({_exact(left, schema)} OR {_exact(right, schema)})"
    if op is not None:
        if "Column" not in left:
            op, left, right = _SWAPPED[op], right, left
        return _comparison(*_column(left, schema), op, right)
    if "Column" in node:
        name, type = _column(node, schema)
        if type != pl.Boolean:
            raise _Unknown
        return name
    f = node["Function"]
    return _function(f["function"], f["input"], schema)


# every:condition polars
def _function(function: Any, inputs: list[Any], schema: pl.Schema) -> str:
    kind, which = next(iter(function.items()))
    if which == "Not":
        return f"NOT ({_exact(inputs[0], schema)})"
    name, type = _column(inputs[0], schema)
    if kind == "Boolean":
        if which in ("IsNull", "IsNotNull"):
            return f"{name} IS {'NOT ' * (which == 'IsNotNull')}NULL"
        if "IsBetween" in which:
            closed = which["IsBetween"]["closed"]
            low = _comparison(name, type, "GtEq" if closed in ("Both", "Left") else "Gt", inputs[1])
            high = _comparison(name, type, "LtEq" if closed in ("Both", "Right") else "Lt", inputs[2])
            return f"({low} AND {high})"
        if "IsIn" in which and not which["IsIn"]["nulls_equal"]:
            return _member(name, type, inputs[1])
    if kind == "StringExpr" and type == pl.String:
        text = inputs[1]["Literal"]["Scalar"]["String"]
        call = {"StartsWith": "prefix", "EndsWith": "suffix"}.get(which) if isinstance(which, str) else None
        if call is None and (which["Contains"]["literal"] or _NO_PATTERN.fullmatch(text)):
            call = "contains"
        if call:
            return f"{call}({name}, {_quote(text)})"
    raise _Unknown


def _column(node: Any, schema: pl.Schema) -> tuple[str, pl.DataType]:
    name = node["Column"]
    return '"' + name.replace('"', '""') + '"', schema[name]


def _comparison(name: str, type: pl.DataType, op: str, right: Any) -> str:
    ((kind, value),) = right["Literal"]["Scalar"].items()
    literal = _literal(type, kind, value)
    # In Polars a NaN is above all numbers; in a scan it is unequal to all and above none.
    if type in (pl.Float32, pl.Float64) and op in ("Gt", "GtEq"):
        return f"NOT {name} {'<=' if op == 'Gt' else '<'} {literal}"
    return f"{name} {_OPERATORS[op]} {literal}"


def _member(name: str, type: pl.DataType, node: Any) -> str:
    # The list is bytes in a format of Arrow, which Polars reads again.
    values = pl.select(pl.Expr.deserialize(io.BytesIO(json.dumps(node).encode()), format="json")).to_series()
    if values.len() != 1 or values.dtype.inner != type:  # type: ignore[attr-defined]
        raise _Unknown
    # A NULL in the list matches nothing, and makes nothing unknown.
    literals = [_python_literal(type, v) for v in values[0] if v is not None]
    return f"{name} IN ({', '.join(literals)})"


def _literal(type: pl.DataType, kind: str, value: Any) -> str:
    """A literal of Polars' JSON, which is of the column's type or is unknown."""
    if value is None:
        raise _Unknown  # NULL, or a number that JSON lacks
    if kind == "Datetime" and isinstance(type, pl.Datetime):
        number, unit, zone = value
        if (zone and zone["inner"]) != type.time_zone or {"ns": "Nanoseconds", "us": "Microseconds", "ms": "Milliseconds"}[type.time_unit] != unit:
            raise _Unknown
        seconds, part = divmod(number, _UNITS[unit])
        return _timestamp(seconds, part * (1_000_000_000 // _UNITS[unit]))
    if kind == "Date" and type == pl.Date:
        return f"DATE '{_EPOCH.date() + datetime.timedelta(days=value)}'"
    if kind == "Time" and type == pl.Time:
        seconds, nanos = divmod(value, 1_000_000_000)
        return f"TIME '{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{nanos:09}'"
    if kind == "Decimal" and isinstance(type, pl.Decimal):
        return format(decimal.Decimal(value[0]).scaleb(-value[2], decimal.Context(prec=80)), "f")
    if kind == "Binary" and type == pl.Binary:
        return f"X'{bytes(value).hex()}'"
    if kind in ("String", "Boolean") or kind.startswith(("Int", "UInt", "Float")):
        if kind != str(type):
            raise _Unknown
        if kind == "Float32":
            value = pl.Series([value], dtype=pl.Float32)[0]
        return _python_literal(type, value)
    raise _Unknown


def _python_literal(type: pl.DataType, value: Any) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int) and type.is_integer():
        return str(value)
    if isinstance(value, (int, float)) and type in (pl.Float32, pl.Float64):
        if not math.isfinite(value):
            raise _Unknown
        return f"DOUBLE '{float(value)!r}'"
    if isinstance(value, str) and type == pl.String:
        return _quote(value)
    if isinstance(value, bytes) and type == pl.Binary:
        return f"X'{value.hex()}'"
    if isinstance(value, datetime.date) and type == pl.Date:
        return f"DATE '{value}'"
    if isinstance(value, decimal.Decimal) and isinstance(type, pl.Decimal):
        return format(value, "f")
    raise _Unknown


def _timestamp(seconds: int, nanos: int) -> str:
    at = _EPOCH + datetime.timedelta(seconds=seconds)
    return f"TIMESTAMP '{at.isoformat(' ')}.{nanos:09}'"


def _quote(text: str) -> str:
    if "\0" in text:
        raise _Unknown
    return "'" + text.replace("'", "''") + "'"
