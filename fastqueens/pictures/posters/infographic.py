"""The words and the plot of the style for people who do not know the problem: figures, a text, and the search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.check.density import bin_board, cells_for
from fastqueens.core.errors import counted
from fastqueens.pictures.posters.layout import FIGURE, GUTTER, SMALL, Block, Layout, height_of, largest_board, stacked
from fastqueens.pictures.posters.lettering import BOLD, TITLE, fitted, fitting_size, text_width, wrapped
from fastqueens.pictures.posters.sheet import Box, Line, Sheet
from fastqueens.pictures.posters.subject import LARGEST_CHESSBOARD, Subject, notes
from fastqueens.pictures.runs import thinned

#: A curve is divided into this many columns, of which the extremes are drawn.
_CURVE_COLUMNS = 1000

#: A search is plotted if it has more steps than the first number, and its boards have at least as many different
#: numbers of conflicting queens as the second.
_FEWEST_STEPS, _FEWEST_COUNTS = 5, 3

#: The largest size of a title, in units, and the least part of the sheet for the board: what is tried in turn. Text is
#: as many times larger than the smallest print as fits; with the largest titles at least by the factor below.
_TRIALS = ((1.2, 0.8), (0.8, 0.65), (0.5, 0.5), (2 * SMALL, 0.2))
_SCALES = (4.0, 3.5, 3.0, 2.6, 2.2, 1.9, 1.6, 1.4, 1.25, 1.1, 1.0)
_WITH_LARGE_TITLE = 1.25

#: How the first board was made, by the names of :func:`fastqueens.solve`.
_PLACED = {
    "windowed": "They were placed column by column, most of them where none attacked them:",
    "uniform": "They were placed column by column, each where the fewest attacked her:",
    "random": "They were placed at random:",
    "permutation": "They were placed at random, one in each row and column:",
    "board": "They began on a given board:",
}

# Lengths in heights of capital letters of the text.
_NARROWEST = 16.0  # a column of text
_LEAST_PLOT = 13.0  # the height of a plot without its heading
_FIGURE_GUTTER = 4.0  # between columns of figures
_IN_LEGEND = 2.5  # from the beginning of a line in the legend to its name

#: The width of curves as a share of the width and height of their place.
_LINE = 0.003

#: A place that is this many times wider than high is divided into two columns.
_WIDE = 1.3


class _Curves(NamedTuple):
    """Two curves from 0 to 1 in both directions, their heading and names, and what their ends mean."""

    heading: str
    names: list[str]
    points: list[NDArray[np.float64]]
    highest: str
    last: str


def layout_of(sheet: Sheet, subject: Subject) -> Layout:
    """Return the places of the board, the title, figures with a text, and the plot if it says something.

    They are below the board, or next to it. On a sheet that is nearly square the title is above both, the text next to
    the board, and the plot below it.
    """
    inside, gutter, curves = sheet.inside, GUTTER * sheet.unit, _curves_of(subject)

    def attempt(side: float, most: float) -> Layout | None:
        scales = [scale for scale in _SCALES if scale >= _WITH_LARGE_TITLE or most < _TRIALS[0][0]]
        upright = Box(inside.left + (inside.width - side) / 2, inside.bottom, side, inside.height)
        middle, beside = inside.bottom + (inside.height - side) / 2, inside.left + side + gutter
        column = Box(beside, middle, inside.right - beside, side)
        ways = (column,) if inside.width > _WIDE * inside.height else (upright, inside)
        for head in ways if column.width > 0 else (upright,):
            title = Block(
                *fitted(subject.title, head.width, most * sheet.unit, TITLE), sheet.theme.ink, TITLE, 0.5 * sheet.unit
            )
            words = head._replace(height=head.height - title.height - title.below) if title.lines else head
            board, plot = Box(head.left, words.top - side, side, side), None
            if head is column:
                board = board._replace(left=inside.left, bottom=middle)
            elif head is upright:
                words = words._replace(height=words.height - side - gutter)
            elif curves is not None:
                plot = board._replace(bottom=words.bottom, height=words.height - side - gutter)
                words = words._replace(left=beside, width=column.width)
            for scale in scales:
                small = SMALL * sheet.unit * scale
                found = _filled(sheet, subject, curves, words, plot, small)
                if found is not None and (title.size >= 1.99 * small or not title.lines):
                    lines = [*stacked([title], head), *found[0]]
                    return Layout(board, lines, found[1], curves.points if curves else [])
        return None

    return largest_board(sheet, subject.n, _TRIALS, attempt)


def _curves_of(subject: Subject) -> _Curves | None:
    """Return what is plotted: the search if that shows more than a few steps, or the diagonals of a large board."""
    trace = subject.trace
    if trace and len(trace.pairs) > _FEWEST_STEPS and len(np.unique(trace.conflicting_queens)) >= _FEWEST_COUNTS:
        entries = len(trace.pairs)
        highest = max(int(trace.pairs.max()), int(trace.conflicting_queens.max()))
        points, across = [], np.arange(entries) / (entries - 1)
        for values in (trace.conflicting_queens, trace.pairs):
            chosen = thinned(across, values, np.ones(entries, np.int64), _CURVE_COLUMNS)
            points.append(np.column_stack((across[chosen], values[chosen] / highest)))
        steps = counted(entries - 1 if subject.steps is None else subject.steps, "step")
        names = ["conflicting queens", "attacking pairs"]
        return _Curves("Conflicts during the search", names, points, f"{highest:,}", steps)
    if subject.n <= LARGEST_CHESSBOARD:
        return None
    bins = bin_board(subject.queens, cells_for(subject.n, 500, 100), **subject.callbacks)
    most = max(1.0, *(float(values.max()) for values in bins.diagonals()))
    edges = np.repeat(np.linspace(0, 1, bins.cells + 1), 2)[1:-1]
    points = [np.column_stack((edges, np.repeat(values, 2) / most)) for values in bins.diagonals()]
    names = ["rising diagonals", "falling diagonals"]
    return _Curves("Queens per diagonal, from corner to corner", names, points, f"{most:.2g}", "corner")


def _filled(
    sheet: Sheet, subject: Subject, curves: _Curves | None, box: Box, plot: Box | None, small: float
) -> tuple[list[Line], Box | None] | None:
    """Return the lines of figures, text and plot in a box, and the place of the curves; None if there is no room.

    The plot is in a place of its own if it has one, otherwise in a column next to the text, or below it.
    """
    if curves is not None and plot is None and box.width > _WIDE * box.height:
        plot = box._replace(width=box.width / 2 - _FIGURE_GUTTER * small)
        box = plot._replace(left=box.right - plot.width)
    if box.width < _NARROWEST * small:
        return None
    blocks = _words(sheet, subject, box.width, small)
    left = box.height - height_of(blocks)
    lines = stacked(blocks, box, _FIGURE_GUTTER * small)
    if curves is None or left < 0:
        return (lines, None) if left >= 0 else None
    plot = plot or box._replace(height=left - GUTTER * sheet.unit)
    ink, faint = sheet.theme.ink, sheet.theme.faint
    head = [
        Block(wrapped(curves.heading, plot.width, small, BOLD), small, ink, BOLD, 0.6 * small),
        Block(curves.names, small, ink, BOLD, 1.5 * small, across=True),
    ]
    inset = text_width(curves.highest, small) + 0.6 * small
    place = Box(plot.left + inset, plot.bottom + 2.5 * small, plot.width - inset, plot.height - 2.5 * small)
    place = place._replace(height=place.height - height_of(head) - head[-1].below)
    widest = max(text_width(name, small, BOLD) for name in curves.names)
    if place.height < _LEAST_PLOT * small or 2 * widest + small > plot.width:
        return None
    heading = stacked(head, plot)
    named = [line._replace(color=color) for line, color in zip(heading[-2:], sheet.theme.series, strict=True)]
    last = place.right - text_width(curves.last, small)
    zero = place.left - 0.6 * small - text_width("0", small)
    ends = [
        Line("0", zero, place.bottom - small / 2, small, faint),
        Line(curves.highest, plot.left, place.top - small / 2, small, faint),
        Line(curves.last, last, plot.bottom + 0.3 * small, small, faint),
    ]
    return [*lines, *heading[:-2], *named, *ends], place


def _words(sheet: Sheet, subject: Subject, width: float, small: float) -> list[Block]:
    """Return figures in large type, as many as fit, a short text, and the caption."""
    theme, n = sheet.theme, subject.n
    pairs = 0 if subject.trace is None else int(subject.trace.pairs[0])
    figures = [
        (n, "queen", "queens"),
        (pairs or n * n, *(("pair at first", "pairs at first") if pairs else ("square", "squares"))),
        (subject.steps, "step", "steps"),
        (subject.sweeps, "sweep", "sweeps"),
    ]
    said = [(_short(number), one if number == 1 else many) for number, one, many in figures if number]
    while True:
        numbers, names = ([text[i] for text in said] for i in (0, 1))
        column = (width + _FIGURE_GUTTER * small) / len(said) - _FIGURE_GUTTER * small
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


def draw_curves(sheet: Sheet, box: Box, curves: Sequence[NDArray[np.float64]]) -> None:
    """Draw curves, from 0 to 1 in both directions, in their place."""
    line = _LINE * (box.width + box.height)
    for share in (0, 0.5, 1):
        y = box.bottom + share * box.height
        color = sheet.theme.grid if share else sheet.theme.faint
        sheet.lines([[(box.left, y), (box.right, y)]], color, 0.5 * line)
    for points, color in zip(curves, sheet.theme.series, strict=True):
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
        placed = _PLACED.get(subject.start or "", "The search began on another board:")
        said.append(f"{placed} {counted(pairs, 'pair')} of them attacked each other.")
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

    >>> _short(1000), _short(1_000_000), _short(25_000_000), _short(10**18)
    ('1,000', '1 million', '25 million', '10^18')
    """
    for power, name in ((10**6, "million"), (10**9, "billion"), (10**12, "trillion")):
        if number < 1000 * power:
            return f"{number:,}" if number < 10**6 else f"{number / power:.3g} {name}"
    exponent = len(str(number)) - 1
    return f"10^{exponent}" if number == 10**exponent else f"{number / 10**exponent:.2g} x 10^{exponent}"
