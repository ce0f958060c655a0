"""Posters: a board as something to hang up, drawn queen by queen, or as a density where paper ends.

A style is a function that draws a :class:`Subject` on a :class:`~fastqueens.pictures.sheet.Sheet`. Row 0 is at the top.
"""

from __future__ import annotations

import difflib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

import matplotlib as mpl
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from fastqueens.binning import Bins, bin_board, cells_for
from fastqueens.board import InputError, Queens, as_queens
from fastqueens.counting import attacking_pairs, is_solution
from fastqueens.machine import check_memory
from fastqueens.pictures.density import shades
from fastqueens.pictures.paper import Paper, paper
from fastqueens.pictures.sheet import (
    Box,
    Sheet,
    check_text,
    fitting_size,
    rasterised,
    text_width,
    wrapped,
)
from fastqueens.pictures.style import GRID, INK, LIGHT_SQUARE, SERIES, counted
from fastqueens.result import Trace
from fastqueens.watch import Progress, Stop

log = logging.getLogger("fastqueens")

BOLD, LIGHT, MONO = "DejaVuSans-Bold", "DejaVuSans", "DejaVuSansMono-Bold"

#: With fewer pixels a square, neighbouring queens run together: 5000 queens on A1 at 300 dpi.
_PIXELS_A_SQUARE = 1.25

#: Up to this n squares are drawn, and each queen within hers.
_LARGEST_CHESSBOARD = 64

#: The part that a queen takes of her square, and on larger boards of the way to the next queen.
_QUEEN_IN_SQUARE = 0.88

#: How large a queen may be on larger boards, in parts of the mean distance of two.
_LARGEST_QUEEN = 0.34

#: From one line of a title to the next, in heights of capital letters.
_LINE = 1.45

#: How far letters reach below the line, in the same measure.
_DESCENT = 0.3

#: From this n on it is only said that queens attack each other, not how many: it would take minutes.
_PAIRS_COUNTED_BELOW = 10**7

#: The drawing in four bytes a pixel, and the image in four.
_BYTES_A_PIXEL = 8
_BYTES_BESIDE = 300_000_000

_NIGHT = "#0d1230"


class Hooks(TypedDict):
    """What looks in while the board is gone through."""

    progress: Progress | None
    stop: Stop | None


class Theme(NamedTuple):
    """The colours of a style."""

    paper: str
    board: str
    dark_square: str
    ink: str
    faint: str
    density: Any
    more_is: str = "darker"
    mode: str = "RGB"


@dataclass
class Subject:
    """What a poster is about."""

    queens: Queens
    title: list[str]
    facts: str
    trace: Trace | None
    steps: int | None
    is_solution: bool
    hooks: Hooks
    drawn_as_density: Bins | None = None

    @property
    def n(self) -> int:
        """Side of the board and number of queens."""
        return len(self.queens)


