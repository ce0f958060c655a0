"""Checks of students' climbers and cost functions by their results."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import NO_LIMIT, check_integer, check_kind, check_positive, check_seed, later_seed
from fastqueens._run.call_limit import CallLimit
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.board import as_queens, check_n, row_dtype
from fastqueens.checking import attacking_pairs
from fastqueens.classroom.algorithms import (
    ALGORITHMS,
    DEFAULT_LIMITS,
    MOVES,
    SIDEWAYS_LIMIT,
    Limits,
    checked_limits,
    restarts_of,
    tries_of,
)
from fastqueens.classroom.moves import attacks, lines_of, rises
from fastqueens.classroom.runs import run_many, wilson_interval
from fastqueens.errors import InputError
from fastqueens.kernels import climbing as climbing_kernel
from fastqueens.local_search import stagnation_limit

#: The default time limit of a call of a function.
SECONDS_PER_CALL = 10.0

#: Differences of more standard errors are not chance. They happen once in 2,000 for each of the three figures.
_TOO_FAR = 3.5

#: Runs of the algorithm per run of the checked function, and the most runs of a mistake.
_RUNS_OF_ALGORITHM = 10
_MOST_RUNS_OF_MISTAKE = 1000

#: Arguments with which :func:`_climb` follows an algorithm without mistakes.
_RIGHT: dict[str, dict[str, Any]] = {
    "steepest": {"takes_best": True, "sideways": 0},
    "sideways": {"takes_best": True, "sideways": SIDEWAYS_LIMIT},
    "stochastic": {"takes_best": False, "sideways": 0},
    "first-choice": {"takes_best": False, "sideways": 0},
}

_EARLY = "it is stuck too early"

#: Kinds of lines as in :func:`fastqueens.classroom.moves.lines_of`: without the difference diagonals, without the rows.
_ONE_DIRECTION, _DIAGONALS = (0, 1), (1, 2)

#: The documented mistakes with these algorithms, as arguments of :func:`_climb`.
_MISTAKES: dict[str, dict[str, Any]] = {
    "ties are broken by the first move": {"takes_first": True},
    "sideways moves are allowed": {"sideways": SIDEWAYS_LIMIT},
    "diagonals are counted once, in one direction only": {"kinds": _ONE_DIRECTION},
    "columns are counted instead of rows": {"kinds": _DIAGONALS},
    f"{_EARLY}: it looks at the moves of one column": {"columns": 1},
}

#: "solved", "cost" and, if they are known, "steps" of some runs.
_Sample = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class ClimberCheck:
    """The result of :func:`check_climber`, which prints as a few sentences.

    Attributes
    ----------
    agrees : bool
        Whether the results agree with the algorithm.
    algorithm : str
        Name of the algorithm.
    figures : dict
        For "solved", "cost" and "steps": the mean of the function, the mean of the algorithm, the difference in
        standard errors, and the p-value.
    fits : str or None
        The mistake or other algorithm that fits best.
    fits_well : bool
        Whether it explains the results.
    others : tuple of str
        Further explanations.
    interval : (float, float)
        95 % interval of the success rate.
    """

    agrees: bool
    algorithm: str
    figures: dict[str, tuple[float, float, float, float]]
    fits: str | None
    fits_well: bool
    others: tuple[str, ...]
    interval: tuple[float, float]

    def __hash__(self) -> int:
        return hash((self.agrees, self.algorithm, self.fits, self.others, self.interval))

    def __repr__(self) -> str:
        lines = [f"{'Agrees' if self.agrees else 'Does not agree'} with the algorithm {self.algorithm}."]
        low, high = self.interval
        for name, (yours, theirs, _, p) in self.figures.items():
            span = f" (95 %: {low:.3f} to {high:.3f})" if name == "solved" else ""
            probability = f"p = {p:.2g}" if p else "p < 1e-300"
            lines.append(f"  {name:7}{yours:8.3f}{span}; the algorithm has {theirs:.3f}; {probability}")
        if self.fits:
            well = "What fits" if self.fits_well else "Nothing fits well. What comes nearest"
            lines.append(f"{well}: {self.fits}.")
        if self.others:
            lines.append(f"Also possible; more runs tell them apart: {'; '.join(self.others)}.")
        return "\n".join(lines)


@shows_progress
def check_climber(
    function: Callable[[list[int]], Any],
    algorithm: str = "first-choice",
    n: SupportsIndex = 8,
    runs: SupportsIndex = 1000,
    *,
    moves: str = "column",
    limits: Limits = DEFAULT_LIMITS,
    seed: SupportsIndex = 0,
    call_limit: float = SECONDS_PER_CALL,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> ClimberCheck:
    """Compare a student's climber with an algorithm, by success rate, final costs and steps.

    Parameters
    ----------
    function : callable
        Takes a random board as a list, the row of the queen in each column from 0, and returns its last board, or a
        tuple of this board and the number of steps.
    algorithm : str, default "first-choice"
        Name of the algorithm that the function should follow.
    n : int, default 8
        Number of queens.
    runs : int, default 1000
        Number of calls of the function, at least 20.
    moves, limits : optional
        Kind of moves and options of the algorithm, as in :func:`climb`.
    seed : int, default 0
        Seed of the boards.
    call_limit : float, default 10
        The longest time of a call of the function, in seconds. It ends endless loops of Python code.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    ClimberCheck
        ``agrees``, and the mistake or other algorithm that fits best. It prints as a few sentences.

    Raises
    ------
    InputError
        If an argument is invalid, or the function does not return a board.
    TimeLimitReached
        If a call takes too long. The message names its board, as does a note of an exception that the function raises.

    See Also
    --------
    check_cost : Check a cost function.
    climb : Run the algorithms.

    Notes
    -----
    Differences of more than 3.5 standard errors are not attributed to chance. A built-in climber makes common mistakes
    on purpose, and its results are compared in the same way. A function for min-conflicts also agrees if it has no
    plateau memory, never or sometimes chooses the queen's own row, or stops only at ``limits.max_steps``.

    Examples
    --------
    >>> check = check_climber(lambda board: board, "steepest", runs=200)
    >>> check.agrees
    False
    """
    _check_function(function)
    n = check_n(n)
    limits = checked_limits(limits, moves, [algorithm], [n])
    runs, seed = check_integer(runs, "runs", 20, NO_LIMIT), check_seed(seed)
    limit, callbacks = CallLimit(check_positive(call_limit, "call_limit")), Callbacks.until(time_limit, progress, stop)
    boards = [_random_board(n, moves, later_seed(seed, k)) for k in range(runs)]
    found = []
    with limit:
        for made, board in enumerate(boards):
            callbacks.poll("runs of the function", made, runs)
            found.append(_outcome(board, limit.call(function, board)))
    ends, outcomes = zip(*found, strict=True)
    checked = _sample(outcomes)
    figures = _compared(checked, _of_algorithm(n, algorithm, moves, limits, seed, _RUNS_OF_ALGORITHM * runs))
    if not _agree(figures) and algorithm == "min-conflicts" and not restarts_of(algorithm, limits, n):
        of_textbooks = _textbook_min_conflicts(boards[:_MOST_RUNS_OF_MISTAKE], limits, seed)
        figures = next(filter(_agree, (_compared(checked, sample) for sample in of_textbooks)), figures)
    agrees, still = _agree(figures), _few_steps(boards, ends, checked)
    if agrees:
        causes = {}
    elif still:
        causes = {still: 0.0}
    else:
        causes = _nearest(checked, algorithm, moves, limits, boards[:_MOST_RUNS_OF_MISTAKE], seed)
    fits = next(iter(causes), None)
    fitting = [name for name, far in causes.items() if far < _TOO_FAR]
    interval = wilson_interval(int(checked["solved"].sum()), runs)
    return ClimberCheck(agrees, algorithm, figures, fits, bool(fitting), tuple(fitting[1:]), interval)


def _check_function(function: object) -> None:
    check_kind(callable(function), function, "function", "a function that takes a board")


def _random_board(n: int, moves: str, seed: int) -> list[int]:
    """Return the first board of a run."""
    queens = np.empty(n, row_dtype(n))
    climbing_kernel.place_first(queens, list(MOVES).index(moves), np.uint64(seed), np.uint64(0))
    return queens.tolist()


def _few_steps(boards: list[list[int]], ends: Sequence[list[int]], checked: _Sample) -> str | None:
    """Return what a climber does that hardly moves, or None."""
    moved = [
        sum(before != after for before, after in zip(*pair, strict=True)) for pair in zip(boards, ends, strict=True)
    ]
    if not any(moved):
        return "it returns the board that it was called with"
    if not checked.get("steps", np.ones(1)).any():
        return "it makes no steps"
    return "it makes no steps, or only one" if max(moved) == 1 else None


def _outcome(board: list[int], returned: Any) -> tuple[list[int], tuple[int, int | None]]:
    """Return the last board that a call for a board returned, and its cost and the steps."""
    steps = None
    if isinstance(returned, tuple) and len(returned) == 2 and np.ndim(returned[0]) == 1:
        returned, steps = returned
    try:
        last = as_queens(returned)
        if len(last) != len(board):
            raise InputError(f"it has {len(last)} queens")
    except InputError as error:
        raise InputError(f"from {board}, the function returned {returned!r}, which is not a board: {error}") from None
    return last.tolist(), (attacking_pairs(last), None if steps is None else check_integer(steps, "steps", 0, NO_LIMIT))


def _sample(outcomes: Sequence[tuple[int, int | None]]) -> _Sample:
    costs, steps = (np.array(values) for values in zip(*outcomes, strict=True))
    return {"solved": costs == 0, "cost": costs} | ({} if None in steps else {"steps": steps})


def _of_algorithm(n: int, algorithm: str, moves: str, limits: Limits, seed: int, runs: int) -> _Sample:
    """Return runs of the algorithm on other boards than those of the function, so that both samples are independent."""
    first = seed + 2**32
    made = run_many(n, algorithm, range(first, first + runs), limits, moves=moves)
    return {"solved": made.solved, "cost": made.pairs, "steps": made.steps}


def _compared(one: _Sample, other: _Sample) -> dict[str, tuple[float, float, float, float]]:
    """Compare means by Welch's test. Success rates are means of 0 and 1, with one run of each kind added."""
    figures = {}
    for name in [name for name in one if name in other]:
        mine, theirs = float(one[name].mean()), float(other[name].mean())
        error = math.sqrt(sum(_variance(sample[name], name) / len(sample[name]) for sample in (one, other)))
        far = (mine - theirs) / error if error else math.copysign(math.inf, mine - theirs) if mine != theirs else 0.0
        figures[name] = mine, theirs, far, math.erfc(abs(far) / math.sqrt(2))
    return figures


