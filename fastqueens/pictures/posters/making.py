"""Making a poster: paper, memory and subject, then its style draws it; and a preview of all styles."""

from __future__ import annotations

import logging
import math
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from fastqueens.check.verification import is_solution
from fastqueens.core.arguments import NO_LIMIT, SWEEPS, check_choice, is_integer
from fastqueens.core.board import Board, Trace
from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.pictures.posters import infographic
from fastqueens.pictures.posters.layout import places_of
from fastqueens.pictures.posters.paper import Paper, paper
from fastqueens.pictures.posters.sheet import Box, Line, Sheet, Theme, rasterised
from fastqueens.pictures.posters.styles import STYLES, check_style, most_queens, recoloured
from fastqueens.pictures.posters.subject import PIXELS_PER_GRAIN, Subject, caption_of, subtitle_of, title_of
from fastqueens.pictures.squares import LARGEST_CHESSBOARD
from fastqueens.pictures.style import LIGHT
from fastqueens.solving.result import Result
from fastqueens.solving.solver import given_or_solved, solve, sweeps_for

log = logging.getLogger("fastqueens")

#: Four bytes per pixel for the drawing and four for the image, and the rest for everything else.
_BYTES_PER_PIXEL = 8
_OTHER_BYTES = 300_000_000

#: Larger posters cannot be drawn by matplotlib.
_MOST_PIXELS = 65_535

