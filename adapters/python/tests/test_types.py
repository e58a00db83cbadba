"""Tables of pandas, pyarrow and Polars that are written and come back: equal in each value, and in each type but those
of the README's table.

With WINNOW_REWRITE=1, the test writes that table, and a file of all types for the tests in Go.
"""

import datetime as dt
import decimal
import os
import re
import tempfile
import unittest

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from support import HERE, ROOT

import winnow
import winnow.polars

README = os.path.join(os.path.dirname(HERE), "README.md")
FOR_GO = os.path.join(ROOT, "scanner", "internal", "stored", "testdata", "types.parquet")
ZONES = (None, "UTC", "Europe/Berlin", "+05:30")
UNITS = ("s", "ms", "us", "ns")


def _dictionaries():
    for ordered in (False, True):
        for index in (pa.int8(), pa.int16(), pa.int32(), pa.uint32(), pa.int64()):
            yield pa.DictionaryArray.from_arrays(pa.array([1, None, 0], index), pa.array(["b", "a"]), ordered=ordered)
    yield pa.DictionaryArray.from_arrays(pa.array([1, None, 0], pa.int32()), pa.array([5, 6]), ordered=True)


def _lists():
    item = pa.field("thing", pa.int32(), nullable=False)
    for t in (pa.list_(pa.int32()), pa.list_(item), pa.large_list(item), pa.list_view(item), pa.large_list_view(item), pa.list_(item, 2)):
        yield pa.array([[1, 2], None, [3, 4]], t)
    pairs = pa.list_(pa.int32(), 2)
    yield pa.array([[[1, 2], [3, 4]], None, [None, [5, 6]]], pa.list_(pairs, 2))
    struct = pa.struct([("a", pa.list_(pa.duration("s"))), ("b", pa.large_string()), ("c", pairs)])
    yield pa.array([[{"a": [1], "b": "x", "c": [1, 2]}, None], None, [{}, {"a": [2, 3], "b": "y"}]], pa.list_(struct, 2))
    for t in (pa.list_(pa.dictionary(pa.int32(), pa.string())), pa.list_(pa.dictionary(pa.int32(), pa.string()), 2)):
        yield pa.array([["a", "b"], None, ["b", "b"]], t)
    yield pa.array([[("a", 1)], None, []], pa.map_(pa.string(), pa.int32()))
    yield pa.array([[("a", 1)], None, []], pa.map_(pa.large_string(), pa.duration("ms"), keys_sorted=True))
    yield pa.array([{"x": 1}, None, {}], pa.struct([pa.field("x", pa.duration("ms"), metadata={"k": "v"})]))


def arrays():
    """Arrays of three slots: of each type that pyarrow writes, one."""
    yield pa.nulls(3)
    yield pa.array([True, None, False])
    for t in "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split():
        yield pa.array([1, None, 3], t)
    for t in (pa.string(), pa.large_string(), pa.string_view()):
        yield pa.array(["a", None, "a text that is longer"], t)
    for t in (pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(2)):
        yield pa.array([b"aa", None, b"bb"], t)
    for t in (pa.date32(), pa.date64()):
        yield pa.array([dt.date(2024, 1, 1), None, dt.date(1960, 1, 2)], t)
    for t in (pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns"), *map(pa.duration, UNITS)):
        yield pa.array([1, None, 3], t)
    for t in (pa.timestamp(unit, zone) for unit in UNITS for zone in ZONES):
        yield pa.array([1, None, 3], t)
    for t in (pa.decimal32(5, 2), pa.decimal64(12, 2), pa.decimal128(5, 2), pa.decimal256(12, 2), pa.decimal256(50, 3)):
        yield pa.array([decimal.Decimal("1.5"), None, decimal.Decimal(-3)], t)
    yield from _dictionaries()
    yield from _lists()
    yield pa.array([b"0123456789abcdef", None, b"fedcba9876543210"], pa.uuid())
    yield pa.array(["1", None, "{}"], pa.json_())
    yield pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, None, 0], pa.int8()))
    yield pa.ExtensionArray.from_storage(pa.opaque(pa.binary(), "t", "v"), pa.array([b"1", None, b""]))
    yield pa.ExtensionArray.from_storage(pa.fixed_shape_tensor(pa.int32(), [2]), pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int32(), 2)))


def table():
    """All of arrays as one table, with metadata of it and of its fields."""
    all = list(arrays())
    return pa.table(all, schema=pa.schema([pa.field(str(a.type), a.type, metadata={"k": "v"}) for a in all], metadata={"m": "n"}))


# What comes back as another type, by the words for what was written and why.
REASONS = (
    (r"(time32|timestamp)\[s", "Parquet has no seconds: the file has milliseconds, as pyarrow's reader returns"),
    (r"dictionary<.*indices=u?int(8|16|64)\b", "indices are of 32 bits: a batch may have more entries than 8 or 16 bits count"),
    (r"dictionary<values=int64.*ordered=1", "a file keeps the order of entries only of strings and bytes"),
)


