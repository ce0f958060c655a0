"""The small print of a poster: the facts about the board, and the note on a density above them."""

from __future__ import annotations

from fastqueens.pictures.posters.lettering import wrapped
from fastqueens.pictures.posters.sheet import Box, Sheet
from fastqueens.pictures.posters.subject import Subject
from fastqueens.pictures.posters.theme import Theme
from fastqueens.pictures.posters.wording import density_note

#: From one line to the next, and how far letters reach below the line, in heights of capital letters.
_LINE = 1.9
_DESCENT = 0.3


def write_small_print(
    sheet: Sheet, subject: Subject, theme: Theme, box: Box, size: float, color: str, align: str = "left"
) -> float:
    """Write the small print at the bottom of a box, and return its height."""
    lines = [*wrapped(density_note(subject, theme), box.width, size), *wrapped(subject.facts, box.width, size)]
    lines = [line for line in lines if line]
    x = box.left + box.width / 2 if align == "center" else box.left
    for i, line in enumerate(reversed(lines)):
        sheet.text(line, x, box.bottom + (_DESCENT + _LINE * i) * size, size, color, align=align)
    return _LINE * size * len(lines)
