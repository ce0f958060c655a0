"""The public functions ``picture`` and ``poster``. They solve the board first if they get a number of queens."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any, NamedTuple, SupportsIndex

from matplotlib.colors import to_rgb

from fastqueens._run.arguments import NO_LIMIT, check_choice, check_integer, check_seed, is_integer
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.board import Board
from fastqueens.checking import is_solution
from fastqueens.errors import InputError
from fastqueens.instance import Instance
from fastqueens.pictures.boards import BoardOptions, picture_by_size
from fastqueens.pictures.figure import Picture, check_title, house_style
from fastqueens.pictures.layout import Words, arranged
from fastqueens.pictures.palettes import STYLES, Palette, palette_of, theme_of
from fastqueens.pictures.paper import Paper, paper
from fastqueens.pictures.poster_weave import MOST_SHAPES
from fastqueens.pictures.poster_words import checked_title
from fastqueens.pictures.posters import Subject, draw_poster
from fastqueens.pictures.sheet import PosterFigure, PosterImage, Sheet
from fastqueens.result import Result
from fastqueens.solver import given_or_solved, sweeps_for

#: Four bytes per pixel for the drawing and four for the image, and the rest for everything else.
_BYTES_PER_PIXEL = 8
_OTHER_BYTES = 300_000_000

#: A weave counts the queens of each diagonal, and lists the threads.
_WEAVE_BYTES_PER_QUEEN = 100

#: matplotlib cannot draw larger posters.
_MOST_PIXELS = 65_535


@shows_progress
def picture(
    queens: Board | Result | SupportsIndex,
    *,
    instance: Instance | None = None,
    seed: SupportsIndex | None = None,
    marked: Collection[SupportsIndex] = (),
    origin: str = "upper",
    rows_from: SupportsIndex = 0,
    title: str | None = None,
    theme: str = "light",
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Picture:
    """Draw a board: up to 50,000 queens one by one with their attacks, larger boards as a density.

    Parameters
    ----------
    queens : int, sequence or array of n integers, or Result
        The number of queens of a board to solve and draw; or a board, as the row of the queen in each column from 0; or
        a result. A mapped file stays on disk.
    instance : Instance, optional
        Constraints to draw: fixed queens are framed, blocked squares are dark, and excluded diagonals are dashed.
        Queens that violate a constraint have the colour of attacks, and a missing fixed queen leaves an empty frame. A
        density shows no constraints; its caption counts them.
    seed : int, optional
        Seed of the board to solve, from 0 to 2^64 - 1. By default, a seed is drawn.
    marked : collection of int, optional
        Columns whose queens are framed and coloured; above 40 queens, they get a ring and a label. By default none.
    origin : "upper" or "lower", default "upper"
        Where row 0 is drawn. Column 0 is at the left. A density has row 0 at the top.
    rows_from : int, default 0
        The number of the first row, 0 or 1.
    title : str, optional
        Title of the picture. By default, it states the number of queens.
    theme : "light", "dark", "transparent" or "dark-transparent", default "light"
        Colours for a light or a dark page. A transparent picture shows the page around the board.
    progress : bool or callable, optional
        True shows progress, and a function receives it; see docs/library.md. Only a density takes long.
    stop : callable, optional
        Function without arguments; the call ends soon after it returns True. See docs/library.md.

    Returns
    -------
    matplotlib.figure.Figure
        A figure that draws itself in a notebook. ``savefig`` writes it to a file.

    Raises
    ------
    InputError
        If ``queens`` is not a board, or if a density would have marked columns or row 0 at the bottom.
    NoSolutionError
        If the instance to solve has no solution.
    Stopped
        If ``stop`` returned True.

    See Also
    --------
    poster : Draw a board for printing.
    explore : Show a board in the browser.

    Examples
    --------
    >>> picture([1, 3, 0, 2]).get_supxlabel()
    'n = 4, no queen attacks another'
    >>> picture(range(100_000)).get_supxlabel()
    'n = 100,000. Every queen is counted: the cells add up to 100,000.'
    """
    board, result = given_or_solved(queens, instance, seed=seed, trace=False, progress=progress, stop=stop)
    instance = result.instance if result is not None and instance is None else instance
    rows_from = check_integer(rows_from, "rows_from", 0, 1)
    check_title(title)
    options: BoardOptions = {"origin": origin, "rows_from": rows_from, "title": title, "theme": theme}
    return picture_by_size(board, instance=instance, marked=marked, progress=progress, stop=stop, **options)


@shows_progress
def poster(
    queens: Board | Result | SupportsIndex,
    *,
    instance: Instance | None = None,
    size: str = "A1",
    dpi: SupportsIndex = 300,
    style: str = "weave",
    palette: str | None = None,
    title: str | None = None,
    orientation: str | None = None,
    bleed: str | float = 0.0,
    crop_marks: bool = False,
    cmyk: bool = False,
    seed: SupportsIndex | None = None,
    vector: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> PosterImage | PosterFigure:
    """Draw a board as a poster for printing.

    Parameters
    ----------
    queens : int, sequence or array of n integers, or Result
        The number of queens of a board to solve and draw; or a board, as the row of the queen in each column from 0; or
        a result, whose instance, seed and sweeps are also used. A board solved here with 10,000 to 10 million queens
        and without constraints is mixed. A mapped file stays on disk.
    instance : Instance, optional
        Constraints to draw, if squares have at least three pixels. A weave marks fixed queens, and so do the other
        styles up to 64 queens. The small print counts all constraints.
    size : str, default "A1"
        The trimmed sheet: A0 to A6, letter, legal, tabloid, or width and height with a unit, such as 24x36in, 50x70cm
        or 300x300mm.
    dpi : int, default 300
        Pixels per inch, from 10 to 2400.
    style : "weave", "night" or "plain", default "weave"
        A weave draws the two diagonals of each queen as threads in two inks, printed over each other. If there are more
        queens than a quarter of the pixels along the board, it amplifies their contrast, and the small print says how
        much. "night" draws queens as lights, and "plain" as crowns or dots on squares; both draw the density of more
        than 100,000 queens. Attacks are red.
    palette : str, optional
        Colours of a weave or a plain board: "riso" (the default of a weave), "night", "moss", "linen", or your own
        colours with commas, as names or codes. These are the paper and one or two inks, for example "white,navy" or
        "#f5f0e6,#1d4e89,#f25f3a".
    title : str, optional
        Words that replace the number of queens, in at most three lines; "" for no words.
    orientation : "portrait" or "landscape", optional
        Turns the sheet if necessary. By default, a size is used as it is written, and sizes with a name are upright.
    bleed : str or float, default 0
        Margin that is printed around the sheet and cut off: a number of millimetres, or a text with mm, cm or in. At
        most 50 mm.
    crop_marks : bool, default False
        Draw lines outside the bleed that show where to cut.
    cmyk : bool, default False
        Use the colours of the press in a PDF, for coated paper (FOGRA39): the paper is not printed, and words are
        black. Works for shapes on light paper, and for up to 20,000 queens.
    seed : int, optional
        Seed of the board to solve, from 0 to 2^64 - 1, and the seed in the small print. By default, a seed is drawn.
    vector : bool, default False
        Draw shapes for PDF and SVG instead of pixels. A weave of more than 20,000 queens is embedded as an image.
    progress : bool or callable, optional
        True shows progress, and a function receives it; see docs/library.md.
    stop : callable, optional
        Function without arguments; the call ends soon after it returns True. See docs/library.md.

    Returns
    -------
    PIL.Image.Image or matplotlib.figure.Figure
        An image with exactly the pixels of the sheet, in RGB, or in grey if it has no colours. ``save`` writes it. With
        ``vector``, a figure of the size of the sheet, whose ``save`` writes .pdf and .svg.

    Raises
    ------
    InputError
        If ``queens`` is not a board, the instance has another n, the size, style or palette is unknown, the title is
        too long for the sheet, or the inks hardly differ from the paper. One ink needs a contrast of 3:1 by WCAG 2, and
        the other a contrast of 1.5:1.
    NotEnoughMemoryError
        If the pixels do not fit into memory. A PNG of a million queens at 300 dpi takes 0.7 GB for A1, and 1.3 GB for
        A0.
    NoSolutionError
        If the instance to solve has no solution.
    Stopped
        If ``stop`` returned True.

    See Also
    --------
    picture : Draw a board for the screen.
    explore : Show a board in the browser.

    Examples
    --------
    >>> image = poster([1, 3, 0, 2], size="A4", dpi=30)
    >>> image.size, image.info["dpi"]
    ((248, 351), (30, 30))
    """
    sheet: dict[str, Any] = {
        "size": size,
        "dpi": dpi,
        "orientation": orientation,
        "bleed": bleed,
        "crop_marks": crop_marks,
    }
    n = queens if isinstance(queens, int) else None
    look = checked_look(style=style, palette=palette, title=title, cmyk=cmyk, vector=vector, n=n, **sheet)
    colors = look.palette
    callbacks: dict[str, Any] = {"progress": progress, "stop": stop}
    seed = None if seed is None else check_seed(seed)
    solving = {"seed": seed} if queens is None or is_integer(queens) else {}
    mix = sweeps_for(queens, None, instance)
    board, result = given_or_solved(queens, instance, trace=False, mix=mix, **solving, **callbacks)
    sweeps = 0
    if result is not None:
        instance = result.instance if instance is None else instance
        seed, sweeps = (result.seed if seed is None else seed), result.sweeps
    _check_inks(len(board), cmyk=cmyk)
    if style == "weave":
        check_memory(
            _WEAVE_BYTES_PER_QUEEN * len(board), f"a weave of {len(board):,} queens (the style night needs less)"
        )
    is_solved = is_solution(board, **callbacks)
    given = None if instance is None or instance.is_free else instance
    subject = Subject(board, is_solved, callbacks, given, seed, sweeps, look.title)
    picture: Any = _drawn(subject, style, colors, look.paper, vector=vector)
    heading = subject.title or f"{len(board):,} {'queen' if len(board) == 1 else 'queens'}"
    picture.info |= {"title": " ".join(heading.split()), "cut": look.paper.around, "marks": look.paper.marks}
    if vector:
        picture.info["pixels"] = partial(_in_pixels, subject, style, colors, look.paper)
    if cmyk:
        picture.info["inks"] = colors.paper, colors.ink
    if vector and style == "weave":
        picture.info["blend"] = "screen" if colors.shines else "multiply"
    return picture  # type: ignore[no-any-return]


class Look(NamedTuple):
    """The validated options of a poster."""

    palette: Palette
    paper: Paper
    title: str | None


def checked_look(
    *,
    style: str,
    palette: str | None,
    title: str | None,
    cmyk: bool,
    vector: bool,
    size: str,
    n: int | None = None,
    **sheet: Any,
) -> Look:
    """Return the validated options of :func:`poster`, which do not need a board; ``n`` is its size, if it is known."""
    colors = palette_of(palette, check_choice(style, "style", STYLES))
    sheet_of_paper = paper(size, **sheet)
    if cmyk and (not vector or style == "night" or colors.shines):
        raise InputError("cmyk is for shapes on light paper: a PDF, with --style weave or plain and a light palette")
    if n is not None:
        _check_inks(n, cmyk=cmyk)
    if not vector:
        _check_memory(sheet_of_paper, size)
    title = checked_title(title)
    with house_style(theme_of(colors, style)):
        arranged(sheet_of_paper, Words(1, title, ("", ""), "", ""))  # checks that the title fits
    return Look(colors, sheet_of_paper, title)


def _check_inks(n: int, *, cmyk: bool) -> None:
    """Raise :class:`InputError` if a board is too large for the inks of the press."""
    if cmyk and n > MOST_SHAPES:
        raise InputError(f"n is {n:,}: with cmyk, a board can have at most {MOST_SHAPES:,} queens")


def _drawn(subject: Subject, style: str, colors: Palette, size: Paper, *, vector: bool) -> PosterImage | PosterFigure:
    report = Callbacks(subject.callbacks["progress"]).poll
    report("drawing", 0, NO_LIMIT)
    with house_style(theme_of(colors, style)):
        sheet = Sheet(size, vector=vector)
        draw_poster(sheet, subject, style, colors)
        report("drawing", 0, NO_LIMIT)
        is_grey = subject.is_solution and style != "night" and all(map(_is_grey, colors[:5]))
        return sheet.figure if vector else sheet.rasterised("L" if is_grey else "RGB")


def _in_pixels(subject: Subject, style: str, colors: Palette, size: Paper, dpi: int) -> PosterImage | PosterFigure:
    return _drawn(subject, style, colors, size._replace(dpi=dpi), vector=False)


def _check_memory(sheet: Paper, size: str) -> None:
    width, height = sheet.pixels
    what = f"a poster of {size} at {sheet.dpi} dpi ({width:,} x {height:,} pixels)"
    if max(width, height) > _MOST_PIXELS:
        raise InputError(f"{what} is too large: at most {_MOST_PIXELS:,} per side; use a lower dpi, or write a PDF")
    check_memory(_BYTES_PER_PIXEL * width * height + _OTHER_BYTES, what)


def _is_grey(color: str) -> bool:
    return len(set(to_rgb(color))) == 1
