#!/usr/bin/env python3
"""Reads testdata/shapes with pyarrow and DuckDB and compares each value with
the JSON lines that gen wrote beside the file.

usage: check_gen.py [folder]        exit code 1 if anything differs

A file that a reader is known not to read is listed here with the reason, and
must then fail: the list does not rot.
"""
import base64, datetime, decimal, glob, json, os, struct, sys

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

NOT_PYARROW = {
    "alp_exceptions": "no ALP",
    "alp_vectors": "no ALP",
    "alp_width": "no ALP",
    "codec_lz4_frame": "knows no LZ4 frames",
    "decimals_odd": "wants a scale up to the precision",
    "delta_wide": "wants deltas of at most 32 bits for INT32",
    "encoding_alp_v1": "no ALP",
    "encoding_alp_v2": "no ALP",
    "levels_bit_packed": "reads BIT_PACKED from the wrong end",
    "nested_deep": "at most 100 levels, the root included",
    "nested_map_no_value": "shows a list of keys",
    "pages_empty": "stops at an empty first page",
    "pages_zero_crc": "compares with a checksum of 0",
    "schema_no_columns": "has no rows without columns",
    "times_extreme": "Python's dates end with the year 9999",
    "timestamps_12_bytes": "has timestamps of 64 bits",
}
NOT_DUCKDB = {
    "alp_exceptions": "no ALP",
    "alp_vectors": "no ALP",
    "alp_width": "no ALP",
    "codec_lz4_frame": "knows no LZ4 frames",
    "decimals_odd": "wants a scale up to the precision",
    "encoding_alp_v1": "no ALP",
    "encoding_alp_v2": "no ALP",
    "encoding_byte_stream_split_v1": "no BYTE_STREAM_SPLIT for FIXED_LEN_BYTE_ARRAY",
    "encoding_byte_stream_split_v2": "no BYTE_STREAM_SPLIT for FIXED_LEN_BYTE_ARRAY",
    "levels_bit_packed": "no BIT_PACKED levels",
    "levels_bit_packed_lsb": "no BIT_PACKED levels",
    "logical_types_both": "no BSON",
    "logical_types_conflict": "takes the ConvertedType",
    "logical_types_converted": "no BSON",
    "logical_types_logical": "ignores most types without a ConvertedType",
    "nested_list_two_level_array": "takes it for three levels",
    "nested_list_two_level_tuple": "takes it for three levels",
    "nested_map_no_value": "wants values",
    "nested_map_old": "wants MAP",
    "pages_gap": "no pages of the type that stands between",
    "pages_index_page": "no pages of that type",
    "pages_unknown_type": "no pages of that type",
    "schema_no_columns": "wants columns",
}
# Names that cannot be asked for.
DUCKDB_ROWS_ONLY = {"schema_duplicate_names", "schema_names"}
DAY = 86400 * 10**9


def instant(nanos, utc):
    days, rest = divmod(nanos, DAY)
    date = (datetime.date(1970, 1, 1) + datetime.timedelta(days=days)).isoformat()
    return f"{date}T{clock(rest)}{'Z' if utc else ''}"


def clock(nanos):
    s, frac = divmod(nanos, 10**9)
    text = f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}"
    return text + (f".{frac:09}".rstrip("0") if frac else "")


def per(unit):
    return {"s": 10**9, "ms": 10**6, "us": 1000, "ns": 1}[unit]


def arrow(v):
    """A pyarrow scalar as plain values: pairs for structs, text for times."""
    if not v.is_valid:
        return None
    if isinstance(v, pa.ExtensionScalar):
        v = v.value
    t = v.type
    if pa.types.is_struct(t):
        return [(t.field(i).name, arrow(v[i])) for i in range(t.num_fields)]
    if pa.types.is_map(t):
        return [[("key", arrow(e["key"])), ("value", arrow(e["value"]))] for e in entries(v)]
    if pa.types.is_list(t) or pa.types.is_large_list(t):
        return [arrow(e) for e in v.values]
    if pa.types.is_timestamp(t):
        return instant(v.value * per(t.unit), t.tz is not None)
    if pa.types.is_time(t):
        return clock(v.value * per(t.unit))
    return v.as_py()


def entries(v):
    return [{"key": e[0], "value": e[1]} for e in v.values]


