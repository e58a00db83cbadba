"""What hosts push into a scan: columns, and conditions besides its own."""

from __future__ import annotations

import datetime
from typing import Any

from ._errors import MismatchError, OptionsError, UnsupportedError
from ._scan import Scan

REFUSED = (OptionsError, MismatchError, UnsupportedError)  # what a scan raises for a condition that it cannot have
_EPOCH = datetime.datetime(1970, 1, 1)


def takes_conditions(query: dict[str, Any]) -> bool:
    """Whether a condition on what a scan returns is one on what it reads: not behind a limit, nor of rounded times."""
    return not {"limit", "offset", "int96"} & query.keys()


def select(query: dict[str, Any], names: list[str]) -> None:
    """Leaves out of a query what does not belong to columns with the given names."""
    added = [query.get("row_number"), query.get("file_name")]
    for option, name in zip(("row_number", "file_name"), added):
        if name not in names:
            query.pop(option, None)
    if "columns" not in query:
        query["columns"] = [name_of(name) for name in names if name not in added]
    elif not any('"' in path for path in query["columns"]):
        query["columns"] = [path for path in query["columns"] if path.split(".")[0] in names]


def accepted(query: dict[str, Any], pushed: list[str]) -> list[str]:
    """Those of some conditions, not all of which a scan takes, that it takes."""
    return [one for one in pushed if len(pushed) > 1 and _accepts(query, one)]


def _accepts(query: dict[str, Any], condition: str) -> bool:
    try:
        return next(Scan({**query, "pushed": [condition], "limit": 0}).batches(), None) is None
    except REFUSED:
        return False


# Names and literals of winnow's language. Numbers of moments count from 1970.


def name_of(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def text_of(s: str) -> str:
    if "\0" in s:
        raise ValueError
    return "'" + s.replace("'", "''") + "'"


def date_of(days: int) -> str:
    return f"DATE '{_EPOCH.date() + datetime.timedelta(days=days)}'"


def time_of(nanos: int) -> str:
    seconds, nanos = divmod(nanos, 1_000_000_000)
    return f"TIME '{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{nanos:09}'"


def timestamp_of(nanos: int, zone: bool) -> str:
    seconds, nanos = divmod(nanos, 1_000_000_000)
    return f"TIMESTAMP '{(_EPOCH + datetime.timedelta(seconds=seconds)).isoformat(' ')}.{nanos:09}{'Z' if zone else ''}'"
