"""Posters: the drawing of their boards, queen by queen or as a density, and what they say."""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from fastqueens._run.text import counted
from fastqueens.board import Queens
from fastqueens.checking import attacking_pairs, violations
from fastqueens.densities import bin_board, cells_for
from fastqueens.errors import InputError
from fastqueens.instance import Instance
from fastqueens.pictures.chessboard import (
    DOT,
    LARGEST_WITH_SQUARES,
    QUEEN,
    Chessboard,
    dot_size,
    excluded_lines,
    neighbours_on_lines,
)
from fastqueens.pictures.density import QUEENS_IN_CELL, shades
from fastqueens.pictures.figure import TITLE, large_number
from fastqueens.pictures.sheet import Sheet
from fastqueens.pictures.themes import theme

log = logging.getLogger("fastqueens")

#: Attacking pairs are counted below this n; for larger boards it would take minutes.
_PAIRS_COUNTED_BELOW = 10**7

#: From this n on, and if n is a multiple of the second number, titles have words for large numbers.
_LARGE_NUMBER, _ROUND = 10**6, 10**5

#: The most cells per side of a density.
_MOST_CELLS = 1000

#: With fewer pixels per square blocked squares and excluded diagonals are only counted in the small print.
_PIXELS_PER_MARK = 3

#: The width of the frame around a board without lights, in units.
_AROUND = 0.02

#: The largest boards with crowns, and those on which queens are drawn one by one; larger boards are densities.
_LARGEST_WITH_CROWNS, _MOST_QUEENS = 400, 100_000

#: Each queen fills this part of her square. Crowns without squares are this many times as wide as dots, and at most
#: this many squares, because the nearest queen of a solution is a knight's move away.
_QUEEN_IN_SQUARE = 0.88
_CROWN_IN_DOTS, _LARGEST_CROWN = 1.5, 2.2

#: More attacks would cover the board, so their queens are coloured instead.
_MOST_ATTACKS = 1000

#: Lights glow at most like dots of this share of the mean distance between queens.
_GLOW_IN_DISTANCE = 0.25

#: The glow is the sum of these normal curves: standard deviations in sizes of a light, and heights. It reaches this
#: many of the wider standard deviations.
_CURVES = ((0.75, 0.45), (2.0, 0.16))
_REACH = 3.5

#: Pixels of the glow per size of a light, and the most pixels per side.
_FINENESS = 5
_MOST_GLOW_PIXELS = 2000


class Subject(NamedTuple):
    """What a poster shows: a board, the instance that it is to respect, and how they can be drawn on the paper.

    ``cells`` is the number of cells per side of a density, 0 if queens are drawn; ``shows_squares`` is set if squares
    are large enough for marks.
    """

    queens: Queens
    is_solution: bool
    callbacks: dict[str, Any]
    instance: Instance | None = None
    cells: int = 0
    shows_squares: bool = True

    def on(self, pixels: float) -> Subject:
        """Return the subject with what can be drawn on a board of a width in pixels."""
        n, cells = len(self.queens), 0
        if n > _MOST_QUEENS:
            cells = cells_for(n, QUEENS_IN_CELL, max(1, min(_MOST_CELLS, int(pixels / 2))))
        return self._replace(cells=cells, shows_squares=pixels >= _PIXELS_PER_MARK * n)

    def notes(self) -> list[str]:
        """Return how to read the colours of a density, and what an instance asks for."""
        n, found = len(self.queens), []
        if self.cells:
            found.append(
                f"{self.cells:,} × {self.cells:,} cells of about {n / self.cells**2:,.0f} queens each, coloured where "
                "they have more or fewer than an even share. Every queen is counted."
            )
        if self.instance is not None and not self.instance.is_free:
            found.append(self._instance_note(self.instance))
        return found

    def _instance_note(self, instance: Instance) -> str:
        """Return what an instance asks for, what the board violates, and how that is drawn."""
        violated = violations(self.queens, instance).words
        sentences = [f"With {instance.constraints}.", f"Violated: {violated}." if violated else ""]
        if self.shows_squares:
            sentences.append("Filled squares are blocked." if len(instance.blocked) else "")
            sentences.append("Dashed diagonals are excluded." if len(excluded_lines(instance)) else "")
        elif instance.has_exclusions:
            sentences.append("Squares are too small to show which of them are blocked or on excluded diagonals.")
        return " ".join(filter(None, sentences))


