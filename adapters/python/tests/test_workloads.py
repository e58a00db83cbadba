"""The answers of the peers' workloads through winnow.scan into pyarrow, Polars and DuckDB.

They were computed by pyarrow, from whole columns. Without the data of the peers there is
nothing to compare: WINNOW_PEERS_REQUIRED=1 makes that a failure.
"""

import os
import unittest

import duckdb
import polars as pl
import pyarrow as pa

import winnow
import winnow.polars
from support import DATA, PEERS, differs, where_of, workloads


class Workloads(unittest.TestCase):
    def setUp(self):
        found, self.every = workloads() if os.path.exists(PEERS) else ([], 0)
        if not found and os.environ.get("WINNOW_PEERS_REQUIRED") != "1":
            self.skipTest("the peers' data is not there")
        self.assertTrue(found)
        self.workloads = found

    def each(self, answer):
        for w in self.workloads:
            with self.subTest(w["name"]):
                path, where = os.path.join(DATA, w["file"]), where_of(w["where"])
                scan = winnow.scan(path, w["project"], where)
                self.assertEqual(scan.count(), w["rows"])
                if w["project"]:
                    self.assertEqual(differs(w, answer(scan, path, w, where)), "")
        print(f"{len(self.workloads)} of {self.every} workloads", end=" ", flush=True)

    def test_pyarrow(self):
        self.each(lambda scan, path, w, where: pa.table(scan))

    def test_polars(self):
        self.each(lambda scan, path, w, where: pl.DataFrame(scan).to_arrow())

    def test_duckdb(self):
        self.each(lambda scan, path, w, where: duckdb.sql("SELECT * FROM scan").to_arrow_table())

    def test_lazy_polars(self):
        """The conditions as expressions of Polars."""

        def lazily(scan, path, w, where):
            lazy = winnow.polars.scan(path)
            if w["where"] is not None:
                lazy = lazy.filter(expression(w["where"]))
            return lazy.select(list(dict.fromkeys(p.split(".")[0] for p in w["project"]))).collect().to_arrow()

        self.each(lazily)


def expression(p):
    import datetime
    import functools
    import operator

    for word in ("and", "or"):
        if word in p:
            return functools.reduce(getattr(operator, word + "_"), map(expression, p[word]))
    column, op, value = pl.col(p["col"]), p["op"], p.get("value")
    if p.get("type") == "date":
        value = datetime.date.fromisoformat(value)
    if op == "in":
        return column.is_in(value)
    if op == "prefix":
        return column.str.starts_with(value)
    if op == "contains":
        return column.str.contains(value, literal=True)
    if op == "not_null":
        return column.is_not_null()
    return getattr(operator, op)(column, value)


if __name__ == "__main__":
    unittest.main()
