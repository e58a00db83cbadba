"""What a scan shows and takes: columns, rows in notebooks, parameters of conditions, schemas, and wrong arguments."""

import datetime as dt
import decimal
import os
import pickle
import pydoc
import random
import re
import shutil
import tempfile
import tomllib
import unittest
import uuid

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import winnow
import winnow.polars
from support import LINES, ORDERS, ROOT, sound_files


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, table):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        pq.write_table(table if isinstance(table, pa.Table) else pa.table(table), path)
        return path


class Columns(Folder):
    def test_of_all_files(self):
        shown = 0
        for path in sound_files():
            scan = winnow.scan(path)
            try:
                want = pa.schema(scan)
            except (winnow.Error, pa.ArrowException):
                continue
            shown += 1
            self.assertEqual(scan.columns, want.names, path)
            self.assertEqual(scan.schema, want, path)
        self.assertGreater(shown, 50)
        self.assertEqual(winnow.scan(ORDERS, ["customer.name", "order_id"]).columns, ["customer", "order_id"])

    def test_head(self):
        scan, want = winnow.scan(LINES, ["order_key"], "quantity > 40"), pq.read_table(LINES, columns=["order_key"], filters=[("quantity", ">", 40)])
        self.assertEqual((scan.head().to_pylist(), scan.head(0).num_rows, scan.head(10**9).num_rows), (want[:5].to_pylist(), 0, len(want)))
        few = winnow.scan(LINES, ["order_key"], "quantity > 40", limit=3, offset=2)
        self.assertEqual((few.head(9).to_pylist(), few.head(np.int64(2)).to_pylist()), (want[2:5].to_pylist(), want[2:4].to_pylist()))

    def test_hive(self):
        for year in (2023, 2024):
            self.write(f"year={year}/a=9/f.parquet", {"a": [year * 10], str(year): [1]})
        for options, columns, a in (
            ({}, ["2023", "a", "year"], 9),
            ({"hive": False}, ["a", "2023"], 20230),
            ({"union": True}, ["2023", "2024", "a", "year"], 9),
            ({"hive": False, "union": True}, ["a", "2023", "2024"], 20230),
        ):
            scan = winnow.scan(self.folder, **options)
            self.assertEqual((sorted(scan.columns), scan.min("a"), scan.count()), (sorted(columns), a, 2), options)
            self.assertEqual(scan.to_arrow()["a"].to_pylist()[0], a)
        self.assertEqual(winnow.scan(self.folder, where="year = 2024 AND a = 9").count(), 2 - 1)
        with self.assertRaises(winnow.NoColumnError):
            winnow.scan(self.folder, where="year = 2024", hive=False).count()
        names = [os.path.join(self.folder, f"year={y}", "a=9", "f.parquet") for y in (2023, 2024)]
        self.assertEqual(winnow.scan(names, ["a"], hive=False, split=winnow.Split(1, 0, 1 << 20)).to_arrow()["a"].to_pylist(), [20240])


