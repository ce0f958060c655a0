"""Pictures for terminals with 24-bit or 256 colours, made of characters: boards, cloths in half blocks, and bars.

Only ``Session`` asks for them, and only if the report goes to such a terminal. What they show is also in the text.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fastqueens.board import Queens

#: Values of TERM and COLORTERM of terminals that show 256 or 24-bit colours.
_WITH_256, _WITH_24_BIT = ("256color", "direct", "kitty"), ("truecolor", "24bit")

#: The upper half of a cell, a mark for what holds and one for what does not, and eight heights.
_HALF, YES, NO, _HEIGHTS = "\u2580", "\u2713", "\u2717", "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"

#: The least width of a terminal with a cloth, the least and the largest side of a cloth in columns, the columns between
#: cloth and text, and the lines of the terminal that stay free.
_LEAST_WIDTH, _LEAST_SIDE, _MOST_SIDE, _GAP, _FREE_LINES = 80, 32, 64, 3, 4

#: Larger boards are drawn from the number of queens near each diagonal, and from this many queens at most: counting
#: all diagonals of a million queens would take ten times as long as solving the board.
_MOST_DIAGONALS, _MOST_COUNTED = 10_000, 1 << 17

#: The pixels of a cloth that are one pixel of a half block, along each side.
_FINE = 3

#: The factor of saturation for 256 colours, which have more greys than pale colours.
_MORE_VIVID = 1.6

#: The steps of red, green and blue in the cube of 256 colours, which begins with the colour 16.
_CUBE = (0, 95, 135, 175, 215, 255)

_RGB = tuple[int, int, int]


class Terminal(NamedTuple):
    """A terminal with colours: its width, its height, and whether it has 24-bit colours or only 256."""

    columns: int
    lines: int
    is_fine: bool

    @property
    def side(self) -> int:
        """The side of a cloth in columns, or 0 without room."""
        side = min(self.columns // 2, 2 * (self.lines - _FREE_LINES), _MOST_SIDE) // 2 * 2
        return side if self.columns >= _LEAST_WIDTH and side >= _LEAST_SIDE else 0

    @property
    def beside(self) -> int:
        """The columns beside a cloth."""
        return self.columns - self.side - _GAP

    def painted(self, text: str, role: str = "", ground: str = "", *, bold: bool | None = None) -> str:
        """Return a text in the colour of a role, which can be read on light and dark terminals.

        On the ``ground`` of another role, both have their colours on paper.
        """
        from click import style

        from fastqueens.pictures.roles import LIGHT

        if not ground:
            return style(text, fg=self._code(readable(role)) if role else None, bold=bold)
        ink = self._code(_rgb(getattr(LIGHT, role or "ink")))
        return style(text, fg=ink, bg=self._code(_rgb(getattr(LIGHT, ground))), bold=bold)

    def board(self, drawing: str) -> str:
        """Return a drawing on squares: attacked queens are red, and marks have their colours."""
        lines, looks = drawing.split("\n"), {"Q": "ink", "#": "paper", **dict.fromkeys("Ff/\\X", "note")}
        attacks, ends = _attacks(drawing), " " * (2 * len(lines) <= self.columns)
        drawn = []
        for up, line in enumerate(reversed(lines)):
            cells = []
            for column, mark in enumerate(line[::2]):
                is_attacked = mark == "q" or attacks.get((len(lines) - 1 - up, column), 0) > 0
                role = "attack" if is_attacked else looks.get(mark, "faint")
                ground = "blocked" if mark == "#" else "paper" if (up + column) % 2 else "square"
                blank = " " if column + 1 < len(lines) else ends
                cells.append(self.painted(mark + blank, role, ground, bold=mark in "QFq"))
            drawn.append("".join(cells))
        return "\n".join(reversed(drawn))

    def attacks_per_queen(self, drawing: str) -> str:
        """Return a line below a drawing: how many queens each queen attacks, "+" for more than 9; "" if none does."""
        found = {column: attacks for (_, column), attacks in _attacks(drawing).items()}
        if not any(found.values()):
            return ""
        digits = ["+" if found[column] > 9 else str(found[column] or ".") for column in sorted(found)]
        shown = " ".join(self.painted(digit, "soft" if digit == "." else "attack") for digit in digits)
        gap = "  " if 2 * len(found) + 20 <= self.columns else "\n"
        return f"{shown}{gap}{self.painted('attacks per queen', 'soft')}"

    def cloth(self, queens: Queens) -> list[str]:
        """Return the weave of a board in lines of half blocks, each of which shows two pixels; [] without room."""
        if not self.side:
            return []
        pixels, drawn = _pixels(queens, self.side), []
        if not self.is_fine:
            pixels = _vivid(pixels)
        for upper, lower in zip(pixels[::2].tolist(), pixels[1::2].tolist(), strict=True):
            cells, before = [], None
            for colors in zip(map(tuple, upper), map(tuple, lower), strict=True):
                cells.append(_HALF if colors == before else f"{self._sequence(*colors)}{_HALF}")
                before = colors
            drawn.append("".join([*cells, "\x1b[0m"]))
        return drawn

    def side_by_side(self, cloth: Sequence[str], lines: Sequence[str]) -> str:
        """Return a cloth with lines beside it, in the middle of its height."""
        above = max(0, len(cloth) - len(lines)) // 2
        beside = [*[""] * above, *lines]
        rows = max(len(cloth), len(beside))
        cloths = [*cloth, *[" " * self.side] * (rows - len(cloth))]
        return "\n".join(
            f"{woven}{' ' * _GAP}{line}" if line else woven
            for woven, line in zip(cloths, [*beside, *[""] * (rows - len(beside))], strict=True)
        )

    def _sequence(self, upper: _RGB, lower: _RGB) -> str:
        over, under = (f"2;{c[0]};{c[1]};{c[2]}" if self.is_fine else f"5;{_of_256(c)}" for c in (upper, lower))
        return f"\x1b[38;{over};48;{under}m"

    def _code(self, color: _RGB) -> _RGB | int:
        """Return a colour as click wants it."""
        return color if self.is_fine else _of_256(color)


def terminal(*, err: bool = False) -> Terminal | None:
    """Return the terminal that shows the results or the report, or None if there is none, or if it lacks colours."""
    from fastqueens.cli.output import columns, stream_of

    stream, width = stream_of(err=err), columns(err=err)
    term = os.environ.get("TERM", "")
    is_fine = os.environ.get("COLORTERM", "").lower() in _WITH_24_BIT
    if stream is None or width is None or os.environ.get("NO_COLOR") or term == "dumb":
        return None
    if not (is_fine or any(name in term for name in _WITH_256)):
        return None
    try:
        (_HALF + YES + _HEIGHTS).encode(stream.encoding)
        height = int(os.environ.get("LINES") or 0) or os.get_terminal_size(stream.fileno()).lines
    except (UnicodeEncodeError, OSError, ValueError):
        return None
    return Terminal(width, height, is_fine)


def sparkline(values: Sequence[int], width: int) -> str:
    """Return the course of numbers as a line of blocks, the greatest number in each.

    >>> sparkline([8, 6, 4, 3, 2, 2, 1, 0], 4)
    '█▄▂▁'
    """
    width, most = min(width, len(values)), max(1, *values)
    ends = [len(values) * at // width for at in range(width + 1)]
    tops = [max(values[first:last]) for first, last in pairwise(ends)]
    return "".join(_HEIGHTS[max(0, -(-8 * top // most) - 1)] for top in tops)


def readable(role: str) -> _RGB:
    """Return the colour of a role for a terminal of any colour: halfway between the light and the dark theme.

    >>> readable("solved")
    (30, 164, 120)
    """
    from fastqueens.pictures.roles import DARK, LIGHT

    light, dark = (_rgb(getattr(look, role)) for look in (LIGHT, DARK))
    red, green, blue = ((one + other) // 2 for one, other in zip(light, dark, strict=True))
    return red, green, blue


def _rgb(color: str) -> _RGB:
    red, green, blue = bytes.fromhex(color[1:])
    return red, green, blue


def _of_256(color: Iterable[int]) -> int:
    """Return the nearest of 256 colours: of the cube, or one of 24 greys."""
    red, green, blue = color
    near = [min(range(6), key=lambda at: abs(_CUBE[at] - part)) for part in (red, green, blue)]
    grey = max(0, min(23, round(((red + green + blue) / 3 - 8) / 10)))
    candidates = {
        16 + 36 * near[0] + 6 * near[1] + near[2]: [_CUBE[at] for at in near],
        232 + grey: [8 + 10 * grey] * 3,
    }
    parts = (red, green, blue)
    return min(candidates, key=lambda at: sum((a - b) ** 2 for a, b in zip(candidates[at], parts, strict=True)))


def _attacks(drawing: str) -> dict[tuple[int, int], int]:
    """Return how many queens each queen of a drawing attacks, by her line and column."""
    lines = enumerate(drawing.split("\n"))
    queens = [(row, column) for row, line in lines for column, mark in enumerate(line[::2]) if mark in "QFq"]
    used = Counter(line for queen in queens for line in _lines(*queen))
    return {queen: sum(used[line] for line in _lines(*queen)) - 3 for queen in queens}


def _lines(row: int, column: int) -> Iterable[tuple[str, int]]:
    return ("row", row), ("sum", row + column), ("difference", row - column)


def _pixels(queens: Queens, side: int) -> NDArray[np.uint8]:
    """Return the weave of a board as (side, side, 3) bytes."""
    import numpy as np

    from fastqueens.pictures.palettes import PALETTES
    from fastqueens.pictures.weave import Cloth, Place, coverage, silk, strength_on

    n, palette = len(queens), PALETTES["riso"]
    if n <= _MOST_DIAGONALS:
        rows, columns, fine = queens.astype(np.int64), np.arange(n), _FINE * side
        counts = [np.bincount(lines) for lines in (rows, rows + columns, columns - rows + n)]
        strength = strength_on(n, sum(float((count * (count - 1) // 2).sum()) for count in counts))
        pixels = Cloth(queens, palette, fine, fine, Place(0, 0, fine), strength).pixels()
        means = pixels.reshape(side, _FINE, side, _FINE, 3).mean(axis=(1, 3))
        return np.asarray(np.rint(means), np.uint8)
    step, shift = -(-n // _MOST_COUNTED), (n // (8 * side)).bit_length() - 1
    rows, columns = queens[::step].astype(np.int64), np.arange(0, n, step)
    edges, inks = np.arange(0.0, 2 * n + (1 << shift), 1 << shift), []
    for lines in (rows + columns, columns - rows + n):
        near = np.bincount(lines >> shift, minlength=len(edges) - 1)
        woven, covered, _ = silk(edges, near * (step / (1 << shift)), n, side)
        inks.append(coverage(np.arange(1.0, 2 * side) * n / side, woven, covered, n / side))
    down, across = np.indices((side, side))
    picture = np.full((side, side, 3), _rgb(palette.paper), np.float64)
    for ink, color, at in (
        (inks[0], palette.rising, across + down),
        (inks[1], palette.falling, across - down + side - 1),
    ):
        picture *= 1 - ink[at][..., None] * (1 - np.array(_rgb(color)) / 255)
    return np.rint(picture).astype(np.uint8)


def _vivid(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return pixels with more saturated colours."""
    import numpy as np

    grey = pixels.mean(axis=2, keepdims=True)
    return np.asarray(np.clip(grey + _MORE_VIVID * (pixels - grey), 0, 255), np.uint8)
