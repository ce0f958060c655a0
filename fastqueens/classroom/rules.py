"""The rules of the classroom, one row each, and the kinds of moves. Imports no NumPy, so that ``--help`` is quick.

``climb``, ``study``, the command line with its completion, and the tables of the documentation read this table. To add
a rule, write its kernel, and add a row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from fastqueens.core.errors import InputError

#: The kinds of moves, in the order of moves_kernel.py, and what a move does.
MOVES = {
    "column": "one queen to any other row of its column",
    "step": "one queen up or down by one square",
    "swap": "two queens exchange rows; all boards have one queen in each row",
    "two": "two queens at a time, each to any other row of its column",
}

#: How annealing cools, and after how many proposals.
SCHEDULES = ("geometric", "linear", "logarithmic")
COOL_AFTER = ("n^2", "proposal")

#: The share of climbs that may miss a good move, if there is one.
_MISSED = 0.01


def count_moves(n: int, moves: str) -> int:
    """Return how many moves a board has at most.

    >>> [count_moves(8, moves) for moves in MOVES]
    [56, 16, 28, 1372]
    """
    pairs = n * (n - 1) // 2
    return {"column": 2 * pairs, "step": 2 * n, "swap": pairs, "two": pairs * (n - 1) ** 2}[moves]


def _enough(n: int, moves: str) -> int:
    """Return how many draws miss one of m moves with a probability below 1 %: (1 - 1/m)^tries < exp(-tries/m)."""
    return math.ceil(-math.log(_MISSED) * count_moves(n, moves))


def _some(n: int, _moves: str) -> int:
    return 10 * n * n


def _generations(_n: int, _moves: str) -> int:
    return 500


@dataclass(frozen=True)
class Rule:
    """A rule.

    Attributes
    ----------
    sentence : str
        What it does in a step.
    kernel : str
        File and name of its kernel in this folder; "" for min-conflicts, which is a search of ``solving``.
    options : tuple of str
        Fields of :class:`fastqueens.Limits` that change it, besides those that every rule has.
    step, evaluation : str
        What counts as one.
    restarts : int or None
        By default: 0, or None for as many as it takes.
    tries : function
        The default of ``tries`` for n and a kind of moves.
    refused_moves : dict
        For each kind of moves that makes no sense: the reason.
    moves_one : bool
        Whether each step moves one queen, if the moves do; then a run is stored as moves, and otherwise as boards.
    is_seeded : bool
        Whether runs of different seeds differ. Those of systematic searches do not: they begin with an empty board.
    has_domains : bool
        Whether it stores which squares are left in each column.
    has_lines : bool
        Whether it counts the queens on lines as the search of ``solve`` does.
    title : str
        What pictures call it; "" for its name.
    why_stuck : str
        Why it ends without a solution; "" if no move is good enough.
    is_usual : bool
        Whether ``fastqueens study`` has it by default.
    """

    sentence: str
    kernel: str
    options: tuple[str, ...] = ()
    step: str = "a move made"
    evaluation: str = "a board that a move leads to"
    restarts: int | None = 0
    tries: Callable[[int, str], int] = _some
    refused_moves: dict[str, str] | None = None
    moves_one: bool = True
    is_seeded: bool = True
    has_domains: bool = False
    has_lines: bool = False
    title: str = ""
    why_stuck: str = ""
    is_usual: bool = False


def _refused(reason: str, moves: Iterable[str] = MOVES) -> dict[str, str]:
    return {kind: reason for kind in moves if kind != "column"}


_SYSTEMATIC = {
    "step": "a queen placed (an assignment)",
    "refused_moves": _refused("it places queens one after the other and moves none"),
    "moves_one": False,
    "is_seeded": False,
    "why_stuck": "Every square was tried.",
}
_NO_PROGRESS = "There were too many generations without a new lowest cost."
_SUCCESSOR = {
    "step": "a generation",
    "evaluation": "a successor",
    "moves_one": False,
    "why_stuck": _NO_PROGRESS,
}

#: All rules by name, in the order of tables.
RULES: dict[str, Rule] = {
    "steepest": Rule(
        "make the best of all moves, as long as it lowers the cost",
        "steepest_kernel.steepest",
        title="Steepest ascent",
        is_usual=True,
    ),
    "sideways": Rule(
        "make the best of all moves, even if it keeps the cost, but not too often in a row",
        "steepest_kernel.steepest",
        ("sideways",),
        title="Sideways moves",
        is_usual=True,
    ),
    "restart": Rule(
        "steepest, and again from a new random board when stuck",
        "steepest_kernel.steepest",
        restarts=None,
        is_usual=True,
    ),
    "restart-sideways": Rule(
        "sideways, and again from a new random board when stuck",
        "steepest_kernel.steepest",
        ("sideways",),
        restarts=None,
        is_usual=True,
    ),
    "min-conflicts": Rule(
        "move a random conflicting queen to the best row of its column",
        "conflicts_kernel.min_conflicts",
        has_lines=True,
        evaluation="a row that is compared with the queen's own",
        refused_moves=_refused("it compares the rows of one column"),
        why_stuck="There were too many steps without a new lowest cost.",
        is_usual=True,
    ),
    "annealing": Rule(
        "draw a move; one that raises the cost is made less often the later it is drawn",
        "drawing_kernel.annealing",
        ("temperature", "cooling", "schedule", "cool_after"),
        evaluation="a move drawn (a proposal)",
        title="Simulated annealing",
        why_stuck="The lowest temperature is reached.",
    ),
    "stochastic": Rule("make a random one of all moves that lower the cost", "steepest_kernel.stochastic"),
    "first-choice": Rule(
        "draw moves until one lowers the cost, and make it",
        "drawing_kernel.first_choice",
        ("tries",),
        evaluation="a move drawn",
        why_stuck="No move that was drawn lowers the cost.",
        tries=_enough,
    ),
    "beam": Rule(
        "keep the best of all successors of several boards",
        "population_kernel.beam",
        ("beam", "sideways"),
        **_SUCCESSOR,  # type: ignore[arg-type]
    ),
    "stochastic-beam": Rule(
        "draw from all successors of several boards, good ones more often",
        "population_kernel.stochastic_beam",
        ("beam", "sideways", "temperature"),
        **_SUCCESSOR,  # type: ignore[arg-type]
    ),
    "genetic": Rule(
        "cross boards that are drawn by fitness from a population, and mutate some",
        "population_kernel.genetic",
        ("population", "mutation", "temperature", "tries"),
        step="a generation",
        evaluation="a child",
        tries=_generations,
        refused_moves=_refused("crossing two permutations gives boards with two queens in a row", ["swap"]),
        moves_one=False,
        why_stuck=_NO_PROGRESS,
    ),
    "random-walk": Rule(
        "make a random move", "drawing_kernel.random_walk", ("tries",), why_stuck="The last of all tries is made."
    ),
    "random-sampling": Rule(
        "look at random boards; each is a restart",
        "drawing_kernel.random_sampling",
        ("tries",),
        step="none",
        evaluation="a random board",
        why_stuck="The last of all tries is made.",
        refused_moves=_refused("it moves no queens; swap gives random permutations", ["step", "two"]),
    ),
    "backtracking": Rule(
        "place queens column by column on squares that no queen attacks, and go back when there is none",
        "systematic_kernel.backtracking",
        evaluation="a square tested",
        **_SYSTEMATIC,  # type: ignore[arg-type]
    ),
    "forward-checking": Rule(
        "backtracking that goes back as soon as a later column has no square left",
        "systematic_kernel.forward_checking",
        evaluation="a square of a later column tested",
        has_domains=True,
        **_SYSTEMATIC,  # type: ignore[arg-type]
    ),
    "mrv": Rule(
        "forward checking that goes on with the column that has the fewest squares left",
        "systematic_kernel.mrv",
        evaluation="a square of an empty column tested",
        has_domains=True,
        **_SYSTEMATIC,  # type: ignore[arg-type]
    ),
}

#: Those whose steps move one queen, which animations and traces can show.
ONE_QUEEN_RULES = [name for name, rule in RULES.items() if rule.moves_one and rule.step != "none"]

USUAL_RULES = [name for name, rule in RULES.items() if rule.is_usual]


def check_rule(rule: str, moves: str = "column", rules: Collection[str] = RULES) -> Rule:
    """Return the row of a rule; raise :class:`InputError` for an unknown one, and for moves that it cannot make."""
    if rule not in rules:
        import difflib  # here, since few arguments are wrong

        near = difflib.get_close_matches(str(rule), rules, n=2)
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"it is one of {', '.join(rules)}"
        raise InputError(f"there is no rule {rule!r}: {hint}")
    if moves not in MOVES:
        raise InputError(f"moves is {moves!r}: it is one of {', '.join(MOVES)}")
    refused = RULES[rule].refused_moves or {}
    if moves in refused:
        raise InputError(f"the rule {rule} has no moves of the kind {moves}: {refused[moves]}")
    return RULES[rule]


def check_options(rules: Iterable[str], given: dict[str, str]) -> None:
    """Raise :class:`InputError` if an option changes none of the rules.

    ``given`` are the fields of Limits that were given, and the names that the user gave them.
    """
    rules = list(rules)
    for field, name in given.items():
        having = [rule for rule, row in RULES.items() if field in row.options]
        if having and not set(having) & set(rules):
            raise InputError(f"{name} changes nothing for {', '.join(rules)}: it belongs to {', '.join(having)}")
