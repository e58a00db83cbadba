"""Conditions with parameters, and the text that help(winnow.where) shows."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from ._errors import OptionsError
from ._language import literal_of

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
        before, text = condition[: token.start()], literal_of(value)
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


try:  # what build_backend.py takes from package filter
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "conditions.txt"), encoding="utf-8") as _f:
        where.__doc__ = (where.__doc__ or "").rstrip() + "\n\n" + "".join("    " + line if line.strip() else "\n" for line in _f)
except FileNotFoundError:
    pass
