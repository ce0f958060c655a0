"""Posters: a board as something to hang up, drawn queen by queen, or as a density where paper ends.

A style is a module with a function that draws a :class:`~fastqueens.pictures.posters.subject.Subject` on a
:class:`~fastqueens.pictures.sheet.Sheet` in its theme. Row 0 is at the top.
"""

from fastqueens.pictures.posters.making import STYLES, check_style, poster

__all__ = ["STYLES", "check_style", "poster"]
