"""One run of a rule with every step kept: what is shown to a class, board by board."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from fastqueens import engines
from fastqueens.board import Queens, as_queens, check_solvable, row_dtype, size_of
from fastqueens.classroom.rules import (
    DEFAULT_LIMITS,
    LOOKS,
    NO_MOVES,
    Limits,
    check_limits,
    check_rule,
    empty_climber,
)
from fastqueens.counting import is_solution
from fastqueens.kernels import climbing, placement
from fastqueens.kernels.search import BEST_PAIRS, PAIRS, SOLVED, UNDER_WAY
from fastqueens.machine import check_memory
from fastqueens.solver import check_limit, check_seed, patience
from fastqueens.watch import Progress, Stop, Watch
from fastqueens.workers import Workers

# Moves that are noted before a kernel gives them back.
_ROOM = 4096

_BYTES_A_QUEEN = 120


class Look(NamedTuple):
    """A board of a run: after ``step`` moves, or a first board where ``is_start``."""

    queens: Queens
    cost: int
    step: int
    is_start: bool


@dataclass(frozen=True, eq=False)
class Climb:
    """A finished run of a rule.

    Attributes
    ----------
    rule : str
        One of :data:`fastqueens.classroom.rules.RULES`.
    limits : Limits
        What the run was held to.
    seed : int
        What repeats the run.
    solved : bool
        True where an independent check of all lines has found no two queens on one.
    queens : (n,) int32 array
        The board of least cost that a climb of this run ended with.
    cost : int
        Its attacking pairs.
    starts : tuple of (n,) int32 arrays
        The first board of each climb: one, and one more for each restart.
    start_costs : tuple of int
        Their attacking pairs.
    moves : (steps, 3) int64 array
        For each step the column of the queen that moved, the row it moved to, and the cost after it. Column and row are
        -1 where a queen was picked and stayed, as in min-conflicts.
    restarts : tuple of int
        How many steps had been made at each restart.
    """

    rule: str
    limits: Limits
    seed: int
    solved: bool
    queens: Queens
    cost: int
    starts: tuple[Queens, ...]
    start_costs: tuple[int, ...]
    moves: NDArray[np.int64]
    restarts: tuple[int, ...]

    @property
    def n(self) -> int:
        """Queens on the board."""
        return len(self.queens)

    @property
    def steps(self) -> int:
        """Moves made, over all climbs of the run."""
        return len(self.moves)

    def as_dict(self) -> dict[str, Any]:
        """The figures of the run in JSON's types, without boards and moves."""
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
        """All boards of the run in their order, O(n) each.

        Examples
        --------
        >>> [look.cost for look in climb(8, seed=3).looks()]
        [6, 4, 3]
        """
        ends = [*self.restarts, self.steps]
        for start, cost, (first, last) in zip(
            self.starts, self.start_costs, itertools.pairwise([0, *ends]), strict=True
        ):
            queens = start.copy()
            yield Look(queens.copy(), cost, first, True)
            for step in range(first, last):
                column, row, cost = self.moves[step].tolist()
                if column >= 0:
                    queens[column] = row
                yield Look(queens.copy(), cost, step + 1, False)


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
    """Climb from a random board, or from a given one, until it is solved or the rule is stuck, and keep every step.

    Parameters
    ----------
    n : int, optional
        Side of the board and number of queens; not needed beside ``board``.
    board : sequence or array of n integers, optional
        A board to start from: the row of the queen in each column, from 0. It is not changed.
    rule : str
        "steepest", "sideways", "annealing" or "min-conflicts".
    limits : Limits
        Sideways moves in a row, restarts from random boards (none if not given, None for as many as it takes),
        temperatures.
    seed : int, optional
        From 0 to 2**64 - 1. One is drawn if none is given. All rules start from the same board with the same seed, that
        of ``start="random"``.
    progress, stop : callable, optional
        As in :func:`fastqueens.solve`; the stage is "climbs".

    Returns
    -------
    Climb

    Raises
    ------
    InputError
        Where a value is not as described here.
    NoSolutionError
        For n = 2 and n = 3, where restarts are not limited, and for "min-conflicts".
    Stopped
        Where ``stop`` said so.

    Notes
    -----
    A step of steepest ascent looks at n (n - 1) moves in O(1) each, one of annealing at a few. A study counts the same
    runs, seed for seed.

    Examples
    --------
    >>> climb(8, seed=3).solved, climb(8, rule="sideways", seed=3).solved
    (False, True)
    """
    check_rule(rule)
    check_limits(limits)
    first = None if board is None else as_queens(board)
    size = size_of(n, first)
    if limits.restarts is None or rule == "min-conflicts":
        check_solvable(size)
    check_memory(_BYTES_A_QUEEN * size, f"a climb on n = {size:,}")
    seed = secrets.randbelow(10**9) if seed is None else check_seed(seed)
    climber = _MinConflicts(size, seed) if rule == "min-conflicts" else _Climbing(size, rule, limits, seed)
    return _run(climber, rule, limits, seed, first, Watch(progress, stop))


