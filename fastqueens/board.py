"""Boards: their sizes, dtypes and validation, the trace and the moves of a search, and checks of integer arrays.

A board is the array ``queens``: ``queens[c]`` is the row of the queen in column c, both counted from 0.
"""

from __future__ import annotations

import contextlib
import itertools
import reprlib
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, SupportsIndex, TypeAlias, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fastqueens._run.arguments import check_integer, is_integer
from fastqueens._run.text import counted
from fastqueens.errors import InputError, NoSolutionError

#: A board in results. The type leaves out that rows are uint32 from n = 2^31 on, so that it fits other people's types.
Queens: TypeAlias = NDArray[np.int32]

#: A board in the arguments of public functions.
Board: TypeAlias = Sequence[SupportsIndex] | NDArray[Any]

#: The largest board. Rows and columns have 32 bits, and kernels use row n as the mark of an empty column.
MAX_N = 2**32 - 1

#: Boards of at least this n have uint32 rows, smaller ones int32.
UNSIGNED_ROWS: Final = 2**31

#: Rows that are validated at a time, which bounds the additional memory.
VALIDATED_PIECE: Final = 1 << 22

#: Bytes of a cache line.
CACHE_LINE = 64


_T = TypeVar("_T", bound=type)


def compares_arrays(kind: _T) -> _T:
    """Return a decorated class of tuples that are equal if their numbers and all entries of their arrays are equal."""

    def equal(one: Any, other: object) -> bool:
        return type(one) is type(other) and all(
            np.array_equal(mine, theirs) if isinstance(mine, np.ndarray) else mine == theirs
            for mine, theirs in zip(one, other, strict=True)  # type: ignore[call-overload]
        )

    def unequal(one: Any, other: object) -> bool:
        return not equal(one, other)

    kind.__eq__ = equal  # type: ignore[assignment]
    kind.__ne__ = unequal  # type: ignore[assignment]
    return kind


@compares_arrays
class Trace(NamedTuple):
    """The trace of a search: two numbers for the first board of every attempt and for the board after each step.

    Attributes
    ----------
    pairs : (entries,) int64 array
        The number of attacking pairs.
    conflicting_queens : (entries,) int64 array
        The number of queens that attack at least one other queen.

    See Also
    --------
    solve : Its result has a trace.
    read_trace, write_trace

    Examples
    --------
    >>> from fastqueens import solve
    >>> trace = solve(8, start="random", seed=2).trace
    >>> len(trace.pairs), int(trace.pairs[-1])
    (20, 0)
    """

    pairs: NDArray[np.int64]
    conflicting_queens: NDArray[np.int64]


@compares_arrays
class Moves(NamedTuple):
    """The moves of a search.

    Attributes
    ----------
    first_boards : (attempts, n) int32 or uint32 array
        The first board of each attempt.
    steps : (steps, 3) int64 array
        The column of the queen that each step moved, its row before, and its row after. The two rows can be equal.
    """

    first_boards: Queens
    steps: NDArray[np.int64]


@compares_arrays
class ClimbBoard(NamedTuple):
    """A board of a run: the first board of a climb if ``is_start``, otherwise the board after ``step`` moves.

    ``move`` has the column of the queen that moved last, its row before and its row after; None if no queen moved.
    """

    queens: Queens
    cost: int
    step: int
    is_start: bool
    move: tuple[int, int, int] | None = None


def check_n(n: SupportsIndex) -> int:
    """Return n as an int; raise :class:`InputError` if no board has this size.

    >>> check_n(8)
    8
    >>> check_n(0)
    Traceback (most recent call last):
    ...
    fastqueens.InputError: n must be between 1 and 4,294,967,295, not 0
    """
    return check_integer(n, "n", 1, MAX_N)


def size_of(n: SupportsIndex | None, queens: Queens | None) -> int:
    """Return the size given by n, by a validated board, or by both; raise :class:`InputError` if they disagree."""
    if n is None:
        if queens is None:
            raise InputError("n and the board are both missing; give one of them")
        return len(queens)
    n = check_n(n)
    if queens is not None and n != len(queens):
        raise InputError(f"n is {n:,}, but the board has {counted(len(queens), 'queen')}; give only one of them")
    return n


def check_solvable(n: int) -> None:
    """Raise :class:`NoSolutionError` for 2 and 3, the two sizes without a solution."""
    if n in (2, 3):
        raise NoSolutionError(f"no solution exists for n = {n}")


def row_dtype(n: int) -> type[np.int32]:
    """Return the dtype of ``queens`` on a board of n: int32 for n below 2^31, uint32 for larger boards.

    The value n itself must fit because kernels mark an empty column with row n.
    """
    return np.int32 if n < UNSIGNED_ROWS else np.uint32  # type: ignore[return-value]


def as_queens(board: Board, name: str = "board", *, copy: bool = False) -> Queens:
    """Return a validated board as an array of :func:`row_dtype`, copied only if its dtype differs or ``copy`` is true.

    Raises :class:`InputError` for any other value, and names the first row that is off the board and its column. An
    array that is not copied can change later, for example if it is mapped from a file.

    >>> as_queens([1, 3, 0, 2])
    array([1, 3, 0, 2], dtype=int32)
    """
    if isinstance(board, (str, bytes, bytearray)):
        raise InputError(f"{name}: a string is not a board; pass a list of rows, or read a file with read_board")
    try:
        queens = integer_array(board, copy=copy)
        shape = np.shape(board) if queens is None else queens.shape  # type: ignore[arg-type]
    except ValueError:
        raise InputError(
            f"{name}: a board must be a flat list of rows, one integer per column, such as [1, 3, 0, 2]"
        ) from None
    if not shape:
        raise InputError(f"{name}: a board is a list of rows, such as [1, 3, 0, 2], not {reprlib.repr(board)}")
    if len(shape) != 1:
        raise InputError(f"{name}: a board must be one-dimensional, such as [1, 3, 0, 2], not of shape {shape}")
    [n] = shape
    if n == 0:
        raise InputError(f"{name}: the board is empty; it must have at least 1 queen")
    check_n(n)
    if queens is None:
        column, row = next(((at, entry) for at, entry in enumerate(board) if not are_integers(entry)), (0, None))
        raise InputError(f"{name}: column {column} has {row!r}; rows must be integers from 0 to {n - 1}")
    try:
        _check_rows(queens, n, name)
    except InputError as error:
        if not count_from_one(queens, n):
            raise
        raise InputError(f"{error}; if your rows are numbered from 1, subtract 1") from None
    return queens.astype(row_dtype(n), copy=False)


