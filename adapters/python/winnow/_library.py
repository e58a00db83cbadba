"""The C library: loading it, calling it, and capsules for what it makes.

The lock of Python is released while a function of the library runs.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import threading
from ctypes import POINTER, byref, c_char_p, c_int, c_int64, c_uint64, c_void_p, py_object, pythonapi
from typing import Any

from ._errors import CancelledError, from_failure

_NAMES = {"darwin": "libwinnow.dylib", "win32": "winnow.dll"}


class _Python(ctypes.Structure):
    """struct winnow_python of winnow.h."""

    _fields_ = [("main_thread", c_uint64)] + [
        (name, c_void_p)
        for name in ("is_initialized", "ensure", "release", "check_signals", "fetch", "decref", "thread", "raise_later", "is_valid", "pointer")
    ]


def _address(function: Any) -> int | None:
    return ctypes.cast(function, c_void_p).value


def _load() -> ctypes.CDLL:
    folder = os.path.dirname(os.path.abspath(__file__))
    name = _NAMES.get(sys.platform, "libwinnow.so")
    if not os.path.exists(os.path.join(folder, name)):
        raise ImportError(f"no {name} in {folder}: install the package (pip install ./adapters/python), and run Python in another folder than its source")
    lib = ctypes.CDLL(os.path.join(folder, name))
    scan, text = ctypes.c_size_t, POINTER(c_void_p)
    for name, arguments in {
        "open": [c_char_p, POINTER(scan)],
        "schema": [scan, c_void_p],
        "stream": [scan, c_void_p, c_void_p],
        "next": [c_void_p, c_void_p],
        "count": [scan, POINTER(c_int64)],
        "extreme": [scan, c_char_p, c_int, text],
        "files": [scan, text],
        "explain": [scan, c_int64, c_int64, text],
        "stats": [scan, text],
    }.items():
        function = getattr(lib, "winnow_" + name)
        function.argtypes, function.restype = arguments, c_void_p  # a text to be freed: not c_char_p
    lib.winnow_cancel.argtypes, lib.winnow_cancel.restype = [scan], None
    lib.winnow_free.argtypes, lib.winnow_free.restype = [c_void_p], None
    for name in ("stream", "schema", "array"):
        getattr(lib, "winnow_new_" + name).restype = c_void_p
    main = threading.main_thread().ident
    python = _Python(
        main or 0,
        *map(
            _address,
            (
                pythonapi.Py_IsInitialized,
                pythonapi.PyGILState_Ensure,
                pythonapi.PyGILState_Release,
                pythonapi.PyErr_CheckSignals,
                pythonapi.PyErr_Fetch,
                pythonapi.Py_DecRef,
                pythonapi.PyThread_get_thread_ident,
                pythonapi.PyThreadState_SetAsyncExc,
                pythonapi.PyCapsule_IsValid,
                pythonapi.PyCapsule_GetPointer,
            ),
        ),
    )
    lib.winnow_use_python(byref(python))
    return lib


lib = _load()
_forked = c_int.in_dll(lib, "winnow_forked")


def forked() -> bool:
    """Whether this process was forked from one that had loaded the library."""
    return bool(_forked.value)


def take(text: int) -> str:
    """The text of the library at an address, which is freed."""
    try:
        return ctypes.string_at(text).decode("utf-8", "replace")
    finally:
        lib.winnow_free(text)


def check(error: int | None) -> None:
    """Raises the error that a function of the library returned, if any."""
    if not error:
        return
    exception = from_failure(json.loads(take(error)))
    if isinstance(exception, CancelledError):
        # A signal ended the call. What its handler raised comes when Python next looks for it.
        for _ in range(10_000):
            pass
    raise exception from None


_new_capsule = ctypes.PYFUNCTYPE(py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", pythonapi))
_pointer_of = ctypes.PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", pythonapi))

# Capsules keep the address of their name.
_CAPSULES = {
    kind: (c_char_p(name), getattr(lib, "winnow_new_" + kind), _address(getattr(lib, "winnow_drop_" + kind)))
    for kind, name in {"stream": b"arrow_array_stream", "schema": b"arrow_schema", "array": b"arrow_array"}.items()
}


def capsule(kind: str) -> tuple[Any, int]:
    """A capsule with a structure that is all zero, and the structure's address."""
    name, new, drop = _CAPSULES[kind]
    pointer = new()
    if not pointer:
        raise MemoryError
    return _new_capsule(pointer, name, drop), pointer


_SCAN = (c_char_p(b"winnow_scan"), _address(lib.winnow_drop_scan))


def owner(handle: int) -> Any:
    """What closes a scan when it goes. A __del__ would run code of Python, in which a signal that ended
    the scan would be raised, and lost."""
    return _new_capsule(handle, *_SCAN)


def pointer_of(capsule: Any, kind: str) -> int:
    """The address of the structure in somebody's capsule."""
    pointer: int = _pointer_of(capsule, _CAPSULES[kind][0])
    return pointer


def text_from(function: Any, *arguments: Any) -> Any:
    """Calls a function that writes a JSON text to its last argument, and returns its value."""
    text = c_void_p()
    check(function(*arguments, byref(text)))
    assert text.value is not None
    return json.loads(take(text.value))
