"""The places of the board, the words and the curve on a frame of an animation."""

from __future__ import annotations

from typing import NamedTuple

from fastqueens.pictures.weave import RING, dot_of

#: A box has a left, an upper, a right and a lower edge. A text has one end of its baseline, its alignment and its
#: largest width.
Box = tuple[int, int, int, int]
Text = tuple[float, float, str, float]

#: If one side is this many times as long as the other, words stand next to a square board or below it. Otherwise they
#: have a strip below the board, with this share of the height.
_OBLONG, _STRIP = 1.3, 0.14

#: A wide film shows the middle of a board that is as wide as the frame, with words on a card of these shares of the
#: width and the height. If columns have at least so many pixels, their number is whole, which makes files smaller.
_CARD, _WHOLE = (0.33, 0.26), 4


class Layout(NamedTuple):
    """The places on a frame, in pixels.

    A weave fills ``cloth``, on which ``board`` can be larger, and ``card`` is paper on it, or empty. ``line`` is the
    unit of type.
    """

    cloth: Box
    board: Box
    card: Box
    curve: Box
    line: float
    title: Text
    pairs: Text
    step: Text | None


def layout_of(n: int, size: tuple[int, int], *, is_film: bool) -> Layout:
    """Return the places on a frame. On a wide film, the cloth has no margin, and the words are on a card."""
    (width, height), is_wide, is_high = size, size[0] >= _OBLONG * size[1], size[1] >= _OBLONG * size[0]
    if is_wide and is_film:
        side = n * round(width / n) if width >= _WHOLE * n else width
        x, y, right, top = (width - side) // 2, (height - side) // 2, round(_CARD[0] * width), round(_CARD[1] * height)
        line = top / 3.3
        top, start, end = height - top, round(0.65 * line), round(right - 0.65 * line)
        title, pairs = ((start, top + down * line, "left", end - start) for down in (1.15, 2.1))
        curve = start, round(top + 2.5 * line), end, round(top + 2.9 * line)
        board, card = (x, y, x + side, y + side), (0, top, right, height)
        return Layout((0, 0, *size), board, card, curve, line, title, pairs, None)
    left = width - height if is_wide else 0
    bottom = height if is_wide else width if is_high else height - round(_STRIP * height)
    side = min(width - left, bottom)
    side = round(side / (1 + RING * dot_of(n))) if is_film else max(1, 19 * side // 20 // n) * n
    x, y = left + (width - left - side) // 2, (bottom - side) // 2
    # The words begin and end here, above each other or with the curve next to them.
    top, start, end = (0, 0, left) if is_wide else (bottom, x, x + side)
    if is_wide or is_high:
        line = min(end - start, height - top) / 9
        start, end = round(start + line), round(end - line)
        middle, room, baselines, ends = start, end - start, (1.6, 3.3, 4.7), (5.2, 1.0)
    else:
        line, middle = (height - top) / 2.6, (start + end) // 2
        room, baselines, ends = round(middle - start - line / 2), (1.05, 2.05, 0.8), (1.25, 0.6)
    title_y, count_y, step_y = (top + down * line for down in baselines)
    return Layout(
        (left, 0, width, bottom), (x, y, x + side, y + side), (0, 0, 0, 0),
        (middle, round(top + ends[0] * line), end, round(height - ends[1] * line)), line,
        (start, title_y, "left", room), (start, count_y, "left", room), (end, step_y, "right", end - middle),
    )  # fmt: skip
