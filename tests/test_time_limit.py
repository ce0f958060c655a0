"""``time_limit`` of all functions that have it, with a clock that ticks at each look."""

import inspect
import itertools
import math
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import numpy as np
import plain
import pytest
from clocks import tick
from drawing import hard_instance
from errors import check_error, check_names
from lowered import lower

import fastqueens
from fastqueens import (
    InputError,
    Limits,
    Stopped,
    TimeLimitReached,
    all_solutions,
    animate,
    attacking_pairs,
    check_climber,
    climb,
    conflicting_queens,
    count_solutions,
    descend,
    estimate,
    first_attack,
    has_unique_solution,
    is_solution,
    make_instance,
    picture,
    poster,
    prove,
    puzzle,
    random_board,
    sample,
    solve,
    solve_instances,
    statistics,
    study,
    unique_puzzles,
)
from fastqueens._run import clock
from fastqueens.files.boards import read_board, write_board

#: Fourteen rows for fifteen columns, which no search notices in a short time.
ROWS = range(1, 57, 4)
HARD = make_instance(60, blocked=[(column, row) for column in range(0, 45, 3) for row in range(60) if row not in ROWS])


SOLVED = solve(1000, seed=1).queens


@pytest.fixture(autouse=True)
def small_slices(monkeypatch):
    lower(monkeypatch, search_slice=5, tree_slice=20, mixing_slice=50, placement_slice=100, made_in_file=100)
    tick(monkeypatch)


def is_nothing(part):
    """Return whether there is no part; iterators have yielded it."""
    return part is None


def is_unsolved(result):
    return not result.solved


LONG = partial(solve, 1000, seed=1, start="random")


#: For each function with a time limit: a call, a number of ticks after which it has a part, and a test of this part,
#: which is raised if the name says so and otherwise returned.
CALLS = {
    "solve": (LONG, 100, is_unsolved),
    "sample": (partial(sample, 9, 200, seed=1, threads=1), 300, lambda part: 0 < part.count < part.asked == 200),
    "estimate": (partial(estimate, 8, seed=1, replicas=9, threads=1), 25, lambda part: 2 <= part.replicas < 9),
    "solve_instances": (
        lambda **limit: list(solve_instances([8, 1000], seed=1, start="random", threads=1, **limit)),
        100,
        lambda answers: [answer.in_words for answer in answers] == ["solved", "undecided"],
    ),
    "prove": (
        partial(prove, hard_instance(1), seed=1),
        5,
        lambda answer: answer.solvable is None and answer.nodes > 0,
    ),
    "raises: count_solutions": (partial(count_solutions, 10), 20, lambda found: 0 < found < 724),
    "raises: count_solutions, fundamental": (
        partial(count_solutions, 10, fundamental=True),
        20,
        lambda found: 0 < found < 92,
    ),
    "raises: has_unique_solution": (partial(has_unique_solution, 12, fixed={0: 0}), 1, lambda found: found in (0, 1)),
    "raises: all_solutions": (lambda **limit: [*map(list, all_solutions(9, **limit))], 20, is_nothing),
    "climb": (partial(climb, 200, algorithm="restart", seed=1, limits=Limits(restarts=None)), 20, is_unsolved),
    "study": (partial(study, [8, 12], "steepest", 500, seed=1, threads=1), 4, lambda part: part.is_partial),
    "raises: animate": (lambda **limit: animate(30, seed=1, size=(240, 240), **limit).durations, 1, is_nothing),
    "raises: descend": (lambda **limit: descend(range(2000), **limit).steps, 1, is_nothing),
    "raises: check_climber": (lambda **limit: check_climber(list, "steepest", runs=20, **limit).agrees, 5, is_nothing),
    "raises: is_solution": (partial(is_solution, SOLVED, threads=1), 1, is_nothing),
    "raises: first_attack": (partial(first_attack, SOLVED), 1, is_nothing),
    "raises: attacking_pairs": (partial(attacking_pairs, range(1000), threads=1), 1, is_nothing),
    "raises: conflicting_queens": (partial(conflicting_queens, range(1000), threads=1), 1, is_nothing),
    "raises: random_board": (lambda **limit: random_board(1000, 1, **limit).tolist(), 1, is_nothing),
    "raises: statistics": (lambda **limit: statistics(SOLVED, **limit).as_dict(), 1, is_nothing),
    "raises: picture": (lambda **limit: picture(50, seed=1, threads=1, **limit).caption, 3, is_nothing),
    "raises: poster": (lambda **limit: poster(50, seed=1, threads=1, **limit).queens.tolist(), 3, is_nothing),
    "raises: puzzle": (lambda **limit: puzzle(500, 9, seed=1, solvable=True, **limit).fixed.tolist(), 20, is_nothing),
    "raises: unique_puzzles": (
        lambda **limit: [made.nodes for made in unique_puzzles(12, 9, seed=1, **limit)],
        50,
        is_nothing,
    ),
}

RULE = (
    "Results that can say that they are incomplete are returned at the time limit; functions that return a bare value "
    "or an iterator, and calls without a first board, raise TimeLimitReached with the finished part as partial."
)


#: What docstrings say, and the order of the arguments of long calls.
LIMIT = (
    "time_limit, progress, stop : optional The longest time in seconds, the display of progress, and a function that "
    "ends the call; see docs/library.md."
)
ORDER = ["threads", "executor", "checkpoint", "time_limit", "progress", "stop"]


