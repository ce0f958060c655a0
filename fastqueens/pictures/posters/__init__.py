"""Posters: a board to hang up, drawn queen by queen, or as a density if the paper is too coarse.

``making`` puts a poster together; ``styles`` has its styles, one of them in ``infographic``. ``layout`` draws the board
and writes the words of all of them, on a ``sheet`` of ``paper``. Row 0 is at the top.
"""

from fastqueens.pictures.posters.making import poster
from fastqueens.pictures.posters.styles import STYLES, check_style

__all__ = ["STYLES", "check_style", "poster"]
