"""Conditions of Polars as conditions of a scan.

What Polars gives a source has all conversions of types as casts, so values that are compared or calculated with each
other have one type. What has no row in the table of _polars_table is left to Polars.
"""

from __future__ import annotations

import decimal
import io
import json
import math
import re
from types import FunctionType
from typing import Any

import polars as pl

from ._language import date_of, double_of, literal_of, path_of, time_of, timestamp_of
from ._polars_table import DOUBTS, ROWS, TYPES, Row, Type, Value, bounds

_UNITS = {"Nanoseconds": ("ns", 1), "Microseconds": ("us", 1_000), "Milliseconds": ("ms", 1_000_000)}
_MIRRORED = {"Eq": "Eq", "NotEq": "NotEq", "Lt": "Gt", "LtEq": "GtEq", "Gt": "Lt", "GtEq": "LtEq", "EqValidity": "EqValidity", "NotEqValidity": "NotEqValidity"}
_BETWEEN = {"Both": ("GtEq", "LtEq"), "Left": ("GtEq", "Lt"), "Right": ("Gt", "LtEq"), "None": ("Gt", "Lt")}
_GROUPS = ("Boolean", "StringExpr", "TemporalExpr", "ListExpr", "StructExpr", "Pow")  # of functions, in Polars' JSON


class _Unknown(Exception):
    """A part of a condition that has no translation."""


def where_of(predicate: pl.Expr, schema: pl.Schema) -> list[str]:
    """Conditions that every row has which passes the predicate."""
    return [t.text for t in translations(predicate, schema) if t.text is not None]


def translations(predicate: pl.Expr, schema: pl.Schema) -> list[Translation]:
    """Those of the arms of AND, or of the predicate."""
    try:
        arms = _arms(json.loads(predicate.meta.serialize(format="json")))
    except Exception:  # whatever this version of Polars cannot write as JSON
        return []
    return [Translation(arm, schema) for arm in arms]


def _arms(node: Any) -> list[Any]:
    b = node.get("BinaryExpr") if isinstance(node, dict) else None
    return _arms(b["left"]) + _arms(b["right"]) if b and b["op"] in ("And", "LogicalAnd") else [node]


