"""What Polars computes as texts of winnow's language: a table with a row for each function and the types that it takes.

A row is here only if random conditions with it return the rows that Polars returns (tests/test_polars.py), whatever
the values. Where the two may differ on some of them, the row has a doubt: a test of those, which Polars decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import polars as pl

from ._language import path_of

Type = Any  # a DataType of Polars, or its class


class Value(NamedTuple):
    """A part of an expression as text, and its type in Polars."""

    text: str
    type: Type
    constant: Any = None  # the value of a literal
    literal: bool = False


class Row(NamedTuple):
    """A function: its name in Polars' JSON, what it takes, and its text."""

    node: str
    polars: str  # as people write it
    types: str  # of the first argument, a key of TYPES; others have the same type if they are no constants
    text: str
    result: Type = None  # None: the type of the first argument, or of a cast
    doubt: str = ""  # a key of DOUBTS
    constants: Callable[..., tuple[Any, ...]] | None = None  # texts of the options and other arguments; ValueError if none


def bounds(t: Type) -> tuple[int, int]:
    """The least and the greatest integer of a type."""
    bits = int(re.sub(r"\D", "", str(t)))
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if t.is_signed_integer() else (0, (1 << bits) - 1)


def _wider(t: Type, to: Type) -> bool:
    if not t.is_integer():
        return bool(t == pl.Float32 and to == pl.Float64)
    (low, high), digits = bounds(t), {pl.Float32: 24, pl.Float64: 53}.get(to, 0)
    if to.is_decimal():
        return bool(to.precision - to.scale >= 20)
    return high <= 1 << digits if digits else to.is_integer() and bounds(to)[0] <= low and high <= bounds(to)[1]


def _datetime(*zones: str | None) -> Callable[[Type], bool]:
    return lambda t: isinstance(t, pl.Datetime) and t.time_zone in zones


TYPES: dict[str, Callable[..., Any]] = {
    "all": lambda t: not t.is_nested(),
    "all but floats": lambda t: not t.is_nested() and not t.is_float(),
    "floats": lambda t: t.is_float(),
    "Float64": lambda t: t == pl.Float64,
    "integers": lambda t: t.is_integer(),
    "signed integers": lambda t: t.is_signed_integer(),
    "decimals": lambda t: t.is_decimal(),
    "booleans": lambda t: t == pl.Boolean,
    "strings": lambda t: t == pl.String,
    "times": lambda t: t == pl.Time,
    "dates, datetimes": lambda t: t == pl.Date or _datetime(None, "UTC")(t),
    "dates, local datetimes": lambda t: t == pl.Date or _datetime(None)(t),
    "datetimes": _datetime(None, "UTC"),
    "datetimes in UTC": _datetime("UTC"),
    "datetimes of other zones": lambda t: isinstance(t, pl.Datetime) and not _datetime(None, "UTC")(t),
    "structs": lambda t: isinstance(t, pl.Struct),
    "lists": lambda t: isinstance(t, pl.List),
    "structs, lists": lambda t: isinstance(t, (pl.Struct, pl.List)),
    "numbers, to a type with all of them": _wider,
    "integers, to Float64": lambda t, to: t.is_integer() and to == pl.Float64,
    "dates, to local datetimes": lambda t, to: t == pl.Date and _datetime(None)(to),
    "integers, to strings": lambda t, to: t.is_integer() and to == pl.String,
}

# Tests of the rows that Polars decides: of the result, or of the first argument.
_YEARS, _LETTERS = "years before 1700 or after 2200", "letters other than ASCII"
DOUBTS = {
    "overflow": "{result} NOT BETWEEN {low} AND {high}",
    "numbers below 0": "{0} < 0",
    "beyond 2**53": "{0} NOT BETWEEN -9007199254740992 AND 9007199254740992",
    _LETTERS: "octet_length({0}) <> length({0})",
    _YEARS: "{0} < DATE '1700-01-01' OR {0} >= DATE '2201-01-01'",
}


def _if(known: Any, *texts: str) -> tuple[Any, ...]:
    if not known:
        raise ValueError
    return texts


def _constant(_: Any, v: Value) -> tuple[Any, ...]:
    return _if(v.constant is not None, v.text)


def _letters(_: Any, v: Value) -> tuple[Any, ...]:
    return _if(v.constant, v.text)


