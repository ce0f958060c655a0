"""Whole numbers in lists, arrays and mixtures: the same rules wherever the library takes them."""

import itertools
import random

import numpy as np
import pytest

import fastqueens
from fastqueens import InputError
from fastqueens.board import integer_array
from fastqueens.files.traces import checked_trace

SOLUTION = [1, 3, 0, 2]

#: Functions that take a list of whole numbers: the call, and its argument. The first number is 1, the second 3.
LISTS = {
    "a board": (fastqueens.is_solution, SOLUTION),
    "the board of solve": (lambda rows: fastqueens.solve(board=rows, seed=1).queens.tolist(), SOLUTION),
    "the board of climb": (lambda rows: fastqueens.climb(board=rows, seed=1).steps, SOLUTION),
    "the board of descend": (lambda rows: fastqueens.descend(rows).steps, SOLUTION),
    "excluded sums": (lambda sums: fastqueens.make_instance(8, excluded_sums=sums).in_words, [1, 3]),
    "excluded differences": (lambda lines: fastqueens.make_instance(8, excluded_differences=lines).in_words, [1, 3]),
    "boards": (lambda rows: fastqueens.statistics([rows]).queens.tolist(), SOLUTION),
    "one board": (lambda rows: fastqueens.statistics(rows).queens.tolist(), SOLUTION),
    "a trace": (lambda pairs: checked_trace(fastqueens.Trace(pairs, [2, 2, 2, 2]))[0].pairs.tolist(), SOLUTION),
    "a fixed queen": (lambda square: fastqueens.count_solutions(8, fixed=[square]), [1, 3]),
    "a blocked square": (lambda square: fastqueens.count_solutions(8, blocked=[[0, 0], square]), [1, 3]),
}


def test_lists_may_mix_integer_types(subtests):
    for name in LISTS:
        with subtests.test(name=name):
            function, numbers = LISTS[name]
            expected = function(numbers)
            draw = random.Random(name)
            types = [int, np.uint64, np.int64, np.int8, np.uint16]
            for _ in range(20):
                mixed = [draw.choice(types)(number) for number in numbers]
                assert function(mixed) == expected, mixed
                assert function(tuple(mixed)) == expected, mixed
            assert function(np.array(numbers, object)) == expected


def test_an_entry_that_is_not_a_whole_number_is_refused(subtests):
    for name, odd in itertools.product(LISTS, [True, np.bool_(True), 1.0, np.float64(1), "1", None]):
        with subtests.test(name=name, odd=odd):
            function, numbers = LISTS[name]
            with pytest.raises(InputError) as caught:
                function([odd, *numbers[1:]])
            assert "integer" in str(caught.value) or "whole number" in str(caught.value)
            if name != "a trace":
                assert repr(odd) in str(caught.value)


def test_masked_entries_are_refused_and_masks_without_them_are_not(subtests):
    for name in LISTS:
        with subtests.test(name=name):
            function, numbers = LISTS[name]
            expected = function(numbers)
            assert function(np.ma.array(numbers)) == expected
            assert function(np.ma.array(numbers, mask=False)) == expected
            for at in range(len(numbers)):
                masked = np.ma.array(numbers, mask=[place == at for place in range(len(numbers))])
                with pytest.raises(InputError, match="masked"):
                    function(masked)


def test_numbers_beyond_any_board_are_refused_whatever_their_neighbours_are(subtests):
    for name, number in itertools.product(LISTS, [2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**40, -(2**63), -(2**63) - 1]):
        with subtests.test(name=name, number=number):
            function, numbers = LISTS[name]
            for first in (int, np.uint64, np.int64):
                with pytest.raises(InputError):
                    function([first(numbers[0]), number, *numbers[2:]])


def test_masked_squares_and_masked_arrays_of_boards_are_refused():
    squares = np.ma.array([[0, 0], [1, 3]], mask=[[0, 0], [0, 1]])
    for name in ("fixed", "blocked"):
        with pytest.raises(InputError, match="masked"):
            fastqueens.count_solutions(8, **{name: squares})
        with pytest.raises(InputError, match="masked"):
            fastqueens.count_solutions(8, **{name: list(squares)})
    boards = np.ma.array([SOLUTION, SOLUTION], mask=[[0] * 4, [0, 0, 0, 1]])
    with pytest.raises(InputError, match="masked"):
        fastqueens.statistics(boards)
    assert fastqueens.statistics(np.ma.array([SOLUTION])).n == 4
    with pytest.raises(InputError, match="masked"):
        fastqueens.solve(4, seed=1, out=np.ma.array(np.zeros(4, np.int32), mask=[0, 1, 0, 0]))


def test_arrays_of_integers_are_not_copied_unless_asked():
    array = np.arange(4, dtype=np.uint16)
    assert integer_array(array) is array
    assert not np.shares_memory(integer_array(array, copy=True), array)
    assert integer_array([]).size == integer_array([[], []]).size == 0
    assert integer_array(memoryview(array)).tolist() == integer_array(range(4)).tolist() == [0, 1, 2, 3]
