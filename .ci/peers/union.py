#!/usr/bin/env python3
"""Compares random sets of files whose schemas differ, read by winnow.scan(union=True) and by scan cat --union, with what
DuckDB's read_parquet(union_by_name=true) says: rows in order, conditions, also on what is calculated, cast
to text or returned by functions, counts, extremes, and which columns may have NULLs. Columns without a common type must be refused before any row.

usage: union.py [--sets N] [--seed N] [--package FOLDER] [--scan PROGRAM]    exit code 1 if anything differs

DuckDB rounds where it unites integers with FLOAT, so these are small here; it unites columns whose names
differ in case, and texts with numbers, which winnow does not.
"""
import argparse, csv, datetime, decimal, os, random, subprocess, sys, tempfile

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
parser = argparse.ArgumentParser()
parser.add_argument("--sets", type=int, default=200)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--package", help="a folder with the package and its library; without it, both are built")
parser.add_argument("--scan", help="the program; without it, it is built")
args = parser.parse_args()

D, EPOCH = decimal.Decimal, datetime.date(1970, 1, 1)
INTS = [0, 1, -1, 7, 100, 127, -128, 128, 255, 32767, 65535, 2**24 - 1, 2**31 - 1, -(2**31), 2**31, 2**32 - 1, 2**53, -(2**63), 2**63 - 1, 2**64 - 1]
MOMENTS = [0, 1, 86400 * 10**9, 86400 * 10**9 + 5 * 10**6, 1_700_000_000 * 10**9 + 123_456_000, 1_700_000_000 * 10**9 + 123_456_789, -(10**9)]
INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32()]
# Types that go together.
FAMILIES = [
    INTEGERS,
    [pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()],
    [pa.float32(), pa.float64(), pa.int8(), pa.int16(), pa.int32(), pa.uint8(), pa.uint16(), pa.uint32()],
    [pa.decimal128(5, 2), pa.decimal128(9, 0), pa.decimal128(18, 4), pa.decimal128(25, 3), *INTEGERS[:6]],
    [pa.date32(), pa.timestamp("ms"), pa.timestamp("us"), pa.timestamp("ns")],
    [pa.timestamp("ms", "UTC"), pa.timestamp("us", "UTC"), pa.timestamp("ns", "UTC")],
    [pa.time32("ms"), pa.time64("us"), pa.time64("ns")],
    [pa.string(), pa.large_string()],
    [pa.string(), pa.binary(), pa.binary(3), pa.binary(17)],
    [pa.bool_()],
]
# Pairs that do not.
STRANGERS = [
    (pa.int64(), pa.float64()), (pa.uint64(), pa.int8()), (pa.string(), pa.int32()), (pa.timestamp("us", "UTC"), pa.timestamp("us")),
    (pa.decimal128(38, 10), pa.decimal128(38, 0)), (pa.list_(pa.int32()), pa.int32()), (pa.struct([("x", pa.int32())]), pa.list_(pa.int32())),
    (pa.bool_(), pa.int8()), (pa.date32(), pa.time32("ms")), (pa.struct([("x", pa.int64())]), pa.struct([("x", pa.float32())])),
]


