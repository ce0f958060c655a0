"""A board of any size as a picture: small ones queen by queen, large ones as a density."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from numpy.typing import NDArray

from fastqueens.core.board import as_queens
from fastqueens.core.callbacks import Progress, Stop
from fastqueens.core.errors import InputError
from fastqueens.pictures.boards import board_picture
from fastqueens.pictures.checks import LARGEST_BOARD, check_size
from fastqueens.pictures.density import density_picture
from fastqueens.pictures.figure import Picture


def picture(
    queens: Sequence[int] | NDArray[Any],
    *,
    marked: Collection[int] = (),
    origin: str = "upper",
    rows_from: int = 0,
    title: str | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Picture:
    """Draw a board: up to 400 queens one by one with their attacks, larger boards as a density.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0; a mapped file stays on disk.
    marked, origin, rows_from, title
        See :func:`fastqueens.pictures.boards.board_picture`. A density has no marks, and row 0 is at its top.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; only a density takes long.

    Returns
    -------
    Picture
        A notebook shows it; ``savefig`` writes it.

    Raises
    ------
    InputError
        If ``queens`` is not a board, or a board of more than 400 queens is to have marks or row 0 at the bottom.

    Examples
    --------
    >>> picture([1, 3, 0, 2]).get_supxlabel()
    'n = 4, no queen attacks another'
    >>> picture(range(1000)).get_supxlabel()
    'n = 1,000. Every queen is counted: the cells add up to 1,000.'
    """
    board = as_queens(queens)
    if len(board) <= LARGEST_BOARD:
        return board_picture(board, marked=marked, origin=origin, rows_from=rows_from, title=title)
    if marked:
        check_size(len(board), LARGEST_BOARD, "a picture of queens")
    if origin != "upper":
        raise InputError(
            f"origin is {origin!r}: a board of {len(board):,} queens is drawn with its first row at the top"
        )
    return density_picture(board, title=title, progress=progress, stop=stop)
