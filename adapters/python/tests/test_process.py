"""A scan in a process of Python: threads, its lock, signals, forks, and what is left behind."""

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import winnow
from winnow import _library
from support import LINES, ORDERS

MANY = [LINES] * 30_000  # files that take minutes


def in_child(code, exit_code=0):
    """Runs code in a process of its own, which a hang ends, and returns what it prints, and its exit code if that is another."""
    code = f"import os, signal, sys, threading, time, pyarrow as pa, winnow\nLINES, ORDERS = {LINES!r}, {ORDERS!r}\n" + textwrap.dedent(code)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        out, err = child.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)  # with what it forked
        child.communicate()
        return "it hung"
    ended = "" if child.returncode == exit_code else f" exit code {child.returncode}"
    return out + err[-2000:] + ended


class Threads(unittest.TestCase):
    def test_side_by_side(self):
        want = winnow.scan(LINES, where="quantity > 25").to_arrow()
        shared, answers = winnow.scan(LINES, where="quantity > 25"), []

        def work():
            for _ in range(5):
                answers.append(pa.table(shared).equals(want) and winnow.scan(LINES, where="quantity > 25").count() == len(want))

        threads = [threading.Thread(target=work) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(answers, [True] * 40)

    def test_lock_is_released(self):
        """While one thread is in a call that lasts, another one runs."""
        scan, ended = winnow.scan(MANY, where="comment ~ 'a.*z'"), []

        def work():
            try:
                scan.count()
            except winnow.CancelledError:
                ended.append(time.monotonic())

        thread = threading.Thread(target=work)
        thread.start()
        turns, begin = 0, time.monotonic()
        while time.monotonic() < begin + 0.5:
            turns += 1
            time.sleep(0)
        self.assertFalse(ended)
        scan.cancel()
        thread.join(30)
        self.assertTrue(ended)
        self.assertGreater(turns, 1000)

    def test_stream_moves_between_threads(self):
        batches, got = winnow.scan(LINES, ["order_key"], batch_rows=500).batches(), []
        for _ in range(40):
            t = threading.Thread(target=lambda: got.extend(len(b) for b in [next(batches, ())]))
            t.start()
            t.join()
        self.assertEqual(sum(got), winnow.scan(LINES).count())


@unittest.skipIf(os.name == "nt", "signals of POSIX")
class Signals(unittest.TestCase):
    READING = (
        "winnow.scan(MANY, where=\"comment ~ 'a.*z'\").count()",
        "winnow.scan(MANY).max('comment')",
        "pa.table(winnow.scan(MANY, ['order_key']))",
        "pa.table(winnow.scan(MANY, ['comment'], where=\"comment ~ 'a.*z.*q'\"))",
        "list(pa.RecordBatchReader.from_stream(winnow.scan(MANY, ['comment'], where=\"comment ~ 'a.*z.*q'\")))",
        "winnow.scan(MANY, ['comment'], where=\"comment ~ 'a.*z.*q'\").to_arrow()",
        "winnow.scan(MANY, ['comment'], where=\"comment ~ 'a.*z.*q'\").to_pandas()",
        "polars.DataFrame(winnow.scan(MANY, ['comment'], where=\"comment ~ 'a.*z.*q'\"))",
        "pandas.DataFrame.from_arrow(winnow.scan(MANY, ['comment'], where=\"comment ~ 'a.*z.*q'\"))",
        "[None for _ in winnow.scan(MANY, ['order_key']).batches()]",
    )
    BEGIN = """
import pandas, polars
pandas.DataFrame.from_arrow(winnow.scan(ORDERS))  # which imports
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells in the background have it ignored
MANY, raised = [LINES] * 30_000, []
def arrive(number):
    threading.Timer(0.3, os.kill, (os.getpid(), number)).start()
"""

    def test_exceptions_of_handlers(self):
        """What a handler raises is raised by the call that it interrupts: the object itself, with the handler in its traceback."""
        catch = """
def handler(*_):
    raised.append(SystemExit(7))
    raise raised[0]
signal.signal(signal.SIGTERM, handler)
for number, kind in ((signal.SIGTERM, SystemExit), (signal.SIGINT, KeyboardInterrupt)):
    arrive(number)
    try:
        READING
        print("no exception")
    except kind as e:
        names, trace = [], e.__traceback__
        while trace:
            names.append(trace.tb_frame.f_code.co_name)
            trace = trace.tb_next
        print(names[0] == "<module>" and (kind is KeyboardInterrupt or e is raised[0] and names[-1] == "handler"), end=" ")
    print(winnow.scan(ORDERS).count(), pa.table(winnow.scan(ORDERS)).num_rows, sys.gettrace(), end=" ")
"""
        for code in self.READING:
            with self.subTest(code):
                out = in_child(self.BEGIN + catch.replace("READING", code))
                self.assertEqual(out.split(), ["True", "3000", "3000", "None"] * 2)

    def test_exit_codes(self):
        """Nobody catches what a handler raises: the process ends with its code."""
        for code in self.READING:
            with self.subTest(code):
                out = in_child(self.BEGIN + "signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))\narrive(signal.SIGTERM)\n" + code, 3)
                self.assertEqual(out, "")

    def test_many_signals(self):
        """Signals at any moment of a scan: no exception is lost, or another one."""
        out = in_child(
            self.BEGIN
            + """
import random
rng, lost = random.Random(1), []
class Stop(BaseException): pass
def handler(*_):
    raised.append(Stop())
    raise raised[-1]
signal.signal(signal.SIGALRM, handler)
readings = [
    lambda: winnow.scan(MANY[:60], where="comment ~ 'a.*z.*q'").count(),
    lambda: pa.table(winnow.scan(MANY[:60], ["comment"], where="comment ~ 'a.*z.*q'")),
    lambda: list(winnow.scan(MANY[:60], ["comment"], where="comment ~ 'a.*z.*q'").batches()),
    lambda: polars.DataFrame(winnow.scan(MANY[:60], ["comment"], where="comment ~ 'a.*z.*q'")),
]
for i in range(200):
    raised.clear()
    caught = None
    try:
        signal.setitimer(signal.ITIMER_REAL, rng.uniform(0.001, 0.1))
        readings[i % 4]()
        while True: pass
    except Stop as e:
        caught = e
    if len(raised) != 1 or caught is not raised[0]:
        lost.append((i, len(raised), caught))
print(lost)
"""
        )
        self.assertEqual(out, "[]\n")

    def test_other_handlers(self):
        """A handler runs once, and what it raises is raised; one that raises nothing changes nothing."""
        out = in_child(
            """
            seen = []
            def alarm(*_):
                seen.append(1)
                raise TimeoutError
            signal.signal(signal.SIGALRM, alarm)
            signal.signal(signal.SIGUSR1, lambda *_: seen.append(2))
            threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
            signal.setitimer(signal.ITIMER_REAL, 0.6)
            try:
                winnow.scan([LINES] * 30_000, where="comment ~ 'a.*z'").count()
            except TimeoutError as e:
                print("timeout", seen)
            """
        )
        self.assertEqual(out.split(maxsplit=1), ["timeout", "[2, 1]\n"])


@unittest.skipUnless(hasattr(os, "fork"), "forks")
class Forks(unittest.TestCase):
    def test_error_not_hang(self):
        out = in_child(
            """
            scan = winnow.scan(ORDERS)
            table, batches = pa.table(scan), winnow.scan(LINES, batch_rows=100).batches()
            reader = pa.RecordBatchReader.from_stream(winnow.scan(LINES, batch_rows=100))
            next(batches)
            pid = os.fork()
            if pid == 0:
                for do in (scan.count, scan.explain, lambda: scan.stats, lambda: pa.table(scan), lambda: winnow.scan(ORDERS), lambda: next(batches)):
                    try:
                        do()
                        print("no error")
                    except winnow.ForkError as e:
                        print(isinstance(e, RuntimeError), end=" ")
                try:
                    reader.read_next_batch()
                except Exception as e:
                    print("forked" in str(e), end=" ")
                del table, scan, batches, reader  # what was made before is let go
                import gc; gc.collect()
                print("child", flush=True)
                sys.exit()
            assert os.waitpid(pid, 0)[1] == 0
            print(scan.count(), sum(len(b) for b in batches) > 0, reader.read_all().num_rows > 0)
            """
        )
        self.assertEqual(out.split(), ["True"] * 7 + ["child", "3000", "True", "True"])

    def test_import_before(self):
        """The parent imports the package, and its child uses it. Once the parent has used it, too, a child cannot."""
        out = in_child(
            """
            import concurrent.futures, multiprocessing, winnow.polars
            def count(path):
                try:
                    return winnow.scan(path).count()
                except winnow.ForkError as e:
                    return "spawn" in str(e)
            for _ in range(2):
                with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
                    print(*pool.map(count, [ORDERS] * 4), end=" ", flush=True)
                pid = os.fork()
                if pid == 0:
                    print(count(ORDERS), end=" ", flush=True)
                    os._exit(0)
                os.waitpid(pid, 0)
                print(count(ORDERS), end=" ", flush=True)
            """
        )
        self.assertEqual(out.split(), ["3000"] * 6 + ["True"] * 5 + ["3000"])

    def test_multiprocessing(self):
        scan = winnow.scan(ORDERS, ["order_id"])
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.assertEqual(pool.apply(count, (scan,)), 3000)


def count(scan):
    return scan.count()


class Interpreters(unittest.TestCase):
    def test_refusal(self):
        """Another interpreter of the process is refused in words: by winnow, or by Python where ctypes cannot be there."""
        out = in_child(
            """
            try:
                import _interpreters as interpreters
            except ImportError:
                import _xxsubinterpreters as interpreters
            code = "try: import winnow\\nexcept ImportError as e: print(e, flush=True)"
            interpreters.run_string(interpreters.create(), code)
            print(winnow.scan(ORDERS).count())
            """
        )
        self.assertRegex(out, r"^(winnow works in the main interpreter of a process|module _ctypes does not support).*\n3000\n$")


@unittest.skipUnless(sys.platform == "linux", "/proc")
class Memory(unittest.TestCase):
    def test_bound(self):
        """With memory=, the process grows by little more, however large the columns are: dictionaries, and strings."""
        rows, most = 1_000_000, 64
        words = pa.array([f"{i:0200}" for i in range(20_000)])
        indices = pa.array(np.arange(rows, dtype=np.int32))
        coded = pa.DictionaryArray.from_arrays(pc.bit_wise_and(indices, pa.scalar(16383, pa.int32())), words)
        table = pa.table({"d": coded, "s": pc.binary_join_element_wise(indices.cast(pa.string()), coded.cast(pa.string()), "")})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.parquet")
            pq.write_table(table, path, row_group_size=rows // 4, use_dictionary=["d"])
            out = in_child(
                f"""
                import re
                def peak():
                    return int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]) // 1024
                winnow.scan(ORDERS).count()
                before = peak()
                rows = sum(len(b) for b in winnow.scan({path!r}, memory={most} << 20, dictionaries=["d"]).batches())
                print(rows, peak() - before)
                """
            )
        self.assertRegex(out, r"^\d+ \d+$")
        got, grown = map(int, out.split())
        print(grown, "MiB", end=" ", flush=True)
        self.assertEqual(got, rows)
        self.assertLess(grown, most * 2)


class Leaks(unittest.TestCase):
    def test_many_scans(self):
        """Nothing grows over 10,000 scans: whole, in part, refused, and never begun."""
        bad = winnow.scan(ORDERS, where="nothing = 1")

        def some(n):
            for i in range(n // 5):
                pa.table(winnow.scan(ORDERS, ["order_id"], "order_id = 1234"))
                next(winnow.scan(ORDERS, ["order_id", "items"], batch_rows=10).batches())
                winnow.scan(ORDERS).__arrow_c_stream__()
                winnow.scan(ORDERS, ["order_id"], "order_id < 1010").count()
                try:
                    bad.__arrow_c_stream__()
                except winnow.NoColumnError:
                    pass
            gc.collect()
            pa.default_memory_pool().release_unused()

        some(2_500)
        before = resources()
        some(10_000)
        after = resources()
        print(before, "→", after, end=" ", flush=True)
        self.assertLessEqual(after["goroutines"], before["goroutines"])
        self.assertLessEqual(after["files"], before["files"])
        self.assertLessEqual(after["threads"], before["threads"] + 4)
        self.assertLess(after["memory"], before["memory"] + 32)  # MiB: 3 kB a scan


def resources():
    scan = winnow.scan(ORDERS)
    found = {"goroutines": _library.ask(scan._handle, "goroutines"), "files": 0, "threads": 0, "memory": 0}
    if os.path.isdir("/proc/self/fd"):
        found["files"] = len(os.listdir("/proc/self/fd"))
        with open("/proc/self/status") as f:
            status = dict(line.split(":", 1) for line in f)
        found.update(threads=int(status["Threads"]), memory=int(status["VmRSS"].split()[0]) // 1024)
    return found


if __name__ == "__main__":
    unittest.main()