class Column:
    """What a column may be in the files of a set: a family, or one of structs, lists and maps."""

    def __init__(self, r, depth=0):
        kind = r.choice("fffffslm" if depth == 0 else "fffsl" if depth < 3 else "f")
        self.kind, self.parts = kind, []
        if kind == "s":
            self.parts = [Column(r, depth + 1) for _ in range(r.randint(1, 3))]
        elif kind in "lm":
            self.parts = [Column(r, depth + 1)]
        else:
            self.family = r.choice(FAMILIES)
            self.small = pa.float32() in self.family

    def type(self, r):
        """The type in one file."""
        if self.kind == "f":
            return pa.null() if r.random() < 0.03 else r.choice(self.family)
        if self.kind == "s":
            fields = [pa.field("xyz"[i], p.type(r)) for i, p in enumerate(self.parts) if r.random() < 0.8]
            r.shuffle(fields)
            fields = fields or [pa.field("x", self.parts[0].type(r))]
            return pa.struct([f.with_nullable(r.random() < 0.8 or pa.types.is_null(f.type)) for f in fields])
        return pa.list_(self.parts[0].type(r)) if self.kind == "l" else pa.map_(pa.string(), self.parts[0].type(r))

    def value(self, r, t, nullable=True):
        if nullable and r.random() < 0.15 or pa.types.is_null(t):
            return None
        if pa.types.is_struct(t):
            return {f.name: self.parts["xyz".index(f.name)].value(r, f.type, f.nullable) for f in t}
        if pa.types.is_list(t):
            return [self.parts[0].value(r, t.value_type) for _ in range(r.randint(0, 3))]
        if pa.types.is_map(t):
            return [(k, self.parts[0].value(r, t.item_type)) for k in r.sample("abc", r.randint(0, 3))]
        if pa.types.is_integer(t):
            bits, unsigned = t.bit_width, pa.types.is_unsigned_integer(t)
            low, high = (0, 2**bits - 1) if unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
            if self.small:
                low, high = max(low, -(2**24)), min(high, 2**24)
            return r.choice([v for v in INTS if low <= v <= high] + [r.randint(low, high)])
        if pa.types.is_floating(t):
            return r.choice([0.0, 1.5, -1.5, 0.1, 7.0, 16777216.0, 1e30, float("inf")]) if t == pa.float64() else r.choice([0.0, 1.5, -0.25, 7.0, 1e10, 0.1])
        if pa.types.is_decimal(t):
            return D(r.choice([0, 1, -1, 150, 700, 10**t.precision - 1, 1 - 10**t.precision])).scaleb(-t.scale, decimal.Context(prec=40))
        if pa.types.is_date(t):
            return EPOCH + datetime.timedelta(days=r.choice([0, 1, 19675, -1]))
        if pa.types.is_boolean(t):
            return r.random() < 0.5
        if pa.types.is_temporal(t):
            ns = r.choice(MOMENTS) if pa.types.is_timestamp(t) else r.choice([0, 1, 86399_999_000_000, 5_000_000])
            return ns // {"ms": 10**6, "us": 10**3, "ns": 1}[t.unit]
        text = r.choice(["", "a", "abc", "b" * 17, "zz"])
        return text if t in (pa.string(), pa.large_string()) else text.ljust(max(getattr(t, "byte_width", 0), 0), "x")[: t.byte_width].encode() if pa.types.is_fixed_size_binary(t) else text.encode()

    def literal(self, r):
        """A value of winnow's text, and of SQL."""
        f = self.family
        if pa.bool_() in f:
            return "TRUE", "TRUE"
        if pa.float32() in f:
            v = r.choice(["1.5", "0.1", "7", "16777216", "2147483648", "-0.25", "1e10"])
            return v, f"CAST('{v}' AS DOUBLE)"
        if pa.int8() in f or pa.uint8() in f:
            v = str(r.choice([*INTS[:-1], D("1.5"), D("-1.50"), D("99.99")]))
            return v, v
        if pa.time32("ms") in f:
            v = "'" + r.choice(["00:00:00", "00:00:00.005", "23:59:59.999"]) + "'"
            return v, v + "::TIME_NS"
        if pa.string() in f or pa.binary() in f:
            v = "'" + r.choice(["", "a", "abc", "abcx", "b" * 17]) + "'"
            return v, v + "::BLOB"
        v = "'" + r.choice(["1970-01-01 00:00:00", "1970-01-02 00:00:00.005", "2023-11-14 22:13:20.123456", "1970-01-02 00:00:00"]) + "'"
        if pa.date32() in f:
            return "TIMESTAMP " + v, "TIMESTAMP " + v
        return "TIMESTAMP '" + v[1:-1] + "Z'", "TIMESTAMPTZ '" + v[1:-1] + "+00'"


def typed(columns, schema):
    """The numbers and moments outside of lists with the table's type: path, SQL and type."""
    out = []

    def add(path, c, t):
        if c.kind == "s" and pa.types.is_struct(t):
            for f in t:
                add(f"{path}.{f.name}", c.parts["xyz".index(f.name)], f.type)
        elif c.kind == "f" and (pa.types.is_integer(t) or pa.types.is_floating(t) or pa.types.is_decimal(t) or pa.types.is_date(t) or pa.types.is_timestamp(t)):
            out.append((path, f"CAST({path} AS DOUBLE)" if t == pa.float64() else path, t))

    for name, c in columns.items():
        add(name, c, schema.field(name).type)
    return out


