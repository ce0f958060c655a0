"""Completion puzzles with exactly one solution: queens of a solution that no other solution contains."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fastqueens.classroom.puzzles import NOT_OF_SOLVE, random_order
from fastqueens.core.board import Queens, check_n, check_solvable
from fastqueens.core.callbacks import Callbacks, Progress, Stop
from fastqueens.core.errors import InputError, Stopped
from fastqueens.core.instance import Instance, make_instance
from fastqueens.core.integers import NO_LIMIT, check_integer, check_seed, new_seed
from fastqueens.kernels import backtracking
from fastqueens.solving.rounds import EXHAUSTED, UNDER_WAY
from fastqueens.solving.search_tree import search_tree
from fastqueens.solving.solver import solve

#: The largest n.
MOST_QUEENS = 64

#: Nodes of the search for a second solution, by default. Nearly all puzzles up to n = 64 take fewer than 300.
MOST_NODES = 1_000_000

#: Solutions from which a puzzle with a wanted number of queens is tried to be made.
_ATTEMPTS = 100

# Nodes in a slice of about 10 ms.
_SLICE = 1 << 15


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A puzzle with exactly one solution.

    Attributes
    ----------
    instance : Instance
        The fixed queens.
    solution : (n,) int32 array
        The solution: the row of the queen in each column.
    nodes : int
        How many squares the complete search tried to find the solution and prove that there is no other: a measure of
        difficulty. As in ``Result.nodes``, a square that was the last one left in its column or row does not count.
        1 means that there was nothing to try.
    undecided : int
        How many queens are fixed only because the search without them exceeded its limit of nodes.
    seed : int
        The seed given to :func:`unique_puzzles`, or drawn by it.
    """

    instance: Instance
    solution: Queens
    nodes: int
    undecided: int
    seed: int


