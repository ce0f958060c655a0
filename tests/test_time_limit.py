"""``time_limit`` of ``solve`` and ``solve_instances``, with a clock that ticks at each look."""

import math
from functools import partial

import numpy as np
import plain
import pytest
from clocks import tick
from errors import check_error
from lowered import lower

import fastqueens
from fastqueens import InputError, Stopped, make_instance, solve
from fastqueens._run.clock import Clock
from fastqueens.batch import solve_instances
from fastqueens.files.boards import read_board, write_board

#: Fourteen rows for fifteen columns, which no search notices in a short time.
ROWS = range(1, 57, 4)
HARD = make_instance(60, blocked=[(column, row) for column in range(0, 45, 3) for row in range(60) if row not in ROWS])


@pytest.fixture(autouse=True)
def small_slices(monkeypatch):
    lower(monkeypatch, search_slice=5, tree_slice=20, mixing_slice=50, placement_slice=100, made_in_file=100)
    tick(monkeypatch)


LONG = partial(solve, 1000, seed=1, start="random")


@pytest.mark.parametrize("limit", [0, -1, math.nan, math.inf, True, "5"])
def test_other_limits_are_refused(limit):
    with check_error(InputError, "time_limit", repr(limit)):
        solve(8, time_limit=limit)


def test_local_search_returns_its_best_board():
    steps = []
    for limit in (80, 100):
        result = LONG(time_limit=limit)
        assert not result.solved
        assert result.pairs == fastqueens.attacking_pairs(result.queens) > 0
        steps.append(result.steps)
    assert 0 < steps[0] < steps[1]
    assert LONG(time_limit=10**6).solved


@pytest.mark.parametrize("method", ["auto", "complete", "local"])
def test_any_method_ends_without_an_answer(method):
    result = solve(HARD, method=method, seed=1, time_limit=100)
    assert not result.solved
    assert plain.broken(result.queens, HARD)[1:] == (0, 0, 0)
    assert (result.nodes > 0) == (method != "local")
    assert method == "auto" or (result.steps > 0) == (method == "local")


def test_a_placement_that_is_out_of_time_leaves_no_board():
    with pytest.raises(Stopped):
        LONG(time_limit=1)


def test_mixing_ends_with_a_solution():
    result = solve(500, seed=1, mix=1000, time_limit=300)
    assert (result.solved, 0 < result.sweeps < 1000) == (True, True)
    plain.assert_solution(result.queens, 500)


def test_the_board_is_in_its_file_at_the_limit_and_after_a_stop_only_a_solution(tmp_path):
    path = tmp_path / "q.npy"
    write_board(path, [1, 3, 0, 2])
    stages = []
    with check_error(Stopped, path):
        LONG(out=path, progress=lambda stage, *_: stages.append(stage), stop=lambda: stages.count("search") > 2)
    assert read_board(path).tolist() == [1, 3, 0, 2]
    result = LONG(out=path, time_limit=100)
    assert not result.solved
    assert np.array_equal(read_board(path), result.queens)
    stages.clear()
    mixing = {"progress": lambda stage, *_: stages.append(stage), "stop": lambda: stages.count("mixing") > 20}
    result = solve(500, seed=1, mix=1000, out=path, **mixing)
    assert 0 < result.sweeps < 1000
    plain.assert_solution(read_board(path), 500)


@pytest.mark.parametrize("threads", [1, 2])
def test_each_instance_has_the_time(threads):
    answers = list(solve_instances([8, HARD, 8, HARD], seed=1, threads=threads, time_limit=300))
    assert [answer.in_words for answer in answers] == ["solved", "undecided", "solved", "undecided"]
    (answer,) = solve_instances([1000], seed=1, threads=threads, start="random", time_limit=1)
    assert (answer.in_words, answer.queens) == ("undecided", None)


def test_a_solution_is_not_lost_to_a_limit_that_passes_during_its_check(monkeypatch, tmp_path):
    now = [0.0]
    monkeypatch.setattr(Clock, "seconds", lambda _clock: now[0])

    def wait(stage, done, total):
        now[0] += 1000 * (stage == "verification")

    path = tmp_path / "q.npy"
    result = solve(100_000, seed=1, time_limit=1, progress=wait, out=path)
    assert result.solved
    assert now[0] > 1
    assert read_board(path).tolist() == result.queens.tolist()
