"""Files for the tests of Spark's data source, written by pyarrow."""

import datetime
import decimal
import math
import os
import random

import pyarrow as pa
import pyarrow.parquet as pq

UTC = datetime.timezone.utc

# Values of each column that filters compare with, of which some are in the rows.
POOLS = {
    "i8": (pa.int8(), [-128, -1, 0, 5, 127]),
    "i16": (pa.int16(), [-32768, 0, 7, 32767]),
    "i32": (pa.int32(), [-(2**31), -3, 0, 4, 2**31 - 1]),
    "i64": (pa.int64(), [-(2**63), -1, 0, 2**53 + 1, 2**63 - 1]),
    "u8": (pa.uint8(), [0, 200, 255]),
    "u32": (pa.uint32(), [0, 2**31, 2**32 - 1]),
    "u64": (pa.uint64(), [0, 2**63, 2**64 - 1]),
    "f32": (pa.float32(), [-math.inf, -1.5, -0.0, 0.0, 0.10000000149011612, 3.4028234663852886e38, math.inf, math.nan]),
    "f64": (pa.float64(), [-math.inf, -5e-324, -0.0, 0.0, 0.1, 1e22, 1.7976931348623157e308, math.inf, math.nan]),
    "dec": (pa.decimal128(12, 2), [decimal.Decimal(x) for x in ("-9999999999.99", "-0.01", "0.00", "1.50", "12345.67")]),
    "dec38": (pa.decimal128(38, 10), [decimal.Decimal(x) for x in ("-1e27", "0E-10", "1e-10", "9999999999999999999999999999")]),
    "s": (pa.string(), ["", "a", "ab", "abc", "a'b", 'a"b', "a%b", "a_b", "a\\b", "Ä", "ä", "日本", "😀", "\uffff", "z\0", "a\nb"]),
    "b": (pa.binary(), [b"", b"\0", b"\0\xff", b"a'b", b"\xff\xff"]),
    "flba": (pa.binary(3), [b"\0\0\0", b"abc", b"\xff\xff\xff"]),
    "bo": (pa.bool_(), [False, True]),
    "d": (pa.date32(), [datetime.date(1, 1, 1), datetime.date(1969, 12, 31), datetime.date(2024, 3, 10), datetime.date(9999, 12, 31)]),
    "t": (
        pa.timestamp("us", "UTC"),
        [
            datetime.datetime(1600, 1, 1, 0, 0, 0, 1, UTC),
            datetime.datetime(1969, 12, 31, 23, 59, 59, 999999, UTC),
            datetime.datetime(2024, 3, 10, 6, 59, 59, 999999, UTC),
            datetime.datetime(2024, 3, 10, 7, 0, tzinfo=UTC),
            datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, UTC),
        ],
    ),
    "ms": (pa.timestamp("ms", "UTC"), [datetime.datetime(1970, 1, 1, tzinfo=UTC), datetime.datetime(2024, 3, 10, 7, 0, 0, 1000, UTC)]),
    "tm": (pa.time64("us"), [datetime.time(0), datetime.time(12, 0, 0, 1), datetime.time(23, 59, 59, 999999)]),
    "n": (pa.timestamp("us"), [datetime.datetime(1969, 12, 31, 23, 59, 59), datetime.datetime(2024, 3, 10, 2, 30)]),
}


def table(rows, seed):
    """Rows with values of all pools, one in eight NULL, and an id."""
    r = random.Random(seed)
    columns = {"id": pa.array(range(seed * 100_000, seed * 100_000 + rows), pa.int64())}
    for name, (kind, pool) in POOLS.items():
        columns[name] = pa.array([None if r.random() < 0.125 else r.choice(pool) for _ in range(rows)], kind)
    x = [None if r.random() < 0.2 else r.randrange(5) for _ in range(rows)]
    columns["st"] = pa.array([None if r.random() < 0.2 else {"x y": v, "p": {"q": str(v)}} for v in x])
    columns["l"] = pa.array([None if r.random() < 0.2 else [{"k": v, "w": [v]}] * r.randrange(3) for v in x])
    columns["m"] = pa.array([None if r.random() < 0.2 else [("k", v)] for v in x], pa.map_(pa.string(), pa.int64()))
    return pa.table(columns)


def rows_of(i):
    """How many rows file i of write_tables has."""
    return 40 + 13 * (i % 7)


def write_tables(folder, files=50):
    """Files of different sizes, with one to five row groups each."""
    os.makedirs(folder, exist_ok=True)
    for i in range(files):
        rows = rows_of(i)
        pq.write_table(table(rows, i), os.path.join(folder, f"part-{i:02}.parquet"), row_group_size=rows // (1 + i % 5) + 1)
    return folder
