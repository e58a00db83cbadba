"""winnow.polars against Polars itself, on random conditions over columns of each type."""

import collections
import datetime
import decimal
import io
import itertools
import json
import math
import os
import random
import re
import tempfile
import unittest
from unittest import mock

import polars as pl
from polars.testing import assert_frame_equal

import winnow
import winnow.polars
from support import HERE, LINES
from winnow._polars_table import ROWS
from winnow._polars_where import translations, where_of

README = os.path.join(os.path.dirname(HERE), "README.md")
UTC = datetime.timezone.utc
AT = datetime.datetime(2024, 2, 28, 12, 30, 15, 123456)
VALUES = {
    "i8": (pl.Int8, [-128, -1, 0, 1, 7, 127]),
    "i16": (pl.Int16, [-32768, 0, 5, 32767]),
    "i32": (pl.Int32, [-(2**31), -1, 0, 3, 2**31 - 1]),
    "i64": (pl.Int64, [-(2**63), -8, 0, 3, 2**53, 2**53 + 1, 2**63 - 1]),
    "u8": (pl.UInt8, [0, 1, 200, 255]),
    "u64": (pl.UInt64, [0, 7, 2**63, 2**64 - 1]),
    "f32": (pl.Float32, [-1.5, -0.0, 0.0, 0.1, 3e38, math.nan, math.inf, -math.inf]),
    "f64": (pl.Float64, [-1.5, -0.0, 0.0, 0.1, 2.5, 1e300, 5e-324, math.nan, math.inf, -math.inf]),
    "bool": (pl.Boolean, [True, False]),
    "str": (pl.String, ["", "a", "ab", "aba", "b'c", 'd"e', "ä", "ÄB", "İß", "ǆK", "z%_", "a.b", "a\\b", "a\nb", " a "]),
    "bin": (pl.Binary, [b"", b"\x00", b"a", b"\xff\xfe"]),
    "date": (pl.Date, [datetime.date(1, 1, 1), datetime.date(1969, 12, 31), datetime.date(2021, 1, 3), AT.date(), datetime.date(9999, 12, 31)]),
    "time": (pl.Time, [datetime.time(0), datetime.time(12, 30, 15, 123456), datetime.time(23, 59, 59, 999999)]),
    "ns": (pl.Datetime("ns"), [AT, AT.replace(year=1800), AT.replace(microsecond=0)]),
    "us": (pl.Datetime("us"), [AT, AT.replace(year=1), AT.replace(year=1969), AT.replace(year=9999)]),
    "ms": (pl.Datetime("ms"), [AT.replace(microsecond=123000), AT.replace(year=1900, microsecond=0)]),
    "utc": (pl.Datetime("us", "UTC"), [AT.replace(tzinfo=UTC), AT.replace(year=1900, tzinfo=UTC), AT.replace(month=10, day=27, hour=0, tzinfo=UTC)]),
    "dec": (pl.Decimal(10, 2), [decimal.Decimal("-1.50"), decimal.Decimal("0.00"), decimal.Decimal("12345678.91")]),
    "wide": (pl.Decimal(38, 3), [decimal.Decimal("-1.5"), decimal.Decimal("12345678901234567890.125")]),
}
OTHERS = {  # literals of other types than the column's
    "i8": [300, 1.5, True],
    "i64": [1.5, 2.0**53, -1e30],
    "u8": [-1, 1.5],
    "f32": [0.1, 1, 1e300],
    "f64": [2**53 + 1, 0],
    "date": [AT],
    "us": [AT.date()],
    "ms": [AT],
    "dec": [1.5, 2, decimal.Decimal("1.234")],
}
FAR = {"ns_2": 2**63 - 1, "us_2": 2**63 - 1, "ms_2": 2**63 - 1, "utc_2": 2**62, "date_2": 2**31 - 1}  # what Python's datetime has no value for
FLOATS, INTEGERS, DECIMALS = ("f32", "f64"), ("i8", "i16", "i32", "i64", "u8", "u64"), ("dec", "wide")
INSTANTS = ("ns", "us", "ms", "utc")
LISTS = {"list_i": ("i64", pl.Int64), "list_f": ("f64", pl.Float64), "list_s": ("str", pl.String)}
PATTERNS = ["a", "a.b", "^a", "[ab]", "b$", "a|ä", "(?:ab)+a?", "[^a-c]", "a{1,2}b", "^.$", r"a\.b", r"\\", r"\w", "(?i)AB", "(?i)k", "[[:alpha:]]"]
ROUNDS = int(os.environ.get("WINNOW_POLARS_ROUNDS", 300))


