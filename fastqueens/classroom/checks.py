"""Check the climbers and cost functions that students write, by what they do."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.check.verification import attacking_pairs
from fastqueens.classroom import climbing_kernel
from fastqueens.classroom.batches import run_many
from fastqueens.classroom.limits import DEFAULT_LIMITS, SIDEWAYS_LIMIT, Limits, tries_of
from fastqueens.classroom.rules import MOVES, RULES, check_rule
from fastqueens.classroom.study import wilson_interval
from fastqueens.core.arguments import NO_LIMIT, check_integer, check_seed
from fastqueens.core.board import as_queens, check_n, row_dtype
from fastqueens.core.errors import InputError

#: A difference of so many standard errors is not chance: one in 2,000, for each of the three figures.
_TOO_FAR = 3.5

#: Runs of the rule, and of a mistake, for each run of the checked function.
_RUNS_OF_RULE = 10
_MOST_RUNS_OF_MISTAKE = 1000

#: The rules that :func:`_climb` can follow: whether it takes the best move, and its sideways moves in a row.
_WAYS = {
    "steepest": (True, 0),
    "sideways": (True, SIDEWAYS_LIMIT),
    "stochastic": (False, 0),
    "first-choice": (False, 0),
}

_EARLY = "it is stuck too early"


class Sample(NamedTuple):
    """Figures of some runs: whether each is solved, its final cost, and its steps if they are known."""

    solved: NDArray[Any]
    costs: NDArray[Any]
    steps: NDArray[Any] | None


@dataclass(frozen=True)
class ClimberCheck:
    """What :func:`check_climber` finds; it prints as a few sentences.

    Attributes
    ----------
    agrees : bool
        Whether nothing differs by more than chance.
    rule : str
        The rule that was to be followed.
    figures : dict
        For "solved", "cost" and "steps": mean of the function, of the rule, difference in standard errors, p-value.
    fits : str or None
        The documented mistake, or the other rule, that fits best; None if the function agrees.
    fits_well : bool
        Whether it explains the figures, and is not just the nearest.
    interval : (float, float)
        The 95 % interval of the function's success rate.
    """

    agrees: bool
    rule: str
    figures: dict[str, tuple[float, float, float, float]]
    fits: str | None
    fits_well: bool
    interval: tuple[float, float]

    def __repr__(self) -> str:
        lines = [f"{'Agrees' if self.agrees else 'Does not agree'} with the rule {self.rule}."]
        low, high = self.interval
        for name, (yours, theirs, _, p) in self.figures.items():
            span = f" (95 %: {low:.3f} to {high:.3f})" if name == "solved" else ""
            lines.append(f"  {name:7}{yours:8.3f}{span}; the rule has {theirs:.3f}; p = {p:.2g}")
        if self.fits:
            well = "What fits" if self.fits_well else "Nothing fits well. What comes nearest"
            lines.append(f"{well}: {self.fits}.")
        return "\n".join(lines)


def check_climber(
    function: Callable[[list[int]], Any],
    rule: str = "first-choice",
    n: int = 8,
    runs: int = 1000,
    *,
    moves: str = "column",
    limits: Limits = DEFAULT_LIMITS,
    seed: int = 0,
) -> ClimberCheck:
    """Compare a function that climbs with a rule, by its success rate, final costs and steps.

    Parameters
    ----------
    function : callable
        Gets a random board as a list, the row of the queen in each column from 0, and returns the last board, or this
        board and the number of its steps.
    rule, moves, limits
        What it should follow; see :func:`fastqueens.climb`.
    n, runs : int
        Queens, and calls of the function.
    seed : int
        Of the boards.

    Returns
    -------
    ClimberCheck

    Raises
    ------
    InputError
        If a value is not as described here, or the function returns no board.

    Notes
    -----
    The differences are divided by their standard errors; those above 3.5 are not chance. Mistakes are made on purpose
    by a climber in NumPy, and compared in the same way.

    Examples
    --------
    >>> check = check_climber(lambda board: board, "steepest", runs=200)
    >>> check.agrees
    False
    """
    check_rule(rule, moves)
    n, runs, seed = check_n(n), check_integer(runs, "runs", 20, NO_LIMIT), check_seed(seed)
    boards = [_random_board(n, moves, seed + k) for k in range(runs)]
    checked = _sample([_called(function, board) for board in boards])
    reference = _of_rule(n, rule, moves, limits, seed, _RUNS_OF_RULE * runs)
    figures = _compared(checked, reference)
    agrees = all(abs(far) < _TOO_FAR for _, _, far, _ in figures.values())
    fits, far = None, 0.0
    if not agrees:
        fits, far = _best_fit(checked, rule, moves, limits, boards[:_MOST_RUNS_OF_MISTAKE], seed)
    interval = wilson_interval(int(checked.solved.sum()), runs)
    return ClimberCheck(agrees, rule, figures, fits, not agrees and far < _TOO_FAR, interval)


def _random_board(n: int, moves: str, seed: int) -> list[int]:
    """Return the first board of a run."""
    queens = np.empty(n, row_dtype(n))
    climbing_kernel.place_first(queens, list(MOVES).index(moves), np.uint64(seed), np.uint64(0))
    return queens.tolist()


def _called(function: Callable[[list[int]], Any], board: list[int]) -> tuple[int, int | None]:
    """Return the final cost and the steps of a call."""
    returned = function(list(board))
    steps = None
    if isinstance(returned, tuple) and len(returned) == 2 and np.ndim(returned[0]) == 1:
        returned, steps = returned
    try:
        last = as_queens(returned)
        if len(last) != len(board):
            raise InputError(f"it has {len(last)} queens")
    except InputError as error:
        raise InputError(f"from {board}, the function returned {returned!r}, which is no board: {error}") from None
    return attacking_pairs(last), None if steps is None else check_integer(steps, "steps", 0, NO_LIMIT)


def _sample(outcomes: Sequence[tuple[int, int | None]]) -> Sample:
    costs = np.array([cost for cost, _ in outcomes])
    steps = [made for _, made in outcomes if made is not None]
    return Sample(costs == 0, costs, np.array(steps) if len(steps) == len(outcomes) else None)


def _of_rule(n: int, rule: str, moves: str, limits: Limits, seed: int, runs: int) -> Sample:
    # Other boards than those of the function, so that the two samples are independent.
    first = seed - runs if seed > 2**63 else seed + 2**32
    made = run_many(n, rule, range(first, first + runs), limits, moves=moves)
    return Sample(made.solved, made.pairs, made.steps)


def _compared(one: Sample, other: Sample) -> dict[str, tuple[float, float, float, float]]:
    """Compare means by Welch's test; success rates as means of 0 and 1, with a run of each kind added."""
    figures = {}
    for name, mine, theirs in zip(("solved", "cost", "steps"), one, other, strict=True):
        if mine is None or theirs is None:
            continue
        spreads = [_variance(values, name == "solved") / len(values) for values in (mine, theirs)]
        difference = float(mine.mean() - theirs.mean())
        far = difference / math.sqrt(sum(spreads)) if sum(spreads) else math.copysign(math.inf, difference)
        far = 0.0 if difference == 0 else far
        figures[name] = float(mine.mean()), float(theirs.mean()), far, 2 * NormalDist().cdf(-abs(far))
    return figures


