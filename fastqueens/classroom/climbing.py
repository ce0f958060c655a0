"""``climb()``: one run of a rule with every step recorded, to show to a class board by board; rules and their limits.

The names of the rules are in ``core/arguments.py``.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.check.verification import conflicting_queens, is_solution
from fastqueens.classroom import climbing_kernel
from fastqueens.classroom.climbing_kernel import MADE
from fastqueens.core.arguments import NO_LIMIT, RULES, check_integer, check_limit, check_seed, new_seed
from fastqueens.core.board import Moves, Queens, Trace, as_queens, check_solvable, row_dtype, size_of
from fastqueens.core.errors import InputError, Stopped
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.core.wording import counted
from fastqueens.solving import windows_kernel
from fastqueens.solving.result import Recorder
from fastqueens.solving.search_kernel import PAIRS, SOLVED, UNDER_WAY
from fastqueens.solving.solver import solve

#: Sideways moves in a row after which the rule "sideways" gives up, as in the textbook.
SIDEWAYS_LIMIT = 100

# The temperature at which annealing ends; the hottest at which it begins; between which factors it may cool.
_COLDEST = 0.1
_HOTTEST = 10.0
_COOLING = 0.01, 0.999

#: Squares that one call of a kernel looks at: some milliseconds, after which Ctrl-C is noticed.
LOOKS = 1 << 22

_BYTES_A_QUEEN = 120


class Limits(NamedTuple):
    """How long a run goes on.

    sideways : moves in a row that keep the cost, for the rule "sideways"
    restarts : new random boards after climbs that are stuck; None for as many as it takes
    temperature, cooling : for the rule "annealing": the first temperature, and the factor from one to the next, down to
        0.1, with n^2 drawn moves at each
    """

    sideways: int = SIDEWAYS_LIMIT
    restarts: int | None = 0
    temperature: float = 1.0
    cooling: float = 0.95


DEFAULT_LIMITS = Limits()


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
    """A finished run of a rule, recorded as :func:`fastqueens.solve` records a search.

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
    trace : Trace
        Attacking pairs, which are the cost, and conflicting queens: of the first board of each climb, and after each
        step.
    restarts : tuple of int
        Indexes in the trace at which the second and later climbs begin.
    moves : Moves
        ``first_boards`` of the climbs, and for each of ``steps`` the column of its queen, its row before and after;
        they are equal if the chosen queen stayed, which happens in min-conflicts only.
    """

    rule: str
    limits: Limits
    seed: int
    solved: bool
    queens: Queens
    cost: int
    trace: Trace
    restarts: tuple[int, ...]
    moves: Moves

    @property
    def n(self) -> int:
        """Side of the board and number of queens."""
        return len(self.queens)

    @property
    def steps(self) -> int:
        """Steps made, over all climbs of the run."""
        return len(self.moves.steps)

    @property
    def initial_cost(self) -> int:
        """Attacking pairs of the first board."""
        return int(self.trace.pairs[0])

    def as_dict(self) -> dict[str, Any]:
        """Return the figures of the run in JSON types, without boards and moves."""
        return {
            "rule": self.rule,
            "n": self.n,
            "seed": self.seed,
            "solved": self.solved,
            "initial_cost": self.initial_cost,
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
        starts, step = {0, *self.restarts}, 0
        first_boards = iter(self.moves.first_boards)
        for entry, cost in enumerate(map(int, self.trace.pairs)):
            if entry in starts:
                queens = next(first_boards).copy()
                yield Look(queens.copy(), cost, step, True)
            else:
                column, before, after = self.moves.steps[step].tolist()
                queens[column] = after
                step += 1
                yield Look(queens.copy(), cost, step, False, None if before == after else (column, before, after))


@shows_progress
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
        As in :func:`fastqueens.solve`; the stage is "climbs". With "min-conflicts" the stages are those of ``solve``.

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
        If the record needs more memory than is available: 40 bytes a step, up to 120 while it is collected.
    Stopped
        If ``stop`` returned True.

    Notes
    -----
    A step of steepest ascent looks at n (n - 1) moves in O(1) each, a step of annealing at a few; then the conflicting
    queens are counted, in O(n). :func:`study` makes the same runs, seed for seed, and counts no conflicting queens.

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
    if rule == "min-conflicts":
        return _min_conflicts(size, limits, seed, first, progress, stop)
    return _hill_climb(size, rule, limits, seed, first, Callbacks(progress, stop))


def _min_conflicts(
    n: int, limits: Limits, seed: int, board: Queens | None, progress: Progress | None, stop: Stop | None
) -> Climb:
    """Search as :func:`fastqueens.solve` does from a random board."""
    restarts = check_limit(limits.restarts, "restarts")
    result = solve(
        n, board=board, seed=seed, start="random", restarts=restarts, moves=True, progress=progress, stop=stop
    )
    if not result.solved and stop is not None and stop():
        raise Stopped(f"stopped during search, after {counted(result.steps, 'step')}")
    record = result.trace, result.restarts, result.moves
    return Climb("min-conflicts", limits, seed, result.solved, result.queens, result.pairs, *record)  # type: ignore[arg-type]


def _hill_climb(n: int, rule: str, limits: Limits, seed: int, board: Queens | None, callbacks: Callbacks) -> Climb:
    """Climb until a climb solves the board or no restart is left."""
    climber = empty_climber(n, rule, limits)
    recorder = Recorder(trace=True, moves=True)
    cost, queens = NO_LIMIT, climber.queens
    for number in range(check_limit(limits.restarts, "restarts") + 1):
        key = np.uint64(seed), np.uint64(number)
        if number == 0 and board is not None:
            climber.queens[:] = board
        else:
            windows_kernel.place_random(climber.queens, *key, 0, n)
        climbing_kernel.set_up(climber)
        recorder.begin(int(climber.state[PAIRS]), conflicting_queens(climber.queens), climber.queens)
        status = UNDER_WAY
        while status == UNDER_WAY:
            made = int(climber.state[MADE])
            status, _ = climbing_kernel.climb(climber, recorder.buffer, *key, LOOKS)
            recorder.add(int(climber.state[MADE]) - made)
            callbacks.poll("climbs", number, number + 1)
        if climber.state[PAIRS] < cost:
            cost, queens = int(climber.state[PAIRS]), climber.queens.copy()
        if status == SOLVED:
            break
    if cost == 0 and not is_solution(queens):
        raise RuntimeError(f"{rule!r} ended with a wrong board, please report this: n = {n}, seed {seed}")
    trace, moves = recorder.result()
    restarts = tuple(recorder.restarts)
    return Climb(rule, limits, seed, cost == 0, queens, cost, trace, restarts, moves)  # type: ignore[arg-type]


def empty_climber(n: int, rule: str, limits: Limits) -> climbing_kernel.Climber:
    """Allocate the arrays of a climb by any rule but "min-conflicts". The kernel ``set_up`` initialises them."""
    odds = _odds(limits) if rule == "annealing" else np.empty((0, 0), np.uint64)
    return climbing_kernel.Climber(
        queens=np.empty(n, row_dtype(n)),
        rows=np.empty(n, np.int64),
        sums=np.empty(2 * n, np.int64),
        differences=np.empty(2 * n, np.int64),
        state=np.empty(climbing_kernel.CLIMB_STATE_LENGTH, np.int64),
        sideways_limit=limits.sideways if rule == "sideways" else 0,
        odds=odds,
        level_length=n * n,
    )


def _odds(limits: Limits) -> NDArray[np.uint64]:
    """Return 2**64 exp(-rise / temperature) for each temperature and each rise of the cost from 1 on."""
    levels = math.floor(math.log(limits.temperature / _COLDEST) / -math.log(limits.cooling)) + 1
    temperatures = [limits.temperature * limits.cooling**level for level in range(levels)]
    # The odds of larger rises are below one in 2**64.
    rises = range(1, math.ceil(64 * math.log(2) * limits.temperature) + 1)
    return np.array([[int(math.exp(-rise / heat) * 2**64) for rise in rises] for heat in temperatures], np.uint64)


def check_rule(rule: str, rules: Collection[str] = RULES) -> None:
    """Raise :class:`InputError` for an unknown rule; the message names similar ones."""
    if rule not in rules:
        near = difflib.get_close_matches(rule, rules, n=2)
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"it is one of {', '.join(rules)}"
        raise InputError(f"there is no rule {rule!r}: {hint}")


def check_limits(limits: Limits) -> Limits:
    """Return the limits with Python integers; raise :class:`InputError` for the first value that is out of range.

    >>> import numpy
    >>> check_limits(Limits(sideways=numpy.uint8(7)))
    Limits(sideways=7, restarts=0, temperature=1.0, cooling=0.95)
    """
    sideways = check_integer(limits.sideways, "sideways_limit", 0, NO_LIMIT)
    restarts = None if limits.restarts is None else check_limit(limits.restarts, "restarts")
    _check_between("temperature", limits.temperature, _COLDEST, _HOTTEST)
    _check_between("cooling", limits.cooling, *_COOLING)
    return limits._replace(sideways=sideways, restarts=restarts)


def _check_between(name: str, value: float, least: float, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise InputError(f"{name} is {value!r}: it goes from {least} to {most}")
