"""The public function ``poster`` and the poster that it returns. It solves the board first if it gets a number."""

from __future__ import annotations

import io
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from PIL import Image

from fastqueens._run.arguments import check_choice, whole
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.text import counted
from fastqueens.board import Board, Queens
from fastqueens.errors import InputError
from fastqueens.files.text import FileName
from fastqueens.instance import Instance
from fastqueens.pictures.boards import counted_pairs
from fastqueens.pictures.chessboard import LARGEST_PLAIN
from fastqueens.pictures.figure import MOST_ON_SCREEN, StyledFigure, house_style, preview
from fastqueens.pictures.given import given_or_solved, sweeps_for
from fastqueens.pictures.layout import Words, arranged
from fastqueens.pictures.palettes import STYLES, Palette, palette_of, theme_of
from fastqueens.pictures.paper import Paper, paper
from fastqueens.pictures.poster_all import SIZES, Orbits, all_of, check_sheet, draw_all
from fastqueens.pictures.poster_boards import Subject, draw_poster
from fastqueens.pictures.poster_words import checked_title
from fastqueens.pictures.saving import check_picture_suffix, check_pixels, save_picture
from fastqueens.pictures.sheet import Sheet
from fastqueens.pictures.weave import BYTES_PER_QUEEN
from fastqueens.result import Result

#: Four bytes per pixel for the drawing and four for the image, and the rest for everything else.
_BYTES_PER_PIXEL = 8
_OTHER_BYTES = 300_000_000

#: matplotlib cannot draw larger posters.
_MOST_PIXELS = 65_535

#: The formats that hold shapes.
_SHAPES = (".pdf", ".svg")


@dataclass(frozen=True, eq=False)
class Poster:
    """A poster of a board, which a notebook shows.

    Attributes
    ----------
    paper : Paper
        The sheet: ``width``, ``height`` and ``bleed`` in millimetres, and ``dpi``.
    style : str
        Style of the drawing.
    palette : Palette
        Colours of the paper, the inks and the words.
    queens : (n,) array of int
        The row of the queen in each column; of all solutions, (count, n).
    title : str
        The heading in one line: the title, or what the poster shows.
    image : PIL.Image.Image
        The poster as an image in RGB with exactly the pixels of the sheet and its bleed. It is drawn on first use, and
        raises the errors of ``save``.

    See Also
    --------
    poster : Draw a poster.

    Examples
    --------
    >>> sheet = poster([1, 3, 0, 2], size="A4", dpi=30)
    >>> sheet.title, sheet.paper.width, sheet.image.size
    ('4 queens', 210.0, (248, 351))
    """

    _subject: Subject | Orbits
    style: str
    palette: Palette
    paper: Paper

    @property
    def queens(self) -> Queens:
        """The row of the queen in each column; of all solutions, (count, n)."""
        subject = self._subject
        return subject.queens if isinstance(subject, Subject) else np.concatenate(subject.orbits).reshape(-1, subject.n)

    @property
    def title(self) -> str:
        """The heading in one line: the title, or what the poster shows."""
        return " ".join((self._subject.title or self._heading).split())

    @property
    def _heading(self) -> str:
        if isinstance(self._subject, Orbits):
            return f"All {counted(sum(self._subject.lengths), 'solution')} of {counted(self._subject.n, 'queen')}"
        return counted(len(self.queens), "queen")

    def __repr__(self) -> str:
        heading, sheet = self._heading, self.paper
        return f"<Poster of {heading[0].lower()}{heading[1:]}, {self.style}, {sheet.width:g} x {sheet.height:g} mm>"

    @cached_property
    def image(self) -> Image.Image:
        """The poster as an image with exactly the pixels of the sheet and its bleed."""
        return self._pixels[0]

    @cached_property
    def _pixels(self) -> tuple[Image.Image, str]:
        _check_memory(self.paper)
        with self._style():
            sheet, about = self._drawn(vector=False)
            return sheet.rasterised(), about

    def save(self, path: FileName) -> None:
        """Write the poster to a file, atomically.

        Parameters
        ----------
        path : str or path
            A name that ends in .pdf or .svg for shapes, which print sharply at any size, or in .png, .jpg or .webp for
            pixels. In PDF and SVG, threads narrower than 0.3 mm are an image.

        Raises
        ------
        InputError
            If the suffix is unknown, the file cannot be written, or its format cannot hold so many pixels.
        NotEnoughMemoryError
            If the pixels do not fit into memory. A PNG of a million queens at 300 dpi takes 0.7 GB for A1, and 1.4 GB
            for A0.
        """
        picture, about = self.drawn(path)
        save_picture(picture, path, title=self.title, about=about)

    def drawn(self, path: FileName) -> tuple[Image.Image | StyledFigure, str]:
        """Return the poster for a file of this name, as an image or a figure of shapes, and the facts in the file."""
        check_format(path, self.paper)
        if check_picture_suffix(path) not in _SHAPES:
            return self._pixels
        sheet, about = self._drawn(vector=True)
        return sheet.figure, about

    def _style(self) -> AbstractContextManager[None]:
        return house_style(theme_of(self.palette))

    def _drawn(self, *, vector: bool) -> tuple[Sheet, str]:
        """Return the sheet with everything on it, and facts for the metadata of a file."""
        with self._style():
            sheet = Sheet(self.paper, vector=vector)
            if isinstance(self._subject, Orbits):
                return sheet, draw_all(sheet, self._subject, self.palette)
            return sheet, draw_poster(sheet, self._subject, self.style, self.palette)

    def _repr_jpeg_(self) -> tuple[bytes, dict[str, int]]:
        """Return a smaller JPEG with up to two pixels per dot for fine screens, and its width in dots."""
        image, on_screen = self.image, min(1.0, MOST_ON_SCREEN / max(self.image.size))

        def draw(scale: float) -> bytes:
            width, height = (max(1, round(min(1.0, 2 * on_screen * scale) * side)) for side in image.size)
            file = io.BytesIO()
            image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3).save(file, "JPEG", quality=85)
            return file.getvalue()

        return preview(draw), {"width": round(on_screen * image.width)}


