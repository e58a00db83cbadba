"""Scans of Parquet files that cost what their answer costs.

    import pyarrow, winnow
    scan = winnow.scan("orders.parquet", ["id", "price"], "price > 100 AND region = 'EU'")
    table = pyarrow.table(scan)

winnow.polars has scans as LazyFrames.
"""

# Modules import only those before them, some of them in functions, as pyarrow may not be there:
#
#   _language _errors _objects _values _plan < _arguments _library _where < _pushdown _arrow_where < _dataset < _scan
#   _scan < polars, which has _polars_table < _polars_where, and spark, which has _spark_types and _spark_filters

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
from ._plan import PageMap, Plan
from ._scan import Batch, File, Progress, Scan, Split, scan
from ._where import where

__version__ = "0.1.0"

__all__ = [
    "Batch", "CancelledError", "ChangedError", "CorruptError", "EncryptedError", "Error", "File", "ForkError", "InternalError",
    "MemoryLimitError", "MismatchError", "NoColumnError", "NotFoundError", "OptionsError", "PageMap", "PermissionDeniedError",
    "Plan", "Progress", "Scan", "Split", "UnsupportedError", "WhereError", "scan", "where",
]  # fmt: skip
