"""Every option of ``study`` and ``climb`` with every algorithm: it changes the runs, or is refused and named."""

import json

from errors import check_names

from fastqueens.classroom.algorithms import ALGORITHMS, Limits
from fastqueens.classroom.runs import LOOKS_IN_TIME

SYSTEMATIC = {"backtracking", "forward-checking", "mrv"}
SIDEWAYS = {"sideways", "restart-sideways", "beam", "stochastic-beam"}
WEIGHED = {"annealing", "stochastic-beam", "genetic"}
WAITING = {"first-choice", "genetic", "random-walk", "random-sampling"}

#: A value of each option that changes runs on 8 queens, and the algorithms that have the option.
OPTIONS = {
    ("--sideways-limit", "1"): SIDEWAYS,
    ("--restarts", "1"): set(ALGORITHMS) - SYSTEMATIC,
    ("--temperature", "3"): WEIGHED,
    ("--cooling", "0.5"): {"annealing"},
    ("--schedule", "linear"): {"annealing"},
    ("--cool-after", "proposal"): {"annealing"},
    ("--tries", "3"): WAITING,
    ("--beam", "3"): {"beam", "stochastic-beam"},
    ("--population", "5"): {"genetic"},
    ("--mutation", "0.1"): {"genetic"},
    ("--max-steps", "2"): set(ALGORITHMS) - {"random-sampling"},
    ("--max-evaluations", "20"): set(ALGORITHMS),
    ("--moves", "step"): set(ALGORITHMS) - SYSTEMATIC - {"min-conflicts", "random-sampling"},
    ("--moves", "swap"): set(ALGORITHMS) - SYSTEMATIC - {"min-conflicts", "genetic"},
    ("--moves", "two"): set(ALGORITHMS) - SYSTEMATIC - {"min-conflicts", "random-sampling"},
}

#: Options with which an algorithm is sometimes stuck, so that restarts matter.
STUCK = {
    "sideways": ["--sideways-limit", "2"],
    "restart-sideways": ["--sideways-limit", "2"],
    "annealing": ["--cooling", "0.2"],
    "beam": ["--beam", "2", "--sideways-limit", "0"],
    "stochastic-beam": ["--beam", "2", "--sideways-limit", "0"],
    "genetic": ["--population", "4", "--tries", "5"],
}

#: Both commands read the options in the same way.
COMMANDS = [*(("study", algorithm) for algorithm in ALGORITHMS), ("climb", "annealing"), ("climb", "beam")]

_NOT_OF_RUNS = ("seconds", "seconds_mean", "seconds_sd", "published")


def outcome(run, command, *arguments):
    """Return the exit code, the error, and the runs of a command without their times."""
    code, text, error = run(command, "8", "--seed", "1", "--json", *arguments)
    found = json.loads(text or "[]")
    rows = found["rows"] if found and command == "study" else found
    return code, error, [{name: row[name] for name in row if name not in _NOT_OF_RUNS} for row in rows]


def test_all_options_of_algorithms_are_tried():
    from fastqueens.cli.climb import climb
    from fastqueens.cli.study import study

    names = {param.name: param.opts[0] for param in study.params}
    assert {names[name] for name in Limits._fields} | {"--moves"} == {name for name, _ in OPTIONS} | {"--time-limit"}
    assert {param.name for param in climb.params} >= set(Limits._fields)


def test_an_option_changes_the_runs_or_is_refused(run, subtests):
    for command, algorithm in COMMANDS:
        with subtests.test(f"{command} --algorithm {algorithm}"):
            check_options(run, command, algorithm)


def check_options(run, command, algorithm):
    usual = ["--algorithm", algorithm, "--runs", "40" if command == "study" else "15"]
    of_defaults = outcome(run, command, *usual)[2]
    for (option, value), having in OPTIONS.items():
        stuck = STUCK.get(algorithm, []) if option == "--restarts" else []
        code, error, rows = outcome(run, command, *usual, *stuck, option, value)
        if algorithm not in having:
            assert (code, rows) == (2, []), option
            check_names(error, option.removeprefix("--") if option == "--moves" else option, algorithm)
            continue
        assert code in (0, 1), (option, error)
        assert rows != (outcome(run, command, *usual, *stuck)[2] if stuck else of_defaults), option


def test_a_limit_of_time_ends_runs_of_every_algorithm(run):
    for command, algorithm in COMMANDS:
        arguments = [command, *f"200 --algorithm {algorithm} --runs 1 --seed 1 --time-limit 1e-6 --json".split()]
        code, text, error = run(*arguments)
        assert code in (0, 1), (arguments, error)
        found = json.loads(text)
        (row,) = found["rows"] if command == "study" else found
        assert not row["solved"], arguments
        # A step is finished, and a step of a beam takes 10 x 200 x 199 evaluations.
        evaluations = row["evaluations_mean"] if command == "study" else row["evaluations"]
        assert evaluations <= LOOKS_IN_TIME + 10 * 200 * 199, arguments


def test_an_option_that_another_one_makes_void_is_refused(run):
    for command in ("study", "climb"):
        arguments = [command, "8", "--algorithm", "annealing", "--cooling", "0.9"]
        code, _, error = run(*arguments, "--schedule", "logarithmic")
        assert code == 2
        check_names(error, "--cooling", "--schedule logarithmic")
        assert run(*arguments, "--schedule", "linear", "--runs", "5", "--seed", "1")[0] in (0, 1)
    code, _, error = run("study", "8", "--what", "steps")
    assert code == 2
    check_names(error, "--what", "--plot FILE")