class Translation:
    """A condition as text; None if it has no translation."""

    def __init__(self, node: Any, schema: pl.Schema) -> None:
        self._schema = schema
        self.node = node
        self.rows: list[Row] = []  # of the table, in use
        self.doubts: list[str] = []  # tests of rows that pass the text though they may not pass the condition
        self.text: str | None = None
        try:
            v = self._value(node)
        except (_Unknown, AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
            return
        if v.type == pl.Boolean:
            self.text = " OR ".join([f"({v.text})", *dict.fromkeys(self.doubts)]) if self.doubts else v.text

    def _value(self, node: Any) -> Value:
        """The value of a node; of a condition TRUE, FALSE or NULL."""
        if "Column" in node:
            return Value(path_of(node["Column"]), self._schema[node["Column"]])
        if "Literal" in node:
            return _literal(node)
        name, options, inputs = _call(node)
        values = [self._value(n) for n in inputs]
        more = {"when": _text(self._value(options))} if name == "Ternary" else {}
        types = [values[0].type, *([_type(options["Literal"])] if name == "Cast" else [])]
        for row in ROWS:
            if row.node == name and TYPES[row.types](*types):
                try:
                    return self._called(row, options, values, types[-1], more)
                except (ValueError, TypeError, KeyError):
                    pass  # another row may take these arguments
        raise _Unknown

    def _called(self, row: Row, options: Any, values: list[Value], type: Type, more: dict[str, str]) -> Value:
        first, others = values[0], values[1:]
        texts = [_text(first)]
        alike = all(v.type == first.type or v.text == "NULL" or v.type.is_decimal() and first.type.is_decimal() for v in others)
        if row.constants:
            alike = all(v.literal and v.type in (first.type, getattr(first.type, "inner", None), pl.String, pl.Null) for v in others)
        texts += row.constants(options, *others) if row.constants and alike else [_text(v) for v in others]
        if not alike or "{all}" not in row.text and len(texts) != len(set(re.findall(r"{\d}", row.text))):
            raise ValueError
        text = row.text.format(*texts, all=", ".join(texts), zone=getattr(first.type, "time_zone", None), **more)
        result = row.result(first.type, options) if isinstance(row.result, FunctionType) else row.result or type
        if row.doubt:
            low, high = bounds(result) if result.is_integer() else (0, 0)
            high = min(high, 2**63 - 1)  # beyond that, functions of what is calculated are NULL in a scan
            self.doubts.append(DOUBTS[row.doubt].format(*texts, result=text, low=low, high=high))
        self.rows.append(row)
        return Value(text, result)


def _text(v: Value) -> str:
    return f"({v.text})" if v.type == pl.Boolean and " " in v.text else v.text


def _call(node: Any) -> tuple[str, Any, list[Any]]:
    """The name of what a node calls, as the table has it, with its options and inputs."""
    if "Cast" in node:
        return "Cast", node["Cast"]["dtype"], [node["Cast"]["expr"]]
    if "Ternary" in node:
        t = node["Ternary"]
        return "Ternary", t["predicate"], [t["truthy"], t["falsy"]]
    if "BinaryExpr" in node:
        op, left, right = (node["BinaryExpr"][k] for k in ("op", "left", "right"))
        op = op.removeprefix("Logical")
        if op in _MIRRORED and "Literal" in left:
            op, left, right = _MIRRORED[op], right, left
        return op, None, [left, right]
    name: Any = node["Function"]["function"]
    options: Any = None
    group, inputs = "", node["Function"]["input"]
    if isinstance(name, dict):
        ((name, options),) = name.items()
    if name in _GROUPS:
        group, name = name + ".", options
    if isinstance(name, dict):
        ((name, options),) = name.items()
    if name == "IsBetween":
        ends = zip(_BETWEEN[options["closed"]], inputs[1:])
        low, high = ({"BinaryExpr": {"op": op, "left": inputs[0], "right": end}} for op, end in ends)
        return "And", None, [low, high]
    return group + name, options, inputs


def _type(node: Any) -> Type:
    if isinstance(node, str):
        return getattr(pl, node)()
    ((kind, of),) = node.items()
    if kind == "Datetime":
        return pl.Datetime(_UNITS[of[0]][0], of[1] and of[1]["inner"])  # type: ignore[arg-type]
    return {"Decimal": pl.Decimal}[kind](*of)


def _literal(node: Any) -> Value:
    ((how, literal),) = node["Literal"].items()
    ((kind, v),) = literal.items() if how != "Series" else [("List", literal)]
    if how == "Dyn" and kind == "Int" or kind == "Null":
        return Value("NULL", pl.Null(), None, True) if kind == "Null" else Value(str(v), pl.Null(), v, True)
    if kind == "List":
        # The list is bytes in a format of Arrow, which Polars reads again.
        lists = pl.select(pl.Expr.deserialize(io.BytesIO(json.dumps(node).encode()), format="json")).to_series()
        if lists.len() != 1:
            raise _Unknown
        members = lists[0].to_physical() if lists[0].dtype.is_temporal() else lists[0]
        # A NULL in the list makes nothing unknown.
        return Value(", ".join(_sql(lists[0].dtype, m) for m in members if m is not None), lists[0].dtype, lists[0].has_nulls(), True)
    if kind == "Datetime":
        type, v = _type({kind: v[1:]}), v[0]
    elif kind == "Decimal":
        type, v = _type({kind: v[1:]}), decimal.Decimal(v[0]).scaleb(-v[2], decimal.Context(prec=80))
    else:
        type = _type(kind)
    if type == pl.Float32 and v is not None:
        v = pl.Series([v], dtype=pl.Float32)[0]
    return Value(_sql(type, v), type, v, True)


def _sql(type: Type, v: Any) -> str:
    """A literal of winnow's language; of a moment, v is the number that Polars stores."""
    if type == pl.Date:
        return date_of(v)
    if isinstance(type, pl.Datetime):
        return timestamp_of(v * next(n for unit, n in _UNITS.values() if unit == type.time_unit), bool(type.time_zone))
    if type == pl.Time:
        return time_of(v)
    if isinstance(v, float) and type.is_float() and math.isfinite(v):
        return double_of(v)
    if isinstance(v, (bool, decimal.Decimal)) or isinstance(v, int) and type.is_integer() or isinstance(v, str) and type == pl.String:
        return literal_of(v)
    if type == pl.Binary:
        return literal_of(bytes(v))
    raise _Unknown
