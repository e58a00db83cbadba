"""What hosts push into a scan: columns, and conditions besides its own."""

from __future__ import annotations

from typing import Any

from ._errors import MismatchError, OptionsError, UnsupportedError
from ._language import path_of

REFUSED = (OptionsError, MismatchError, UnsupportedError)  # what a scan raises for a condition that it cannot have


def takes_conditions(query: dict[str, Any]) -> bool:
    """Whether a condition on what a scan returns is one on what it reads: not behind a limit, nor of rounded times."""
    return not {"limit", "offset", "int96"} & query.keys()


def select(query: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """What changes in a query if only the columns with some names are wanted."""
    added = {option: query.get(option) for option in ("row_number", "file_name")}
    changed: dict[str, Any] = {option: "" for option, name in added.items() if name and name not in names}
    if "columns" not in query:
        changed["columns"] = [path_of(name) for name in names if name not in added.values()]
    elif not any('"' in path for path in query["columns"]):
        changed["columns"] = [path for path in query["columns"] if path.split(".")[0] in names]
    return changed


def accepted(scan: Any, pushed: list[str]) -> list[str]:
    """Those of some conditions, not all of which a Scan takes, that it takes."""
    return [one for one in pushed if len(pushed) > 1 and _accepts(scan, one)]


def _accepts(scan: Any, condition: str) -> bool:
    try:
        return next(scan._with(pushed=[condition], limit=0).batches(), None) is None
    except REFUSED:
        return False
