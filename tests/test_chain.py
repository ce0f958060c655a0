"""The Markov chain that mixes solutions: its moves, its law by exact and by random tests, and ``solve(mix=)``."""

import itertools
import math
import tracemalloc
from collections import Counter

import naive
import numpy as np
import plain
import pytest
from chains import assert_same, solved_instances
from chances import chance_of
from hypothesis import given
from hypothesis import strategies as st
from lowered import lower, lowered, solve

import fastqueens
from fastqueens import chain as holes
from fastqueens._run.progress import Callbacks
from fastqueens._run.thresholds import USUAL
from fastqueens.chain import SolutionChain, few_holes, many_holes, shift_for
from fastqueens.errors import Stopped
from fastqueens.instance import make_instance
from fastqueens.kernels import holes as holes_kernel
from fastqueens.kernels import sampling as sampling_kernel

pytestmark = pytest.mark.checked

U64 = np.uint64

seeds = st.integers(0, 2**64 - 1)
tables = st.sampled_from(["few", "many", "twelve"])


def table(name, columns):
    """Return the odds of small boards, of large boards, and some for up to twelve holes or all columns."""
    if name == "few":
        return few_holes(columns)
    odds = many_holes(columns, 2**61)
    return odds if name == "many" else np.minimum(odds, U64(2**62))


class Pair:
    """The chain of the package, and the reference with the same seed."""

    def __init__(self, queens, instance, seed, number=0, odds=None, is_far=False, dtype=np.int32):
        self.queens, self.instance = np.array(queens, dtype), instance
        self.chain = SolutionChain(self.queens, instance, seed, number)
        self.state, self.board = self.chain._state, self.chain._board
        self.odds = few_holes(instance.free_columns) if odds is None else odds
        self.state[holes_kernel.FAR] = is_far
        self.naive = naive.Holes(self.queens.tolist(), instance, seed, number, self.odds.tolist())

    def assert_equal(self):
        assert_same(self.board, self.state, self.naive, visits=True)


@given(solved_instances(), seeds, st.integers(0, 2**60 - 1), tables, st.booleans(), st.integers(1, 150))
def test_the_chain_equals_the_reference_after_every_round(solved, seed, number, name, is_far, rounds):
    queens, instance = solved
    odds = table(name, instance.free_columns)
    pair = Pair(queens, instance, seed, number, odds, is_far, np.uint32 if seed % 2 else np.int32)
    for _ in range(rounds):
        pair.state[holes_kernel.LEFT] = 10
        holes_kernel.walk(pair.board, odds, pair.state, 1)
        while int(pair.state[holes_kernel.ROUNDS]) > pair.naive.rounds:  # a round from a solution tries no hop
            pair.naive.round()
        pair.assert_equal()


@given(solved_instances(largest=70), seeds, st.sampled_from([1, 7, 1000]), st.integers(1, 30), st.integers(0, 100))
def test_calls_end_at_solutions_whatever_the_slices(solved, seed, size, visits, hops):
    queens, instance = solved
    with lowered(mixing_slice=size):
        pair = Pair(queens, instance, seed)
        drawn(pair.chain, visits)
        while pair.naive.visits < visits:
            pair.naive.round()
        pair.assert_equal()
        pair.chain.hop(hops, Callbacks())
    assert pair.chain.visits >= visits
    assert plain.broken(pair.queens, instance) == (0, 0, 0, 0)
    assert fastqueens.is_solution(pair.queens)


# The law of the solutions, exactly: the transition matrix between all boards, and the one induced on solutions.

EXACT = {
    "n = 4": ({"n": 4}, 2),
    "n = 5": ({"n": 5}, 10),
    "n = 6": ({"n": 6}, 4),
    "a fixed queen": ({"n": 7, "fixed": {2: 0}}, 6),
    "two fixed queens": ({"n": 8, "fixed": {0: 3, 7: 4}}, 3),
    "a blocked square": ({"n": 6, "blocked": [(0, 1)]}, 3),
    "an excluded sum diagonal": ({"n": 6, "excluded_sums": [1]}, 2),
    "an excluded difference diagonal": ({"n": 6, "excluded_differences": [3]}, 2),
}


