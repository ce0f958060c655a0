"""Where the board and the words go on a poster."""

from __future__ import annotations

from typing import NamedTuple

from fastqueens.pictures.posters.sheet import Box, Sheet


class Layout(NamedTuple):
    """Where the words and the board go, within the margins; on an upright poster the words are above or below."""

    words: Box
    board: Box
    is_upright: bool


def layout(inside: Box, n: int, sheet: Sheet, *, words_share: float, words_below: bool = False) -> Layout:
    """Return the largest square for the board that leaves the words their share, above, below or next to it."""
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
    """Reduce a side so that each square is a whole number of pixels, unless squares are small."""
    pixels = sheet.pixels(side) / n
    return side * int(pixels) / pixels if pixels >= 10 else side
