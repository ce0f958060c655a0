"""Puzzles with exactly one solution, and the count that proves it."""

import itertools
import json

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastqueens
from fastqueens import unique_puzzles
from fastqueens.classroom import puzzles as module
from fastqueens.classroom.puzzles import puzzle
from fastqueens.core.arguments import NO_LIMIT
from fastqueens.core.errors import InputError, NoSolutionError, Stopped
from fastqueens.core.instance import make_instance
from fastqueens.exact import tree_kernel
from fastqueens.exact.tree import search_tree

pytestmark = pytest.mark.checked


def count(search, fixed):
    """Return the number of solutions with some queens, and the nodes."""
    squares = np.array([column * search.instance.n + row for column, row in fixed.items()], np.int64)
    tree_kernel.begin_with(search.tree, squares)
    search.search(NO_LIMIT, NO_LIMIT)
    return search.solutions, search.nodes


def all_completions(n, fixed):
    """Count the completions of a board with few open columns."""
    columns = sorted(set(range(n)) - set(fixed))
    rows = sorted(set(range(n)) - set(fixed.values()))
    boards = ({**fixed, **dict(zip(columns, chosen, strict=True))} for chosen in itertools.permutations(rows))
    return sum(len({c + r for c, r in b.items()}) == len({c - r for c, r in b.items()}) == n for b in boards)


# The search with further queens


@given(st.integers(4, 8), st.lists(st.tuples(st.integers(0, 8), st.booleans(), st.integers(0, 10**6)), max_size=3))
def test_completions_are_counted_one_after_another(n, puzzles):
    search = search_tree(make_instance(n))
    for queens, solvable, seed in puzzles:
        try:
            fixed = dict(puzzle(n, min(queens, n), seed=seed, solvable=solvable).tolist())
        except InputError:  # no room for so many queens
            continue
        assert count(search, fixed)[0] == len(naive.completions(n, fixed))


@pytest.mark.parametrize("n", [15, 16, 17, 31, 32, 33, 63, 64])
def test_completions_of_large_boards_are_counted(n):
    search = search_tree(make_instance(n))
    found = set()
    for seed in range(12):
        fixed = dict(puzzle(n, n - 6, seed=seed, solvable=True).tolist())
        found.add(all_completions(n, fixed))
        assert count(search, fixed)[0] == all_completions(n, fixed)
    assert min(found) == 1
    assert max(found) > 1


# Puzzles


def solutions_of(made):
    fixed = dict(made.instance.fixed.squares.tolist())
    if made.instance.n <= 8:
        return naive.completions(made.instance.n, fixed)
    return [made.solution.tolist()] * fastqueens.count_solutions(made.instance.n, fixed=fixed)


@pytest.mark.parametrize("n", [1, 4, 5, 6, 7, 8, 9, 12, 16])
@pytest.mark.parametrize("minimal", [False, True])
def test_a_puzzle_has_exactly_one_solution(n, minimal):
    for made in unique_puzzles(n, 6, seed=n, minimal=minimal):
        assert fastqueens.is_solution(made.solution)
        assert solutions_of(made) == [made.solution.tolist()]
        assert made.undecided == 0
        assert count(search_tree(make_instance(n)), dict(made.instance.fixed.squares.tolist())) == (1, made.nodes)


@pytest.mark.parametrize("n", [32, 64])
def test_large_puzzles_have_exactly_one_solution(n):
    for made in unique_puzzles(n, 5, seed=1, minimal=True):
        fixed = dict(made.instance.fixed.squares.tolist())
        assert all(made.solution[column] == row for column, row in fixed.items())
        assert fastqueens.count_solutions(n, fixed=fixed) == 1
        assert len(fixed) < 0.8 * n


@pytest.mark.parametrize("n", [4, 6, 8, 12])
def test_no_queen_of_a_minimal_puzzle_can_be_released(n):
    for made in unique_puzzles(n, 6, seed=2, minimal=True):
        fixed = dict(made.instance.fixed.squares.tolist())
        for column in fixed:
            fewer = {c: row for c, row in fixed.items() if c != column}
            assert fastqueens.count_solutions(n, fixed=fewer) > 1


