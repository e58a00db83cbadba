"""Names and literals, as the language of conditions writes them."""

from __future__ import annotations

import datetime
import decimal
import math
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_EPOCH = datetime.datetime(1970, 1, 1)


def path_of(*names: str) -> str:
    """The path of a column, or of a field of a struct, by its names."""
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


# Moments by their numbers, which count from 1970.


def date_of(days: int) -> str:
    return f"DATE '{_EPOCH.date() + datetime.timedelta(days=days)}'"


def time_of(nanos: int) -> str:
    seconds, nanos = divmod(nanos, 1_000_000_000)
    return f"TIME '{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{nanos:09}'"


def timestamp_of(nanos: int, zone: bool) -> str:
    seconds, nanos = divmod(nanos, 1_000_000_000)
    return f"TIMESTAMP '{(_EPOCH + datetime.timedelta(seconds=seconds)).isoformat(' ')}.{nanos:09}{'Z' if zone else ''}'"


def double_of(value: float) -> str:
    """A DOUBLE, where a plain number is exact."""
    return f"DOUBLE '{value!r}'".replace("inf", "Infinity").replace("nan", "NaN")


def _decimal(value: decimal.Decimal) -> str:
    return format(value, "f") if value.is_finite() else double_of(float(value))


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
    return literal_of(value.item())


# The first type that fits counts: True is an int, and a datetime a date.
_WRITERS: tuple[tuple[type | tuple[type, ...], Callable[[Any], str]], ...] = (
    (type(None), lambda _: "NULL"),
    (bool, lambda value: str(value).upper()),
    (int, int.__repr__),
    (float, lambda value: float.__repr__(value) if math.isfinite(value) else double_of(value)),
    (decimal.Decimal, _decimal),
    (str, lambda value: "'" + value.replace("'", "''") + "'"),
    ((bytes, bytearray), lambda value: f"X'{value.hex()}'"),
    (uuid.UUID, lambda value: f"'{value}'"),
    (datetime.datetime, _datetime),
    (datetime.date, lambda value: f"DATE '{value.isoformat()}'"),
    (datetime.time, _time),
    (datetime.timedelta, _timedelta),
)


def literal_of(value: Any) -> str:
    """A value of Python's, numpy's or pandas', or a list of such, as a literal. A float is as exact as a number in a text."""
    for kind, write in _WRITERS:
        if isinstance(value, kind):
            return write(value)
    if hasattr(value, "dtype") and not getattr(value, "shape", None):
        return _numpy(value)
    if isinstance(value, Iterable) and not isinstance(value, Mapping):
        return f"({', '.join(map(literal_of, value))})"
    raise TypeError(f"a parameter of a condition must not be {type(value).__name__}: help(winnow.where) names the types")
