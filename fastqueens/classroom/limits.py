"""The options of rules, and the arrays of a climb that follow from them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import (
    LARGEST_POSITIVE,
    NO_LIMIT,
    check_between,
    check_choice,
    check_integer,
    check_limit,
)
from fastqueens.board import check_solvable, row_dtype
from fastqueens.classroom.rules import COOL_AFTER, MOVES, RULES, SCHEDULES, check_rule
from fastqueens.errors import InputError
from fastqueens.instance import make_instance
from fastqueens.kernels import climbing as climbing_kernel
from fastqueens.placement.arrays import empty_plateau_memory
from fastqueens.placement.first_boards import empty_lines
from fastqueens.task import stagnation_limit

#: Sideways moves in a row after which the rule "sideways" gives up, as in the textbook.
SIDEWAYS_LIMIT = 100

# The temperature at which annealing ends; a start below it ends at a tenth of itself.
_COLDEST = 0.1

_MOST_LEVELS = 100_000

#: Temperatures of the logarithmic schedule, which is too slow to end by itself.
_LOGARITHMIC_LEVELS = 1000


class Limits(NamedTuple):
    """The options of rules; each rule uses some of them.

    sideways : moves in a row that keep the cost, for the rules with sideways moves; for beams, generations in a row
        without a lower cost
    restarts : new random boards after climbs that are stuck; None for as many as it takes; "auto" for what the rule
        says. Systematic searches do not restart
    temperature, cooling, schedule, cool_after : for annealing, see docs/classroom.md. Beams and the genetic algorithm
        weigh a board by exp(-cost / temperature)
    tries : draws in a row that may fail, boards of the baselines, or generations without a lower cost; None for the
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


DEFAULT_LIMITS: Limits = Limits()


def check_limits(limits: Limits) -> Limits:
    """Return the limits with Python integers; raise :class:`InputError` for the first value that is out of range."""
    check_between(limits.temperature, "temperature", 0.001, 1e6)
    check_between(limits.cooling, "cooling", 0.01, 0.99999)
    check_between(limits.mutation, "mutation", 0, 1)
    if limits.time_limit is not None:
        check_between(limits.time_limit, "time_limit", 0, LARGEST_POSITIVE)
    check_choice(limits.schedule, "schedule", SCHEDULES)
    check_choice(limits.cool_after, "cool_after", COOL_AFTER)
    optional = {"tries": 1, "max_steps": 0, "max_evaluations": 1}
    checked: dict[str, Any] = {
        name: None if (value := getattr(limits, name)) is None else check_integer(value, name, least, NO_LIMIT)
        for name, least in optional.items()
    }
    return limits._replace(
        sideways=check_integer(limits.sideways, "sideways_limit", 0, NO_LIMIT),
        restarts=limits.restarts if limits.restarts in (None, "auto") else check_limit(limits.restarts, "restarts"),
        beam=check_integer(limits.beam, "beam", 1, 10_000),
        population=check_integer(limits.population, "population", 2, 10_000),
        **checked,
    )


def check_run(n: int, rule: str, moves: str, limits: Limits) -> Limits:
    """Return the limits of runs as :func:`check_limits` does; raise an error if the rule cannot make or end them."""
    check_rule(rule, moves)
    limits = check_limits(limits)
    if restarts_of(rule, limits, n) is None:
        check_solvable(n)
    return limits


def restarts_of(rule: str, limits: Limits, n: int) -> int | None:
    """Return how often a run of a rule may restart; None for as often as it takes."""
    row = RULES[rule]
    given = limits.restarts if row.uses("restarts") else "auto"
    restarts = row.restarts if isinstance(given, str) else given
    if row.step == "none" and (limits.tries is not None or given == "auto"):
        tries = tries_of(rule, "column", limits, n)  # boards, of which all but the first are restarts
        return tries - 1 if restarts is None else min(tries - 1, restarts)
    return restarts


def tries_of(rule: str, moves: str, limits: Limits, n: int) -> int:
    """Return the limit of draws, boards or generations of a rule."""
    return RULES[rule].tries(n, moves) if limits.tries is None else limits.tries


def empty_climber(n: int, rule: str, moves: str, limits: Limits) -> climbing_kernel.Climber:
    """Allocate the arrays of a climb; its kernel initialises them."""
    row = RULES[rule]
    options = row.options
    k = limits.beam if "beam" in options else limits.population if "population" in options else 0
    squares = n if row.has_domains else 0
    sideways = stagnation_limit(n) if row.has_lines else limits.sideways if "sideways" in options else 0
    return climbing_kernel.Climber(
        queens=np.empty(n, row_dtype(n)),
        rows=np.empty(n, np.int64),
        sums=np.empty(2 * n, np.int64),
        differences=np.empty(2 * n, np.int64),
        state=np.empty(climbing_kernel.CLIMB_STATE_LENGTH, np.int64),
        moves=list(MOVES).index(moves),
        sideways_limit=sideways,
        tries=tries_of(rule, moves, limits, n),
        odds=_odds(limits, n) if "temperature" in options else np.empty((0, 0), np.uint64),
        level_length=1 if limits.cool_after == "proposal" else n * n,
        mutation=np.uint64(min(int(limits.mutation * 2**64), 2**64 - 1)),
        max_steps=check_limit(limits.max_steps, "max_steps"),
        max_evaluations=check_limit(limits.max_evaluations, "max_evaluations"),
        restarts=check_limit(restarts_of(rule, limits, n), "restarts"),
        is_systematic=int(not row.is_seeded),
        boards=np.empty((2 * k, n), row_dtype(n)),
        keys=np.empty(k, np.uint64),
        picks=np.empty((k if row.is_seeded else n, 5), np.int64),
        counts=np.empty(n * (n - 1) // 2 + 1 if k else 0, np.int64),
        removed=np.empty((squares, squares), np.int64),
        lines=empty_lines(make_instance(n)) if row.has_lines else (),
        memory=empty_plateau_memory(n, sideways) if row.has_lines else (),
    )


def temperatures(limits: Limits) -> list[float]:
    """Return the temperatures of annealing in order."""
    start, cooling = limits.temperature, limits.cooling
    coldest = _COLDEST if start >= _COLDEST else start / 10
    if limits.schedule == "geometric":
        levels = math.floor(math.log(start / coldest) / -math.log(cooling)) + 1
        heats: Iterator[float] = (start * cooling**level for level in range(levels))
    elif limits.schedule == "linear":
        levels = math.floor((start - coldest) / (start * (1 - cooling))) + 1
        heats = (start - start * (1 - cooling) * level for level in range(levels))
    else:
        levels = _LOGARITHMIC_LEVELS
        heats = takewhile(lambda heat: heat >= coldest, (start / (1 + math.log1p(level)) for level in range(levels)))
    if levels > _MOST_LEVELS:
        raise InputError(f"cooling is {cooling}: it would give {levels:,} temperatures, at most {_MOST_LEVELS:,} fit")
    return list(heats)


def _odds(limits: Limits, n: int) -> NDArray[np.uint64]:
    """Return 2**64 exp(-rise / temperature) for each temperature and each rise of the cost from 1 on."""
    # The odds of larger rises are below one in 2**64, and none is larger than the number of pairs.
    most = min(math.ceil(64 * math.log(2) * limits.temperature), max(1, n * (n - 1) // 2))
    rises = range(1, most + 1)
    rows = [[int(math.exp(-rise / heat) * 2**64) for rise in rises] for heat in temperatures(limits)]
    return np.array(rows, np.uint64)
