"""Climbs: single runs of a rule with every step recorded, to show to a class board by board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import check_seed, new_seed
from fastqueens._run.clock import clock
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.tables import Table
from fastqueens._run.text import counted
from fastqueens.board import Moves, Queens, Trace, as_queens, size_of
from fastqueens.checking import is_solution
from fastqueens.classroom.rules import DEFAULT_LIMITS, RULES, Limits, checked_limits
from fastqueens.classroom.runs import ClimbRecorder, make_runs
from fastqueens.errors import InputError

if TYPE_CHECKING:
    from fastqueens.pictures.figure import Picture

_BYTES_PER_QUEEN = 120


class ClimbBoard(NamedTuple):
    """A board of a run: the first board of a climb if ``is_start``, otherwise the board after ``step`` moves.

    ``move`` is the column of the queen that moved last, its row before and after; None if no queen moved.
    """

    queens: Queens
    cost: int
    step: int
    is_start: bool
    move: tuple[int, int, int] | None = None


@dataclass(frozen=True, eq=False)
class Climb:
    """A finished run of a rule, recorded as :func:`fastqueens.solve` records a search.

    Attributes
    ----------
    rule : str
        One of :data:`fastqueens.classroom.rules.RULES`.
    limits : Limits
        The limits of the run.
    seed : int
        The same seed and arguments repeat the run.
    solved : bool
        True if an independent check found no two queens on one line.
    queens : (n,) int32 array
        The board of least cost that a climb of this run ended with. In a systematic search, empty columns have row n.
    cost : int
        Its attacking pairs; in a systematic search, its empty columns.
    trace : Trace
        Costs and conflicting queens: of the first board of each climb, and after each step.
    restarts : tuple of int
        Indexes in the trace at which the second and later climbs begin.
    moves : Moves or None
        ``first_boards`` of the climbs, and for each of ``steps`` the column of its queen, its row before and after;
        they are equal if the chosen queen stayed, which happens in min-conflicts only. None if a step can change more
        than one queen.
    boards : (entries, n) array or None
        All boards, if there are no moves; with several boards at a time, the best of each generation.
    evaluations : int
        Boards whose cost was computed, including first boards; docs/classroom.md lists other evaluations.
    backtracks : int
        Queens that a systematic search took off again.
    seconds : float
        How long the run took, with its record.
    """

    rule: str
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

    @property
    def n(self) -> int:
        """Side of the board and number of queens."""
        return len(self.queens)

    @property
    def steps(self) -> int:
        """Steps made, over all climbs of the run."""
        return len(self.trace.pairs) - 1 - len(self.restarts)

    @property
    def initial_cost(self) -> int:
        """Cost of the first board."""
        return int(self.trace.pairs[0])

    def __repr__(self) -> str:
        verdict = "solved" if self.solved else f"not solved, cost {self.cost}"
        return f"<Climb {self.rule} n={self.n} {verdict}, {counted(self.steps, 'step')}, seed={self.seed}>"

    def _repr_html_(self) -> str:
        return climbs_table([self.as_dict()]).html()

    def as_dict(self) -> dict[str, Any]:
        """Return the figures of the run in JSON types, without boards and moves."""
        figures = ("initial_cost", "cost", "steps", "evaluations", "backtracks", "seconds")
        return {
            "rule": self.rule,
            "n": self.n,
            "seed": self.seed,
            "solved": self.solved,
            **{name: getattr(self, name) for name in figures},
            "restarts": len(self.restarts),
        }

    def looks(self) -> Iterator[ClimbBoard]:
        """Yield all boards of the run in order, in O(n) time each.

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
        """Draw the course of the climb, as :meth:`fastqueens.Result.plot` does; attacking pairs are the cost."""
        from fastqueens.pictures.curves import conflict_curves

        return conflict_curves(self, what=what, **options)


@shows_progress
def climb(
    n: int | None = None,
    *,
    board: Sequence[int] | NDArray[Any] | None = None,
    rule: str = "steepest",
    moves: str = "column",
    limits: Limits = DEFAULT_LIMITS,
    seed: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Climb:
    """Climb from a random board, or from yours, until it is solved or the rule is stuck, and record every step.

    Parameters
    ----------
    n : int, optional
        Side of the board and number of queens. Can be left out if ``board`` is passed.
    board : sequence or array of n integers, optional
        The board to start from: the row of the queen in each column, from 0. It is not changed.
    rule : str
        A rule by name, such as "steepest", "restart" or "annealing"; docs/classroom.md lists them.
    moves : str
        "column" (a queen to any row of its column), "step" (one square up or down), "swap" (two queens exchange rows)
        or "two" (two queens at a time).
    limits : Limits
        Sideways moves in a row, restarts from random boards, temperatures, and the options of other rules.
    seed : int, optional
        From 0 to 2**64 - 1; drawn by default. With the same seed all rules start from the same board, as
        ``solve`` does with ``start="random"``.
    progress, stop : callable, optional
        As in :func:`fastqueens.solve`; the stage is "climbs".

    Returns
    -------
    Climb

    Raises
    ------
    InputError
        If a value is not as described here.
    NoSolutionError
        For n = 2 and n = 3, if restarts are not limited.
    NotEnoughMemoryError
        If the record needs more memory than is available: 40 bytes per step, up to 120 while it is collected.
    Stopped
        If ``stop`` returned True.

    Notes
    -----
    A step of steepest ascent looks at n (n - 1) moves in O(1) each, a step of annealing at a few; then the conflicting
    queens are counted, in O(n). :func:`study` makes the same runs, seed for seed, and counts no conflicting queens.

    Examples
    --------
    >>> climb(8, seed=3).solved, climb(8, rule="restart", seed=3).solved
    (False, True)
    """
    first = None if board is None else as_queens(board, copy=True)
    size = size_of(n, first)
    limits = checked_limits(limits, moves, [rule], [size])
    if first is not None and not RULES[rule].is_seeded:
        raise InputError(f"the rule {rule} begins with an empty board: leave out the board")
    if first is not None and moves == "swap" and len(np.unique(first)) < size:
        raise InputError("moves is 'swap', and the board has two queens in a row, which swaps never change")
    check_memory(_BYTES_PER_QUEEN * size, f"a climb on n = {size:,}")
    seed = new_seed() if seed is None else check_seed(seed)
    record, begun = ClimbRecorder(size, not RULES[rule].moves_one or moves in ("swap", "two")), clock.seconds()
    one = range(seed, seed + 1)
    made = make_runs(size, rule, moves, one, limits, Callbacks(progress, stop), record=record, board=first)
    seconds, solved = clock.seconds() - begun, bool(made.solved[0])
    if solved and not is_solution(record.queens):
        raise RuntimeError(f"{rule!r} ended with a wrong board, please report this: n = {size}, seed {seed}")
    figures: dict[str, Any] = {name: int(getattr(made, name)[0]) for name in ("evaluations", "backtracks")}
    return Climb(rule, limits, seed, solved, cost=int(made.pairs[0]), **figures, seconds=seconds, **record.result())


def climbs_table(climbs: Iterable[dict[str, Any]]) -> Table:
    """Return a table of single runs, from their figures."""
    figures = ("initial_cost", "steps", "restarts", "evaluations", "cost")
    headings = ("rule", "seed", "initial", "steps", "restarts", "evaluations", "pairs", "solved")
    rows = [
        [row["rule"], str(row["seed"]), *(f"{row[key]:,}" for key in figures), "yes" if row["solved"] else "no"]
        for row in climbs
    ]
    return Table([headings], {"": rows})
