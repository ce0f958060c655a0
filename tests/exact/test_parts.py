"""Complete search in parts: the same answer, board and nodes wherever they run."""

import base64
import json
import re
import zlib
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import pairwise
from multiprocessing import get_context

import numpy as np
import plain
import pytest
from doubles import RandomOrder
from drawing import drawn, hard_instance
from errors import check_error, check_names
from lowered import lowered

import fastqueens
from fastqueens import InputError, NoSolutionError, Stopped, make_instance
from fastqueens.core.arguments import NO_LIMIT
from fastqueens.core.errors import counted
from fastqueens.core.progress import Callbacks
from fastqueens.core.threads import Workers
from fastqueens.exact import bundles, parts
from fastqueens.exact.bundles import bundles_of, search_bundle, text_of
from fastqueens.exact.complete_search import EXHAUSTED, FOUND, UNDER_WAY, Rounds
from fastqueens.exact.parts import PROGRESS, SearchInParts
from fastqueens.exact.tree import search_tree
from fastqueens.exact.tree_kernel import WHOLE

pytestmark = pytest.mark.checked

#: Thresholds with which small searches have several generations of tasks.
SMALL = {"tree_slice": 1, "first_rounds": 1}

#: OEIS A000170.
SOLUTIONS = {9: 352, 10: 724, 11: 2680, 12: 14200}


@pytest.fixture(scope="module")
def ways():
    """Return the keyword arguments of each way to run tasks; all but the first have to do what the first does."""
    with (
        ThreadPoolExecutor(2) as threads,
        ProcessPoolExecutor(3, get_context("spawn")) as processes,
    ):
        yield [
            {"threads": 1},
            {"threads": 2},
            {"executor": threads},
            {"executor": processes},
            *({"executor": RandomOrder(seed)} for seed in range(2)),
        ]


def searched(instance, limit=1, max_nodes=NO_LIMIT, seed=0, **way):
    """Return the status, the solution, the squares tried and the number of solutions."""
    search = SearchInParts([(instance, 1)], limit, seed=seed, **way)
    search.advance(max_nodes, Callbacks())
    return search.status, search.queens.tolist(), search.nodes, search.solutions


# The same everywhere


@pytest.mark.parametrize("seed", range(8))
def test_answer_board_and_nodes_are_the_same_everywhere(ways, seed):
    instance = hard_instance(seed)
    with lowered(**SMALL):
        first, *others = (searched(instance, seed=seed, **way) for way in ways)
    status, board, nodes, _ = first
    assert others == [first] * len(others)
    assert status == (FOUND if fastqueens.count_solutions(instance, limit=1) else EXHAUSTED)
    if status == FOUND:
        plain.assert_solution(np.array(board), instance.n)
        assert not any(plain.broken(np.array(board), instance))
    assert nodes > 0


def test_counts_are_the_same_everywhere(ways):
    instance = hard_instance(8)
    listed = len(list(fastqueens.all_solutions(instance)))
    with lowered(**SMALL):
        for way in ways:
            assert fastqueens.count_solutions(11, **way) == SOLUTIONS[11]
            assert fastqueens.count_solutions(instance, **way) == listed
            assert fastqueens.count_solutions(10, limit=100, **way) == 100
            assert not fastqueens.has_unique_solution(8, **way)


@pytest.mark.parametrize("changes", [{}, {"wide_tree": 1}, {"tree_slice": 64 * 3, "wide_tree": 1}])
def test_known_counts(changes, monkeypatch):
    """With domains of one word and of several, and with few bundles and many."""
    for most in (1, 1024):
        monkeypatch.setattr(parts, "_FIRST_BUNDLES", most)
        with lowered(**SMALL | changes):
            for n, solutions in SOLUTIONS.items():
                if n < 11 or not changes:
                    assert fastqueens.count_solutions(n, threads=2) == solutions


@pytest.mark.parametrize("empty", [31, 32, 33, 64, 65, 129])
def test_trees_of_every_layout_in_other_processes(ways, empty):
    """Found after a few tasks, or undecided on all of them."""
    instance = drawn(empty + 50, fixed=50, seed=empty)
    with lowered(first_rounds=1, tree_slice=1):
        found = [searched(instance, limit=10**6, max_nodes=3000, **way) for way in ways[1:4]]
    assert found == found[:1] * 3
    assert found[0][2] == 3000


