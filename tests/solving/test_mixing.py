"""The Markov chain that mixes solutions: its steps, its law by exact and by random tests, and ``solve(mix=)``."""

import itertools
import math
import re
import tracemalloc
from collections import Counter

import naive
import numpy as np
import plain
import pytest
from errors import check_error
from hypothesis import given
from hypothesis import strategies as st
from lowered import lower, lowered
from scipy import stats

import fastqueens
from fastqueens import solving
from fastqueens.core.arguments import STARTS
from fastqueens.core.instance import make_instance
from fastqueens.core.progress import Callbacks
from fastqueens.jit.bits import is_set
from fastqueens.solving import mixing_kernel
from fastqueens.solving.mixing import SolutionChain, odds

pytestmark = pytest.mark.checked

U64 = np.uint64

seeds = st.integers(0, 2**64 - 1)
windows = st.sampled_from([2, 4, 5, 16, 4096])


@st.composite
def solved_instances(draw, smallest=4, largest=60):
    """Solutions, with instances that they solve; some constraints are few, others leave little choice."""
    n = draw(st.integers(smallest, largest))
    queens = fastqueens.solve(n, seed=draw(st.integers(0, 10**6))).queens
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    shares = [draw(st.sampled_from([0, 0, 0, 0.1, 0.6])) for _ in range(3)]
    fixed = {int(c): int(queens[c]) for c in random.permutation(n)[: min(int(shares[0] * n), n - 2)]}
    blocked = np.argwhere(random.random((n, n)) < shares[1])
    blocked = blocked[queens[blocked[:, 0]] != blocked[:, 1]]
    is_excluded = random.random((2, 2 * n - 1)) < shares[2]
    columns = np.arange(n)
    is_excluded[0, columns + queens] = is_excluded[1, queens - columns + n - 1] = False
    return queens, make_instance(
        n,
        fixed,
        blocked=blocked,
        excluded_sums=np.flatnonzero(is_excluded[0]),
        excluded_differences=np.flatnonzero(is_excluded[1]) - (n - 1),
    )


class Pair:
    """The chain of the package, and the reference with the same seed."""

    def __init__(self, queens, instance, seed, number=0, window=4096, dtype=np.int32):
        self.queens, self.instance = np.array(queens, dtype), instance
        with lowered(window=window):
            self.chain = SolutionChain(self.queens, instance, seed, number)
        self.state, self.arrays = self.chain._state, self.chain._chain
        self.naive = naive.Mixing(
            self.queens.tolist(),
            seed,
            number,
            window,
            instance.fixed.columns.tolist(),
            instance.blocked.tolist(),
            (instance.excluded_sums.tolist(), instance.excluded_differences.tolist()),
        )

    def call(self, most):
        """Make at most so many proposals in both and compare what they return; return it."""
        is_at_end = mixing_kernel.mix(self.arrays, self.state, most)
        assert is_at_end == self.naive.advance(most)
        return is_at_end

    def begin(self, proposals):
        self.state[mixing_kernel.LEFT] = self.naive.left = proposals

    def assert_equal(self):
        assert self.queens.tolist() == self.naive.queens
        names = ("left", "from_solutions", "proposals", "accepted", "surplus", "until_rise", "phase_left")
        names += ("draws", "other_draws")
        for name in names:
            assert int(self.state[getattr(mixing_kernel, name.upper())]) == getattr(self.naive, name), name

    def assert_invariants(self):
        """Compare everything that the chain keeps of its board with the board."""
        n, queens, instance = self.instance.n, self.queens.tolist(), self.instance
        excluded = instance.excluded_sums.tolist(), instance.excluded_differences.tolist()
        assert sorted(queens) == list(range(n))
        assert all(queens[column] == row for column, row in instance.fixed.squares.tolist())
        marked = {line for line in range(4 * n) if is_set(self.arrays.lines, U64(line))}
        sums = {*naive.sums(queens), *excluded[0]}
        differences = {*naive.differences(queens), *excluded[1]}
        assert marked == sums | {3 * n + difference for difference in differences}
        numbers = {"sum": 0, "difference": 3 * n, "blocked": 2**63}
        lines = naive.surplus_lines(queens, set(map(tuple, instance.blocked.tolist())), excluded)
        listed = self.arrays.surplus[: self.state[mixing_kernel.SURPLUS]].tolist()
        assert sorted(listed) == sorted(numbers[kind] + line for kind, line in lines)


# Every proposal, compared with the reference.


