"""Instances: boards of a size n with fixed queens, blocked squares and excluded diagonals.

Fixed queens make the n-queens completion problem, excluded diagonals make CSPLib problem 079, and blocked squares make
CSPLib problem 080. All three problems are NP-complete, while boards without constraints are easy for any n. If n is
large, any n / 60 fixed queens that do not attack each other can be completed to a solution, but some sets of n / 4
cannot (Glock, Munhá Correia, Sudakov: The n-queens completion problem, 2022).
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import check_integer, check_kind, shown
from fastqueens._run.text import counted, listed
from fastqueens.board import are_integers, beyond_int64, check_n, has_masked, integer_array, set_bits
from fastqueens.errors import InputError, NoSolutionError

#: (column, row) pairs, or a (k, 2) array of integers.
Squares: TypeAlias = Iterable[Sequence[SupportsIndex]] | NDArray[Any]

_COLUMNS_AND_ROWS = "write columns and rows as whole numbers, for example"

#: The numbers of diagonals.
Diagonals: TypeAlias = Iterable[SupportsIndex] | NDArray[Any]


@dataclass(frozen=True, eq=False)
class FixedQueens:
    """The fixed queens of an instance, no two of which attack each other.

    Attributes
    ----------
    columns, rows : (k,) int64 arrays
        Column and row of each queen, counted from 0 and sorted by column.
    squares : (k, 2) int64 array
        The same columns and rows, one queen per line.
    marks : uint64 array
        A bitset of the columns with a fixed queen. It is empty if k is 0.
    """

    columns: NDArray[np.int64]
    rows: NDArray[np.int64]
    marks: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def squares(self) -> NDArray[np.int64]:
        """A (k, 2) array with the column and the row of each queen."""
        return np.stack([self.columns, self.rows], axis=1)


#: A mapping of columns to rows, (column, row) pairs, or validated fixed queens.
Fixed: TypeAlias = Mapping[int, SupportsIndex] | Mapping[np.int64, SupportsIndex] | Squares | FixedQueens

NO_FIXED_QUEENS = FixedQueens(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.uint64))


@dataclass(frozen=True, eq=False)
class Instance:
    """An instance of the n-queens problem: a size n with fixed queens, blocked squares and excluded diagonals.

    Use :func:`make_instance` or :func:`read_instance` to make one.

    Attributes
    ----------
    n : int
        Side of the board and number of queens.
    fixed : FixedQueens
        Queens that stand on their squares from the beginning and never move. Its arrays ``columns`` and ``rows`` have
        k entries, and ``squares`` is a (k, 2) array of the same numbers.
    blocked : (k, 2) int64 array
        Column and row of each square that no queen can use, sorted by column, then by row, without duplicates.
    excluded_sums : (k,) int64 array
        Sum diagonals (column + row) that no queen can use, between 0 and 2 n - 2, ascending.
    excluded_differences : (k,) int64 array
        Difference diagonals (row - column) that no queen can use, between -(n - 1) and n - 1, ascending.
    rows_from : int
        The number of the first row in messages, 0 or 1. Everything else counts rows from 0.
    is_free : bool
        Whether the instance has no constraints.
    has_exclusions : bool
        Whether squares are blocked or diagonals excluded.
    free_columns : int
        The number of columns without a fixed queen.
    counts : dict
        The number of constraints of each kind.
    constraints : str
        The constraints in words.
    in_words : str
        N and the constraints in words.
    most_blocked : int
        The largest number of blocked squares in a column or a row.
    blocked_index : uint64 array
        The blocked squares in the form that compiled code reads.

    Methods
    -------
    transposed()
        Return the instance with columns and rows exchanged.

    See Also
    --------
    make_instance, read_instance, write_instance

    Examples
    --------
    >>> instance = make_instance(8, {1: 3}, blocked=[(0, 0)])
    >>> instance.n, instance.fixed.squares.tolist(), instance.in_words
    (8, [[1, 3]], 'n = 8 with 1 fixed queen and 1 blocked square')
    """

    n: int
    fixed: FixedQueens
    blocked: NDArray[np.int64]
    excluded_sums: NDArray[np.int64]
    excluded_differences: NDArray[np.int64]
    rows_from: int = 0

    def __repr__(self) -> str:
        return f"<Instance n={self.n}{', ' if self.constraints else ''}{self.constraints}>"

    @cached_property
    def most_blocked(self) -> int:
        """The largest number of blocked squares in a column or a row."""
        return max(int(np.bincount(np.ascontiguousarray(lines)).max(initial=0)) for lines in self.blocked.T)

    @cached_property
    def blocked_index(self) -> NDArray[np.uint64]:
        """The blocked squares in the form in which kernels look them up; kernels/blocked.py describes this array."""
        if not len(self.blocked):
            return np.empty(0, np.uint64)
        columns, rows = self.blocked.T
        shift = max(0, (self.n // len(columns)).bit_length() - 1)
        counts = np.bincount(columns >> shift, minlength=((self.n - 1) >> shift) + 1)
        marks = np.zeros(len(counts), np.uint64)
        np.bitwise_or.at(marks, columns >> shift, np.uint64(1) << (rows & 63).astype(np.uint64))
        directory = 2 + 2 * len(marks) + 1 + np.concatenate([[0], np.cumsum(counts)])
        squares = (columns << 32) | rows
        return np.concatenate([[shift, len(marks)], marks, directory, squares], dtype=np.uint64, casting="unsafe")

    @property
    def is_free(self) -> bool:
        """Whether the instance has no constraints."""
        return not len(self.fixed) and not self.has_exclusions

    @property
    def has_exclusions(self) -> bool:
        """Whether squares are blocked or diagonals excluded."""
        return bool(len(self.blocked) or len(self.excluded_sums) or len(self.excluded_differences))

    @property
    def free_columns(self) -> int:
        """The number of columns without a fixed queen."""
        return self.n - len(self.fixed)

    @property
    def counts(self) -> dict[str, int]:
        """The number of constraints of each kind, with the names that ``--json`` prints."""
        return {
            "fixed_queens": len(self.fixed),
            "blocked_squares": len(self.blocked),
            "excluded_diagonals": len(self.excluded_sums) + len(self.excluded_differences),
        }

    @property
    def constraints(self) -> str:
        """The constraints in words.

        >>> make_instance(8, [(1, 3)], excluded_sums=[2, 5]).constraints
        '1 fixed queen and 2 excluded sum diagonals'
        """
        counts = len(self.fixed), len(self.blocked), len(self.excluded_sums), len(self.excluded_differences)
        nouns = ("fixed queen", "blocked square", "excluded sum diagonal", "excluded difference diagonal")
        return listed([counted(count, noun) for count, noun in zip(counts, nouns, strict=True) if count])

    @property
    def in_words(self) -> str:
        """N and the constraints in words.

        >>> make_instance(8).in_words, make_instance(8, [(1, 3)]).in_words
        ('n = 8', 'n = 8 with 1 fixed queen')
        """
        return f"n = {self.n:,}" + ("" if self.is_free else f" with {self.constraints}")

    def transposed(self) -> Instance:
        """Return the instance with columns and rows exchanged."""
        return make_instance(
            self.n,
            self.fixed.squares[:, ::-1],
            blocked=self.blocked[:, ::-1],
            excluded_sums=self.excluded_sums,
            excluded_differences=-self.excluded_differences,
        )


def make_instance(
    n: SupportsIndex,
    fixed: Fixed | None = None,
    *,
    blocked: Squares | None = None,
    excluded_sums: Diagonals | None = None,
    excluded_differences: Diagonals | None = None,
    rows_from: SupportsIndex = 0,
) -> Instance:
    """Return an instance with validated constraints.

    Parameters
    ----------
    n : int
        Side of the board and number of queens.
    fixed : mapping of columns to rows, (column, row) pairs, (k, 2) array of integers or FixedQueens, optional
        Fixed queens: they stand on these squares from the beginning and never move. A square can be named twice.
    blocked : (column, row) pairs or (k, 2) array of integers, optional
        Squares that no queen can use, in any order.
    excluded_sums : iterable of int, optional
        Sum diagonals (column + row) that no queen can use, between 0 and 2 n - 2, in any order.
    excluded_differences : iterable of int, optional
        Difference diagonals (row - column) that no queen can use, between -(n - 1) and n - 1, in any order.
    rows_from : int
        The number of the first row in messages, 0 (the default) or 1. All arguments count rows from 0.

    Returns
    -------
    Instance

    Raises
    ------
    InputError
        If a square or a diagonal is off the board, or a column has two fixed queens. The message names the first one.
    NoSolutionError
        If fixed queens attack each other, or one of them is on a blocked square or an excluded diagonal.

    See Also
    --------
    solve : Search for a solution of an instance.
    read_instance, write_instance : Read and write an instance in JSON.

    Notes
    -----
    The time is O(k log k) for k squares and diagonals, for any n.

    Examples
    --------
    >>> make_instance(8, {1: 3}, blocked=[(0, 0), (7, 7)]).constraints
    '1 fixed queen and 2 blocked squares'
    >>> make_instance(8, excluded_sums=[15])
    Traceback (most recent call last):
    ...
    fastqueens.InputError: excluded sum diagonal 15 is off the board; for n = 8, sum diagonals go from 0 to 14
    """
    n, rows_from = check_n(n), check_integer(rows_from, "rows_from", 0, 1)
    if fixed is None and blocked is None and excluded_sums is None and excluded_differences is None:
        return _free(n)
    instance = Instance(
        n,
        fixed_queens(fixed, n, rows_from),
        _sorted_squares(blocked, n, rows_from),
        _sorted_diagonals(excluded_sums, "sum", 0, 2 * n - 2, n),
        _sorted_diagonals(excluded_differences, "difference", 1 - n, n - 1, n),
        rows_from,
    )
    if len(instance.fixed) and instance.has_exclusions:
        _check_fixed_queens_are_allowed(instance)
    return instance


def as_instance(n: SupportsIndex | Instance, fixed: Fixed | None = None, blocked: Squares | None = None) -> Instance:
    """Return the instance that a function was called with, either directly or as n and constraints.

    >>> as_instance(8, blocked=[(0, 0)])
    <Instance n=8, 1 blocked square>
    >>> as_instance(make_instance(8), blocked=[(0, 0)])
    Traceback (most recent call last):
    ...
    fastqueens.InputError: blocked cannot be combined with an instance; pass all constraints to make_instance
    """
    if not isinstance(n, Instance):
        return make_instance(n, fixed, blocked=blocked)
    for name, value in (("fixed", fixed), ("blocked", blocked)):
        if value is not None:
            raise InputError(f"{name} cannot be combined with an instance; pass all constraints to make_instance")
    return n


def check_instance(instance: object) -> None:
    """Raise :class:`InputError` if a value is not an instance."""
    check_kind(isinstance(instance, Instance), instance, "instance", "the result of make_instance or read_instance")


_NO_SQUARES = np.empty((0, 2), np.int64)
_NO_DIAGONALS = np.empty(0, np.int64)


@lru_cache(maxsize=64)
def _free(n: int) -> Instance:
    """Return an instance without constraints. It is cached, since statistics solve the same size many times."""
    return Instance(n, NO_FIXED_QUEENS, _NO_SQUARES, _NO_DIAGONALS, _NO_DIAGONALS)


def fixed_queens(fixed: Fixed | None, n: int, rows_from: int = 0) -> FixedQueens:
    """Return validated fixed queens. Columns and rows are numbered from 0, but rows in messages from ``rows_from``.

    Raises :class:`InputError` for the first square that is off the board or in the column of an earlier one, and
    :class:`NoSolutionError` if two fixed queens attack each other.

    >>> fixed_queens({6: 2, 1: 3}, 8).columns
    array([1, 6])
    """
    if fixed is None:
        return NO_FIXED_QUEENS
    if isinstance(fixed, FixedQueens):
        fixed = fixed.squares
    listed = list(fixed.items()) if isinstance(fixed, Mapping) else fixed
    squares = _as_integers(listed, "fixed", f"{_COLUMNS_AND_ROWS} {{3: 17}} or [(3, 17)]", pairs=True)
    _check_on_board("fixed queen", squares, n, rows_from)
    if _first_clash(squares[:, 0]) is not None:  # perhaps only because a queen is named twice
        squares = squares[np.sort(np.unique(square_keys(squares), return_index=True)[1])]
    clash = _first_clash(squares[:, 0])
    if clash is not None:
        column, (row, earlier) = squares[clash[0], 0], squares[clash, 1] + rows_from
        raise InputError(f"column {column} has two fixed queens, in rows {earlier} and {row}; only one is possible")
    columns, rows = squares[squares[:, 0].argsort()].T.copy()
    marks = np.zeros(-(-n // 64) if len(columns) else 0, np.uint64)
    set_bits(marks, columns)
    _check_no_attack(columns, rows, rows_from)
    return FixedQueens(columns, rows, marks)


def _check_no_attack(columns: NDArray[np.int64], rows: NDArray[np.int64], rows_from: int) -> None:
    """Raise :class:`NoSolutionError` if two queens share a row or a diagonal."""
    lines = ((rows, "row"), (columns + rows, "diagonal"), (columns - rows, "diagonal"))
    clashes = [(clash, shared) for line, shared in lines if (clash := _first_clash(line)) is not None]
    if clashes:
        (right, left), shared = min(clashes)
        first, second = (f"in column {columns[at]}, row {rows[at] + rows_from}" for at in (left, right))
        raise NoSolutionError(f"no solution exists: the fixed queens {first} and {second} share a {shared}")


def _first_clash(lines: NDArray[np.int64]) -> tuple[int, int] | None:
    """Return (right, left): the least index whose line occurred before, and that place; None if all lines differ."""
    order = lines.argsort(kind="stable")
    sorted_lines = lines[order]
    is_shared = sorted_lines[1:] == sorted_lines[:-1]
    if not is_shared.any():
        return None
    clashes = np.flatnonzero(is_shared)
    return min((int(order[at + 1]), int(order[at])) for at in clashes)


def _as_integers(listed: Any, name: str, wanted: str, *, pairs: bool = False) -> NDArray[np.int64]:
    """Return a copy of whole numbers as a (k,) array, or of pairs of them as a (k, 2) array.

    Raises :class:`InputError` for any other value. The message states ``name``, the first entry that is not a 64-bit
    integer or a pair of them, and ``wanted``, which describes valid values.
    """
    is_scalar = isinstance(listed, np.ndarray) and listed.ndim == 0
    if is_scalar or not isinstance(listed, Iterable) or isinstance(listed, (str, bytes, bytearray, Mapping)):
        raise InputError(f"{name} is {reprlib.repr(listed)}; {wanted}")
    entries: Any = listed if isinstance(listed, np.ndarray) else list(listed)
    shape = (2,) if pairs else ()
    try:
        array = integer_array(entries, copy=True)
    except ValueError:  # entries of different lengths
        array = None
    if not len(entries) or (array is not None and not array.size):
        return np.empty((0, *shape), np.int64)
    if array is None or array.shape[1:] != shape:
        held = f"holds {_odd_entry(entries, shape)}"
        if isinstance(listed, np.ndarray) and not has_masked(listed):
            held = f"is an array of {listed.dtype} with shape {listed.shape}"
        raise InputError(f"{name} {held}; {wanted}")
    beyond = beyond_int64(array)
    if beyond is not None:
        raise InputError(f"{name} holds {shown(beyond, '')}, which is off every board; {wanted}")
    return array.astype(np.int64, copy=False)


def _odd_entry(entries: Any, shape: tuple[int, ...]) -> str:
    """Return, for a message, the first entry that is not a whole number or a pair of them."""
    odd = (entry for entry in entries if not are_integers(entry) or np.shape(entry) != shape)
    return reprlib.repr(next(odd, entries)).replace("\n", "")


def _check_on_board(what: str, squares: NDArray[np.int64], n: int, rows_from: int) -> None:
    """Raise :class:`InputError` for the first square that is off the board."""
    if len(squares) and (squares.min() < 0 or squares.max() >= n):
        is_off = ((squares < 0) | (squares >= n)).any(axis=1)
        column, row = squares[np.argmax(is_off)].tolist()
        lines, first = ("rows", rows_from) if 0 <= column < n else ("columns", 0)
        place = f"{what} in column {column}, row {row + rows_from}"
        raise InputError(f"{place} is off the board; {lines} go from {first} to {n - 1 + first}")


_ROW_BITS = 32


def square_keys(squares: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return squares as words column * 2**32 + row, which sort by column, then by row."""
    words = squares.astype(np.uint64)
    keys: NDArray[np.uint64] = (words[:, 0] << np.uint64(_ROW_BITS)) | words[:, 1]
    return keys


