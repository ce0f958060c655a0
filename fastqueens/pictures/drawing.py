"""The public functions ``picture`` and ``poster``, which solve or read the board that they draw."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from fastqueens._run.arguments import NO_LIMIT, check_choice, check_seed, is_integer
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.board import Board
from fastqueens.checking import is_solution
from fastqueens.errors import InputError
from fastqueens.instance import Instance
from fastqueens.pictures.boards import BoardOptions, picture_by_size
from fastqueens.pictures.figure import Picture, house_style
from fastqueens.pictures.palettes import STYLES, palette_of, theme_of
from fastqueens.pictures.paper import Paper, paper
from fastqueens.pictures.poster_weave import MOST_SHAPES
from fastqueens.pictures.poster_words import checked_title
from fastqueens.pictures.posters import Subject, draw_poster
from fastqueens.pictures.sheet import Sheet
from fastqueens.result import Result
from fastqueens.solver import given_or_solved, sweeps_for

#: Four bytes per pixel for the drawing and four for the image, and the rest for everything else.
_BYTES_PER_PIXEL = 8
_OTHER_BYTES = 300_000_000

#: A weave counts the queens of each diagonal, and lists the threads.
_WEAVE_BYTES_PER_QUEEN = 100

#: Larger posters cannot be drawn by matplotlib.
_MOST_PIXELS = 65_535


@shows_progress
def picture(
    queens: Board | Result | int,
    *,
    instance: Instance | None = None,
    seed: int | None = None,
    marked: Collection[int] = (),
    origin: str = "upper",
    rows_from: int = 0,
    title: str | None = None,
    theme: str = "light",
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Picture:
    """Draw a board: up to 50,000 queens one by one with their attacks, larger boards as a density.

    Parameters
    ----------
    queens : int, sequence or array of n integers, or Result
        n, for a board that is solved with ``seed``; or the row of the queen in each column, from 0. A mapped file stays
        on disk.
    instance : Instance, optional
        What the board is to respect: fixed queens are framed, blocked squares dark, and excluded diagonals dashed.
        Queens on such squares and diagonals have the colour of attacks; the frame of a missing fixed queen is empty.
        Nothing of this is drawn on a density; its caption counts everything that an instance asks for.
    marked : collection of int
        Columns whose queens are framed and coloured. Above 40 queens they have a ring and a label. A density has none.
    origin : "upper" or "lower"
        Where row 0 is drawn; at the top of a density. Column 0 is at the left.
    rows_from : int
        The number of the first row.
    title : str, optional
        By default the number of queens.
    theme : "light", "dark", "transparent" or "dark-transparent"
        Colours for a light or a dark page; around the board, a transparent picture shows the page.
    seed : int, optional
        For a board that is solved; see :func:`fastqueens.solve`.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; only a density takes long.

    Returns
    -------
    Picture
        A notebook shows it; ``savefig`` writes it.

    Raises
    ------
    InputError
        If ``queens`` is not a board, or a board of more than 50,000 queens is to have marks or row 0 at the bottom.

    Examples
    --------
    >>> picture([1, 3, 0, 2]).get_supxlabel()
    'n = 4, no queen attacks another'
    >>> picture(range(100_000)).get_supxlabel()
    'n = 100,000. Every queen is counted: the cells add up to 100,000.'
    """
    board, result = given_or_solved(queens, instance, seed=seed, trace=False, progress=progress, stop=stop)
    instance = result.instance if result is not None and instance is None else instance
    options: BoardOptions = {"origin": origin, "rows_from": rows_from, "title": title, "theme": theme}
    return picture_by_size(board, instance=instance, marked=marked, progress=progress, stop=stop, **options)


@shows_progress
def poster(
    queens: Board | Result | int,
    *,
    instance: Instance | None = None,
    size: str = "A1",
    dpi: int = 300,
    style: str = "weave",
    palette: str | None = None,
    title: str | None = None,
    orientation: str | None = None,
    bleed: str | float = 0.0,
    crop_marks: bool = False,
    cmyk: bool = False,
    seed: int | None = None,
    vector: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Image.Image | Figure:
    """Draw a board as a poster.

    Parameters
    ----------
    queens : int, sequence or array of n integers, or Result
        n, for a board that is solved with ``seed``, and mixed if n is from 10,000 to 10 million and there is no
        instance; the row of the queen in each column, from 0; or a result, whose instance, seed and sweeps are taken,
        too. A mapped file stays on disk.
    instance : Instance, optional
        What the board is to respect. Blocked squares, excluded diagonals and, up to 64 queens or in a weave, fixed
        queens are drawn if squares have at least three pixels; the colophon names all of them.
    size : str
        A0 to A6, letter, legal, tabloid, or width and height with a unit: 24x36in, 50x70cm, 300x300mm.
    dpi : int
        Pixels per inch, from 10 to 2400.
    style : "weave", "night" or "plain"
        "weave" draws the two diagonals of each queen as threads in two inks that are printed over each other. Above a
        quarter as many queens as pixels along the board it amplifies their contrast, and the colophon states how much.
        "night" draws queens as lights, "plain" as crowns or dots on squares; with more than 100,000 queens, both draw
        a density in which every queen is counted. Attacks are red.
    palette : str, optional
        "riso" (the default), "night", "moss", "linen", or your own colours with commas, as names or codes: the paper
        and one or two inks, for example "white,navy" or "#f5f0e6,#1d4e89,#f25f3a". Dots and words are chosen to fit.
        For "weave" and "plain", which has the paper and the ink of the words.
    title : str, optional
        Words instead of the number of queens, which may have line breaks; "" for none. At most three lines.
    orientation : "portrait" or "landscape", optional
        Turns the sheet if necessary. By default sizes are as written, and those with a name are upright.
    bleed : length
        Printed around the trimmed sheet, to be cut off; at most 50 mm: a number of millimetres, or a text with mm, cm
        or in.
    crop_marks : bool
        Draw lines outside the bleed that show where to cut.
    cmyk : bool
        Colours of the press in a PDF, for coated paper (FOGRA39): the paper is not printed, words are black, and the
        inks of "riso" have builds of their own. For up to 20,000 queens on light paper.
    seed : int, optional
        For a board that is solved, and for the colophon.
    vector : bool
        Draw shapes instead of pixels, for PDF and SVG. A weave of more than 20,000 queens is an image in it.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stages are "verification", "density" and "drawing".

    Returns
    -------
    Image or Figure
        An image of exactly the paper's pixels with its resolution, in RGB, or in grey if it has no other colours; with
        ``vector``, a figure of the paper's size, whose ``savefig`` writes .pdf and .svg.

    Raises
    ------
    InputError
        If ``queens`` is not a board, the instance has another n, the size, style or palette is unknown, a title is too
        long for the sheet, or the inks hardly differ from the paper: one must have a contrast of 3:1 by WCAG 2, and
        the other of 1.5:1.
    NotEnoughMemoryError
        If the pixels do not fit into memory.

    Notes
    -----
    A PNG of a million queens at 300 dpi takes 0.7 GB of memory at the peak for A1, and 1.3 GB for A0.

    Examples
    --------
    >>> image = poster([1, 3, 0, 2], size="A4", dpi=30)
    >>> image.size, image.info["dpi"]
    ((248, 351), (30, 30))
    """
    colors = palette_of(palette, check_choice(style, "style", STYLES))
    sheet_of_paper = paper(size, dpi=dpi, orientation=orientation, bleed=bleed, crop_marks=crop_marks)
    if cmyk and (not vector or style == "night" or colors.shines):
        raise InputError("cmyk is for shapes on light paper: a PDF, with --style weave or plain and a light palette")
    if not vector:
        _check_memory(sheet_of_paper, size)
    callbacks: dict[str, Any] = {"progress": progress, "stop": stop}
    seed = None if seed is None else check_seed(seed)
    solving = {"seed": seed} if queens is None or is_integer(queens) else {}
    mix = sweeps_for(queens, None, instance)
    board, result = given_or_solved(queens, instance, trace=False, mix=mix, **solving, **callbacks)
    sweeps = 0
    if result is not None:
        instance = result.instance if instance is None else instance
        seed, sweeps = (result.seed if seed is None else seed), result.sweeps
    if cmyk and len(board) > MOST_SHAPES:
        raise InputError(f"n is {len(board):,}: with cmyk, a board can have at most {MOST_SHAPES:,} queens")
    if style == "weave":
        check_memory(
            _WEAVE_BYTES_PER_QUEEN * len(board), f"a weave of {len(board):,} queens (the style night needs less)"
        )
    is_solved = is_solution(board, **callbacks)
    given = None if instance is None or instance.is_free else instance
    subject = Subject(board, is_solved, callbacks, given, seed, sweeps, checked_title(title))
    report = Callbacks(progress).poll
    report("drawing", 0, NO_LIMIT)

    def drawn(sheet_of_paper: Paper, *, vector: bool) -> Image.Image | Figure:
        with house_style(theme_of(colors, style)):
            sheet = Sheet(sheet_of_paper, vector=vector)
            draw_poster(sheet, subject, style, colors)
            report("drawing", 0, NO_LIMIT)
            is_grey = is_solved and style != "night" and all(map(_is_grey, colors[:5]))
            return sheet.figure if vector else sheet.rasterised("L" if is_grey else "RGB")

    picture: Any = drawn(sheet_of_paper, vector=vector)
    heading = subject.title or f"{len(board):,} {'queen' if len(board) == 1 else 'queens'}"
    picture.info |= {"title": " ".join(heading.split()), "cut": sheet_of_paper.around, "marks": sheet_of_paper.marks}
    if vector:
        picture.info["pixels"] = lambda dpi: drawn(sheet_of_paper._replace(dpi=dpi), vector=False)
    if cmyk:
        picture.info["inks"] = colors.paper, colors.ink
    if vector and style == "weave":
        picture.info["blend"] = "screen" if colors.shines else "multiply"
    return picture  # type: ignore[no-any-return]


def _check_memory(sheet: Paper, size: str) -> None:
    width, height = sheet.pixels
    what = f"a poster of {size} at {sheet.dpi} dpi ({width:,} x {height:,} pixels)"
    if max(width, height) > _MOST_PIXELS:
        raise InputError(f"{what} is too large: at most {_MOST_PIXELS:,} per side; use a lower dpi, or write a PDF")
    check_memory(_BYTES_PER_PIXEL * width * height + _OTHER_BYTES, what)


def _is_grey(color: str) -> bool:
    return len(set(to_rgb(color))) == 1
