"""Statistics of boards: density, occupancy of diagonals and pair correlations, with errors, next to the limit shape."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import check_integer
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress, slices
from fastqueens._run.text import counted
from fastqueens.board import VALIDATED_PIECE, are_integers, as_queens, check_n, has_masked, row_dtype
from fastqueens.densities import MOST_CELLS, cell_edges, cell_multiplier
from fastqueens.errors import InputError
from fastqueens.files.atomic import atomic_write
from fastqueens.files.text import FileName, checked_suffix
from fastqueens.kernels.densities import Counts, count_boards
from fastqueens.sampling.limit_shape import (
    diagonals_by_length,
    expected_occupancy,
    expected_pairs,
    expected_queens,
    limit_shape,
)

if TYPE_CHECKING:
    from fastqueens.pictures.figure import Picture

Array = NDArray[np.float64]

STATISTICS_FORMATS = (".npz", ".csv")

_CELLS = 32
_REACH = 8

#: The time of the kernel grows with the number of displacements.
MOST_REACH = 64

#: Number of arrays of k x k 8-byte numbers in memory at the same time.
_ARRAYS = 16

#: Queens counted between two calls of the callbacks, which takes a few hundredths of a second.
_SLICE = 1 << 21

#: With fewer boards, their differences are too few to estimate errors.
_LEAST_BOARDS = 30

#: Groups of consecutive boards whose differences give the errors.
_MOST_GROUPS = 64


class Measured(NamedTuple):
    """A measured number with its standard error and its prediction.

    Attributes
    ----------
    value : float
        The measured number.
    error : float
        Its standard error.
    limit : float
        The value for the limit shape.

    Examples
    --------
    >>> from fastqueens import all_solutions, statistics
    >>> value, error, limit = statistics(list(all_solutions(8)), k=8).corner
    >>> round(value, 3)
    0.348
    """

    value: float
    error: float
    limit: float


@dataclass(frozen=True, eq=False)
class Statistics:
    """The distribution of the queens of one or several boards, next to the predictions of the limit shape.

    Rows come first in all arrays. ``density[i, j]`` belongs to rows from i * n / k and columns from j * n / k on.
    ``pairs[i, j]`` belongs to queens that are i - reach rows below and j - reach columns to the right of another queen.

    All errors are standard errors. From 30 boards on, they come from the differences between up to 64 groups of
    consecutive boards, and also hold for the boards of a chain if a group is much longer than its correlations. With
    fewer boards, they are the errors of independent queens with the density of the limit shape, which is approximately
    right for large boards.

    Attributes
    ----------
    n : int
        Side of each board.
    count : int
        Number of boards.
    k : int
        Cells per side.
    reach : int
        The largest displacement of ``pairs``, in rows and in columns.
    symmetrised : bool
        Whether all arrays but ``queens`` are averaged over the eight symmetries of the square.
    queens : (k, k) int64 array
        Queens in each cell, over all boards.
    density, density_error, density_limit : (k, k) float64 arrays
        Queens in each cell, relative to the average of one queen in n squares. If k does not divide n, the widths of
        cells differ by one, and the average and the limit are computed for the actual cell. If symmetrised, each cell
        has the mean of up to eight images.
    residuals : (k, k) float64 array
        (observed - expected) / sqrt(variance). The variance is that of independent queens: the expected number.
    chi_square : float
        The sum of (observed - expected)^2 / expected over all cells, or over all classes of mirrored cells.
    chi_square_per_cell : float
        ``chi_square / cells``.
    cells : int
        Number of terms of this sum: k^2, or m (m + 1) / 2 with m = (k + 1) // 2 if symmetrised.
    degrees_of_freedom : int
        Number of terms minus one for each fixed sum, since every row and column has one queen: (k - 1)^2, or
        m (m - 1) / 2. ``chi_square`` of solutions is smaller on average, because diagonals hold at most one queen. Its
        exact distribution is unknown.
    corner, edge_middle, centre : Measured
        The density in the corners, at the middles of the edges, and in the centre of the board.
    longest_diagonals : Measured
        The share of the longest diagonals that hold a queen.
    occupancy, occupancy_error : (2, k) float64 arrays
        The share of diagonals with at least one queen: of sum diagonals, then of difference diagonals, with lengths l
        for which (l - 1) * k // n is the index.
    occupancy_limit : (k,) float64 array
        The same for the limit shape.
    pairs, pairs_error : (2 reach + 1, 2 reach + 1) float64 arrays
        The pair correlation: pairs of queens at this displacement, divided by the expected pairs of independent queens
        with the density of the limit shape. It is 0 along lines if no queens attack each other, and 0 by definition if
        the displacement is zero. Independent queens have about one pair at each displacement, so several hundred boards
        are needed. See J. Illian and others, "Statistical Analysis and Modelling of Spatial Point Patterns", 2008.

    constraints : str
        The constraints of samples, in words. The limit shape is that of boards without constraints: if there are any,
        the comparison with it (every limit, ``residuals`` and ``chi_square``) does not apply, and is neither printed
        nor drawn.

    See Also
    --------
    statistics : Compute statistics.

    Examples
    --------
    >>> from fastqueens import solve
    >>> found = statistics(solve(1000, seed=1).queens, k=8)
    >>> found.queens.shape, int(found.queens.sum())
    ((8, 8), 1000)
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
    constraints: str = ""

    @property
    def k(self) -> int:
        """Cells per side."""
        return len(self.density)

    @property
    def reach(self) -> int:
        """The largest displacement of ``pairs``, in rows and in columns."""
        return len(self.pairs) // 2

    @property
    def chi_square_per_cell(self) -> float:
        """``chi_square / cells``, slightly less than 1 for independent queens, one in each row and column."""
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
        """The occupancy of the longest diagonals (index k - 1) of both kinds."""
        errors = self.occupancy_error[:, -1]
        error = errors[0] if self.symmetrised else math.hypot(*errors) / 2
        return Measured(float(self.occupancy[:, -1].mean()), float(error), float(self.occupancy_limit[-1]))

    @property
    def occupancy_curve(self) -> Array:
        """The limit shape for a curve: lengths of diagonals relative to the longest, and their occupancy, (2, 400)."""
        lengths = np.linspace(0, 1, 400)
        return np.stack((lengths, 1 - limit_shape().free(lengths)))

    def __repr__(self) -> str:
        boards = "" if self.count == 1 else f" {self.count:,} boards,"
        facts = self.constraints or f"chi-square per cell {self.chi_square_per_cell:.3g}"
        return f"<Statistics n={self.n}{boards} k={self.k}, {facts}>"

    def as_dict(self) -> dict[str, Any]:
        """Return all numbers except the arrays, as ``fastqueens statistics --json`` prints them."""
        names = (
            "n", "constraints", "count", "k", "symmetrised", "chi_square", "cells", "chi_square_per_cell",
            "degrees_of_freedom",
        )  # fmt: skip
        numbers = {name: getattr(self, name) for name in names}
        for name in ("corner", "edge_middle", "centre", "longest_diagonals"):
            numbers[name] = getattr(self, name)._asdict()
            if self.constraints:
                numbers[name]["limit"] = None
        return numbers | (dict.fromkeys(("chi_square", "chi_square_per_cell")) if self.constraints else {})

    def write(self, path: FileName) -> None:
        """Write all numbers to a file, atomically.

        Parameters
        ----------
        path : str or path
            A name that ends in ``.npz``, for all arrays by name, or in ``.csv``, for one line per number: statistic, i,
            j, value, error, limit.

        Raises
        ------
        InputError
            If the suffix is unknown, or the file cannot be written.
        """
        if checked_suffix(path, STATISTICS_FORMATS) == ".npz":
            with atomic_write(path) as file:
                np.savez(file, **vars(self))
        else:
            with atomic_write(path, "w") as table:
                csv.writer(table, lineterminator="\n").writerows(self._lines())

    def plot(self, **options: Any) -> Picture:
        """Draw density, limit shape, their difference and diagonals.

        Parameters
        ----------
        **options
            ``what``, ``title``, ``theme``, ``size`` and ``ax``, as in
            :func:`fastqueens.pictures.density.statistics_picture`.

        Returns
        -------
        Picture
            A notebook shows it, ``save`` writes it, and ``figure`` is its figure.
        """
        from fastqueens.pictures.density import statistics_picture

        return statistics_picture(self, **options)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]] | None:
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
        limit = float if not self.constraints else lambda _: None
        for name in ("n", "count", "chi_square", "cells", "degrees_of_freedom"):
            yield name, None, None, limit(self.chi_square) if name == "chi_square" else getattr(self, name), None, None
        for (i, j), value in np.ndenumerate(self.density):
            yield "density", i, j, value, float(self.density_error[i, j]), limit(self.density_limit[i, j])
        for kind, name in enumerate(("sum_diagonals", "difference_diagonals")):
            of_kind = self.occupancy[kind], self.occupancy_error[kind], self.occupancy_limit
            for i, (*values, expected) in enumerate(np.transpose(of_kind).tolist()):
                yield name, i, None, *values, limit(expected)
        for (i, j), value in np.ndenumerate(self.pairs):
            yield "pairs", i - self.reach, j - self.reach, value, float(self.pairs_error[i, j]), None


