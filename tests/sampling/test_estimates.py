"""``estimate()``: exact numbers, calibrated errors, results that depend on instance, seed and replicas only."""

import itertools
import json
import math
import statistics
import tracemalloc
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import naive
import pytest
from chances import chance_above
from errors import check_error
from lowered import limit_memory, lower, lowered

import fastqueens
from fastqueens.board import known_count
from fastqueens.errors import InputError, NoSolutionError, NotEnoughMemoryError, Stopped, TimeLimitReached
from fastqueens.instance import make_instance
from fastqueens.sampling import estimates, levels
from fastqueens.sampling.estimates import check_estimate, decimal_count, estimate
from fastqueens.sampling.levels import hops_of_replica, run_replica

pytestmark = pytest.mark.checked


def figures(found):
    """Return a result without its time."""
    return {name: value for name, value in found.as_dict().items() if name != "seconds"}


# The numbers


def assert_near(found, exact, largest=0.02):
    assert abs(found.log_count - math.log(exact)) < 4 * found.standard_error
    assert 0 < found.standard_error < largest


@pytest.mark.parametrize("n", [4, 8, 27])
def test_exact_numbers_are_within_the_error(n):
    found = estimate(n, seed=2, replicas=64)
    assert found.exact == known_count(n)
    assert found.deviation == pytest.approx((found.log_count - math.log(found.exact)) / found.standard_error)
    assert_near(found, found.exact)


@pytest.mark.parametrize(
    "constraints",
    [
        {"blocked": [(column, row) for column in range(12) for row in range(12) if (column + 2 * row) % 5 == 0]},
        {"fixed": {3: 0}, "blocked": [(0, 1), (7, 7)], "excluded_sums": [20], "excluded_differences": [6]},
    ],
)
def test_exact_numbers_of_instances_are_within_the_error(constraints):
    instance = make_instance(12, **constraints)
    found = estimate(instance, seed=2, replicas=32)
    assert found.exact is None
    assert_near(found, fastqueens.count_solutions(instance), largest=0.05)


def test_a_walk_and_levels_agree(monkeypatch):
    measured_levels = estimate(80, seed=1, replicas=32)
    monkeypatch.setattr(levels, "MOST_WALKED", 80)
    walked = estimate(80, seed=1, replicas=32)
    assert (len(measured_levels.levels), len(walked.levels)) == (8, 80)
    error = math.hypot(measured_levels.standard_error, walked.standard_error)
    assert abs(measured_levels.log_count - walked.log_count) < 4 * error
    assert error < 0.03


def assert_calibrated(deviations, replicas):
    """Fail unless they have the mean 0 and the variance of Student's t with replicas - 1 degrees of freedom."""
    count, expected = len(deviations), (replicas - 1) / (replicas - 3)
    assert 0.001 < chance_above(sum(value**2 for value in deviations) / expected, count) < 0.999
    assert abs(statistics.mean(deviations)) < 4 * math.sqrt(expected / count)


def test_the_error_is_calibrated():
    assert_calibrated([estimate(8, seed=seed, replicas=16).deviation for seed in range(10)], 16)


@pytest.mark.gate
@pytest.mark.parametrize("n", [8, 27])
def test_the_error_is_calibrated_over_60_seeds(n):
    assert_calibrated([estimate(n, seed=seed, replicas=16).deviation for seed in range(60)], 16)


def test_gamma_is_near_its_limit():
    """The limit shape is computed without boards and holes."""
    found = estimate(3000, seed=1, replicas=16)
    assert 0.0005 < fastqueens.limit_gamma().gamma - found.gamma < 0.0025
    assert 0 < found.gamma_error < 2e-4


# Reproducibility