def calculation(r, leaves):
    """A condition on what is calculated, cast to text or returned by a function."""
    path, sql, t = r.choice(leaves)
    op = r.choice(["=", "<>", "<", ">="])
    if r.random() < 0.3 and t != pa.float32():
        form, value = r.choice([("{} = ", "0"), ("{} <> ", "1.5"), ("{} LIKE ", "%0"), ("{} >= ", "1970-01-02"), ("length({}) = ", "19"), ("{} || 'x' = ", "7x")])
        if form.startswith("length"):
            return f"length(CAST({path} AS VARCHAR)) > 4", f"length(CAST({sql} AS VARCHAR)) > 4"
        return form.format(f"CAST({path} AS VARCHAR)") + f"'{value}'", form.format(f"CAST({sql} AS VARCHAR)") + f"'{value}'"
    kind = lambda t: "int" if pa.types.is_integer(t) else "moment" if pa.types.is_date(t) or pa.types.is_timestamp(t) and not t.tz else t
    others = [o for o in leaves if kind(o[2]) == kind(t)]
    if r.random() < 0.3:
        other, y, _ = r.choice(others)
        return f"{path} {op} {other}", f"{sql} {op} {y}"
    if pa.types.is_date(t) or pa.types.is_timestamp(t):
        form = r.choice(["month({}) = 1", "hour({}) >= 22", "year({}) < 1971", "day({}) <> 1", "date_trunc('month', {}) = TIMESTAMP '1970-01-01'", "{} + INTERVAL '1 day' > TIMESTAMP '1970-01-02'"])
        if pa.types.is_timestamp(t) and t.tz:
            form = form.split(" = TIMESTAMP")[0].split(" > TIMESTAMP")[0]
            form = form if form.endswith(("1", "2")) else "month({}) = 1"
        elif t == pa.date32() and r.random() < 0.5:
            return f"{path} - DATE '1970-01-01' {op} 1", f"{sql} - DATE '1970-01-01' {op} 1"
        elif form.startswith("hour") and t == pa.date32():
            form = "month({}) = 1"
        return form.format(path), form.format(sql)
    n = lambda v: (v, f"CAST('{v}' AS {'DOUBLE' if t == pa.float64() else 'FLOAT'})" if pa.types.is_floating(t) else v)
    (a, x), (b, y) = n(r.choice(["1", "2", "7", "3"] + ["0.1"] * pa.types.is_floating(t))), n(r.choice(["0", "1", "8.5", "0.2", "-7", "14"]))
    form = r.choice(["{0} + {1}", "{0} - {1}", "{0} * {1}", "{1} - {0}", "abs({0})", "floor({0})", "ceil({0})", "sign({0})"] + ["{0} + {2}"] * (t != pa.float32()) + ["{0} - {2}"] * (not pa.types.is_floating(t)) + ["{0} % {1}"] * pa.types.is_integer(t))  # sums of FLOATs are DOUBLEs, and infinity less itself is NaN
    other, z, _ = r.choice(others)
    if "{2}" not in form and pa.types.is_integer(t):
        sql = f"{sql}::HUGEINT"
    elif pa.types.is_integer(t):
        sql, z = f"{sql}::HUGEINT", f"{z}::HUGEINT"
    return f"{form.format(path, a, other)} {op} {b}", f"{form.format(sql, x, z)} {op} {y}"


