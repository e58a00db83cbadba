"""Builds the wheel: PEP 517 and 660 without anything but Python, Go and a C compiler.

The tag of the wheel is py3-none-PLATFORM: the library is called by ctypes, so it fits each
version of Python.
"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIBRARY = {"darwin": "libwinnow.dylib", "win32": "winnow.dll"}.get(sys.platform, "libwinnow.so")


class UnsupportedOperation(Exception):
    pass


def _field(name):
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as f:
        return re.search(rf'^{name} = "(.*)"$', f.read(), re.M)[1]


def _metadata():
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as f:
        readme = f.read()
    return (
        f"Metadata-Version: 2.1\nName: {_field('name')}\nVersion: {_field('version')}\nSummary: {_field('description')}\n"
        f"Requires-Python: {_field('requires-python')}\nDescription-Content-Type: text/markdown\n\n{readme}"
    )


def _tag():
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"py3-none-{platform}"


def _conditions():
    """The language of conditions, as package filter tells it."""
    doc = _read(os.path.join(ROOT, "filter", "doc.go")).decode()
    lines = doc[doc.index("// # The text") : doc.index("// # Conditions that come later")].splitlines()
    return "".join(line.removeprefix("//").removeprefix(" ").expandtabs(4) + "\n" for line in lines).encode()


def build_library(path):
    """Compiles the library, with Go in the path and the C compiler of $CC."""
    needs = "winnow: to build the package takes Go, a C compiler and the modules of Go"
    if not shutil.which("go"):
        raise SystemExit(f"{needs}: there is no program go in the PATH")
    compiler = subprocess.run(["go", "env", "CC"], cwd=HERE, capture_output=True, text=True).stdout.split() or ["gcc"]
    if not shutil.which(compiler[0]):
        raise SystemExit(f"{needs}: there is no C compiler {compiler[0]} in the PATH, and CC names no other")
    command = ["go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", path, "."]
    if subprocess.run(command, cwd=HERE, env={**os.environ, "CGO_ENABLED": "1"}).returncode:
        raise SystemExit(f"{needs}: go build failed, for the reason that it tells above")


def _digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _wheel(folder, files):
    """Writes a wheel of the given files: names and bytes."""
    name = f"{_field('name')}-{_field('version')}"
    info = name + ".dist-info/"
    files = [
        *files,
        (info + "METADATA", _metadata().encode()),
        (info + "WHEEL", f"Wheel-Version: 1.0\nGenerator: winnow\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode()),
    ]
    record = "".join(f"{n},{_digest(data)},{len(data)}\n" for n, data in files) + f"{info}RECORD,,\n"
    wheel = f"{name}-{_tag()}.whl"
    with zipfile.ZipFile(os.path.join(folder, wheel), "w", zipfile.ZIP_DEFLATED) as z:
        for n, data in [*files, (info + "RECORD", record.encode())]:
            entry = zipfile.ZipInfo(n)
            entry.external_attr = (0o755 if n.endswith(LIBRARY) else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            z.writestr(entry, data)
    return wheel


def _read(path):
    with open(path, "rb") as f:
        return f.read()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = os.path.join(HERE, "winnow")
    files = [
        ("winnow/" + n, _read(os.path.join(package, n))) for n in sorted(os.listdir(package)) if n.endswith((".py", ".pyi", ".typed"))
    ]
    files.append(("winnow/conditions.txt", _conditions()))
    files.append(("winnow/winnow.h", _read(os.path.join(HERE, "winnow.h"))))
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, LIBRARY)
        build_library(library)
        files.append(("winnow/" + LIBRARY, _read(library)))
    return _wheel(wheel_directory, files)


def _build_in_place():
    build_library(os.path.join(HERE, "winnow", LIBRARY))
    with open(os.path.join(HERE, "winnow", "conditions.txt"), "wb") as f:
        f.write(_conditions())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _build_in_place()
    return _wheel(wheel_directory, [("__editable__.winnow.pth", (HERE + "\n").encode())])


def build_sdist(sdist_directory, config_settings=None):
    raise UnsupportedOperation("the sources are the whole repository: build a wheel in it")


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_editable = get_requires_for_build_wheel

if __name__ == "__main__":
    _build_in_place()
