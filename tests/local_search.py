"""What the tests of both local searches share: a record of the plateau memory, one step at a time, and its odds."""

from collections import Counter

import naive
import numpy as np
from scipy import stats

from fastqueens.solving.search_kernel import PAIRS

NO_LIMIT = 10**9


def bit_numbers(words):
    """Return the numbers of the set bits."""
    return {64 * at + bit for at, word in enumerate(words) for bit in range(64) if int(word) >> bit & 1}


def assert_lines_are_marked(bitsets, queens):
    """Compare bitsets with a recount of the lines of all queens."""
    n, words = len(queens), len(bitsets.rows)
    assert bit_numbers(bitsets.rows) == set(naive.rows(queens)) | set(range(n, 64 * words))
    assert bit_numbers(bitsets.sums) == set(naive.sums(queens))
    assert bit_numbers(bitsets.differences) == {line + 64 * words for line in naive.differences(queens)}


class RecordedSearch:
    """A search with a separate record ``left`` of the squares left on this plateau.

    A subclass has ``n``, ``seed``, ``queens``, ``state``, ``memory``, ``arrays()``, all that a step changes, beginning
    with the queens, and ``advance()``.
    """

    def __init__(self):
        self.left = set()

    def assert_memory_equals_the_record(self):
        squares = {(int(number - 1) // self.n, int(number - 1) % self.n) for number in self.memory.table if number}
        assert squares == self.left
        assert self.memory.count[0] == len(self.left)

    def step(self):
        """Make one step, update the record, and return the status, and whether a full memory was emptied."""
        before, pairs, count = self.queens.copy(), self.state[PAIRS], self.memory.count[0]
        status, _, _ = self.advance()
        moved = np.flatnonzero(self.queens != before).tolist()
        is_full = bool(moved) and self.state[PAIRS] == pairs and count == len(self.memory.slots)
        if self.state[PAIRS] != pairs or is_full:
            self.left.clear()
        if moved and self.state[PAIRS] == pairs:
            self.left.add((moved[0], int(before[moved[0]])))
        self.assert_memory_equals_the_record()
        return status, is_full

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
            assert stats.chisquare([observed[outcome] for outcome in odds], expected).pvalue > 0.0005
