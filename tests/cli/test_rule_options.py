"""Every option of ``study`` and ``climb`` with every rule: it changes the runs, or is refused and named."""

import json

import pytest
from errors import check_names

from fastqueens.classroom.rules import RULES, Limits
from fastqueens.classroom.runs import LOOKS_IN_TIME

SYSTEMATIC = {"backtracking", "forward-checking", "mrv"}
SIDEWAYS = {"sideways", "restart-sideways", "beam", "stochastic-beam"}
WEIGHED = {"annealing", "stochastic-beam", "genetic"}
WAITING = {"first-choice", "genetic", "random-walk", "random-sampling"}

#: A value of each option that changes runs on 8 queens, and the rules that have the option.
OPTIONS = {
    ("--sideways-limit", "1"): SIDEWAYS,
    ("--restarts", "1"): set(RULES) - SYSTEMATIC,
    ("--temperature", "3"): WEIGHED,
    ("--cooling", "0.5"): {"annealing"},
    ("--schedule", "linear"): {"annealing"},
    ("--cool-after", "proposal"): {"annealing"},
    ("--tries", "3"): WAITING,
    ("--beam", "3"): {"beam", "stochastic-beam"},
    ("--population", "5"): {"genetic"},
    ("--mutation", "0.1"): {"genetic"},
    ("--max-steps", "2"): set(RULES) - {"random-sampling"},
    ("--max-evaluations", "20"): set(RULES),
    ("--moves", "step"): set(RULES) - SYSTEMATIC - {"min-conflicts", "random-sampling"},
    ("--moves", "swap"): set(RULES) - SYSTEMATIC - {"min-conflicts", "genetic"},
    ("--moves", "two"): set(RULES) - SYSTEMATIC - {"min-conflicts", "random-sampling"},
}

#: Options with which a rule is sometimes stuck, so that restarts matter.
STUCK = {
    "sideways": ["--sideways-limit", "2"],
    "restart-sideways": ["--sideways-limit", "2"],
    "annealing": ["--cooling", "0.2"],
    "beam": ["--beam", "2", "--sideways-limit", "0"],
    "stochastic-beam": ["--beam", "2", "--sideways-limit", "0"],
    "genetic": ["--population", "4", "--tries", "5"],
}

#: Both commands read the options in the same way.
COMMANDS = [*(("study", rule) for rule in RULES), ("climb", "steepest"), ("climb", "annealing"), ("climb", "beam")]

_NOT_OF_RUNS = ("seconds", "seconds_mean", "seconds_sd", "published")


def outcome(run, command, *arguments):
    """Return the exit code, the error, and the runs of a command without their times."""
    code, text, error = run(command, "8", "--seed", "1", "--json", *arguments)
    found = json.loads(text or "[]")
    rows = found["rows"] if found and command == "study" else found
    return code, error, [{name: row[name] for name in row if name not in _NOT_OF_RUNS} for row in rows]


def test_all_options_of_rules_are_tried():
    from fastqueens.cli.classroom import climb, study

    names = {param.name: param.opts[0] for param in study.params}
    assert {names[name] for name in Limits._fields} | {"--moves"} == {name for name, _ in OPTIONS} | {"--time-limit"}
    assert {param.name for param in climb.params} >= set(Limits._fields)


@pytest.mark.parametrize(("command", "rule"), COMMANDS)
def test_an_option_changes_the_runs_or_is_refused(run, command, rule):
    usual = ["--rule", rule, "--runs", "60" if command == "study" else "25"]
    for (option, value), having in OPTIONS.items():
        base = [*usual, *(STUCK.get(rule, []) if option == "--restarts" else [])]
        code, error, rows = outcome(run, command, *base, option, value)
        if rule not in having:
            assert (code, rows) == (2, []), (rule, option)
            check_names(error, option.removeprefix("--") if option == "--moves" else option, rule)
            continue
        assert code in (0, 1), (rule, option, error)
        assert rows != outcome(run, command, *base)[2], (rule, option)


@pytest.mark.parametrize(("command", "rule"), COMMANDS)
def test_a_limit_of_time_ends_runs_of_every_rule(run, command, rule):
    arguments = [command, "200", "--rule", rule, "--runs", "1", "--seed", "1", "--time-limit", "1e-6", "--json"]
    code, text, error = run(*arguments)
    assert code in (0, 1), error
    found = json.loads(text)
    (row,) = found["rows"] if command == "study" else found
    assert not row["solved"]
    # A step is finished, and a step of a beam takes 10 x 200 x 199 evaluations.
    assert (row["evaluations_mean"] if command == "study" else row["evaluations"]) <= LOOKS_IN_TIME + 10 * 200 * 199


def test_an_option_that_another_one_makes_void_is_refused(run):
    for command in ("study", "climb"):
        arguments = [command, "8", "--rule", "annealing", "--cooling", "0.9"]
        code, _, error = run(*arguments, "--schedule", "logarithmic")
        assert code == 2
        check_names(error, "--cooling", "--schedule logarithmic")
        assert run(*arguments, "--schedule", "linear", "--runs", "5", "--seed", "1")[0] in (0, 1)
    code, _, error = run("study", "8", "--what", "steps")
    assert code == 2
    check_names(error, "--what", "--plot FILE")
