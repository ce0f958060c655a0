"""The promises of solve(): the same board from the same seed, a true trace, limits that hold, errors that help."""

import itertools
import json
import re
from concurrent.futures import ThreadPoolExecutor

import naive
import numpy as np
import pytest
from errors import check_error, check_names
from lowered import lower

import fastqueens
from fastqueens._run.arguments import STARTS
from fastqueens.local_search import stagnation_limit

pytestmark = pytest.mark.checked

STAGES = ["allocation", "placement", "search", "verification"]


def figures(result):
    """Everything in a result that the same seed must repeat."""
    trace = [column.tolist() for column in result.trace] if result.trace is not None else None
    counts = (result.steps, result.initial_pairs, result.pairs, result.conflicting_queens, result.restarts)
    return result.queens.tolist(), result.solved, *counts, trace


def attempts(result):
    """Return the pairs of the trace, attempt by attempt."""
    ends = [0, *result.restarts, len(result.trace.pairs)]
    return [result.trace.pairs[first:last].tolist() for first, last in itertools.pairwise(ends)]


def stop_after(calls):
    """Return a stop callback that returns True after this many calls."""
    polls = itertools.count()
    return lambda: next(polls) >= calls


def small_slices(monkeypatch, size):
    lower(monkeypatch, touched=size, placement_slice=size, search_slice=size, checked_slice=size)


# Reproducible.


def test_a_seed_is_drawn_and_reported_and_repeats_the_run():
    drawn = [fastqueens.solve(100) for _ in range(5)]
    assert len({result.seed for result in drawn}) == 5
    for result in (*drawn, fastqueens.solve(100, seed=2**64 - 1)):
        assert figures(fastqueens.solve(np.int32(100), seed=np.uint64(result.seed))) == figures(result)


def test_threads_do_not_disturb_each_other():
    def solve(seed):
        return figures(fastqueens.solve(300, seed=seed, start=STARTS[seed % 4]))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(solve, range(40))) == [solve(seed) for seed in range(40)]


@pytest.mark.parametrize(("size", "start"), [(3, "windowed"), (50, "uniform"), (3, "random"), (50, "permutation")])
def test_the_run_does_not_depend_on_the_slices(monkeypatch, start, size):
    sizes = (6, 8, 30, 65, 200)
    expected = [figures(fastqueens.solve(n, seed=n, start=start)) for n in sizes]
    small_slices(monkeypatch, size)
    assert [figures(fastqueens.solve(n, seed=n, start=start)) for n in sizes] == expected


# Correct.


def check(result, n, seed, start, max_steps=None, restarts=None, board=None):
    """Compare all that a result states with its boards, its trace and the limits."""
    pairs, conflicting = result.trace
    assert (result.n, result.seed, result.start) == (n, seed, start if board is None else "board")
    assert (result.queens.dtype, pairs.dtype, conflicting.dtype) == (np.int32, np.int64, np.int64)
    assert len(pairs) == len(conflicting) == result.steps + len(result.restarts) + 1
    assert pairs[0] == result.initial_pairs == len(naive.attacking_pairs(result.initial_queens))
    assert conflicting[0] == len(naive.conflicting_queens(result.initial_queens))
    assert result.pairs == len(naive.attacking_pairs(result.queens)) == pairs.min()
    assert result.conflicting_queens == len(naive.conflicting_queens(result.queens))
    assert result.solved == (result.pairs == 0) == (pairs[-1] == 0)
    assert (pairs == 0).tolist() == (conflicting == 0).tolist() == [False] * (len(pairs) - 1) + [result.solved]
    assert all(sorted(attempt, reverse=True) == attempt for attempt in attempts(result))
    assert result.steps or np.array_equal(result.queens, result.initial_queens)
    if n == 6:
        fruitless = [len(attempt) - attempt.index(min(attempt)) - 1 for attempt in attempts(result)[:-1]]
        assert set(fruitless) <= {stagnation_limit(n)}
    most = (np.inf if board is None else 0) if restarts is None else restarts
    assert result.steps <= (np.inf if max_steps is None else max_steps)
    assert len(result.restarts) <= most
    assert result.solved or result.steps == max_steps or len(result.restarts) == most


def test_every_board_is_solved_and_every_figure_is_true(subtests):
    for start, n in itertools.product(STARTS, [1, 4, 5, 6, 8, 13, 64, 300]):
        with subtests.test(start=start, n=n):
            for seed in range(12 if n < 64 else 4):
                result, out = fastqueens.solve(n, seed=seed, start=start), np.empty(n, np.int32)
                assert result.solved
                check(result, n, seed, start)
                untraced = fastqueens.solve(n, seed=seed, start=start, trace=False, out=out)
                assert (untraced.trace, untraced.queens is out) == (None, True)
                assert figures(untraced)[:-1] == figures(result)[:-1]