class Schemas(Folder):
    def test_types_and_names(self):
        first = self.write("a.parquet", {"i": pa.array([1, None], pa.int32()), "s": ["x", "y"], "more": [1, 2]})
        self.write("b.parquet", {"s": ["z"], "f": pa.array([0.5], pa.float32()), "i": pa.array([2**40])})
        schema = pa.schema([("f", pa.float64()), ("i", pa.int64()), ("lacking", pa.list_(pa.int8())), ("s", pa.large_string())])
        rows = [
            {"f": None, "i": 1, "lacking": None, "s": "x"}, {"f": None, "i": None, "lacking": None, "s": "y"},
            {"f": 0.5, "i": 2**40, "lacking": None, "s": "z"},
        ]  # fmt: skip
        for scan in (winnow.scan(self.folder, schema=schema), pickle.loads(pickle.dumps(winnow.scan(self.folder, schema=schema)))):
            self.assertEqual((scan.columns, scan.schema.types, scan.count()), (schema.names, schema.types, 3))
            self.assertEqual(scan.to_arrow().to_pylist(), rows)
            self.assertEqual(pa.table(scan).schema.types, schema.types)
            self.assertEqual(scan.head(1).to_pylist(), rows[:1])
            self.assertIn("schema=…", repr(scan))
            self.assertIn("1099511627776", scan._repr_html_())
        self.assertEqual(winnow.scan(self.folder, where="i > 1 AND lacking IS NULL", schema=schema).to_arrow().to_pylist(), rows[2:])
        some = winnow.scan(self.folder, ["s", "f"], "i > 1", schema=schema)
        self.assertEqual((some.to_arrow().to_pylist(), some.count(), some.explain().rows), ([{"s": "z", "f": 0.5}], 1, 3))
        frame = winnow.polars.scan(self.folder, schema=pl.Schema({"i": pl.Int64, "s": pl.String})).filter(pl.col("i") > 1).select("s")
        self.assertEqual(frame.collect().rows(), [("z",)])
        for wrong, options, error, text in (
            (pa.schema([("i", pa.int16())]), {}, winnow.MismatchError, 'column "i": the file has INT32, INT16 is wanted|INT32'),
            (pa.schema([("i", pa.timestamp("s"))]), {}, winnow.Error, "i"),
            (schema, {"columns": ["more"]}, winnow.NoColumnError, "no column more in the schema"),
            (schema, {"union": True}, winnow.OptionsError, "neither union"),
            ({"i": "int64"}, {}, TypeError, "'schema' must be pyarrow.Schema, not dict"),
        ):
            with self.assertRaisesRegex(error, text):
                winnow.scan(first, schema=wrong, **options).to_arrow()


