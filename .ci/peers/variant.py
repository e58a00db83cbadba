#!/usr/bin/env python3
"""Compares random conditions on paths into VARIANT columns, and columns that
are selected by such paths, with DuckDB's, for files that DuckDB writes,
shredded in several ways and not at all.

usage: variant.py [--texts N] [--seed N]    exit code 1 if anything differs

A comparison without a cast is on values of one class alone: texts, or numbers.
Not compared: casts of objects and arrays, and of numbers to BOOLEAN, which
winnow does not have.
"""
import argparse, datetime, decimal, json, math, os, random, subprocess, sys, tempfile

import duckdb

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(root)

# What SHREDDED has None for is chosen by DuckDB; VARIANT is not shredded.
NAMES = ["a", "b c", "value", "é"]
SHREDDED = [None, "VARIANT", "STRUCT(a BIGINT)", "STRUCT(a VARCHAR, \"b c\" BIGINT)", "STRUCT(a STRUCT(a BIGINT, value VARCHAR), value DOUBLE)", "STRUCT(a BIGINT[], é DATE)", "BIGINT", "VARCHAR"]
CASTS = ["INTEGER", "BIGINT", "SMALLINT", "DOUBLE", "VARCHAR", "DATE", "BOOLEAN", "DECIMAL(9,2)", "TIMESTAMP"]


def quote(name):
    return '"' + name.replace('"', '""') + '"'


def text(s):
    return "'" + s.replace("'", "''") + "'"


def value(r, depth=0):
    """A random value in SQL."""
    kind = r.randrange(16 if depth < 3 else 10)
    if kind < 3:
        return str(r.choice([0, 1, 7, -3, 12, 127, 128, 40000, 5000000000])) + r.choice(["", "", "::BIGINT", "::HUGEINT"])
    if kind == 3:
        return "%d.%02d" % (r.randrange(30), r.randrange(100))
    if kind == 4:
        return str(r.choice([0.5, 1.25, -2.5, 1e20, 3.0, 0.1])) + "::DOUBLE"
    if kind < 7:
        return text(r.choice(["", "w", "ww", "12", "1.5", "true", "2024-01-31", "a longer text than twelve bytes", "é"]))
    if kind == 7:
        return r.choice(["TRUE", "FALSE"])
    if kind == 8:
        return r.choice(["NULL", "DATE '2024-01-31'", "DATE '1969-12-31'", "TIMESTAMP '2024-01-31 10:00:00.5'"])
    if kind == 9:
        return "NULL"
    if kind < 14:
        names = r.sample(NAMES, r.randrange(1, 4))
        return "{" + ", ".join(text(n) + ": " + value(r, depth + 1) for n in names) + "}"
    return "[" + ", ".join(value(r, depth + 1) + "::VARIANT" for _ in range(r.randrange(4))) + "]" + "::VARIANT[]"


def path(r):
    """A path, as winnow and as DuckDB spell it."""
    ours = "v"
    for _ in range(r.randrange(1, 4)):
        n = r.choice(NAMES)
        ours += r.choice(["." + quote(n), "[" + text(n) + "]", "." + quote(n), "[%d]" % r.randrange(1, 4)])
        if ours == "v." + quote("value"): # which is the stored part
            ours = "v['value']"
    return ours, "t." + ours


def cast(theirs, to):
    """A cast in DuckDB, NULL where winnow has none."""
    nested = f"variant_typeof({theirs}) LIKE 'OBJECT%' OR variant_typeof({theirs}) LIKE 'ARRAY%'"
    if to == "BOOLEAN":
        nested += f" OR variant_typeof({theirs}) NOT IN ('VARCHAR', 'BOOL_TRUE', 'BOOL_FALSE')"
    return f"CASE WHEN {nested} THEN NULL ELSE TRY_CAST({theirs} AS {to}) END"


LITERALS = {"VARCHAR": [text(s) for s in ("w", "12", "1", "true", "", "0.5")], "DATE": ["DATE '2024-01-31'"], "BOOLEAN": ["TRUE"],
            "TIMESTAMP": ["TIMESTAMP '2024-01-31 10:00:00.5'", "TIMESTAMP '2000-01-01 00:00:00'"]}


def condition(r, depth=0):
    ours, theirs = path(r)
    kind = r.randrange(8)
    if kind == 0 and depth < 2:
        (a, b), (c, d), op = condition(r, depth + 1), condition(r, depth + 1), r.choice(["AND", "OR"])
        return f"({a} {op} {c})", f"({b} {op} {d})"
    if kind == 1 and depth < 2:
        a, b = condition(r, depth + 1)
        return f"NOT {a}", f"NOT ({b})"
    if kind == 2:
        op = r.choice(["IS NULL", "IS NOT NULL"])
        return f"{ours} {op}", f"({theirs} {op})"
    op = r.choice(["=", "<>", "<", "<=", ">", ">="])
    if kind == 3:
        l = text(r.choice(["", "w", "ww", "12", "é"]))
        return f"{ours} {op} {l}", f"(CASE WHEN variant_typeof({theirs}) = 'VARCHAR' THEN TRY_CAST({theirs} AS VARCHAR) {op} {l} END)"
    if kind == 4:
        l = r.choice(["0", "1", "12", "127", "3", "0.5", "1.25", "-3"])
        number = f"variant_typeof({theirs}) LIKE 'INT%' OR variant_typeof({theirs}) LIKE 'UINT%' OR variant_typeof({theirs}) LIKE 'DECIMAL%' OR variant_typeof({theirs}) = 'DOUBLE'"
        return f"{ours} {op} {l}", f"(CASE WHEN {number} THEN TRY_CAST({theirs} AS DOUBLE) {op} {l}::DOUBLE END)"
    to = r.choice(CASTS)
    l = r.choice(LITERALS.get(to, ["0", "1", "12", "2", "-3", "127"]))
    return f"{ours}::{to} {op} {l}", f"({cast(theirs, to)} {op} {l})"


