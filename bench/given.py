"""Boards with given queens: what they cost beside free ones, and whether both searches agree on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

import fastqueens
from bench.timing import held_against, ratio
from fastqueens import InputError, NoSolutionError
from fastqueens.exact import MOST_EMPTY, complete
from fastqueens.given import given_queens
from fastqueens.watch import Watch

RUNS = 15
N = 10**6

#: Given queens on a board of a million, and how long solving may take beside a free one.
GIVEN = {1000: 1.5, 10_000: None}

COMPLETIONS = 10_000
_NODES = 10**6

#: Boards are told apart by size: at most so many queens.
_SIZES = (16, 32, 64, 200)
_SMALLEST = 8

# Beyond four fifths of the columns hardly any random placement goes on.
_MOST_DRAWN = 0.8


def measure() -> Iterator[dict[str, Any]]:
    """Solve boards with and without given queens in turn."""
    for count, limit in GIVEN.items():
        fixed = fastqueens.puzzle(N, count, seed=count)
        taken = [(_solve(fixed, turn), _solve(None, turn)) for turn in range(RUNS + 1)]
        what = f"solve(10**6) with {count:,} given queens beside a free one: placement + search"
        yield held_against(what, "x", limit, ratio(*zip(*taken[1:], strict=True)))


def _solve(fixed: Any, seed: int) -> float:
    result = fastqueens.solve(N, fixed=fixed, seed=seed, threads=1, trace=False)
    if not result.solved:
        raise RuntimeError(f"not solved: seed {seed}")
    return result.timings.placement + result.timings.search


def compare(completions: int = COMPLETIONS) -> Iterator[dict[str, Any]]:
    """Answer seeded completions by local search alone and by exact search alone; a line for each range of n."""
    found = {size: Counter[str]() for size in _SIZES}
    for seed in range(completions):
        n = int(np.random.default_rng(seed).integers(_SMALLEST, _SIZES[-1] + 1))
        size = next(size for size in _SIZES if n <= size)
        found[size].update(_answers(n, seed))
    smallest = _SMALLEST
    for size, answers in found.items():
        yield {"n": f"{smallest} to {size}", **{key: answers[key] for key in _ANSWERS}}
        smallest = size + 1


#: What is counted: all completions; local search solved; closed at sight; exact search found, excluded, did not answer
#: within its nodes, was not asked since too many columns are empty; found by exact search alone; contradictions.
_ANSWERS = ("all", "solved", "closed", "found", "excluded", "unanswered", "not asked", "missed", "contradictions")


def _answers(n: int, seed: int) -> Iterator[str]:
    """What the two searches say of one completion, half of them made from a solution."""
    yield "all"
    is_solvable, squares = _completion(n, seed)
    given = given_queens(squares, n)
    try:
        local = "solved" if fastqueens.solve(n, fixed=squares, seed=seed, max_nodes=0, trace=False).solved else ""
    except NoSolutionError:
        local = "closed"
    exact = "not asked"
    if n - len(given) <= MOST_EMPTY:
        completion = complete(n, given, _NODES, Watch())
        exact = "found" if completion.queens is not None else "excluded" if completion.is_excluded else "unanswered"
        if completion.queens is not None and not _is_completion(completion.queens, squares):
            yield "contradictions"
    yield exact
    if local:
        yield local
    if exact == "found" and local != "solved":
        yield "missed"
    excluded = "excluded" in (exact, "excluded" if local == "closed" else "")
    if excluded and (local == "solved" or exact == "found" or is_solvable):
        yield "contradictions"


def _completion(n: int, seed: int) -> tuple[bool, Any]:
    generator = np.random.default_rng([seed, n])
    if seed % 2:
        return True, fastqueens.puzzle(n, int(generator.integers(n + 1)), seed=seed, solvable=True)
    for queens in range(int(generator.integers(int(_MOST_DRAWN * n) + 1)), -1, -1):
        try:
            return False, fastqueens.puzzle(n, queens, seed=seed)
        except InputError:
            continue
    raise AssertionError


def _is_completion(queens: Any, squares: Any) -> bool:
    return fastqueens.is_solution(queens) and bool((queens[squares[:, 0]] == squares[:, 1]).all())