def _agree(figures: dict[str, tuple[float, float, float, float]]) -> bool:
    return all(abs(far) < _TOO_FAR for _, _, far, _ in figures.values())


def _variance(values: NDArray[Any], name: str) -> float:
    if name == "solved":
        rate = (values.sum() + 1) / (len(values) + 2)
        return float(rate * (1 - rate))
    return float(values.var(ddof=1))


def _nearest(
    checked: _Sample, algorithm: str, moves: str, limits: Limits, boards: list[list[int]], seed: int
) -> dict[str, float]:
    """Return mistakes and other algorithms with their distances in standard errors, nearest first."""
    samples: dict[str, _Sample] = {}
    n, runs = len(boards[0]), 2 * len(boards)
    right = _RIGHT.get(algorithm, {}) if moves == "column" else {}
    for mistake, change in _MISTAKES.items():
        if right and right != (wrong := {**right, **change}):
            generator = np.random.default_rng(seed)
            samples[mistake] = _sample([_climb(board, generator, **wrong) for board in boards])
    if {"sideways", "tries"} & set(ALGORITHMS[algorithm].options):
        for share in (2, 4, 8, 16, 32):
            cut = limits._replace(
                sideways=limits.sideways // share, tries=tries_of(algorithm, moves, limits, n) // share
            )
            samples[f"{_EARLY}: its limit is 1/{share}"] = _of_algorithm(n, algorithm, moves, cut, seed, runs)
    for other, row in ALGORITHMS.items():
        if other != algorithm and row.moves_one and moves not in row.refused_moves:
            samples[f"the algorithm {other}"] = _of_algorithm(n, other, moves, limits, seed, runs)
    far = {
        name: max((abs(values[2]) for values in _compared(checked, sample).values()), default=0.0)
        for name, sample in samples.items()
    }
    return dict(sorted(far.items(), key=lambda entry: entry[1]))


