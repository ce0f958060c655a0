"""The Markov chain at any t, compared with a slow one, with exact means, and with its equilibrium."""

from fractions import Fraction

import naive
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from fastqueens.sampling import annealing_kernel
from fastqueens.sampling.annealing import first_board, odds
from fastqueens.sampling.annealing_kernel import CHANGES, MOST_CHANGE, Chain

pytestmark = pytest.mark.checked

U64 = np.uint64
ZERO = U64(0)

boards = st.integers(2, 12).flatmap(lambda n: st.permutations(range(n)))
fractions = st.one_of(st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 1000)]), st.fractions(0, 1))


def chain_of(queens, dtype=np.int32):
    n = len(queens)
    chain = Chain(np.array(queens, dtype), np.zeros(2 * n - 1, np.uint8), np.zeros(2 * n - 1, np.uint8))
    return chain, annealing_kernel.count_diagonals(chain, 0, n)


def check_diagonals(chain):
    """Check that the counters are those of the board, and return its energy."""
    queens = chain.queens.tolist()
    fresh, energy = chain_of(queens)
    assert fresh.sums.tolist() == chain.sums.tolist()
    assert fresh.differences.tolist() == chain.differences.tolist()
    assert energy == naive.energy(queens)
    assert sorted(queens) == list(range(len(queens)))
    return energy


@given(boards)
def test_diagonals_are_counted(queens):
    chain, energy = chain_of(queens)
    n = len(queens)
    assert energy == naive.energy(queens)
    assert chain.sums.tolist() == [naive.sums(queens).count(line) for line in range(2 * n - 1)]
    assert chain.differences.tolist() == [naive.differences(queens).count(line) for line in range(1 - n, n)]


@given(boards, st.integers(0, 12))
def test_diagonals_are_counted_in_slices(queens, cut):
    whole, energy = chain_of(queens)
    n, cut = len(queens), min(cut, len(queens))
    cut_up = Chain(whole.queens, np.zeros_like(whole.sums), np.zeros_like(whole.sums))
    assert sum(annealing_kernel.count_diagonals(cut_up, *span) for span in ((0, cut), (cut, n))) == energy
    assert cut_up.sums.tolist() == whole.sums.tolist()


@given(boards, fractions, st.integers(0, 2**64 - 1), st.integers(0, 100))
@example([0, 1], Fraction(1), 3, 0)
@example([1, 0, 2], Fraction(1, 2), 7, 5)
def test_the_chain_equals_the_reference(queens, t, key, first):
    expected, visited, accepted, excess = naive.swap_chain(queens, t, key, first, first + 60)
    for dtype, ahead in ((np.int32, 0), (np.uint32, 16)):
        chain, energy = chain_of(queens, dtype)
        last_energy, total, made, surplus = annealing_kernel.walk(
            chain, *odds(t), U64(key), energy, U64(ahead), first, first + 60
        )
        assert chain.queens.tolist() == expected
        assert (last_energy, total, made) == (visited[-1], sum(visited), accepted)
        # Each of 60 means is rounded down by less than its rise.
        assert 0 <= Fraction(surplus, 2**32) - excess < Fraction(60 * MOST_CHANGE, 2**32)
        assert check_diagonals(chain) == last_energy


def test_slices_are_one_walk():
    chain, energy = chain_of(range(50))
    cut_up, _ = chain_of(range(50))
    half = odds(Fraction(1, 2))
    whole = annealing_kernel.walk(chain, *half, U64(5), energy, ZERO, 0, 3000)
    sums = np.zeros(3, np.int64)
    for first, last in ((0, 1), (1, 1000), (1000, 1000), (1000, 3000)):
        energy, *parts = annealing_kernel.walk(cut_up, *half, U64(5), energy, ZERO, first, last)
        sums += parts
    assert (energy, *sums.tolist()) == whole
    assert cut_up.queens.tolist() == chain.queens.tolist()


