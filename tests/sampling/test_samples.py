"""Samples: solutions, the same wherever they are drawn, uniform as far as a test can tell; and their figures."""

import tracemalloc
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise
from multiprocessing import get_context
from types import SimpleNamespace

import naive
import numpy as np
import pytest
from chains import solved_instances
from chances import chance_of
from hypothesis import given
from hypothesis import strategies as st
from lowered import limit_memory, lower, lowered
from plain import assert_solution, broken

import fastqueens
from fastqueens import (
    InputError,
    NoSolutionError,
    NotEnoughMemoryError,
    SamplingWarning,
    Stopped,
    make_instance,
    sample,
    solve,
)
from fastqueens._run.text import counted
from fastqueens.chain import few_holes
from fastqueens.sampling import samples
from fastqueens.sampling.samples import check_sample, run_chain, thinning_for

pytestmark = pytest.mark.checked

MB = 1_000_000

#: A fixed queen, a blocked square and an excluded diagonal that leave a few of the 92 solutions.
SOME_OF_EIGHT = make_instance(8, {2: 5}, blocked=[(0, 3)])


NO_CHAIN_MOVED = "^no chain left its first board"


def solutions_of(instance):
    """Return all solutions, by trying all boards that have the fixed queens."""
    found = np.array(naive.completions(instance.n, dict(instance.fixed.squares.tolist())))
    return np.array([board for board in found if broken(board, instance) == (0, 0, 0, 0)])


def assert_samples(drawn, count, instance):
    """Fail unless there are so many boards, all of them solutions of an instance."""
    assert drawn.boards.shape == (count, instance.n)
    assert drawn.boards.flags.c_contiguous
    assert (len(drawn), drawn.count, drawn.n) == (count, count, instance.n)
    for board in drawn.boards:
        assert_solution(board, instance.n)
        assert broken(board, instance) == (0, 0, 0, 0)


@pytest.fixture
def may_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SamplingWarning)
        yield


# Boards


@pytest.mark.parametrize("unsigned_rows", [1, 2**31])
def test_samples_are_solutions(unsigned_rows):
    for n in (1, 4, 8, 63, 64, 65, 200):
        with lowered(unsigned_rows=unsigned_rows):
            drawn = sample(n, 5, seed=n)
        assert drawn.boards.dtype == (np.uint32 if unsigned_rows == 1 else np.int32)
        assert_samples(drawn, 5, make_instance(n))


