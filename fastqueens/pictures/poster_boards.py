"""The boards of posters, threads or squares, and the words next to them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from matplotlib.transforms import Bbox

from fastqueens._run.text import counted
from fastqueens.board import Queens
from fastqueens.instance import Instance
from fastqueens.pictures.chessboard import QUEEN, Chessboard
from fastqueens.pictures.layout import Words, arranged, board_box
from fastqueens.pictures.palettes import Palette
from fastqueens.pictures.poster_weave import Weave
from fastqueens.pictures.poster_words import instance_words, number_of_solutions, statement_of
from fastqueens.pictures.roles import theme
from fastqueens.pictures.sheet import POINTS_PER_MILLIMETRE, Sheet

#: With fewer pixels per square, constraints are only counted in the small print.
_PIXELS_PER_MARK = 3

#: Squares with at least this many pixels have whole pixels.
_WHOLE_PIXELS = 10

#: The width of the frame around squares, in units of the layout.
_FRAME = 0.8

#: Each queen fills this part of her square.
_QUEEN_IN_SQUARE = 0.88


class Subject(NamedTuple):
    """The subject of a poster: a board with everything that takes long to count.

    ``pairs`` are its attacking pairs, 0 for a solution and None if they were not counted.
    """

    queens: Queens
    pairs: int | None
    instance: Instance | None = None
    seed: int | None = None
    sweeps: int = 0
    title: str | None = None


def draw_poster(sheet: Sheet, subject: Subject, style: str, palette: Palette) -> str:
    """Draw the board and write the words, in the theme in use; return the facts for the metadata of the file."""
    n, box = len(subject.queens), board_box(sheet.paper, is_bled=style == "weave")
    has_squares = sheet.pixels(box.width) >= _PIXELS_PER_MARK * n
    instance = subject.instance if has_squares else None
    mark, gain = "queen", ""
    if style == "weave":
        weave = Weave(sheet, subject.queens, palette, box, subject.pairs)
        weave.draw(instance)
        mark = weave.mark
        gain = f"Contrast of threads: {weave.gain:.2g} times." if weave.gain > 1.05 else ""
    else:
        _draw_squares(sheet, subject._replace(instance=instance), box)
    is_one_of = subject.pairs == 0 and subject.instance is None
    facts = (
        number_of_solutions(n) if is_one_of else "",
        f"Seed\u00a0{subject.seed}." if subject.seed is not None else "",
        instance_words(subject.queens, subject.instance, is_drawn=has_squares),
    )
    number, noun = f"{n:,}", "queen" if n == 1 else "queens"
    statement = statement_of(mark, subject.pairs)
    name, said = f"fastqueens, n\u00a0=\u00a0{number}", " ".join(filter(None, facts))
    write_words(sheet, Words(number, noun, subject.title, statement, name, said))
    mixed = f"{counted(subject.sweeps, 'sweep')} of mixing." if subject.sweeps else ""
    seeded = f"Seed {subject.seed}." if subject.seed is not None else ""
    return " ".join(filter(None, (f"fastqueens, n = {number}.", seeded, mixed, gain)))


def write_words(sheet: Sheet, words: Words) -> None:
    """Write the words of a poster, and the rules between them."""
    lines, rules = arranged(sheet.paper, words)
    for line in lines:
        sheet.write(line)
    for rule in rules:
        sheet.rule(rule)


def _draw_squares(sheet: Sheet, subject: Subject, box: Bbox) -> None:
    """Draw squares in a frame, marks, attacks and queens."""
    look, n = theme(), len(subject.queens)
    pixels = sheet.pixels(box.width) / n
    if pixels >= _WHOLE_PIXELS:
        side = box.width * int(pixels) / pixels
        box = Bbox.from_bounds(box.x0, box.y1 - side, side, side)
    board = Chessboard(sheet.axes_in(box), n, is_crowned=True)
    board.axes.spines[:].set(color=look.ink, linewidth=_FRAME * sheet.paper.unit * POINTS_PER_MILLIMETRE)
    if subject.instance is not None:
        board.draw_instance(subject.instance)
    if subject.pairs:
        board.draw_attacks(subject.queens)
    board.shapes(QUEEN, board.centres(np.arange(n), subject.queens), _QUEEN_IN_SQUARE, look.rising)
