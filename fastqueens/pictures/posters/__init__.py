"""Posters: a board to hang up, drawn queen by queen, or as a density if the paper is too coarse.

``making`` makes a poster: ``styles`` draws its board and ``words`` finds places for its words, on a ``sheet`` of paper.
Row 0 is at the top.
"""

from fastqueens.pictures.posters.making import poster
from fastqueens.pictures.posters.styles import STYLES

__all__ = ["STYLES", "poster"]
