"""Draw puzzles and instances for tests."""

import random

import naive
import numpy as np
from hypothesis import strategies as st

import fastqueens
from fastqueens.instance import make_instance


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


@st.composite
def instances(draw, smallest=1, largest=24):
    """Draw an instance with any share of blocked squares and excluded diagonals, often without them."""
    n, fixed = draw(puzzles(smallest, largest))
    share = draw(st.just(0.0) | st.floats(0, 1))
    generator = np.random.default_rng(draw(st.integers(0, 10**6)))
    blocked = np.argwhere(generator.random((n, n)) < share)
    sums = np.flatnonzero(generator.random(2 * n - 1) < share / 2)
    differences = np.flatnonzero(generator.random(2 * n - 1) < share / 2) - (n - 1)
    return make_instance(
        n,
        fixed,
        blocked=[square for square in blocked.tolist() if fixed.get(square[0]) != square[1]],
        excluded_sums=np.setdiff1d(sums, [c + r for c, r in fixed.items()]),
        excluded_differences=np.setdiff1d(differences, [r - c for c, r in fixed.items()]),
    )


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


def hard_instance(seed):
    """Draw an instance with about as many solutions as one needs to be hard: some have none."""
    draw = random.Random(seed)
    n = draw.randint(12, 16)
    numbers = draw.sample(range(4 * n - 2), n)
    sums, differences = ([number for number in numbers if number % 2 == kind] for kind in range(2))
    return make_instance(
        n,
        excluded_sums=[number // 2 for number in sums],
        excluded_differences=[number // 2 - n + 1 for number in differences],
    )
