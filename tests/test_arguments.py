"""The arguments of all public functions: numbers of NumPy, seeds, and values of wrong types.

Numbers of NumPy work like those of Python, even if they are narrow.
"""

import csv
import inspect
import io
import json
import re
import warnings
from collections.abc import Iterator
from itertools import islice
from operator import attrgetter

import numpy as np
import pytest
from errors import check_error

import fastqueens
from fastqueens import Limits
from fastqueens._run.arguments import STARTS
from fastqueens.classroom.algorithms import ALGORITHMS
from fastqueens.classroom.studies import write_runs

#: Types of integers and of floats. n + 64, 2 n, n * n, -n and seed + 100 overflow the first ones.
KINDS = {
    np.int8: np.float16,
    np.uint8: np.float32,
    np.int16: np.float64,
    np.uint16: np.longdouble,
    np.int32: np.float64,
    np.uint32: np.float32,
    np.int64: np.float64,
    np.uint64: np.float32,
    np.array: np.array,  # arrays without dimensions
}

BOARD = [37 * column % 100 for column in range(100)]
EIGHT = [0, 4, 7, 5, 2, 6, 1, 3]
CONSTRAINTS = {"fixed": {1: 3}, "blocked": [(0, 0), (7, 7)]}
SEARCH = {"seed": 100, "max_steps": 100, "restarts": 100, "threads": 2}
LIMITS = [
    Limits(90, 1, 0.5, 0.25, beam=3, population=10, mutation=0.5, max_evaluations=30_000),
    Limits(100, 1, 1, 0.25, tries=100, max_steps=100, time_limit=100, mutation=1),
]
RESULT = fastqueens.solve(8, seed=1, start="random")
CLIMB = fastqueens.climb(8, seed=1)
STUDY = fastqueens.study(8, "steepest", 20, seed=1)

#: The numbers, or structures of numbers, that the calls of a public function pass.
NUMBERS = {
    "all_solutions": [{"n": 8, "limit": 1, "time_limit": 100, **CONSTRAINTS}],
    "animate": [
        {"climb": 4, "size": (240, 250), "seconds": seconds, "seed": 1, "time_limit": 100} for seconds in (3, 3.5)
    ],
    "attacking_pairs": [{"queens": BOARD, "threads": 2, "time_limit": 100}],
    "attacks": [{"queens": BOARD}],
    "check_climber": [{"n": 20, "runs": 100, "seed": 100, "call_limit": 100, "time_limit": 100, "limits": LIMITS[0]}],
    "check_cost": [{"seed": 100, "call_limit": 100}],
    "climb": [
        *({"n": 100, "seed": 100, "limits": limits, "algorithm": name} for limits in LIMITS for name in ALGORITHMS),
        {"board": BOARD, "seed": 1, "time_limit": 100},
    ],
    "conflicting_queens": [{"queens": BOARD, "threads": 2, "time_limit": 100}],
    "count_solutions": [{"n": 8, "limit": 100, "threads": 2, "time_limit": 100, **CONSTRAINTS}],
    "descend": [{"queens": BOARD, "time_limit": 100}],
    "estimate": [
        {"n": 8, "seed": 100, "replicas": 4, "threads": 2, **CONSTRAINTS},
        {"n": 8, "seed": 100, "error": 100},
        {"n": 1, "time_limit": 0.5, "seed": 1},
    ],
    "explore": [{"board": 8, "seed": 100, "mix": 2, "threads": 2, "time_limit": 100}, {"board": EIGHT}],
    "first_attack": [{"queens": BOARD, "time_limit": 100}],
    "has_unique_solution": [{"n": 8, "threads": 2, "time_limit": 100, **CONSTRAINTS}],
    "heuristic_cost": [{"queens": BOARD}],
    "is_solution": [{"queens": EIGHT, "threads": 2, "time_limit": 100}],
    "limit_density": [{"k": 4}],
    "limit_occupancy": [{"k": 4}],
    "make_instance": [{"n": 8, "rows_from": 1, "excluded_sums": [13], "excluded_differences": [-7], **CONSTRAINTS}],
    "move_costs": [{"queens": BOARD}],
    "picture": [
        {"queens": 8, "seed": 100, "threads": 2, "time_limit": 100, "size": (4, 4.5)},
        {"queens": EIGHT, "marked": [1, 3], "rows_from": 1},
    ],
    "poster": [
        {"queens": 8, "seed": 100, "dpi": 12, "bleed": bleed, "threads": 2, "time_limit": 100} for bleed in (3, 2.5)
    ],
    "prove": [{"instance": 8, "seed": 100, "max_nodes": 100, "threads": 2, "time_limit": 100}],
    "puzzle": [
        {"n": 100, "queens": 30, "seed": 100, "solvable": solvable, "time_limit": 100} for solvable in (False, True)
    ],
    "random_board": [{"n": 100, "seed": 100, "time_limit": 100}],
    "read_board": [{"rows_from": 1}],
    "read_boards": [{"rows_from": 1}],
    "sample": [{"n": 8, "count": 2, "seed": 100, "thinning": 100, "threads": 2, "time_limit": 100, **CONSTRAINTS}],
    "solve": [
        *({"n": 100, **SEARCH, "start": start, "mix": 1, "time_limit": 100} for start in STARTS),
        {"board": BOARD, "seed": 1, "time_limit": 100.5},
        {"n": 100, "seed": 1, **CONSTRAINTS},
    ],
    "solve_instances": [{"instances": [100, 8], **SEARCH, "max_nodes": 100, "time_limit": 100}],
    "statistics": [{"boards": [BOARD, BOARD], "k": 8, "reach": 3, "time_limit": 100}],
    "steepest_move": [{"queens": BOARD, "seed": 100}],
    "study": [
        {"n": [8, 20], "algorithms": "steepest", "runs": 100, "seed": 100, "threads": 2, "time_limit": 100},
        {"n": 8, "seed": 1, "algorithms": "annealing", "limits": LIMITS[1]},
    ],
    "unique_puzzles": [{"n": 8, "count": 2, "seed": 100, "queens": 6, "time_limit": 100}],
    "write_board": [{"queens": EIGHT, "rows_from": 1}],
    "write_trace": [{"trace": fastqueens.Trace([2, 1, 0], [2, 2, 0]), "restarts": [1]}],
    "Result.plot": [{"size": (8, 4.5)}],
    "Climb.plot": [{"size": (8, 4.5)}],
    "Study.plot": [{"size": (8, 4.5)}],
}

