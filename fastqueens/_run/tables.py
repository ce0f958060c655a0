"""Tables as text for terminals, files and interactive Python, and as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import chain
from typing import NamedTuple

Rows = Sequence[Sequence[str]]

#: The style of cells that are aligned to the left. By default, notebooks align cells to the right.
_LEFT = ' style="text-align: left; white-space: pre"'


class Table(NamedTuple):
    """A table with headings in one or more lines, and groups of rows, each under its title.

    The title "" stands for a horizontal line.
    """

    headings: Rows
    groups: Mapping[str, Rows]

    def text(self, width: int | None = None) -> str:
        """Return the table as text. If it is wider than ``width``, columns are separated by a single blank.

        >>> table = Table([("algorithm", "steps", "pairs")], {"": [("steepest", "3", "2"), ("beam", "11", "0")]})
        >>> print(table.text())
        algorithm  steps  pairs
        -----------------------
        steepest       3      2
        beam          11      0
        """
        cells = [*self.headings, *chain.from_iterable(self.groups.values())]
        lines = aligned(cells, 2)
        if width is not None and max(map(len, lines)) > width:
            lines = aligned(cells, 1)
        rest = iter(lines)
        text = [next(rest) for _ in self.headings]
        for title, rows in self.groups.items():
            text += [f"\n{title}" if title else "-" * max(map(len, lines)), *(next(rest) for _ in rows)]
        return "\n".join(text)

    def html(self) -> str:
        """Return the table as HTML."""
        names = [" ".join(filter(None, parts)).replace("- ", "") for parts in zip(*self.headings, strict=True)]
        lines = [_html_row(names, "th")]
        for title, rows in self.groups.items():
            lines += [f'<tr><th colspan="{len(names)}"{_LEFT}>{escape(title)}</th></tr>'] if title else []
            lines += [_html_row(row, "td") for row in rows]
        return f"<table>{''.join(lines)}</table>"


def aligned(lines: Rows, gap: int = 1) -> list[str]:
    """Return lines of cells as text, with the first column aligned to the left and the others to the right.

    >>> aligned([["algorithm", "seed"], ["steepest", "3"]])
    ['algorithm seed', 'steepest     3']
    """
    first, *others = (max(map(len, column)) for column in zip(*lines, strict=True))
    laid_out = []
    for cells in lines:
        right = (cell.rjust(gap + width) for cell, width in zip(cells[1:], others, strict=True))
        laid_out.append("".join([cells[0].ljust(first), *right]).rstrip())
    return laid_out


def _html_row(cells: Iterable[str], tag: str) -> str:
    first, *others = (f">{escape(cell)}</{tag}>" for cell in cells)
    return f"<tr><{tag}{_LEFT}{first}{''.join(f'<{tag}{other}' for other in others)}</tr>"
