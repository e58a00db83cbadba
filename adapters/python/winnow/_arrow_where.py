"""Conditions of pyarrow, and so of DuckDB, as conditions of a scan.

pyarrow tells what an expression consists of only where it serializes one, in a record batch without columns of a
table: keys and values in the metadata of its schema are the expression in prefix form, and its columns the literals.

    (a > 1)    call=greater field_ref=a literal=0 end=greater    column 0: [1]
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyarrow import types as is_  # type: ignore[import-untyped, unused-ignore]

from ._language import date_of, double_of, literal_of, path_of, time_of, timestamp_of
from ._library import pointer_of


def _nanos(v: pa.Scalar) -> int:
    return int(v.value) * {"s": 1_000_000_000, "ms": 1_000_000, "us": 1_000, "ns": 1}[v.type.unit]


def _plain(v: pa.Scalar) -> str:
    return literal_of(v.as_py())


def _number(v: pa.Scalar) -> str:
    if math.isnan(number := float(v.as_py())):
        raise ValueError  # which a scan has no word for
    return double_of(number)


# Types by kinds, and texts of literals. Values of one kind compare in a scan as they do in pyarrow, whatever their types.
_KINDS: dict[str, tuple[Callable[[pa.DataType], bool], Callable[[pa.Scalar], str]]] = {
    "integer": (is_.is_integer, _plain),
    "float": (is_.is_floating, _number),
    "decimal": (is_.is_decimal, _plain),
    "boolean": (is_.is_boolean, _plain),
    "text": (lambda t: is_.is_string(t) or is_.is_large_string(t) or is_.is_string_view(t), _plain),
    "bytes": (lambda t: is_.is_binary(t) or is_.is_large_binary(t) or is_.is_fixed_size_binary(t), _plain),
    "date": (is_.is_date32, lambda v: date_of(v.value)),
    "time": (is_.is_time, lambda v: time_of(_nanos(v))),
    "timestamp": (lambda t: is_.is_timestamp(t) and t.tz is None, lambda v: timestamp_of(_nanos(v), False)),
    "instant": (lambda t: is_.is_timestamp(t) and t.tz is not None, lambda v: timestamp_of(_nanos(v), True)),
}
_SIGNS = {"equal": "=", "not_equal": "<>", "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=", "and_kleene": "AND", "or_kleene": "OR"}
_IN = "({} IN ({}) IS TRUE)"  # of NULL, FALSE


class Value(NamedTuple):
    """A part of an expression as text; kind is one of _KINDS, None of others."""

    text: str
    kind: str | None
    members: str = ""  # of a test for IN, its list


def conditions(expression: Any, schema: pa.Schema) -> tuple[list[str], bool, set[str]]:
    """Conditions that every row has which passes an expression, whether all rows that have them pass it, and the
    columns that it is about."""
    try:
        batch = pa.ipc.open_file(expression.__reduce__()[1][0]).get_batch(0)
        arms = _arms(_tree(_metadata(batch.schema)))
    except Exception:  # of what this version of pyarrow serializes otherwise, or not at all
        return [], False, set(schema.names)
    texts = [text for arm in arms if (text := _text(arm, batch, schema)) is not None]
    return texts, len(texts) == len(arms), set[str]().union(*map(_columns, arms))


def _metadata(schema: pa.Schema) -> Iterator[tuple[str, str]]:
    """The metadata of a schema with all values of a key, of which pyarrow shows one: those in Arrow's C structure."""
    keep = schema.__arrow_c_schema__()
    at = (ctypes.c_void_p * 3).from_address(pointer_of(keep, "schema"))[2] or 0

    def number() -> int:
        nonlocal at
        at += 4
        return ctypes.c_int32.from_address(at - 4).value

    def text() -> str:
        nonlocal at
        length = number()
        at += length
        return ctypes.string_at(at - length, length).decode()

    for _ in range(number()):
        yield text(), text()


def _tree(pairs: Iterator[tuple[str, str]]) -> Any:
    """An expression: a literal or options with their column, a field with its names, or a call with its arguments."""
    key, value = next(pairs)
    if key == "nested_field_ref":
        return "field", [_tree(pairs)[1][0] for _ in range(int(value))]
    if key == "field_ref":
        return "field", [value]
    if key in ("literal", "options"):
        return key, int(value)
    if key != "call":
        return None  # also the end of a call
    return value, list(iter(lambda: _tree(pairs), None))


def _arms(tree: Any) -> list[Any]:
    return [arm for part in tree[1] for arm in _arms(part)] if tree[0] == "and_kleene" else [tree]


def _columns(tree: Any) -> set[str]:
    return {tree[1][0]} if tree[0] == "field" else set[str]().union(*map(_columns, tree[1] if isinstance(tree[1], list) else ()))


def _text(tree: Any, batch: pa.RecordBatch, schema: pa.Schema) -> str | None:
    try:
        v = _value(tree, batch, schema)
    except Exception:  # of a part that has no translation
        return None
    return v.text if v.kind == "boolean" else None


def _value(tree: Any, batch: pa.RecordBatch, schema: pa.Schema) -> Value:
    name, of = tree
    if name == "field":
        return _field(of, schema)
    if name == "literal":
        return _literal(batch.column(of)[0])
    values = [_value(part, batch, schema) for part in of if part[0] != "options"]
    options: Any = next((batch.column(n)[0] for part, n in of if part == "options"), {})
    x, kinds = values[0], {v.kind for v in values}
    if name in _SIGNS and len(kinds) == 1 and x.kind:
        return Value(f"({x.text} {_SIGNS[name]} {values[1].text})", "boolean")
    if name == "invert" and kinds == {"boolean"}:
        return Value(f"(NOT {x.text})", "boolean")
    if name == "is_valid":
        return Value(f"({x.text} IS NOT NULL)", "boolean")
    if name == "is_null" and not options["nan_is_null"].as_py():
        return Value(f"({x.text} IS NULL)", "boolean")
    if name == "is_in" and options["null_matching_behavior"].as_py() == 0:
        members = [_literal(v) for v in options["value_set"].values]
        if x.kind and {v.kind for v in members} == {x.kind} and all(v.text != "NULL" for v in members):
            return Value(_IN.format(x.text, some := ", ".join(v.text for v in members)), "boolean", some)
    if name == "if_else" and kinds == {"boolean"}:
        test, no, column = values[1], values[2], x.text[1 : -len(" IS NOT NULL)")]
        if (x.text, test.text, no.text) == (f"({column} IS NOT NULL)", _IN.format(column, test.members), "NULL"):  # DuckDB's IN
            return Value(f"({column} IN ({test.members}))", "boolean")
        return Value(f"(CASE WHEN {x.text} THEN {test.text} ELSE {no.text} END)", "boolean")
    raise ValueError


def _kind(type: pa.DataType) -> str | None:
    if is_.is_dictionary(type):
        type = type.value_type
    return next((kind for kind, (has, _) in _KINDS.items() if has(type)), None)


def _field(names: list[str], schema: pa.Schema) -> Value:
    type: Any = pa.struct(schema)
    for name in names:
        if not is_.is_struct(type) or type.get_field_index(name) < 0:  # also of a name that several fields have
            raise ValueError
        type = type.field(name).type
    return Value(path_of(*names), _kind(type))


def _literal(v: pa.Scalar) -> Value:
    kind = _kind(v.type)
    return Value(_KINDS[kind or ""][1](v) if v.is_valid else "NULL", kind)
