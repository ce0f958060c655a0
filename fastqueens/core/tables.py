"""Tables: as text for a prompt, a file, or a terminal of any width, and as HTML for notebooks."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import chain
from typing import NamedTuple

Rows = Sequence[Sequence[str]]

#: Notebooks align everything to the right.
_LEFT = ' style="text-align: left; white-space: pre"'


class Table(NamedTuple):
    """A table whose text is never cut.

    Attributes
    ----------
    headings : sequence of rows
        One line or several.
    groups : mapping of str to rows
        Rows by the title above them, "" for a rule.
    gap : int
        Spaces between columns.
    indented : str
        What the first cell of an indented row is called in a block, if not as the heading says.
    """

    headings: Rows
    groups: Mapping[str, Rows]
    gap: int = 2
    indented: str = ""

    def text(self, width: int | None = None) -> str:
        """Return the rows below each other; if that takes more than ``width`` columns, a block of lines for each row.

        Before that, a gap of 1 is tried.

        >>> table = Table([("rule", "steps", "pairs")], {"": [("steepest", "3", "2"), ("beam", "11", "0")]})
        >>> print(table.text())
        rule      steps  pairs
        ----------------------
        steepest      3      2
        beam         11      0
        >>> print(table.text(width=19))
        rule   steepest
        steps  3
        pairs  2
        <BLANKLINE>
        rule   beam
        steps  11
        pairs  0
        """
        cells = [*self.headings, *chain.from_iterable(self.groups.values())]
        lines = aligned(cells, self.gap)
        if width is not None and max(map(len, lines)) > width:
            lines = aligned(cells, 1)
        longest = max(map(len, lines))
        text: list[str] = []
        if width is not None and longest > width:
            for title, rows in self.groups.items():
                text += [*filter(None, [title]), *(block(self._named(row), width) for row in rows)]
            return "\n\n".join(text)
        rest = iter(lines)
        text = [next(rest) for _ in self.headings]
        for title, rows in self.groups.items():
            text += [f"\n{title}" if title else "-" * longest, *(next(rest) for _ in rows)]
        return "\n".join(text)

    def html(self) -> str:
        """Return the table for a notebook."""
        lines = [_html_row(self._names, "th")]
        for title, rows in self.groups.items():
            lines += [f'<tr><th colspan="{len(self._names)}"{_LEFT}>{escape(title)}</th></tr>'] if title else []
            lines += [_html_row(row, "td") for row in rows]
        return f"<table>{''.join(lines)}</table>"

    def _named(self, row: Sequence[str]) -> Iterable[tuple[str, str]]:
        first, *others = self._names
        return zip([(self.indented or first) if row[0].startswith(" ") else first, *others], row, strict=True)

    @property
    def _names(self) -> list[str]:
        """The headings in one line."""
        return [" ".join(filter(None, parts)).replace("- ", "") for parts in zip(*self.headings, strict=True)]


def block(pairs: Iterable[tuple[str, str]], width: int | None = None) -> str:
    """Return a line for each name and its text, without empty texts; lines above ``width`` are wrapped at blanks.

    >>> print(block([("cores", "2"), ("libraries", "numpy, numba, rich")], 24))
    cores      2
    libraries  numpy, numba,
               rich
    """
    named = [(name, text.strip()) for name, text in pairs]
    left = max(len(name) for name, _ in named) + 2
    lines = [f"{name:{left}}{text}" for name, text in named if text]
    if width is None:
        return "\n".join(lines)
    # Names of files stay whole, so that they can be copied.
    wrapper = textwrap.TextWrapper(width, subsequent_indent=" " * left, break_long_words=False, break_on_hyphens=False)
    return "\n".join(map(wrapper.fill, lines))


def aligned(lines: Rows, gap: int = 1) -> list[str]:
    """Lay out lines of cells: the first column to the left, and the others to the right.

    >>> aligned([["rule", "seed"], ["steepest", "3"]])
    ['rule     seed', 'steepest    3']
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
