"""What the tests share: the sample files, and conditions of the peers' workloads as texts."""

import glob
import json
import math
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
SAMPLES = os.path.join(ROOT, "testdata")
ORDERS, LINES, WEBLOG = (os.path.join(SAMPLES, n + ".parquet") for n in ("orders", "lineitems", "weblog"))
PEERS = os.path.join(os.path.dirname(ROOT), "shared", "peers", "workloads.json")
DATA = os.environ.get("PEER_DATA", os.path.expanduser("~/.cache/winnow-peers/data"))


def sound_files():
    """The sample files that are not damaged."""
    return [f for f in sorted(glob.glob(os.path.join(SAMPLES, "**", "*.parquet"), recursive=True)) if os.sep + "bad" + os.sep not in f]


def shown(readme):
    """The blocks in Python of a document of the project."""
    with open(os.path.join(ROOT, readme), encoding="utf-8") as f:
        return re.findall(r"^```python\n(.*?)^```$", f.read(), re.DOTALL | re.MULTILINE)


def workloads():
    """The workloads whose file is there, and how many there are in all."""
    with open(PEERS, encoding="utf-8") as f:
        every = json.load(f)["workloads"]
    return [w for w in every if os.path.exists(os.path.join(DATA, w["file"]))], len(every)


def where_of(p):
    """A condition of a workload as winnow's text."""
    if p is None:
        return None
    for word in ("and", "or"):
        if word in p:
            return "(" + f" {word.upper()} ".join(map(where_of, p[word])) + ")"
    column, op, value = p["col"], p["op"], p.get("value")
    literal = f"DATE '{value}'" if p.get("type") == "date" else f"'{value}'" if isinstance(value, str) else repr(value)
    if op == "in":
        return f"{column} IN ({', '.join(map(repr, value))})"
    if op in ("prefix", "contains"):
        return f"{op}({column}, {literal})"
    if op == "not_null":
        return f"{column} IS NOT NULL"
    return f"{column} {dict(eq='=', ne='<>', lt='<', le='<=', gt='>', ge='>=')[op]} {literal}"


def leaf_sum(a, leaf=None):
    """How many values an Arrow column has, and their sum, as the workloads state it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    t = a.type
    if pa.types.is_list(t) or pa.types.is_large_list(t):
        chunks = a.chunks if isinstance(a, pa.ChunkedArray) else [a]
        return leaf_sum(pa.chunked_array([c.flatten() for c in chunks], t.value_type), leaf)
    if pa.types.is_struct(t):
        return leaf_sum(pc.struct_field(a, leaf))
    values = len(a) - a.null_count
    if str(t) in ("string_view", "binary_view"):
        a = a.cast(pa.large_binary())
        t = a.type
    if str(t) in ("string", "large_string", "binary", "large_binary"):
        a = pc.binary_length(a)
    elif pa.types.is_date32(t):
        a = a.cast(pa.int32())
    elif pa.types.is_timestamp(t):
        a = a.cast(pa.timestamp("us")).cast(pa.int64())
    elif t == pa.bool_():
        a = a.cast(pa.int8())
    return [values, float(pc.sum(a.cast(pa.float64(), safe=False)).as_py() or 0.0)]


def differs(workload, table):
    """What differs between an Arrow table and the answer of a workload, "" if nothing does."""
    if table.num_rows != workload["rows"]:
        return f"{table.num_rows} rows, not {workload['rows']}"
    for path, (values, total) in workload["sums"].items():
        column, _, leaf = path.partition(".")
        got = leaf_sum(table[column], leaf)
        if got[0] != values or not math.isclose(got[1], total, rel_tol=1e-9, abs_tol=1e-6):
            return f"{path}: {got}, not {[values, total]}"
    return ""
