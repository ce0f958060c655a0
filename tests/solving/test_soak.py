"""The soak: it draws every option, notices wrong results, and its failures can be repeated."""

import json

import numpy as np
import pytest

import fastqueens
from bench import soak


@pytest.fixture(autouse=True)
def small_boards(tmp_path, monkeypatch):
    """Leave large boards to the soak itself."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(soak, "_LARGEST", 10**6)


def test_a_run_depends_only_on_its_number_and_every_option_is_drawn(monkeypatch):
    monkeypatch.undo()
    assert soak.options_of(7) == soak.options_of(7) != soak.options_of(8)
    options = [soak.options_of(number) for number in range(300)]
    assert all(len({str(of_run[name]) for of_run in options}) > 1 for name in options[0])
    sizes = [of_run["n"] for of_run in options]
    assert min(sizes) >= 4
    assert 10**6 < max(sizes) <= 10**8
    assert sum(size % 10 == 0 for size in sizes) < 60
    assert sum(size < 100 for size in sizes) > 30


def test_runs_with_every_option_find_no_fault(monkeypatch):
    monkeypatch.setattr(soak, "_LARGEST", 1000)
    numbers = range(60)
    assert {soak.outcome(number) for number in numbers} <= {"solved", "not solved", "no solution"}
    assert len({soak.options_of(number)["seeds"] for number in numbers}) > 2


WRONG = {
    "queens": lambda result: np.zeros_like(result.queens),
    "pairs": lambda result: result.pairs + 1,
    "solved": lambda result: not result.solved,
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_result_is_noticed_and_can_be_repeated(tmp_path, monkeypatch, what):
    right = fastqueens.solve

    def wrong(**options):
        result = right(**options)
        return fastqueens.Result(**{**vars(result), what: WRONG[what](result)})

    monkeypatch.setattr(fastqueens, "solve", wrong)
    failures = tmp_path / "failures.jsonl"
    assert soak.soak(0.005, 0, failures)["failures"] > 0
    line = json.loads(failures.read_text().splitlines()[0])
    assert line["error"].startswith("AssertionError: ")
    assert {name: line[name] for name in ("n", "seed", "start")}.items() <= soak.options_of(line["run"]).items()
    with pytest.raises(AssertionError):
        soak.outcome(line["run"])
    monkeypatch.undo()
    assert soak.outcome(line["run"]) in {"solved", "not solved", "no solution"}


def test_a_moved_fixed_queen_is_noticed():
    result = fastqueens.solve(8, seed=1)
    other_row = (int(result.queens[0]) + 1) % 8
    with pytest.raises(AssertionError, match="fixed queen"):
        soak._check(result, 8, np.array([[0, other_row]]))
