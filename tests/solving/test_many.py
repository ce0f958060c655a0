"""Many runs in one compiled call: each equals a run of solve(), and all are solved."""

import pytest
from errors import check_error
from lowered import EVERYTHING, lower

import fastqueens
from fastqueens.core.arguments import STARTS

pytestmark = pytest.mark.checked

SIZES = [1, 4, 5, 6, 8, 13, 31, 63, 64, 65, 200, 1000]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("limits", [{}, {"max_steps": 70}, {"restarts": 0}, {"restarts": 1, "max_steps": 40}])
@pytest.mark.parametrize("thresholds", [{}, EVERYTHING, EVERYTHING | {"left_over": 0}, EVERYTHING | {"tiles": 10**6}])
def test_a_run_in_a_batch_equals_a_run_of_solve(monkeypatch, start, limits, thresholds):
    """With and without tiles, and with any number of columns left over."""
    lower(monkeypatch, **thresholds)
    for n in SIZES:
        seeds = range(20 if n < 63 else 4)
        outcomes = fastqueens.solve_many(n, seeds, start=start, **limits)
        for seed in seeds:
            alone = fastqueens.solve(n, seed=seed, start=start, **limits)
            in_batch = [int(column[seed]) for column in outcomes]
            assert in_batch == [alone.initial_pairs, alone.pairs, alone.steps, len(alone.restarts)], (n, seed)


@pytest.mark.gate
@pytest.mark.parametrize("start", STARTS)
def test_ten_thousand_seeds_of_every_small_size_are_solved(start, record_property):
    longest = {}
    for n in range(4, 41):
        outcomes = fastqueens.solve_many(n, range(10_000), start=start)
        assert outcomes.solved.all(), n
        longest[n] = int(outcomes.steps.max())
    record_property("longest_run_in_steps", longest)


@pytest.mark.parametrize(
    ("name", "value"),
    [("n", 0), ("start", "greedy"), ("max_steps", -1), ("restarts", -1), *(("seed", s) for s in (-1, 2**64, 1.5))],
)
def test_bad_values_are_refused(name, value):
    arguments = {"n": 8, "seeds": [1], ("seeds" if name == "seed" else name): [value] if name == "seed" else value}
    with check_error(fastqueens.InputError, f"{name} is {value!r}"):
        fastqueens.solve_many(**arguments)


def test_no_seeds_no_solution_and_a_stop():
    assert len(fastqueens.solve_many(8, []).steps) == 0
    with pytest.raises(fastqueens.NoSolutionError):
        fastqueens.solve_many(3, [1])
    with check_error(fastqueens.Stopped, "runs"):
        fastqueens.solve_many(8, range(1000), stop=lambda: True)
