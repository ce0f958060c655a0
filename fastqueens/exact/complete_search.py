"""Complete search: a solution of an instance, a proof that there is none, or the number of its solutions.

A search begins as one tree in the caller's thread, which is enough for most instances. The rest of a longer search is
cut into about a thousand subtrees, which users see as parts. The subtrees are searched in any order, on threads or on
an executor. A subtree that takes long gives work away: the untried squares of its first line become another subtree.

The outcome of a subtree depends only on its arguments, and outcomes are counted in the order of their keys, not in the
order in which they arrive. Therefore the answer, the board and the nodes do not depend on the machines, the schedule or
the budgets of a search, and a search can be continued from the outcomes in a file.
"""

from __future__ import annotations

import heapq
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from typing import Any, Final, SupportsIndex

import numpy as np

from fastqueens._run.arguments import NO_LIMIT, check_executor
from fastqueens._run.executors import Executor, Job, results
from fastqueens._run.progress import Callbacks
from fastqueens._run.text import counted
from fastqueens._run.threads import checked_threads
from fastqueens.board import Queens, row_dtype
from fastqueens.errors import Stopped
from fastqueens.exact.checkpoint import Checkpoint, Key, Outcome
from fastqueens.exact.tree import SearchTree, Subtree, search_tree
from fastqueens.files.instances import json_line
from fastqueens.instance import Instance, make_instance
from fastqueens.kernels import tree as tree_kernel

#: The possible statuses of a search.
UNDER_WAY: int = tree_kernel.UNDER_WAY
FOUND: int = tree_kernel.FOUND
EXHAUSTED: int = tree_kernel.EXHAUSTED

STAGE = "complete search"

#: Squares that are tried between two calls of the callbacks (in a few milliseconds), in one tree before it is cut into
#: subtrees (40 ms), and in a subtree before it gives work away (1 ms; later subtrees try more).
TREE_SLICE: Final = 1 << 17
UNCUT_SQUARES: Final = 1 << 21
PART_SQUARES: Final = 1 << 16

# The number of subtrees. With fewer, large clusters would wait for the last ones. Each costs a thread 40 microseconds.
_SUBTREES = 1000

# A subtree of generation g tries PART_SQUARES << min(g, _LAST) squares before it gives work away.
_LAST = 8

# The number of instances whose tables a process keeps.
_ROOTS = 8

# A key that sorts after the keys of all subtrees.
_LAST_KEY: Key = (NO_LIMIT,)