def test_each_function_returns_its_part_or_raises_it(subtests):
    for name in CALLS:
        with subtests.test(name=name):
            call, ticks, is_part = CALLS[name]
            with nullcontext() if name in ("prove", "solve_instances", "climb") else pytest.raises(TimeLimitReached):
                call(time_limit=0.5)
            if "raises" in name:
                with pytest.raises(TimeLimitReached) as reached:
                    call(time_limit=ticks)
                assert is_part(reached.value.partial)
                check_names(str(reached.value), "at the time limit")
                assert call(time_limit=10**6) == call()
            else:
                assert is_part(call(time_limit=ticks))
                assert not is_part(call(time_limit=10**6))
            for limit in (0, -1, math.nan, math.inf, True, "5"):
                with check_error(InputError, "time_limit", repr(limit)):
                    call(time_limit=limit)


def test_every_function_with_a_time_limit_states_the_same_rule():
    functions = {name: getattr(fastqueens, name) for name in fastqueens.__all__}
    limited = {
        name: function
        for name, function in functions.items()
        if inspect.isfunction(function) and "time_limit" in inspect.signature(function).parameters
    }
    del limited["explore"]  # which writes a page
    assert {*limited} == {name.removeprefix("raises: ").partition(",")[0] for name in CALLS}
    page = (Path(__file__).parents[1] / "docs/library.md").read_text()
    assert RULE in " ".join(page.replace("`", "").split())
    del limited["solve_instances"]  # whose instances have a limit each
    for name, function in limited.items():
        words = " ".join(inspect.getdoc(function).split())
        assert LIMIT in words, name
        names = [name for name in inspect.signature(function).parameters if name in ORDER]
        assert names == [name for name in ORDER if name in names]
        assert names[-3:] == ["time_limit", "progress", "stop"]


def test_a_caller_who_takes_long_gets_no_further_board(subtests):
    """Solutions are found a thousand at a time."""
    for finished in [1, 2, 5]:
        with subtests.test(finished=finished):
            boards = all_solutions(8, time_limit=10_000)
            for _ in range(finished):
                next(boards)
            for _ in range(10_000):
                clock.seconds()
            with pytest.raises(TimeLimitReached):
                next(boards)


def test_a_limit_that_passes_after_the_last_board_is_not_reached():
    for function, arguments in ((all_solutions, [4]), (unique_puzzles, [8, 2])):
        iterator = function(*arguments, time_limit=10_000)
        assert len(list(itertools.islice(iterator, 2))) == 2
        for _ in range(10_000):
            clock.seconds()
        assert next(iterator, None) is None


def test_local_search_returns_its_best_board():
    steps = []
    for limit in (80, 100):
        result = LONG(time_limit=limit)
        assert not result.solved
        assert result.pairs == fastqueens.attacking_pairs(result.queens) > 0
        steps.append(result.steps)
    assert 0 < steps[0] < steps[1]
    assert LONG(time_limit=10**6).solved


def test_any_method_ends_without_an_answer(subtests):
    for method in ["auto", "complete", "local"]:
        with subtests.test(method=method):
            result = solve(HARD, method=method, seed=1, time_limit=100)
            assert not result.solved
            assert plain.broken(result.queens, HARD)[1:] == (0, 0, 0)
            assert (result.nodes > 0) == (method != "local")
            assert method == "auto" or (result.steps > 0) == (method == "local")


def test_mixing_ends_with_a_solution():
    result = solve(500, seed=1, mix=1000, time_limit=300)
    assert (result.solved, 0 < result.sweeps < 1000) == (True, True)
    plain.assert_solution(result.queens, 500)


def test_the_board_is_in_its_file_at_the_limit_and_after_a_stop_only_a_solution(tmp_path):
    path = tmp_path / "q.npy"
    write_board(path, [1, 3, 0, 2])
    stages = []
    with check_error(Stopped, path):
        LONG(out=path, progress=lambda stage, *_: stages.append(stage), stop=lambda: stages.count("search") > 2)
    assert read_board(path).tolist() == [1, 3, 0, 2]
    result = LONG(out=path, time_limit=100)
    assert not result.solved
    assert np.array_equal(read_board(path), result.queens)
    stages.clear()
    mixing = {"progress": lambda stage, *_: stages.append(stage), "stop": lambda: stages.count("mixing") > 20}
    result = solve(500, seed=1, mix=1000, out=path, **mixing)
    assert 0 < result.sweeps < 1000
    plain.assert_solution(read_board(path), 500)


def test_each_instance_has_the_time(subtests):
    """One thread can wait for the processor while the clock of both ticks in the other."""
    for threads in [1, 2]:
        with subtests.test(threads=threads):
            answers = list(solve_instances([8, HARD, 8, HARD], seed=1, threads=threads, time_limit=20_000))
            assert [answer.in_words for answer in answers] == ["solved", "undecided", "solved", "undecided"]
            (answer,) = solve_instances([1000], seed=1, threads=threads, start="random", time_limit=1)
            assert (answer.in_words, answer.queens) == ("undecided", None)


def test_a_solution_is_not_lost_to_a_limit_that_passes_during_its_check(tmp_path):
    checks = []

    def wait(stage, done, total):
        if stage == "verification":
            checks.append(done)
            for _ in range(100_000):
                clock.seconds()

    path = tmp_path / "q.npy"
    result = solve(100_000, seed=1, time_limit=100_000, progress=wait, out=path)
    assert result.solved
    assert checks
    assert read_board(path).tolist() == result.queens.tolist()
