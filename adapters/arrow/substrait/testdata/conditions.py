"""Writes a file, and random conditions with the rows that pyarrow returns: python conditions.py [conditions [seed [folder]]].

A condition is a list of a function of Substrait and its arguments, {"col": name} or {type: literal}.
"""

import datetime
import json
import math
import os
import random
import sys

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset
import pyarrow.parquet

VALUES = {
    "i": (pa.int64(), "i64", [-7, -1, 0, 1, 2, 3, 2**40]),
    "big": (pa.int64(), "i64", [-(2**63), -1, 0, 2**53 + 1, 2**63 - 1]),
    "n": (pa.int32(), "i32", [-5, 0, 1, 3, 2**31 - 1]),
    "f": (pa.float64(), "fp64", [-1.5, -0.0, 0.0, 0.1, 2.5, 1e300, math.nan, math.inf, -math.inf]),
    "h": (pa.float32(), "fp32", [-1.5, 0.0, 0.1, 2.5, 3e38, math.nan]),
    "s": (pa.string(), "str", ["", "a", "ab", "b'c", 'd"e', "ä", "z%_", "a\\b", "-- a"]),
    "b": (pa.bool_(), "bool", [True, False]),
    "d": (pa.date32(), "date", [datetime.date(1, 1, 1), datetime.date(1969, 12, 31), datetime.date(2024, 2, 29)]),
}
COMPARISONS = {"equal": pc.equal, "not_equal": pc.not_equal, "lt": pc.less, "lte": pc.less_equal, "gt": pc.greater, "gte": pc.greater_equal}
ARITHMETIC = {"add": pc.add_checked, "subtract": pc.subtract_checked, "multiply": pc.multiply_checked}
SEARCHES = {"starts_with": pc.starts_with, "ends_with": pc.ends_with, "contains": pc.match_substring, "like": pc.match_like}
STATES = {"is_nan": pc.is_nan, "is_finite": pc.is_finite, "is_infinite": pc.is_inf}


def literal(rng, kind):
    name = rng.choice([n for n, v in VALUES.items() if v[1] == kind])
    type, _, values = VALUES[name]
    v = rng.choice(values)
    told = (v - datetime.date(1970, 1, 1)).days if kind == "date" else repr(v) if kind in ("fp64", "fp32") else v
    return {kind: told}, pa.scalar(v, type)


def value(rng, kind, depth):
    """A value of a kind: what Substrait has, and what pyarrow has."""
    how = rng.random() if depth < 3 else 1
    if how < 0.1:
        (a, x), (b, y) = value(rng, kind, depth + 1), value(rng, kind, depth + 1)
        return ["coalesce", a, b], pc.coalesce(x, y)
    if how < 0.2 and kind != "bool":
        (c, z), (a, x), (b, y) = condition(rng, depth + 1), value(rng, kind, depth + 1), literal(rng, kind)
        return ["if", c, a, b], pc.case_when(pc.make_struct(z), x, y)
    if how < 0.4 and kind in ("i64", "i32", "fp64"):
        (a, x), (b, y) = value(rng, kind, depth + 1), rng.choice([value, lambda *_: literal(rng, kind)])(rng, kind, depth + 1)
        name = rng.choice([*ARITHMETIC, "divide", "negate"] if kind == "fp64" else [*ARITHMETIC, "negate"])
        if name == "negate":
            return [name, a], pc.negate_checked(x)
        return [name, a, b], pc.divide(x, y) if name == "divide" else ARITHMETIC[name](x, y)
    if how < 0.5 and kind in ("i64", "fp64"):
        a, x = value(rng, "i32" if kind == "i64" or rng.random() < 0.5 else "fp32", depth + 1)
        return ["cast", kind, a], x.cast(VALUES["i" if kind == "i64" else "f"][0], safe=False)
    name = rng.choice([n for n, v in VALUES.items() if v[1] == kind])
    return {"col": name}, pc.field(name)


def condition(rng, depth=0):
    how = rng.random()
    if depth < 3 and how < 0.35:
        (a, x), (b, y) = condition(rng, depth + 1), condition(rng, depth + 1)
        no = pa.scalar(False)
        ways = [(["and", a, b], x & y), (["or", a, b], x | y), (["not", a], ~x), (["is_true", a], pc.coalesce(x, no)), (["is_false", a], pc.coalesce(~x, no))]
        return rng.choice(ways)
    kind = rng.choice([v[1] for v in VALUES.values()])
    a, x = value(rng, kind, depth)
    how = rng.randrange(8)
    if how == 0:
        return rng.choice([(["is_null", a], x.is_null()), (["is_not_null", a], x.is_valid())])
    if how == 1 and kind in ("i64", "str", "date"):
        some = [literal(rng, kind) for _ in range(rng.randrange(1, 4))]
        found = x.isin(pa.array([v.as_py() for _, v in some], some[0][1].type))  # NULL is FALSE to pyarrow, and NULL in Substrait
        return ["in", a, *(told for told, _ in some)], pc.if_else(x.is_valid(), found, pa.scalar(None, pa.bool_()))
    if how in (2, 3) and kind == "str":
        told, v = literal(rng, kind)
        name = rng.choice(list(SEARCHES))
        return [name, a, told], SEARCHES[name](x, v.as_py())
    if how in (2, 3) and kind in ("fp64", "fp32"):
        name = rng.choice(list(STATES))
        return [name, a], STATES[name](x)
    if how == 2 and kind == "bool":
        return a, x
    (b, y), (c, z) = rng.choice([value, lambda *_: literal(rng, kind)])(rng, kind, depth), literal(rng, kind)
    if how == 4:
        return ["between", a, b, c], (x >= y) & (x <= z)
    if how == 5:
        return ["lt", c, a], pc.less(z, x)
    name = rng.choice(list(COMPARISONS))
    return [name, a, b], COMPARISONS[name](x, y)


def main(conditions=300, seed=45, folder=os.path.dirname(os.path.abspath(__file__))):
    rng = random.Random(int(seed))
    columns = {"id": pa.array(range(160))}
    for name, (type, _, values) in VALUES.items():
        columns[name] = pa.array([None if rng.random() < 0.15 else rng.choice(values) for _ in range(160)], type)
    path = os.path.join(folder, "conditions.parquet")
    pa.parquet.write_table(pa.table(columns), path, row_group_size=80, compression="snappy")
    dataset, found = pa.dataset.dataset(pa.parquet.read_table(path)), []
    while len(found) < int(conditions):
        try:
            told, e = condition(rng)
            ids = dataset.to_table(["id"], filter=e)["id"].to_pylist()
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, TypeError):
            continue  # an overflow, or what pyarrow does not compare
        found.append(json.dumps([told, hex(sum(1 << i for i in ids))], ensure_ascii=False))
    with open(os.path.join(folder, "conditions.json"), "w", encoding="utf-8") as f:
        f.write("[\n" + ",\n".join(found) + "\n]\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
