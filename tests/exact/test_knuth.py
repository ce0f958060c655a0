"""Knuth's estimate of the size of search trees, and the progress of counts."""

import itertools
import math
import re

import numpy as np
import pytest
from lowered import lowered

import fastqueens
from fastqueens import make_instance
from fastqueens.exact import knuth
from fastqueens.exact.knuth import Forecast, estimated_nodes
from fastqueens.exact.parts import PROGRESS
from fastqueens.exact.symmetry import weighted_instances
from fastqueens.exact.tree import search_tree
from fastqueens.exact.tree_kernel import EXHAUSTED

pytestmark = pytest.mark.checked

INSTANCES = [
    make_instance(8),
    make_instance(12, {0: 3}, blocked=[(5, 5), (6, 1)]),
    make_instance(17, excluded_sums=[3, 9, 14, 16, 17, 20, 24, 29], excluded_differences=[-9, -3, 0, 1, 5, 7, 8]),
]


def nodes_of(*trees):
    assert [tree.search(10**9, 10**9) for tree in trees] == [EXHAUSTED] * len(trees)
    return sum(tree.nodes for tree in trees)


def check_is_unbiased_and_calibrated(trees, *, dives=100, seeds=400):
    found = np.array([estimated_nodes(trees, dives, seed) for seed in range(seeds)])
    nodes = nodes_of(*trees)  # the dives left the trees as they were
    deviations, errors = found[:, 0] - nodes, found[:, 1]
    assert abs(deviations.mean()) < 4 * deviations.std() / math.sqrt(seeds)
    assert 0.8 < math.sqrt((errors**2).mean()) / deviations.std() < 1.25
    assert np.mean(abs(deviations) <= 2 * errors) > 0.85


@pytest.mark.parametrize("changes", [{}, {"wide_tree": 1}])
@pytest.mark.parametrize("instance", INSTANCES)
def test_estimates_of_whole_trees(instance, changes):
    with lowered(**changes):
        check_is_unbiased_and_calibrated([search_tree(instance)], seeds=400 if not changes else 100)


def test_estimates_of_parts_and_of_several_instances():
    tree = search_tree(make_instance(11))
    tree.search(500, 10**9)
    check_is_unbiased_and_calibrated(list(iter(tree.split, None)), dives=20)
    with lowered(eight_symmetries=2):
        check_is_unbiased_and_calibrated([search_tree(part) for part, _ in weighted_instances(11)], dives=10)


def test_a_tree_in_which_all_dives_are_equal_is_measured_exactly():
    tree = search_tree(make_instance(8, {0: 0, 1: 4, 2: 7}))
    assert estimated_nodes([tree], 5, 1) == (nodes_of(tree), 0)


def test_the_seed_decides():
    tree = search_tree(make_instance(12))
    assert estimated_nodes([tree], 10, 1) == estimated_nodes([tree], 10, 1) != estimated_nodes([tree], 10, 2)
    assert estimated_nodes([], 10, 1) == (0.0, 0.0)


def test_trees_larger_than_any_number():
    tree = search_tree(make_instance(256))
    mean, error = estimated_nodes([tree], 2, 1)
    assert mean > 1e200
    assert not error < 1


def test_a_forecast_becomes_precise_and_then_costs_nothing(monkeypatch):
    instance = INSTANCES[2]
    total = nodes_of(search_tree(instance))
    monkeypatch.setattr(knuth, "_BETWEEN_ESTIMATES", 100)
    forecast = Forecast([instance])
    assert (forecast.share(0), forecast.error) == (0, math.inf)
    errors = []
    for nodes in itertools.count(100, 100):
        share = forecast.share(nodes)
        assert share == pytest.approx(min(1, nodes / total), rel=6 * forecast.error)
        errors.append(forecast.error)
        if errors[-2:].count(errors[-1]) == 2:
            break
    assert errors[-1] < 0.01 < errors[0]


def test_the_stage_names_the_error_and_the_share_never_falls(monkeypatch):
    monkeypatch.setattr(knuth, "_BETWEEN_ESTIMATES", 1000)
    heard = []
    with lowered(tree_slice=5):
        fastqueens.count_solutions(12, fixed={0: 2}, progress=lambda *news: heard.append(news))
    stages = list(dict.fromkeys(stage for stage, *_ in heard))
    assert stages[0] == "complete search"
    assert all(re.fullmatch(r"complete search \(± \d+ %\)", stage) for stage in stages[1:])
    shares = [done for _, done, _ in heard]
    assert shares == sorted(shares)
    assert shares[-1] == PROGRESS
    assert sum(PROGRESS // 10 < share < PROGRESS * 9 // 10 for share in shares) > 5
