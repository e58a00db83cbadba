#!/usr/bin/env python3
"""Compares scans over S3 with those of pyarrow, Polars and DataFusion (arrow-rs with object_store): the
same versitygw, behind the same proxy, which delays each request. For each workload and engine it
prints the median of the seconds, and the requests and bytes of the last round.

usage: compare.py [ROUNDS [MILLISECONDS]]      5 rounds, 30 ms; exit code 1 if answers differ

It wants versitygw at $WINNOW_VERSITYGW, or where .ci/run s3 puts it, and the packages winnow, pyarrow and
polars. DataFusion is fetched into the cache folder of .ci/run. It is no step of .ci/run: it takes minutes.
"""
import importlib, json, os, socket, statistics, subprocess, sys, tempfile, time

import numpy as np, polars as pl, pyarrow as pa, pyarrow.dataset as ds, pyarrow.fs as pafs, pyarrow.parquet as pq

here = os.path.dirname(os.path.abspath(__file__))
cache = os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "winnow-ci")
rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
latency = int(sys.argv[2]) if len(sys.argv) > 2 else 30
key, secret = "bench-key", "bench-secret"
os.environ.update(AWS_ACCESS_KEY_ID=key, AWS_SECRET_ACCESS_KEY=secret, AWS_REGION="us-east-1", AWS_EC2_METADATA_DISABLED="true")

packages = os.path.join(cache, "datafusion")
sys.path.append(packages)
try:
    import datafusion
except ImportError:
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", packages, "datafusion==55.0.0"], check=True)
    importlib.invalidate_caches()
    import datafusion
from datafusion.object_store import AmazonS3

ROWS, GROUPS, SMALL = 1_000_000, 10, 50
# name: files, condition in SQL, columns
WORKLOADS = {
    "point lookup": ("big.parquet", "id = 1234566", None),
    "1 % scattered": ("big.parquet", "pick = 7", None),
    "full scan": ("big.parquet", None, None),
    "50 small files": ("small/*.parquet", None, None),
}