def series(rng, name, end, rows):
    type, values = VALUES[name]
    all = pl.Series([None if rng.random() < 0.15 else rng.choice(values) for _ in range(rows)], dtype=type)
    if name + end in FAR:
        far = [None if rng.random() < 0.9 else rng.choice((1, -1)) * FAR[name + end] for _ in range(rows)]
        far = pl.Series(far, dtype=pl.Int64).cast(pl.Int32 if name == "date" else pl.Int64).cast(type)
        all = far.zip_with(far.is_not_null(), all)
    return all


def frame(rng, rows):
    """A row number, two columns of each type, a struct, and lists."""
    columns = {"id": pl.Series(range(rows), dtype=pl.Int64)}
    columns |= {name + end: series(rng, name, end, rows) for end in ("", "_2") for name in VALUES}
    some = {name: VALUES[name][1] for name in ("i64", "str", "f64")}
    structs = [{name: rng.choice([None, *values]) for name, values in some.items()} for _ in range(rows)]
    columns["struct"] = pl.Series([None if rng.random() < 0.1 else s for s in structs], dtype=pl.Struct({name: VALUES[name][0] for name in some}))
    for name, (item, type) in LISTS.items():
        lists = [[rng.choice([None, *VALUES[item][1]]) for _ in range(rng.randrange(4))] for _ in range(rows)]
        columns[name] = pl.Series([None if rng.random() < 0.1 else v for v in lists], dtype=pl.List(type))
    return pl.DataFrame(columns)


def literal(rng, name):
    return pl.lit(rng.choice(VALUES[name][1]), VALUES[name][0])


def in_zone(rng):
    return pl.col("utc").dt.convert_time_zone(rng.choice(["UTC", "Asia/Tokyo", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]))


