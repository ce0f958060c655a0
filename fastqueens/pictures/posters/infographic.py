"""The board, the course of the search, figures, and a short text that says what it is all about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import matplotlib as mpl
import numpy as np

from fastqueens.binning import bin_board, cells_for
from fastqueens.pictures.curves import thinned
from fastqueens.pictures.posters.squares import density_note, draw_board, plain_queens
from fastqueens.pictures.posters.subject import Subject, Theme
from fastqueens.pictures.posters.words import BOLD, fit, write_title
from fastqueens.pictures.sheet import Box, Sheet, fitting_size, text_width, wrapped
from fastqueens.pictures.style import GRID, INK, LIGHT_SQUARE, SERIES, SMALL_PRINT, counted
from fastqueens.result import Trace

#: Of each of so many parts of a curve the extremes are drawn.
_CURVE_COLUMNS = 1000

THEME = Theme(
    paper="#ffffff",
    board="#faf6ec",
    dark_square=LIGHT_SQUARE,
    ink=INK,
    faint=SMALL_PRINT,
    density=mpl.colormaps["cividis_r"],
)


class _Places(NamedTuple):
    """Where things go: the title, the board, a plot, and the figures with the text."""

    head: Box
    board: Box
    plot: Box
    figures: Box


def draw_infographic(sheet: Sheet, subject: Subject, theme: Theme) -> None:
    """The board, the course of the search, figures, and what it is all about."""
    places = _places(sheet.inside)
    head, small = places.head, 0.0125 * min(sheet.inside.width, sheet.inside.height)
    draw_board(sheet, subject, places.board, theme, plain_queens(sheet, subject, theme))
    size = fitting_size(subject.title, head.width, 0.42 * head.height / max(1, len(subject.title)), BOLD)
    write_title(sheet, subject.title, head.left, head.top - size, size, theme.ink, BOLD, "left")
    sheet.text(subject.facts, head.left, head.bottom + 2.2 * small, fit(subject.facts, head.width, small), theme.faint)
    if subject.trace is None:
        _diagonals(sheet, subject, places.plot, small, theme)
    else:
        _curve(sheet, subject, subject.trace, places.plot, small, theme)
    _figures(sheet, subject, places.figures, small, theme)


def _places(inside: Box) -> _Places:
    """The title above the board and the rest below it; on a broad sheet all of them beside it."""
    unit = min(inside.width, inside.height)
    if inside.height >= inside.width:
        head = Box(inside.left, inside.top - 0.15 * unit, inside.width, 0.15 * unit)
        side = min(inside.width, inside.height - 0.47 * unit)
        board = Box(inside.left + (inside.width - side) / 2, head.bottom - side, side, side)
        gap = 0.05 * unit
        half = (inside.width - gap) / 2
        plot = Box(inside.left, inside.bottom, half, board.bottom - 0.045 * unit - inside.bottom)
        return _Places(head, board, plot, plot._replace(left=inside.right - half))
    side = min(inside.height, 0.6 * inside.width)
    board = Box(inside.left, inside.bottom + (inside.height - side) / 2, side, side)
    left = board.right + 0.06 * unit
    beside = Box(left, board.bottom, inside.right - left, side)
    head = beside._replace(bottom=beside.top - 0.16 * side, height=0.16 * side)
    plot = beside._replace(bottom=beside.bottom + 0.42 * side, height=0.40 * side)
    return _Places(head, board, plot, beside._replace(height=0.36 * side))


def _figures(sheet: Sheet, subject: Subject, box: Box, small: float, theme: Theme) -> None:
    """Three figures in large type and a short text under them."""
    n = subject.n
    figures = [(_short(n), "queens"), (_short(n * n), "squares")]
    if subject.trace is not None:
        figures.append((_short(int(subject.trace.pairs[0])), "attacking pairs at first"))
    if subject.steps is not None:
        figures.append((_short(subject.steps), "steps of the search" if subject.steps != 1 else "step of the search"))
    figures = figures[:3] if subject.trace is None else [figures[0], *figures[2:]]
    width = box.width / len(figures)
    large = min(2.6 * small, min(fit(figure, 0.78 * width, 2.6 * small, BOLD) for figure, _ in figures))
    label = min(fit(name, 0.9 * width, 0.8 * small) for _, name in figures)
    for i, (figure, name) in enumerate(figures):
        sheet.text(figure, box.left + i * width, box.top - large, large, SERIES[0], font=BOLD)
        sheet.text(name, box.left + i * width, box.top - large - 2 * small, label, theme.faint)
    y = box.top - large - 4.6 * small
    about = _about(subject, theme)
    size = 0.95 * small
    while size > 0.3 * small and 1.9 * size * len(wrapped(about, box.width, size)) > y - box.bottom:
        size *= 0.95
    for line in wrapped(about, box.width, size):
        sheet.text(line, box.left, y - size, size, theme.ink)
        y -= 1.9 * size


def _about(subject: Subject, theme: Theme) -> str:
    text = "A queen commands her row, her column and both of her diagonals. "
    if subject.is_solution:
        text += f"Here stand {subject.n:,} queens, one in each row and column, and none is in the reach of another. "
    if subject.trace is not None:
        text += (
            "The search began with a board on which queens attacked each other. Each step took one that was attacked "
            "and moved her to where the fewest attack her. "
        )
    return text + density_note(subject, theme)


def _curve(sheet: Sheet, subject: Subject, trace: Trace, box: Box, small: float, theme: Theme) -> None:
    """Attacking pairs and conflicting queens against the steps."""
    plot = _plot_box(sheet, "How the conflicts fall", box, small, theme)
    entries = len(trace.pairs)
    steps = entries - 1 if subject.steps is None else subject.steps
    highest = max(1, int(trace.pairs.max()), int(trace.conflicting_queens.max()))
    _axes(sheet, plot, small, theme, f"{highest:,}", counted(steps, "step"))
    across = np.arange(entries) / max(1, entries - 1)
    for values, color in ((trace.conflicting_queens, SERIES[0]), (trace.pairs, SERIES[1])):
        chosen = thinned(across, values, np.ones(entries, np.int64), _CURVE_COLUMNS)
        x = plot.left + across[chosen] * plot.width
        y = plot.bottom + values[chosen] / highest * plot.height
        sheet.lines([np.column_stack((x, y))], color, 0.18 * small)
    _legend(sheet, plot, small, theme, (("conflicting queens", SERIES[0]), ("attacking pairs", SERIES[1])))


def _diagonals(sheet: Sheet, subject: Subject, box: Box, small: float, theme: Theme) -> None:
    """Where the diagonals hold a queen, from corner to corner."""
    plot = _plot_box(sheet, "Queens a diagonal, from corner to corner", box, small, theme)
    bins = bin_board(subject.queens, cells_for(subject.n, 500, 100), **subject.hooks)
    both = bins.diagonals()
    highest = max(1.0, float(max(values.max() for values in both)))
    _axes(sheet, plot, small, theme, f"{highest:.2g}", "corner")
    at = np.linspace(plot.left, plot.right, bins.cells + 1)
    for values, color in zip(both, SERIES, strict=False):
        heights = plot.bottom + values / highest * plot.height
        sheet.lines([np.column_stack((np.repeat(at, 2)[1:-1], np.repeat(heights, 2)))], color, 0.18 * small)
    _legend(sheet, plot, small, theme, (("rising diagonals", SERIES[0]), ("falling diagonals", SERIES[1])))


def _plot_box(sheet: Sheet, heading: str, box: Box, small: float, theme: Theme) -> Box:
    sheet.text(heading, box.left, box.top - small, fit(heading, box.width, small, BOLD), theme.ink, font=BOLD)
    return Box(box.left + 1.2 * small, box.bottom + 2.4 * small, box.width - 1.2 * small, box.height - 7.4 * small)


def _axes(sheet: Sheet, plot: Box, small: float, theme: Theme, highest: str, last: str) -> None:
    for share in (0, 0.5, 1):
        y = plot.bottom + share * plot.height
        sheet.lines([[(plot.left, y), (plot.right, y)]], GRID if share else theme.faint, 0.08 * small)
    size = 0.7 * small
    sheet.text("0", plot.left - 0.6 * small, plot.bottom - size / 2, size, theme.faint, align="right")
    sheet.text(highest, plot.right, plot.top + 0.4 * small, size, theme.faint, align="right")
    sheet.text(last, plot.right, plot.bottom - 2 * size, size, theme.faint, align="right")


def _legend(sheet: Sheet, plot: Box, small: float, theme: Theme, entries: Sequence[tuple[str, str]]) -> None:
    x, size = plot.left, 0.75 * small
    for name, color in entries:
        sheet.lines([[(x, plot.top + 1.7 * small), (x + 2 * small, plot.top + 1.7 * small)]], color, 0.3 * small)
        sheet.text(name, x + 2.5 * small, plot.top + 1.7 * small - size / 2, size, theme.ink)
        x += 4.5 * small + text_width(name, size)


def _short(number: int) -> str:
    """A number in few characters.

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
