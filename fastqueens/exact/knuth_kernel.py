"""Random dives into search trees, for Knuth's estimate of their size; ``knuth`` is the driver."""

import numpy as np

from fastqueens.exact import tree_kernel, wide_tree_kernel
from fastqueens.exact.tree_kernel import LEVEL, NODES, SOLUTIONS, UNDER_WAY
from fastqueens.jit import bits
from fastqueens.jit.bits import ZERO
from fastqueens.jit.decorators import kernel, part
from fastqueens.jit.stream import SEARCH, below, stream_key, word

_NEVER = np.int64(2**62)


@kernel
def dive(tree, untried, squares, seed, number, choices, places):
    """Dive from the first level to a leaf, several times: try one random square of each line that the search chooses.

    tree : a tree of :mod:`.tree_kernel` at level 0; in the end it is as before, except for higher levels
    untried : (m + 2, W) uint64, the memory of ``tree.untried``
    squares : (W,) uint64, a copy of its first row
    seed, number : uint64, different dives for each pair
    choices : (k, m + 2) int64, zeros; set to the squares among which each dive chose, one after the other
    places : (0, 0) uint16

    O(m) words a level, as in a search. D. E. Knuth, Estimating the efficiency of backtrack programs, Mathematics of
    Computation 29 (1975).
    """
    _dive(tree_kernel.search, tree, untried, squares, seed, number, choices, places)


@kernel
def wide_dive(tree, untried, squares, seed, number, choices, places):
    """Dive as :func:`dive` does, into a tree of :mod:`.wide_tree_kernel`."""
    _dive(wide_tree_kernel.search, tree, untried, squares, seed, number, choices, places)


@part
def _dive(search, tree, untried, squares, seed, number, choices, places):
    key = stream_key(seed, number, SEARCH)
    drawn = ZERO
    for dived in range(len(choices)):
        _begin(tree, untried, squares)
        status = UNDER_WAY
        while status == UNDER_WAY:
            line = untried[tree.state[LEVEL]]
            nodes = tree.state[NODES]
            choices[dived, nodes] = bits.ones(line)
            _keep_one(line, below(word(key, drawn), np.uint64(choices[dived, nodes])))
            drawn += bits.ONE
            # The other levels have no square left, so the search ends unless it goes one level down.
            status = search(tree, nodes + 1, _NEVER, places)
    _begin(tree, untried, squares)


@part
def _begin(tree, untried, squares):
    tree.state[LEVEL], tree.state[NODES], tree.state[SOLUTIONS] = 0, 0, 0
    bits.copy(squares, untried[0])


@part
def _keep_one(squares, number):
    """Clear all bits but one, which has this number among them."""
    for _ in range(np.int64(number)):
        bits.clear_bit(squares, np.uint64(bits.first_bit(squares)))
    kept = np.uint64(bits.first_bit(squares))
    for at in range(len(squares)):
        squares[at] = ZERO
    bits.set_bit(squares, kept)