def calculations(rng, name, depth):
    """Ways to calculate a value of the type of a column."""
    x, y = value(rng, name, depth + 1), value(rng, name, depth + 1)
    some = rng.choice([y, literal(rng, name)])
    ways = [
        lambda: pl.coalesce(x, some),
        lambda: x.fill_null(some),
        lambda: pl.when(condition(rng, depth + 2)).then(x).otherwise(some),
    ]
    if name in INTEGERS + FLOATS + DECIMALS:
        ways += [lambda: x + some, lambda: x - some, lambda: x * some, lambda: some - x, lambda: x.abs(), lambda: -x]
    if name in INTEGERS:
        n = pl.lit(rng.choice([1, 2, 3, 7, 100]), VALUES[name][0])
        ways += [lambda: x // n, lambda: x % n, lambda: x & n, lambda: x.sign(), lambda: pl.max_horizontal(x, some), lambda: pl.min_horizontal(x, some)]
        ways += [lambda: x % some, lambda: x // some, lambda: rng.choice(INTEGERS) and value(rng, "u8", depth + 1).cast(VALUES[name][0], strict=False)]
    if name in FLOATS:
        ways += [lambda: x.floor(), lambda: x.ceil(), lambda: x.sqrt(), lambda: x / some, lambda: x.round(1), lambda: x.fill_nan(0.5)]
        ways += [lambda: value(rng, rng.choice(INTEGERS), depth + 1).cast(VALUES[name][0]), lambda: value(rng, "f32", depth + 1).cast(VALUES[name][0])]
    if name == "i64":
        ways += [lambda: pl.col("struct").struct.field("i64"), lambda: pl.col("list_i").list.get(rng.randint(-2, 2), null_on_oob=True)]
    if name == "i32":
        ways += [lambda: value(rng, rng.choice(["date", *INSTANTS]), depth + 1).dt.year()] * 2
        ways += [lambda: in_zone(rng).dt.year(), lambda: in_zone(rng).dt.hour()]
    if name == "i16":
        ways += [lambda: value(rng, rng.choice(["date", *INSTANTS]), depth + 1).dt.ordinal_day()]
    if name == "i8":
        parts = ["month", "day", "weekday", "week", "quarter"]
        ways += [lambda p=p: getattr(value(rng, rng.choice(["date", *INSTANTS]), depth + 1).dt, p)() for p in parts]
        clock = ["hour", "minute", "second"]
        ways += [lambda p=p: getattr(value(rng, rng.choice(INSTANTS), depth + 1).dt, p)() for p in clock]
        ways += [lambda p=p: getattr(value(rng, "time", depth + 1).dt, p)() for p in clock]
    if name == "str":
        a, b, n = *rng.choices(["a", "ab", "ä", "b'"], k=2), rng.randrange(4)
        ways += [lambda: x.str.to_lowercase(), lambda: x.str.to_uppercase(), lambda: x.str.slice(n, rng.choice([None, 0, 2])), lambda: x.str.head(n)]
        ways += [lambda: x.str.tail(n), lambda: x.str.strip_chars(a + b), lambda: x.str.strip_chars_start(a), lambda: x.str.strip_chars_end(a)]
        ways += [lambda: x.str.strip_chars(), lambda: x.str.replace_all(a, b, literal=True), lambda: x + a, lambda: x + y, lambda: pl.lit(a) + x]
        ways += [lambda: pl.col("struct").struct.field("str"), lambda: pl.col("list_s").list.get(rng.randint(-2, 2), null_on_oob=True)]
        ways += [lambda: value(rng, rng.choice(INTEGERS), depth + 1).cast(pl.String)]
    if name == "date":
        ways += [lambda: in_zone(rng).dt.date(), lambda: value(rng, rng.choice(INSTANTS), depth + 1).dt.date()]
        ways += [lambda: pl.col("date").dt.truncate(rng.choice(["1y", "1q", "1mo", "1w", "1d", "2d"]))]
    if name in ("us", "ms", "ns"):
        ways += [lambda: pl.col(name).dt.truncate(rng.choice(["1y", "1mo", "1w", "1d", "1h", "1m", "1s", "3h"])), lambda: pl.col("date").cast(VALUES[name][0], strict=False)]
    return ways


def value(rng, name, depth=0):
    if depth < 3 and rng.random() < 0.4:
        return rng.choice(calculations(rng, name, depth))()
    return pl.col(name + rng.choice(["", "_2"]))


def tests(rng, name, column, depth):
    """Ways to test a value of the type of a column."""
    type, values = VALUES[name]
    other = rng.choice(values + OTHERS.get(name, []))
    compare = rng.choice(["eq", "ne", "lt", "le", "gt", "ge"])
    numbers = [name] * 3 + list(INTEGERS + FLOATS) if name in INTEGERS + FLOATS + DECIMALS else [name]
    same = rng.choice([value(rng, name, depth), literal(rng, name)])
    some = [rng.choice(values) for _ in range(rng.randrange(4))] + [None] * rng.randrange(2)
    ways = [
        lambda: column.is_null() if rng.random() < 0.5 else column.is_not_null(),
        lambda: column.is_in(pl.Series(some, dtype=type).implode(), nulls_equal=rng.random() < 0.1),
        lambda: column.is_between(literal(rng, name), same, closed=rng.choice(["both", "left", "right", "none"])),
        lambda: column.eq_missing(same) if rng.random() < 0.5 else column.ne_missing(same),
        *[lambda: getattr(column, compare)(value(rng, rng.choice(numbers), depth))] * 2,
        *[lambda: getattr(column, compare)(other)] * 2,
        lambda: getattr(pl.lit(other), compare)(column),
    ]
    if name == "str":
        ways += [lambda: column.str.starts_with(other), lambda: column.str.ends_with(other), lambda: column.str.contains(other, literal=True)]
        ways += [lambda: column.str.contains(rng.choice(PATTERNS))] * 2
        ways += [lambda: column.str.len_bytes() > rng.randrange(4), lambda: column.str.len_chars() == rng.randrange(4)]
    if name in FLOATS:
        ways += [lambda: getattr(column, rng.choice(["is_nan", "is_not_nan", "is_finite", "is_infinite"]))()] * 3
    if name == "bool":
        ways += [lambda: column, lambda: condition(rng, 2) ^ condition(rng, 2)]
    if name == "i64":
        nested, (items, (item, _)) = pl.col(rng.choice(["struct", *LISTS])), rng.choice(list(LISTS.items()))
        ways += [lambda: nested.is_null() if rng.random() < 0.5 else nested.is_not_null(), lambda: pl.col(items).list.len() > 1]
        ways += [lambda: pl.col(items).list.contains(literal(rng, item))]
    return ways


def leaf(rng, depth=0):
    name = rng.choice(list(VALUES))
    return rng.choice(tests(rng, name, value(rng, name, depth), depth))()


def each(rng):
    """Each calculation, compared with others; each test of each type."""
    for name in VALUES:
        column = pl.col(name)
        for i in range(len(tests(rng, name, column, 3))):
            yield tests(rng, name, column, 3)[i]
        for i in range(len(calculations(rng, name, 3))):
            yield lambda name=name, i=i: rng.choice(tests(rng, name, calculations(rng, name, 3)[i](), 3))()


def condition(rng, depth=0):
    how = rng.random()
    if depth < 3 and how < 0.2:
        return condition(rng, depth + 1) & condition(rng, depth + 1)
    if depth < 3 and how < 0.4:
        return condition(rng, depth + 1) | condition(rng, depth + 1)
    if depth < 3 and how < 0.5:
        return ~condition(rng, depth + 1)
    return leaf(rng, depth)


class Conditions(unittest.TestCase):
    def test_random(self):
        rng = random.Random(int(os.environ.get("WINNOW_POLARS_SEED", 45)))
        asked = []

        def recorded(predicate, schema):
            asked.append((predicate, schema))
            return where_of(predicate, schema)

        with tempfile.TemporaryDirectory() as folder, mock.patch("winnow.polars.where_of", recorded):
            path = os.path.join(folder, "f.parquet")
            data = frame(rng, 400)
            data.write_parquet(path, row_group_size=100)
            lazy = winnow.polars.scan(path)
            assert_frame_equal(lazy.collect(), data)
            met, translated, count = collections.Counter(), 0, 0
            forms = [form for _ in range(3) for form in each(rng)]
            for make in [*forms, *[lambda: condition(rng)] * ROUNDS]:
                try:
                    c = make()
                    want = data.filter(c)
                except (pl.exceptions.PolarsError, TypeError):
                    continue  # types that Polars does not compare, or decimals that overflow
                count += 1
                asked.clear()  # Polars may settle a condition itself
                columns = rng.sample(list(VALUES), rng.randint(1, 4))
                assert_frame_equal(lazy.filter(c).select(columns).collect(), want.select(columns))
                for predicate, schema in asked:
                    for t in translations(predicate, schema):
                        translated += self.alone(path, data, t)
                        met.update(map(id, t.rows if t.text else ()))
        print(f"{count} conditions, {translated} parts reach the scan", end=" ", flush=True)
        self.assertGreater(translated, count // 2)
        self.assertEqual([r for r in ROWS if not met[id(r)]], [], "rows of the table that no condition has met")

    def alone(self, path, data, t):
        """What the scan alone returns: the rows that Polars returns; more only where there is doubt."""
        if t.text is None:
            return False
        try:
            found, doubted = (set(pl.DataFrame(winnow.scan(path, ["id"], where))["id"]) for where in (t.text, " OR ".join(t.doubts) or "FALSE"))
        except winnow.WhereError:
            t.text = None  # what the scan refuses is left to Polars
            return False
        predicate = pl.Expr.deserialize(io.BytesIO(json.dumps(t.node).encode()), format="json")
        want = set(data.filter(predicate)["id"])
        self.assertLessEqual(want, found, t.text)
        self.assertLessEqual(found - want, doubted, t.text)
        return True

    def test_each_form(self):
        """What reaches the scan, as text."""
        c, schema = pl.col, pl.Schema({name: type for name, (type, _) in VALUES.items()})
        for predicate, want in (
            (c("i64") > 3, []),  # of a literal without a type, as expressions are before Polars binds them
            (c("i32") > pl.lit(3, pl.Int32), ['"i32" > 3']),
            (pl.lit(3, pl.Int32) > c("i32"), ['"i32" < 3']),
            (c("str") == "o'k", ["\"str\" = 'o''k'"]),
            (c("bool") & ~c("bool"), ['"bool"', 'NOT "bool"']),
            ((c("str") == "a") | (c("i32").cbrt() > 2.0), []),
            ((c("str") == "a") & (c("i32").cbrt() > 2.0), ["\"str\" = 'a'"]),
            (c("i32") + pl.lit(1, pl.Int32) > c("i32"), ['(("i32" + 1) > "i32") OR ("i32" + 1) NOT BETWEEN -2147483648 AND 2147483647']),
            (c("f64") == c("f64"), ['("f64" = "f64" OR isnan("f64") AND isnan("f64"))']),
            (c("date").dt.year() == pl.lit(2024, pl.Int32), ["(year(\"date\") = 2024) OR \"date\" < DATE '1700-01-01' OR \"date\" >= DATE '2201-01-01'"]),
            (c("str").str.contains("a.c"), ["regexp_matches(\"str\", 'a.c')"]),
            (c("str").str.contains(r"\d"), []),  # in Rust, of all scripts
        ):
            self.assertEqual(where_of(predicate, schema), want, str(predicate))

    def test_literals_of_null(self):
        """Polars writes them with the names of types, which columns may have, too."""
        data = pl.DataFrame({"Int64": [1, None], "Float64": [1.5, 2.0]})
        one, other = (pl.lit(None, dtype=type) for type in (pl.Int64, pl.Float64))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.parquet")
            data.write_parquet(path)
            for c in (one.is_null(), pl.coalesce(other, other).is_null(), one.is_null() == (pl.col("Float64") > 0)):
                self.assertEqual(data.filter(c).height, 2)
                assert_frame_equal(winnow.polars.scan(path).filter(c).collect(), data)

    def test_literals_in_zones(self):
        data = pl.DataFrame({"date": [datetime.date(2023, 12, 31), datetime.date(2024, 1, 1)]}).with_columns(pl.col("date").dt.year().alias("year"))
        moment = pl.lit(datetime.datetime(2024, 1, 1, 2, tzinfo=UTC)).dt.convert_time_zone("America/New_York")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.parquet")
            data.write_parquet(path)
            for c in (pl.col("date") == moment.dt.date(), pl.col("year") == moment.dt.year()):
                assert_frame_equal(winnow.polars.scan(path).filter(c).collect(), data.head(1))

    def test_table_of_the_readme(self):
        """With WINNOW_REWRITE=1, writes the table of the README anew."""
        lines = ["| In Polars | of | Polars decides |", "|---|---|---|"]
        for (types, doubt), rows in itertools.groupby(ROWS, lambda row: (row.types, row.doubt)):
            calls = dict.fromkeys(f"`{row.polars}`".replace("|", "\\|") for row in rows)
            lines.append(f"| {', '.join(calls)} | {types} | {doubt} |")
        with open(README, encoding="utf-8") as f:
            text = f.read()
        start, table, end = re.split(r"(?<=<!-- by test_polars.py -->\n)(.*?)(?=\n\n)", text, maxsplit=1, flags=re.DOTALL)
        if os.environ.get("WINNOW_REWRITE"):
            with open(README, "w", encoding="utf-8") as f:
                f.write(start + "\n".join(lines) + end)
        else:
            self.assertEqual(table.splitlines(), lines)

    def test_what_reaches_the_scan(self):
        asked = []
        make = winnow.polars.Scan

        def recorded(query):
            asked.append({k: v for k, v in query.items() if k in ("columns", "pushed", "limit")})
            return make(query)

        lazy = winnow.polars.scan(LINES)
        lazy.collect_schema()
        with mock.patch("winnow.polars.Scan", recorded):
            want = pl.read_parquet(LINES)
            got = lazy.filter(pl.col("order_key") > 20000).select("comment").collect()
            assert_frame_equal(got, want.filter(pl.col("order_key") > 20000).select("comment"))
            assert_frame_equal(lazy.head(7).collect(), want.head(7))
            assert_frame_equal(lazy.head(7).filter(pl.col("order_key") > 20000).collect(), want.head(7).filter(pl.col("order_key") > 20000))
            self.assertEqual(lazy.filter(pl.col("order_key") > 20000).head(3).collect().height, 3)
            self.assertEqual(lazy.select(pl.len()).collect().item(), want.height)
        self.assertEqual(asked[0]["pushed"], ['"order_key" > 20000'])
        self.assertEqual(set(asked[0]["columns"]), {'"order_key"', '"comment"'})
        self.assertEqual(asked[1], {"limit": 7})
        self.assertEqual(asked[2], {"limit": 7})

    def test_quotients_beyond_doubles(self):
        """Also of sums with a quotient, which wrap around."""
        schema = {"a": pl.UInt64, "b": pl.UInt64, "least": pl.Int64, "c": pl.Int64}
        data = pl.DataFrame({"a": [2**64 - 2, 8], "b": [2**63, 5], "least": [-(2**63)] * 2, "c": [-8, -9]}, schema)
        with tempfile.TemporaryDirectory() as folder:
            data.write_parquet(path := os.path.join(folder, "f.parquet"))
            for c in (pl.col("a") // 2 < pl.col("b"), pl.col("least") + (pl.col("c") // 2).fill_null(3) > 2**62):
                assert_frame_equal(winnow.polars.scan(path).filter(c).collect(), data)

    def test_by_metadata(self):
        """The number of rows, and which are the last."""
        lazy, want, some = winnow.polars.scan(LINES), pl.read_parquet(LINES), pl.col("quantity") > 20
        with self.assertNoLogs("winnow.polars", "DEBUG"):
            self.assertEqual(lazy.select(pl.len()).collect().item(), want.height)
        for n in (0, 3, 10**9):
            with self.assertLogs("winnow.polars", "DEBUG") as logs:
                assert_frame_equal(lazy.tail(n).collect(), want.tail(n))
            self.assertIn(f" offset={max(want.height - n, 0)}", logs.output[0])
        for way in (
            lambda f: f.tail(5).filter(some).select("comment"),
            lambda f: f.tail(9).tail(3).head(2),
            lambda f: f.filter(some).tail(2),
            lambda f: f.filter(some).select(pl.len()),
            lambda f: f.head(7).select(pl.len()),
            lambda f: f.tail(5).select(pl.len()),
            lambda f: f.select(pl.len(), pl.col("quantity").max()),
        ):
            assert_frame_equal(way(lazy).collect(), way(want.lazy()).collect())
        limited = winnow.polars.scan(LINES, ["quantity"], "quantity > 20", limit=40, offset=10)
        self.assertEqual(limited.select(pl.len()).collect().item(), 40)
        assert_frame_equal(limited.tail(3).collect(), want.filter(some).select("quantity").slice(10, 40).tail(3))
        self.assertIn("lineitems.parquet; columns: ['quantity']; where: quantity > 20; offset: 10; limit: 40", limited.explain())
        self.assertIn("lineitems.parquet; last 3 rows", lazy.tail(3).explain())

    def test_with_a_scan_of_its_own(self):
        lazy = winnow.polars.scan(LINES, ["order_key", "quantity"], "quantity > 45", limit=50)
        want = pl.read_parquet(LINES).filter(pl.col("quantity") > 45).select("order_key", "quantity").head(50)
        assert_frame_equal(lazy.collect(), want)
        assert_frame_equal(lazy.filter(pl.col("order_key") > 9000).collect(), want.filter(pl.col("order_key") > 9000))
        assert_frame_equal(lazy.select("quantity").head(3).collect(), want.select("quantity").head(3))
        self.assertTrue(lazy.filter(pl.col("order_key") > 9000).collect(engine="streaming").equals(want.filter(pl.col("order_key") > 9000)))

    def test_conditions_are_not_joined_as_text(self):
        """A condition of the scan and one of Polars: what ends or opens the text of one is nothing to the other."""
        data = pl.read_parquet(LINES)
        for where, own in (
            ("quantity > 3;", pl.col("quantity") > 3),
            (" quantity > 3 ; ", pl.col("quantity") > 3),
            ("quantity < 3 OR quantity > 45", (pl.col("quantity") < 3) | (pl.col("quantity") > 45)),
            ("comment <> ') OR (1 = 1; --'", pl.col("comment").is_not_null()),
            ("quantity > 3 --", pl.col("quantity") > 3),
        ):
            for engine in ("in-memory", "streaming"):
                got = winnow.polars.scan(LINES, where=where).filter(pl.col("order_key") > 9000).collect(engine=engine)
                assert_frame_equal(got, data.filter(own & (pl.col("order_key") > 9000)))
        for where in ("quantity > 3)", "(quantity > 3", "quantity > 3) OR (1 = 1", "comment = 'x", "quantity > 3 --\n)", "quantity > 3;;", "quantity > 3 /*"):
            with self.assertRaises(winnow.WhereError):
                winnow.polars.scan(LINES, where=where)
        with self.assertRaisesRegex(Exception, "no column nothing\nquantity > 3 AND nothing = 1\n {17}\\^"):
            winnow.polars.scan(LINES, where="quantity > 3 AND nothing = 1").filter(pl.col("order_key") > 9000).collect()

    def test_columns_of_paths_and_numbers(self):
        with tempfile.TemporaryDirectory() as folder:
            for year in (2023, 2024):
                os.mkdir(os.path.join(folder, f"year={year}"))
                pl.DataFrame({"a": [year], "b": ["x"]}).write_parquet(os.path.join(folder, f"year={year}", "f.parquet"))
            lazy = winnow.polars.scan(folder, row_number="n", file_name="f")
            self.assertEqual(lazy.select("year", "n").collect().rows(), [(2023, 0), (2024, 0)])
            self.assertEqual(lazy.filter(pl.col("year") == 2024).select("a").collect().rows(), [(2024,)])
            self.assertEqual(lazy.select("f").collect()["f"].str.contains("year=2024").to_list(), [False, True])
            self.assertEqual(winnow.polars.scan(folder, ["a", "b"]).select("b").collect().rows(), [("x",), ("x",)])

    def test_errors(self):
        with self.assertRaisesRegex(pl.exceptions.ComputeError, "no such file"):
            winnow.polars.scan("/no/such.parquet").collect()
        with self.assertRaisesRegex(Exception, "no column nothing"):
            winnow.polars.scan(LINES, where="nothing = 1").collect()


if __name__ == "__main__":
    unittest.main()
