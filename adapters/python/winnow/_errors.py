"""The exceptions of winnow."""

from __future__ import annotations

import re
from typing import Any


_KINDS: dict[str, type[Error]] = {}  # as the library calls them


class Error(Exception):
    """An error of a scan, with the place that it is about. None stands for what is not known."""

    file: str | None
    row_group: int | None
    column: str | None
    page: int | None
    offset: int | None

    def __init_subclass__(cls, kind: str = "") -> None:
        _KINDS.setdefault(kind, cls)

    def __init__(self, message: str, **place: Any) -> None:
        super().__init__(message)
        for name in ("file", "row_group", "column", "page", "offset"):
            setattr(self, name, place.get(name))

    @property
    def filename(self) -> str | None:
        """The file, by the name that OSError has for it."""
        return self.file


class CorruptError(Error, kind="corrupt"):
    """Bytes that break the format."""


class UnsupportedError(Error, kind="unsupported"):
    """A file that may be right but needs something that winnow cannot do."""


class EncryptedError(Error, kind="encrypted"):
    """An encrypted file or column."""


class ChangedError(Error, kind="changed"):
    """A file that changed while it was read."""


class OptionsError(Error, ValueError, kind="options"):
    """Arguments that make no sense, alone or together."""


class WhereError(OptionsError, kind="where"):
    """A condition that is wrong. The message shows the place in its text."""


class NoColumnError(OptionsError, kind="no_column"):
    """A column that the file lacks, also in a condition. Then the message shows the place in its text."""


class MismatchError(Error, TypeError, kind="mismatch"):
    """A column whose values cannot have the wanted type."""


class MemoryLimitError(Error, MemoryError, kind="memory"):
    """A page that alone is larger than the memory that the scan may use."""


class NotFoundError(Error, FileNotFoundError, kind="not_found"):
    """A file that is not there, or a pattern that no file matches."""


class PermissionDeniedError(Error, PermissionError, kind="permission"):
    """A file that may not be read."""


class CancelledError(Error, kind="cancelled"):
    """A scan that was ended by cancel, or by a signal."""


class ForkError(Error, RuntimeError, kind="fork"):
    """A use in a forked process."""


class InternalError(Error, kind="internal"):
    """A fault of winnow itself."""


# The path that leads to no column, in the text of an error.
_MISSING = re.compile(r'no column ((?:(?:"(?:[^"]|"")*"|[^\s".,]+)\.?)+)')


def from_failure(failure: dict[str, Any]) -> Error:
    """The exception for an error of the library."""
    if failure["kind"] == "no_column" and (missing := _MISSING.search(failure["message"])):
        failure.setdefault("column", missing[1].rstrip(".:;"))
    return _KINDS.get(failure.pop("kind"), Error)(failure.pop("message"), **failure)