def _from(low: int) -> Callable[..., tuple[Any, ...]]:
    return lambda _, v: _if(type(v.constant) is int and low <= v.constant < 1 << 31, v.text)


def _slice(_: Any, start: Value, length: Value) -> tuple[Any, ...]:
    n = (1 << 31) - 1 if length.constant is None else length.constant
    return _if(start.constant >= 0 and n >= 0, str(start.constant + 1), str(n))


# Regular expressions that mean themselves, and those that Rust and Go read alike: no flags, no classes by name or of sets.
_TEXT = re.compile(r"[\w /:,;@%&=<>\"'!~`-]*")
_PATTERN = re.compile(r"(?:\\[.*+?()\[\]{}|^$\\/-]|\[\^?(?:[a-zA-Z0-9]-[a-zA-Z0-9]|[^\[\]\\&~^-])+\]|\{\d{1,2}(?:,\d{0,2})?\}|\(\?:|\((?!\?)|[^\\\[\]{}(])*")
_SPANS = {"1y": "year", "1q": "quarter", "1mo": "month", "1w": "week", "1d": "day", "1h": "hour", "1m": "minute", "1s": "second"}
_SIGNS = (("Eq", "==", "="), ("NotEq", "!=", "<>"), ("Lt", "<", "<"), ("LtEq", "<=", "<="), ("Gt", ">", ">"), ("GtEq", ">=", ">="))
_ARITHMETIC = (("Plus", "+"), ("Minus", "-"), ("Multiply", "*"))
_PARTS = (("Year", "year", pl.Int32), ("Quarter", "quarter", pl.Int8), ("Month", "month", pl.Int8), ("Week", "week", pl.Int8), ("Day", "day", pl.Int8))
_NAN = "({0} = {1} OR isnan({0}) AND isnan({1}))"
_SAME = "({0} IS NOT DISTINCT FROM {1} OR (isnan({0}) AND isnan({1})) IS TRUE)"

