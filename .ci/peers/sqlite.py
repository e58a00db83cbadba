#!/usr/bin/env python3
"""Compares the answers of scan sql to queries of TPC-H, over Parquet files that tpchgen-cli
writes, with those of DuckDB. Then TestTPCH of adapters/sqlite compares the pages that Q6 reads with
those of scan cat.

usage: sqlite.py [SCALE]        0.1 unless it is given; exit code 1 if anything differs
"""
import json, math, os, subprocess, sys, tempfile, time

import duckdb

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(root)
scale = sys.argv[1] if len(sys.argv) > 1 else "0.1"

# The text is the same for both. DuckDB compares dates with texts as dates, SQLite has texts.
QUERIES = {
    "Q1": """
        SELECT l_returnflag, l_linestatus, sum(l_quantity) AS sum_qty, sum(l_extendedprice) AS sum_base_price,
            sum(l_extendedprice * (1 - l_discount)) AS sum_disc_price,
            sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS sum_charge,
            avg(l_quantity) AS avg_qty, avg(l_extendedprice) AS avg_price, avg(l_discount) AS avg_disc, count(*) AS n
        FROM '{lineitem}' WHERE l_shipdate <= '1998-09-02'
        GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus""",
    "Q3": """
        SELECT l_orderkey, sum(l_extendedprice * (1 - l_discount)) AS revenue, CAST(o_orderdate AS VARCHAR) AS day, o_shippriority
        FROM '{customer}', '{orders}', '{lineitem}'
        WHERE c_mktsegment = 'BUILDING' AND c_custkey = o_custkey AND l_orderkey = o_orderkey
            AND o_orderdate < '1995-03-15' AND l_shipdate > '1995-03-15'
        GROUP BY l_orderkey, o_orderdate, o_shippriority ORDER BY revenue DESC, o_orderdate LIMIT 10""",
    "Q6": """
        SELECT sum(l_extendedprice * l_discount) AS revenue FROM '{lineitem}'
        WHERE l_shipdate >= '1994-01-01' AND l_shipdate < '1995-01-01' AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24""",
    "Q12": """
        SELECT l_shipmode,
            sum(CASE WHEN o_orderpriority = '1-URGENT' OR o_orderpriority = '2-HIGH' THEN 1 ELSE 0 END) AS high,
            sum(CASE WHEN o_orderpriority <> '1-URGENT' AND o_orderpriority <> '2-HIGH' THEN 1 ELSE 0 END) AS low
        FROM '{orders}', '{lineitem}'
        WHERE o_orderkey = l_orderkey AND l_shipmode IN ('MAIL', 'SHIP') AND l_commitdate < l_receiptdate
            AND l_shipdate < l_commitdate AND l_receiptdate >= '1994-01-01' AND l_receiptdate < '1995-01-01'
        GROUP BY l_shipmode ORDER BY l_shipmode""",
    "Q14": """
        SELECT 100.00 * sum(CASE WHEN p_type LIKE 'PROMO%' THEN l_extendedprice * (1 - l_discount) ELSE 0 END)
            / sum(l_extendedprice * (1 - l_discount)) AS promo_revenue
        FROM '{lineitem}', '{part}'
        WHERE l_partkey = p_partkey AND l_shipdate >= '1995-09-01' AND l_shipdate < '1995-10-01'""",
}
TABLES = ["customer", "lineitem", "orders", "part"]


def same(got, want):
    """Whether two values are equal, numbers to nine digits."""
    if isinstance(got, str) or isinstance(want, str):
        return got == want
    return math.isclose(float(got), float(want), rel_tol=1e-9)


faults = []
with tempfile.TemporaryDirectory() as tmp:
    scan = os.path.join(tmp, "scan")
    subprocess.run(["go", "-C", "adapters/scan", "build", "-o", scan, "."], check=True)
    generator = os.path.join(os.path.dirname(sys.executable), "tpchgen-cli")
    subprocess.run([generator, "parquet", "-s", scale, "--tables", ",".join(TABLES), "--output-dir", tmp], check=True, capture_output=True)
    files = {t: os.path.join(tmp, t + ".parquet") for t in TABLES}
    db = duckdb.connect()
    for name, text in QUERIES.items():
        query = text.format(**files)
        want = db.sql(query).fetchall()
        start = time.monotonic()
        p = subprocess.run([scan, "sql", "--format", "jsonl", query], capture_output=True, text=True)
        took = time.monotonic() - start
        got = [list(json.loads(line).values()) for line in p.stdout.splitlines()]
        equal = p.returncode == 0 and len(got) == len(want) and all(len(g) == len(w) and all(map(same, g, w)) for g, w in zip(got, want))
        print(f"{name}: {len(want)} rows, {'equal' if equal and want else 'DIFFERENT'}, {took:.2f} s")
        if not equal or not want:
            faults.append(f"{name}: {p.stderr or got}\nDuckDB: {want}")
    test = ["go", "-C", "adapters/sqlite", "test", "-count=1", "-run", "^TestTPCH$", "-v", "."]
    p = subprocess.run(test, env={**os.environ, "WINNOW_TPCH": tmp}, capture_output=True, text=True)
    print(p.stdout.strip())
    if p.returncode != 0 or "--- PASS: TestTPCH" not in p.stdout:
        faults.append(p.stdout + p.stderr)
print("\n".join(faults))
sys.exit(bool(faults))