@pytest.mark.parametrize(
    "instance", [make_instance(30), make_instance(20, {3: 4}, blocked=[(0, 0)]), make_instance(90)]
)
def test_the_result_does_not_depend_on_threads_and_slices(instance):
    what = {"seed": 5, "replicas": 4}
    expected = figures(estimate(instance, **what, threads=1))
    assert figures(estimate(instance, **what, threads=3)) == expected
    for change in ({"levels_slice": 997}, {"unsigned_rows": 1}, {"loaded_ahead": 1}, {"checked_slice": 1}):
        with lowered(**change):
            assert figures(estimate(instance, **what, threads=1)) == expected, change


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_executors_give_the_same_result(pool):
    expected = [figures(estimate(n, seed=5, replicas=5, blocked=[(1, 1)])) for n in (20, 70)]
    with pool(2) as executor:
        for n, wanted in zip((20, 70), expected, strict=True):
            assert figures(estimate(n, seed=5, replicas=5, blocked=[(1, 1)], executor=executor)) == wanted


def test_seeds_differ_and_are_drawn():
    assert estimate(20, seed=1, replicas=4).log_count != estimate(20, seed=2, replicas=4).log_count
    drawn = estimate(20, replicas=4)
    assert figures(estimate(20, seed=drawn.seed, replicas=4)) == figures(drawn)


# Budgets


@pytest.mark.parametrize(("n", "replicas"), [(8, 150), (1000, 162), (10**5, 4)])
def test_the_default_number_of_replicas_depends_on_the_instance_only(n, replicas):
    assert check_estimate(make_instance(n)).replicas == replicas


@pytest.mark.parametrize(
    "instance", [make_instance(12), make_instance(60, {0: 0}), make_instance(100), make_instance(1500)]
)
def test_the_hops_of_a_replica_are_about_as_many_as_expected(instance):
    tried = run_replica(instance, 1, 0).hops_tried
    assert 0.4 < tried / levels.hops_of_replica(instance) < 1.3


def test_no_replica_begins_that_would_end_too_late(monkeypatch):
    clock, told = [0.0], []

    def slow(*arguments, **callbacks):
        clock[0] += 1
        return run_replica(*arguments, **callbacks)

    monkeypatch.setattr(estimates, "run_replica", slow)
    monkeypatch.setattr("time.perf_counter", lambda: clock[0])
    found = estimate(8, seed=1, time_limit=6.5, threads=1, progress=lambda *state: told.append(state))
    assert figures(found) == figures(estimate(8, seed=1, replicas=6))
    assert ("estimating", 2000, 6500) in told
    assert estimate(8, seed=1, replicas=20, time_limit=6.5, threads=1).replicas == 6
    assert estimate(8, seed=1, replicas=5, time_limit=6.5, threads=1).replicas == 5
    assert estimate(8, seed=1, time_limit=2.5, threads=1).replicas == 2
    with check_error(TimeLimitReached, "2 replicas"):
        estimate(8, seed=1, time_limit=0.5, threads=1)


def test_an_error_is_reached_after_the_same_replicas_on_any_threads():
    found = [estimate(12, seed=1, error=0.01, threads=threads) for threads in (1, 2, 3)]
    assert found[0].standard_error <= 0.01
    assert found[0].replicas >= 8
    assert figures(found[0]) == figures(found[1]) == figures(found[2])
    assert figures(found[0]) == figures(estimate(12, seed=1, replicas=found[0].replicas))
    assert estimate(4, seed=1, error=1e-9, time_limit=0.5).replicas >= 2
    assert estimate(12, seed=1, error=1e9, time_limit=100).replicas == 8


def test_stopped_estimates_have_what_is_finished():
    finished = []

    def progress(stage, done, total):
        finished.append((stage, done, total))

    stop = {"progress": progress, "stop": lambda: finished[-1][0] == "replicas (5 of 50)"}
    found = estimate(8, seed=1, replicas=50, threads=1, **stop)
    assert found.replicas == 5
    assert figures(found) == figures(estimate(8, seed=1, replicas=5))
    hops = hops_of_replica(make_instance(8))
    assert finished[0] == ("replicas (0 of 50)", 0, 50 * hops)
    assert finished[-1] == ("replicas (5 of 50)", 5 * hops, 50 * hops)


