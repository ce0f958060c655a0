"""Place queens in tiles on arrays next to an inaccessible page of memory: ``python walled.py SEED``.

The vector instructions of the placement check no bounds. A byte beyond an array ends this process.
"""

import ctypes
import mmap
import sys

import numpy as np

from fastqueens._jit.decorators import kernel
from fastqueens._run.progress import Callbacks
from fastqueens._run.threads import Workers
from fastqueens._run.thresholds import USUAL
from fastqueens.instance import make_instance
from fastqueens.kernels import bits
from fastqueens.placement.arrays import new_attempt
from fastqueens.placement.tiles import Cut, TilePlacement

PAGE = mmap.PAGESIZE
kept = []


def walled(array, *, at_end):
    """Return a copy of an array between pages; the one behind it, or before it, is inaccessible."""
    size = -(-array.nbytes // PAGE) * PAGE
    pages = mmap.mmap(-1, size + 2 * PAGE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(pages))
    for wall in (address, address + PAGE + size):
        assert ctypes.CDLL(None, use_errno=True).mprotect(ctypes.c_void_p(wall), PAGE, 0) == 0
    kept.append(pages)
    first = PAGE + (size - array.nbytes if at_end else 0)
    inside = np.frombuffer(pages, array.dtype, len(array), first)
    inside[:] = array
    return inside


@kernel
def mark_bits(lanes, source, target, at, by):
    bits.mark_bits(lanes, source, target, at, by)


def main(seed):
    random = np.random.default_rng(seed)
    # Without a shift, there is no ninth word: another thread can own it.
    eight = walled(np.zeros(8, np.uint64), at_end=True)
    mark_bits(np.full(8, 5, np.uint64), np.uint64(0), eight, np.uint64(0), np.uint64(0))
    assert eight.tolist() == [5] * 8
    for number in range(60):
        band, wide = 512 * int(random.integers(1, 4)), int(random.integers(1, 4))
        n = int(random.integers(1, 5 * wide * band))
        thresholds = USUAL._replace(groups=1, dealt=int(random.choice([64, 256, 1024])))
        at_end = number % 2 == 0
        queens = walled(np.zeros(n, np.int32), at_end=at_end)
        given = {"seed": seed, "number": 0, "stagnation_limit": 1, "is_windowed": True, "out": queens}
        attempt = new_attempt(make_instance(n), **given, thresholds=thresholds)
        rows, sums, differences = (walled(words, at_end=at_end) for words in attempt.bitsets[:3])
        bitsets = attempt.bitsets._replace(rows=rows, sums=sums, differences=differences)
        placement = TilePlacement(attempt._replace(bitsets=bitsets), Cut(wide * band, band))
        with Workers(1 + number % 3) as workers:
            rest = placement.place(workers, Callbacks())
        placed = np.flatnonzero(queens != n)
        assert len(placed) + len(rest.columns) == n
        taken = queens[placed].astype(np.int64)
        for lines in (taken, taken + placed, taken - placed):
            assert len(np.unique(lines)) == len(lines)
    print("nothing beyond the arrays was touched")


if __name__ == "__main__":
    main(int(sys.argv[1]))
