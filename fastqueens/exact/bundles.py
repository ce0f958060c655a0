"""Parts of a search as plain data: how they are made, divided, and searched in any process.

A part is one level of a search tree: the domains there, a line, and the squares of it that are not tried yet. So the
rest of a tree is one part for each level that has such squares. A bundle is an array of parts, compressed and in base
64. To search a bundle, a process needs only the instance and the seed, from which it computes the tables of the tree
once.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import Stopped
from fastqueens.core.instance import Instance, make_instance
from fastqueens.exact.complete_search import parts_and_slice
from fastqueens.exact.tree import SearchTree, search_tree
from fastqueens.exact.tree_kernel import FOUND, LEVEL, NO_LINE, OFFSET, SHARE, UNDER_WAY

# The arrays of a tree that have an entry for each level.
_OF_LEVELS = ("domains", "settled", "line", "untried")

# Instances whose tables a process keeps.
_ROOTS = 8


class Outcome(NamedTuple):
    """What the search of a bundle has found, as values that JSON has.

    Attributes
    ----------
    nodes, solutions : int
        Squares tried and solutions found.
    queens : list of n integers, or None
        The last solution, if as many were found as are wanted.
    left : sequence of str
        Bundles with the rest of the work.
    """

    nodes: int
    solutions: int
    queens: list[int] | None = None
    left: tuple[str, ...] = ()


def text_of(instance: Instance) -> str:
    """Return an instance as JSON text, which other processes and a checkpoint understand."""
    constraints = {
        "fixed": instance.fixed.squares,
        "blocked": instance.blocked,
        "excluded_sums": instance.excluded_sums,
        "excluded_differences": instance.excluded_differences,
    }
    return json.dumps({"n": instance.n} | {name: values.tolist() for name, values in constraints.items()})


def search_bundle(
    instance: str, seed: int, bundle: str, max_nodes: int, wanted: int, *, stop: Callable[[], bool] | None = None
) -> Outcome:
    """Search the parts of a bundle in their order; the outcome follows from the arguments alone.

    Parameters
    ----------
    instance : str
        By :func:`text_of`.
    bundle : str
        By :func:`bundles_of`, or left by an earlier call.
    max_nodes, wanted : int
        The search ends when it has tried this number of squares or found this number of solutions. In the first case,
        the rest is divided into two bundles, or stays one if it seems to be less work than this call has done.
    stop : callable, optional
        Called every few milliseconds; see :class:`fastqueens.core.executors.Task`.
    """
    root = _root(instance, seed)
    parts = _parts_in(bundle, root)
    slice_ = math.prod(parts_and_slice(root))
    nodes = solutions = 0
    for at, part in enumerate(parts):
        tree = _begun(root, part)
        status = UNDER_WAY
        while status == UNDER_WAY and nodes + tree.nodes < max_nodes:
            if stop is not None and stop():
                raise Stopped("stopped because another part has failed")
            status = tree.search(min(max_nodes - nodes, tree.nodes + slice_), wanted - solutions)
        nodes += tree.nodes
        solutions += tree.solutions
        if status == FOUND:
            return Outcome(nodes, solutions, tree.board(tree.last_places).tolist())
        if status == UNDER_WAY:
            left = np.concatenate([_parts_of(tree), parts[at + 1 :]])
            return Outcome(nodes, solutions, left=_divided(left, 1 if 2 * _share(left) < _share(parts) else 2))
    return Outcome(nodes, solutions)


def bundles_of(trees: Iterable[SearchTree], most: int) -> tuple[str, ...]:
    """Divide what trees have left into at most this number of bundles, with about equal shares."""
    return _divided(np.concatenate([_parts_of(tree) for tree in trees]), most)


@lru_cache(_ROOTS)
def _root(instance: str, seed: int) -> SearchTree:
    return search_tree(make_instance(**json.loads(instance)), seed)


def _part_type(tree: SearchTree) -> np.dtype[Any]:
    """Return the dtype of the parts of a tree: one level of it, and the share of each square of its line."""
    levels = [(name, getattr(tree.tree, name)) for name in _OF_LEVELS]
    return np.dtype([("share", np.int64), *((name, array.dtype, array.shape[1:]) for name, array in levels)])


def _parts_in(bundle: str, tree: SearchTree) -> NDArray[Any]:
    """Return the parts in a bundle; ``tree`` is one of the same instance."""
    return np.frombuffer(zlib.decompress(base64.b64decode(bundle)), _part_type(tree))


def _parts_of(tree: SearchTree) -> NDArray[Any]:
    """Return what a tree has left, in the order in which it would continue: the last level comes first."""
    levels = int(tree.tree.state[LEVEL]) + 1
    parts = np.empty(levels, _part_type(tree))
    share = int(tree.tree.state[SHARE])
    for level in range(levels):
        share = max(1, share // _squares(tree, level))
        parts["share"][level] = share
    for name in _OF_LEVELS:
        parts[name] = getattr(tree.tree, name)[:levels]
    return parts[_untried(parts).any(axis=1)][::-1]


def _begun(root: SearchTree, part: np.void) -> SearchTree:
    """Return a tree that has only a part of the work of another."""
    tree = root.without_levels()
    for name in _OF_LEVELS:
        getattr(tree.tree, name)[0] = part[name]
    tree.tree.state[OFFSET] = root.tree.state[OFFSET]
    tree.tree.state[SHARE] = part["share"] * _squares(tree, 0)
    return tree


def _squares(tree: SearchTree, level: int) -> int:
    """Return the number of squares of the line chosen at a level."""
    line = tree.tree.line[level]
    return 1 if line == NO_LINE else int.from_bytes(tree.tree.domains[level, line].tobytes(), "little").bit_count()


def _untried(parts: NDArray[Any]) -> NDArray[np.uint8]:
    """Return a row of bits for each part: the squares that are not tried yet."""
    words = np.ascontiguousarray(parts["untried"]).reshape(len(parts), -1)
    return np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")


def _share(parts: NDArray[Any]) -> int:
    return int((_untried(parts).sum(axis=1, dtype=np.int64) * parts["share"]).sum())


def _divided(parts: NDArray[Any], most: int) -> tuple[str, ...]:
    """Divide parts, also between the squares of one, into at most this number of bundles with about equal shares."""
    untried = _untried(parts)
    shares = untried * parts["share"][:, None]
    before = (np.cumsum(shares) - shares.ravel()).reshape(shares.shape)
    number = before // (int(shares.sum()) // most + 1)
    bundles = []
    for at in range(most):
        of_bundle = untried * (number == at)
        chosen = of_bundle.any(axis=1)
        if chosen.any():
            bundle = parts[chosen]
            words = np.packbits(of_bundle[chosen], axis=1, bitorder="little").view(np.uint64)
            bundle["untried"] = words.reshape(bundle["untried"].shape)
            bundles.append(base64.b64encode(zlib.compress(bundle.tobytes())).decode())
    return tuple(bundles)
