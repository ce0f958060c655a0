"""Boards and searches that the page makes: the form, links, completions, and what happens when something is wrong."""

import numpy as np
import pytest

import fastqueens
from fastqueens.explorer.page import page_in_one_file, page_that_solves
from fastqueens.instance import make_instance

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture
def visit(look_at, tmp_path):
    """Open the page without a board, or with one, with an address."""

    def visit(address="", page=None, **window):
        (tmp_path / "queens.html").write_bytes(page or page_that_solves())
        return look_at((tmp_path / "queens.html").as_uri() + address, **window)

    return visit


def rows(view):
    return view.page.evaluate("Array.from(explorer.board.rows)")


def check_solved(view, n, seed):
    view.until_text("title", f"{n:,} queens")
    view.until(lambda: f"n={n}&seed={seed}" in view.page.url)
    view.settle()
    assert rows(view) == fastqueens.solve(n, seed=seed).queens.tolist()
    assert view.text("state") == "A solution"
    assert view.text("command-text") == f"fastqueens solve {n} --seed {seed}"
    assert (view.page.input_value("#n"), view.page.input_value("#seed")) == (str(n), str(seed))


@pytest.mark.parametrize("window", [{}, PHONE], ids=["desktop", "phone"])
def test_the_form_solves_and_the_history_goes_back(visit, window):
    view = visit(**window)
    check_solved(view, 1000, 1)
    view.page.fill("#n", "5e3")
    view.page.fill("#seed", str(2**64 - 1))
    view.page.press("#seed", "Enter")
    check_solved(view, 5000, 2**64 - 1)
    view.page.fill("#n", "30")
    view.page.click("#new-board")
    view.until_text("title", "30 queens")
    check_solved(view, 30, int(view.page.input_value("#seed")))
    view.back()
    check_solved(view, 5000, 2**64 - 1)
    again = visit("#" + view.page.url.partition("#")[2])
    check_solved(again, 5000, 2**64 - 1)
    assert view.page.evaluate("document.documentElement.scrollWidth") <= view.page.viewport_size["width"]


def test_a_wrong_number_is_named_and_the_board_stays(visit):
    view = visit("#n=12&seed=3")
    for n, seed, message in [
        ("3", "1", "The number of queens must be a whole number from 4 to 10,000,000, not 3."),
        ("10,000,001", "1", "The number of queens must be a whole number from 4 to 10,000,000, not 10,000,001."),
        ("many", "1", "The number of queens must be a whole number from 4 to 10,000,000, not many."),
        ("12", "-1", "The seed must be a whole number from 0 to 18446744073709551615, not -1."),
        ("12", str(2**64), f"The seed must be a whole number from 0 to 18446744073709551615, not {2**64}."),
    ]:
        view.page.fill("#n", n)
        view.page.fill("#seed", seed)
        view.page.press("#seed", "Enter")
        view.until_text("message", message)
        assert view.text("title") == "12 queens"
    view.page.evaluate("location.hash = '#n=30&seed=1&algorithm=genetic'")
    view.until_text("message", "The algorithm must be one of min-conflicts, steepest")
    assert view.text("title") == "12 queens"


def test_work_can_be_stopped_and_the_board_stays(visit):
    view = visit("#n=12&seed=3")
    view.page.evaluate(
        "() => { Engine.prototype.solve = () => new Promise((_, reject) => { window.reject = reject; }); }"
    )
    view.page.evaluate(
        "() => { Engine.prototype.stop = () => reject(Object.assign(new Error(), { isStopped: true })); }"
    )
    view.page.fill("#n", "10000000")
    view.page.press("#n", "Enter")
    view.page.locator("#stop").wait_for()
    assert view.text("doing") == "Solving 10,000,000 queens ..."
    view.page.click("#stop")
    view.until_text("message", "Stopped.")
    assert view.page.locator("#work").is_hidden()
    assert view.text("title") == "12 queens"


@pytest.mark.parametrize("algorithm", ["steepest", "min-conflicts", "annealing"])
def test_a_search_is_the_climb_of_its_seed(algorithm, visit):
    view = visit(f"#n=20&seed=7&algorithm={algorithm}")
    climb = fastqueens.climb(20, algorithm=algorithm, seed=7)
    assert rows(view) == climb.moves.first_boards[0].tolist()
    view.page.press("#scrubber", "End")
    view.settle()
    assert rows(view) == climb.queens.tolist()
    left = int(climb.trace.pairs[-1])
    assert view.text("state") == ("A solution" if climb.solved else f" attacking pair{'s' * (left > 1)}")
    assert f"{climb.steps:,} step" in view.text("runs")
    assert ("solved" if climb.solved else f"{left} attacking pair") in view.text("runs")
    assert f"fastqueens climb 20 --algorithm {algorithm} --runs 1 --seed 7" == view.text("command-text")