def test_a_search_that_ends_in_the_rounds_is_as_before():
    for seed in range(5):
        rounds = Rounds(search_tree(hard_instance(seed), seed), 1)
        with Workers(1) as workers:
            while (status := rounds.advance(NO_LIMIT, workers)) == UNDER_WAY:
                pass
        found = searched(hard_instance(seed), seed=seed)
        assert (found[0], found[2]) == (status, rounds.nodes)
        assert status != FOUND or found[1] == rounds.first_found.board(rounds.first_found.last_places).tolist()


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_max_nodes_around_those_that_are_needed(ways, seed):
    instance = hard_instance(seed)
    with lowered(**SMALL):
        status, _, nodes, _ = whole = searched(instance)
        assert status != UNDER_WAY
        for way in ways:
            assert searched(instance, max_nodes=nodes, **way) == whole
            assert searched(instance, max_nodes=nodes + 1, **way) == whole
            assert searched(instance, max_nodes=nodes - 1, **way)[:3] == (UNDER_WAY, [], nodes - 1)
        for few in (0, 1, 63, 64, 65):
            assert searched(instance, max_nodes=few)[:3] == (UNDER_WAY, [], few)


def test_solve_runs_anywhere_only_with_complete_search(ways):
    instance = hard_instance(3)
    with lowered(**SMALL):
        results = []
        for way in ways:
            try:
                result = fastqueens.solve(instance, method="complete", seed=5, **way)
                results.append((result.nodes, result.queens.tolist()))
            except NoSolutionError as error:
                results.append(error.nodes)
    assert results == results[:1] * len(ways)
    for wrong in ({"executor": ways[2]["executor"]}, {"checkpoint": "c.jsonl"}):
        with check_error(InputError, *wrong, "'auto'", "'complete'"):
            fastqueens.solve(instance, seed=5, **wrong)


def test_solutions_count_as_often_as_the_weight_says():
    eight, nine = make_instance(8), make_instance(9)
    with lowered(**SMALL):
        search = SearchInParts([(eight, 3), (nine, 5), (eight, 1)], NO_LIMIT, threads=2)
        assert search.advance(NO_LIMIT, Callbacks()) == EXHAUSTED
    assert search.solutions == 4 * 92 + 5 * 352


# Bundles


def share_of(bundle, tree):
    """How much of ``WHOLE`` a bundle is, by an estimate."""
    return bundles._share(bundles._parts_in(bundle, tree))


@pytest.mark.parametrize("wide_tree", [1, 65])
@pytest.mark.parametrize("most", [1, 2, 3, 100, 10**4])
def test_bundles_have_all_that_is_left_once(wide_tree, most):
    instance = make_instance(9, blocked=[(0, 0), (5, 5)])
    expected = len(list(fastqueens.all_solutions(instance)))
    with lowered(wide_tree=wide_tree, tree_slice=1):
        tree = search_tree(instance)
        tree.search(150, NO_LIMIT)
        made = bundles_of([tree], most)
        outcomes = [search_bundle(text_of(instance), 0, bundle, NO_LIMIT, NO_LIMIT) for bundle in made]
        shares, share, found = [share_of(bundle, tree) for bundle in made], tree.left, tree.solutions
        tree.search(NO_LIMIT, NO_LIMIT)
    assert 1 <= len(made) <= most
    assert sum(shares) == share
    assert found + sum(outcome.solutions for outcome in outcomes) == tree.solutions == expected
    if most < 4:
        assert max(shares) <= share // most + WHOLE // 9


def test_a_budget_of_squares_is_kept_and_the_rest_is_left():
    instance = make_instance(10)
    tree = search_tree(instance)
    tree.search(1, NO_LIMIT)
    (bundle,) = bundles_of([tree], 1)
    waiting, nodes, solutions, budget = [bundle], 1, 0, 40
    while waiting:
        outcome = search_bundle(text_of(instance), 0, waiting.pop(), budget, NO_LIMIT)
        assert outcome.nodes == budget or (not outcome.left and outcome.nodes < budget)
        assert len(outcome.left) <= 2
        waiting.extend(outcome.left)
        nodes += outcome.nodes
        solutions += outcome.solutions
    assert solutions == SOLUTIONS[10]
    halves = search_bundle(text_of(instance), 0, bundle, 0, 1).left
    assert sum(share_of(half, tree) for half in halves) == share_of(bundle, tree)


