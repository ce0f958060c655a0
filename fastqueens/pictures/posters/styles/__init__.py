"""The styles of posters: each module has a theme, and a function that draws a subject on a sheet in this theme."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from fastqueens.core.errors import InputError
from fastqueens.pictures.posters.sheet import Sheet
from fastqueens.pictures.posters.styles import classic, infographic, lines, modern
from fastqueens.pictures.posters.subject import Subject
from fastqueens.pictures.posters.theme import Theme

#: The function that draws each style, and its theme.
STYLES: dict[str, tuple[Callable[[Sheet, Subject, Theme], None], Theme]] = {
    "classic": (classic.draw_classic, classic.THEME),
    "modern": (modern.draw_modern, modern.THEME),
    "lines": (lines.draw_lines, lines.THEME),
    "infographic": (infographic.draw_infographic, infographic.THEME),
}


def check_style(style: str) -> str:
    """Return the name of a style; raise :class:`InputError`, which suggests a similar one, if it is unknown.

    >>> check_style("modren")
    Traceback (most recent call last):
    ...
    fastqueens.InputError: style is 'modren': there are classic, modern, lines, infographic; did you mean modern?
    """
    if style in STYLES:
        return style
    near = difflib.get_close_matches(str(style).lower(), STYLES, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise InputError(f"style is {style!r}: there are {', '.join(STYLES)}{hint}")
