"""Local search: attempts, each of which makes a first board and then steps by repair or by min-conflicts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import NO_LIMIT
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks
from fastqueens._run.threads import Workers
from fastqueens.board import Queens
from fastqueens.errors import Stopped
from fastqueens.kernels import min_conflicts as min_conflicts_kernel
from fastqueens.kernels import repair as repair_kernel
from fastqueens.kernels.min_conflicts import Lines
from fastqueens.kernels.plateau import BEST_PAIRS, CONFLICTING, PAIRS, SOLVED, UNDER_WAY, UNUSED, Advance
from fastqueens.placement.arrays import Attempt, empty_lines, new_attempt
from fastqueens.placement.first_boards import PASSES, PLACEMENT_SLICE, place
from fastqueens.recorder import SEARCH_SLICE, Recorder
from fastqueens.task import Task

# Bytes per queen of the counters of all lines.
_LINES_BYTES = 56


class Ending(NamedTuple):
    """The board at the end of an attempt or of a turn of complete search; ``queens`` is empty before the first board.

    ``stopped_by`` is the class of the exception that ended the search early: Stopped if the caller's ``stop`` returned
    True, TimeLimitReached at the time limit, None otherwise. An ending owns its queens; no later attempt changes them.
    """

    queens: Queens = np.empty(0, np.int32)
    pairs: int = NO_LIMIT
    conflicting_queens: int = 0
    method: str | None = None
    stopped_by: type[Stopped] | None = None

    @property
    def is_solved(self) -> bool:
        """Whether the board is a solution according to the search."""
        return self.pairs == 0


def attempts(task: Task, workers: Workers, callbacks: Callbacks, recorder: Recorder) -> Iterator[Ending]:
    """Yield the ending of each attempt until the restarts or the steps of the task are used up."""
    for number in range(task.restarts + 1):
        yield _attempt(task, number, workers, callbacks, recorder)
        if recorder.steps >= task.max_steps:
            return


def first_board(task: Task, workers: Workers, callbacks: Callbacks, recorder: Recorder) -> Ending:
    """Return the first board of the first attempt, from which no step is made."""
    return _begin(task, 0, workers, callbacks, recorder).ending()


def _attempt(task: Task, number: int, workers: Workers, callbacks: Callbacks, recorder: Recorder) -> Ending:
    """Make a first board and search from it. Raises :class:`Stopped` if not even the first attempt has a board."""
    try:
        search = _begin(task, number, workers, callbacks, recorder)
    except Stopped as error:
        if number == 0:
            raise
        return Ending(stopped_by=type(error))
    with recorder.timing("search"):
        return search_from(task, search, callbacks, recorder)


def _begin(task: Task, number: int, workers: Workers, callbacks: Callbacks, recorder: Recorder) -> LocalSearch:
    """Allocate the arrays of an attempt, place its queens, and return the search from this board."""
    is_first, start = number == 0, task.start_of(number)
    callbacks = callbacks if is_first else callbacks.without_progress()
    with recorder.timing("allocation"):
        attempt = new_attempt(
            task.instance,
            seed=task.seed,
            number=number,
            stagnation_limit=stagnation_limit(task.n),
            is_windowed=start == "windowed",
            board=task.board if is_first else None,
            out=task.out if is_first else None,
            workers=workers,
            callbacks=callbacks,
            thresholds=task.thresholds,
        )
    with recorder.timing("placement"):
        search = first_search(attempt, start, workers, callbacks, force=task.force)
    attempt.state[BEST_PAIRS] = attempt.state[PAIRS]
    recorder.begin(int(attempt.state[PAIRS]), search.conflicting, attempt.queens)
    return search


def first_search(
    attempt: Attempt, start: str, workers: Workers, callbacks: Callbacks, *, force: bool = False
) -> LocalSearch:
    """Place the queens of an attempt by the rule ``start``, and return the search from this board."""
    pairs = place(attempt, start, workers, callbacks)
    if pairs is not None:
        return LocalSearch(attempt, pairs=pairs)
    is_placed = attempt.bitsets is not None
    return _min_conflicts(attempt, callbacks.without_progress() if is_placed else callbacks, force=force)


def search_from(task: Task, search: LocalSearch, callbacks: Callbacks, recorder: Recorder) -> Ending:
    """Make steps until the board is solved or stagnant, the steps of the task are used up, or the caller stops."""
    attempt, stopped = search.attempt, None
    status = UNDER_WAY if attempt.state[PAIRS] else SOLVED
    while status == UNDER_WAY and stopped is None and recorder.steps < task.max_steps:
        max_steps = min(SEARCH_SLICE, task.max_steps - recorder.steps)
        status, steps = search.advance(max_steps, stagnation_limit(task.n), recorder.buffer)
        recorder.add(steps)
        if status == repair_kernel.NEEDS_MIN_CONFLICTS:
            search, status = _min_conflicts(attempt, Callbacks(), force=task.force), UNDER_WAY
        resolved = recorder.resolved(int(attempt.state[PAIRS]))
        try:
            callbacks.poll("search", resolved, recorder.initial_pairs, may_stop=status == UNDER_WAY)
        except Stopped as error:
            stopped = type(error)
    return search.ending(stopped)


def stagnation_limit(n: int) -> int:
    """Return the number of steps without a new minimum of ``pairs`` after which an attempt ends.

    docs/explanation/how-it-works.md explains the choice.
    """
    return 10 * n + 100


class LocalSearch(NamedTuple):
    """The state of a search: repair has a list of the attacking pairs, min-conflicts counts the queens on all lines."""

    attempt: Attempt
    pairs: repair_kernel.Pairs | None = None
    lines: Lines | None = None

    def advance(self, max_steps: int, stagnation_limit: int, trace: NDArray[np.int64]) -> Advance:
        """Make at most ``max_steps`` steps."""
        queens, bitsets, state, plateau, seed, number, *_ = self.attempt
        others = plateau, state, trace, seed, number, max_steps, stagnation_limit
        if self.pairs is not None and bitsets is not None:
            return repair_kernel.repair(queens, bitsets, self.pairs, *others)
        assert self.lines is not None
        return min_conflicts_kernel.search(queens, self.lines, *others)

    def ending(self, stopped_by: type[Stopped] | None = None) -> Ending:
        """Return the present board as the ending of an attempt."""
        return Ending(self.attempt.queens, int(self.attempt.state[PAIRS]), self.conflicting, "local", stopped_by)

    @property
    def conflicting(self) -> int:
        """The number of conflicting queens; repair counts two for each pair."""
        state = self.attempt.state
        return int(state[CONFLICTING]) if self.pairs is None else 2 * int(state[PAIRS])


def _min_conflicts(attempt: Attempt, callbacks: Callbacks, *, force: bool) -> LocalSearch:
    """Count the queens on all lines, fill the empty columns, and return the search by min-conflicts.

    After a windowed placement, raises NotEnoughMemoryError if the counters do not fit, unless ``force`` is true.
    """
    queens, state, instance = attempt.queens, attempt.state, attempt.instance
    n, size = instance.n, PLACEMENT_SLICE
    if attempt.bitsets is not None and not force:
        check_memory(_LINES_BYTES * n, f"counting the queens on every line of n = {n:,}")
    lines = empty_lines(instance)
    state[[PAIRS, CONFLICTING, UNUSED]] = 0
    for first, last in callbacks.slices("placement", n, size, 1, PASSES):
        lines.rows[first:last] = 0
        lines.sums[2 * first : 2 * last] = 0
        lines.differences[2 * first : 2 * last] = 0
    if instance.has_exclusions:
        lines.sums[instance.excluded_sums, 0] = min_conflicts_kernel.FORBIDDEN
        lines.differences[instance.excluded_differences + n, 0] = min_conflicts_kernel.FORBIDDEN
    for first, last in callbacks.slices("placement", n, size, 2, PASSES):
        min_conflicts_kernel.count_queens(queens, lines, state, first, last)
    for first, last in callbacks.slices("placement", n, size, 3, PASSES):
        min_conflicts_kernel.list_conflicts(queens, lines, state, first, last)
    for first, last in callbacks.slices("placement", n, size, 4, PASSES):
        min_conflicts_kernel.place_least_conflict(
            queens, lines, attempt.plateau, state, attempt.seed, attempt.number, first, last
        )
    return LocalSearch(attempt, lines=lines)