@pytest.mark.gate
def test_hundreds_of_seeds_of_every_small_size_are_solved(subtests):
    for start in STARTS:
        with subtests.test(start=start):
            for n in range(4, 41):
                for seed in range(200):
                    assert fastqueens.solve(n, seed=seed, start=start, trace=False).solved, (n, seed)


def test_limits_hold_and_the_best_attempt_is_returned(subtests):
    for start, (limits, outcomes) in itertools.product(
        STARTS,
        [
            ({}, {(True, 0), (True, 1), (True, 2)}),
            ({"restarts": 0}, {(True, 0), (False, 0)}),
            ({"restarts": 2}, {(True, 0), (True, 1), (True, 2), (False, 2)}),
            ({"max_steps": 50}, {(True, 0), (False, 0)}),
            ({"max_steps": 170}, {(True, 0), (True, 1), (False, 1)}),
            ({"restarts": 1, "max_steps": 200}, {(True, 0), (True, 1), (False, 1)}),
        ],
    ):
        with subtests.test(start=start, limits=limits, outcomes=outcomes):
            seen = set()
            for seed in range(60):
                result = fastqueens.solve(6, seed=seed, start=start, **limits)
                check(result, 6, seed, start, **limits)
                seen.add((result.solved, len(result.restarts)))
            assert outcomes <= seen


def test_the_first_board_is_kept_up_to_4096_queens():
    for n, start in itertools.product((4096, 4097), STARTS):
        kept = fastqueens.solve(n, seed=1, start=start).initial_queens
        assert (kept is None) == (n == 4097)


# Limits.