def _climb(
    board: list[int],
    generator: np.random.Generator,
    *,
    takes_best: bool,
    sideways: int,
    takes_first: bool = False,
    kinds: Sequence[int] = (0, 1, 2),
    columns: int | None = None,
) -> tuple[int, int]:
    """Climb in NumPy, optionally with a mistake; return the final cost and the steps."""
    queens = np.array(board)
    n, steps, in_a_row = len(queens), 0, 0
    while True:
        added = rises(queens, kinds)
        added[queens, range(n)] = n * n
        looked = np.arange(n) if columns is None else np.sort(generator.permutation(n)[:columns])
        seen = added.T[looked]  # column by column, as programs look at them
        limit = 0 if in_a_row < sideways else -1
        good = np.argwhere(seen <= (min(limit, seen.min()) if takes_best else limit))
        if len(good) == 0 or _cost(queens, kinds) == 0:
            return attacking_pairs(queens), steps
        at, row = good[0 if takes_first else generator.integers(len(good))]
        in_a_row = in_a_row + 1 if seen[at, row] == 0 else 0
        queens[looked[at]] = row
        steps += 1


def _textbook_min_conflicts(boards: list[list[int]], limits: Limits, seed: int) -> Iterator[_Sample]:
    """Yield runs of min-conflicts without a plateau memory, which end as the algorithm does or after max_steps."""
    patiences = [stagnation_limit(len(boards[0])), *([] if limits.max_steps is None else [NO_LIMIT])]
    for patience, stays in itertools.product(patiences, (True, False)):
        generator = np.random.default_rng(seed)
        yield _sample([_min_conflicts(board, generator, patience, limits.max_steps, stays) for board in boards])