def poster(
    queens: Sequence[int] | NDArray[Any],
    *,
    size: str = "A1",
    dpi: int = 300,
    style: str = "classic",
    title: str | None = None,
    orientation: str | None = None,
    margin: str | float | None = None,
    bleed: str | float = 0.0,
    seed: int | None = None,
    steps: int | None = None,
    trace: Trace | None = None,
    vector: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Image.Image | Figure:
    """Draw a board as a poster.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0; a mapped file stays on disk.
    size, dpi, orientation, margin, bleed
        The sheet, see :func:`fastqueens.pictures.paper.paper`. Margin and bleed are millimetres or a text with a unit.
    style : str
        "classic", "modern", "lines" or "infographic".
    title : str, optional
        The large words, with line breaks where there shall be some; "" for none. Not given: the number of queens.
    seed, steps : int, optional
        Said in the caption.
    trace : Trace, optional
        The course of the search, drawn by "infographic".
    vector : bool
        Shapes in place of pixels, for PDF and SVG.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`.

    Returns
    -------
    Image or Figure
        An image of exactly the paper's pixels that knows its resolution, in RGB, "classic" in grey; where ``vector``,
        a figure of the paper's size. With less than 1.25 pixels a square (from about 5000 queens on A1 at 300 dpi) the
        board is drawn as a density in which every queen is counted; a note says so, on the poster and in the log.

    Raises
    ------
    InputError
        For what is no board, and for an unknown size or style, naming the near ones.
    NotEnoughMemoryError
        Where the pixels do not fit into memory.

    Notes
    -----
    8 bytes a pixel at the peak: 0.6 GB for A1 at 300 dpi, 1.1 GB for A0.

    Examples
    --------
    >>> image = poster([1, 3, 0, 2], size="A4", dpi=30)
    >>> image.size, image.info["dpi"]
    ((248, 351), (30, 30))
    """
    draw, theme = STYLES[check_style(style)]
    sheet_of_paper = paper(size, dpi=dpi, orientation=orientation, margin=margin, bleed=bleed)
    if not vector:
        _check_memory(sheet_of_paper, size)
    board = as_queens(queens)
    words = _title(title, len(board))
    hooks = Hooks(progress=progress, stop=stop)
    solved = is_solution(board, **hooks)
    facts = _facts(board, solved, seed, steps, hooks)
    subject = Subject(board, words, facts, trace, steps, solved, hooks)
    sheet = Sheet(sheet_of_paper, theme.paper, vector=vector)
    draw(sheet, subject, theme)
    return sheet.figure if vector else rasterised(sheet, theme.mode)


def check_style(style: str) -> str:
    """Give the name of a style back, or raise :class:`InputError` with the near ones.

    >>> check_style("modren")
    Traceback (most recent call last):
    ...
    fastqueens.board.InputError: style is 'modren': there are classic, modern, lines, infographic; did you mean modern?
    """
    if style in STYLES:
        return style
    near = difflib.get_close_matches(str(style).lower(), STYLES, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise InputError(f"style is {style!r}: there are {', '.join(STYLES)}{hint}")


def _check_memory(sheet: Paper, size: str) -> None:
    width, height = sheet.pixels
    what = f"a poster of {size} at {sheet.dpi} dpi ({width:,} x {height:,} pixels)"
    if max(width, height) > 65_535:
        raise InputError(f"{what} is too large: 65,535 pixels a side can be drawn; give fewer dpi, or write a PDF")
    check_memory(_BYTES_A_PIXEL * width * height + _BYTES_BESIDE, what)


def _title(title: str | None, n: int) -> list[str]:
    if title is None:
        return ["1 Queen" if n == 1 else f"{n} Queens" if n < 10_000 else f"{n:,} Queens"]
    lines = [line.strip() for line in title.splitlines() if line.strip()]
    for line in lines:
        check_text(line, "title")
    return lines


def _facts(board: Queens, solved: bool, seed: int | None, steps: int | None, hooks: Hooks) -> str:
    """What was drawn, in one line."""
    facts = [f"n = {len(board):,}"]
    if seed is not None:
        facts.append(f"seed {seed}")
    if steps is not None:
        facts.append(counted(steps, "step"))
    if solved:
        facts.append("no queen attacks another")
    elif len(board) < _PAIRS_COUNTED_BELOW:
        pairs = attacking_pairs(board, **hooks)
        facts.append(counted(pairs, "attacking pair"))
    else:
        facts.append("some queens attack each other")
    return "  ·  ".join(facts)


class Layout(NamedTuple):
    """Where the words and the board go, within the margins."""

    words: Box
    board: Box
    is_upright: bool


def _layout(inside: Box, n: int, sheet: Sheet, *, words_share: float, words_below: bool = False) -> Layout:
    """The board as a square as large as can be that leaves the words their share, above or beside it."""
    if inside.height >= inside.width:
        side = _whole_pixels(min(inside.width, inside.height * (1 - words_share)), n, sheet)
        left = inside.left + (inside.width - side) / 2
        if words_below:
            board = Box(left, inside.top - side, side, side)
            return Layout(Box(left, inside.bottom, side, inside.height - side), board, True)
        board = Box(left, inside.bottom, side, side)
        return Layout(Box(left, board.top, side, inside.height - side), board, True)
    side = _whole_pixels(min(inside.height, inside.width * (1 - words_share)), n, sheet)
    board = Box(inside.right - side, inside.bottom + (inside.height - side) / 2, side, side)
    words = Box(inside.left, board.bottom, board.left - inside.left - 0.06 * side, side)
    return Layout(words, board, False)


def _whole_pixels(side: float, n: int, sheet: Sheet) -> float:
    """A side at most this long of which each square is a whole number of pixels, where that costs little."""
    pixels = sheet.pixels(side) / n
    return side * int(pixels) / pixels if pixels >= 10 else side


def _board(sheet: Sheet, subject: Subject, box: Box, theme: Theme, draw: Callable[[NDArray[Any], float], None]) -> None:
    """Draw the board by handing the centres of the squares with queens to ``draw``, or as a density."""
    n = subject.n
    square = box.width / n
    if sheet.pixels(square) < _PIXELS_A_SQUARE:
        _draw_density(sheet, subject, box, theme)
        return
    sheet.rectangle(box, theme.board)
    if n <= _LARGEST_CHESSBOARD and theme.dark_square != theme.board:
        _dark_squares(sheet, box, n, theme.dark_square)
    draw(_centres(box, n, np.arange(n), np.asarray(subject.queens, np.float64)), square)


def _plain_queens(sheet: Sheet, subject: Subject, theme: Theme) -> Callable[[NDArray[Any], float], None]:
    return lambda at, square: sheet.marks(at, _queen_sizes(subject.queens, square), theme.ink)


def _queen_sizes(queens: Queens, square: float) -> NDArray[np.float64]:
    """How large each queen is drawn, in millimetres.

    On a chessboard she fills her square. On a large board a square is a speck; there she is as large as the queens
    around her and the edge of the board allow, so that no two touch, up to a third of the mean distance.
    """
    n = len(queens)
    if n <= _LARGEST_CHESSBOARD:
        return np.full(n, _QUEEN_IN_SQUARE * square)
    rows, columns = queens.astype(np.int64), np.arange(n)
    largest = _LARGEST_QUEEN * n**0.5
    room = np.minimum(np.minimum(rows, n - 1 - rows), np.minimum(columns, n - 1 - columns)) * 2.0 + 1
    for apart in range(1, int(largest / _QUEEN_IN_SQUARE) + 1):
        # Two squares that grow at the same pace meet at the larger of both distances.
        distance = np.maximum(apart, np.abs(rows[apart:] - rows[:-apart]))
        room[apart:] = np.minimum(room[apart:], distance)
        room[:-apart] = np.minimum(room[:-apart], distance)
    sizes: NDArray[np.float64] = np.minimum(largest, _QUEEN_IN_SQUARE * room) * square
    return sizes


def _dark_squares(sheet: Sheet, box: Box, n: int, color: str) -> None:
    square = box.width / n
    rows, columns = np.nonzero(np.indices((n, n)).sum(axis=0) % 2)
    sheet.squares(_centres(box, n, columns, rows), square, color)


def _centres(box: Box, n: int, columns: NDArray[Any], rows: NDArray[Any]) -> NDArray[np.float64]:
    """The centres of squares on the sheet."""
    square = box.width / n
    return np.column_stack((box.left + (columns + 0.5) * square, box.top - (rows + 0.5) * square))


def _draw_density(sheet: Sheet, subject: Subject, box: Box, theme: Theme) -> None:
    cells = min(cells_for(subject.n, 10, 1000), max(1, int(sheet.pixels(box.width) / 2)))
    bins = bin_board(subject.queens, min(cells, subject.n), **subject.hooks)
    subject.drawn_as_density = bins
    sheet.image(shades(bins.density(), theme.density), box)
    log.info(
        "%s squares a side are too fine for this paper (%.2g pixels each): the poster shows how densely the queens "
        "stand, every one of them counted",
        f"{subject.n:,}",
        sheet.pixels(box.width / subject.n),
    )


def _note(subject: Subject, theme: Theme) -> str:
    """What is to be said of a board that was not drawn queen by queen."""
    bins = subject.drawn_as_density
    if bins is None:
        return ""
    share = subject.n / bins.cells**2
    return (
        f"Too many to draw one by one: {bins.cells:,} x {bins.cells:,} cells, about {share:,.0f} queens in each, "
        f"the more the {theme.more_is}; every queen is counted."
    )


def _classic(sheet: Sheet, subject: Subject, theme: Theme) -> None:
    """Black on white, a large title over the board: after the poster of document 001."""
    unit = min(sheet.inside.width, sheet.inside.height)
    frame = 0.0022 * unit
    left, bottom, width, height = sheet.inside
    within = Box(left + frame, bottom + frame, width - 2 * frame, height - 2 * frame)
    words, box, is_upright = _layout(within, subject.n, sheet, words_share=0.26)
    _board(sheet, subject, box, theme, _plain_queens(sheet, subject, theme))
    _frame(sheet, box, theme.ink, frame)
    small = 0.0105 * unit
    if is_upright:
        size = fitting_size(subject.title, words.width, 0.42 * words.height / max(1, len(subject.title)), MONO)
        block = size * (1 + _LINE * (len(subject.title) - 1))
        foot = box.top + 2.2 * small
        baseline = foot + (words.top - foot - block) / 2 + block - size + small
        _lines_of_title(sheet, subject.title, box.left + box.width / 2, baseline, size, theme.ink, MONO, "center")
        _small_print(sheet, subject, theme, Box(box.left, foot, box.width, 0), small, theme.ink, "center")
    else:
        _words_beside(sheet, subject, theme, words, small, MONO)


def _modern(sheet: Sheet, subject: Subject, theme: Theme) -> None:
    """Queens as lights on a night sky, from blue over rose to amber along the main diagonal."""
    words, box, is_upright = _layout(sheet.inside, subject.n, sheet, words_share=0.22, words_below=True)
    unit = min(sheet.inside.width, sheet.inside.height)
    glow = LinearSegmentedColormap.from_list("glow", ["#6cc5f5", "#e07fb4", "#ffb347"])

    def lights(at: NDArray[Any], square: float) -> None:
        along = np.asarray(subject.queens, np.float64) + np.arange(subject.n)
        colors = glow(along / max(1, 2 * subject.n - 2))
        sizes = _queen_sizes(subject.queens, square)
        if subject.n > _LARGEST_CHESSBOARD:
            for growth in np.linspace(2.6, 1.2, 8):
                sheet.dots(at, growth * sizes.max(), colors, 0.035)
        sheet.marks(at, sizes, colors)

    _board(sheet, subject, box, theme, lights)
    small = 0.0115 * unit
    if is_upright:
        foot = words.bottom + _small_print(sheet, subject, theme, words, small, theme.faint)
        title, size = _stacked(subject.title, words.width, words.top - foot - 0.08 * unit, BOLD)
        baseline = foot + 0.02 * unit + (_DESCENT + (len(title) - 1) * _LINE) * size
        _lines_of_title(sheet, title, words.left, baseline, size, theme.ink, BOLD, "left")
    else:
        _words_beside(sheet, subject, theme, words, small, BOLD)


def _lines(sheet: Sheet, subject: Subject, theme: Theme) -> None:
    """The row, the column and the two diagonals that each queen commands."""
    words, box, is_upright = _layout(sheet.inside, subject.n, sheet, words_share=0.2, words_below=True)
    unit = min(sheet.inside.width, sheet.inside.height)

    def commanded(at: NDArray[Any], square: float) -> None:
        width = min(0.16 * square, 0.004 * unit)
        for segments, color, alpha in zip(
            _commanded_lines(subject.queens, box), (GRID, GRID, SERIES[0], SERIES[1]), (1, 1, 0.75, 0.75), strict=True
        ):
            sheet.lines(segments, color, width, alpha=alpha)
        sizes = _queen_sizes(subject.queens, square)
        sheet.dots(at, 1.25 * sizes, theme.paper)
        sheet.marks(at, sizes, theme.ink)

    _board(sheet, subject, box, theme, commanded)
    small = 0.0115 * unit
    if is_upright:
        foot = words.bottom + _small_print(sheet, subject, theme, words, small, theme.faint)
        size = fitting_size(subject.title, words.width, 0.36 * words.height / max(1, len(subject.title)), LIGHT)
        block = size * (1 + _LINE * (len(subject.title) - 1))
        baseline = foot + (words.top - foot + block) / 2 - size
        _lines_of_title(sheet, subject.title, words.left, baseline, size, theme.ink, LIGHT, "left")
    else:
        _words_beside(sheet, subject, theme, words, small, LIGHT)


def _commanded_lines(queens: Queens, box: Box) -> list[NDArray[np.float64]]:
    """Rows, columns, sum and difference diagonals of all queens as (n, 2, 2) arrays of ends on the board's edge."""
    n = len(queens)
    column, row = np.arange(n, dtype=np.int64), queens.astype(np.int64)
    edge, far = np.zeros(n), np.full(n, float(n))
    total, difference = column + row + 1, row - column
    from_left, to_right = np.maximum(0, total - n), np.minimum(n, total)
    begin, end = np.maximum(0, -difference), np.minimum(n, n - difference)
    ends = [
        (edge, row + 0.5, far, row + 0.5),
        (column + 0.5, edge, column + 0.5, far),
        (from_left, total - from_left, to_right, total - to_right),
        (begin, begin + difference, end, end + difference),
    ]
    scale = box.width / n
    return [
        np.array([[box.left + scale * x, box.top - scale * y] for x, y in ((x0, y0), (x1, y1))]).transpose(2, 0, 1)
        for x0, y0, x1, y1 in ends
    ]


def _infographic(sheet: Sheet, subject: Subject, theme: Theme) -> None:
    """The board, the course of the search, figures, and what it is all about."""
    inside = sheet.inside
    unit = min(inside.width, inside.height)
    if inside.height >= inside.width:
        head = Box(inside.left, inside.top - 0.15 * unit, inside.width, 0.15 * unit)
        side = min(inside.width, inside.height - 0.47 * unit)
        box = Box(inside.left + (inside.width - side) / 2, head.bottom - side, side, side)
        foot = Box(inside.left, inside.bottom, inside.width, box.bottom - 0.045 * unit - inside.bottom)
        gap = 0.05 * unit
        half = (foot.width - gap) / 2
        left = Box(foot.left, foot.bottom, half, foot.height)
        right = left._replace(left=foot.right - half)
    else:
        side = min(inside.height, 0.6 * inside.width)
        box = Box(inside.left, inside.bottom + (inside.height - side) / 2, side, side)
        gap = 0.06 * unit
        beside = Box(box.right + gap, box.bottom, inside.right - box.right - gap, side)
        head = Box(beside.left, beside.top - 0.16 * side, beside.width, 0.16 * side)
        left = Box(beside.left, beside.bottom + 0.42 * side, beside.width, 0.40 * side)
        right = Box(beside.left, beside.bottom, beside.width, 0.36 * side)
    _board(sheet, subject, box, theme, _plain_queens(sheet, subject, theme))
    size = fitting_size(subject.title, head.width, 0.42 * head.height / max(1, len(subject.title)), BOLD)
    _lines_of_title(sheet, subject.title, head.left, head.top - size, size, theme.ink, BOLD, "left")
    small = 0.0125 * unit
    sheet.text(subject.facts, head.left, head.bottom + 2.2 * small, _fit(subject.facts, head.width, small), theme.faint)
    if subject.trace is None:
        _diagonals(sheet, subject, left, small, theme)
    else:
        _curve(sheet, subject.trace, left, small, theme)
    _figures(sheet, subject, right, small, theme)


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
    large = min(2.6 * small, min(_fit(figure, 0.78 * width, 2.6 * small, BOLD) for figure, _ in figures))
    label = min(_fit(name, 0.9 * width, 0.8 * small) for _, name in figures)
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
    return text + _note(subject, theme)


def _curve(sheet: Sheet, trace: Trace, box: Box, small: float, theme: Theme) -> None:
    """Attacking pairs and conflicting queens against the steps."""
    plot = _plot_box(sheet, "How the conflicts fall", box, small, theme)
    longest = max(1, len(trace.pairs) - 1)
    highest = max(1, int(trace.pairs.max()), int(trace.conflicting_queens.max()))
    _axes(sheet, plot, small, theme, f"{highest:,}", counted(longest, "step"))
    for values, color in ((trace.conflicting_queens, SERIES[1]), (trace.pairs, SERIES[0])):
        sheet.lines([_curve_points(values, plot, longest, highest)], color, 0.18 * small)
    _legend(sheet, plot, small, theme, (("conflicting queens", SERIES[1]), ("attacking pairs", SERIES[0])))


def _curve_points(values: NDArray[Any], plot: Box, longest: int, highest: int) -> NDArray[np.float64]:
    """The points of a curve; of a long one the least and the largest value of each of a thousand pieces."""
    at = np.arange(len(values))
    if len(values) > 4000:
        pieces = np.array_split(at, 1000)
        ends = [piece[[0, int(values[piece].argmin()), int(values[piece].argmax()), -1]] for piece in pieces]
        at = np.unique(np.concatenate(ends))
    return np.column_stack((plot.left + at / longest * plot.width, plot.bottom + values[at] / highest * plot.height))


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
    sheet.text(heading, box.left, box.top - small, _fit(heading, box.width, small, BOLD), theme.ink, font=BOLD)
    return Box(box.left + 3.5 * small, box.bottom + 2.4 * small, box.width - 3.5 * small, box.height - 7.4 * small)


def _axes(sheet: Sheet, plot: Box, small: float, theme: Theme, highest: str, last: str) -> None:
    for share in (0, 0.5, 1):
        y = plot.bottom + share * plot.height
        sheet.lines([[(plot.left, y), (plot.right, y)]], GRID if share else theme.faint, 0.08 * small)
    size = 0.7 * small
    for text, y in ((highest, plot.top), ("0", plot.bottom)):
        fitting = _fit(text, 2.8 * small, size)
        sheet.text(text, plot.left - 0.6 * small, y - fitting / 2, fitting, theme.faint, align="right")
    sheet.text(last, plot.right, plot.bottom - 2 * size, size, theme.faint, align="right")


def _legend(sheet: Sheet, plot: Box, small: float, theme: Theme, entries: Sequence[tuple[str, str]]) -> None:
    x, size = plot.left, 0.75 * small
    for name, color in entries:
        sheet.lines([[(x, plot.top + 1.7 * small), (x + 2 * small, plot.top + 1.7 * small)]], color, 0.3 * small)
        sheet.text(name, x + 2.5 * small, plot.top + 1.7 * small - size / 2, size, theme.ink)
        x += 4.5 * small + text_width(name, size)


def _fit(text: str, width: float, most: float, font: str = LIGHT) -> float:
    return fitting_size([text], width, most, font)


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


def _frame(sheet: Sheet, box: Box, color: str, width: float) -> None:
    """A frame around the board, none of it on the squares."""
    around = width / 2
    left, bottom, right, top = box.left - around, box.bottom - around, box.right + around, box.top + around
    corners = [(left - around, bottom), (right, bottom), (right, top), (left, top), (left, bottom - around)]
    sheet.lines([corners], color, width)


def _lines_of_title(
    sheet: Sheet, title: list[str], x: float, y: float, size: float, color: str, font: str, align: str
) -> None:
    for line in title:
        sheet.text(line, x, y, size, color, font=font, align=align)
        y -= _LINE * size


def _stacked(title: list[str], width: float, height: float, font: str) -> tuple[list[str], float]:
    """The title as it is or with a word a line, whichever can be larger; its lines and their size."""
    words = [word for line in title for word in line.split()]
    fits = [
        (fitting_size(lines, width, height / (1 + _DESCENT + _LINE * max(0, len(lines) - 1)), font), lines)
        for lines in (title, words)
    ]
    size, lines = max(fits, key=lambda fit: fit[0])
    return lines, size


def _small_print(
    sheet: Sheet, subject: Subject, theme: Theme, box: Box, size: float, color: str, align: str = "left"
) -> float:
    """The facts of the board at the foot of a box, and over them the note where there is one; the height they take."""
    lines = [*wrapped(_note(subject, theme), box.width, size), *wrapped(subject.facts, box.width, size)]
    lines = [line for line in lines if line]
    x = box.left + box.width / 2 if align == "center" else box.left
    for i, line in enumerate(reversed(lines)):
        sheet.text(line, x, box.bottom + (_DESCENT + 1.9 * i) * size, size, color, align=align)
    return 1.9 * size * len(lines)


def _words_beside(sheet: Sheet, subject: Subject, theme: Theme, words: Box, small: float, font: str) -> None:
    """The title at the upper end of a column beside the board, a word a line, and the facts at its lower end."""
    title = [word for line in subject.title for word in line.split()]
    size = fitting_size(title, words.width, 0.5 * words.height / max(1, _LINE * len(title)), font)
    _lines_of_title(sheet, title, words.left, words.top - size, size, theme.ink, font, "left")
    _small_print(sheet, subject, theme, words, small, theme.faint)


_Style = Callable[[Sheet, Subject, Theme], None]

_INK_ON_PAPER = Theme(
    "#ffffff",
    "#ffffff",
    "#e4e4e4",
    "#000000",
    "#444444",
    LinearSegmentedColormap.from_list("ink", ["white", "black"]),
    mode="L",
)

#: The styles by name, each with its colours.
STYLES: dict[str, tuple[_Style, Theme]] = {
    "classic": (_classic, _INK_ON_PAPER),
    "modern": (_modern, Theme(_NIGHT, _NIGHT, "#182050", "#ffffff", "#9aa6d6", mpl.colormaps["magma"], "brighter")),
    "lines": (_lines, Theme("#faf8f3", "#faf8f3", "#faf8f3", INK, "#5f6670", mpl.colormaps["cividis_r"])),
    "infographic": (
        _infographic,
        Theme("#ffffff", "#faf6ec", LIGHT_SQUARE, INK, "#5f6670", mpl.colormaps["cividis_r"]),
    ),
}
