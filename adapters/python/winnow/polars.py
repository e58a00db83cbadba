"""Scans as LazyFrames of Polars, whose conditions, columns and limits reach the scan.

    winnow.polars.scan("f.parquet").filter(pl.col("a") > 3).select("b").collect()

A condition that means the same in a scan is part of the scan. It is applied by Polars
again, as all others are, so that the rows are those that Polars means.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any, cast

import polars as pl
from polars.io.plugins import register_io_source

from ._polars_where import where_of
from ._pushdown import REFUSED, accepted, select, takes_conditions
from ._scan import Batch, Scan
from ._scan import scan as _scan

__all__ = ["scan"]

_ROWS = 65536  # of a frame of several batches
_log = logging.getLogger("winnow.polars")  # which scans ran, with all that reached them


def scan(paths: Any, columns: Any = None, where: str | Sequence[Any] | None = None, **options: Any) -> pl.LazyFrame:
    """A scan as a LazyFrame. The arguments are those of winnow.scan."""
    base = _scan(paths, columns, where, **{"strings": "view", **options})
    frame = _lazy(base._query)
    frame.__class__ = _Frame
    frame._query = base._query  # type: ignore[attr-defined]
    return frame


class _Frame(pl.LazyFrame):
    """A scan, or what is made of one. Of a scan alone, metadata tell the number of rows, and where the last are."""

    _query: dict[str, Any] | None = None  # of a scan alone

    def select(self, *exprs: Any, **named: Any) -> pl.LazyFrame:
        if self._query is None or named or len(exprs) != 1 or not isinstance(exprs[0], pl.Expr) or not exprs[0].meta.eq(pl.len()):
            return super().select(*exprs, **named)
        query, schema = self._query, {"len": pl.get_index_type()}
        return pl.defer(lambda: pl.DataFrame({"len": [Scan(query).count()]}, schema), schema=schema)

    def tail(self, n: int = 5) -> pl.LazyFrame:
        if self._query is None or {"where", "limit", "offset"} & self._query.keys():
            return super().tail(n)
        return _lazy(self._query, n)


class _Schema(pl.Schema):
    """A schema of which Polars asks an empty frame for each query, which takes it long to make of many columns."""

    frame: pl.DataFrame

    def to_frame(self, *, eager: bool = True) -> Any:
        return self.frame if eager else self.frame.lazy()


def _lazy(base: dict[str, Any], last: int | None = None) -> pl.LazyFrame:
    """The rows of a query, or so many of the last."""
    found: list[_Schema] = []

    def schema() -> pl.Schema:
        if not found:
            frame = pl.DataFrame(Scan({**base, "limit": 0}))
            found.append(cast("_Schema", frame.schema))
            found[0].__class__, found[0].frame = _Schema, frame  # a copy would take as long again
        return found[0]

    def source(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        query = dict(base)
        if last is not None:
            query["offset"] = max(Scan(base).count() - last, 0)
        if batch_size:
            query.setdefault("batch_rows", batch_size)
        if with_columns is not None:
            query |= select(query, with_columns)
        pushed: list[str] = []
        if n_rows is not None:
            # The limit comes before the condition, so the scan can have the one or the other.
            query["limit"] = min(n_rows, query.get("limit", n_rows))
        elif predicate is not None and takes_conditions(query):
            pushed = where_of(predicate, schema())
        for frame in _frames(_batches(query, pushed)):
            if with_columns is not None:
                frame = frame.select(with_columns)
            yield frame if predicate is None else frame.filter(predicate)

    detail = ", ".join(map(str, base["paths"])) + "".join(f"; {name}: {base[name]}" for name in ("columns", "where", "offset", "limit") if name in base)
    return register_io_source(
        source, schema=schema, explain_name="winnow", explain_detail=" ".join(detail.split()) + ("" if last is None else f"; last {last} rows")
    )


def _frames(batches: Iterator[Batch]) -> Iterator[pl.DataFrame]:
    """Frames of some batches each. Polars takes 0.4 ms for each frame. It may want only the first rows that pass, so a
    frame has at most four times the batches of the one before."""
    some: list[pl.DataFrame] = []
    rows, most = 0, 1
    for batch in batches:
        some.append(pl.DataFrame(batch))
        rows += len(batch)
        if len(some) == most or rows >= _ROWS:
            yield pl.concat(some)
            some, rows, most = [], 0, 4 * most
    if some:
        yield pl.concat(some)


def _batches(query: dict[str, Any], pushed: list[str]) -> Iterator[Batch]:
    """The batches of a scan with conditions besides its own. Those that it refuses are left to Polars."""
    try:
        scan = Scan({**query, "pushed": pushed} if pushed else query)
        rows = scan.batches()
        first = next(rows, None)
    except REFUSED:
        if not pushed:
            raise
        taken = accepted(Scan(query), pushed)
        yield from _batches(query, taken if len(taken) < len(pushed) else [])
        return
    _log.debug("%r", scan)
    if first is not None:
        yield first
        yield from rows