def test_more_steps_continue_the_same_run():
    whole = fastqueens.solve(200, seed=1, start="random")
    for max_steps in (1, whole.steps // 2, whole.steps - 1, whole.steps):
        part = fastqueens.solve(200, seed=1, start="random", max_steps=max_steps)
        assert part.trace.pairs.tolist() == whole.trace.pairs[: max_steps + 1].tolist()
        assert part.solved == (max_steps == whole.steps)


# A board to start from.


def test_the_board_to_start_from_is_the_first_board_and_not_changed():
    rows = [0, 1, 2, 3, 4, 5, 6, 7]
    for board in (rows, tuple(rows), *(np.array(rows, kind) for kind in (np.int32, np.int64, np.uint8))):
        if isinstance(board, np.ndarray):
            board.flags.writeable = False
        result = fastqueens.solve(board=board, seed=1)
        assert result.start == "board"
        assert list(board) == rows == result.initial_queens.tolist()
        assert result.initial_pairs == 28
        assert not np.shares_memory(result.queens, board)
        assert result.solved == (naive.attacking_pairs(result.queens) == [])


def test_a_board_to_start_from_is_replaced_only_if_restarts_are_asked_for():
    for restarts, outcomes in ((None, {(True, False), (False, False)}), (100, {(True, False), (True, True)})):
        seen = set()
        for seed in range(60):
            result = fastqueens.solve(6, board=[0] * 6, seed=seed, restarts=restarts)
            check(result, 6, seed, "board", restarts=restarts, board=[0] * 6)
            assert all(result.trace.pairs[at] < result.initial_pairs == 15 for at in result.restarts)
            seen.add((result.solved, bool(result.restarts)))
        assert seen == outcomes


# Bad input.


def test_a_bad_value_is_named(subtests):
    for name, value in [
        *(("n", value) for value in (0, 2**32, 8.0, True)),
        *(("start", "greedy"), ("method", "exact"), ("max_steps", 1e6), ("restarts", -1), ("threads", 5000)),
        *(("seed", value) for value in (-1, 2**64)),
    ]:
        with (
            subtests.test(name=name, value=value),
            check_error(fastqueens.InputError, name, value if type(value) is int else repr(value)),
        ):
            fastqueens.solve(**{"n": 8, name: value})


def test_sizes_without_solution(subtests):
    for n in [2, 3]:
        with subtests.test(n=n):
            for arguments in ({"n": n}, {"board": range(n)}):
                with check_error(fastqueens.NoSolutionError, f"n = {n}"):
                    fastqueens.solve(**arguments)


# Progress and stop.


@pytest.mark.parametrize(
    ("n", "seed", "start"), [(1000, 2, "windowed"), *((6, seed, STARTS[seed % 4]) for seed in range(8))]
)
def test_the_progress_of_each_stage_rises_to_its_total(monkeypatch, n, seed, start):
    """This holds even if the search restarts, as it does for n = 6."""
    small_slices(monkeypatch, 40 if n > 6 else 1)
    calls, reports = [], {}
    result = fastqueens.solve(n, seed=seed, start=start, progress=lambda *report: calls.append(report))
    assert result.solved
    stages = [stage for stage, _ in itertools.groupby(calls, lambda report: report[0])]
    assert stages in (STAGES, [*STAGES[:2], STAGES[3]])  # if there is nothing to search
    for stage, done, total in calls:
        assert type(done) is type(total) is int
        assert 0 <= done <= total
        reports.setdefault(stage, []).append(done / total)
    for stage, shares in reports.items():
        assert shares == sorted(shares) or stage == "allocation"  # of one array after the other
        assert shares[-1] == 1 or (stage == "search" and result.restarts)  # the last attempt may need no search


def test_a_stop_during_the_first_placement_raises(subtests):
    for start in STARTS:
        with subtests.test(start=start), check_error(fastqueens.Stopped, "placement", re.compile(r"\d %")):
            fastqueens.solve(1000, seed=1, start=start, stop=lambda: True)


def test_a_stop_during_the_search_returns_the_board_so_far(monkeypatch):
    small_slices(monkeypatch, 50)
    searching = []
    callbacks = {"progress": lambda stage, *_: searching.append(stage == "search"), "stop": lambda: sum(searching) == 3}
    result = fastqueens.solve(1000, seed=1, start="random", **callbacks)
    assert not result.solved
    assert result.steps == 150
    assert result.pairs == len(naive.attacking_pairs(result.queens)) == result.trace.pairs[-1]
    assert result.trace.pairs.tolist() == fastqueens.solve(1000, seed=1, start="random").trace.pairs[:151].tolist()


POLLS_OF_THE_CHECK = 1


def polls_of(**arguments):
    """Return the number of polls of the stop callback in a run, and the number before its first step."""
    polls = []
    fastqueens.solve(**arguments, stop=lambda: polls.append("poll"))
    first_board = []
    result = fastqueens.solve(**arguments, max_steps=0, stop=lambda: first_board.append("poll"))
    return len(polls), len(first_board) - (POLLS_OF_THE_CHECK if result.solved else 0)


def test_a_stop_after_the_first_board_returns_the_best_board(subtests):
    """This holds even if the search is about to restart, or to continue with min-conflicts."""
    for start in STARTS:
        with subtests.test(start=start):
            for seed in range(20):
                all_polls, polls_of_first_board = polls_of(n=6, seed=seed, start=start)
                for polls in range(polls_of_first_board, all_polls - POLLS_OF_THE_CHECK):
                    stopped = fastqueens.solve(6, seed=seed, start=start, stop=stop_after(polls))
                    assert stopped.pairs == len(naive.attacking_pairs(stopped.queens))
                    assert stopped.solved == (stopped.pairs == 0)


def test_a_board_whose_check_was_stopped_is_not_called_solved():
    all_polls, _ = polls_of(n=1000, seed=1)
    for polls in range(all_polls - POLLS_OF_THE_CHECK, all_polls):
        with check_error(fastqueens.Stopped, "verification"):
            fastqueens.solve(1000, seed=1, stop=stop_after(polls))


# The result.


def test_a_result_describes_itself_in_one_line():
    solved = fastqueens.solve(1000, seed=1)
    check_names(repr(solved), "n=1000 solved", f"{solved.steps} steps", "seed=1")
    searched = fastqueens.solve(8, seed=1, method="complete")
    check_names(repr(searched), f"{searched.nodes} squares", "method='complete'")
    assert "step" not in repr(searched)
    unsolved = fastqueens.solve(2000, seed=1, start="random", max_steps=10)
    check_names(repr(unsolved), "not solved", f"{unsolved.pairs:,} pairs left")


def test_a_result_has_its_figures_as_a_dictionary():
    result = fastqueens.solve(8, seed=4)
    figures_of_result = result.as_dict()
    names = "version n seed start options solved method steps attempts restarts fixed_queens blocked_squares "
    names += "excluded_diagonals nodes sweeps initial_pairs pairs conflicting_queens"
    assert list(figures_of_result) == [*names.split(), *(f"{part}_seconds" for part in result.timings._fields)]
    assert json.loads(json.dumps(figures_of_result)) == figures_of_result
    assert figures_of_result["restarts"] == len(result.restarts)
