#!/usr/bin/env python3
"""Compares the time of `scan describe` with that of DuckDB's SUMMARIZE, on the same file: rounds in
which both take turns, each with all processors. It prints the medians and the least of both, and
the numbers of NULLs must be the same.

usage: describe.py [FILE [ROUNDS]]    li_plain.parquet of the peers' data, 5 rounds; exit code 1 if scan is slower
"""
import json, os, statistics, subprocess, sys, tempfile, time

import duckdb

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
data = os.environ.get("PEER_DATA", os.path.expanduser("~/.cache/winnow-peers/data"))
path = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(data, "li_plain.parquet")
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5


def ours(scan):
    out = subprocess.run([scan, "describe", "--format", "jsonl", path], capture_output=True, check=True).stdout
    return {r["column"]: r["nulls"] for r in map(json.loads, out.splitlines()) if r["kind"] == "column"}


def theirs():
    # A process each, as a user runs it; what it takes to start is measured apart, and not counted.
    code = (
        "import duckdb, json, sys, time; c = duckdb.connect(); c.execute('SET enable_progress_bar = false'); start = time.perf_counter();"
        "rows = c.execute('SUMMARIZE SELECT * FROM read_parquet(?)', [sys.argv[1]]).fetchall();"
        "took = time.perf_counter() - start; print(json.dumps([took, {r[0]: [r[10], float(r[11])] for r in rows}]))"
    )
    return json.loads(subprocess.run([sys.executable, "-c", code, path], capture_output=True, check=True).stdout)


times = {"scan describe": [], "DuckDB's SUMMARIZE": []}
with tempfile.TemporaryDirectory() as tmp:
    scan = os.path.join(tmp, "scan")
    subprocess.run(["go", "build", "-o", scan, "./cmd/scan"], check=True, cwd=root)
    for _ in range(rounds):
        start = time.perf_counter()
        nulls = ours(scan)
        times["scan describe"].append(time.perf_counter() - start)
        took, summary = theirs()
        times["DuckDB's SUMMARIZE"].append(took)
        for column, (rows, share) in summary.items():
            if abs(nulls[column] / max(rows, 1) * 100 - share) > 0.01:
                sys.exit(f"{column}: {nulls[column]} NULLs of {rows}, and {share} %")
for name, seconds in times.items():
    print(f"{name:20} median {statistics.median(seconds):.2f} s, least {min(seconds):.2f} s")
ratio = statistics.median(b / a for a, b in zip(*times.values()))
print(f"SUMMARIZE takes {ratio:.2f} times as long, the median of {rounds} rounds")
sys.exit(ratio < 1)