#: In a preview: the longer side of each poster, the space around it and the height of letters in millimetres.
_SMALL_SIDE, _AROUND, _LETTERS = 120.0, 12.0, 2.6
_SMALL_DPI = 200


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
    crop_marks: bool = False,
    color: str | None = None,
    background: str | None = None,
    black: bool = False,
    preview: bool = False,
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
        n, for a board that is solved with ``seed``, and mixed if n is from 10,000 to 10 million and there is no
        instance; the row of the queen in each column, from 0; or a result, whose instance, seed, steps, sweeps and
        trace are taken, too. A mapped file stays on disk.
    instance : Instance, optional
        What the board is to respect. Blocked squares, excluded diagonals and, up to 64 queens, frames of fixed queens
        are drawn if squares have at least three pixels; a note names all of them.
    size, dpi, orientation, margin, bleed, crop_marks
        The sheet; see :func:`fastqueens.pictures.posters.paper.paper`. Margin and bleed are millimetres or a text with
        a unit.
    color, background : str, optional
        Two colours for everything, as names or codes: "navy", "#1b3a5c". If one is given, the other is the ink or the
        paper of the style, whichever stands out more. Their contrast must be at least 3:1 (WCAG 2).
    black : bool
        Use shades of black only.
    preview : bool
        Return small posters in all styles on one sheet instead.
    style : str
        "classic", "modern", "lines", "infographic" or "limit-shape". The last shows, above 64 queens, where random
        solutions have more or fewer queens than an even share, and mixes a board that is solved. The lines of more
        queens than the board has pixels per side are refused.
    title : str, optional
        The large words, which may have line breaks; "" for none. By default the number of queens. A long title is
        broken into up to four lines.
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
        An image of exactly the paper's pixels with its resolution, in RGB, or in grey if it has no other colours; with
        ``vector``, a figure of the paper's size. Up to 400 queens are crowns, then dots, and above 50,000 grains of a
        few pixels. If there are fewer than four pixels for each queen, a density is drawn, in which every queen is
        counted; a note on the poster and in the log says so. Attacks have a colour of their own.

    Raises
    ------
    InputError
        If ``queens`` is not a board, the instance has another n, or the size or style is unknown (the message suggests
        similar ones), or a title is too long for the sheet, or the two colours can hardly be told apart.
    NotEnoughMemoryError
        If the pixels do not fit into memory.

    Notes
    -----
    A classic PNG of a million queens takes 0.6 GB at the peak for A1 at 300 dpi, and 1.0 GB for A0; in colour, A1
    takes 0.9 GB.

    Examples
    --------
    >>> image = poster([1, 3, 0, 2], size="A4", dpi=30)
    >>> image.size, image.info["dpi"]
    ((248, 351), (30, 30))
    """
    in_style = STYLES[check_choice(style, "style", STYLES)]
    theme = recoloured(in_style.theme, color, background, black=black)
    if preview:
        sheet_of_paper = paper(size, dpi=dpi, orientation=orientation, margin=margin)
        return _all_styles(
            queens, sheet_of_paper, instance=instance, seed=seed, size=size, title=title, caption=caption, color=color,
            background=background, black=black, orientation=orientation, margin=margin, steps=steps, sweeps=sweeps,
            trace=trace, progress=progress, stop=stop,
        )  # fmt: skip
    sheet_of_paper = paper(size, dpi=dpi, orientation=orientation, margin=margin, bleed=bleed, crop_marks=crop_marks)
    if not vector:
        _check_memory(sheet_of_paper, size)
    callbacks: dict[str, Any] = {"progress": progress, "stop": stop}
    mix = SWEEPS if style == "limit-shape" else sweeps_for(queens, None, instance)
    solving = {"seed": seed} if queens is None or is_integer(queens) else {}
    board, result = given_or_solved(queens, instance, trace=style == "infographic", mix=mix, **solving, **callbacks)
    check_style(style, len(board), sheet_of_paper)
    if result is not None:
        instance = result.instance if instance is None else instance
        seed, steps = (result.seed if seed is None else seed), (result.steps if steps is None else steps)
        trace, sweeps = (result.trace if trace is None else trace), sweeps or result.sweeps
    heading, is_solved = title_of(title, len(board)), is_solution(board, **callbacks)
    subtitle = subtitle_of(board, is_solved, callbacks)
    facts = caption_of(len(board), titled=title is not None, seed=seed, steps=steps, sweeps=sweeps) if caption else ""
    start = None if result is None else result.start
    subject = Subject(board, heading, subtitle, facts, trace, steps, is_solved, callbacks, instance, sweeps, start)
    sheet = Sheet(sheet_of_paper, theme, vector=vector)
    subject.look_at(sheet_of_paper.board_pixels, has_limit_shape=style == "limit-shape")
    report = Callbacks(progress).poll
    report("drawing", 0, NO_LIMIT)
    board_box, lines, plot = places_of(sheet, subject.n, in_style.words_of(sheet, subject))
    in_style.draw(sheet, subject, board_box)
    for line in lines:
        sheet.write(line)
    if plot is not None:
        infographic.draw_curves(sheet, subject, plot)
    if style == "limit-shape":
        _say_shape(subject)
    report("drawing", 0, NO_LIMIT)
    is_grey = theme.is_grey(has_attacks=not is_solved)
    picture = sheet.figure if vector else rasterised(sheet, "L" if is_grey else "RGB")
    picture.info |= {"title": " ".join(heading.split()), "cut": sheet_of_paper.around, "marks": sheet_of_paper.marks}
    return picture


def _all_styles(queens: Board | Result | int, sheet: Paper, **look: Any) -> Image.Image:
    """Return small posters of a board in all styles on one sheet, each as it would be printed."""
    callbacks = {name: look[name] for name in ("progress", "stop")}
    solving = {"seed": look.pop("seed")} if queens is None or is_integer(queens) else {}
    solving |= {"trace": True, "mix": sweeps_for(queens, None, look["instance"])}
    board, result = given_or_solved(queens, look["instance"], **solving, **callbacks)
    shown = board if result is None else result
    n, scale = len(board), _SMALL_SIDE / max(sheet.width, sheet.height)
    width, height = scale * sheet.width, scale * sheet.height
    columns = min(len(STYLES), math.ceil(math.sqrt(len(STYLES) * height / width)))
    across, down = width + _AROUND, height + _AROUND
    size = columns * across + _AROUND, -(-len(STYLES) // columns) * down + _AROUND
    whole = Sheet(Paper(*size, 0.0, 0.0, _SMALL_DPI), Theme(LIGHT.grid, LIGHT.grid, LIGHT.grid), vector=False)
    for at, style in enumerate(STYLES):
        left, top = _AROUND + at % columns * across, size[1] - _AROUND - at // columns * down
        box = Box(left, top - height, width, height)
        most = most_queens(style, sheet)
        label = style if n <= most else f"{style}: for up to {most:,} queens"
        whole.write(Line(label, left, box.bottom - 2 * _LETTERS, _LETTERS, LIGHT.ink))
        if n > most:
            whole.rectangle(box, LIGHT.paper)
            continue
        # As many pixels as the queens need to be drawn as on paper.
        needed = (4.2 * n if style == "lines" else 1.05 * PIXELS_PER_GRAIN * n**0.5) / sheet.board_pixels * sheet.dpi
        fine = min(sheet.dpi, math.ceil(max(needed, scale * _SMALL_DPI)))
        if style == "limit-shape" and result is not None and not result.sweeps:
            shown = solve(result.instance, seed=result.seed, mix=SWEEPS, **callbacks)
        image = poster(shown, style=style, dpi=fine, **look)
        left_edge, upper, right, lower = whole.pixel_edges(box)
        assert isinstance(image, Image.Image)
        small = image.resize((right - left_edge, lower - upper), Image.Resampling.LANCZOS)
        whole.image(np.asarray(small.convert("RGBA")), box)
    return rasterised(whole, "RGB")


def _say_shape(subject: Subject) -> None:
    """Log whether a board has the limit shape."""
    if subject.n <= LARGEST_CHESSBOARD:
        log.info("limit-shape is for large boards: up to %d queens, it shows no limit shape", LARGEST_CHESSBOARD)
    elif subject.sweeps:
        log.info("the board was mixed: only random solutions have the limit shape")
    else:
        log.info("this board was not mixed, so it lacks the limit shape: --mix (mix= of solve) mixes a new one")


def _check_memory(sheet: Paper, size: str) -> None:
    width, height = sheet.pixels
    what = f"a poster of {size} at {sheet.dpi} dpi ({width:,} x {height:,} pixels)"
    if max(width, height) > _MOST_PIXELS:
        raise InputError(f"{what} is too large: at most {_MOST_PIXELS:,} per side; use a lower dpi, or write a PDF")
    check_memory(_BYTES_PER_PIXEL * width * height + _OTHER_BYTES, what)
