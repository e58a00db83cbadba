#!/usr/bin/env python3
"""Compares the sums below tables of rows, of `scan cat --sums`, with DuckDB's of the
same columns, for the shared corpus and the sample files.

usage: sums.py [FILE...]    exit code 1 if anything differs

Of DOUBLE, FLOAT and FLOAT16, scan's sum is exact and rounded once: it is compared with
math.fsum of the values that DuckDB reads.
"""
import decimal, glob, math, os, subprocess, sys, tempfile

import duckdb

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(root)

LEFT_OUT = {
    "logical_types_conflict.parquet": "where annotations differ, DuckDB takes the older one",
    "logical_types_logical.parquet": "DuckDB reads a UINT without the older annotation as signed",
}
WHOLE = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"}


def quote(name):
    return '"' + name.replace('"', '""') + '"'


def expected(con, path):
    """The sums of a file by column, as texts or floats; None where no value is."""
    con.execute("CREATE OR REPLACE TEMP VIEW t AS SELECT * FROM read_parquet(?)".replace("?", "'" + path.replace("'", "''") + "'"))
    sums = {}
    for name, kind, *_ in con.execute("DESCRIBE t").fetchall():
        if kind in WHOLE or kind.startswith("DECIMAL"):
            # Added up here: DuckDB's sum has 38 digits at most.
            values = [v[0] for v in con.execute(f"SELECT {quote(name)} FROM t").fetchall() if v[0] is not None]
            sums[name] = sum(map(decimal.Decimal, values), decimal.Decimal(0)) if values else None
            summed = con.execute(f"SELECT sum({quote(name)}) FROM t").fetchone()[0]
            if summed is not None and summed != sums[name]:
                raise AssertionError(f"{path}: {name}: DuckDB has two sums: {summed}, {sums[name]}")
        elif kind in ("FLOAT", "DOUBLE"):
            values = [v[0] for v in con.execute(f"SELECT {quote(name)} FROM t").fetchall() if v[0] is not None]
            finite = all(map(math.isfinite, values))
            sums[name] = (math.fsum(values) if finite else sum(values)) if values else None
    return sums


def shown(scan, path, names):
    """The sums that scan shows."""
    columns = ",".join(map(quote, names))
    p = subprocess.run([scan, "cat", "--sums", "--vertical", "--format", "table", "-c", columns, path], capture_output=True, timeout=120)
    if p.returncode:
        return None
    lines = p.stdout.decode().split("— sums —\n")[-1].split("\n")[:-2]  # the last one counts rows
    if len(lines) != len(names):
        raise AssertionError(f"{path}: scan shows {lines} as the sums of {names}")
    return [line.rsplit(None, 1)[-1] for line in lines]


def main():
    files = sys.argv[1:] or sorted(glob.glob("testdata/**/*.parquet", recursive=True) + glob.glob("../shared/corpus/**/*.parquet", recursive=True))
    decimal.getcontext().prec = 200
    con = duckdb.connect()
    columns, unread, faults = 0, 0, 0
    with tempfile.TemporaryDirectory() as tmp:
        scan = os.path.join(tmp, "scan")
        subprocess.run(["go", "build", "-o", scan, "./cmd/scan"], check=True)
        for path in files:
            if "/bad/" in path or os.path.basename(path) in LEFT_OUT or os.path.getsize(path) > 20_000_000:
                continue
            try:
                want = expected(con, path)
            except duckdb.Error:
                unread += 1
                continue
            if not want:
                continue
            got = shown(scan, path, list(want))
            if got is None:
                unread += 1
                continue
            for (name, sum_), text in zip(want.items(), got, strict=True):
                columns += 1
                same = text == "NULL" if sum_ is None else float(text) == sum_ or text == "NaN" and sum_ != sum_ if isinstance(sum_, float) else decimal.Decimal(text) == sum_
                if not same:
                    faults += 1
                    print(f"{path}: {name}: scan shows {text}, DuckDB's values add up to {sum_}")
    print(f"{columns} sums compared, {unread} files that one of both does not read, {faults} differ")
    return 1 if faults or columns < 100 and not sys.argv[1:] else 0


sys.exit(main())
