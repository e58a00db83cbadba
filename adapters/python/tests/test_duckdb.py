"""Scans as data sets: random queries of DuckDB against its own tables, and filters of pyarrow against pyarrow's."""

import os
import pickle
import random
import tempfile
import unittest
from unittest import mock

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import winnow
import winnow.polars
from support import LINES, sound_files
from test_polars import FAR, frame

QUERIES = int(os.environ.get("WINNOW_DUCKDB_QUERIES", 100))
ADDED = ("INTEGER", "BIGINT", "DOUBLE", "DATE")


class Writer:
    """Random queries in SQL over tables a and b, whose columns have the given types and values, all as texts."""

    def __init__(self, rng, types, values):
        self.rng, self.types, self.values = rng, types, values

    def column(self, table, name=None):
        name = name or self.rng.choice(list(self.types))
        return f'{table}."{name}"' if name != "struct" else f"{table}.struct.i64", name

    def literal(self, name):
        value = self.rng.choice(self.values[name]).replace("'", "''")
        return f"'{value}'::{self.types[name]}"

    def test(self, table):
        r = self.rng
        x, name = self.column(table)
        type, some = self.types[name], ", ".join(self.literal(name) for _ in range(r.randint(1, 4)))
        ways = [f"{x} {r.choice(['=', '<>', '<', '<=', '>', '>='])} {self.literal(name)}"] * 6
        ways += [f"{x} IN ({some})", f"{x} NOT IN ({some})", f"{x} IS NULL", f"{x} IS NOT NULL", f"{x} IS DISTINCT FROM {self.literal(name)}"]
        ways += [f"{x} BETWEEN {self.literal(name)} AND {self.literal(name)}", f"{self.literal(name)} < {x}"]
        if type == "VARCHAR":
            ways += [f"{x} LIKE '{p}'" for p in ("a%", "%b", "%b%", "_b%")] + [f"{x} || 'a' = 'aba'"]
        if type in ADDED:
            ways += [f"{x} + 1 > {self.literal(name)}"] if type != "DATE" else [f"year({x}) = 2021", f"{x} > '2000-01-01'"]
        return r.choice(ways)

    def condition(self, table, depth=0):
        how = self.rng.random() if depth < 3 else 1
        if how < 0.5:
            return f"({self.condition(table, depth + 1)} {self.rng.choice(['AND', 'AND', 'OR'])} {self.condition(table, depth + 1)})"
        return f"NOT {self.condition(table, depth + 1)}" if how < 0.6 else f"({self.test(table)})"

    def query(self):
        r = self.rng
        some = [name for name in self.types if name != "struct"]
        keys = [n for n in some if self.types[n] not in ("FLOAT", "DOUBLE")]  # of 0 and -0, one is a group's
        columns = ", ".join(f'a."{n}"' for n in r.sample(some, r.randint(1, 4)))
        where, key, n = self.condition("a"), r.choice(keys), r.randint(0, 30)
        return r.choice([
            f"SELECT a.id, {columns} FROM a WHERE {where}",
            f"SELECT a.struct, a.list_s, a.id FROM a WHERE {where}",
            f"SELECT a.id, {columns} FROM a WHERE {where} ORDER BY a.id LIMIT {n}",
            f"SELECT a.id, {columns} FROM a ORDER BY a.id DESC LIMIT {n} OFFSET 7",
            f"SELECT count(*), count(a.{key}), min(a.{r.choice(some)}), max(a.{r.choice(some)}), sum(a.id) FROM a WHERE {where}",
            f"SELECT a.{key}, count(*), max(a.id) FROM a WHERE {where} GROUP BY 1",
            f"SELECT count(*) FROM (SELECT * FROM a WHERE {where} LIMIT {n})",
            f"SELECT a.id, b.id, b.{key} FROM a JOIN b ON a.{key} = b.{key} WHERE {where} AND {self.condition('b')}",
            f"SELECT a.id, b.id FROM a LEFT JOIN b ON a.id = b.id + 1 AND {self.condition('b')} WHERE {where}",
            f"SELECT a.id FROM a WHERE a.{key} IN (SELECT b.{key} FROM b WHERE {self.condition('b')})",
        ])  # fmt: skip


def rows(connection, query):
    cells = connection.execute(f"SELECT COLUMNS(*)::VARCHAR FROM ({query})").fetchall()
    return sorted(cells, key=repr)


def same(row):
    return tuple("0.0" if cell == "-0.0" else cell for cell in row)


