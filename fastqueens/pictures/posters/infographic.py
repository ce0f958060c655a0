"""The words and the plot of the style for people who do not know the problem: figures, a text, and the search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Trace
from fastqueens.core.errors import counted
from fastqueens.pictures.lettering import BOLD, TITLE, fitted, fitting_size, text_width, wrapped
from fastqueens.pictures.posters.layout import COLUMN_GUTTER, FIGURE, GUTTER, SMALL, Block, Fill, height_of, stacked
from fastqueens.pictures.posters.sheet import Box, Line, Sheet
from fastqueens.pictures.posters.subject import Subject, notes
from fastqueens.pictures.runs import thinned
from fastqueens.pictures.style import large_number

#: A curve is divided into this many columns, of which the extremes are drawn.
_CURVE_COLUMNS = 1000

#: A search is plotted if it has more steps than the first number, and its boards have at least as many different
#: numbers of conflicting queens as the second.
_FEWEST_STEPS, _FEWEST_COUNTS = 5, 3

#: The largest size of a title, in units; its least size compared with other styles, and with the text.
_LARGEST_TITLE = 1.2
_LEAST_TITLE, _OVER_TEXT = 0.7, 1.3

#: Text is as many times larger than the smallest print as fits. If the title is large, only the first ones are used.
_SCALES = (6.0, 5.0, 4.0, 3.5, 3.0, 2.6, 2.2, 1.9, 1.6, 1.4, 1.25, 1.1, 1.0)
_USUAL_SCALES, _LARGE_TITLE = 11, 0.5

# In heights of capital letters of the text.
_NARROWEST = 16.0  # the width of a column of text
_LEAST_PLOT = 13.0  # the height of a plot without its heading

#: The width of curves as a share of the width and height of their place.
_LINE = 0.003

#: A place that is this many times wider than high is divided into two columns.
_WIDE = 1.3

#: What is plotted.
_NAMES = ["conflicting queens", "attacking pairs"]

#: How the first board was made, by the names of :func:`fastqueens.solve`; others are placed column by column.
_PLACED = {"random": "at random", "permutation": "at random, one in each row and column", "board": "on given squares"}


def curves_of(trace: Trace | None) -> list[NDArray[np.float64]]:
    """Return the curves of a search as points from 0 to 1 in both directions; none if it has only a few steps."""
    if trace is None or len(trace.pairs) <= _FEWEST_STEPS or len(np.unique(trace.conflicting_queens)) < _FEWEST_COUNTS:
        return []
    across, points = np.arange(len(trace.pairs)) / (len(trace.pairs) - 1), []
    for values in (trace.conflicting_queens, trace.pairs):
        chosen = thinned(across, values, np.ones(len(across), np.int64), _CURVE_COLUMNS)
        points.append(np.column_stack((across[chosen], values[chosen] / _highest(trace))))
    return points


def _highest(trace: Trace) -> int:
    return max(int(trace.pairs.max()), int(trace.conflicting_queens.max()))


def words_of(sheet: Sheet, subject: Subject) -> Fill:
    """Return what finds places for the title, figures with a text, and a plot of the search if it says something."""
    trace, unit = subject.trace if curves_of(subject.trace) else None, sheet.unit

    def fill(box: Box, is_below: bool, least: float) -> tuple[list[Line], Box | None] | None:
        scales = _SCALES if least < _LARGE_TITLE else _SCALES[:_USUAL_SCALES]
        most = _LARGEST_TITLE * unit if _text_and_plot(sheet, subject, trace, box, scales[-1] * SMALL * unit) else 0.0
        while most >= _LEAST_TITLE * least * unit:
            title = Block(*fitted(subject.title, box.width, most, TITLE), sheet.theme.ink, TITLE, 0.5 * unit)
            rest = box._replace(height=box.height - title.height - title.below) if title.lines else box
            for small in (scale * SMALL * unit for scale in scales if title.size >= _LEAST_TITLE * least * unit):
                found = _text_and_plot(sheet, subject, trace, rest, small) if title.size >= _OVER_TEXT * small else None
                if found is not None:
                    return [*stacked([title], box), *found[0]], found[1]
            most *= 0.9
        return None

    return fill


def _text_and_plot(
    sheet: Sheet, subject: Subject, trace: Trace | None, box: Box, small: float
) -> tuple[list[Line], Box | None] | None:
    """Return the lines of figures, text and plot in a box, and the place of the curves; None if there is no room.

    The plot is in a column next to the text, or below it.
    """
    ink, faint, plot = sheet.theme.ink, sheet.theme.faint, None
    if trace is not None and box.width > _WIDE * box.height:
        plot = box._replace(width=(box.width - GUTTER * sheet.unit) / 2)
        box = plot._replace(left=box.right - plot.width)
    blocks = _words(sheet, subject, box.width, small)
    left = box.height - height_of(blocks)
    if box.width < _NARROWEST * small or left < 0:
        return None
    lines = stacked(blocks, box)
    if trace is None:
        return lines, None
    plot = plot or box._replace(height=left - GUTTER * sheet.unit)
    head = [
        Block(wrapped("Conflicts during the search", plot.width, small, BOLD), small, ink, BOLD, 0.6 * small),
        Block(_NAMES, small, ink, BOLD, across=True),
    ]
    highest = f"{_highest(trace):,}"
    last = counted(len(trace.pairs) - 1 if subject.steps is None else subject.steps, "step")
    inset = text_width(highest, small) + 0.6 * small
    height = plot.height - height_of(head) - 4 * small
    place = Box(plot.left + inset, plot.bottom + 2.5 * small, plot.width - inset, height)
    column = (1 - COLUMN_GUTTER) / 2 * plot.width
    if height < _LEAST_PLOT * small or fitting_size(_NAMES, column, small, BOLD) < small:
        return None
    *heading, first, second = stacked(head, plot)
    colored = [line._replace(color=color) for line, color in zip((first, second), sheet.theme.series, strict=True)]
    ends = (
        ("0", place.left - 0.6 * small - text_width("0", small), place.bottom - small / 2),
        (highest, plot.left, place.top - small / 2),
        (last, place.right - text_width(last, small), plot.bottom + 0.35 * small),
    )
    return [*lines, *heading, *colored, *(Line(text, x, y, small, faint) for text, x, y in ends)], place


def _words(sheet: Sheet, subject: Subject, width: float, small: float) -> list[Block]:
    """Return figures in large type, as many as fit, a short text, and the caption."""
    theme, n = sheet.theme, subject.n
    pairs = 0 if subject.trace is None else int(subject.trace.pairs[0])
    second = (pairs, "pair", " at first") if pairs else (n * n, "square", "")
    figures = [(n, "queen", ""), second, (subject.steps, "step", ""), (subject.sweeps, "sweep", "")]
    said = [(_short(number), f"{noun}{'s' * (number > 1)}{more}") for number, noun, more in figures if number]
    while True:
        numbers, names = ([text[i] for text in said] for i in (0, 1))
        column = ((1 + COLUMN_GUTTER) / len(said) - COLUMN_GUTTER) * width
        large = fitting_size(numbers, column, FIGURE / SMALL * small, TITLE)
        if len(said) == 1 or (fitting_size(names, column, small) == small and large >= 2 * small):
            break
        said.pop()
    text = " ".join([_about(subject), *notes(subject)])
    return [
        Block(numbers, large, theme.series[0], TITLE, 0.4 * small, across=True),
        Block(names, small, theme.faint, below=1.5 * small, across=True),
        Block(wrapped(text, width, small), small, theme.ink, below=small),
        Block(wrapped(subject.caption, width, small), small, theme.faint),
    ]


def draw_curves(sheet: Sheet, subject: Subject, box: Box) -> None:
    """Draw curves, from 0 to 1 in both directions, in their place."""
    line = _LINE * (box.width + box.height)
    for share in (0, 0.5, 1):
        y = box.bottom + share * box.height
        color = sheet.theme.grid if share else sheet.theme.faint
        sheet.lines([[(box.left, y), (box.right, y)]], color, 0.5 * line)
    for points, color in zip(curves_of(subject.trace), sheet.theme.series, strict=True):
        places = np.array([box.left, box.bottom]) + points * np.array([box.width, box.height])
        sheet.lines([places], color, line)


def _about(subject: Subject) -> str:
    """Return what queens do, and how this board was placed, repaired and mixed."""
    trace, steps, sweeps = subject.trace, subject.steps, subject.sweeps
    if subject.n == 1:
        return subject.subtitle
    said = [
        "A queen attacks along her row, her column and both of her diagonals.",
        f"These are {subject.n:,} queens. {subject.subtitle}",
    ]
    pairs = 0 if trace is None else int(trace.pairs[0])
    if pairs:
        placed = _PLACED.get(subject.start or "", "column by column, where few others attacked them")
        first = f"They were placed {placed}:" if subject.start else "At first"
        said.append(f"{first} {counted(pairs, 'pair')} of them attacked each other.")
    if pairs and steps:
        said.append("Each step took a queen under attack and moved her to where the fewest others attack her.")
    if sweeps:
        said.append(
            f"Then {counted(sweeps, 'sweep')} of mixing took queens off and put them back elsewhere, until the board "
            "was nearly a random one of all solutions."
        )
    return " ".join(said)


def _short(number: int) -> str:
    """Return a number in few characters.

    >>> _short(1000), _short(1_000_000), _short(25_123_456)
    ('1,000', '1 million', '25.1 million')
    """
    return large_number(number if number < 10**6 else float(f"{number:.3g}"))