@shows_progress
def statistics(
    boards: Any,
    k: SupportsIndex | None = None,
    *,
    symmetrised: bool = False,
    reach: SupportsIndex | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Statistics:
    """Compare the density of boards with the limit shape of random solutions.

    Parameters
    ----------
    boards : (n,) or (count, n) array of integers, a sequence of boards, or an object with ``boards``
        ``boards[b, c]`` is the row of the queen in column c, from 0. Boards can have attacks. An array that is mapped
        from a file stays on disk. Several boards count as independent samples of equal weight.
    k : int, optional
        Cells per side, from 1 to n and at most 4096. By default 32, or n on smaller boards.
    symmetrised : bool, default False
        Average over the eight symmetries of the square. This divides variances by up to eight if the boards are
        independent. Do not use it if the mirror images of a board are among the boards, as for all solutions of one n:
        errors and chi-square would be wrong.
    reach : int, optional
        The largest displacement of pairs, from 0 to n - 1 and at most 64. By default 8, or n - 1 on smaller boards.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    Statistics
        Arrays with errors and limits, and methods that write and draw them.

    Raises
    ------
    InputError
        If ``boards`` are not boards of one n, or ``k`` or ``reach`` is out of range.
    NotEnoughMemoryError
        If k x k arrays do not fit into memory.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit.

    See Also
    --------
    limit_density : Compute the density of the limit shape.
    sample : Draw random solutions.

    Notes
    -----
    Takes O(count n reach) time, about 10 ns per queen on one thread, and O(k^2 + n / 2) bytes in addition to the
    boards. All counts are exact.

    Examples
    --------
    >>> import fastqueens
    >>> eight = list(fastqueens.all_solutions(8))
    >>> found = statistics(eight)
    >>> found.count, found.density.round(3)[0].tolist()
    (92, [0.348, 0.696, 1.391, 1.565, 1.565, 1.391, 0.696, 0.348])
    """
    callbacks = Callbacks.until(time_limit, progress, stop)
    found, constraints = _as_boards(boards), getattr(getattr(boards, "instance", None), "constraints", "")
    n = found.shape[1]
    most_cells, most_reach, where = min(n, MOST_CELLS), min(n - 1, MOST_REACH), f"on a board of {n:,} "
    k = min(_CELLS, most_cells) if k is None else check_integer(k, "k", 1, most_cells, where)
    reach = min(_REACH, most_reach) if reach is None else check_integer(reach, "reach", 0, most_reach, where)
    check_memory(_ARRAYS * 8 * k**2 + n // 2, f"statistics in {k:,} x {k:,} cells")
    counts = _count_queens(found, k, reach, callbacks, symmetrised=symmetrised)
    return replace(_compared(len(found), n, counts, symmetrised=symmetrised), constraints=constraints)


def _as_boards(boards: Any) -> NDArray[Any]:
    """Return validated boards of one n as a (count, n) array of integers. A mapped array stays on disk."""
    boards = getattr(boards, "boards", boards)
    if not isinstance(boards, np.ndarray):
        is_one = not isinstance(boards, Sequence) or not len(boards) or not hasattr(boards[0], "__len__")
        is_one = is_one or isinstance(boards[0], str)
        return as_queens(boards, "boards")[np.newaxis] if is_one else _stacked(boards)
    if boards.ndim == 1:
        return as_queens(boards)[np.newaxis]
    if boards.ndim != 2 or not boards.size:
        raise InputError(f"boards must be one board or several of the same n, not an array of shape {boards.shape}")
    n = check_n(boards.shape[1])
    if not are_integers(boards):
        held = "some are masked" if has_masked(boards) else f"these are {boards.dtype}"
        raise InputError(f"boards: rows are integers, {held}")
    for first, last in slices(len(boards), max(1, VALIDATED_PIECE // n)):
        piece = boards[first:last]
        if piece.min() < 0 or piece.max() >= n:
            at = first + int(np.argmax(((piece < 0) | (piece >= n)).any(axis=1)))
            as_queens(boards[at], f"board {at}")  # raises: it names the column
    return boards


def _stacked(boards: Sequence[Any]) -> NDArray[Any]:
    found = [as_queens(board, f"board {at}") for at, board in enumerate(boards)]
    for at, queens in enumerate(found):
        if len(queens) != len(found[0]):
            has = f"board {at} has {counted(len(queens), 'queen')}, and board 0 has {len(found[0]):,}"
            raise InputError(f"{has}: boards of the same n are needed")
    return np.stack(found)


class _BoardCounts(NamedTuple):
    """Counts of the queens of many boards.

    squares : (k, k), queens in each cell by row and column
    occupied : (2, k), sum and difference diagonals with a queen by length
    pairs : (2 reach + 1, 2 reach + 1), pairs at each displacement by rows down and columns to the right
    errors : standard errors of the means per board of the three arrays; empty for fewer than 30 boards
    """

    squares: NDArray[np.int64]
    occupied: NDArray[np.int64]
    pairs: NDArray[np.int64]
    errors: list[Array]


def _count_queens(boards: NDArray[Any], k: int, reach: int, callbacks: Callbacks, *, symmetrised: bool) -> _BoardCounts:
    """Count the queens of boards, group by group. Errors are those of the :func:`_averaged` counts."""
    count, n = boards.shape
    totals = [np.zeros(shape, np.int64) for shape in ((k, k), (2, k), (2 * reach + 1, 2 * reach + 1))]
    used = np.zeros((2, (2 * n - 2) // 64 + 1), np.uint64)
    size = count if count < _LEAST_BOARDS else -(-count // _MOST_GROUPS)
    # Sums of the counts of all groups, and sums of their squares.
    moments = [np.zeros((2, *total.shape)) for total in totals]
    for top, bottom in slices(count, size):
        right = np.zeros((reach + 1, 2 * reach + 1), np.int64)
        counts = Counts(np.zeros((k, k), np.int64), np.zeros((2, k), np.int64), right, used, *cell_multiplier(k, n))
        for first_board, last_board in slices(bottom, max(1, _SLICE // n), top):
            piece = np.ascontiguousarray(boards[first_board:last_board], row_dtype(n))
            # There are several slices only if the piece is a single board.
            for first, last in slices(n, _SLICE):
                count_boards(piece, counts, 0, len(piece), first, last)
                callbacks.poll("statistics", (last_board - 1) * n + last, count * n)
        # Seen from the other queen, the same pairs are at the opposite displacements.
        left = np.pad(right.T, ((0, 0), (reach, 0)))
        of_group = counts.squares, counts.lengths, left + left[::-1, ::-1]
        for total, values in zip(totals, of_group, strict=True):
            total += values
        # The last group can be smaller, and is then left out.
        if bottom - top == size:
            for moment, averages in zip(moments, _averaged(*of_group, symmetrised=symmetrised), strict=True):
                moment += averages, averages**2
    errors, groups = [], count // size
    for sums, sums_of_squares in moments if count >= _LEAST_BOARDS else []:
        # Rounding can make the variance negative if all values are equal.
        deviation = np.sqrt(np.maximum(sums_of_squares - sums**2 / groups, 0) / (groups - 1))
        errors.append(deviation / np.sqrt(size * count))
    squares, occupied, pairs = totals
    return _BoardCounts(squares, occupied, pairs, errors)


def _averaged(
    squares: NDArray[np.int64], occupied: NDArray[np.int64], pairs: NDArray[np.int64], *, symmetrised: bool
) -> tuple[Array, Array, Array]:
    """Return the arrays of :class:`_BoardCounts`, averaged over the eight symmetries of the square if asked."""
    if symmetrised:
        both = occupied.mean(axis=0)
        return symmetric(squares), np.stack((both, both)), symmetric(pairs)
    return squares.astype(np.float64), occupied.astype(np.float64), pairs.astype(np.float64)


def _compared(count: int, n: int, counts: _BoardCounts, *, symmetrised: bool) -> Statistics:
    """Divide counts by their expectations, and compute errors."""
    k, reach = len(counts.squares), len(counts.pairs) // 2
    squares, occupied, pairs = _averaged(counts.squares, counts.occupied, counts.pairs, symmetrised=symmetrised)
    widths = np.diff(cell_edges(k, n))
    # For one board: the average, the queens of the limit shape, and the number of averaged cells.
    share, expected, mirrored = np.outer(widths, widths) / n, expected_queens(n, k), np.ones((k, k), np.int64)
    lines, occupied_limit, of_pairs = diagonals_by_length(n, k), expected_occupancy(n, k), expected_pairs(n, reach)
    kinds, ways = 1, np.ones(of_pairs.shape)
    if symmetrised:
        share, expected, mirrored = symmetric(share), symmetric(expected), images(k)
        # Opposite displacements count the same pairs.
        kinds, ways = 2, np.maximum(images(2 * reach + 1) / 2, 1)
    residuals = (squares - count * expected) / np.sqrt(count * expected / mirrored)
    # Mirror images have the same term, and each class counts once.
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


def symmetric(values: NDArray[np.generic]) -> Array:
    """Return the mean of a square array over the eight symmetries of the square."""
    total = np.asarray(values, np.float64)
    total = total + total[::-1]
    total = total + total[:, ::-1]
    return (total + total.T) / 8


def images(size: int) -> NDArray[np.int64]:
    """Return how many different places the eight symmetries give each place of a size x size array."""
    outside = np.minimum(np.arange(size), np.arange(size)[::-1])
    # Each axis of symmetry through a place halves its images; the middle is on all of them.
    on_axis = 1 + (2 * outside == size - 1)
    on_diagonal = 1 + (outside[:, None] == outside)
    return np.asarray(8 // (on_diagonal * np.outer(on_axis, on_axis)), np.int64)
