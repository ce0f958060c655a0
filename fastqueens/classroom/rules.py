"""The table of the sixteen rules of the classroom, the kinds of moves, and the options of rules.

``climb``, ``study``, the command line with its completion, and the tables of the documentation read this table. To add
a rule, write its kernel, and add a row. This file imports no NumPy, so that ``--help`` is quick.
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
    check_limit,
)
from fastqueens.errors import InputError

#: The kinds of moves, in the order of kernels/moves.py, each with the effect of a move.
MOVES = {
    "column": "one queen to any other row of its column",
    "step": "one queen up or down by one square",
    "swap": "two queens exchange rows; all boards have one queen in each row",
    "two": "two queens at a time, each to any other row of its column",
}

#: How annealing cools, and after how many proposals.
SCHEDULES = ("geometric", "linear", "logarithmic")
COOL_AFTER = ("n^2", "proposal")

#: The fields of Limits that end a run of any rule; "max_steps" only of rules that make steps.
_ENDS = ("max_steps", "max_evaluations", "time_limit")

#: The share of climbs that can miss a good move, if there is one.
_MISSED = 0.01

#: Sideways moves in a row after which the rule "sideways" gives up, as in the textbook.
SIDEWAYS_LIMIT = 100


def count_moves(n: int, moves: str) -> int:
    """Return how many moves a board has at most."""
    pairs = n * (n - 1) // 2
    return {"column": 2 * pairs, "step": 2 * n, "swap": pairs, "two": pairs * (n - 1) ** 2}[moves]


def _enough(n: int, moves: str) -> int:
    """Return how many draws miss one of m moves with a probability below 1 %: (1 - 1/m)^tries < exp(-tries/m)."""
    return math.ceil(-math.log(_MISSED) * count_moves(n, moves))


@dataclass(frozen=True)
class Rule:
    """A rule: a ``sentence`` about its steps, and the file and name of its kernel.

    ``options`` are the fields of :class:`Limits` that change it, in addition to restarts and the ends of a run.
    ``restarts`` and ``tries`` are defaults; None stands for as many restarts as it takes. ``refused_moves`` has a
    reason for each kind of moves that makes no sense.

    If ``moves_one`` is true, each step moves one queen, if the moves do, and a run is stored as moves. A rule that is
    not seeded begins with an empty board, so that all its runs are equal. A rule that ``has_domains`` stores which
    squares are left in each column; one that ``has_lines`` counts queens on lines as ``solve`` does. ``title`` is for
    pictures. ``why_stuck`` is why a run ends without a solution, if not because no move is good enough.
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
        """Return whether a field of :class:`Limits` changes the runs of this rule."""
        if option == "restarts":
            return self.is_seeded
        return option in self.options or (option in _ENDS and (self.makes_steps or option != "max_steps"))


def _refused(reason: str, moves: Iterable[str] = MOVES) -> dict[str, str]:
    return {kind: reason for kind in moves if kind != "column"}


_systematic = partial(
    Rule,
    refused_moves=_refused("it places queens one after the other and moves none"),
    moves_one=False,
    is_seeded=False,
    why_stuck="Every square was tried.",
)
_of_generations = partial(
    Rule,
    moves_one=False,
    why_stuck="There were too many generations without a new lowest cost.",
)