@given(solved_instances(), seeds, st.integers(0, 2**60 - 1), windows, st.lists(st.integers(0, 300), max_size=3))
def test_the_chain_equals_the_reference_after_every_call(solved, seed, number, window, counts):
    pair = Pair(*solved, seed, number, window, np.uint32 if seed % 2 else np.int32)
    sizes = itertools.cycle([1, 2, 7, 1, 100, 1000])
    for count in counts:
        pair.begin(count)
        is_at_end = pair.call(0)
        pair.assert_equal()
        while not is_at_end:
            is_at_end = pair.call(next(sizes))
            pair.assert_equal()
            pair.assert_invariants()
        assert pair.state[mixing_kernel.SURPLUS] == pair.state[mixing_kernel.LEFT] == 0
        assert fastqueens.is_solution(pair.queens)
        assert plain.broken(pair.queens, pair.instance) == (0, 0, 0, 0)


@given(solved_instances(largest=16), seeds, windows, st.integers(0, 60), st.integers(0, 60))
def test_advance_ends_at_solutions_and_forgets_no_word(solved, seed, window, one, other):
    """Two calls make the moves of one, with every slice; the reference makes them one by one."""
    queens, instance = solved
    for size in (1, 7, 10**6):
        with lowered(window=window, mixing_slice=size):
            pair = Pair(queens, instance, seed, 3, window)
            for count in (one, other):
                pair.chain.advance(count)
                pair.naive.left = count
                assert pair.naive.advance(10**9)
                pair.assert_equal()
                pair.assert_invariants()
            assert pair.chain.from_solutions == one + other
            assert (pair.chain.proposals, pair.chain.accepted) == (pair.naive.proposals, pair.naive.accepted)


def test_the_surplus_is_never_above_its_limit():
    """Most queens of this board are on one diagonal and do not move; eight do."""
    n, columns, on_diagonal = 300, [1, 40, 100, 150, 220, 256, 270, 299], 213
    queens = [*range(on_diagonal), *np.random.default_rng(3).permutation(np.arange(on_diagonal, n)).tolist()]
    pair = Pair(queens, make_instance(n), 5)
    lines = naive.surplus_lines(queens)
    numbers = [line + (3 * n if kind == "difference" else 0) for kind, line in lines]
    assert mixing_kernel.MOST_SURPLUS - 8 < len(numbers) <= mixing_kernel.MOST_SURPLUS == naive.Mixing.MOST_SURPLUS
    pair.arrays = pair.arrays._replace(columns=np.array(columns, np.uint32), odds=odds(8))
    pair.arrays.surplus[: len(numbers)] = numbers
    pair.state[mixing_kernel.SURPLUS] = pair.naive.surplus = len(numbers)
    pair.naive.columns, pair.naive.t, pair.naive.starts = columns, naive.odds_of_rises(8), [0, 0]
    reached = []
    for _ in range(3000):
        pair.call(1)
        reached.append(pair.naive.surplus)
    pair.assert_equal()
    pair.assert_invariants()
    assert max(reached) == mixing_kernel.MOST_SURPLUS
    assert reached.count(mixing_kernel.MOST_SURPLUS) > 10


@given(solved_instances(), seeds, windows, st.integers(0, 3000), st.sampled_from([0, 1, 10, 10**5]))
def test_a_board_that_settles_is_a_solution_or_nearer_to_one(solved, seed, window, most, tries):
    pair = Pair(*solved, seed, window=window)
    pair.begin(10**9)
    mixing_kernel.mix(pair.arrays, pair.state, most)
    before = pair.state.copy()
    is_solution = mixing_kernel.settle(pair.arrays, pair.state, tries)
    pair.assert_invariants()
    assert is_solution == (pair.state[mixing_kernel.SURPLUS] == 0)
    assert pair.state[mixing_kernel.SURPLUS] <= before[mixing_kernel.SURPLUS]
    assert tries or (pair.state == before).all()
    for name in ("LEFT", "FROM_SOLUTIONS", "PROPOSALS", "UNTIL_RISE", "PHASE_LEFT"):
        assert pair.state[getattr(mixing_kernel, name)] == before[getattr(mixing_kernel, name)], name
    if is_solution:
        assert plain.fault(pair.queens, pair.instance.n) is None
        assert plain.broken(pair.queens, pair.instance) == (0, 0, 0, 0)


def test_large_boards_settle_within_few_proposals():
    """The chain itself needs 30 sweeps on average, 300,000 proposals."""
    n = 10_000
    pair = SolutionChain(fastqueens.solve(n, seed=1).queens, make_instance(n), 3, 0)
    state, settled = pair._state, 0
    for _ in range(300):
        state[mixing_kernel.LEFT] = 10**12
        mixing_kernel.mix(pair._chain, state, 10**5)
        if state[mixing_kernel.SURPLUS]:
            before = int(state[mixing_kernel.DRAWS])
            assert mixing_kernel.settle(pair._chain, state, 10**6)
            assert state[mixing_kernel.DRAWS] - before < 10_000
            settled += 1
    assert settled > 3
    plain.assert_solution(pair._chain.queens, n)