def _sorted_squares(blocked: Squares | None, n: int, rows_from: int) -> NDArray[np.int64]:
    """Validate blocked squares, sort them by column and row, and drop duplicates."""
    if blocked is None:
        return _NO_SQUARES
    squares = _as_integers(blocked, "blocked", f"{_COLUMNS_AND_ROWS} [(3, 17)]", pairs=True)
    _check_on_board("blocked square", squares, n, rows_from)
    keys = square_keys(squares)
    if np.all(keys[1:] > keys[:-1]):
        # The array can still have the memory layout of the caller, and each layout would need a separate kernel.
        return np.ascontiguousarray(squares)
    keys = _sorted_once(keys)
    return np.stack([keys >> np.uint64(_ROW_BITS), keys & np.uint64(2**_ROW_BITS - 1)], axis=1).astype(np.int64)


def _sorted_diagonals(excluded: Diagonals | None, kind: str, least: int, most: int, n: int) -> NDArray[np.int64]:
    """Validate excluded diagonals of one kind, sort them, and drop duplicates."""
    if excluded is None:
        return _NO_DIAGONALS
    numbers = _as_integers(excluded, f"excluded_{kind}s", "write whole numbers, for example [3, 17]")
    diagonals = _sorted_once(numbers)
    if len(diagonals) and (diagonals[0] < least or diagonals[-1] > most):
        first = int(numbers[np.argmax((numbers < least) | (numbers > most))])
        span = f"for n = {n:,}, {kind} diagonals go from {least} to {most}"
        raise InputError(f"excluded {kind} diagonal {first} is off the board; {span}")
    return diagonals


def _sorted_once(values: NDArray[Any]) -> NDArray[Any]:
    """Sort values and drop duplicates. For a million values, np.unique takes a hundred times as long."""
    values = np.sort(values)
    is_new = values[1:] != values[:-1]
    return values if is_new.all() else np.compress(np.concatenate([[True], is_new]), values)


def _check_fixed_queens_are_allowed(instance: Instance) -> None:
    """Raise :class:`NoSolutionError` if a fixed queen is on a blocked square or on an excluded diagonal."""
    columns, rows = instance.fixed.columns, instance.fixed.rows
    places = (
        (square_keys(instance.fixed.squares), square_keys(instance.blocked), "a blocked square"),
        (columns + rows, instance.excluded_sums, "the excluded sum diagonal {}"),
        (rows - columns, instance.excluded_differences, "the excluded difference diagonal {}"),
    )
    for lines, excluded, place in places:
        at = np.flatnonzero(np.isin(lines, excluded))
        if len(at):
            queen = f"the fixed queen in column {columns[at[0]]}, row {rows[at[0]] + instance.rows_from}"
            raise NoSolutionError(f"no solution exists: {queen} is on {place.format(lines[at[0]])}")
