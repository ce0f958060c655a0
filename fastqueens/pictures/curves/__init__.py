"""Conflict curves: conflicting queens and attacking pairs against the steps of a search, as in Bursey et al. (2019).

Each entry of a trace is a board, and its step is the number of steps before it. A restart is not a step: the first
board of a later attempt stands above or below the last board of the attempt before it, and no line joins the two.
"""

from fastqueens.pictures.curves.curve import Drawable, Run
from fastqueens.pictures.curves.figure import WHAT, conflict_curves

__all__ = ["WHAT", "Drawable", "Run", "conflict_curves"]
