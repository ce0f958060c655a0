"""Complete search in parts that run anywhere: on threads, in processes, or on the workers of a cluster.

A search begins in rounds in this process, which are enough for most instances. After about two seconds of work, the
rest is divided into many bundles, which are tasks. A task has a budget of squares: when it is used up, the task returns
the rest of its work as one or two further bundles. Budgets grow until a task takes almost a second, so running
tasks end soon whatever happens.

Tasks have numbers. Their outcomes count in the order of these numbers, whenever they arrive, and the bundles that are
left get the next numbers when an outcome counts. An outcome follows from the arguments of its task. So the answer, the
board and the nodes do not depend on where, when and in which order tasks run, and a search can be continued from the
outcomes in a file.
"""

from __future__ import annotations

import json
import math
import os
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, NoReturn

import numpy as np

from fastqueens.core import thresholds
from fastqueens.core.arguments import NO_LIMIT
from fastqueens.core.board import Queens, row_dtype
from fastqueens.core.errors import counted
from fastqueens.core.executors import Executor, Task, run_tasks
from fastqueens.core.instance import Instance
from fastqueens.core.progress import Callbacks
from fastqueens.core.threads import Workers, checked_threads
from fastqueens.exact.bundles import Outcome, bundles_of, search_bundle, text_of
from fastqueens.exact.checkpoint import Checkpoint
from fastqueens.exact.complete_search import EXHAUSTED, FOUND, UNDER_WAY, Rounds, parts_and_slice
from fastqueens.exact.tree import SearchTree, search_tree

STAGE = "complete search"

#: A share of the work is reported in such parts: a count may take years.
PROGRESS = 10**15

# Bundles after the rounds: enough for 100 workers from the beginning.
_FIRST_BUNDLES = 1024

# Tasks have a budget of one round, about 25 ms, times a power of two: the exponent of the first ones if one solution is
# wanted or more, and the most, which is reached one by one. A solution was found in half the squares with 0 as with 2.
_FIRST_TURN, _FIRST_COUNT, _LAST = 0, 2, 5


class _Job(NamedTuple):
    """A bundle of one of the searches, and how many tasks one after the other have led to it."""

    search: int
    generation: int
    bundle: str


class _OverError(Exception):
    """The search is over, whatever else is under way."""