def normal(x):
    """A value of DuckDB's, or of a line of JSON, so that equal ones are equal."""
    if isinstance(x, bool) or x is None:
        return x
    if isinstance(x, (int, float, decimal.Decimal)):
        return float(x)
    if isinstance(x, datetime.datetime):
        return x.isoformat().rstrip("0").rstrip(".").replace("T", " ").removesuffix(" 00:00:00")
    if isinstance(x, datetime.date):
        return x.isoformat()
    if isinstance(x, dict):
        return {k: normal(v) for k, v in x.items()}
    if isinstance(x, (list, tuple)):
        return [normal(v) for v in x]
    return x


def same(ours, theirs):
    ours, theirs = normal(ours), normal(theirs)
    if isinstance(theirs, float) and isinstance(ours, str): # decimals are strings
        return float(ours) == theirs
    if isinstance(theirs, str) and isinstance(ours, str) and len(ours) > 10 and ours[10:11] == "T":
        return normal(datetime.datetime.fromisoformat(ours)) == theirs
    if isinstance(theirs, dict) and isinstance(ours, dict):
        return ours.keys() == theirs.keys() and all(same(ours[k], theirs[k]) for k in ours)
    if isinstance(theirs, list) and isinstance(ours, list):
        return len(ours) == len(theirs) and all(same(a, b) for a, b in zip(ours, theirs))
    return ours == theirs


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--texts", type=int, default=2000)
    p.add_argument("--seed", type=int, default=0)
    args = p.parse_args()
    r = random.Random(args.seed)
    dir = tempfile.mkdtemp()
    scan = os.path.join(dir, "scan")
    subprocess.run(["go", "build", "-o", scan, "./cmd/scan"], check=True)
    db = duckdb.connect()
    db.execute("SET TimeZone = 'UTC'")
    failed, passing, values, done = 0, 0, 0, 0
    per = 100
    while done < args.texts:
        shredded = SHREDDED[done // per % len(SHREDDED)]
        file = os.path.join(dir, "v.parquet")
        db.execute("CREATE OR REPLACE TABLE made (id BIGINT, v VARIANT)")
        rows = ", ".join(f"({i}, ({value(r)})::VARIANT)" for i in range(200))
        db.execute("INSERT INTO made VALUES " + rows)
        how = "" if shredded is None else ", shredding {'v': " + text(shredded) + "}"
        db.execute(f"COPY made TO {text(file)} (FORMAT parquet, ROW_GROUP_SIZE 2048{how})")
        db.execute(f"CREATE OR REPLACE TABLE t AS FROM {text(file)}")
        for _ in range(per):
            done += 1
            ours, theirs = condition(r)
            columns = [path(r) for _ in range(r.randrange(3))]
            columns = [(a, b) if r.randrange(2) else (a + "::" + to, cast(b, to)) for a, b in columns for to in [r.choice(CASTS)]]
            p = subprocess.run([scan, "cat", "--format", "jsonl", "-c", ",".join(["id"] + [c for c, _ in columns]), "--where", ours, file], capture_output=True, text=True)
            want = db.execute("SELECT " + ", ".join(["id"] + [f"{c} AS c{i}" for i, (_, c) in enumerate(columns)]) + f" FROM t WHERE {theirs} ORDER BY id").fetchall()
            if p.returncode != 0:
                failed += 1
                print(shredded, ours, columns, p.stderr)
                continue
            got = [[v for _, v in json.loads(line, object_pairs_hook=lambda pairs: pairs if pairs and pairs[0][0] == "id" else dict(pairs))] for line in p.stdout.splitlines()]
            passing, values = passing + len(want), values + sum(x is not None for row in want for x in row[1:])
            if [g[0] for g in got] != [w[0] for w in want]:
                failed += 1
                print(f"{shredded}: {ours}\n  DuckDB: {theirs}\n  rows differ: {set(g[0] for g in got) ^ set(w[0] for w in want)}")
                continue
            for g, w in zip(got, want):
                bad = [i for i in range(1, len(w)) if not same(g[i], w[i])]
                if bad:
                    failed += 1
                    print(f"{shredded}: row {g[0]}: {columns[bad[0] - 1]} is {g[bad[0]]!r}, DuckDB says {w[bad[0]]!r}")
                    break
    print(f"{done} conditions, {passing} rows pass, {values} selected values, {failed} failed")
    sys.exit(1 if failed or passing < done or values < done // 4 else 0)


main()
