"""Small boards, square by square: their queens and attacks, an instance as a puzzle, and the cost of each move.

``picture`` draws a board of any size, a large one by ``density``.
"""

from fastqueens.pictures.boards.move_costs import move_costs_picture
from fastqueens.pictures.boards.puzzle import instance_picture
from fastqueens.pictures.boards.queens import board_picture, picture

__all__ = ["board_picture", "instance_picture", "move_costs_picture", "picture"]
