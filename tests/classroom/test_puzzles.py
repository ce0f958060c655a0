"""Completion puzzles, those with exactly one solution, and fixed queens in files."""

import itertools
import json
import re
from collections import Counter
from pathlib import Path

import naive
import numpy as np
import pytest
from chances import chance_of
from errors import check_error, check_names
from figures import assert_texts_apart
from hypothesis import given
from hypothesis import strategies as st

import fastqueens
from fastqueens import unique_puzzles
from fastqueens._run.arguments import NO_LIMIT
from fastqueens.classroom import puzzles as module
from fastqueens.classroom.puzzles import puzzle
from fastqueens.errors import InputError, NoSolutionError, Stopped
from fastqueens.exact.tree import search_tree
from fastqueens.instance import make_instance
from fastqueens.kernels import tree as tree_kernel
from fastqueens.kernels.windows import draw_fixed_queens
from fastqueens.pictures.boards import instance_picture
from fastqueens.pictures.chessboard import QUEEN
from fastqueens.pictures.paper import paper
from fastqueens.pictures.worksheets import worksheets
from fastqueens.placement.arrays import empty_bitsets

seeds = st.integers(0, 2**64 - 1)


@given(st.integers(1, 80), st.data(), seeds)
def test_no_queen_of_a_puzzle_attacks_another(n, data, seed):
    queens = data.draw(st.integers(0, max(1, n // 3)))
    squares = puzzle(n, queens, seed=seed).fixed
    assert squares.shape == (queens, 2)
    assert squares[:, 0].tolist() == sorted(set(squares[:, 0].tolist()))
    board = np.full(n, n)
    board[squares[:, 0]] = squares[:, 1]
    assert naive.attacking_pairs(board.tolist()) == []
    assert puzzle(n, queens, seed=seed).fixed.tolist() == squares.tolist()


def test_a_solvable_puzzle_has_a_solution():
    for n in (1, 4, 8, 30):
        for queens in (0, 1, n // 2, n):
            made = puzzle(n, queens, seed=n + queens, solvable=True)
            assert fastqueens.is_solution(made.solution, instance=made.instance), (n, queens)
            assert (len(made.fixed), made.nodes) == (queens, None)


def test_a_board_without_room_is_tried_again():
    """Most of 40 boards of 8 have no room for 7 queens at the first attempt."""
    for seed in range(40):
        assert len(puzzle(8, 7, seed=seed).fixed) == 7


def test_squares_are_drawn_evenly():
    """The only queen of a puzzle stands on each square of 5 x 5 equally often."""
    first = Counter(tuple(puzzle(5, 1, seed=seed).fixed[0].tolist()) for seed in range(2000))
    assert len(first) == 25
    assert chance_of(list(first.values())) > 1e-4


def test_the_queens_of_a_solution_are_drawn_evenly():
    """The order in which they are drawn does not depend on their squares."""
    squares = np.concatenate([puzzle(1000, 10, seed=seed, solvable=True).fixed for seed in range(200)])
    for places in squares.T:
        assert chance_of(np.bincount(places // 100, minlength=10)) > 1e-4


@pytest.mark.parametrize("draws", [True, False])
def test_a_free_row_is_drawn_evenly_by_draws_and_by_counting(draws):
    """64 draws rarely hit one of 3 free rows among 400, and always one of 3 among 5."""
    n, free = (5, [0, 2, 4]) if draws else (400, [7, 63, 390])
    rows = Counter()
    for seed in range(600):
        bitsets = empty_bitsets(make_instance(n))
        for row in set(range(n)) - set(free):
            bitsets.rows[row // 64] |= np.uint64(1 << row % 64)
        squares = np.empty((2, 1), np.int64)
        order = np.roll(np.arange(n, dtype=np.int32), -1)
        assert draw_fixed_queens(bitsets, order, *squares, 0, np.uint64(seed), np.uint64(0), 0, 1) == 1
        rows[int(squares[1, 0])] += 1
    assert sorted(rows) == free
    assert chance_of(list(rows.values())) > 1e-4


def test_bad_values_are_named():
    wrong = (8, 9, 8), (8, -1, 8), (8, 1.5, 8), (0, 0, "n must be"), (3, 3, "only 2", "100 attempts")
    for n, queens, *named in wrong:
        with check_error(InputError, queens, *named):
            puzzle(n, queens, seed=1)


def test_a_crowded_puzzle_is_full_or_refused_in_time():
    """If hardly any square is free, rows are found by counting windows."""
    squares = puzzle(20_000, 19_800, seed=1).fixed
    assert len({row for _, row in squares.tolist()}) == 19_800
    with check_error(InputError, re.compile(r"19\d{3}"), 20000, 50):
        puzzle(20_000, 20_000, seed=1)


@pytest.mark.parametrize("solvable", [True, False])
def test_a_puzzle_can_be_stopped(solvable):
    with pytest.raises(Stopped):
        puzzle(100_000, 90_000, seed=1, solvable=solvable, stop=lambda: True)


# Puzzles with exactly one solution


def listed(made):
    """Return what makes puzzles equal."""
    return [(one.instance.fixed.squares.tolist(), one.solution.tolist(), one.nodes) for one in made]


def count(search, fixed):
    """Return the number of solutions with some queens, and the nodes."""
    squares = np.array([column * search.instance.n + row for column, row in fixed.items()], np.int64)
    tree_kernel.begin_with(search.tree, squares)
    search.search(NO_LIMIT, NO_LIMIT)
    return search.solutions, search.nodes


def solutions_of(made):
    fixed = dict(made.fixed.tolist())
    if made.instance.n <= 8:
        return naive.completions(made.instance.n, fixed)
    return [made.solution.tolist()] * fastqueens.count_solutions(made.instance.n, fixed=fixed)


def test_a_unique_puzzle_has_exactly_one_solution():
    for n in (1, 4, 6, 8, 12, 32, 64):
        for made in unique_puzzles(n, 6, seed=n):
            assert fastqueens.is_solution(made.solution), n
            assert solutions_of(made) == [made.solution.tolist()], n
            assert count(search_tree(make_instance(n)), dict(made.fixed.tolist())) == (1, made.nodes)


def test_no_queen_of_a_unique_puzzle_can_be_left_out():
    sizes = (4, 6, 8, 12)
    for made in itertools.chain.from_iterable(unique_puzzles(n, 6, seed=2) for n in sizes):
        n = made.instance.n
        fixed = dict(made.fixed.tolist())
        for column in fixed:
            fewer = {c: row for c, row in fixed.items() if c != column}
            assert fastqueens.count_solutions(n, fixed=fewer) > 1


def test_the_number_of_queens_can_be_chosen():
    for queens in (2, 3, 5, 8):
        for made in unique_puzzles(8, 5, seed=3, queens=queens):
            assert len(made.instance.fixed) == queens
            assert len(solutions_of(made)) == 1, queens
            assert made.nodes > 0 or queens == 8


def test_a_number_of_queens_that_no_puzzle_has_is_refused():
    with check_error(InputError, "1 fixed queen", "100 solutions", "board of 8"):
        next(unique_puzzles(8, 1, seed=1, queens=1))


def test_puzzles_do_not_depend_on_how_many_are_made():
    eight = listed(unique_puzzles(9, 8, seed=5))
    assert eight[:3] == listed(unique_puzzles(9, 3, seed=5))
    assert not set(map(str, eight)) & set(map(str, listed(unique_puzzles(9, 8, seed=6))))
    assert len(set(map(str, eight))) == 8
    assert listed(unique_puzzles(9, 0, seed=5)) == []


def test_searches_in_slices_make_the_same_puzzles(monkeypatch):
    whole = listed(unique_puzzles(12, 5, seed=1))
    monkeypatch.setattr(module, "_NODES_PER_SLICE", 1)
    assert listed(unique_puzzles(12, 5, seed=1)) == whole


def test_progress_and_stop():
    seen = []
    list(unique_puzzles(8, 3, seed=1, progress=lambda *report: seen.append(report)))
    assert [report for report in seen if report[0] == "puzzles"][-1] == ("puzzles", 3, 3)
    stops = iter([False] * 40 + [True] * 10)
    with pytest.raises(Stopped):
        list(unique_puzzles(8, 1000, seed=1, stop=lambda: next(stops)))


def test_bad_values_of_unique_puzzles_are_named():
    for arguments, named in [
        ({"n": 65}, ["n must", 65, 64]),
        ({"count": -1}, ["count", -1]),
        ({"queens": 9}, ["queens", 9, 0, 8]),
    ]:
        with check_error(InputError, *named):
            unique_puzzles(**{"n": 8, "count": 1, "seed": 1, **arguments})
    for n in (2, 3):
        with pytest.raises(NoSolutionError):
            unique_puzzles(n, 1, seed=1)


# The command line


def test_one_puzzle_is_drawn_and_written(run, tmp_path):
    arguments = ["--unique", "--seed", "1", "-o", "p.json", "-o", "p.csv", "-o", "p.jsonl"]
    exit_code, stdout, _ = run("puzzle", "8", *arguments)
    made = next(unique_puzzles(8, 1, seed=1))
    squares = made.fixed.tolist()
    assert exit_code == 0
    assert sum(line.split().count("F") for line in stdout.splitlines()[1:9]) == len(squares)
    check_names(stdout, f"{len(squares)} fixed queens", "n = 8", "seed 1", "exactly 1 solution", made.nodes)
    for name in ("p.json", "p.jsonl"):
        assert json.loads((tmp_path / name).read_text()) == {"n": 8, "fixed": squares}
    lines = [f"{column},{row}" for column, row in [("column", "row"), *squares]]
    assert (tmp_path / "p.csv").read_text().splitlines() == lines
    for name in ("p.json", "p.jsonl"):
        assert fastqueens.read_instance(tmp_path / name).fixed.squares.tolist() == squares


def test_many_puzzles_are_lines_of_json(run, tmp_path):
    exit_code, stdout, _ = run("puzzle", "8", "--many", "20", "--seed", "4", "-o", "p.jsonl")
    made = listed(unique_puzzles(8, 20, seed=4))
    lines = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text().splitlines()]
    assert exit_code == 0
    check_names(stdout, "20 puzzles", "n = 8", "seed 4", "p.jsonl (3.3 kB)")
    assert [(line["fixed"], line["solution"], line["nodes"]) for line in lines] == made
    found = list(fastqueens.read_instances(tmp_path / "p.jsonl"))
    assert [instance.fixed.squares.tolist() for instance in found] == [fixed for fixed, *_ in made]
    on_stdout = (0, (tmp_path / "p.jsonl").read_text(), "20 puzzles for n = 8, seed 4.\n")
    assert run("puzzle", "8", "--unique", "--many", "20", "--seed", "4") == on_stdout


def test_a_puzzle_is_shown_in_a_line_and_as_a_picture():
    (made,) = unique_puzzles(8, 1, seed=1)
    check_names(repr(made), "n=8", f"{len(made.instance.fixed)} fixed queens", f"{made.nodes} node", "seed=1")
    content, _ = made._repr_png_()
    assert content == instance_picture(made.instance)._repr_png_()[0]


# Sheets for a class


def pages_of(content):
    """Return the width and height of each page of a PDF in millimetres, rounded."""
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", content)
    return [tuple(round(float(side) / 72 * 25.4) for side in box) for box in boxes]


def drawn_pages(puzzles, per_page, **options):
    return list(worksheets(puzzles, paper("A4"), per_page, **{"answers": False, "rows_from": 0, **options}))


def texts_on(page):
    return [text.get_text() for text in page.texts]


def queens_on(axes):
    """Return the column and row of each crown on a board."""
    drawn = [found for found in axes.collections if found.get_paths()]
    crowns = [found for found in drawn if len(found.get_paths()[0].vertices) == len(QUEEN.vertices)]
    n = round(axes.get_xlim()[1])
    return {(int(x), n - 1 - int(y)) for found in crowns for x, y in found.get_offsets()}


def test_sheets_have_the_puzzles_the_task_and_a_line_for_the_name():
    made = list(unique_puzzles(8, 6, seed=1))
    single, four = drawn_pages(made, 1), drawn_pages(made, 4)
    assert [len(page.axes) for page in single + four] == [1] * 6 + [4, 2]
    for number, (page, one) in enumerate(zip(single, made, strict=True), 1):
        queens = f"{8 - len(one.fixed)} more queens"
        check_names(" ".join(texts_on(page)), f"Puzzle {number}", "Name", queens, "exactly one solution")
    check_names(" ".join(texts_on(four[1])), "Puzzles 5 and 6", "Puzzle 5", "Puzzle 6", "Name", "missing queens")
    for page in (*single[:1], *four):
        assert_texts_apart(page)
    boards = [axes for page in single for axes in page.axes], [axes for page in four for axes in page.axes]
    for axes, one in zip(zip(*boards, strict=True), made, strict=True):
        assert [queens_on(board) for board in axes] == [set(map(tuple, one.fixed.tolist()))] * 2
    answers = drawn_pages(made, 4, answers=True)
    for board, one in zip([axes for page in answers for axes in page.axes], made, strict=True):
        assert queens_on(board) == set(enumerate(one.solution.tolist()))
    assert "Name" not in texts_on(answers[0])
    (page, *_) = drawn_pages(made, 1, rows_from=1)
    assert [label.get_text() for label in page.axes[0].get_yticklabels()] == list("12345678")


def test_the_command_writes_sheets_and_answers(run):
    command = ["puzzle", "8", "--many", "5", "--seed", "1"]
    exit_code, stdout, _ = run(*command, "-o", "s.pdf", "--answers", "a.pdf")
    check_names(stdout, "5 puzzles", "n = 8", "seed 1", "s.pdf", "a.pdf")
    sheets, answers = (Path(name).read_bytes() for name in ("s.pdf", "a.pdf"))
    assert exit_code == 0
    assert pages_of(sheets) == pages_of(answers) == [(210, 297)] * 5
    assert sheets != answers
    assert run(*command, "--per-page", "4", "--size", "letter", "-q", "-o", "s.pdf") == (0, "", "")
    assert pages_of(Path("s.pdf").read_bytes()) == [(216, 279)] * 2
    assert run(*command, "--size", "A11", "-o", "s.pdf")[0] == 2


def test_wrong_sheets_are_refused(tmp_path):
    (made,) = unique_puzzles(8, 1, seed=1)
    for puzzles, options, named in (
        ([], {}, ["puzzles is empty"]),
        ([made], {"per_page": 3}, ["per_page", 3]),
        ([puzzle(8, 2, seed=1)], {"answers": True}, ["puzzle 1", "solution"]),
    ):
        with check_error(InputError, *named):
            module.write_sheets(tmp_path / "s.pdf", puzzles, **options)
    with check_error(InputError, ".pdf"):
        module.write_sheets(tmp_path / "s.png", [made])
    assert list(tmp_path.iterdir()) == []