@pytest.mark.parametrize(("count", "thinning"), [(1, 16), (63, 2), (65, 8), (129, 9), (1000, 16)])
def test_each_chain_is_that_of_the_reference(may_warn, count, thinning):
    """Chain k begins at the solution of seed S + k, drops the burn-in, and keeps a board after each thinning."""
    instance = make_instance(7)
    drawn = sample(instance, count=count, seed=5, thinning=thinning)
    assert_samples(drawn, count, instance)
    assert drawn.chains == min(count, 64)
    plan = check_sample(instance, count, 5, thinning)
    shares = [plan.samples_of(number) for number in range(drawn.chains)]
    assert [shares[0][0], *(last for _, last in shares)] == [*(first for first, _ in shares), count]
    assert {last - first for first, last in shares} <= {count // drawn.chains, -(-count // drawn.chains)}
    for number in {0, drawn.chains // 2, drawn.chains - 1}:
        first, last = shares[number]
        chain = naive.Holes(
            fastqueens.solve(7, seed=5 + number).queens.tolist(), instance, 5, number, few_holes(7).tolist()
        )
        for at, board in enumerate(drawn.boards[first:last].tolist(), 1):
            while chain.visits < drawn.burn_in + at * thinning:
                chain.round()
            assert board == chain.board()
        alone = run_chain(instance, 5, number, last - first, thinning, drawn.burn_in)
        assert np.array_equal(alone.boards, drawn.boards[first:last])
        assert (alone.hops, alone.hops_tried) == (chain.hops, chain.hops_tried)


@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_a_seed_repeats_its_samples(seed):
    drawn = sample(8, 70, seed=seed)
    assert drawn.seed == seed
    assert_samples(drawn, 70, make_instance(8))
    assert np.array_equal(sample(8, 70, seed=seed).boards, drawn.boards)
    others = [sample(8, 70, seed=(seed + k) % 2**64).boards for k in (1, 2, 2**63)]
    assert not any(np.array_equal(other, drawn.boards) for other in others)


# Instances


@given(solved_instances(largest=40), st.integers(0, 9))
def test_samples_respect_instances(solved, seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SamplingWarning)  # often there is no other solution
        drawn = sample(solved[1], count=3, seed=seed, threads=1)
    assert drawn.instance is solved[1]
    assert_samples(drawn, 3, solved[1])


@pytest.mark.parametrize("free", [0, 1, 2])
@pytest.mark.parametrize("count", [1, 65])
def test_few_free_columns(may_warn, free, count):
    board = fastqueens.solve(12, seed=1).queens.tolist()
    instance = make_instance(12, {c: board[c] for c in range(12 - free)})
    drawn = sample(instance, count=count, seed=1)
    assert_samples(drawn, count, instance)
    assert drawn.thinning >= 1, "it can be given again"
    again = sample(instance, count=count, seed=1, thinning=drawn.thinning)
    assert np.array_equal(again.boards, drawn.boards)
    if free < 2:
        assert (drawn.hops, drawn.acceptance) == (0, 0)
        assert (drawn.autocorrelation_time, drawn.effective_sample_size) == (None, None)
        assert (drawn.correlation, drawn.stuck_chains) == ("constant", drawn.chains)
        assert sample(instance, count=count, thinning=1).warning is None, "there is no other solution"


@pytest.mark.parametrize("n", [8, 12])
def test_instances_with_one_solution(n):
    for puzzle in fastqueens.unique_puzzles(n, 4, seed=n):
        with pytest.warns(SamplingWarning, match=NO_CHAIN_MOVED):
            drawn = sample(puzzle.instance, count=66, seed=1)
        assert np.array_equal(drawn.boards, np.tile(puzzle.solution, (66, 1)))
        assert (drawn.autocorrelation_time, drawn.effective_sample_size, drawn.correlation) == (None, None, "constant")
    board = fastqueens.solve(n, seed=1).queens
    others = [(c, r) for c in range(n) for r in range(n) if board[c] != r]
    with pytest.warns(SamplingWarning, match=NO_CHAIN_MOVED):
        assert np.array_equal(sample(make_instance(n, blocked=others), seed=1).boards[0], board)


# Wherever they are drawn


@pytest.mark.parametrize("where", [{"threads": 2}, {"threads": 100}, {"executor": 3}])
@pytest.mark.parametrize("instance", [make_instance(9), SOME_OF_EIGHT], ids=str)
def test_threads_change_nothing(where, instance):
    expected = sample(instance, count=150, seed=7, threads=1)
    with ThreadPoolExecutor(where.get("executor", 1)) as pool:
        drawn = sample(instance, count=150, seed=7, **({"executor": pool} if "executor" in where else where))
    assert np.array_equal(drawn.boards, expected.boards)
    assert without_seconds(drawn) == without_seconds(expected)


def without_seconds(drawn):
    return {name: value for name, value in drawn.as_dict().items() if name != "seconds"}


def add(progress, *now):
    progress.append(now)


def assert_same_on(executor):
    for instance in (make_instance(9), SOME_OF_EIGHT):
        progress = []
        expected = sample(instance, count=129, seed=7)
        drawn = sample(instance, count=129, seed=7, executor=executor, progress=partial(add, progress))
        assert np.array_equal(drawn.boards, expected.boards)
        assert without_seconds(drawn) == without_seconds(expected)
        assert_progress(progress, drawn)
    with pytest.raises(NoSolutionError, match="no solution exists"):
        sample(make_instance(6, {0: 0, 1: 2}), count=3, executor=executor)
    with pytest.raises(Stopped, match="stopped during sampling, 0 % done"):
        sample(9, 100, executor=executor, stop=lambda: True)


@pytest.mark.gate
def test_a_pool_of_processes_changes_nothing():
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        assert_same_on(pool)


@pytest.mark.gate
def test_a_cluster_changes_nothing(cluster):
    assert_same_on(cluster)


@pytest.mark.parametrize("observed", [1, 9, 10, 11])
def test_the_observations_of_the_first_samples_are_kept(monkeypatch, observed):
    expected = run_chain(make_instance(9), 3, 2, 10, 24, 100)
    assert expected.features.shape == (10, 8, 4)
    for board, features in zip(expected.boards.tolist(), expected.features[:, 7].tolist(), strict=True):
        from_centre = [(2 * c - 8, 2 * r - 8) for c, r in enumerate(board)]
        sums = [sum(abs(x * y) for x, y in from_centre), sum(x * y for x, y in from_centre)]
        assert features == [*sums, board[0], board[4]]
    monkeypatch.setattr(samples, "_OBSERVED", observed)
    found = run_chain(make_instance(9), 3, 2, 10, 24, 100)
    assert np.array_equal(found.boards, expected.boards)
    assert np.array_equal(found.features, expected.features[:observed])
    assert found[2:] == expected[2:]


# Uniform

#: Quantiles beyond which a test fails.
LEAST, MOST = 0.001, 0.999


def chi_square_probability(boards, solutions):
    """Return the probability that uniform boards fit worse: Pearson's test against all solutions."""
    codes = {solution.tobytes(): k for k, solution in enumerate(solutions.astype(np.int32))}
    counts = np.bincount([codes[board.tobytes()] for board in boards], minlength=len(codes))
    return chance_of(counts)


@pytest.mark.gate
def test_chi_square_against_all_solutions():
    for instance, count in ((make_instance(6), 2000), (make_instance(8), 9200), (SOME_OF_EIGHT, 2000)):
        solutions = solutions_of(instance)
        for seed in range(5):
            drawn = sample(instance, count=count, seed=1000 * seed)
            assert LEAST < chi_square_probability(drawn.boards, solutions) < MOST, (instance, seed)


def test_the_same_test_finds_short_thinning(may_warn):
    solutions = solutions_of(make_instance(8))
    assert chi_square_probability(sample(8, 9200, seed=1, thinning=1).boards, solutions) < 1e-20
    assert chi_square_probability(sample(8, 9200, seed=1, thinning=2).boards, solutions) < LEAST


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.gate), pytest.param(2, marks=pytest.mark.gate)])
def test_the_first_sample_of_a_chain_is_uniform(seed):
    """The burn-in suffices: one sample is drawn from each of many chains that begin at solutions of solve()."""
    boards = np.concatenate([sample(6, 64, seed=(seed << 32) + 64 * k, threads=1).boards for k in range(10)])
    assert LEAST < chi_square_probability(boards, solutions_of(make_instance(6))) < MOST