@pytest.mark.parametrize("n", [8, 100])
def test_progress_within_a_replica(monkeypatch, n):
    lower(monkeypatch, levels_slice=1000)
    monkeypatch.setattr("fastqueens._run.executors._PAUSE", 0.0001)
    heard = []
    estimate(n, seed=1, replicas=20, threads=1, progress=lambda *state: heard.append(state))
    each = hops_of_replica(make_instance(n))
    done = [state[1] for state in heard]
    assert {state[2] for state in heard} == {20 * each}
    assert done == sorted(done)
    assert done[-1] == 20 * each
    # On a busy machine, some replicas end unseen.
    within = [hops for stage, hops, _ in heard if hops % each and stage == f"replicas ({hops // each} of 20)"]
    assert len(set(within)) > 5


@pytest.mark.parametrize("enough", [0, 1, 2])
def test_two_replicas_are_needed_for_an_error(enough):
    done = []
    stage = f"replicas ({enough} of 50)"
    stoppable = {"threads": 1, "progress": lambda *state: done.append(state[0]), "stop": lambda: done[-1] == stage}
    if enough == 2:
        assert estimate(8, replicas=50, **stoppable).replicas == 2
    else:
        with pytest.raises(Stopped):
            estimate(8, replicas=50, **stoppable)


@pytest.mark.parametrize("instance", [make_instance(2000), make_instance(6, {0: 0, 1: 2})])
def test_a_long_replica_can_be_stopped(monkeypatch, instance):
    lower(monkeypatch, levels_slice=100)
    polls = itertools.count()
    with pytest.raises(Stopped):
        estimate(instance, replicas=4, threads=2, stop=lambda: next(polls) > 1)
    assert next(polls) < 200


# The result


def test_one_queen_is_exact():
    found = estimate(1, seed=4)
    assert (found.log_count, found.standard_error, found.exact, found.deviation) == (0, 0, 1, None)
    assert (found.decimal, found.method, found.gamma, found.levels) == ("1", "exact", 0, ())


def test_instances_with_one_solution():
    queens = fastqueens.solve(12, seed=1).queens.tolist()
    all_fixed = estimate(12, fixed=dict(enumerate(queens)))
    assert (all_fixed.log_count, all_fixed.standard_error, all_fixed.method) == (0, 0, "exact")
    one_free = estimate(12, fixed=dict(enumerate(queens[:-1])), replicas=4)
    assert (one_free.log_count, one_free.standard_error, one_free.decimal) == (0, 0, "1")
    assert one_free.deviation is None


@pytest.mark.parametrize("n", [30, 90])
def test_the_figures_fit_together(n):
    found = estimate(n, seed=4, replicas=5)
    replicas = [run_replica(make_instance(n), 4, number) for number in range(5)]
    assert found.gamma == pytest.approx(math.log(n) - found.log_count / n)
    error = statistics.stdev(replica.log_count for replica in replicas) / math.sqrt(5)
    assert found.standard_error == pytest.approx(error, rel=1e-12)
    assert found.log_count == pytest.approx(statistics.mean(replica.log_count for replica in replicas), abs=0.02)
    assert found.gamma_error == found.standard_error / n
    assert (found.n, found.exact, found.deviation, found.method, found.replicas) == (n, None, None, "holes", 5)
    assert found.hops == sum(replica.hops for replica in replicas)
    assert found.acceptance == found.hops / sum(replica.hops_tried for replica in replicas)
    assert [level.holes for level in found.levels] == levels.levels_of(make_instance(n))
    for at, level in enumerate(found.levels):
        values = [replica.free[at] for replica in replicas]
        assert level.free == pytest.approx(statistics.mean(values))
        assert level.free_error == pytest.approx(statistics.stdev(values) / math.sqrt(5), abs=1e-15)
    assert found.log_count == pytest.approx(levels.log_count(found.instance, [level.free for level in found.levels]))
    assert all(more.free > fewer.free for more, fewer in itertools.pairwise(found.levels))
    assert repr(found).startswith(f"<CountEstimate n={n} ln Q = ")
    assert json.loads(json.dumps(found.as_dict()))["levels"][0]["free"] == found.levels[0].free