class Notebooks(Folder):
    def cells(self, html):
        return [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", html)][1:]

    def test_rows(self):
        scan = winnow.scan(LINES, ["order_key", "comment"], "quantity > 40")
        html, want = scan._repr_html_(), pq.read_table(LINES, columns=["order_key", "comment"], filters=[("quantity", ">", 40)])[:10].to_pylist()
        cells = self.cells(html)
        self.assertEqual([c[0] for c in cells], [str(r["order_key"]) for r in want])
        self.assertEqual([c[1] for c in cells], [r["comment"] or "NULL" for r in want])
        self.assertIn("more rows", html)
        self.assertIn("<th>comment</th>", html)
        self.assertEqual((scan.stats["rows"], scan.progress.rows), (0, 0))  # of what was shown, no counter tells
        for path in sound_files():
            try:
                rows = winnow.scan(path).to_arrow().num_rows
            except (winnow.Error, pa.ArrowException):
                continue
            html = winnow.scan(path)._repr_html_()
            self.assertEqual(len(self.cells(html)), min(rows, 10), path)
            self.assertLess(len(html), 40_000, path)

    def test_it_stays_small(self):
        wide = self.write("wide.parquet", {f"c{i}": ["x" * 100_000] * 20 for i in range(30)})
        html = winnow.scan([wide] * 2000)._repr_html_()
        self.assertLess(len(html), 40_000)
        self.assertIn("… and more rows and 10 more columns", html)
        self.assertEqual({len(c) for c in self.cells(html)}, {20})
        self.assertEqual(self.cells(winnow.scan(wide, ["c29", "c3"], limit=1)._repr_html_()), [["x" * 59 + "…"] * 2])
        hostile = self.write("h.parquet", {"<b>\u202e\x1b": pa.array(["<script>\n", None])})
        html = winnow.scan(hostile)._repr_html_()
        self.assertEqual(self.cells(html), [["&lt;script&gt;\\n"], ["NULL"]])
        for text in ("<b>", "\x1b", "\u202e", "more"):
            self.assertNotIn(text, html)

    def test_repr(self):
        scan = winnow.scan(LINES, ["order_key"], "quantity > 40", extensions=False, check=False, hive=False, limit=7)
        text = repr(scan)  # which opens nothing
        self.assertEqual(eval(text, {"winnow": winnow}).to_arrow(), scan.to_arrow())
        self.assertEqual(repr(winnow.scan("a.parquet")), "winnow.scan(['a.parquet'])")
        self.assertLess(len(repr(winnow.scan([LINES] * 100_000, where="order_key = 1" + " OR order_key = 2" * 1000))), 2000)

    def test_pickles(self):
        path = self.write("f.parquet", {"a": [1, 2, 3]})
        scan = winnow.scan(path, where="a > 2")
        things = [scan.explain(), scan.page_map(), scan.files(), scan.progress, winnow.Split(0, 0, 1)]
        stored = [pickle.dumps(x) for x in things]
        os.remove(path)  # nothing of them needs the file
        for thing, data in zip(things, stored):
            again = pickle.loads(data)
            self.assertEqual((type(again), repr(again)), (type(thing), repr(thing)))
        self.assertEqual(pickle.loads(stored[0])._repr_html_(), things[0]._repr_html_())
        self.assertEqual(pickle.loads(stored[1]).drawings, things[1].drawings)
        for kind in winnow.Error.__subclasses__() + winnow.OptionsError.__subclasses__():
            error = pickle.loads(pickle.dumps(kind("text", file="f", column="c", row_group=1, page=2, offset=3)))
            self.assertEqual((type(error), str(error), error.filename, vars(error)), (kind, "text", "f", dict(file="f", row_group=1, column="c", page=2, offset=3)))


class Parameters(Folder):
    # Columns of all types that a parameter may be compared with, NULLs and awkward values among them.
    UTC = dt.timezone.utc
    TABLE = {
        "b": pa.array([True, False, None]),
        "i": pa.array([-5, 2**62, None]),
        "f": pa.array([0.1, float("inf"), None]),
        "g": pa.array([0.1, -1e30, None], pa.float32()),
        "s": pa.array(["it's", "?; -- \"$x\"\n/*", ""]),
        "y": pa.array([b"\x00'", b"", None]),
        "d": pa.array([dt.date(1, 1, 1), dt.date(9999, 12, 31), None]),
        "t": pa.array([dt.time(0), dt.time(23, 59, 59, 999999), None]),
        "l": pa.array([dt.datetime(1970, 1, 1), dt.datetime(2024, 2, 29, 1, 2, 3, 4), None], pa.timestamp("us")),
        "u": pa.array([dt.datetime(1970, 1, 1, tzinfo=UTC), dt.datetime(2024, 2, 29, 1, 2, 3, 4, UTC), None], pa.timestamp("us", "UTC")),
        "n": pa.array([decimal.Decimal("-1.50"), decimal.Decimal("99999999.99"), None], pa.decimal128(10, 2)),
        "id": pa.array([uuid.UUID(int=1).bytes, uuid.UUID(int=2**128 - 1).bytes, None], pa.uuid()),
    }  # fmt: skip

    def test_each_value_finds_its_row(self):
        path = self.write("f.parquet", self.TABLE)
        for name, column in self.TABLE.items():
            values = column.to_pylist()
            for row, value in enumerate(values):
                found = [winnow.scan(path, [], (f'"{name}" = ?', value)), winnow.scan(path, [], (f"{name} IN $v", {"v": [value]}))]
                want = sum(v == value for v in values if v is not None and value is not None)
                self.assertEqual([s.count() for s in found], [want] * 2, (name, value))
            self.assertEqual(winnow.scan(path, where=(f"{name} IN ?", values)).count(), sum(v is not None for v in values))
        for where, rows in (
            (("u = ?", dt.datetime(1970, 1, 1, 5, 30, tzinfo=dt.timezone(dt.timedelta(hours=5.5)))), 1),
            (("l + ? = ?", dt.timedelta(days=-1, microseconds=7), dt.datetime(1969, 12, 31, 0, 0, 0, 7)), 1),
            (("i = ?", np.int64(-5)), 1),
            (("g = ?", np.float32(0.1)), 1),
            (("b = ?", np.bool_(True)), 1),
            (("i IN ?", np.array([-5, 3])), 1),
            (("i IN ?", pd.Series([2**62])), 1),
            (("l = ?", np.datetime64("2024-02-29T01:02:03.000004")), 1),
            (("l = ?", pd.Timestamp("1970-01-01")), 1),
            (("l = ?", pd.NaT), 0),
            (("d = ?", np.datetime64("9999-12-31")), 1),
            (("l + ? > ?", np.timedelta64(1, "ns"), dt.datetime(2024, 2, 29, 1, 2, 3, 4)), 1),
            (("f <> ?", float("nan")), 2),
            (("f = ?", float("inf")), 1),
            (("(i, s) IN ?", [(-5, "it's"), (1, "")]), 1),
            (("i - ? = ?", -5, 0), 1),
            (("i = -?", 5), 1),
            (("i IN ?", []), 0),
        ):
            self.assertEqual(winnow.scan(path, where=where).count(), rows, where)

    def test_texts_stay_texts(self):
        """Random texts of what means something in the language are one string each."""
        rng, pieces = random.Random(7), ["'", "''", '"', "`", "--", "/*", "*/", "?", "$x", "\\", "\n", "\0", " OR 1=1", ";", "x'", "é"]
        texts = sorted({"".join(rng.choices(pieces, k=rng.randrange(1, 6))) for _ in range(300)})
        path = self.write("f.parquet", {"s": texts})
        self.assertEqual(winnow.scan(path, where=("s IN ?", texts)).count(), len(texts))
        for text in texts:
            for where in (("s = ?", text), ("s = $x", {"x": text}), ("/* ? */ s = ? -- ? '", text), ("s = '?' OR s = ? AND '$x' <> ?", text, "")):
                want = sorted({text, "?"}) if "OR" in where[0] and "?" in texts else [text]
                self.assertEqual(winnow.scan(path, where=where).to_arrow()["s"].to_pylist(), want, where)

    def test_where(self):
        for arguments, text in (
            (("a > ? AND b = ?", 3, "x"), "a > 3 AND b = 'x'"),
            (("a IN ? OR a$b = $b", [1, None, True], {"b": -2.5}), "a IN (1, NULL, TRUE) OR a$b = (-2.5)"),
            (("l[?] = DATE?", -1, "2024-01-31"), "l[-1] = DATE '2024-01-31'"),
            (("a-?<1", -3), "a- (-3) <1"),
        ):
            self.assertEqual(winnow.where(*arguments), text)
        self.assertEqual(winnow.where("a = $x OR b = $x", x=1), "a = 1 OR b = 1")
        for arguments, error, wrong in (
            (("a = ? OR a = ?", 1), winnow.OptionsError, "2 parameters written \\?, and 1 values"),
            (("a = '?'", 1), winnow.OptionsError, "0 parameters"),
            (("a = '?", 1), winnow.OptionsError, "0 parameters"),
            (("a = $b",), winnow.OptionsError, r"\$b, and there is no value"),
            (("a = 1", {"b": 1}), winnow.OptionsError, r"no parameter \$b"),
            (("a = ?", "\ud800"), winnow.OptionsError, "not UTF-8"),
            (("a = ?", object()), TypeError, "must not be object"),
            ((3,), TypeError, "must be str, not int"),
        ):
            with self.assertRaisesRegex(error, wrong):
                winnow.where(*arguments)
        with self.assertRaisesRegex(winnow.OptionsError, "1 parameters written"):
            winnow.scan(LINES, where="order_key = ?")

    def test_help(self):
        told = pydoc.plain(pydoc.render_doc(winnow.where))
        with open(os.path.join(ROOT, "filter", "doc.go"), encoding="utf-8") as f:
            text = f.read()
        for line in ("value [NOT] BETWEEN value AND value", "split_part(s, '/', 2)", "NaN compares as in IEEE 754", "-- to the"):
            self.assertIn(line, told)
            self.assertIn(line, text)
        self.assertNotIn("//", told.replace("https://", ""))


class Arguments(unittest.TestCase):
    def test_wrong_types(self):
        scan = winnow.scan(LINES)
        for call, text in (
            (lambda: winnow.scan(LINES, "order_key"), "scan() argument 'columns' must be a list of str, not str"),
            (lambda: winnow.scan(LINES, 3), "scan() argument 'columns' must be a list of str, not int"),
            (lambda: winnow.scan(LINES, [3]), "scan() argument 'columns[0]' must be str, not int"),
            (lambda: winnow.scan(LINES, where=3), "scan() argument 'where' must be str or tuple or list, not int"),
            (lambda: winnow.scan(LINES, limit="3"), "scan() argument 'limit' must be int, not str"),
            (lambda: winnow.scan(LINES, offset=2.5), "scan() argument 'offset' must be int, not float"),
            (lambda: winnow.scan(LINES, threads="all"), "scan() argument 'threads' must be int, not str"),
            (lambda: winnow.scan(LINES, memory=None), "scan() argument 'memory' must be int, not NoneType"),
            (lambda: winnow.scan(LINES, union="yes"), "scan() argument 'union' must be bool, not str"),
            (lambda: winnow.scan(LINES, row_number=True), "scan() argument 'row_number' must be str, not bool"),
            (lambda: winnow.scan(LINES, dictionaries="comment"), "scan() argument 'dictionaries' must be a list of str, not str"),
            (lambda: winnow.scan(LINES, keys=[b"key"]), "scan() argument 'keys' must be Mapping, not list"),
            (lambda: winnow.scan(LINES, split=3), "scan() argument 'split' must be tuple, not int"),
            (lambda: scan.min(3), "min() argument 'column' must be str, not int"),
            (lambda: scan.head("3"), "head() argument 'n' must be int, not str"),
            (lambda: scan.explain(2.5), "explain() argument 'files' must be int, not float"),
        ):
            with self.assertRaises(TypeError) as raised:
                call()
            self.assertEqual(str(raised.exception), text)
        for name in ("limit", "offset", "threads", "batch_rows", "batch_bytes", "memory"):
            with self.assertRaisesRegex(winnow.OptionsError, f"'{name}' must not be negative, and is -1"):
                winnow.scan(LINES, **{name: -1})
        self.assertEqual(winnow.scan(LINES, limit=np.int32(3), split=(0, 0, 1 << 30)).to_arrow().num_rows, 3)

    def test_places_of_errors(self):
        for call, kind, file, column in (
            (lambda: winnow.scan(LINES, ["nothing"]).to_arrow(), winnow.NoColumnError, LINES, "nothing"),
            (lambda: winnow.scan(ORDERS, ["customer.age"]).to_arrow(), winnow.NoColumnError, ORDERS, "customer.age"),
            (lambda: winnow.scan(LINES, where="1 < nothing").count(), winnow.NoColumnError, LINES, "nothing"),
            (lambda: winnow.scan(LINES, where='"no, no.""" = 1').count(), winnow.NoColumnError, LINES, '"no, no."""'),
            (lambda: winnow.scan(LINES).max("nothing"), winnow.NoColumnError, LINES, "nothing"),
            (lambda: winnow.scan("/no/such.parquet").count(), winnow.NotFoundError, "/no/such.parquet", None),
            (lambda: winnow.scan("/no/such*.parquet"), winnow.NotFoundError, "/no/such*.parquet", None),
        ):
            with self.assertRaises(kind) as raised:
                call()
            e = raised.exception
            self.assertEqual((e.filename, e.file, e.column), (file, file, column), str(e))

    def test_version(self):
        with open(os.path.join(ROOT, "adapters", "python", "pyproject.toml"), "rb") as f:
            self.assertEqual(winnow.__version__, tomllib.load(f)["project"]["version"])


if __name__ == "__main__":
    unittest.main()
