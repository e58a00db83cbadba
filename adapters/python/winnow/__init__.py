"""Scans of Parquet files that cost what their answer costs.

    import pyarrow, winnow
    scan = winnow.scan("orders.parquet", ["id", "price"], "price > 100 AND region = 'EU'")
    table = pyarrow.table(scan)

winnow.polars has scans as LazyFrames.
"""

from ._errors import (
    CancelledError,
    ChangedError,
    CorruptError,
    EncryptedError,
    Error,
    ForkError,
    InternalError,
    MemoryLimitError,
    MismatchError,
    NoColumnError,
    NotFoundError,
    OptionsError,
    PermissionDeniedError,
    UnsupportedError,
    WhereError,
)
from ._plan import Plan
from ._scan import Batch, File, Progress, Scan, Split, scan

__all__ = [
    "Batch", "CancelledError", "ChangedError", "CorruptError", "EncryptedError", "Error", "File", "ForkError", "InternalError",
    "MemoryLimitError", "MismatchError", "NoColumnError", "NotFoundError", "OptionsError", "PermissionDeniedError", "Plan",
    "Progress", "Scan", "Split", "UnsupportedError", "WhereError", "scan",
]  # fmt: skip
