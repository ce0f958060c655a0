"""The table of the sixteen algorithms of the classroom, the kinds of moves, and the options.

``climb``, ``study`` and the command line read this table. To add an algorithm, write its kernel and add a row. This
file does not import NumPy, so that ``--help`` is quick.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from fastqueens._run.arguments import (
    LARGEST_POSITIVE,
    NO_LIMIT,
    check_between,
    check_choice,
    check_integer,
    check_kind,
    check_limit,
)
from fastqueens.errors import InputError

#: The kinds of moves and their effects, in the order of kernels/moves.py.
MOVES = {
    "column": "one queen to any other row of its column",
    "step": "one queen up or down by one square",
    "swap": "two queens exchange rows; all boards have one queen in each row",
    "two": "two queens at a time, each to any other row of its column",
}

#: The cooling schedules of annealing, and the proposals after which it cools.
SCHEDULES = ("geometric", "linear", "logarithmic")
COOL_AFTER = ("n^2", "proposal")

#: The names in files of limits of steps of which results also state the number.
_IN_FILES = {"sideways": "sideways_limit", "restarts": "restart_limit"}

#: The fields of Limits that end a run of any algorithm. "max_steps" applies only to algorithms that make steps.
_ENDS = ("max_steps", "max_evaluations", "time_limit")

#: The probability of missing a good move.
_MISSED = 0.01

#: The most sideways moves in a row, as in the textbook.
SIDEWAYS_LIMIT = 100


def count_moves(n: int, moves: str) -> int:
    """Return the largest number of moves on a board."""
    pairs = n * (n - 1) // 2
    return {"column": 2 * pairs, "step": 2 * n, "swap": pairs, "two": pairs * (n - 1) ** 2}[moves]


def _enough(n: int, moves: str) -> int:
    """Return how many draws miss one of m moves with a probability below 1 %: (1 - 1/m)^tries < exp(-tries/m)."""
    return math.ceil(-math.log(_MISSED) * count_moves(n, moves))


@dataclass(frozen=True)
class Algorithm:
    """An algorithm: a ``sentence`` about its steps, and the file and name of its kernel.

    ``options`` are the fields of :class:`Limits` that apply to the algorithm, in addition to restarts and the ends of a
    run. ``restarts`` and ``tries`` are defaults; None means unlimited restarts. ``refused_moves`` has a reason for each
    kind of moves that the algorithm cannot make.

    If ``moves_one`` is true, a step moves one queen, and a run is stored as moves. An algorithm that is not seeded
    begins with an empty board, so all its runs are equal. An algorithm with ``has_domains`` stores the remaining
    squares of each column, and one with ``has_lines`` counts queens on lines as ``solve`` does. ``title`` is
    for pictures. ``why_stuck`` explains why a run ends without a solution, unless no move is good enough.
    """

    sentence: str
    kernel: str
    options: tuple[str, ...] = ()
    makes_steps: bool = True
    restarts: int | None = 0
    tries: Callable[[int, str], int] = lambda n, moves: 10 * n * n
    refused_moves: dict[str, str] = field(default_factory=dict)
    moves_one: bool = True
    is_seeded: bool = True
    has_domains: bool = False
    has_lines: bool = False
    title: str = ""
    why_stuck: str = ""

    def uses(self, option: str) -> bool:
        """Return whether a field of :class:`Limits` applies to this algorithm."""
        if option == "restarts":
            return self.is_seeded
        return option in self.options or (option in _ENDS and (self.makes_steps or option != "max_steps"))


def _refused(reason: str, moves: Iterable[str] = MOVES) -> dict[str, str]:
    return {kind: reason for kind in moves if kind != "column"}


_systematic = partial(
    Algorithm,
    refused_moves=_refused("it places queens and does not move them"),
    moves_one=False,
    is_seeded=False,
    why_stuck="All squares were tried.",
)
_of_generations = partial(
    Algorithm,
    moves_one=False,
    why_stuck="There were too many generations without a new lowest cost.",
)

#: All algorithms by name, in the order of the tables.
ALGORITHMS: dict[str, Algorithm] = {
    "steepest": Algorithm(
        "make the best of all moves, as long as it lowers the cost", "algorithms.steepest", title="Steepest ascent"
    ),
    "sideways": Algorithm(
        "make the best of all moves, even if it keeps the cost, but not too often in a row",
        "algorithms.steepest",
        ("sideways",),
        title="Sideways moves",
    ),
    "restart": Algorithm(
        "steepest, and again from a new random board when stuck", "algorithms.steepest", restarts=None
    ),
    "restart-sideways": Algorithm(
        "sideways, and again from a new random board when stuck", "algorithms.steepest", ("sideways",), restarts=None
    ),
    "min-conflicts": Algorithm(
        "move a random conflicting queen to the best row of its column",
        "algorithms.min_conflicts",
        has_lines=True,
        refused_moves=_refused("it compares the rows of one column"),
        why_stuck="There were too many steps without a new lowest cost.",
    ),
    "annealing": Algorithm(
        "draw a move, and make it less often the more it raises the cost and the later it is",
        "algorithms.annealing",
        ("temperature", "cooling", "schedule", "cool_after"),
        title="Simulated annealing",
        why_stuck="The lowest temperature is reached.",
    ),
    "stochastic": Algorithm("make a random one of all moves that lower the cost", "algorithms.stochastic"),
    "first-choice": Algorithm(
        "draw moves until one lowers the cost, and make it",
        "algorithms.first_choice",
        ("tries",),
        why_stuck="No move that was drawn lowers the cost.",
        tries=_enough,
    ),
    "beam": _of_generations(
        "keep the best of all successors of several boards", "populations.beam", ("beam", "sideways")
    ),
    "stochastic-beam": _of_generations(
        "draw from all successors of several boards, and good ones more often",
        "populations.stochastic_beam",
        ("beam", "sideways", "temperature"),
    ),
    "genetic": _of_generations(
        "cross boards that are drawn by fitness from a population, and mutate some",
        "populations.genetic",
        ("population", "mutation", "temperature", "tries"),
        tries=lambda n, moves: 500,
        refused_moves=_refused("crossing two permutations gives boards with two queens in a row", ["swap"]),
    ),
    "random-walk": Algorithm(
        "make a random move", "algorithms.random_walk", ("tries",), why_stuck="The last of all tries is made."
    ),
    "random-sampling": Algorithm(
        "look at random boards, each of which is a restart",
        "algorithms.random_sampling",
        ("tries",),
        makes_steps=False,
        restarts=None,
        why_stuck="The last of all tries is made.",
        refused_moves=_refused("it moves no queens; swap gives random permutations", ["step", "two"]),
    ),
    "backtracking": _systematic(
        "place queens column by column on unattacked squares, and go back when there is none",
        "systematic.backtracking",
    ),
    "forward-checking": _systematic(
        "backtracking that goes back as soon as a later column has no square left",
        "systematic.forward_checking",
        has_domains=True,
    ),
    "mrv": _systematic(
        "forward checking that goes on with the column that has the fewest squares left",
        "systematic.mrv",
        has_domains=True,
    ),
}

#: The algorithms whose steps move one queen, which animations and traces can show.
ONE_QUEEN_ALGORITHMS = [name for name, row in ALGORITHMS.items() if row.moves_one and row.makes_steps]

#: The algorithms of ``fastqueens study`` by default.
USUAL_ALGORITHMS = list(ALGORITHMS)[:5]


class Limits(NamedTuple):
    """Options and limits of the algorithms. Each one uses some of them; docs/reference/algorithms.md says which.

    Attributes
    ----------
    sideways : int, default 100
        The most moves in a row that keep the cost, for algorithms with sideways moves. For beams, the most generations
        in a row without a lower cost.
    restarts : int, None or "auto", default "auto"
        The most restarts from new random boards when a climb is stuck. None means unlimited, and "auto" the default of
        the algorithm: unlimited for "restart" and "restart-sideways", 0 for the others. Systematic searches do not
        restart.
    temperature : float, default 1.0
        Annealing: the initial temperature, from 0.001 to 1,000,000. Stochastic beam and genetic: a board is drawn with
        weight exp(-cost / temperature).
    cooling : float, default 0.95
        Annealing: the factor of the temperature, from 0.01 to 0.99999.
    schedule : "geometric", "linear" or "logarithmic", default "geometric"
        Annealing: the cooling schedule.
    cool_after : "n^2" or "proposal", default "n^2"
        Annealing: the number of draws after which it cools, n^2 or one.
    tries : int, optional
        First-choice: failed draws in a row before it gives up; by default, enough to miss a good move with a
        probability below 1 %. Random-walk and random-sampling: the number of moves or boards, by default 10 n^2.
        Genetic: generations without a lower cost, by default 500.
    beam : int, default 10
        Boards of a beam, from 1 to 10,000.
    population : int, default 50
        Boards of a population, from 2 to 10,000.
    mutation : float, default 0.8
        Genetic: the probability of a mutation of each child, from 0 to 1.
    max_steps : int, optional
        The most steps of a run. By default, there is no limit.
    max_evaluations : int, optional
        The most boards whose cost is computed. A step that would exceed it is not made. By default, there is no limit.
    time_limit : float, optional
        The longest time of a run, in seconds. By default, there is no limit.

    See Also
    --------
    climb, study : Run algorithms with these options.

    Examples
    --------
    >>> Limits(restarts=20, max_steps=1000).restarts
    20
    """

    sideways: int = SIDEWAYS_LIMIT
    restarts: int | str | None = "auto"
    temperature: float = 1.0
    cooling: float = 0.95
    schedule: str = "geometric"
    cool_after: str = "n^2"
    tries: int | None = None
    beam: int = 10
    population: int = 50
    mutation: float = 0.8
    max_steps: int | None = None
    max_evaluations: int | None = None
    time_limit: float | None = None


DEFAULT_LIMITS = Limits()


def check_algorithm(algorithm: str, moves: str = "column") -> None:
    """Raise :class:`InputError` for an unknown algorithm, and for moves that it cannot make."""
    check_choice(algorithm, "algorithm", ALGORITHMS)
    check_choice(moves, "moves", MOVES)
    if moves in ALGORITHMS[algorithm].refused_moves:
        raise InputError(f"{algorithm} has no {moves} moves: {ALGORITHMS[algorithm].refused_moves[moves]}")


def checked_limits(limits: Limits, moves: str, algorithms: Iterable[str], sizes: Iterable[int] = ()) -> Limits:
    """Return validated limits with Python numbers; raise an error if an algorithm cannot make or end such runs."""
    check_kind(isinstance(limits, Limits), limits, "limits", "fastqueens.Limits(...)")
    for algorithm in algorithms:
        check_algorithm(algorithm, moves)
    check_choice(limits.schedule, "schedule", SCHEDULES)
    check_choice(limits.cool_after, "cool_after", COOL_AFTER)
    optional = {"tries": 1, "max_steps": 0, "max_evaluations": 1}
    checked: dict[str, Any] = {
        name: check_integer(value, name, least, NO_LIMIT)
        for name, least in optional.items()
        if (value := getattr(limits, name)) is not None
    }
    seconds = limits.time_limit
    limits = limits._replace(
        temperature=check_between(limits.temperature, "temperature", 0.001, 1e6),
        cooling=check_between(limits.cooling, "cooling", 0.01, 0.99999),
        mutation=check_between(limits.mutation, "mutation", 0, 1),
        time_limit=None if seconds is None else check_between(seconds, "time_limit", 0, LARGEST_POSITIVE),
        sideways=check_integer(limits.sideways, "sideways", 0, NO_LIMIT),
        restarts=limits.restarts if limits.restarts in (None, "auto") else check_limit(limits.restarts, "restarts"),
        beam=check_integer(limits.beam, "beam", 1, 10_000),
        population=check_integer(limits.population, "population", 2, 10_000),
        **checked,
    )
    for n, algorithm in itertools.product(sizes, algorithms):
        if restarts_of(algorithm, limits, n) is None:
            from fastqueens.board import check_solvable  # here, because it imports NumPy

            check_solvable(n)
    return limits


def check_options(algorithms: Iterable[str], given: dict[str, str]) -> None:
    """Raise :class:`InputError` if an option applies to none of the algorithms.

    ``given`` maps the fields of Limits that the user set to their names in messages.
    """
    algorithms = list(algorithms)
    for option, name in given.items():
        having = [algorithm for algorithm, row in ALGORITHMS.items() if row.uses(option)]
        if not set(having) & set(algorithms):
            raise InputError(f"{name} has no effect on {', '.join(algorithms)}; it applies to {', '.join(having)}")


def records_moves(algorithm: str, moves: str) -> bool:
    """Return whether a step moves at most one queen, so that a run is recorded as moves rather than as boards."""
    return ALGORITHMS[algorithm].moves_one and moves not in ("swap", "two")


def stated_options(limits: Limits, moves: str, algorithms: Iterable[str]) -> dict[str, Any]:
    """Return the options that influence runs of these algorithms, with the names that files use."""
    used = [name for name in Limits._fields if any(ALGORITHMS[algorithm].uses(name) for algorithm in algorithms)]
    if limits.schedule == "logarithmic" and "cooling" in used:
        used.remove("cooling")  # this schedule has no factor
    return {"moves": moves, **{_IN_FILES.get(name, name): getattr(limits, name) for name in used}}


def options_of(algorithm: str, moves: str, limits: Limits, n: int) -> dict[str, Any]:
    """Return the options that influence a run of an algorithm, with its defaults; None means unlimited."""
    restarts = restarts_of(algorithm, limits, n)
    tries: int | None = tries_of(algorithm, moves, limits, n)
    if not ALGORITHMS[algorithm].makes_steps:
        tries = None if restarts is None else restarts + 1
    return stated_options(limits._replace(restarts=restarts, tries=tries), moves, [algorithm])


def unusual_options(limits: Limits, moves: str, algorithms: Iterable[str]) -> str:
    """Return the options that influence runs of these algorithms and differ from their defaults, in words."""
    usual = stated_options(DEFAULT_LIMITS, "column", algorithms)
    stated = stated_options(limits, moves, algorithms)
    unusual = {name: value for name, value in stated.items() if value != usual.get(name)}
    texts = [f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}" for name, value in unusual.items()]
    return ", ".join(texts).replace("_", " ")


def restarts_of(algorithm: str, limits: Limits, n: int) -> int | None:
    """Return the largest number of restarts of a run, None if it is unlimited."""
    row = ALGORITHMS[algorithm]
    given = limits.restarts if row.uses("restarts") else "auto"
    restarts = row.restarts if isinstance(given, str) else given
    if not row.makes_steps and (limits.tries is not None or given == "auto"):
        tries = tries_of(algorithm, "column", limits, n)  # all boards after the first are restarts
        return tries - 1 if restarts is None else min(tries - 1, restarts)
    return restarts


def tries_of(algorithm: str, moves: str, limits: Limits, n: int) -> int:
    """Return the limit of draws, boards or generations of an algorithm."""
    return ALGORITHMS[algorithm].tries(n, moves) if limits.tries is None else limits.tries