@pytest.mark.parametrize("t", [Fraction(0), Fraction(1, 2), Fraction(1, 3), Fraction(1)])
def test_odds(t):
    thresholds, rises = odds(t)
    assert (thresholds.dtype, rises.dtype) == (np.uint64, np.int64)
    assert len(thresholds) == len(rises) == CHANGES
    for change in range(-MOST_CHANGE, MOST_CHANGE + 1):
        chance = t ** max(change, 0)
        assert thresholds[change + MOST_CHANGE] == int(chance * 2**63)
        assert 0 <= max(change, 0) * chance * 2**32 - int(rises[change + MOST_CHANGE]) < MOST_CHANGE


@pytest.mark.parametrize("on_main_diagonal", [126, 127, 128, 129, 200])
def test_a_diagonal_with_128_queens_gets_no_more(on_main_diagonal):
    """A counter of 8 bits cannot overflow, whatever the chain does."""
    n = on_main_diagonal + 30
    queens = [*range(on_main_diagonal), *(on_main_diagonal + (column + 1) % 30 for column in range(30))]
    proposals = 1500
    expected, visited, accepted, _ = naive.swap_chain(queens, Fraction(1), 11, 0, proposals)
    chain, energy = chain_of(queens)
    result = annealing_kernel.walk(chain, *odds(Fraction(1)), U64(11), energy, ZERO, 0, proposals)
    assert chain.queens.tolist() == expected
    assert result[:3] == (visited[-1], sum(visited), accepted)
    assert chain.differences[n - 1] <= max(on_main_diagonal, 129)


def test_a_diagonal_may_get_its_128th_queen_and_no_other():
    """Two columns that change rows put a queen each on the main diagonal, if it has at most 127."""
    for on_main_diagonal, is_accepted in ((127, True), (128, False)):
        queens = [*range(on_main_diagonal), on_main_diagonal + 1, on_main_diagonal]
        n = len(queens)
        key = next(key for key in range(10**6) if _columns(key, n) == {n - 2, n - 1})
        chain, energy = chain_of(queens)
        *_, accepted, _ = annealing_kernel.walk(chain, *odds(Fraction(1)), U64(key), energy, ZERO, 0, 1)
        assert accepted == is_accepted
        assert chain.differences[n - 1] == on_main_diagonal + 2 * is_accepted


def _columns(key, n):
    drawn = naive.word(key, 0)
    left, right = (drawn >> 32) * n >> 32, (drawn % 2**32) * (n - 1) >> 32
    return {left, right + (right >= left)}


@pytest.mark.parametrize("n", [4, 5, 6])
@pytest.mark.parametrize("t", [Fraction(1), Fraction(1, 2), Fraction(1, 5)])
def test_the_equilibrium_is_exact(n, t):
    """The boards of many independent chains have the weights t**energy of a permutation."""
    found = naive.energies(n)
    total = sum(number * t**energy for energy, number in found.items())
    seen = dict.fromkeys(found, 0)
    chains = 4000
    for number in range(chains):
        chain, energy = first_board(n, 3, number, None)
        energy, *_ = annealing_kernel.walk(chain, *odds(t), U64(naive.splitmix(number)), energy, ZERO, 0, 400)
        seen[energy] += 1
    expected = [float(chains * number * t**energy / total) for energy, number in found.items()]
    assert stats.chisquare(list(seen.values()), expected).pvalue > 0.001


@pytest.mark.parametrize("n", [4, 5])
def test_swaps_of_one_energy_leave_the_weights_as_they_are(n):
    """Detailed balance of the odds: weight times odds is the same in both directions."""
    t = Fraction(1, 4)
    thresholds = odds(t).thresholds
    for change in range(1, MOST_CHANGE + 1):
        up, down = int(thresholds[MOST_CHANGE + change]), int(thresholds[MOST_CHANGE - change])
        assert up == t**change * down


def test_the_control_variate_has_mean_0():
    chain, energy = first_board(40, 1, 0, None)
    batches = []
    for batch in range(400):
        energy, _, _, excess = annealing_kernel.walk(
            chain, *odds(Fraction(1, 10)), U64(9), energy, ZERO, 2000 * batch, 2000 * (batch + 1)
        )
        batches.append(excess / 2**32)
    assert abs(np.mean(batches)) < 4 * np.std(batches) / np.sqrt(400)
    assert np.std(batches) > 1
