"""``fastqueens estimate``."""

import json
import re

import pytest

import fastqueens
from fastqueens.cli import app
from fastqueens.cli.process import Session
from fastqueens.sampling import integration


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Replicas of a few sweeps, on all boards."""
    monkeypatch.setattr(integration, "_FEWER_SWEEPS_FROM", 1)


def test_the_report_next_to_the_exact_number(run):
    found = fastqueens.estimate(8, seed=3, replicas=20)
    exit_code, stdout, stderr = run("estimate", "8", "--seed", "3", "--replicas", "20")
    assert (exit_code, stderr) == (0, "")
    first, second, third, fourth = stdout.splitlines()
    assert first.startswith(f"Q(8) = {found.decimal}, ln Q(8) = 4.5")
    side = "above" if found.deviation > 0 else "below"
    assert second == f"The exact number is 92: the estimate is {abs(found.deviation):.1f} standard errors {side} it."
    assert re.fullmatch(
        r"gamma = ln 8 - ln Q\(8\) / 8 = 1\.5\d+ ± 0\.0\d+, and 1\.94400 in the limit of large n\.", third
    )
    start = f"Thermodynamic integration: 20 replicas, seed 3, {found.proposals:,} measured proposals, "
    assert fourth.startswith(f"{start}{found.acceptance:.1%} accepted, ")


def test_the_report_of_a_large_board(run):
    _, stdout, _ = run("estimate", "3000", "--seed", "1", "--replicas", "4", "--threads", "2")
    lines = stdout.splitlines()
    assert re.match(
        r"Q\(3,000\) = (10\^\(7,\d{3}\.\d+ ± \d\.\d+\)|[\d.]+\(\d\d\) x 10\^7,\d{3}), ln Q\(3,000\) = ", lines[0]
    )
    assert lines[1].startswith("gamma = ln 3,000 - ln Q(3,000) / 3,000 = 1.9")
    assert lines[3:] == ["With 4 replicas, the standard error is itself uncertain."]


@pytest.mark.parametrize(("replicas", "is_uncertain"), [(9, True), (10, False), (11, False)])
def test_few_replicas_leave_the_standard_error_uncertain(run, replicas, is_uncertain):
    _, stdout, _ = run("estimate", "8", "--seed", "1", "--replicas", str(replicas))
    assert ("the standard error is itself uncertain" in stdout) == is_uncertain


def test_json_has_all_figures(run):
    exit_code, stdout, stderr = run("estimate", "8", "--seed", "3", "--replicas", "5", "--json")
    printed = json.loads(stdout)
    expected = fastqueens.estimate(8, seed=3, replicas=5).as_dict()
    assert exit_code == 0
    assert {**printed, "seconds": 0} == {**json.loads(json.dumps(expected)), "seconds": 0}
    assert stderr.startswith("Q(8) = ")
    assert run("estimate", "8", "--seed", "3", "--replicas", "5", "--json", "--quiet")[2] == ""


def test_quiet_prints_the_logarithm_and_its_error(run):
    found = fastqueens.estimate(8, seed=3, replicas=5)
    assert run("estimate", "8", "--seed", "3", "--replicas", "5", "-q") == (
        0,
        f"{found.log_count} {found.standard_error}\n",
        "",
    )


def test_budgets(run):
    assert "Thermodynamic integration: 8 replicas, " in run("estimate", "--error", "100")[1]
    assert "Q(8) = " in run("estimate", "--seconds", "0.1")[1]
    assert "4 replicas, the fewest possible, took longer than 1e-09 s.\n" in run("estimate", "--seconds", "1e-9")[1]


def test_one_queen(run):
    assert run("estimate", "1") == (0, "Q(1) = 1, ln Q(1) = 0.\n", "")


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        (["3"], 3, "no solution exists for n = 3"),
        (["2147483649"], 2, "n is 2147483649: an estimate goes up to n = 2,147,483,648"),
        (["--replicas", "3"], 2, "replicas is 3: it goes from 4 to 1000000"),
        (["--replicas", "4", "--seconds", "1"], 2, "replicas and seconds: give one of them"),
        (["--error", "0"], 2, "error is 0.0: a finite number above 0 is needed"),
        (["-5"], 2, "n is -5: a board has at least 1 queen"),
        (["--error", "nan"], 2, "error is nan: a finite number above 0 is needed"),
        (["--error", "small"], 2, "--error: 'small' is not a number"),
        (["--threads", "2", "--scheduler", "x"], 2, "--threads and --scheduler: give one of them."),
        (["--scheduler", "nowhere", "--replicas", "1"], 2, "replicas is 1"),
    ],
)
def test_errors(run, arguments, exit_code, message):
    code, stdout, stderr = run("estimate", *arguments)
    assert (code, stdout) == (exit_code, "")
    assert message in " ".join(stderr.split())


def test_it_can_be_interrupted(capsys):
    session = Session()
    session.stop.set()
    assert app.run(["estimate", "8"], session) == 130
    assert capsys.readouterr() == ("", "")


def test_an_error_that_is_not_reached_is_told(run):
    exit_code, stdout, _ = run("estimate", "8", "--seed", "1", "--error", "1e-9", "--seconds", "0.01")
    warning = "Warning: the standard error of ln Q(8) is still above 1e-09."
    assert (exit_code, stdout.splitlines()[-1]) == (0, warning)
    assert "Warning" not in run("estimate", "8", "--seed", "1", "--error", "0.9")[1]
