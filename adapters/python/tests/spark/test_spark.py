"""Spark's data source, on a cluster of two executors, held against Spark's own reader."""

import contextlib
import datetime
import decimal
import io
import itertools
import json
import math
import operator
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe

# What the driver and the executors run.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql import datasource as f  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402
from pyspark.sql import types as t  # noqa: E402

import winnow  # noqa: E402
import winnow.spark  # noqa: E402
from data import POOLS, UTC, rows_of, table, write_tables  # noqa: E402
from support import ORDERS, ROOT, SAMPLES, WEBLOG, shown  # noqa: E402
from winnow._spark_filters import FILTERS, LITERALS, condition  # noqa: E402
from winnow._spark_types import schema_of  # noqa: E402

ZONE = "America/New_York"  # whose clocks went forward on 2024-03-10, at 07:00 UTC


def setUpModule():
    global spark, folder, fifty
    folder = tempfile.mkdtemp()
    fifty = write_tables(os.path.join(folder, "fifty"))
    jvm = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.extraJavaOptions": jvm,
        "spark.executor.extraJavaOptions": jvm,
        "spark.executor.memory": "600m",
        "spark.sql.session.timeZone": ZONE,
        "spark.sql.timeType.enabled": "true",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.maxMetadataStringLength": "1000",
        "spark.task.maxFailures": "1",
        "spark.sql.python.filterPushdown.enabled": "true",
        # Spark's own reader would leave out row groups whose only values above a bound are NaN.
        "spark.sql.parquet.filterPushdown": "false",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    }
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    here = os.getcwd()
    os.chdir(ROOT)  # where Spark's processes find what the READMEs name
    spark = builder.getOrCreate()
    os.chdir(here)
    winnow.spark.register(spark)


def tearDownModule():
    spark.stop()
    shutil.rmtree(folder)


def read(path, **options):
    return spark.read.format("winnow").options(**options).load(path)


def rows(frame):
    """The rows of a DataFrame as texts, sorted. NaN and -0.0 have texts of their own."""
    return sorted(map(repr, frame.collect()))


def explained(frame):
    with contextlib.redirect_stdout(io.StringIO()) as text:
        frame.explain("formatted")
    return text.getvalue()


class Cluster(unittest.TestCase):
    def aggregate(self, frame):
        return frame.groupBy("s").agg(F.count("*"), F.bit_xor("i64"), F.sum("dec"), F.max("t"), F.min("n"), F.sum("id"))

    def expected(self):
        kept = spark.read.parquet(fifty).where("i32 >= -3 AND s LIKE 'a%' AND f64 > 0 AND t >= '2024-03-10' AND d IS NOT NULL")
        return rows(self.aggregate(kept))

    def test_filtered_aggregate_of_50_files(self):
        # Winnow's NaN is above no number, so that it is asked for here.
        where = "i32 >= -3 AND s LIKE 'a%' AND NOT (f64 <= 0) AND t >= TIMESTAMP '2024-03-10T00:00:00-05:00' AND d IS NOT NULL"
        ours = self.aggregate(read(fifty, partitionBytes="20m", where=where, columns="id, s, i64, dec, t, n"))
        got = rows(ours)
        self.assertEqual(got, self.expected())
        self.assertGreater(len(got), 5)
        self.assertIn("ReadSchema: struct<id:bigint,s:string,i64:bigint,dec:decimal(12,2),t:timestamp,n:timestamp_ntz>", explained(ours))
        lines = winnow.spark.describe(ours).splitlines()
        sizes = {os.path.join(fifty, name): os.path.getsize(os.path.join(fifty, name)) for name in os.listdir(fifty)}
        self.assertEqual(lines[0], f"winnow: 50 files, {sum(sizes.values())} bytes, 10 partitions")  # a file counts with 4 MiB
        self.assertEqual(lines[1], f"  where ({where})")
        for name, size in sizes.items():
            self.assertEqual(sum(f"{name} [0, {size})" in line for line in lines[2:]), 1)

    def test_pushed_filters_of_50_files(self):
        frame = read(fifty, pushdown="true")
        frame = frame.where("i32 >= -3 AND s LIKE 'a%' AND f64 > 0 AND t >= '2024-03-10' AND d IS NOT NULL")
        ours = self.aggregate(frame)
        self.assertEqual(rows(ours), self.expected())
        text = explained(ours)
        for filter in ("i32,-3)", "StringStartsWith(s,a)", "GreaterThan(f64,0.0)", "GreaterThanOrEqual(t,", "IsNotNull(d)"):
            self.assertRegex(text, r"PushedFilters: \[.*" + re.escape(filter))
        self.assertNotIn("Filter (", text)  # of Spark's own
        self.assertIn("NOT (\"f64\" <= DOUBLE '0.0')", winnow.spark.describe(ours))

    def test_one_load_in_several_queries(self):
        frame = read(fifty, columns="id, i32")
        first, second = frame.where("id < 100000"), frame.where("id >= 100000 AND id < 200000")
        self.assertEqual(first.unionAll(second).count(), rows_of(0) + rows_of(1))
        self.assertEqual(frame.count(), sum(rows_of(i) for i in range(50)))

    def test_spark_confuses_pushed_filters(self):
        """If this fails, Spark is mended, and pushdown can be what happens without being asked for."""
        frame = read(fifty, columns="id, i32", pushdown="true")
        first = frame.where("id < 100000").count()
        self.assertEqual(first, rows_of(0))
        self.assertEqual(frame.count(), first)

    def test_several_executors_read(self):
        def executor(_):
            return [os.getppid()]  # of Python's workers: one for each executor

        frame = read(fifty, partitionBytes="4m", columns="id")
        self.assertEqual(frame.rdd.getNumPartitions(), 50)
        self.assertEqual(len(set(frame.rdd.mapPartitions(executor).collect())), 2)


