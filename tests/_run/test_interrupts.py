"""KeyboardInterrupt at any moment: it comes out of the call, nothing hangs, and the next call gives the same result.

``python tests/_run/test_interrupts.py 2000`` interrupts as many calls at random moments.
"""

import contextlib
import faulthandler
import gc
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from processes import REPOSITORY

#: Seconds after which a call hangs. The calls below take some milliseconds.
PATIENCE = 60

#: The modules whose every line is interrupted.
FOLDERS = tuple(str(REPOSITORY / "fastqueens" / folder) + os.sep for folder in ("_run", "placement"))


def calls():
    """Return functions that use every part of ``_run`` and ``placement`` with several threads, and compare results."""
    import lowered

    import fastqueens

    def silent(*_progress):
        return False

    callbacks = {"progress": silent, "stop": silent}

    return {
        "solve in tiles": lambda: lowered.solve(700, seed=1, threads=3, **callbacks).queens.tolist(),
        "solve": lambda: fastqueens.solve(60, seed=1, start="permutation", fixed={0: 3}, threads=3).queens.tolist(),
        "pairs": lambda: fastqueens.attacking_pairs(list(range(300)), threads=3),
        "count": lambda: fastqueens.count_solutions(8, threads=3, **callbacks),
        "sample": lambda: fastqueens.sample(20, 12, seed=1, threads=3).boards.tolist(),
        "study": lambda: fastqueens.study([5], algorithms=["sideways"], runs=40, seed=1, threads=3).rows[0].tally,
        "board": lambda: fastqueens.random_board(100, seed=1).tolist(),
    }


@contextlib.contextmanager
def lowered_thresholds():
    import lowered

    changes = {**lowered.EVERYTHING, "uncut_squares": 200, "part_squares": 50, "mixing_slice": 1000, "tree_slice": 50}
    with lowered.lowered(**changes):
        yield


class Interrupt:
    """A trace function that counts the lines of the folders, and raises at one when it comes for the n-th time."""

    def __init__(self, where=None, occurrence=0):
        self.where, self.left = where, occurrence
        self.is_raised = False
        self.lines = Counter()

    def __call__(self, frame, event, _argument):
        if not frame.f_code.co_filename.startswith(FOLDERS):
            return None
        if event == "line":
            line = frame.f_code.co_filename, frame.f_lineno
            self.lines[line] += 1
            if line == self.where and self.lines[line] == self.left:
                self.is_raised = True
                raise KeyboardInterrupt
        return self

    def during(self, call):
        """Make a call under this trace; return its result, or None if the interrupt came out."""
        sys.settrace(self)
        try:
            return call()
        except KeyboardInterrupt:
            assert self.is_raised
            return None
        finally:
            sys.settrace(None)


def has_only(threads):
    """Wait until no thread is left but these."""
    for wait in range(1, 100):
        for _ in range(20):
            if not set(threading.enumerate()) - threads:
                return True
            time.sleep(0.001 * wait)
        gc.collect()  # if an interrupt has skipped the call that ends helpers, they end with the object they belong to
    return False


def at_every_line(seed, *, is_quick=False):
    """Interrupt each call at every line that it runs, at the first time and at a random one.

    Quickly, each line is interrupted in one call only, once.
    """
    numbers, tried = random.Random(seed), set()
    with lowered_thresholds():
        for name, call in calls().items():
            expected, first = call(), Interrupt()
            first.during(call)
            threads = set(threading.enumerate())
            for where, count in first.lines.items():
                occurrences = {1, numbers.randint(1, count)}
                if is_quick:
                    occurrences = set() if where in tried else {numbers.choice([*occurrences])}
                tried.add(where)
                for occurrence in occurrences:
                    at = f"{name}, {where[0]}:{where[1]}, time {occurrence} of {count}, seed {seed}"
                    faulthandler.dump_traceback_later(2 * PATIENCE, exit=True)
                    interrupt = Interrupt(where, occurrence)  # in another run, the line can belong to another thread
                    assert interrupt.during(call) == (None if interrupt.is_raised else expected), at
                    assert has_only(threads), f"{at}: {threading.enumerate()}"
            faulthandler.cancel_dump_traceback_later()
            assert call() == expected, name
            print(f"{name}: {len(first.lines)} lines")


def at_random_moments(count, seed):
    """Interrupt as many calls as asked at random moments, with a signal."""
    numbers = random.Random(seed)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    with lowered_thresholds():
        expected = {name: call() for name, call in calls().items()}
        times = dict.fromkeys(expected, 0.1)
        interrupts = 0
        while interrupts < count:
            name = numbers.choice(list(expected))
            begun = time.perf_counter()
            faulthandler.dump_traceback_later(PATIENCE, exit=True)
            try:
                signal.setitimer(signal.ITIMER_REAL, numbers.uniform(1e-6, times[name]))
                found = calls()[name]()
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                interrupts += 1
                continue
            times[name] = time.perf_counter() - begun
            assert found == expected[name], f"{name}, seed {seed}"
        faulthandler.cancel_dump_traceback_later()
        print(f"{interrupts} interrupts, and no call hung")


def in_process(*arguments):
    """Run this file in a process of its own, because a hang would stop the tests."""
    done = subprocess.run(
        [sys.executable, __file__, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (REPOSITORY, Path(__file__).parents[1])))},
        capture_output=True,
        text=True,
        timeout=20 * PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]


@pytest.mark.parametrize("what", ["quick", pytest.param("lines", marks=pytest.mark.gate)])
def test_an_interrupt_at_any_line_comes_out(what):
    in_process(what, random.randrange(10**6))


@pytest.mark.gate
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timer that sends signals")
def test_interrupts_at_random_moments_do_not_hang():
    in_process(200, random.randrange(10**6))


if __name__ == "__main__":
    what, chosen = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)
    print(f"seed {chosen}")
    if what in ("lines", "quick"):
        at_every_line(chosen, is_quick=what == "quick")
    else:
        at_random_moments(int(what), chosen)
