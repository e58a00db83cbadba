"""winnow.polars against Polars itself, on random conditions over columns of each type."""

import datetime
import decimal
import math
import os
import random
import tempfile
import unittest
from unittest import mock

import polars as pl
from polars.testing import assert_frame_equal

import winnow
import winnow.polars
from support import LINES
from winnow._polars_where import where_of

UTC = datetime.timezone.utc
AT = datetime.datetime(2024, 2, 28, 12, 30, 15, 123456)
VALUES = {
    "i8": (pl.Int8, [-128, -1, 0, 1, 127]),
    "i16": (pl.Int16, [-32768, 0, 5, 32767]),
    "i32": (pl.Int32, [-(2**31), -1, 0, 3, 2**31 - 1]),
    "i64": (pl.Int64, [-(2**63), 0, 2**53, 2**53 + 1, 2**63 - 1]),
    "u8": (pl.UInt8, [0, 1, 200, 255]),
    "u64": (pl.UInt64, [0, 7, 2**63, 2**64 - 1]),
    "f32": (pl.Float32, [-1.5, -0.0, 0.0, 0.1, 3e38, math.nan, math.inf, -math.inf]),
    "f64": (pl.Float64, [-1.5, -0.0, 0.0, 0.1, 1e300, 5e-324, math.nan, math.inf, -math.inf]),
    "bool": (pl.Boolean, [True, False]),
    "str": (pl.String, ["", "a", "ab", "b'c", 'd"e', "ä", "z%_", "a.b", "a\\b"]),
    "bin": (pl.Binary, [b"", b"\x00", b"a", b"\xff\xfe"]),
    "date": (pl.Date, [datetime.date(1, 1, 1), datetime.date(1969, 12, 31), AT.date(), datetime.date(9999, 12, 31)]),
    "time": (pl.Time, [datetime.time(0), datetime.time(12, 30, 15, 123456), datetime.time(23, 59, 59, 999999)]),
    "ns": (pl.Datetime("ns"), [AT, AT.replace(year=1800), AT.replace(microsecond=0)]),
    "us": (pl.Datetime("us"), [AT, AT.replace(year=1), AT.replace(year=9999)]),
    "ms": (pl.Datetime("ms"), [AT.replace(microsecond=123000), AT.replace(year=1900, microsecond=0)]),
    "utc": (pl.Datetime("us", "UTC"), [AT.replace(tzinfo=UTC), AT.replace(year=1900, tzinfo=UTC)]),
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
ROUNDS = int(os.environ.get("WINNOW_POLARS_ROUNDS", 1500))


def frame(rng, rows):
    return pl.DataFrame(
        {
            name: pl.Series([None if rng.random() < 0.15 else rng.choice(values) for _ in range(rows)], dtype=type)
            for name, (type, values) in VALUES.items()
        }
    )


def leaf(rng):
    name = rng.choice(list(VALUES))
    type, values = VALUES[name]
    column = pl.col(name)
    values = values + OTHERS.get(name, [])
    value = rng.choice(values)
    how = rng.randrange(12)
    if how == 0:
        return column.is_null() if rng.random() < 0.5 else column.is_not_null()
    if how == 1:
        some = [rng.choice(VALUES[name][1]) for _ in range(rng.randrange(4))]
        return column.is_in(pl.Series([*some, *[None] * rng.randrange(2)], dtype=type).implode(), nulls_equal=rng.random() < 0.1)
    if how == 2:
        low, high = rng.choice(VALUES[name][1]), rng.choice(VALUES[name][1])
        return column.is_between(low, high, closed=rng.choice(["both", "left", "right", "none"]))
    if how == 3 and name == "str":
        text = rng.choice(values)
        return rng.choice(
            [
                column.str.starts_with(text),
                column.str.ends_with(text),
                column.str.contains(text, literal=True),
                column.str.contains(rng.choice(["a", "a.b", "^a", "[ab]"])),
                column.str.len_bytes() > 1,
            ]
        )
    if how == 4 and name == "bool":
        return column
    if how == 5:
        return column.eq_missing(value)
    if how == 6 and name in ("f32", "f64"):
        return column.is_nan()
    compare = rng.choice(["eq", "ne", "lt", "le", "gt", "ge"])
    if how == 7:
        return getattr(pl.lit(value), compare)(column)
    return getattr(column, compare)(value)


def condition(rng, depth=0):
    how = rng.random()
    if depth < 3 and how < 0.25:
        return condition(rng, depth + 1) & condition(rng, depth + 1)
    if depth < 3 and how < 0.5:
        return condition(rng, depth + 1) | condition(rng, depth + 1)
    if depth < 3 and how < 0.65:
        return ~condition(rng, depth + 1)
    return leaf(rng)


class Conditions(unittest.TestCase):
    def test_random(self):
        rng = random.Random(34)
        wheres = []

        def recorded(predicate, schema):
            wheres.append(where_of(predicate, schema))
            return wheres[-1]

        with tempfile.TemporaryDirectory() as folder, mock.patch("winnow.polars.where_of", recorded):
            path = os.path.join(folder, "f.parquet")
            data = frame(rng, 400)
            data.write_parquet(path, row_group_size=100)
            lazy = winnow.polars.scan(path)
            assert_frame_equal(lazy.collect(), data)
            asked = 0
            for _ in range(ROUNDS):
                c = condition(rng)
                try:
                    want = data.filter(c)
                except pl.exceptions.PolarsError:
                    continue  # types that Polars does not compare
                asked += 1
                wheres.append(None)  # Polars may settle a condition itself
                columns = rng.sample(list(VALUES), rng.randint(1, 4))
                assert_frame_equal(lazy.filter(c).select(columns).collect(), want.select(columns))
                # The scan alone returns each row that Polars does.
                if wheres[-1]:
                    found = winnow.scan(path, ["i64"], wheres[-1]).count()
                    self.assertGreaterEqual(found, len(want), wheres[-1])
            translated = sum(w is not None for w in wheres)
        print(f"{asked} conditions, {translated} reach the scan", end=" ", flush=True)
        self.assertGreater(asked, ROUNDS // 2)
        self.assertGreater(translated, asked // 3)

    def test_each_form(self):
        """What reaches the scan, as text."""
        c, schema = pl.col, pl.Schema({name: type for name, (type, _) in VALUES.items()})
        for predicate, want in (
            (c("i64") > 3, None),  # of a literal without a type, as expressions are before Polars binds them
            (c("i32") > pl.lit(3, pl.Int32), '"i32" > 3'),
            (pl.lit(3, pl.Int32) > c("i32"), '"i32" < 3'),
            (c("str") == "o'k", "\"str\" = 'o''k'"),
            (c("bool") & ~c("bool"), '"bool" AND NOT ("bool")'),
            ((c("str") == "a") | (c("i32") + 1 > 2), None),
            ((c("str") == "a") & (c("i32") + 1 > 2), "\"str\" = 'a'"),
            (c("str").str.contains("a.c"), None),
        ):
            self.assertEqual(where_of(predicate, schema), want, str(predicate))

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
