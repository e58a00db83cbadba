"""Files that are not named by a path: file objects, bytes, and URLs."""

import functools
import gc
import http.server
import io
import os
import pathlib
import pickle
import threading
import time
import unittest
import urllib.parse
import weakref

import duckdb
import fsspec
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import winnow
import winnow.polars
from support import HERE, LINES, ORDERS, SAMPLES
from test_process import in_child

with open(LINES, "rb") as _f:
    DATA = _f.read()

WHERE = "quantity > 25"


def in_memory():
    fs = fsspec.filesystem("memory")
    fs.pipe("/lines.parquet", DATA)
    return fs.open("/lines.parquet")


class Plain:
    """The least that a file object is: it has no readinto, and reads less than it is asked for."""

    def __init__(self):
        self.file = io.BytesIO(DATA)
        self.seek = self.file.seek

    def read(self, n):
        return self.file.read(min(n, 10_000))


class Lying(Plain):
    """Has other methods than Plain."""

    def __init__(self, **methods):
        super().__init__()
        for name, method in methods.items():
            setattr(self, name, functools.partial(method, self.file))


class Failing(io.BytesIO):
    """Fails where data pages are read."""

    def readinto(self, into):
        if self.tell() < 100_000:
            raise ZeroDivisionError("of its own")
        return super().readinto(into)


class Untold(Exception):
    __str__ = None


def fail(*_):
    raise Untold


