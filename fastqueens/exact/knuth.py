"""How large a search tree is, by the estimate of Knuth, and which share of it is done."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from fastqueens.core.instance import Instance
from fastqueens.exact import knuth_kernel, tree_kernel
from fastqueens.exact.tree import SearchTree, search_tree

# For each instance: squares that a search tries between two estimates, and squares that the dives of one try.
_BETWEEN_ESTIMATES = 1 << 21
_SQUARES_OF_DIVES = 1 << 12

# A relative error that is small enough for showing progress.
_SMALL_ERROR = 0.01

_DIVE = {tree_kernel.Tree: knuth_kernel.dive}

_NO_PLACES = np.empty((0, 0), np.uint16)


def estimated_nodes(trees: Iterable[SearchTree], dives: int, seed: int) -> tuple[float, float]:
    """Estimate how many squares searches will try.

    Parameters
    ----------
    trees : iterable of SearchTree
        Searches that have not begun: of instances, or parts as :meth:`SearchTree.split` returns them.
    dives : int
        Random paths from the root to a leaf, in each tree, at least 2.
    seed : int
        From 0 to 2**63 - 1; the same seed gives the same estimate.

    Returns
    -------
    float, float
        The estimate of all nodes together and its standard error. The expected value is exact, however few dives there
        are. The error is as uncertain as the estimate: if few large branches hold most nodes, both are usually too
        small.

    Notes
    -----
    A dive chooses one of the d squares that it could try, at each level. A node below levels with d1, d2, ... squares
    counts d1 * d2 * ..., since that is the inverse of the probability of reaching it. About a microsecond a dive for m
    at most 32.

    D. E. Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29 (1975), 122-136.
    """
    mean = variance = 0.0
    for number, search in enumerate(trees):
        tree = search.tree
        untried = tree.untried.reshape(len(tree.untried), -1)
        choices = np.zeros((dives, len(untried)), np.int64)
        dive = _DIVE.get(type(tree), knuth_kernel.wide_dive)
        dive(tree, untried, untried[0].copy(), np.uint64(seed), np.uint64(number), choices, _NO_PLACES)
        with np.errstate(over="ignore", invalid="ignore"):  # more than 10**308 nodes
            nodes = np.nansum(np.cumprod(choices, axis=1, dtype=float), axis=1)
            mean += float(nodes.mean())
            variance += float(nodes.var(ddof=1)) / dives
    return mean, math.sqrt(variance)


class Forecast:
    """Which share of a search is done, by estimates that go on during the search until they are precise.

    Attributes
    ----------
    error : float
        The relative standard error of the estimate of all nodes; infinity before the first one.
    """

    def __init__(self, instances: Sequence[Instance]) -> None:
        """Prepare the forecast of a search of all these instances, without a limit."""
        self.error = math.inf
        self._instances = instances
        self._pause = _BETWEEN_ESTIMATES * len(instances)
        self._next = self._pause // 2
        self._estimates = 0
        self._sum = self._variance = 0.0

    def share(self, nodes: int) -> float:
        """Return which share of the search is done when it has tried this number of squares, from 0 to 1."""
        if nodes >= self._next and not self.error < _SMALL_ERROR:
            most_squares = max(instance.free_columns for instance in self._instances)
            # One tree at a time: they take up to 17 MB each.
            trees = map(search_tree, self._instances)
            mean, error = estimated_nodes(trees, _SQUARES_OF_DIVES // most_squares, self._estimates)
            self._estimates += 1
            self._sum += mean
            self._variance += error * error
            self.error = math.sqrt(self._variance) / self._sum
            self._next = nodes + self._pause
        return min(1.0, nodes * self._estimates / self._sum) if self._estimates else 0.0
