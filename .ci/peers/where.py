#!/usr/bin/env python3
"""Compares which rows pass random WHERE texts with what DuckDB says, for the
shared corpus, the sample files and, where they are, the peers' data.

usage: where.py [--texts N] [--seed N] [FILE...]    exit code 1 if anything differs

Not compared, for the two mean different things: what DuckDB calls an overflow,
FLOAT16 (a FLOAT there), and what Writer.step names.

Each condition is written twice: as winnow's WHERE, and as SQL that means the
same in DuckDB, whose NaN is equal to itself and above all numbers and whose
literals take the type of the column. DuckDB reads small files into a table
first, so that what it skips is not part of the question.
"""
import argparse, collections, glob, json, math, os, random, re, subprocess, sys, tempfile

import duckdb

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(root)

# Files that are left out.
LEFT_OUT = {
    "large_string_map.brotli.parquet": "a string of 2 GB is too much for a table",
    "datapage_v1-corrupt-checksum.parquet": "a wrong checksum is an error of scan's",
    "rle-dict-uncompressed-corrupt-checksum.parquet": "a wrong checksum is an error of scan's",
    "logical_types_conflict.parquet": "where annotations differ, DuckDB takes the older one",
    "logical_types_logical.parquet": "DuckDB reads 4294967295 of a UINT(32) without the older annotation as -1",
}


# Answers of scan that are right where DuckDB's differ: it drops the struct of a
# repeated group that has one field, so that a list of structs is one of values;
# and times whose only annotation is an older one, which are UTC, are local to it.
KNOWN = re.compile(r"testdata/shapes/.*the items of .* are no single values|nested_structs\.rust\.parquet: .* whose times are local")


# By class, what columns become in DuckDB before it calculates, and the operations.
CALCULATED = {"int": ("HUGEINT", "+-*&"), "float": ("DOUBLE", "+-*/"), "decimal": ("DECIMAL(38,10)", "+-"), "date": ("DATE", "-"), "stamp": ("TIMESTAMP", "-")}


def quote(name):
    return '"' + name.replace('"', '""') + '"'


def text(s):
    return "'" + s.replace("'", "''") + "'"


def classes(scan, path):
    """The classes of the leaves below each column, as scan reads the file."""
    p = subprocess.run([scan, "schema", "--format", "jsonl", path], capture_output=True, timeout=60)
    by = collections.defaultdict(list)
    for n in map(json.loads, p.stdout.splitlines()):
        if n["kind"] != "leaf":
            continue
        physical, logical = n["physical_type"].split("(")[0], n.get("logical_type", "").split("(")[0]
        by[n["path"][0]].append(
            {"STRING": "text", "ENUM": "text", "DECIMAL": "decimal", "DATE": "date", "TIME": "time", "TIMESTAMP": "stamp", "INT": "int", "UINT": "int",
             "UUID": "uuid", "FLOAT16": "float", "BSON": "blob", "": {"BOOLEAN": "bool", "INT32": "int", "INT64": "int", "FLOAT": "float", "DOUBLE": "float",
             "BYTE_ARRAY": "blob", "FIXED_LEN_BYTE_ARRAY": "blob"}.get(physical)}.get(logical))
    return by


def classes_of(type):
    """The classes of the leaves of a DuckDB type."""
    if type.endswith("[]"):
        return classes_of(type[:-2])
    for head in ("STRUCT(", "MAP("):
        if type.startswith(head) and type.endswith(")"):
            fields = split_fields(type[len(head) : -1])
            return [c for f in fields for c in classes_of(name_and_type(f)[1] if head == "STRUCT(" else f)]
    k = kind(type)
    return [k and k.replace("stampns", "stamp").replace("stamptz", "stamp")]


class Place:
    """What a condition is about: ours and theirs are its two spellings, ours
    with a %s for the quantifier of a list; inner is an item x of a list."""

    def __init__(self, ours, theirs, type, list=None, inner=None):
        self.ours, self.theirs, self.type, self.list, self.inner = ours, theirs, type, list, inner
        self.values = []


# Columns that are left out for DuckDB reads them as something else: INT96 in
# microseconds, JSON and intervals as types of its own, decimals as doubles
# where it has no room for them, annotations that it does not know.
other_types = collections.Counter()


def split_fields(s):
    """Cuts 'a INTEGER, "b c" STRUCT(x DATE)' at the outer commas."""
    parts, depth, quoted, start = [], 0, False, 0
    for i, c in enumerate(s):
        if c == '"':
            quoted = not quoted
        elif not quoted and c in "([":
            depth += 1
        elif not quoted and c in ")]":
            depth -= 1
        elif not quoted and c == "," and depth == 0:
            parts.append(s[start:i].strip())
            start = i + 1
    return [p for p in parts + [s[start:].strip()] if p]


def name_and_type(s):
    m = re.match(r'"((?:[^"]|"")*)"\s+(.*)$', s, re.S) or re.match(r"(\S+)\s+(.*)$", s, re.S)
    return m.group(1).replace('""', '"'), m.group(2)


