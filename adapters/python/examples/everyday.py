# %% [markdown]
# # Ten everyday tasks, with winnow and without
#
# Each task is done twice: by a library's own reader of Parquet, and by winnow within that library. Both answers must be
# the same. The cells run in order, in Jupyter or as a program:
#
#     python everyday.py [--rows N] [--rounds N] [--write]
#
# `--write` puts the table of times into README.md. It needs pandas, pyarrow, Polars, DuckDB, pyspark and Java 17.

# %%
import argparse
import glob
import os
import re
import statistics
import sys
import tempfile
import time

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

import winnow
import winnow.polars
import winnow.spark

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, default=1_000_000)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--write", action="store_true")
options, _ = parser.parse_known_args()

# %% [markdown]
# ## The data
# A year of orders, in the order in which they were placed: one file as pyarrow writes it, in row groups of a tenth, and
# the same orders in a folder for each month.

# %%
folder = tempfile.TemporaryDirectory()
ORDERS, MONTHS = os.path.join(folder.name, "orders.parquet"), os.path.join(folder.name, "months")
r, n = np.random.default_rng(1), options.rows
placed = np.sort(r.integers(0, 366 * 86_400_000_000, n)) + np.datetime64("2024-01-01", "us").astype(int)
words = np.array("a lamp of the old kind, box was broken again gift for my mother at home".split())
orders = pa.table(
    {
        "id": np.arange(n),
        "placed": pa.array(placed, pa.timestamp("us")),
        "customer": r.integers(0, n // 100, n),
        "region": np.array(["north", "east", "south", "west"])[r.integers(0, 4, n)],
        "price": np.round(r.gamma(2.0, 30.0, n), 2),
        "quantity": r.integers(1, 20, n),
        "note": [" ".join(some) for some in words[r.integers(0, len(words), (n, 6))]],
        "tags": [["gift", "new", "sale"][: k % 4] if k < 40 else [] for k in r.integers(0, 1000, n)],
    }
)
pq.write_table(orders, ORDERS, row_group_size=n // 10)
for month in range(1, 13):
    os.makedirs(os.path.join(MONTHS, f"month={month}"))
    pq.write_table(orders.filter(pc.equal(pc.month(orders["placed"]), month)), os.path.join(MONTHS, f"month={month}", "part.parquet"))

# %% [markdown]
# ## How tasks are compared
# Times are CPU time, of all threads and of Spark's processes: the medians of some rounds, in which the two take turns.


# %%
def cpu():
    """Seconds of this process and of those below it."""
    below, stats = {os.getpid()}, {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as f:
                pid, rest = int(path.split("/")[2]), f.read().rpartition(")")[2].split()
            stats[pid] = int(rest[1]), sum(map(int, rest[11:15]))  # its parent; ticks
        except OSError:
            pass  # it has ended
    ticks = 0
    for pid in sorted(stats):
        if stats[pid][0] in below:
            below.add(pid)
            ticks += stats[pid][1]
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def result(of):
    """The answer of any library as a table of pyarrow, or a number. DuckDB and Spark find it only now."""
    if isinstance(of, (pd.Series, pd.DataFrame)):
        return pa.Table.from_pandas(of.reset_index() if isinstance(of, pd.Series) else of, preserve_index=False)
    for method in ("to_arrow_table", "to_arrow", "toArrow"):
        if hasattr(of, method):
            return getattr(of, method)()
    return of


def rows(of):
    """The rows of an answer as sorted texts."""
    if not isinstance(of, pa.Table):
        return str(of)
    return sorted(str([f"{v:.9g}" if isinstance(v, float) else str(v) for v in row.values()]) for row in of.to_pylist())


done = []


def task(library, title, theirs, ours):
    want = rows(result(theirs()))
    assert want and rows(result(ours())) == want, title
    times = {theirs: [], ours: []}
    for _ in range(options.rounds):
        for way in times:
            begin = cpu()
            result(way())
            times[way].append((cpu() - begin) * 1e3)
    done.append((library, title, *map(statistics.median, times.values())))
    print("%s: %s: %.1f ms, with winnow %.1f ms" % done[-1])


# %% [markdown]
# ## pandas

# %%
task(
    "pandas",
    "all orders of one customer",
    lambda: pd.read_parquet(ORDERS, filters=[("customer", "==", 17)]),
    lambda: winnow.scan(ORDERS, where=("customer = ?", 17)).to_pandas(),
)
task(
    "pandas",
    "the mean price by region, of all orders",
    lambda: pd.read_parquet(ORDERS, columns=["region", "price"]).groupby("region").price.mean(),
    lambda: winnow.scan(ORDERS, ["region", "price"]).to_pandas().groupby("region").price.mean(),
)

# %% [markdown]
# ## pyarrow

# %%
task(
    "pyarrow",
    "orders with a word in their note",
    lambda: ds.dataset(ORDERS).to_table(columns=["id", "note"], filter=pc.match_substring(ds.field("note"), "broken again gift")),
    lambda: winnow.scan(ORDERS, ["id", "note"], "note LIKE '%broken again gift%'").to_arrow(),
)
task(
    "pyarrow",
    "how many orders of a week were dear",
    lambda: ds.dataset(ORDERS).count_rows(
        filter=(ds.field("placed") >= pd.Timestamp("2024-05-01")) & (ds.field("placed") < pd.Timestamp("2024-05-08")) & (ds.field("price") > 200)
    ),
    lambda: winnow.scan(ORDERS, where="placed >= TIMESTAMP '2024-05-01 00:00:00' AND placed < TIMESTAMP '2024-05-08 00:00:00' AND price > 200").count(),
)

# %% [markdown]
# ## Polars


# %%
def dear(lazy):
    kept = lazy.filter((pl.col("price") > 250) & (pl.col("quantity") >= 15))
    return kept.group_by("region").agg(pl.len().alias("orders"), pl.col("price").max()).collect()


def top(lazy):
    return lazy.filter(pl.col("month") == 3).sort("price", "id", descending=True).select("id", "price", "note").head(5).collect()


task("Polars", "dear orders by region", lambda: dear(pl.scan_parquet(ORDERS)), lambda: dear(winnow.polars.scan(ORDERS)))
task(
    "Polars",
    "the five dearest orders of a month, of a folder for each month",
    lambda: top(pl.scan_parquet(MONTHS, hive_partitioning=True)),
    lambda: top(winnow.polars.scan(MONTHS)),
)

# %% [markdown]
# ## DuckDB

# %%
customers = pa.table({"customer": [17, 70, 170], "name": ["Ann", "Bob", "Cleo"]})
lines = winnow.scan(ORDERS).to_dataset()
tagged = winnow.scan(ORDERS, ["id", "price"], "ANY(tags) = 'sale'")
task(
    "DuckDB",
    "orders with a tag in their list",
    lambda: duckdb.sql(f"SELECT id, price FROM '{ORDERS}' WHERE list_contains(tags, 'sale')"),
    lambda: duckdb.sql("SELECT id, price FROM tagged"),
)
task(
    "DuckDB",
    "what three customers of another table spent",
    lambda: duckdb.sql(f"SELECT name, sum(price) FROM '{ORDERS}' JOIN customers USING (customer) WHERE quantity > 10 GROUP BY 1"),
    lambda: duckdb.sql("SELECT name, sum(price) FROM lines JOIN customers USING (customer) WHERE quantity > 10 GROUP BY 1"),
)

# %% [markdown]
# ## Spark

# %%
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
winnow.spark.register(spark)
task(
    "Spark",
    "what one customer spent",
    lambda: spark.read.parquet(ORDERS).where("customer = 17").selectExpr("sum(price)"),
    lambda: winnow.spark.select(spark, ORDERS, "sum(price)", where="customer = 17"),
)
task(
    "Spark",
    "revenue by region, of all orders",
    lambda: spark.read.parquet(ORDERS).groupBy("region").agg({"price": "sum"}),
    lambda: spark.read.format("winnow").option("columns", "region, price").load(ORDERS).groupBy("region").agg({"price": "sum"}),
)

# %% [markdown]
# ## The table

# %%
heading = "| | task | own reader | winnow |"
table = "".join(f"| {library} | {title} | {theirs:.1f} | {ours:.1f} |\n" for library, title, theirs, ours in done)
print(f"{heading}\n|---|---|--:|--:|\n{table}")
readme = os.path.join(os.path.dirname(os.path.abspath(globals().get("__file__", "x/x"))), "..", "README.md")
if os.path.exists(readme):
    with open(readme, encoding="utf-8") as f:
        text = f.read()
    if options.write:
        shown = re.sub(re.escape(heading) + r"\n(\|.*\n)*", lambda _: f"{heading}\n|---|---|--:|--:|\n{table}", text)
        with open(readme, "w", encoding="utf-8") as f:
            f.write(shown)
    else:
        missing = [title for _, title, _, _ in done if f" | {title} | " not in text]
        assert not missing, f"not in README.md: {missing}; --write writes the table"
spark.stop()
folder.cleanup()
