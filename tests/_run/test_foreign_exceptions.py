"""Exceptions that are not ours, from signal handlers and callbacks of the caller, come out of a call unchanged."""

import inspect
import os
import subprocess
import sys

import pytest
from processes import REPOSITORY, TIMEOUT

import fastqueens

#: An alarm at random moments while a process compiles everything that it needs.
ALARMS = """
import random, signal, sys
import fastqueens
from fastqueens._jit import library

library.FOLDER /= "none"  # as in a clone

class Alarm(Exception if library.uses_numba() else TimeoutError):  # numba takes an OSError for a missing file
    pass

raised = caught = ignored = 0

def count_ignored(unraisable):  # Python ignores exceptions in calls from C, of which numba has some
    global ignored
    ignored += isinstance(unraisable.exc_value, Alarm)

sys.unraisablehook = count_ignored

def handle(*_):
    global raised
    raised += 1
    raise Alarm

signal.signal(signal.SIGALRM, handle)
while True:
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0.02, 2))
        fastqueens.solve(300, seed=1)
        signal.setitimer(signal.ITIMER_REAL, 0)
        break
    except Alarm:
        caught += 1
assert raised == caught + ignored and caught, (raised, caught, ignored)
"""


@pytest.mark.gate
@pytest.mark.parametrize("back_end", ["library", "numba"])
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no alarms")
def test_an_alarm_while_kernels_compile_comes_out(tmp_path, back_end):
    environment = {"PYTHONPATH": str(REPOSITORY), "NUMBA_CACHE_DIR": str(tmp_path), "FASTQUEENS_BACK_END": back_end}
    program = [sys.executable, "-c", ALARMS]
    done = subprocess.run(
        program, env={**os.environ, **environment}, capture_output=True, text=True, timeout=5 * TIMEOUT
    )
    assert done.returncode == 0, done.stdout + done.stderr


#: Calls of the functions with callbacks, which must be long enough to poll at least once.
CALLS = {
    "all_solutions": lambda **callbacks: list(fastqueens.all_solutions(8, **callbacks)),
    "animate": lambda **callbacks: fastqueens.animate(8, seed=1, **callbacks),
    "attacking_pairs": lambda **callbacks: fastqueens.attacking_pairs([0, 1, 2], **callbacks),
    "check_climber": lambda **callbacks: fastqueens.check_climber(list, "steepest", runs=20, **callbacks),
    "climb": lambda **callbacks: fastqueens.climb(8, seed=1, **callbacks),
    "conflicting_queens": lambda **callbacks: fastqueens.conflicting_queens([0, 1, 2], **callbacks),
    "count_solutions": lambda **callbacks: fastqueens.count_solutions(8, **callbacks),
    "estimate": lambda **callbacks: fastqueens.estimate(8, replicas=4, **callbacks),
    "explore": lambda **callbacks: fastqueens.explore(8, seed=1, output="page.html", **callbacks),
    "first_attack": lambda **callbacks: fastqueens.first_attack([0, 1, 2], **callbacks),
    "has_unique_solution": lambda **callbacks: fastqueens.has_unique_solution(8, **callbacks),
    "is_solution": lambda **callbacks: fastqueens.is_solution([1, 3, 0, 2], **callbacks),
    "descend": lambda **callbacks: fastqueens.descend([0, 1, 2, 3, 4], **callbacks),
    "picture": lambda **callbacks: fastqueens.picture(8, seed=1, **callbacks),
    "poster": lambda **callbacks: fastqueens.poster(8, seed=1, **callbacks),
    "prove": lambda **callbacks: fastqueens.prove(8, seed=1, **callbacks),
    "puzzle": lambda **callbacks: fastqueens.puzzle(8, 2, seed=1, **callbacks),
    "random_board": lambda **callbacks: fastqueens.random_board(8, **callbacks),
    "sample": lambda **callbacks: fastqueens.sample(8, 5, **callbacks),
    "solve": lambda **callbacks: fastqueens.solve(8, **callbacks),
    "solve_instances": lambda **callbacks: list(fastqueens.solve_instances([fastqueens.make_instance(8)], **callbacks)),
    "statistics": lambda **callbacks: fastqueens.statistics(fastqueens.sample(8, 20, seed=1), **callbacks),
    "study": lambda **callbacks: fastqueens.study(8, runs=10, seed=1, **callbacks),
    "unique_puzzles": lambda **callbacks: list(fastqueens.unique_puzzles(6, 2, seed=1, **callbacks)),
}


class OwnError(Exception):
    """An exception of the caller."""


def test_exceptions_of_callbacks_pass_unchanged():
    """Only from an iterator, StopIteration cannot come out, because it would end the iteration without a word."""
    with_callbacks = {
        name
        for name, function in inspect.getmembers(fastqueens, inspect.isfunction)
        if {"progress", "stop"} & set(inspect.signature(function).parameters)
    }
    assert with_callbacks == set(CALLS)
    iterators = {"all_solutions", "solve_instances", "unique_puzzles"}
    for name, call in CALLS.items():
        for callback in {"progress", "stop"} & set(inspect.signature(getattr(fastqueens, name)).parameters):
            for error in (OwnError("own"), KeyError("key"), RuntimeError("run"), StopIteration(7), KeyboardInterrupt()):
                calls = []

                def fail(*_progress, error=error, calls=calls):
                    calls.append(error)
                    raise error

                found = None
                try:
                    call(**{callback: fail})
                except BaseException as raised:
                    found = raised
                if isinstance(error, StopIteration) and name in iterators and found is not None:
                    found = found.__cause__
                assert found is (error if calls else None), (name, callback, error, found)
                assert len(calls) < 2, (name, callback, error)