def condition(r, columns, leaves):
    """A condition in winnow's text, and in SQL."""
    if r.random() < 0.35:
        (a, x), (b, y), word = condition(r, columns, leaves), condition(r, columns, leaves), r.choice(["AND", "OR"])
        negated = "NOT " if r.random() < 0.3 and "ANY" not in a + b else ""  # of a NULL item, ANY is NULL
        return f"{negated}(({a}) {word} ({b}))", f"{negated}(({x}) {word} ({y}))"
    if leaves and r.random() < 0.5:
        return calculation(r, leaves)
    name = r.choice(list(columns))
    c, path = columns[name], name
    while c.kind == "s":
        i = r.randrange(len(c.parts))
        c, path = c.parts[i], f"{path}.{'xyz'[i]}"
    if c.kind == "l" and c.parts[0].kind == "f":
        a, x = c.parts[0].literal(r)
        a, x = a.replace("0.1", "0.5"), x.replace("0.1", "0.5")  # the same as a FLOAT
        op = r.choice(["=", "<", ">="])
        return f"ANY({path}) {op} {a}", f"len(list_filter({path}, lambda i: {item('i', c.parts[0])} {op} {x})) > 0"
    if c.kind != "f" or r.random() < 0.2:
        op = r.choice(["IS NULL", "IS NOT NULL"])
        return f"{path} {op}", f"{path} {op}"
    a, x = c.literal(r)
    op = r.choice(["=", "<>", "<", "<=", ">", ">="]) if pa.bool_() not in c.family else "="
    sql = f"{item(path, c)} {op} {x}"
    return f"{path} {op} {a}", sql.replace("AS DOUBLE", "AS FLOAT") if (path, path, pa.float32()) in leaves else sql


def item(path, c):
    to = "DOUBLE" if c.small else "BLOB" if pa.string() in c.family else "TIME_NS" if pa.time32("ms") in c.family else ""
    return f"CAST({path} AS {to})" if to else path


def plain(a):
    """Values to compare: numbers, and moments in nanoseconds."""
    t = a.type
    if isinstance(a, pa.ChunkedArray):
        return [v for c in a.chunks for v in plain(c)]
    if pa.types.is_struct(t):
        parts = [plain(f) for f in (a.field(i) for i in range(t.num_fields))]
        return [{t.field(j).name: parts[j][i] for j in range(len(parts))} if a[i].is_valid else None for i in range(len(a))]
    if pa.types.is_map(t) or pa.types.is_list(t) or pa.types.is_large_list(t):
        values = list(zip(plain(a.keys), plain(a.items))) if pa.types.is_map(t) else plain(a.values)
        at = a.offsets.to_pylist()
        return [values[at[i] : at[i + 1]] if a[i].is_valid else None for i in range(len(a))]
    if pa.types.is_temporal(t) and not pa.types.is_date(t):
        per = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}[t.unit]
        return [None if v is None else v * per for v in a.cast(pa.int32() if t.bit_width == 32 else pa.int64()).to_pylist()]
    return a.to_pylist()


def rows(table):
    return {name: plain(table.column(name)) for name in table.column_names}


def write(r, folder, number, columns, types):
    fields = [pa.field("row", pa.int32(), False)] + [pa.field(n, t, r.random() < 0.7 or pa.types.is_null(t)) for n, t in types.items()]
    n = r.choice([0, 1, 5, 30])
    data = [pa.array([number * 100 + i for i in range(n)], pa.int32())]
    data += [pa.array([columns[f.name].value(r, f.type, f.nullable) for _ in range(n)], f.type) for f in fields[1:]]
    path = os.path.join(folder, f"{number}.parquet")
    pq.write_table(pa.table(data, schema=pa.schema(fields)), path, row_group_size=r.choice([4, 100]), use_dictionary=r.random() < 0.5, store_schema=False, version="2.6")
    return path


def terminal(files, *more):
    """What scan cat --union prints: the names of columns, and the numbers of rows."""
    p = subprocess.run([program, "cat", "--union", "--csv", *more, *files], capture_output=True, text=True)
    lines = list(csv.reader(p.stdout.splitlines())) or [[]]
    return lines[0], [int(line[lines[0].index("row")]) for line in lines[1:]], p.returncode, p.stderr