class Exact:
    """The transition matrices of a hop of one hole and of an exchange, between all boards of an instance."""

    def __init__(self, instance):
        self.instance, by_holes = instance, naive.boards_with_holes(instance)
        self.boards = [board for m in sorted(by_holes) for board in by_holes[m]]
        self.holes = np.array([board.count(-1) for board in self.boards])
        self.numbers = {board: number for number, board in enumerate(self.boards)}
        self.fixed = set(instance.fixed.columns.tolist())
        self.rows = set(range(instance.n)) - set(instance.fixed.rows.tolist())

    def chain(self, board):
        """Return the reference on this board."""
        queens = [max(row, 0) for row in board]
        found = naive.Holes(queens, self.instance, 0, 0, [])
        found.queens = {column: row for column, row in enumerate(board) if row >= 0}
        return found

    def hop(self):
        """Return the matrix of a hop of a random hole; there is one block."""
        matrix = np.zeros((len(self.boards), len(self.boards)))
        for number, board in enumerate(self.boards):
            chain = self.chain(board)
            empty = self.rows - set(board)
            for row in empty:
                there = chain.candidates(0, row)
                for column in there:
                    old, chain.queens[column] = chain.queens[column], row
                    back = chain.candidates(0, old)
                    after = self.numbers[tuple(chain.board())]
                    matrix[number, after] += min(1, len(there) / len(back)) / len(there) / len(empty)
                    chain.queens[column] = old
        return self.with_rest(matrix)

    def exchange(self, insert, remove):
        """Return the matrix of an exchange, with its probabilities by the number of holes."""
        matrix = np.zeros((len(self.boards), len(self.boards)))
        for number, board in enumerate(self.boards):
            m = self.holes[number]
            movable = [column for column, row in enumerate(board) if row >= 0 and column not in self.fixed]
            for column in movable:
                fewer = (*board[:column], -1, *board[column + 1 :])
                matrix[number, self.numbers[fewer]] += remove[m] / len(movable)
                # Back by the pair of its column and row, one of (m + 1)**2.
                matrix[self.numbers[fewer], number] += insert[m + 1] / (m + 1) ** 2
        return self.with_rest(matrix)

    @staticmethod
    def with_rest(matrix):
        return matrix + np.diag(1 - matrix.sum(axis=1))

    def induced(self, matrix):
        """Return the matrix between solutions: SS + SR (1 - RR)^-1 RS."""
        is_solution = self.holes == 0
        rest = np.eye(np.count_nonzero(~is_solution)) - matrix[~is_solution][:, ~is_solution]
        back = np.linalg.solve(rest, matrix[~is_solution][:, is_solution])
        return matrix[is_solution][:, is_solution] + matrix[is_solution][:, ~is_solution] @ back


SHORT = ("n = 4", "n = 5")


@pytest.mark.parametrize(
    "names", [SHORT, pytest.param([name for name in EXACT if name not in SHORT], marks=pytest.mark.gate)]
)
def test_visits_to_solutions_are_uniform(names, subtests):
    for name in names:
        with subtests.test(name):
            assert_uniform_visits(name)


