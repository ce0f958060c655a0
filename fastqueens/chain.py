"""The Markov chain from solution to solution, for ``solve(mix=)`` and for samples.

The chain takes queens off the board, moves the holes, and puts queens back. docs/guides/random-solutions.md describes
it, and explains why its solutions are uniformly random in the long run.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import NO_LIMIT
from fastqueens._run.progress import Callbacks, slices
from fastqueens._run.thresholds import USUAL, Thresholds
from fastqueens.board import Queens, set_bits
from fastqueens.errors import Stopped
from fastqueens.instance import Instance
from fastqueens.kernels import holes as holes_kernel
from fastqueens.kernels import sampling as sampling_kernel
from fastqueens.kernels.holes import HoledBoard
from fastqueens.kernels.stream import MIXING

#: Columns that are read, and hops, between two calls of the callbacks, which take 10 to 20 ms.
CHECKED_SLICE: Final = 1 << 20
MIXING_SLICE: Final = 1 << 18

#: Probability 1. Probabilities are in units of 2**-64.
CERTAIN = 1 << 64

#: The most holes of a chain. The kernel draws this many random words at a time.
MOST_HOLES = 64

# The usual number of holes on boards larger than the cache: about as many as memory loads can be in flight at once.
_HOLES_OF_LARGE = 12

# The attempts to put a queen back that determine the odds of a large board, and the successes needed. The measured
# success rate must be precise, because the frequency of solutions depends on its twelfth power.
_TRIES, _SUCCESSES = 65_536, 1024

# Attempts per sweep to put a queen back. Mixing makes up to 300 times as many: it ends after a number of visits, and
# the number of hops between visits varies less if there are many.
_TRIES_PER_SWEEP = 24

# A chain gives up if it needs more attempts per hop than this.
_TRIES_PER_HOP = 100

# A chain that is stopped makes this many hops to reach a solution before it falls back to its first one.
_HOPS_TO_RETURN = 1 << 20


def board_with_holes(queens: Queens, instance: Instance, holes: int) -> HoledBoard:
    """Return a board with room for ``holes`` holes, on which only the excluded diagonals are marked."""
    n = instance.n
    sums, differences = np.zeros(2 * n // 64 + 3, np.uint64), np.zeros(2 * n // 64 + 3, np.uint64)
    if instance.has_exclusions:
        set_bits(sums, instance.excluded_sums)
        set_bits(differences, n - instance.excluded_differences)
    closed = np.zeros(-(-n // 64), np.uint64)
    blocks = np.empty(0, np.uint32)
    if n % 64:
        closed[-1] = CERTAIN - (1 << n % 64)
    if len(instance.fixed):
        for first, last in slices(len(instance.fixed), CHECKED_SLICE):
            set_bits(closed, instance.fixed.columns[first:last])
        blocks = np.flatnonzero(~closed).astype(np.uint32)
    columns, rows, ahead = (np.zeros(length, np.uint32) for length in (holes, holes, min(holes, MOST_HOLES)))
    return HoledBoard(queens, sums, differences, closed, blocks, columns, rows, ahead, instance.blocked_index)


class SolutionChain:
    """A Markov chain of boards that begins at a solution. After every method call, the board is a solution again.

    The chain changes ``queens`` in place; at least two queens must not be fixed. It needs 5/8 of a byte per queen in
    addition to the board, and a copy of the board if the board is small or has constraints.
    """

    def __init__(
        self,
        queens: Queens,
        instance: Instance,
        seed: int,
        number: int,
        callbacks: Callbacks | None = None,
        tries: int = _TRIES_PER_SWEEP,
        thresholds: Thresholds = USUAL,
    ) -> None:
        columns = instance.free_columns
        is_large = instance.n >= thresholds.holes_far
        # On a large board without constraints, putting queens back anywhere soon leads to a solution.
        self._first = None if is_large and instance.is_free else queens.copy()
        self._board = board_with_holes(queens, instance, min(MOST_HOLES, columns))
        self._state = np.zeros(holes_kernel.STATE_LENGTH, np.uint64)
        # Without progress, since this takes less time than a sweep.
        polled = (callbacks or Callbacks()).without_progress()
        for first, last in polled.slices("mixing", instance.n, CHECKED_SLICE):
            holes_kernel.mark_diagonals(self._board, first, last)
        holes_kernel.start(self._state, np.uint64(seed), np.uint64(number), MIXING)
        self._state[holes_kernel.FAR], self._state[holes_kernel.SHIFT] = is_large, shift_for(instance.n)
        self._odds = few_holes(columns, tries)
        if is_large:
            self._adapt(columns, polled)

    def _adapt(self, columns: int, callbacks: Callbacks) -> None:
        """Choose the odds for about twelve holes from the measured frequency with which a queen can be put back."""
        usual, self._odds = self._odds, few_holes(columns)
        self._odds[1:, 0] = CERTAIN // 2
        self._state[holes_kernel.LEFT] = NO_LIMIT
        with self._on_solutions():
            while self._state[holes_kernel.INSERTS_TRIED] < _TRIES:
                holes_kernel.walk(self._board, self._odds, self._state, _TRIES)
                callbacks.poll("mixing", 0, _TRIES)
            self._return(callbacks)
        made, tried = self._state[[holes_kernel.INSERTS, holes_kernel.INSERTS_TRIED]].tolist()
        self._odds = many_holes(columns, made * CERTAIN // tried) if made >= _SUCCESSES else usual

    @property
    def hops(self) -> int:
        """The number of hops made so far."""
        return int(self._state[holes_kernel.HOPS])

    @property
    def visits(self) -> int:
        """The number of solutions visited so far, not counting the first."""
        return int(self._state[holes_kernel.VISITS])

    @property
    def hops_tried(self) -> int:
        """The number of hops tried so far."""
        return int(self._state[holes_kernel.HOPS_TRIED])

    @property
    def observed(self) -> int:
        """The number of observations made by :meth:`sample`."""
        return int(self._state[holes_kernel.TAKEN])

    def hop(self, hops: int, callbacks: Callbacks) -> None:
        """Make about this number of hops, and continue to the next solution.

        If a callback raises, the board becomes a nearby solution, or the first one. On boards below 2**18 queens, the
        first quarter of the hops measures how many visits the other hops correspond to, and the chain then counts
        visits, because the first solution after a number of hops is biased: long walks are over-represented. The chain
        gives up after 100 attempts per hop, since on an instance with a single solution no queen can move.
        """
        begun, visited = self.hops, self.visits
        most = self.hops_tried + _TRIES_PER_HOP * hops
        counted = hops if self._state[holes_kernel.FAR] else hops // 4

        def poll() -> None:
            callbacks.poll("mixing", min(self.hops - begun, hops), hops)

        with self._on_solutions():
            self._state[holes_kernel.LEFT] = NO_LIMIT
            while (left := begun + counted - self.hops) > 0 and self.hops_tried < most:
                holes_kernel.walk(self._board, self._odds, self._state, min(MIXING_SLICE, left))
                poll()
            self._return(callbacks)
            if counted < hops:
                visits, made = self.visits - visited, max(1, self.hops - begun)
                self._state[holes_kernel.LEFT] = max(visits, visits * (hops - made) // made)
                while self.hops_tried < most and not self._walk():
                    poll()
                self._return(callbacks)
        callbacks.poll("mixing", hops, hops, may_stop=False)

    def sample(
        self, first: int, spacing: int, boards: NDArray[Any], features: NDArray[np.int64], callbacks: Callbacks
    ) -> None:
        """Make ``first`` visits to solutions, then fill ``boards`` and ``features`` with samples; see the kernel."""
        self._state[holes_kernel.LEFT], self._state[holes_kernel.TAKEN] = first + spacing, 0
        before, total = self.visits, first + spacing * features.shape[1] * len(boards)
        arguments = self._board, self._odds, self._state, spacing, boards, features
        while not sampling_kernel.sample(*arguments, MIXING_SLICE):
            callbacks.poll("sampling", min(self.visits - before, total), total)

    def _return(self, callbacks: Callbacks) -> None:
        """Continue to the next solution, unless the board is one."""
        self._state[holes_kernel.LEFT] = self._state[holes_kernel.HOLES] > 0
        while not self._walk():
            callbacks.without_progress().poll("mixing", 1, 1)

    def _walk(self) -> bool:
        """Walk for one slice; return whether all planned visits are made."""
        is_over: bool = holes_kernel.walk(self._board, self._odds, self._state, MIXING_SLICE)
        return is_over

    @contextmanager
    def _on_solutions(self) -> Iterator[None]:
        """If the block raises, return to a solution by a short cut: put queens back wherever possible."""
        try:
            yield
        except BaseException:
            self._state[holes_kernel.LEFT] = self._state[holes_kernel.HOLES] > 0
            odds = self._odds.copy()
            odds[1:] = [CERTAIN - 1, 0]
            while not holes_kernel.walk(self._board, odds, self._state, _HOPS_TO_RETURN):
                odds = self._odds
                if self._first is not None:
                    self._board.queens[:] = self._first
                    break
            raise


def mix(
    queens: Queens, instance: Instance, sweeps: int, seed: int, callbacks: Callbacks, thresholds: Thresholds = USUAL
) -> int:
    """Change a solution in place into a nearly uniformly random one; return the number of sweeps made before a stop."""
    columns = instance.free_columns
    if columns < 2:
        return sweeps
    try:
        chain = SolutionChain(queens, instance, seed, 0, callbacks, 300 * _TRIES_PER_SWEEP, thresholds)
    except Stopped:
        return 0
    try:
        chain.hop(sweeps * columns, callbacks)
    except Stopped:
        return min(sweeps - 1, chain.hops // columns)
    return sweeps


def shift_for(n: int) -> int:
    """Return the number of bits by which to shift distances from the centre; n products of two stay below 2**62."""
    return max(0, (3 * n.bit_length() - 61) // 2)


def few_holes(columns: int, tries: int = _TRIES_PER_SWEEP) -> NDArray[np.uint64]:
    """Return the odds of a chain that usually has one hole, with ``tries`` attempts per sweep to put the queen back.

    Small boards have two or three holes more often, because some of their solutions can only be reached this way.
    """
    insert = min(CERTAIN * 7 // 10, CERTAIN * tries // columns)
    remove = min(insert // 3, max(insert // 400, insert * 8 // columns**2))
    return _table(min(MOST_HOLES, columns), insert, [remove] * MOST_HOLES)


def many_holes(columns: int, free: int) -> NDArray[np.uint64]:
    """Return the odds of a chain with about twelve holes; ``free`` is the probability that a queen can be put back.

    Twelve holes are 1.3**11 times as likely as one. The chain visits a solution every 7,000 to 14,000 hops.
    """
    insert = CERTAIN // 2
    rise, fall = free * 13 // 20, free // 4
    return _table(min(MOST_HOLES, columns), insert, [rise] * _HOLES_OF_LARGE + [fall] * MOST_HOLES)


def _table(most: int, insert: int, remove: list[int]) -> NDArray[np.uint64]:
    """Return, for 0 to ``most`` holes, the probabilities of attempts to put a queen back and to take one off."""
    odds = [(insert, remove[holes]) for holes in range(most)]
    return np.array([(0, CERTAIN - 1), *odds[1:], (insert, 0)], np.uint64)
