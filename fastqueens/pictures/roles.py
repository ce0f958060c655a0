"""Colours: the table of roles for all pictures, plots, posters, pages and the terminal, light and dark.

``python -m fastqueens.pictures.roles`` writes them as the stylesheet of the page and the site. matplotlib is imported
only in functions, because commands import palettes.
"""

from __future__ import annotations

from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple


class Roles(NamedTuple):
    """What each colour is for. Rising and falling threads, and lines that queens share, look the same everywhere.

    ``soft`` is for small print, ``faint`` for axes, ``square`` for every second square, ``attack`` for shared lines and
    attacking pairs, ``note`` for what the reader or an instance marks, and ``accent`` for links and buttons.
    ``density`` lists colours from few queens through an even share to many; its lightness has one direction, so it can
    be read in grey. ``series`` are used in order, and neighbours also differ in grey.
    """

    paper: str
    ink: str
    soft: str
    faint: str
    grid: str
    square: str
    rising: str
    falling: str
    dot: str
    attack: str
    solved: str
    note: str
    blocked: str
    accent: str
    density: tuple[str, ...]
    series: tuple[str, ...]
    is_transparent: bool = False

    @property
    def ground(self) -> str:
        """The background: the paper, or "none"."""
        return "none" if self.is_transparent else self.paper


LIGHT = Roles(
    paper="#f5f0e6", ink="#16181d", soft="#5b5850", faint="#8d8675", grid="#d9d4c7", square="#e9dfcc",
    rising="#1d4e89", falling="#f25f3a", dot="#ffffff", attack="#d40028", solved="#007a59", note="#8e2f78",
    blocked="#4b4a45", accent="#1d4e89",
    density=("#fcf6e8", "#f9d7b5", "#f4a276", "#ea6a4a", "#9c4a6c", "#3c3f78", "#0d1030"),
    series=("#1d4e89", "#f25f3a", "#007a59", "#c98a00", "#8e2f78", "#5b5850"),
)  # fmt: skip
DARK = Roles(
    paper="#0b0f24", ink="#f3ede0", soft="#b0b0bf", faint="#7a82a8", grid="#2c355e", square="#151b38",
    rising="#00308c", falling="#a62d00", dot="#fff6e0", attack="#ff4d5e", solved="#3ccf98", note="#e0a0d6",
    blocked="#4a5796", accent="#7fb6ea",
    density=("#0b0f24", "#2a2f6b", "#743e7e", "#d2543c", "#f28a4b", "#f9c27e", "#fff6e0"),
    series=("#7fb6ea", "#f2794e", "#3ccf98", "#f0c040", "#e0a0d6", "#b0b0bf"),
)  # fmt: skip

#: Where the stylesheet belongs, and the elements that it is for: the page and the site name their theme differently.
STYLESHEET = Path(__file__).parent.parent / "explorer" / "assets" / "roles.css"
_ELEMENTS = {
    "light": ':root, [data-md-color-scheme="default"]',
    "dark": ':root[data-theme="dark"], [data-md-color-scheme="slate"]',
}


def stylesheet() -> str:
    """Return the roles as properties of CSS: ``--paper`` and so on; lists have commas."""
    rules = ["/* Written by python -m fastqueens.pictures.roles, which has the table of colours. */"]
    for name, elements in _ELEMENTS.items():
        lines = [f"  color-scheme: {name};"]
        for role, color in named_theme(name)._asdict().items():
            if color:
                lines.append(f"  --{role}: {color if isinstance(color, str) else ', '.join(color)};")
        rules.append("\n".join([f"{elements} {{", *lines, "}"]))
    return "\n\n".join(rules) + "\n"


def named_theme(name: str) -> Roles:
    """Return the roles of a theme with this name: light, dark, transparent or dark-transparent."""
    colors = DARK if name.startswith("dark") else LIGHT
    return colors._replace(is_transparent=name.endswith("transparent"))


theme_in_use = ContextVar("theme", default=LIGHT)

#: Return the theme in use: see :func:`fastqueens.pictures.figure.house_style`.
theme = theme_in_use.get


def blend(one: str, other: str, share: float) -> tuple[float, float, float]:
    """Return the red, green and blue of a mixture of two colours with this share of the other, from 0 to 1.

    >>> blend("black", "white", 0.25)
    (0.25, 0.25, 0.25)
    """
    from matplotlib.colors import to_rgb

    red, green, blue = ((1 - share) * a + share * b for a, b in zip(to_rgb(one), to_rgb(other), strict=True))
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours by WCAG 2, from 1 to 21.

    >>> contrast("white", "black"), contrast("navy", "navy"), round(contrast("gray", "white"), 2)
    (21.0, 1.0, 3.95)
    """
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: str) -> float:
    """Return the relative luminance of a colour by WCAG 2, from 0 to 1."""
    from matplotlib.colors import to_rgb

    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(color))
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


if __name__ == "__main__":
    STYLESHEET.write_text(stylesheet(), "utf-8")