@pytest.mark.parametrize("columns", [1, 2, 7, 8, 9, 100, 207, 208, 209, 10**5, 2**32 - 1])
def test_the_odds_are_those_of_the_reference(columns):
    found = odds(columns).tolist()
    t = naive.odds_of_rises(columns)
    powers = [naive.chance(rise, t) for rise in range(mixing_kernel.POWERS)]
    waits = [(1 - t) ** k for k in range(1, mixing_kernel.MOST_WAIT + 1)]
    wanted = [int(share * 2**64) for share in powers + waits]
    assert len(found) == len(wanted)
    # Rounded down at each product.
    assert max(abs(one - other) for one, other in zip(found, wanted, strict=True)) <= mixing_kernel.MOST_WAIT + 1


def test_waits_have_the_odds_of_independent_draws():
    queens = fastqueens.solve(8, seed=1).queens
    chain = SolutionChain(queens, make_instance(8), 1, 0)
    waits = []
    for number in range(20_000):
        mixing_kernel.start(chain._chain, chain._state, U64(5), U64(number))
        waits.append(int(chain._state[mixing_kernel.UNTIL_RISE]))
    t = 0.3
    wanted = [len(waits) * t * (1 - t) ** k for k in range(15)]
    observed = np.bincount(waits, minlength=100)
    assert stats.chisquare([*observed[:15], observed[15:].sum()], [*wanted, len(waits) - sum(wanted)]).pvalue > 0.001


# The law of the solutions, exactly: the transition matrix between all boards, and the one induced on solutions.


class Boards:
    """All permutations with the fixed queens of an instance, with their surplus E and the swaps between them."""

    def __init__(self, instance):
        self.n = instance.n
        fixed = dict(instance.fixed.squares.tolist())
        self.columns = [column for column in range(self.n) if column not in fixed]
        every = itertools.permutations(range(self.n))
        boards = [rows for rows in every if all(rows[column] == row for column, row in fixed.items())]
        self.numbers = {rows: number for number, rows in enumerate(boards)}
        blocked = set(map(tuple, instance.blocked.tolist()))
        excluded = instance.excluded_sums.tolist(), instance.excluded_differences.tolist()
        self.surplus = np.array([naive.surplus(rows, blocked, excluded) for rows in boards])
        self.t = naive.odds_of_rises(len(self.columns))
        self.chances = np.array([float(naive.chance(rise, self.t)) for rise in range(10)])
        self.t = float(self.t)
        self.way_back = None
        self.after_swap = {
            (a, b): np.array([self.numbers[self.swapped(rows, a, b)] for rows in boards])
            for a, b in itertools.combinations(self.columns, 2)
        }

    @staticmethod
    def swapped(rows, a, b):
        rows = list(rows)
        rows[a], rows[b] = rows[b], rows[a]
        return tuple(rows)

    def transitions(self, first, second):
        """Return the matrix of a proposal, if the windows of the two columns are these."""
        here, is_solution = np.arange(len(self.surplus)), self.surplus == 0
        matrix = np.zeros((len(here), len(here)))
        for a, b in itertools.permutations(self.columns, 2):
            there = self.after_swap[min(a, b), max(a, b)]
            rises = self.surplus[there] - self.surplus
            odds_from_solution = self.t * self.chances[np.maximum(rises - 1, 0)]
            odds_from_others = self.chances[np.maximum(rises, 0)]
            matrix[here, there] += np.where(is_solution, odds_from_solution, odds_from_others) / len(self.columns) ** 2
        for a, b in itertools.product(first, second):
            if a != b:
                there = self.after_swap[min(a, b), max(a, b)]
                matrix[here, there] += is_solution * is_solution[there] * (1 - self.t) / (len(first) * len(second))
        matrix[here, here] = 1 - matrix.sum(axis=1)
        return matrix

    def induced(self, first, second):
        """Return the matrix between solutions, if only proposals from them count: Q = SS + SR (1 - RR)^-1 RS."""
        matrix = self.transitions(first, second)
        is_solution = self.surplus == 0
        if self.way_back is None:  # it is the same for all windows
            between = np.eye(np.count_nonzero(~is_solution)) - matrix[~is_solution][:, ~is_solution]
            self.way_back = np.linalg.solve(between, matrix[~is_solution][:, is_solution])
        return matrix[is_solution][:, is_solution] + matrix[is_solution][:, ~is_solution] @ self.way_back

    def windows(self, width):
        """Return the columns of all windows."""
        size = len(self.columns)
        return [[self.columns[(first + i) % size] for i in range(width)] for first in range(size)]


