"""Failed requests of a web log, in Polars and in DuckDB.

usage: weblog.py FILE       with testdata/weblog.parquet, say
"""

import sys

import duckdb
import polars as pl

import winnow
import winnow.polars

path = sys.argv[1]

# The condition and the columns reach the scan: pages without such rows are not decoded.
failed = (
    winnow.polars.scan(path)
    .filter((pl.col("status") >= 500) & (pl.col("latency_ms") > 1000))
    .group_by("status")
    .agg(pl.len().alias("requests"))
    .sort("status")
)
print(failed.collect())

# DuckDB reads any stream of Arrow by its name. What it needs of the file, where= and columns say.
errors = winnow.scan(path, ["status"], "status >= 500 AND latency_ms > 1000")
print(duckdb.sql("SELECT status, count(*) AS requests FROM errors GROUP BY status ORDER BY status"))
print(errors.explain())
