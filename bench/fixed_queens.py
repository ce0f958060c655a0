"""Boards with fixed queens: their cost compared with empty boards, and whether both searches agree on them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

import fastqueens
from bench.timing import compared_with_limit, ratio
from fastqueens import InputError, NoSolutionError
from fastqueens.core.instance import Instance, make_instance
from fastqueens.core.progress import Callbacks
from fastqueens.core.threads import Workers
from fastqueens.exact.complete_search import EXHAUSTED, FOUND, MOST_EMPTY, UNDER_WAY, CompleteSearch

RUNS = 15
N = 10**6

#: Numbers of fixed queens on a board of a million, and how many times as long as without them solving may take.
LIMITS = {1000: 1.5}

#: The same for blocked squares with excluded diagonals, half of them of each kind.
BLOCKED, EXCLUDED = 10**6, 1000

COMPLETIONS = 10_000
_NODES = 10**6

#: The largest n of each row of the table.
_SIZES = (16, 32, 64, 200)
_SMALLEST = 8

# Few random placements get further than four fifths of the columns.
_MOST_DRAWN = 0.8


def measure() -> Iterator[dict[str, Any]]:
    """Solve boards with and without constraints in turn."""
    for count, limit in LIMITS.items():
        fixed = fastqueens.puzzle(N, count, seed=count)
        yield _compared(f"{count:,} fixed queens", make_instance(N, fixed), limit)
    generator = np.random.default_rng(1)
    instance = make_instance(
        N,
        blocked=generator.integers(0, N, (BLOCKED, 2)),
        excluded_sums=generator.choice(2 * N - 1, EXCLUDED // 2, replace=False),
        excluded_differences=generator.choice(2 * N - 1, EXCLUDED // 2, replace=False) - (N - 1),
    )
    yield _compared(f"{BLOCKED:,} blocked squares and {EXCLUDED:,} excluded diagonals", instance, 1.5)


def _compared(constraints: str, instance: Instance, limit: float | None) -> dict[str, Any]:
    """Compare a board with constraints, stated before the time begins, with a free one: all of solve()."""
    free = make_instance(N)
    taken = [(_solve(instance, turn), _solve(free, turn)) for turn in range(RUNS + 1)]
    what = f"solve(10**6) with {constraints} / none"
    return compared_with_limit(what, "x", limit, ratio(*zip(*taken[1:], strict=True)))


def _solve(instance: Instance, seed: int) -> float:
    begun = time.perf_counter()
    result = fastqueens.solve(instance, seed=seed, threads=1, trace=False)
    taken = time.perf_counter() - begun
    if not result.solved:
        raise RuntimeError(f"not solved: seed {seed}")
    return taken


def compare(completions: int = COMPLETIONS) -> Iterator[dict[str, Any]]:
    """Answer seeded completions by local search alone and by complete search alone; yield a row for each range of n."""
    found = {size: Counter[str]() for size in _SIZES}
    for seed in range(completions):
        n = int(np.random.default_rng(seed).integers(_SMALLEST, _SIZES[-1] + 1))
        size = next(size for size in _SIZES if n <= size)
        found[size].update(_answers(n, seed))
    smallest = _SMALLEST
    for size, answers in found.items():
        yield {"n": f"{smallest} to {size}", **{key: answers[key] for key in _ANSWERS}}
        smallest = size + 1


#: The columns of the table: all completions; solved by local search; refused before the search because a line is
#: closed; a solution found, excluded, or left open by complete search within its nodes; not asked because too many
#: columns are empty; found by complete search alone; contradictions.
_ANSWERS = ("all", "solved", "closed", "found", "excluded", "unanswered", "not asked", "missed", "contradictions")


_STATUS = {FOUND: "found", EXHAUSTED: "excluded", UNDER_WAY: "unanswered"}


def _answers(n: int, seed: int) -> Iterator[str]:
    """Yield what the two searches answer on one completion; every second one is made from a solution."""
    yield "all"
    is_solvable, squares = _completion(n, seed)
    instance = make_instance(n, squares)
    try:
        local = "solved" if fastqueens.solve(n, fixed=squares, seed=seed, method="local", trace=False).solved else ""
    except NoSolutionError:
        local = "closed"
    complete_answer = "not asked"
    if instance.free_columns <= MOST_EMPTY:
        with Workers(1) as workers:
            search = CompleteSearch(instance, workers)
            complete_answer = _STATUS[search.advance(_NODES, Callbacks())]
        if complete_answer == "found" and not fastqueens.is_solution(search.queens, instance=instance):
            yield "contradictions"
    yield complete_answer
    if local:
        yield local
    if complete_answer == "found" and local != "solved":
        yield "missed"
    excluded = "excluded" in (complete_answer, "excluded" if local == "closed" else "")
    if excluded and (local == "solved" or complete_answer == "found" or is_solvable):
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