def test_searches_from_the_same_board_are_listed_and_shown_again(visit):
    view = visit("#n=30&seed=5&algorithm=steepest")
    first = rows(view)
    view.page.select_option("#algorithms", "min-conflicts")
    view.page.click("#watch button")
    view.until(lambda: view.page.locator("#runs button").count() == 2)
    view.page.click("#play")  # it plays: pause
    view.page.press("#scrubber", "Home")
    view.settle()
    assert rows(view) == first
    view.page.locator("#runs button").first.click()
    view.until(lambda: "algorithm=steepest" in view.page.url)
    view.page.fill("#seed", "6")
    view.page.click("#watch button")
    view.until(lambda: view.page.locator("#runs button").count() == 1)


def test_a_puzzle_is_made_checked_and_finished_by_hand(visit):
    view = visit("#n=8&seed=1")
    view.page.click("#clear")
    view.until_text("state", "0 of 8 queens")
    for column, row in [(0, 0), (1, 4)]:
        view.page.mouse.click(*view.place(column, row))
        view.until(lambda column=column, row=row: rows(view)[column] == row)
    view.until(lambda: view.page.url.endswith("rows=0,4,-,-,-,-,-,-"))
    instance = make_instance(8, {0: 0, 1: 4})
    assert fastqueens.count_solutions(instance) == 1
    view.page.click("#unique")
    view.until_text("message", "Yes: exactly one solution exists with these 2 queens.")
    view.page.click("#finish")
    view.until_text("state", "A solution")
    assert rows(view) == fastqueens.solve(instance).queens.tolist()
    view.page.mouse.click(*view.place(7, rows(view)[7]))
    view.page.keyboard.press("Delete")
    view.until_text("state", "7 of 8 queens")
    view.page.click("#reset")
    view.until_text("state", "A solution")
    assert rows(view) == fastqueens.solve(8, seed=1).queens.tolist()


@pytest.mark.parametrize(
    ("text", "finish", "unique"),
    [
        (
            "0,-,1,-,-,-,-,-",
            "This cannot be finished: no solution exists with these 2 queens.",
            "No solution exists with these 2 queens.",
        ),
        ("0,1,-,-,-,-,-,-", "1 attacking pair: first take", "1 attacking pair: first take"),
        ("-,-,-,-,-,-,-,-", "F", "No: more than one solution exists."),
        ("0,4,7,5,2,6,1,3", "F", "Yes: exactly one solution exists with these 8 queens."),
    ],
)
def test_the_answers_about_a_board_are_those_of_complete_search(text, finish, unique, visit):
    view = visit(f"#n=8&rows={text}")
    fixed = {column: int(row) for column, row in enumerate(text.split(",")) if row != "-"}
    if "attacking" not in finish:
        solutions = fastqueens.count_solutions(make_instance(8, fixed), limit=2)
        assert unique.startswith(["No solution", "Yes", "No: more"][solutions])
    view.page.click("#unique")
    view.until_text("message", unique)
    view.page.click("#finish")
    view.until_text("message", finish) if finish[0] != "F" else view.until_text("state", "A solution")


def test_constraints_of_the_page_hold_for_completions(visit):
    instance = make_instance(8, {3: 5}, blocked=[(0, 0)], excluded_sums=[9])
    view = visit(page=page_in_one_file(fastqueens.solve(instance, seed=1).queens, instance=instance))
    view.page.click("#clear")
    view.until_text("state", "1 of 8 queens")
    view.page.click("#finish")
    view.until_text("state", "A solution that respects every constraint")
    assert fastqueens.is_solution(rows(view))


def test_a_page_without_kernels_shows_its_board_and_nothing_to_make(visit):
    view = visit(page=page_in_one_file(np.array([1, 3, 0, 2]), kernels=False))
    assert view.text("state") == "A solution"
    assert view.page.locator(".making:visible").count() == 0
    view.page.evaluate("location.hash = '#n=8&seed=1'")
    view.until_text("message", "This page has no kernels, so it cannot compute boards.")
    assert view.text("title") == "4 queens"


def test_the_keyboard_alone_is_enough_for_a_puzzle(visit):
    view = visit("#n=8&rows=-,-,-,-,-,-,-,-")
    view.page.focus("#map")
    press = view.page.keyboard.press
    press("ArrowLeft")  # chooses a square in the middle
    view.until_text("message", "Square in column 4, row 4")
    for key in ("ArrowLeft", "ArrowUp", "Enter"):
        press(key)
    view.until(lambda: rows(view) == [8, 8, 8, 3, 8, 8, 8, 8])
    press("ArrowDown")  # pushes the queen
    view.until(lambda: rows(view)[3] == 4)
    press("Delete")
    view.until_text("state", "0 of 8 queens")
    press("Enter")
    view.until(lambda: rows(view)[3] == 4)


def test_back_undoes_what_changes_many_queens(visit):
    view = visit("#n=8&rows=0,4,-,-,-,-,-,-")
    given = rows(view)
    view.page.click("#finish")
    view.until_text("state", "A solution")
    view.back()
    assert rows(view) == given
    view.page.click("#clear")
    view.until_text("state", "0 of 8 queens")
    view.back()
    assert rows(view) == given