#: Slow functions, which are called with int8, int32 and arrays only.
SLOW = (
    "animate",
    "check_climber",
    "check_cost",
    "climb",
    "picture",
    "poster",
    "Result.plot",
    "Climb.plot",
    "Study.plot",
)

#: Annotations of parameters that take numbers.
TYPES_OF_NUMBERS = r"\b(SupportsIndex|int|float|Board|Fixed|Squares|Diagonals|Limits|Trace)\b"
#: Parameters with such annotations that are not numbers.
NOT_NUMBERS = {"function", "out"}


def converted(value, whole, real):
    """Return a structure in which all numbers that fit have other types."""
    if isinstance(value, int) and not isinstance(value, bool):
        fits = whole is np.array or np.iinfo(whole).min <= value <= np.iinfo(whole).max
        return whole(value) if fits else value
    if isinstance(value, float):
        return real(value)
    if isinstance(value, dict):  # an array cannot be a key
        keys = value if whole is np.array else [converted(key, whole, real) for key in value]
        return dict(zip(keys, (converted(entry, whole, real) for entry in value.values()), strict=True))
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return value._make(converted(entry, whole, real) for entry in value)
    if isinstance(value, list | tuple):
        return type(value)(converted(entry, whole, real) for entry in value)
    return value


def plain(value):
    """Return what a function returns in types that == compares; all figures must be JSON."""
    if hasattr(value, "as_dict"):
        figures = {
            name: entry for name, entry in value.as_dict().items() if "seconds" not in name and name != "timings"
        }
        rows = [{**row, "seconds_mean": 0, "seconds_sd": 0} for row in figures.pop("rows", [])]
        return json.dumps([figures, rows]), *(
            plain(getattr(value, name, None)) for name in ("queens", "boards", "limits")
        )
    if isinstance(value, Iterator | tuple | list):
        return [plain(entry) for entry in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, fastqueens.Picture):
        with io.BytesIO() as file:
            value.figure.savefig(file, format="png", dpi=30)
            return file.getvalue()
    if isinstance(value, fastqueens.Animation):
        return value.durations, [frame.tobytes() for frame in value.frames]
    return value.tobytes() if hasattr(value, "tobytes") else repr(value)


@pytest.fixture
def others(tmp_path):
    """Return the other arguments of public functions."""
    board, instance, trace = tmp_path / "board.txt", tmp_path / "instance.json", tmp_path / "trace.csv"
    board.write_text("2 4 1 3")
    fastqueens.write_instance(instance, fastqueens.make_instance(8))
    fastqueens.write_trace(trace, RESULT.trace)
    return {
        "animate": {"algorithm": "steepest"},
        "check_climber": {"function": lambda board: board, "algorithm": "steepest"},
        "check_cost": {"function": fastqueens.attacking_pairs},
        "explore": {"output": tmp_path / "page.html"},
        "poster": {"size": "A6", "style": "plain", "title": ""},
        "read_board": {"source": board},
        "read_boards": {"source": board},
        "read_instance": {"source": instance},
        "read_instances": {"source": instance},
        "read_trace": {"path": trace},
        "write_board": {"path": tmp_path / "written.txt"},
        "write_instance": {"path": tmp_path / "written.json", "instance": fastqueens.make_instance(8)},
        "write_trace": {"path": tmp_path / "written.csv"},
        "Result.plot": {"self": RESULT},
        "Climb.plot": {"self": CLIMB},
        "Study.plot": {"self": STUDY},
    }


