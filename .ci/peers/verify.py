#!/usr/bin/env python3
"""Writes files by pyarrow, DuckDB and Polars, with many of their options, of values that are
easily got wrong: NULL, NaN, -0.0, empty lists, empty files. scan verify must find nothing wrong.

usage: verify.py        exit code 1 if it does
"""
import decimal, json, os, random, subprocess, tempfile

import duckdb, polars
import pyarrow as pa, pyarrow.parquet as pq

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Where writers are wrong.
KNOWN = {
    # Arrow counts only what DELTA_BYTE_ARRAY stores of a string.
    ("pyarrow_delta", "unencoded bytes"),
}


def table(kind, n):
    r = random.Random(n)

    def column(make, type):
        def one():
            return None if kind == "all NULL" or kind == "NULL" and r.random() < 0.3 else make()
        return pa.array([one() for _ in range(n)], type)

    def number():
        if kind == "all NaN" or kind == "NaN" and r.random() < 0.3:
            return float("nan")
        return r.choice([-0.0, 0.0, r.uniform(-5, 5)])

    def items(make):
        return lambda: [None if kind == "NULL" and r.random() < 0.3 else make() for _ in range(r.randint(0, 3))]

    return pa.table({
        "id": pa.array(range(n), pa.int64()),
        "i8": column(lambda: r.randint(-128, 127), pa.int8()),
        "u64": column(lambda: r.randint(0, 2**64 - 1), pa.uint64()),
        "flag": column(lambda: r.random() < 0.5, pa.bool_()),
        "f64": column(number, pa.float64()),
        "f32": column(number, pa.float32()),
        "text": column(lambda: "ä" * r.randint(0, 90) + str(r.randint(0, 50)), pa.string()),
        "few": column(lambda: r.choice(["x", "", "zzé"]), pa.string()),
        "bytes": column(lambda: r.randbytes(r.randint(0, 9)), pa.binary()),
        "fixed": column(lambda: r.randbytes(5), pa.binary(5)),
        "money": column(lambda: decimal.Decimal(r.randint(-10**6, 10**6)).scaleb(-2), pa.decimal128(9, 2)),
        "day": column(lambda: r.randint(-9999, 9999), pa.date32()),
        "at": column(lambda: r.randint(0, 10**15), pa.timestamp("us", "UTC")),
        "list": column(items(lambda: r.randint(0, 9)), pa.list_(pa.int32())),
        "lists": column(items(items(lambda: "q" * r.randint(0, 3))), pa.list_(pa.list_(pa.string()))),
        "struct": column(lambda: {"a": 1, "b": {"c": "x"}}, pa.struct([("a", pa.int32()), ("b", pa.struct([("c", pa.string())]))])),
        "structs": column(items(lambda: {"a": 1, "b": "y"}), pa.list_(pa.struct([("a", pa.int32()), ("b", pa.string())]))),
        "map": column(lambda: [("k%d" % i, i) for i in range(r.randint(0, 3))], pa.map_(pa.string(), pa.int64())),
    })


PYARROW = {
    "v1": dict(),
    "v2": dict(data_page_version="2.0", write_page_index=True, data_page_size=512, row_group_size=700),
    "plain": dict(use_dictionary=False, write_page_index=True, data_page_size=512, write_page_checksum=True),
    "fallback": dict(version="2.4", dictionary_pagesize_limit=200, data_page_size=300, write_page_index=True),
    "old": dict(version="1.0", compression="gzip", use_deprecated_int96_timestamps=True),
    "sorted": dict(sorting_columns=[pq.SortingColumn(0)], write_page_index=True, compression="zstd"),
    "bloom": dict(bloom_filter_options={"id": {"ndv": 1000}, "text": True}),
    "delta": dict(column_encoding={"id": "DELTA_BINARY_PACKED", "text": "DELTA_BYTE_ARRAY", "f64": "BYTE_STREAM_SPLIT"}, use_dictionary=False, write_page_index=True),
}
DUCKDB = ["", ", PARQUET_VERSION v2", ", COMPRESSION zstd, ROW_GROUP_SIZE 2048", ", DICTIONARY_SIZE_LIMIT 20", ", FIELD_IDS 'auto'"]
POLARS = [dict(statistics="full", data_page_size=500), dict(statistics=False, compression="snappy"), dict(row_group_size=300, data_page_size=400, statistics="full")]


def write(folder):
    for kind in ["plain", "NULL", "all NULL", "NaN", "all NaN"]:
        for n in [0, 1, 1500]:
            t = table(kind, n)
            end = f"{kind}_{n}.parquet".replace(" ", "_")
            for name, options in PYARROW.items():
                pq.write_table(t, f"{folder}/pyarrow_{name}_{end}", **options)
            for i, options in enumerate(DUCKDB):
                duckdb.sql(f"COPY t TO '{folder}/duckdb_{i}_{end}' (FORMAT parquet{options})")
            for i, options in enumerate(POLARS):
                polars.from_arrow(t).write_parquet(f"{folder}/polars_{i}_{end}", **options)


with tempfile.TemporaryDirectory() as folder:
    scan = os.path.join(folder, "scan")
    subprocess.run(["go", "build", "-o", scan, "./cmd/scan"], check=True, cwd=root)
    write(folder)
    files = sorted(f for f in os.listdir(folder) if f.endswith(".parquet"))
    out = subprocess.run([scan, "verify", *files], cwd=folder, capture_output=True, text=True).stdout
    wrong = files_seen = 0
    for line in out.splitlines():
        r = json.loads(line)
        files_seen += r["kind"] == "file"
        if r["kind"] != "file" and not any(r["file"].startswith(f) and text in r["text"] for f, text in KNOWN):
            wrong += 1
            print(line)
    print(f"{files_seen} files of three writers: {wrong} findings")
    if wrong or files_seen != len(files) or files_seen < 200:
        raise SystemExit(1)
