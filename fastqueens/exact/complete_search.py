"""Complete search: a solution of an instance, the proof that there is none, or the number of its solutions.

A search begins as one tree in the thread of the caller, which is enough for most instances. The rest of a longer search
is cut into about a thousand subtrees, the parts that users see. They are searched in any order, on threads or on any
executor. A subtree that takes long gives work away: the untried squares of its first line become a further subtree.

The outcome of a subtree follows from its arguments. Outcomes count in the order of the keys of the subtrees, whenever
they arrive. So the answer, the board and the nodes depend neither on where, when and in which order subtrees are
searched, nor on the budgets in which a search is continued; and it can be continued from the outcomes in a file.

With more than 64 free columns, a search stays one tree in the thread of the caller.
"""

from __future__ import annotations

import heapq
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from typing import Any

import numpy as np

from fastqueens._run import thresholds
from fastqueens._run.arguments import NO_LIMIT
from fastqueens._run.executors import Executor, Job, results
from fastqueens._run.progress import Callbacks
from fastqueens._run.text import counted
from fastqueens.board import Queens, row_dtype
from fastqueens.errors import InputError, Stopped
from fastqueens.exact.checkpoint import Checkpoint, Key, Outcome
from fastqueens.exact.tree import SearchTree, Subtree, search_tree
from fastqueens.files.instances import json_line
from fastqueens.instance import Instance, make_instance
from fastqueens.kernels import tree as tree_kernel

#: The statuses of a search.
UNDER_WAY: int = tree_kernel.UNDER_WAY
FOUND: int = tree_kernel.FOUND
EXHAUSTED: int = tree_kernel.EXHAUSTED

STAGE = "complete search"

#: Progress towards a known number of solutions is reported in so many units, since the number can exceed 2**63.
PROGRESS = 10**15

# Fewer subtrees keep large clusters waiting for the last ones, and each takes 40 microseconds on a thread.
_SUBTREES = 1000

# A subtree of generation g tries thresholds.current.part_squares << min(g, _LAST) squares before it gives work away.
_LAST = 8

# Instances whose tables a process keeps.
_ROOTS = 8

# A key that comes after those of all subtrees.
_LAST_KEY: Key = (NO_LIMIT,)


