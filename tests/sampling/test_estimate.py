"""``estimate()``: exact quadrature, calibrated errors, results that depend on n, seed and replicas only."""

import itertools
import json
import math
import statistics
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction

import importance
import naive
import numpy as np
import pytest
from errors import check_error
from lowered import lower
from numpy.polynomial.chebyshev import chebpts1
from scipy import stats

import fastqueens
from fastqueens.core.errors import InputError, NoSolutionError, NotEnoughMemoryError, Stopped
from fastqueens.jit.stream import ANNEALING
from fastqueens.sampling import annealing, integration, limit_shape
from fastqueens.sampling import estimate as count_estimate
from fastqueens.sampling.estimate import LEAST_REPLICAS, check_estimate, estimate
from fastqueens.sampling.estimated_count import CountEstimate, decimal_count, known_count
from fastqueens.sampling.integration import NODES, integrate

pytestmark = pytest.mark.checked


@pytest.fixture
def short(monkeypatch):
    """Replicas of a few sweeps, on all boards."""
    monkeypatch.setattr(integration, "_FEWER_SWEEPS_FROM", 1)


def figures(found):
    """Return a result without its time."""
    return {name: value for name, value in found.as_dict().items() if name != "seconds"}


# The methods


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8])
def test_the_quadrature_is_exact_enough(n):
    found = naive.energies(n)
    integral = 0.0
    for node in NODES:
        weights = {energy: number * node.t**energy for energy, number in found.items()}
        mean = sum(energy * weight for energy, weight in weights.items()) / sum(weights.values())
        integral += node.weight * mean
    assert abs(math.log(math.factorial(n) / found[0]) - integral) < (1.3e-5 if n == 5 else 2e-6)


@pytest.mark.gate
def test_the_quadrature_in_the_limit_of_large_n():
    """Exact mean energies instead of measured ones give gamma, to 4e-7."""
    gamma = 1 + sum(node.weight * limit_energy(node.t) for node in NODES)
    assert abs(gamma - fastqueens.limit_gamma().gamma) < 4e-7
    # Random permutations: the queens on a diagonal of relative length x have a Poisson law with mean x.
    assert abs(limit_energy(1 - 1e-9) - 4 * (0.5 - math.exp(-1))) < 1e-7


def limit_energy(t, order=24):
    """Return the mean energy of a queen in the limit of large n, for permutations with the weight t**E.

    The density is that of :func:`limit_shape` with another factor for diagonals. If queens come to a diagonal with the
    intensity m before the weight, the weights of their numbers k add up to Z = 1 + m + m**2 t / 2! + ..., and a further
    queen changes Z by the factor Z'(m) / Z(m): that is the factor of the diagonal. For t = 0 it is 1 / (1 + m).
    """
    columns, sums = (chebpts1(order) + 1) / 4, (chebpts1(2 * order) + 1) / 2
    y, column_share = limit_shape._pieces(columns, np.full(order, 0.5), order)
    x, sum_share = limit_shape._pieces(np.maximum(sums - 0.5, 0), sums / 2, order)
    weight, factor = np.ones(order), np.full(2 * order, 0.5)
    for _ in range(200):
        shape = limit_shape.LimitShape(limit_shape._series(weight, 0.5), limit_shape._series(factor, 1.0))
        weight = weight / np.sqrt(limit_shape._integrals(column_share, (shape.density(columns[:, None], y),)))
        density = shape.density(x, sums[:, None] - x) / shape.free(sums)[:, None]
        intensity = limit_shape._integrals(sum_share, (density,))
        z = 1 + np.expm1(t * intensity) / t
        factor = np.sqrt(factor * np.exp(t * intensity) / z)
    points, share = limit_shape.gauss(100)
    m = limit_shape._series(intensity, 1.0)(points)
    z = 1 + np.expm1(t * m) / t
    # The mean of k - 1 if k > 0: of k, less the probability that k > 0.
    return 4 * float((m * np.exp(t * m) / z - (1 - 1 / z)) @ share)


@pytest.mark.parametrize("n", [4, 6, 7])
def test_mean_energies_are_those_of_all_permutations(n):
    found = naive.energies(n)
    for node in estimate(n, seed=1, replicas=20).nodes:
        weights = {energy: number * node.t**energy for energy, number in found.items()}
        mean = sum(energy * weight for energy, weight in weights.items()) / sum(weights.values())
        assert abs(node.energy - mean) < 5 * node.energy_error
        assert node.energy_error < 0.1 * math.sqrt(mean)


