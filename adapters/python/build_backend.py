"""Builds the wheel: PEP 517 and 660 without anything but Python, Go and a C compiler.

The tag of the wheel is py3-none-PLATFORM: the library is called by ctypes, so it fits each
version of Python. The setting platform names another platform than this one. That of a
manylinux_2_17_x86_64, say, is built by zig, which has the glibc of each version and machine.
"""

import base64
import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIBRARY = {"darwin": "libwinnow.dylib", "win32": "winnow.dll"}.get(sys.platform, "libwinnow.so")
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}  # as zig and Go call them
ZIG = "ziglang==0.17.1"


def _field(name):
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as f:
        return re.search(rf'^{name} = "(.*)"$', f.read(), re.M)[1]


def _metadata(licences=("LICENSE",)):
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as f:
        readme = f.read()
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as f:
        extras = re.findall(r"^(\w+) = \[(.*)\]$", f.read().partition("[project.optional-dependencies]")[2], re.M)
    told = "".join(f"License-File: {name}\n" for name in licences)
    needs = "".join(f"Provides-Extra: {e}\n" + "".join(f"Requires-Dist: {n}; extra == '{e}'\n" for n in re.findall('"(.*?)"', ns)) for e, ns in extras)
    return (
        f"Metadata-Version: 2.4\nName: {_field('name')}\nVersion: {_field('version')}\nSummary: {_field('description')}\n"
        f"License-Expression: {_field('license')}\n{told}Requires-Python: {_field('requires-python')}\n{needs}"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    )


def _platform(settings):
    return (settings or {}).get("platform") or re.sub(r"[-.]", "_", sysconfig.get_platform())


def _target(settings):
    """What in the environment makes Go build for a platform of manylinux, nothing for others."""
    found = re.fullmatch(r"manylinux_(\d+)_(\d+)_(\w+)", _platform(settings))
    if not found:
        return {}
    if found[3] not in ARCHITECTURES:
        raise SystemExit(f"winnow: platform {found[0]} is none of manylinux on {' and '.join(ARCHITECTURES)}")
    compiler = f"{shlex.quote(sys.executable)} -m ziglang cc -target {found[3]}-linux-gnu.{found[1]}.{found[2]}"
    return {"GOOS": "linux", "GOARCH": ARCHITECTURES[found[3]], "CC": compiler}


def _conditions():
    """The language of conditions, as package filter tells it."""
    doc = _read(os.path.join(ROOT, "filter", "doc.go")).decode()
    lines = doc[doc.index("// # The text") : doc.index("// # Conditions that come later")].splitlines()
    return "".join(line.removeprefix("//").removeprefix(" ").expandtabs(4) + "\n" for line in lines).encode()


def _go(*command, target={}):
    """What a command of Go says of the library, by lines. Without Go or a C compiler, one line says so."""
    needs = "winnow: its library is built with Go and a C compiler"
    if not shutil.which("go"):
        raise SystemExit(f"{needs}, and there is no go in the PATH")
    env = {**os.environ, **target, "CGO_ENABLED": "1"}
    compiler = shlex.split(subprocess.run(["go", "env", "CC"], cwd=HERE, stdout=subprocess.PIPE, text=True, env=env).stdout)
    if not shutil.which("".join(compiler[:1])):
        raise SystemExit(f"{needs}, and there is no {' '.join(compiler) or 'gcc'} in the PATH: CC names the compiler")
    run = subprocess.run(["go", *command], cwd=HERE, stdout=subprocess.PIPE, text=True, env=env)
    if run.returncode:
        raise SystemExit(f"winnow: go {command[0]} failed, as it says above")
    return run.stdout.splitlines()


def build_library(path, target={}):
    """Compiles the library, with Go in the path and the C compiler of $CC, or for a target."""
    _go("build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", path, ".", target=target)