class CompleteSearch:
    """One or several complete searches, until together they have found a number of solutions, or all.

    ``status`` is UNDER_WAY, FOUND (as many solutions as are wanted) or EXHAUSTED; ``nodes`` is the number of squares
    tried; ``solutions`` counts each solution as often as the weight of its search says; ``queens`` is the solution, if
    one is wanted and found.
    """

    def __init__(
        self,
        searches: Sequence[tuple[Instance, int]],
        limit: int = 1,
        *,
        seed: int = 0,
        known: int | None = None,
        threads: int | None = None,
        executor: Executor | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        """Prepare the search of each instance, given with its weight.

        ``limit`` is the number of solutions wanted, of a single search with weight 1. ``known`` is the number of
        solutions, if it is known; the progress uses it. ``checkpoint`` is a file to continue, or to create.
        """
        columns = searches[0][0].free_columns
        for name, value in (("executor", executor), ("checkpoint", checkpoint)):
            if value is not None and columns >= thresholds.current.wide_tree:
                raise InputError(
                    f"{name} is given, and {columns:,} columns have no fixed queen: only a search with at most "
                    f"{thresholds.current.wide_tree - 1} such columns has parts"
                )
        self._searches, self._limit, self._seed, self._known = searches, limit, seed, known
        self._threads, self._executor, self._file = threads, executor, checkpoint
        # The search whose tree is under way in this thread, and the tree.
        self._number = 0
        self._tree: SearchTree | None = None
        # Subtrees that wait (a heap), those that are searched, outcomes that do not count yet (a heap), and how many
        # subtrees have ended.
        self._waiting: list[tuple[Key, Subtree]] = []
        self._running: dict[Key, Subtree] = {}
        self._outcomes: list[tuple[Key, Outcome]] = []
        self._ended = 0
        self._first_found = _LAST_KEY
        # Squares tried by outcomes that count, and by all.
        self._counted = self._tried = 0
        self.status = UNDER_WAY
        self.nodes = self.solutions = 0
        self.queens: Queens = np.empty(0, row_dtype(searches[0][0].n))

    def advance(self, max_nodes: int, callbacks: Callbacks) -> int:
        """Try at most ``max_nodes`` further squares and return the status; also after :class:`Stopped`."""
        self._end, self._callbacks = min(NO_LIMIT, self.nodes + max_nodes), callbacks
        with Checkpoint(self._file, self._header() if self._file is not None else {}) as self._checkpoint:
            try:
                while self._is_to_do and self._number < len(self._searches):
                    self._search_here()
                if self._is_to_do:
                    self._search_subtrees()
            except BaseException as error:
                error.add_note(self._so_far())
                raise
        return self.status

    @property
    def _is_to_do(self) -> bool:
        return self.status == UNDER_WAY and self.nodes < self._end

    def _header(self) -> dict[str, Any]:
        """Return the values with which a checkpoint has to agree."""
        return {
            "n": self._searches[0][0].n,
            "seed": self._seed,
            "solutions wanted": None if self._limit == NO_LIMIT else self._limit,
            "instance": [json.loads(_text_of(instance)) for instance, _ in self._searches],
            "weights": [weight for _, weight in self._searches],
            "free columns": [instance.free_columns for instance, _ in self._searches],
            # These values decide which subtrees there are.
            "budgets": [thresholds.current.uncut_squares, thresholds.current.part_squares, _SUBTREES, _LAST],
        }

    def _search_here(self) -> None:
        """Search the tree for some milliseconds; cut it into subtrees if it is large."""
        instance, weight = self._searches[self._number]
        tree = self._tree = self._tree or search_tree(instance, self._seed)
        uncut = NO_LIMIT if tree.is_wide else max(1, thresholds.current.uncut_squares // len(self._searches))
        if tree.nodes == uncut:
            for at, subtree in enumerate(tree.cut(max(2, _SUBTREES // len(self._searches)))):
                heapq.heappush(self._waiting, ((0, self._number, at), subtree))
        else:
            nodes, solutions = tree.nodes, tree.solutions
            status = tree.search(min(uncut, nodes + self._end - self.nodes, nodes + tree.slice), self._limit)
            self.nodes = self._counted = self._tried = self.nodes + tree.nodes - nodes
            self.solutions += weight * (tree.solutions - solutions)
            if status == FOUND:
                self.queens, self.status = tree.board(tree.last_places), FOUND
            elif status == UNDER_WAY:
                self._poll()
                return
        self._number, self._tree = self._number + 1, None
        if self._number == len(self._searches):
            self._count()
        self._poll()

    def _search_subtrees(self) -> None:
        """Search subtrees until the answer is known or the squares are tried."""
        self._count()
        where: dict[str, Any] = {"threads": self._threads, "executor": self._executor}
        try:
            with closing(results(self._tasks(), self._poll, **where, has_short_jobs=True)) as found:
                for key, outcome in found:
                    self._checkpoint.add(key, outcome)
                    self._end_subtree(key, outcome)
                    if not self._is_to_do:
                        break
        finally:
            for waiting in self._running.items():
                heapq.heappush(self._waiting, waiting)
            self._running.clear()
        self._poll()

    def _tasks(self) -> Iterator[Job | None]:
        """Yield the subtrees whose outcomes are not in the checkpoint, in the order of their keys."""
        while self._is_to_do:
            if not self._waiting or self._waiting[0][0] > self._first_found:
                yield None
                continue
            key, subtree = heapq.heappop(self._waiting)
            self._running[key] = subtree
            outcome = self._checkpoint.outcomes.pop(key, None)
            if outcome is not None:
                self._end_subtree(key, outcome)
                continue
            instance, _ = self._searches[key[1]]
            budget = thresholds.current.part_squares << min(key[0], _LAST)
            yield Job(key, search_subtree, (_text_of(instance), self._seed, subtree, budget, self._limit))

    def _end_subtree(self, key: Key, outcome: Outcome) -> None:
        """Keep an outcome until it counts, and take up the work that was given away."""
        generation, number, *place = key
        _, weight = self._searches[number]
        del self._running[key]
        self._ended += 1
        self._tried += outcome.nodes
        self.solutions += weight * outcome.solutions
        if outcome.places is not None:
            self._first_found = min(self._first_found, key)
        heapq.heappush(self._outcomes, (key, outcome))
        for at, subtree in enumerate(outcome.remaining):
            heapq.heappush(self._waiting, ((generation + 1, number, *place, at), subtree))
        self._count()

    def _count(self) -> None:
        """Count every outcome whose predecessors have all arrived, and set the status if the search is over.

        A subtree comes before those that it gives away, so nothing that waits or runs has a descendant before itself.
        """
        if self.status != UNDER_WAY:
            return
        if 1 < self._limit <= self.solutions:
            self.status = FOUND
            return
        while self._outcomes:
            key, outcome = self._outcomes[0]
            if key > min(self._running, default=_LAST_KEY) or (self._waiting and key > self._waiting[0][0]):
                return
            if self._counted + outcome.nodes > self._end:
                self.nodes = self._end
                return
            heapq.heappop(self._outcomes)
            self.nodes = self._counted = self._counted + outcome.nodes
            if outcome.places is not None and self._limit == 1:
                root = _root(_text_of(self._searches[key[1]][0]), self._seed)
                self.queens, self.status = root.board(np.array(outcome.places)), FOUND
                return
        if not self._waiting and not self._running:
            self.status = EXHAUSTED

    def _poll(self) -> None:
        """Report squares, also of a budget, or progress towards the known number; the stage counts parts."""
        stage, done, total = STAGE, min(self._tried, self._end), self._end
        if total == NO_LIMIT:
            stage += f" ({self._parts_done()})" * (self._ended > 0)
            if self._known:
                done, total = PROGRESS * self.solutions // self._known, PROGRESS
        # An answer is kept, also if the user stops now.
        self._callbacks.poll(stage, done, total, may_stop=self.status == UNDER_WAY)

    def _parts_done(self) -> str:
        return f"{self._ended:,} of {counted(self._ended + len(self._running) + len(self._waiting), 'part')}"

    def _so_far(self) -> str:
        """Return the progress, for the message of an error."""
        percent = f", {100 * self.solutions / self._known:.2g} % of the known number" if self._known else ""
        tried, found = counted(self._tried, "square"), counted(self.solutions, "solution")
        return f"{self._parts_done()}, {tried} tried, {found} so far{percent}"


def search_subtree(
    instance: str, seed: int, subtree: Subtree, budget: int, wanted: int, *, stop: Callable[[], bool] | None = None
) -> Outcome:
    """Search a subtree until it ends or ``wanted`` solutions are found; the outcome follows from the arguments alone.

    After ``budget`` squares, and after each further quarter of it, the search gives work away if it can.
    """
    tree = _root(instance, seed).begun(subtree)
    remaining: list[Subtree] = []
    while (status := tree.search(min(budget, tree.nodes + tree.slice), wanted)) == UNDER_WAY:
        if stop is not None and stop():
            raise Stopped("stopped because the search is over")
        if tree.nodes == budget:
            remaining += tree.give_away(subtree.queens)
            budget += max(1, budget // 4)
    places = tree.last_places.tolist() if status == FOUND else None
    return Outcome(tree.nodes, tree.solutions, places, tuple(remaining))


def _text_of(instance: Instance) -> str:
    return json_line(instance).decode()


@lru_cache(_ROOTS)
def _root(instance: str, seed: int) -> SearchTree:
    return search_tree(make_instance(**json.loads(instance)), seed)
