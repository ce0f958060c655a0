"""Fixed queens that attack every square of a column or row, found before any search."""

from __future__ import annotations

from fastqueens.core.callbacks import Callbacks
from fastqueens.core.errors import NoSolutionError
from fastqueens.core.fixed_queens import FixedQueens
from fastqueens.kernels import fixed_queens as fixed_queen_kernels
from fastqueens.solving.attempt import empty_bitsets

# About 10 ms.
_COLUMNS_A_SLICE = 1 << 16


def check_closed_lines(n: int, fixed: FixedQueens, callbacks: Callbacks, *, rows_from: int = 0) -> None:
    """Raise :class:`NoSolutionError` if the fixed queens attack every square of an empty column or of an unused row.

    ``rows_from`` (0 or 1) is the number of the first row in messages. A queen attacks at most three squares of a
    column: fewer than n / 3 queens leave every column open. Takes 5 n / 8 bytes; for the time see first_closed_column.
    """
    if 3 * len(fixed) < n or len(fixed) == n:
        return
    for what, first_line, queens in (("column", 0, fixed), ("row", rows_from, fixed.transposed(n))):
        bitsets = empty_bitsets(n, queens)
        for first, last in callbacks.slices("fixed queens", n, _COLUMNS_A_SLICE):
            closed = fixed_queen_kernels.first_closed_column(bitsets, first, last)
            if closed < last:
                raise NoSolutionError(
                    f"no solution exists: the fixed queens attack every square of {what} {closed + first_line}"
                )