def test_a_correction_of_mean_0_makes_the_error_smaller(monkeypatch, short):
    corrected = estimate(27, seed=1, replicas=200)
    monkeypatch.setattr(integration, "NODES", tuple(node._replace(control=0.0) for node in NODES))
    plain = estimate(27, seed=1, replicas=200)
    assert corrected.log_count != plain.log_count
    assert corrected.standard_error < 0.95 * plain.standard_error


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8, 12, 27])
def test_exact_numbers_are_within_the_error(n):
    found = estimate(n, seed=2, replicas=40)
    assert found.exact == known_count(n)
    assert found.deviation == pytest.approx((found.log_count - math.log(found.exact)) / found.standard_error)
    assert abs(found.deviation) < 4
    assert 0 < found.standard_error < 0.25


def test_the_error_is_calibrated(short):
    """The squares of the deviations in standard errors have their mean: 30 estimates of 16 replicas."""
    deviations = [estimate(12, seed=seed, replicas=16).deviation for seed in range(30)]
    expected = 30 * 15 / 13  # the variance of Student's t with 15 degrees of freedom
    assert stats.chi2.cdf(sum(value**2 for value in deviations) * 30 / expected, 30) == pytest.approx(0.5, abs=0.499)
    assert abs(statistics.mean(deviations)) < 4 / math.sqrt(30)


@pytest.mark.parametrize("n", [9, 30, pytest.param(50, marks=pytest.mark.gate)])
def test_another_estimate_agrees(n):
    """Annealed importance sampling uses no integral, and needs no chain that forgets its beginning."""
    found = estimate(n, seed=1, replicas=100)
    other, its_error = importance.estimate(n, 2, replicas=100, rungs=512, proposals=4 * n)
    assert abs(found.log_count - other) < 4 * math.hypot(found.standard_error, its_error)
    assert its_error < 0.1


def test_its_weights_are_unbiased_however_badly_the_chain_mixes():
    """One proposal on each of two rungs is far from any equilibrium, and the mean weight is right all the same."""
    found = [math.exp(importance.log_weight(5, seed, 0, rungs=3, proposals=1)) for seed in range(20_000)]
    assert abs(statistics.mean(found) - 10) < 4 * statistics.stdev(found) / math.sqrt(len(found))
    assert statistics.stdev(found) > 5


def test_its_weights_equal_the_reference():
    rungs, proposals = 4, 6
    ts = importance.ladder(rungs)
    last_energies = set()
    for number in range(200):
        queens, weight = naive.permutation(6, 7, number), Fraction(math.factorial(6))
        key = naive.stream_key(7, number, int(ANNEALING))
        for rung in range(1, rungs):
            weight *= (ts[rung] / ts[rung - 1]) ** naive.energy(queens)
            first = (rung - 1) * proposals
            queens, *_ = naive.swap_chain(queens, ts[rung], key, first, first + proposals)
        last_energies.add(naive.energy(queens))
        expected = math.log(weight) if naive.energy(queens) == 0 else -math.inf
        assert importance.log_weight(6, 7, number, rungs, proposals) == pytest.approx(expected)
    assert {0, 1, 2} <= last_energies


# Reproducibility


def test_the_result_does_not_depend_on_threads_and_slices(monkeypatch, short):
    what = {"seed": 5, "replicas": 20}
    expected = figures(estimate(30, **what, threads=1))
    for threads in (2, 3):
        assert figures(estimate(30, **what, threads=threads)) == expected
    lower(monkeypatch, annealing_slice=997, annealing_far=1)
    assert figures(estimate(30, **what, threads=1)) == expected


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_executors_give_the_same_result(pool):
    expected = figures(estimate(20, seed=5, replicas=5))
    with pool(2) as executor:
        assert figures(estimate(20, seed=5, replicas=5, executor=executor)) == expected


def test_unsigned_rows_change_nothing(monkeypatch, short):
    expected = figures(estimate(30, seed=5, replicas=4))
    lower(monkeypatch, unsigned_rows=1)
    assert figures(estimate(30, seed=5, replicas=4)) == expected


def test_a_longer_estimate_continues_a_shorter_one(short):
    values = [integrate(20, 3, number).log_count for number in range(9)]
    assert len(set(values)) == 9
    for replicas in (4, 9):
        found = estimate(20, seed=3, replicas=replicas)
        assert found.log_count == pytest.approx(statistics.mean(values[:replicas]), rel=1e-14)
        error = statistics.stdev(values[:replicas]) / math.sqrt(replicas)
        assert found.standard_error == pytest.approx(error, rel=1e-12)


def test_seeds_differ_and_are_drawn(short):
    assert estimate(20, seed=1, replicas=4).log_count != estimate(20, seed=2, replicas=4).log_count
    drawn = estimate(20, replicas=4)
    assert figures(estimate(20, seed=drawn.seed, replicas=4)) == figures(drawn)


# Budgets


@pytest.mark.parametrize(("n", "replicas"), [(8, 143), (27, 144), (1000, 143), (10_000, 14), (10**5, 4), (10**7, 4)])
def test_the_default_number_of_replicas_depends_on_n_only(n, replicas):
    assert count_estimate._checked_budget(n, None, None, None).replicas == replicas