def _check_rows(queens: NDArray[Any], n: int, name: str) -> None:
    """Raise for the first row that is off the board; check piece by piece, so that a mapped file stays on disk."""
    for first in range(0, n, VALIDATED_PIECE):
        piece = queens[first : first + VALIDATED_PIECE]
        if piece.min() < 0 or piece.max() >= n:
            piece = piece.copy()  # the file of a mapped board can change, and then the row can be on the board again
            off = np.flatnonzero((piece < 0) | (piece >= n))
            if len(off):
                place = f"column {first + int(off[0])} has row {piece[off[0]]}"
                raise InputError(f"{name}: {place}; rows go from 0 to {n - 1}")


def count_from_one(rows: NDArray[Any], n: int) -> bool:
    """Return whether the rows of one or several boards count from 1: none is 0, and the largest is n."""
    return int(rows.min()) > 0 and int(rows.max()) == n


def set_bits(words: NDArray[np.uint64], bits: NDArray[np.int64]) -> None:
    """Set bits of a bitset in place; bit i is bit i & 63 of word i >> 6.

    >>> words = np.zeros(2, np.uint64)
    >>> set_bits(words, np.array([0, 3, 64]))
    >>> words.tolist()
    [9, 1]
    """
    np.bitwise_or.at(words, bits >> 6, np.uint64(1) << (bits & 63).astype(np.uint64))


def aligned(
    new: Callable[..., NDArray[Any]], length: int, dtype: DTypeLike, boundary: int = CACHE_LINE, least: int = 0
) -> NDArray[Any]:
    """Allocate at least ``least`` bytes with ``new`` (``np.empty`` or ``np.zeros``); the array begins at a boundary."""
    itemsize = np.dtype(dtype).itemsize
    spare = boundary // itemsize
    array = new(max(length + spare, least // itemsize), dtype)
    return array[-array.ctypes.data // itemsize % spare :][:length]


def integer_array(values: Any, *, copy: bool = False) -> NDArray[Any] | None:
    """Return whole numbers as an array, or None if an entry is masked, a bool, or not a whole number.

    Each entry of a list is tested, since NumPy reads True as 1 and converts a mix of int64 and uint64 to floats. The
    array holds integers, or objects if a number needs more than 64 bits. Raises ValueError for a ragged list.

    >>> integer_array([1, np.uint64(3)]), integer_array([2**64]), integer_array([True, 3])
    (array([1, 3]), array([18446744073709551616], dtype=object), None)
    """
    array = np.array(values) if copy else np.asarray(values)
    if not are_integers(values):
        return None
    if array.dtype.kind not in "iu":
        array = np.array(values, object)
        with contextlib.suppress(OverflowError):
            array = array.astype(np.int64)
    return array


def are_integers(values: Any) -> bool:
    """Return whether a list, an array or a nested list holds only whole numbers, without bools and masked entries."""
    if not isinstance(values, list | tuple):
        return is_integer(values) or (not has_masked(values) and _has_integers(np.asarray(values)))
    kinds = set(map(type, values))
    if values and kinds <= {list, tuple}:
        return are_integers([*itertools.chain.from_iterable(values)])
    return all(issubclass(kind, int | np.integer) and kind is not bool for kind in kinds) or all(
        map(are_integers, values)
    )


def has_masked(values: Any) -> bool:
    """Return whether this is a masked array with masked entries, whose values are meaningless."""
    masked_arrays = sys.modules.get("numpy.ma")  # loading it takes 10 ms, and no masked array exists without it
    return masked_arrays is not None and bool(masked_arrays.is_masked(values))


def _has_integers(array: NDArray[Any]) -> bool:
    return array.dtype.kind in "iu" or not array.size or (array.dtype == object and all(map(is_integer, array.flat)))


def beyond_int64(array: NDArray[Any]) -> int | None:
    """Return the largest or smallest number of an array if it does not fit into int64, or None if all numbers fit."""
    if array.dtype.kind == "i" or not array.size:
        return None
    return next((end for end in (int(array.max()), int(array.min())) if not -(2**63) <= end < 2**63), None)


#: The known numbers of solutions of boards without constraints, from n = 1 on: OEIS A000170.
# The number for n = 26 was found at TU Dresden in 2009, the one for n = 27 by Preußer and Engelhardt in 2016.
_COUNTS = (
    1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2_680, 14_200, 73_712, 365_596, 2_279_184, 14_772_512, 95_815_104,
    666_090_624, 4_968_057_848, 39_029_188_884, 314_666_222_712, 2_691_008_701_644, 24_233_937_684_440,
    227_514_171_973_736, 2_207_893_435_808_352, 22_317_699_616_364_044, 234_907_967_154_122_528,
)  # fmt: skip


def known_count(n: int) -> int | None:
    """Return the number of solutions for n, or None if it is unknown.

    >>> known_count(8), known_count(28)
    (92, None)
    """
    return _COUNTS[n - 1] if n <= len(_COUNTS) else None
