"""Complete search: a solution of an instance, the proof that there is none, or the number of its solutions.

A search begins as one tree in the thread of the caller, which is enough for most instances. The rest of a longer search
is cut into about a thousand parts, along the columns and rows that the tree itself has chosen. Parts run in any order,
on threads or on any executor. A part that takes long gives work away: the untried squares of its first line become a
further part.

A part has a key, which says where it belongs, and its outcome follows from its arguments. Outcomes count in the order
of the keys, whenever they arrive. So the answer, the board and the nodes depend neither on where, when and in which
order parts run, nor on the budgets in which a search is continued; and it can be continued from the outcomes in a file.

With more than 64 free columns, a search stays one tree in the thread of the caller.
"""

from __future__ import annotations

import heapq
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from fastqueens._run import thresholds
from fastqueens._run.arguments import NO_LIMIT
from fastqueens._run.executors import Executor, Job, results
from fastqueens._run.progress import Callbacks
from fastqueens._run.text import counted
from fastqueens.board import Queens, row_dtype
from fastqueens.errors import InputError, Stopped
from fastqueens.exact.checkpoint import Checkpoint, Key, Outcome
from fastqueens.exact.tree import SearchTree, search_tree
from fastqueens.files.instances import json_line
from fastqueens.instance import Instance, make_instance
from fastqueens.kernels import tree as tree_kernel
from fastqueens.kernels.tree import LEVEL, NO_LINE, OFFSET

#: The statuses of a search.
UNDER_WAY: int = tree_kernel.UNDER_WAY
FOUND: int = tree_kernel.FOUND
EXHAUSTED: int = tree_kernel.EXHAUSTED

STAGE = "complete search"

#: The share of the known number of solutions is reported as so many parts, since the number may be larger than 2**63.
PROGRESS = 10**15

# Parts of a search: fewer keep large clusters waiting for the last ones, and each takes 40 microseconds on a thread.
_PARTS = 1000

# A part of generation g tries thresholds.current.part_squares << min(g, _LAST) squares before it gives work away.
_LAST = 8

# Instances whose tables a process keeps.
_ROOTS = 8

# A key that comes after those of all parts.
_LAST_KEY: Key = (NO_LIMIT,)

#: Queens on these squares (column * m + row of the free columns and rows), in the order in which they were placed, and
#: as bits the squares to try on the line that is chosen next; 0 for all of its squares.
Piece: TypeAlias = tuple[tuple[int, ...], int]


