"""Making a poster: paper, memory and subject; then a style draws it. All styles but the infographic are here.

A style is a function and a theme. Those that are drawn here have a board and words only.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from fastqueens.check.verification import is_solution
from fastqueens.core.arguments import NO_LIMIT, check_choice, is_integer
from fastqueens.core.board import Board, Trace
from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.pictures.density import shades
from fastqueens.pictures.posters import layout
from fastqueens.pictures.posters.effects import LINE_COLORS, glow_image, glow_reach, lines_image, lines_of_queens
from fastqueens.pictures.posters.infographic import draw_infographic
from fastqueens.pictures.posters.paper import Paper, paper
from fastqueens.pictures.posters.sheet import Box, Sheet, Theme, rasterised
from fastqueens.pictures.posters.subject import Subject, caption_of, subtitle_of, title_lines
from fastqueens.pictures.squares import LARGEST_WITH_DOTS
from fastqueens.pictures.style import AROUND_EVEN_DARK, LIGHT_SQUARE, dot_size
from fastqueens.sampling.limit_shape import limit_density
from fastqueens.solving.given import given_or_solved
from fastqueens.solving.result import Result

log = logging.getLogger("fastqueens")

#: The limit shape behind queens: its cells per side, and how much of their colours is left.
_TINT_CELLS = 64
_TINT = 0.55

_NIGHT = "#0d1230"
_WHITE = "#faf8f3"
_EVEN = "#f8f5ef"  # the colour of an even share

#: Four bytes per pixel for the drawing and four for the image, and the rest for everything else.
_BYTES_PER_PIXEL = 8
_OTHER_BYTES = 300_000_000

#: Larger posters cannot be drawn by matplotlib.
_MOST_PIXELS = 65_535


@shows_progress
def poster(
    queens: Board | Result | int,
    *,
    instance: Instance | None = None,
    size: str = "A1",
    dpi: int = 300,
    style: str = "classic",
    title: str | None = None,
    caption: bool = False,
    orientation: str | None = None,
    margin: str | float | None = None,
    bleed: str | float = 0.0,
    seed: int | None = None,
    steps: int | None = None,
    sweeps: int = 0,
    trace: Trace | None = None,
    vector: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Image.Image | Figure:
    """Draw a board as a poster.

    Parameters
    ----------
    queens : int, sequence or array of n integers, or Result
        n, for a board that is solved with ``seed``; the row of the queen in each column, from 0; or a result, whose
        instance, seed, steps, sweeps and trace are taken, too. A mapped file stays on disk.
    instance : Instance, optional
        What the board is to respect. Blocked squares, excluded diagonals and, up to 64 queens, frames of fixed queens
        are drawn if squares have at least three pixels; a note names all of them.
    size, dpi, orientation, margin, bleed
        The sheet; see :func:`fastqueens.pictures.posters.paper.paper`. Margin and bleed are millimetres or a text with
        a unit.
    style : str
        "classic", "modern", "lines", "infographic" or "limit-shape". The last is for mixed boards of millions of
        queens: it shows where there are more or fewer queens than an even share. On smaller boards, above 64 queens,
        the limit shape is behind the queens.
    title : str, optional
        The large words, which may have line breaks; "" for none. By default the number of queens.
    caption : bool
        Write below the title how the board was found: seed, steps and sweeps, and n below a title of your own.
    seed, steps, sweeps : int, optional
        Facts for the caption. It names the sweeps of mixing if there are any.
    trace : Trace, optional
        The course of the search, drawn by "infographic".
    vector : bool
        Draw shapes instead of pixels, for PDF and SVG.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stages are "verification", "density" and "drawing".

    Returns
    -------
    Image or Figure
        An image of exactly the paper's pixels with its resolution, in RGB, or in grey for "classic" without a
        density; with ``vector``, a figure of the paper's size. More than 50,000 queens are drawn as a density
        in which every queen is counted; a note on the poster and in the log says so.

    Raises
    ------
    InputError
        If ``queens`` is not a board, the instance has another n, or the size or style is unknown; the message suggests
        similar ones.
    NotEnoughMemoryError
        If the pixels do not fit into memory.

    Notes
    -----
    8 bytes per pixel at the peak: 0.6 GB for A1 at 300 dpi, 1.1 GB for A0.

    Examples
    --------
    >>> image = poster([1, 3, 0, 2], size="A4", dpi=30)
    >>> image.size, image.info["dpi"]
    ((248, 351), (30, 30))
    """
    draw, theme = STYLES[check_choice(style, "style", STYLES)]
    sheet_of_paper = paper(size, dpi=dpi, orientation=orientation, margin=margin, bleed=bleed)
    if not vector:
        _check_memory(sheet_of_paper, size)
    callbacks: dict[str, Any] = {"progress": progress, "stop": stop}
    solving = {"seed": seed, "trace": style == "infographic"} if queens is None or is_integer(queens) else {}
    board, result = given_or_solved(queens, instance, **solving, **callbacks)
    if result is not None:
        instance = result.instance if instance is None else instance
        seed, steps = (result.seed if seed is None else seed), (result.steps if steps is None else steps)
        trace, sweeps = (result.trace if trace is None else trace), sweeps or result.sweeps
    lines = title_lines(title, len(board))
    is_solved = is_solution(board, **callbacks)
    subtitle = subtitle_of(board, is_solved, callbacks)
    facts = caption_of(len(board), titled=title is not None, seed=seed, steps=steps, sweeps=sweeps) if caption else ""
    subject = Subject(board, lines, subtitle, facts, trace, steps, is_solved, callbacks, instance, sweeps)
    sheet = Sheet(sheet_of_paper, theme, vector=vector)
    report = Callbacks(progress).poll
    report("drawing", 0, NO_LIMIT)
    draw(sheet, subject)
    report("drawing", 0, NO_LIMIT)
    is_grey = theme.is_grey and subject.drawn_as_density is None
    return sheet.figure if vector else rasterised(sheet, "L" if is_grey else "RGB")


def _check_memory(sheet: Paper, size: str) -> None:
    width, height = sheet.pixels
    what = f"a poster of {size} at {sheet.dpi} dpi ({width:,} x {height:,} pixels)"
    if max(width, height) > _MOST_PIXELS:
        raise InputError(f"{what} is too large: at most {_MOST_PIXELS:,} per side; use a lower dpi, or write a PDF")
    check_memory(_BYTES_PER_PIXEL * width * height + _OTHER_BYTES, what)


def draw_classic(sheet: Sheet, subject: Subject) -> None:
    """Draw the board in a thin frame, black on white."""
    grid = layout.grid_of(sheet, subject.n)
    frame = 0.02 * sheet.unit
    left, bottom, width, height = grid.board
    board = Box(left + frame, bottom + frame, width - 2 * frame, height - 2 * frame)
    layout.draw_board(sheet, subject, board)
    # Around the board, so that it covers none of the squares.
    sheet.frames(np.array([[left + width / 2, bottom + height / 2]]), board.width + frame, sheet.theme.ink, frame)
    layout.write_words(sheet, subject, grid)


def draw_modern(sheet: Sheet, subject: Subject) -> None:
    """Draw queens as lights on a night sky, from blue through pink to amber."""
    hues = LinearSegmentedColormap.from_list("hues", ["#6cc5f5", "#e07fb4", "#ffb347"])

    def draw_lights(squares: Box, at: NDArray[Any], size: float) -> None:
        along = np.asarray(subject.queens, np.float64) + np.arange(subject.n)
        colors = hues(along / max(1, 2 * subject.n - 2))
        if subject.n > layout.LARGEST_CHESSBOARD:
            # Large crowns glow like dots, so that the margin stays dark.
            light = min(size, dot_size(subject.n) * squares.width / subject.n)
            sky = sheet.grown(grid.board, glow_reach(light))
            sheet.image(glow_image(at, light, colors[:, :3], sky, sheet.theme.board), sky, smooth=True)
        layout.draw_queens(sheet, at, size, colors)

    grid = layout.grid_of(sheet, subject.n)
    layout.draw_board(sheet, subject, grid.board, draw_lights)
    layout.write_words(sheet, subject, grid)


def draw_lines(sheet: Sheet, subject: Subject) -> None:
    """Draw the row, the column and the two diagonals of each queen."""
    grid = layout.grid_of(sheet, subject.n)

    def draw_on_lines(squares: Box, at: NDArray[Any], size: float) -> None:
        width = min(0.16 * squares.width / subject.n, 0.04 * sheet.unit)
        if sheet.is_vector:
            for segments, (color, alpha) in zip(lines_of_queens(subject.queens, squares), LINE_COLORS, strict=True):
                sheet.lines(segments, color, width, alpha=alpha)
        else:
            left, _, right, _ = sheet.pixel_edges(squares)
            sheet.image(lines_image(subject.queens, right - left, sheet.pixels(width), sheet.theme.board), squares)
        sheet.queens(at, 1.25 * size, sheet.theme.paper, crowns=False)
        layout.draw_queens(sheet, at, size, sheet.theme.ink)

    layout.draw_board(sheet, subject, grid.board, draw_on_lines)
    layout.write_words(sheet, subject, grid)


def draw_limit_shape(sheet: Sheet, subject: Subject) -> None:
    """Draw a density around the even share, or the limit shape behind queens that can be drawn one by one.

    The limit shape is the density of uniformly random solutions on large boards. A solution of :func:`fastqueens.solve`
    has it only after mixing.
    """
    grid, smallest = layout.grid_of(sheet, subject.n), layout.LARGEST_CHESSBOARD + 1
    if smallest <= subject.n <= LARGEST_WITH_DOTS:
        even = shades(np.ones((1, 1)))
        tint = even + _TINT * (shades(limit_density(_TINT_CELLS)).astype(np.float64) - even)
        sheet.image(np.round(tint).astype(np.uint8), grid.board, smooth=True)
        subject.drawn_limit_shape = True
    layout.draw_board(sheet, subject, grid.board)
    layout.write_words(sheet, subject, grid)
    if subject.n < smallest:
        log.info("the style limit-shape is for large boards: up to %d queens it shows no limit shape", smallest - 1)
    elif not subject.sweeps:
        log.info("only the queens of a mixed board have the limit shape: --mix (mix= of solve) mixes a new one")


#: The function that draws each style, and its theme.
STYLES: dict[str, tuple[Callable[[Sheet, Subject], None], Theme]] = {
    "classic": (draw_classic, Theme(
        paper="#ffffff", board="#ffffff", dark_square="#e4e4e4", ink="#000000", faint="#444444",
        fixed="#000000", blocked="#8c8c8c", excluded="#555555", is_grey=True,
    )),
    "modern": (draw_modern, Theme(
        paper=_NIGHT, board=_NIGHT, dark_square="#182050", ink="#ffffff", faint="#9aa6d6",
        fixed="#ffb347", blocked="#4a5796", excluded="#c4cdf2", density=AROUND_EVEN_DARK,
    )),
    "lines": (draw_lines, Theme(paper=_WHITE, board=_WHITE, dark_square=_WHITE)),
    "infographic": (draw_infographic, Theme(paper="#ffffff", board="#faf6ec", dark_square=LIGHT_SQUARE)),
    "limit-shape": (draw_limit_shape, Theme(paper=_EVEN, board=_EVEN, dark_square="#ebe6da")),
}  # fmt: skip