def same(want, got):
    """Compares a JSON value (objects as pairs) with a reader's value."""
    if isinstance(got, dict):
        got = list(got.items())
    if isinstance(want, list) and want and isinstance(want[0], tuple):
        return isinstance(got, (list, tuple)) and len(want) == len(got) and all(
            a[0] == b[0] and same(a[1], b[1]) for a, b in zip(want, got))
    if isinstance(want, list):
        return isinstance(got, list) and len(want) == len(got) and all(map(same, want, got))
    if want is None or got is None:
        return want is got
    if isinstance(got, bool) or isinstance(want, bool):
        return want is got
    if isinstance(got, float):
        if isinstance(want, str):
            return repr(float(want.replace("Infinity", "inf"))) == repr(got)
        return repr(float(want)) == repr(got) or single(want) == single(got)
    if isinstance(got, bytes):
        return want in (base64.b64encode(got).decode(), got.decode("utf-8", "replace"), dashed(got.hex()))
    if isinstance(got, decimal.Decimal):
        return isinstance(want, str) and decimal.Decimal(want) == got and want == format(got, "f")
    if isinstance(got, datetime.datetime):
        utc = got.tzinfo is not None
        epoch = datetime.datetime(1970, 1, 1, tzinfo=got.tzinfo and datetime.timezone.utc)
        return want == instant((got - epoch) // datetime.timedelta(microseconds=1) * 1000, utc)
    if isinstance(got, datetime.date):
        return want == got.isoformat()
    return type(want) is type(got) and want == got


def number(s):
    return -0.0 if s == "-0" else int(s)


def single(x):
    return struct.pack("<f", float(x))


def dashed(h):
    return "-".join((h[:8], h[8:12], h[12:16], h[16:20], h[20:]))


def pyarrow_rows(path):
    table = pq.ParquetFile(path, page_checksum_verification=True).read()
    columns = [[arrow(v) for v in c] for c in table.columns]
    return [list(zip(table.column_names, row)) for row in zip(*columns)]


def duckdb_rows(path, want, uncomparable):
    rows = duckdb.sql(f"select count(*) from read_parquet('{path}')").fetchall()[0][0]
    if rows != len(want):
        raise ValueError(f"{rows} rows")
    # Only what Python shows without loss is compared; pyarrow compares the rest.
    relation = duckdb.sql(f"select * from read_parquet('{path}')")
    plain = {"INTEGER", "BIGINT", "VARCHAR", "BOOLEAN", "DOUBLE", "FLOAT", "BLOB", "INTEGER[]", "VARCHAR[]", "BIGINT[]"}
    keep = [i for i, t in enumerate(relation.types) if str(t) in plain]
    if not keep or uncomparable:
        return None, keep
    return relation.project(", ".join(f'"{relation.columns[i]}"' for i in keep)).fetchall(), keep


def check(path):
    name = os.path.basename(path)[: -len(".parquet")]
    with open(path[: -len(".parquet")] + ".jsonl", encoding="utf-8") as f:
        want = [json.loads(line, object_pairs_hook=list, parse_int=number) for line in f]
    problems = []

    def attempt(reader, known, compare):
        try:
            fault = compare()
        except Exception as e:  # whatever a reader raises
            fault = str(e).splitlines()[0][:120]
        if (fault is not None) != (name in known):
            problems.append(f"{name}: {reader}: {fault or 'reads it now: ' + known[name]}")

    def by_pyarrow():
        got = pyarrow_rows(path)
        if len(got) != len(want):
            return f"{len(got)} rows of {len(want)}"
        for i, (w, g) in enumerate(zip(want, got)):
            if not same(w, g):
                return f"row {i}: want {w}, got {g}"

    def by_duckdb():
        got, keep = duckdb_rows(path, want, name in DUCKDB_ROWS_ONLY)
        if got is None:
            return None
        for i, (w, g) in enumerate(zip(want, got)):
            w = [w[k][1] for k in keep]
            if not all(map(same, w, g)):
                return f"row {i}: want {w}, got {g}"

    attempt("pyarrow", NOT_PYARROW, by_pyarrow)
    attempt("duckdb", NOT_DUCKDB, by_duckdb)
    return problems


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "../../../testdata/shapes")
    paths = sorted(glob.glob(os.path.join(folder, "*.parquet")))
    problems = [p for path in paths for p in check(path)]
    for p in problems:
        print(p)
    print(f"{len(paths)} files, {len(problems)} problems; pyarrow {pa.__version__}, duckdb {duckdb.__version__}")
    return 1 if problems or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
