"""The five functions with a static point: the assignment's examples to the character, and slow references."""

import contextlib
import io
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import conflicting_queens

from fastqueens import nqueens
from fastqueens.nqueens import choose_next, f, n_queens, n_queens_restart, succ

FOLDER = Path(nqueens.__file__).parent

CLIMB = """\
[0, 7, 3, 4, 7, 1, 2, 2] - f=7
[0, 6, 3, 4, 7, 1, 2, 2] - f=6
[0, 6, 3, 5, 7, 1, 2, 2] - f=4
[0, 6, 3, 5, 7, 1, 3, 2] - f=3
[0, 6, 3, 5, 7, 1, 4, 2] - f=0
"""


# Slow references: the rules in the words of the assignment


def slow_successors(state, static_x, static_y):
    if state[static_x] != static_y:
        return []
    return sorted(
        [*state[:column], row, *state[column + 1 :]]
        for column in range(len(state))
        for row in (state[column] - 1, state[column] + 1)
        if column != static_x and 0 <= row < len(state)
    )


def slow_f(state):
    return len(conflicting_queens(state))


def slow_choice(state, static_x, static_y):
    if state[static_x] != static_y:
        return None
    return min([state, *slow_successors(state, static_x, static_y)], key=lambda each: (slow_f(each), each))


def slow_climb(state, static_x, static_y):
    """Return the states of a climb that begins with a queen on the static point."""
    states = [state]
    while slow_f(states[-1]) > 0 and (len(states) < 2 or slow_f(states[-1]) != slow_f(states[-2])):
        states.append(slow_choice(states[-1], static_x, static_y))
    return states


def slow_restarts(n, k, static_x, static_y):
    """Return the printed text and the random number that comes next."""
    random.seed(1)
    ends = []
    while len(ends) < k and 0 not in map(slow_f, ends):
        start = [static_y if column == static_x else random.randint(0, n - 1) for column in range(n)]
        ends.append(slow_climb(start, static_x, static_y)[-1])
    least = min(map(slow_f, ends))
    best = [f"{end} - f={least}\n" for end in sorted(ends) if slow_f(end) == least]
    return "".join(best), random.random()


@st.composite
def boards(draw, largest=9):
    n = draw(st.integers(1, largest))
    rows = st.integers(0, n - 1)
    return draw(st.lists(rows, min_size=n, max_size=n)), draw(rows)


def printed(function, *arguments):
    with contextlib.redirect_stdout(io.StringIO()) as output:
        function(*arguments)
    return output.getvalue()


# Edge cases


def test_a_start_that_stays_is_printed_twice_only_in_a_local_minimum(subtests, capsys):
    """The others solve the board, or have no queen on the static point."""
    for state, static_x, static_y, times in [
        ([0, 2, 0], 0, 0, 2),
        ([1, 3, 0, 2], 2, 0, 1),
        ([0, 1, 0], 0, 1, 1),
        ([0, 2, 1], 0, 1, 1),
        ([0], 0, 0, 1),
    ]:
        with subtests.test(state=state, static_x=static_x, static_y=static_y, times=times):
            assert n_queens(state, static_x, static_y) == state
            assert capsys.readouterr().out == times * f"{state} - f={f(state)}\n"


def test_other_sequences_give_plain_lists_of_plain_integers(subtests, capsys):
    for make in [tuple, np.array]:
        with subtests.test(make=make):
            state = make([0, 7, 3, 4, 7, 1, 2, 2])
            last = n_queens(state, 0, 0)
            assert capsys.readouterr().out == CLIMB
            for rows in (last, choose_next(state, 0, 0), *succ(state, 0, 0)):
                assert type(rows) is list
                assert {type(row) for row in rows} == {int}


# Compared with the slow references


@given(boards())
def test_small_functions_follow_the_rules(board):
    state, static_x = board
    original = state.copy()
    assert f(state) == slow_f(state)
    for static_y in range(len(state)):
        assert succ(state, static_x, static_y) == slow_successors(state, static_x, static_y)
        assert choose_next(state, static_x, static_y) == slow_choice(state, static_x, static_y)
    assert state == original


@given(boards())
def test_a_climb_follows_the_rule(board):
    state, static_x = board
    original = state.copy()
    states = slow_climb(state, static_x, state[static_x])
    lines = "".join(f"{each} - f={slow_f(each)}\n" for each in states)
    assert printed(n_queens, state, static_x, state[static_x]) == lines
    assert n_queens(state, static_x, state[static_x]) == states[-1]
    assert state == original


RESTARTS = [(1, 1, 0, 0), (2, 5, 1, 0), (3, 40, 2, 1), (4, 30, 0, 0), (4, 30, 0, 1), (6, 30, 3, 5), (20, 2, 3, 4)]


def test_restarts_follow_the_rule_and_leave_the_same_random_state(subtests):
    for arguments in RESTARTS:
        with subtests.test(arguments=arguments):
            lines, number = slow_restarts(*arguments)
            random.seed("another state")
            assert printed(n_queens_restart, *arguments) == lines
            assert random.random() == number


# Wrong input


def test_bad_values_are_named(subtests, capsys):
    for call, message in [
        (lambda: f([]), "state is empty; it must have at least 1 queen"),
        (lambda: f([0, 1.5, 1]), "state: the row in column 1 must be a whole number, not 1.5"),
        (lambda: f("012"), "state: the row in column 0 must be a whole number, not '0'"),
        (lambda: succ([0, 1, 2], 3, 0), "static_x must be between 0 and 2, not 3"),
        (lambda: choose_next([0, 1, 2], 0, 3), "static_y must be between 0 and 2, not 3"),
        (lambda: n_queens([0, 1, 2], 0, "0"), "static_y must be a whole number, not '0'"),
        (lambda: n_queens_restart(0, 1, 0, 0), "n must be at least 1, not 0"),
        (lambda: n_queens_restart(8, 0, 0, 0), "k must be at least 1, not 0"),
    ]:
        with subtests.test(call=call, message=message):
            before = random.getstate()
            with pytest.raises(ValueError) as raised:
                call()
            assert str(raised.value) == message
            assert capsys.readouterr() == ("", "")
            assert random.getstate() == before


# Alone, as a file called nqueens.py


def test_the_file_alone_is_enough():
    """As a file called nqueens.py, it prints the examples of the assignment."""
    program = f"""
import sys
sys.path = [{str(FOLDER)!r}] + [path for path in sys.path if path]
import nqueens
print(nqueens.succ([0, 1, 2], 0, 0), nqueens.f([1, 2, 2]), nqueens.choose_next([1, 1, 2], 1, 1))
print(nqueens.n_queens([0, 7, 3, 4, 7, 1, 2, 2], 0, 0), nqueens.n_queens_restart(7, 10, 0, 0))
assert not {{"numpy", "fastqueens"}} & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd="/")
    examples = "[[0, 0, 2], [0, 1, 1], [0, 2, 2]] 3 [0, 1, 2]\n"
    restarts = "[0, 6, 1, 3, 5, 0, 4] - f=3\n[0, 6, 3, 5, 7, 1, 4, 2] None\n"
    assert (done.stdout, done.stderr, done.returncode) == (examples + CLIMB + restarts, "", 0)