class CompleteSearch:
    """One or several complete searches that run until they have found enough solutions together, or all of them.

    ``status`` is UNDER_WAY, FOUND (enough solutions) or EXHAUSTED. ``nodes`` is the number of squares tried.
    ``solutions`` is the number of solutions, each multiplied by the weight of its search. ``queens`` is the solution if
    one is wanted and found.
    """

    def __init__(
        self,
        searches: Sequence[tuple[Instance, int]],
        limit: int = 1,
        *,
        seed: int = 0,
        known: int | None = None,
        threads: SupportsIndex | None = None,
        executor: Executor | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        """Prepare the searches of (instance, weight) pairs.

        ``limit`` is the number of wanted solutions; limits require a single search with weight 1. ``known`` is the
        total number of solutions if it is known, and is used for progress. ``checkpoint`` is a file to continue or
        create.
        """
        checked_threads(threads)
        check_executor(executor)
        self._searches, self._limit, self._seed, self._known = searches, limit, seed, known
        self._threads, self._executor, self._file = threads, executor, checkpoint
        # The number of the search that runs in this thread, and its tree.
        self._number = 0
        self._tree: SearchTree | None = None
        # A heap of waiting subtrees, the running subtrees, a heap of outcomes that are not counted yet, and the number
        # of subtrees that have ended.
        self._waiting: list[tuple[Key, Subtree]] = []
        self._running: dict[Key, Subtree] = {}
        self._outcomes: list[tuple[Key, Outcome]] = []
        self._ended = 0
        self._first_found = _LAST_KEY
        # The squares tried in counted outcomes, and in all outcomes.
        self._counted = self._tried = 0
        self.status = UNDER_WAY
        self.nodes = self.solutions = 0
        self.queens: Queens = np.empty(0, row_dtype(searches[0][0].n))

    def advance(self, max_nodes: int, callbacks: Callbacks) -> int:
        """Try at most ``max_nodes`` further squares and return the status. Can be called again after Stopped."""
        self._end, self._callbacks = min(NO_LIMIT, self.nodes + max_nodes), callbacks
        with Checkpoint(self._file, self._header() if self._file is not None else {}) as self._checkpoint:
            while self._is_to_do and self._number < len(self._searches):
                self._search_here()
            if self._is_to_do:
                self._search_subtrees()
        return self.status

    @property
    def _is_to_do(self) -> bool:
        return self.status == UNDER_WAY and self.nodes < self._end

    def _header(self) -> dict[str, Any]:
        """Return the values that a checkpoint of this search must contain."""
        return {
            "n": self._searches[0][0].n,
            "seed": self._seed,
            "solutions wanted": None if self._limit == NO_LIMIT else self._limit,
            "instance": [_text_of(instance) for instance, _ in self._searches],
            # These values determine the subtrees.
            "budgets": [UNCUT_SQUARES, PART_SQUARES, _SUBTREES, _LAST],
        }

    def _search_here(self) -> None:
        """Search the tree in this thread for a few milliseconds, or cut it into subtrees if it is large."""
        instance, weight = self._searches[self._number]
        tree = self._tree = self._tree or search_tree(instance, self._seed)
        uncut = max(1, UNCUT_SQUARES // len(self._searches))
        if tree.nodes == uncut:
            for at, subtree in enumerate(tree.cut(max(2, _SUBTREES // len(self._searches)))):
                heapq.heappush(self._waiting, ((0, self._number, at), subtree))
        else:
            nodes, solutions = tree.nodes, tree.solutions
            end = min(uncut, nodes + self._end - self.nodes, nodes + TREE_SLICE)
            status = tree.search(end, self._limit)
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
        """Search subtrees until the answer is known or the budget is used up."""
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
        """Yield a job for each subtree without an outcome in the checkpoint, in the order of the keys.

        None means that no job can start before a running one ends.
        """
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
            budget = PART_SQUARES << min(key[0], _LAST)
            yield Job(key, search_subtree, (_text_of(instance), self._seed, subtree, budget, self._limit))

    def _end_subtree(self, key: Key, outcome: Outcome) -> None:
        """Keep an outcome until it can be counted, and add the subtrees that were given away."""
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

        A subtree sorts before the subtrees that it gives away. Therefore no later outcome can precede a counted one.
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
        """Report the squares tried or, if their number is known, the solutions; the stage names the parts."""
        stage, done, total = STAGE, min(self._tried, self._end), self._end
        if total == NO_LIMIT:
            if self._ended:
                parts = counted(self._ended + len(self._running) + len(self._waiting), "part")
                stage += f" ({self._ended:,} of {parts})"
            if self._known:
                done, total = self.solutions, self._known
        # If the answer is known, it is kept even if the user stops now.
        self._callbacks.poll(stage, done, total, may_stop=self.status == UNDER_WAY)


def search_subtree(
    instance: str, seed: int, subtree: Subtree, budget: int, wanted: int, *, stop: Callable[[], bool] | None = None
) -> Outcome:
    """Search a subtree until it ends or ``wanted`` solutions are found. The outcome depends only on the arguments.

    After ``budget`` squares, and whenever a quarter more has been tried, the search gives work away if it can.
    """
    tree = _root(instance, seed).begun(subtree)
    remaining: list[Subtree] = []
    while (status := tree.search(min(budget, tree.nodes + TREE_SLICE), wanted)) == UNDER_WAY:
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