def table(first, rows, seed):
    """Eight columns: id ascends in steps of three, pick is one of a hundred at random."""
    r = np.random.default_rng(seed)
    words = np.array(["amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "heron"])
    return pa.table({
        "id": 3 * np.arange(first, first + rows, dtype=np.int64),
        "pick": r.integers(0, 100, rows, dtype=np.int32),
        "price": np.round(r.gamma(2, 50, rows), 2),
        "weight": r.random(rows),
        "time": pa.array(1_700_000_000_000_000 + np.cumsum(r.integers(0, 2_000_000, rows)), pa.timestamp("us")),
        "kind": words[r.integers(0, 8, rows)],
        "code": pa.array([f"{a:x}-{b}" for a, b in zip(r.integers(0, 1 << 40, rows), words[r.integers(0, 8, rows)])]),
        "count": r.integers(0, 1 << 40, rows, dtype=np.int64),
    })


def write(fs, path, t, group):
    for left in range(9, -1, -1):  # now and then the gateway does not understand a PUT
        try:
            return pq.write_table(t, path, filesystem=fs, row_group_size=group, compression="zstd", write_page_index=True,
                use_dictionary=["pick", "kind"], data_page_size=256 << 10, max_rows_per_page=20_000)
        except OSError:
            if left == 0:
                raise


def sql(pattern, where):
    return f'SELECT * FROM t' + (f" WHERE {where}" if where else "")


def summary(t):
    return t.num_rows, int(pa.compute.sum(t["id"]).as_py() or 0)


class Winnow:
    name = "winnow"

    def __init__(self, url):
        os.environ["AWS_ENDPOINT_URL_S3"] = url
        import winnow  # which reads the environment
        self.scan = winnow.scan

    def run(self, pattern, where, columns):
        start = time.monotonic()
        t = pa.table(self.scan("s3://bucket/" + pattern, columns, where))
        return time.monotonic() - start, *summary(t)


class PyArrow:
    name = "pyarrow " + pa.__version__

    def __init__(self, url):
        self.fs = pafs.S3FileSystem(access_key=key, secret_key=secret, endpoint_override=url, region="us-east-1")

    def run(self, pattern, where, columns):
        path = "bucket/" + pattern
        start = time.monotonic()
        if "*" in path:
            path = path[: path.index("*")]
        condition = None
        if where:
            column, value = where.split(" = ")
            condition = ds.field(column) == int(value)
        t = ds.dataset(path, filesystem=self.fs, format="parquet").to_table(filter=condition, columns=columns)
        return time.monotonic() - start, *summary(t)


class Polars:
    name = "Polars " + pl.__version__

    def __init__(self, url):
        self.options = {"aws_endpoint_url": url, "aws_allow_http": "true", "aws_region": "us-east-1",
            "aws_access_key_id": key, "aws_secret_access_key": secret}

    def run(self, pattern, where, columns):
        start = time.monotonic()
        q = pl.scan_parquet("s3://bucket/" + pattern, storage_options=self.options)
        if where:
            column, value = where.split(" = ")
            q = q.filter(pl.col(column) == int(value))
        t = q.collect()
        return time.monotonic() - start, t.height, int(t["id"].sum())


class DataFusion:
    name = "DataFusion " + datafusion.__version__

    def __init__(self, url):
        self.store = AmazonS3(bucket_name="bucket", region="us-east-1", access_key_id=key, secret_access_key=secret,
            endpoint=url, allow_http=True)

    def run(self, pattern, where, columns):
        config = datafusion.SessionConfig().set("datafusion.execution.parquet.pushdown_filters", "true")
        start = time.monotonic()
        ctx = datafusion.SessionContext(config)
        ctx.register_object_store("s3://", self.store, "bucket")
        ctx.register_parquet("t", "s3://bucket/" + (pattern[: pattern.index("*")] if "*" in pattern else pattern))
        t = ctx.sql(sql(pattern, where)).to_arrow_table()
        return time.monotonic() - start, *summary(t)


def main():
    program = os.environ.get("WINNOW_VERSITYGW") or os.path.join(cache, "tools", "versitygw")
    started = []
    faults = []
    with tempfile.TemporaryDirectory() as tmp:
        try:
            bench = os.path.join(tmp, "bench")
            subprocess.run(["go", "-C", here, "build", "-o", bench, "."], check=True)
            with socket.create_server(("127.0.0.1", 0)) as s:
                address = "127.0.0.1:%d" % s.getsockname()[1]
            for folder in ("data", "meta"):
                os.mkdir(os.path.join(tmp, folder))
            started.append(subprocess.Popen([program, "--port", address, "--access", key, "--secret", secret, "--keep-alive", "--quiet",
                "posix", "--sidecar", tmp + "/meta", tmp + "/data"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            for _ in range(300):
                try:
                    socket.create_connection(("127.0.0.1", int(address.split(":")[1]))).close()
                    break
                except OSError:
                    time.sleep(0.1)
            direct = pafs.S3FileSystem(access_key=key, secret_key=secret, endpoint_override="http://" + address, region="us-east-1", allow_bucket_creation=True, allow_delayed_open=True)
            direct.create_dir("bucket")
            write(direct, "bucket/big.parquet", table(0, ROWS, 1), ROWS // GROUPS)
            for i in range(SMALL):
                write(direct, f"bucket/small/{i:02}.parquet", table(4000 * i, 4000, i), 4000)
            print("big.parquet:", direct.get_file_info("bucket/big.parquet").size, "bytes; small/:",
                sum(f.size for f in direct.get_file_info(pafs.FileSelector("bucket/small"))), "bytes")
            process = subprocess.Popen([bench, "-to", "http://" + address, "-latency", f"{latency}ms"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            started.append(process)
            url = process.stdout.readline().strip()

            def take():
                process.stdin.write("take\n")
                process.stdin.flush()
                return json.loads(process.stdout.readline())
            faults = measure([Winnow(url), PyArrow(url), Polars(url), DataFusion(url)], take)
        finally:
            for p in started:
                p.kill()
                p.wait()
    print("\n".join(faults))
    sys.exit(bool(faults))


def measure(engines, take):
    faults, ratios = [], []
    print(f"\n{latency} ms a request, median of {rounds} rounds: seconds, requests, MB\n")
    print("| |", " | ".join(e.name for e in engines), "| winnow against the best |")
    print("|---" * (len(engines) + 2) + "|")
    for name, work in WORKLOADS.items():
        seconds = {e.name: [] for e in engines}
        cost, answers = {}, {}
        for round in range(rounds + 1):
            for e in engines:  # one after the other, so that all see the same machine
                take()
                took, *answer = e.run(*work)
                cost[e.name] = take()
                if round > 0:  # the first makes connections
                    seconds[e.name].append(took)
                answers[e.name] = tuple(answer)
        if len(set(answers.values())) != 1:
            faults.append(f"{name}: answers differ: {answers}")
        if os.environ.get("LOG"):
            print("\n".join(cost["winnow"]["Log"] or []), file=sys.stderr)
        medians = {n: statistics.median(s) for n, s in seconds.items()}
        ratios.append(min(m for n, m in medians.items() if n != "winnow") / medians["winnow"])
        cells = [f"{medians[e.name]:.3f} s, {cost[e.name]['Requests']}, {cost[e.name]['Bytes'] / 1e6:.1f}" for e in engines]
        print(f"| {name}, {next(iter(answers.values()))[0]:,} rows |", " | ".join(cells), f"| {ratios[-1]:.2f} |", flush=True)
    print(f"\ngeometric mean of the last column: {statistics.geometric_mean(ratios):.2f}")
    return faults


main()
