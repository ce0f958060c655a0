"""Posters: a board to hang up, drawn queen by queen, or as a density if the paper is too coarse.

``making`` puts a poster together. ``layout`` says where board and words go, ``title`` and ``small_print`` write the
words, ``board`` draws the squares; ``styles`` holds a module for each style. Row 0 is at the top.
"""

from fastqueens.pictures.posters.making import poster
from fastqueens.pictures.posters.styles import STYLES, check_style

__all__ = ["STYLES", "check_style", "poster"]
