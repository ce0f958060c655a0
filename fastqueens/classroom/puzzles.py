"""Completion puzzles: the player adds queens to fixed queens that do not attack each other.

``puzzle`` draws fixed queens at random. ``unique_puzzles`` makes puzzles with exactly one solution, and
``write_sheets`` prints them for a class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import NO_LIMIT, check_integer, check_seed, checked_or_new_seed, entries_of, new_seed
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress, slices
from fastqueens._run.text import counted
from fastqueens.board import Queens, check_n, check_solvable, row_dtype
from fastqueens.errors import InputError, Stopped
from fastqueens.exact.complete_search import EXHAUSTED, UNDER_WAY
from fastqueens.exact.tree import SearchTree, search_tree
from fastqueens.instance import Instance, make_instance
from fastqueens.kernels import tree as tree_kernel
from fastqueens.kernels.windows import draw_fixed_queens, place_permutation
from fastqueens.placement.arrays import empty_bitsets
from fastqueens.solver import solve

if TYPE_CHECKING:
    from fastqueens.files.text import FileName
    from fastqueens.pictures.figure import Picture

#: The largest n for puzzles with exactly one solution.
MOST_QUEENS = 64

# Limits of the placement of fixed queens: attempts, and columns in all attempts together.
_ATTEMPTS = 100
_MOST_COLUMNS = 10**6

# Columns in a slice of about 20 ms, if most of them have unattacked rows, and nodes in a slice of about 10 ms.
_COLUMNS_PER_SLICE = 1 << 16
_NODES_PER_SLICE = 1 << 15

# Solutions from which to try to make a puzzle with a given number of queens.
_SOLUTIONS_TRIED = 100

# An attempt number that solve() never reaches. The random numbers of its first board would favour the first rows.
_NOT_OF_SOLVE = 2**64 - 1

_BYTES_PER_QUEEN = 70


@shows_progress
def puzzle(
    n: SupportsIndex,
    queens: SupportsIndex,
    *,
    seed: SupportsIndex | None = None,
    solvable: bool = False,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Puzzle:
    """Return a completion puzzle with random fixed queens.

    Parameters
    ----------
    n : int
        Side of the board.
    queens : int
        Number of fixed queens, from 0 to n.
    seed : int, optional
        Seed from 0 to 2**64 - 1. Pass a seed to repeat a puzzle. By default, a seed is drawn.
    solvable : bool, default False
        Take the queens from a solution. Otherwise, each queen gets a random column and a random unattacked row, and the
        puzzle can be unsolvable. With n < 30 and at least n / 2 queens, it often is.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    Puzzle
        A puzzle, whose ``instance`` can be solved. Its ``solution`` is None unless ``solvable`` is True.

    Raises
    ------
    InputError
        If an argument is invalid, or no attempt placed all queens.
    NoSolutionError
        If ``solvable`` is True and n is 2 or 3.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit.

    See Also
    --------
    unique_puzzles : Make puzzles with exactly one solution.
    solve : Solve a puzzle.

    Examples
    --------
    >>> made = puzzle(8, 2, seed=1, solvable=True)
    >>> solve(made.instance, seed=1).solved
    True
    """
    n, seed = check_n(n), checked_or_new_seed(seed)
    queens = check_integer(queens, "queens", 0, n, f"on a board of {n} ")
    check_memory(_BYTES_PER_QUEEN * n, f"a puzzle on a board of {n:,}")
    callbacks, solution = Callbacks.until(time_limit, progress, stop), None
    if solvable:
        solution = _random_solution(n, seed, callbacks)
        columns = _random_order(n, seed, _NOT_OF_SOLVE)[:queens].astype(np.int64)
        squares = np.stack([columns, solution[columns].astype(np.int64)], axis=1)
    else:
        squares = _drawn(n, queens, seed, callbacks)
    return Puzzle(make_instance(n, squares), solution, None, seed)


def _random_solution(n: int, seed: int, callbacks: Callbacks) -> Queens:
    try:
        result = solve(n, seed=seed, start="random", trace=False, stop=callbacks.is_over)
        if result.solved:
            return result.queens
    except Stopped:
        pass
    callbacks.without_progress().poll("search", 0, NO_LIMIT)  # raises TimeLimitReached if this is the reason
    raise Stopped("stopped during search")


def _drawn(n: int, queens: int, seed: int, callbacks: Callbacks) -> NDArray[np.int64]:
    attempts = max(1, min(_ATTEMPTS, _MOST_COLUMNS // n))
    most = 0
    for attempt in range(attempts):
        columns, rows = np.empty((2, queens), np.int64)
        bitsets, order = empty_bitsets(make_instance(n)), _random_order(n, seed, attempt)
        numbers = np.uint64(seed), np.uint64(attempt)
        placed = 0
        for first, last in slices(n, _COLUMNS_PER_SLICE):
            placed = draw_fixed_queens(bitsets, order, columns, rows, placed, *numbers, first, last)
            callbacks.poll("fixed queens", max(most, placed), queens)
            if placed == queens:
                return np.stack([columns, rows], axis=1)
        most = max(most, placed)
    raise InputError(
        f"only {most} of {queens} queens found room on a board of {n} in {counted(attempts, 'attempt')}; ask for "
        "fewer queens, or for a solvable puzzle"
    )


def _random_order(n: int, seed: int, attempt: int) -> Queens:
    """Return all columns in random order."""
    order = np.empty(n, row_dtype(n))
    place_permutation(order, np.uint64(seed), np.uint64(attempt), 0, n)
    return order


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A completion puzzle.

    Attributes
    ----------
    instance : Instance
        The board with its fixed queens.
    n : int
        Side of the board.
    fixed : (k, 2) int64 array
        Column and row of each fixed queen, sorted by column.
    solution : (n,) int32 or uint32 array, or None
        A solution, the only one of a unique puzzle: the row of the queen in each column. None if none is known.
    nodes : int or None
        A measure of the difficulty of a unique puzzle: the number of squares that complete search tried in order to
        find the solution and to prove that there is no other. The only remaining square of a column or row does not
        count. 1 means that there was no choice.
    seed : int
        The seed.

    Methods
    -------
    picture(**options)
        Draw the fixed queens.

    See Also
    --------
    puzzle, unique_puzzles : Make puzzles.

    Examples
    --------
    >>> puzzle = next(unique_puzzles(8, 1, seed=1))
    >>> len(puzzle.fixed), puzzle.nodes
    (3, 1)
    """

    instance: Instance
    solution: Queens | None
    nodes: int | None
    seed: int

    @property
    def n(self) -> int:
        """Side of the board."""
        return self.instance.n

    @property
    def fixed(self) -> NDArray[np.int64]:
        """A (k, 2) array with the column and the row of each fixed queen, sorted by column."""
        return self.instance.fixed.squares

    def __repr__(self) -> str:
        nodes = "" if self.nodes is None else f"{counted(self.nodes, 'node')}, "
        return f"<Puzzle n={self.n}, {counted(len(self.fixed), 'fixed queen')}, {nodes}seed={self.seed}>"

    def picture(self, **options: Any) -> Picture:
        """Draw the fixed queens.

        The options are ``origin``, ``rows_from``, ``title``, ``theme``, ``size`` and ``ax``, as in
        :func:`fastqueens.picture`.
        """
        from fastqueens.pictures.boards import instance_picture

        return instance_picture(self.instance, **options)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]] | None:
        return self.picture()._repr_png_()


