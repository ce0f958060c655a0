"""Solutions in motion: a Markov chain that changes one solution into others until it has forgotten where it began.

docs/sampling.md describes the chain, and why the solutions that it visits are uniformly random in the long run.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.check.blocked_kernel import blocked_index
from fastqueens.core import thresholds
from fastqueens.core.board import Queens, set_bits
from fastqueens.core.errors import Stopped
from fastqueens.core.instance import Instance
from fastqueens.core.progress import Callbacks, slices
from fastqueens.solving import mixing_kernel
from fastqueens.solving.mixing_kernel import ACCEPTED, FROM_SOLUTIONS, LEFT, PROPOSALS, STATE_LENGTH, TAKEN, WINDOW

# Probabilities are in units of 2**-64.
_WORD = 1 << 64


class SolutionChain:
    """A Markov chain of boards that begins at a solution; after every call of a method the board is a solution.

    Parameters
    ----------
    queens : (n,) int32 or uint32 array
        A solution of the instance; the chain moves its queens.
    instance : Instance
        What the boards respect. At least two columns have no fixed queen.
    seed, number : int
        Seed of the run, and number of this chain in it.
    callbacks : Callbacks, optional
        To poll while the diagonals are marked.

    Attributes
    ----------
    columns : int
        Columns without a fixed queen: the proposals of a sweep.

    Notes
    -----
    Takes half a byte a queen besides the board, and 4 bytes for each column without a fixed queen if there are any.
    """

    def __init__(
        self, queens: Queens, instance: Instance, seed: int, number: int, callbacks: Callbacks | None = None
    ) -> None:
        n = instance.n
        lines = np.zeros(-(-4 * n // 64), np.uint64)
        if instance.has_exclusions:
            set_bits(lines, instance.excluded_sums)
            set_bits(lines, instance.excluded_differences + 3 * n)
        surplus = np.zeros(mixing_kernel.MOST_SURPLUS + mixing_kernel.MOST_ADDED, np.uint64)
        self.columns = instance.free_columns
        self._chain = mixing_kernel.Chain(
            queens, lines, surplus, _free_columns(instance), blocked_index(instance), odds(self.columns)
        )
        self._state = np.zeros(STATE_LENGTH, np.uint64)
        self._state[WINDOW] = thresholds.current.window
        # No progress: it takes less than a sweep.
        polled = (callbacks or Callbacks()).without_progress()
        for first, last in polled.slices("mixing", n, thresholds.current.checked_slice):
            mixing_kernel.mark_diagonals(self._chain, first, last)
        mixing_kernel.start(self._chain, self._state, np.uint64(seed), np.uint64(number))

    @property
    def proposals(self) -> int:
        """Proposals made so far."""
        return int(self._state[PROPOSALS])

    @property
    def from_solutions(self) -> int:
        """Proposals that were made from solutions: they count as time."""
        return int(self._state[FROM_SOLUTIONS])

    @property
    def accepted(self) -> int:
        """Proposals that were accepted."""
        return int(self._state[ACCEPTED])

    def advance(self, proposals: int, callbacks: Callbacks | None = None) -> None:
        """Make this number of proposals from solutions, and return to a solution; O(proposals).

        Raises :class:`Stopped` if the stop callback returns True, or what a callback raises: then, the way back to a
        solution is a short cut, which takes O(n).
        """
        callbacks = callbacks or Callbacks()
        self._state[LEFT] = proposals
        try:
            while not mixing_kernel.mix(self._chain, self._state, thresholds.current.mixing_slice):
                callbacks.poll("mixing", proposals - int(self._state[LEFT]), proposals)
        finally:
            self._state[LEFT] = 0
            most = thresholds.current.mixing_slice
            while not (
                mixing_kernel.settle(self._chain, self._state, most)
                or mixing_kernel.mix(self._chain, self._state, most)
            ):
                pass
        callbacks.poll("mixing", proposals, proposals, may_stop=False)

    def sample(self, spacing: int, boards: NDArray[Any], features: NDArray[np.int64], callbacks: Callbacks) -> None:
        """Fill ``features`` and ``boards``, with ``spacing`` proposals from solutions before each observation.

        Parameters
        ----------
        boards : (samples, n) array of the dtype of the board
        features : (samples * k, mixing.FEATURES) int64 array, for k observations a sample
        """
        total = spacing * len(features)
        self._state[LEFT], self._state[TAKEN] = spacing, 0
        while not mixing_kernel.sample(
            self._chain, self._state, spacing, boards, features, thresholds.current.mixing_slice
        ):
            callbacks.poll("sampling", int(self._state[TAKEN]) * spacing, total)


def mix(queens: Queens, instance: Instance, sweeps: int, seed: int, callbacks: Callbacks) -> int:
    """Change a solution into one that is nearly uniformly random; return how many sweeps were made.

    A sweep is one proposal for each column without a fixed queen. If the stop callback returns True, there are fewer of
    them. The board is the same on any number of threads: a chain takes one.
    """
    if instance.free_columns < 2:
        return sweeps
    try:
        chain = SolutionChain(queens, instance, seed, 0, callbacks)
    except Stopped:
        return 0
    with suppress(Stopped):
        chain.advance(sweeps * chain.columns, callbacks)
    return chain.from_solutions // chain.columns


def _free_columns(instance: Instance) -> NDArray[np.uint32]:
    """Return the columns without a fixed queen, or no entries if there are no fixed queens."""
    fixed = instance.fixed.columns
    if not len(fixed):
        return np.empty(0, np.uint32)
    columns = np.empty(instance.free_columns, np.uint32)
    filled = 0
    for first, last in slices(instance.n, thresholds.current.checked_slice):  # in pieces, to save memory
        here = fixed[slice(*np.searchsorted(fixed, [first, last]))]
        free = np.delete(np.arange(first, last, dtype=np.uint32), here - first)
        columns[filled : filled + len(free)] = free
        filled += len(free)
    return columns


def odds(columns: int) -> NDArray[np.uint64]:
    """Return the probabilities that a chain needs: see ``odds`` in solving/mixing_kernel.py.

    t is 0.3 for up to eight columns, 20 / columns**2 up to 208, and 5 / (52 columns) from there on. So large boards are
    solutions for three quarters of the time. Small ones are less often, since some of their solutions can only be
    reached from others by way of boards with several attacking pairs.
    """
    t = min(_WORD * 3 // 10, max(_WORD * 20 // columns**2, _WORD * 5 // (52 * columns)))
    powers = [_WORD - 1]
    for _ in range(mixing_kernel.POWERS - 1):
        powers.append(powers[-1] * t >> 64)
    waits = [_WORD - t]
    for _ in range(mixing_kernel.MOST_WAIT - 1):
        waits.append(waits[-1] * (_WORD - t) >> 64)
    return np.array(powers + waits, np.uint64)
