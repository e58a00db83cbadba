#!/usr/bin/env python3
"""Times conditions on paths into VARIANT columns: on a shredded field beside the same condition on a plain
column, and on one that is not shredded beside DuckDB. Prints a row for each condition.

usage: variants.py BENCH [ROUNDS]    BENCH is cmd/bench, built

DuckDB writes 1 million unsorted rows of an object of six fields, shredded and not. No value is NULL, but columns may be,
as fields may: of a REQUIRED column, IS NULL asks nothing of the file. All count the rows that pass, on one thread, in
turns; a time is the least of all rounds, by the processor, and a ratio the median of those of the rounds.
"""
import json, os, statistics, subprocess, sys, tempfile, time
import duckdb

N = 1_000_000
# A condition on x, a path or a column, with its form for DuckDB, the path, and the plain column.
CASES = [
    ("x < 500", "TRY_CAST(x AS BIGINT) < 500", "v.n", "n"),
    ("x BETWEEN 100 AND 200", "TRY_CAST(x AS BIGINT) BETWEEN 100 AND 200", "v.n", "n"),
    ("x::INT < 500", "TRY_CAST(x AS INTEGER) < 500", "v.n", "n"),
    ("x < 0.5", "TRY_CAST(x AS DOUBLE) < 0.5", "v.d", "d"),
    ("x < 300000", "TRY_CAST(x AS BIGINT) < 300000", "v.e", "e"),
    ("x = 'text77'", "TRY_CAST(x AS VARCHAR) = 'text77'", "v.s", "s"),
    ("x LIKE '%t7%'", "TRY_CAST(x AS VARCHAR) LIKE '%t7%'", "v.s", "s"),
    ("x IS NULL", "x IS NULL", "v.n", "n"),
]


def winnow(bench, where, path):
    command = [bench, path, "--where", where, "--count", "--engines", "scan", "--iters", "300", "--budget", "0.3", "--json"]
    run = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.splitlines()[0])
    return run["rows"], min(run["cpu_ms"]) / 1000


def peer(db, where, path):
    times = []
    for _ in range(1):
        start = time.process_time()
        rows = db.execute(f"SELECT count(*) FROM '{path}' t WHERE {where}").fetchone()[0]
        times.append(time.process_time() - start)
    return rows, min(times)


def main():
    bench, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    db = duckdb.connect()
    db.execute("SET threads = 1")
    with tempfile.TemporaryDirectory() as tmp:
        at = lambda name: os.path.join(tmp, name + ".parquet")
        db.execute(f"""CREATE TABLE t AS SELECT n, d, s, e, {{'n': n, 'd': d, 's': s, 'e': e, 'f': 'field' || i, 'g': i % 7}}::VARIANT AS v
            FROM (SELECT i, (hash(i) % 1000)::BIGINT AS n, (hash(i + 1) % 100000)::DOUBLE / 100000 AS d, 'text' || (hash(i + 2) % 100) AS s, i * 7919 % 1000003 AS e FROM range({N}) r(i))""")
        types = "STRUCT(n BIGINT, d DOUBLE, s VARCHAR, e BIGINT, f VARCHAR, g BIGINT)"
        db.execute("INSERT INTO t (n) VALUES (NULL)")
        db.execute("DELETE FROM t WHERE n IS NULL")  # DuckDB makes a column REQUIRED that never had a NULL
        db.execute(f"COPY t TO '{at('plain')}' (FORMAT parquet, shredding {{'v': 'VARIANT'}})")
        db.execute(f"COPY t TO '{at('shredded')}' (FORMAT parquet, shredding {{'v': '{types}'}})")
        print(f"{'condition':26}{'column':>10}{'shredded':>10}{'ratio':>8}{'not shredded':>14}{'DuckDB':>9}{'ratio':>8}   milliseconds of {N:,} rows")
        for ours, theirs, path, column in CASES:
            all = []
            for _ in range(rounds):
                runs = [winnow(bench, ours.replace("x", column, 1), at("shredded")), winnow(bench, ours.replace("x", path, 1), at("shredded")),
                        winnow(bench, ours.replace("x", path, 1), at("plain")), peer(db, theirs.replace("x", "t." + path, 1), at("plain"))]
                if len({rows for rows, _ in runs}) != 1:
                    sys.exit(f"{ours}: {[rows for rows, _ in runs]} rows pass")
                all.append([seconds * 1000 for _, seconds in runs])
            least = [min(t) for t in zip(*all)]
            shredded, binary = statistics.median(t[1] / t[0] for t in all), statistics.median(t[2] / t[3] for t in all)
            print(f"{ours:26}{least[0]:10.1f}{least[1]:10.1f}{shredded:8.2f}{least[2]:14.1f}{least[3]:9.1f}{binary:8.2f}", flush=True)


main()
