"""The Markov chain that mixes solutions: its steps, its law by exact and by random tests, and ``solve(mix=)``."""

import itertools
import math

import naive
import numpy as np
import plain
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lowered import lower, lowered
from scipy.sparse.csgraph import connected_components

import fastqueens
from fastqueens.core.instance import make_instance
from fastqueens.kernels import mixing
from fastqueens.kernels.bits import is_set
from fastqueens.solving.mixing import SolutionChain, odds

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
        is_at_end = mixing.mix(self.arrays, self.state, most)
        assert is_at_end == self.naive.advance(most)
        return is_at_end

    def begin(self, proposals):
        self.state[mixing.LEFT] = self.naive.left = proposals

    def assert_equal(self):
        assert self.queens.tolist() == self.naive.queens
        assert self.figures() == {
            mixing.LEFT: self.naive.left,
            mixing.FROM_SOLUTIONS: self.naive.from_solutions,
            mixing.PROPOSALS: self.naive.proposals,
            mixing.ACCEPTED: self.naive.accepted,
            mixing.SURPLUS: self.naive.surplus,
            mixing.UNTIL_RISE: self.naive.until_rise,
            mixing.PHASE_LEFT: self.naive.phase_left,
            mixing.DRAWS: self.naive.draws,
        }

    def figures(self):
        """Return the entries of the state that the reference has too."""
        names = "LEFT FROM_SOLUTIONS PROPOSALS ACCEPTED SURPLUS UNTIL_RISE PHASE_LEFT DRAWS".split()
        return {getattr(mixing, name): int(self.state[getattr(mixing, name)]) for name in names}

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
        listed = self.arrays.surplus[: self.state[mixing.SURPLUS]].tolist()
        assert sorted(listed) == sorted(numbers[kind] + line for kind, line in lines)


# Every proposal, compared with the reference.


@given(solved_instances(), seeds, st.integers(0, 2**60 - 1), windows, st.lists(st.integers(0, 150), max_size=3))
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
        assert pair.state[mixing.SURPLUS] == pair.state[mixing.LEFT] == 0
        assert fastqueens.is_solution(pair.queens)
        assert plain.broken(pair.queens, pair.instance) == (0, 0, 0, 0)


# The law of the solutions, exactly: the transition matrix between all boards, and the one induced on solutions.


class Boards:
    """All permutations that respect the fixed queens of an instance, with their surplus E and the swaps between them."""

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
        self.t = float(naive.odds_of_rises(len(self.columns)))
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
        """Return the matrix of a proposal whose columns come evenly from two lists of columns."""
        here = np.arange(len(self.surplus))
        matrix = np.zeros((len(here), len(here)))
        for a, b in itertools.product(first, second):
            if a != b:
                there = self.after_swap[min(a, b), max(a, b)]
                rises = np.maximum(self.surplus[there] - self.surplus, 0)
                matrix[here, there] += np.array([float(naive.chance(rise, self.t)) for rise in range(99)])[rises]
        matrix /= len(first) * len(second)
        matrix[here, here] = 1 - matrix.sum(axis=1)
        return matrix

    def induced(self, first, second):
        """Return the matrix between the solutions seen when proposals are made from them: Q = SS + SR (1 - RR)^-1 RS."""
        matrix = self.transitions(first, second)
        solutions = np.flatnonzero(self.surplus == 0)
        # With narrow windows, there are boards from which the chain reaches no solution, and the other way round.
        _, part_of = connected_components(matrix != 0, directed=False)
        others = np.flatnonzero((self.surplus > 0) & np.isin(part_of, part_of[solutions]))
        back = np.linalg.solve(np.eye(len(others)) - matrix[np.ix_(others, others)], matrix[np.ix_(others, solutions)])
        return matrix[np.ix_(solutions, solutions)] + matrix[np.ix_(solutions, others)] @ back

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


@pytest.mark.parametrize("name", EXACT)
def test_the_uniform_law_is_stationary_and_the_only_one(exact, name):
    boards = exact(name)
    assert np.count_nonzero(boards.surplus == 0) == EXACT[name][1]
    matrix = boards.induced(boards.columns, boards.columns)
    assert_uniform_is_stationary(matrix)
    assert second_eigenvalue(matrix) < 0.9999


NARROW = [("n = 6", 2), ("n = 6", 3), ("n = 6", 4), ("n = 6", 5), ("a fixed queen", 3), ("two fixed queens", 4)]
NARROW += [("a blocked square", 3), ("an excluded sum diagonal", 4), ("an excluded difference diagonal", 2)]


@pytest.mark.parametrize(("name", "width"), NARROW)
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
    # Two windows of two columns move at most four queens, and solutions of n = 6 differ by more.
    assert (second_eigenvalue(of_phases) < 0.9999) == (width > 2)