def check_set(winnow, db, seed, folder):
    r = random.Random(seed)
    columns = {f"c{i}": Column(r) for i in range(r.randint(1, 4))}
    files, schemas = [], []
    for number in range(r.randint(2, 4)):
        names = [n for n in columns if r.random() < 0.8] or ["c0"]
        r.shuffle(names)
        types = {n: columns[n].type(r) for n in names}
        files.append(write(r, folder, number, columns, types))
        schemas.append(pq.read_schema(files[-1]))
    there = {n for s in schemas for n in s.names} - {"row"}
    table = f"read_parquet({files}, union_by_name=true)"
    found = []

    def same(what, got, want):
        if got != want or repr(type(got)) != repr(type(want)):
            found.append(f"seed {seed}, {what}:\n  winnow {str(got)[:600]}\n  DuckDB {str(want)[:600]}")

    got = winnow.scan(files, union=True).to_arrow()
    want = db.sql(f"SELECT * FROM {table}").to_arrow_table()
    same("columns", got.column_names, want.column_names)
    same("rows", rows(got), rows(want))
    for f in got.schema:
        same(f"whether {f.name} is nullable", f.nullable, any(f.name not in s.names or s.field(f.name).nullable for s in schemas))
    usable = {n: c for n, c in columns.items() if n in there}
    leaves = typed(usable, got.schema)
    for _ in range(3):
        text, sql = condition(r, usable, leaves)
        try:
            want = db.sql(f"SELECT * FROM {table} WHERE {sql}").to_arrow_table()
        except duckdb.Error as e:  # a field that no file has, or a number that is too large
            if any(words in str(e) for words in ["Could not find key", "not found", "Out of Range", "out of range", "verflow"]):
                continue
            raise
        subset = r.sample(sorted(there), r.randint(1, len(there)))
        scan = winnow.scan(files, columns=subset, where=text, union=True)
        same(f"WHERE {text}", rows(scan.to_arrow()), rows(want.select(subset)))
        same(f"count WHERE {text}", scan.count(), want.num_rows)
        same(f"scan cat --union -w {text}", terminal(files, "-c", ",".join(["row", *subset]), "-w", text), (["row", *subset], want.column("row").to_pylist(), 0, ""))
    return found


def check_strangers(winnow, seed, folder):
    """Two types without a common one are an error before any row, unless nobody asks."""
    r = random.Random(seed)
    pair = list(STRANGERS[seed % len(STRANGERS)])
    r.shuffle(pair)
    files = []
    for i, t in enumerate(pair):
        files.append(os.path.join(folder, f"s{i}.parquet"))
        pq.write_table(pa.table({"k": pa.array([i, i]), "v": pa.array([None, None], t)}), files[-1], store_schema=False)
    try:
        next(iter(winnow.scan(files, union=True).batches()))
    except winnow.Error as e:
        told = str(e)
    else:
        return [f"{pair} are united"]
    _, got, code, text = terminal(files)
    if got or not code or text.strip().removeprefix("scan: ") != told:
        return [f"{pair}: scan cat --union says {text}"]
    found = [] if all(f in told for f in files) and "\n" not in told else [f"{pair}: {told}"]
    if winnow.scan(files, ["k"], union=True).to_arrow().column("k").to_pylist() != [0, 0, 1, 1]:
        found.append(f"{pair}: the other column")
    return found


with tempfile.TemporaryDirectory() as tmp:
    package = args.package or tmp
    if not args.package:
        os.symlink(os.path.join(root, "adapters/python/winnow"), os.path.join(tmp, "source"))
        sys.path.insert(0, os.path.join(root, "adapters/python"))
        import build_backend, shutil

        shutil.copytree(os.path.join(root, "adapters/python/winnow"), os.path.join(tmp, "winnow"))
        build_backend.build_library(os.path.join(tmp, "winnow", build_backend.LIBRARY))
    sys.path.insert(0, package)
    import winnow

    program = args.scan or os.path.join(tmp, "scan")
    if not args.scan:
        subprocess.run(["go", "build", "-o", program, "./cmd/scan"], cwd=root, check=True)

    faults, broken, db = [], 0, None
    for seed in range(args.seed, args.seed + args.sets):
        if not db:
            db = duckdb.connect()
            db.sql("SET TimeZone = 'UTC'")
        try:
            faults += check_strangers(winnow, seed, tmp)
            faults += check_set(winnow, db, seed, tmp)
        except duckdb.InternalException:  # DuckDB's own fault, after which it answers nothing
            broken, db = broken + 1, None
        except Exception as e:
            if args.sets == 1:
                raise
            faults.append(f"seed {seed}: {type(e).__name__}: {e}")
print("\n".join(faults[:20]))
print(f"{args.sets} sets, {len(faults)} differences, {broken} sets at which DuckDB broke")
sys.exit(1 if faults or broken > args.sets // 4 else 0)