# Figures


@pytest.mark.parametrize(("n", "count"), [(4, 1), (8, 64), (8, 65), (8, 1000), (40, 200)])
def test_figures_agree_with_each_other(n, count):
    drawn = sample(n, count, seed=1)
    assert drawn.thinning == thinning_for(make_instance(n))
    assert drawn.burn_in == 4 * drawn.thinning
    assert drawn.hops > 0
    assert 0 < drawn.acceptance < 1
    assert drawn.hops / drawn.acceptance == pytest.approx(round(drawn.hops / drawn.acceptance))
    if drawn.effective_sample_size is not None:
        assert 1 <= drawn.effective_sample_size <= count
        assert drawn.autocorrelation_time >= drawn.thinning / 8
    figures = drawn.as_dict()
    header = fastqueens.__version__, n, {"count": count, "thinning": drawn.thinning}, count
    assert tuple(figures.pop(name) for name in ("version", "n", "options", "count")) == header
    constraints = [figures.pop(name) for name in ("fixed_queens", "blocked_squares", "excluded_diagonals")]
    assert constraints == [0, 0, 0]
    assert figures == {name: getattr(drawn, name) for name in figures}
    sizes = f"{counted(count, 'board')}, {counted(drawn.chains, 'chain')}"
    assert repr(drawn).startswith(f"<Samples n={n}, {sizes}, seed=1, ")