def _min_conflicts(
    board: list[int], generator: np.random.Generator, patience: int, max_steps: int | None, stays: bool
) -> tuple[int, int]:
    """Run min-conflicts in NumPy, with or without moves to the same row; return the final cost and the steps."""
    queens, steps, in_vain = np.array(board), 0, 0
    cost = least = attacking_pairs(queens)
    while cost and in_vain < patience and steps != max_steps:
        conflicting = np.flatnonzero(sum(np.bincount(line)[line] for line in lines_of(queens)) > 3)
        column = generator.choice(conflicting)
        added = rises(queens)[:, column]
        best = np.flatnonzero(added == added.min())
        others = best[best != queens[column]]
        row = generator.choice(best if stays or not len(others) else others)
        cost, steps = cost + int(added[row]), steps + 1
        queens[column] = row
        in_vain, least = (0, cost) if cost < least else (in_vain + 1, least)
    return cost, steps


def _cost(queens: NDArray[Any], kinds: Sequence[int] = (0, 1, 2)) -> int:
    """Return the number of attacking pairs on some kinds of lines."""
    counts = (np.bincount(lines_of(queens)[kind]) for kind in kinds)
    return sum(int((on_line * (on_line - 1)).sum()) for on_line in counts) // 2


@dataclass(frozen=True)
class CostCheck:
    """The result of :func:`check_cost`, which prints as a sentence.

    Attributes
    ----------
    agrees : bool
        Whether all costs are right.
    board : list of int or None
        The smallest board with a wrong cost.
    returned : object
        The value of the function for this board.
    cost : int or None
        The number of its attacking pairs.
    fits : str or None
        A common mistake that explains the values for all small boards.
    """

    agrees: bool
    board: list[int] | None = None
    returned: Any = None
    cost: int | None = None
    fits: str | None = None

    def __hash__(self) -> int:
        return hash((self.agrees, self.cost, self.fits))

    def __repr__(self) -> str:
        if self.agrees:
            return "Agrees with the number of attacking pairs on all tested boards."
        why = f" What fits: {self.fits}." if self.fits else ""
        attack = "1 pair attacks" if self.cost == 1 else f"{self.cost} pairs attack"
        return f"Differs on {self.board}: it returns {self.returned!r}, and {attack}.{why}"


