#!/usr/bin/env python3
"""Compares what scan says of a file's metadata with what pyarrow says, field by
field as far as both know it, for the shared corpus and the sample files.

usage: meta.py [FILE...]        exit code 1 if anything differs

Files that pyarrow refuses must still be answered by scan: right away, or with
one line on stderr that names the file.
"""
import base64, collections, datetime, decimal, glob, json, os, subprocess, sys, tempfile

sys.modules["pandas"] = None  # with it pyarrow cuts nanoseconds off times, instead of saying that Python has none

import pyarrow.parquet as pq

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(root)

# Where pyarrow's answer is not what stands in the file.
KNOWN = {
    # It reports a dictionary page only where the offset is positive.
    "dictionary_page_offset": lambda ours, theirs: ours == 0 and theirs is None,
    # It gives no count where the file has none, and 0 where it has no statistics.
    "distinct_count": lambda ours, theirs: theirs in (None, 0) and not ours,
    # It leaves out the signature behind a footer that is signed, not encrypted.
    "footer_size": lambda ours, theirs: ours == theirs + 28,
    # It has names of its own.
    "codec": lambda ours, theirs: (ours, theirs) in (("LZ4", "UNKNOWN"), ("LZ4_RAW", "LZ4")),
}

# Encodings that this pyarrow does not know: it calls them UNKNOWN, or leaves them out.
NEWER = {"ALP"}

fields = collections.Counter()
faults = []


def compare(where, field, ours, theirs):
    fields[field] += 1
    if ours == theirs or field in KNOWN and KNOWN[field](ours, theirs):
        return
    faults.append(f"{where}: {field}: scan has {ours!r}, pyarrow {theirs!r}")


def lines(scan, command, path):
    p = subprocess.run([scan, command, "--format", "jsonl", path], capture_output=True, timeout=60)
    error = p.stderr.decode()
    if p.returncode not in (0, 1) or "goroutine" in error:
        faults.append(f"{path}: {command}: exit code {p.returncode}: {error[:300]}")
    if p.returncode == 1 and (error.count("\n") != 1 or os.path.basename(path) not in error or len(error) > 600):
        faults.append(f"{path}: {command}: not one line that names the file: {error[:300]!r}")
    return p.returncode, [json.loads(l) for l in p.stdout.splitlines()]


def bound(v):
    """A value of pyarrow as scan writes it, None if Python cannot hold it."""
    if isinstance(v, bytes):
        return base64.b64encode(v).decode()
    if isinstance(v, decimal.Decimal):
        return format(v, "f")
    if isinstance(v, datetime.datetime):
        text = v.replace(tzinfo=None).isoformat()
        return (text.rstrip("0") if "." in text else text) + ("Z" if v.tzinfo else "")
    if isinstance(v, datetime.time):
        text = v.replace(tzinfo=None).isoformat()
        return text.rstrip("0") if "." in text else text
    if isinstance(v, datetime.date):
        return v.isoformat()
    return v


def same_bound(ours, v, physical):
    theirs = bound(v)
    if isinstance(theirs, float):
        if isinstance(ours, str):
            ours = float(ours)
        if ours != ours or theirs != theirs:
            return ours != ours and theirs != theirs
        if physical == "FLOAT":  # scan writes the shortest text of the float32
            return ours == theirs or abs(ours - theirs) <= abs(theirs) * 1e-6
    return ours == theirs


def statistics(where, chunk, s):
    ours = chunk.get("statistics", {})
    if not s.has_min_max and not s.has_null_count:
        return  # pyarrow hides what it does not trust
    if s.has_null_count:
        compare(where, "null_count", ours.get("null_count"), s.null_count)
    compare(where, "distinct_count", ours.get("distinct_count"), s.distinct_count)
    if s.has_min_max:
        for name in ("min", "max"):
            try:
                v = getattr(s, name)
            except Exception:  # a value that Python has no type for
                continue
            logical = s.logical_type.type
            if isinstance(v, bytes) and logical not in ("NONE", "BSON", "INTERVAL"):
                continue  # pyarrow leaves these undecoded
            if type(v).__name__ == "Timestamp" or logical in ("FLOAT16", "UUID"):
                continue
            fields[name] += 1
            if not same_bound(ours.get(name), v, s.physical_type):
                faults.append(f"{where}: {name}: scan has {ours.get(name)!r}, pyarrow {v!r} of {logical}")


