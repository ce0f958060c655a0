"""The words of a poster: where they go beside the board, and how large they are."""

from __future__ import annotations

from typing import NamedTuple

from fastqueens.pictures.posters.squares import density_note
from fastqueens.pictures.posters.subject import Subject, Theme
from fastqueens.pictures.sheet import Box, Sheet, fitting_size, wrapped

BOLD, LIGHT, MONO = "DejaVuSans-Bold", "DejaVuSans", "DejaVuSansMono-Bold"

#: From one line of a title to the next, in heights of capital letters.
LINE = 1.45

#: How far letters reach below the line, in the same measure.
DESCENT = 0.3


class Layout(NamedTuple):
    """Where the words and the board go, within the margins."""

    words: Box
    board: Box
    is_upright: bool


def layout(inside: Box, n: int, sheet: Sheet, *, words_share: float, words_below: bool = False) -> Layout:
    """The board as a square as large as can be that leaves the words their share, above or beside it."""
    if inside.height >= inside.width:
        side = _whole_pixels(min(inside.width, inside.height * (1 - words_share)), n, sheet)
        left = inside.left + (inside.width - side) / 2
        if words_below:
            board = Box(left, inside.top - side, side, side)
            return Layout(Box(left, inside.bottom, side, inside.height - side), board, True)
        board = Box(left, inside.bottom, side, side)
        return Layout(Box(left, board.top, side, inside.height - side), board, True)
    side = _whole_pixels(min(inside.height, inside.width * (1 - words_share)), n, sheet)
    board = Box(inside.right - side, inside.bottom + (inside.height - side) / 2, side, side)
    words = Box(inside.left, board.bottom, board.left - inside.left - 0.06 * side, side)
    return Layout(words, board, False)


def _whole_pixels(side: float, n: int, sheet: Sheet) -> float:
    """A side at most this long of which each square is a whole number of pixels, where that costs little."""
    pixels = sheet.pixels(side) / n
    return side * int(pixels) / pixels if pixels >= 10 else side


def write_title(
    sheet: Sheet, title: list[str], x: float, y: float, size: float, color: str, font: str, align: str
) -> None:
    """Write the lines of a title, the baseline of the first one at y."""
    for line in title:
        sheet.text(line, x, y, size, color, font=font, align=align)
        y -= LINE * size


def stacked(title: list[str], width: float, height: float, font: str) -> tuple[list[str], float]:
    """The title as it is or with a word a line, whichever can be larger; its lines and their size."""
    words = [word for line in title for word in line.split()]
    fits = [
        (fitting_size(lines, width, height / (1 + DESCENT + LINE * max(0, len(lines) - 1)), font), lines)
        for lines in (title, words)
    ]
    size, lines = max(fits, key=lambda fit: fit[0])
    return lines, size


def write_small_print(
    sheet: Sheet, subject: Subject, theme: Theme, box: Box, size: float, color: str, align: str = "left"
) -> float:
    """The facts of the board at the foot of a box, and over them the note where there is one; the height they take."""
    lines = [*wrapped(density_note(subject, theme), box.width, size), *wrapped(subject.facts, box.width, size)]
    lines = [line for line in lines if line]
    x = box.left + box.width / 2 if align == "center" else box.left
    for i, line in enumerate(reversed(lines)):
        sheet.text(line, x, box.bottom + (DESCENT + 1.9 * i) * size, size, color, align=align)
    return 1.9 * size * len(lines)


def write_words_beside(sheet: Sheet, subject: Subject, theme: Theme, words: Box, small: float, font: str) -> None:
    """The title at the upper end of a column beside the board, a word a line, and the facts at its lower end."""
    title = [word for line in subject.title for word in line.split()]
    size = fitting_size(title, words.width, 0.5 * words.height / max(1, LINE * len(title)), font)
    write_title(sheet, title, words.left, words.top - size, size, theme.ink, font, "left")
    write_small_print(sheet, subject, theme, words, small, theme.faint)


def fit(text: str, width: float, most: float, font: str = LIGHT) -> float:
    """The height of capital letters, ``most`` at the most, in which a line is no wider than ``width``."""
    return fitting_size([text], width, most, font)