class DuckDB(unittest.TestCase):
    def test_random(self):
        rng = random.Random(int(os.environ.get("WINNOW_DUCKDB_SEED", 48)))
        own, ours = duckdb.connect(), duckdb.connect()
        for connection in (own, ours):
            connection.execute("SET TimeZone = 'UTC'")
        received = []
        scan = winnow._scan.Scan

        def recorded(query):
            received.append(query)
            return scan(query)

        with tempfile.TemporaryDirectory() as folder, mock.patch("winnow._scan.Scan", recorded):
            for name, count in (("a", 600), ("b", 200)):
                path = os.path.join(folder, name + ".parquet")
                frame(rng, count).drop(*FAR).write_parquet(path, row_group_size=150)
                # A table, since its reader skips row groups by bounds, which are without NaN.
                own.execute(f"CREATE TABLE {name} AS SELECT * FROM read_parquet('{path}')")
                dictionaries = ["str", "str_2", "bin"] if name == "b" else []
                ours.register(name, winnow.scan(path, dictionaries=dictionaries).to_dataset())
            types = {n: t for n, t, *_ in own.execute("DESCRIBE a").fetchall() if n[:5] != "list_"}
            types["struct"] = "BIGINT"
            w = Writer(rng, types, {})
            w.values = {n: [v for v, in own.execute(f"SELECT DISTINCT {w.column('a', n)[0]}::VARCHAR AS v FROM a ORDER BY 1").fetchall() if v is not None] for n in types}
            compared, found, pushed = 0, 0, 0
            while compared < QUERIES:
                query = w.query()
                try:
                    want = rows(own, query)
                except (duckdb.OutOfRangeException, duckdb.ConversionException):
                    continue
                received.clear()
                self.assertEqual([*map(same, rows(ours, query))], [*map(same, want)], query)
                compared, found = compared + 1, found + len(want)
                pushed += any(q.get("pushed") for q in received)
        print(f"{compared} queries, {found} rows, {pushed} with conditions in the scan", end=" ", flush=True)
        self.assertGreater(pushed, QUERIES // 2)
        self.assertGreater(found, QUERIES)

    def test_what_reaches_the_scan(self):
        d = winnow.scan(LINES).to_dataset()
        with mock.patch("winnow._scan.Scan", side_effect=winnow._scan.Scan) as made:
            got = duckdb.sql("SELECT comment FROM d WHERE order_key > 20000 AND quantity IN (3, 4)").fetchall()
        self.assertEqual(made.call_args.args[0]["columns"], ['"comment"'])
        self.assertEqual(made.call_args.args[0]["pushed"], ['("quantity" IN (3, 4))', '("order_key" > 20000)'])
        self.assertEqual(got, duckdb.sql(f"SELECT comment FROM '{LINES}' WHERE order_key > 20000 AND quantity IN (3, 4)").fetchall())

    def test_strings(self):
        """DuckDB 2 gets views, and dictionaries of columns that are small ones in the first file; others get plain strings."""
        words, texts = [f"word number {n % 50}" if n % 7 else None for n in range(9000)], [f"text of row {n}" for n in range(9000)]
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("a.parquet", "b.parquet")]
            pq.write_table(pa.table({"few": words, "all": texts, "n": range(9000)}), paths[0], row_group_size=3000)
            pq.write_table(pa.table({"few": texts, "all": words, "n": range(9000)}), paths[1], use_dictionary=False)
            d = winnow.scan(paths).to_dataset()

            def types(d, filter=None):
                return type(d).scanner(d, columns=["few", "all"], filter=filter).to_reader().schema.types

            plain, small = [pa.string()] * 2, pa.dictionary(pa.int32(), pa.string_view())
            for of in (d, winnow.scan(paths[0]).to_dataset()):
                self.assertEqual(types(of), [small, pa.string_view()])
            self.assertEqual(types(winnow.scan(paths[1]).to_dataset()), [pa.string_view()] * 2)
            self.assertEqual(types(d, pc.starts_with(pc.field("few"), "w")), plain)
            self.assertEqual(types(winnow.scan(paths, strings="large").to_dataset()), [pa.large_string()] * 2)
            self.assertEqual([d.schema.types[:2], d.scanner(["few", "all"]).to_reader().schema.types, d.to_table().schema.types[:2]], [plain] * 3)
            with mock.patch("duckdb.__version__", "1.5.6"):
                self.assertEqual(types(d), plain)
            for query in (
                'SELECT few, count(*), min("all"), typeof(any_value(few)) FROM {} WHERE n > 70 GROUP BY 1',
                'SELECT "all", few FROM {} WHERE few LIKE \'%5\' OR "all" LIKE \'_ext%99\'',
                "SELECT n, few FROM {} WHERE few IN ('word number 7', 'text of row 5') ORDER BY few, n LIMIT 9",
                'SELECT a.n, b."all" FROM {0} a JOIN {0} b ON a.few = b."all" WHERE b.n < 40',
            ):
                got = duckdb.sql(query.format("d")).fetchall()
                self.assertEqual(sorted(got, key=repr), sorted(duckdb.sql(query.format(f"read_parquet({paths})")).fetchall(), key=repr))


