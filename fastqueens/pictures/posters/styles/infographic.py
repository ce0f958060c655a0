"""The board with a plot of its search, figures, and a short text for people who do not know the problem."""

from __future__ import annotations

from typing import NamedTuple

import matplotlib as mpl

from fastqueens.pictures.posters.board import draw_board, plain_queens
from fastqueens.pictures.posters.lettering import BOLD, fitting_size, wrapped
from fastqueens.pictures.posters.sheet import Box, Sheet
from fastqueens.pictures.posters.styles.infographic_plots import plot_diagonals, plot_search
from fastqueens.pictures.posters.subject import Subject
from fastqueens.pictures.posters.theme import Theme
from fastqueens.pictures.posters.title import write_title_at_top
from fastqueens.pictures.posters.wording import density_note
from fastqueens.pictures.style import INK, LIGHT_SQUARE, SERIES, SMALL_PRINT

THEME = Theme(
    paper="#ffffff",
    board="#faf6ec",
    dark_square=LIGHT_SQUARE,
    ink=INK,
    faint=SMALL_PRINT,
    density=mpl.colormaps["cividis_r"],
)


class _Places(NamedTuple):
    """Where the title, the board, the plot, and the figures with the text go."""

    head: Box
    board: Box
    plot: Box
    figures: Box


def draw_infographic(sheet: Sheet, subject: Subject, theme: Theme) -> None:
    """Draw the board, the title and facts, a plot, and figures with a text."""
    places = _places(sheet.inside)
    head, small = places.head, 0.0125 * min(sheet.inside.width, sheet.inside.height)
    draw_board(sheet, subject, places.board, theme, plain_queens(sheet, subject, theme))
    write_title_at_top(sheet, subject.title, head, 0.42 * head.height / max(1, len(subject.title)), theme.ink, BOLD)
    size = fitting_size([subject.facts], head.width, small)
    sheet.text(subject.facts, head.left, head.bottom + 2.2 * small, size, theme.faint)
    if subject.trace is None:
        plot_diagonals(sheet, subject, places.plot, small, theme)
    else:
        plot_search(sheet, subject, subject.trace, places.plot, small, theme)
    bottom_of_figures = _write_figures(sheet, subject, places.figures, small, theme)
    _write_text(sheet, _about(subject, theme), places.figures, bottom_of_figures - 4.6 * small, small, theme)


def _places(inside: Box) -> _Places:
    """Return the title above the board and the rest below it; on a wide sheet all of them are next to the board."""
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
    column = Box(left, board.bottom, inside.right - left, side)
    head = column._replace(bottom=column.top - 0.16 * side, height=0.16 * side)
    plot = column._replace(bottom=column.bottom + 0.42 * side, height=0.40 * side)
    return _Places(head, board, plot, column._replace(height=0.36 * side))


def _write_figures(sheet: Sheet, subject: Subject, box: Box, small: float, theme: Theme) -> float:
    """Write two or three figures in large type, and return the height of their lower edge."""
    n = subject.n
    figures = [(_short(n), "queens"), (_short(n * n), "squares")]
    if subject.trace is not None:
        figures.append((_short(int(subject.trace.pairs[0])), "attacking pairs at the start"))
    if subject.steps is not None:
        figures.append((_short(subject.steps), "search steps" if subject.steps != 1 else "search step"))
    figures = figures[:3] if subject.trace is None else [figures[0], *figures[2:]]
    width = box.width / len(figures)
    large = min(fitting_size([figure], 0.78 * width, 2.6 * small, BOLD) for figure, _ in figures)
    label = min(fitting_size([name], 0.9 * width, 0.8 * small) for _, name in figures)
    for i, (figure, name) in enumerate(figures):
        sheet.text(figure, box.left + i * width, box.top - large, large, SERIES[0], font=BOLD)
        sheet.text(name, box.left + i * width, box.top - large - 2 * small, label, theme.faint)
    return box.top - large


def _write_text(sheet: Sheet, text: str, box: Box, top: float, small: float, theme: Theme) -> None:
    """Write a text from ``top`` to the bottom of a box, as large as fits."""
    size = 0.95 * small
    while size > 0.3 * small and 1.9 * size * len(wrapped(text, box.width, size)) > top - box.bottom:
        size *= 0.95
    for i, line in enumerate(wrapped(text, box.width, size)):
        sheet.text(line, box.left, top - 1.9 * size * i - size, size, theme.ink)


def _about(subject: Subject, theme: Theme) -> str:
    text = "A queen attacks along her row, her column and both of her diagonals. "
    if subject.is_solution:
        text += f"These are {subject.n:,} queens, one in each row and column, and no queen attacks another. "
    if subject.trace is not None:
        text += (
            "The search began with a board on which queens attacked each other. Each step took an attacked queen and "
            "moved her to where the fewest others attack her. "
        )
    return text + density_note(subject, theme)


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
