#!/usr/bin/env python3
"""Times conditions on functions of columns beside DuckDB: the table of docs/pruning.md that says what a
function costs where it skips nothing. Prints its rows.

usage: functions.py BENCH [WORD...]    BENCH is cmd/bench, built; of the conditions, those that contain a word

Each condition has a file of 6 million rows of its own, in a temporary folder, whose values are unsorted. Both
count the rows that pass, on one thread, three times a few runs in turns, and must agree; a time is the least, by
the processor. Neither has its start in it, nor the first reading of the file.
"""
import json, os, subprocess, sys, tempfile, time
import duckdb, numpy as np, pyarrow as pa, pyarrow.parquet as pq

N = 6_000_000
rng = np.random.default_rng(1)


def words(distinct, letters=12):
    offsets = np.arange(distinct + 1, dtype="i4") * letters
    texts = rng.integers(97, 123, distinct * letters, dtype="u1")
    all = pa.Array.from_buffers(pa.string(), distinct, [None, pa.py_buffer(offsets), pa.py_buffer(texts)])
    return all if distinct == N else all.take(pa.array(rng.integers(0, distinct, N)))


def ints(low, high, type="i8"):
    return pa.array(rng.integers(low, high, N).astype(type))


def moments(unit="us", step=1):
    per = {"ms": 10**3, "us": 10**6}[unit]
    return pa.array(rng.integers(0, 10**9 * per // step, N) * step + 10**9 * per).cast(pa.timestamp(unit))


def nulls(a):
    return pa.array(a.to_numpy(), mask=rng.random(N) < 0.1)


def decimals():
    return pa.Array.from_buffers(pa.decimal64(12, 2), N, [None, ints(0, 10**5).buffers()[1]])


day = 86400 * 10**6
# A condition, the columns that it is on, and whether these have a dictionary.
CASES = [
    ("year(ts) = 2010", {"ts": moments}, False),
    ("year(ts) = 2010", {"ts": lambda: moments(step=day)}, True),
    ("date_trunc('month', ts) = TIMESTAMP '2010-05-01'", {"ts": moments}, False),
    ("date_trunc('month', ts) = TIMESTAMP '2010-05-01'", {"ts": lambda: moments(step=day)}, True),
    ("month(ts) = 5", {"ts": moments}, False),
    ("hour(ts) = 5", {"ts": moments}, False),
    ("id % 10 = 3", {"id": lambda: ints(0, 2**40)}, False),
    ("substr(s, 1, 3) = 'abc'", {"s": lambda: words(N)}, False),
    ("substr(s, 1, 3) = 'abc'", {"s": lambda: words(10000)}, True),
    ("substr(s, 3, 3) = 'abc'", {"s": lambda: words(N)}, False),
    ("lower(s) LIKE '%xy%'", {"s": lambda: words(N)}, False),
    ("lower(s) LIKE '%xy%'", {"s": lambda: words(10000)}, True),
    ("regexp_matches(s, 'ab[c-f]')", {"s": lambda: words(N)}, False),
    ("regexp_matches(s, '[abc][def]x')", {"s": lambda: words(N)}, False),
    ("regexp_matches(s, '[abc][def]x')", {"s": lambda: words(10000)}, True),
    ("a + b > 1000", {"a": lambda: ints(0, 1000), "b": lambda: ints(0, 1000)}, False),
    ("a * b > 5000", {"a": decimals, "b": decimals}, False),
    ("ts_ms > ts_us", {"ts_ms": lambda: moments("ms"), "ts_us": moments}, False),
    ("id > u64", {"id": lambda: ints(-2**40, 2**40), "u64": lambda: ints(0, 2**40, "u8")}, False),
    ("i32 > i64", {"i32": lambda: ints(0, 2**30, "i4"), "i64": lambda: ints(0, 2**30)}, False),
    ("s > t", {"s": lambda: words(N), "t": lambda: words(N)}, False),
    ("s > t", {"s": lambda: words(100), "t": lambda: words(100)}, True),
    ("s = t", {"s": lambda: words(100), "t": lambda: words(100)}, True),
    ("coalesce(n, 0) > 500", {"n": lambda: nulls(ints(0, 1000))}, False),
    ("CASE WHEN a > 500 THEN b ELSE a END > 700", {"a": lambda: ints(0, 1000), "b": lambda: ints(0, 1000)}, False),
    ("TRY_CAST(x AS DECIMAL(9, 2)) > 500", {"x": lambda: pa.array(rng.random(N) * 1000)}, False),
    ("TRY_CAST(s AS INT) > 5000", {"s": lambda: pa.array(map(str, range(10000))).take(ints(0, 10000))}, True),
]


def winnow(bench, where, path):
    command = [bench, path, "--where", where, "--count", "--engines", "scan", "--iters", "3", "--budget", "9", "--json"]
    run = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.splitlines()[0])
    return run["rows"], min(run["cpu_ms"]) / 1000


def main():
    con = duckdb.connect()
    con.execute("SET threads = 1; SET TimeZone = 'UTC'")
    print("| condition | values | winnow | DuckDB | ratio |\n|---|---|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "f.parquet")
        for where, columns, dictionary in CASES:
            if not all(w in where for w in sys.argv[2:]):
                continue
            pq.write_table(pa.table({name: make() for name, make in columns.items()}), path, use_dictionary=dictionary)
            ours, theirs = [], []
            for _ in range(3):
                n, spent = winnow(sys.argv[1], where, path)
                ours.append(spent)
                for _ in range(2):
                    before = time.process_time()
                    other = con.execute(f"SELECT count(*) FROM '{path}' WHERE {where}").fetchone()[0]
                    theirs.append(time.process_time() - before)
                if n != other:
                    raise SystemExit(f"{where}: {n} rows, DuckDB has {other}")
            values = "dictionary" if dictionary else "plain"
            print(f"| `{where}` | {values} | {min(ours) * 1000:.0f} ms | {min(theirs) * 1000:.0f} ms | {min(ours) / min(theirs):.2f} |", flush=True)


main()
