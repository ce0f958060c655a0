"""The kernels for the page in the browser: the committed module, and the same results in node as here."""

import copy
import random
import shutil
from contextlib import closing

import numpy as np
import pytest
import test_release
from kernel_calls import call_all, kernels_run_by, kernels_watched_by, usual_call
from wasm import MODULE, Node, flat

import fastqueens
from fastqueens._jit import library
from fastqueens._run.arguments import STARTS
from fastqueens.classroom.algorithms import ALGORITHMS

in_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def test_the_committed_module_is_compiled_from_these_kernels():
    from fastqueens._jit import build  # imports numba

    assert MODULE.read_bytes().endswith(build.custom_section()), "the kernels were edited: make kernels.wasm"
    assert MODULE.stat().st_size < 700_000


@in_node
def test_node_makes_the_same_boards_counts_samples_and_climbs():
    with closing(Node()) as node, kernels_run_by(node.ready):
        found = everything()
    assert node.imports == []
    assert node.called >= {"repair.repair", "min_conflicts.search", "tiles.place_groups"}
    for what, result in everything().items():
        assert found[what] == result, what


def everything():
    """Return the results of 50 random boards and of other calls, by a description."""
    draw, found = random.Random(1), {}
    for seed in range(50):
        n = round(4 * 250_000 ** draw.random())
        start = draw.choice(STARTS) if n < 1000 else "windowed"
        result = fastqueens.solve(n, seed=seed, start=start, trace=False)
        found[f"n = {n}, seed {seed}, {start}"] = result.queens.tobytes(), result.steps, result.restarts
    assert any(restarts for _, _, restarts in found.values())
    found["count"] = fastqueens.count_solutions(12), fastqueens.count_solutions(20, limit=1000, blocked=[(0, 0)])
    found["sample"] = fastqueens.sample(30, 20, seed=1).boards.tobytes()
    for algorithm in ALGORITHMS:
        climb = fastqueens.climb(12, algorithm=algorithm, seed=1, limits=fastqueens.Limits(max_evaluations=1000))
        found[algorithm] = climb.queens.tobytes(), climb.steps, climb.evaluations
    return found


@in_node
@pytest.mark.gate
def test_every_kernel_computes_the_same_in_node():
    def compare(kernel, arguments):
        kinds, words, here = [], [], copy.deepcopy(arguments)
        there = copy.deepcopy(here)  # other threads can write into the arguments meanwhile
        library.describe(here, kinds, words)
        expected = usual_call(kernel, tuple(kinds))(words, here)
        assert node.ready(kernel, tuple(kinds))([], there) == expected, kernel.__name__
        for one, other in zip(flat(there), flat(here), strict=True):
            assert np.array_equal(one, other), kernel.__name__

    with closing(Node()) as node, kernels_watched_by(compare):
        call_all()
    assert node.called == {name.removesuffix(library.RESULT).rpartition(".")[0] for name in node.letters}


@in_node
@pytest.mark.gate
def test_seeds_make_the_boards_of_this_version_in_node():
    with closing(Node()) as node, kernels_run_by(node.ready):
        for name in test_release.boards():
            if not name.endswith(", 3 threads"):  # node has one
                test_release.assert_same_board(name)