def test_other_puzzles_end_at_the_first_queen_that_has_to_stay():
    """So they have at least as many queens as the minimal ones of the same solutions, and often more."""
    counts = [
        [len(made.instance.fixed) for made in unique_puzzles(12, 50, seed=1, minimal=minimal)]
        for minimal in (False, True)
    ]
    assert all(more >= fewer for more, fewer in zip(*counts, strict=True))
    assert sum(counts[0]) > sum(counts[1]) + 50


@pytest.mark.parametrize("queens", [2, 3, 5, 8])
def test_the_number_of_queens_can_be_chosen(queens):
    for made in unique_puzzles(8, 5, seed=3, queens=queens):
        assert len(made.instance.fixed) == queens
        assert len(solutions_of(made)) == 1
    assert made.nodes > 0 or queens == 8


def test_a_number_of_queens_that_no_puzzle_has_is_refused(monkeypatch):
    monkeypatch.setattr(module, "_SOLUTIONS_TRIED", 7)
    with pytest.raises(
        InputError, match=r"queens is 1: 7 solutions made only puzzles with [23] or more on a board of 8"
    ):
        next(unique_puzzles(8, 1, seed=1, queens=1))


def test_puzzles_do_not_depend_on_how_many_are_made():
    def listed(many, seed):
        return [
            (m.instance.fixed.squares.tolist(), m.solution.tolist(), m.nodes)
            for m in unique_puzzles(9, many, seed=seed)
        ]

    assert listed(8, 5)[:3] == listed(3, 5)
    assert not set(map(str, listed(8, 5))) & set(map(str, listed(8, 6)))
    assert len(set(map(str, listed(8, 5)))) == 8
    assert listed(0, 5) == []


def test_queens_stay_fixed_if_the_search_is_too_long():
    """The limit is the number of nodes that the hardest search of a puzzle needs, or one less."""
    whole = next(unique_puzzles(10, 1, seed=1, minimal=True))
    limited = next(unique_puzzles(10, 1, seed=1, minimal=True, max_nodes=whole.nodes - 1))
    assert limited.undecided > 0
    assert len(limited.instance.fixed) > len(whole.instance.fixed)
    assert len(solutions_of(limited)) == 1
    nothing = next(unique_puzzles(10, 1, seed=1, minimal=True, max_nodes=0))
    assert (len(nothing.instance.fixed), nothing.undecided, nothing.nodes) == (10, 10, 0)
    assert next(unique_puzzles(10, 1, seed=1, max_nodes=0)).undecided == 1


def test_searches_in_slices_make_the_same_puzzles(monkeypatch):
    whole = [made.instance.fixed.squares.tolist() for made in unique_puzzles(12, 5, seed=1, minimal=True)]
    monkeypatch.setattr(module, "_SQUARES_A_SLICE", 1)
    assert [made.instance.fixed.squares.tolist() for made in unique_puzzles(12, 5, seed=1, minimal=True)] == whole


def test_progress_and_stop():
    seen = []
    list(unique_puzzles(8, 3, seed=1, progress=lambda *report: seen.append(report)))
    assert [report for report in seen if report[0] == "puzzles"][-1] == ("puzzles", 3, 3)
    stops = iter([False] * 40 + [True] * 10)
    with pytest.raises(Stopped):
        list(unique_puzzles(8, 1000, seed=1, stop=lambda: next(stops)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 65}, "n is 65: puzzles with exactly one solution are made up to n = 64"),
        ({"n": 0}, "n is 0"),
        ({"many": -1}, "many is -1"),
        ({"seed": 2**64}, "seed is 18446744073709551616"),
        ({"queens": 9}, "queens is 9: it goes from 0 to 8"),
        ({"queens": 3, "minimal": True}, "queens is 3: a minimal puzzle has the number of queens that comes out"),
        ({"max_nodes": -1}, "max_nodes is -1"),
    ],
)
def test_bad_values_are_named_at_once(arguments, message):
    with pytest.raises(InputError, match=message):
        unique_puzzles(**{"n": 8, "many": 1, "seed": 1, **arguments})