class Pyarrow(unittest.TestCase):
    def test_filters(self):
        """Filters of pyarrow return the rows that they return of a table, whether the scan takes them or not."""
        null, f = pa.scalar(None, pa.bool_()), pc.field
        table = pa.table({"i": [1, 2, 3, None], "s": ["a", "ab", None, "b'"], "b": [True, False, None, True], "n": [{"x": 1}, {"x": None}, None, {"x": 3}]})
        table = table.append_column("f", pa.array([0.5, float("nan"), None, float("inf")]))
        taken = [
            f("i") > 1, f("i").isin([1, 3]), ~f("i").isin([1, 3]), ~pc.if_else(f("i").is_valid(), f("i").isin([1]), null),
            pc.if_else(f("b"), f("i") > 1, f("s") == "ab"), f("b"), ~f("b") | (f("s") == "b'"), f("s").isin(["ab", "b'"]) & f("b"), f("i") < f("i"),
            f("n").is_null(), f("n", "x") <= 2, f("n", "x").is_null(), f("f") > 0.1, f("f") != 0.5, f("f") < float("inf"),
            ~(f("f") <= 0.5),
        ]  # fmt: skip
        left = [
            f("i") + 1 > 2, (f("i") + 1 > 2) & (f("i") < 3), f("f").is_null(nan_is_null=True), f("i") == 1.5, f("i").isin([1, None]),
            f("f").isin([float("nan"), 0.5]), pc.starts_with(f("s"), "a"), pc.is_nan(f("f")), f("s") > pc.utf8_upper(f("s")),
        ]  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.parquet")
            pq.write_table(table, path)
            for limit in (None, 3):
                d, all = winnow.scan(path, limit=limit).to_dataset(), table.slice(0, limit)
                for n, filter in enumerate(taken + left):
                    want = all.filter(filter)
                    self.assertEqual(str(d.to_table(filter=filter).to_pydict()), str(want.to_pydict()), filter)
                    self.assertEqual(d.to_table(["s", "b"], filter), want.select(["s", "b"]), filter)
                    self.assertEqual(d.to_table({"j": f("i")}, filter)["j"].to_pylist(), want["i"].to_pylist(), filter)
                    self.assertEqual(d.count_rows(filter), want.num_rows, filter)
                    self.assertEqual(d._push(filter, lambda pushed, rest, needed: rest is None), n < len(taken) and not limit, filter)
            d = pickle.loads(pickle.dumps(winnow.scan(path, ["i"], "i > 1", row_number="row").to_dataset()))
            self.assertEqual(d.to_table(filter=f("row") > 1).to_pydict(), {"i": [3], "row": [2]})
            self.assertEqual((d.count_rows(), d.head(1).num_rows, d.to_table([]).num_rows), (2, 1, 2))
            for refuse in (d.get_fragments, lambda: d.filter(f("i") > 1), lambda: d.join(d, "i"), lambda: d.sort_by("i")):
                self.assertRaises(NotImplementedError, refuse)

    def test_rounded_times(self):
        table = pa.table({"t": pa.array([1, 1_000, 2_001], pa.timestamp("ns"))})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.parquet")
            pq.write_table(table, path, use_deprecated_int96_timestamps=True)
            for unit, rows in (("ns", 0), ("us", 1)):
                d = winnow.scan(path, int96=unit).to_dataset()
                self.assertEqual(d.count_rows(pc.field("t") == pa.scalar(0, pa.timestamp(unit))), rows)
                lazy = winnow.polars.scan(path, int96=unit).filter(pl.col("t") == pl.lit(0).cast(pl.Datetime(unit)))
                self.assertEqual(lazy.collect().height, rows)

    def test_samples(self):
        for path in sound_files():
            scan = winnow.scan(path, strings="string")
            try:
                want = scan.to_arrow()
            except (winnow.Error, pa.ArrowException):
                continue
            if len(set(want.schema.names)) < want.num_columns:
                continue  # pyarrow's data sets have no two columns of a name
            d = scan.to_dataset()
            self.assertEqual(str(d.to_table().to_pylist()), str(want.to_pylist()), path)
            self.assertEqual(d.to_table(want.schema.names[::-1]).schema.names, want.schema.names[::-1], path)


if __name__ == "__main__":
    unittest.main()
