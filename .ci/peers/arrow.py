#!/usr/bin/env python3
"""Compares the Arrow file that adapters/scan writes of each sound sample file, and each file
of the shared corpus, with the table that pyarrow reads of it: types and values.

usage: arrow.py [FILE...]        exit code 1 if anything differs
"""
import collections, glob, os, re, subprocess, sys, tempfile

import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(root)

# Files whose tables differ, and why.
KNOWN = {
    "int96_from_spark.parquet": "pyarrow wraps timestamps that nanoseconds cannot hold",
    "times_extreme.parquet": "pyarrow wraps timestamps that nanoseconds cannot hold",
    "pages_empty.parquet": "pyarrow stops at the first empty page",
    "datapage_v1-corrupt-checksum.parquet": "pyarrow does not check checksums",
    "rle-dict-uncompressed-corrupt-checksum.parquet": "pyarrow does not check checksums",
}


def storage(t):
    """A type as pyarrow has it, without extensions, field metadata, and the width of decimals, which VARIANT knows."""
    if isinstance(t, pa.BaseExtensionType):
        return storage(t.storage_type)
    if pa.types.is_dictionary(t):
        return storage(t.value_type)
    if pa.types.is_map(t):
        return ("map", storage(t.key_type), storage(t.item_type))
    if pa.types.is_list(t) or pa.types.is_large_list(t):
        return ("list", storage(t.value_type))
    if pa.types.is_struct(t):
        return ("struct", *((f.name, storage(f.type)) for f in t))
    text = re.sub("^decimal(32|64)", "decimal128", str(t))
    return {"large_string": "string", "large_binary": "binary", "string_view": "string", "binary_view": "binary"}.get(text, text)


def values(column):
    """Values as texts, so that NaN equals NaN."""
    if isinstance(column.type, pa.BaseExtensionType):
        column = pa.chunked_array([c.storage for c in column.chunks], column.type.storage_type)
    return [repr(v) for v in column.to_pylist()]


def differs(got, want):
    if got.num_rows != want.num_rows or got.column_names != want.column_names:
        return f"{got.num_rows} rows of {got.column_names}, pyarrow {want.num_rows} of {want.column_names}"
    for name, g, w in zip(got.column_names, got.columns, want.columns):
        if "enum" in name and g.type == "string" and w.type == "binary":
            w = w.cast("string")  # pyarrow has ENUM as bytes
        if storage(g.type) != storage(w.type):
            return f"column {name} is {g.type}, pyarrow {w.type}"
        if g.equals(w):
            continue
        a, b = values(g), values(w)
        for i in range(len(a)):
            if a[i] != b[i]:
                return f"column {name}, row {i}: {a[i][:80]}, pyarrow {b[i][:80]}"
    return None


count, faults = collections.Counter(), []
with tempfile.TemporaryDirectory() as tmp:
    scan, out = os.path.join(tmp, "scan"), os.path.join(tmp, "rows.arrow")
    subprocess.run(["go", "-C", "adapters/scan", "build", "-o", scan, "."], check=True)
    files = sys.argv[1:] or sorted(glob.glob("../shared/corpus/**/*.parquet", recursive=True) + [f for f in glob.glob("testdata/**/*.parquet", recursive=True) if "/bad/" not in f])
    for f in files:
        try:
            want = pq.read_table(f, partitioning=None)
        except Exception:
            count["refused by pyarrow"] += 1
            continue
        p = subprocess.run([scan, "cat", "-o", out, f], capture_output=True, text=True)
        known = KNOWN.get(os.path.basename(f))
        if p.returncode != 0:
            fault = p.stderr.strip().split("\n")[0]
        else:
            got = ipc.open_file(out).read_all()
            got.validate(full=True)
            fault = differs(got, want)
            os.remove(out)
        if fault and not known:
            faults.append(f"{f}: {fault}")
        count["as known" if fault and known else "different" if fault else "equal"] += 1
print(", ".join(f"{n} {what}" for what, n in sorted(count.items())))
print("\n".join(faults))
sys.exit(bool(faults) or count["equal"] < (1 if sys.argv[1:] else 60))
