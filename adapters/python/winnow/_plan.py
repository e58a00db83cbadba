"""What metadata prove about a scan, for people."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

_REASONS = (("by_statistics", "statistics"), ("by_page_index", "page index"), ("by_bloom_filter", "Bloom filters"))


class Plan:
    """What metadata prove about a scan: which rows cannot pass, and which tests are settled.

    It is a table with a line for each row group. to_dict has the table as data.
    """

    def __init__(self, plan: dict[str, Any]) -> None:
        self._plan = plan

    def to_dict(self) -> dict[str, Any]:
        return self._plan

    @property
    def rows(self) -> int:
        """The rows of all files."""
        return sum(f["rows"] for f in self._plan["files"])

    @property
    def may_pass(self) -> int:
        """The rows that may pass the condition, as far as metadata tell."""
        return sum(g["may_pass"] for f in self._plan["files"] for g in f["row_groups"] or ())

    def _lines(self) -> Iterator[list[str]]:
        for f in self._plan["files"]:
            for g in f["row_groups"] or ():
                tests = []
                for t in g.get("tests", ()):
                    known = [f"{t[k]:,} {word}" for k, word in (("fail", "fail"), ("pass", "pass")) if t[k]]
                    tests.append(t["test"] + (f": {', '.join(known)}" if known else ""))
                yield [f["file"], str(g["row_group"]), f"{g['rows']:,}", f"{g['may_pass']:,}"] + [
                    f"{g[key]:,}" if g[key] else "" for key, _ in _REASONS
                ] + ["; ".join(tests)]

    _HEAD = ["file", "row group", "rows", "may pass"] + [name for _, name in _REASONS] + ["tests"]

    def _summary(self) -> str:
        text = f"{self.may_pass:,} of {self.rows:,} rows may pass"
        if self._plan.get("where"):
            text += f": {self._plan['where']}"
        if self._plan["files_left_out"]:
            text += f" ({self._plan['files_left_out']:,} more files)"
        return text

    def __str__(self) -> str:
        table = [self._HEAD, *self._lines()]
        widths = [max(map(len, column)) for column in zip(*table)]
        aligned = (str.ljust, *(str.rjust,) * (len(widths) - 2), str.ljust)
        lines = ["  ".join(pad(cell, width) for pad, cell, width in zip(aligned, line, widths)).rstrip() for line in table]
        return "\n".join([self._summary(), *lines])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        body = "".join(_html_row(line, "td") for line in self._lines())
        return f"<p>{escape(self._summary())}</p><table><thead>{_html_row(self._HEAD, 'th')}</thead><tbody>{body}</tbody></table>"


class PageMap:
    """Drawings of files, in SVG, that show which pages metadata rule out, and why. Notebooks show them."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.drawings: list[str] = [f["page_map"] for f in plan["files"]]

    def __repr__(self) -> str:
        return f"<winnow.PageMap of {len(self.drawings)} files, {sum(map(len, self.drawings)):,} characters of SVG>"

    def _repr_html_(self) -> str:
        return "".join(self.drawings)  # which have no scripts, and their texts are escaped


_WIDEST = 60  # cell of a table of rows, in characters


def rows_html(title: str, columns: list[str], rows: list[list[str | None]], shown: int, all_columns: int) -> str:
    """Rows of a scan, which are texts, for notebooks: those that are shown, of some of its columns."""
    body = "".join(_html_row(["NULL" if cell is None else _cut(cell) for cell in row], "td") for row in rows[:shown])
    more = ["more rows"] * (len(rows) > shown) + [f"{all_columns - len(columns):,} more columns"] * (len(columns) < all_columns)
    below = f"<p>… and {' and '.join(more)}</p>" if more else ""
    head = _html_row(list(map(_cut, columns)), "th")
    return f"<p>{escape(title)}</p><table><thead>{head}</thead><tbody>{body}</tbody></table>{below}"


def _cut(text: str) -> str:
    """A text that fits into a cell, with what would not show, or turn the line around, as Python escapes it."""
    text = text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _html_row(cells: list[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"