def assert_uniform_is_stationary(matrix):
    """Assert that a matrix is one of probabilities and symmetric."""
    assert len(matrix) > 1
    assert matrix.min() > -1e-12
    np.testing.assert_allclose(matrix.sum(axis=1), 1, rtol=0, atol=1e-12)
    np.testing.assert_allclose(matrix, matrix.T, rtol=0, atol=1e-12)


def second_eigenvalue(matrix):
    return np.sort(np.abs(np.linalg.eigvals(matrix)))[-2]


EXACT = {
    "n = 6": ({"n": 6}, 4),
    "n = 7": ({"n": 7}, 40),
    "a fixed queen": ({"n": 7, "fixed": {2: 0}}, 6),
    "two fixed queens": ({"n": 8, "fixed": {0: 3, 7: 4}}, 3),
    "a blocked square": ({"n": 6, "blocked": [(0, 1)]}, 3),
    "an excluded sum diagonal": ({"n": 6, "excluded_sums": [1]}, 2),
    "an excluded difference diagonal": ({"n": 6, "excluded_differences": [3]}, 2),
}


@pytest.fixture(scope="module")
def exact():
    """Return a function that makes the boards of an exact test, once for all tests."""
    made = {}

    def boards(name):
        if name not in made:
            made[name] = Boards(make_instance(**EXACT[name][0]))
        return made[name]

    return boards


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.gate) if name == "n = 7" else name for name in EXACT]
)
def test_the_uniform_law_is_stationary_and_the_only_one(exact, name):
    boards = exact(name)
    assert np.count_nonzero(boards.surplus == 0) == EXACT[name][1]
    matrix = boards.induced(boards.columns, boards.columns)
    assert_uniform_is_stationary(matrix)
    assert second_eigenvalue(matrix) < 0.9999


@pytest.mark.parametrize("width", [1, 2, 3, 5])
@pytest.mark.parametrize("name", [name for name in EXACT if name != "n = 7"])
def test_the_uniform_law_is_stationary_for_each_pair_of_windows(exact, name, width):
    """It is the only one for all phases, which end when ``width`` proposals from solutions are made."""
    boards = exact(name)
    windows = boards.windows(width)
    size = len(windows)
    of_phases = 0
    for one, other in itertools.combinations_with_replacement(range(size), 2):
        matrix = boards.induced(windows[one], windows[other])
        assert_uniform_is_stationary(matrix)
        of_phases += (1 if one == other else 2) / size**2 * np.linalg.matrix_power(matrix, width)
    assert_uniform_is_stationary(of_phases)
    assert second_eigenvalue(of_phases) < 0.9999


# The law of the solutions, by experiment.

SOLUTIONS = {6: 4, 8: 92}


def p_value(n, boards):
    """Return the p-value of the chi-square test whether all solutions are equally likely."""
    codes, counts = np.unique(boards @ n ** np.arange(n, dtype=np.int64), return_counts=True)
    assert len(codes) <= SOLUTIONS[n]
    return stats.chisquare([*counts, *[0] * (SOLUTIONS[n] - len(codes))]).pvalue


def samples(n, count, spacing, seed):
    """Return the boards of one chain, with so many proposals from solutions in between."""
    chain = SolutionChain(fastqueens.solve(n, seed=seed).queens, make_instance(n), seed, 0)
    chain.advance(1000)
    boards, features = np.empty((count, n), np.int32), np.empty((count, mixing_kernel.FEATURES), np.int64)
    chain.sample(spacing, boards, features, Callbacks())
    return boards


@pytest.mark.gate
@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize(("n", "spacing"), [(6, 96), (8, 136)])
def test_all_solutions_are_equally_likely(n, spacing, seed):
    assert 0.001 < p_value(n, samples(n, 15_000, spacing, seed)) < 0.999


@pytest.mark.gate
@pytest.mark.parametrize(("n", "spacing"), [(6, 400), (8, 500)])
def test_all_solutions_are_equally_likely_with_narrow_windows(monkeypatch, n, spacing):
    lower(monkeypatch, window=4)
    assert 0.001 < p_value(n, samples(n, 5000, spacing, 1)) < 0.999


def test_boards_taken_too_soon_after_each_other_are_noticed():
    for n, spacing in ((6, 1), (8, 1), (8, 8)):
        assert p_value(n, samples(n, 20_000, spacing, 1)) < 1e-6


