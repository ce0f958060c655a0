"""Statistics of boards: density, occupancy of diagonals and pair correlations, with errors, next to the limit shape."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import check_integer
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.densities import MOST_CELLS, cell_edges
from fastqueens.files.atomic import atomic_write
from fastqueens.files.text import FileName, checked_suffix
from fastqueens.sampling.board_counts import BoardCounts, as_boards, averaged, count_queens, images, symmetric
from fastqueens.sampling.limit_shape import diagonals_by_length, expected_occupancy, expected_pairs, expected_queens

if TYPE_CHECKING:
    from fastqueens.pictures.figure import Picture

Array = NDArray[np.float64]

STATISTICS_FORMATS = (".npz", ".csv")

_CELLS = 32
_REACH = 8

#: Further displacements are counted in the same way, but the kernel's time grows with them.
MOST_REACH = 64

#: Arrays of k x k numbers of 8 bytes that are in memory at the same time.
_ARRAYS = 16


class Measured(NamedTuple):
    """A number with its standard error, and what the limit shape predicts."""

    value: float
    error: float
    limit: float


@dataclass(frozen=True, eq=False)
class Statistics:
    """How the queens of one or several boards of n are spread, next to what the limit shape predicts.

    Rows come first in all arrays: ``density[i, j]`` belongs to rows i * n / k and more, and to columns j * n / k and
    more; ``pairs[i, j]`` to queens that are i - reach rows below and j - reach columns to the right of another queen.

    All errors are standard errors. From 30 boards on, they follow from the differences between up to 64 groups of
    consecutive boards, so they are right for boards of a chain too if a group is much longer than its correlations.
    With fewer boards, they are what independent queens with the density of the limit shape would give, which is about
    right for large boards only.

    Attributes
    ----------
    n : int
        Side of each board.
    count : int
        Number of boards.
    symmetrised : bool
        Whether all arrays but ``queens`` are averaged over the eight symmetries of the square.
    queens : (k, k) int64 array
        Queens in each cell, over all boards.
    density, density_error, density_limit : (k, k) float64 arrays
        Queens divided by the even share of the cell, one queen in n squares. If k does not divide n, the widths of
        cells differ by one, and both the share and the limit are for the true widths. Symmetrised, a cell stands for
        the up to eight cells that its mirror images have the numbers of.
    residuals : (k, k) float64 array
        (observed - expected) / sqrt(variance) with the variance of independent queens, the expected number.
    chi_square : float
        The sum of (observed - expected)^2 / expected over all cells; symmetrised, over all classes of mirrored cells.
    cells : int
        The terms of this sum: k^2, or with m = (k + 1) // 2 symmetrised m (m + 1) / 2.
    degrees_of_freedom : int
        The terms less one for each sum that is fixed because every row and column has one queen: (k - 1)^2, or
        m (m - 1) / 2. Diagonals hold at most one queen, which fixes nothing but makes queens of solutions spread more
        evenly than independent ones. So ``chi_square`` is smaller than this on average, and no exact law is known.
    occupancy, occupancy_error : (2, k) float64 arrays
        The share of diagonals with at least one queen: of sum diagonals, then of difference diagonals, with lengths l
        for which (l - 1) * k // n is the index.
    occupancy_limit : (k,) float64 array
        The same for the limit shape.
    pairs, pairs_error : (2 reach + 1, 2 reach + 1) float64 arrays
        The pair correlation: pairs of queens at this displacement, divided by the number that independent queens with
        the density of the limit shape would have on a board of n. It is 0 at displacements along lines if no two queens
        attack each other, and by definition if the displacement is zero. As independent queens have about one pair at
        each displacement on a board of any size, it takes some hundred boards to see anything. For pair correlations
        in general see J. Illian and others, "Statistical Analysis and Modelling of Spatial Point Patterns", 2008.
    """

    n: int
    count: int
    symmetrised: bool
    queens: NDArray[np.int64]
    density: Array
    density_error: Array
    density_limit: Array
    residuals: Array
    chi_square: float
    cells: int
    degrees_of_freedom: int
    occupancy: Array
    occupancy_error: Array
    occupancy_limit: Array
    pairs: Array
    pairs_error: Array

    @property
    def k(self) -> int:
        """Cells a side."""
        return len(self.density)

    @property
    def reach(self) -> int:
        """The largest displacement of ``pairs``, in rows and in columns."""
        return len(self.pairs) // 2

    @property
    def chi_square_per_cell(self) -> float:
        """``chi_square / cells``; for independent queens about 1, a little less since rows and columns are full."""
        return self.chi_square / self.cells

    @property
    def corner(self) -> Measured:
        """The density in the cells at the four corners."""
        return self._mean_density(0, 0)

    @property
    def edge_middle(self) -> Measured:
        """The density in the cells at the middles of the four edges."""
        return self._mean_density(0, (self.k - 1) // 2)

    @property
    def centre(self) -> Measured:
        """The density in the cells around the centre of the board."""
        return self._mean_density((self.k - 1) // 2, (self.k - 1) // 2)

    @property
    def longest_diagonals(self) -> Measured:
        """The occupancy of the diagonals in the last cell of lengths, of both kinds."""
        errors = self.occupancy_error[:, -1]
        error = errors[0] if self.symmetrised else math.hypot(*errors) / 2
        return Measured(float(self.occupancy[:, -1].mean()), float(error), float(self.occupancy_limit[-1]))

    def __repr__(self) -> str:
        boards = "" if self.count == 1 else f" {self.count:,} boards,"
        return f"<Statistics n={self.n}{boards} k={self.k}, chi-square per cell {self.chi_square_per_cell:.3g}>"

    def as_dict(self) -> dict[str, Any]:
        """Return the figures, without the arrays, with the names that ``fastqueens statistics --json`` prints."""
        names = ("n", "count", "k", "symmetrised", "chi_square", "cells", "chi_square_per_cell", "degrees_of_freedom")
        places = ("corner", "edge_middle", "centre", "longest_diagonals")
        return {name: getattr(self, name) for name in names} | {name: getattr(self, name)._asdict() for name in places}

    def write(self, path: FileName) -> None:
        """Write everything, in the format of the suffix; if that fails, an earlier file of that name stays unchanged.

        Parameters
        ----------
        path : str or path
            ``.npz`` gets all attributes by name. ``.csv`` gets a line for each number: statistic, i, j, value, error,
            limit, with empty fields for what does not exist.

        Raises
        ------
        InputError
            If the suffix is another or the file cannot be written.
        """
        if checked_suffix(path, STATISTICS_FORMATS) == ".npz":
            with atomic_write(path) as file:
                np.savez(file, **vars(self))
        else:
            with atomic_write(path, "w") as table:
                csv.writer(table, lineterminator="\n").writerows(self._lines())

    def plot(self, **options: Any) -> Picture:
        """Draw the statistics; see :func:`fastqueens.pictures.density.statistics_picture`."""
        from fastqueens.pictures.density import statistics_picture

        return statistics_picture(self, **options)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        return self.plot()._repr_png_()

    def _mean_density(self, row: int, column: int) -> Measured:
        """Return the mean over the mirror images of a cell. Their errors are combined as if they were independent."""
        at = row, column
        places = 1 if self.symmetrised else images(self.k)[at]
        error = math.sqrt(symmetric(self.density_error**2)[at] / places)
        return Measured(float(symmetric(self.density)[at]), error, float(symmetric(self.density_limit)[at]))

    def _lines(self) -> Iterator[tuple[Any, ...]]:
        """Yield the header and the lines of a table; None is an empty field."""
        yield "statistic", "i", "j", "value", "error", "limit"
        for name in ("n", "count", "chi_square", "cells", "degrees_of_freedom"):
            yield name, None, None, getattr(self, name), None, None
        for (i, j), value in np.ndenumerate(self.density):
            yield "density", i, j, value, float(self.density_error[i, j]), float(self.density_limit[i, j])
        for kind, name in enumerate(("sum_diagonals", "difference_diagonals")):
            of_kind = self.occupancy[kind], self.occupancy_error[kind], self.occupancy_limit
            for i, values in enumerate(np.transpose(of_kind).tolist()):
                yield name, i, None, *values
        for (i, j), value in np.ndenumerate(self.pairs):
            yield "pairs", i - self.reach, j - self.reach, value, float(self.pairs_error[i, j]), None


@shows_progress
def statistics(
    boards: Any,
    k: int | None = None,
    *,
    symmetrised: bool = False,
    reach: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Statistics:
    """Return how the queens of boards are spread, next to what the limit shape predicts.

    Parameters
    ----------
    boards : (n,) or (count, n) array of integers, a sequence of boards, or an object with ``boards``
        ``boards[b, c]`` is the row of the queen in column c, from 0. The boards need not be solutions. An array that is
        mapped from a file stays on disk. Several boards count as independent samples of equal weight.
    k : int, optional
        Cells a side, from 1 to n and at most 4096; by default 32, or n on smaller boards.
    symmetrised : bool
        Average over the eight symmetries of the square, which the uniform law of solutions has. This divides variances
        by up to eight if the boards are independent. It adds nothing, and makes errors and chi-square wrong, if the
        mirror images of a board are among the boards, as for all solutions of an n.
    reach : int, optional
        The largest displacement of pairs, from 0 to n - 1 and at most 64; by default 8, or n - 1 on smaller boards.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "statistics".

    Returns
    -------
    Statistics
        Arrays with errors and limits. They can be written and drawn.

    Raises
    ------
    InputError
        If ``boards`` are not boards of one n, or ``k`` or ``reach`` is out of range.
    NotEnoughMemoryError
        If k x k arrays do not fit into memory.
    Stopped
        If ``stop`` returned True.

    Notes
    -----
    O(count n reach) time, some 10 ns a queen on one thread, and O(k^2 + n / 2) bytes besides the boards: one bit for
    each diagonal. All counts are exact.

    Examples
    --------
    >>> import fastqueens
    >>> eight = list(fastqueens.all_solutions(8))
    >>> found = statistics(eight)
    >>> found.count, found.density.round(3)[0].tolist()
    (92, [0.348, 0.696, 1.391, 1.565, 1.565, 1.391, 0.696, 0.348])
    """
    found = as_boards(boards)
    n = found.shape[1]
    k = _checked(k, _CELLS, "k", 1, min(n, MOST_CELLS), n)
    reach = _checked(reach, _REACH, "reach", 0, min(n - 1, MOST_REACH), n)
    check_memory(_ARRAYS * 8 * k**2 + n // 2, f"statistics in {k:,} x {k:,} cells")
    counts = count_queens(found, k, reach, Callbacks(progress, stop), symmetrised=symmetrised)
    return _compared(len(found), n, counts, symmetrised=symmetrised)


def _checked(value: int | None, usual: int, name: str, least: int, most: int, n: int) -> int:
    if value is None:
        return min(usual, most)
    return check_integer(value, name, least, most, f"on a board of {n:,} ")


def _compared(count: int, n: int, counts: BoardCounts, *, symmetrised: bool) -> Statistics:
    """Divide counts by what they are compared with, and find their errors."""
    k, reach = len(counts.squares), len(counts.pairs) // 2
    squares, occupied, pairs = averaged(*counts[:3], symmetrised=symmetrised)
    widths = np.diff(cell_edges(k, n))
    # For one board: an even share, the queens of the limit shape, and how many cells are averaged.
    share, expected, mirrored = np.outer(widths, widths) / n, expected_queens(n, k), np.ones((k, k), np.int64)
    lines, occupied_limit, of_pairs = diagonals_by_length(n, k), expected_occupancy(n, k), expected_pairs(n, reach)
    kinds, ways = 1, np.ones(of_pairs.shape)
    if symmetrised:
        share, expected, mirrored = symmetric(share), symmetric(expected), images(k)
        # Opposite displacements count the same pairs.
        kinds, ways = 2, np.maximum(images(2 * reach + 1) / 2, 1)
    residuals = (squares - count * expected) / np.sqrt(count * expected / mirrored)
    # Cells that are mirror images of each other have the same term; each class counts once.
    chi_square = float((residuals**2 / mirrored).sum())
    half = (k + 1) // 2
    queens_error, occupied_error, pairs_error = counts.errors or (
        np.sqrt(count * expected / mirrored) / count,
        np.sqrt(occupied_limit * (1 - occupied_limit) * lines / (count * kinds)) * np.ones((2, 1)),
        np.sqrt(of_pairs / (count * ways)),
    )
    return Statistics(
        n=n,
        count=count,
        symmetrised=symmetrised,
        queens=counts.squares,
        density=squares / (count * share),
        density_error=queens_error / share,
        density_limit=expected / share,
        residuals=residuals,
        chi_square=chi_square,
        cells=half * (half + 1) // 2 if symmetrised else k * k,
        degrees_of_freedom=half * (half - 1) // 2 if symmetrised else (k - 1) ** 2,
        occupancy=occupied / (count * lines),
        occupancy_error=occupied_error / lines,
        occupancy_limit=occupied_limit,
        pairs=pairs / (count * of_pairs),
        pairs_error=pairs_error / of_pairs,
    )