def title_of(title: str | None, n: int) -> str:
    """Return a title without empty lines, None for the default; check that the fonts have all characters.

    >>> [title_of(None, n) for n in (1, 1000, 10_000_000)]
    ['1 Queen', '1,000 Queens', '10 Million Queens']
    """
    if title is None:
        is_round = n >= _LARGE_NUMBER and n % _ROUND == 0
        number = large_number(n).title() if is_round else f"{n:,}"
        return f"{number} {'Queen' if n == 1 else 'Queens'}"
    fonts = [get_font(findfont(FontProperties(family=name))) for name in TITLE.get_family()]
    for character in "".join(title.split()):
        if not any(font.get_char_index(ord(character)) for font in fonts):
            names = " and ".join(font.family_name for font in fonts)
            raise InputError(f"title: the fonts {names} have no character {character!r}")
    return "\n".join(" ".join(line.split()) for line in title.splitlines() if line.strip())


def subtitle_of(board: Queens, is_solution: bool, callbacks: dict[str, Any]) -> str:
    """Return whether queens attack each other, and how many pairs of them.

    >>> subtitle_of([1, 3, 0, 2], True, {})
    'No two share a row, a column or a diagonal.'
    """
    n = len(board)
    if n == 1:
        return "Alone on her board, she attacks nobody."
    if is_solution:
        return "No two share a row, a column or a diagonal."
    if n >= _PAIRS_COUNTED_BELOW:
        return "Some of them attack each other."
    pairs = attacking_pairs(board, **callbacks)
    text = "Two queens attack each other." if pairs == 1 else f"{pairs:,} pairs of queens attack each other."
    return f"{text} On so small a board, that cannot be avoided." if n <= 3 else text


def caption_of(n: int, *, titled: bool, seed: int | None, steps: int | None, sweeps: int = 0) -> str:
    """Return how a board was found: seed, steps and sweeps, and n if the title does not say it.

    >>> caption_of(1000, titled=True, seed=1, steps=60)
    'n = 1,000 · seed 1 · 60 steps'
    """
    facts = (
        f"n = {n:,}" if titled else "",
        "" if seed is None else f"seed {seed}",
        "" if steps is None else counted(steps, "step"),
        f"mixed for {counted(sweeps, 'sweep')}" if sweeps else "",
    )
    return " · ".join(filter(None, facts))


def draw_board(sheet: Sheet, subject: Subject, board: Bbox) -> None:
    """Draw the board with its queens and their attacks, or as a density, in the theme in use."""
    look, n, frame = theme(), len(subject.queens), _AROUND * sheet.unit
    box = board if look.lights else sheet.grown(board, -frame)
    if subject.cells:
        bins = bin_board(subject.queens, subject.cells, **subject.callbacks)
        sheet.image(shades(bins.density(), look.density), box)
        log.info("%s queens are too many to draw one by one: the poster shows their density", f"{n:,}")
    else:
        _draw_queens(sheet, subject, box)
    if not look.lights:
        # Around the board, so that it covers none of the squares.
        sheet.frame(board, frame, look.ink)