@shows_progress
def unique_puzzles(
    n: SupportsIndex,
    count: SupportsIndex,
    *,
    seed: SupportsIndex | None = None,
    queens: SupportsIndex | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Iterator[Puzzle]:
    """Yield completion puzzles with exactly one solution.

    Each puzzle starts from a random solution with all queens fixed. Queens are released in random order until none can
    be released without a second solution.

    Parameters
    ----------
    n : int
        Side of the board: from 1 to 64, except 2 and 3.
    count : int
        Number of puzzles. On small boards, some of them are equal.
    seed : int, optional
        Seed from 0 to 2**64 - 1. By default, a seed is drawn. Puzzle k depends on n, the seed and the options, but not
        on ``count``.
    queens : int, optional
        Number of fixed queens. By default, every fixed queen is necessary.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.
        The time between two requests counts.

    Yields
    ------
    Puzzle
        A puzzle with its solution and difficulty.

    Raises
    ------
    InputError
        If an argument is invalid, or none of 100 solutions made a puzzle with so few ``queens``.
    NoSolutionError
        If n is 2 or 3.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit.

    See Also
    --------
    puzzle : Draw fixed queens at random.
    fastqueens.classroom.puzzles.write_sheets : Write puzzles for a class.
    has_unique_solution : Test whether a puzzle has exactly one solution.

    Notes
    -----
    One core makes 800 to 1,200 puzzles per second at n = 64 (300 puzzles, seed 1, a shared virtual machine, warm).

    Examples
    --------
    >>> for puzzle in unique_puzzles(8, 2, seed=1):
    ...     print(puzzle.fixed.tolist(), puzzle.solution, puzzle.nodes)
    [[1, 1], [2, 7], [4, 3]] [4 1 7 0 3 6 2 5] 1
    [[2, 0], [4, 6]] [3 7 0 4 6 1 5 2] 6
    """
    n = check_n(n)
    if n > MOST_QUEENS:
        raise InputError(f"n must be at most {MOST_QUEENS} for a puzzle with exactly one solution, not {n:,}")
    check_solvable(n)
    count = check_integer(count, "count", 0, NO_LIMIT)
    seed = new_seed() if seed is None else check_seed(seed)
    if queens is not None:
        queens = check_integer(queens, "queens", 0, n)
    return _puzzles(n, count, seed, queens, Callbacks.until(time_limit, progress, stop))


def _puzzles(n: int, count: int, seed: int, queens: int | None, callbacks: Callbacks) -> Iterator[Puzzle]:
    """Make the first puzzles of a seed."""
    search = search_tree(make_instance(n))
    for made in range(count):
        poll = partial(callbacks.poll, "puzzles", made, count)
        fewest = n
        for attempt in range(_SOLUTIONS_TRIED):
            seed_of_attempt = int(np.random.SeedSequence((seed, made, attempt)).generate_state(1, np.uint64)[0])
            solution = _random_solution(n, seed_of_attempt, callbacks)
            order = _random_order(n, seed_of_attempt, _NOT_OF_SOLVE)
            is_fixed, nodes = _released(search, solution, order, queens, poll)
            fewest = min(fewest, int(is_fixed.sum()))
            if queens in (None, int(is_fixed.sum())):
                break
        else:
            raise InputError(
                f"no puzzle with {counted(queens or 0, 'fixed queen')} was found from {_SOLUTIONS_TRIED} solutions on "
                f"a board of {n}; ask for at least {fewest}"
            )
        fixed = np.stack([np.flatnonzero(is_fixed), solution[is_fixed]], axis=1)
        yield Puzzle(make_instance(n, fixed), solution, nodes, seed)
        callbacks.poll("puzzles", made + 1, count, may_stop=made + 1 < count)


def _released(
    search: SearchTree, solution: Queens, order: Queens, queens: int | None, poll: Callable[[], None]
) -> tuple[NDArray[np.bool_], int]:
    """Release queens of a solution in order; return a mask of fixed queens, and the nodes of the last proof."""
    squares = np.arange(len(solution)) * len(solution) + solution
    is_fixed, nodes = np.ones(len(solution), np.bool_), 0
    for column in order.tolist():
        if np.count_nonzero(is_fixed) == queens:
            break
        is_fixed[column] = False
        if _is_only_solution(search, squares[is_fixed], poll):
            nodes = search.nodes
        else:
            is_fixed[column] = True
    return is_fixed, nodes


def write_sheets(
    path: FileName,
    puzzles: Iterable[Puzzle],
    *,
    per_page: int = 1,
    answers: bool = False,
    size: str = "A4",
    rows_from: SupportsIndex = 0,
) -> None:
    """Write puzzles for a class: pages with the task, the boards and a line for the name.

    Parameters
    ----------
    path : str or path
        A name that ends in .pdf.
    puzzles : iterable of Puzzle
        The puzzles, which are numbered from 1.
    per_page : 1 or 4, default 1
        Puzzles on a page.
    answers : bool, default False
        Write the solutions instead. The given queens are framed.
    size : str, default "A4"
        A0 to A6, letter, legal, tabloid, or width x height with a unit, such as "210x297mm".
    rows_from : int, default 0
        The number of the first row, 0 or 1.

    Raises
    ------
    InputError
        If an argument is invalid, there is no puzzle, an answer is not known, or the file cannot be written.

    See Also
    --------
    fastqueens.unique_puzzles : Make puzzles with exactly one solution.

    Notes
    -----
    A page takes about 0.1 seconds.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> puzzles = list(unique_puzzles(8, 6, seed=1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_sheets(pathlib.Path(folder, "sheets.pdf"), puzzles, per_page=4)
    ...     write_sheets(pathlib.Path(folder, "answers.pdf"), puzzles, per_page=4, answers=True)
    """
    from fastqueens.pictures.paper import paper
    from fastqueens.pictures.saving import save_pages
    from fastqueens.pictures.worksheets import GRIDS, worksheets

    if per_page not in GRIDS:
        raise InputError(f"per_page must be 1 or 4, not {per_page!r}")
    shown = entries_of(puzzles, "puzzles", "a list of puzzles")
    if not shown:
        raise InputError("puzzles is empty; give at least one puzzle")
    title = f"{counted(len(shown), 'puzzle')} with {counted(shown[0].n, 'queen')}{': answers' if answers else ''}"
    rows_from = check_integer(rows_from, "rows_from", 0, 1)
    save_pages(worksheets(shown, paper(size), per_page, answers=answers, rows_from=rows_from), path, title)


def _is_only_solution(search: SearchTree, squares: NDArray[np.int64], poll: Callable[[], None]) -> bool:
    """Return whether the known solution is the only one with these queens."""
    tree_kernel.begin_with(search.tree, squares)
    status = UNDER_WAY
    while status == UNDER_WAY:
        status = search.search(search.nodes + _NODES_PER_SLICE, 2)
        poll()
    return status == EXHAUSTED
