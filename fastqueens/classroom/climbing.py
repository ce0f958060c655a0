"""Climbs: single runs of an algorithm with every step recorded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from fastqueens._run import clock
from fastqueens._run.arguments import check_positive, check_seed, new_seed
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.tables import Table
from fastqueens._run.text import counted
from fastqueens.board import ClimbBoard, Moves, Queens, Trace, as_queens, size_of
from fastqueens.checking import is_solution
from fastqueens.classroom.algorithms import (
    ALGORITHMS,
    DEFAULT_LIMITS,
    Limits,
    checked_limits,
    options_of,
    records_moves,
)
from fastqueens.classroom.runs import ClimbRecorder, make_runs
from fastqueens.errors import InputError
from fastqueens.files.headers import board_in_files, header_of

if TYPE_CHECKING:
    from fastqueens.pictures.figure import Picture

_BYTES_PER_QUEEN = 120


@dataclass(frozen=True, eq=False)
class Climb:
    """A finished run of an algorithm, with every step.

    Attributes
    ----------
    algorithm : str
        Name of the algorithm.
    limits : Limits
        Options of the algorithm.
    n : int
        Side of the board and number of queens.
    seed : int
        Seed of the run; the same seed and arguments repeat it.
    solved : bool
        Whether an independent check found no attacking pair.
    queens : (n,) int32 array
        The best of the final boards of all climbs of this run. In a systematic search, empty columns have row n.
    cost : int
        Attacking pairs of ``queens``, or its empty columns in a systematic search.
    initial_cost : int
        Attacking pairs of the first board.
    steps : int
        Number of steps in all climbs of the run.
    trace : Trace
        Attacking pairs and conflicting queens of the first board of each climb, and after each step.
    restarts : tuple of int
        Indices in the trace at which the second and later climbs begin.
    moves : Moves or None
        ``first_boards`` of the climbs, and ``steps``: the column of each moved queen, its row before and its row after.
        None if a step can change more than one queen.
    boards : (entries, n) array or None
        All boards, if there are no moves. An algorithm that keeps several boards stores the best of each generation.
    evaluations : int
        Number of boards whose cost was computed; docs/reference/algorithms.md says what counts.
    backtracks : int
        Number of queens that a systematic search took off again.
    seconds : float
        Wall time of the run, including recording.
    options : dict
        The options that influence the run, with the defaults of the algorithm: ``moves`` is the kind of moves,
        ``board`` your own first board, or a digest above 1,000 queens, and None means that there is no limit.

    See Also
    --------
    climb : Run an algorithm.
    animate : Animate a climb.

    Examples
    --------
    >>> run = climb(8, seed=3)
    >>> run.solved, run.initial_cost, run.cost, run.steps
    (False, 6, 3, 2)
    >>> run.moves.steps.tolist()
    [[3, 4, 1], [6, 4, 6]]
    """

    algorithm: str
    limits: Limits
    seed: int
    solved: bool
    queens: Queens
    cost: int
    trace: Trace
    restarts: tuple[int, ...]
    moves: Moves | None
    boards: Queens | None = None
    evaluations: int = 0
    backtracks: int = 0
    seconds: float = 0.0
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Side of the board and number of queens."""
        return len(self.queens)

    @property
    def steps(self) -> int:
        """Number of steps in all climbs of the run."""
        return len(self.trace.pairs) - 1 - len(self.restarts)

    @property
    def initial_cost(self) -> int:
        """Attacking pairs of the first board."""
        return int(self.trace.pairs[0])

    def __repr__(self) -> str:
        verdict = "solved" if self.solved else f"not solved, cost {self.cost}"
        return f"<Climb {self.algorithm} n={self.n} {verdict}, {counted(self.steps, 'step')}, seed={self.seed}>"

    def _repr_html_(self) -> str:
        return climbs_table([self.as_dict()]).html()

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers of the run in JSON types, without moves, and what repeats it."""
        figures = ("solved", "initial_cost", "cost", "steps", "evaluations", "backtracks", "seconds")
        return {
            **self.header,
            **{name: getattr(self, name) for name in figures},
            "restarts": len(self.restarts),
        }

    @property
    def header(self) -> dict[str, Any]:
        """The version, n, seed, algorithm and options, which repeat the run, in JSON types."""
        return header_of(self.n, self.seed, self.options, algorithm=self.algorithm)

    def looks(self) -> Iterator[ClimbBoard]:
        """Yield all boards of the run in order.

        Yields
        ------
        ClimbBoard
            ``queens``, ``cost``, ``step``, ``is_start`` and ``move`` of a board, each in O(n) time.

        Examples
        --------
        >>> [look.cost for look in climb(8, seed=3).looks()]
        [6, 4, 3]
        """
        starts, step = {0, *self.restarts}, 0
        first_boards = iter([] if self.moves is None else self.moves.first_boards)
        for entry, cost in enumerate(map(int, self.trace.pairs)):
            move = None
            step += entry not in starts
            if self.boards is not None:
                queens = self.boards[entry]
            elif self.moves is not None and entry in starts:
                queens = next(first_boards).copy()
            elif self.moves is not None:
                column, before, after = self.moves.steps[step - 1].tolist()
                queens[column] = after
                move = None if before == after else (column, before, after)
            yield ClimbBoard(queens.copy(), cost, step, entry in starts, move)

    def plot(self, what: str = "pairs", **options: Any) -> Picture:
        """Draw the conflicts against the steps.

        Parameters
        ----------
        what : "pairs", "conflicting" or "both", default "pairs"
            Attacking pairs (the cost), conflicting queens, or both.
        **options
            ``title``, ``theme``, ``size``, ``ax`` and ``scale``, as in :meth:`fastqueens.Result.plot`.

        Returns
        -------
        Picture
            A notebook shows it, ``save`` writes it, and ``figure`` is its figure.
        """
        from fastqueens.pictures.curves import conflict_curves

        return conflict_curves(self, what=what, **options)


@shows_progress
def climb(
    n: SupportsIndex | None = None,
    *,
    board: Sequence[SupportsIndex] | NDArray[Any] | None = None,
    algorithm: str = "steepest",
    moves: str = "column",
    limits: Limits = DEFAULT_LIMITS,
    seed: SupportsIndex | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Climb:
    """Run an algorithm from a random board, or from your own board, and record every step.

    The run ends when the board is solved, the algorithm is stuck, or a limit is reached.

    Parameters
    ----------
    n : int, optional
        Side of the board and number of queens. Not needed with ``board``.
    board : sequence or array of n integers, optional
        The first board: the row of the queen in each column, from 0. It is not changed. By default, it is random.
    algorithm : str, default "steepest"
        Name, such as "steepest", "restart" or "annealing"; docs/reference/algorithms.md defines all sixteen.
    moves : "column", "step", "swap" or "two", default "column"
        Kind of moves: one queen to any row of its column, one queen by one square up or down, two queens that exchange
        rows, or two queens at once.
    limits : Limits, default Limits()
        Options of the algorithms, such as restarts, temperatures and the largest number of steps.
    seed : int, optional
        Seed from 0 to 2**64 - 1. By default, a seed is drawn. With the same seed, all algorithms start from the same
        board.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    Climb
        The run with every step.

    Raises
    ------
    InputError
        If an argument is invalid.
    NoSolutionError
        For n = 2 and n = 3, if restarts are not limited.
    NotEnoughMemoryError
        If the record does not fit into memory; it takes up to 120 bytes per step.
    Stopped
        If ``stop`` returned True.

    See Also
    --------
    study : Run algorithms many times, and compare them.
    animate : Animate a climb.
    check_climber : Check a student's climber.

    Notes
    -----
    A step of steepest ascent looks at n (n - 1) moves in O(1) time each, and a step of annealing at a few. Counting the
    conflicting queens takes O(n) time per step. :func:`study` makes the same runs, seed for seed.

    Examples
    --------
    >>> climb(8, seed=3).solved, climb(8, algorithm="restart", seed=3).solved
    (False, True)
    """
    first = None if board is None else as_queens(board, copy=True)
    size = size_of(n, first)
    limits = checked_limits(limits, moves, [algorithm], [size])
    if time_limit is not None:
        seconds = check_positive(time_limit, "time_limit")
        limits = limits._replace(time_limit=seconds if limits.time_limit is None else min(seconds, limits.time_limit))
    check_board(first, algorithm, moves)
    check_memory(_BYTES_PER_QUEEN * size, f"a climb on n = {size:,}")
    seed = new_seed() if seed is None else check_seed(seed)
    record, begun = ClimbRecorder(size, not records_moves(algorithm, moves)), clock.seconds()
    one = range(seed, seed + 1)
    made = make_runs(size, algorithm, moves, one, limits, Callbacks(progress, stop), record=record, board=first)
    seconds, solved = clock.seconds() - begun, bool(made.solved[0])
    if solved and not is_solution(record.queens):
        raise RuntimeError(f"{algorithm!r} ended with a wrong board, please report this: n = {size}, seed {seed}")
    figures: dict[str, Any] = {name: int(getattr(made, name)[0]) for name in ("evaluations", "backtracks")}
    figures |= {"seconds": seconds, "options": options_of(algorithm, moves, limits, size)}
    if first is not None:
        figures["options"]["board"] = board_in_files(first)
    return Climb(algorithm, limits, seed, solved, cost=int(made.pairs[0]), **figures, **record.result())


def check_board(board: Queens | None, algorithm: str, moves: str) -> None:
    """Raise :class:`InputError` if an algorithm cannot begin with this board; None stands for a random board."""
    if board is not None and not ALGORITHMS[algorithm].is_seeded:
        raise InputError(f"{algorithm} begins with an empty board; leave out the board")
    if board is not None and moves == "swap" and len(np.unique(board)) < len(board):
        raise InputError(
            "swap moves cannot solve this board: it has two queens in a row, and swaps never change that; choose "
            "column moves"
        )


def climbs_table(climbs: Iterable[dict[str, Any]]) -> Table:
    """Return a table of single runs from their numbers."""
    figures = ("initial_cost", "steps", "restarts", "evaluations", "cost")
    headings = ("algorithm", "seed", "initial", "steps", "restarts", "evaluations", "pairs", "solved")
    rows = [
        [row["algorithm"], str(row["seed"]), *(f"{row[key]:,}" for key in figures), "yes" if row["solved"] else "no"]
        for row in climbs
    ]
    return Table([headings], {"": rows})