class SearchInParts:
    """One or several complete searches, until together they have found a number of solutions, or all.

    Attributes
    ----------
    status : int
        UNDER_WAY, FOUND (as many solutions as are wanted), or EXHAUSTED.
    nodes : int
        The number of squares tried.
    solutions : int
        The number of solutions found, each times the weight of its search.
    queens : (n,) array
        A solution, if one is wanted and found.
    """

    def __init__(
        self,
        searches: Sequence[tuple[Instance, int]],
        limit: int,
        *,
        seed: int = 0,
        known: int | None = None,
        threads: int | None = None,
        executor: Executor | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        """Prepare the search of each instance, whose solutions count as often as its weight says.

        ``limit`` is the number of solutions wanted, and ``known`` how many there are, if this is known: it tells how
        much is done. ``threads`` and ``executor`` are those of
        :func:`fastqueens.core.executors.run_tasks`; ``checkpoint`` is a file to continue, or to create.
        """
        self._searches, self._limit, self._seed = searches, limit, seed
        self._threads = None if threads is None else checked_threads(threads)
        self._executor, self._file = executor, checkpoint
        self._texts: list[str] = []
        # Tasks that wait, those that have begun, and outcomes that do not count yet; how many have begun and count.
        self._waiting = deque(_Job(at, -1, "") for at in range(len(searches)))
        self._begun: dict[int, _Job] = {}
        self._ended: dict[int, Outcome] = {}
        self._next = self._counted = 0
        # The first task known to have found enough.
        self._first_found = NO_LIMIT
        # Squares of a round of each search.
        self._rounds = [0] * len(searches)
        self._known = known
        # Squares tried and solutions found, also those of a round that does not count yet.
        self._seen = 0, 0
        self.status, self._is_over = UNDER_WAY, False
        self.nodes = self.solutions = 0
        self.queens: Queens = np.empty(0, row_dtype(searches[0][0].n))

    def advance(self, max_nodes: int, callbacks: Callbacks) -> int:
        """Search until all is decided or this number of squares is tried, and return the status. May be called once.

        Raises :class:`Stopped` if the stop callback returns True, and :class:`InputError` if the checkpoint is not one
        of this search.
        """
        self._max_nodes, self._callbacks = max_nodes, callbacks
        with Checkpoint(self._file, self._header() if self._file is not None else {}) as self._checkpoint:
            try:
                self._search_in_rounds()
                run_tasks(self._tasks(), self._poll, threads=self._threads, executor=self._executor)
            except _OverError:
                self._poll()
            except BaseException as error:
                self.nodes, self.solutions = map(max, (self.nodes, self.solutions), self._seen)
                error.add_note(self._so_far())
                raise
        return self.status

    def _header(self) -> dict[str, Any]:
        """Return what a checkpoint has to agree with."""
        return {
            "n": self._searches[0][0].n,
            "seed": self._seed,
            "solutions wanted": None if self._limit == NO_LIMIT else self._limit,
            "instance": [json.loads(text_of(instance)) for instance, _ in self._searches],
            "weights": [weight for _, weight in self._searches],
            # What the numbers of the tasks depend on besides.
            "budgets": [
                *(getattr(thresholds.current, name) for name in ("tree_slice", "first_rounds", "wide_tree")),
                *(_FIRST_BUNDLES, _FIRST_TURN, _FIRST_COUNT, _LAST),
            ],
        }

    def _search_in_rounds(self) -> None:
        """Do the first task of each search in this process; later ones do the rest."""
        with Workers(checked_threads(None if self._executor else self._threads)) as workers:
            for instance, _ in self._searches:
                number, _ = self._take()
                tree = search_tree(instance, self._seed)
                self._rounds[number] = math.prod(parts_and_slice(tree))
                outcome = self._checkpoint.outcomes.pop((number,), None)
                if outcome is None:
                    outcome = self._first_outcome(tree, number, workers)
                    self._checkpoint.add((number,), outcome)
                self._end(number, outcome)
        self._texts = [text_of(instance) for instance, _ in self._searches]

    def _first_outcome(self, tree: SearchTree, number: int, workers: Workers) -> Outcome:
        """Search in rounds, and divide the rest after enough of them."""
        rounds = Rounds(tree, self._limit)
        enough = self._rounds[number] * thresholds.current.first_rounds // len(self._searches)
        budget = self._max_nodes - self.nodes
        status = UNDER_WAY
        while status == UNDER_WAY and rounds.nodes < min(enough, budget):
            status = rounds.advance(budget - rounds.nodes, workers)
            if status == UNDER_WAY:  # an answer is kept, also if the user stops now
                self._poll(rounds.nodes, rounds.solutions * self._searches[number][1])
        if status == UNDER_WAY and rounds.nodes == budget:
            self._stop(UNDER_WAY, self._max_nodes)
        if status == UNDER_WAY:
            left = bundles_of(rounds.trees, max(1, _FIRST_BUNDLES // len(self._searches)))
            return Outcome(rounds.nodes, rounds.solutions, left=left)
        queens = None
        if status == FOUND and self._limit == 1:
            queens = rounds.first_found.board(rounds.first_found.last_places).tolist()
        return Outcome(rounds.nodes, rounds.solutions, queens)

    def _take(self) -> tuple[int, _Job]:
        """Return the next task and its number."""
        number = self._next
        self._next += 1
        job = self._begun[number] = self._waiting.popleft()
        return number, job

    def _tasks(self) -> Iterator[Task | None]:
        """Generate the tasks whose outcomes are not in the checkpoint; :class:`_OverError` ends it."""
        while True:
            if not self._waiting or self._next > self._first_found:
                yield None
                continue
            number, job = self._take()
            outcome = self._checkpoint.outcomes.pop((number,), None)
            if outcome is not None:
                self._end(number, outcome)
                continue
            first = _FIRST_TURN if self._limit == 1 else _FIRST_COUNT
            budget = self._rounds[job.search] << min(first + job.generation, _LAST)
            arguments = self._texts[job.search], self._seed, job.bundle, budget, self._limit
            yield Task(search_bundle, arguments, partial(self._done, number))

    def _done(self, number: int, outcome: Outcome) -> None:
        self._checkpoint.add((number,), outcome)
        self._end(number, outcome)

    def _end(self, number: int, outcome: Outcome) -> None:
        """End a task, and let all outcomes count that no earlier one is missing for."""
        if self._is_over:
            raise _OverError
        if outcome.solutions >= self._limit:
            self._first_found = min(self._first_found, number)
        self._ended[number] = outcome
        while (following := self._ended.pop(self._counted, None)) is not None:
            self._count(self._begun.pop(self._counted), following)

    def _count(self, job: _Job, outcome: Outcome) -> None:
        """Let the next outcome count, in the order of their numbers."""
        self._counted += 1
        if self.nodes + outcome.nodes > self._max_nodes:
            self._stop(UNDER_WAY, self._max_nodes)
        self.nodes += outcome.nodes
        self.solutions += outcome.solutions * self._searches[job.search][1]
        if self.solutions >= self._limit:
            self.queens = np.array(outcome.queens or (), self.queens.dtype)
            self._stop(FOUND, self.nodes)
        self._waiting.extend(_Job(job.search, job.generation + 1, bundle) for bundle in outcome.left)
        if not self._waiting and not self._begun:
            self._stop(EXHAUSTED, self.nodes)

    def _stop(self, status: int, nodes: int) -> NoReturn:
        """End the search: outcomes that arrive later do not count."""
        self.status, self.nodes, self._is_over = status, nodes, True
        raise _OverError

    def _poll(self, more_nodes: int = 0, more_solutions: int = 0) -> None:
        """Report squares, also of a budget, or the share of the known number of solutions; the stage counts parts."""
        self._seen = nodes, solutions = self.nodes + more_nodes, self.solutions + more_solutions
        stage, done, total = STAGE, nodes, self._max_nodes
        if self._max_nodes == NO_LIMIT:
            done_parts, parts = (number - len(self._searches) for number in self._parts())
            stage += f" ({done_parts:,} of {counted(parts, 'part')})" * (done_parts > 0)
            if self._known:
                done, total = PROGRESS * solutions // self._known, PROGRESS
        self._callbacks.poll(stage, done, total, may_stop=self.status == UNDER_WAY)

    def _parts(self) -> tuple[int, int]:
        """Return how many parts are done, and how many there are so far: unfinished ones are divided further."""
        return self._counted, self._next + len(self._waiting)

    def _so_far(self) -> str:
        """Return what was done, for the message of an error."""
        done, parts = self._parts()
        share = f", {100 * self.solutions / self._known:.2g} % of the known number" if self._known else ""
        return (
            f"{done:,} of {counted(parts, 'part')}, {counted(self.nodes, 'square')} tried, "
            f"{counted(self.solutions, 'solution')} so far{share}"
        )
