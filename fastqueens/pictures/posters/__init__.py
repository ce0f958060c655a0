"""Posters: a board to hang up, drawn queen by queen, or as a density if the paper is too coarse.

``making`` puts a poster together; ``styles`` and ``infographic`` hold its four styles. ``board`` draws the board of
all styles, ``title`` writes the title and the small print, both of them on a ``sheet``. Row 0 is at the top.
"""

from fastqueens.pictures.posters.making import STYLES, check_style, poster

__all__ = ["STYLES", "check_style", "poster"]
