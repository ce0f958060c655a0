"""Draw puzzles and instances for tests."""

import naive
import numpy as np
from hypothesis import strategies as st

import fastqueens
from fastqueens.core.instance import make_instance


@st.composite
def puzzles(draw, smallest=1, largest=40):
    """Draw n and queens that do not attack each other, as {column: row}."""
    n = draw(st.integers(smallest, largest))
    fixed = {}
    for _ in range(draw(st.integers(0, n))):
        square = draw(st.integers(0, n - 1)), draw(st.integers(0, n - 1))
        if square[0] not in fixed and not any(naive.attack(square, other) for other in fixed.items()):
            fixed[square[0]] = square[1]
    return n, fixed


def drawn(n, squares=0.0, diagonals=0, fixed=0, seed=0, solution=None):
    """Draw an instance that a given solution respects."""
    generator = np.random.default_rng([n, seed])
    solution = fastqueens.solve(n, seed=seed, method="local").queens if solution is None else solution
    columns = np.arange(n)
    blocked = generator.integers(0, n, (int(squares * n), 2))
    blocked = blocked[solution[blocked[:, 0]] != blocked[:, 1]]
    sums = np.setdiff1d(np.arange(2 * n - 1), columns + solution)
    differences = np.setdiff1d(np.arange(1 - n, n), solution - columns)
    chosen = generator.permutation(n)[:fixed]
    return make_instance(
        n,
        np.stack([chosen, solution[chosen]], axis=1),
        blocked=blocked,
        excluded_sums=generator.permutation(sums)[:diagonals],
        excluded_differences=generator.permutation(differences)[:diagonals],
    )