def _reason(t):
    return next((why for pattern, why in REASONS if re.match(pattern, str(t))), None)


class Types(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "f.parquet")

    def test_pyarrow(self):
        want, lines = table(), ["| Written by | type | comes back as | because |", "|---|---|---|---|"]
        pq.write_table(want, self.path)
        got, theirs = winnow.scan(self.path).to_arrow(), pq.read_table(self.path)
        got.validate(full=True)
        self.assertEqual(pa.schema(winnow.scan(self.path)), got.schema)
        self.assertEqual(got.schema.metadata, want.schema.metadata)
        for mine, other in zip(got.schema, want.schema):
            self.assertEqual(mine.metadata, other.metadata)
            self.assertEqual(got[mine.name].to_pylist(), theirs[mine.name].to_pylist(), mine)
            self.assertEqual(mine.type != other.type, _reason(other.type) is not None, (mine, other))
            if mine.type != other.type:
                lines.append(f"| pyarrow | `{other.type}` | `{mine.type}` | {_reason(other.type)} |")
        # Of what is selected, in batches of one row, in the form of the file alone.
        for i, name in enumerate(want.column_names):
            one = winnow.scan(self.path, ['"' + name + '"'], batch_rows=1).to_arrow()
            self.assertEqual(one[name].to_pylist(), got[name].to_pylist())
        plain = winnow.scan(self.path, stored_types=False, extensions=False)
        self.assertEqual(pa.schema(plain).field("duration[us]").type, pa.int64())
        self.assertEqual(pa.schema(plain).metadata, None)
        if os.environ.get("WINNOW_REWRITE"):
            os.makedirs(os.path.dirname(FOR_GO), exist_ok=True)
            pq.write_table(want, FOR_GO, compression="none", write_statistics=False)
        self.assertEqual(pq.read_schema(FOR_GO), pq.read_schema(self.path), "WINNOW_REWRITE=1 writes the file for the tests in Go")
        self.check_readme(lines)

    def check_readme(self, lines):
        lines += ["| pyarrow | unions, run-end encoded, intervals |  | pyarrow writes none |", *self.other_lines()]
        with open(README, encoding="utf-8") as f:
            text = f.read()
        start, shown, end = re.split(r"(?<=<!-- by test_types.py -->\n)(.*?)(?=\n\n)", text, maxsplit=1, flags=re.DOTALL)
        if os.environ.get("WINNOW_REWRITE"):
            with open(README, "w", encoding="utf-8") as f:
                f.write(start + "\n".join(lines) + end)
        else:
            self.assertEqual(shown.splitlines(), lines)

    def other_lines(self):
        """Lines of the table about plain types of pandas and Polars, each in a table of its own."""
        wide, seconds = "Polars has a format of its own for it", "Parquet has no seconds: the file has milliseconds, as pandas' reader returns"
        sizes = [f"{kind}{size}" for kind in ("Int", "UInt") for size in (8, 16, 32, 64, 128)]
        for t in (getattr(pl, name) for name in (*sizes, "Float16", "Float32", "Float64")):
            pl.DataFrame({"a": pl.Series([1, None], dtype=t)}).write_parquet(self.path)
            got = winnow.polars.scan(self.path).collect_schema()["a"]
            self.assertEqual(got != t, t in (pl.Int128, pl.UInt128), t)
            if got != t:
                yield f"| Polars | `{t}` | `{got}` | {wide} |"
        sizes = [f"{kind}{size}" for kind in ("int", "Int", "uint", "UInt") for size in (8, 16, 32, 64)]
        times = [f"{kind}64[{unit}{zone}]" for kind in ("datetime", "timedelta") for unit in UNITS for zone in ("", ", Asia/Tokyo")[: 1 + (kind == "datetime")]]
        for t in (*sizes, "float16", "float32", "float64", "Float32", "Float64", *times):
            want = pd.DataFrame({"a": pd.array([1, 2, 3], dtype=t)})
            want.to_parquet(self.path)
            got = winnow.scan(self.path).to_pandas()["a"].dtype
            self.assertEqual(got != want["a"].dtype, t.startswith("datetime64[s"), t)
            if got != want["a"].dtype:
                yield f"| pandas | `{t}` | `{got}` | {seconds} |"
        yield "| pandas | sparse, complex |  | pandas writes none |"

    def test_requested(self):
        """A caller of Arrow's protocol that wants other types than those stored gets them."""
        pq.write_table(table().select(["duration[us]", "timestamp[us, tz=Europe/Berlin]"]), self.path)
        for wanted in ([pa.int64(), pa.timestamp("us", "UTC")], [pa.duration("us"), pa.timestamp("us", "Europe/Berlin")]):
            schema = pa.schema(zip(["duration[us]", "timestamp[us, tz=Europe/Berlin]"], wanted))
            self.assertEqual(pa.RecordBatchReader.from_stream(winnow.scan(self.path), schema=schema).schema.types, wanted)

    def test_pandas(self):
        at = pd.to_datetime([1, 2, 3], unit="s", utc=True).tz_convert("Europe/Berlin")
        columns = {
            "Int8": pd.array([1, None, 3], "Int8"), "float": [1.5, None, 2], "str": ["a", None, "b"], "bool": [True, False, True],
            "moment": at, "span": pd.to_timedelta([1, None, 3], unit="s"), "category": pd.Categorical(["b", None, "a"]),
            "ordered": pd.Categorical(["lo", "hi", "lo"], categories=["lo", "mid", "hi"], ordered=True), "bytes": [b"a", b"b", None],
            "month": pd.period_range("2024-01", "2024-03", freq="M"), "between": pd.interval_range(0, 3), "date": [dt.date(2024, 1, 1)] * 3,
            "time": [dt.time(1)] * 3, "decimal": [decimal.Decimal("1.5")] * 3, "list": [[1], [2, 3], None],
        }
        indexes = (None, pd.Index(["x", "y", "z"], name="k"), at, pd.MultiIndex.from_tuples([(1, "a"), (1, "b"), (2, "a")]), pd.CategoricalIndex(["a", "b", "a"]))
        for index in indexes:
            want = pd.DataFrame(columns)
            if index is not None:
                want.index = index
            want.to_parquet(self.path)
            pd.testing.assert_frame_equal(winnow.scan(self.path).to_pandas(), want, check_freq=False)

    def test_categories(self):
        """Categories in order, over several row groups and with a condition."""
        want = pd.DataFrame({"c": pd.Categorical(["lo", "hi", "mid"] * 3000, categories=["lo", "mid", "hi", "never"], ordered=True), "x": range(9000)})
        want.to_parquet(self.path, row_group_size=2000)
        pd.testing.assert_frame_equal(winnow.scan(self.path).to_pandas(), want)
        some = winnow.scan(self.path, where="c <> 'lo' AND x > 8000").to_pandas()
        pd.testing.assert_frame_equal(some, want[(want["c"] != "lo") & (want["x"] > 8000)].reset_index(drop=True))
        pd.testing.assert_frame_equal(winnow.scan(self.path, where="x = 8001 OR x = 8003").to_pandas(), want.iloc[[8001, 8003]].reset_index(drop=True))
        want.to_parquet(self.path, use_dictionary=False)  # the order of the categories is nowhere
        self.assertFalse(winnow.scan(self.path).to_arrow().schema.field("c").type.ordered)

    def test_polars(self):
        moments = {f"{unit} {zone}": pl.Series([dt.datetime(2024, 1, 1), None], dtype=pl.Datetime(unit)).dt.replace_time_zone(zone) for unit in UNITS[1:] for zone in ZONES[:3]}
        spans = {unit: pl.Series([dt.timedelta(1), None], dtype=pl.Duration(unit)) for unit in UNITS[1:]}
        want = pl.DataFrame({
            "i8": pl.Series([1, None], dtype=pl.Int8), "u64": pl.Series([1, None], dtype=pl.UInt64), "f32": pl.Series([1, None], dtype=pl.Float32),
            "bool": [True, None], "text": ["a", None], "bytes": [b"a", None], "date": [dt.date(2024, 1, 1), None], "time": [dt.time(1), None],
            **moments, **spans, "decimal": pl.Series(["1.5", None], dtype=pl.Decimal(10, 2)), "categories": pl.Series(["a", None], dtype=pl.Categorical),
            "enum": pl.Series(["a", None], dtype=pl.Enum(["b", "a"])), "list": [[1], None], "struct": [{"a": dt.timedelta(1)}, None],
            "array": pl.Series([[[1, 2], [3, 4]], None], dtype=pl.Array(pl.Int32, (2, 2))), "null": [None, None],
            "lists": pl.Series([["a"], None], dtype=pl.List(pl.Categorical)),
        })
        for writer in (lambda: want.write_parquet(self.path), lambda: want.drop("enum").write_parquet(self.path, use_pyarrow=True)):
            writer()
            for got in (winnow.scan(self.path).to_polars(), winnow.polars.scan(self.path).collect()):
                self.assertEqual(got.schema, want.select(got.columns).schema)
                self.assertTrue(got.equals(want.select(got.columns)))
            for name in moments | spans:
                one = winnow.polars.scan(self.path).filter(pl.col(name) >= want[name][0]).collect()
                self.assertTrue(one.equals(want.select(one.columns).head(1)), name)


if __name__ == "__main__":
    unittest.main()