def assert_uniform_visits(name):
    """A hop does not favour any board of m holes, and the visits of hops and exchanges no solution."""
    arguments, solutions = EXACT[name]
    exact = Exact(make_instance(**arguments))
    k = exact.instance.free_columns
    hop = exact.hop()
    np.testing.assert_allclose(hop, hop.T, rtol=0, atol=1e-12)
    assert hop.min() > -1e-12
    random = np.random.default_rng(1)
    insert, remove = random.random(k + 1) / 2, random.random(k + 1) / 2
    insert[0], remove[0], remove[k] = 0, 1, 0
    exchange = exact.exchange(insert, remove)
    # Each board with m + 1 holes weighs remove(m) (m + 1)^2 / ((k - m) insert(m + 1)) times as much as one with m.
    m = np.arange(k)
    ratios = remove[:-1] * (m + 1) ** 2 / ((k - m) * insert[1:])
    weights = np.concatenate([[1], np.cumprod(ratios)])[exact.holes]
    flow = weights[:, None] * exchange
    np.testing.assert_allclose(flow, flow.T, rtol=1e-9, atol=1e-12 * weights.max())
    # A round: as many hops as there are holes, then an exchange.
    hops = np.zeros_like(hop)
    for holes_now in range(k + 1):
        here = exact.holes == holes_now
        hops[here] = np.linalg.matrix_power(hop, holes_now)[here]
    induced = exact.induced(hops @ exchange)
    assert len(induced) == solutions
    np.testing.assert_allclose(induced.sum(axis=0), 1, rtol=0, atol=1e-9)
    np.testing.assert_allclose(induced.sum(axis=1), 1, rtol=0, atol=1e-9)
    assert np.sort(np.abs(np.linalg.eigvals(induced)))[-2] < 0.999


# The law of the solutions, by experiment.

SOLUTIONS = {6: 4, 8: 92}


def p_value(n, boards):
    """Return the p-value of the chi-square test whether all solutions are equally likely."""
    codes, counts = np.unique(boards @ n ** np.arange(n, dtype=np.int64), return_counts=True)
    assert len(codes) <= SOLUTIONS[n]
    return chance_of([*counts, *[0] * (SOLUTIONS[n] - len(codes))])