@shows_progress
def poster(
    queens: Board | Result | SupportsIndex,
    *,
    all: bool = False,
    instance: Instance | None = None,
    size: str = "A1",
    dpi: SupportsIndex = 300,
    style: str = "weave",
    palette: str = "riso",
    title: str | None = None,
    orientation: str | None = None,
    bleed: str | float = 0.0,
    seed: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Poster:
    """Make a poster of a board for printing.

    Parameters
    ----------
    queens : int, sequence or array of n integers, or Result
        The number of queens of a board to solve and draw; or a board, as the row of the queen in each column from 0; or
        a result, whose instance, seed and sweeps are also used. A board solved here with 10,000 to 10 million queens
        and without constraints is mixed. A mapped file stays on disk.
    all : bool, default False
        Draw all solutions of n queens, from 4 to 10, as weaves: a column for each fundamental solution, with its turns
        and mirror images. Boards must be at least 8 mm wide.
    instance : Instance, optional
        Constraints to draw, if squares have at least three pixels. The small print counts all constraints.
    size : str, default "A1"
        The trimmed sheet: A0 to A6, letter, legal, tabloid, or width and height with a unit, such as 24x36in, 50x70cm
        or 300x300mm.
    dpi : int, default 300
        Pixels per inch, from 10 to 2400.
    style : "weave" or "plain", default "weave"
        A weave draws the two diagonals of each queen as threads in two inks, printed over each other. If there are more
        queens than a quarter of the pixels along the board, it amplifies the contrast of threads, and the metadata of
        the file say how much. From 20,000 queens on, three lenses enlarge the place of one queen of a solution.
        "plain" draws at most 64 queens on squares. Attacks are red.
    palette : str, default "riso"
        "riso", "night", "moss", "linen", or your own colours with commas, as names or in the form #rrggbb. These are
        the paper and one or two inks, for example "white,navy". A plain board has one ink.
    title : str, optional
        Words that replace the number of queens, in at most three lines; "" for no words. They are set in Fraunces, or
        in DejaVu Serif or DejaVu Sans if it lacks letters.
    orientation : "portrait" or "landscape", optional
        Turns the sheet if necessary. By default, a size is used as it is written, and sizes with a name are upright.
    bleed : str or float, default 0
        Margin that is printed around the sheet and cut off: a number of millimetres, or a text with mm, cm or in. At
        most 50 mm.
    seed : int, optional
        Seed of the board to solve, from 0 to 2^64 - 1. By default, a seed is drawn.
    threads : int, optional
        Threads that solve and check the board. By default, all cores.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    Poster
        The poster. ``save`` writes it as shapes or as pixels, ``image`` is an image of Pillow, and a notebook shows it.

    Raises
    ------
    InputError
        If ``queens`` is not a board, the instance has another n, the size, style or palette is unknown, the title is
        too long for the sheet or has letters that cannot be set, an option has no effect, there are too many queens for
        the style plain or too many boards for the sheet, or the inks hardly differ from the paper. One ink needs a
        contrast of 3:1 by WCAG 2, and the other a contrast of 1.5:1.
    NotEnoughMemoryError
        If less than 10 bytes per queen of a weave are available.
    NoSolutionError
        If the instance to solve has no solution.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit.

    See Also
    --------
    picture : Draw a board for the screen.
    explore : Show a board in the browser.

    Examples
    --------
    >>> poster([1, 3, 0, 2], size="A4", dpi=30).image.size
    (248, 351)
    """
    look = checked_look(
        style=style, palette=palette, title=title, size=size, dpi=dpi, orientation=orientation, bleed=bleed,
        n=whole(queens),
    )  # fmt: skip
    with Callbacks.until(time_limit, progress, stop).of_parts() as parts:
        if all:
            without_effect = {"instance": instance, "seed": seed, "threads": threads}
            return Poster(_all(queens, look, style, without_effect, parts), style, *look[:2])
        return Poster(_subject(queens, instance, look, style, seed, {"threads": threads, **parts}), style, *look[:2])


def _all(queens: Any, look: Look, style: str, without_effect: dict[str, Any], parts: dict[str, Any]) -> Orbits:
    """Return all solutions for a poster, and refuse options that have no effect on it."""
    n = whole(queens)
    if n is None or n not in SIZES:
        raise InputError(f"all solutions are drawn for n from {SIZES[0]} to {SIZES[-1]}, not for {queens!r}")
    for name, value in without_effect.items():
        if value is not None:
            raise InputError(f"{name} has no effect on a poster of all solutions; leave {name} out")
    if style != "weave":
        raise InputError(f"style is {style!r}, and all solutions are drawn as weaves")
    solutions = all_of(n, look.title, **parts)
    check_sheet(look.paper, solutions)
    return solutions


def _subject(
    queens: Board | Result | SupportsIndex,
    instance: Instance | None,
    look: Look,
    style: str,
    seed: SupportsIndex | None,
    parts: dict[str, Any],
) -> Subject:
    """Return what a poster shows, from a board that is given or solved with these threads and callbacks."""
    mix = sweeps_for(queens, None, instance)
    board, result = given_or_solved(queens, instance, seed=seed, trace=False, mix=mix, **parts)
    n = len(board)
    check_plain(style, n)
    if result is not None and instance is None:
        instance = result.instance
    if style == "weave":
        check_memory(BYTES_PER_QUEEN * n, f"a weave of {n:,} queens")
    pairs = counted_pairs(board, **parts)
    given = None if instance is None or instance.is_free else instance
    told = {} if result is None else {"seed": result.seed, "sweeps": result.sweeps}
    # The caller can change the board before the poster is drawn.
    return Subject(board.copy(), pairs, given, title=look.title, **told)


class Look(NamedTuple):
    """The validated options of a poster."""

    palette: Palette
    paper: Paper
    title: str | None


def checked_look(*, style: str, palette: str, title: str | None, size: str, n: int | None = None, **sheet: Any) -> Look:
    """Return the validated options of :func:`poster`, which need no board, only its n if it is known."""
    check_plain(style, n or 1)
    check_choice(style, "style", STYLES)
    colors = palette_of(palette)
    sheet_of_paper = paper(size, **sheet)
    title = checked_title(title)
    with house_style(theme_of(colors)):
        arranged(sheet_of_paper, Words("1", "queen", title, ("", ""), "", ""))  # checks that the title fits
    return Look(colors, sheet_of_paper, title)


def check_plain(style: str, n: int) -> None:
    """Raise :class:`InputError` if there are too many queens for squares."""
    if style == "plain" and n > LARGEST_PLAIN:
        raise InputError(
            f"style is plain, which draws at most {LARGEST_PLAIN} queens on squares, and n is {n:,}; use weave"
        )


def check_format(path: FileName, sheet: Paper) -> None:
    """Raise an error if a file in the format of this name, or the memory, cannot hold the pixels of a sheet."""
    if check_picture_suffix(path) not in _SHAPES:
        check_pixels(path, *sheet.pixels)
        _check_memory(sheet)


def _check_memory(sheet: Paper) -> None:
    width, height = sheet.pixels
    what = f"a poster of {sheet.name} at {sheet.dpi} dpi ({width:,} x {height:,} pixels)"
    if max(width, height) > _MOST_PIXELS:
        raise InputError(f"{what} is too large: at most {_MOST_PIXELS:,} per side; use a lower dpi, or write a PDF")
    check_memory(_BYTES_PER_PIXEL * width * height + _OTHER_BYTES, what)
