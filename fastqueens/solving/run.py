"""One call of :func:`fastqueens.solve`: local search and complete search in turns, then the check of the board."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from fastqueens.check.verification import find_fault
from fastqueens.core import thresholds
from fastqueens.core.arguments import NO_LIMIT
from fastqueens.core.board import Queens
from fastqueens.core.errors import NoSolutionError, Stopped
from fastqueens.core.instance import Instance
from fastqueens.core.progress import Callbacks
from fastqueens.core.threads import Workers
from fastqueens.core.wording import counted
from fastqueens.jit import clock
from fastqueens.solving.arrays import Attempt, new_attempt
from fastqueens.solving.repair_kernel import NEEDS_MIN_CONFLICTS
from fastqueens.solving.result import Recorder, Result, Timings
from fastqueens.solving.search_kernel import BEST_PAIRS, PAIRS, SOLVED, UNDER_WAY
from fastqueens.solving.task import Task, stagnation_limit
from fastqueens.solving.windows import LocalSearch, min_conflicts_after_repair, place

if TYPE_CHECKING:
    from fastqueens.exact.complete_search import CompleteSearch

_KEEP_INITIAL_QUEENS = 4096


class SearchRun:
    """One call of :func:`solve`: attempts and turns of complete search until one finds a solution or all is spent."""

    def __init__(self, task: Task, workers: Workers, callbacks: Callbacks) -> None:
        self._task = task
        self._searchers = workers
        self._workers = workers if task.n >= thresholds.current.threads else Workers(1)
        self._callbacks = callbacks
        self._seconds = dict.fromkeys(Timings._fields, 0.0)
        self._recorder = Recorder(trace=task.trace, moves=task.moves, force=task.force)
        self._steps = 0
        self._fewest_pairs = NO_LIMIT
        self._initial_queens: Queens | None = None
        self._best: _Best | None = None
        self._attempts = 0
        self._is_stopped = False
        self._complete_search: CompleteSearch | None = None

    def result(self) -> Result:
        """Search, check the board, and put the result together."""
        best = self._in_out(self._search())
        sweeps = self._mix(best)
        with self._timing("verification"):
            self._check(best)
        if self._is_stopped and self._task.file is not None:
            raise Stopped(f"stopped before {self._task.file} was complete")
        trace, moves = self._recorder.result()
        return Result(
            queens=best.queens,
            solved=best.pairs == 0,
            method=best.method if best.pairs == 0 else None,
            steps=self._steps,
            initial_pairs=self._recorder.initial_pairs,
            pairs=best.pairs,
            conflicting_queens=best.conflicting_queens,
            trace=trace,
            restarts=tuple(self._recorder.restarts),
            seed=self._task.seed,
            start=self._task.start_of(0),
            timings=Timings(**self._seconds),
            initial_queens=self._initial_queens,
            instance=self._task.instance,
            attempts=self._attempts,
            nodes=self._nodes,
            moves=moves,
            sweeps=sweeps,
        )

    def _search(self) -> _Best:
        """Let local search and complete search take turns with growing budgets; return the best board of all."""
        is_turn_of_complete_search = self._task.is_complete_search_first
        attempts, nodes = 1, self._task.first_nodes
        while not self._is_solved and (self._has_attempts_left or self._has_nodes_left):
            if is_turn_of_complete_search and self._has_nodes_left:
                self._try_squares(min(nodes, self._task.max_nodes - self._nodes))
                nodes *= 2
            elif not is_turn_of_complete_search:
                end = self._attempts + attempts
                while self._attempts < end and self._has_attempts_left and not self._is_solved:
                    self._attempt()
                attempts *= 2
            is_turn_of_complete_search = not is_turn_of_complete_search
        if self._best is None:  # the complete search has spent its budget, and there is no local search
            self._keep_if_best(*self._first_board())
        assert self._best is not None
        return self._best

    @property
    def _is_solved(self) -> bool:
        return self._best is not None and self._best.pairs == 0

    @property
    def _has_attempts_left(self) -> bool:
        task = self._task
        if task.method == "complete" or self._is_stopped:
            return False
        return self._attempts == 0 or (self._attempts <= task.restarts and self._steps < task.max_steps)

    @property
    def _has_nodes_left(self) -> bool:
        return self._task.has_complete_search and not self._is_stopped and self._nodes < self._task.max_nodes

    @property
    def _nodes(self) -> int:
        return 0 if self._complete_search is None else self._complete_search.nodes

    def _attempt(self) -> None:
        """Make one attempt of local search, and keep its board if it is the best one."""
        try:
            attempt, search = self._first_board()
        except Stopped:
            if self._best is None:
                raise
            self._is_stopped = True
            return
        with self._timing("search"):
            search = self._search_from(attempt, search)
        self._keep_if_best(attempt, search)

    def _keep_if_best(self, attempt: Attempt, search: LocalSearch) -> None:
        pairs = int(attempt.state[PAIRS])
        if self._best is None or pairs < self._best.pairs:
            self._best = _Best(pairs, search.conflicting, attempt.queens, "local")

    def _try_squares(self, nodes: int) -> None:
        """Let the complete search try at most ``nodes`` squares."""
        from fastqueens.exact.complete_search import EXHAUSTED, FOUND, CompleteSearch

        task = self._task
        with self._timing("complete_search"):
            if self._complete_search is None:
                self._complete_search = CompleteSearch(task.instance, self._searchers, seed=task.seed)
            try:
                status = self._complete_search.advance(nodes, self._callbacks)
            except Stopped:
                if self._best is None:
                    raise
                self._is_stopped = True
                return
        if status == EXHAUSTED:
            raise _no_solution(task.instance, self._nodes, self._seconds["complete_search"])
        if status == FOUND:
            if self._attempts == 0:
                self._recorder.begin(0, 0, self._complete_search.queens)
            self._best = _Best(0, 0, self._complete_search.queens, "complete")

    def _first_board(self) -> tuple[Attempt, LocalSearch]:
        """Allocate the next attempt and place its queens."""
        task = self._task
        number = self._attempts
        self._attempts += 1
        start = task.start_of(number)
        callbacks = self._callbacks if number == 0 else self._callbacks.without_progress()
        with self._timing("allocation"):
            attempt = new_attempt(
                task.instance,
                seed=task.seed,
                number=number,
                stagnation_limit=stagnation_limit(task.n),
                is_windowed=start == "windowed",
                board=task.board if number == 0 else None,
                out=task.out if number == 0 else None,
                workers=self._workers,
                callbacks=callbacks,
            )
        with self._timing("placement"):
            search = place(attempt, start, self._workers, callbacks, force=task.force)
        attempt.state[BEST_PAIRS] = attempt.state[PAIRS]
        self._recorder.begin(int(attempt.state[PAIRS]), search.conflicting, attempt.queens)
        if number == 0 and task.n <= _KEEP_INITIAL_QUEENS:
            self._initial_queens = attempt.queens.copy()
        return attempt, search

    def _search_from(self, attempt: Attempt, search: LocalSearch) -> LocalSearch:
        """Make steps until the board is solved, stagnant, out of steps, or the user stops."""
        task = self._task
        status = UNDER_WAY if attempt.state[PAIRS] else SOLVED
        while status == UNDER_WAY and self._steps < task.max_steps:
            max_steps = min(thresholds.current.search_slice, task.max_steps - self._steps)
            status, steps = search.advance(max_steps, stagnation_limit(task.n), self._recorder.buffer)
            self._steps += steps
            self._recorder.add(steps)
            if status == NEEDS_MIN_CONFLICTS:
                search = min_conflicts_after_repair(attempt, Callbacks(), force=task.force)
                status = UNDER_WAY
            # Pairs resolved: those of the first board minus the fewest seen in any attempt.
            self._fewest_pairs = min(self._fewest_pairs, int(attempt.state[PAIRS]))
            initial = self._recorder.initial_pairs
            resolved = max(0, initial - self._fewest_pairs)
            try:
                self._callbacks.poll("search", resolved, initial, may_stop=status == UNDER_WAY)
            except Stopped:
                self._is_stopped = True
                break
        return search

    def _in_out(self, best: _Best) -> _Best:
        """Copy the best board into the caller's array, if there is one."""
        if self._task.out is not None and best.queens is not self._task.out:
            self._task.out[:] = best.queens
            best = best._replace(queens=self._task.out)
        return best

    def _mix(self, best: _Best) -> int:
        """Mix a solution if the task asks for it; return how many sweeps were made."""
        task = self._task
        if not task.mix or best.pairs:
            return 0
        from fastqueens.solving.holes import mix

        with self._timing("mixing"):
            sweeps = mix(best.queens, task.instance, task.mix, task.seed, self._callbacks)
        self._is_stopped = sweeps < task.mix
        return sweeps

    def _check(self, best: _Best) -> None:
        """Raise :class:`RuntimeError` if the board is not what the search says it is."""
        is_solved = best.pairs == 0
        # The stop callback ends a search with an unsolved board, and mixing. That board is checked all the same.
        callbacks = self._callbacks if is_solved and not self._is_stopped else Callbacks()
        task = self._task
        fault = find_fault(best.queens, task.instance, self._workers, callbacks, is_solved=is_solved)
        if fault is not None:
            raise RuntimeError(f"the search ended with a board that is wrong, please report this: {fault}; {task}")

    @contextmanager
    def _timing(self, part: str) -> Iterator[None]:
        """Add the time that the block takes, without that of compiling, to the seconds of a part of the work."""
        begun = clock.seconds()
        try:
            yield
        finally:
            self._seconds[part] += clock.seconds() - begun


class _Best(NamedTuple):
    """The board with the fewest pairs so far, and the method that found it."""

    pairs: int
    conflicting_queens: int
    queens: Queens
    method: str | None


def _no_solution(instance: Instance, nodes: int, seconds: float) -> NoSolutionError:
    """Return the error that says what complete search has proved."""
    constraints = f" with {instance.constraints}" if instance.constraints else ""
    error = NoSolutionError(
        f"no solution exists for n = {instance.n}{constraints}: all possibilities were tried "
        f"({counted(nodes, 'square')})"
    )
    error.nodes, error.seconds = nodes, seconds
    return error
