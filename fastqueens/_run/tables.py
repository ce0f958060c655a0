"""Tables as text for terminals, files and interactive Python, and as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import accumulate, chain
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
        cells, over = [*self.headings, *chain.from_iterable(self.groups.values())], len(self.headings)
        lines = aligned(cells, 2, over)
        if width is not None and max(map(len, lines)) > width:
            lines = aligned(cells, 1, over)
        rest = iter(lines)
        text = [next(rest) for _ in self.headings]
        for title, rows in self.groups.items():
            text += [f"\n{title}" if title else "-" * max(map(len, lines)), *(next(rest) for _ in rows)]
        return "\n".join(text)

    def html(self) -> str:
        """Return the table as HTML."""
        names = [" ".join(filter(None, parts)) for parts in zip(*self.headings, strict=True)]
        lines = [_html_row(names, "th")]
        for title, rows in self.groups.items():
            lines += [f'<tr><th colspan="{len(names)}"{_LEFT}>{escape(title)}</th></tr>'] if title else []
            lines += [_html_row(row, "td") for row in rows]
        return f"<table>{''.join(lines)}</table>"


def aligned(lines: Rows, gap: int = 1, over: int = 0) -> list[str]:
    """Return lines of cells as text, with the first column aligned to the left and the others to the right.

    In the first lines, so many as ``over``, a cell can reach over an empty cell at its left.

    >>> aligned([["algorithm", "seed"], ["steepest", "3"]])
    ['algorithm seed', 'steepest     3']
    >>> aligned([["", "", "evaluations"], ["algorithm", "steps", ""], ["steepest", "3", "228"]], over=2)
    ['          evaluations', 'algorithm steps', 'steepest      3   228']
    """
    widths = [max(len(line[0]) for line in lines)]
    for column in range(1, len(lines[0])):
        free = [at < over and column > 1 and not line[column - 1] for at, line in enumerate(lines)]
        room = widths[-1] + gap
        widths.append(max(len(line[column]) - room * is_free for line, is_free in zip(lines, free, strict=True)))
    ends = list(accumulate(widths, lambda end, width: end + gap + width))
    laid_out = []
    for cells in lines:
        text = cells[0]
        for cell, end in zip(cells[1:], ends[1:], strict=True):
            text += cell.rjust(end - len(text)) if cell else ""
        laid_out.append(text.rstrip())
    return laid_out


def _html_row(cells: Iterable[str], tag: str) -> str:
    first, *others = (f">{escape(cell)}</{tag}>" for cell in cells)
    return f"<tr><{tag}{_LEFT}{first}{''.join(f'<{tag}{other}' for other in others)}</tr>"
