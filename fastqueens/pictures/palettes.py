"""Colours of posters: the named palettes of the weave, the user's own palettes, and the check of their contrast.

Imports matplotlib only in functions, since commands list the names.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from fastqueens.errors import InputError
from fastqueens.pictures.roles import DARK, LIGHT, Roles, blend, contrast


class Palette(NamedTuple):
    """The colours of a weave. Inks darken paper that is printed; if ``shines``, they brighten a screen."""

    paper: str
    rising: str
    falling: str
    dot: str
    ink: str
    attack: str
    shines: bool = False


def palette_in(look: Roles) -> Palette:
    """Return the palette of a theme."""
    return Palette(
        look.paper, look.rising, look.falling, look.dot, look.ink, look.attack, shines=look.paper == DARK.paper
    )


PALETTES = {
    "riso": palette_in(LIGHT),
    "night": palette_in(DARK),
    "moss": Palette("#f7f3ea", "#0f7173", "#f2a541", "#ffffff", "#10282a", LIGHT.attack),
    "linen": Palette("#ffffff", "#6e6e6e", "#6e6e6e", "#ffffff", "#000000", LIGHT.attack),
}

STYLES = ("weave", "plain")

#: The least contrast with the paper by WCAG 2: of the stronger ink, and of both.
_LEAST_CONTRAST, _LEAST_OF_BOTH = 3, 1.5


def palette_of(colors: str) -> Palette:
    """Return a palette by its name, or from comma-separated colours: paper and one or two inks.

    >>> palette_of("white,navy").falling
    '#000080'
    """
    if not isinstance(colors, str):
        raise InputError(f"palette must be a name or colours with commas, as in 'white,navy', not {colors!r}")
    return PALETTES.get(colors.lower()) or _own(colors)


def _own(colors: str) -> Palette:
    from matplotlib.colors import is_color_like, to_hex

    parts = [part.strip() for part in colors.split(",")]
    if len(parts) not in (2, 3) or not all(map(is_color_like, parts)):
        raise InputError(
            f"palette is {colors!r}: it must be {', '.join(PALETTES)}, or the colours of the paper and of one or two "
            "inks with commas, as in white,navy or #f5f0e6,#1d4e89,#f25f3a"
        )
    paper, rising, falling = (to_hex(part) for part in (*parts, parts[-1])[:3])
    # Inks darken a paper or light it up: the way in which they show.
    found = {}
    for shines in (False, True):
        ratios = [contrast(printed(paper, [ink], shines=shines), paper) for ink in (rising, falling)]
        demands = (min(ratios), _LEAST_OF_BOTH), (max(ratios), _LEAST_CONTRAST)
        # How far the worse of both demands is met: enough from 1 on.
        found[shines] = min((ratio / least, ratio, least, parts[1 + ratios.index(ratio)]) for ratio, least in demands)
    shines = found[True][0] > found[False][0]
    met, ratio, least, name = found[shines]
    if met < 1:
        shown = math.floor(100 * ratio) / 100
        raise InputError(
            f"palette is {colors!r}: printed on this paper, {name} has a contrast of {shown}:1, and at least {least}:1 "
            "is needed; inks must be darker than the paper, or all of them lighter"
        )
    light, dark = PALETTES["night"].ink, PALETTES["riso"].ink
    ink = max(light, dark, key=lambda color: contrast(color, paper))
    return Palette(paper, rising, falling, light if shines else LIGHT.dot, ink, LIGHT.attack, shines)


def printed(paper: str, inks: Sequence[str], *, shines: bool, strength: float = 1.0) -> str:
    """Return the colour of inks of a ``strength`` up to 1 that are printed over each other on paper.

    >>> printed("#ffffff", ["#ffff00", "#00ffff"], shines=False)
    '#00ff00'
    >>> printed("#000000", ["#ff0000", "#0000ff"], shines=True)
    '#ff00ff'
    """
    from matplotlib.colors import to_hex, to_rgb

    nothing = "#000000" if shines else "#ffffff"
    colors = [to_rgb(paper), *(blend(nothing, ink, strength) for ink in inks)]
    red, green, blue = (
        1 - math.prod(1 - part for part in parts) if shines else math.prod(parts) for parts in zip(*colors, strict=True)
    )
    return to_hex((red, green, blue))


def theme_of(palette: Palette) -> Roles:
    """Return the theme in which everything on a poster but threads is drawn."""
    from matplotlib.colors import to_hex

    def mixed(share: float) -> str:
        return to_hex(blend(palette.ink, palette.paper, share))

    one = printed(palette.paper, [palette.rising], shines=palette.shines)
    if contrast(one, palette.paper) < _LEAST_CONTRAST:
        one = palette.ink
    return LIGHT._replace(
        paper=palette.paper, square=to_hex(blend(one, palette.paper, 0.85)), rising=one, ink=palette.ink,
        soft=mixed(0.25), note=palette.ink, blocked=mixed(0.25), attack=palette.attack,
    )  # fmt: skip
