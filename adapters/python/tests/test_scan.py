"""What winnow.scan returns, held against pyarrow's own reader."""

import datetime
import decimal
import glob
import os
import pickle
import re
import shutil
import tempfile
import unittest
from xml.etree import ElementTree

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import winnow
from support import LINES, ORDERS, ROOT, SAMPLES, WEBLOG, sound_files
from test_hostile import validate


class Consumers(unittest.TestCase):
    def setUp(self):
        self.scan = winnow.scan(LINES, ["order_key", "ship_date", "comment"], "quantity > 40")
        table = pq.read_table(LINES)
        self.want = table.filter(pc.greater(table["quantity"], 40)).select(["order_key", "ship_date", "comment"])

    def test_pyarrow(self):
        self.assertTrue(pa.table(self.scan).cast(self.want.schema).equals(self.want))
        self.assertTrue(self.scan.to_arrow().cast(self.want.schema).equals(self.want))
        batches = pa.RecordBatchReader.from_stream(self.scan)
        self.assertEqual(sum(len(b) for b in batches), len(self.want))
        self.assertEqual(pa.schema(self.scan), batches.schema)

    def test_polars(self):
        want = pl.DataFrame(self.want)
        self.assertTrue(pl.DataFrame(self.scan).equals(want))
        self.assertTrue(self.scan.to_polars().equals(want))

    def test_pandas(self):
        want = self.want.to_pandas()
        pd.testing.assert_frame_equal(self.scan.to_pandas(), want)
        pd.testing.assert_frame_equal(pd.DataFrame.from_arrow(self.scan), want, check_dtype=False)

    def test_duckdb(self):
        scan, want = self.scan, self.want
        query = "SELECT count(*), sum(order_key), max(ship_date), sum(length(comment)) FROM "
        self.assertEqual(duckdb.sql(query + "scan").fetchall(), duckdb.sql(query + "want").fetchall())

    def test_strings_in_each_layout(self):
        for strings, type in (("string", pa.string()), ("large", pa.large_string()), ("view", pa.string_view())):
            scan = winnow.scan(LINES, ["comment"], limit=1000, strings=strings)
            self.assertEqual(pa.schema(scan).field(0).type, type)
            got = pa.table(scan)["comment"]
            self.assertEqual(got.to_pylist(), pq.read_table(LINES, columns=["comment"])["comment"][:1000].to_pylist())
            self.assertEqual(pl.DataFrame(scan).height, 1000)
            self.assertEqual(len(pd.DataFrame.from_arrow(scan)), 1000)
            self.assertEqual(duckdb.sql("SELECT count(comment) FROM scan").fetchall()[0][0], len(got) - got.null_count)

    def test_no_columns(self):
        self.assertEqual(sum(len(b) for b in winnow.scan(LINES, [], limit=10).batches()), 10)


class Places(unittest.TestCase):
    def test_reference_systems(self):
        path = os.path.join(SAMPLES, "shapes", "logical_types_places.parquet")
        scan = winnow.scan(path, extensions=True)
        for schema in (pa.schema(scan), pa.RecordBatchReader.from_stream(scan).schema):
            told = {f.name: f.metadata[b"ARROW:extension:metadata"] for f in schema}
            self.assertEqual(told["geometry_crs"], b'{"crs":"5070","crs_type":"srid"}')
            self.assertIn(b'"edges":"spherical"', told["geography"])


