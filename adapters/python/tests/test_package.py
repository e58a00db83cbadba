"""The wheel, in each Python that is there, and the types that it tells."""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

import pyarrow.parquet as pq

import winnow
from support import HERE, ORDERS

BACKEND = os.path.join(os.path.dirname(HERE), "build_backend.py")
PACKAGE = os.path.dirname(winnow.__file__)

# A user's program, and what a checker of types must know of it.
TYPED = """
import winnow, winnow.polars
scan = winnow.scan("f.parquet", ["a"], "a > 3", limit=1, split=winnow.Split(0, 0, 1))
reveal_type(scan)
reveal_type(scan.count())
reveal_type(scan.progress.bytes)
reveal_type(scan.explain().may_pass)
reveal_type([b for b in scan.batches()])
reveal_type(winnow.polars.scan("f.parquet"))
reveal_type(winnow.WhereError("").offset)
winnow.scan(1)
winnow.scan("f.parquet", strings="short")
"""
REVEALED = ["winnow._scan.Scan", "int", "int", "int", "list[winnow._scan.Batch]", "polars.lazyframe.frame.LazyFrame", "int | None"]


def pythons():
    """This Python, and others that run the package: those of pyenv and of the path."""
    found = {sys.version_info[:2]: sys.executable}
    for path in sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin/python3"))) + [f"python3.{n}" for n in range(10, 20)]:
        ask = "import sys; print(*sys.version_info[:2])"
        try:
            run = subprocess.run([path, "-c", ask], capture_output=True, text=True)
        except OSError:
            continue
        if run.returncode == 0 and (version := tuple(map(int, run.stdout.split()))) >= (3, 10):
            found.setdefault(version, path)
    return found


class Wheel(unittest.TestCase):
    def test_each_python(self):
        build = f"import sys; sys.path[0] = {os.path.dirname(BACKEND)!r}; import build_backend; print(build_backend.build_wheel({{!r}}))"
        want = pq.read_metadata(ORDERS).num_rows
        with tempfile.TemporaryDirectory() as folder:
            name = subprocess.run([sys.executable, "-c", build.format(folder)], capture_output=True, text=True, check=True).stdout.strip()
            self.assertRegex(name, r"^winnow-[0-9.]+-py3-none-\w+\.whl$")
            with zipfile.ZipFile(os.path.join(folder, name)) as wheel:
                files = wheel.namelist()
                self.assertIn("winnow/py.typed", files)
                info = next(f for f in files if f.endswith("/WHEEL"))
                self.assertIn(f"Tag: {name[:-4].split('-', 2)[2]}\n", wheel.read(info).decode())
                wheel.extractall(os.path.join(folder, "site"))
            program = f"import winnow; assert winnow.__file__.startswith({folder!r}); print(winnow.scan({ORDERS!r}).count())"
            for version, python in pythons().items():
                env = {**os.environ, "PYTHONPATH": os.path.join(folder, "site")}
                run = subprocess.run([python, "-c", program], capture_output=True, text=True, env=env)
                self.assertEqual((run.stdout, run.stderr), (f"{want}\n", ""), version)
                print(*version, sep=".", end=" ", flush=True)

    def test_source_without_library(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(PACKAGE, os.path.join(folder, "winnow"), ignore=shutil.ignore_patterns("libwinnow*", "winnow.dll", "__pycache__"))
            run = subprocess.run([sys.executable, "-c", "import winnow"], capture_output=True, text=True, cwd=folder)
            self.assertRegex(run.stderr, r"ImportError: no \S+ in .*: install the package \(pip install ./adapters/python\)")


class Types(unittest.TestCase):
    def mypy(self, *arguments, folder):
        # Packages beside the program, as those of an installed wheel are, so that py.typed counts.
        command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", os.path.join(folder, "cache"), *arguments]
        env = {**os.environ, "MYPYPATH": "" if "site-packages" in PACKAGE else os.path.dirname(PACKAGE)}
        return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=env).stdout.splitlines()

    def test_of_the_package(self):
        with tempfile.TemporaryDirectory() as folder:
            # pyspark is for machines that have it, and pyarrow has no types of its own.
            relaxed = ["--ignore-missing-imports", "--no-warn-unused-ignores", "--allow-untyped-calls", "--allow-subclassing-any"]
            self.assertEqual(self.mypy(*relaxed, "-p", "winnow", folder=folder), [])

    def test_of_a_program(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "program.py"), "w") as f:
                f.write(TYPED)
            told = self.mypy("program.py", folder=folder)
            revealed = [line.split('"')[1] for line in told if "Revealed type" in line]
            errors = [line for line in told if "program.py" in line and ": error:" in line]
            self.assertEqual([t.replace("builtins.", "") for t in revealed], REVEALED, told)
            self.assertEqual([e.split(":")[1] for e in errors], ["11", "12"], told)


if __name__ == "__main__":
    unittest.main()
