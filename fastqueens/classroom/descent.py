"""The assignment "most attacks moves" and its files.

A file holds one state per line. Rows are numbered from 1 in files, and from 0 elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import NO_LIMIT
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.text import counted
from fastqueens.board import Queens, as_queens, row_dtype
from fastqueens.checking import is_solution
from fastqueens.errors import InputError
from fastqueens.files.text import FileName, open_input, read_all
from fastqueens.kernels import descent as kernels
from fastqueens.kernels.plateau import SOLVED, UNDER_WAY

# Queens that one compiled call looks at in about 20 ms, and moves that it records, before ``stop`` is polled.
_LOOKS_PER_CALL = 1 << 22
_MOST_MOVES_PER_CALL = 1024

_BYTES_PER_QUEEN = 66

_A_WHOLE_BOARD = "a line must hold a whole board: its rows from 1 to n with blanks between, such as 2 5 7 4 1 3 6 3"

# No row has more digits, and Python refuses to convert thousands of digits.
_MOST_DIGITS = 19


@dataclass(frozen=True, eq=False)
class Descent:
    """A finished descent.

    Attributes
    ----------
    n : int
        Side of the board and number of queens.
    initial_queens : (n,) int32 array, uint32 from n = 2**31 on
        The first board.
    moves : (steps, 2) int64 array
        Column and new row of each move.
    steps : int
        Number of moves.
    solved : bool
        Whether an independent check found no attacking pair on the last board.
    states : (steps + 1, n) array
        All boards, beginning with the first.

    See Also
    --------
    descend : Make a descent.

    Examples
    --------
    >>> descent = descend([1, 4, 6, 3, 0, 2, 5, 2])
    >>> descent.steps, descent.moves.tolist()
    (1, [[5, 7]])
    """

    initial_queens: Queens
    moves: NDArray[np.int64]
    solved: bool

    @property
    def n(self) -> int:
        """Side of the board and number of queens."""
        return len(self.initial_queens)

    @property
    def steps(self) -> int:
        """Number of moves."""
        return len(self.moves)

    @property
    def states(self) -> Queens:
        """All boards, beginning with the first, as a new (steps + 1, n) array.

        Raises
        ------
        NotEnoughMemoryError
            If the array does not fit into memory. ``moves`` has the same information in less space.
        """
        check_memory(4 * self.n * (self.steps + 1), f"an array of {self.steps + 1:,} states of {self.n:,} queens")
        states = np.empty((self.steps + 1, self.n), self.initial_queens.dtype)
        states[0] = self.initial_queens
        for step, (column, row) in enumerate(self.moves.tolist(), 1):
            states[step] = states[step - 1]
            states[step, column] = row
        return states

    def __repr__(self) -> str:
        return f"<Descent n={self.n} {'solved' if self.solved else 'not solved'}, {counted(self.steps, 'step')}>"


@shows_progress
def descend(
    queens: Sequence[SupportsIndex] | NDArray[Any],
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Descent:
    """Solve the assignment "most attacks moves" from a board.

    Each step looks at the queens that attack the largest number of others, from left to right. The first of them that
    can attack fewer queens moves within its column, to the lowest-numbered of its best rows. The descent ends when the
    board is solved, or when none of these queens can improve. Queens in between do not shield.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0. It is not changed.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    Descent
        The boards of the descent.

    Raises
    ------
    InputError
        If a value is not a row of the board.
    NotEnoughMemoryError
        If fewer than 66 bytes per queen are available.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit.

    See Also
    --------
    climb : Run other algorithms.

    Notes
    -----
    Takes O(n) time per step. A random board takes about n / 2 steps.

    Examples
    --------
    >>> descent = descend([1, 4, 6, 3, 0, 2, 5, 2])
    >>> descent.solved
    True
    >>> descent.states
    array([[1, 4, 6, 3, 0, 2, 5, 2],
           [1, 4, 6, 3, 0, 7, 5, 2]], dtype=int32)
    """
    callbacks = Callbacks.until(time_limit, progress, stop)
    initial_queens = as_queens(queens, copy=True)
    n = len(initial_queens)
    check_memory(_BYTES_PER_QUEEN * n, f"a descent of {n:,} queens")
    board = initial_queens.astype(np.int64)
    lines, floors = np.empty(kernels.LINES_A_QUEEN * n, np.int64), np.empty(n, np.int64)
    room = np.empty((min(_MOST_MOVES_PER_CALL, 1 + _LOOKS_PER_CALL // n), 2), np.int64)
    kernels.prepare(board, lines, floors)
    moves: list[NDArray[np.int64]] = []
    status = UNDER_WAY
    while status == UNDER_WAY:
        status, made = kernels.descend(board, lines, floors, room)
        moves.append(room[:made].copy())
        steps = sum(map(len, moves))
        callbacks.poll(f"descent ({counted(steps, 'step')})", steps, NO_LIMIT)
    if status == SOLVED and not is_solution(board):
        raise RuntimeError(f"the descent ended with a wrong board, please report this: n = {n}")
    return Descent(initial_queens, np.concatenate(moves), status == SOLVED)


def read_starts(source: FileName) -> list[Queens]:
    """Return the boards of a file, one per line: n rows from 1 to n, separated by blanks. Blank lines are skipped.

    The whole file is validated. n can differ from board to board.
    """
    with open_input(source) as (file, name):
        lines = read_all(file, name, _can_be_starts).removeprefix(b"\xef\xbb\xbf").splitlines()
    starts = [_start(line.split(), f"{name}: line {number}") for number, line in enumerate(lines, 1) if line.strip()]
    if not starts:
        raise InputError(f"{name} holds no board; {_A_WHOLE_BOARD}")
    return starts


def _can_be_starts(begun: bytes) -> bool:
    """Return whether the first bytes are numbers, blanks and line ends."""
    return not begun[:1000].removeprefix(b"\xef\xbb\xbf").translate(None, b"0123456789 \t\r\n")


def _start(entries: list[bytes], place: str) -> Queens:
    n = len(entries)
    rows = [int(entry) if entry.isdigit() and len(entry) <= _MOST_DIGITS else 0 for entry in entries]
    if min(rows) < 1 or max(rows) > n:
        wrong = next(i for i, row in enumerate(rows) if not 1 <= row <= n)
        shown = entries[wrong][:40].decode(errors="backslashreplace")
        valid = f"a line of {n} entries must hold whole numbers from 1 to {n}" if n > 1 else _A_WHOLE_BOARD
        raise InputError(f"{place}: entry {wrong + 1} is {shown!r}; {valid}")
    return (np.array(rows, np.int64) - 1).astype(row_dtype(n))


def text_of(descents: Iterable[Descent]) -> Iterator[bytes]:
    """Yield the lines of the assignment's output: a block for each descent, with a blank line between blocks.

    A block has one line per board, with rows from 1 separated by single blanks, and then Success or Failure.
    """
    separator = b""
    for descent in descents:
        yield separator
        separator = b"\n"
        rows = [b"%d" % (row + 1) for row in descent.initial_queens.tolist()]
        yield b" ".join(rows) + b"\n"
        for column, row in descent.moves.tolist():
            rows[column] = b"%d" % (row + 1)
            yield b" ".join(rows) + b"\n"
        yield b"Success\n" if descent.solved else b"Failure\n"