def _licences(target):
    """The licence of winnow, those of Go and of the modules that are in the library: names in the wheel, and bytes."""
    yield "LICENSE", _read(os.path.join(ROOT, "LICENSE"))
    modules = [f"go {root}" for root in _go("env", "GOROOT")]
    modules += sorted(set(_go("list", "-deps", "-f", "{{with .Module}}{{if .Version}}{{if not .Replace}}{{.Path}} {{.Dir}}{{end}}{{end}}{{end}}", ".", target=target)))
    for line in modules:
        module, _, folder = line.partition(" ")
        for name in sorted(os.listdir(folder)) if folder else ():
            if re.match("licen[sc]e|notice|copying", name, re.I):
                yield f"{module}/{name}", _read(os.path.join(folder, name))


def _digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _wheel(folder, platform, files, licences=()):
    """Writes a wheel of the given files: names and bytes."""
    tag = f"py3-none-{platform}"
    name, licences = f"{_field('name')}-{_field('version')}", list(licences)
    info = name + ".dist-info/"
    files = [
        *files,
        *((info + "licenses/" + path, data) for path, data in licences),
        (info + "METADATA", _metadata(path for path, _ in licences).encode()),
        (info + "WHEEL", f"Wheel-Version: 1.0\nGenerator: winnow\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()),
    ]
    record = "".join(f"{n},{_digest(data)},{len(data)}\n" for n, data in files) + f"{info}RECORD,,\n"
    wheel = f"{name}-{tag}.whl"
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
    package, target = os.path.join(HERE, "winnow"), _target(config_settings)
    files = [
        ("winnow/" + n, _read(os.path.join(package, n))) for n in sorted(os.listdir(package)) if n.endswith((".py", ".pyi", ".typed"))
    ]
    files.append(("winnow/conditions.txt", _conditions()))
    files.append(("winnow/winnow.h", _read(os.path.join(HERE, "winnow.h"))))
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, LIBRARY)
        build_library(library, target)
        files.append(("winnow/" + LIBRARY, _read(library)))
    return _wheel(wheel_directory, _platform(config_settings), files, _licences(target))


def _build_in_place():
    build_library(os.path.join(HERE, "winnow", LIBRARY))
    with open(os.path.join(HERE, "winnow", "conditions.txt"), "wb") as f:
        f.write(_conditions())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _build_in_place()
    return _wheel(wheel_directory, _platform(None), [("__editable__.winnow.pth", (HERE + "\n").encode())])


def build_sdist(sdist_directory, config_settings=None):
    """Writes the sources that the library is made of, in the folders of the repository."""
    kinds = ("GoFiles", "CgoFiles", "CFiles", "HFiles", "SFiles", "EmbedFiles", "IgnoredGoFiles", "IgnoredOtherFiles")
    each = "".join(f"{{{{range .{kind}}}}}{{{{$.Dir}}}}/{{{{.}}}}\n{{{{end}}}}" for kind in kinds)
    modules = "{{.Module.Dir}}/go.mod\n{{.Module.Dir}}/go.sum\n"
    listed = _go("list", "-deps", "-f", "{{if .Module}}" + each + modules + "{{end}}", ".")
    package = os.path.join(HERE, "winnow")
    own = [os.path.join(package, n) for n in os.listdir(package) if n.endswith((".py", ".typed"))]
    own += [os.path.join(HERE, n) for n in ("README.md", "build_backend.py", "pyproject.toml")] + [os.path.join(ROOT, "LICENSE")]
    files = {os.path.relpath(f, ROOT): _read(f) for f in [*listed, *own] if f.startswith(ROOT + os.sep) and not f.endswith("_test.go")}
    here = os.path.relpath(HERE, ROOT).replace(os.sep, "/")
    project = files[os.path.join(here, "pyproject.toml")].decode().replace('backend-path = ["."]', f'backend-path = ["{here}"]')
    files["pyproject.toml"] = project.replace('readme = "', f'readme = "{here}/').encode()
    files["PKG-INFO"] = _metadata().encode()
    name = f"{_field('name')}-{_field('version')}"
    with tarfile.open(os.path.join(sdist_directory, name + ".tar.gz"), "w:gz") as tar:
        for path, data in sorted(files.items()):
            entry = tarfile.TarInfo(f"{name}/{path}".replace(os.sep, "/"))
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return name + ".tar.gz"


def get_requires_for_build_wheel(config_settings=None):
    return [ZIG] if _target(config_settings) else []


if __name__ == "__main__":
    _build_in_place()
