"""Results can be copied, pickled, compared and hashed."""

import copy
import pickle
import warnings

import pytest

import fastqueens
from fastqueens import climb, estimate, picture, poster, sample, solve, study
from fastqueens.pictures.figure import Picture
from fastqueens.pictures.saving import figure_bytes

RESULTS = {
    "result": lambda: solve(8, seed=1, start="random", trace="moves"),
    "climb": lambda: climb(8, seed=1),
    "descent": lambda: fastqueens.descend([0, 0, 1, 2]),
    "study": lambda: study(8, "steepest", 20, seed=1, keep_runs=True),
    "limits": fastqueens.Limits,
    "answer": lambda: next(fastqueens.solve_instances([8], seed=1)),
    "instance": lambda: fastqueens.make_instance(8, {1: 3}),
    "puzzle": lambda: next(fastqueens.unique_puzzles(8, 1, seed=1)),
    "samples": lambda: sample(8, 2, seed=1),
    "estimate": lambda: estimate(8, seed=1, replicas=4),
    "statistics": lambda: fastqueens.statistics([[1, 3, 0, 2]]),
    "gamma": fastqueens.limit_gamma,
    "cost check": lambda: fastqueens.check_cost(lambda board: 0),
    "climber check": lambda: fastqueens.check_climber(list, "steepest", runs=20),
    "animation": lambda: fastqueens.animate(4, size=(240, 240), seconds=3, seed=1),
    "picture": lambda: picture(8, seed=1),
    "conflict curves": lambda: solve(8, seed=1, start="random").plot(),
    "statistics picture": lambda: fastqueens.statistics([[1, 3, 0, 2]]).plot(),
    "study plot": lambda: study(8, "steepest", 20, seed=1).plot(),
    "poster": lambda: poster(8, seed=1, size="A6", dpi=20),
}


#: Results that are equal to their copies; the others are only equal to themselves.
WITH_VALUES = ("study", "limits", "answer", "gamma", "cost check", "climber check")


def test_results_can_be_copied_pickled_compared_and_hashed(subtests):
    for name in RESULTS:
        with subtests.test(name=name):
            with warnings.catch_warnings(action="ignore", category=fastqueens.SamplingWarning):
                result = RESULTS[name]()
            assert result == result
            pickled = pickle.loads(pickle.dumps(result))
            for copied in (copy.deepcopy(result), pickled):
                assert type(copied) is type(result)
                if isinstance(result, Picture) and copied is pickled:
                    assert figure_bytes(copied.figure, ".png", 50) == figure_bytes(result.figure, ".png", 50)
                elif name in WITH_VALUES:
                    assert copied == result
            copy.copy(result)
            if name != "answer":
                assert hash(result) == hash(copied if name in WITH_VALUES else result)


def test_answers_and_traces_compare_their_arrays():
    answers = list(fastqueens.solve_instances([8, 8, 10], seed=1))
    first, second, third = (answer._replace(seconds=0) for answer in answers)
    assert first == second != third
    assert first != first._replace(queens=None)
    trace = solve(8, seed=1, start="random").trace
    assert trace == copy.deepcopy(trace) != fastqueens.Trace(trace.pairs[1:], trace.conflicting_queens[1:])
    with pytest.raises(TypeError, match="unhashable type"):  # which says why
        hash(first)
