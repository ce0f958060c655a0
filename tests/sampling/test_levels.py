"""p(m): from all boards with m holes, and as the kernels of an estimate measure it."""

import math
from fractions import Fraction

import naive
import numpy as np
import pytest
from chains import assert_same, solved_instances
from hypothesis import given
from hypothesis import strategies as st

import fastqueens
from fastqueens.instance import make_instance
from fastqueens.kernels import holes as holes_kernel
from fastqueens.kernels import sampling as sampling_kernel
from fastqueens.sampling import levels
from fastqueens.sampling.estimates import estimate

pytestmark = pytest.mark.checked

U64 = np.uint64

#: Instances with all kinds of constraints, and their numbers of solutions.
SMALL = {
    "n = 5": (make_instance(5), 10),
    "n = 6": (make_instance(6), 4),
    "n = 7": (make_instance(7), 40),
    "fixed queens": (make_instance(8, {2: 0, 7: 3}), 4),
    "blocked squares": (make_instance(7, blocked=[(0, 1), (3, 3), (6, 0)]), 23),
    "excluded diagonals": (make_instance(7, excluded_sums=[3], excluded_differences=[-2]), 4),
    "all of them": (make_instance(8, {2: 4}, blocked=[(1, 1)], excluded_sums=[4]), 3),
}


@pytest.fixture(params=["n = 6", "excluded diagonals", "all of them"])
def small(request):
    """Return an instance, and its number of solutions."""
    return SMALL[request.param]


# The formula


def exact_p(instance):
    """Return p(m) by m, from all boards."""
    return {
        m: Fraction(sum(naive.free_hole_squares(board, instance) for board in boards), len(boards) * m**2)
        for m, boards in naive.boards_with_holes(instance).items()
        if m
    }


def test_the_product_of_all_p_is_the_number_of_solutions(small):
    check_product(*small)


@pytest.mark.gate
def test_the_product_of_all_p_of_larger_instances_is_the_number_of_solutions():
    for instance, solutions in SMALL.values():
        check_product(instance, solutions)


def check_product(instance, solutions):
    p = exact_p(instance)
    assert sorted(p) == list(range(1, instance.free_columns + 1))
    assert math.factorial(instance.free_columns) * math.prod(p.values()) == solutions


@pytest.mark.parametrize("k", [65, 999, 10**5])
def test_the_sum_of_a_polynomial_is_that_of_its_values(k):
    random = np.random.default_rng(k)
    x = np.array(levels.levels_of(make_instance(k))) / k
    for _ in range(5):
        factors = np.polynomial.Polynomial([-1, 1]) * np.polynomial.Polynomial(random.normal(size=8))
        plain = math.fsum(factors(np.arange(1, k + 1) / k))
        assert levels._sum_of_all(x, factors(x), k) == pytest.approx(plain, abs=1e-6)


# The kernels


class Pair:
    """The chain of a replica, and the reference with the same words."""

    def __init__(self, instance, seed, number):
        self.chain = levels._LevelChain(instance, seed, number, None)
        self.instance, self.state, self.board = instance, self.chain.state, self.chain._board
        self.state[holes_kernel.FAR] = number % 2  # what is loaded ahead changes nothing
        queens = [0] * instance.n
        for column, row in instance.fixed.squares.tolist():
            queens[column] = row
        self.naive = naive.Holes(queens, instance, seed, number, [], purpose=2**63)
        self.naive.take_off_all()
        self.free = [0] * (instance.free_columns + 1)
        self.squares = self.free.copy()
        self.counts = [np.zeros(len(self.free), U64) for _ in range(2)]

    @property
    def holes(self):
        return int(self.state[holes_kernel.HOLES])

    def walk(self, odds):
        """Walk one step; without odds, a queen is relocated."""
        table = np.array(odds, U64).reshape(-1, 2)
        sampling_kernel.walk_over_levels(self.board, self.chain._movable, table, self.state, *self.counts, 1)
        self.naive.odds = odds
        if not odds:
            self.naive.draws = self.naive.rounds << 20
        if m := len(self.naive.columns):
            self.naive.hop_somewhere()
            free, squares = self.naive.look(8)
            self.free[m] += free
            self.squares[m] += squares
        if not odds:
            self.naive.relocate()
        for _ in range(sampling_kernel._EXCHANGES if odds else 0):
            self.naive.exchange()

    def assert_equal(self):
        assert_same(self.board, self.state, self.naive)
        assert [count.tolist() for count in self.counts] == [self.free, self.squares]


@given(solved_instances(), st.integers(0, 2**64 - 1), st.integers(0, 1000), st.data())
def test_the_kernel_equals_the_reference_after_every_step(solved, seed, number, data):
    instance = solved[1]
    pair = Pair(instance, seed, number)
    k = instance.free_columns
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    odds = [[0, 2**64 - 1], *([int(remove), 2**63] for remove in random.integers(0, 2**63, k)), [0, 0]][: k + 1]
    odds[k] = [2**63, 0]
    pair.assert_equal()
    for _ in range(data.draw(st.integers(1, 2 * k))):
        pair.walk([[0, 2**64 - 1], *[[2**64 - 1, 0]] * k])
    pair.assert_equal()
    for step in range(data.draw(st.integers(1, 60))):
        pair.walk([] if step % 3 and pair.holes < k else odds)
        pair.assert_equal()


def test_what_belongs_to_more_holes_is_added_to_the_last_entry():
    chains = [levels._LevelChain(make_instance(80), 1, 0, None) for _ in range(2)]
    odds = np.array([[2**63, 2**62]] * 80 + [[2**63, 0]], U64)
    whole, cut = (chain._look(odds, 1000, entries) for chain, entries in zip(chains, (81, 41), strict=True))
    for all_levels, some in zip(whole, cut, strict=True):
        assert some.tolist() == [*all_levels[:40], all_levels[40:].sum()]


def test_a_walk_measures_p_of_all_numbers_of_holes(small):
    instance, _ = small
    p = exact_p(instance)
    found = estimate(instance, seed=1, replicas=32)
    assert [level.holes for level in found.levels] == list(range(instance.free_columns, 0, -1))
    for level in found.levels:
        assert abs(level.free - p[level.holes]) <= 4.5 * level.free_error + 1e-12, level
        assert level.free_error < 0.03 * level.free


def test_words_of_columns_that_are_all_fixed_do_not_count():
    """Only those with a free column are looked at: one of three."""
    queens = fastqueens.solve(150, seed=1).queens.tolist()
    instance = make_instance(150, {c: r for c, r in enumerate(queens) if not 70 <= c < 78})
    found = estimate(instance, seed=1, replicas=16)
    assert found.standard_error < 0.1
    assert abs(found.log_count - math.log(fastqueens.count_solutions(instance))) < 4 * found.standard_error
