"""Common parts of the tests of both local searches: a record of the plateau memory, step by step, and its odds."""

from collections import Counter
from typing import NamedTuple

import numpy as np
from chances import chance_of

from fastqueens.kernels.plateau import PAIRS

NO_LIMIT = 10**9


def assert_lines_are_marked(bitsets, queens):
    """Compare each bit of three bitsets with a recount of the lines of all queens."""
    n, offset = len(queens), 64 * len(bitsets.rows)
    columns = np.flatnonzero(queens != n)
    rows = queens[columns].astype(np.int64)
    for words, lines in (
        (bitsets.rows, [*rows, *range(n, offset)]),
        (bitsets.sums, columns + rows),
        (bitsets.differences, rows - columns + offset),
    ):
        expected = np.zeros(64 * len(words), np.uint8)
        expected[lines] = 1
        np.testing.assert_array_equal(np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little"), expected)


class Step(NamedTuple):
    """A step: its status, the number of steps, 0 or 1, their trace, the moved column, if a full memory was emptied."""

    status: int
    steps: int
    trace: list
    moved: int | None
    is_full: bool


class RecordedSearch:
    """A search with a separate record ``left`` of the squares left on this plateau.

    A subclass has ``n``, ``seed``, ``queens``, ``state``, ``memory``, ``arrays()``, all that a step changes, beginning
    with the queens, and ``call()``, which calls the kernel with a trace and limits.
    """

    def __init__(self):
        self.left = set()

    def assert_memory_equals_the_record(self):
        squares = {(int(number - 1) // self.n, int(number - 1) % self.n) for number in self.memory.table if number}
        assert squares == self.left
        assert self.memory.used[0] == len(self.left)

    def advance(self, max_steps=1, stagnation_limit=NO_LIMIT):
        """Make steps, and return the status, the number of steps and their trace."""
        trace = np.full((max_steps, 2), -1)
        status, steps = self.call(trace, max_steps, stagnation_limit)
        return status, steps, trace[:steps].tolist()

    def step(self):
        """Make one step, update the record, and return a :class:`Step`."""
        before, pairs, count = self.queens.copy(), self.state[PAIRS], self.memory.used[0]
        status, steps, trace = self.advance()
        moved = np.flatnonzero(self.queens != before).tolist()
        is_full = bool(moved) and self.state[PAIRS] == pairs and count == len(self.memory.slots)
        if self.state[PAIRS] != pairs or is_full:
            self.left.clear()
        if moved and self.state[PAIRS] == pairs:
            self.left.add((moved[0], int(before[moved[0]])))
        self.assert_memory_equals_the_record()
        return Step(status, steps, trace, moved[0] if moved else None, is_full)

    def outcomes_of_one_step(self, runs):
        """Count the moves of one step from the same board over many seeds; None if no queen moved."""
        kept = [array.copy() for array in self.arrays()]
        outcomes = Counter()
        for seed in range(runs):
            self.seed = np.uint64(seed)
            self.advance()
            moved = np.flatnonzero(self.queens != kept[0]).tolist()
            outcomes[(moved[0], int(self.queens[moved[0]])) if moved else None] += 1
            for array, before in zip(self.arrays(), kept, strict=True):
                array[...] = before
        return outcomes

    def assert_a_step_has_these_odds(self, odds, runs=4000):
        observed = self.outcomes_of_one_step(runs)
        assert set(observed) <= set(odds)
        if len(odds) > 1:
            expected = [runs * odds[outcome] for outcome in odds]
            assert chance_of([observed[outcome] for outcome in odds], expected) > 0.0005
