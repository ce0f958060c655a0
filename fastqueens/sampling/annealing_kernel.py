"""A Markov chain on permutations whose boards have fewer conflicts the lower its parameter t is.

The energy of a board is the number of surplus queens on its diagonals: a diagonal with k > 0 queens has k - 1 surplus
queens, and solutions have energy 0. A proposal swaps the rows of two columns. It is accepted with probability
min(1, t**change) for a change of the energy (Metropolis et al. 1953), so in equilibrium a board of energy E has the
weight t**E: all permutations are equally likely for t = 1, and all solutions in the limit t = 0.

``sums`` and ``differences`` hold the queens on each diagonal as uint8, at c + r and at r + n - 1 - c. The odds of a t
are integers, so a seed gives the same boards on every machine. Nothing here changes one of the odds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastqueens.jit.bits import ONE, ZERO, prefetch
from fastqueens.jit.decorators import kernel, part
from fastqueens.jit.stream import two_below, word

#: The largest change of the energy by a swap: two queens leave four diagonals, and come to four.
MOST_CHANGE = 4

#: The number of different changes.
CHANGES = 2 * MOST_CHANGE + 1

#: The most queens on a diagonal that gets a further one.
_ALMOST_FULL = np.uint8(127)


class Chain(NamedTuple):
    """A board and the queens on its diagonals.

    queens : (n,) int32 or uint32, a permutation, n >= 2
    sums, differences : (2 n - 1,) uint8
    """

    queens: np.ndarray
    sums: np.ndarray
    differences: np.ndarray


@kernel
def count_diagonals(chain, first, last):
    """Count the queens of columns first to last - 1 on their diagonals; return the energy that they add.

    Modifies sums and differences, which start with zeros. O(last - first). For a random permutation a counter
    overflows with a probability below 4 n / 256!, which is less than 10**-496.
    """
    queens, sums, differences = chain
    most = np.uint64(len(queens)) - ONE
    energy = 0
    for column in range(np.uint64(first), np.uint64(last)):
        row = np.uint64(queens[column])
        energy += np.int64(sums[column + row] > 0) + np.int64(differences[row + most - column] > 0)
        sums[column + row] += np.uint8(1)
        differences[row + most - column] += np.uint8(1)
    return energy


@kernel
def walk(chain, thresholds, rises, key, energy, ahead, first, last):
    """Make proposals first to last - 1 of a stream.

    chain : modified
    thresholds : (CHANGES,) uint64: a proposal that changes the energy by d is accepted if a random number of 63 bits is
        below thresholds[MOST_CHANGE + d]
    rises : (CHANGES,) int64: 2**32 times the mean rise of the energy that a proposal of change d brings; 0 for d <= 0
    key : uint64
    energy : that of the board
    ahead : uint64: how many proposals ahead to load the queens, and half as many ahead their diagonals; 0 for neither.
        It changes nothing else. Without it, n = 10**5, 10**6 and 10**7 take 12, 40 and 240 ns a proposal; with 16, they
        take 17, 22 and 38 ns.

    Returns the energy of the last board, the sum of the energies after each proposal, the accepted proposals, and
    2**32 times the difference of the rises of the energy and their means: a sum whose mean is 0.

    No diagonal gets more than 129 queens, so that no counter overflows. O(last - first). Each proposal draws two random
    words: if it draws the second one only for a rise of the energy, it takes 15 % longer.
    """
    total, accepted, excess = 0, 0, 0
    for index in range(np.uint64(first), np.uint64(last)):
        if ahead > ZERO:
            _load_ahead(chain, key, index, ahead)
        change, is_accepted = _propose(chain, thresholds, key, index)
        excess -= rises[change + MOST_CHANGE]
        if is_accepted:
            energy += change
            accepted += 1
            excess += max(change, 0) << 32
        total += energy
    return energy, total, accepted, excess


@part
def _propose(chain, thresholds, key, index):
    """Swap the rows of two random columns or leave them; return the change of energy, and whether they are swapped."""
    queens, sums, differences = chain
    n = np.uint64(len(queens))
    most = n - ONE
    left, right = _columns(key, index, n)
    row, other = np.uint64(queens[left]), np.uint64(queens[right])
    change = _change(sums, differences, left, right, row, other, most)
    is_accepted = word(key, index + index + ONE) >> ONE < thresholds[change + MOST_CHANGE]
    if is_accepted:
        to_lines = sums[left + other] | sums[right + row]
        to_lines |= differences[other + most - left] | differences[row + most - right]
        if to_lines > _ALMOST_FULL:
            return change, False
        queens[left] = other
        queens[right] = row
        sums[left + row] -= np.uint8(1)
        sums[right + other] -= np.uint8(1)
        sums[left + other] += np.uint8(1)
        sums[right + row] += np.uint8(1)
        differences[row + most - left] -= np.uint8(1)
        differences[other + most - right] -= np.uint8(1)
        differences[other + most - left] += np.uint8(1)
        differences[row + most - right] += np.uint8(1)
    return change, is_accepted


@part
def _columns(key, index, n):
    """Return the two different columns of a proposal, by the halves of one word.

    Some pairs are likelier than others, by a factor of about 1 + n / 2**31 at most. The chain is exact all the same: a
    swap is its own inverse, so both are equally likely.
    """
    left, right = two_below(word(key, index + index), n, n - ONE)
    return left, right + np.uint64(right >= left)


@part
def _load_ahead(chain, key, index, ahead):
    """Start to load what two later proposals need."""
    queens, sums, differences = chain
    n = np.uint64(len(queens))
    most = n - ONE
    left, right = _columns(key, index + ahead, n)
    prefetch(queens, left)
    prefetch(queens, right)
    left, right = _columns(key, index + (ahead >> ONE), n)
    row, other = np.uint64(queens[left]), np.uint64(queens[right])
    prefetch(sums, left + row)
    prefetch(sums, left + other)
    prefetch(sums, right + row)
    prefetch(sums, right + other)
    prefetch(differences, row + most - left)
    prefetch(differences, row + most - right)
    prefetch(differences, other + most - left)
    prefetch(differences, other + most - right)


@part
def _change(sums, differences, left, right, row, other, most):
    """Return by how much the swap changes the energy.

    If two queens leave the same diagonal of one kind, they come to the same diagonal of the other kind.
    """
    share_sum = np.int64(left + row == right + other)
    share_difference = np.int64(left + other == right + row)
    from_sum, other_from_sum = np.int64(sums[left + row]), np.int64(sums[right + other])
    to_sum, other_to_sum = np.int64(sums[left + other]), np.int64(sums[right + row])
    from_difference = np.int64(differences[row + most - left])
    other_from_difference = np.int64(differences[other + most - right])
    to_difference = np.int64(differences[other + most - left])
    other_to_difference = np.int64(differences[row + most - right])
    gained = np.int64(to_sum > 0) + np.int64(other_to_sum + share_difference > 0)
    gained += np.int64(to_difference > 0) + np.int64(other_to_difference + share_sum > 0)
    lost = np.int64(from_sum > 1) + np.int64(other_from_sum - share_sum > 1)
    lost += np.int64(from_difference > 1) + np.int64(other_from_difference - share_difference > 1)
    return gained - lost