@pytest.fixture
def call(others):
    """Return a function that calls a public function and returns its result, or what it has written."""

    def call(name, numbers):
        options = others.get(name, {})
        with warnings.catch_warnings(action="ignore", category=fastqueens.SamplingWarning):
            result = attrgetter(name)(fastqueens)(**numbers, **options)
        written = options.get("output") or (options.get("path") if "read" not in name else None)
        return written.read_bytes() if written else plain(result)

    return call


#: Of the types of numbers, a wide one and arrays.
FEW_KINDS = (np.uint64, np.array)


@pytest.mark.parametrize("is_thorough", [False, pytest.param(True, marks=pytest.mark.gate)])
def test_numbers_of_numpy_are_as_good_as_those_of_python(subtests, call, is_thorough):
    for name, calls in NUMBERS.items():
        if is_thorough:
            kinds = [*KINDS] if name not in SLOW else [*islice(KINDS, 0, None, 4)]
        else:
            kinds = FEW_KINDS if name not in SLOW else [np.uint64]
        for numbers in calls if is_thorough or name not in SLOW else calls[:1]:
            with subtests.test(name, numbers=numbers):
                expected = call(name, numbers)
                for whole in kinds:
                    assert call(name, converted(numbers, whole, KINDS[whole])) == expected, whole


def test_the_table_has_all_parameters_that_take_numbers():
    for name in fastqueens.__all__:
        function = getattr(fastqueens, name)
        if inspect.isfunction(function):
            types = {
                parameter.name: str(parameter.annotation)
                for parameter in inspect.signature(function).parameters.values()
                if parameter.name not in NOT_NUMBERS
            }
            assert not any(re.search(r"\bint\b", words) for words in types.values()), "SupportsIndex includes NumPy's"
            taking = {parameter for parameter, words in types.items() if re.search(TYPES_OF_NUMBERS, words)}
            assert taking <= {parameter for numbers in NUMBERS.get(name, []) for parameter in numbers}, name
    given = {
        field for limits in LIMITS for field, value in limits._asdict().items() if value != Limits()._asdict()[field]
    }
    assert given == set(Limits._fields) - {"schedule", "cool_after"}


@pytest.mark.parametrize("odd", [True, np.True_, np.array(True), [1], "?", np.timedelta64(1, "s"), np.ma.masked])
def test_other_values_are_not_numbers(odd):
    for name, call in {
        "n": lambda: fastqueens.solve(odd),
        "count": lambda: fastqueens.sample(8, odd),
        "time_limit": lambda: fastqueens.solve(8, time_limit=odd),
        "temperature": lambda: fastqueens.climb(8, limits=Limits(temperature=odd)),
        "bleed": lambda: fastqueens.poster(8, bleed=odd),
        "size": lambda: RESULT.plot(size=(odd, 4)),
    }.items():
        with check_error(fastqueens.InputError, name):
            call()


def test_a_climb_refuses_a_sideways_limit_of_none():
    with check_error(fastqueens.InputError, "sideways must be", "None"):
        fastqueens.climb(8, limits=Limits(sideways=None))


class Odd:
    """A value that no function takes."""

    def __repr__(self):
        return "Odd()"


def test_values_of_wrong_types_are_refused(others):
    for name in fastqueens.__all__:
        function = getattr(fastqueens, name)
        parameters = inspect.signature(function).parameters if inspect.isfunction(function) else {}
        usual = NUMBERS.get(name, [{}])[0] | others.get(name, {})
        for parameter in parameters.keys() - {"options", "header"}:
            if parameters[parameter].annotation == "bool":
                continue
            for odd in [Odd()] + ["\ud800"] * (parameter in ("title", "limits", "executor", "instance", "stop")):
                try:
                    plain(function(**usual | {parameter: odd}))  # a generator can check its arguments late
                except fastqueens.InputError:
                    continue
                pytest.fail(f"{name} accepts {parameter}={odd!a}")


def test_seeds_have_64_bits(call):
    for name, calls in NUMBERS.items():
        for numbers in [numbers for numbers in calls if "seed" in numbers][:1]:
            call(name, numbers | {"seed": 2**64 - 1})
            for seed in (-1, 2**64, 1.0, True):
                with check_error(fastqueens.InputError, "seed must be"):
                    call(name, numbers | {"seed": seed})


def test_the_seed_after_the_largest_one_is_0(tmp_path):
    study = fastqueens.study(8, "steepest", 4, seed=2**64 - 2, keep_runs=True)
    write_runs(tmp_path / "runs.csv", study)
    with (tmp_path / "runs.csv").open() as file:
        runs = [(int(run["seed"]), int(run["cost"])) for run in csv.DictReader(file)]
    assert runs == [(seed, fastqueens.climb(8, seed=seed).cost) for seed in (2**64 - 2, 2**64 - 1, 0, 1)]
    assert f"seeds {2**64 - 2:,} to 1" in repr(study)


def test_what_is_no_board_is_named():
    for odd in ({1, 3, 0, 2}, {0: 1}, 5, None, iter([0]), b"\0", bytearray(b"\0"), "0"):
        with check_error(fastqueens.InputError, "board"):
            fastqueens.is_solution(odd)
