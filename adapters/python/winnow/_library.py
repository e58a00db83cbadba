"""The C library: loading it, calling it, and capsules for what it makes.

The lock of Python is released while a function of the library runs.

The library is a program in Go, which does not survive a fork. It is loaded when it is first used, so that
processes which only import the package can be forked.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import json
import os
import sys
import threading
from ctypes import POINTER, byref, c_char_p, c_int64, c_uint64, c_void_p, py_object, pythonapi
from typing import Any

from ._errors import from_failure
from ._objects import raised, read

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_NAME = {"darwin": "libwinnow.dylib", "win32": "winnow.dll"}.get(sys.platform, "libwinnow.so")
_interpreter = ctypes.PYFUNCTYPE(c_void_p)(("PyInterpreterState_Get", pythonapi))
_number_of = ctypes.PYFUNCTYPE(c_int64, c_void_p)(("PyInterpreterState_GetID", pythonapi))
if _number_of(_interpreter()) != 0:
    raise ImportError("winnow works in the main interpreter of a process, and this is another one: use threads or processes")
if not os.path.exists(os.path.join(_FOLDER, _NAME)):
    raise ImportError(f"no {_NAME} in {_FOLDER}: install the package (pip install ./adapters/python), and run Python in another folder than its source")

_TRACING = (sys.gettrace, sys.settrace)  # kept, as the library has their addresses
_CALLED = {  # what the library calls of Python, by the names in winnow.h
    "is_initialized": pythonapi.Py_IsInitialized,
    "ensure": pythonapi.PyGILState_Ensure,
    "release": pythonapi.PyGILState_Release,
    "check_signals": pythonapi.PyErr_CheckSignals,
    "fetch": pythonapi.PyErr_Fetch,
    "restore": pythonapi.PyErr_Restore,
    "add_traceback": pythonapi.PyTraceBack_Here,
    "frame": pythonapi.PyEval_GetFrame,
    "set_trace": pythonapi.PyEval_SetTrace,
    "call": pythonapi.PyObject_CallFunctionObjArgs,
    "incref": pythonapi.Py_IncRef,
    "decref": pythonapi.Py_DecRef,
    "thread": getattr(pythonapi, "PyThreadState_GetUnchecked", None) or pythonapi._PyThreadState_UncheckedGet,
    "this_thread": pythonapi.PyGILState_GetThisThreadState,
    "unlock": pythonapi.PyEval_SaveThread,
    "lock": pythonapi.PyEval_RestoreThread,
    "read": read,
    "is_valid": pythonapi.PyCapsule_IsValid,
    "pointer": pythonapi.PyCapsule_GetPointer,
}


class _Python(ctypes.Structure):
    """struct winnow_python of winnow.h."""

    _fields_ = [("main_thread", c_uint64)] + [(name, c_void_p) for name in ("get_trace_function", "set_trace_function", *_CALLED)]


def _address(function: Any) -> int | None:
    return ctypes.cast(function, c_void_p).value


@functools.cache
def library() -> ctypes.CDLL:
    """The library, which is loaded at the first call."""
    lib = ctypes.CDLL(os.path.join(_FOLDER, _NAME))
    scan, text = ctypes.c_size_t, POINTER(c_void_p)
    for name, arguments in {
        "open": [c_char_p, POINTER(scan)],
        "schema": [scan, c_void_p],
        "stream": [scan, c_void_p, c_void_p],
        "next": [c_void_p, c_void_p, c_void_p, POINTER(c_int64)],
        "ask": [scan, c_char_p, text],
    }.items():
        function = getattr(lib, "winnow_" + name)
        function.argtypes, function.restype = arguments, c_void_p  # a text to be freed: not c_char_p
    lib.winnow_cancel.argtypes, lib.winnow_cancel.restype = [scan], None
    lib.winnow_free.argtypes, lib.winnow_free.restype = [c_void_p], None
    lib.winnow_keep.argtypes, lib.winnow_keep.restype = [c_void_p, py_object], None
    lib.winnow_end.restype = None
    lib.winnow_new.restype = c_void_p
    main = threading.main_thread().ident
    lib.winnow_use_python(byref(_Python(main or 0, *map(id, _TRACING), *map(_address, _CALLED.values()))))
    atexit.register(lib.winnow_end)
    return lib


def take(text: int) -> str:
    """The text of the library at an address, which is freed."""
    try:
        return ctypes.string_at(text).decode("utf-8", "replace")
    finally:
        library().winnow_free(text)


@functools.cache
def _raise_kept() -> Any:
    return ctypes.PYFUNCTYPE(None)(("winnow_raise", library()))  # it raises what the function leaves


def check(error: int | None) -> None:
    """Raises the error that a function of the library returned, if any. What a handler of signals raised
    meanwhile comes before it, and also without an error."""
    failure = json.loads(take(error)) if error else None
    own = failure and raised(failure.pop("object", 0), failure.pop("raised", 0))
    _raise_kept()()
    if own:
        raise own  # of a file object
    if failure:
        raise from_failure(failure) from None


_new_capsule = ctypes.PYFUNCTYPE(py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", pythonapi))
_pointer_of = ctypes.PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", pythonapi))

# Capsules keep the address of their name.
_CAPSULES = {"stream": c_char_p(b"arrow_array_stream"), "schema": c_char_p(b"arrow_schema"), "array": c_char_p(b"arrow_array"), "scan": c_char_p(b"winnow_scan")}


@functools.cache
def _destructor() -> int | None:
    return _address(library().winnow_drop)


def capsule(kind: str) -> tuple[Any, int]:
    """A capsule with a structure that is all zero, and the structure's address."""
    pointer = library().winnow_new()
    if not pointer:
        raise MemoryError
    return _new_capsule(pointer, _CAPSULES[kind], _destructor()), pointer


def owner(handle: int) -> Any:
    """What closes a scan when it goes. A __del__ would run code of Python, in which a signal that ended
    the scan would be raised, and lost."""
    return _new_capsule(handle, _CAPSULES["scan"], _destructor())


def pointer_of(capsule: Any, kind: str) -> int:
    """The address of the structure in somebody's capsule."""
    pointer: int = _pointer_of(capsule, _CAPSULES[kind])
    return pointer


def ask(handle: int, question: str, **more: Any) -> Any:
    """The answer of a scan to a question of winnow.h."""
    text = c_void_p()
    check(library().winnow_ask(handle, json.dumps({"ask": question, **more}).encode(), byref(text)))
    assert text.value is not None
    return json.loads(take(text.value))
