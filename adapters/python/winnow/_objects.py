"""File objects as files of a scan: the library calls read for a range of one."""

from __future__ import annotations

import ctypes
import io
import itertools
import operator
import threading
import traceback
import weakref
from typing import Any

_numbers = itertools.count(1)
_MOST_RAISED = 100  # exceptions that are kept of an object: each of a scan's threads may have one, and the scan tells of one


class FileObject:
    """A file object, or bytes, as a file of a scan. One range is read at a time."""

    def __init__(self, file: Any) -> None:
        if isinstance(file, io.TextIOBase):
            raise TypeError("a file object must be open in binary mode: open(path, 'rb')")
        self.file, self.number = file, next(_numbers)
        names = (getattr(file, name, None) for name in ("full_name", "path", "name"))  # the first two are fsspec's
        self.name = next((n for n in names if isinstance(n, str) and n), f"<{type(file).__name__} {self.number}>")
        with _making:
            self.lock = _locks.setdefault(id(file), threading.Lock())
        self.raised: dict[int, BaseException] = {}  # the last exceptions of all threads, by their numbers
        _open[self.number] = self

    def __repr__(self) -> str:
        return repr(self.file)

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[type[FileObject], tuple[Any]]:
        return FileObject, (self.file,)

    def read(self, offset: int, into: memoryview) -> int:
        """Reads bytes until into is full or the file ends, and returns how many."""
        got = 0
        with self.lock:
            self.file.seek(offset)
            while got < len(into):
                rest = into[got:]
                if hasattr(self.file, "readinto"):
                    n = self.file.readinto(rest)
                else:
                    data = self.file.read(len(rest))
                    if (n := len(data)) <= len(rest):
                        rest[:n] = data
                if n is None or not 0 <= operator.index(n) <= len(rest):
                    raise OSError(f"{self.name}: a read of {len(rest)} bytes returned {n}")
                if not n:
                    break
                got += n
        return got

    def size(self) -> int:
        with self.lock:
            size = self.file.seek(0, io.SEEK_END)
            if size is None:  # as older files have it
                size = self.file.tell()
        if not 0 <= operator.index(size) < 1 << 63:
            raise OSError(f"{self.name}: the end of the file is at {size}")
        return operator.index(size)


# Several FileObjects of one object share its lock: seek and read belong together.
_locks: weakref.WeakValueDictionary[int, threading.Lock] = weakref.WeakValueDictionary()
_making = threading.RLock()  # a garbage collection may make another one
_open: weakref.WeakValueDictionary[int, FileObject] = weakref.WeakValueDictionary()


def _read(number: int, offset: int, length: int, into: int | None) -> int:
    """The function read of struct winnow_python."""
    file = _open.get(number)
    if file is None:
        return -(1 << 63)
    try:
        if not into:
            return file.size()
        memory = memoryview((ctypes.c_char * length).from_address(into)).cast("B")
        if offset >= 0:
            return file.read(offset, memory)
        e = file.raised.get(-offset)
        text = traceback.format_exception_only(type(e), e)[-1].strip().encode("utf-8", "replace")[:length]  # whatever its __str__ does
        memory[: len(text)] = text
        return len(text)
    except BaseException as e:
        file.raised[number := next(_numbers)] = e
        if len(file.raised) > _MOST_RAISED:
            file.raised.pop(min(file.raised), None)
        return -number


read = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_uint64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)(_read)


def raised(number: int, exception: int) -> BaseException | None:
    """The exception of an object with a number, once, unless it has raised many since."""
    file = _open.get(number)
    return file.raised.pop(exception, None) if file else None