@pytest.mark.parametrize(
    ("n", "fixed", "thinning"),
    [(8, 0, 16), (2**18 - 1, 0, 16), (2**18, 0, 256), (2**18, 2**18 - 17408, 17)],
)
def test_the_usual_thinning(n, fixed, thinning):
    """Large boards visit a solution more often."""
    assert thinning_for(make_instance(n, fixed=np.c_[:fixed, solve(n, seed=1).queens[:fixed]])) == thinning


@pytest.mark.gate
@pytest.mark.parametrize("n", [2**18 - 1, 2**18])
def test_queens_make_at_least_five_hops_from_one_sample_of_a_large_board_to_the_next(n):
    """Hops do not depend on the thinning alone, but on how often a chain visits a solution."""
    drawn = sample(n, 2, seed=1)
    assert drawn.hops / (drawn.chains * (drawn.burn_in + drawn.thinning)) * drawn.thinning > 5 * n


@pytest.mark.parametrize("n", [4, 6, 8, 20, 100])
def test_the_usual_thinning_makes_samples_nearly_independent(n):
    drawn = sample(n, 4000, seed=1)
    assert drawn.effective_sample_size > 0.7 * 4000
    assert 0.8 < drawn.thinning / drawn.autocorrelation_time < 5


# Warnings


def test_the_usual_thinning_never_warns():
    """Some short chains do not move by chance, and a few longer chains do not show whether this is chance."""
    for n, count in ((4, 64), (5, 65), (6, 256), (8, 129), (8, 640), (20, 400)):
        for seed in (0, 1000):
            assert sample(n, count, seed=seed).warning is None, (n, count, seed)


def test_short_thinning_warns():
    with pytest.warns(SamplingWarning) as caught:
        drawn = sample(8, 10_000, seed=1, thinning=2)
    (warning,) = caught
    assert str(warning.message) == drawn.warning
    assert warning.filename == __file__
    assert drawn.warning.startswith("thinning is 2: 10,000 samples are worth only ")
    assert f"worth only {drawn.effective_sample_size:,.0f} independent samples; by default it is 16" in drawn.warning
    assert drawn.effective_sample_size < 5000


def test_the_first_warning_that_applies():
    usual = {"thinning": 16, "stuck_chains": 0, "correlation": "decays", "effective_sample_size": 200.0}
    for figures, warning in [
        ({}, None),
        ({"stuck_chains": 64}, "no chain left its first board"),
        ({"stuck_chains": 1, "thinning": 16}, "1 of 64 chains never left their first board"),
        ({"stuck_chains": 63, "thinning": 15}, None),  # 4 samples of a chain: a little too short
        ({"effective_sample_size": 128.0}, None),
        ({"effective_sample_size": 127.9}, "thinning is 16: 256 samples are worth only 128 independent samples"),
        ({"thinning": 8}, None),
        ({"thinning": 7}, "thinning is 7: consecutive samples resemble each other; by default it is 16"),
        ({"correlation": "never decays"}, "the samples of a chain resemble each other at all distances"),
        ({"correlation": "unknown", "effective_sample_size": None}, None),
    ]:
        drawn = replace(FOUR_EACH, **usual | figures)
        assert drawn.warning is None if warning is None else drawn.warning.startswith(warning), figures


FOUR_EACH = sample(8, 256, seed=1)


def instance_of(*boards):
    """Return an instance whose solutions are on the squares of these boards."""
    n = len(boards[0])
    squares = {(c, int(board[c])) for board in boards for c in range(n)}
    return make_instance(n, blocked=[(c, r) for c in range(n) for r in range(n) if (c, r) not in squares])


def swapped(board):
    """Return a solution that differs from this one by one swap."""
    for i, j in combinations(range(len(board)), 2):
        other = board.copy()
        other[[i, j]] = other[[j, i]]
        if fastqueens.is_solution(other):
            return other
    raise AssertionError("no neighbour")


