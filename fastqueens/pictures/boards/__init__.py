"""Small boards, square by square: their queens and attacks, fixed queens as a puzzle, and the cost of each move.

Larger boards are drawn by ``density`` and ``posters``.
"""

from fastqueens.pictures.boards.move_costs import move_costs_picture
from fastqueens.pictures.boards.queens import board_picture, fixed_queens_picture

__all__ = ["board_picture", "fixed_queens_picture", "move_costs_picture"]