class Extensions(unittest.TestCase):
    def test_variant(self):
        """An extension type over the struct that it is in the file."""
        path = os.path.join(SAMPLES, "shapes", "logical_types_variant.parquet")
        want = pq.read_table(path)["v"].to_pylist()
        self.assertEqual(set(want[0]), {"metadata", "value"})
        for strings in ("string", "view", "large"):
            for paths in (path, [path, path]):  # the parts that the format requires are so in any file
                scan = winnow.scan(paths, extensions=True, strings=strings)
                for field in (pa.schema(scan).field("v"), pa.table(scan).schema.field("v")):
                    self.assertEqual(field.metadata[b"ARROW:extension:name"], b"arrow.parquet.variant")
                    self.assertEqual([f.name for f in field.type], ["metadata", "value"])
                    self.assertFalse(field.type.field("metadata").nullable)
                for batch in scan.batches():
                    pa.record_batch(batch).validate(full=True)
                table = pa.table(scan)
                table.validate(full=True)
                self.assertEqual(table["v"].to_pylist(), want * (len(table) // len(want)))
                self.assertEqual(pl.DataFrame(scan).height, len(table))
                self.assertEqual(len(pd.DataFrame.from_arrow(scan)), len(table))

    def test_whole_variants(self):
        """Shredded ones, put together, are to DuckDB and pyarrow what DuckDB reads itself."""
        compared = 0
        for path in sorted(glob.glob(os.path.join(os.path.dirname(ROOT), "shared", "corpus", "parquet-testing", "shredded_variant", "*.parquet"))):
            query = "SELECT variant_typeof(var), var FROM "
            try:
                want = duckdb.sql(f"{query} read_parquet('{path}')").fetchall()
            except duckdb.Error:
                continue  # what breaks the format's rules
            try:
                taken = winnow.scan(path, ["var"], whole_variants=True).to_arrow()
            except winnow.Error:
                continue  # which the tests in Go know
            taken.validate(full=True)
            self.assertEqual([f.name for f in taken.schema.field("var").type], ["metadata", "value"])
            got = duckdb.sql(query + "taken").fetchall()
            self.assertTrue("INVALID" in path or repr(got) == repr(want), path)
            compared += 1
        self.assertIn(compared, (0, 126))

    def test_all_files(self):
        """Types with names have the values of those without, and pass all of pyarrow's checks."""
        named = 0
        for path in sound_files():
            try:
                plain = pa.table(winnow.scan(path, extensions=False))
            except (pa.ArrowException, OSError, winnow.Error):
                continue
            table = pa.table(winnow.scan(path, extensions=True))
            validate(pa.table, table)
            for field in table.schema:
                if b"ARROW:extension:name" in (field.metadata or {}) or isinstance(field.type, pa.BaseExtensionType):
                    named += 1
                    column = pa.chunked_array([c.storage if hasattr(c, "storage") else c for c in table[field.name].chunks], plain[field.name].type)
                    self.assertTrue(column.equals(plain[field.name]), (path, field))
        self.assertGreater(named, 10)


class Nulls(unittest.TestCase):
    """Files of which only those behind the first have NULLs, or lack the columns."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        rows = ([{"a": 1, "s": {"x": 2}, "l": [3], "m": [("k", 4)]}], [{}, {"s": {"x": None}, "l": [None], "m": [("k", None)]}])
        for i, part in enumerate(rows):
            may = i > 0
            types = {
                "a": pa.int64(),
                "s": pa.struct([pa.field("x", pa.int64(), may)]),
                "l": pa.list_(pa.field("element", pa.int64(), may)),
                "m": pa.map_(pa.string(), pa.field("value", pa.int64(), may)),
            }
            arrays = [pa.array([row.get(name) for row in part], type) for name, type in types.items()]
            table = pa.table(arrays, schema=pa.schema([pa.field(name, type, may) for name, type in types.items()]))
            pq.write_table(table, os.path.join(self.folder, f"{i}.parquet"), store_schema=False)
        pq.write_table(pa.table({"other": [5]}), os.path.join(self.folder, "2.parquet"))
        self.want = pa.Table.from_pylist([*rows[0], *rows[1], {}], pa.schema(types))

    def denied(self, field, array, above=0):
        """How many NULLs of an array its field denies; above are those of the struct around it."""
        n = 0 if field.nullable else array.null_count - above
        if pa.types.is_struct(field.type):
            n += sum(self.denied(f, array.field(i), array.null_count) for i, f in enumerate(field.type))
        elif pa.types.is_list(field.type):
            n += self.denied(field.type.value_field, array.values)
        elif pa.types.is_map(field.type):
            n += self.denied(field.type.key_field, array.keys) + self.denied(field.type.item_field, array.items)
        return n

    def test_schema_allows_them(self):
        names = [os.path.join(self.folder, f"{i}.parquet") for i in range(3)]
        parts = [winnow.scan(names, split=winnow.Split(i, 0, 10**9), row_number="n") for i in range(3)]
        whole = winnow.scan(self.folder, row_number="n")
        for scan in [whole, *parts]:
            table = pa.table(scan)
            table.validate(full=True)
            self.assertEqual(table.schema, pa.schema(whole))
            self.assertEqual([f.nullable for f in table.schema], [True] * 4 + [False])
            for batch in map(pa.record_batch, scan.batches()):
                batch.validate(full=True)
                self.assertEqual([self.denied(f, c) for f, c in zip(batch.schema, batch.columns)], [0] * 5)
        pq.write_table(pa.table(whole), os.path.join(self.folder, "_written.parquet"))  # which refuses NULLs that a schema denies
        self.assertEqual(pa.concat_tables(map(pa.table, parts)).drop_columns("n").to_pylist(), self.want.to_pylist())
        self.assertEqual([f.nullable for f in pa.schema(winnow.scan(names[0]))], [False] * 4)  # known

    def test_consumers(self):
        scan, want = winnow.scan(self.folder), self.want
        self.assertEqual(scan.to_arrow().to_pylist(), want.to_pylist())
        for frame in (pl.DataFrame(scan), scan.to_polars()):
            self.assertTrue(frame.equals(pl.DataFrame(want)))
            self.assertEqual(frame.filter(pl.col("a").is_null()).height, 3)
        for frame in (pd.DataFrame.from_arrow(scan), scan.to_pandas()):
            self.assertEqual(frame["a"].isna().tolist(), [False, True, True, True])
        for name in ("a", "s", "l", "m", "s.x", "l[1]"):
            query = f"SELECT count(*) FILTER ({name} IS NULL), count({name}) FROM "
            self.assertEqual(duckdb.sql(query + "scan").fetchall(), duckdb.sql(query + "want").fetchall(), name)


class Union(unittest.TestCase):
    def test_columns_of_all_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, table in {"a": {"id": pa.array([1], pa.int32()), "x": pa.array([1])}, "b": {"more": ["m"], "id": pa.array([2**40]), "x": pa.array([0.5])}}.items():
                pq.write_table(pa.table(table), os.path.join(folder, name + ".parquet"))
            with self.assertRaises(winnow.MismatchError):
                winnow.scan(folder).to_arrow()
            with self.assertRaisesRegex(winnow.MismatchError, r"b\.parquet.*DOUBLE here and INT64 in .*a\.parquet"):
                winnow.scan(folder, union=True).to_arrow()
            scan = winnow.scan(folder, ["more", "id"], "id > 0", union=True)
            self.assertEqual(scan.to_arrow().to_pylist(), [{"more": None, "id": 1}, {"more": "m", "id": 2**40}])
            self.assertEqual((scan.count(), scan.max("id"), winnow.scan(folder, union=True).count()), (2, 2**40, 2))
            names = [os.path.join(folder, name) for name in ("a.parquet", "b.parquet")]
            part = winnow.scan(names, ["more", "id"], union=True, split=winnow.Split(0, 0, 1 << 20))
            self.assertEqual(part.to_arrow().to_pylist(), [{"more": None, "id": 1}])


class RequestedSchemas(unittest.TestCase):
    def ask(self, scan, schema):
        return pa.RecordBatchReader.from_stream(scan, schema=schema)

    def test_layouts(self):
        for type in (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())):
            schema = pa.schema([("order_key", pa.int64()), ("comment", type)])
            got = self.ask(winnow.scan(LINES, ["order_key", "comment"], limit=100), schema)
            self.assertEqual(got.schema.types, schema.types)
            self.assertEqual(got.read_all()["comment"].cast(pa.string()).to_pylist(), pq.read_table(LINES)["comment"][:100].to_pylist())

    def test_widening(self):
        path = os.path.join(tempfile.mkdtemp(), "f.parquet")
        self.addCleanup(shutil.rmtree, os.path.dirname(path))
        pq.write_table(pa.table({"a": pa.array([1, None, 3], pa.int32())}), path)
        got = self.ask(winnow.scan(path, where="a >= 1"), pa.schema([("a", pa.int64())]))
        self.assertEqual(got.schema.field(0).type, pa.int64())
        self.assertEqual(got.read_all()["a"].to_pylist(), [1, 3])

    def test_others(self):
        # What cannot be converted comes as it is; Arrow's protocol leaves the rest to the consumer.
        capsule = pa.schema([("comment", pa.duration("s"))]).__arrow_c_schema__()
        scan = winnow.scan(LINES, ["comment"])
        self.assertEqual(pa.RecordBatchReader._import_from_c_capsule(scan.__arrow_c_stream__(capsule)).schema.field(0).type, pa.string())
        with self.assertRaisesRegex(winnow.OptionsError, "has 2 columns, the scan 1"):
            scan.__arrow_c_stream__(pa.schema([("a", pa.int8()), ("b", pa.int8())]).__arrow_c_schema__())
        with self.assertRaisesRegex(winnow.OptionsError, '"a", of the scan "comment"'):
            scan.__arrow_c_stream__(pa.schema([("a", pa.int8())]).__arrow_c_schema__())


class Answers(unittest.TestCase):
    def test_count(self):
        self.assertEqual(winnow.scan(LINES).count(), pq.read_metadata(LINES).num_rows)
        want = pc.sum(pc.equal(pq.read_table(LINES)["discount"], decimal.Decimal("0.05"))).as_py()
        self.assertEqual(winnow.scan(LINES, where="discount = 0.05").count(), want)

    def test_limit_and_offset(self):
        keys = pq.read_table(LINES)["order_key"].to_pylist()
        self.assertEqual(winnow.scan(LINES, ["order_key"], limit=7, offset=5).to_arrow()["order_key"].to_pylist(), keys[5:12])
        self.assertEqual(winnow.scan(LINES, limit=0).to_arrow().num_rows, 0)

    def test_extremes(self):
        table = pq.read_table(LINES)
        checked = 0
        for name in table.column_names:
            if pa.types.is_boolean(table[name].type):
                continue
            want = pc.min_max(table[name]).as_py()
            scan = winnow.scan(LINES)
            self.assertEqual((scan.min(name), scan.max(name)), (want["min"], want["max"]), name)
            self.assertIs(type(scan.min(name)), type(want["min"]), name)
            checked += 1
        self.assertGreater(checked, 5)
        self.assertIsNone(winnow.scan(LINES, where="quantity < 0").min("order_key"))

    def test_extremes_of_all_types(self):
        utc = datetime.timezone.utc
        values = {
            "bool": pa.array([True, False]),
            "u64": pa.array([2**64 - 1, 0], pa.uint64()),
            "f16": pa.array([1.5, -2.0], pa.float16()),
            "f32": pa.array([0.25, 1e30], pa.float32()),
            "date": pa.array([datetime.date(1, 1, 1), datetime.date(9999, 12, 31)]),
            "time": pa.array([datetime.time(1, 2, 3, 4), datetime.time(23, 59)], pa.time64("us")),
            "ms": pa.array([datetime.datetime(1969, 1, 1), datetime.datetime(2024, 5, 6, 7, 8, 9, 10000)], pa.timestamp("ms")),
            "utc": pa.array([datetime.datetime(1969, 1, 1, tzinfo=utc), datetime.datetime(2024, 5, 6, tzinfo=utc)], pa.timestamp("us", "UTC")),
            "decimal": pa.array([decimal.Decimal("-1.50"), decimal.Decimal("12345678901234567890.12")], pa.decimal128(38, 2)),
            "text": pa.array(["ä", "b"]),
            "bytes": pa.array([b"\xff\x00", b""]),
        }
        table = pa.table(values)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.parquet")
            pq.write_table(table, path)
            scan = winnow.scan(path)
            for name in values:
                want = sorted(table[name].to_pylist())
                self.assertEqual([scan.min(name), scan.max(name)], want, name)
                self.assertIs(type(scan.min(name)), type(want[0]), name)

    def test_times_beyond_datetime(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.parquet")
            pq.write_table(pa.table({"t": pa.array([1, 2000], pa.timestamp("ns")), "of_day": pa.array([1, 2000], pa.time64("ns"))}), path)
            scan = winnow.scan(path)
            self.assertEqual(str(scan.min("t")), "1970-01-01T00:00:00.000000001")
            self.assertEqual(scan.max("t"), datetime.datetime(1970, 1, 1, 0, 0, 0, 2))
            self.assertEqual((str(scan.min("of_day")), scan.max("of_day")), ("1 nanoseconds", datetime.time(0, 0, 0, 2)))

    def test_stats_and_progress(self):
        scan = winnow.scan(LINES, ["comment"], "order_key = 20604")
        rows = scan.to_arrow().num_rows
        self.assertEqual((scan.stats["rows"], scan.progress.rows), (rows, rows))
        pages = {c["column"]: c["pages"] for c in scan.stats["columns"]}["comment"]
        self.assertGreater(pages.get("unread", 0) + pages.get("undecompressed", 0), pages.get("decoded", 0))
        self.assertEqual((scan.progress.files, scan.progress.files_done), (1, 1))

    def test_plan(self):
        scan = winnow.scan(LINES, where="ship_date >= '1996-05-01' AND comment <> '<b>'")
        plan = scan.explain()
        self.assertEqual(plan.rows, pq.read_metadata(LINES).num_rows)
        self.assertLess(plan.may_pass, plan.rows)
        self.assertIn(f"{plan.may_pass:,} of {plan.rows:,} rows may pass", str(plan))
        html = plan._repr_html_()
        self.assertEqual(html.count("<tr>"), 1 + pq.read_metadata(LINES).num_row_groups)
        self.assertNotIn("<b>", html)
        self.assertIn("&lt;b&gt;", html)

    def page_map(self, scan):
        """The pages that a plan's map counts by what becomes of them, and the names of its elements."""
        html = scan.page_map()._repr_html_()
        drawing = ElementTree.fromstring(html[html.index("<svg") : html.index("</svg>") + len("</svg>")])
        texts = ["".join(e.itertext()) for e in drawing.iter("{http://www.w3.org/2000/svg}text")]
        pages = {m[1]: int(m[2]) for t in texts if (m := re.match(r"(.*): (\d+) pages?, ", t))}
        return pages, texts, {e.tag.split("}")[1] for e in drawing.iter()} | {a for e in drawing.iter() for a in e.attrib}

    def test_page_map(self):
        columns = ["order_key", "comment"]
        whole, _, _ = self.page_map(winnow.scan(LINES, columns))
        none, _, _ = self.page_map(winnow.scan(LINES, columns, "order_key = -1"))
        some, texts, names = self.page_map(winnow.scan(LINES, columns, "ship_date >= '1996-05-01'"))
        self.assertEqual(list(whole), ["may be read"])
        self.assertEqual(list(none.values()), list(whole.values()))
        self.assertEqual(list(none), ["unread: ruled out by statistics"])
        self.assertEqual(set(some), set(whole) | set(none))
        self.assertGreater(sum(some.values()), sum(whole.values()))  # ship_date has pages, too
        narrow, _, _ = self.page_map(winnow.scan(LINES, ["ship_date"], "ship_date BETWEEN '1993-01-01' AND '1993-02-01'"))
        self.assertEqual((narrow["may be read"], narrow["unread: ruled out by the page index"]), (1, 5))  # of row group 0
        self.assertIn("ship_date", texts)
        self.assertTrue(any(t.startswith("20,000 rows, 8,000 may pass by metadata; 4 row groups, 496 KiB") for t in texts), texts)
        self.assertLessEqual(names, {"svg", "rect", "path", "text", "title"} | set("viewBox font-family font-size font-weight width height fill x y d stroke".split()))
        self.assertNotIn("page_map", winnow.scan(LINES, columns).explain().to_dict()["files"][0])

    def test_page_map_of_hostile_names(self):
        evil = "<script>alert(1)</script><img onerror='x'>"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "<img onerror=x>.parquet")
            pq.write_table(pa.table({evil: ["</svg><b>", "a"]}), path)
            scan = winnow.scan(path, where='"' + evil + "\" <> '</svg><b>'")
            _, texts, names = self.page_map(scan)
            self.assertTrue(names.isdisjoint({"script", "img", "b", "onerror"}))
            self.assertTrue(any("<script>" in t for t in texts))
            html = scan._repr_html_() + scan.explain()._repr_html_() + scan.page_map()._repr_html_()
            for markup in ("<script", "<img", "<b>"):
                self.assertNotIn(markup, html)

    def test_pickle(self):
        scan = winnow.scan(LINES, ["order_key"], "quantity > 48")
        self.assertTrue(pickle.loads(pickle.dumps(scan)).to_arrow().equals(scan.to_arrow()))


class Paths(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        for year in (2023, 2024):
            os.mkdir(os.path.join(self.folder, f"year={year}"))
            pq.write_table(pa.table({"a": [year * 10, year * 10 + 1]}), os.path.join(self.folder, f"year={year}", "f.parquet"))
        os.mkdir(os.path.join(self.folder, "_temporary"))
        pq.write_table(pa.table({"a": [-1]}), os.path.join(self.folder, "_temporary", "f.parquet"))

    def test_folder(self):
        got = winnow.scan(self.folder).to_arrow()
        self.assertEqual(got.to_pydict(), {"a": [20230, 20231, 20240, 20241], "year": [2023, 2023, 2024, 2024]})
        scan = winnow.scan(self.folder, ["a"], "year = 2024")
        self.assertEqual(scan.to_arrow().to_pydict(), {"a": [20240, 20241]})
        self.assertEqual(scan.progress.files_done, 1)

    def test_lists_and_patterns(self):
        import pathlib

        folder = pathlib.Path(self.folder)
        both = [folder / f"year={y}" / "f.parquet" for y in (2023, 2024)]
        self.assertEqual(winnow.scan(both).count(), 4)
        self.assertEqual(winnow.scan(both[0]).to_arrow().column_names, ["a", "year"])
        self.assertEqual(winnow.scan(str(folder / "year=*" / "*.parquet"), file_name="f").to_arrow()["f"].to_pylist()[0], str(both[0]))

    def test_empty_names(self):
        name = os.path.join(self.folder, "year=2023", "f.parquet")
        for paths in ("", [""], [name, "", name]):
            for options in ({}, {"where": "nonsense > 3"}, {"split": winnow.Split(0, 0, 10**9)}):
                with self.assertRaisesRegex(winnow.OptionsError, "one of them is empty"):
                    winnow.scan(paths, **options)
        for paths in ([], (), iter([])):
            with self.assertRaisesRegex(winnow.OptionsError, "no paths"):
                winnow.scan(paths)
        with self.assertRaisesRegex(winnow.OptionsError, r"'a\\udcff' is not UTF-8"):
            winnow.scan("a\udcff")

    def test_namesakes(self):
        table = pa.table([pa.array([1, 2, None]), pa.array(["x", None, "z"]), pa.array([30, 20, 10])], ["a", "a", "a"])
        for folder in ("year=2023", "year=2024"):
            pq.write_table(table, os.path.join(self.folder, folder, "f.parquet"))
        name = os.path.join(self.folder, "year=2023", "f.parquet")
        for scan in (winnow.scan(name), winnow.scan([name], ["a", "a", "a"]), winnow.scan([name], split=winnow.Split(0, 0, 10**9))):
            self.assertTrue(scan.to_arrow().select([0, 1, 2]).equals(table))
        self.assertTrue(winnow.scan(self.folder).to_arrow().select([0, 1, 2]).equals(pa.concat_tables([table, table])))
        self.assertEqual(winnow.scan(name, ["a", "a"], "a = 2").to_arrow()[1].to_pylist(), [None])
        self.assertEqual(winnow.scan(name).max("a"), 2)

    def test_what_paths_are(self):
        import pathlib

        path = os.path.join(self.folder, "year=2023", "f.parquet")
        for paths in (path, pathlib.Path(path), [path], (pathlib.Path(path),), {path}, iter([path]), (p for p in [pathlib.Path(path)])):
            self.assertEqual(winnow.scan(paths).count(), 2)

        class Bytes:
            def __fspath__(self):
                return path.encode()

        for paths in (Bytes(), None, 3, [path, None], [[path]], {3: path}):
            with self.assertRaisesRegex(TypeError, "str, os.PathLike, bytes or"):
                winnow.scan(paths)


class Splits(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.names = [os.path.join(self.folder, f"y={y}", "a[1].parquet") for y in (1, 2)]
        for name, table in zip(self.names, (pa.table({"a": range(1000), "b": ["x"] * 1000}), pa.table({"a": pa.array(range(1000), pa.int32())}))):
            os.makedirs(os.path.dirname(name))
            pq.write_table(table, name, row_group_size=90)
        self.want = winnow.scan(self.folder).to_arrow()

    def test_splits_add_up(self):
        for length in (97, 700, 10**9):
            parts = []
            for f in winnow.scan(self.folder).files():
                self.assertEqual((f.name, f.size), (self.names[f.index], os.path.getsize(f.name)))
                parts += [winnow.scan(self.names, split=winnow.Split(f.index, at, length)).to_arrow() for at in range(0, f.size, length)]
            self.assertTrue(pa.concat_tables(parts).equals(self.want))

    def test_files_of_a_condition(self):
        self.assertEqual([f.index for f in winnow.scan(self.folder, where="y > 1").files()], [1])
        got = winnow.scan(self.names, ["b", "y"], "b IS NULL AND a = 5", split=winnow.Split(1, 0, 10**9)).to_arrow().to_pylist()
        self.assertEqual(got, [{"b": None, "y": 2}])

    def test_bad_splits(self):
        for split in ((2, 0, 1), (-1, 0, 1), (0, -1, 1), (0, 0, 0)):
            with self.assertRaisesRegex(winnow.OptionsError, "split: "):
                winnow.scan(self.names, split=winnow.Split(*split))


class Errors(unittest.TestCase):
    def test_kinds(self):
        for make, kind, text in (
            (lambda: winnow.scan("/no/such.parquet").to_arrow(), winnow.NotFoundError, "no such file"),
            (lambda: winnow.scan("/no/such*.parquet"), FileNotFoundError, "no file matches"),
            (lambda: winnow.scan(LINES, where="order_key >"), winnow.WhereError, r"order_key >\n +\^"),
            (lambda: winnow.scan(LINES, where="order_key > 'x'").count(), winnow.WhereError, r"order_key > 'x'\n +\^"),
            (lambda: winnow.scan(LINES, where="1 < nothing").count(), winnow.NoColumnError, r"no column nothing\n1 < nothing\n {4}\^"),
            (lambda: winnow.scan(LINES, ["order_key"], "nothing = 1").to_arrow(), winnow.NoColumnError, "no column nothing"),
            (lambda: winnow.scan(LINES).min("nothing"), winnow.NoColumnError, "no column nothing"),
            (lambda: winnow.scan(LINES, where="ship_date = 'monday'").count(), winnow.WhereError, "monday"),
            (lambda: winnow.scan(LINES, ["nothing"]).to_arrow(), ValueError, "no column nothing"),
            (lambda: winnow.scan([]), winnow.OptionsError, "no paths"),
            (lambda: winnow.scan(LINES, strings="short"), winnow.OptionsError, "short"),
            (lambda: winnow.scan(__file__).count(), winnow.CorruptError, "PAR1"),
        ):
            with self.assertRaisesRegex(kind, text) as raised:
                make()
            if issubclass(kind, winnow.Error):
                self.assertIs(type(raised.exception), kind)

    def test_place(self):
        path = os.path.join(SAMPLES, "bad", "body_brotli_lies_short.parquet")
        with self.assertRaises(winnow.CorruptError) as raised:
            winnow.scan(path).to_arrow()
        e = raised.exception
        self.assertEqual((e.file, e.row_group, e.column, e.page, e.offset), (path, 0, "a", 0, 4))
        for consume in (pa.table, pl.DataFrame):
            with self.assertRaisesRegex(Exception, 'row group 0, column "a", page 0, offset 4'):
                consume(winnow.scan(path))

    def test_names_that_are_not_utf8(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.parquet")
            pq.write_table(pa.table({"name": ["text"]}), path, use_dictionary=False, compression="none", store_schema=False)
            with open(path, "rb") as f:
                data = f.read()
            with open(path, "wb") as f:
                f.write(data.replace(b"name", b"n%d\xff").replace(b"text", b"te\xfft"))
            rows = winnow.scan(path)
            self.assertEqual(pa.schema(rows).names, ["n%d\ufffd"])
            for consume in (pa.table, pl.DataFrame, lambda rows: duckdb.sql("SELECT * FROM rows").fetchall(), winnow.Scan.to_arrow):
                with self.assertRaisesRegex(Exception, r'column "n%d.+": the string "te.xfft" of row 0 of a batch is not UTF-8'):
                    consume(rows)

    def test_closed_handle(self):
        """A program in C may use a scan that it closed."""
        from winnow import _library

        with self.assertRaisesRegex(winnow.OptionsError, "the scan is closed"):
            _library.check(_library.library().winnow_schema(12345678, None))
        _library.library().winnow_close(12345678)

    def test_cancel(self):
        scan = winnow.scan(WEBLOG, batch_rows=10)
        batches = scan.batches()
        next(batches)
        scan.cancel()
        with self.assertRaises(winnow.CancelledError):
            list(batches)
        self.assertEqual(scan.count(), pq.read_metadata(WEBLOG).num_rows)  # it can run again

    def test_nested(self):
        got = winnow.scan(ORDERS, ["items.price", "customer"]).to_arrow()
        want = pq.read_table(ORDERS)
        self.assertEqual(got["customer"].to_pylist(), want["customer"].to_pylist())
        self.assertEqual(got["items"].to_pylist(), [[{"price": i["price"]} for i in row] if row is not None else None for row in want["items"].to_pylist()])


if __name__ == "__main__":
    unittest.main()