class Objects(unittest.TestCase):
    def test_kinds(self):
        want = pq.read_table(LINES)
        few = winnow.scan(LINES, where=WHERE).count()
        kinds = (
            lambda: DATA, lambda: bytearray(DATA), lambda: memoryview(DATA), lambda: io.BytesIO(DATA), lambda: open(LINES, "rb"),
            lambda: open(LINES, "rb", 0), lambda: pathlib.Path(LINES).open("rb"), in_memory, lambda: fsspec.open(LINES).open(), Plain,
        )  # fmt: skip
        for make in kinds:
            file = make()
            with self.subTest(type(file).__name__):
                scan = winnow.scan(file)
                self.assertTrue(scan.to_arrow().equals(want))
                self.assertTrue(pa.table(scan).equals(want))
                self.assertEqual((scan.count(), scan.max("order_key")), (len(want), max(want["order_key"].to_pylist())))
                self.assertEqual([f.size for f in scan.files()], [len(DATA)])
                # Polars and pandas wait for batches with or without Python's lock.
                self.assertEqual((len(pl.DataFrame(scan)), len(pd.DataFrame.from_arrow(scan))), (len(want), len(want)))
                self.assertEqual(duckdb.sql("SELECT count(*) FROM scan").fetchall(), [(len(want),)])
                for engine in ("in-memory", "streaming"):
                    lazy = winnow.polars.scan(file).filter(pl.col("quantity") > 25)
                    self.assertEqual(len(lazy.collect(engine=engine)), few)
                name = getattr(file, "path", getattr(file, "name", None)) or f"<{'BytesIO' if isinstance(file, (bytes, bytearray, memoryview)) else type(file).__name__} "
                self.assertEqual(winnow.scan(file, file_name="f").head(1)["f"][0].as_py()[: len(name)], name)

    def test_several(self):
        self.assertEqual(winnow.scan([DATA, LINES, io.BytesIO(DATA)]).count(), 60000)
        with open(LINES, "rb") as one, open(LINES, "rb") as other:
            self.assertEqual(winnow.scan([one, other, one], split=winnow.Split(1, 0, len(DATA))).count(), 20000)
        self.assertEqual(pickle.loads(pickle.dumps(winnow.scan(DATA, where=WHERE))).count(), winnow.scan(LINES, where=WHERE).count())

    def test_threads(self):
        scan, answers = winnow.scan(io.BytesIO(DATA), where=WHERE), []
        threads = [threading.Thread(target=lambda: answers.extend(scan.to_arrow().num_rows for _ in range(5))) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(answers, [winnow.scan(LINES, where=WHERE).count()] * 40)

    def test_one_object_in_several_scans(self):
        """Each has its own place in the object."""
        file, answers = open(LINES, "rb"), []
        self.addCleanup(file.close)
        threads = [threading.Thread(target=lambda: answers.extend(winnow.scan([file] * 3).to_arrow().num_rows for _ in range(5))) for _ in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(answers, [60000] * 30)

    def test_names_of_others(self):
        """An object that has the name of a local file is not read in its place."""
        other = Plain()
        other.name = ORDERS
        self.assertEqual((winnow.scan(other).count(), winnow.scan([ORDERS, other], union=True).count()), (20000, 23000))
        with self.assertRaisesRegex(winnow.OptionsError, "a file object has the name of this file too, .*orders.parquet"):
            winnow.scan([other, ORDERS.replace("orders", "order?")])

    def test_lies(self):
        end = lambda size: Lying(seek=lambda f, at, whence=0: (f.seek(at, whence), size if whence else at)[1], tell=lambda f: f.tell())  # noqa: E731
        self.assertEqual(winnow.scan(end(None)).count(), 20000)
        self.assertRaises(Untold, winnow.scan(Lying(read=fail)).count)
        for file, kind, text in (
            *[(Lying(read=lambda f, n: (time.sleep(2e-4), f.read(n + 5))[1]), OSError, r"a read of \d+ bytes returned \d+$") for _ in range(40)],  # in all threads
            (Lying(readinto=lambda f, into: len(into) + 5), OSError, "a read of .* bytes returned"),
            (Lying(readinto=lambda f, into: -1), OSError, "returned -1$"),
            (Lying(readinto=lambda f, into: None), OSError, "returned None$"),
            (Lying(readinto=lambda f, into: 0.5), TypeError, "float"),
            (end(-1), OSError, "the end of the file is at -1"),
            (end(2**64 + 20), OSError, "the end of the file is at 1844"),
            (end(len(DATA) + 2**40), winnow.Error, "Lying.*unexpected EOF"),
            (end(len(DATA) - 9), winnow.CorruptError, "Lying.*PAR1"),
        ):
            with self.assertRaisesRegex(kind, text):
                winnow.scan(file).to_arrow()

    def test_lives_as_long_as_a_stream(self):
        file = io.BytesIO(DATA)
        alive = weakref.ref(file)
        reader = pa.RecordBatchReader.from_stream(winnow.scan(file, batch_rows=100))
        del file
        gc.collect()
        self.assertIsNotNone(alive())
        self.assertEqual(reader.read_all().num_rows, 20000)
        del reader
        gc.collect()
        self.assertIsNone(alive())

    def test_exceptions(self):
        """What an object raises is raised, the object itself; consumers of streams that are not Python have its text."""
        closed = io.BytesIO(DATA)
        closed.close()
        scan = winnow.scan(Failing(DATA))
        for call, kind, text in (
            (scan.to_arrow, ZeroDivisionError, "^of its own$"),
            (lambda: list(scan.batches()), ZeroDivisionError, "^of its own$"),
            (lambda: winnow.scan(Failing(DATA), where="comment ~ 'x.*z'").count(), ZeroDivisionError, "^of its own$"),
            (lambda: pa.table(scan), Exception, "ZeroDivisionError: of its own"),
            (lambda: winnow.scan(closed).count(), ValueError, "I/O operation on closed file"),
            (lambda: winnow.scan(b"PAR1, no Parquet").count(), winnow.CorruptError, "BytesIO"),
            (lambda: winnow.scan(b"/a/path"), winnow.CorruptError, "^bytes are the contents of a file, and b'/a/path' is not Parquet: a path is str"),
            (lambda: winnow.scan(open(__file__)), TypeError, "binary mode"),
            (lambda: winnow.scan(io.StringIO("x")), TypeError, "binary mode"),
            (lambda: pickle.dumps(winnow.scan(in_memory)), TypeError, "str, os.PathLike, bytes or"),
        ):
            with self.assertRaisesRegex(kind, text):
                call()

    def test_ends_of_processes(self):
        """A signal ends a scan that waits for an object, and Python ends while one is read."""
        begin = """
            import io
            go_on = threading.Event()
            class Slow(io.BytesIO):
                def readinto(self, into):
                    if self.tell() < 100_000:
                        go_on.wait(SECONDS)
                    return super().readinto(into)
            scan = winnow.scan(Slow(open(LINES, "rb").read()))
            signal.signal(signal.SIGINT, signal.default_int_handler)
        """
        interrupted = begin.replace("SECONDS", "40") + """
            start = time.monotonic()
            try:
                threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
                READ
            except KeyboardInterrupt:
                print(time.monotonic() - start < 30)
            go_on.set()
        """
        for read in ("scan.count(); scan.to_arrow()", "pa.table(scan)", "list(scan.batches())"):
            self.assertEqual(in_child(interrupted.replace("READ", read)), "True\n", read)
        ended = begin.replace("SECONDS", "0.5") + """
            def work():
                try:
                    scan.to_arrow()
                except winnow.Error as e:
                    assert "Python ends" in str(e)
            for _ in range(4):
                threading.Thread(target=work, daemon=True).start()
            reader = pa.RecordBatchReader.from_stream(winnow.scan(Slow(open(LINES, "rb").read())))
            time.sleep(0.2)
        """
        self.assertEqual(in_child(ended), "")

    def test_growth(self):
        alive = [weakref.ref(io.BytesIO())]
        for _ in range(300):
            file = Failing(DATA)
            alive.append(weakref.ref(file))
            for read in (lambda: winnow.scan(file, ["order_key"], limit=1).to_arrow(), winnow.scan(file).__arrow_c_stream__):
                try:
                    read()
                except ZeroDivisionError:
                    pass
        del file, read
        gc.collect()
        self.assertEqual([r for r in alive if r() is not None], [])


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the samples, and as a bucket of S3 the same with a listing."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        path, data, status, more = os.path.join(SAMPLES, url.path.split("/")[-1]), b"", 404, {}
        if "list-type" in url.query:
            prefix = urllib.parse.parse_qs(url.query).get("prefix", [""])[0]
            keys = [k for k in ("lineitems.parquet", "orders.parquet") if k.startswith(prefix)]
            entry = "<Contents><Key>{}</Key><Size>{}</Size><ETag>&quot;e&quot;</ETag></Contents>"
            found = "".join(entry.format(k, os.path.getsize(os.path.join(SAMPLES, k))) for k in keys)
            data, status = f"<ListBucketResult><IsTruncated>false</IsTruncated>{found}</ListBucketResult>".encode(), 200
        elif os.path.isfile(path):
            with open(path, "rb") as f:
                whole = f.read()
            first, last = self.headers["Range"].removeprefix("bytes=").split("-")
            start = int(first) if first else max(len(whole) - int(last), 0)
            end = min(int(last) + 1, len(whole)) if first else len(whole)
            data, status = whole[start:end], 206
            more = {"Content-Range": f"bytes {start}-{end - 1}/{len(whole)}", "ETag": '"e"'}
        self.send_response(status)
        for name, value in {**more, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class URLs(unittest.TestCase):
    def setUp(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.address = f"http://127.0.0.1:{server.server_port}"

    def test_web(self):
        url = self.address + "/year=2024/lineitems.parquet?signature=SECRET"
        want = pq.read_table(LINES)
        self.assertTrue(winnow.scan(url, want.column_names).to_arrow().equals(want))
        self.assertEqual(winnow.scan([url, LINES], ["order_key"], WHERE).count(), 2 * winnow.scan(LINES, where=WHERE).count())
        self.assertEqual([f.size for f in winnow.scan(url).files()], [len(DATA)])
        self.assertEqual(winnow.scan(url, split=winnow.Split(0, 0, len(DATA))).count(), 20000)
        self.assertEqual(winnow.polars.scan(url).select(pl.len()).collect().item(), 20000)
        with self.assertRaises(winnow.NotFoundError) as raised:
            winnow.scan(self.address + "/none.parquet?SECRET").count()
        self.assertRegex(str(raised.exception), r"^http://127[^ ]*/none.parquet\?…: 404 Not Found: file does not exist$")
        with self.assertRaises(winnow.NoColumnError) as raised:
            winnow.scan(url, ["nothing"]).to_arrow()
        self.assertNotIn("SECRET", str(raised.exception))

    def test_s3(self):
        out = in_child(
            f"""
            os.environ.update(AWS_ENDPOINT_URL_S3={self.address!r}, AWS_ACCESS_KEY_ID="k", AWS_SECRET_ACCESS_KEY="s", AWS_REGION="us-east-1")
            for name in ("s3://bucket/orders.parquet", "s3://bucket/ord*.parquet", "s3://bucket/"):
                scan = winnow.scan(name, ["order_id"] if "ord" in name else ["nothing"])
                print(len(scan.files()), *(scan.count(), len(scan.to_arrow())) if "ord" in name else ())
            print(winnow.scan("s3://bucket/orders.parquet", split=(0, 0, 1 << 30)).count())
            for name in ("s3://bucket/none*", "s3://bucket/none.parquet"):
                try:
                    winnow.scan(name).count()
                except winnow.NotFoundError as e:
                    print(e)
            """
        )
        told = "s3://bucket/none*: no object matches\ns3://bucket/none.parquet: 404 Not Found: NotFound: Not Found\n"
        self.assertEqual(out, "1 3000 3000\n1 3000 3000\n2\n3000\n" + told)

    def test_others(self):
        for name, rows in (("file:" + LINES, 20000), ("file://" + SAMPLES + "/l*items%2Eparquet", 20000), (pathlib.Path(ORDERS).as_uri(), 3000)):
            self.assertEqual(winnow.scan(name).count(), rows)
        for name, kind, text in (
            ("file://host/f", winnow.OptionsError, "a file of the machine host"),
            ("file:///none.parquet", winnow.NotFoundError, "^/none.parquet"),
            ("gs://a/b", winnow.UnsupportedError, 'no scheme "gs".*fsspec'),
            ("hdfs://127.0.0.1:1/x", winnow.Error, "^hdfs://127.0.0.1:1/x: .*connection refused"),
        ):
            with self.assertRaisesRegex(kind, text):
                winnow.scan(name).count()


if __name__ == "__main__":
    unittest.main()
