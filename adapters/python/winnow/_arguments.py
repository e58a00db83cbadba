"""Checks of arguments, whose errors are those of Python's own functions."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any

from ._errors import OptionsError


def typed(function: str, name: str, value: object, kind: type | tuple[type, ...]) -> Any:
    """A value that must be of a type."""
    if not isinstance(value, kind):
        wanted = " or ".join(k.__name__ for k in (kind if isinstance(kind, tuple) else (kind,)))
        raise TypeError(f"{function}() argument {name!r} must be {wanted}, not {type(value).__name__}")
    return value


def number_of(function: str, name: str, value: Any) -> int:
    """An integer that is not negative."""
    try:
        number = operator.index(value)
    except TypeError:
        number = typed(function, name, value, int)
    if number < 0:
        raise OptionsError(f"{function}() argument {name!r} must not be negative, and is {number}")
    return number


def texts(name: str, value: Any) -> list[str]:
    """A list of texts."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise TypeError(f"scan() argument {name!r} must be a list of str, not {type(value).__name__}")
    return [typed("scan", f"{name}[{i}]", text, str) for i, text in enumerate(value)]
