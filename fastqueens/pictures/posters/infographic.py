"""The style with a plot of the search, figures, and a short text for people who do not know the problem."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fastqueens.analysis.density import bin_board, cells_for
from fastqueens.core.trace import Trace
from fastqueens.core.wording import counted
from fastqueens.pictures.curves.curve import thinned
from fastqueens.pictures.posters.board import LARGEST_CHESSBOARD, draw_board
from fastqueens.pictures.posters.grid import FIGURE, HEADLINE, LINE, MEDIUM, SMALL, unit_of, write_up
from fastqueens.pictures.posters.lettering import BOLD, TITLE, fitting_size, text_width, wrapped
from fastqueens.pictures.posters.sheet import Box, Sheet
from fastqueens.pictures.posters.subject import Subject, Theme
from fastqueens.pictures.posters.words import notes
from fastqueens.pictures.style import GRID, LIGHT_SQUARE, SERIES

INFOGRAPHIC = Theme(paper="#ffffff", board="#faf6ec", dark_square=LIGHT_SQUARE)

#: The size of most text, in units: half a step of the scale above the smallest.
_TEXT = (SMALL * MEDIUM) ** 0.5

#: A curve is divided into this many columns, of which the extremes are drawn.
_CURVE_COLUMNS = 1000


def draw_infographic(sheet: Sheet, subject: Subject, theme: Theme) -> None:
    """Draw the board, the title, a plot if it says something, and figures with a text."""
    head, board, plot, figures = _places(sheet.inside)
    unit = unit_of(sheet)
    small = _TEXT * unit
    draw_board(sheet, subject, board, theme)
    size = fitting_size(subject.title, head.width, HEADLINE * unit / max(1, len(subject.title)), TITLE)
    for i, line in enumerate(subject.title):
        sheet.text(line, head.left, head.top - (1 + 1.2 * i) * size, size, theme.ink, font=TITLE)
    if subject.trace is not None and subject.trace.pairs[0]:
        _plot_search(sheet, subject, subject.trace, plot, small, theme)
    elif subject.n > LARGEST_CHESSBOARD:
        _plot_diagonals(sheet, subject, plot, small, theme)
    elif plot.bottom == figures.bottom:
        figures = plot
    top = write_up(
        sheet,
        wrapped(subject.caption, figures.width, small),
        figures.left,
        figures.bottom + 0.3 * small,
        small,
        theme.faint,
    )
    above = figures._replace(bottom=top + small, height=figures.top - top - small) if subject.caption else figures
    bottom_of_figures = _write_figures(sheet, subject, above, unit, theme)
    _write_text(sheet, " ".join([_about(subject), *notes(subject)]), above, bottom_of_figures - 5 * small, small, theme)


def _places(inside: Box) -> tuple[Box, Box, Box, Box]:
    """Return the boxes of the title, the board, the plot, and the figures with the text.

    The title is above the board and the rest below it; on a wide sheet all of them are next to the board.
    """
    unit = min(inside.width, inside.height) / 10
    gutter = 0.5 * unit
    if inside.height >= inside.width:
        head = Box(inside.left, inside.top - 1.6 * unit, inside.width, 1.6 * unit)
        side = min(inside.width, inside.height - 4.4 * unit)
        board = Box(inside.left + (inside.width - side) / 2, head.bottom - side, side, side)
        half = (inside.width - gutter) / 2
        plot = Box(inside.left, inside.bottom, half, board.bottom - gutter - inside.bottom)
        return head, board, plot, plot._replace(left=inside.right - half)
    side = min(inside.height, 0.6 * inside.width)
    board = Box(inside.left, inside.bottom + (inside.height - side) / 2, side, side)
    left = board.right + gutter
    column = Box(left, board.bottom, inside.right - left, side)
    head = column._replace(bottom=column.top - 0.16 * side, height=0.16 * side)
    plot = column._replace(bottom=column.bottom + 0.42 * side, height=0.40 * side)
    return head, board, plot, column._replace(height=0.36 * side)


def _plot_search(sheet: Sheet, subject: Subject, trace: Trace, box: Box, small: float, theme: Theme) -> None:
    """Plot attacking pairs and conflicting queens against steps."""
    plot = _write_heading(sheet, "Conflicts during the search", box, small, theme)
    entries = len(trace.pairs)
    steps = entries - 1 if subject.steps is None else subject.steps
    highest = max(1, int(trace.pairs.max()), int(trace.conflicting_queens.max()))
    _draw_axes(sheet, plot, small, theme, f"{highest:,}", counted(steps, "step"))
    across = np.arange(entries) / max(1, entries - 1)
    for values, color in ((trace.conflicting_queens, SERIES[0]), (trace.pairs, SERIES[1])):
        chosen = thinned(across, values, np.ones(entries, np.int64), _CURVE_COLUMNS)
        x = plot.left + across[chosen] * plot.width
        y = plot.bottom + values[chosen] / highest * plot.height
        sheet.lines([np.column_stack((x, y))], color, 0.18 * small)
    _draw_legend(sheet, plot, small, theme, ("conflicting queens", "attacking pairs"))


def _plot_diagonals(sheet: Sheet, subject: Subject, box: Box, small: float, theme: Theme) -> None:
    """Plot how many queens the diagonals of both directions hold, from corner to corner."""
    plot = _write_heading(sheet, "Queens per diagonal, from corner to corner", box, small, theme)
    bins = bin_board(subject.queens, cells_for(subject.n, 500, 100), **subject.callbacks)
    both = bins.diagonals()
    highest = max(1.0, float(max(values.max() for values in both)))
    _draw_axes(sheet, plot, small, theme, f"{highest:.2g}", "corner")
    at = np.linspace(plot.left, plot.right, bins.cells + 1)
    for values, color in zip(both, SERIES, strict=False):
        heights = plot.bottom + values / highest * plot.height
        sheet.lines([np.column_stack((np.repeat(at, 2)[1:-1], np.repeat(heights, 2)))], color, 0.18 * small)
    _draw_legend(sheet, plot, small, theme, ("rising diagonals", "falling diagonals"))


def _write_heading(sheet: Sheet, heading: str, box: Box, small: float, theme: Theme) -> Box:
    """Write a heading, and return the box between the axes of the plot below it."""
    size = fitting_size([heading], box.width, small, BOLD)
    sheet.text(heading, box.left, box.top - small, size, theme.ink, font=BOLD)
    return Box(box.left + 1.5 * small, box.bottom + 2.5 * small, box.width - 1.5 * small, box.height - 7.7 * small)


def _draw_axes(sheet: Sheet, plot: Box, small: float, theme: Theme, highest: str, last: str) -> None:
    for share in (0, 0.5, 1):
        y = plot.bottom + share * plot.height
        sheet.lines([[(plot.left, y), (plot.right, y)]], GRID if share else theme.faint, 0.08 * small)
    size = 0.85 * small
    sheet.text("0", plot.left - 0.6 * small, plot.bottom - size / 2, size, theme.faint, align="right")
    sheet.text(highest, plot.right, plot.top + 0.5 * small, size, theme.faint, align="right")
    sheet.text(last, plot.right, plot.bottom - 2.2 * small, size, theme.faint, align="right")


def _draw_legend(sheet: Sheet, plot: Box, small: float, theme: Theme, names: Sequence[str]) -> None:
    x, y, size = plot.left - 1.5 * small, plot.top + 2.6 * small, 0.85 * small
    for name, color in zip(names, SERIES, strict=False):
        sheet.lines([[(x, y), (x + 2 * small, y)]], color, 0.3 * small)
        sheet.text(name, x + 2.5 * small, y - size / 2, size, theme.ink)
        x += 4.5 * small + text_width(name, size)


def _write_figures(sheet: Sheet, subject: Subject, box: Box, unit: float, theme: Theme) -> float:
    """Write two or three figures in large type, and return the height of their lower edge."""
    n = subject.n
    figures = [(_short(n), "queens" if n > 1 else "queen")]
    if subject.trace is None or not subject.trace.pairs[0]:
        figures.append((_short(n * n), "squares" if n > 1 else "square"))
    else:
        pairs = int(subject.trace.pairs[0])
        figures.append((_short(pairs), f"pair{'s' if pairs != 1 else ''} at the start"))
    if subject.steps:
        figures.append((_short(subject.steps), "search steps" if subject.steps != 1 else "search step"))
    width = box.width / len(figures)
    large = min(fitting_size([figure], 0.85 * width, FIGURE * unit, TITLE) for figure, _ in figures)
    label = min(fitting_size([name], 0.9 * width, 0.85 * _TEXT * unit) for _, name in figures)
    for i, (figure, name) in enumerate(figures):
        sheet.text(figure, box.left + i * width, box.top - large, large, SERIES[0], font=TITLE)
        sheet.text(name, box.left + i * width, box.top - large - 2 * _TEXT * unit, label, theme.faint)
    return box.top - large


def _write_text(sheet: Sheet, text: str, box: Box, top: float, small: float, theme: Theme) -> None:
    """Write a text from ``top`` to the bottom of a box, as large as fits."""
    size = small
    while size > 0.3 * small and LINE * size * len(wrapped(text, box.width, size)) > top + LINE * size - box.bottom:
        size *= 0.95
    for i, line in enumerate(wrapped(text, box.width, size)):
        sheet.text(line, box.left, top - LINE * size * i - size, size, theme.ink)


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
    if number < 1_000_000:
        return f"{number:,}"
    for power, name in ((10**6, "million"), (10**9, "billion"), (10**12, "trillion")):
        if number < 1000 * power:
            return f"{number / power:.3g} {name}"
    exponent = len(str(number)) - 1
    return f"10^{exponent}" if number == 10**exponent else f"{number / 10**exponent:.2g} x 10^{exponent}"
