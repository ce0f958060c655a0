"""``fastqueens estimate``."""

import json
import re

from errors import check_names

import fastqueens


def test_the_report_next_to_the_exact_number(run):
    found = fastqueens.estimate(8, seed=3, replicas=20)
    exit_code, stdout, stderr = run("estimate", "8", "--seed", "3", "--replicas", "20")
    assert (exit_code, stderr) == (0, "")
    first, second, third, fourth = stdout.splitlines()
    check_names(first, f"Q(8) = {found.decimal}", re.compile(r"ln Q\(8\) = 4\.5"))
    check_names(second, 92, f"{abs(found.deviation):.1f} standard errors {'above' if found.deviation > 0 else 'below'}")
    check_names(third, re.compile(r"gamma = ln 8 - ln Q\(8\) / 8 = 1\.5\d+ ± 0\.0\d+"), "1.94400")
    check_names(fourth, "20 replicas", "seed 3", f"{found.hops:,} hops", f"{found.acceptance:.1%}")


def test_figures_as_data(run):
    found = fastqueens.estimate(8, seed=3, replicas=10)
    command = ["estimate", "8", "--seed", "3", "--replicas", "10"]
    exit_code, stdout, stderr = run(*command, "--json")
    assert exit_code == 0
    assert json.loads(stdout) | {"seconds": 0} == json.loads(json.dumps(found.as_dict())) | {"seconds": 0}
    assert stderr == ""
    assert ["uncertain" in run(*command[:-1], replicas)[1] for replicas in ("9", "10")] == [True, False]
    assert run(*command, "-q") == (0, f"{found.log_count} {found.standard_error}\n", "")
    missed = ("--error", "1e-9", "--time-limit", "0.1", "--json")
    assert ["Warning" in run(*command[:-2], *missed, *quiet)[2] for quiet in ([], ["-q"])] == [True, False]


def test_budgets(run):
    for words, named, is_warned in (
        ("--error 100", ["8 replicas"], False),
        ("--time-limit 0.1", ["Q(8)"], False),
        ("--error 1e-9 --time-limit 0.1", ["ln Q(8)", "1e-09"], True),
    ):
        exit_code, stdout, _ = run("estimate", "8", "--seed", "1", *words.split())
        assert (exit_code, "Warning" in stdout.splitlines()[-1]) == (0, is_warned)
        check_names(stdout, *named)
    exit_code, stdout, stderr = run("estimate", "8", "--replicas", "1e6", "--time-limit", "0.1", "--json")
    found = json.loads(stdout)
    assert (exit_code, found["partial"], found["replicas"] >= 2) == (1, True, True)
    check_names(stderr, "0.1 s", found["replicas"])