def test_known_counts():
    assert [known_count(n) for n in range(1, 9)] == [len(naive.completions(n, {})) for n in range(1, 9)]
    assert known_count(27) == 234_907_967_154_122_528
    logarithms = [math.log(known_count(n)) for n in range(8, 28)]
    assert all(0.7 < later - earlier < 2.5 for earlier, later in itertools.pairwise(logarithms))
    assert known_count(28) is None


def test_decimal_notation():
    for log_count, error, text in [
        (math.log(92.134), 0.0044, "92.13 ± 0.41"),
        (math.log(92.134), 0.11, "92 ± 10"),
        (math.log(9_999_999), 1e-5, "9,999,999 ± 100"),
        (math.log(10_000_001), 1e-5, "1.000000(10) x 10^7"),
        (math.log(2.3491e17), 0.0051, "2.349(12) x 10^17"),
        (math.log(9.9999e17), 0.0051, "1.0000(51) x 10^18"),
        (math.log(2.5e17), 0.351, "10^(17.40 ± 0.15)"),
        (1_000_000.0, 5.0, "10^(434,294.5 ± 2.2)"),
        (0.0, 0.0, "1"),
    ]:
        assert decimal_count(log_count, error) == text


# Bad input


def test_bad_input():
    for arguments, message in [
        ({"n": 0}, "n must be between 1 and 4,294,967,295, not 0"),
        ({"n": 2**31 + 1}, "an estimate handles at most n = 2,147,483,648, not 2,147,483,649"),
        ({"replicas": 3}, "replicas must be between 4 and 1,000,000, not 3"),
        ({"replicas": 4, "error": 1}, "replicas and error cannot be combined; leave one of them out"),
        ({"time_limit": 0}, "time_limit must be a number above 0 and at most "),
        ({"error": -1.0}, "error must be a number above 0"),
        ({"error": math.nan}, "not nan"),
    ]:
        with pytest.raises(InputError, match=message):
            estimate(**{"n": 8, **arguments})


@pytest.mark.parametrize("n", [2, 3])
def test_no_solution(n):
    with check_error(NoSolutionError, f"n = {n}"):
        estimate(n)


@pytest.mark.parametrize("n", [6, 30])
def test_an_instance_without_solution(n):
    """Two columns have a single square left, on the same row."""
    blocked = [(column, row) for column in (0, n - 1) for row in range(n) if row != 3]
    with check_error(InputError, f"n = {n}", f"{2 * n - 2} blocked squares", "count_solutions"):
        estimate(n, blocked=blocked, replicas=4)


@pytest.mark.parametrize("n", [6, 64, 65, 600])
def test_a_line_without_an_open_square(n):
    """Chains on large boards would not meet the few holes at which it matters."""
    with check_error(NoSolutionError, "row 5"):
        estimate(n, blocked=[(column, 5) for column in range(n)], replicas=4)


def test_it_takes_no_more_memory_than_is_checked(monkeypatch):
    instance, polls = make_instance(300_000), itertools.count()
    tracemalloc.start()
    try:
        with pytest.raises(Stopped):
            run_replica(instance, 1, 0, stop=lambda: next(polls) > 3)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    limit_memory(monkeypatch, 100 * round(peak / 0.9))
    levels.check_room(instance, 100)
    limit_memory(monkeypatch, 100 * (peak - 1_000_000))
    with pytest.raises(NotEnoughMemoryError):
        levels.check_room(instance, 100)


def test_memory_is_compared_before_anything_is_allocated(monkeypatch):
    limit_memory(monkeypatch, 4 * 10**9)
    with pytest.raises(
        NotEnoughMemoryError, match=r"estimating n = 100,000,000 with 2 replicas at a time needs 6,000 MB"
    ):
        estimate(10**8, threads=2)
    levels.check_room(make_instance(10**8), 1)