def test_solutions_at_the_end_of_excursions_are_noticed():
    """The first solution after a number of proposals of any kind: solutions among many near ones are hit more often."""
    chain = SolutionChain(fastqueens.solve(8, seed=1).queens, make_instance(8), 1, 0)
    boards = np.empty((40_000, 8), np.int64)
    for board in boards:
        chain._state[mixing_kernel.LEFT] = 10**6
        mixing_kernel.mix(chain._chain, chain._state, 500)
        chain._state[mixing_kernel.LEFT] = 0
        assert mixing_kernel.mix(chain._chain, chain._state, 10**6)
        board[:] = chain._chain.queens
    assert p_value(8, boards) < 1e-6


@given(solved_instances(largest=12), seeds, st.integers(1, 50), st.integers(1, 3), st.integers(1, 4), st.booleans())
def test_samples_are_the_boards_after_equal_numbers_of_proposals(solved, seed, spacing, count, each, is_sliced):
    queens, instance = solved
    with lowered(mixing_slice=3 if is_sliced else 10**6):
        sampled, advanced = (SolutionChain(queens.copy(), instance, seed, 1) for _ in range(2))
        boards = np.empty((count, instance.n), np.int32)
        features = np.empty((count * each, mixing_kernel.FEATURES), np.int64)
        sampled.sample(spacing, boards, features, Callbacks())
        for at in range(count * each):
            advanced.advance(spacing)
            board = advanced._chain.queens.astype(int)
            x, y = 2 * np.arange(instance.n) - instance.n + 1, 2 * board - instance.n + 1
            wanted = [np.sum(np.abs(x * y)), np.sum(x * y), board[0], board[instance.n // 2]]
            assert features[at].tolist() == wanted
            if at % each == each - 1:
                assert boards[at // each].tolist() == board.tolist()
    assert sampled.from_solutions == advanced.from_solutions == spacing * count * each


def test_observations_of_large_boards_take_the_place_of_proposals():
    """Otherwise a call with a small spacing takes as long as that many boards of n queens: the stop waits for it."""
    n, most = 1000, 2500
    chain = SolutionChain(fastqueens.solve(n, seed=1).queens, make_instance(n), 1, 0)
    boards, features = np.empty((50, n), np.int32), np.empty((100, mixing_kernel.FEATURES), np.int64)
    chain._state[mixing_kernel.LEFT] = 1
    calls = 1
    while not mixing_kernel.sample(chain._chain, chain._state, 1, boards, features, most):
        assert chain._state[mixing_kernel.TAKEN] <= 3 * calls
        calls += 1
    assert calls >= 100 // 3


def test_features_of_the_largest_boards_stay_below_the_largest_integer():
    sizes = [2**20, 2**20 + 1, 2**25 - 1, 2**25, 2**25 + 1, 2**31 - 1, 2**31, 2**32 - 1]
    shifts = [int(mixing_kernel._shift_for(n)) for n in sizes]
    for n, shift in zip(sizes, shifts, strict=True):
        # The largest sum is that of a board with all queens on a main diagonal.
        assert n * ((n >> shift) + 1) ** 2 < 2**63, n
        assert shift == 0 or n * (n >> (shift - 1)) ** 2 > 2**62, n
    assert shifts[0] == 0


def textbook(n):
    """Return the solution of queens a knight's move apart: odd rows, then even ones; n mod 6 is neither 2 nor 3."""
    return np.array([*range(1, n, 2), *range(0, n, 2)], np.int32)


@pytest.mark.parametrize(("start", "sweeps"), [("greedy", 300), ("textbook", 400)])
def test_the_density_of_mixed_boards_is_near_that_of_random_ones(start, sweeps):
    n, k = 10**5 + 2, 8
    assert n % 6 not in (2, 3)
    queens = textbook(n) if start == "textbook" else fastqueens.solve(n, seed=1).queens
    before = queens.copy()
    plain.assert_solution(queens, n)
    chain = SolutionChain(queens, make_instance(n), 2, 0)
    wanted = fastqueens.limit_density(k) * n / k**2
    deviations = []
    for more in (0, sweeps):
        chain.advance(more * n)
        counts = np.histogram2d(np.arange(n), queens, bins=k, range=[[0, n], [0, n]])[0]
        deviations.append((counts - wanted) / np.sqrt(wanted))
    plain.assert_solution(queens, n)
    assert np.abs(deviations[0]).max() > 8, "before"
    assert np.abs(deviations[1]).max() < 4.5
    symmetric = sum(np.rot90(deviations[1], turns) for turns in range(4))
    symmetric = (symmetric + symmetric.T) / 8
    assert np.abs([symmetric[0, 0], symmetric[0, 3], symmetric[3, 3]]).max() < 4.5 / math.sqrt(4)
    assert np.mean(deviations[1] ** 2) < 1.4
    if start == "greedy":
        # With this seed, all proposals are made from solutions; others move more queens.
        assert chain.from_solutions > 0.99 * chain.proposals
        assert 0.012 < np.mean(queens == before) < 0.017


# solve(mix=)


def mixed(n=None, sweeps=5, seed=1, **arguments):
    """Solve and mix; return the result after checking the board."""
    result = fastqueens.solve(n, seed=seed, mix=sweeps, **arguments)
    plain.assert_solution(result.queens, result.n)
    assert plain.broken(result.queens, result.instance) == (0, 0, 0, 0)
    assert result.solved
    assert result.sweeps == sweeps
    return result


def moved(one, other):
    """Return how many queens of two boards are on different squares."""
    return int(np.count_nonzero(one.queens != other.queens))


@pytest.mark.parametrize("n", [1, 4, 5, 6, 7, 8, 63, 64, 65, 207, 208, 209, 4095, 4096, 4097, 8191, 8193, 12_289])
def test_mixed_boards_of_every_size_are_solutions(n):
    for seed in range(3):
        result = mixed(n, 5 if n > 1000 else 100, seed=seed)
        assert n < 7 or moved(result, fastqueens.solve(n, seed=seed)) > n / 100


@pytest.mark.parametrize("window", [4, 5, 16, 63, 64])
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_mixed_boards_around_the_windows_are_solutions(monkeypatch, window, more):
    lower(monkeypatch, window=window, mixing_slice=50)
    for windows in (1, 2, 3):
        n = max(4, windows * window + more)
        assert moved(mixed(n, 20), fastqueens.solve(n, seed=1)) > 0 or n < 8


@given(solved_instances(), seeds, st.integers(1, 20), st.integers(1, 3))
def test_mixed_boards_respect_their_instances(solved, seed, sweeps, threads):
    _, instance = solved
    result = mixed(instance, seed=seed, sweeps=sweeps, threads=threads)
    again = mixed(instance, seed=seed, sweeps=sweeps)
    assert again.queens.tolist() == result.queens.tolist()


@pytest.mark.parametrize("window", [16, 4096])
def test_a_mixed_board_is_the_same_wherever_it_is_made(monkeypatch, tmp_path, window):
    n = 1001
    lower(monkeypatch, window=window, threads=1, tiles=1)
    one = mixed(n, 10)
    for arguments in ({"threads": 2}, {"threads": 3}, {"trace": False}, {"trace": True, "moves": True}):
        assert moved(mixed(n, 10, **arguments), one) == 0, arguments
    out = np.full(n, -7, np.int32)
    assert mixed(n, 10, out=out).queens is out
    file = np.lib.format.open_memmap(tmp_path / "q.npy", "w+", np.int32, (n,))
    assert mixed(n, 10, out=file).queens is file
    lower(monkeypatch, unsigned_rows=1, mixing_slice=3)
    unsigned = mixed(n, 10)
    assert unsigned.queens.dtype == np.uint32
    for queens in (out, file, unsigned.queens):
        assert queens.tolist() == one.queens.tolist()


@pytest.mark.parametrize("start", STARTS)
def test_every_start_is_mixed_and_its_search_stays_the_same(start):
    before = fastqueens.solve(300, seed=2, start=start, trace=True, moves=True)
    after = mixed(300, 3, seed=2, start=start, trace=True, moves=True)
    assert moved(before, after) > 5
    np.testing.assert_array_equal(after.initial_queens, before.initial_queens)
    for one, other in ((before.trace, after.trace), (before.moves, after.moves)):
        for mine, theirs in zip(one, other, strict=True):
            np.testing.assert_array_equal(mine, theirs)
    assert (after.steps, after.attempts, after.method) == (before.steps, before.attempts, "local")


def test_the_board_of_complete_search_and_one_that_is_given_are_mixed():
    before = fastqueens.solve(20, seed=1, method="complete")
    after = mixed(20, 100, method="complete")
    assert (after.method, after.nodes) == ("complete", before.nodes)
    assert moved(before, after) > 5
    given_board = before.queens.copy()
    after = mixed(board=given_board, sweeps=100)
    assert moved(before, after) > 5
    assert given_board.tolist() == before.queens.tolist(), "the caller's board is not changed"


@pytest.mark.parametrize("seed", [0, 1, 7, 2**64 - 1])
@pytest.mark.parametrize("fixed", [None, {0: 5, 29: 3}])
def test_a_mixed_board_is_that_of_the_reference(seed, fixed):
    n, sweeps = 30, 5
    before = fastqueens.solve(n, seed=3, fixed=fixed).queens
    reference = naive.Mixing(before.tolist(), seed, 0, 4096, fixed or {})
    reference.left = sweeps * (n if fixed is None else n - 2)
    assert reference.advance(10**7)
    assert mixed(board=before, fixed=fixed, seed=seed, sweeps=sweeps).queens.tolist() == reference.queens


def test_a_mixed_board_depends_on_seed_and_sweeps_and_says_so():
    boards = {tuple(mixed(50, sweeps, seed=seed).queens.tolist()) for sweeps in (100, 200, 300) for seed in (1, 2, 3)}
    assert len(boards) == 9
    result = mixed(50, 2)
    assert result.timings.mixing > 0
    figures = result.as_dict()
    assert (figures["sweeps"], figures["mixing_seconds"]) == (2, result.timings.mixing)
    for without in (fastqueens.solve(50, seed=1), fastqueens.solve(50, seed=1, mix=None)):
        assert (without.sweeps, without.timings.mixing, without.as_dict()["sweeps"]) == (0, 0, 0)


def test_an_unsolved_board_is_not_mixed():
    arguments = {"seed": 1, "start": "random", "max_steps": 3, "trace": False}
    result = fastqueens.solve(100, mix=5, **arguments)
    assert not result.solved
    assert (result.sweeps, result.timings.mixing) == (0, 0)
    assert moved(result, fastqueens.solve(100, **arguments)) == 0


@pytest.mark.parametrize("value", [0, -1, True, 1.5, "x", 10**9 + 1, 10**29, [3], float("nan")])
def test_sweeps_that_make_no_sense_are_refused(value):
    with pytest.raises(fastqueens.InputError, match=re.escape(f"mix is {value!r}: ")):
        fastqueens.solve(8, mix=value)


def test_the_limits_of_sweeps_are_allowed():
    assert mixed(4, 1).sweeps == mixed(4, np.int64(1)).sweeps == 1
    stages = []
    result = fastqueens.solve(
        8, seed=1, mix=10**9, progress=lambda stage, *_: stages.append(stage), stop=lambda: "mixing" in stages
    )
    plain.assert_solution(result.queens, 8)
    assert 0 < result.sweeps < 10**9


@pytest.mark.parametrize("n", [2, 3])
def test_boards_without_solution_are_refused_as_before(n):
    with check_error(fastqueens.NoSolutionError, f"n = {n}"):
        fastqueens.solve(n, mix=1)


@pytest.mark.parametrize("free", [0, 1, 2, 3, 7])
def test_few_free_columns(free):
    for seed in range(3):
        queens = fastqueens.solve(40, seed=seed).queens
        order = np.random.default_rng(seed).permutation(40)
        fixed = {int(column): int(queens[column]) for column in order[free:]}
        result = mixed(40, 20, seed=seed, fixed=fixed)
        if free < 2:
            assert result.queens.tolist() == queens.tolist()


def test_instances_with_one_solution_keep_it():
    for n in (8, 12):
        queens = fastqueens.solve(n, seed=3).queens
        allowed = {(column, int(row)) for column, row in enumerate(queens)}
        blocked = [square for square in itertools.product(range(n), repeat=2) if square not in allowed]
        sums, differences = set(range(2 * n - 1)), set(range(1 - n, n))
        excluded = sums - {*naive.sums(queens.tolist())}, differences - {*naive.differences(queens.tolist())}
        for constraints in (
            {"blocked": blocked},
            {"excluded_sums": sorted(excluded[0]), "excluded_differences": sorted(excluded[1])},
        ):
            result = mixed(n, 30, **constraints)
            assert np.count_nonzero(result.queens != queens) == 0 or "blocked" not in constraints


@pytest.mark.parametrize("fixed", [{}, {2: 0}, {0: 4, 5: 0}])
def test_all_completions_are_found_equally_often(fixed):
    """By runs of solve() with different seeds."""
    completions = [tuple(rows) for rows in naive.completions(7, fixed)]
    runs = 60 * len(completions)
    found = Counter(tuple(mixed(7, 40, seed=seed, fixed=fixed).queens.tolist()) for seed in range(runs))
    assert set(found) <= set(completions)
    assert 0.001 < stats.chisquare([found[rows] for rows in completions]).pvalue < 0.999


# Progress, stop, the final check, memory.


def test_progress_of_mixing(monkeypatch):
    lower(monkeypatch, mixing_slice=100, checked_slice=100)
    reports = []
    mixed(1000, 3, progress=lambda *report: reports.append(report))
    stages = [stage for stage, _ in itertools.groupby(reports, lambda report: report[0])]
    assert stages[-2:] == ["mixing", "verification"]
    assert stages.count("mixing") == 1
    done = [done for stage, done, _ in reports if stage == "mixing"]
    assert {total for stage, _, total in reports if stage == "mixing"} == {3000}
    assert done == sorted(done)
    assert done[-1] == 3000
    assert len(done) >= 30


def polls_of(n, **arguments):
    """Return what was reported last whenever the stop callback was polled before the check, and the result."""
    reports, polled = [None], []
    result = fastqueens.solve(
        n, seed=1, progress=lambda *report: reports.append(report), stop=lambda: polled.append(reports[-1]), **arguments
    )
    return [report for report in polled if report is None or report[0] != "verification"], result


def test_a_stop_while_mixing_leaves_a_solution(monkeypatch):
    n = 500
    lower(monkeypatch, mixing_slice=50, checked_slice=100)
    before, unmixed = polls_of(n)
    polled, _ = polls_of(n, mix=3)
    sweeps = []
    for polls in range(len(before), len(polled)):
        if polled[polls] == ("mixing", 3 * n, 3 * n):  # complete, except for the way back to a solution
            continue
        asked = []
        result = fastqueens.solve(n, seed=1, mix=3, stop=lambda: asked.append(None) or len(asked) > polls)  # noqa: B023
        assert len(asked) == polls + 1
        plain.assert_solution(result.queens, n)
        assert result.solved
        sweeps.append(result.sweeps)
        assert polls >= len(before) + 5 or moved(result, unmixed) == 0, "stopped while the diagonals are marked"
    assert sweeps == sorted(sweeps)
    assert set(sweeps) == {0, 1, 2}


def test_a_stop_of_mixing_with_an_error_leaves_a_solution_in_out(monkeypatch):
    lower(monkeypatch, mixing_slice=50)
    out = np.zeros(500, np.int32)
    reports = []

    def progress(stage, *_):
        reports.append(stage)
        if reports.count("mixing") == 10:
            raise KeyError("caller")

    with pytest.raises(KeyError, match="caller"):
        fastqueens.solve(500, seed=1, mix=3, out=out, progress=progress)
    plain.assert_solution(out, 500)


@pytest.mark.parametrize("fault", ["a row twice", "a fixed queen moved", "an attack"])
def test_a_wrong_board_at_the_end_is_refused(monkeypatch, fault):
    def wrong(chain, state, most):
        queens = chain.queens
        if state[mixing_kernel.FROM_SOLUTIONS]:  # the second call
            return True
        if fault == "a row twice":
            queens[0] = queens[1]
        elif fault == "a fixed queen moved":
            queens[:] = queens[::-1].copy()
        else:
            queens[[1, 2]] = queens[[2, 1]]
        state[mixing_kernel.FROM_SOLUTIONS] = 10**6
        return True

    fixed = {0: int(fastqueens.solve(8, seed=1).queens[0])}
    mixed(8, fixed=fixed)
    monkeypatch.setattr(mixing_kernel, "mix", wrong)
    with check_error(RuntimeError, "mix=5"):
        fastqueens.solve(8, seed=1, mix=5, fixed=fixed)


@pytest.mark.parametrize(("fixed", "bytes_a_queen"), [(None, 0.5), ({0: 3, 17: 0}, 4.5)])
def test_mixing_takes_half_a_byte_a_queen_and_four_for_a_list_of_columns(monkeypatch, fixed, bytes_a_queen):
    lower(monkeypatch, checked_slice=10_000)
    n = 1_000_000
    queens = fastqueens.solve(n, seed=1, fixed=fixed).queens
    instance = make_instance(n, fixed)
    solving.mixing.mix(queens.copy(), instance, 1, 1, Callbacks())  # loads the kernels
    tracemalloc.start()
    try:
        solving.mixing.mix(queens, instance, 1, 1, Callbacks())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert n * bytes_a_queen <= peak < n * bytes_a_queen + 200_000


def test_memory_for_mixing_is_checked_before(monkeypatch):
    needed = []
    monkeypatch.setattr("fastqueens.solving.task.check_memory", lambda count, _: needed.append(count))
    for arguments in ({}, {"mix": 1}, {"fixed": {0: 3}}, {"fixed": {0: 3}, "mix": 1}):
        fastqueens.solve(1000, seed=1, trace=False, **arguments)
    assert needed == [5000, 5000, 5000, 9000]
