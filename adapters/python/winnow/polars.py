"""Scans as LazyFrames of Polars, whose conditions, columns and limits reach the scan.

    winnow.polars.scan("f.parquet").filter(pl.col("a") > 3).select("b").collect()

A condition that means the same in a scan is part of the scan. It is applied by Polars
again, as all others are, so that the rows are those that Polars means.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl
from polars.io.plugins import register_io_source

from ._polars_where import where_of
from ._pushdown import REFUSED, accepted, select, takes_conditions
from ._scan import Batch, Scan
from ._scan import scan as _scan

__all__ = ["scan"]


def scan(paths: Any, columns: Any = None, where: str | None = None, **options: Any) -> pl.LazyFrame:
    """A scan as a LazyFrame. The arguments are those of winnow.scan."""
    base = _scan(paths, columns, where, **{"strings": "view", **options})
    found: list[pl.Schema] = []

    def schema() -> pl.Schema:
        if not found:
            found.append(pl.Schema(base))
        return found[0]

    def source(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        query = dict(base._query)
        if batch_size:
            query.setdefault("batch_rows", batch_size)
        if with_columns is not None:
            select(query, with_columns)
        pushed: list[str] = []
        if n_rows is not None:
            # The limit comes before the condition, so the scan can have the one or the other.
            query["limit"] = min(n_rows, query.get("limit", n_rows))
        elif predicate is not None and takes_conditions(query):
            pushed = where_of(predicate, schema())
        for batch in _batches(query, pushed):
            frame = pl.DataFrame(batch)
            if with_columns is not None:
                frame = frame.select(with_columns)
            yield frame if predicate is None else frame.filter(predicate)

    return register_io_source(source, schema=schema, explain_name="winnow", explain_detail=", ".join(base._query["paths"]))


def _batches(query: dict[str, Any], pushed: list[str]) -> Iterator[Batch]:
    """The batches of a scan with conditions besides its own. Those that it refuses are left to Polars."""
    try:
        rows = Scan({**query, "pushed": pushed} if pushed else query).batches()
        first = next(rows, None)
    except REFUSED:
        if not pushed:
            raise
        taken = accepted(query, pushed)
        yield from _batches(query, taken if len(taken) < len(pushed) else [])
        return
    if first is not None:
        yield first
        yield from rows

