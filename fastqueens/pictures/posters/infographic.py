"""The style with a plot of the search, figures, and a short text for people who do not know the problem."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.check.density import bin_board, cells_for
from fastqueens.core.board import Trace
from fastqueens.core.errors import counted
from fastqueens.pictures.posters import layout
from fastqueens.pictures.posters.sheet import BOLD, TITLE, Box, Sheet, fitting_size, text_width, wrapped
from fastqueens.pictures.posters.subject import Subject, notes
from fastqueens.pictures.runs import thinned
from fastqueens.pictures.style import GRID, SERIES

#: The size of most text, in units: half a step of the scale above the smallest.
_TEXT: float = (layout.SMALL * layout.MEDIUM) ** 0.5

#: A curve is divided into this many columns, of which the extremes are drawn.
_CURVE_COLUMNS = 1000

#: A search is plotted if it has more steps than the first number, and its boards have at least as many different
#: numbers of conflicting queens as the second.
_FEWEST_STEPS, _FEWEST_COUNTS = 5, 3

#: Without a plot, figures and text are larger by this factor.
_WITHOUT_PLOT = 1.5

#: From one column of figures to the next, in units.
_FIGURE_GUTTER = 0.5


def draw_infographic(sheet: Sheet, subject: Subject) -> None:
    """Draw the board, the title, a plot if it says something, and figures with a text."""
    head, board, plot, figures = _places(sheet.inside)
    unit = sheet.unit
    small = _TEXT * unit
    layout.draw_board(sheet, subject, board)
    size = fitting_size(subject.title, head.width, layout.HEADLINE * unit / max(1, len(subject.title)), TITLE)
    for i, line in enumerate(subject.title):
        sheet.text(line, head.left, head.top - (1 + 1.2 * i) * size, size, sheet.theme.ink, font=TITLE)
    scale = 1.0
    if subject.trace is not None and _says_something(subject.trace):
        _plot_search(sheet, subject, subject.trace, plot, small)
    elif subject.n > layout.LARGEST_CHESSBOARD:
        _plot_diagonals(sheet, subject, plot, small)
    else:
        figures, scale = _joined(plot, figures), _WITHOUT_PLOT
    caption = wrapped(subject.caption, figures.width, small)
    top = layout.write_up(sheet, caption, figures.left, figures.bottom + 0.3 * small, small, sheet.theme.faint)
    above = figures._replace(bottom=top + small, height=figures.top - top - small) if caption else figures
    below_figures = _write_figures(sheet, subject, above, scale * unit)
    text = " ".join([_about(subject), *notes(subject)])
    _write_text(sheet, text, above, below_figures - 1.9 * scale * small, scale * small)


def _places(inside: Box) -> tuple[Box, Box, Box, Box]:
    """Return the boxes of the title, the board, the plot, and the figures with the text.

    The title is above the board and the rest below it, all between its edges; on a wide sheet all of them are next to
    the board.
    """
    unit = min(inside.width, inside.height) / 10
    gutter = 0.5 * unit
    if inside.height >= inside.width:
        side = min(inside.width, inside.height - 4.4 * unit)
        left = inside.left + (inside.width - side) / 2
        head = Box(left, inside.top - 1.6 * unit, side, 1.6 * unit)
        board = Box(left, head.bottom - side, side, side)
        half = (side - gutter) / 2
        plot = Box(left, inside.bottom, half, board.bottom - gutter - inside.bottom)
        return head, board, plot, plot._replace(left=board.right - half)
    side = min(inside.height, 0.6 * inside.width)
    board = Box(inside.left, inside.bottom + (inside.height - side) / 2, side, side)
    left = board.right + gutter
    column = Box(left, board.bottom, inside.right - left, side)
    head = column._replace(bottom=column.top - 0.16 * side, height=0.16 * side)
    plot = column._replace(bottom=column.bottom + 0.42 * side, height=0.40 * side)
    return head, board, plot, column._replace(height=0.36 * side)


def _joined(one: Box, other: Box) -> Box:
    """Return the smallest box around two."""
    left, bottom = min(one.left, other.left), min(one.bottom, other.bottom)
    return Box(left, bottom, max(one.right, other.right) - left, max(one.top, other.top) - bottom)


def _says_something(trace: Trace) -> bool:
    """Return whether a plot of a search shows more than a flat line or a few steps."""
    return len(trace.pairs) > _FEWEST_STEPS and len(np.unique(trace.conflicting_queens)) >= _FEWEST_COUNTS


def _plot_search(sheet: Sheet, subject: Subject, trace: Trace, box: Box, small: float) -> None:
    """Plot attacking pairs and conflicting queens against steps."""
    entries = len(trace.pairs)
    steps = entries - 1 if subject.steps is None else subject.steps
    highest = max(int(trace.pairs.max()), int(trace.conflicting_queens.max()))
    across = np.arange(entries) / (entries - 1)
    curves = []
    for values in (trace.conflicting_queens, trace.pairs):
        chosen = thinned(across, values, np.ones(entries, np.int64), _CURVE_COLUMNS)
        curves.append((across[chosen], values[chosen] / highest))
    _write_heading(sheet, "Conflicts during the search", ("conflicting queens", "attacking pairs"), box, small)
    _draw_curves(sheet, curves, box, small, f"{highest:,}", counted(steps, "step"))


def _plot_diagonals(sheet: Sheet, subject: Subject, box: Box, small: float) -> None:
    """Plot how many queens the diagonals of both directions hold, from corner to corner."""
    bins = bin_board(subject.queens, cells_for(subject.n, 500, 100), **subject.callbacks)
    both = bins.diagonals()
    highest = max(1.0, float(max(values.max() for values in both)))
    heading = "Queens per diagonal, from corner to corner"
    _write_heading(sheet, heading, ("rising diagonals", "falling diagonals"), box, small)
    edges = np.repeat(np.linspace(0, 1, bins.cells + 1), 2)[1:-1]
    curves = [(edges, np.repeat(values, 2) / highest) for values in both]
    _draw_curves(sheet, curves, box, small, f"{highest:.2g}", "corner")


def _write_heading(sheet: Sheet, heading: str, names: Sequence[str], box: Box, small: float) -> None:
    """Write a heading at the top of a box, and the legend of its curves below it."""
    size = fitting_size([heading], box.width, small, BOLD)
    sheet.text(heading, box.left, box.top - small, size, sheet.theme.ink, font=BOLD)
    x, y, size = box.left, box.top - 2.6 * small, 0.85 * small
    for name, color in zip(names, SERIES, strict=False):
        sheet.lines([[(x, y), (x + 2 * small, y)]], color, 0.3 * small)
        sheet.text(name, x + 2.5 * small, y - size / 2, size, sheet.theme.ink)
        x += 4.5 * small + text_width(name, size)


def _draw_curves(
    sheet: Sheet, curves: list[tuple[NDArray[Any], NDArray[Any]]], box: Box, small: float, highest: str, last: str
) -> None:
    """Draw curves, from 0 to 1 in both directions, below the heading of a box, with the ends of their axes."""
    size = 0.85 * small
    labels = text_width(highest, size) + 0.6 * small
    plot = Box(box.left + labels, box.bottom + 2.5 * small, box.width - labels, box.height - 6.9 * small)
    for share in (0, 0.5, 1):
        y = plot.bottom + share * plot.height
        sheet.lines([[(plot.left, y), (plot.right, y)]], GRID if share else sheet.theme.faint, 0.08 * small)
    for label, y in (("0", plot.bottom), (highest, plot.top)):
        sheet.text(label, plot.left - 0.6 * small, y - size / 2, size, sheet.theme.faint, align="right")
    sheet.text(last, plot.right, plot.bottom - 2.2 * small, size, sheet.theme.faint, align="right")
    for (across, up), color in zip(curves, SERIES, strict=False):
        points = np.column_stack((plot.left + across * plot.width, plot.bottom + up * plot.height))
        sheet.lines([points], color, 0.18 * small)


def _write_figures(sheet: Sheet, subject: Subject, box: Box, unit: float) -> float:
    """Write two or three figures in large type, in equal columns, and return the height of their lower edge."""
    n = subject.n
    figures = [(_short(n), "queens" if n > 1 else "queen")]
    if subject.trace is None or not subject.trace.pairs[0]:
        figures.append((_short(n * n), "squares" if n > 1 else "square"))
    else:
        pairs = int(subject.trace.pairs[0])
        figures.append((_short(pairs), f"pair{'s' if pairs != 1 else ''} at the start"))
    if subject.steps:
        figures.append((_short(subject.steps), "search steps" if subject.steps != 1 else "search step"))
    gutter = _FIGURE_GUTTER * unit
    width = (box.width - (len(figures) - 1) * gutter) / len(figures)
    large = min(fitting_size([figure], width, layout.FIGURE * unit, TITLE) for figure, _ in figures)
    label = min(fitting_size([name], width, 0.85 * _TEXT * unit) for _, name in figures)
    for i, (figure, name) in enumerate(figures):
        left = box.left + i * (width + gutter)
        sheet.text(figure, left, box.top - large, large, SERIES[0], font=TITLE)
        sheet.text(name, left, box.top - large - 2 * _TEXT * unit, label, sheet.theme.faint)
    return box.top - large - 2 * _TEXT * unit


def _write_text(sheet: Sheet, text: str, box: Box, top: float, small: float) -> None:
    """Write a text from ``top`` to the bottom of a box, as large as fits."""
    room, size = top - box.bottom, small
    while size > 0.3 * small and layout.LINE * size * (len(wrapped(text, box.width, size)) - 1) > room:
        size *= 0.95
    for i, line in enumerate(wrapped(text, box.width, size)):
        sheet.text(line, box.left, top - layout.LINE * size * i - size, size, sheet.theme.ink)


def _about(subject: Subject) -> str:
    n = subject.n
    if n == 1:
        return subject.subtitle
    text = "A queen attacks along her row, her column and both of her diagonals. "
    text += f"These are {n:,} queens. {subject.subtitle} "
    if subject.trace is not None and subject.trace.pairs[0] and subject.steps:
        text += (
            "The search began with a board on which queens attacked each other. Each step took an attacked queen and "
            "moved her to where the fewest others attack her."
        )
    return text.rstrip()


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