def test_no_replica_begins_that_would_end_too_late(monkeypatch):
    clock, told = [0.0], []

    def slow(*arguments, stop=None):
        clock[0] += 1
        return integrate(*arguments, stop=stop)

    monkeypatch.setattr(integration, "integrate", slow)
    monkeypatch.setattr("time.perf_counter", lambda: clock[0])
    assert estimate(8, seed=1, seconds=6.5, threads=1).replicas == 6
    found = estimate(8, seed=1, seconds=2.5, threads=1, progress=lambda *state: told.append(state))
    assert found.replicas == LEAST_REPLICAS
    assert ("seconds", 2, 3) in told
    assert told[-1] == ("replicas", 4, 4)


def test_seconds_begin_no_further_replica(short):
    found = estimate(8, seed=1, seconds=1e-9, threads=1)
    assert found.replicas == LEAST_REPLICAS
    assert figures(found) == figures(estimate(8, seed=1, replicas=LEAST_REPLICAS))
    longer = estimate(8, seed=1, seconds=0.3)
    assert longer.replicas > 8
    assert figures(longer) == figures(estimate(8, seed=1, replicas=longer.replicas))


def test_an_error_is_reached_after_the_same_replicas_on_any_threads(short):
    found = [estimate(12, seed=1, error=0.05, threads=threads) for threads in (1, 2, 3)]
    assert found[0].standard_error <= 0.05
    assert found[0].replicas >= 8
    assert figures(found[0]) == figures(found[1]) == figures(found[2])
    assert figures(found[0]) == figures(estimate(12, seed=1, replicas=found[0].replicas))
    assert estimate(12, seed=1, error=1e9).replicas == 8
    assert estimate(12, seed=1, error=1e-9, seconds=0.2).replicas >= 4
    assert estimate(12, seed=1, error=1e9, seconds=100).replicas == 8


def test_stopped_estimates_have_what_is_finished(short):
    finished = []

    def progress(stage, done, total):
        finished.append((stage, done, total))

    found = estimate(8, seed=1, replicas=50, threads=1, progress=progress, stop=lambda: finished[-1][1] >= 5)
    assert found.replicas == 5
    assert figures(found) == figures(estimate(8, seed=1, replicas=5))
    assert finished[0] == ("replicas", 0, 50)
    assert finished[-1] == ("replicas", 5, 50)


@pytest.mark.parametrize("enough", [0, 1, 2])
def test_two_replicas_are_needed_for_an_error(enough, short):
    done = []
    stoppable = {"threads": 1, "progress": lambda *state: done.append(state[1]), "stop": lambda: done[-1] >= enough}
    if enough == 2:
        assert estimate(8, replicas=50, **stoppable).replicas == 2
    else:
        with pytest.raises(Stopped):
            estimate(8, replicas=50, **stoppable)


def test_a_long_replica_can_be_stopped(monkeypatch):
    lower(monkeypatch, annealing_slice=1000)
    polls = itertools.count()
    with pytest.raises(Stopped):
        estimate(300, replicas=4, threads=2, stop=lambda: next(polls) > 20)
    assert next(polls) < 200


def test_progress_by_time(short):
    told = []
    estimate(8, seconds=0.2, threads=1, progress=lambda *state: told.append(state))
    assert told[0] == ("seconds", 0, 1)
    assert all(0 <= done <= total == (1 if stage == "seconds" else total) for stage, done, total in told)


# The result


def test_one_queen_is_exact():
    found = estimate(1, seed=4)
    assert (found.log_count, found.standard_error, found.exact, found.deviation) == (0, 0, 1, None)
    assert (found.decimal, found.method, found.gamma) == ("1", "exact", 0)


def test_the_figures_fit_together(short):
    found = estimate(30, seed=4, replicas=5)
    assert found.gamma == pytest.approx(math.log(30) - found.log_count / 30)
    assert found.gamma_error == found.standard_error / 30
    assert (found.exact, found.deviation) == (None, None)
    assert found.proposals == 5 * 30 * sum(node.sweeps for node in NODES)
    assert integration.proposals_of_replica(30) == 30 * sum(node.sweeps + node.burn_in for node in NODES)
    assert [node.t for node in found.nodes] == [node.t for node in NODES]
    assert all(upper.energy > lower.energy for upper, lower in itertools.pairwise(found.nodes))
    assert all(upper.acceptance > lower.acceptance for upper, lower in itertools.pairwise(found.nodes))
    shares = [node.acceptance * row.sweeps for node, row in zip(found.nodes, NODES, strict=True)]
    assert found.acceptance == pytest.approx(sum(shares) / sum(node.sweeps for node in NODES))
    assert found.replicas == 5
    assert repr(found).startswith("<CountEstimate n=30 ln Q = ")
    assert json.loads(json.dumps(found.as_dict()))["nodes"][0]["t"] == NODES[0].t