def _variance(values: NDArray[Any], is_rate: bool) -> float:
    if is_rate:
        rate = (values.sum() + 1) / (len(values) + 2)
        return float(rate * (1 - rate))
    return float(values.var(ddof=1))


def _best_fit(
    checked: Sample, rule: str, moves: str, limits: Limits, boards: list[list[int]], seed: int
) -> tuple[str, float]:
    """Return what fits best, a mistake or another rule, and how far it is away in standard errors."""
    samples: dict[str, Sample] = {}
    n, runs = len(boards[0]), 2 * len(boards)
    if moves == "column":
        for mistake, change in _mistakes(rule):
            generator = np.random.default_rng(seed)
            samples[mistake] = _sample([_climb(board, generator, **change) for board in boards])
    for share in (2, 4, 8, 16, 32):
        cut = limits._replace(sideways=limits.sideways // share, tries=tries_of(rule, moves, limits, n) // share)
        if {"sideways", "tries"} & set(RULES[rule].options):
            samples[f"{_EARLY}: its limit is 1/{share}"] = _of_rule(n, rule, moves, cut, seed, runs)
    for other in RULES:
        is_allowed = moves not in RULES[other].refused_moves and RULES[other].is_seeded
        if other != rule and is_allowed and RULES[other].moves_one:
            samples[f"the rule {other}"] = _of_rule(n, other, moves, limits, seed, runs)
    far = {
        name: max((abs(values[2]) for values in _compared(checked, sample).values()), default=0.0)
        for name, sample in samples.items()
    }
    best = min(far, key=lambda name: far[name])
    return best, far[best]


def _mistakes(rule: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the documented mistakes with a rule, as changes of the right climber."""
    if rule not in _WAYS:
        return []
    takes_best, sideways = _WAYS[rule]
    right: dict[str, Any] = {"takes_best": takes_best, "sideways": sideways}
    mistakes = [
        ("ties are broken by the first move", {**right, "takes_first": True}),
        ("sideways moves are allowed", {**right, "sideways": SIDEWAYS_LIMIT}),
        ("diagonals are counted once, in one direction only", {**right, "lines": (1, 1, 0)}),
        ("columns are counted instead of rows", {**right, "lines": (0, 1, 1)}),
        (f"{_EARLY}: it looks at the moves of one column", {**right, "columns": 1}),
    ]
    return [entry for entry in mistakes if entry[1] != right]


def _climb(
    board: list[int],
    generator: np.random.Generator,
    *,
    takes_best: bool,
    sideways: int,
    takes_first: bool = False,
    lines: tuple[int, int, int] = (1, 1, 1),
    columns: int | None = None,
) -> tuple[int, int]:
    """Climb in NumPy, with mistakes: other ties, only some kinds of lines, or only some columns.

    Returns the final cost, and the steps.
    """
    queens = np.array(board)
    n, steps, in_a_row = len(queens), 0, 0
    here = np.arange(n)
    while True:
        rises = _rises(queens, lines)
        rises[queens, here] = n * n
        looked = here if columns is None else np.sort(generator.permutation(n)[:columns])
        seen = rises.T[looked]  # column by column, as programs look at them
        limit = 0 if in_a_row < sideways else -1
        wanted = seen == min(int(seen.min()), limit) if takes_best else seen <= limit
        good = np.argwhere(wanted & (seen <= limit))
        if len(good) == 0 or _cost(queens, lines) == 0:
            return attacking_pairs(queens), steps
        at, row = good[0 if takes_first else generator.integers(len(good))]
        in_a_row = in_a_row + 1 if seen[at, row] == 0 else 0
        queens[looked[at]] = row
        steps += 1


def _rises(queens: NDArray[Any], lines: tuple[int, int, int]) -> NDArray[Any]:
    """Return [row, column]: how much a move adds to the cost, if only these kinds of lines count."""
    n = len(queens)
    here, rows = np.arange(n), np.arange(n)[:, None]
    squares = rows + 0 * here, rows + here, rows - here + n
    own = queens, queens + here, queens - here + n
    attacks = np.zeros((n, n), np.int64)
    attacked = np.zeros(n, np.int64)
    for weight, all_lines, line in zip(lines, squares, own, strict=True):
        counts = np.bincount(line, minlength=2 * n + 1)
        attacks += weight * counts[all_lines]
        attacked += weight * (counts[line] - 1)
    return attacks - attacked


def _cost(queens: NDArray[Any], lines: tuple[int, int, int]) -> int:
    here = np.arange(len(queens))
    counted = zip(lines, (queens, queens + here, queens - here + len(queens)), strict=True)
    return sum(weight * sum(k * (k - 1) // 2 for k in np.bincount(line).tolist()) for weight, line in counted)


@dataclass(frozen=True)
class CostCheck:
    """What :func:`check_cost` finds; it prints as a sentence.

    Attributes
    ----------
    agrees : bool
        Whether all boards have the right cost.
    board : list of int or None
        The smallest board that has not.
    returned, cost : int or None
        What the function returns for it, and its attacking pairs.
    fits : str or None
        A usual mistake that explains what it returned for all small boards.
    """

    agrees: bool
    board: list[int] | None = None
    returned: Any = None
    cost: int | None = None
    fits: str | None = None

    def __repr__(self) -> str:
        if self.agrees:
            return "Agrees with the number of attacking pairs on all boards that were tried."
        why = f" What fits: {self.fits}." if self.fits else ""
        return f"Differs on {self.board}: it returns {self.returned!r}, and {self.cost} pairs attack.{why}"


#: What a cost function may count instead of attacking pairs.
_OTHER_COSTS: dict[str, Callable[[NDArray[Any]], int]] = {
    "each pair is counted twice": lambda queens: 2 * _cost(queens, (1, 1, 1)),
    "it counts attacked queens, not pairs": lambda queens: _attacked(queens),
    "it counts pairs that do not attack": lambda queens: math.comb(len(queens), 2) - _cost(queens, (1, 1, 1)),
    "diagonals are counted once, in one direction only": lambda queens: _cost(queens, (1, 1, 0)),
    "diagonals are counted once, in the other direction only": lambda queens: _cost(queens, (1, 0, 1)),
    "diagonals are not counted": lambda queens: _cost(queens, (1, 0, 0)),
    "columns are counted instead of rows": lambda queens: _cost(queens, (0, 1, 1)),
    "queens in between shield": lambda queens: _neighbours(queens),
}


def check_cost(function: Callable[[list[int]], Any], *, seed: int = 0) -> CostCheck:
    """Compare a cost function with the number of attacking pairs: on all boards up to n = 5, then on random ones.

    Parameters
    ----------
    function : callable
        Gets a board as a list, the row of the queen in each column from 0, and returns its cost.
    seed : int
        Of the random boards.

    Examples
    --------
    >>> check_cost(lambda board: sum(a == b for a, b in itertools.combinations(board, 2)))
    Differs on [0, 1]: it returns 0, and 1 pairs attack. What fits: diagonals are not counted.
    """
    small = [list(board) for n in range(1, 6) for board in itertools.product(range(n), repeat=n)]
    large = [_random_board(n, "column", seed + k) for n in (6, 8, 12, 20) for k in range(100)]
    for board in small + large:
        returned, cost = function(list(board)), attacking_pairs(board)
        if returned != cost:
            some = [(function(list(other)), np.array(other)) for other in small[1:300]]
            fits = (name for name, count in _OTHER_COSTS.items() if all(count(b) == value for value, b in some))
            return CostCheck(False, board, returned, cost, next(fits, None))
    return CostCheck(True)


def _attacked(queens: NDArray[Any]) -> int:
    here = np.arange(len(queens))
    lines = queens, queens + here, queens - here + len(queens)
    return int(np.any([np.bincount(line)[line] > 1 for line in lines], axis=0).sum())


def _neighbours(queens: NDArray[Any]) -> int:
    """Return how many pairs attack without a queen in between: one less than the queens, on each line with queens."""
    here = np.arange(len(queens))
    lines = queens, queens + here, queens - here + len(queens)
    return sum(len(line) - len(np.unique(line)) for line in lines)
