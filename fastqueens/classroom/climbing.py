"""``climb()``: one run of a rule with every step recorded, to show to a class board by board."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.check.verification import conflicting_queens, is_solution
from fastqueens.classroom.climbing_kernel import COST
from fastqueens.classroom.rules import DEFAULT_LIMITS, Limits, check_limits, check_rule
from fastqueens.classroom.searches import HillClimbing, MinConflictsClimbing, MoveList, Search, Starts
from fastqueens.core.arguments import check_limit, check_seed, new_seed
from fastqueens.core.board import Queens, as_queens, check_solvable, size_of
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import Callbacks, Progress, Stop
from fastqueens.core.trace import Moves, Trace
from fastqueens.solving.search_kernel import SOLVED, UNDER_WAY

_BYTES_A_QUEEN = 120


class Look(NamedTuple):
    """A board of a run: the first board of a climb if ``is_start``, otherwise the board after ``step`` moves.

    ``move`` is the column of the queen that moved last, its row before and after; None if no queen did.
    """

    queens: Queens
    cost: int
    step: int
    is_start: bool
    move: tuple[int, int, int] | None = None


@dataclass(frozen=True, eq=False)
class Climb:
    """A finished run of a rule.

    Attributes
    ----------
    rule : str
        One of :data:`fastqueens.core.arguments.RULES`.
    limits : Limits
        The limits of the run.
    seed : int
        The same seed and arguments repeat the run.
    solved : bool
        True if an independent check found no two queens on one line.
    queens : (n,) int32 array
        The board of least cost that a climb of this run ended with.
    cost : int
        Its attacking pairs.
    starts : sequence of (n,) int32 arrays
        The first board of each climb: one, and one more for each restart. Each access computes its board, so restarts
        need no memory for their boards.
    start_costs : tuple of int
        Their attacking pairs.
    moves : (steps, 3) int64 array
        For each step the column of the queen that moved, its new row, and the cost after the move. Column and row are
        -1 if the chosen queen stayed, which happens in min-conflicts only.
    restarts : tuple of int
        The number of steps before each restart.
    """

    rule: str
    limits: Limits
    seed: int
    solved: bool
    queens: Queens
    cost: int
    starts: Sequence[Queens]
    start_costs: tuple[int, ...]
    moves: NDArray[np.int64]
    restarts: tuple[int, ...]

    @property
    def n(self) -> int:
        """Side of the board and number of queens."""
        return len(self.queens)

    @property
    def steps(self) -> int:
        """Steps made, over all climbs of the run."""
        return len(self.moves)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures of the run in JSON types, without boards and moves."""
        return {
            "rule": self.rule,
            "n": self.n,
            "seed": self.seed,
            "solved": self.solved,
            "initial_cost": self.start_costs[0],
            "cost": self.cost,
            "steps": self.steps,
            "restarts": len(self.restarts),
        }

    def looks(self) -> Iterator[Look]:
        """Yield all boards of the run in order, one at a time; O(n) time each.

        Examples
        --------
        >>> [look.cost for look in climb(8, seed=3).looks()]
        [6, 4, 3]
        """
        ends = [*self.restarts, self.steps]
        for queens, cost, (first, last) in zip(
            self.starts, self.start_costs, itertools.pairwise([0, *ends]), strict=True
        ):
            yield Look(queens.copy(), cost, first, True)
            for step in range(first, last):
                column, row, cost = self.moves[step].tolist()
                move = None if column < 0 else (column, int(queens[column]), row)
                if move is not None:
                    queens[column] = row
                yield Look(queens.copy(), cost, step + 1, False, move)