def file(scan, path):
    code, records = lines(scan, "meta", path)
    _, nodes = lines(scan, "schema", path)
    if path.startswith("testdata/bad/"):
        return False  # some of these end pyarrow's process
    try:
        m = pq.read_metadata(path)
    except Exception:
        return False
    if code == 1:
        # scan looks at more than the footer, and shows the rest all the same.
        print(f"{path}: scan refuses a part of what pyarrow has not looked at")
    by = collections.defaultdict(list)
    for r in records:
        by[r["kind"]].append(r)
    if len(by["file"]) != 1:
        faults.append(f"{path}: scan shows nothing, pyarrow reads the footer")
        return True
    f = by["file"][0]
    compare(path, "size", f["size"], os.path.getsize(path))
    compare(path, "footer_size", f["footer_size"], m.serialized_size)
    compare(path, "created_by", f["created_by"], m.created_by or "")
    compare(path, "rows", f["rows"], m.num_rows)
    compare(path, "row_groups", f["row_groups"], m.num_row_groups)
    compare(path, "columns", f["columns"], m.num_columns)
    ours = {kv["key"]: kv["value"] or "" for kv in f["key_values"]}
    compare(path, "key_values", ours, {k.decode(): v.decode("utf-8", "replace") for k, v in (m.metadata or {}).items()})

    leaves = [n for n in nodes if n["kind"] == "leaf"]
    compare(path, "leaves", len(leaves), m.num_columns)
    for i, n in enumerate(leaves[: m.num_columns]):
        c = m.schema.column(i)
        where = f"{path}: leaf {i}"
        compare(where, "path", ".".join(n["path"]), c.path)
        compare(where, "physical_type", n["physical_type"], c.physical_type)
        compare(where, "max_definition_level", n["max_definition_level"], c.max_definition_level)
        compare(where, "max_repetition_level", n["max_repetition_level"], c.max_repetition_level)
        logical = c.logical_type.type
        if logical == "INT" and not json.loads(c.logical_type.to_json())["isSigned"]:
            logical = "UINT"
        if logical not in ("NONE", "UNKNOWN", "UNDEFINED"):
            compare(where, "logical_type", n.get("logical_type", "").split("(")[0], {"NULL": "UNKNOWN"}.get(logical, logical))

    chunks = {(c["row_group"], c["column"]): c for c in by["chunk"]}
    for g in range(m.num_row_groups):
        rg, r = m.row_group(g), by["row_group"][g]
        where = f"{path}: row group {g}"
        compare(where, "rows", r["rows"], rg.num_rows)
        compare(where, "uncompressed_size", r["uncompressed_size"], rg.total_byte_size)
        compare(where, "sorting", [(s["column"], s["descending"], s["nulls_first"]) for s in r.get("sorting", [])],
                [(s.column_index, s.descending, s.nulls_first) for s in rg.sorting_columns])
        for i in range(rg.num_columns):
            where = f"{path}: row group {g}, column {i}"
            o = chunks.get((g, i))
            if o and o.get("encrypted"):
                continue  # pyarrow ends the process over these
            try:
                c = rg.column(i)
            except Exception as e:
                if code == 0:
                    print(f"{where}: pyarrow: {e}")
                continue
            if o is None:
                if code == 0:
                    faults.append(f"{where}: scan shows no chunk")
                continue
            if "values" not in o:
                faults.append(f"{where}: scan shows no column metadata")
                continue
            compare(where, "physical_type", o["physical_type"], c.physical_type)
            compare(where, "codec", o["codec"], c.compression)
            ours, theirs = set(o.get("encodings", [])), set(c.encodings)
            compare(where, "encodings", sorted(ours - NEWER), sorted(theirs - {"UNKNOWN"}))
            compare(where, "values", o["values"], c.num_values)
            compare(where, "compressed_size", o["compressed_size"], c.total_compressed_size)
            compare(where, "uncompressed_size", o["uncompressed_size"], c.total_uncompressed_size)
            compare(where, "data_page_offset", o["data_page_offset"], c.data_page_offset)
            compare(where, "dictionary_page_offset", o.get("dictionary_page_offset"), c.dictionary_page_offset)
            compare(where, "file_path", o.get("file_path", ""), c.file_path)
            compare(where, "bloom offset", o.get("bloom_filter", {}).get("offset"), c.bloom_filter_offset)
            compare(where, "bloom length", o.get("bloom_filter", {}).get("length"), c.bloom_filter_length)
            compare(where, "column_index", "column_index" in o, c.has_column_index)
            compare(where, "offset_index", "offset_index" in o, c.has_offset_index)
            try:
                s = c.statistics if c.is_stats_set else None
            except Exception:
                s = None
            if s is not None:
                statistics(where, o, s)
    return True


def main():
    paths = sys.argv[1:]
    if not paths:
        paths = sorted(glob.glob("../shared/corpus/parquet-testing/*data/**/*.parquet*", recursive=True))
        paths += sorted(glob.glob("testdata/**/*.parquet", recursive=True))
    with tempfile.TemporaryDirectory() as tmp:
        scan = os.path.join(tmp, "scan")
        subprocess.run(["go", "build", "-o", scan, "./cmd/scan"], check=True)
        compared = sum(file(scan, p) for p in paths)
    for f in faults:
        print(f)
    print(f"{len(paths)} files, {compared} of them read by pyarrow too, {sum(fields.values())} fields compared: "
          + ", ".join(f"{n} {k}" for k, n in fields.most_common()))
    print(f"{len(faults)} differences")
    if compared < 50:
        print("too few files were compared")
    sys.exit(bool(faults) or compared < 50 and not sys.argv[1:])


main()
