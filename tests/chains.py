"""Common parts of the tests of Markov chains: random instances, and the comparison of a board with its reference."""

import numpy as np
from hypothesis import strategies as st

import fastqueens
from fastqueens.instance import make_instance
from fastqueens.kernels import holes as holes_kernel


@st.composite
def solved_instances(draw, smallest=4, largest=140):
    """Solutions, with instances that they solve; some instances have few constraints, others leave little choice."""
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


def bits_of(words):
    """Return the numbers of the bits that are set."""
    return set(np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little")).tolist())


def assert_same(board, state, reference, *, visits=False):
    """Compare a board, its holes, its marks and its counts with :class:`naive.Holes`."""
    n, m = reference.n, int(state[holes_kernel.HOLES])
    assert board.columns[:m].tolist() == reference.columns
    assert board.rows[:m].tolist() == reference.rows
    assert {column: int(board.queens[column]) for column in reference.queens} == reference.queens
    for name in ("rounds", "draws", "hops", "hops_tried") + ("visits",) * visits:
        assert int(state[getattr(holes_kernel, name.upper())]) == getattr(reference, name), name
    queens, excluded = reference.queens.items(), reference.instance
    assert bits_of(board.sums) == {c + r for c, r in queens} | {*excluded.excluded_sums.tolist()}
    differences = {r - c for c, r in queens} | {*excluded.excluded_differences.tolist()}
    assert {n - bit for bit in bits_of(board.differences)} == differences
    beyond = range(n, 64 * len(board.closed))
    assert bits_of(board.closed) == reference.fixed | set(reference.columns) | set(beyond)
