"""Posters: a board to hang up, drawn queen by queen, or as a density if the paper is too coarse.

``styles`` makes a poster in one of its styles; ``infographic`` draws the largest of them. ``layout`` draws the board
and writes the words of all of them, on a ``sheet`` of ``paper``. Row 0 is at the top.
"""

from fastqueens.pictures.posters.making import poster
from fastqueens.pictures.posters.styles import STYLES

__all__ = ["STYLES", "poster"]
