"""Single values, as the library writes them, in Python."""

from __future__ import annotations

import base64
import datetime
import decimal
import uuid
from collections.abc import Callable
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


def _moment(kind: str, number: int, unit: int, make: Callable[[datetime.timedelta], Any]) -> Any:
    micros, rest = divmod(number * 1_000_000, unit)
    try:
        if rest == 0:
            return make(datetime.timedelta(microseconds=micros))
    except OverflowError:
        pass
    return _numpy(kind, number, _UNITS[unit])


def _time(since: datetime.timedelta) -> datetime.time:
    if since.days:
        raise OverflowError
    return (_EPOCH + since).time()


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
        return _moment("timedelta64", int(text), v["unit"], _time)
    if kind == "timestamp":
        zone = datetime.timezone.utc if v.get("utc") else None
        return _moment("datetime64", int(text), v["unit"], lambda since: (_EPOCH + since).replace(tzinfo=zone))
    make: Any = {"int": int, "float": float, "decimal": decimal.Decimal, "str": str, "uuid": uuid.UUID}[kind]
    return make(text)