def test_a_bundle_is_plain_data():
    tree = search_tree(make_instance(12))
    tree.search(1000, NO_LIMIT)
    for bundle in bundles_of([tree], 3):
        assert json.loads(json.dumps(bundle)) == bundle
        assert len(zlib.decompress(base64.b64decode(bundle))) < 10_000


def test_a_task_on_a_thread_can_be_stopped():
    tree = search_tree(make_instance(12))
    tree.search(1, NO_LIMIT)
    (bundle,) = bundles_of([tree], 1)
    with pytest.raises(Stopped):
        search_bundle(text_of(make_instance(12)), 0, bundle, NO_LIMIT, NO_LIMIT, stop=lambda: True)


# Progress and stop


def test_progress_rises_to_the_end_also_in_parts(ways):
    for way in ways[:3]:
        heard = []
        with lowered(**SMALL):
            fastqueens.count_solutions(11, progress=lambda *news, heard=heard: heard.append(news), **way)
        shares = [done for _, done, _ in heard]
        assert {(stage.partition(" (")[0], total) for stage, _, total in heard} == {("complete search", PROGRESS)}
        assert any("parts" in stage for stage, _, _ in heard)
        assert all(one <= two for one, two in pairwise(shares))
        assert shares[-1] == PROGRESS
        assert any(0 < share < PROGRESS for share in shares)


def test_without_a_known_number_the_squares_and_parts_are_reported(ways):
    for way in ways[:3]:
        heard = []
        progress = {"progress": lambda *news, heard=heard: heard.append(news)}
        with lowered(**SMALL):
            fastqueens.count_solutions(11, blocked=[(0, 0)], **progress, **way)
        assert {total for _, _, total in heard} == {NO_LIMIT}
        nodes = [done for _, done, _ in heard]
        assert nodes == sorted(nodes)
        assert 0 < nodes[0] < nodes[-1]
        parts = [re.fullmatch(r"complete search \(([\d,]+) of ([\d,]+) parts?\)", stage) for stage, _, _ in heard]
        counts = [tuple(int(number.replace(",", "")) for number in found.groups()) for found in parts if found]
        assert counts == sorted(counts)
        assert counts[0][0] < counts[0][1]
        assert counts[-1][0] == counts[-1][1]


def test_a_stop_says_what_was_done(ways):
    calls = []
    for way in ways:
        calls.clear()
        with lowered(**SMALL), pytest.raises(Stopped) as stopped:
            fastqueens.count_solutions(11, stop=lambda: calls.append(1) or len(calls) > 30, **way)
        (note,) = stopped.value.__notes__
        assert 0 < stopped.value.partial < 2680
        check_names(note, re.compile(r"\d parts?, "), counted(stopped.value.partial, "solution"), re.compile(r"\d %"))


@pytest.mark.parametrize("limit", [None, 10**6])
def test_a_count_that_is_stopped_in_its_first_round_knows_some_solutions(limit):
    calls = []
    with lowered(tree_slice=50), pytest.raises(Stopped) as stopped:
        fastqueens.count_solutions(11, limit=limit, stop=lambda: calls.append(1) or len(calls) > 10)
    assert 0 < stopped.value.partial < 2680


def test_a_stopped_count_of_fundamental_solutions_has_at_least_an_eighth():
    calls = []
    stop = {"stop": lambda: calls.append(1) or len(calls) > 10}
    with lowered(tree_slice=50), pytest.raises(Stopped) as stopped:
        fastqueens.count_solutions(11, fundamental=True, **stop)
    calls.clear()
    with lowered(tree_slice=50), pytest.raises(Stopped) as all_of_them:
        fastqueens.count_solutions(11, **stop)
    assert 0 < stopped.value.partial < 341
    assert 8 * stopped.value.partial - all_of_them.value.partial in range(8)
