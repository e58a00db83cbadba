#!/usr/bin/env python3
"""Writes sample files of testdata/writers that the Go writers cannot make.

usage: write.py [testdata]       pyarrow 26.0.1 and DuckDB 2.0.0 write the same bytes each time
"""
import datetime, decimal, os, sys

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "../../../testdata"), "writers")
WORDS = "crate pallet ledger harbour carton courier bolt panel valve wheel lantern spool".split()


def every(n, step):
    return lambda f: [None if i % step == step - 1 else f(i) for i in range(n)]


def logical_types(n=60):
    col = every(n, 7)
    day = datetime.date(2024, 2, 27)
    at = datetime.datetime(2024, 3, 9, 23, 59, 58, 123456)
    later = lambda i: at + datetime.timedelta(minutes=37 * i, microseconds=i)
    utc = lambda i: later(i).replace(tzinfo=datetime.timezone.utc)
    number = lambda i: decimal.Decimal(i * 12345 - 300000).scaleb(-2)
    return pa.table({
        "int8": pa.array(col(lambda i: i - 30), pa.int8()),
        "uint16": pa.array(col(lambda i: 65535 - i), pa.uint16()),
        "uint64": pa.array(col(lambda i: 2**64 - 1 - i), pa.uint64()),
        "half": pa.array(col(lambda i: i / 4 - 5), pa.float16()),
        "decimal5": pa.array(col(lambda i: number(i % 24)), pa.decimal128(9, 2)),
        "decimal30": pa.array(col(number), pa.decimal128(30, 2)),
        "decimal60": pa.array(col(number), pa.decimal256(60, 2)),
        "date": pa.array(col(lambda i: day + datetime.timedelta(days=i)), pa.date32()),
        "time_ms": pa.array(col(lambda i: i * 1_000_003 % 86_400_000), pa.time32("ms")),
        "time_ns": pa.array(col(lambda i: i * 1_000_000_000_003 % 86_400_000_000_000), pa.time64("ns")),
        "timestamp_ms": pa.array(col(later), pa.timestamp("ms")),
        "timestamp_us_utc": pa.array(col(utc), pa.timestamp("us", "UTC")),
        "timestamp_ns": pa.array(col(later), pa.timestamp("ns")),
        "binary": pa.array(col(lambda i: bytes([i, 255 - i])), pa.binary()),
        "fixed": pa.array(col(lambda i: bytes([i] * 5)), pa.binary(5)),
        "uuid": pa.array(col(lambda i: bytes([i] * 16)), pa.uuid()),
        "json": pa.array(col(lambda i: f'{{"i":{i}}}'), pa.json_()),
        "text": pa.array(col(lambda i: WORDS[i % 12] * (i % 4)), pa.string()),
        "nothing": pa.nulls(n),
        "flag": pa.array(col(lambda i: i % 3 == 0), pa.bool_()),
    })


def nested(n=80):
    col = every(n, 9)
    return pa.table({
        "id": pa.array(range(n), pa.int32()),
        "words": pa.array(col(lambda i: [WORDS[k] if k % 5 else None for k in range(i % 5)]), pa.list_(pa.string())),
        "grid": pa.array(col(lambda i: [[k, None] if k % 2 else None for k in range(i % 4)]), pa.list_(pa.list_(pa.int32()))),
        "counts": pa.array(col(lambda i: [(WORDS[k], k * i or None) for k in range(i % 3)]), pa.map_(pa.string(), pa.int64())),
        "place": pa.array(col(lambda i: {"x": i, "deep": None if i % 3 else {"y": [i, i]}}),
                          pa.struct([("x", pa.int32()), ("deep", pa.struct([("y", pa.list_(pa.int32()))]))])),
    })


def sorted_table(n=3000):
    return pa.table({
        "key": pa.array([i * 7 for i in range(n)], pa.int64()),
        "word": pa.array([WORDS[i * i % 12] for i in range(n)], pa.string()),
        "id": pa.array([f"{i * 2654435761 % 2**32:08x}" for i in range(n)], pa.string()),
        "value": pa.array(every(n, 4)(lambda i: i / 8), pa.float64()),
    })


def main():
    os.makedirs(OUT, exist_ok=True)
    arrow = lambda name, table, **kw: pq.write_table(
        table, os.path.join(OUT, name + ".parquet"), store_schema=False, write_page_index=True, write_page_checksum=True, **kw)
    arrow("pyarrow_logical_types_v1", logical_types(), compression="snappy", data_page_version="1.0", row_group_size=40)
    arrow("pyarrow_logical_types_v2", logical_types(), compression="zstd", data_page_version="2.0", use_dictionary=False)
    arrow("pyarrow_nested", nested(), compression="gzip", data_page_version="2.0", data_page_size=64, write_batch_size=8)
    arrow("pyarrow_nested_v1", nested(), compression="none", data_page_size=64, write_batch_size=8)
    arrow("pyarrow_bloom", sorted_table(), compression="lz4", row_group_size=1000, max_rows_per_page=200,
          sorting_columns=[pq.SortingColumn(0)], bloom_filter_options={"id": {"ndv": 1000, "fpp": 0.01}})
    arrow("pyarrow_int96", logical_types().select(["timestamp_ns", "text"]), use_deprecated_int96_timestamps=True, compression="brotli")

    db = duckdb.connect()
    db.execute("set threads to 1; select setseed(0.5)")
    target = lambda name: os.path.join(OUT, name + ".parquet").replace("'", "''")
    db.execute("create table t as select range::int as id, range % 13 as small, 'word ' || range % 40 as word, "
               "case when range % 5 = 0 then null else range * 0.25 end as amount, "
               "date '2024-01-01' + (range % 500)::int as day, "
               "case when range % 7 > 0 then list_transform(range(range % 4), lambda x: x * 3) end as list, "
               "{'a': range % 3, 'b': case when range % 2 = 0 then 'even' end} as pair, "
               "map {'k': range::int} as attributes from range(3000)")
    db.execute(f"copy t to '{target('duckdb_v1')}' (format parquet, compression zstd, row_group_size 2048)")
    db.execute(f"copy t to '{target('duckdb_v2')}' (format parquet, parquet_version v2, compression snappy, row_group_size 2048)")


if __name__ == "__main__":
    main()