def unique_puzzles(
    n: int,
    many: int,
    *,
    seed: int | None = None,
    minimal: bool = False,
    queens: int | None = None,
    max_nodes: int = MOST_NODES,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Iterator[Puzzle]:
    """Yield completion puzzles with exactly one solution.

    Each puzzle starts from a random solution with all its queens fixed. Queens are released in random order, as long
    as the solution stays the only one.

    Parameters
    ----------
    n : int
        Side of the board: from 1 to 64, except 2 and 3.
    many : int
        Number of puzzles. On small boards some of them are equal.
    seed : int, optional
        From 0 to 2**64 - 1. By default a seed is drawn; ``Puzzle.seed`` reports it. Puzzle k depends
        on n, the seed and the options, not on ``many``.
    minimal : bool
        Release every queen that can be released: without any of the fixed queens there would be a second solution. By
        default the first queen that has to stay fixed ends the puzzle, which makes puzzles with more queens.
    queens : int, optional
        The number of fixed queens. Puzzles with few of them are made from other solutions until one fits. Not with
        ``minimal``.
    max_nodes : int
        Limit for one search. If it is exceeded, the queen stays fixed, and ``Puzzle.undecided`` counts it.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stage is "puzzles".

    Yields
    ------
    Puzzle

    Raises
    ------
    InputError
        If a value is not as described here, or if none of 100 solutions made a puzzle with so few ``queens``.
    NoSolutionError
        If n is 2 or 3.
    Stopped
        If ``stop`` returned True.

    Notes
    -----
    One core makes more than 2,000 puzzles a second, and 800 to 1,200 minimal ones at n = 64 (300 puzzles, seed 1, a
    shared virtual machine, warm). A search takes O(n) for each queen that it places.

    Examples
    --------
    >>> for puzzle in unique_puzzles(8, 2, seed=1, minimal=True):
    ...     print(puzzle.instance.fixed.squares.tolist(), puzzle.solution, puzzle.nodes)
    [[1, 1], [2, 7], [4, 3]] [4 1 7 0 3 6 2 5] 1
    [[2, 0], [4, 6]] [3 7 0 4 6 1 5 2] 6
    """
    n = check_n(n)
    if n > MOST_QUEENS:
        raise InputError(f"n is {n}: puzzles with exactly one solution are made up to n = {MOST_QUEENS}")
    check_solvable(n)
    many = check_integer(many, "many", 0, NO_LIMIT)
    seed = new_seed() if seed is None else check_seed(seed)
    max_nodes = check_integer(max_nodes, "max_nodes", 0, NO_LIMIT)
    if queens is not None:
        queens = check_integer(queens, "queens", 0, n)
        if minimal:
            raise InputError(f"queens is {queens}: a minimal puzzle has the number of queens that comes out; give one")
    maker = _Maker(n, minimal, queens, max_nodes)
    return maker.puzzles(many, seed, Callbacks(progress, stop), stop)


class _Maker:
    """Makes puzzles of one size, and keeps the arrays of their searches."""

    def __init__(self, n: int, minimal: bool, queens: int | None, max_nodes: int) -> None:
        self._n = n
        self._ends_at_first = not minimal and queens is None
        self._queens = queens
        self._max_nodes = max_nodes
        self._search = search_tree(make_instance(n))

    def puzzles(self, many: int, seed: int, callbacks: Callbacks, stop: Stop | None) -> Iterator[Puzzle]:
        """Make the first puzzles of a seed."""
        for made in range(many):
            yield self._puzzle(seed, made, stop, partial(callbacks.poll, "puzzles", made, many))
            callbacks.poll("puzzles", made + 1, many)

    def _puzzle(self, seed: int, k: int, stop: Stop | None, poll: Callable[[], None]) -> Puzzle:
        fewest = self._n
        for attempt in range(_ATTEMPTS):
            seed_of_attempt = int(np.random.SeedSequence((seed, k, attempt)).generate_state(1, np.uint64)[0])
            puzzle = self._attempt(seed, seed_of_attempt, stop, poll)
            queens = len(puzzle.instance.fixed)
            if self._queens in (None, queens):
                return puzzle
            fewest = min(fewest, queens)
        raise InputError(
            f"queens is {self._queens}: {_ATTEMPTS} solutions made only puzzles with {fewest} or more on a board of "
            f"{self._n}; ask for more"
        )

    def _attempt(self, seed: int, seed_of_attempt: int, stop: Stop | None, poll: Callable[[], None]) -> Puzzle:
        """Release queens of one solution."""
        result = solve(self._n, seed=seed_of_attempt, start="random", trace=False, stop=stop)
        if not result.solved:
            raise Stopped("stopped before there was a solution")
        solution = result.queens
        squares = np.arange(self._n) * self._n + solution
        is_fixed = np.ones(self._n, np.bool_)
        nodes = undecided = 0
        for column in random_order(self._n, seed_of_attempt, NOT_OF_SOLVE).tolist():
            if np.count_nonzero(is_fixed) == self._queens:
                break
            is_fixed[column] = False
            is_only, tried = self._is_only_solution(squares[is_fixed], poll)
            if is_only:
                nodes = tried
                continue
            is_fixed[column] = True
            undecided += is_only is None
            if self._ends_at_first:
                break
        fixed = np.stack([np.flatnonzero(is_fixed), solution[is_fixed]], axis=1)
        return Puzzle(make_instance(self._n, fixed), solution, nodes, undecided, seed)

    def _is_only_solution(self, squares: NDArray[np.int64], poll: Callable[[], None]) -> tuple[bool | None, int]:
        """Tell whether only one solution has queens on all these squares, of which one has, and the nodes it took.

        None if the limit of nodes is too small to tell.
        """
        search = self._search
        backtracking.begin_with(search.tree, squares)
        status = UNDER_WAY
        while status == UNDER_WAY and search.nodes < self._max_nodes:
            status = search.search(min(search.nodes + _SLICE, self._max_nodes), 2)
            poll()
        return None if status == UNDER_WAY else status == EXHAUSTED, search.nodes
