"""The paper of posters: named sizes, sizes with a unit, and bleed.

This file does not import matplotlib, because commands list the sizes.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple, SupportsIndex

from fastqueens._run.arguments import check_choice, check_integer, real
from fastqueens.errors import InputError

#: Width and height in millimetres, upright: ISO 216, and the usual sizes in North America.
PAPERS = {
    "A0": (841.0, 1189.0), "A1": (594.0, 841.0), "A2": (420.0, 594.0), "A3": (297.0, 420.0), "A4": (210.0, 297.0),
    "A5": (148.0, 210.0), "A6": (105.0, 148.0), "letter": (215.9, 279.4), "legal": (215.9, 355.6),
    "tabloid": (279.4, 431.8),
}  # fmt: skip

ORIENTATIONS = ("portrait", "landscape")

MILLIMETRES_PER_INCH = 25.4
_UNITS = {"mm": 1.0, "cm": 10.0, "in": MILLIMETRES_PER_INCH}
_NUMBER = r"(\d{1,9}(?:\.\d{1,9})?)"
_SIZE = re.compile(rf"{_NUMBER}\s*[x\u00d7]\s*{_NUMBER}\s*(mm|cm|in)", re.ASCII | re.IGNORECASE)
_LENGTH = re.compile(rf"{_NUMBER}\s*(mm|cm|in)?", re.ASCII | re.IGNORECASE)

#: On smaller sheets, words would be too close to the edge.
_SMALLEST_SIDE = 100.0
_LARGEST_SIDE = 10_000.0
_LEAST_DPI, _MOST_DPI = 10, 2400
_MOST_BLEED = 50.0


class Paper(NamedTuple):
    """A sheet of ``width`` x ``height`` millimetres after trimming.

    The ``bleed`` is printed around it and cut off. ``name`` is the size in the words of the user.
    """

    width: float
    height: float
    bleed: float
    dpi: int
    name: str

    @property
    def inches(self) -> tuple[float, float]:
        """Width and height in inches, with the bleed."""
        width, height = ((side + 2 * self.bleed) / MILLIMETRES_PER_INCH for side in (self.width, self.height))
        return width, height

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height with the bleed, rounded to whole pixels."""
        across, down = self.inches
        return round(across * self.dpi), round(down * self.dpi)

    @property
    def unit(self) -> float:
        """The unit of the layout in millimetres: a 500th of the shorter side, so 1 mm on a sheet of 50 x 70 cm."""
        return min(self.width, self.height) / 500


def paper(
    size: str = "A1",
    *,
    dpi: SupportsIndex = 300,
    orientation: str | None = None,
    bleed: str | float = 0.0,
) -> Paper:
    """Return the sheet of a size; a length is a number of millimetres, or a text with a number and mm, cm or in.

    Sizes with a name are upright.

    >>> paper("24x36in", dpi=100, bleed="0.125in").pixels
    (2425, 3625)
    """
    width, height = _sides(size)
    if orientation is not None:
        check_choice(orientation, "orientation", ORIENTATIONS)
        width, height = sorted((width, height), reverse=orientation == "landscape")
    dpi = check_integer(dpi, "dpi", _LEAST_DPI, _MOST_DPI, "for a poster ")
    outer = _length(bleed, "bleed")
    if outer > _MOST_BLEED:
        raise InputError(f"bleed is {_shown(outer)}: it must be at most {_shown(_MOST_BLEED)}; 3 mm are usual")
    return Paper(width, height, outer, dpi, str(size).strip())


def _sides(size: str) -> tuple[float, float]:
    name = str(size).strip()
    named = {usual.lower(): sides for usual, sides in PAPERS.items()}.get(name.lower())
    if named is not None:
        return named
    found = _SIZE.fullmatch(name)
    if found is None:
        raise InputError(
            f"size is {name!r}: it must be A0 to A6, letter, legal, tabloid, or WxHmm, WxHcm or WxHin as in 24x36in"
        )
    width, height = (float(number) * _UNITS[found[3].lower()] for number in found.group(1, 2))
    for side in (width, height):
        if not _SMALLEST_SIDE <= side <= _LARGEST_SIDE:
            raise InputError(
                f"size is {name!r}: a side must be between {_shown(_SMALLEST_SIDE)} and {_shown(_LARGEST_SIDE)}"
            )
    return width, height


def _length(value: str | float, name: str) -> float:
    """Return a length in millimetres."""
    if isinstance(value, str):
        found = _LENGTH.fullmatch(value.strip())
        if found:
            return float(found[1]) * _UNITS[(found[2] or "mm").lower()]
    else:
        number = real(value)
        if number is not None and 0 <= number < math.inf:
            return number
    raise InputError(f"{name} is {value!r}: a length is needed, as in 20, 20mm, 2cm or 0.8in")


def _shown(millimetres: float) -> str:
    return f"{millimetres:.6g} mm"
