#!/usr/bin/env python3
"""Finds what DuckDB, Polars, DataFusion and ClickHouse (chdb) skip of a Parquet file by conditions
as people write them: the table of docs/pruning.md but for winnow, whose cells scanner/testdata/pruning has.

The file is like that of scanner's TestPruning, of 100 times as many rows. Each engine counts the rows that
pass, so that it needs only the columns of the condition. DuckDB and Polars are judged by the bytes that the
process read (Linux): fewer than the columns have, or than their row groups in which a row passes. DataFusion
and ClickHouse are judged by their counters. "?" is what an engine refuses, or does with another result.
"""
import decimal, os, re, tempfile
import chdb.session, datafusion, duckdb, numpy as np, polars as pl, pyarrow as pa, pyarrow.parquet as pq

GROUPS, ROWS = 4, 400_000


def write(path):
    i, rng = np.arange(ROWS), np.random.default_rng(1)
    k = i * 4000 // ROWS
    ts = np.datetime64("2023-01-01", "us") + i * np.timedelta64(216, "s")
    ms = ts + np.where(k >= 3500, np.timedelta64(960, "h"), np.where(k >= 2500, np.timedelta64(1, "h"), np.timedelta64(-960, "h")))
    words = [chr(97 + w // 676) + chr(97 + w // 26 % 26) + chr(97 + w % 26) for w in k // 50]
    items = pa.StructArray.from_arrays([pa.array([f"k{x // 100 + 100}" for x in k]), pa.array([f"v{x % 5}" for x in i])], ["key", "value"])
    t = pa.table({
        "ts": ts, "id": i - 100_000, "n": pa.array(i - 100_000, mask=i % 97 == 0),
        "price": pa.array([decimal.Decimal(int(x)) / 100 for x in k], pa.decimal128(9, 2)),
        "name": [w + str(x) for w, x in zip(words, rng.integers(1000000, 9999999, ROWS))],
        "state": np.array([["AL", "CA", "WY"], ["AL", "TX", "WY"], ["AL", "NY", "WY"], ["AL", "CT", "WY"]])[k // 1000, rng.integers(0, 3, ROWS)],
        "a": (k // 250).astype("i4"), "b": rng.integers(0, 5, ROWS).astype("i4"), "ts_ms": ms.astype("datetime64[ms]"), "ts_us": ts,
        "attrs": pa.ListArray.from_arrays(np.arange(ROWS + 1, dtype="i4"), items),
    })
    pq.write_table(t, path, row_group_size=ROWS // GROUPS, max_rows_per_page=5000, write_batch_size=1000, write_page_index=True,
                   use_dictionary=["state"], compression="none", bloom_filter_options={"state": {"ndv": 10}})


c = pl.col
# A condition: its columns, in SQL, for Polars, and for DataFusion and ClickHouse where they write it otherwise ("": not tried).
CONDITIONS = [
    ("ts", "year(ts) = 2024", c("ts").dt.year() == 2024, "date_part('year', ts) = 2024", None),
    ("ts", "date_trunc('month', ts) = DATE '2024-05-01'", c("ts").dt.truncate("1mo") == pl.datetime(2024, 5, 1), None, None),
    ("ts", "ts::DATE = DATE '2024-05-20'", c("ts").cast(pl.Date) == pl.date(2024, 5, 20), None, None),
    ("ts", "ts AT TIME ZONE 'Europe/Berlin' >= TIMESTAMPTZ '2025-06-01 00:00:00+02'",
     c("ts").dt.replace_time_zone("Europe/Berlin", ambiguous="latest", non_existent="null") >= pl.datetime(2025, 6, 1, time_zone="Europe/Berlin"), "", ""),
    ("id", "id % 10 = 3", c("id") % 10 == 3, None, None),
    ("id", "id + 1 > 250000", c("id") + 1 > 250000, None, None),
    ("id", "abs(id) < 5", c("id").abs() < 5, None, None),
    ("price", "floor(price) = 7", c("price").floor() == 7, None, None),
    ("price", "round(price) = 7", c("price").round() == 7, None, None),
    ("n", "coalesce(n, 0) > 250000", pl.coalesce("n", 0) > 250000, None, None),
    ("id a", "CASE WHEN id < -50000 THEN a ELSE 0 END = 1", pl.when(c("id") < -50000).then(c("a")).otherwise(0) == 1, None, None),
    ("state", "nullif(state, 'AL') = 'TX'", pl.when(c("state") != "AL").then(c("state")) == "TX", None, None),
    ("state", "lower(state) = 'tx'", c("state").str.to_lowercase() == "tx", None, None),
    ("name", "substr(name, 1, 3) = 'abc'", c("name").str.slice(0, 3) == "abc", None, None),
    ("name", "left(name, 3) = 'abc'", c("name").str.head(3) == "abc", None, None),
    ("name", "name LIKE 'abc%'", pl.sql_expr("name LIKE 'abc%'"), None, None),
    ("name", "starts_with(name, 'abc')", c("name").str.starts_with("abc"), None, "startsWith(name, 'abc')"),
    ("name", "name ~ '^abc'", c("name").str.contains("^abc"), None, "match(name, '^abc')"),
    ("n", "n IS DISTINCT FROM 5", c("n").ne_missing(5), None, None),
    ("n", "n IS NOT DISTINCT FROM 5", c("n").eq_missing(5), None, None),
    ("a b", "a - b > 10", c("a") - c("b") > 10, None, None),
    ("a b", "(a, b) = (1, 2)", pl.struct("a", "b") == pl.struct(pl.lit(1).alias("a"), pl.lit(2).alias("b")), None, None),
    ("ts_ms ts_us", "ts_ms > ts_us", c("ts_ms") > c("ts_us"), None, None),
    ("attrs", "len(list_filter(attrs, lambda a: a.key = 'k107' AND a.value = 'v3')) > 0",
     c("attrs").list.eval((pl.element().struct.field("key") == "k107") & (pl.element().struct.field("value") == "v3")).list.any(),
     "", "arrayExists(a -> a.1 = 'k107' AND a.2 = 'v3', attrs)"),
]


def by_bytes(run, size, groups):
    read = lambda: int(re.search(r"rchar: (\d+)", open("/proc/self/io").read()).group(1))
    before, n, after = read(), run(), read()
    ratio = (after - before) / size
    return n, "pages" if ratio < 0.9 * len(groups) / GROUPS else "row groups" if ratio < 0.95 else "–", f"{ratio:.3f} of the bytes"


def main():
    write(path := os.path.join(tempfile.mkdtemp(), "f.parquet"))
    meta = pq.ParquetFile(path).metadata
    con = duckdb.connect()
    con.execute("SET threads = 1; SET enable_external_file_cache = false; SET TimeZone = 'UTC'")
    ctx = datafusion.SessionContext(datafusion.SessionConfig().set("datafusion.execution.parquet.pushdown_filters", "true"))
    ctx.register_parquet("f", path)
    click = chdb.session.Session()
    def events():
        rows = str(click.query("SELECT event, value FROM system.events WHERE event LIKE 'Parquet%'", "TabSeparated")).splitlines()
        return {k: int(v) for k, v in (r.split("\t") for r in rows)}

    def fusion(sql):
        n, plan = (str(ctx.sql(f"{explain} SELECT count(*) AS n FROM f WHERE {sql}").to_pydict()[x]) for explain, x in (("", "n"), ("EXPLAIN ANALYZE", "plan")))
        names = "page_index_pages_pruned", "row_groups_pruned_statistics", "row_groups_pruned_bloom_filter"
        counts = [re.search(name + r"=(\d+) total → (\d+) matched", plan).groups() for name in names]
        skips = [kept != total for total, kept in counts]
        return int(n[1:-1]), "pages" if skips[0] else "row groups" if any(skips) else "–", str(counts)

    def house(sql):
        before = events()
        n = int(str(click.query(f"SELECT count() FROM file('{path}') WHERE {sql}", "CSV")))
        pages, groups = (events().get(k, 0) - before.get(k, 0) for k in ("ParquetPrunedPages", "ParquetPrunedRowGroups"))
        return n, "pages" if pages else "row groups" if groups else "–", f"{pages} pages, {groups} row groups skipped"

    for columns, sql, polars, for_fusion, for_house in CONDITIONS:
        numbered = f"read_parquet('{path}', file_row_number = true)"
        found = [n for (n,) in con.execute(f"SELECT count(*) FROM {numbered} WHERE {sql} GROUP BY file_row_number // {ROWS // GROUPS}").fetchall()]
        chunks = [meta.row_group(g).column(i) for g in range(GROUPS) for i in range(meta.num_columns)]
        size = sum(c.total_compressed_size for c in chunks if c.path_in_schema.split(".")[0] in columns.split())
        print(f"{sql}: {sum(found)} rows in {len(found)} row groups")
        for name, run in {
            "DuckDB": lambda: by_bytes(lambda: con.execute(f"SELECT count(*) FROM '{path}' WHERE {sql}").fetchone()[0], size, found),
            "Polars": lambda: by_bytes(lambda: pl.scan_parquet(path).filter(polars).select(pl.len()).collect(engine="streaming").item(), size, found),
            "DataFusion": lambda: fusion(sql if for_fusion is None else for_fusion),
            "ClickHouse": lambda: house(sql if for_house is None else for_house),
        }.items():
            try:
                n, kind, why = run()
                print(f"    {name}: {kind}{'' if n == sum(found) else f' of {n} rows: ?'} ({why})", flush=True)
            except BaseException as e:  # of a panic in Rust, too
                print(f"    {name}: ? ({str(e)[:100]!r})", flush=True)


main()