@pytest.mark.parametrize("n", [2, 3])
def test_boards_without_a_solution_have_no_puzzle(n):
    with pytest.raises(NoSolutionError):
        unique_puzzles(n, 1, seed=1)


# The command line


def test_one_puzzle_is_drawn_and_written(run, tmp_path):
    arguments = ["--unique", "--minimal", "--seed", "1", "-o", "p.json", "-o", "p.csv", "-o", "p.jsonl", "-o", "p.lp"]
    exit_code, stdout, _ = run("puzzle", "8", *arguments)
    made = next(unique_puzzles(8, 1, seed=1, minimal=True))
    squares = made.instance.fixed.squares.tolist()
    assert exit_code == 0
    assert sum(line.split().count("F") for line in stdout.splitlines()[1:9]) == len(squares)
    assert (
        f"{len(squares)} fixed queens for n = 8, seed 1. It has exactly 1 solution, proved in {made.nodes} " in stdout
    )
    assert json.loads((tmp_path / "p.json").read_text()) == {"n": 8, "fixed": squares}
    noted = {"n": 8, "fixed": squares, "solution": made.solution.tolist(), "nodes": made.nodes}
    assert json.loads((tmp_path / "p.jsonl").read_text()) == noted
    for name, n in (("p.csv", 8), ("p.lp", None), ("p.json", None), ("p.jsonl", None)):
        assert fastqueens.read_instance(tmp_path / name, n=n).fixed.squares.tolist() == squares


def test_other_puzzles_are_written_as_instances_too(run, tmp_path):
    assert run("puzzle", "8", "--queens", "2", "--seed", "1", "--rows-from", "1", "-q", "-o", "p.json") == (0, "", "")
    squares = puzzle(8, 2, seed=1).tolist()
    assert json.loads((tmp_path / "p.json").read_text()) == {"n": 8, "fixed": squares}


def test_many_puzzles_are_lines_of_json(run, tmp_path):
    exit_code, stdout, _ = run("puzzle", "8", "--unique", "--many", "20", "--seed", "4", "-o", "p.jsonl")
    made = list(unique_puzzles(8, 20, seed=4))
    lines = (tmp_path / "p.jsonl").read_text().splitlines()
    assert exit_code == 0
    queens, nodes = [len(m.instance.fixed) for m in made], [m.nodes for m in made]
    assert stdout == (
        f"20 puzzles for n = 8, seed 4: {min(queens)} to {max(queens)} fixed queens, "
        f"{min(nodes)} to {max(nodes)} nodes.\nWrote p.jsonl (2.0 kB).\n"
    )
    assert [json.loads(line)["solution"] for line in lines] == [m.solution.tolist() for m in made]
    assert [json.loads(line)["nodes"] for line in lines] == nodes
    found = list(fastqueens.read_instances(tmp_path / "p.jsonl"))
    assert [i.fixed.squares.tolist() for i in found] == [m.instance.fixed.squares.tolist() for m in made]
    assert run("puzzle", "8", "--unique", "--many", "20", "--seed", "4") == (0, (tmp_path / "p.jsonl").read_text(), "")


def test_the_summary_names_what_is_equal_or_missing(run, monkeypatch):
    arguments = ["puzzle", "8", "--unique", "--queens", "4", "--seed", "1", "-o", "p.jsonl", "--many"]
    assert "seed 1: 4 fixed queens, " in run(*arguments, "3")[1]
    assert run(*arguments, "0")[1] == "0 puzzles for n = 8, seed 1.\nWrote p.jsonl (0 bytes).\n"
    assert run(*arguments, "1", "-q") == (0, "", "")
    monkeypatch.setitem(module.unique_puzzles.__wrapped__.__kwdefaults__, "max_nodes", 0)
    _, stdout, _ = run("puzzle", "8", "--unique", "--many", "2", "--seed", "1", "-o", "p.jsonl")
    assert "8 fixed queens, 0 nodes. 2 queens stayed fixed because the search took too long.\n" in stdout


