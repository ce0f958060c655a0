"""Many instances in one call: answers equal those of solve(), in order, wherever the tasks run."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from doubles import LastFirst
from drawing import instances
from errors import check_error
from hypothesis import given
from hypothesis import strategies as st

import fastqueens
from fastqueens import InputError, NoSolutionError, Stopped, batch, make_instance, solve_instances
from fastqueens._run.arguments import METHODS
from fastqueens.answer import Answer

#: Limits with which some instances are undecided.
LITTLE = {"method": "local", "restarts": 1, "max_steps": 30}

#: An instance without a solution, and options with which the search for one never ends.
WITHOUT = make_instance(8, excluded_sums=[5, 7, 9], excluded_differences=[0])
ENDLESS = {"method": "local", "restarts": 10**9}


def alone(instance, **options):
    """Return what solve() finds, as a list."""
    try:
        result = fastqueens.solve(instance, **options)
    except NoSolutionError as error:
        return [False, None, None, error.nodes, 0, "" if error.nodes else str(error)]
    solvable, queens = (True, result.queens.tolist()) if result.solved else (None, None)
    return [solvable, queens, result.method, result.nodes, result.attempts, ""]


def listed(answers):
    """Return answers as lists, without their times."""
    found = []
    for answer in answers:
        assert answer.seconds >= 0
        queens = None if answer.queens is None else answer.queens.tolist()
        found.append([answer.solvable, queens, answer.method, answer.nodes, answer.attempts, answer.reason])
    return found


def some_instances(count=60):
    """Return instances of which some have a solution, some have none, and some are not decided by LITTLE effort."""
    generator = np.random.default_rng(1)
    drawn = [make_instance(30, excluded_sums=[29]), 2, WITHOUT]
    for n in generator.integers(6, 14, count - len(drawn)).tolist():
        sums, differences = generator.choice(2 * n - 1, (2, n // 2))
        drawn.append(make_instance(n, excluded_sums=sums, excluded_differences=differences - n + 1))
    return drawn


@given(st.lists(instances(largest=9), max_size=5), st.integers(0, 2**64 - 1), st.sampled_from(METHODS), st.booleans())
def test_each_answer_is_that_of_solve(drawn, seed, method, is_limited):
    options = {"method": method, "seed": seed}
    if is_limited:
        options |= LITTLE
    elif method != "complete":
        options["restarts"] = 3
    expected = [alone(instance, **options) for instance in drawn]
    assert listed(solve_instances(drawn, threads=1, **options)) == expected


@pytest.mark.parametrize("options", [{}, LITTLE])
def test_answers_do_not_depend_on_threads_and_executors(options, monkeypatch):
    drawn = some_instances()
    expected = [alone(instance, seed=5, **options) for instance in drawn]
    assert {solvable for solvable, *_ in expected} == ({True, False, None} if options else {True, False})
    for threads in (1, 2, 3):
        assert listed(solve_instances(drawn, seed=5, threads=threads, **options)) == expected
    with ThreadPoolExecutor(2) as pool:
        assert listed(solve_instances(drawn, seed=5, executor=pool, **options)) == expected
    monkeypatch.setattr(batch, "_LONGEST_RUN", 1)
    assert listed(solve_instances(drawn, seed=5, executor=LastFirst(4), threads=2, **options)) == expected


def test_the_squares_of_complete_search_are_limited():
    drawn, limits = some_instances(), {"max_steps": 0, "seed": 5}
    answers, limited = (list(solve_instances(drawn, max_nodes=most, **limits)) for most in (None, 20))
    assert {answer.solvable for answer in limited} == {True, False, None}
    assert max(answer.nodes for answer in limited) == 20
    for answer, other in zip(answers, limited, strict=True):
        assert other.solvable in (answer.solvable, None)


def test_what_an_answer_says():
    three = solve_instances([4, 3, make_instance(30, excluded_sums=[29])], seed=1, max_nodes=1, max_steps=0)
    solved, without, undecided = three
    assert (solved.solved, without.solved, undecided.solved) == (True, False, False)
    assert [answer.in_words for answer in (solved, without, undecided)] == ["solved", "no solution", "undecided"]
    assert "n = 3" in without.reason
    assert set(solved.as_dict()) == {"answer", "method", "nodes", "attempts", "seconds", "queens"}
    assert set(without.as_dict()) == {"answer", "nodes", "seconds", "reason"}
    assert set(undecided.as_dict()) == {"answer", "nodes", "attempts", "seconds"}


def test_errors_come_before_the_first_answer(subtests):
    for entries, options, named in [
        ([8, 8, 0], {}, ["instance 3", "n must be", 0]),
        ([8, "8"], {}, ["instance 2", "'8'"]),
        ([8, make_instance(300)], {"method": "complete"}, ["instance 2", "300", "64"]),
        ([8], {"method": "fast"}, ["'fast'", "complete"]),
        ([8], {"seed": -1}, ["seed", "-1"]),
        ([8], {"max_nodes": -1}, ["max_nodes", "-1"]),
        ([8], {"method": "local", "max_nodes": 9}, ["max_nodes", "method local", "auto or complete"]),
        ([8], {"method": "complete", "restarts": 0}, ["restarts", "method complete", "auto or local"]),
        ([8], {"threads": 0}, ["threads", 0]),
    ]:
        with subtests.test(entries=entries, options=options, named=named), check_error(InputError, *named):
            solve_instances(entries, **options)


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_and_stop(threads):
    drawn, seen = some_instances(), []

    def stop():
        return bool(seen) and seen[-1][1] >= 20

    answers = solve_instances(drawn, seed=5, threads=threads, progress=lambda *now: seen.append(now), stop=stop)
    found = []
    with pytest.raises(Stopped):
        found.extend(answers)
    assert {(stage, total) for stage, _, total in seen} == {("instances", len(drawn))}
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
    assert listed(found) == [alone(instance, seed=5) for instance in drawn[: len(found)]]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("calls", [5, 8])
def test_a_search_that_is_stopped_is_no_answer_and_those_before_it_are_kept(threads, calls):
    """Also if the stop callback returns True only once."""
    left = [False] * calls + [True]
    instances = [8, 8, WITHOUT, 8]
    answers = solve_instances(instances, seed=1, threads=threads, **ENDLESS, stop=lambda: bool(left) and left.pop(0))
    assert [next(answers).solvable, next(answers).solvable] == [True, True]
    with pytest.raises(Stopped):
        next(answers)


def test_answers_that_are_no_longer_wanted():
    before = threading.active_count()
    answers = solve_instances([8, WITHOUT], seed=5, threads=2, **ENDLESS)
    assert isinstance(next(answers), Answer)
    answers.close()
    end = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < end:  # idle threads end by themselves
        time.sleep(0.01)
    assert threading.active_count() <= before