ONE, ANOTHER = (fastqueens.solve(20, seed=seed).queens for seed in (0, 1))


@pytest.mark.parametrize("count", [1, 64, 6400])
def test_chains_that_never_move_warn(count):
    """No chain of any practical length gets from one of these two solutions to the other."""
    instance = instance_of(ONE, ANOTHER)
    assert fastqueens.count_solutions(instance) == 2
    with pytest.warns(SamplingWarning, match=NO_CHAIN_MOVED):
        drawn = sample(instance, count=count, seed=1)
    assert drawn.stuck_chains == drawn.chains
    assert (drawn.autocorrelation_time, drawn.effective_sample_size) == (None, None)
    assert drawn.correlation == {1: "constant", 64: "unknown", 6400: "never decays"}[count]


@pytest.mark.parametrize("count", [64 * 4])
def test_some_chains_that_never_move_warn(count):
    instance = instance_of(ONE, swapped(ONE), ANOTHER)
    assert fastqueens.count_solutions(instance) == 3
    with pytest.warns(SamplingWarning, match=r"^[1-9]\d? of 64 chains never left their first board, "):
        drawn = sample(instance, count=count, seed=1)
    assert 0 < drawn.stuck_chains < 64


def test_chains_in_groups_that_never_meet_warn():
    """All chains move, but each only between two solutions."""
    instance = instance_of(ONE, swapped(ONE), ANOTHER, swapped(ANOTHER))
    assert fastqueens.count_solutions(instance) == 4
    with pytest.warns(SamplingWarning, match="^the samples of a chain resemble each other at all distances"):
        drawn = sample(instance, count=704, seed=1)
    assert (drawn.stuck_chains, drawn.correlation, drawn.autocorrelation_time) == (0, "never decays", None)


@pytest.mark.parametrize(("count", "correlation"), [(1, "unknown"), (64, "unknown"), (1000, "decays")])
def test_too_few_samples_are_told_from_a_correlation_that_never_decays(count, correlation):
    drawn = sample(8, count, seed=1)
    assert (drawn.correlation, drawn.stuck_chains, drawn.warning) == (correlation, 0, None)
    assert (drawn.autocorrelation_time is None) == (correlation != "decays")


# Progress and stop


def assert_progress(progress, drawn):
    total = drawn.chains * drawn.burn_in + drawn.count * drawn.thinning
    assert {(stage, of) for stage, _, of in progress} == {("sampling", total)}
    done = [now for _, now, _ in progress]
    assert (done[0], done[-1]) == (0, total)
    assert all(before <= now for before, now in pairwise(done))


@pytest.mark.parametrize("threads", [1, 3])
def test_progress(monkeypatch, threads):
    lower(monkeypatch, mixing_slice=500)
    progress = []
    drawn = sample(8, 70, seed=1, threads=threads, progress=lambda *now: progress.append(now))
    assert_progress(progress, drawn)
    assert len({now for _, now, _ in progress}) > 50


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("thinning", [None, 10**15], ids=["burn-in", "sampling"])
def test_stop_within_a_slice(monkeypatch, threads, thinning):
    """Without the stop, it would take days."""
    lower(monkeypatch, mixing_slice=1000)
    calls, progress = [], []

    def stop():
        calls.append(1)
        return len(calls) >= 10

    n = 8 if thinning else 100_000
    with pytest.raises(Stopped, match=r"stopped during sampling, .* % done"):
        sample(n, 10, seed=1, thinning=thinning, threads=threads, stop=stop, progress=lambda *now: progress.append(now))
    assert len(calls) == 10


