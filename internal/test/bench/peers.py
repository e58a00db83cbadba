"""Runs one other engine for bench, which starts it as: python3 peers.py ENGINE

The first line that it prints is {"version": ...}, or {"error": ...} where the engine cannot be imported.
Then each line that it reads is a scan, and is answered by one line:

    {"file": PATH, "columns": [NAME, ...] or null, "where": TREE or TEXT or null, "count": false, "threads": 1}
    {"wall_ms": 1.5, "cpu_ms": 1.5, "rows": 2, "sums": {NAME: [values, sum]}}    or {"error": ...}
                                                   or {"unable": WHY} where the engine does not understand the scan

Timed are opening the file and the scan, until the wanted columns of all rows that pass are in memory. Looking
up the types of literals is not timed, nor are the sums. Nothing that comes from a file outlives a scan.
A TREE is {"and": [TREE, ...]}, {"or": [...]} or {"op", "col", "value", "type"}, as the package comment of
bench says; a TEXT is one in SQL. The number of threads also stands in the environment, which pools read once.
"""
import contextlib, datetime, decimal, functools, gc, json, operator, os, sys, time

SINGLE = "'"
SIGNS = {"eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}

def values_of(step, floats=False):
    """The literals of a step of a tree. Numbers that are no integers are Decimals unless floats are wanted."""
    kind = step.get("type", "")
    make = {"date": datetime.date.fromisoformat, "timestamp": datetime.datetime.fromisoformat}.get(kind, lambda v: v)
    if kind in ("hex", "uuid"):
        make = lambda v: bytes.fromhex(v.replace("-", ""))
    values = [make(v) for v in (step["value"] if step["op"] == "in" else [step["value"]])]
    return [float(v) for v in values] if floats else values

def expression(tree, leaf):
    """The tree as an expression of Python objects, whose steps are made by leaf."""
    for joint, join in (("and", operator.and_), ("or", operator.or_)):
        if joint in tree:
            return functools.reduce(join, [expression(part, leaf) for part in tree[joint]])
    return leaf(tree)

def quoted(name, mark='"'):
    return mark + name.replace(mark, 2 * mark) + mark

def where_of(tree, literal):
    """The tree as SQL. literal(column, value) writes a value of a column's type."""
    for joint in ("and", "or"):
        if joint in tree:
            return "(" + f" {joint} ".join(where_of(part, literal) for part in tree[joint]) + ")"
    op, column = tree["op"], quoted(tree["col"])
    if op in ("is_null", "not_null"):
        return column + (" IS NULL" if op == "is_null" else " IS NOT NULL")
    if op in ("prefix", "contains"):
        text = tree["value"]
        if any(c in text for c in "%_\\"):
            return ("starts_with" if op == "prefix" else "contains") + f"({column}, {quoted(text, SINGLE)})"
        return f"{column} LIKE " + quoted(("%" if op == "contains" else "") + text + "%", SINGLE)
    values = [literal(tree["col"], v) for v in values_of(tree)]
    if op == "in":
        return f"{column} IN ({', '.join(values)})"
    return f"{column} {SIGNS[op]} {values[0]}"

def select_of(scan, table, literal):
    what = "count(*)" if scan["count"] else ", ".join(map(quoted, scan["columns"])) if scan["columns"] else "*"
    where = where_of(scan["where"], literal) if isinstance(scan["where"], dict) else scan["where"]
    return f"SELECT {what} FROM {table}" + (f" WHERE {where}" if where else "")

class Pyarrow:
    """The dataset scanner: row groups are pruned by their statistics."""

    def __init__(self, threads):
        import pyarrow, pyarrow.compute, pyarrow.dataset, pyarrow.fs
        self.pa, self.threads, self.version = pyarrow, threads, pyarrow.__version__
        self.files = pyarrow.fs.LocalFileSystem(use_mmap=True)
        pyarrow.set_cpu_count(threads)
        pyarrow.set_io_thread_count(threads)

    def step(self, step, types):
        op, column, kind = step["op"], self.pa.compute.field(step["col"]), types.field(step["col"]).type
        if op in ("is_null", "not_null"):
            return column.is_null() if op == "is_null" else column.is_valid()
        if op in ("prefix", "contains"):
            return getattr(self.pa.compute, "starts_with" if op == "prefix" else "match_substring")(column, step["value"])
        values = values_of(step, self.pa.types.is_floating(kind))
        if op == "in":
            return column.isin(self.pa.array(values, kind))
        return getattr(operator, op)(column, self.pa.scalar(values[0], kind))

    def prepare(self, scan):
        if isinstance(scan["where"], str):
            raise NotImplementedError("it reads no condition in SQL, only one as a tree, in a list of workloads")
        open_file = lambda: self.pa.dataset.dataset(scan["file"], filesystem=self.files, format="parquet")
        types = open_file().schema
        kept = expression(scan["where"], lambda step: self.step(step, types)) if scan["where"] else None
        options = {"filter": kept, "use_threads": self.threads > 1}
        return lambda: open_file().count_rows(**options) if scan["count"] else open_file().to_table(columns=scan["columns"], **options)

class Duckdb:
    def __init__(self, threads):
        import duckdb, pyarrow  # results are summed up by pyarrow
        self.version, self.db = duckdb.__version__, duckdb.connect()
        self.db.execute(f"SET threads={threads}")
        for setting in ("enable_external_file_cache=false", "arrow_lossless_conversion=true"):
            with contextlib.suppress(duckdb.Error):  # a version may have no such setting
                self.db.execute("SET " + setting)

    def prepare(self, scan):
        table = f"read_parquet({quoted(scan['file'], SINGLE)})"
        types = {row[0]: row[1] for row in self.db.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()}

        def literal(column, value):
            text = f"unhex('{value.hex()}')" if isinstance(value, bytes) else quoted(str(value), SINGLE)
            return f"CAST({text} AS {types[column]})"
        query = select_of(scan, table, literal)
        return lambda: self.db.sql(query).fetchall()[0][0] if scan["count"] else self.db.sql(query).to_arrow_table()

class Polars:
    def __init__(self, threads):
        import polars, pyarrow  # results are summed up by pyarrow
        self.pl, self.version = polars, polars.__version__
        assert polars.thread_pool_size() == threads, "polars has another number of threads"

    def step(self, step, types):
        op, column, kind = step["op"], self.pl.col(step["col"]), types[step["col"]]
        if op in ("is_null", "not_null"):
            return column.is_null() if op == "is_null" else column.is_not_null()
        if op in ("prefix", "contains"):
            return column.str.starts_with(step["value"]) if op == "prefix" else column.str.contains(step["value"], literal=True)
        values = values_of(step, kind.is_float())
        if op == "in":
            return column.is_in(self.pl.Series(values, dtype=kind).implode())
        return getattr(operator, op)(column, self.pl.lit(values[0], dtype=kind))

    def prepare(self, scan):
        where = scan["where"]
        if isinstance(where, str):
            where = self.pl.sql_expr(where)
        elif where:
            types = self.pl.read_parquet_schema(scan["file"])
            where = expression(where, lambda step: self.step(step, types))

        def run():
            frame = self.pl.scan_parquet(scan["file"], glob=False)
            frame = frame if where is None else frame.filter(where)
            if scan["count"]:
                return int(frame.select(self.pl.len()).collect().item())
            return (frame if scan["columns"] is None else frame.select(scan["columns"])).collect()
        return run

class Datafusion:
    def __init__(self, threads):
        import datafusion, pyarrow.parquet
        self.df, self.pa, self.version = datafusion, pyarrow, datafusion.__version__
        self.config = datafusion.SessionConfig().with_target_partitions(threads)
        for name in ("pushdown_filters", "reorder_filters", "enable_page_index", "bloom_filter_on_read", "pruning"):
            self.config = self.config.set("datafusion.execution.parquet." + name, "true")

    def literal(self, kind, value):
        text, name = quoted(str(value), SINGLE), str(kind).capitalize().replace("Uint", "UInt")
        if isinstance(value, bytes):
            name = f"FixedSizeBinary({len(value)})" if self.pa.types.is_fixed_size_binary(getattr(kind, "storage_type", kind)) else "Binary"
            text = f"X'{value.hex()}'"
        elif self.pa.types.is_timestamp(kind):
            unit = {"s": "Second", "ms": "Millisecond", "us": "Microsecond", "ns": "Nanosecond"}[kind.unit]
            name = f"Timestamp({unit}, {f'Some({quoted(kind.tz)})' if kind.tz else 'None'})"
        name = {"Float": "Float32", "Double": "Float64", "Halffloat": "Float16", "Bool": "Boolean", "Date32[day]": "Date32", "String": "Utf8View"}.get(name, name)
        return f"arrow_cast({text}, '{name}')"

    def prepare(self, scan):
        types = self.pa.parquet.read_schema(scan["file"])
        query = select_of(scan, "t", lambda column, value: self.literal(types.field(column).type, value))
        context = self.df.SessionContext(self.config)  # a new one, so that no footer is in its cache

        def run():
            context.register_parquet("t", scan["file"])
            frame = context.sql(query)
            batches = frame.collect()
            table = self.pa.Table.from_batches(batches, schema=batches[0].schema if batches else frame.schema())
            return table[0][0].as_py() if scan["count"] else table
        return run

def sum_of(column):
    """The number of values that are not NULL, and their sum after their numbers, as bench has it."""
    import pyarrow as pa, pyarrow.compute as pc
    count, scale = len(column) - column.null_count, 1.0
    if isinstance(column.type, pa.BaseExtensionType):
        column = pa.chunked_array([chunk.storage for chunk in column.chunks], column.type.storage_type)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    if pa.types.is_decimal(kind):
        scale = 10.0 ** kind.scale
    elif any(word in str(kind) for word in ("string", "binary")):
        column = pc.binary_length(column.cast(pa.large_binary()))
    elif pa.types.is_date32(kind) or pa.types.is_boolean(kind):
        column = column.cast(pa.int32())
    elif pa.types.is_timestamp(kind):
        column = column.cast(pa.timestamp("us", kind.tz)).cast(pa.int64())
    return [count, float(pc.sum(column.cast(pa.float64(), safe=False)).as_py() or 0) * scale]

def answer(engine, scan):
    run = engine.prepare(scan)
    gc.collect()
    processor, clock = time.process_time(), time.perf_counter()
    result = run()
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    told = {"wall_ms": clock * 1e3, "cpu_ms": processor * 1e3}
    if scan["count"]:
        return told | {"rows": result}
    table = result.to_arrow() if hasattr(result, "to_arrow") else result
    return told | {"rows": table.num_rows, "sums": {name: sum_of(table[name]) for name in table.column_names}}

def main():
    say = lambda line: print(json.dumps(line), flush=True)
    try:
        engine = {"pyarrow": Pyarrow, "duckdb": Duckdb, "polars": Polars, "datafusion": Datafusion}[sys.argv[1]](int(os.environ.get("BENCH_THREADS", "1")))
    except BaseException as fault:
        return say({"error": f"{fault}"})
    say({"version": engine.version})
    for line in sys.stdin:
        try:
            say(answer(engine, json.loads(line, parse_float=decimal.Decimal)))
        except NotImplementedError as fault:
            say({"unable": str(fault)})
        except BaseException as fault:  # panics of Rust are no Exceptions
            say({"error": f"{type(fault).__name__}: {fault}".splitlines()[0][:300]})

main()
os._exit(0)  # threads of engines may be waiting for something