class _Climber(Protocol):
    """A rule at work on one board."""

    queens: Queens

    def begin(self, number: int, board: Queens | None) -> int:
        """Set up a climb from a board, or from the random one of an attempt: its cost."""
        ...

    def advance(self) -> tuple[int, NDArray[np.int64]]:
        """Go on for a while: the status, and the moves made."""
        ...


def _run(climber: _Climber, rule: str, limits: Limits, seed: int, board: Queens | None, watch: Watch) -> Climb:
    """Make climbs until one solves the board, or no restart is left."""
    starts, costs, restarts, pieces = [], [], [], [NO_MOVES]
    best: tuple[int, Queens] | None = None
    steps = 0
    for number in range(check_limit(limits.restarts, "restarts") + 1):
        if number > 0:
            restarts.append(steps)
        cost = climber.begin(number, board if number == 0 else None)
        starts.append(climber.queens.copy())
        costs.append(cost)
        status = UNDER_WAY
        while status == UNDER_WAY:
            status, moves = climber.advance()
            pieces.append(moves)
            steps += len(moves)
            cost = int(moves[-1, climbing.COST]) if len(moves) else cost
            watch.look("climbs", number, number + 1)
        if best is None or cost < best[0]:
            best = cost, climber.queens.copy()
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
        starts=tuple(starts),
        start_costs=tuple(costs),
        moves=np.concatenate(pieces),
        restarts=tuple(restarts),
    )


class _Climbing:
    """The rules of kernels/climbing.py."""

    def __init__(self, n: int, rule: str, limits: Limits, seed: int) -> None:
        self._climber = empty_climber(n, rule, limits)
        self._seed = np.uint64(seed)
        self._number = np.uint64(0)
        self._moves = np.empty((_ROOM, 3), np.int64)
        self.queens = self._climber.queens

    def begin(self, number: int, board: Queens | None) -> int:
        self._number = np.uint64(number)
        if board is None:
            placement.place_random(self.queens, self._seed, self._number, 0, len(self.queens))
        else:
            self.queens[:] = board
        climbing.set_up(self._climber)
        return int(self._climber.state[PAIRS])

    def advance(self) -> tuple[int, NDArray[np.int64]]:
        before = int(self._climber.state[climbing.MADE])
        status, _ = climbing.climb(self._climber, self._moves, self._seed, self._number, LOOKS)
        made = int(self._climber.state[climbing.MADE]) - before
        first = before % _ROOM
        return status, self._moves[first : first + made].copy()


class _MinConflicts:
    """The search of :func:`fastqueens.solve` from a random board, one step at a time."""

    def __init__(self, n: int, seed: int) -> None:
        self._seed = seed
        self.queens: Queens = np.empty(n, row_dtype(n))

    def begin(self, number: int, board: Queens | None) -> int:
        n = len(self.queens)
        self._attempt = engines.new_attempt(n, board, self._seed, number, patience(n))
        with Workers(1) as workers:
            start = "random" if board is None else "given"
            self._engine = engines.make_board(self._attempt, None, start, workers, Watch())
        self.queens, state, *_ = self._attempt
        state[BEST_PAIRS] = state[PAIRS]
        return int(state[PAIRS])

    def advance(self) -> tuple[int, NDArray[np.int64]]:
        state = self._attempt.state
        if state[PAIRS] == 0:
            return SOLVED, NO_MOVES
        before = self.queens.copy()
        no_trace = np.empty((0, 2), np.int64)
        status, made = self._engine.advance(1, patience(len(before)), no_trace)
        changed = np.flatnonzero(before != self.queens)
        column, row = (int(changed[0]), int(self.queens[changed[0]])) if len(changed) else (-1, -1)
        return status, np.array([[column, row, int(state[PAIRS])]] * made, np.int64).reshape(made, 3)