#: All rules by name, in the order of tables.
RULES: dict[str, Rule] = {
    "steepest": Rule(
        "make the best of all moves, as long as it lowers the cost", "rules.steepest", title="Steepest ascent"
    ),
    "sideways": Rule(
        "make the best of all moves, even if it keeps the cost, but not too often in a row",
        "rules.steepest",
        ("sideways",),
        title="Sideways moves",
    ),
    "restart": Rule("steepest, and again from a new random board when stuck", "rules.steepest", restarts=None),
    "restart-sideways": Rule(
        "sideways, and again from a new random board when stuck", "rules.steepest", ("sideways",), restarts=None
    ),
    "min-conflicts": Rule(
        "move a random conflicting queen to the best row of its column",
        "rules.min_conflicts",
        has_lines=True,
        refused_moves=_refused("it compares the rows of one column"),
        why_stuck="There were too many steps without a new lowest cost.",
    ),
    "annealing": Rule(
        "draw a move; one that raises the cost is made less often the later it is drawn",
        "rules.annealing",
        ("temperature", "cooling", "schedule", "cool_after"),
        title="Simulated annealing",
        why_stuck="The lowest temperature is reached.",
    ),
    "stochastic": Rule("make a random one of all moves that lower the cost", "rules.stochastic"),
    "first-choice": Rule(
        "draw moves until one lowers the cost, and make it",
        "rules.first_choice",
        ("tries",),
        why_stuck="No move that was drawn lowers the cost.",
        tries=_enough,
    ),
    "beam": _of_generations(
        "keep the best of all successors of several boards", "populations.beam", ("beam", "sideways")
    ),
    "stochastic-beam": _of_generations(
        "draw from all successors of several boards, good ones more often",
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
    "random-walk": Rule(
        "make a random move", "rules.random_walk", ("tries",), why_stuck="The last of all tries is made."
    ),
    "random-sampling": Rule(
        "look at random boards; each is a restart",
        "rules.random_sampling",
        ("tries",),
        makes_steps=False,
        restarts=None,
        why_stuck="The last of all tries is made.",
        refused_moves=_refused("it moves no queens; swap gives random permutations", ["step", "two"]),
    ),
    "backtracking": _systematic(
        "place queens column by column on squares that no queen attacks, and go back when there is none",
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

#: The rules whose steps move one queen, which animations and traces can show.
ONE_QUEEN_RULES = [name for name, rule in RULES.items() if rule.moves_one and rule.makes_steps]

#: The rules of ``fastqueens study`` by default.
USUAL_RULES = list(RULES)[:5]


class Limits(NamedTuple):
    """The options of rules; each rule uses some of them.

    sideways : moves in a row that keep the cost, for the rules with sideways moves; for beams, generations in a row
        without a lower cost
    restarts : new random boards after climbs that are stuck; None for as many as it takes; "auto" for the default of
        the rule. Systematic searches do not restart
    temperature, cooling, schedule, cool_after : for annealing, see docs/classroom.md. Beams and the genetic algorithm
        weigh a board by exp(-cost / temperature)
    tries : draws in a row that can fail, boards of the baselines, or generations without a lower cost; None for the
        default of the rule
    beam, population, mutation : boards of a beam and of a population, and how likely a child mutates
    max_steps, max_evaluations, time_limit : ends of a run; the time is in seconds. A step that would evaluate more
        boards than ``max_evaluations`` leaves is not made
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


def check_rule(rule: str, moves: str = "column") -> None:
    """Raise :class:`InputError` for an unknown rule, and for moves that it cannot make."""
    check_choice(rule, "rule", RULES)
    check_choice(moves, "moves", MOVES)
    if moves in RULES[rule].refused_moves:
        raise InputError(f"the rule {rule} has no moves of the kind {moves}: {RULES[rule].refused_moves[moves]}")


def checked_limits(limits: Limits, moves: str, rules: Iterable[str], sizes: Iterable[int] = ()) -> Limits:
    """Return limits with Python integers; raise an error if rules cannot make such runs, or end them on some size."""
    for rule in rules:
        check_rule(rule, moves)
    check_between(limits.temperature, "temperature", 0.001, 1e6)
    check_between(limits.cooling, "cooling", 0.01, 0.99999)
    check_between(limits.mutation, "mutation", 0, 1)
    if limits.time_limit is not None:
        check_between(limits.time_limit, "time_limit", 0, LARGEST_POSITIVE)
    check_choice(limits.schedule, "schedule", SCHEDULES)
    check_choice(limits.cool_after, "cool_after", COOL_AFTER)
    optional = {"tries": 1, "max_steps": 0, "max_evaluations": 1}
    checked: dict[str, Any] = {
        name: check_integer(value, name, least, NO_LIMIT)
        for name, least in optional.items()
        if (value := getattr(limits, name)) is not None
    }
    limits = limits._replace(
        sideways=check_integer(limits.sideways, "sideways_limit", 0, NO_LIMIT),
        restarts=limits.restarts if limits.restarts in (None, "auto") else check_limit(limits.restarts, "restarts"),
        beam=check_integer(limits.beam, "beam", 1, 10_000),
        population=check_integer(limits.population, "population", 2, 10_000),
        **checked,
    )
    for n, rule in itertools.product(sizes, rules):
        if restarts_of(rule, limits, n) is None:
            from fastqueens.board import check_solvable  # here, since it imports NumPy

            check_solvable(n)
    return limits


def check_options(rules: Iterable[str], given: dict[str, str]) -> None:
    """Raise :class:`InputError` if an option changes none of the rules.

    ``given`` has the fields of Limits that the user gave, with their names in messages.
    """
    rules = list(rules)
    for option, name in given.items():
        having = [rule for rule, row in RULES.items() if row.uses(option)]
        if not set(having) & set(rules):
            raise InputError(f"{name} changes nothing for {', '.join(rules)}: it belongs to {', '.join(having)}")


def restarts_of(rule: str, limits: Limits, n: int) -> int | None:
    """Return the largest number of restarts of a run; None for as many as it takes."""
    row = RULES[rule]
    given = limits.restarts if row.uses("restarts") else "auto"
    restarts = row.restarts if isinstance(given, str) else given
    if not row.makes_steps and (limits.tries is not None or given == "auto"):
        tries = tries_of(rule, "column", limits, n)  # boards, of which all but the first are restarts
        return tries - 1 if restarts is None else min(tries - 1, restarts)
    return restarts


def tries_of(rule: str, moves: str, limits: Limits, n: int) -> int:
    """Return the limit of draws, boards or generations of a rule."""
    return RULES[rule].tries(n, moves) if limits.tries is None else limits.tries