def climb(
    n: int | None = None,
    *,
    board: Sequence[int] | NDArray[Any] | None = None,
    rule: str = "steepest",
    limits: Limits = DEFAULT_LIMITS,
    seed: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Climb:
    """Climb from a random board, or from yours, until it is solved or the rule is stuck, and record every step.

    Parameters
    ----------
    n : int, optional
        Side of the board and number of queens. May be left out if ``board`` is passed.
    board : sequence or array of n integers, optional
        The board to start from: the row of the queen in each column, from 0. It is not changed.
    rule : str
        "steepest", "sideways", "annealing" or "min-conflicts".
    limits : Limits
        Sideways moves in a row, restarts from random boards (0 by default, None for as many as it takes),
        temperatures.
    seed : int, optional
        From 0 to 2**64 - 1; drawn by default. With the same seed all rules start from the same board, that of
        ``start="random"``.
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
        For n = 2 and n = 3, if restarts are not limited or the rule is "min-conflicts".
    NotEnoughMemoryError
        If the moves need more memory than is available: 24 bytes each, up to 60 while they are collected.
    Stopped
        If ``stop`` returned True.

    Notes
    -----
    A step of steepest ascent looks at n (n - 1) moves in O(1) each, a step of annealing at a few. :func:`study` counts
    the same runs, seed for seed.

    Examples
    --------
    >>> climb(8, seed=3).solved, climb(8, rule="sideways", seed=3).solved
    (False, True)
    """
    check_rule(rule)
    limits = check_limits(limits)
    first = None if board is None else as_queens(board, copy=True)
    size = size_of(n, first)
    if limits.restarts is None or rule == "min-conflicts":
        check_solvable(size)
    check_memory(_BYTES_A_QUEEN * size, f"a climb on n = {size:,}")
    seed = new_seed() if seed is None else check_seed(seed)
    search = MinConflictsClimbing(size, seed) if rule == "min-conflicts" else HillClimbing(size, rule, limits, seed)
    return _run(search, rule, limits, seed, first, Callbacks(progress, stop))


def _run(search: Search, rule: str, limits: Limits, seed: int, board: Queens | None, callbacks: Callbacks) -> Climb:
    """Climb until a climb solves the board or no restart is left."""
    costs, restarts = [], []
    made = MoveList()
    best: tuple[int, Queens] | None = None
    for number in range(check_limit(limits.restarts, "restarts") + 1):
        if number > 0:
            restarts.append(len(made))
        cost = search.begin(number, board if number == 0 else None)
        costs.append(cost)
        status = UNDER_WAY
        while status == UNDER_WAY:
            status, moves = search.advance()
            made.add(moves)
            cost = int(moves[-1, COST]) if len(moves) else cost
            callbacks.poll("climbs", number, number + 1)
        if best is None or cost < best[0]:
            best = cost, search.queens.copy()
        if status == SOLVED:
            break
    assert best is not None
    least, queens = best
    if least == 0 and not is_solution(queens):
        raise RuntimeError(f"{rule!r} ended with a wrong board, please report this: n = {len(queens)}, seed {seed}")
    return Climb(
        rule=rule,
        limits=limits,
        seed=seed,
        solved=least == 0,
        queens=queens,
        cost=least,
        starts=Starts(len(queens), seed, range(len(costs)), board),
        start_costs=tuple(costs),
        moves=made.as_array(),
        restarts=tuple(restarts),
    )


def recorded(climbed: Climb) -> tuple[Trace, tuple[int, ...], Moves]:
    """Return the trace of a run, the entries of its restarts, and its moves: O(n) time a step.

    A step in which no queen moves is recorded as one of the queen in column 0, from its row to the same row.

    Examples
    --------
    >>> from fastqueens.classroom.climbing import climb
    >>> trace, restarts, moves = recorded(climb(8, seed=3))
    >>> trace.pairs.tolist(), restarts, moves.steps.shape
    ([6, 4, 3], (), (2, 3))
    """
    pairs, conflicting, restarts, steps = [], [], [], []
    for entry, look in enumerate(climbed.looks()):
        if look.is_start and entry:
            restarts.append(entry)
        elif entry:
            steps.append(look.move or (0, look.queens[0], look.queens[0]))
        pairs.append(look.cost)
        conflicting.append(conflicting_queens(look.queens))
    trace = Trace(np.array(pairs, np.int64), np.array(conflicting, np.int64))
    moves = Moves(np.stack(list(climbed.starts)), np.array(steps, np.int64).reshape(-1, 3))
    return trace, tuple(restarts), moves