def drawn(chain, spacing, count=1, each=1, first=0):
    """Return what a chain samples: boards, and features of the first half of them."""
    n = len(chain._board.queens)
    boards = np.empty((count, n), np.int32)
    features = np.empty((-(-count // 2), each, sampling_kernel.FEATURES), np.int64)
    chain.sample(first, spacing, boards, features, Callbacks())
    return boards, features


def samples(n, count, spacing, seed, odds=None):
    """Return the boards of one chain, with so many visits to solutions in between."""
    chain = SolutionChain(fastqueens.solve(n, seed=seed).queens, make_instance(n), seed, 0)
    if odds is not None:
        chain._odds = odds
    return drawn(chain, spacing, count, first=100)[0]


def test_all_solutions_are_equally_likely():
    assert 0.001 < p_value(8, samples(8, 3000, 40, 1, table("twelve", 8))) < 0.999


@pytest.mark.gate
def test_all_solutions_are_equally_likely_with_all_odds(subtests):
    for name, (n, spacing) in itertools.product(["few", "many", "twelve"], [(6, 24), (8, 40)]):
        with subtests.test(name, n=n):
            assert 0.001 < p_value(n, samples(n, 15_000, spacing, 1, table(name, n))) < 0.999


@given(
    solved_instances(largest=12), seeds, st.integers(0, 20), st.integers(1, 20), st.integers(1, 3), st.integers(1, 4),
    st.booleans(),
)  # fmt: skip
def test_samples_are_the_boards_after_equal_numbers_of_visits(solved, seed, first, spacing, count, each, is_sliced):
    queens, instance = solved
    n, odds = instance.n, few_holes(instance.free_columns)
    reference = naive.Holes(queens.tolist(), instance, seed, 1, odds.tolist())
    with lowered(mixing_slice=3 if is_sliced else 10**6):
        boards, features = drawn(SolutionChain(queens.copy(), instance, seed, 1), spacing, count, each, first)
    for at in range(count * each):
        while reference.visits < first + (at + 1) * spacing:
            reference.round()
        board = np.array(reference.board())
        x, y = 2 * np.arange(n) - n + 1, 2 * board - n + 1
        if at // each < len(features):
            wanted = [np.sum(np.abs(x * y)), np.sum(x * y), board[0], board[n // 2]]
            assert features[at // each, at % each].tolist() == wanted
        if at % each == each - 1:
            assert boards[at // each].tolist() == board.tolist()


def test_observations_of_large_boards_take_the_place_of_hops():
    """Otherwise a call with a small spacing takes as long as that many boards of n queens: the stop waits for it."""
    n, most = 1000, 2500
    chain = SolutionChain(fastqueens.solve(n, seed=1).queens, make_instance(n), 1, 0)
    boards, features = np.empty((50, n), np.int32), np.empty((50, 2, sampling_kernel.FEATURES), np.int64)
    chain._state[holes_kernel.LEFT] = 1
    calls = 1
    while not sampling_kernel.sample(chain._board, chain._odds, chain._state, 1, boards, features, most):
        assert chain._state[holes_kernel.TAKEN] <= 3 * calls
        calls += 1
    assert calls >= 100 // 3


def test_features_of_the_largest_boards_stay_below_the_largest_integer():
    for n in (2**20 - 1, 2**20, 2**21, 2**25 - 1, 2**25, 2**25 + 1, 2**31 - 1, 2**31, 2**32):
        # A board with all queens on a main diagonal has the largest sum.
        assert n * ((n >> shift_for(n)) + 1) ** 2 < 2**63, n
        assert n * (n >> max(0, shift_for(n) - 2)) ** 2 > 2**59, n
    assert shift_for(2**20 - 1) == 0


def textbook(n):
    """Return the solution of queens a knight's move apart: odd rows, then even ones; n mod 6 is neither 2 nor 3."""
    return np.array([*range(1, n, 2), *range(0, n, 2)], np.int32)


@pytest.mark.parametrize("start", ["greedy", "textbook"])
@pytest.mark.parametrize("is_far", [False, True])
def test_the_density_of_mixed_boards_is_near_that_of_random_ones(start, is_far):
    n, k, sweeps = 10**5 + 2, 8, 8 if start == "textbook" else 5
    assert n % 6 not in (2, 3)
    queens = textbook(n) if start == "textbook" else fastqueens.solve(n, seed=1).queens
    before = queens.copy()
    plain.assert_solution(queens, n)
    thresholds = USUAL._replace(holes_far=1 if is_far else 2**40)
    chain = SolutionChain(queens, make_instance(n), 2, 0, tries=240, thresholds=thresholds)
    wanted = fastqueens.limit_density(k) * n / k**2
    deviations = []
    chain.hop(sweeps * n, Callbacks())
    for board in (before, queens):
        counts = np.histogram2d(np.arange(n), board, bins=k, range=[[0, n], [0, n]])[0]
        deviations.append((counts - wanted) / np.sqrt(wanted))
    plain.assert_solution(queens, n)
    assert np.abs(deviations[0]).max() > 8, "before"
    assert np.abs(deviations[1]).max() < 4.5
    symmetric = sum(np.rot90(deviations[1], turns) for turns in range(4))
    symmetric = (symmetric + symmetric.T) / 8
    assert np.abs([symmetric[0, 0], symmetric[0, 3], symmetric[3, 3]]).max() < 4.5 / math.sqrt(4)
    assert np.mean(deviations[1] ** 2) < 1.4
    assert np.mean(queens == before) < 0.016


# solve(mix=)


def mixed(n=None, sweeps=5, seed=1, thresholds=USUAL, **arguments):
    """Solve and mix; return the result after checking the board."""
    result = solve(n, seed=seed, mix=sweeps, thresholds=thresholds, **arguments)
    plain.assert_solution(result.queens, result.n)
    assert plain.broken(result.queens, result.instance) == (0, 0, 0, 0)
    assert result.solved
    assert result.sweeps == sweeps
    return result


def moved(one, other):
    """Return how many queens of two boards are on different squares."""
    return int(np.count_nonzero(one.queens != other.queens))


def test_mixed_boards_of_every_size_are_solutions(subtests):
    for n in [1, 4, 5, 6, 7, 8, 63, 64, 65, 129, 4097]:
        with subtests.test(n=n):
            for seed in range(3):
                result = mixed(n, 5 if n > 1000 else 20, seed=seed)
                assert n < 7 or moved(result, fastqueens.solve(n, seed=seed)) > n / 100


@given(solved_instances(largest=70), seeds, st.integers(1, 20), st.integers(1, 3))
def test_mixed_boards_respect_their_instances(solved, seed, sweeps, threads):
    queens, instance = solved
    result = mixed(instance, seed=seed, sweeps=sweeps, threads=threads, board=queens)
    again = mixed(instance, seed=seed, sweeps=sweeps, board=queens)
    assert again.queens.tolist() == result.queens.tolist()


@pytest.mark.parametrize("far", [16, 2**18])
def test_a_mixed_board_is_the_same_wherever_it_is_made(monkeypatch, tmp_path, far):
    n = 1001
    thresholds = USUAL._replace(holes_far=far, groups=1)
    lower(monkeypatch, threads=1)
    one = mixed(n, 10, thresholds=thresholds)
    for arguments in ({"threads": 2}, {"threads": 3}, {"trace": False}, {"trace": "moves"}):
        assert moved(mixed(n, 10, thresholds=thresholds, **arguments), one) == 0, arguments
    out = np.full(n, -7, np.int32)
    assert mixed(n, 10, thresholds=thresholds, out=out).queens is out
    file = np.lib.format.open_memmap(tmp_path / "q.npy", "w+", np.int32, (n,))
    assert mixed(n, 10, thresholds=thresholds, out=file).queens is file
    lower(monkeypatch, unsigned_rows=1, mixing_slice=3)
    unsigned = mixed(n, 10, thresholds=thresholds)
    assert unsigned.queens.dtype == np.uint32
    for queens in (out, file, unsigned.queens):
        assert queens.tolist() == one.queens.tolist()


def test_a_mixed_board_is_that_of_the_reference(subtests):
    for seed, fixed in itertools.product([0, 1, 7, 2**64 - 1], [None, {0: 5, 29: 3}]):
        with subtests.test(seed=seed, fixed=fixed):
            n, sweeps = 30, 5
            before = fastqueens.solve(n, seed=3, fixed=fixed).queens
            instance = make_instance(n, fixed)
            reference = naive.Holes(before.tolist(), instance, seed, 0, few_holes(instance.free_columns).tolist())
            reference.hop_on(sweeps * instance.free_columns)
            assert mixed(board=before, fixed=fixed, seed=seed, sweeps=sweeps).queens.tolist() == reference.board()


def test_an_unsolved_board_is_not_mixed():
    arguments = {"seed": 1, "start": "random", "max_steps": 3, "trace": False}
    result = fastqueens.solve(100, mix=5, **arguments)
    assert not result.solved
    assert (result.sweeps, result.timings.mixing) == (0, 0)
    assert moved(result, fastqueens.solve(100, **arguments)) == 0


def test_sweeps_that_make_no_sense_are_refused(subtests):
    for value in [0, True, 1.5, 10**9 + 1]:
        with (
            subtests.test(value=value),
            pytest.raises(fastqueens.InputError, match=r"not (0|True|1\.5|1,000,000,001)$"),
        ):
            fastqueens.solve(8, mix=value)


def test_few_free_columns(subtests):
    for free in [0, 1, 2, 3, 7]:
        with subtests.test(free=free):
            for seed in range(3):
                queens = fastqueens.solve(40, seed=seed).queens
                order = np.random.default_rng(seed).permutation(40)
                fixed = {int(column): int(queens[column]) for column in order[free:]}
                result = mixed(40, 20, seed=seed, fixed=fixed)
                if free < 2:
                    assert result.queens.tolist() == queens.tolist()


@pytest.mark.parametrize(
    "fixed", [{0: 4, 5: 0}, *(pytest.param(fixed, marks=pytest.mark.gate) for fixed in ({}, {2: 0}))]
)
def test_all_completions_are_found_equally_often(fixed):
    """By runs of solve() with different seeds."""
    completions = [tuple(rows) for rows in naive.completions(7, fixed)]
    runs = 60 * len(completions)
    found = Counter(tuple(mixed(7, 40, seed=seed, fixed=fixed).queens.tolist()) for seed in range(runs))
    assert set(found) <= set(completions)
    assert 0.001 < chance_of([found[rows] for rows in completions]) < 0.999


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
    assert len(done) >= 20


def polls_of(n, **options):
    """Return what was reported last whenever the stop callback was polled before the check, and the result."""
    reports, polled = [None], []
    options = {"seed": 1, "thresholds": USUAL} | options
    progress, stop = (lambda *report: reports.append(report)), (lambda: polled.append(reports[-1]))
    result = solve(n, progress=progress, stop=stop, **options)
    return [report for report in polled if report is None or report[0] != "verification"], result


@pytest.mark.parametrize(("far", "fixed"), [(16, None), (2**18, {0: 3, 17: 100})])
def test_a_stop_while_mixing_leaves_a_solution(monkeypatch, far, fixed):
    n = 500
    lower(monkeypatch, mixing_slice=50, checked_slice=100)
    what = {"n": n, "seed": 1, "fixed": fixed, "thresholds": USUAL._replace(holes_far=far)}
    before, unmixed = polls_of(**what)
    polled, _ = polls_of(**what, mix=3)
    sweeps = []
    for polls in range(len(before), len(polled), max(1, (len(polled) - len(before)) // 40)):
        asked = []
        result = solve(**what, mix=3, stop=lambda: asked.append(None) or len(asked) > polls)  # noqa: B023
        plain.assert_solution(result.queens, n)
        assert plain.broken(result.queens, result.instance) == (0, 0, 0, 0)
        assert result.solved
        sweeps.append(result.sweeps)
        assert polls >= len(before) + 5 or moved(result, unmixed) == 0 or far == 16, "while the diagonals are marked"
    assert set(sweeps) >= {0, 2}


def test_a_chain_that_does_not_return_takes_its_first_solution(monkeypatch):
    lower(monkeypatch, mixing_slice=50)
    monkeypatch.setattr(holes, "_HOPS_TO_RETURN", 1)
    first, are_first = fastqueens.solve(500, seed=1).queens, []
    for polls in range(2, 40):
        queens, asked = first.copy(), []
        chain = SolutionChain(queens, make_instance(500), 1, 0)
        with pytest.raises(Stopped):
            chain.hop(5000, Callbacks(None, lambda: asked.append(None) or len(asked) >= polls))  # noqa: B023
        plain.assert_solution(queens, 500)
        are_first.append(np.array_equal(queens, first))
    assert any(are_first)


def test_a_stop_of_mixing_with_an_error_leaves_a_solution_in_out(monkeypatch):
    lower(monkeypatch, mixing_slice=50)
    out = np.zeros(500, np.int32)
    reports = []

    def progress(stage, *_):
        reports.append(stage)
        if reports.count("mixing") == 10:
            raise KeyError("of the caller")

    with pytest.raises(KeyError, match="of the caller"):
        fastqueens.solve(500, seed=1, mix=3, out=out, progress=progress)
    plain.assert_solution(out, 500)


@pytest.mark.parametrize(("fixed", "bytes_a_queen"), [(None, 0.625), ({0: 3, 17: 0}, 4.6875)])
def test_mixing_takes_five_bits_a_queen_and_a_copy_with_constraints(monkeypatch, fixed, bytes_a_queen):
    lower(monkeypatch, checked_slice=10_000)
    n = 1_000_000
    queens = fastqueens.solve(n, seed=1, fixed=fixed).queens
    instance = make_instance(n, fixed)
    holes.mix(queens.copy(), instance, 1, 1, Callbacks())  # loads the kernels
    tracemalloc.start()
    try:
        holes.mix(queens, instance, 1, 1, Callbacks())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert n * bytes_a_queen <= peak < n * bytes_a_queen + 200_000
