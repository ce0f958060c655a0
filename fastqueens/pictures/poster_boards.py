"""The boards of posters in all styles: threads, points of light, or squares; and the words next to them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from fastqueens._run.text import counted
from fastqueens.board import Queens
from fastqueens.instance import Instance
from fastqueens.pictures.chessboard import (
    DOT,
    LARGEST_PLAIN,
    QUEEN,
    Chessboard,
    dot_size,
)
from fastqueens.pictures.density import shades
from fastqueens.pictures.layout import Line, Words, arranged, board_box
from fastqueens.pictures.palettes import Palette
from fastqueens.pictures.poster_weave import Weave
from fastqueens.pictures.poster_words import instance_words, number_of_solutions, statement_of
from fastqueens.pictures.roles import theme
from fastqueens.pictures.sheet import Sheet

#: With fewer pixels per square, constraints are only counted in the small print.
_PIXELS_PER_MARK = 3

#: Squares with at least this many pixels have whole pixels.
_WHOLE_PIXELS = 10

#: The width of the frame around squares, in units of the layout.
_FRAME = 0.8

#: The largest boards of lights with crowns.
_LARGEST_CROWNED_LIGHTS = 30

#: Each queen fills this part of her square.
_QUEEN_IN_SQUARE = 0.88

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
    """The subject of a poster: a board with everything that takes long to count.

    ``pairs`` are its attacking pairs, 0 for a solution and None if they were not counted. Boards of too many queens to
    draw them one by one have a ``density``, (rows, columns), relative to an even share.
    """

    queens: Queens
    pairs: int | None
    density: NDArray[np.float64] | None = None
    instance: Instance | None = None
    seed: int | None = None
    sweeps: int = 0
    title: str | None = None


class Drawn(NamedTuple):
    """The lines of words on a poster, and the facts for the metadata of its file."""

    lines: list[Line]
    about: str


def draw_poster(sheet: Sheet, subject: Subject, style: str, palette: Palette) -> Drawn:
    """Draw the board and write the words, in the theme in use."""
    n, box = len(subject.queens), board_box(sheet.paper, is_bled=style == "weave")
    has_squares = sheet.pixels(box.width) >= _PIXELS_PER_MARK * n
    instance = subject.instance if has_squares else None
    gain, cells = "", ""
    if style == "weave":
        weave = Weave(sheet, subject.queens, palette, box, subject.pairs)
        weave.draw(instance)
        mark = weave.mark
        gain = f"Contrast of threads: {weave.gain:.2g} times." if weave.gain > 1.05 else ""
    elif subject.density is not None:
        mark, per_side = "cell", len(subject.density)
        sheet.image(shades(subject.density, theme().density), box)
        queens = counted(round(n / per_side**2), "queen")
        cells = (
            f"{per_side:,}\u00a0\u00d7\u00a0{per_side:,} cells of about {queens}. Bright: more queens than average; "
            "dark: fewer."
        )
    else:
        mark = "light" if theme().lights else "queen"
        _draw_queens(sheet, subject._replace(instance=instance), box)
    is_one_of = subject.pairs == 0 and subject.instance is None
    facts = (
        number_of_solutions(n) if is_one_of else "",
        f"Seed\u00a0{subject.seed}." if subject.seed is not None else "",
        instance_words(subject.queens, subject.instance, is_drawn=has_squares),
        cells,
    )
    number, noun = f"{n:,}", "queen" if n == 1 else "queens"
    statement = statement_of(n, mark, subject.pairs)
    name, said = f"fastqueens, n\u00a0=\u00a0{number}", " ".join(filter(None, facts))
    lines = write_words(sheet, Words(number, noun, subject.title, statement, name, said))
    mixed = f"{counted(subject.sweeps, 'sweep')} of mixing." if subject.sweeps else ""
    seeded = f"Seed {subject.seed}." if subject.seed is not None else ""
    return Drawn(lines, " ".join(filter(None, (f"fastqueens, n = {number}.", seeded, mixed, gain))))


def write_words(sheet: Sheet, words: Words) -> list[Line]:
    """Write the words of a poster and the rules between them, and return the lines."""
    lines, rules = arranged(sheet.paper, words)
    for line in lines:
        sheet.write(line)
    for rule in rules:
        sheet.rule(rule)
    return lines


def _draw_queens(sheet: Sheet, subject: Subject, box: Bbox) -> None:
    """Draw squares in a frame or a night sky, marks, attacks and queens."""
    look, n, queens = theme(), len(subject.queens), subject.queens
    size, columns = queen_size(n), np.arange(n)
    colors: Any = look.rising
    pixels = sheet.pixels(box.width) / n
    if n <= LARGEST_PLAIN and pixels >= _WHOLE_PIXELS:
        side = box.width * int(pixels) / pixels
        box = Bbox.from_bounds(box.x0, box.y1 - side, side, side)
    board = Chessboard(sheet.axes_in(box), n, size=size, is_crowned=n <= LARGEST_PLAIN, has_squares=not look.lights)
    board.axes.set_axis_off()
    at = board.centres(columns, queens)
    if look.lights:
        colors = LinearSegmentedColormap.from_list("lights", [*look.lights])((queens + columns) / max(1, 2 * n - 2))
        edge = 0.0 if n <= LARGEST_PLAIN else size / 2
        _draw_glow(sheet, (at + edge) / (n + 2 * edge), size / (n + 2 * edge), colors, box)
    if subject.instance is not None:
        board.draw_exclusions(subject.instance)
        if n <= LARGEST_PLAIN:
            board.draw_frames(subject.instance.fixed.columns, subject.instance.fixed.rows)
    if subject.pairs:
        board.draw_attacks(queens)
    shape = QUEEN if n <= (_LARGEST_CROWNED_LIGHTS if look.lights else LARGEST_PLAIN) else DOT
    board.shapes(shape, at, size, colors)
    if not look.lights:
        # Around the board, so that it covers none of the squares.
        width = _FRAME * sheet.paper.unit
        sheet.frame(box.padded(width), width, look.ink)


def queen_size(n: int) -> float:
    """Return the size of queens in squares: the share of a square that they fill, or the size of dots if it is larger.

    >>> [round(queen_size(n), 2) for n in (8, 64, 1000, 50_000)]
    [0.88, 0.88, 4.37, 82.24]
    """
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

    The image is coarse, because a glow has no edges. Discs drawn on top of each other would leave rings.
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
