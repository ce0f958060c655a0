"""Making a poster: paper, memory and subject; then a style draws it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from fastqueens.check.verification import is_solution
from fastqueens.check.violations import check_same_n
from fastqueens.core.arguments import NO_LIMIT
from fastqueens.core.board import Trace, as_queens
from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.pictures.posters.paper import Paper, paper
from fastqueens.pictures.posters.sheet import Sheet, rasterised
from fastqueens.pictures.posters.styles import STYLES, check_style
from fastqueens.pictures.posters.subject import Subject, caption_of, subtitle_of, title_lines

#: Four bytes per pixel for the drawing and four for the image, and the rest for everything else.
_BYTES_PER_PIXEL = 8
_OTHER_BYTES = 300_000_000

#: Larger posters cannot be drawn by matplotlib.
_MOST_PIXELS = 65_535


@shows_progress
def poster(
    queens: Sequence[int] | NDArray[Any],
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
    queens : sequence or array of n integers
        The row of the queen in each column, from 0; a mapped file stays on disk.
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
    draw, theme = STYLES[check_style(style)]
    sheet_of_paper = paper(size, dpi=dpi, orientation=orientation, margin=margin, bleed=bleed)
    if not vector:
        _check_memory(sheet_of_paper, size)
    board = as_queens(queens)
    if instance is not None:
        check_same_n(instance, len(board))
    lines = title_lines(title, len(board))
    callbacks: dict[str, Any] = {"progress": progress, "stop": stop}
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
