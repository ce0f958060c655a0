"""Integrated autocorrelation times: of processes whose times are known, and next to a slow, obvious reference."""

from itertools import pairwise, product

import numpy as np
import pytest

from fastqueens.sampling.autocorrelation import autocorrelation_times

#: Values are whole numbers: normal numbers times this.
SCALE = 1_000_000


def noise(length, features=1, seed=1):
    return np.rint(SCALE * np.random.default_rng(seed).normal(size=(length, features))).astype(np.int64)


def processes(rho, count, length, seed):
    """Return stationary chains in which each value is rho times the last one plus noise."""
    values = np.random.default_rng(seed).normal(size=(length, count))
    values[1:] *= np.sqrt(1 - rho * rho)
    for before, now in pairwise(values):
        now += rho * before
    return list(np.rint(SCALE * values).astype(np.int64).T[:, :, None])


def process(rho, length, seed):
    return processes(rho, 1, length, seed)[0]


def time_of(rho):
    return (1 + rho) / (1 - rho)


def naive_times(chains, every):
    """Return both times, by a loop over all pairs of observations in Python."""
    total, longest = sum(map(len, chains)), max(map(len, chains))
    found = []
    for feature in range(chains[0].shape[1]):
        series = [[int(value) for value in chain[:, feature]] for chain in chains]
        mean = sum(map(sum, series)) / total
        products = [[(one[t] - mean) * (one[t + lag] - mean) for one in series for t in range(len(one) - lag)]
                    for lag in range(longest)]  # fmt: skip
        variance = sum(products[0]) / total
        if variance == 0:
            continue
        known = [sum(of_lag) / len(of_lag) / variance for of_lag in products if len(of_lag) >= 100]
        last = next((m for m in range(len(known)) if m >= 5 * (1 + 2 * sum(known[1 : m + 1]))), None)
        if last is None and len(known) > 10 * every:
            return "never decays"
        if last is None or total < 20 * (time := 1 + 2 * sum(known[1 : last + 1])):
            return "unknown"
        found.append((time, 1 + 2 * sum(known[every : last + 1 : every])))
    return tuple(max(1, *times) for times in zip(*found, strict=True)) if found else "constant"


def test_processes_with_known_times():
    for rho in (0, 0.3, 0.9):
        chains = processes(rho, 40, 20_000, seed=1)
        for every in (1, 2, 8):
            found = autocorrelation_times(chains, every)
            assert found.correlation == "decays", (rho, every)
            assert found[1:] == pytest.approx((time_of(rho), time_of(rho**every)), rel=0.06), (rho, every)


@pytest.mark.parametrize("lengths", [[400], [1, 250, 260], [0, 350, 2], [99, 100, 101], [5] * 150])
def test_the_naive_sums_are_the_same(lengths):
    for every, rho in product((1, 8, 1000), (0.6, -0.8)):
        check_naive_sums(lengths, every, rho)


def check_naive_sums(lengths, every, rho):
    chains = [np.concatenate([process(rho, k, 2 * seed), process(0, k, 2 * seed + 1)], axis=1) if k else noise(0, 2)
              for seed, k in enumerate(lengths)]  # fmt: skip
    expected = naive_times(chains, every)
    found = autocorrelation_times(chains, every)
    if found.correlation == "decays":
        assert lengths != [5] * 150
        assert found[1:] == pytest.approx(expected, rel=1e-9)
    else:
        assert found == (expected, None, None) == ("unknown", None, None)
        assert lengths == [5] * 150


def test_large_values_that_do_not_change_are_no_noise():
    """Sums of equal values beyond 2**53 are rounded."""
    chains = [noise(500, seed=seed) for seed in range(3)]
    constant = [np.concatenate([chain, np.full((500, 1), 2**61 + 12345)], axis=1) for chain in chains]
    assert autocorrelation_times(constant, 2) == autocorrelation_times(chains, 2)
    assert autocorrelation_times([np.full((500, 2), 2**61 + 1)] * 3, 2).correlation == "constant"
    shifted = [chain + 2**61 for chain in chains]
    assert autocorrelation_times(shifted, 2)[1:] == pytest.approx(autocorrelation_times(chains, 2)[1:], rel=1e-6)


def test_a_shift_between_chains_is_slow():
    """Chains that do not meet: all observations are around the mean of all chains."""
    chains = [noise(300, seed=seed) + seed % 2 * 10 * SCALE for seed in range(6)]
    assert autocorrelation_times(chains, 1).correlation == "never decays"
    stuck = [np.full((40, 1), value) for value in range(64)]
    assert autocorrelation_times(stuck, 3).correlation == "never decays"
    assert autocorrelation_times(stuck, 4).correlation == "unknown", "ten samples are too few"


def test_too_few_observations():
    one = noise(1)
    for chains in ([noise(0)], [noise(0), noise(0)], [one], [noise(0, 0)], [one, noise(1, seed=2)], [one] * 1000):
        assert autocorrelation_times(chains, 1).correlation in ("unknown", "constant")