#: Common mistakes: numbers that a cost function can return instead of the attacking pairs.
_OTHER_COSTS: dict[str, Callable[[NDArray[Any]], int]] = {
    "each pair is counted twice": lambda queens: 2 * _cost(queens),
    "it counts attacked queens, not pairs": lambda queens: int(np.count_nonzero(attacks(queens))),
    "it counts pairs that do not attack": lambda queens: math.comb(len(queens), 2) - _cost(queens),
    "diagonals are counted once, in one direction only": lambda queens: _cost(queens, _ONE_DIRECTION),
    "diagonals are counted once, in the other direction only": lambda queens: _cost(queens, (0, 2)),
    "diagonals are not counted": lambda queens: _cost(queens, (0,)),
    "columns are counted instead of rows": lambda queens: _cost(queens, _DIAGONALS),
    # On each line with queens, one pair fewer than the queens.
    "queens in between shield": lambda queens: sum(len(line) - len(np.unique(line)) for line in lines_of(queens)),
}


def check_cost(
    function: Callable[[list[int]], Any], *, seed: SupportsIndex = 0, call_limit: float = SECONDS_PER_CALL
) -> CostCheck:
    """Compare a cost function with the number of attacking pairs.

    The function is called with all boards up to n = 5, and then with random boards up to n = 20.

    Parameters
    ----------
    function : callable
        Takes a board as a list, the row of the queen in each column from 0, and returns its cost.
    seed : int, default 0
        Seed of the random boards.
    call_limit : float, default 10
        The longest time of a call of the function, in seconds. It ends endless loops of Python code.

    Returns
    -------
    CostCheck
        ``agrees``, and the smallest board with a wrong cost. It prints as a sentence.

    Raises
    ------
    InputError
        If an argument is invalid.
    TimeLimitReached
        If a call takes too long. The message names its board, as does a note of an exception that the function raises.

    See Also
    --------
    check_climber : Check a climber.
    heuristic_cost : Compute the right cost.

    Examples
    --------
    >>> import itertools
    >>> check_cost(lambda board: sum(a == b for a, b in itertools.combinations(board, 2)))
    Differs on [0, 1]: it returns 0, and 1 pair attacks. What fits: diagonals are not counted.
    """
    _check_function(function)
    seed = check_seed(seed)
    limit = CallLimit(check_positive(call_limit, "call_limit"))
    small = [list(board) for n in range(1, 6) for board in itertools.product(range(n), repeat=n)]
    large = [_random_board(n, "column", later_seed(seed, k)) for n in (6, 8, 12, 20) for k in range(100)]
    with limit:
        for board in small + large:
            returned, cost = limit.call(function, board), attacking_pairs(board)
            if returned != cost:
                some = [(limit.call(function, other), np.array(other)) for other in small[1:300]]
                fits = (name for name, count in _OTHER_COSTS.items() if all(count(b) == value for value, b in some))
                return CostCheck(False, board, returned, cost, next(fits, None))
    return CostCheck(True)
