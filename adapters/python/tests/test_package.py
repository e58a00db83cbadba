"""The wheel, in each Python that is there, and the types that it tells.

WINNOW_PYTHONS says how many Pythons must be there.
"""

import ast
import email
import glob
import graphlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
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
scan = winnow.scan("f.parquet", ["a"], ("a > ?", 3), limit=1, split=winnow.Split(0, 0, 1))
reveal_type(scan)
reveal_type(scan.count())
reveal_type(scan.columns)
reveal_type(scan.progress.bytes)
reveal_type(scan.explain().may_pass)
reveal_type([b for b in scan.batches()])
reveal_type(winnow.polars.scan("f.parquet"))
reveal_type(winnow.WhereError("").offset)
reveal_type(winnow.NotFoundError("").filename)
reveal_type(winnow.where("a > $least", least=3))
winnow.scan(1)
winnow.scan("f.parquet", strings="short")
"""
REVEALED = [
    "winnow._scan.Scan", "int", "list[str]", "int", "int", "list[winnow._scan.Batch]", "polars.lazyframe.frame.LazyFrame", "int | None",
    "str | None", "str",
]  # fmt: skip


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


# What runs in an environment with nothing but the wheel.
PROGRAM = """
import io, pydoc, shutil, sys, winnow
assert winnow.__file__.startswith(sys.prefix) and not shutil.which("go") and not shutil.which("cc")
scan = winnow.scan(FILE, ["order_id"], "order_id >= 0")
assert "order_id" in repr(scan) and scan.explain() and "LIKE" in pydoc.render_doc(winnow.where)
print(winnow.__version__, scan.count(), sum(map(len, scan.batches())))
"""


def backend(folder, call, **env):
    """Calls a function of the backend in a folder, as pip does."""
    command = [sys.executable, "-c", f"import sys; sys.path[0] = {folder!r}; import build_backend; print(build_backend.{call})"]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **env})


class Wheel(unittest.TestCase):
    def test_each_python(self):
        """The wheel of an sdist, in a clean environment of each Python."""
        want = pq.read_metadata(ORDERS).num_rows
        with tempfile.TemporaryDirectory() as folder:
            sdist = backend(os.path.dirname(BACKEND), f"build_sdist({folder!r})").stdout.strip()
            self.assertRegex(sdist, r"^winnow-[0-9.]+\.tar\.gz$")
            with tarfile.open(os.path.join(folder, sdist)) as tar:
                tar.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
            sources = os.path.join(folder, sdist.removesuffix(".tar.gz"))
            with open(os.path.join(sources, "pyproject.toml"), encoding="utf-8") as f:
                sources = os.path.join(sources, re.search(r'backend-path = \["(.*)"\]', f.read())[1])
            for env, missing in ({"PATH": folder}, "there is no go in the PATH"), ({"CC": "no-cc -m64"}, "there is no no-cc -m64 in the PATH"):
                run = backend(sources, f"build_wheel({folder!r})", **env)
                self.assertRegex(run.stderr, rf"^winnow: its library is built with Go and a C compiler, and {missing}[^\n]*\n$")
            # With zig and auditwheel the wheel of CI, else one for this machine.
            settings = {"platform": f"manylinux_2_17_{platform.machine()}"} if importlib.util.find_spec("ziglang") else {}
            name = backend(sources, f"build_wheel({folder!r}, {settings!r})").stdout.strip()
            self.assertRegex(name, rf"^winnow-[0-9.]+-py3-none-{settings.get('platform', '[a-z0-9_]+')}\.whl$")
            if settings:
                run = subprocess.run([sys.executable, "-m", "auditwheel", "show", os.path.join(folder, name)], capture_output=True, text=True)
                self.assertRegex(run.stdout + run.stderr, rf'consistent with the\s+following\s+platform\s+tag:\s+"{settings["platform"]}"')
            with zipfile.ZipFile(os.path.join(folder, name)) as wheel:
                files = wheel.namelist()
                self.assertLessEqual({"winnow/py.typed", "winnow/conditions.txt", "winnow/winnow.h"}, set(files))
                info = os.path.dirname(next(f for f in files if f.endswith("/WHEEL")))
                self.assertIn(f"Tag: {name[:-4].split('-', 2)[2]}\n", wheel.read(info + "/WHEEL").decode())
                told = email.message_from_bytes(wheel.read(info + "/METADATA"))
                self.assertEqual((told["License-Expression"], told.get_all("Provides-Extra")), ("Apache-2.0", ["polars", "spark"]))
                self.assertIn("pyspark>=4.1; extra == 'spark'", told.get_all("Requires-Dist"))
                self.assertEqual({f"{info}/licenses/{f}" for f in told.get_all("License-File")}, {f for f in files if "/licenses/" in f})
                self.assertIn(b"Apache License", wheel.read(f"{info}/licenses/LICENSE"))
                self.assertIn(f"{info}/licenses/github.com/klauspost/compress/LICENSE", files)
            found = pythons()
            for version, python in found.items():
                site = os.path.join(folder, "python%d.%d" % version)
                clean = {"PATH": os.path.join(site, "bin"), "HOME": folder}
                for command in (
                    [python, "-m", "venv", site],
                    ["python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index", os.path.join(folder, name)],
                    ["python", "-c", PROGRAM.replace("FILE", repr(ORDERS))],
                ):
                    run = subprocess.run([shutil.which(command[0], path=clean["PATH"]) or command[0], *command[1:]], capture_output=True, text=True, env=clean)
                    self.assertEqual(run.returncode, 0, (version, run.stderr))
                self.assertEqual((run.stdout.split(), run.stderr), ([winnow.__version__, str(want), str(want)], ""), version)
            there, asked = (["%d.%d" % version for version in sorted(versions)] for versions in (found, {(3, n) for n in range(10, 15)} - {*found}))
            print(f"in {', '.join(there)}; not there: {', '.join(asked)}", end=" ", flush=True)
            self.assertGreaterEqual(len(there), int(os.environ.get("WINNOW_PYTHONS", 1)))

    def test_source_without_library(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(PACKAGE, os.path.join(folder, "winnow"), ignore=shutil.ignore_patterns("libwinnow*", "winnow.dll", "__pycache__"))
            run = subprocess.run([sys.executable, "-c", "import winnow"], capture_output=True, text=True, cwd=folder)
            self.assertRegex(run.stderr, r"ImportError: no \S+ in .*: install the package \(pip install ./adapters/python\)")


class Modules(unittest.TestCase):
    def test_no_circle(self):
        """No module of the package imports one that imports it."""
        imported = {}
        for path in glob.glob(os.path.join(PACKAGE, "*.py")):
            with open(path, encoding="utf-8") as f:
                found = [node for node in ast.walk(ast.parse(f.read())) if isinstance(node, ast.ImportFrom) and node.level]
            imported[os.path.basename(path)[:-3]] = {name for node in found for name in ([node.module] if node.module else [a.name for a in node.names])}
        self.assertIn("_scan", graphlib.TopologicalSorter(imported).static_order())


class Types(unittest.TestCase):
    def mypy(self, *arguments, folder):
        # Packages beside the program, as those of an installed wheel are, so that py.typed counts.
        command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", os.path.join(folder, "cache"), *arguments]
        env = {**os.environ, "MYPYPATH": "" if "site-packages" in PACKAGE else os.path.dirname(PACKAGE)}
        return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=env).stdout.splitlines()

    def test_of_the_package(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.mypy("-p", "winnow", folder=folder), [])

    def test_of_a_program(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "program.py"), "w") as f:
                f.write(TYPED)
            told = self.mypy("program.py", folder=folder)
            revealed = [line.split('"')[1] for line in told if "Revealed type" in line]
            errors = [line for line in told if "program.py" in line and ": error:" in line]
            self.assertEqual([t.replace("builtins.", "") for t in revealed], REVEALED, told)
            self.assertEqual([e.split(":")[1] for e in errors], ["14", "15"], told)


if __name__ == "__main__":
    unittest.main()