class Reading(unittest.TestCase):
    def write(self, table, name="a.parquet", **options):
        path = os.path.join(tempfile.mkdtemp(dir=folder), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        pq.write_table(table, path, **options)
        return path

    def test_all_types_as_spark_reads_them(self):
        path = os.path.join(fifty, "part-03.parquet")
        ours, theirs = read(path, partitionBytes="5k"), spark.read.parquet(path)
        self.assertEqual(ours.schema.simpleString(), theirs.schema.simpleString())
        self.assertEqual(rows(ours), rows(theirs))
        self.assertGreater(ours.rdd.getNumPartitions(), 3)

    def test_types_that_spark_does_not_read(self):
        stamps = [-1, -1000, -1001, 0, 1999, None]
        path = self.write(
            pa.table(
                {
                    "ns": pa.array(stamps, pa.timestamp("ns", "UTC")),
                    "local": pa.array(stamps, pa.timestamp("ns")),
                    "nested": pa.array([[{"t": x}] for x in stamps], pa.list_(pa.struct([("t", pa.timestamp("ns"))]))),
                    "half": pa.array([0.5, -2.0, None, 1.0, 2.0, 3.0], pa.float16()),
                }
            )
        )
        down = [-1, -1, -2, 0, 1, None]  # microseconds
        got = read(path).selectExpr("unix_micros(ns) AS ns", "local", "nested[0].t AS nested", "half").collect()
        zero = datetime.datetime(1970, 1, 1)
        times = [None if x is None else zero + datetime.timedelta(microseconds=x) for x in down]
        self.assertEqual([r.ns for r in got], down)
        self.assertEqual([r.local for r in got], times)
        self.assertEqual([r.nested for r in got], times)
        self.assertEqual([r.half for r in got], [0.5, -2.0, None, 1.0, 2.0, 3.0])
        for where, count in (("local = timestamp_ntz'1969-12-31 23:59:59.999999'", 2), ("local > timestamp_ntz'1970-01-01'", 1)):
            self.assertEqual(read(path, pushdown="true").where(where).count(), count)

    def test_variants(self):
        """Random values as Spark wrote them, shredded and not, are what Spark reads."""
        r = random.Random(3)

        def value(depth):
            kinds = [None, r.random() < 0.5, r.randrange(-(2 ** r.randrange(63)), 2**62), r.uniform(-9, 9), "é" * r.randrange(40), decimal.Decimal(r.randrange(10**9)) / 100]
            if depth > 3 or r.random() < 0.4:
                return r.choice(kinds)
            names = r.sample(["a", "b", "c d", "e", "é"], r.randrange(5))
            return {n: value(depth + 1) for n in names} if r.random() < 0.7 else [value(depth + 1) for _ in names]

        texts = [(i, None if i % 50 == 0 else json.dumps(value(0), default=float)) for i in range(1000)]
        parsed = "CASE WHEN i % 7 = 0 THEN to_variant_object(named_struct('a', i, 'b', DATE'2024-03-10', 'e', array(1.50BD, NULL))) WHEN i % 7 = 1 THEN cast(timestamp_ntz'2024-03-10 01:02:03.000004' AS VARIANT) ELSE parse_json(s) END"
        frame = spark.createDataFrame(texts, "i int, s string").selectExpr("i", f"{parsed} AS v", "named_struct('v', parse_json(s)) AS st", "array(parse_json(s), NULL) AS l").coalesce(1)
        shown = ["to_json(v) AS j", "schema_of_variant(v) AS t", "v IS NULL AS n", "is_variant_null(v) AS vn", "to_json(st) AS sj"]
        below = ["to_json(l) AS lj", "schema_of_variant(l[0]) AS lt"]
        shapes = [None, "a bigint, b date, e array<decimal(4,2)>", "a struct<a int, b string>, `c d` array<struct<e double>>"]
        for shape in shapes:
            with self.subTest(shape):
                settings = {"spark.sql.variant.writeShredding.enabled": str(shape is not None).lower(), "spark.sql.variant.forceShreddingSchemaForTest": shape or "", "spark.sql.variant.inferShreddingSchema": "false"}
                for name, setting in settings.items():
                    spark.conf.set(name, setting)
                path = os.path.join(folder, f"variants-{shapes.index(shape)}")
                (frame if shape is None else frame.drop("l")).write.parquet(path)  # Spark fails to write shredded ones beside lists of them
                ours, theirs = read(path), spark.read.parquet(path)
                self.assertEqual(ours.schema.simpleString(), theirs.schema.simpleString())
                asked = shown + (below if shape is None else [])
                self.assertEqual(rows(ours.selectExpr("i", *asked)), rows(theirs.selectExpr("i", *asked)))
                stored = pa.schema(winnow.scan(path)).field("v").type
                self.assertEqual(stored.get_field_index("typed_value") >= 0, shape is not None)

    def test_times(self):
        units = {"us": [1, 86399999999, None, 0], "ns": [1000, 86399999999999, None, 1999]}
        path = self.write(pa.table({unit: pa.array(of, pa.time64(unit)) for unit, of in units.items()}))
        milliseconds = self.write(pa.table({"ms": pa.array([0, 86399999, None], pa.time32("ms"))}))  # which Spark does not read
        self.assertEqual([r.ms for r in read(milliseconds).collect()], [datetime.time(0), datetime.time(23, 59, 59, 999000), None])
        nested = self.write(pa.table({"a": pa.array([[{"t": 1999}]], pa.list_(pa.struct([("t", pa.time64("ns"))])))}))
        for each in (path, nested):
            self.assertEqual(rows(read(each)), rows(spark.read.parquet(each)))
        down = [datetime.time(0, 0, 0, 1), datetime.time.max, None, datetime.time(0, 0, 0, 1)]
        compare = {f.EqualTo: operator.eq, f.LessThan: operator.lt, f.LessThanOrEqual: operator.le, f.GreaterThan: operator.gt, f.GreaterThanOrEqual: operator.ge}
        values = (datetime.time(0), datetime.time(0, 0, 0, 1), datetime.time.max.replace(microsecond=999998), datetime.time.max)
        for filter, value in itertools.product(compare, values):
            text = condition(filter(("ns",), value), schema_of(pa.schema(winnow.scan(path))))
            if text is None:
                self.assertEqual((value, filter in (f.LessThanOrEqual, f.GreaterThan)), (datetime.time.max, True))
            else:
                self.assertEqual(winnow.scan(path, where=text).count(), sum(x is not None and compare[filter](x, value) for x in down), text)

    def test_conditions_are_not_joined_as_text(self):
        path = self.write(pa.table({"i": [1, 2, 3, 4], "s": ["a", "b; --", "c", None]}))
        for where, expected in (("i > 1;", [2, 3]), ("i = 1 OR i = 3", [1, 3]), ("s <> ') --'", [1, 2, 3])):
            got = read(path, pushdown="true", where=where).where("i < 4").select("i").collect()
            self.assertEqual(sorted(r.i for r in got), expected)

    def test_time_zone_of_the_session(self):
        path = self.write(pa.table({"t": pa.array(POOLS["t"][1], pa.timestamp("us", "UTC"))}), use_deprecated_int96_timestamps=True)
        for zone in (ZONE, "Asia/Kolkata"):
            spark.conf.set("spark.sql.session.timeZone", zone)
            try:
                for kept in (path, os.path.join(fifty, "part-02.parquet")):
                    got, want = (
                        rows(frame.where("hour(t) < 12 AND t > '1969-01-01'").selectExpr("CAST(t AS STRING)", "CAST(date(t) AS STRING)", "hour(t)", "unix_micros(t)"))
                        for frame in (read(kept, pushdown="true"), spark.read.parquet(kept))
                    )
                    self.assertEqual(got, want)
                    self.assertNotEqual(got, [])
            finally:
                spark.conf.set("spark.sql.session.timeZone", ZONE)

    def test_files_with_other_columns(self):
        first = self.write(pa.table({"a": [1, 2], "b": ["x", "y"]}), "y=1/a.parquet")
        root = os.path.dirname(os.path.dirname(first))
        os.mkdir(os.path.join(root, "y=z"))
        pq.write_table(pa.table({"a": pa.array([3], pa.int32())}), os.path.join(root, "y=z", "b.parquet"))
        got = [tuple(r) for r in read(root).orderBy("a").collect()]
        self.assertEqual(got, [(1, "x", "1"), (2, "y", "1"), (3, None, "z")])
        frame = read(root, where="y = 'z'")
        self.assertEqual(winnow.spark.describe(frame).splitlines()[0].split(",")[0], "winnow: 1 files")
        self.assertEqual([tuple(r) for r in frame.collect()], [(3, None, "z")])
        self.assertEqual(read(root, where="y = 'nothing'").count(), 0)

    def test_columns_and_schemas(self):
        self.assertEqual(read(ORDERS, columns='["order_id", "customer.name"]').columns, ["order_id", "customer"])
        some = spark.read.format("winnow").schema("placed timestamp, order_id bigint").load(ORDERS)
        self.assertEqual(rows(some), rows(spark.read.parquet(ORDERS).select("placed", "order_id")))
        with self.assertRaisesRegex(Exception, "column order_id is bigint, not int as the wanted schema has it"):
            spark.read.format("winnow").schema("order_id int").load(ORDERS).collect()

    def test_count(self):
        self.assertEqual(read(fifty, columns="[]").count(), sum(rows_of(i) for i in range(50)))
        self.assertEqual(read(fifty, columns="[]", where="id < 100000 OR id = 500000", partitionBytes="4k").count(), rows_of(0) + 1)
        damaged = os.path.join(SAMPLES, "bad", "body_brotli_lies_short.parquet")
        self.assertEqual(read(damaged, columns="[]").count(), pq.read_metadata(damaged).num_rows)  # no page is read
        with unittest.mock.patch.object(winnow.spark, "_MOST_ROWS", 7):
            self.assertEqual([(b.num_rows, b.num_columns) for b in winnow.spark._rows(16)], [(7, 0), (7, 0), (2, 0)])

    def test_select(self):
        spark.read.parquet(ORDERS).createOrReplaceTempView("orders")
        for items, columns in (
            ("count(*), 1 AS one", []),
            ("Order_ID, order_id % 2 AS odd, odd + 1, current_database()", ['"order_id"']),
            ("customer.NAME AS name, '{x}' AS b", ['"customer"."name"']),
            ("customer.name, customer", ['"customer"']),
            ("max(get(transform(items, x -> x.price), 0)), max(attributes['a'])", ['"items"', '"attributes"']),
            ("customer.*, order_id", None),
            ("order_id, (SELECT max(order_id) FROM orders)", None),
        ):
            got = winnow.spark.select(spark, ORDERS, items)
            self.assertEqual(rows(got), rows(spark.sql(f"SELECT {items} FROM orders")), items)
            schema = spark.read.format("winnow").load(ORDERS).schema
            self.assertEqual(winnow.spark._needed(winnow.spark._leaves(spark, items), schema), columns)
            relation = re.search(r"RelationV2\[(.*?)\]", got._jdf.queryExecution().analyzed().toString())[1]
            names = [path.split('"')[1] for path in columns] if columns is not None else schema.names
            self.assertEqual(re.findall(r"(\w+)#", relation), names)
        self.assertEqual(winnow.spark.select(spark, [ORDERS], "count(order_id)", where="order_id > 3990").collect()[0][0], 9)
        twice = t.StructType([t.StructField("a", t.LongType()), t.StructField("A", t.LongType())])
        self.assertIsNone(winnow.spark._needed([("UnresolvedAttribute", ["a"])], twice))
        with self.assertRaisesRegex(Exception, "UNRESOLVED_COLUMN.*`nothing`"):
            winnow.spark.select(spark, ORDERS, "nothing")

    def test_errors_keep_their_text(self):
        with self.assertRaisesRegex(Exception, r'row group 0, column "a", page 0, offset 4: page body: BROTLI'):
            read(os.path.join(SAMPLES, "bad", "body_brotli_lies_short.parquet")).collect()
        with self.assertRaisesRegex(Exception, "no_such_file"):
            read("/no_such_file.parquet")
        with self.assertRaisesRegex(Exception, "paths: one of them is empty"):
            spark.read.format("winnow").load([ORDERS, ""])
        with self.assertRaisesRegex(Exception, "s3://bucket/a: winnow reads local files"):
            read("s3://bucket/a")
        with self.assertRaisesRegex(Exception, "partitionBytes: many is no number of bytes"):
            read(ORDERS, partitionBytes="many")
        with self.assertRaisesRegex(Exception, "there is no option pathglobfilter: those of winnow are columns, where,"):
            read(ORDERS, pathGlobFilter="*")
        with self.assertRaisesRegex(Exception, "no column nothing"):
            read(ORDERS, where="nothing = 1").collect()

    def test_encrypted(self):
        data = pa.table({"k": pa.array(range(300), pa.int64()), "s": [f"text {i}" for i in range(300)]})
        path, keys = os.path.join(folder, "secret.parquet"), os.path.join(folder, "keys")
        properties = pe.create_encryption_properties(b"0123456789abcdef", aad_prefix=b"table of May")
        pq.write_table(data, path, encryption_properties=properties, row_group_size=100)
        with open(keys, "w") as out:
            out.write("# of May\n\nfooter \t 30313233343536373839616263646566\n")
        for more in ({}, {"aadPrefix": "table of May"}):
            got = read(path, keys=keys, where="k >= 10", partitionBytes="1k", **more)
            self.assertEqual(rows(got), sorted(map(repr, (t.Row(k=i, s=f"text {i}") for i in range(10, 300)))))
            self.assertNotIn("30313233", explained(got))
        pq.write_table(data, path + ".plain")
        for name, options, error in (
            (path, {}, "encrypted"),
            (path, {"keys": keys, "aadPrefix": "table of June"}, "another AAD prefix"),
            (path + ".plain", {"keys": keys}, "the file is not encrypted, and it must be"),
        ):
            with self.assertRaisesRegex(Exception, error):
                read(name, **options).collect()
        with open(keys, "a") as out:
            out.write("s 3g\n")
        with self.assertRaisesRegex(Exception, "line 4: want a name and hexadecimal digits"):
            read(path, keys=keys).collect()


class Readmes(unittest.TestCase):
    def test_what_they_show(self):
        want = rows(spark.read.parquet(WEBLOG).where("latency_ms > 1000").groupBy("status").count())
        readme, names = os.path.join("adapters", "python", "README.md"), {"spark": spark}
        with contextlib.redirect_stdout(io.StringIO()) as text:
            for block in shown(readme):
                if "spark." in block:
                    exec(compile(block, readme, "exec"), names)
        self.assertEqual(sorted(map(repr, names["counts"])), want)
        self.assertRegex(text.getvalue(), r"winnow: 1 files, \d+ bytes, 1 partitions\n  where \(latency_ms > 1000\)\n")


class Packing(unittest.TestCase):
    def test_bytes(self):
        m = 1 << 20
        files = [winnow.File(0, "a", 300 * m), winnow.File(2, "b", 1), winnow.File(3, "c", 90 * m), winnow.File(4, "d", 0)]
        got = [[(s.file, s.offset // m, s.length) for s in p.splits] for p in winnow.spark.pack(files, 128 * m)]
        self.assertEqual(got, [[(0, 0, 128 * m)], [(0, 128, 128 * m)], [(0, 256, 44 * m), (2, 0, 1)], [(3, 0, 90 * m), (4, 0, 1)]])
        self.assertEqual([p.bytes for p in winnow.spark.pack(files, 1 << 40)], [390 * m + 2])
        self.assertEqual(winnow.spark.pack([], m), [])
        self.assertEqual(len(winnow.spark.pack([winnow.File(0, "a", 10)], 3)), 4)


class Filters(unittest.TestCase):
    """Conditions of winnow are TRUE, FALSE and NULL of the rows that Spark's own are."""

    def test_three_values(self):
        cases = [(sql, text) for sql, _, text in filters()]
        self.assertGreater(len(cases), 700)
        kept = [(sql, text) for sql, text in cases if text]
        self.assertGreater(len(kept), 600)
        paths = [os.path.join(fifty, name) for name in sorted(os.listdir(fifty))[:6]]
        truth = spark.read.parquet(*paths).selectExpr("id", *(f"({sql}) AS c{i}" for i, (sql, _) in enumerate(kept))).toArrow()
        ids = truth["id"].to_pylist()
        for i, (sql, text) in enumerate(kept):
            told = truth[f"c{i}"].to_pylist()
            for where, value in ((text, True), (f"NOT ({text})", False)):
                got = winnow.scan(paths, ["id"], where).to_arrow()["id"].to_pylist()
                want = [key for key, answer in zip(ids, told) if answer is value]
                self.assertEqual(sorted(got), sorted(want), f"{sql} is {value}: {where}")

    def test_readme_table(self):
        """The README has the table of what test_three_values compares, and all filters and types are in it."""
        readme = os.path.join(ROOT, "adapters", "python", "README.md")
        on, example = {kind: {} for kind in FILTERS}, {}
        for _, filter, text in filters():
            if text and not isinstance(filter, f.Not):
                column = filter.attribute[0]
                on[type(filter)][type(FIELDS[column].dataType)] = True
                if type(filter) not in example or column == "s" and getattr(filter, "value", "") in ("", "a"):
                    example[type(filter)] = text.replace('"', "").replace(f"{column} ", "x ").replace(f"({column},", "(x,")
        self.assertEqual([kind for kind, types in on.items() if not types], [])
        self.assertEqual(set(LITERALS), set(on[f.EqualTo]))
        lines = ["| filter | on columns of | for example |", "|---|---|---|"]
        for kind, types in on.items():
            names = "all types" if set(types) >= set(LITERALS) else "all but " + ", ".join(k.typeName() for k in LITERALS if k not in types)
            names = names if 2 * len(types) > len(LITERALS) else ", ".join(k.typeName() for k in types)
            lines.append(f"| {kind.__name__} | {names} | `{example[kind]}` |")
        table = "\n".join(lines) + "\n"
        with open(readme, encoding="utf-8") as file:
            text = file.read()
        if "WINNOW_REWRITE" in os.environ:
            with open(readme, "w", encoding="utf-8") as file:
                file.write(re.sub(re.escape(lines[0]) + r"\n(\|.*\n)*", lambda _: table, text))
        else:
            self.assertIn(table, text, "WINNOW_REWRITE=1 writes the table")

    def test_left_to_spark(self):
        schema = schema_of(table(1, 0).schema)
        for filter in (
            f.EqualTo(("f64",), math.nan),
            f.In(("f64",), (1.0, 0.0)),
            f.In(("f32",), (1.0, math.nan)),
            f.In(("i32",), (1, None)),
            f.In(("i32",), ()),
            f.EqualTo(("i32",), True),
            f.EqualTo(("i32",), "1"),
            f.EqualTo(("bo",), 1),
            f.EqualTo(("s",), b"a"),
            f.EqualTo(("d",), datetime.datetime(2024, 1, 1)),
            f.EqualTo(("t",), datetime.datetime(2024, 1, 1)),  # which is no instant
            f.EqualTo(("n",), datetime.datetime(2024, 1, 1, tzinfo=UTC)),
            f.GreaterThan(("t",), datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, UTC)),
            f.EqualTo(("dec",), decimal.Decimal("NaN")),
            f.EqualTo(("st",), {"x": 1}),
            f.EqualTo(("st.x y",), 1),
            f.EqualTo(("l", "k"), 1),
            f.IsNull(("nothing",)),
            f.StringContains(("b",), "a"),
            f.Not(f.EqualTo(("f64",), math.nan)),
        ):
            self.assertIsNone(condition(filter, schema), filter)
        collated = t.StructType([t.StructField("c", t.StringType("UTF8_LCASE")), t.StructField("v", t.VarcharType(3))])
        self.assertIsNone(condition(f.EqualTo(("c",), "a"), collated))
        self.assertIsNone(condition(f.EqualTo(("v",), "a"), collated))

    def test_through_spark(self):
        theirs = spark.read.parquet(fifty)
        for where, complete in (
            ("f64 = double('NaN') AND i8 < 100", False),
            ("NOT (t <=> timestamp'2024-03-10 03:00:00') AND n > timestamp_ntz'2024-01-01' AND f32 > 0.1", True),
            ("s IN ('a', \"a'b\", '日本', 'a\\\\b') AND u64 >= 9223372036854775808", True),
            ("(s NOT LIKE '%b' AND b = X'00ff') OR (i16 = 7 AND s = '')", False),
            ("st.`x y` = 3 AND st.p.q LIKE '%3%' AND bo AND date(t) = '2024-03-10' AND dec > 1", True),
        ):
            got, want = read(fifty, pushdown="true").where(where).select("id"), theirs.where(where).select("id")
            found = rows(got)
            self.assertEqual(found, rows(want), where)
            self.assertNotEqual(found, [], where)
            self.assertEqual("Filter (" in explained(got), not complete, where)


def sql(value):
    """A value in Spark's SQL."""
    if isinstance(value, bool) or isinstance(value, int):
        return f"{value}L" if value != -(2**63) and -(2**63) <= value < 2**63 and not isinstance(value, bool) else str(value)
    if isinstance(value, float):
        return f"double('{value}')"
    if isinstance(value, decimal.Decimal):
        return f"CAST('{value}' AS DECIMAL(38,10))"
    if isinstance(value, str):
        return "decode(X'" + value.encode().hex() + "', 'UTF-8')"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    if isinstance(value, datetime.datetime):
        return f"timestamp{'_ntz' if value.tzinfo is None else ''}'{value.isoformat(sep=' ')}'"
    return f"{'time' if isinstance(value, datetime.time) else 'date'}'{value.isoformat()}'"


def filters():
    """Comparisons of all columns with values of theirs: SQL, the filter, and the condition of winnow, if there is one."""
    for text, filter in spoken():
        yield text, filter, condition(filter, FIELDS)


FIELDS = schema_of(pa.schema([(name, kind) for name, (kind, _) in POOLS.items()]))


def spoken():
    """Filters, and what they are in SQL."""
    comparisons = {"=": f.EqualTo, "<": f.LessThan, "<=": f.LessThanOrEqual, ">": f.GreaterThan, ">=": f.GreaterThanOrEqual, "<=>": f.EqualNullSafe}
    for name, (kind, pool) in POOLS.items():
        column = (name,)
        if isinstance(FIELDS[name].dataType, t.DecimalType):
            pool = [decimal.Decimal(value) for value in pool]  # as Spark passes them
        for value, (sign, filter) in itertools.product(pool, comparisons.items()):
            yield f"{name} {sign} {sql(value)}", filter(column, value)
        yield f"{name} IN ({', '.join(map(sql, pool[1:3]))})", f.In(column, list(pool[1:3]))
        if pa.types.is_floating(kind):
            yield f"{name} IN ({', '.join(map(sql, pool[:2]))})", f.In(column, list(pool[:2]))
        yield f"{name} IS NULL", f.IsNull(column)
        yield f"{name} IS NOT NULL", f.IsNotNull(column)
        yield f"NOT ({name} > {sql(pool[1])})", f.Not(f.GreaterThan(column, pool[1]))
        yield f"NOT ({name} <=> {sql(pool[1])})", f.Not(f.EqualNullSafe(column, pool[1]))
        if kind == pa.string():
            for value in pool:
                for word, filter in (("startswith", f.StringStartsWith), ("endswith", f.StringEndsWith), ("contains", f.StringContains)):
                    yield f"{word}({name}, {sql(value)})", filter(column, value)


class Types(unittest.TestCase):
    def test_with_pyspark(self):
        modules = [word for name in ("spark", "_spark_types", "_spark_filters") for word in ("-m", "winnow." + name)]
        command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", os.path.join(folder, "types"), *modules]
        package = os.path.dirname(os.path.dirname(winnow.__file__))
        env = {**os.environ, "PYTHONPATH": "", "MYPYPATH": "" if "site-packages" in package else package}
        run = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=env)
        self.assertEqual((run.returncode, run.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