def test_the_effective_size_is_that_of_the_samples_drawn_before_a_stop():
    done = []
    stoppable = {"progress": lambda _, now, total: done.append(now / total), "stop": lambda: done[-1] > 0.5}
    part = sample(9, 4000, seed=1, threads=1, **stoppable)
    assert 1000 < part.effective_sample_size <= part.count < 3000


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("instance", [make_instance(9), SOME_OF_EIGHT])
def test_what_is_drawn_before_a_stop_is_kept(monkeypatch, instance, threads):
    lower(monkeypatch, mixing_slice=50)
    whole, calls = sample(instance, 200, seed=1), []
    lengths = set()
    for most in (20, 40):
        calls.clear()
        part = sample(instance, 200, seed=1, threads=threads, stop=lambda: calls.append(1) or len(calls) > most)  # noqa: B023
        lengths.add(part.count)
        assert (part.n, part.seed, part.thinning, part.instance) == (whole.n, 1, whole.thinning, instance)
        assert part.chains <= part.count < part.asked == 200
        found, expected = (iter(some.boards.tolist()) for some in (part, whole))
        assert all(board in expected for board in found), "in the same order"
        assert 0 < part.hops < whole.hops
        assert 0 <= part.stuck_chains <= part.chains
    assert len(lengths) == 2 or threads == 2


def test_a_stop_that_is_taken_back_leaves_no_gap(monkeypatch):
    lower(monkeypatch, mixing_slice=50)
    for poll in range(10, 40):
        calls = []
        part = sample(9, 200, seed=1, threads=1, stop=lambda: calls.append(1) or len(calls) == poll)  # noqa: B023
        assert all(fastqueens.is_solution(board) for board in part.boards)
        assert part.count < 200


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_in_the_search_for_the_first_solutions(threads):
    """The message does not blame the instance."""
    allowed = range(1, 61, 4)  # 15 rows for 16 columns, which takes long to refute
    blocked = [(column, row) for column in range(0, 64, 4) for row in range(64) if row not in allowed]
    calls = []

    def stop():
        calls.append(1)
        return len(calls) >= 5

    with pytest.raises(Stopped, match="stopped during sampling, 0 % done"):
        sample(make_instance(64, blocked=blocked), count=2, seed=1, threads=threads, stop=stop)


# Errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 2**32 + 1}, "n must be between 1 and 4,294,967,295, not 4,294,967,297"),
        ({"n": 8, "count": 0}, "count must be at least 1, not 0"),
        ({"n": 8, "thinning": 0}, "thinning must be at least 1, not 0"),
    ],
)
def test_wrong_values(arguments, message):
    with pytest.raises(InputError) as caught:
        sample(**arguments)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("n", [2, 3])
def test_sizes_without_a_solution(n):
    with pytest.raises(NoSolutionError, match=f"no solution exists for n = {n}"):
        sample(n, 5)
    with pytest.raises(NoSolutionError, match=f"no solution exists for n = {n}"):
        sample(make_instance(n, blocked=[(0, 0)]))


def test_an_instance_without_a_solution():
    with pytest.raises(NoSolutionError, match="no solution exists for n = 6 with 2 fixed queens"):
        sample(make_instance(6, {0: 0, 1: 2}), count=20, threads=3)


def test_an_undecided_instance(monkeypatch):
    monkeypatch.setattr(samples, "solve", lambda *_, **__: SimpleNamespace(solved=False))
    with pytest.raises(
        InputError,
        match=r"^no solution of n = 8 with 1 fixed queen and 1 blocked square was found for chain 0; ",
    ):
        sample(SOME_OF_EIGHT, count=5, threads=1)


# Memory


def test_memory_is_checked_before_any_is_used(monkeypatch):
    limit_memory(monkeypatch, 150 * MB)
    for count in (100_000, 2**62):
        with pytest.raises(NotEnoughMemoryError, match="MB of memory, but only 150 MB are available"):
            sample(1000, count)


def test_it_takes_no_more_memory_than_is_checked(may_warn, monkeypatch):
    needs = []
    monkeypatch.setattr(samples, "check_memory", lambda need, _what: needs.append(need))
    sample(300, 64, seed=1, thinning=1, threads=1)
    tracemalloc.start()
    try:
        sample(300, 10_000, seed=1, thinning=1, threads=1)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert 12 * MB < needs[-1] < peak < needs[-1] + 2 * MB
