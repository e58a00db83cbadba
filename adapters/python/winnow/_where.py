"""Conditions with parameters, and the text that help(winnow.where) shows."""

from __future__ import annotations

import datetime
import decimal
import math
import os
import re
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ._errors import OptionsError

# Tokens in which ? and $ are no parameters, as the language has them, and parameters. What is not closed
# reaches to the end of the text.
_TOKEN = re.compile(
    r"""'[^']*(?:''[^']*)*(?:'|\Z) | "[^"]*(?:""[^"]*)*(?:"|\Z) | `[^`]*(?:``[^`]*)*(?:`|\Z) | --[^\r\n]* | /\*.*?(?:\*/|\Z)
    | [^\W\d][\w$]* | (?P<parameter>\?|\$(?P<name>\w+))""",
    re.DOTALL | re.VERBOSE,
)


def where(condition: str, /, *values: object, **named: object) -> str:
    """A condition with values in the place of its parameters, as the language writes them.

    ? takes the next value and $name a named one, which may also be in a mapping. A list is one of constants:

        winnow.where("price > ? AND region IN ?", 9.5, ["EU", "US"])
        winnow.scan("f.parquet", where=("price > $least", {"least": 9.5}))

    Values are None, bool, int, float, str, bytes, Decimal, UUID, date, time, datetime and timedelta, those of
    numpy and pandas too, and lists or tuples of them. A float means what it means as a number in the text.

    """
    if not isinstance(condition, str):
        raise TypeError(f"where() argument 'condition' must be str, not {type(condition).__name__}")
    names = dict(named)
    for mapping in (v for v in values if isinstance(v, Mapping)):
        names.update(mapping)
    rest = [v for v in values if not isinstance(v, Mapping)]
    unused, given = set(names), len(rest)
    asked = 0

    def put(token: re.Match[str]) -> str:
        nonlocal asked
        name = token["name"]
        if not token["parameter"]:
            return token[0]
        if name:
            unused.discard(name)
            if name not in names:
                raise OptionsError(f"the condition has the parameter ${name}, and there is no value of that name")
            value = names[name]
        else:
            asked += 1
            value = rest.pop(0) if rest else None
        before, text = condition[: token.start()], _literal(value)
        if text[0] == "-" and not before.rstrip().endswith("["):
            text = f"({text})"
        # A literal never becomes a part of the token beside it.
        return " " * (before[-1:] not in " ([,") + text + " " * (condition[token.end() : token.end() + 1] not in " )],")

    text = _TOKEN.sub(put, condition)
    if asked != given:
        raise OptionsError(f"the condition has {asked} parameters written ?, and {given} values are given for them")
    if unused:
        raise OptionsError(f"the condition has no parameter ${min(map(str, unused))}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise OptionsError(f"the condition {text!r} is not UTF-8") from None
    return text


def _float(value: float) -> str:
    if math.isfinite(value):
        return float.__repr__(value)
    return "DOUBLE 'NaN'" if math.isnan(value) else "DOUBLE 'Infinity'" if value > 0 else "DOUBLE '-Infinity'"


def _decimal(value: decimal.Decimal) -> str:
    return str(value) if value.is_finite() else _float(float(value))


def _datetime(value: datetime.datetime) -> str:
    if value != value:  # NaT of pandas
        return "NULL"
    return f"TIMESTAMP '{(value.astimezone(datetime.timezone.utc) if value.tzinfo else value).isoformat(' ')}'"


def _time(value: datetime.time) -> str:
    if value.tzinfo:
        raise TypeError("a parameter of a condition must not be a time with a time zone")
    return f"TIME '{value.isoformat()}'"


def _interval(nanoseconds: int) -> str:
    return f"INTERVAL '{decimal.Decimal(nanoseconds).scaleb(-9):f} seconds'"


def _timedelta(value: datetime.timedelta) -> str:
    return _interval(value // datetime.timedelta(microseconds=1) * 1000 + getattr(value, "nanoseconds", 0))  # which pandas has


def _numpy(value: Any) -> str:
    if value.dtype.kind == "M":
        text = str(value)
        return "NULL" if text == "NaT" else f"TIMESTAMP '{text.replace('T', ' ')}'" if "T" in text else f"DATE '{text}'"
    if value.dtype.kind == "m":
        return "NULL" if str(value) == "NaT" else _interval(int(value.astype("m8[ns]").astype(int)))
    return _literal(value.item())


# The first type that fits counts: True is an int, and a datetime a date.
_WRITERS: tuple[tuple[type | tuple[type, ...], Callable[[Any], str]], ...] = (
    (type(None), lambda _: "NULL"),
    (bool, lambda value: str(value).upper()),
    (int, int.__repr__),
    (float, _float),
    (decimal.Decimal, _decimal),
    (str, lambda value: "'" + value.replace("'", "''") + "'"),
    ((bytes, bytearray), lambda value: f"X'{value.hex()}'"),
    (uuid.UUID, lambda value: f"'{value}'"),
    (datetime.datetime, _datetime),
    (datetime.date, lambda value: f"DATE '{value.isoformat()}'"),
    (datetime.time, _time),
    (datetime.timedelta, _timedelta),
)


def _literal(value: Any) -> str:
    """A value as the language writes it."""
    for kind, write in _WRITERS:
        if isinstance(value, kind):
            return write(value)
    if hasattr(value, "dtype") and not getattr(value, "shape", None):
        return _numpy(value)
    if isinstance(value, Iterable) and not isinstance(value, Mapping):
        return f"({', '.join(map(_literal, value))})"
    raise TypeError(f"a parameter of a condition must not be {type(value).__name__}: help(winnow.where) names the types")


try:  # what build_backend.py takes from package filter
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "conditions.txt"), encoding="utf-8") as _f:
        where.__doc__ = (where.__doc__ or "").rstrip() + "\n\n" + "".join("    " + line if line.strip() else "\n" for line in _f)
except FileNotFoundError:
    pass
