"""Single values, as the library writes them, in Python."""

from __future__ import annotations

import base64
import datetime
import decimal
import uuid
from typing import Any

_EPOCH = datetime.datetime(1970, 1, 1)
_UNITS = {1: "s", 1_000: "ms", 1_000_000: "us", 1_000_000_000: "ns"}


def _numpy(type: str, number: int, unit: str) -> Any:
    """What the types of datetime cannot hold."""
    try:
        import numpy  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise OverflowError(f"{number} {unit} is beyond Python's datetime, and there is no numpy") from None
    return getattr(numpy, type)(number, unit)


def _date(number: int) -> Any:
    try:
        return _EPOCH.date() + datetime.timedelta(days=number)
    except OverflowError:
        return _numpy("datetime64", number, "D")


def _time(number: int, unit: int) -> Any:
    micros, rest = divmod(number * 1_000_000, unit)
    try:
        if rest == 0 and 0 <= micros < 86_400_000_000:
            return (_EPOCH + datetime.timedelta(microseconds=micros)).time()
    except OverflowError:
        pass
    return _numpy("timedelta64", number, _UNITS[unit])


def _timestamp(number: int, unit: int, utc: bool) -> Any:
    micros, rest = divmod(number * 1_000_000, unit)
    try:
        if rest == 0:
            at = _EPOCH + datetime.timedelta(microseconds=micros)
            return at.replace(tzinfo=datetime.timezone.utc) if utc else at
    except OverflowError:
        pass
    return _numpy("datetime64", number, _UNITS[unit])


def value_of(v: dict[str, Any]) -> Any:
    """The Python value of a JSON object of the library."""
    kind, text = v["kind"], v["value"]
    if kind == "null":
        return None
    if kind == "bool":
        return text == "true"
    if kind == "bytes":
        return base64.b64decode(v.get("bytes", ""))
    if kind == "date":
        return _date(int(text))
    if kind == "time":
        return _time(int(text), v["unit"])
    if kind == "timestamp":
        return _timestamp(int(text), v["unit"], v.get("utc", False))
    if kind == "int96":
        days, nanos = map(int, text.split())
        return _timestamp(days * 86_400_000_000_000 + nanos, v["unit"], v.get("utc", False))
    make: Any = {"int": int, "float": float, "decimal": decimal.Decimal, "str": str, "uuid": uuid.UUID}[kind]
    return make(text)