class Part(NamedTuple):
    """A part of a search. The key is its generation, the number of its search, and its place in that search."""

    key: Key
    queens: tuple[int, ...]
    squares: int


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

        ``limit`` is the number of solutions wanted, of a single search with weight 1. ``known`` is how many there are,
        if this is known, and serves the progress. ``checkpoint`` is a file to continue, or to create.
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
        self._number, self._tree = 0, None
        # Parts that wait (a heap), those that run, outcomes that do not count yet (a heap), and how many have ended.
        self._waiting: list[Part] = []
        self._running: dict[Key, Part] = {}
        self._outcomes: list[tuple[Key, Outcome]] = []
        self._ended = 0
        self._first_found = _LAST_KEY
        # Squares tried by outcomes that count, and by all.
        self._counted = self._tried = 0
        self.status = UNDER_WAY
        self.nodes = self.solutions = 0
        self.queens: Queens = np.empty(0, row_dtype(searches[0][0].n))

    _tree: SearchTree | None

    def advance(self, max_nodes: int, callbacks: Callbacks) -> int:
        """Try at most ``max_nodes`` further squares and return the status; also after :class:`Stopped`."""
        self._end, self._callbacks = min(NO_LIMIT, self.nodes + max_nodes), callbacks
        with Checkpoint(self._file, self._header() if self._file is not None else {}) as self._checkpoint:
            try:
                while self._is_to_do and self._number < len(self._searches):
                    self._search_tree()
                if self._is_to_do:
                    self._search_parts()
            except BaseException as error:
                error.add_note(self._so_far())
                raise
        return self.status

    @property
    def _is_to_do(self) -> bool:
        return self.status == UNDER_WAY and self.nodes < self._end

    def _header(self) -> dict[str, Any]:
        """Return what a checkpoint has to agree with."""
        return {
            "n": self._searches[0][0].n,
            "seed": self._seed,
            "solutions wanted": None if self._limit == NO_LIMIT else self._limit,
            "instance": [json.loads(_text_of(instance)) for instance, _ in self._searches],
            "weights": [weight for _, weight in self._searches],
            "free columns": [instance.free_columns for instance, _ in self._searches],
            # These values decide which parts there are.
            "budgets": [thresholds.current.uncut_squares, thresholds.current.part_squares, _PARTS, _LAST],
        }

    def _search_tree(self) -> None:
        """Search the tree for some milliseconds; cut it into parts if it is large."""
        instance, weight = self._searches[self._number]
        tree = self._tree = self._tree or search_tree(instance, self._seed)
        uncut = NO_LIMIT if tree.is_wide else max(1, thresholds.current.uncut_squares // len(self._searches))
        if tree.nodes == uncut:
            for at, piece in enumerate(_cut(tree, max(2, _PARTS // len(self._searches)))):
                heapq.heappush(self._waiting, Part((0, self._number, at), *piece))
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

    def _search_parts(self) -> None:
        """Let parts run until the answer is known or the squares are tried."""
        self._count()
        where: dict[str, Any] = {"threads": self._threads, "executor": self._executor}
        try:
            with closing(results(self._tasks(), self._poll, **where, has_short_tasks=True)) as found:
                for part, outcome in found:
                    self._checkpoint.add(part.key, outcome)
                    self._end_part(part, outcome)
                    if not self._is_to_do:
                        break
        finally:
            for part in self._running.values():
                heapq.heappush(self._waiting, part)
            self._running.clear()
        self._poll()

    def _tasks(self) -> Iterator[Job | None]:
        """Yield the parts whose outcomes are not in the checkpoint, in the order of their keys."""
        while self._is_to_do:
            if not self._waiting or self._waiting[0].key > self._first_found:
                yield None
                continue
            part = heapq.heappop(self._waiting)
            self._running[part.key] = part
            outcome = self._checkpoint.outcomes.pop(part.key, None)
            if outcome is not None:
                self._end_part(part, outcome)
                continue
            instance, _ = self._searches[part.key[1]]
            budget = thresholds.current.part_squares << min(part.key[0], _LAST)
            arguments = (_text_of(instance), self._seed, part.queens, part.squares, budget, self._limit)
            yield Job(part, search_part, arguments)

    def _end_part(self, part: Part, outcome: Outcome) -> None:
        """Keep an outcome until it counts, and take up the work that it has given away."""
        generation, number, *place = part.key
        _, weight = self._searches[number]
        del self._running[part.key]
        self._ended += 1
        self._tried += outcome.nodes
        self.solutions += weight * outcome.solutions
        if outcome.places is not None:
            self._first_found = min(self._first_found, part.key)
        heapq.heappush(self._outcomes, (part.key, outcome))
        for at, piece in enumerate(outcome.left):
            heapq.heappush(self._waiting, Part((generation + 1, number, *place, at), *piece))
        self._count()

    def _count(self) -> None:
        """Count every outcome whose predecessors have all arrived, and set the status if the search is over.

        A part comes before those that it gives away, so what waits or runs has no descendant before itself.
        """
        if self.status != UNDER_WAY:
            return
        if 1 < self._limit <= self.solutions:
            self.status = FOUND
            return
        while self._outcomes:
            key, outcome = self._outcomes[0]
            if key > min(self._running, default=_LAST_KEY) or (self._waiting and key > self._waiting[0].key):
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
        """Report squares, also of a budget, or the share of the known number of solutions; the stage counts parts."""
        stage, done, total = STAGE, min(self._tried, self._end), self._end
        if total == NO_LIMIT:
            stage += f" ({self._ended:,} of {counted(self._parts, 'part')})" * (self._ended > 0)
            if self._known:
                done, total = PROGRESS * self.solutions // self._known, PROGRESS
        # An answer is kept, also if the user stops now.
        self._callbacks.poll(stage, done, total, may_stop=self.status == UNDER_WAY)

    @property
    def _parts(self) -> int:
        """How many parts there are so far."""
        return self._ended + len(self._running) + len(self._waiting)

    def _so_far(self) -> str:
        """Return what was done, for the message of an error."""
        share = f", {100 * self.solutions / self._known:.2g} % of the known number" if self._known else ""
        return (
            f"{self._ended:,} of {counted(self._parts, 'part')}, {counted(self._tried, 'square')} tried, "
            f"{counted(self.solutions, 'solution')} so far{share}"
        )


def search_part(
    instance: str,
    seed: int,
    queens: tuple[int, ...],
    squares: int,
    budget: int,
    wanted: int,
    *,
    stop: Callable[[], bool] | None = None,
) -> Outcome:
    """Search a part until it ends or ``wanted`` solutions are found; the outcome follows from the arguments alone.

    After ``budget`` squares, and after each further quarter of it, the part gives work away if it can.
    """
    tree = _begun(_root(instance, seed), queens, squares)
    left: list[Piece] = []
    while (status := tree.search(min(budget, tree.nodes + tree.slice), wanted)) == UNDER_WAY:
        if stop is not None and stop():
            raise Stopped("stopped because the search is over")
        if tree.nodes == budget:
            left += _given_away(tree, queens)
            budget += max(1, budget // 4)
    places = tree.last_places.tolist() if status == FOUND else None
    return Outcome(tree.nodes, tree.solutions, places, tuple(left))


def _text_of(instance: Instance) -> str:
    return json_line(instance).decode()


@lru_cache(_ROOTS)
def _root(instance: str, seed: int) -> SearchTree:
    return search_tree(make_instance(**json.loads(instance)), seed)


def _begun(root: SearchTree, queens: Sequence[int], squares: int) -> SearchTree:
    """Return a tree with these queens, and only these squares on the line that it chooses next."""
    tree = root.without_levels()
    tree.tree.domains[0], tree.tree.settled[0] = root.tree.domains[0], root.tree.settled[0]
    tree.tree.line[0], tree.tree.state[OFFSET] = NO_LINE, root.tree.state[OFFSET]
    tree_kernel.begin_with(tree.tree, np.array(queens, np.int64))
    if squares:
        tree.search(1, NO_LIMIT)
        tree.tree.untried[2] &= np.uint64(squares)
    return tree


def _pieces_of(tree: SearchTree, queens: tuple[int, ...]) -> list[Piece]:
    """Return what a tree that began with these queens has left: one piece for each level with untried squares.

    They come in the order of the search, so the piece of the last level is the first.
    """
    last, line = int(tree.tree.state[LEVEL]), tree.tree.line
    pieces = []
    for level in range(1, last + 1):
        if line[level] == NO_LINE:  # begin_with() has placed the queens of this level
            continue
        if tree.tree.untried[level]:
            pieces.append((queens, int(tree.tree.untried[level])))
        if level < last:  # the queen that the tree has placed last on the line
            place = int(tree.tree.domains[level + 1, line[level]]).bit_length() - 1
            queens = (*queens, _square(tree, int(line[level]), place))
    return pieces[::-1]


def _square(tree: SearchTree, line: int, place: int) -> int:
    """Return the number of a square, column * m + row, given its place on a line."""
    m, w = tree.lines.shape[1], tree.tree.domains.shape[1] >> 1
    return int(line * m + place if line < w else place * m + line - w)


def _given_away(tree: SearchTree, queens: tuple[int, ...]) -> list[Piece]:
    """Take away the untried squares of the first line that has any, unless no other line has some."""
    *others, first = _pieces_of(tree, queens) or [((), 0)]
    if not others:
        return []
    levels = np.flatnonzero(tree.tree.untried[2 : int(tree.tree.state[LEVEL]) + 1])
    tree.tree.untried[2 + int(levels[0])] = 0
    return [first]


def _cut(tree: SearchTree, wanted: int) -> list[Piece]:
    """Cut what a tree has left: the piece that seems largest, again and again, until there are enough or none is left.

    The work of a line is assumed to be the same for each of its squares.
    """
    share, shares = 1.0, []
    for level in range(1, int(tree.tree.state[LEVEL]) + 1):
        share /= int(tree.tree.domains[level, tree.tree.line[level]]).bit_count()
        if untried := int(tree.tree.untried[level]).bit_count():
            shares.append(share * untried)
    pieces = enumerate(zip(shares[::-1], _pieces_of(tree, ()), strict=True))
    heap: list[Any] = [(-share, (at,), piece) for at, (share, piece) in pieces]
    heapq.heapify(heap)
    whole: list[Any] = []
    while heap and len(heap) + len(whole) < wanted:
        share, key, piece = heapq.heappop(heap)
        children = _squares_of(tree, piece)
        if not children:
            whole.append((share, key, piece))
        for at, child in enumerate(children):
            heapq.heappush(heap, (share / len(children), (*key, at), child))
    return [piece for _, _, piece in sorted(whole + heap, key=lambda entry: entry[1])]


def _squares_of(root: SearchTree, piece: Piece) -> list[Piece]:
    """Return a piece for each square of the next line of a piece; none if there is no next line."""
    tree = _begun(root, *piece)
    if tree.nodes == 0:
        tree.search(1, NO_LIMIT)
    if tree.tree.state[LEVEL] < 2:
        return []
    line, untried = int(tree.tree.line[2]), int(tree.tree.untried[2])
    places = [place for place in range(64) if untried >> place & 1]
    return [((*piece[0], _square(tree, line, place)), 0) for place in places]