# every:condition polars but BooleanColumn Between Like Match Func Keys (a column, comparisons; Polars has none)
ROWS: tuple[Row, ...] = (
    *(Row(node, f"x {sign} y", "all but floats", f"{{0}} {text} {{1}}", pl.Boolean) for node, sign, text in _SIGNS),
    # A NaN is equal to itself and above all numbers in Polars; in a scan it is unequal to all and above none.
    *(Row(node, f"x {sign} 1.5", "floats", f"{{0}} {text} {{1}}", pl.Boolean, constants=_constant) for node, sign, text in _SIGNS[:4]),
    Row("Gt", "x > 1.5", "floats", "NOT {0} <= {1}", pl.Boolean, constants=_constant),
    Row("GtEq", "x >= 1.5", "floats", "NOT {0} < {1}", pl.Boolean, constants=_constant),
    Row("Eq", "x == y", "floats", _NAN, pl.Boolean),
    Row("NotEq", "x != y", "floats", "NOT " + _NAN, pl.Boolean),
    Row("Lt", "x < y", "floats", "({0} < {1} OR isnan({1}) AND NOT isnan({0}))", pl.Boolean),
    Row("LtEq", "x <= y", "floats", "({0} <= {1} OR isnan({1}) AND {0} IS NOT NULL)", pl.Boolean),
    Row("Gt", "x > y", "floats", "({0} > {1} OR isnan({0}) AND NOT isnan({1}))", pl.Boolean),
    Row("GtEq", "x >= y", "floats", "({0} >= {1} OR isnan({0}) AND {1} IS NOT NULL)", pl.Boolean),
    Row("EqValidity", "x.eq_missing(y)", "floats", _SAME, pl.Boolean),
    Row("NotEqValidity", "x.ne_missing(y)", "floats", "NOT " + _SAME, pl.Boolean),
    Row("EqValidity", "x.eq_missing(y)", "all but floats", "{0} IS NOT DISTINCT FROM {1}", pl.Boolean),
    Row("NotEqValidity", "x.ne_missing(y)", "all but floats", "{0} IS DISTINCT FROM {1}", pl.Boolean),
    Row("Boolean.IsIn", "x.is_in([1, 2])", "all", "{0} IN ({1})", pl.Boolean, "", lambda o, v: _if(v.text and not o["nulls_equal"], v.text)),
    Row("Boolean.IsIn", "x.is_in([])", "all", "({0} IS NULL AND NULL)", pl.Boolean, "", lambda o, v: _if(not v.text and not o["nulls_equal"])),
    *(Row("Boolean.IsIn", "x.is_in([1, 2], nulls_equal=True)", "all", f"({{0}} IN ({{1}}) IS TRUE{text})", pl.Boolean, "",
          lambda o, v, null=null: _if(v.text and o["nulls_equal"] and v.constant is null, v.text)) for null, text in ((False, ""), (True, " OR {0} IS NULL"))),
    *(Row(f"Boolean.{node}", f"x.{name}()", types, f"{{0}} IS {text}", pl.Boolean)
      for types in ("all", "structs, lists") for node, name, text in (("IsNull", "is_null", "NULL"), ("IsNotNull", "is_not_null", "NOT NULL"))),
    *(Row(node, f"x {sign} y", "booleans", f"({{0}} {text} {{1}})", pl.Boolean) for node, sign, text in (("And", "&", "AND"), ("Or", "|", "OR"), ("Xor", "^", "<>"))),
    Row("Boolean.Not", "~x", "booleans", "NOT {0}", pl.Boolean),
    *(Row(node, f"x {sign} y", types, f"({{0}} {sign} {{1}})", None, doubt)
      for types, doubt, n in (("integers", "overflow", 3), ("Float64", "", 3), ("decimals", "", 2)) for node, sign in _ARITHMETIC[:n]),
    Row("FloorDivide", "x // 7", "integers", "CAST(floor({0} / {1}) AS BIGINT)", None, "beyond 2**53", _from(1)),
    Row("Modulus", "x % 7", "integers", "CASE WHEN {0} % {1} < 0 THEN {0} % {1} + {1} ELSE {0} % {1} END", constants=_from(1)),
    Row("And", "x & 7", "integers", "({0} & {1})", constants=_from(0)),
    *(Row(node, name, types, text, None, doubt) for types, doubt in (("signed integers", "overflow"), ("floats", ""), ("decimals", ""))
      for node, name, text in (("Negate", "-x", "(-{0})"), ("Abs", "x.abs()", "abs({0})"))),
    Row("Sign", "x.sign()", "integers", "sign({0})"),
    *(Row(name.title(), f"x.{name}()", "floats", name + "({0})") for name in ("floor", "ceil")),
    Row("Pow.Sqrt", "x.sqrt()", "Float64", "sqrt({0})", doubt="numbers below 0"),
    *(Row(f"Boolean.Is{node}", f"x.is_{name}()", "floats", text + "({0})", pl.Boolean) for node, name, text in (
        ("Nan", "nan", "isnan"), ("NotNan", "not_nan", "NOT isnan"), ("Finite", "finite", "isfinite"), ("Infinite", "infinite", "isinf"))),
    *(Row(f"{name.title()}Horizontal", f"pl.{name}_horizontal(x, y)", "integers", text + "({all})") for name, text in (("max", "greatest"), ("min", "least"))),
    *(Row(node, name, "all", "coalesce({all})") for node, name in (("Coalesce", "pl.coalesce(x, y)"), ("FillNull", "x.fill_null(y)"))),
    Row("Ternary", "pl.when(b).then(x).otherwise(y)", "all", "CASE WHEN {when} THEN {0} ELSE {1} END"),
    Row("Cast", "x.cast(y)", "numbers, to a type with all of them", "{0}"),
    Row("Cast", "x.cast(y)", "integers, to Float64", "{0}", doubt="beyond 2**53"),
    Row("Cast", "x.cast(y)", "dates, to local datetimes", "{0}", doubt=_YEARS),
    Row("Cast", "x.cast(y)", "integers, to strings", "CAST({0} AS VARCHAR)"),
    Row("StringExpr.StartsWith", 'x.str.starts_with("a")', "strings", "prefix({0}, {1})", pl.Boolean, constants=_constant),
    Row("StringExpr.EndsWith", 'x.str.ends_with("a")', "strings", "suffix({0}, {1})", pl.Boolean, constants=_constant),
    Row("StringExpr.Contains", 'x.str.contains("a")', "strings", "contains({0}, {1})", pl.Boolean, "",
        lambda o, v: _if(o["literal"] or _TEXT.fullmatch(v.constant), v.text)),
    Row("StringExpr.Contains", 'x.str.contains("a.*b")', "strings", "regexp_matches({0}, {1})", pl.Boolean, "", lambda _, v: _if(_PATTERN.fullmatch(v.constant), v.text)),
    Row("StringExpr.LenChars", "x.str.len_chars()", "strings", "length({0})", pl.UInt32),
    Row("StringExpr.LenBytes", "x.str.len_bytes()", "strings", "octet_length({0})", pl.UInt32),
    *(Row(f"StringExpr.{case.title()}case", f"x.str.to_{case}case()", "strings", case + "({0})", doubt=_LETTERS) for case in ("lower", "upper")),
    Row("StringExpr.Slice", "x.str.slice(2, 3)", "strings", "substr({0}, {1}, {2})", constants=_slice),
    Row("StringExpr.Head", "x.str.head(2)", "strings", "left({0}, {1})", constants=_from(0)),
    Row("StringExpr.Tail", "x.str.tail(2)", "strings", "right({0}, {1})", constants=_from(0)),
    *(Row("StringExpr.StripChars" + end.title(), f'x.str.strip_chars{end and "_" + end}("a")', "strings", text + "({0}, {1})", constants=_letters)
      for end, text in (("", "trim"), ("start", "ltrim"), ("end", "rtrim"))),
    Row("StringExpr.Replace", 'x.str.replace_all("a", "b", literal=True)', "strings", "replace({0}, {1}, {2})", None, "",
        lambda o, old, new: _if(o["literal"] and o["n"] < 0 and old.constant and new.constant is not None, old.text, new.text)),
    Row("StringExpr.ConcatHorizontal", 'x + "a"', "strings", "({0} || {1})", None, "", lambda o, v: _if(o == {"delimiter": "", "ignore_nulls": False}, v.text)),
    *(Row(f"TemporalExpr.{node}", f"x.dt.{name}()", "dates, datetimes", text + "({0})", result, _YEARS) for node, name, text, result in (
        *((node, name, name, result) for node, name, result in _PARTS), ("WeekDay", "weekday", "isodow", pl.Int8), ("OrdinalDay", "ordinal_day", "dayofyear", pl.Int16))),
    *(Row("TemporalExpr." + name.title(), f"x.dt.{name}()", types, name + "({0})", pl.Int8, doubt)
      for types, doubt in (("datetimes", _YEARS), ("times", "")) for name in ("hour", "minute", "second")),
    Row("TemporalExpr.Date", "x.dt.date()", "datetimes", "CAST({0} AS DATE)", pl.Date, _YEARS),
    Row("TemporalExpr.Date", "x.dt.date()", "datetimes of other zones", "CAST({0} AT TIME ZONE '{zone}' AS DATE)", pl.Date, _YEARS),
    Row("TemporalExpr.Year", "x.dt.year()", "datetimes of other zones", "year({0} AT TIME ZONE '{zone}')", pl.Int32, _YEARS),
    Row("TemporalExpr.Truncate", 'x.dt.truncate("1mo")', "dates, local datetimes", "date_trunc('{1}', {0})", None, _YEARS, lambda _, v: (_SPANS[v.constant],)),
    Row("TemporalExpr.ConvertTimeZone", 'x.dt.convert_time_zone("Asia/Tokyo")', "datetimes in UTC", "{0}", lambda t, zone: pl.Datetime(t.time_unit, zone["inner"])),
    Row("StructExpr.FieldByName", 'x.struct.field("a")', "structs", "{0}.{1}", lambda t, name: dict(t)[name], "", lambda name: (path_of(name),)),
    Row("ListExpr.Length", "x.list.len()", "lists", "length({0})", pl.UInt32),
    Row("ListExpr.Contains", "x.list.contains(1)", "lists", "list_contains({0}, {1})", pl.Boolean, constants=_constant),
    Row("ListExpr.Get", "x.list.get(1, null_on_oob=True)", "lists", "{0}[{1}]", lambda t, _: t.inner, "",
        lambda null_on_oob, n: _if(null_on_oob is True, str(n.constant + (n.constant >= 0)))),
)  # fmt: skip
