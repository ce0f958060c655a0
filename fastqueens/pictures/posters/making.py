"""Making a poster: paper, memory, what is said of the board; then a style draws it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import Any

from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from fastqueens.board import InputError, Queens, as_queens
from fastqueens.counting import attacking_pairs, is_solution
from fastqueens.machine import check_memory
from fastqueens.pictures.paper import Paper, paper
from fastqueens.pictures.posters import classic, infographic, lines, modern
from fastqueens.pictures.posters.subject import Hooks, Subject, Theme
from fastqueens.pictures.sheet import Sheet, check_text, rasterised
from fastqueens.pictures.style import counted
from fastqueens.result import Trace
from fastqueens.watch import Progress, Stop

#: From this n on it is only said that queens attack each other, not how many: it would take minutes.
_PAIRS_COUNTED_BELOW = 10**7

#: The drawing in four bytes a pixel, and the image in four.
_BYTES_A_PIXEL = 8
_BYTES_BESIDE = 300_000_000

#: The styles by name: what draws them, and in which colours.
STYLES: dict[str, tuple[Callable[[Sheet, Subject, Theme], None], Theme]] = {
    "classic": (classic.draw_classic, classic.THEME),
    "modern": (modern.draw_modern, modern.THEME),
    "lines": (lines.draw_lines, lines.THEME),
    "infographic": (infographic.draw_infographic, infographic.THEME),
}


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
