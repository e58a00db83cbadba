"""Scans as data sets of pyarrow, into which DuckDB and others push columns and conditions."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyarrow import dataset as ds  # type: ignore[import-untyped, unused-ignore]

from ._arrow_where import conditions
from ._pushdown import REFUSED, accepted, select, takes_conditions


def _takes_any_strings() -> bool:
    """Whether DuckDB, which is at work, takes each layout of Arrow for a VARCHAR, whatever the schema says. Older ones read
    bytes by the schema."""
    version: str = getattr(sys.modules.get("duckdb"), "__version__", "0")
    return int(version.partition(".")[0]) >= 2


class _Scanner:
    """The function scanner of data sets. DuckDB calls that of the class, for a reader alone: pyarrow's scanner takes a
    quarter of the time of a query that reads few columns."""

    def __get__(self, dataset: ScanDataset | None, owner: type[ScanDataset]) -> Callable[..., Any]:
        return functools.partial(owner._scanner, bare=True) if dataset is None else dataset._scanner


# InMemoryDataset has no rows for what asks the class below it for some.
class ScanDataset(ds.InMemoryDataset):  # type: ignore[misc, unused-ignore]
    """A scan as a data set. Each use runs the scan, which reads the columns that are wanted, and of these the rows
    that pass a filter. pyarrow applies what the scan cannot test."""

    def __init__(self, scan: Any) -> None:
        self._scan = self._run = scan  # a winnow.Scan
        if scan._query.get("strings") in (None, "view"):  # pyarrow filters no views, and DuckDB pushes nothing where one is
            self._run = scan._with(strings="string")
        super().__init__(pa.schema(self._run).empty_table())

    def __repr__(self) -> str:
        return f"<a data set of {self._scan!r}>"

    def __reduce__(self) -> tuple[type[ScanDataset], tuple[Any]]:
        return ScanDataset, (self._scan,)

    scanner = _Scanner()

    def _scanner(self, columns: Any = None, filter: Any = None, bare: bool = False, **options: Any) -> Any:
        """What reads columns, or expressions by their names, of the rows that pass a filter. It reads once. If bare,
        and if the scan does all, it has a reader and nothing else."""
        names, rows = self.schema.names, options.pop("batch_size", 0)

        def scanner(pushed: list[str], rest: Any, needed: set[str]) -> Any:
            changed = {"pushed": pushed, "batch_rows": rows or self._run._query.get("batch_rows", 0)}
            if isinstance(columns, list):
                needed = needed.union(columns).intersection(names)
                changed |= select(self._run._query, [name for name in dict.fromkeys([*columns, *names]) if name in needed])
            alone = bare and rest is None
            if alone and self._run is not self._scan and _takes_any_strings():
                changed["strings"] = "any"
            reader = pa.RecordBatchReader.from_stream(self._run._with(**changed))
            if alone and columns in (None, reader.schema.names):
                return SimpleNamespace(to_reader=lambda: reader)
            return ds.Scanner.from_batches(reader, columns=columns, filter=rest, **{"batch_readahead": 1, **options})

        return self._push(filter, scanner)

    def count_rows(self, filter: Any = None, **options: Any) -> int:
        """How many rows pass a filter. Metadata tell where they can."""
        rows = self._push(filter, lambda pushed, rest, _: rest is None and self._run._with(pushed=pushed).count())
        return int(self.scanner([], filter, **options).count_rows()) if rows is False else int(rows)

    def _push(self, filter: Any, run: Callable[[list[str], Any, set[str]], Any]) -> Any:
        """What run returns with the conditions of a filter that the scan takes. If they are not all of it, pyarrow
        has to apply the filter, and needs its columns."""
        if filter is None:
            return run([], None, set())
        pushed, whole, columns = conditions(filter, self.schema)
        if not takes_conditions(self._run._query):
            return run([], filter, columns)
        try:
            return run(pushed, *((None, set()) if whole else (filter, columns)))
        except REFUSED:
            return run(accepted(self._run, pushed), filter, columns)


def _no(name: str) -> Any:
    def refuse(self: ScanDataset, *_: Any, **__: Any) -> Any:
        raise NotImplementedError(f"a scan has no {name}: make it a table with to_table()")

    return refuse


for _name in ("get_fragments", "filter", "replace_schema", "join", "join_asof", "sort_by", "_get_fragments"):
    setattr(ScanDataset, _name, _no(_name))