def kind(type):
    """The class of a DuckDB type, None if it is left out."""
    if re.fullmatch(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?", type):
        return "int"
    if re.fullmatch(r"DECIMAL\(\d+,\d+\)", type):
        return "decimal"
    return {"FLOAT": "float", "DOUBLE": "float", "VARCHAR": "text", "JSON": None, "BLOB": "blob", "BOOLEAN": "bool", "DATE": "date",
            "TIMESTAMP": "stamp", "TIMESTAMP_MS": "stamp", "TIMESTAMP_S": "stamp", "TIMESTAMP_NS": "stampns", "TIMESTAMP WITH TIME ZONE": "stamptz",
            "TIME": "time", "UUID": "uuid"}.get(type)


def places(ours, theirs, type, out, nulls, depth=0):
    """Finds what can be asked below a column."""
    m = re.fullmatch(r"(.*)\[\]", type, re.S)
    if m:
        nulls.append((ours, theirs))
        out.append(Place("length(" + ours + ")", "len(" + theirs + ")", "BIGINT"))
        item = m.group(1)
        if item.startswith("STRUCT(") and item.endswith(")"):
            for f in split_fields(item[7:-1]):
                name, t = name_and_type(f)
                if kind(t):
                    out.append(Place("%s(" + ours + "." + quote(name) + ")", None, t, list=theirs, inner="struct_extract(x, " + text(name) + ")"))
        elif kind(item):
            out.append(Place("%s(" + ours + ")", None, item, list=theirs, inner="x"))
    elif type.startswith("STRUCT(") and type.endswith(")"):
        nulls.append((ours, theirs))
        for f in split_fields(type[7:-1]):
            name, t = name_and_type(f)
            places(ours + "." + quote(name), "struct_extract(" + theirs + ", " + text(name) + ")", t, out, nulls, depth + 1)
    elif type.startswith("MAP(") and type.endswith(")"):
        nulls.append((ours, theirs))
        k, v = split_fields(type[4:-1])
        out.append(Place("length(" + ours + ")", "cardinality(" + theirs + ")", "BIGINT"))
        if k == "VARCHAR" and kind(v):
            # The last of several entries with a key; DuckDB's own functions take the first.
            last = "(list_filter(map_entries(" + theirs + "), lambda e: e.key = %k)[-1]).value"
            out.append(Place(ours + "[%k]", last, v, inner=theirs))
    elif kind(type):
        out.append(Place(ours, theirs, type))


class Writer:
    def __init__(self, r, db, table, columns):
        self.r, self.db, self.table = r, db, table
        self.places, self.nulls = [], []
        for name, type in columns:
            places(quote(name), quote(name), type, self.places, self.nulls)

    def sample(self, p):
        """Fetches values of a place as text, once."""
        if p.values:
            return p.values
        k = kind(p.type)
        if p.list:
            source = f"(SELECT {p.inner} AS v FROM (SELECT unnest({p.list}) AS x FROM {self.table} LIMIT 20000))"
        elif "%k" in p.theirs:
            keys = self.db.execute(f"SELECT DISTINCT unnest(map_keys({p.inner})) FROM {self.table} LIMIT 5").fetchall()
            p.keys = [k for k, in keys] + ["none"]
            source = f"(SELECT unnest(map_values({p.inner})) AS v FROM {self.table} LIMIT 20000)"
        else:
            source = f"(SELECT {p.theirs} AS v FROM {self.table} LIMIT 200000)"
        v = {"float": "v::DOUBLE", "blob": "hex(v)", "stamptz": "(v AT TIME ZONE 'UTC')"}.get(k, "v")
        rows = self.db.execute(f"SELECT DISTINCT ({v})::VARCHAR FROM {source} WHERE v IS NOT NULL ORDER BY hash(1) LIMIT 300").fetchall()
        p.values = [s for s, in rows if "BC" not in s and not re.match(r"[0-9]{5,}-", s) and "\0" not in s] or [None]
        self.r.shuffle(p.values)
        return p.values

    # A literal is a pair of spellings. x is the expression of the column in DuckDB.

    def literal(self, p):
        r, k = self.r, kind(p.type)
        v = r.choice(self.sample(p))
        if k in ("int", "decimal"):
            scale = 0 if k == "int" else int(re.search(r",(\d+)", p.type).group(1))
            digits = v if v is not None else "0"
            value = int(digits.replace(".", ""))
            value += r.choice([0, 0, 0, 1, -1, 10, -1000, 10**9])
            if r.random() < 0.3 and "(38," not in p.type:  # a digit more than the column has
                value, scale = value * 10 + r.choice([0, 5]), scale + 1
            s = str(abs(value)).rjust(scale + 1, "0")
            s = ("-" if value < 0 else "") + (s[:-scale] + "." + s[-scale:] if scale else s)
            return s, s + "::DECIMAL(38,%d)" % max(scale, 1)
        if k == "float":
            f = float(v) if v is not None else 0.0
            if math.isnan(f):
                f = 0.5
            if math.isinf(f):
                s = "Infinity" if f > 0 else "-Infinity"
                return "DOUBLE " + text(s), text(s) + "::DOUBLE"
            f = r.choice([f, f, f, math.nextafter(f, math.inf), math.nextafter(f, -math.inf), f + 1, 0.1])
            if math.isinf(f):
                f = 0.0
            s = repr(f)
            if r.random() < 0.2:
                return "DOUBLE " + text(s), text(s) + "::DOUBLE"
            # A number with a point is the nearest of the column's width, which DuckDB's casts say.
            near = text(s) + ("::FLOAT::DOUBLE" if p.type == "FLOAT" and abs(f) < 3.4e38 else "::DOUBLE")
            return r.choice([s if "." in s or "e" in s else s + ".0", text(s)]), near
        if k == "bool":
            s = r.choice(["TRUE", "FALSE"])
            return s, s
        if k == "text":
            s = v or ""
            s = r.choice([s, s, s, s[: r.randint(0, len(s))], s + "a", s[:-1], "", "zz"])
            return text(s), text(s)
        if k == "blob":
            s = v or ""
            s = r.choice([s, s, s[: 2 * r.randint(0, len(s) // 2)], s + "00", "ff"])
            return "X" + text(s), "unhex(" + text(s) + ")"
        if k == "uuid":
            s = v or "00000000-0000-0000-0000-000000000000"
            return text(s), text(s) + "::UUID"
        if k == "time":
            s = v or "00:00:00"
            return "TIME " + text(s), "TIME " + text(s)
        s = v or "2001-02-03"
        if k == "date":
            if r.random() < 0.3:
                s += r.choice([" 00:00:00", " 12:00:00"])
                return "TIMESTAMP " + text(s), "TIMESTAMP " + text(s)
            return r.choice(["DATE ", ""]) + text(s), "DATE " + text(s)
        if r.random() < 0.2:
            return "DATE " + text(s[:10]), text(s[:10]) + self.cast(k)
        if "." in s and r.random() < 0.2:
            s = s[:-1].rstrip(".")  # a digit less
        if " " not in s:
            s += " 00:00:00"
        return "TIMESTAMP " + text(s), text(s) + self.cast(k)

    def cast(self, k):
        return {"stamp": "::TIMESTAMP", "stampns": "::TIMESTAMP_NS", "stamptz": "::TIMESTAMP"}[k]

    def column(self, p, x):
        """The column as it compares with literals."""
        k = kind(p.type)
        if k == "int":
            return f"({x})::DECIMAL(38,1)"
        if k == "decimal":
            precision, scale = map(int, re.search(r"\((\d+),(\d+)\)", p.type).groups())
            return f"({x})::DECIMAL(38,{min(scale + 1, 38 - precision + scale)})"
        if k == "float":
            return f"({x})::DOUBLE"
        if k == "stamptz":
            return f"(({x}) AT TIME ZONE 'UTC')"
        return f"({x})"

    def step(self, p):
        """Arithmetic on the values of p: what stands before and behind ours, and
        a function from the column to the result in DuckDB. Left out is what the
        two do differently: DuckDB overflows, divides integers as doubles, casts
        timestamps of nanoseconds to microseconds before it adds an interval, and
        calculates decimals in as many digits as fit."""
        r, k = self.r, kind(p.type)
        n = r.choice([1, 2, 7, 100])
        if k == "int" or k == "decimal" and int(re.search(r"\((\d+)", p.type).group(1)) <= 18:
            wide = (lambda x: f"({x})::DECIMAL(38,0)") if k == "int" else (lambda x: f"({x})")
            ways = [("", f" + {n}", lambda x: f"({wide(x)} + {n})"), ("", f" - {n}", lambda x: f"({wide(x)} - {n})"),
                    (f"{n} - ", "", lambda x: f"({n} - {wide(x)})"), ("-", "", lambda x: f"(-{wide(x)})"), ("", f" * {n}", lambda x: f"({wide(x)} * {n})")]
        elif k == "float":
            c = r.choice(["0.1", "2.5", "1000.25", "-3.0", "3.0"])
            t = f"{c}::{p.type}"
            ways = [("", f" + {c}", lambda x: f"({x} + {t})"), ("", f" - {c}", lambda x: f"({x} - {t})"), (f"{c} - ", "", lambda x: f"({t} - {x})"),
                    ("", f" * {c}", lambda x: f"({x} * {t})"), ("", f" / {c}", lambda x: f"({x} / {t})")]
        elif k in ("date", "stamp", "stamptz"):
            i = "INTERVAL " + text(r.choice(["1 day", "-3 days", "1 month", "-13 months", "36 hours", "1 year 2 days", "90 minutes"]))
            ways = [("", f" + {i}", lambda x: f"({x} + {i})"), ("", f" - {i}", lambda x: f"({x} - {i})"), ("CAST(", " AS DATE)", lambda x: f"({x})::DATE")]
        else:
            return None
        return r.choice(ways)

    def compare(self, p, x, op, literal, step=None):
        if literal == "NULL":
            return literal  # of NaN too
        column = self.column(p, x)
        if step:
            plain = x if kind(p.type) in ("int", "decimal", "float") else column
            column = step[2](plain)
            if kind(p.type) == "float":
                x, column = column, f"({column})::DOUBLE"
        theirs = f"({column} {op} {literal})"
        if kind(p.type) == "float":
            return f"(CASE WHEN isnan({x}) THEN {'true' if op == '<>' else 'false'} ELSE {theirs} END)"
        return theirs

    def test(self, p):
        """A test of one value: what stands before and behind ours, and a
        function from the expression of the value to theirs."""
        r, k = self.r, kind(p.type)
        ops = ["=", "<>"] if k == "bool" else ["=", "<>", "<", "<=", ">", ">="]
        if k not in ("text", "blob") and p.type != "FLOAT" and r.random() < 0.06:
            return self.spelled(p)
        called = self.called(p) if r.random() < 0.15 else None
        if called:
            return called
        way = r.randrange(10)
        step = self.step(p) if r.random() < 0.25 else None
        if step:
            (a, b), op = self.literal(p), r.choice(ops)
            if r.random() < 0.3:
                c, d = self.literal(p)
                return "(" + step[0], step[1] + f") IN ({a}, {c})", lambda x: f"({self.compare(p, x, '=', b, step)} OR {self.compare(p, x, '=', d, step)})"
            return step[0], step[1] + f" {op} {a}", lambda x: self.compare(p, x, op, b, step)
        if way == 0:
            no = r.choice(["", "NOT "])
            return "", f" IS {no}NULL", lambda x: f"(({x}) IS {no}NULL)"
        if way == 1 and k != "bool":
            (a, a2), (b, b2), no = self.literal(p), self.literal(p), r.choice(["", "NOT "])
            return "", f" {no}BETWEEN {a} AND {b}", lambda x: f"({no}({self.compare(p, x, '>=', a2)} AND {self.compare(p, x, '<=', b2)}))"
        if way in (2, 3):
            all, no = [self.literal(p) for _ in range(r.choice([1, 2, 3, 3, 20]))], r.choice(["", "NOT "])
            if r.random() < 0.1:
                all.append(("NULL", "NULL"))
            return "", f" {no}IN (" + ", ".join(a for a, _ in all) + ")", lambda x: f"({no}(" + " OR ".join(self.compare(p, x, "=", b) for _, b in all) + "))"
        if k == "text" and way in (4, 5, 6):
            return self.search(p)
        if k == "float" and way == 4:
            f = r.choice(["isnan", "isinf", "isfinite"])
            return f + "(", ")", lambda x: f"{f}({x})"
        if k == "bool" and way in (4, 5):
            return "", "", lambda x: f"({x})"
        (a, b), op = self.literal(p), r.choice(ops)
        if way == 8 and not p.list:
            no = r.choice(["", "NOT "])
            return "", f" IS {no}DISTINCT FROM {a}", lambda x: f"(({self.compare(p, x, '=', b)}) IS {'' if no else 'NOT '}TRUE)"
        if way == 9:
            back = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op)
            return f"{a} {back} ", "", lambda x: self.compare(p, x, op, b)
        return "", f" {op} {a}", lambda x: self.compare(p, x, op, b)

    def spelled(self, p):
        """Casts to text. FLOATs are left out: DuckDB writes more than the shortest digits of some."""
        r = self.r
        s = (r.choice(self.sample(p)) or "1") + ("+00" if kind(p.type) == "stamptz" else "")
        n, m = r.randint(1, 5), r.randint(1, 8)
        ways = [("CAST(", f" AS VARCHAR) {r.choice(['=', '<>', '<', '>='])} {text(s)}"), ("", f"::TEXT LIKE {text('%' + s[n:n + m] + '%')}"),
                ("substr(", f"::VARCHAR, {n}, {m}) = {text(s[n - 1:n - 1 + m])}"), ("length(", f"::VARCHAR) > {m}")]
        a, b = r.choice(ways)
        if kind(p.type) == "float":  # all NaNs are nan, where DuckDB writes -nan for those with a sign
            return a, b, lambda x: f"({a}(CASE WHEN isnan({x}) THEN 'NaN' ELSE {x} END){b})"
        return a, b, lambda x: f"({a}({x}){b})"

    def called(self, p):
        """Functions of dates, times and numbers, whose results are compared with numbers."""
        r, k, op = self.r, kind(p.type), self.r.choice(["=", "<>", "<", "<=", ">", ">="])
        if k in ("date", "stamp", "stampns", "stamptz", "time"):
            v = r.choice(self.sample(p)) or "2001-02-03 04:05:06"
            if k in ("stamp", "stamptz") and r.random() < 0.3:
                zone = text(r.choice(["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"]))
                ours = r.choice([(f"timezone({zone}, ", ")"), ("", f" AT TIME ZONE {zone}")])
                if k == "stamptz":
                    return ours[0], ours[1] + f" {op} TIMESTAMP {text(v)}", lambda x: f"(timezone({zone}, {x}) {op} {text(v)}::TIMESTAMP)"
                return ours[0], ours[1] + f" {op} TIMESTAMPTZ {text(v + 'Z')}", lambda x: f"(timezone({zone}, {x}) {op} {text(v + '+00')}::TIMESTAMPTZ)"
            if k != "time" and r.random() < 0.4:
                unit = r.choice(["month", "year", "week", "quarter", "day", "hour", "minute"])
                day, cast = v[:10], "::TIMESTAMP"
                at = self.db.execute(f"SELECT date_trunc('{unit}', {text(v)}::TIMESTAMP)::TIMESTAMP::VARCHAR").fetchone()[0]
                at = r.choice([at, day])
                return f"date_trunc('{unit}', ", f") {op} {text(at)}", lambda x: f"(date_trunc('{unit}', ({self.column(p, x)}){cast}) {op} {text(at)}::TIMESTAMP)"
            clock, calendar = ["hour", "minute", "second"], ["year", "quarter", "month", "day", "dayofweek", "isodow", "dayofyear", "week"]
            f = r.choice(clock if k == "time" else clock + calendar)
            n = r.choice([0, 1, 2, 5, 7, 12, 30, 59]) if f != "year" else int(v[:4]) + r.randint(-1, 1)
            ours = r.choice([f"{f}(", f"extract({f} FROM "])
            return ours, f") {op} {n}", lambda x: f"({f}({self.column(p, x)}) {op} {n})"
        if k == "int" and r.random() < 0.5:
            n, m = r.choice([1, 2, 3, 7, 10, -4, 1000]), r.randint(-3, 9)
            return "", f" % {n} {op} {m}", lambda x: f"((({x})::HUGEINT % {n}) {op} {m})"
        if k in ("int", "decimal", "float") and r.random() < 0.3:
            to = r.choice(["DECIMAL(9, 2)", "DECIMAL(18, 0)", "DECIMAL(38, 10)", "NUMERIC(3)", "TINYINT", "INT", "BIGINT", "UINTEGER"])
            n = r.choice(["0", "1", "-1", "2.5", "100", "1e6"])
            return r.choice(["CAST(", "TRY_CAST("]), f" AS {to}) {op} {n}", lambda x: f"(TRY_CAST({x} AS {to}) {op} {n})"
        if k in ("int", "decimal", "float"):
            a, b = self.literal(p)
            f = r.choice(["abs", "floor", "ceil", "sign", "round"])
            digits = f", {r.choice([0, 1, 2, 3, 6, -1, -3])}" if f == "round" and k == "float" else ""
            step = (f + "(", digits + ")", lambda x: f"{f}({'(' + x + ')::DECIMAL(38,0)' if k == 'int' else x}{digits})")
            if f == "sign" and k == "float":  # DuckDB's of NaN is 0
                step = ("sign(", ")", lambda x: f"(CASE WHEN isnan({x}) THEN {x} ELSE sign({x}) END)")
                b = b.replace("::FLOAT", "")  # -1, 0 and 1 are no FLOATs: 1e-50 is not 0 to them
            if k == "decimal" and f not in ("abs", "sign"):
                return None  # DuckDB's results are of scale 0, and may not fit
            return step[0], step[1] + f" {op} {a}", lambda x: self.compare(p, x, op, b, step)
        return None

    def folded(self, p):
        """Functions of strings. Only the upper case of ß differs: DuckDB has ẞ for it."""
        r = self.r
        v = (r.choice(self.sample(p)) or "").replace("ß", "s")
        if r.random() < 0.3:
            n, op = r.randint(0, len(v) + 2), r.choice(["=", "<>", "<", ">="])
            return "length(", f") {op} {n}", lambda x: f"(length({x}) {op} {n})"
        if r.random() < 0.15:
            at, n = text(v[2:4]), r.randint(0, 4)
            a, b = r.choice([("strpos(", f", {at})"), (f"position({at} IN ", ")")])
            return a, f"{b} > {n}", lambda x: f"(strpos({x}, {at}) > {n})"
        if r.random() < 0.5:
            n, m, part = r.randint(-3, 6), r.randint(0, 5), text(v[1:2] or " ")
            f, behind = r.choice([("substr", f", {n}, {m}"), ("substring", f", {n}"), ("left", f", {n}"), ("right", f", {n}"), ("trim", ""), ("ltrim", f", {part}"),
                                  ("rtrim", f", {part}"), ("replace", f", {part}, 'x'")])
            s = self.db.execute(f"SELECT {f}({text(v)}{behind})").fetchone()[0]
            op = r.choice(["=", "<>", "<", ">="])
            return f + "(", f"{behind}) {op} {text(s)}", lambda x: f"({f}({x}{behind}) {op} {text(s)})"
        if r.random() < 0.3:
            a, b, s = r.choice([("", " || 'é'", v + "é"), ("'a' || ", "", "a" + v), ("concat('b', ", ", 'c')", "b" + v + "c")][: 2 if p.list else 3])
            op = r.choice(["=", "<>", "<", ">="])
            return f"({a}", f"{b}) {op} {text(s)}", lambda x: f"(({a}{x}{b}) {op} {text(s)})"
        f = r.choice(["lower", "upper"])
        s = v.lower() if f == "lower" else v.upper()
        if r.random() < 0.4:
            return f + "(", f") IN ({text(s)}, {text(v)})", lambda x: f"({f}({x}) IN ({text(s)}, {text(v)}))"
        op = r.choice(["=", "<>", "<", "<=", ">", ">="])
        return f + "(", f") {op} {text(s)}", lambda x: f"({f}({x}) {op} {text(s)})"

    def search(self, p):
        r = self.r
        if r.random() < 0.3:
            return self.folded(p)
        v = r.choice(self.sample(p)) or ""
        at = r.randint(0, len(v))
        part = v[at : at + r.randint(0, 5)]
        way = r.randrange(5)
        if way < 3:
            name = ["prefix", "suffix", "contains"][way]
            s = [v[:4], v[-3:] if v else "", part][way]
            return name + "(", ", " + text(s) + ")", lambda x: f"{name}({x}, {text(s)})"
        if way == 3:
            s = re.escape(part).replace("\\ ", " ") if part.isascii() and part.isalnum() else "[a-f]"
            s = r.choice(["^", ""]) + s + r.choice(["$", ""])
            no = r.choice(["", "NOT "])
            return "", (" !~ " if no else " ~ ") + text(s), lambda x: f"({no}regexp_matches({x}, {text(s)}))"
        out = ""
        for c in v[:10]:
            out += r.choice([c, c, c, "_", "%", "!" + c])
        out += r.choice(["", "%"])
        no = r.choice(["", "NOT "])
        like = r.choice(["LIKE", "ILIKE"])
        if like == "ILIKE":
            out = out.swapcase()
        return "", f" {no}{like} {text(out)} ESCAPE '!'", lambda x: f"(({x}) {no}{like} {text(out)} ESCAPE '!')"

    def leaf(self):
        r = self.r
        if self.nulls and r.random() < 0.05:
            (a, b), no = r.choice(self.nulls), r.choice(["", "NOT "])
            return f"{a} IS {no}NULL", f"({b} IS {no}NULL)"
        if r.random() < 0.07:
            both = self.columns()
            if both:
                return both
        p = r.choice(self.places)
        self.sample(p)
        if p.list and p.inner == "x" and kind(p.type) != "float" and r.random() < 0.1:
            a, b = self.literal(p)
            found = f"(len(list_filter({p.list}, lambda x: {self.column(p, 'x')} = {b})) > 0)"
            found = f"(CASE WHEN {p.list} IS NULL THEN NULL ELSE {found} END)"
            name = p.ours[3:-1]
            return r.choice([f"list_contains({name}, {a})", f"{a} IN {name}"]), found
        before, behind, theirs = self.test(p)
        if p.list:
            quant = r.choice(["ANY", "ALL"])
            t = f"list_transform({p.list}, lambda x: {theirs(p.inner)})"
            has = lambda v: f"(len(list_filter({t}, lambda y: y IS {v})) > 0)"
            if quant == "ANY":
                sql = f"(CASE WHEN {p.list} IS NULL THEN false WHEN {has('true')} THEN true WHEN {has('NULL')} THEN NULL ELSE false END)"
            else:
                sql = f"(CASE WHEN {p.list} IS NULL THEN true WHEN {has('false')} THEN false WHEN {has('NULL')} THEN NULL ELSE true END)"
            return before + p.ours % quant + behind, sql
        if "%k" in p.theirs:
            key = text(r.choice(p.keys))
            return before + p.ours.replace("%k", key) + behind, theirs(p.theirs.replace("%k", key))
        return before + p.ours + behind, theirs(p.theirs)

    def columns(self):
        r = self.r
        flat = [p for p in self.places if not p.list and "%k" not in p.theirs and kind(p.type) not in ("bool",)]
        if not flat:
            return None
        p = r.choice(flat)
        if r.random() < 0.4 and (both := self.composed(flat, p)):
            return both
        if kind(p.type) in CALCULATED and r.random() < 0.6:
            return self.calculation(flat, p)
        q = r.choice([q for q in flat if q.type == p.type])
        op = r.choice(["=", "<>", "<", "<=", ">", ">="])
        sql = f"({p.theirs} {op} {q.theirs})"
        if kind(p.type) == "float":
            sql = (f"(CASE WHEN {p.theirs} IS NULL OR {q.theirs} IS NULL THEN NULL WHEN isnan({p.theirs}) OR isnan({q.theirs})"
                   f" THEN {'true' if op == '<>' else 'false'} ELSE {sql} END)")
        return f"{p.ours} {op} {q.ours}", sql

    def composed(self, flat, p):
        """Functions and casts of what is calculated, and beside a second column."""
        r, k, op = self.r, kind(p.type), self.r.choice(["=", "<>", "<", "<=", ">", ">="])
        q, n, unit = r.choice([q for q in flat if kind(q.type) == k]), r.randint(-3, 30), r.choice(["hour", "day", "week", "month", "year"])
        zone, day = text(r.choice(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"])), r.choice([1, -40, 365])
        f, m = r.choice(["hour", "month", "dayofweek", "minute"]), r.choice(["abs", "floor", "ceil", "sign", "round"])
        a, b = p.ours, q.ours
        x, y = (f"({z.theirs})::{'TIMESTAMP' if k == 'date' else z.type}" for z in (p, q))
        if k in ("date", "stamp", "stamptz"):
            ways = [(f"{f}({a} AT TIME ZONE {zone}) {op} {n}", f"{f}(timezone({zone}, {x})) {op} {n}"), (f"{a}::DATE {op} date({b})", f"{x}::DATE {op} {y}::DATE"),
                    (f"{a}::DATE - CAST({b} AS DATE) {op} {n}", f"{x}::DATE - {y}::DATE {op} {n}"), 
                    (f"date_trunc('{unit}', {a}) {op} date_trunc('{unit}', {b})", f"date_trunc('{unit}', {x}::TIMESTAMP) {op} date_trunc('{unit}', {y}::TIMESTAMP)"),
                    (f"year({a}) {op} year({b})", f"year({x}) {op} year({y})"), (f"{a} - INTERVAL '{day} days' {op} {b}", f"{x}::TIMESTAMP - INTERVAL '{day} days' {op} {y}::TIMESTAMP"),
                    (f"{f}({a} + INTERVAL '{day} months') {op} {n}", f"{f}({x}::TIMESTAMP + INTERVAL '{day} months') {op} {n}")]
            return tuple(f"({s})" for s in r.choice(ways))
        if k == "text":
            v, s = r.choice(self.sample(p)) or "", text(str(r.choice(self.sample(q)) or "")[:2])
            write = r.choice([lambda a, b: f"({a} || {b} {op} {text(v)})", lambda a, b: f"(length({a} || {b}) {op} {n})", lambda a, b: f"(({a} || {b}) LIKE {text('%' + v[-1:].strip('%_') + '%')})",
                              lambda a, b: f"(concat({a}, {b}) {op} {text(v)})", lambda a, b: f"(trim(LEADING {s} FROM {a}) || 'x' {op} {b})", lambda a, b: f"(replace({a} || {b}, {s}, '-') {op} {text(v)})"])
            return write(a, b), write(p.theirs, q.theirs)
        if k == "int":
            x, y = f"({p.theirs})::HUGEINT", f"({q.theirs})::HUGEINT"
            ways = [(f"abs({a} - {b}) {op} {n}", f"abs({x} - {y}) {op} {n}"), (f"({a} % 1000 + 7) % 5 {op} {n}", f"({x} % 1000 + 7) % 5 {op} {n}"), (f"xor({a}, {b}) {op} {n}", f"xor({x}, {y}) {op} {n}"),
                    (f"{a}::INT {op} {b}", f"TRY_CAST({x} AS INT) {op} {y}"), (f"concat({a}, '-', {b}) LIKE '%1%-%'", f"concat({x}, '-', {y}) LIKE '%1%-%'")]
            return r.choice(ways)
        if k == "float":
            sql = f"{m}({p.theirs}::DOUBLE) {op} {q.theirs}::DOUBLE"
            a, x = f"CAST({a} AS DOUBLE)", f"({p.theirs})::DOUBLE"
            return f"{m}({a}) {op} CAST({b} AS DOUBLE)", (f"(CASE WHEN ({x}) IS NULL OR ({q.theirs}) IS NULL THEN NULL WHEN isnan({x}) OR isnan({q.theirs}) THEN {'true' if op == '<>' else 'false'} ELSE {sql} END)")
        return None

    def calculation(self, flat, p):
        """What is calculated of up to three columns of the class of p, with doubles of FLOATs, in parentheses."""
        r, k = self.r, kind(p.type)
        like = [q for q in flat if kind(q.type) == k]

        def term(depth):
            if depth == 0 or r.random() < 0.3:
                q = r.choice(like)
                return q.ours, f"({q.theirs})::{CALCULATED[k][0]}"
            (a, b), (c, d), op = term(depth - 1), term(depth - 1), r.choice(CALCULATED[k][1])
            return f"({a} {op} {c})", f"({b} {op} {d})"

        (a, b), (c, d), op = term(2), term(1), r.choice(["=", "<>", "<", "<=", ">", ">="])
        if k in ("date", "stamp"):  # the difference of two, and a number of days or of microseconds
            (a, b), (e, f), n = term(0), term(0), r.choice([0, 1, -30, 100000])
            c, d = (str(n), str(n)) if k == "date" else (f"INTERVAL '{n} seconds'", str(n * 1000000))
            a, b = f"({a} - {e})", f"({b} - {f})" if k == "date" else f"(epoch_us({b}) - epoch_us({f}))"
        sql = f"({b} {op} {d})"
        if k == "float":
            sql = f"(CASE WHEN isnan({b}) OR isnan({d}) THEN {'true' if op == '<>' else 'false'} WHEN ({b}) IS NULL OR ({d}) IS NULL THEN NULL ELSE {sql} END)"
        return f"{a} {op} {c}", sql

    def condition(self, depth):
        r = self.r
        if depth > 0 and r.random() < 0.7:
            way = r.randrange(5)
            if way == 0:
                a, b = self.condition(depth - 1)
                return f"NOT ({a})", f"(NOT {b})"
            if way == 1 and r.random() < 0.5:
                a, b = self.condition(depth - 1)
                s = r.choice([" IS TRUE", " IS FALSE", " IS NOT TRUE", " IS NOT FALSE", " IS UNKNOWN", " IS NOT UNKNOWN"])
                return f"({a}){s}", f"({b}{s.replace('UNKNOWN', 'NULL')})"
            if way == 3 and r.random() < 0.3:
                return self.case(depth)
            if way == 2 and r.random() < 0.3:
                (a, b), (c, d), op = self.condition(depth - 1), self.condition(depth - 1), r.choice(["=", "<>", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"])
                return f"(({a}) {op} ({c}))", f"(({b}) {op} ({d}))"
            word = r.choice([" AND ", " OR "])
            parts = [self.condition(depth - 1) for _ in range(r.choice([2, 2, 3]))]
            return "(" + word.join(a for a, _ in parts) + ")", "(" + word.join(b for _, b in parts) + ")"
        return self.leaf()


    def case(self, depth):
        """CASE, coalesce, nullif, least and greatest, of conditions or of the values of a column."""
        r = self.r
        (a, b), (c, d) = self.condition(depth - 1), self.condition(depth - 1)
        flat = [p for p in self.places if not p.list and "%k" not in p.theirs and kind(p.type) not in ("float", "bool")]
        if not flat or r.random() < 0.4:
            return r.choice([(f"CASE WHEN {a} THEN {c} END", f"(CASE WHEN {b} THEN {d} END)"), (f"coalesce({a}, {c}, TRUE)", f"coalesce({b}, {d}, TRUE)"),
                             (f"CASE WHEN {a} THEN FALSE ELSE {c} END", f"(CASE WHEN {b} THEN FALSE ELSE {d} END)")])
        p, q = r.choice(flat), None
        q = r.choice([q for q in flat if q.type == p.type])
        (e, f), (g, h), op = self.literal(p), self.literal(p), r.choice(["=", "<>", "<", ">="])
        x, y = self.column(p, p.theirs), self.column(q, q.theirs)
        names = [(f"coalesce({p.ours}, {q.ours})", f"coalesce({x}, {y})"), (f"coalesce({p.ours}, {e})", f"coalesce({x}, {f})"), (f"nullif({p.ours}, {e})", f"nullif({x}, {f})"),
                 (f"CASE WHEN {a} THEN {p.ours} WHEN {c} THEN {q.ours} END", f"(CASE WHEN {b} THEN {x} WHEN {d} THEN {y} END)")]
        if kind(p.type) not in ("date", "uuid", "blob"):
            names.append((f"{(f1 := r.choice(['least', 'greatest']))}({p.ours}, {e})", f"{f1}({x}, {f})"))
        ours, theirs = r.choice(names)
        return f"({ours} {op} {g})", f"({theirs} {op} {h})"


class Passing:
    """The program that answers for winnow."""

    def __init__(self, tmp):
        exe = os.path.join(tmp, "passing")
        subprocess.run(["go", "build", "-o", exe, "./internal/test/oracle/passing"], check=True)
        self.p = subprocess.Popen([exe], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, path, where):
        self.p.stdin.write(json.dumps([path, where]) + "\n")
        self.p.stdin.flush()
        return json.loads(self.p.stdout.readline())


def compare(scan, passing, path, r, texts, faults, in_memory):
    """Asks both about a file. Returns how many texts were compared, or why none."""
    first = passing.ask(path, "TRUE")
    db = duckdb.connect()
    db.execute("SET TimeZone='UTC'; SET threads=2; SET memory_limit='1GB'")
    source = f"read_parquet({text(path)}, file_row_number=true)"
    if in_memory:
        try:
            db.execute(f"CREATE TABLE t AS SELECT * FROM {source}")
        except duckdb.Error as e:
            return f"DuckDB: {str(e).splitlines()[0][:100]}"
        source = "t"
    if "error" in first:
        return f"scan: {first['error'][:100]}"
    ours = classes(scan, path)
    columns = []
    for n, t, *_ in db.execute(f"DESCRIBE SELECT * FROM {source}").fetchall():
        if n == "file_row_number":
            continue
        if ours[n] == classes_of(t):
            columns.append((n, t))
        else:
            other_types[f"{'/'.join(map(str, ours[n]))[:40]} is {t[:40]}"] += 1
    w = Writer(r, db, source, columns)
    if not w.places:
        return "no column that compares"
    known = 0
    for _ in range(texts):
        ours, theirs = w.condition(r.choice([0, 0, 1, 2, 3]))
        try:
            count, sum, hash = db.execute(
                f"SELECT count(*), coalesce(sum(file_row_number), 0), coalesce(sum((file_row_number * 2654435761) % 4294967291), 0) FROM {source} WHERE {theirs}"
            ).fetchone()
        except (duckdb.OutOfRangeException, duckdb.ConversionException):
            known += 1  # arithmetic that overflows there
            continue
        except duckdb.Error as e:
            faults.append(f"{path}: DuckDB refuses {theirs}: {e}"[:1500])
            continue
        got = passing.ask(path, ours)
        want = {"rows": count, "sum": int(sum), "hash": int(hash)}
        if KNOWN.search(got.get("error", "")):
            known += 1
        elif got != want:
            faults.append(f"{path}: WHERE {ours}\n  scan {got}, DuckDB {want}\n  {theirs}"[:2500])
    return texts - known


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--texts", type=int, default=25)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("files", nargs="*")
    a = a.parse_args()
    small = a.files
    large = []
    if not a.files:
        small = sorted(glob.glob("../shared/corpus/parquet-testing/data/*.parquet")) + sorted(glob.glob("testdata/[!b]*/*.parquet") + glob.glob("testdata/*.parquet"))
        data = os.environ.get("PEER_DATA", os.path.expanduser("~/.cache/winnow-peers/data"))
        large = sorted(glob.glob(data + "/*.parquet"))
        if not large:
            print(f"NOT COMPARED: the peers' data, for {data} has no files")
    faults, total, compared = [], 0, 0
    with tempfile.TemporaryDirectory() as tmp:
        passing, scan = Passing(tmp), os.path.join(tmp, "scan")
        subprocess.run(["go", "build", "-o", scan, "./cmd/scan"], check=True)
        for path in small + large:
            big = path in large
            if os.path.basename(path) in LEFT_OUT:
                print(f"{path}: not compared: {LEFT_OUT[os.path.basename(path)]}")
                continue
            n = compare(scan, passing, path, random.Random(f"{a.seed} {os.path.basename(path)}"), a.texts if not big else max(a.texts // 5, 1), faults, not big)
            if isinstance(n, int):
                total, compared = total + n, compared + 1
            else:
                print(f"{path}: not compared: {n}")
    for why, n in other_types.most_common():
        print(f"{n} columns left out that DuckDB reads as something else: {why}")
    shown = collections.Counter()
    for f in faults:
        file = f.split(": ")[0]
        shown[file] += 1
        if shown[file] <= 3:
            print(f)
    print(f"{total} texts on {compared} of {len(small + large)} files, {len(faults)} differences")
    if not a.files and total < 2000:
        print("too few texts were compared")
        sys.exit(1)
    sys.exit(bool(faults))


main()