def test_more_sweeps_on_small_boards():
    assert integration.schedule(1000) == [(node.burn_in, node.sweeps) for node in NODES]
    assert integration.schedule(501) == integration.schedule(1001) == integration.schedule(1000)
    assert integration.schedule(500)[0] == (2 * NODES[0].burn_in, 2 * NODES[0].sweeps)


def test_known_counts():
    assert [known_count(n) for n in range(1, 9)] == [len(naive.completions(n, {})) for n in range(1, 9)]
    assert known_count(27) == 234_907_967_154_122_528
    assert known_count(28) is None
    logarithms = [math.log(known_count(n)) for n in range(8, 28)]
    assert all(0.7 < later - earlier < 2.5 for earlier, later in itertools.pairwise(logarithms))


@pytest.mark.parametrize(
    ("log_count", "error", "text"),
    [
        (math.log(92.134), 0.0044, "92.13 ± 0.41"),
        (math.log(92.134), 0.044, "92.1 ± 4.1"),
        (math.log(92.134), 0.11, "92 ± 10"),
        (math.log(2), 1e-5, "2.000000 ± 0.000020"),
        (math.log(9_999_999), 1e-5, "9,999,999 ± 100"),
        (math.log(10_000_001), 1e-5, "1.000000(10) x 10^7"),
        (math.log(10_000_001), 0.001, "1.0000(10) x 10^7"),
        (math.log(2.3491e17), 0.0051, "2.349(12) x 10^17"),
        (math.log(9.9999e17), 0.0051, "1.0000(51) x 10^18"),
        (math.log(2.51e17), 0.35, "2.51(88) x 10^17"),
        (math.log(2.5e17), 0.351, "10^(17.40 ± 0.15)"),
        (math.log(9e17), 0.35, "9.0(32) x 10^17"),
        (1_000_000.0, 5.0, "10^(434,294.5 ± 2.2)"),
        (1_000_000.0, 0.1, "3.03(30) x 10^434,294"),
        (0.0, 0.0, "1"),
    ],
)
def test_decimal_notation(log_count, error, text):
    assert decimal_count(log_count, error) == text


# Bad input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "n is 0"),
        ({"n": 2**31 + 1}, "n is 2147483649: an estimate goes up to n = 2,147,483,648"),
        ({"replicas": 3}, "replicas is 3: it goes from 4 to 1000000"),
        ({"replicas": 10**6 + 1}, "it goes from 4 to 1000000"),
        ({"replicas": 4.0}, "replicas is 4.0: a whole number is needed"),
        ({"replicas": 4, "seconds": 1}, "replicas and seconds: give one of them"),
        ({"replicas": 4, "error": 1}, "replicas and error: give one of them"),
        ({"seconds": 0}, "seconds is 0: a finite number above 0 is needed"),
        ({"seconds": math.inf}, "seconds is inf"),
        ({"seconds": "1"}, "seconds is '1'"),
        ({"error": -1.0}, "error is -1.0: a finite number above 0"),
        ({"error": math.nan}, "error is nan"),
        ({"error": True}, "error is True"),
        ({"error": np.float32(-1)}, "error is np.float32\\(-1.0\\)"),
        ({"seed": -1}, "seed is -1"),
        ({"threads": 0}, "threads is 0"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(InputError, match=message):
        estimate(**{"n": 8, **arguments})


def test_numbers_of_numpy_are_numbers(short):
    assert estimate(8, seed=1, seconds=np.float32(1e-3), error=np.int64(100)).replicas >= LEAST_REPLICAS


@pytest.mark.parametrize("n", [2, 3])
def test_no_solution(n):
    with check_error(NoSolutionError, f"n = {n}"):
        estimate(n)


@pytest.mark.parametrize("arguments", [{"n": 2**31 + 1}, {"seed": -1}, {"error": 0}, {"n": 3}])
def test_arguments_are_checked_before_a_cluster_starts(arguments):
    check_estimate(8, seed=1, replicas=4)
    with pytest.raises(ValueError) as expected:
        estimate(**{"n": 8, **arguments})
    with pytest.raises(type(expected.value), match=str(expected.value)):
        check_estimate(**{"n": 8, **arguments})


def test_memory_is_compared_before_anything_is_allocated(monkeypatch):
    monkeypatch.setattr("fastqueens.core.memory.available_memory", lambda: 10**9)
    with pytest.raises(
        NotEnoughMemoryError, match=r"estimating n = 100,000,000 with 2 replicas at a time needs 1,600 MB"
    ):
        estimate(10**8, threads=2)
    annealing.check_room(10**8, 1)


def test_public_names():
    assert fastqueens.estimate is estimate
    assert fastqueens.CountEstimate is CountEstimate