def _draw_queens(sheet: Sheet, subject: Subject, box: Bbox) -> None:
    """Draw squares, marks, attacks and queens."""
    look, n, queens = theme(), len(subject.queens), subject.queens
    attacks = np.empty((0, 2), np.int64) if subject.is_solution else neighbours_on_lines(queens)
    size, columns = queen_size(n), np.arange(n)
    colors: Any = look.ink
    board = Chessboard(sheet.axes_in(box), n, size=size)
    board.axes.set_axis_off()
    at = board.centres(columns, queens)
    if look.lights:
        colors = LinearSegmentedColormap.from_list("lights", [*look.lights])((queens + columns) / max(1, 2 * n - 2))
    if look.lights and n > LARGEST_WITH_SQUARES:
        _draw_glow(sheet, (at + size / 2) / (n + size), size / (n + size), colors, box)
    if subject.instance is not None and subject.shows_squares:
        board.draw_exclusions(subject.instance)
        if n <= LARGEST_WITH_SQUARES:
            board.draw_frames(subject.instance.fixed.columns, subject.instance.fixed.rows)
    if 0 < len(attacks) <= _MOST_ATTACKS:
        board.draw_attacks(queens, attacks)
    shape = QUEEN if n <= _LARGEST_WITH_CROWNS else DOT
    board.shapes(shape, at, size, colors)
    if len(attacks) > _MOST_ATTACKS:
        board.shapes(shape, at[np.unique(attacks)], size, look.attack)


def queen_size(n: int) -> float:
    """Return the size of all queens in squares: the part of a square that they fill, or that of dots if it is larger.

    >>> [round(queen_size(n), 2) for n in (8, 64, 100, 400, 1000, 50_000)]
    [0.88, 0.88, 1.65, 2.2, 4.37, 82.24]
    """
    if LARGEST_WITH_SQUARES < n <= _LARGEST_WITH_CROWNS:
        return min(_LARGEST_CROWN, _CROWN_IN_DOTS * dot_size(n))
    return max(_QUEEN_IN_SQUARE, dot_size(n))


def _draw_glow(sheet: Sheet, places: NDArray[np.float64], size: float, colors: Any, box: Bbox) -> None:
    """Draw the glow around lights at (k, 2) places; places and the size of a light are shares of the box."""
    # Large crowns glow like dots, so that the margin stays dark; many lights glow less, so that the sky does.
    light = box.width * min(size, dot_size(len(places)) / len(places), _GLOW_IN_DISTANCE / len(places) ** 0.5)
    sky = sheet.grown(box, _REACH * _CURVES[-1][0] * light)
    at = box.min + places * box.size
    sheet.image(_glow_image(at, light, colors[:, :3], sky, theme().paper), sky, smooth=True)


def _glow_image(
    at: NDArray[np.float64], size: float, colors: NDArray[np.float64], box: Bbox, night: str
) -> NDArray[np.uint8]:
    """Return the glow of lights around (k, 2) centres with (k, 3) colours: (rows, columns, 3) bytes of the box.

    It is coarse, because a glow has no edges, and it has none of the rings that discs on top of each other leave.
    """
    pixel = max(size / _FINENESS, max(box.width, box.height) / _MOST_GLOW_PIXELS)
    rows, columns = (max(1, round(side / pixel)) for side in (box.height, box.width))
    # Around the image is space for what reaches beyond its edges: the transform continues at the opposite edge.
    space = int(np.ceil(_REACH * _CURVES[-1][0] * size / pixel)) + 2
    shape = rows + space, columns + space
    across, down = (at[:, 0] - box.x0) / box.width * columns, (box.y1 - at[:, 1]) / box.height * rows
    pixels = np.floor(down).astype(np.int64) % shape[0] * shape[1] + np.floor(across).astype(np.int64) % shape[1]
    squared = np.fft.fftfreq(shape[0])[:, np.newaxis] ** 2 + np.fft.rfftfreq(shape[1]) ** 2
    variances = [(2 * np.pi * (deviation * size / pixel) ** 2, height) for deviation, height in _CURVES]
    transfer = sum(height * variance * np.exp(-np.pi * variance * squared) for variance, height in variances)
    weight, *mixture = (
        np.fft.irfft2(np.fft.rfft2(np.bincount(pixels, values, shape[0] * shape[1]).reshape(shape)) * transfer, shape)
        for values in (np.ones(len(at)), *colors.T)
    )
    weight, dark = np.maximum(weight, 1e-9), np.array(to_rgb(night))
    color = np.clip(np.stack(mixture, axis=2) / weight[..., np.newaxis], 0.0, 1.0)
    image = dark - np.expm1(-weight)[..., np.newaxis] * (color - dark)
    return np.asarray(np.round(255 * image[:rows, :columns]), np.uint8)
